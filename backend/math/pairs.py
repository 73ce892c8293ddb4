"""The function that complex numbers are computed with, besides the arithmetic of floats."""

from __future__ import annotations

from .declare import FLOATS, Value, scalar_function
from .primitives import multiply_add


@scalar_function(FLOATS)
def fused_multiply_add(a: Value, b: Value, c: Value) -> Value:
    """a * b + c, rounded once."""
    return multiply_add(a, b, c)
