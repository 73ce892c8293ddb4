"""Layers, activations and losses as functions; the modules call these."""

from typing import TYPE_CHECKING

from ...core.lazy_names import lazy_names

if TYPE_CHECKING:
    from ...tensor.contraction import linear
    from ...tensor.piecewise import hardshrink, prelu
    from ...tensor.pointwise import sigmoid, tanh
    from .activations import (
        elu,
        gelu,
        glu,
        hardtanh,
        leaky_relu,
        log_softmax,
        logsigmoid,
        mish,
        relu,
        relu6,
        silu,
        softmax,
        softplus,
        softsign,
    )
    from .adaptive_pooling import (
        adaptive_avg_pool1d,
        adaptive_avg_pool2d,
        adaptive_avg_pool3d,
        adaptive_max_pool1d,
        adaptive_max_pool2d,
        adaptive_max_pool3d,
        max_unpool1d,
        max_unpool2d,
        max_unpool3d,
    )
    from .attention import scaled_dot_product_attention
    from .channel_norms import batch_norm, instance_norm
    from .classification_loss import (
        binary_cross_entropy_with_logits,
        cross_entropy,
        linear_cross_entropy,
        nll_loss,
    )
    from .convolution import conv1d, conv2d, conv3d, conv_transpose1d, conv_transpose2d, conv_transpose3d
    from .ctc import ctc_loss
    from .distance import bilinear, cosine_similarity, pairwise_distance, pdist
    from .dropouts import alpha_dropout, dropout, dropout1d, dropout2d, dropout3d, feature_alpha_dropout
    from .embedding_bags import embedding_bag
    from .embeddings import embedding, one_hot
    from .fractional_pooling import fractional_max_pool2d, fractional_max_pool3d
    from .grid_sampling import affine_grid, grid_sample
    from .interpolation import interpolate, upsample
    from .likelihood_loss import binary_cross_entropy, gaussian_nll_loss, poisson_nll_loss
    from .margin_loss import (
        cosine_embedding_loss,
        hinge_embedding_loss,
        margin_ranking_loss,
        multi_margin_loss,
        multilabel_margin_loss,
        multilabel_soft_margin_loss,
        soft_margin_loss,
        triplet_margin_loss,
        triplet_margin_with_distance_loss,
    )
    from .multi_head_attention import multi_head_attention_forward
    from .normalization import group_norm, layer_norm, local_response_norm, normalize, rms_norm
    from .padding import pad
    from .pooling import (
        avg_pool1d,
        avg_pool2d,
        avg_pool3d,
        lp_pool1d,
        lp_pool2d,
        lp_pool3d,
        max_pool1d,
        max_pool2d,
        max_pool3d,
    )
    from .regression_loss import huber_loss, kl_div, l1_loss, mse_loss, smooth_l1_loss
    from .shrinking import (
        celu,
        celu_,
        elu_,
        gumbel_softmax,
        hardsigmoid,
        hardswish,
        hardtanh_,
        leaky_relu_,
        relu_,
        rrelu,
        rrelu_,
        selu,
        selu_,
        softmin,
        softshrink,
        tanhshrink,
        threshold,
        threshold_,
    )
    from .vision import channel_shuffle, fold, pixel_shuffle, pixel_unshuffle, unfold

__all__ = [
    "adaptive_avg_pool1d",
    "adaptive_avg_pool2d",
    "adaptive_avg_pool3d",
    "adaptive_max_pool1d",
    "adaptive_max_pool2d",
    "adaptive_max_pool3d",
    "affine_grid",
    "alpha_dropout",
    "avg_pool1d",
    "avg_pool2d",
    "avg_pool3d",
    "batch_norm",
    "bilinear",
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "celu",
    "celu_",
    "channel_shuffle",
    "conv1d",
    "conv2d",
    "conv3d",
    "conv_transpose1d",
    "conv_transpose2d",
    "conv_transpose3d",
    "cosine_embedding_loss",
    "cosine_similarity",
    "cross_entropy",
    "ctc_loss",
    "dropout",
    "dropout1d",
    "dropout2d",
    "dropout3d",
    "elu",
    "elu_",
    "embedding",
    "embedding_bag",
    "feature_alpha_dropout",
    "fold",
    "fractional_max_pool2d",
    "fractional_max_pool3d",
    "gaussian_nll_loss",
    "gelu",
    "glu",
    "grid_sample",
    "group_norm",
    "gumbel_softmax",
    "hardshrink",
    "hardsigmoid",
    "hardswish",
    "hardtanh",
    "hardtanh_",
    "hinge_embedding_loss",
    "huber_loss",
    "instance_norm",
    "interpolate",
    "kl_div",
    "l1_loss",
    "layer_norm",
    "leaky_relu",
    "leaky_relu_",
    "linear",
    "linear_cross_entropy",
    "local_response_norm",
    "log_softmax",
    "logsigmoid",
    "lp_pool1d",
    "lp_pool2d",
    "lp_pool3d",
    "margin_ranking_loss",
    "max_pool1d",
    "max_pool2d",
    "max_pool3d",
    "max_unpool1d",
    "max_unpool2d",
    "max_unpool3d",
    "mish",
    "mse_loss",
    "multi_head_attention_forward",
    "multi_margin_loss",
    "multilabel_margin_loss",
    "multilabel_soft_margin_loss",
    "nll_loss",
    "normalize",
    "one_hot",
    "pad",
    "pairwise_distance",
    "pdist",
    "pixel_shuffle",
    "pixel_unshuffle",
    "poisson_nll_loss",
    "prelu",
    "relu",
    "relu6",
    "relu_",
    "rms_norm",
    "rrelu",
    "rrelu_",
    "scaled_dot_product_attention",
    "selu",
    "selu_",
    "sigmoid",
    "silu",
    "smooth_l1_loss",
    "soft_margin_loss",
    "softmax",
    "softmin",
    "softplus",
    "softshrink",
    "softsign",
    "tanh",
    "tanhshrink",
    "threshold",
    "threshold_",
    "triplet_margin_loss",
    "triplet_margin_with_distance_loss",
    "unfold",
    "upsample",
]

__getattr__, __dir__ = lazy_names(__name__)
