"""Layers, activations and losses as functions; the modules call these."""

from ...tensor.contraction import linear
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
from .attention import scaled_dot_product_attention
from .classification_loss import binary_cross_entropy_with_logits, cross_entropy, nll_loss
from .distance import cosine_similarity
from .dropouts import alpha_dropout, dropout, dropout1d, dropout2d, dropout3d, feature_alpha_dropout
from .embedding_bags import embedding_bag
from .embeddings import embedding, one_hot
from .multi_head_attention import multi_head_attention_forward
from .normalization import layer_norm, normalize, rms_norm
from .padding import pad
from .regression_loss import huber_loss, kl_div, l1_loss, mse_loss, smooth_l1_loss

__all__ = [
    "alpha_dropout",
    "binary_cross_entropy_with_logits",
    "cosine_similarity",
    "cross_entropy",
    "dropout",
    "dropout1d",
    "dropout2d",
    "dropout3d",
    "elu",
    "embedding",
    "embedding_bag",
    "feature_alpha_dropout",
    "gelu",
    "glu",
    "hardtanh",
    "huber_loss",
    "kl_div",
    "l1_loss",
    "layer_norm",
    "leaky_relu",
    "linear",
    "log_softmax",
    "logsigmoid",
    "mish",
    "mse_loss",
    "multi_head_attention_forward",
    "nll_loss",
    "normalize",
    "one_hot",
    "pad",
    "relu",
    "relu6",
    "rms_norm",
    "scaled_dot_product_attention",
    "sigmoid",
    "silu",
    "smooth_l1_loss",
    "softmax",
    "softplus",
    "softsign",
    "tanh",
]
