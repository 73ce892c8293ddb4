"""Composites that work element by element."""

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
from .pointwise import ERF, NUMBERS, SQRT
from .pointwise_gradients import unchanged, zero
from .registry import KERNEL, NO_KERNEL, Array, Composite, KernelFrom, OpDef, Rule, Sample, define_op

Value = Any
ROOT_HALF = math.sqrt(0.5)
ONE_OVER_ROOT_TWO_PI = 1.0 / math.sqrt(2.0 * math.pi)
GELU_SCALE = math.sqrt(2.0 / math.pi)
GELU_CUBE = 0.044715


def _elementwise(
    name: str,
    *,
    eager: Callable[..., Array],
    expand: Callable[..., Value],
    rule: Rule,
    accepted: tuple[DType, ...] = dtypes.FLOATS,
    exact: bool = False,
    sample: Callable[[], Iterable[Sample]] | None = None,
    grad_name: str = "",
    kernel_from: KernelFrom = KERNEL,
) -> OpDef:
    """A composite of one operand without attributes, whose result has the operand's type."""

    def meta(x: TensorType) -> TensorType:
        return _accept(name, x, accepted)

    return define_op(
        name,
        meta=meta,
        eager=eager,
        lower=Composite(expand, elementwise=True),
        samples=sample or (lambda: samples.unary(accepted)),
        exact=exact,
        operands=("self",),
        vjp=(rule,),
        grad_name=grad_name,
        kernel_from=kernel_from,
    )


def _accept(name: str, x: TensorType, accepted: tuple[DType, ...]) -> TensorType:
    if x.dtype not in accepted:
        raise OpError(f"{name} does not take {x.dtype}; it takes {', '.join(map(str, accepted))}")
    return x


# alias: the operand itself, as another value: what a view of a whole tensor is to autograd.
ALIAS = _elementwise(
    "alias",
    eager=lambda x: x,
    expand=lambda f, x: x,
    rule=lambda f, g: g,
    accepted=(*dtypes.ALL, *dtypes.NARROW, *dtypes.COMPLEX),
    sample=lambda: samples.unary(dtypes.ALL),
    exact=True,
    grad_name="Clone",
    kernel_from=NO_KERNEL,
)


# with_history: the first operand as it is. The second, on which it depends only by steps, gets a cotangent of zeros,
# where no history would give none. Rules end in it whose counterparts in PyTorch are functions of what they read.
def _with_history_meta(x: TensorType, source: TensorType) -> TensorType:
    if x != source:
        raise OpError(f"with_history takes operands of one type, got {x} and {source}")
    return _accept("with_history", x, (*dtypes.FLOATS, *dtypes.NARROW, *dtypes.COMPLEX))


WITH_HISTORY = define_op(
    "with_history",
    meta=_with_history_meta,
    eager=lambda x, source: x,
    lower=Composite(lambda f, x, source: x, elementwise=True),
    samples=lambda: samples.binary(dtypes.FLOATS, False),
    vjp=(unchanged, zero),
    grad_name="Clone",
)


# sgn: -1, 0 or 1, the sign of each element; of a NaN 0, where that of `sign` is a NaN.
def _sgn_eager(x: Array) -> Array:
    result = np.asarray(np.sign(x))
    if result.dtype.kind == "f":
        np.copyto(result, 0, where=result != result)
    return result


SGN = _elementwise(
    "sgn",
    eager=_sgn_eager,
    expand=lambda f, x: f.where(f.isnan(x), 0.0, f.sign(x)) if f.dtype(x).is_float else f.sign(x),
    rule=zero,
    accepted=NUMBERS,
    exact=True,
    grad_name="Sign",
)


# relu: max(x, 0). A NaN stays, and its cotangent goes through.
RELU = _elementwise(
    "relu",
    eager=lambda x: np.asarray(np.maximum(x, 0)),
    expand=lambda f, x: f.maximum(x, 0),
    rule=lambda f, g, result: f.with_history(f.where(f.less_equal(result, 0.0), 0.0, g), result),
    accepted=NUMBERS,
    exact=True,
)


