"""Derivative rules of pointwise ops, each in other ops, so that it can be differentiated again.

The formulas, their order of operations and their choices at kinks are PyTorch's: where two operands of `maximum` tie
each gets half, `absolute` and `sign` have 0 at 0, rounding has 0 everywhere. A rule's operands are named as in
`derivative`; a rule answers in the shape of the result.
"""

from __future__ import annotations

import math
from typing import Any

from ..core.dtypes import DType
from .emitter import Emitter
from .registry import Rule

Value = Any
TWO_OVER_ROOT_PI = 2.0 / math.sqrt(math.pi)


def unchanged(f: Emitter, g: Value) -> Value:
    """The cotangent itself."""
    return g


def negated(f: Emitter, g: Value) -> Value:
    """The cotangent, negative."""
    return f.negative(g)


def zero(f: Emitter, g: Value) -> Value:
    """Zeros: the result is constant wherever it has a derivative."""
    return f.full(value=0.0, shape=f.shape(g), dtype=f.dtype(g))


ADD = (unchanged, unchanged)
SUBTRACT = (unchanged, negated)
NEGATIVE = (negated,)
ZERO = (zero,)

MULTIPLY = (
    lambda f, g, other: f.multiply(g, other),
    lambda f, g, self: f.multiply(g, self),
)
DIVIDE = (
    lambda f, g, other: f.divide(g, other),
    lambda f, g, self, other: f.multiply(f.negative(g), f.divide(f.divide(self, other), other)),
)
REMAINDER = (
    unchanged,
    lambda f, g, self, other: f.multiply(f.negative(g), f.floor_divide(self, other)),
)
ABSOLUTE = (lambda f, g, self: f.multiply(g, f.sgn(self)),)
SQRT = (lambda f, g, result: f.divide(g, f.multiply(result, 2.0)),)


def _extreme(beaten: str) -> Rule:
    """The rule for one operand of `maximum` or `minimum`: nothing where it is `beaten`, half where the two tie."""

    def rule(f: Emitter, g: Value, self: Value, other: Value) -> Value:
        low, high = (self, other) if beaten == "self" else (other, self)
        return f.where(f.equal(self, other), f.multiply(g, 0.5), f.where(f.less(low, high), 0.0, g))

    return rule


MAXIMUM = (_extreme("self"), _extreme("other"))
MINIMUM = (_extreme("other"), _extreme("self"))


def _power_base(f: Emitter, g: Value, self: Value, other: Value) -> Value:
    slope = f.multiply(g, f.multiply(other, f.power(self, f.subtract(other, 1.0))))
    return f.where(f.equal(other, 0.0), 0.0, slope)


def _power_exponent(f: Emitter, g: Value, self: Value, other: Value, result: Value) -> Value:
    # 0 ** y is flat for y > 0, where log(0) would spoil it.
    flat = f.bitwise_and(f.equal(self, 0.0), f.less_equal(0.0, other))
    return f.where(flat, 0.0, f.multiply(g, f.multiply(result, f.log(self))))


POWER = (_power_base, _power_exponent)


def _arctan2_scale(f: Emitter, self: Value, other: Value) -> Value:
    """1 / (self² + other²), and 0 at the origin."""
    square = f.add(f.multiply(self, self), f.multiply(other, other))
    return f.where(f.equal(square, 0.0), 0.0, f.divide(1.0, square))


ARCTAN2 = (
    lambda f, g, self, other: f.multiply(g, f.multiply(other, _arctan2_scale(f, self, other))),
    lambda f, g, self, other: f.multiply(g, f.multiply(f.negative(self), _arctan2_scale(f, self, other))),
)
COPYSIGN = (
    lambda f, g, self, result: f.multiply(g, f.where(f.equal(self, 0.0), 0.0, f.divide(result, self))),
    zero,
)
WHERE = (
    None,
    lambda f, g, condition: f.where(condition, g, 0.0),
    lambda f, g, condition: f.where(condition, 0.0, g),
)


def cast(f: Emitter, g: Value, dtypes: tuple[DType, ...]) -> Value | None:
    """The cotangent in the operand's own dtype, if that has gradients; of a complex one for a float the real part."""
    return f.cast(g, dtype=dtypes[0]) if dtypes[0].is_differentiable else None


FUNCTIONS: dict[str, Rule] = {
    "exp": lambda f, g, result: f.multiply(g, result),
    "expm1": lambda f, g, result: f.multiply(g, f.add(result, 1.0)),
    "exp2": lambda f, g, result: f.multiply(f.multiply(g, result), math.log(2.0)),
    "log": lambda f, g, self: f.divide(g, self),
    "log1p": lambda f, g, self: f.divide(g, f.add(self, 1.0)),
    "log2": lambda f, g, self: f.divide(g, f.multiply(self, math.log(2.0))),
    "log10": lambda f, g, self: f.divide(g, f.multiply(self, math.log(10.0))),
    "sin": lambda f, g, self: f.multiply(g, f.cos(self)),
    "cos": lambda f, g, self: f.multiply(g, f.negative(f.sin(self))),
    "tan": lambda f, g, result: f.multiply(g, f.add(f.multiply(result, result), 1.0)),
    "arcsin": lambda f, g, self: f.divide(g, f.sqrt(f.subtract(1.0, f.multiply(self, self)))),
    "arccos": lambda f, g, self: f.divide(f.negative(g), f.sqrt(f.subtract(1.0, f.multiply(self, self)))),
    "arctan": lambda f, g, self: f.divide(g, f.add(f.multiply(self, self), 1.0)),
    "sinh": lambda f, g, self: f.multiply(g, f.cosh(self)),
    "cosh": lambda f, g, self: f.multiply(g, f.sinh(self)),
    "tanh": lambda f, g, result: f.multiply(g, f.subtract(1.0, f.multiply(result, result))),
    "erf": lambda f, g, self: f.multiply(f.multiply(TWO_OVER_ROOT_PI, f.exp(f.negative(f.multiply(self, self)))), g),
}
"""The rule of each function of one float, by its name."""
