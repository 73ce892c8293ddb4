"""The modified Bessel functions of the first kind, of order 0 and 1, also over the power of e they grow by."""

from __future__ import annotations

import math
from typing import Any

from .emitter import Emitter
from .special import _function, _on, polynomial
from .special_coefficients import I0_FAR, I0_NEAR, I1_FAR, I1_NEAR

Value = Any
FAR = 8.0
"""The operand from which on the functions are series in its reciprocal."""


def _near(f: Emitter, size: Value, piece: tuple[float, ...]) -> Value:
    """A function of the square, below `FAR`."""
    return polynomial(f, _on(f, f.multiply(size, size), 0.0, FAR * FAR), piece)


def _far(f: Emitter, size: Value, piece: tuple[float, ...]) -> Value:
    """A function over exp(x), from `FAR` on."""
    inverse = f.divide(1.0, f.maximum(size, FAR))
    return f.divide(polynomial(f, _on(f, inverse, 0.0, 1 / FAR), piece), f.sqrt(f.maximum(size, FAR)))


def _i0(f: Emitter, x: Value) -> Value:
    size = f.absolute(x)
    found = f.where(f.less(size, FAR), _near(f, size, I0_NEAR), f.multiply(f.exp(size), _far(f, size, I0_FAR)))
    return f.where(f.isinf(x), math.inf, f.where(f.isnan(x), x, found))


def _i0e(f: Emitter, x: Value) -> Value:
    size = f.absolute(x)
    found = f.where(
        f.less(size, FAR), f.multiply(f.exp(f.negative(size)), _near(f, size, I0_NEAR)), _far(f, size, I0_FAR)
    )
    return f.where(f.isnan(x), x, found)


def _i1(f: Emitter, x: Value) -> Value:
    size = f.absolute(x)
    far = f.copysign(f.multiply(f.exp(size), _far(f, size, I1_FAR)), x)
    found = f.where(f.less(size, FAR), f.multiply(x, _near(f, size, I1_NEAR)), far)
    return f.where(f.bitwise_or(f.isinf(x), f.isnan(x)), x, found)


def _i1e(f: Emitter, x: Value) -> Value:
    size = f.absolute(x)
    near = f.multiply(f.multiply(f.exp(f.negative(size)), x), _near(f, size, I1_NEAR))
    found = f.where(f.less(size, FAR), near, f.copysign(_far(f, size, I1_FAR), x))
    return f.where(f.isnan(x), x, found)


def _share(f: Emitter, value: Value, x: Value) -> Value:
    """`value`, of which half of `x` is left near 0, over `x`."""
    zero = f.equal(x, 0.0)
    return f.where(zero, 0.5, f.divide(value, f.where(zero, 1.0, x)))


I0 = _function("i0", _i0, lambda f, g, self: f.multiply(g, f.i1(self)), -12.0, 12.0, grad_name="I0")
I0E = _function(
    "i0e",
    _i0e,
    lambda f, g, self, result: f.multiply(g, f.subtract(f.i1e(self), f.multiply(f.sign(self), result))),
    0.1,
    20.0,
    grad_name="SpecialI0E",
)
I1 = _function(
    "i1",
    _i1,
    lambda f, g, self, result: f.multiply(g, f.subtract(f.i0(self), _share(f, result, self))),
    0.1,
    12.0,
    grad_name="SpecialI1",
)
I1E = _function(
    "i1e",
    _i1e,
    lambda f, g, self, result: f.multiply(
        g, f.subtract(f.subtract(f.i0e(self), _share(f, result, self)), f.multiply(f.sign(self), result))
    ),
    0.1,
    20.0,
    grad_name="SpecialI1E",
)

__all__ = ["I0", "I0E", "I1", "I1E"]
