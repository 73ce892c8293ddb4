"""Functions that PyTorch has under this name: clipping of gradients, packed sequences (`rnn`)."""

from . import rnn
from .clipping import clip_grad_norm_, clip_grad_value_, clip_grads_with_norm_, get_total_norm

__all__ = ["clip_grad_norm_", "clip_grad_value_", "clip_grads_with_norm_", "get_total_norm", "rnn"]
