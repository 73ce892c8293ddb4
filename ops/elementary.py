"""Functions of one or two floats that are composites, with derivatives that are exact where those of the parts fail."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.dtypes import DType
from ..core.errors import OpError
from ..core.types import TensorType
from . import samples
from .emitter import Emitter
from .pointwise import NUMBERS
from .registry import Array, Composite, OpDef, Rule, define_op

Value = Any


def _function(
    name: str,
    eager: Callable[..., Array],
    expand: Callable[..., Value],
    rules: tuple[Rule, ...],
    grad_name: str = "",
    accepted: tuple[DType, ...] = dtypes.FLOATS,
    low: float = -4.0,
    high: float = 4.0,
) -> OpDef:
    """A composite of `len(rules)` operands of one type, whose result has that type."""
    arity = len(rules)

    def meta(*types: TensorType) -> TensorType:
        if len(types) != arity or any(each != types[0] for each in types):
            raise OpError(f"{name} takes {arity} operands of one type, got {', '.join(map(str, types))}")
        if types[0].dtype not in accepted:
            raise OpError(f"{name} does not take {types[0].dtype}; it takes {', '.join(map(str, accepted))}")
        return types[0]

    return define_op(
        name,
        meta=meta,
        eager=lambda *arrays: np.asarray(eager(*arrays)),
        lower=Composite(expand),
        samples=lambda: samples.unary(accepted, low, high, False) if arity == 1 else samples.binary(accepted, False),
        exact=False,
        operands=("self", "other")[:arity],
        vjp=rules,
        grad_name=grad_name,
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
    """log1p(t + sqrt(2 t + t²)) of t = x - 1, and log(2 x) where squares overflow."""
    large = f.less(1e9, x)
    t = f.subtract(f.where(large, 2.0, x), 1.0)
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

__all__ = ["ARCCOSH", "ARCSINH", "ARCTANH", "FMOD", "HYPOT", "LOGADDEXP"]
