"""Why names of PyTorch are not there: a line for each reason, with the places and the patterns of the names.

The first reason that fits a name is its own. A name that is there needs none, so nothing has to be taken away here when
one is added.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Reason:
    """Why some names are not there.

    places:  the ends of the names of the places, such as "nn nn.functional"; empty for all.
    names:   patterns, as the shell has them.
    """

    why: str
    places: str
    names: str


NOT_MEANT = (
    Reason(
        "parts of TorchScript, of its compiler and of PyTorch's C++ side",
        "torch",
        "*Type AVG SUM AliasDb Argument* Benchmark* Block CallStack Capsule Code CompilationUnit CompleteArgumentSpec "
        "ConcreteModuleType* DeepCopyMemoTable *StorageContext ErrorReport ExecutionPlan FatalError FileCheck "
        "FunctionSchema Future Gradient Graph GraphExecutorState IODescriptor JITException LiteScriptModule *Logger "
        "Node OperatorInfo PyTorchFile* Script* StaticModule ThroughputBenchmark TracingState Type Use Value "
        "import_ir_module* merge_type_from_type_comment parse_* unify_type_list fork wait init_num_threads has_* "
        "StreamObjType DeviceObjType typename is_distributed BufferDict ModuleDict ParameterDict",
    ),
    Reason(
        "parts of PyTorch's dispatcher and of its symbolic sizes",
        "",
        "DispatchKey* DisableTorchFunction* ExcludeDispatchKeyGuard Tag Sym* sym_* has_torch_function* "
        "handle_torch_function thread_safe_generator boolean_dispatch assert_int_or_pair factory_kwargs as_subclass "
        "module_load Tensor const_data_ptr dim_order hash_tensor is_distributed",
    ),
    Reason(
        "quantised tensors: there is no such dtype",
        "torch torch.Tensor",
        "q_* qint* quint* qscheme quantize* quantized_* fake_quantize* fbgemm* fused_moving_avg* "
        "choose_qparams* dequantize int_repr empty_quantized",
    ),
    Reason(
        "libraries and devices other than the CPU and CUDA",
        "torch torch.Tensor torch.nn.functional",
        "cudnn_* miopen_* mkldnn_* to_mkldnn is_mkldnn is_vulkan* is_xla is_ipu is_mps is_maia is_mtia is_xpu "
        "is_meta ipu xpu mtia *_ipu_* *_xla_* set_num_interop_threads get_num_interop_threads "
        "get_device_module AcceleratorError",
    ),
    Reason(
        "streams: `gl.cuda.Stream` and `Event`; memory waits for all streams by itself",
        "torch torch.Tensor",
        "Stream Event record_stream",
    ),
    Reason(
        "typed storages, which are about to go there", "torch torch.Tensor", "*Storage is_storage storage storage_type"
    ),
    Reason(
        "the in-place form as a function: call the method of the tensor",
        "torch",
        "abs_ acos_ acosh_ addmv_ arc*_ asin_ asinh_ atan_ atanh_ as_strided_ ceil_ celu_ clamp_* clamp_ clip_ "
        "conj_physical_ cos_ cosh_ deg2rad_ detach_ embedding_renorm_ erf_ erfc_ exp2_ exp_ expm1_ fill_ fix_ floor_ "
        "frac_ gcd_ i0_ index_put_ lcm_ ldexp_ log10_ log1p_ log2_ log_ logit_ nan_to_num_ neg_ negative_ rad2deg_ "
        "reciprocal_ relu_ resize_as_ resize_as_sparse_ round_ rrelu_ rsqrt_ selu_ sigmoid_ sin_ sinc_ sinh_ sqrt_ "
        "square_ tan_ tanh_ threshold_ trunc_ xlogy_ zero_ dropout_ alpha_dropout_ feature_alpha_dropout_ "
        "feature_dropout_",
    ),
    Reason(
        "pieces of PyTorch's own kernels, derivatives and exports, listed as functions",
        "torch torch.Tensor torch.nn.functional",
        "*_copy unsafe_* slice_inverse native_* batch_norm_* norm_except_dim nuclear_norm frobenius_norm "
        "feature_dropout cudnn* binary_cross_entropy_with_logits constant_pad_nd embedding_bag embedding layer_norm "
        "convolution affine_grid_generator grid_sampler* rnn_* lstm lstm_cell gru gru_cell conv_tbc poisson_nll_loss "
        "max_pool*_with_indices adaptive_max_pool*_with_indices fractional_max_pool*_with_indices "
        "empty_permuted nonzero_static alias_copy torch.adaptive_max_pool1d Tensor.index",
    ),
    Reason(
        "dtypes of fewer than eight bits, of raw bits, and floats that no operation takes",
        "torch",
        "bit bits* int[1-7] uint[1-7] float4_* float8_*fnuz float8_e8m0fnu",
    ),
    Reason(
        "autocast by functions, for each device: use `autocast`",
        "torch",
        "autocast_* clear_autocast_cache get_autocast_* set_autocast_* is_autocast_*",
    ),
    Reason("compiling is `gl.jit`", "torch", "compile"),
    Reason("branches and loops of Python are compiled as they are", "torch", "cond"),
    Reason(
        "results are the same in each run, with any number of threads",
        "torch",
        "is_deterministic_* get_deterministic_* set_deterministic_* set_flush_denormal",
    ),
    Reason("warnings are told once, as Python does", "torch", "is_warn_always_enabled set_warn_always"),
    Reason(
        "gone there, or about to go",
        "",
        "set_default_tensor_type range torch.cholesky* torch.qr torch.svd torch.lu_* torch.triangular_solve lobpcg "
        "geqrf orgqr ormqr Tensor.cholesky* Tensor.qr Tensor.svd Tensor.lu* Tensor.symeig Tensor.eig Tensor.solve "
        "Tensor.lstsq Tensor.triangular_solve Tensor.volatile Tensor.reinforce Tensor.new Tensor.name Tensor.resize "
        "Tensor.resize_as Tensor.map_ Tensor.map2_ Variable variable NestedIOFunction nn.Container nn.NLLLoss2d "
        "nn.CrossMapLRN2d utils.clip_grad_norm upsample* Upsampling* grad_dtype enforce_grad_layout_policy "
        "set_multithreading_enabled dsmm hsmm hspmm smm spmm saddmm sspaddmm *DataPipe DataChunk argument_validation "
        "functional_datapipe guaranteed_datapipes_* non_deterministic runtime_validation* init.constant init.dirac "
        "init.eye init.kaiming_normal init.kaiming_uniform init.normal init.orthogonal init.sparse init.uniform "
        "init.xavier_normal init.xavier_uniform debug_unwrap functionalize rearrange is_nested to_padded_tensor",
    ),
    Reason(
        "functions of nn.functional in the form of kernels: reductions as numbers, cuDNN as a flag",
        "torch",
        "batch_norm instance_norm group_norm cosine_embedding_loss ctc_loss hinge_embedding_loss kl_div "
        "margin_ranking_loss triplet_margin_loss dropout alpha_dropout feature_alpha_dropout",
    ),
    Reason("complex numbers with halves as their parts", "", "complex32 chalf"),
    Reason(
        "the sparse layout is COO",
        "torch torch.Tensor",
        "*_cs[rc]* *_bs[rc]* *col_indices *row_indices sparse_compressed_tensor to_sparse_coo sparse_mask "
        "sparse_resize_*",
    ),
    Reason(
        "a tensor keeps its shape and its memory: views are new tensors",
        "torch.Tensor",
        "squeeze_ unsqueeze_ swapaxes_ swapdims_ t_ transpose_ as_strided_ resize_as_sparse_ set_",
    ),
    Reason("shapes are tuples, and memory that is short is Python's MemoryError", "torch", "Size OutOfMemoryError"),
    Reason(
        "products of float8 with scales, and of groups, which some devices have",
        "torch.nn.functional",
        "*_mm ScalingType SwizzleType",
    ),
    Reason(
        "several devices of one process",
        "torch.nn torch.utils.data",
        "DataParallel",
    ),
)

NOT_YET = (
    Reason(
        "convolutions and pools",
        "",
        "*Conv[1-3]d *ConvTranspose[1-3]d conv* AvgPool* MaxPool* MaxUnpool* Adaptive*Pool* LPPool* FractionalMaxPool* "
        "avg_pool* max_pool* max_unpool* adaptive_*pool* lp_pool* fractional_max_pool* Fold Unfold fold unfold",
    ),
    Reason(
        "normalization",
        "",
        "*BatchNorm* *InstanceNorm* GroupNorm RMSNorm LocalResponseNorm batch_norm instance_norm group_norm rms_norm "
        "local_response_norm replace_all_batch_norm_modules_ fuse_*",
    ),
    Reason("recurrent layers", "torch.nn", "RNN* LSTM* GRU*"),
    Reason(
        "attention and transformers", "torch.nn torch.nn.functional", "MultiheadAttention Transformer* multi_head_*"
    ),
    Reason(
        "padding, sampling and shuffling of images",
        "",
        "*Pad[1-3]d Pixel* pixel_* *Shuffle *shuffle Upsample interpolate affine_grid grid_sample",
    ),
    Reason(
        "activations",
        "",
        "CELU celu* GLU Hard* hard* PReLU prelu RReLU rrelu* SELU selu* Soft* soft* Tanhshrink tanhshrink Threshold "
        "threshold* elu_ leaky_relu_ relu_ gumbel_softmax dropout alpha_dropout feature_alpha_dropout",
    ),
    Reason(
        "losses and distances",
        "",
        "*Loss LinearCrossEntropyOptions *_loss binary_cross_entropy kl_div PairwiseDistance pairwise_distance "
        "CosineSimilarity cosine_similarity pdist linear_cross_entropy AdaptiveLogSoftmaxWithLoss",
    ),
    Reason(
        "modules of other kinds, and how they are made",
        "",
        "Bilinear bilinear EmbeddingBag embedding_bag ModuleDict ParameterDict ParameterList BufferDict Buffer "
        "Unflatten Lazy* Uninitialized* skip_init convert_conv* parameters_to_vector vector_to_parameters weight_norm "
        "spectral_norm remove_* init.*_ swap_in_optimizer_params_and_state",
    ),
    Reason(
        "optimizers and schedules",
        "torch.optim torch.optim.lr_scheduler",
        "ASGD Ada* LBFGS Muon RAdam Rprop SparseAdam CyclicLR",
    ),
    Reason(
        "transforms of functions",
        "",
        "functional_call grad grad_and_value hessian jac* *jvp vjp vmap linearize stack_module_state",
    ),
    Reason(
        "distributions and their transforms",
        "torch.distributions",
        "[A-Z]* biject_to transform_to identity_transform *kl*",
    ),
    Reason(
        "linear algebra",
        "",
        "det logdet slogdet inverse pinverse matrix_exp LinAlgError cond cross diagonal eig* inv* ldl_* lu* "
        "lstsq qr "
        "svd linalg.cholesky matmul matrix_* multi_dot norm pinv "
        "householder_product solve* svdvals tensorinv tensorsolve vander vecdot "
        "vector_norm cholesky_ex",
    ),
    Reason(
        "special functions",
        "torch torch.Tensor",
        "digamma* lgamma* mvlgamma* polygamma* erfc* erfinv* i0* igamma*",
    ),
    Reason("mixed precision", "torch torch.amp", "autocast GradScaler custom_* is_autocast_available"),
    Reason(
        "data sets and loaders",
        "torch.utils.data",
        "*Dataset *Sampler Subset DataLoader default_* get_worker_info random_split",
    ),
    Reason("windows for signals", "torch", "*_window"),
    Reason(
        "memory that is pinned or shared between processes",
        "torch.Tensor",
        "pin_memory is_pinned share_memory_ is_shared",
    ),
    Reason(
        "further functions and types",
        "torch torch.Tensor",
        "layout memory_format dtype default_generator as_strided_* combinations "
        "cumulative_trapezoid detach fill from_file frexp get_device gradient histogram* index index_reduce* "
        "is_inference mode renorm* set_anomaly_enabled unravel_index new_empty_strided",
    ),
)
