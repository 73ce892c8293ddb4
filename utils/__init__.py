"""Beside the tensors: checkpoints, data sets and their loaders, files of other libraries, events for TensorBoard."""

from . import checkpoint, data, safetensors, tensorboard

__all__ = ["checkpoint", "data", "safetensors", "tensorboard"]
