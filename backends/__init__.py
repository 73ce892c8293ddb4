"""Switches that PyTorch's programs set, and questions that they ask, about libraries and devices."""

from . import cuda, cudnn, mps

__all__ = ["cuda", "cudnn", "mps"]
