"""Functions of statistics: the gamma function and its kin, and the tails and inverses of the error function."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ..ops import bessel
from ..ops import special as ops
from ..ops.gamma_functions import GAMMAINC, GAMMAINCC, STANDARD_GAMMA, ZETA
from ..ops.registry import OpDef
from .arithmetic import add, mul
from .creation import arange, full
from .dispatch import apply, is_tensor_like
from .distributions import key_for
from .generator import Generator
from .narrow import check_computes
from .pointwise import eq, isinf, le, log1p, logical_and, logical_or, where
from .promotion import as_float, float_pair, pair, to_dtype
from .shapes import broadcast_shapes
from .shaping import expand_to, unsqueeze
from .surface import method, surface

Value = Any


def _wide(x: Value) -> Value:
    """`x` as float32 or float64: what is narrower is rounded at the end."""
    return x.float() if x.dtype.is_narrow else x


def computed(op: OpDef, x: Value, **attrs: Any) -> Value:
    """The result of an op of one float for `x` in its own dtype, integers as floats."""
    given = as_float(x)
    return to_dtype(apply(op, _wide(given), **attrs), given.dtype)


def _one(name: str, op: OpDef, gives: str) -> Callable[[Value], Value]:
    def function(self: Value) -> Value:
        return computed(op, self)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{gives} of each element. Integers are taken as floats."
    return method(name)(function)


lgamma = _one("lgamma", ops.LGAMMA, "The logarithm of the size of the gamma function")
digamma = _one("digamma", ops.DIGAMMA, "The derivative of `lgamma`")
erfinv = _one("erfinv", ops.ERFINV, "The number whose error function it is")
i0 = _one("i0", bessel.I0, "The modified Bessel function of order 0")
erfc = _one("erfc", ops.ERFC, "1 - erf(x), of which small values keep their digits,")


@surface
def polygamma(n: int, input: Value) -> Value:
    """The derivative of `digamma` of order `n`, for n = 0 itself, of each element.

    Errors: RuntimeError for a negative `n`.
    """
    if n < 0:
        raise RuntimeError(f"polygamma(n, x) does not support negative n, got {n}")
    return digamma(input) if n == 0 else computed(ops.POLYGAMMA, input, n=int(n))


def _polygamma_method(self: Value, n: int) -> Value:
    """`polygamma(n, self)`."""
    return polygamma(n, self)


method("polygamma")(_polygamma_method)


@method("mvlgamma")
def mvlgamma(self: Value, p: int) -> Value:
    """The logarithm of the gamma function of `p` variables. Errors: RuntimeError for a `p` below 1."""
    if p < 1:
        raise RuntimeError(f"mvlgamma: p has to be greater than or equal to 1, got {p}")
    x = as_float(self)
    steps = mul(arange(p, dtype=x.dtype, device=x.device), -0.5)
    return add(lgamma(add(unsqueeze(x, -1), steps)).sum(-1), p * (p - 1) / 4 * math.log(math.pi))


def _two(op: OpDef, left: Value, right: Value) -> Value:
    """The result of an op of NumPy's for two operands that broadcast and are promoted; numbers are filled in."""
    example = left if is_tensor_like(left) else right
    given = [each if is_tensor_like(each) else full((), each, device=example.device) for each in (left, right)]
    first, second = float_pair(*given)
    shape = broadcast_shapes(first.shape, second.shape)
    found = apply(op, expand_to(_wide(first), shape), expand_to(_wide(second), shape))
    return to_dtype(found, first.dtype)


@method("igamma")
def igamma(self: Value, other: Value) -> Value:
    """The share of the gamma distribution of shape `self` that lies below `other`. It has no derivative by `self`."""
    return _two(GAMMAINC, self, other)


@method("igammac")
def igammac(self: Value, other: Value) -> Value:
    """The share of the gamma distribution of shape `self` that lies above `other`. It has no derivative by `self`."""
    return _two(GAMMAINCC, self, other)


def zeta(input: Value, other: Value) -> Value:
    """The sum of ``(other + k) ** -input`` over all whole k from 0 up, as `gl.special.zeta`."""
    return _two(ZETA, input, other)


def xlog1py(input: Value, other: Value) -> Value:
    """``input * log1p(other)``, and 0 where `input` is 0, unless `other` is NaN, as `gl.special.xlog1py`."""
    left, right = float_pair(*pair(input, other))
    # Where the logarithm is not finite, 0 times it is 0; elsewhere the product says so itself, and has its derivative.
    nothing = logical_and(eq(left, 0), logical_or(le(right, -1), isinf(right)))
    return mul(left, log1p(where(nothing, 0.0, right)))


@surface
def _standard_gamma(alpha: Value, generator: Generator | None = None) -> Value:
    """Draws from the gamma distribution of each shape and scale 1, whose gradient is that of the same share below.

    Shapes: any, of a float dtype. The numbers are not PyTorch's for the same seed. A draw is never 0.
    """
    check_computes("_standard_gamma", alpha.dtype)
    return apply(STANDARD_GAMMA, alpha, key_for(generator, alpha.device))


__all__ = [
    "digamma",
    "erfc",
    "erfinv",
    "i0",
    "igamma",
    "igammac",
    "lgamma",
    "mvlgamma",
    "polygamma",
]
