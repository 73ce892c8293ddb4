"""The lists of autocast, by device: functions that compute in the narrow dtype, in float32, or in the widest dtype.

A function that is not listed takes its operands as they are, and what it calls is autocast in its turn.
Source: PyTorch 2.13, aten/src/ATen/autocast_mode.h and .cpp; what CPU functions give was asked of it.
"""

from __future__ import annotations

NARROW_CPU = (
    "addbmm addmm baddbmm bmm conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d linear matmul mm "
    "prelu scaled_dot_product_attention vecdot"
)
FLOAT32_CPU = (
    "adaptive_avg_pool3d adaptive_max_pool3d avg_pool3d binary_cross_entropy binary_cross_entropy_with_logits cdist "
    "cholesky cholesky_inverse cholesky_solve cond cosine_embedding_loss cross_entropy ctc_loss eig eigh eigvals "
    "eigvalsh grid_sample hinge_embedding_loss huber_loss inv inverse kl_div l1_loss lstsq margin_ranking_loss "
    "matrix_rank max_pool3d max_unpool2d max_unpool3d mse_loss multi_margin_loss multilabel_margin_loss nanquantile "
    "nll_loss poisson_nll_loss prod qr quantile smooth_l1_loss soft_margin_loss solve svd svdvals tensorinv "
    "tensorsolve trace triplet_margin_loss"
)
WIDEST_CPU = "cat index_copy stack"
ALONE_CPU = "addmv addr bilinear cosine_similarity dot gru gru_cell kron lstm_cell mv outer pairwise_distance vdot"
"""Functions that autocast leaves alone, whatever they call."""

NARROW_CUDA = f"{NARROW_CPU} addmv addr chain_matmul einsum gru_cell lstm_cell multi_dot mv rnn_relu_cell rnn_tanh_cell"
FLOAT32_CUDA = (
    "acos asin binary_cross_entropy_with_logits cdist cosh cosine_embedding_loss cosine_similarity dist erfinv exp "
    "expm1 group_norm hinge_embedding_loss huber_loss interpolate kl_div l1_loss layer_norm log log10 log1p log2 "
    "logsumexp margin_ranking_loss mse_loss multi_margin_loss multilabel_margin_loss nll_loss poisson_nll_loss pow "
    "reciprocal renorm rms_norm rsqrt sinh smooth_l1_loss soft_margin_loss softplus tan triplet_margin_loss"
)
FLOAT32_UNLESS_ASKED_CUDA = "cumprod cumsum log_softmax matrix_norm norm prod softmax sum vector_norm"
"""Functions that compute in float32 unless they are given a dtype."""
WIDEST_CUDA = (
    "addcdiv addcmul atan2 bilinear cat cross dot grid_sample index_copy index_put scatter_add stack tensordot vdot"
)
REFUSED_CUDA = "binary_cross_entropy"

IN_PLACE = "addbmm_ addmm_ addmv_ addr_ baddbmm_"
"""Functions that write their result into an operand, whose dtype is what counts; left alone everywhere."""
NORMS = "batch_norm group_norm instance_norm layer_norm rms_norm"
"""Functions that take a narrow input beside float32 weights, and give the dtype of the input."""
