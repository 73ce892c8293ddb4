"""Composites of one or two floats, with derivatives that are exact where the derivatives of their parts fail."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.dtypes import DType
from ..core.errors import OpError
from ..core.types import TensorType
from . import samples
from .emitter import ARRAYS, Emitter
from .pointwise import ADD, BITWISE_AND, BITWISE_OR, MAXIMUM, MINIMUM, MULTIPLY, NUMBERS
from .pointwise_gradients import zero
from .registry import KERNEL, Array, Composite, OpDef, Rule, Sample, define_op

Value = Any
LEAST_LOGARITHM = -100.0
"""The least that a logarithm counts as in a binary cross entropy."""
LEAST_VARIANCE = 1e-12
"""The least that the variance of a probability counts as in its derivative."""


def _of_one_type(name: str, arity: int, accepted: tuple[DType, ...]) -> Callable[..., TensorType]:
    """The result type of an op whose operands, of a dtype that is accepted, and result have one type."""

    def meta(*types: TensorType) -> TensorType:
        if len(types) != arity or any(each != types[0] for each in types):
            raise OpError(f"{name} takes {arity} operands of one type, got {', '.join(map(str, types))}")
        if types[0].dtype not in accepted:
            raise OpError(f"{name} does not take {types[0].dtype}; it takes {', '.join(map(str, accepted))}")
        return types[0]

    return meta


def _function(
    name: str,
    eager: Callable[..., Array],
    expand: Callable[..., Value],
    rules: tuple[Rule, ...],
    grad_name: str = "",
    accepted: tuple[DType, ...] = dtypes.FLOATS,
    low: float = -4.0,
    high: float = 4.0,
    sample: Callable[[], Iterable[Sample]] | None = None,
) -> OpDef:
    """A composite of `len(rules)` operands of one type, which broadcast, and whose result has that type."""
    arity = len(rules)
    return define_op(
        name,
        meta=_of_one_type(name, arity, accepted),
        eager=lambda *arrays: np.asarray(eager(*arrays)),
        lower=Composite(expand, elementwise=True),
        samples=sample
        or (lambda: samples.unary(accepted, low, high, False) if arity == 1 else samples.binary(accepted, False)),
        exact=False,
        operands=("self", "other")[:arity],
        vjp=rules,
        grad_name=grad_name,
        kernel_from=KERNEL,
    )


def _sized(f: Emitter, x: Value, of_size: Callable[[Value], Value]) -> Value:
    """An odd function of `x`, given what it is for sizes."""
    return f.copysign(of_size(f.absolute(x)), x)


def _arcsinh_of_size(f: Emitter, x: Value) -> Value:
    """log1p(x + x² / (1 + sqrt(1 + x²))), and log(2 x) where squares overflow."""
    large = f.less(1e9, x)
    safe = f.where(large, 1.0, x)
    square = f.multiply(safe, safe)
    root = f.sqrt(f.add(square, 1.0))
    small = f.log1p(f.add(safe, f.divide(square, f.add(root, 1.0))))
    return f.where(large, f.add(f.log(x), float(np.log(2.0))), small)


def _arccosh(f: Emitter, x: Value) -> Value:
    """log1p(t + sqrt(2 t + t²)) of t = x - 1, and log(2 x) where squares overflow; NaN of all negative x, as of 0."""
    large = f.less(1e9, x)
    t = f.subtract(f.where(large, 2.0, f.where(f.less(x, 0.0), 0.0, x)), 1.0)
    small = f.log1p(f.add(t, f.sqrt(f.add(f.multiply(t, 2.0), f.multiply(t, t)))))
    return f.where(large, f.add(f.log(x), float(np.log(2.0))), small)


ARCSINH = _function(
    "arcsinh",
    np.arcsinh,
    lambda f, x: _sized(f, x, lambda size: _arcsinh_of_size(f, size)),
    (lambda f, g, self: f.divide(g, f.sqrt(f.add(f.multiply(self, self), 1.0))),),
    grad_name="Asinh",
)
ARCCOSH = _function(
    "arccosh",
    np.arccosh,
    _arccosh,
    (lambda f, g, self: f.divide(g, f.sqrt(f.subtract(f.multiply(self, self), 1.0))),),
    grad_name="Acosh",
    low=1.0,
    high=9.0,
)
ARCTANH = _function(
    "arctanh",
    np.arctanh,
    lambda f, x: f.multiply(f.log1p(f.divide(f.multiply(x, 2.0), f.subtract(1.0, x))), 0.5),
    (lambda f, g, self: f.divide(g, f.subtract(1.0, f.multiply(self, self))),),
    grad_name="Atanh",
    low=-0.6,
    high=0.9,
)


def _hypot(f: Emitter, x: Value, y: Value) -> Value:
    """The larger size times sqrt(1 + r²), r being the quotient of the sizes."""
    x, y = f.absolute(x), f.absolute(y)
    large, small = f.maximum(x, y), f.minimum(x, y)
    plain = f.bitwise_or(f.equal(large, 0.0), f.bitwise_or(f.isinf(x), f.isinf(y)))
    ratio = f.divide(small, f.where(plain, 1.0, large))
    found = f.multiply(large, f.sqrt(f.add(f.multiply(ratio, ratio), 1.0)))
    infinite = f.where(f.isinf(x), x, f.where(f.isinf(y), y, large))
    return f.where(plain, infinite, found)


HYPOT = _function(
    "hypot",
    np.hypot,
    _hypot,
    (
        lambda f, g, self, result: f.multiply(g, f.divide(self, result)),
        lambda f, g, other, result: f.multiply(g, f.divide(other, result)),
    ),
)


def _logaddexp(f: Emitter, x: Value, y: Value) -> Value:
    same = f.equal(x, y)
    distance = f.negative(f.absolute(f.where(same, 0.0, f.subtract(x, y))))
    return f.add(f.maximum(x, y), f.log1p(f.exp(distance)))


LOGADDEXP = _function(
    "logaddexp",
    np.logaddexp,
    _logaddexp,
    (
        lambda f, g, self, result: f.multiply(g, f.exp(f.subtract(self, result))),
        lambda f, g, other, result: f.multiply(g, f.exp(f.subtract(other, result))),
    ),
)


# fmod: what is left of the first operand, with its sign, when the second is taken off as often as it goes in.
def _fmod(f: Emitter, x: Value, y: Value) -> Value:
    if f.dtype(x).is_float:
        return f.copysign(f.remainder(f.absolute(x), f.absolute(y)), x)
    left = f.remainder(x, y)
    turned = f.bitwise_and(f.not_equal(left, 0), f.not_equal(f.less(x, 0), f.less(y, 0)))
    return f.where(turned, f.subtract(left, y), left)


FMOD = _function(
    "fmod",
    np.fmod,
    _fmod,
    (
        lambda f, g: g,
        lambda f, g, self, other: f.negative(f.multiply(g, f.trunc(f.divide(self, other)))),
    ),
    accepted=NUMBERS,
)


TRUNC_DIVIDE = _function(
    "trunc_divide",
    lambda x, y: np.trunc(np.divide(x, y)),
    lambda f, x, y: f.trunc(f.divide(x, y)),
    (zero, zero),
    grad_name="Div",
)


# xlogy: the first operand times the logarithm of the second; where the first is 0 that is 0, unless the second is NaN.
def _xlogy(f: Emitter, x: Value, y: Value) -> Value:
    nothing = f.bitwise_and(f.equal(x, 0.0), f.equal(y, y))
    return f.where(nothing, 0.0, f.multiply(x, f.log(f.where(nothing, 1.0, y))))


def _xlogy_eager(x: Any, y: Any) -> Array:
    dtype = next(each.dtype for each in (x, y) if isinstance(each, (np.ndarray, np.generic)))
    found: Array = _xlogy(ARRAYS, np.asarray(x, dtype), np.asarray(y, dtype))
    return found


XLOGY = _function(
    "xlogy",
    _xlogy_eager,
    _xlogy,
    (
        lambda f, g, self, other: f.where(
            f.bitwise_and(f.equal(self, 0.0), f.less_equal(other, 0.0)), 0.0, f.multiply(g, f.log(other))
        ),
        lambda f, g, self, other: f.multiply(g, f.divide(self, other)),
    ),
    sample=lambda: [
        Sample((samples.uniform(-2, 2, (3, 4), dtype), samples.uniform(0.1, 4.0, (3, 4), dtype, seed=1)))
        for dtype in dtypes.FLOATS
    ],
)


# logit: log(x / (1 - x)), of which nothing goes back from outside of [0, 1] but NaN.
def _logit(f: Emitter, x: Value) -> Value:
    return f.log(f.divide(x, f.subtract(1.0, x)))


def _logit_rule(f: Emitter, g: Value, self: Value) -> Value:
    inside = f.bitwise_and(f.less_equal(0.0, self), f.less_equal(self, 1.0))
    return f.where(inside, f.divide(g, f.multiply(self, f.subtract(1.0, self))), math.nan)


LOGIT = _function("logit", lambda x: _logit(ARRAYS, x), _logit, (_logit_rule,), low=0.05, high=0.95)


# clamp: the operand, but at least `min` and at most `max`, which wins over `min`; a NaN anywhere stays. At the bound
# itself the cotangent goes through, of a NaN it does not.
def _bounded(name: str, eager: Callable[..., Array], expand: Callable[..., Value], **rules: Rule) -> OpDef:
    arity = len(rules)
    return define_op(
        name,
        meta=_of_one_type(name, arity, NUMBERS),
        eager=lambda *arrays: np.asarray(eager(*arrays)),
        lower=Composite(expand, elementwise=True),
        samples=lambda: _operands(arity),
        operands=tuple(rules),
        vjp=tuple(rules.values()),
    )


def _operands(arity: int) -> Iterable[Sample]:
    """So many operands of each dtype: ordinary numbers, and where there are two all pairs of special ones."""
    for dtype in NUMBERS:
        yield Sample(tuple(samples.values(dtype, (3, 4), seed) for seed in range(1, arity + 1)))
    if arity == 2:
        yield from samples.binary(dtypes.FLOATS)


CLAMP = _bounded(
    "clamp",
    lambda x, low, high: np.minimum(np.maximum(x, low), high),
    lambda f, x, low, high: f.minimum(f.maximum(x, low), high),
    self=lambda f, g, self, min, max: f.where(f.bitwise_and(f.less_equal(min, self), f.less_equal(self, max)), g, 0.0),
    min=lambda f, g, self, min, max: f.where(f.bitwise_and(f.less(min, max), f.less(self, min)), g, 0.0),
    max=lambda f, g, self, min, max: f.where(f.bitwise_or(f.less(max, self), f.less(max, min)), g, 0.0),
)
CLAMP_MIN = _bounded(
    "clamp_min",
    np.maximum,
    lambda f, x, low: f.maximum(x, low),
    self=lambda f, g, self, min: f.where(f.less_equal(min, self), g, 0.0),
    min=lambda f, g, self, min: f.where(f.less(self, min), g, 0.0),
)
CLAMP_MAX = _bounded(
    "clamp_max",
    np.minimum,
    lambda f, x, high: f.minimum(x, high),
    self=lambda f, g, self, max: f.where(f.less_equal(self, max), g, 0.0),
    max=lambda f, g, self, max: f.where(f.less(max, self), g, 0.0),
)


# fmax and fmin: the larger (smaller) operand, or the other one where one is NaN. All of the cotangent goes to the first
# operand where they tie.
def _without_nans(f: Emitter, x: Value, y: Value, choose: Callable[[Value, Value], Value]) -> Value:
    if not f.dtype(x).is_float:
        return choose(x, y)
    return f.where(f.isnan(x), y, f.where(f.isnan(y), x, choose(x, y)))


def _taken(f: Emitter, low: Value, high: Value, other: Value) -> Value:
    """A mask: whether the first operand is the one that was taken."""
    return f.bitwise_or(f.less_equal(low, high), f.isnan(other))


FMAX = _bounded(
    "fmax",
    np.fmax,
    lambda f, x, y: _without_nans(f, x, y, f.maximum),
    self=lambda f, g, self, other: f.where(_taken(f, other, self, other), g, 0.0),
    other=lambda f, g, self, other: f.where(_taken(f, other, self, other), 0.0, g),
)
FMIN = _bounded(
    "fmin",
    np.fmin,
    lambda f, x, y: _without_nans(f, x, y, f.minimum),
    self=lambda f, g, self, other: f.where(_taken(f, self, other, other), g, 0.0),
    other=lambda f, g, self, other: f.where(_taken(f, self, other, other), 0.0, g),
)
OF_BOOLS = {ADD: BITWISE_OR, MULTIPLY: BITWISE_AND, FMAX: MAXIMUM, FMIN: MINIMUM}
"""The ops that NumPy's functions of these names are of bools."""

