"""Traced values: what stands for a Python object while a frame is evaluated. A class registers the types it wraps."""

from . import constant  # noqa: F401
from .arrays import array, tables  # noqa: F401
from .base import Value, wrap
from .containers import (  # noqa: F401
    builtin_subclasses,
    deques,
    dicts,
    named_tuples,
    ranges,
    sequences,
    struct_sequences,
)
from .functions import functions  # noqa: F401
from .numbers import input_scalar  # noqa: F401
from .objects import (  # noqa: F401
    classes_of_calls,
    enums,
    input_exceptions,
    lru_cache,
    named_state,
    objects,
    partials,
    random_generators,
    regular_expressions,
)

__all__ = ["Value", "wrap"]