# sigmoid: 1 / (1 + exp(-x)).
def _gated(f: Emitter, top: Value, x: Value) -> Value:
    """`top` times sigmoid(x), as one quotient."""
    return f.divide(top, f.add(f.exp(f.negative(x)), 1.0))


def _gated_eager(top: Array | int, x: Array) -> Array:
    result = np.negative(x, out=np.empty(x.shape, x.dtype))
    np.exp(result, out=result)
    result += 1
    return np.divide(top, result, out=result)


SIGMOID = _elementwise(
    "sigmoid",
    eager=lambda x: _gated_eager(1, x),
    expand=lambda f, x: _gated(f, 1.0, x),
    rule=lambda f, g, result: f.multiply(f.multiply(g, f.subtract(1.0, result)), result),
)


# silu: x * sigmoid(x).
def _silu_rule(f: Emitter, g: Value, self: Value) -> Value:
    gate = f.sigmoid(self)
    return f.multiply(f.multiply(g, gate), f.add(f.multiply(self, f.subtract(1.0, gate)), 1.0))


SILU = _elementwise(
    "silu",
    eager=lambda x: _gated_eager(x, x),
    expand=lambda f, x: _gated(f, x, x),
    rule=_silu_rule,
)


# softplus: log(1 + exp(x)), which does not overflow. Made of ops, it would have a kink at 0 that is not its own.
def _softplus_eager(x: Array) -> Array:
    result = np.negative(np.abs(x), out=np.empty(x.shape, x.dtype))
    np.log1p(np.exp(result, out=result), out=result)
    return np.add(np.maximum(x, 0), result, out=result)


SOFTPLUS = _elementwise(
    "softplus",
    eager=_softplus_eager,
    expand=lambda f, x: f.add(f.maximum(x, 0.0), f.log1p(f.exp(f.negative(f.absolute(x))))),
    rule=lambda f, g, self: f.multiply(g, f.sigmoid(self)),
)


# root: the square root in a norm or a standard deviation, whose derivative at 0 counts as 0.
ROOT = _elementwise(
    "root",
    eager=SQRT.eager,
    expand=lambda f, x: f.sqrt(x),
    rule=lambda f, g, result: f.where(f.equal(result, 0.0), 0.0, f.divide(g, f.multiply(result, 2.0))),
    exact=True,
    sample=lambda: [*samples.unary(dtypes.FLOATS), *samples.unary(dtypes.FLOATS, 0.01, 9.0, special=False)],
    grad_name="Sqrt",
)


# gelu: x times the normal distribution function of x; approximate="tanh" takes the customary approximation of it.
def _gelu_meta(x: TensorType, *, approximate: str) -> TensorType:
    if approximate not in ("none", "tanh"):
        raise OpError(f"gelu takes approximate 'none' or 'tanh', got {approximate!r}")
    return _accept("gelu", x, dtypes.FLOATS)


def _gelu_gate(f: Emitter, x: Value, approximate: str) -> Value:
    """The factor of x / 2 in GELU."""
    if approximate == "none":
        return f.add(f.erf(f.multiply(x, ROOT_HALF)), 1.0)
    return f.add(f.tanh(_gelu_inner(f, x)), 1.0)


def _gelu_inner(f: Emitter, x: Value) -> Value:
    cube = f.multiply(f.multiply(x, x), x)
    return f.multiply(f.add(x, f.multiply(cube, GELU_CUBE)), GELU_SCALE)


def _gelu(f: Emitter, x: Value, *, approximate: str) -> Value:
    return f.multiply(f.multiply(x, 0.5), _gelu_gate(f, x, approximate))


def _gelu_eager(x: Array, *, approximate: str) -> Array:
    if approximate == "none":
        gate = ERF.eager(x * x.dtype.type(ROOT_HALF))
    else:
        inner = np.multiply(x, x, out=np.empty(x.shape, x.dtype))
        inner *= x
        inner *= GELU_CUBE
        inner += x
        inner *= GELU_SCALE
        gate = np.tanh(inner, out=inner)
    gate += 1
    gate *= 0.5  # and not the product, which may be infinite
    gate *= x
    return gate