__all__ = [
    "ARCCOSH",
    "ARCSINH",
    "ARCTANH",
    "CLAMP",
    "CLAMP_MAX",
    "CLAMP_MIN",
    "FMAX",
    "FMIN",
    "FMOD",
    "HYPOT",
    "LOGADDEXP",
    "LOGIT",
    "OF_BOOLS",
    "TRUNC_DIVIDE",
    "XLOGY",
]


# binary_cross_entropy: -(target * log(self) + (1 - target) * log(1 - self)), with logarithms bounded from below.
def _logs(f: Emitter, x: Value) -> tuple[Value, Value]:
    """The logarithms of the probabilities of 1 and of 0."""
    return f.maximum(f.log(x), LEAST_LOGARITHM), f.maximum(f.log1p(f.negative(x)), LEAST_LOGARITHM)


def _entropy(f: Emitter, x: Value, target: Value) -> Value:
    of_one, of_zero = _logs(f, x)
    return f.subtract(f.multiply(f.subtract(target, 1.0), of_zero), f.multiply(target, of_one))


def _entropy_eager(x: Array, target: Array) -> Array:
    least = x.dtype.type(LEAST_LOGARITHM)
    of_zero = np.maximum(np.log1p(-x), least)
    return np.subtract((target - x.dtype.type(1)) * of_zero, target * np.maximum(np.log(x), least))


