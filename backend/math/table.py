"""All scalar functions: importing this module imports the modules that declare them."""

from __future__ import annotations

from . import (  # noqa: F401  (imported for what they declare)
    accumulation,
    casts,
    division,
    error_function,
    exponential,
    half,
    hyperbolic,
    inverse_trigonometric,
    logarithm,
    narrow,
    pairs,
    philox,
    powers,
    rounding,
    selection,
    shifts,
    trigonometric,
)
from .declare import TABLE, ScalarFunction

__all__ = ["TABLE", "ScalarFunction"]
