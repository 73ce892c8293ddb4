"""Beside the tensors: data sets and their loaders, files of other libraries, and events for TensorBoard."""

from . import data, safetensors, tensorboard

__all__ = ["data", "safetensors", "tensorboard"]
