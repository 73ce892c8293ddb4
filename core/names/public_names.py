"""Names of the root package that type checkers know as Any: rarer functions of tensors, by the module that has them."""

from __future__ import annotations

MORE_NAMES = {
    "guardlift.tensor.aliases": (
        "absolute arccos arccosh arcsin arcsinh arctan arctan2 arctanh clip concat concatenate divide fix ger "
        "greater greater_equal less less_equal moveaxis multiply negative not_equal row_stack subtract "
        "swapaxes swapdims trapz true_divide"
    ),
    "guardlift.amp": "GradScaler",
    "guardlift.amp.autocast_mode": "autocast get_autocast_dtype is_autocast_available is_autocast_enabled",
    "guardlift.autograd.anomaly": "set_anomaly_enabled",
    "guardlift.autograd.inference": "is_inference",
    "guardlift.core.devices": "device",
    "guardlift.core.dtype_names": "cdouble cfloat double dtype finfo float half iinfo int long short",
    "guardlift.core.dtypes": "complex64 complex128",
    "guardlift.core.constants": "e inf nan newaxis pi",
    "guardlift.func.vmapping": "vmap",
    "guardlift.nn.functional.adaptive_pooling": "adaptive_avg_pool1d",
    "guardlift.nn.functional.convolution": ("conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d"),
    "guardlift.nn.functional.distance": "bilinear cosine_similarity pairwise_distance pdist",
    "guardlift.nn.functional.normalization": "rms_norm",
    "guardlift.nn.functional.pooling": "avg_pool1d max_pool1d max_pool2d max_pool3d",
    "guardlift.nn.functional.shrinking": "celu rrelu selu threshold",
    "guardlift.nn.functional.vision": "channel_shuffle pixel_shuffle pixel_unshuffle",
    "guardlift.runtime": "cuda",
    "guardlift.runtime.determinism": "are_deterministic_algorithms_enabled use_deterministic_algorithms",
    "guardlift.runtime.float32_products": "get_float32_matmul_precision set_float32_matmul_precision",
    "guardlift.runtime.threads": "get_num_threads set_num_threads",
    "guardlift.serialization": "load save",
    "guardlift.tensor.complex_parts": (
        "angle complex conj conj_physical imag is_conj is_neg polar real resolve_conj resolve_neg sgn view_as_complex "
        "view_as_real"
    ),
    "guardlift.tensor.constructors": (
        "BFloat16Tensor BoolTensor ByteTensor CharTensor DoubleTensor FloatTensor HalfTensor IntTensor LongTensor "
        "ShortTensor"
    ),
    "guardlift.tensor.devices": "get_default_device set_default_device",
    "guardlift.tensor.diagonals": "diag_embed diagflat diagonal diagonal_scatter trace tril_indices triu_indices",
    "guardlift.tensor.distributions": "bernoulli binomial multinomial normal poisson randint_like",
    "guardlift.tensor.elementary": (
        "allclose bitwise_left_shift bitwise_right_shift deg2rad equal float_power frac gcd heaviside isclose "
        "isneginf isposinf isreal lcm ldexp logit nextafter rad2deg rsub signbit sinc xlogy"
    ),
    "guardlift.tensor.facts": "get_device is_complex is_nonzero is_same_size is_signed",
    "guardlift.tensor.folding": (
        "aminmax corrcoef count_nonzero cov cumulative_trapezoid dist gradient nanmean std_mean sum_to_size trapezoid "
        "var_mean"
    ),
    "guardlift.tensor.generator": "default_generator",
    "guardlift.tensor.histograms": "histogramdd",
    "guardlift.tensor.indexing": "combinations unravel_index",
    "guardlift.tensor.joining": "dsplit hsplit split_with_sizes tensor_split vsplit",
    "guardlift.tensor.layouts": "channels_last channels_last_3d contiguous_format layout memory_format preserve_format",
    "guardlift.tensor.linear_algebra": (
        "cholesky cholesky_inverse cholesky_solve det inverse logdet matrix_exp pinverse qr slogdet svd"
    ),
    "guardlift.tensor.more_creation": (
        "asarray detach empty_strided fill frombuffer is_tensor logspace scalar_tensor vander"
    ),
    "guardlift.tensor.ordering": (
        "argwhere bincount bucketize cummax cummin histc isin msort searchsorted unique unique_consecutive"
    ),
    "guardlift.tensor.out": (
        "acosh addmv addr argsort asinh atan2 atanh baddbmm clamp_max clamp_min copysign cumprod cumsum diag "
        "diff fmax fmin fmod frexp hardshrink histogram hypot index_reduce inner kron kthvalue logaddexp "
        "logaddexp2 logcumsumexp logical_xor mode nansum renorm scatter scatter_add sort take take_along_dim "
        "topk tril triu"
    ),
    "guardlift.tensor.piecewise": "prelu",
    "guardlift.tensor.printing": "set_printoptions",
    "guardlift.tensor.products": "addbmm cdist chain_matmul cross einsum matrix_power tensordot vdot",
    "guardlift.tensor.quantiles": "median nanmedian nanquantile quantile",
    "guardlift.tensor.rearranging": (
        "adjoint atleast_1d atleast_2d atleast_3d block_diag broadcast_tensors cartesian_prod column_stack dstack "
        "flip fliplr flipud hstack meshgrid narrow_copy ravel repeat_interleave roll rot90 select tile vstack"
    ),
    "guardlift.tensor.scattering": (
        "index_copy index_fill index_put masked_scatter put scatter_reduce select_scatter slice_scatter"
    ),
    "guardlift.tensor.shapes": "broadcast_shapes",
    "guardlift.tensor.shared_memory": "from_file",
    "guardlift.tensor.short_time": "istft stft",
    "guardlift.tensor.signal_windows": "bartlett_window blackman_window hamming_window hann_window kaiser_window",
    "guardlift.tensor.statistics": "digamma erfc erfinv i0 igamma igammac lgamma mvlgamma polygamma",
    "guardlift.tensor.storage": "as_strided",
    "guardlift.tensor.strided_writes": "as_strided_scatter",
}


def in_order(names: list[str]) -> list[str]:
    """Each name once: classes, then names with an underscore, then the others."""
    return sorted(set(names), key=lambda name: (not name[0].isupper(), not name.startswith("_"), name))
