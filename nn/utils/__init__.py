"""Functions that PyTorch has under this name: clipping, parameters as vectors or computed, fused layers."""

from typing import TYPE_CHECKING

from ...core.lazy_names import lazy_names

if TYPE_CHECKING:
    from . import parametrizations, parametrize, rnn
    from .clipping import clip_grad_norm_, clip_grad_value_, clip_grads_with_norm_, get_total_norm
    from .fusion import fuse_conv_bn_eval, fuse_conv_bn_weights, fuse_linear_bn_eval, fuse_linear_bn_weights
    from .hooked_norms import remove_spectral_norm, remove_weight_norm, spectral_norm, weight_norm
    from .memory import convert_conv2d_weight_memory_format, convert_conv3d_weight_memory_format, skip_init
    from .vectors import parameters_to_vector, vector_to_parameters

__all__ = [
    "clip_grad_norm_",
    "clip_grad_value_",
    "clip_grads_with_norm_",
    "convert_conv2d_weight_memory_format",
    "convert_conv3d_weight_memory_format",
    "fuse_conv_bn_eval",
    "fuse_conv_bn_weights",
    "fuse_linear_bn_eval",
    "fuse_linear_bn_weights",
    "get_total_norm",
    "parameters_to_vector",
    "parametrizations",
    "parametrize",
    "remove_spectral_norm",
    "remove_weight_norm",
    "rnn",
    "skip_init",
    "spectral_norm",
    "vector_to_parameters",
    "weight_norm",
]

__getattr__, __dir__ = lazy_names(__name__)
