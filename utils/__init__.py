"""Beside the tensors: data sets and their loaders, and files of other libraries."""

from . import data, safetensors

__all__ = ["data", "safetensors"]
