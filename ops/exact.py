"""Arithmetic of floats with one rounding, by exact fractions: slow, and right."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from fractions import Fraction


def fused_multiply_add(a: Any, b: Any, c: Any) -> Any:
    """a * b + c of NumPy floats of one type, rounded once."""
    from fractions import Fraction  # which few programs need

    if not all(map(math.isfinite, (a, b, c))):
        return c if math.isfinite(a) and math.isfinite(b) else a * b + c
    exact = Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c))
    return _nearest(exact, type(a)) if exact else a * b + c


def _nearest(exact: Fraction, kind: type[Any]) -> Any:
    """The number of this type that is nearest; a float64 on the way to it may have been rounded to a tie."""
    from fractions import Fraction

    try:
        near = kind(float(exact))
    except OverflowError:
        return kind(math.inf if exact > 0 else -math.inf)
    if math.isinf(near):
        return near
    around = (near, *(np.nextafter(near, kind(end)) for end in (math.inf, -math.inf)))
    return min((each for each in around if math.isfinite(each)), key=lambda each: abs(Fraction(float(each)) - exact))
