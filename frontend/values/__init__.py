"""Traced values: what stands for a Python object while a frame is evaluated. A class registers the types it wraps."""

from . import array, constant, deques, dicts, functions, objects, ranges, scalar, sequences  # noqa: F401
from .base import Value, wrap

__all__ = ["Value", "wrap"]