def _entropy_self_rule(f: Emitter, g: Value, self: Value, target: Value) -> Value:
    spread = f.maximum(f.multiply(f.subtract(1.0, self), self), LEAST_VARIANCE)
    return f.multiply(g, f.divide(f.subtract(self, target), spread))


def _entropy_target_rule(f: Emitter, g: Value, self: Value) -> Value:
    of_one, of_zero = _logs(f, self)
    return f.multiply(g, f.subtract(of_zero, of_one))


def _entropy_samples() -> Iterable[Sample]:
    for dtype in dtypes.FLOATS:
        for shape in ((3, 4), (), (0, 2)):
            yield Sample((samples.uniform(0.05, 0.95, shape, dtype), samples.uniform(0.0, 1.0, shape, dtype, 1)))
        ends = np.array([0.0, 1.0, 0.0, 1.0, 1e-30, np.nan], dtype.numpy)
        yield Sample((ends, np.array([0.0, 1.0, 1.0, 0.0, 1.0, 0.5], dtype.numpy)))


BINARY_CROSS_ENTROPY = define_op(
    "binary_cross_entropy",
    meta=_of_one_type("binary_cross_entropy", 2, dtypes.FLOATS),
    eager=_entropy_eager,
    lower=Composite(_entropy, elementwise=True),
    exact=False,
    operands=("self", "target"),
    vjp=(_entropy_self_rule, _entropy_target_rule),
    grad_name="BinaryCrossEntropy",
    kernel_from=KERNEL,
    samples=_entropy_samples,
)
