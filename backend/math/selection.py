"""The larger and the smaller of two values, with NumPy's answers for NaN."""

from __future__ import annotations

from .declare import FLOATS, INTEGERS, Value, scalar_function
from .primitives import larger, smaller

WHOLE = INTEGERS + ("b1",)


@scalar_function(FLOATS, name="maximum")
def maximum_float(a: Value, b: Value) -> Value:
    """The larger one; NaN when either is NaN; 0.0 is above -0.0."""
    return larger(a, b)


@scalar_function(FLOATS, name="minimum")
def minimum_float(a: Value, b: Value) -> Value:
    """The smaller one; NaN when either is NaN; -0.0 is below 0.0."""
    return smaller(a, b)


@scalar_function(FLOATS, name="fmax")
def fmax_float(a: Value, b: Value) -> Value:
    """The larger one; the other one when one is NaN."""
    return a if a >= b or b != b else b


@scalar_function(FLOATS, name="fmin")
def fmin_float(a: Value, b: Value) -> Value:
    """The smaller one; the other one when one is NaN."""
    return a if a <= b or b != b else b


@scalar_function(WHOLE, name="maximum")
def maximum_whole(a: Value, b: Value) -> Value:
    """The larger one; True is above False."""
    return a if a > b else b


@scalar_function(WHOLE, name="minimum")
def minimum_whole(a: Value, b: Value) -> Value:
    """The smaller one; False is below True."""
    return a if a < b else b


@scalar_function(WHOLE, name="fmax")
def fmax_whole(a: Value, b: Value) -> Value:
    """The larger one; True is above False."""
    return a if a > b else b


@scalar_function(WHOLE, name="fmin")
def fmin_whole(a: Value, b: Value) -> Value:
    """The smaller one; False is below True."""
    return a if a < b else b
