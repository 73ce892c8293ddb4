"""Traced values: what stands for a Python object while a frame is evaluated. A class registers the types it wraps."""

from . import constant  # noqa: F401
from .arrays import array  # noqa: F401
from .base import Value, wrap
from .containers import deques, dicts, ranges, sequences  # noqa: F401
from .functions import functions  # noqa: F401
from .numbers import input_scalar  # noqa: F401
from .objects import objects  # noqa: F401

__all__ = ["Value", "wrap"]
