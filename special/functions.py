"""The functions of `torch.special`: most have a name in the root package too, and are that function."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ..core.dtypes import DType
from ..ops import bessel
from ..ops import special as ops
from ..ops.registry import OpDef
from ..tensor import statistics
from ..tensor.arithmetic import mul
from ..tensor.elementary import logit, sinc, xlogy
from ..tensor.out import exp2, expm1, log1p, logsumexp, round, takes_out
from ..tensor.out import sigmoid as expit
from ..tensor.pointwise import erf
from ..tensor.reductions import log_softmax as _log_softmax
from ..tensor.reductions import softmax as _softmax
from ..tensor.statistics import digamma, erfc, erfinv, polygamma
from ..tensor.surface import surface

Value = Any


def _one(name: str, op: OpDef, gives: str) -> Callable[..., Value]:
    """The function of each element that `op` computes; it takes `out`."""

    def function(input: Value) -> Value:
        return statistics.computed(op, input)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{gives} of each element. Integers are taken as floats."
    return takes_out(function)


erfcx = _one("erfcx", ops.ERFCX, "``exp(x ** 2) * erfc(x)``")
entr = _one("entr", ops.ENTR, "``-x * log(x)``, 0 for 0 and -inf below it,")
log_ndtr = _one("log_ndtr", ops.LOG_NDTR, "The logarithm of `ndtr`")
ndtri = _one("ndtri", ops.NDTRI, "The number below which that share of the normal distribution lies")
i0 = _one("i0", bessel.I0, "The modified Bessel function of order 0")
i0e = _one("i0e", bessel.I0E, "``exp(-abs(x)) * i0(x)``")
i1 = _one("i1", bessel.I1, "The modified Bessel function of order 1")
i1e = _one("i1e", bessel.I1E, "``exp(-abs(x)) * i1(x)``")
gammaln = statistics.lgamma
psi = digamma


@takes_out
def ndtr(input: Value) -> Value:
    """The share of the normal distribution below each element."""
    return mul(erfc(mul(input, -math.sqrt(0.5))), 0.5)


@takes_out
def gammainc(input: Value, other: Value) -> Value:
    """The share of the gamma distribution of shape `input` that lies below `other`."""
    return statistics.igamma(input, other)


@takes_out
def gammaincc(input: Value, other: Value) -> Value:
    """The share of the gamma distribution of shape `input` that lies above `other`."""
    return statistics.igammac(input, other)


@takes_out
def multigammaln(input: Value, p: int) -> Value:
    """The logarithm of the gamma function of `p` variables."""
    return statistics.mvlgamma(input, p)


@takes_out
def zeta(input: Value, other: Value) -> Value:
    """The sum of ``(other + k) ** -input`` over all whole k from 0 up. It has no derivative by `input`."""
    return statistics.zeta(input, other)


@takes_out
def xlog1py(input: Value, other: Value) -> Value:
    """``input * log1p(other)``, and 0 where `input` is 0, unless `other` is NaN."""
    return statistics.xlog1py(input, other)


@surface
def softmax(input: Value, dim: int, *, dtype: DType | None = None) -> Value:
    """The powers of e over their sum along `dim`."""
    return _softmax(input, dim, dtype=dtype)


@surface
def log_softmax(input: Value, dim: int, *, dtype: DType | None = None) -> Value:
    """The logarithms of `softmax`."""
    return _log_softmax(input, dim, dtype=dtype)


__all__ = [
    "digamma",
    "entr",
    "erf",
    "erfc",
    "erfcx",
    "erfinv",
    "exp2",
    "expit",
    "expm1",
    "gammainc",
    "gammaincc",
    "gammaln",
    "i0",
    "i0e",
    "i1",
    "i1e",
    "log1p",
    "log_ndtr",
    "log_softmax",
    "logit",
    "logsumexp",
    "multigammaln",
    "ndtr",
    "ndtri",
    "polygamma",
    "psi",
    "round",
    "sinc",
    "softmax",
    "xlog1py",
    "xlogy",
    "zeta",
]