def _gelu_rule(f: Emitter, g: Value, self: Value, *, approximate: str) -> Value:
    gate = _gelu_gate(f, self, approximate)
    square = f.multiply(self, self)
    if approximate == "none":
        slope = f.multiply(f.exp(f.multiply(square, -0.5)), ONE_OVER_ROOT_TWO_PI)
        return f.multiply(g, f.add(f.multiply(gate, 0.5), f.multiply(self, slope)))
    turn = f.subtract(gate, 1.0)
    inner = f.multiply(f.add(f.multiply(square, 3.0 * GELU_CUBE), 1.0), GELU_SCALE)
    slope = f.multiply(f.subtract(1.0, f.multiply(turn, turn)), inner)
    return f.multiply(g, f.add(f.multiply(gate, 0.5), f.multiply(f.multiply(self, 0.5), slope)))


GELU = define_op(
    "gelu",
    meta=_gelu_meta,
    eager=_gelu_eager,
    lower=Composite(_gelu),
    exact=False,
    operands=("self",),
    vjp=(_gelu_rule,),
    kernel_from=KERNEL,
    samples=lambda: [
        samples.with_attrs(each.args, approximate=kind)
        for kind in ("none", "tanh")
        for each in samples.unary(dtypes.FLOATS, special=False)
    ],
)


# pow_scalar: x ** exponent for a Python number; small exponents are spelled out.
def _pow_meta(x: TensorType, *, exponent: int | float) -> TensorType:
    if x.dtype.is_integer and (type(exponent) is not int or exponent < 0):
        raise OpError(f"pow_scalar of integers takes a whole exponent from 0, got {exponent!r}")
    return _accept("pow_scalar", x, NUMBERS)


_SPELLED: dict[float, Callable[[Emitter, Value], Value]] = {
    1: lambda f, x: x,
    2: lambda f, x: f.multiply(x, x),
    3: lambda f, x: f.multiply(f.multiply(x, x), x),
}
_SPELLED_FLOATS: dict[float, Callable[[Emitter, Value], Value]] = {
    0.5: lambda f, x: f.sqrt(x),
    -0.5: lambda f, x: f.divide(1.0, f.sqrt(x)),
    -1: lambda f, x: f.divide(1.0, x),
    -2: lambda f, x: f.divide(1.0, f.multiply(x, x)),
}


def _pow(f: Emitter, x: Value, *, exponent: int | float) -> Value:
    spelled = _SPELLED.get(exponent)
    if spelled is None and f.dtype(x).is_float:
        spelled = _SPELLED_FLOATS.get(exponent)
    return f.power(x, exponent) if spelled is None else spelled(f, x)


def _pow_eager(x: Array, *, exponent: int | float) -> Array:
    if exponent == 2:
        return np.asarray(np.multiply(x, x))
    if exponent == 1:
        return x.copy()
    return np.asarray(_pow(ARRAYS, x, exponent=exponent))


def _pow_rule(f: Emitter, g: Value, self: Value, *, exponent: int | float) -> Value:
    if exponent == 0:
        return zero(f, g)
    if exponent == 1:
        return f.with_history(g, self)
    if exponent == 2:
        return f.multiply(g, f.multiply(self, 2.0))
    return f.multiply(g, f.multiply(f.pow_scalar(self, exponent=exponent - 1), float(exponent)))


POW_SCALAR = define_op(
    "pow_scalar",
    meta=_pow_meta,
    eager=_pow_eager,
    lower=Composite(_pow),
    exact=False,
    operands=("self",),
    vjp=(_pow_rule,),
    grad_name="Pow",
    samples=lambda: [
        *(
            samples.with_attrs((samples.uniform(0.1, 4.0, (3, 4), dtype),), exponent=exponent)
            for exponent in (0, 1, 2, 3, 0.5, -1, -2, -0.5, 1.7, 4, 2.0)
            for dtype in dtypes.FLOATS
        ),
        samples.with_attrs((samples.uniform(-3.0, 3.0, (5,)),), exponent=3),
        samples.with_attrs((samples.uniform(-3.0, 3.0, ()),), exponent=2),
        samples.with_attrs((samples.integers(-5, 5, (4,)),), exponent=3),
    ],
)
