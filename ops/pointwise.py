"""Pointwise primitives: operands of one dtype and one shape, result of that shape."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.dtypes import DType
from ..core.errors import OpError
from ..core.types import TensorType
from . import pointwise_gradients as d
from . import samples
from .error_function import erf
from .narrow_casts import narrowed, widened
from .registry import (
    GRADIENT_KERNEL,
    KERNEL,
    LARGE_GRADIENT_KERNEL,
    NO_KERNEL,
    Array,
    KernelFrom,
    OpDef,
    Pointwise,
    Rule,
    Sample,
    define_op,
)

NUMBERS = dtypes.INTEGERS + dtypes.FLOATS
INTEGERS_AND_BOOL = (dtypes.bool_, *dtypes.INTEGERS)
GRAD_NAMES = {"arcsin": "Asin", "arccos": "Acos", "arctan": "Atan", "log1p": "Log1P"}
"""PyTorch's names of the derivatives of functions whose names here are NumPy's."""


def _same(name: str, types: tuple[TensorType, ...], accepted: tuple[DType, ...]) -> TensorType:
    first = types[0]
    for other in types[1:]:
        if other != first:
            raise OpError(f"{name} takes operands of one type, got {first} and {other}")
    if first.dtype not in accepted:
        raise OpError(f"{name} does not take {first.dtype}; it takes {', '.join(map(str, accepted))}")
    return first


def _arithmetic(
    name: str,
    arity: int,
    eager: Callable[..., Array],
    lower: Pointwise,
    accepted: tuple[DType, ...],
    sample: Callable[[], Iterable[Sample]] | None = None,
    exact: bool = True,
    may_raise: bool = False,
    operands: tuple[str, ...] = ("self", "other"),
    vjp: tuple[Rule | None, ...] | None = None,
    grad_name: str = "",
    kernel_from: KernelFrom = NO_KERNEL,
) -> OpDef:
    """An op whose result has the dtype of its operands; `eager` keeps that dtype."""

    def meta(*types: TensorType) -> TensorType:
        check_arity(name, arity, types)
        return _same(name, types, accepted)

    default = samples.unary if arity == 1 else samples.binary
    return define_op(
        name,
        meta=meta,
        eager=_as_array(eager),
        lower=lower,
        samples=sample or (lambda: default(accepted)),
        exact=exact,
        may_raise=may_raise,
        operands=operands[:arity],
        vjp=vjp,
        grad_name=grad_name,
        kernel_from=kernel_from,
    )


def _predicate(
    name: str, arity: int, eager: Callable[..., Array], lower: Pointwise, accepted: tuple[DType, ...]
) -> OpDef:
    """An op whose result is bool."""

    def meta(*types: TensorType) -> TensorType:
        check_arity(name, arity, types)
        return _same(name, types, accepted).with_dtype(dtypes.bool_)

    default = samples.unary if arity == 1 else samples.binary
    return define_op(
        name,
        meta=meta,
        eager=_as_array(eager),
        lower=lower,
        samples=lambda: default(accepted),
        operands=("self", "other")[:arity],
    )


def _as_array(function: Callable[..., Array]) -> Callable[..., Array]:
    """`function` with an array as its result where NumPy gives a scalar: for operands without axes."""

    def as_array(*arrays: Array) -> Array:
        result = function(*arrays)
        return result if isinstance(result, np.ndarray) else np.asarray(result)

    as_array.__wrapped__ = function  # type: ignore[attr-defined]
    return as_array


def check_arity(name: str, arity: int, types: tuple[TensorType, ...]) -> None:
    """Errors: OpError for another number of operands."""
    if len(types) != arity:
        raise OpError(f"{name} takes {arity} operands, got {len(types)}")


def _function(
    name: str, eager: Callable[..., Array], cost: float, low: float = -4.0, high: float = 4.0, **more: Any
) -> OpDef:
    """A transcendental function of floats, within 2 ulp.   more: its `kernel_from`, if it has one."""
    lower = Pointwise(name + "_{t}({0})", cost)
    return _arithmetic(
        name,
        1,
        eager,
        lower,
        dtypes.FLOATS,
        lambda: samples.unary(dtypes.FLOATS, low, high),
        exact=False,
        vjp=(d.FUNCTIONS[name],),
        grad_name=GRAD_NAMES.get(name, ""),
        **more,
    )


def _power(base: Any, exponent: Any) -> Any:
    """Base and exponent without axes go through the loop as others do: NumPy's shortcut for 0.5 is another function."""
    if type(base) is type(exponent) is np.ndarray and base.ndim == exponent.ndim == 0:
        return np.power(base, exponent.reshape(1)).reshape(())
    return np.power(base, exponent)


# Arithmetic. Integers wrap; Numba widens narrow ones, and the emitter casts every result back to its dtype.
ADD = _arithmetic("add", 2, np.add, Pointwise("({0} + {1})"), NUMBERS, vjp=d.ADD)
SUBTRACT = _arithmetic("subtract", 2, np.subtract, Pointwise("({0} - {1})"), NUMBERS, vjp=d.SUBTRACT, grad_name="Sub")
MULTIPLY = _arithmetic(
    "multiply",
    2,
    np.multiply,
    Pointwise("({0} * {1})"),
    NUMBERS,
    vjp=d.MULTIPLY,
    grad_name="Mul",
    kernel_from=LARGE_GRADIENT_KERNEL,
)
DIVIDE = _arithmetic("divide", 2, np.divide, Pointwise("({0} / {1})", 4), dtypes.FLOATS, vjp=d.DIVIDE, grad_name="Div")
FLOOR_DIVIDE = _arithmetic(
    "floor_divide",
    2,
    np.floor_divide,
    Pointwise("floor_divide_{t}({0}, {1})", 8),
    NUMBERS,
    vjp=(d.zero, d.zero),
    grad_name="Div",
)
REMAINDER = _arithmetic("remainder", 2, np.remainder, Pointwise("remainder_{t}({0}, {1})", 8), NUMBERS, vjp=d.REMAINDER)
POWER = _arithmetic(
    "power",
    2,
    _power,
    Pointwise("power_{t}({0}, {1})", 40),
    NUMBERS,
    samples.powers,
    exact=False,
    may_raise=True,
    vjp=d.POWER,
    grad_name="Pow",
)
RECOMPUTED = _arithmetic("recomputed", 1, np.copy, Pointwise("{0}"), dtypes.ALL, vjp=(d.unchanged,))
"""The operand itself, with which a computation begins that is made once more to save memory. No pass sees through it:
what is computed from it is not merged with the same from the operand, which could not be forgotten in between."""
NEGATIVE = _arithmetic("negative", 1, np.negative, Pointwise("(-{0})"), NUMBERS, vjp=d.NEGATIVE, grad_name="Neg")
ABSOLUTE = _arithmetic(
    "absolute", 1, np.absolute, Pointwise("absolute_{t}({0})"), NUMBERS, vjp=d.ABSOLUTE, grad_name="Abs"
)
SIGN = _arithmetic("sign", 1, np.sign, Pointwise("sign_{t}({0})"), NUMBERS, vjp=d.ZERO)
MAXIMUM = _arithmetic(
    "maximum",
    2,
    np.maximum,
    Pointwise("maximum_{t}({0}, {1})", bool_text="({0} | {1})"),
    (dtypes.bool_, *NUMBERS),
    vjp=d.MAXIMUM,
)
MINIMUM = _arithmetic(
    "minimum",
    2,
    np.minimum,
    Pointwise("minimum_{t}({0}, {1})", bool_text="({0} & {1})"),
    (dtypes.bool_, *NUMBERS),
    vjp=d.MINIMUM,
)
SQRT = _arithmetic(
    "sqrt",
    1,
    np.sqrt,
    Pointwise("sqrt_{t}({0})", 6),
    dtypes.FLOATS,
    lambda: [*samples.unary(dtypes.FLOATS), *samples.unary(dtypes.FLOATS, 0.01, 9.0, special=False)],
    vjp=d.SQRT,
)
COPYSIGN = _arithmetic("copysign", 2, np.copysign, Pointwise("copysign_{t}({0}, {1})"), dtypes.FLOATS, vjp=d.COPYSIGN)
ARCTAN2 = _arithmetic(
    "arctan2",
    2,
    np.arctan2,
    Pointwise("arctan2_{t}({0}, {1})", 40),
    dtypes.FLOATS,
    exact=False,
    vjp=d.ARCTAN2,
    grad_name="Atan2",
)

# Rounding, all exact.
FLOOR = _arithmetic("floor", 1, np.floor, Pointwise("floor_{t}({0})"), dtypes.FLOATS, vjp=d.ZERO)
CEIL = _arithmetic("ceil", 1, np.ceil, Pointwise("ceil_{t}({0})"), dtypes.FLOATS, vjp=d.ZERO)
TRUNC = _arithmetic("trunc", 1, np.trunc, Pointwise("trunc_{t}({0})"), dtypes.FLOATS, vjp=d.ZERO)
RINT = _arithmetic("rint", 1, np.rint, Pointwise("rint_{t}({0})"), dtypes.FLOATS, vjp=d.ZERO, grad_name="Round")

# Transcendental functions.
EXP = _function("exp", np.exp, 12)
EXPM1 = _function("expm1", np.expm1, 16)
EXP2 = _function("exp2", np.exp2, 12)
LOG = _function("log", np.log, 14, 0.01, 9.0)
LOG1P = _function("log1p", np.log1p, 16, -0.9, 9.0)
LOG2 = _function("log2", np.log2, 14, 0.01, 9.0)
LOG10 = _function("log10", np.log10, 14, 0.01, 9.0)
SIN = _function("sin", np.sin, 20)
COS = _function("cos", np.cos, 20)
TAN = _function("tan", np.tan, 30)
ARCSIN = _function("arcsin", np.arcsin, 30, -1.0, 1.0)
ARCCOS = _function("arccos", np.arccos, 30, -1.0, 1.0)
ARCTAN = _function("arctan", np.arctan, 30)
SINH = _function("sinh", np.sinh, 24)
COSH = _function("cosh", np.cosh, 24)
TANH = _function("tanh", np.tanh, 16, kernel_from=GRADIENT_KERNEL)
ERF = _function("erf", erf, 20, kernel_from=KERNEL)

# Comparison.
EQUAL = _predicate("equal", 2, np.equal, Pointwise("({0} == {1})"), (dtypes.bool_, *NUMBERS))
NOT_EQUAL = _predicate("not_equal", 2, np.not_equal, Pointwise("({0} != {1})"), (dtypes.bool_, *NUMBERS))
LESS = _predicate("less", 2, np.less, Pointwise("({0} < {1})", bool_text="(~{0} & {1})"), (dtypes.bool_, *NUMBERS))
LESS_EQUAL = _predicate(
    "less_equal", 2, np.less_equal, Pointwise("({0} <= {1})", bool_text="(~{0} | {1})"), (dtypes.bool_, *NUMBERS)
)
ISNAN = _predicate("isnan", 1, np.isnan, Pointwise("({0} != {0})"), dtypes.FLOATS)
ISINF = _predicate("isinf", 1, np.isinf, Pointwise("isinf_{t}({0})"), dtypes.FLOATS)
ISFINITE = _predicate("isfinite", 1, np.isfinite, Pointwise("isfinite_{t}({0})"), dtypes.FLOATS)

# Bits; on bools these are the logical operations.
BITWISE_AND = _arithmetic("bitwise_and", 2, np.bitwise_and, Pointwise("({0} & {1})"), INTEGERS_AND_BOOL)
BITWISE_OR = _arithmetic("bitwise_or", 2, np.bitwise_or, Pointwise("({0} | {1})"), INTEGERS_AND_BOOL)
BITWISE_XOR = _arithmetic("bitwise_xor", 2, np.bitwise_xor, Pointwise("({0} ^ {1})"), INTEGERS_AND_BOOL)
INVERT = _arithmetic("invert", 1, np.invert, Pointwise("(~{0})", bool_text="(not {0})"), INTEGERS_AND_BOOL)
LEFT_SHIFT = _arithmetic(
    "left_shift", 2, np.left_shift, Pointwise("left_shift_{t}({0}, {1})"), dtypes.INTEGERS, samples.shifts
)
RIGHT_SHIFT = _arithmetic(
    "right_shift", 2, np.right_shift, Pointwise("right_shift_{t}({0}, {1})"), dtypes.INTEGERS, samples.shifts
)


def _where_meta(condition: TensorType, left: TensorType, right: TensorType) -> TensorType:
    if condition.dtype is not dtypes.bool_ or condition.shape != left.shape or left != right:
        raise OpError(
            f"where takes a bool and two operands of one type and its shape, got {condition}, {left}, {right}"
        )
    return left


def _where_samples() -> Iterable[Sample]:
    for dtype in dtypes.ALL:
        yield Sample(
            (
                samples.values(dtypes.bool_, (3, 4), 3),
                samples.values(dtype, (3, 4), 1),
                samples.values(dtype, (3, 4), 2),
            )
        )


_MASK_FROM = 1024
"""Elements from which a mask beats `np.where`."""


def _where_eager(condition: Array, left: Any, right: Any) -> Array:
    """`np.where`, whose loop jumps at each element; a choice between +0.0 and an array is a mask of its bits."""
    if type(left) is float and left == 0 and math.copysign(1.0, left) > 0:
        chosen, turned = right, True
    elif type(right) is float and right == 0 and math.copysign(1.0, right) > 0:
        chosen, turned = left, False
    else:
        return _selected(condition, left, right)
    bits = _BITS.get(getattr(chosen, "dtype", None))
    if bits is None or condition.size < _MASK_FROM or condition.shape != chosen.shape:
        return np.where(condition, left, right)
    mask = condition.view(np.int8).astype(bits)
    mask = np.subtract(mask, 1, out=mask) if turned else np.negative(mask, out=mask)
    return np.bitwise_and(mask, chosen.view(bits), out=mask).view(chosen.dtype)


_BITS: dict[Any, Any] = {np.dtype(np.float32): np.int32, np.dtype(np.float64): np.int64}
_SELECT_FROM = 16384
"""Elements from which the bits of two arrays are chosen quicker than their elements, unless masks hardly vary."""


def _selected(condition: Array, left: Any, right: Any) -> Array:
    """`np.where`; of many elements by their bits."""
    dtype = getattr(left, "dtype", None) or getattr(right, "dtype", None)
    bits = _BITS.get(dtype) if type(condition) is np.ndarray and condition.size >= _SELECT_FROM else None
    arrays = [each for each in (left, right) if getattr(each, "ndim", 0)]
    if bits is None or any(each.dtype != dtype or each.shape != condition.shape for each in arrays):
        return np.where(condition, left, right)
    mask = np.negative(condition.view(np.int8)).astype(bits)
    one, other = (np.asarray(each, dtype).view(bits) for each in (left, right))
    np.bitwise_and(mask, np.bitwise_xor(one, other), out=mask)
    return np.bitwise_xor(mask, other, out=mask).view(dtype)


WHERE = define_op(
    "where",
    meta=_where_meta,
    eager=_where_eager,
    lower=Pointwise("({1} if {0} else {2})"),
    samples=_where_samples,
    operands=("condition", "self", "other"),
    vjp=d.WHERE,
    kernel_from=KERNEL,
)


BY_ML_DTYPES = 2
"""NumPy's `isbuiltin` of dtypes that others have registered: bfloat16 and float8. See Note [Half floats]."""


def _cast_meta(x: TensorType, *, dtype: DType) -> TensorType:
    return x.with_dtype(dtype)


def _cast_eager(x: Array, *, dtype: DType) -> Array:
    target = dtype.numpy
    if x.dtype.kind == "c" and target.kind not in "cb":
        x = x.real
    if target.isbuiltin == BY_ML_DTYPES or x.dtype.isbuiltin == BY_ML_DTYPES:
        with np.errstate(all="ignore"):
            wide = widened(x) if x.dtype.isbuiltin == BY_ML_DTYPES else x.astype(np.float32, copy=False)
            if target.isbuiltin == BY_ML_DTYPES:
                return x.copy("K") if target == x.dtype else narrowed(wide, target)
            return wide.astype(target, copy=wide is x)
    if x.dtype.kind not in "fc" or target == x.dtype or target == np.float64:
        return x.astype(target)
    with np.errstate(all="ignore"):  # only here can NumPy warn: of overflow, or of a NaN as an integer
        return x.astype(target)


def _cast_samples() -> Iterable[Sample]:
    for source in dtypes.ALL:
        for target in dtypes.ALL:
            operand: Any = (
                np.abs(samples.values(source, (3, 4)))
                if target.kind == "u" and source.is_float
                else samples.values(source, (3, 4))
            )
            yield samples.with_attrs((operand,), dtype=target)
    for narrow in dtypes.NARROW:
        for other in (dtypes.bool_, dtypes.uint8, dtypes.int32, *dtypes.FLOATS, *dtypes.NARROW):
            operand = _cast_eager(samples.values(dtypes.float32, (3, 4)), dtype=narrow)
            yield samples.with_attrs((np.abs(operand) if other is dtypes.uint8 else operand,), dtype=other)
            if not other.is_narrow:
                yield samples.with_attrs((samples.values(other, (3, 4)),), dtype=narrow)


CAST = define_op(
    "cast",
    meta=_cast_meta,
    eager=_cast_eager,
    lower=Pointwise("cast_{t}_{out}({0})", 0.5),
    samples=_cast_samples,
    operands=("self",),
    vjp=(d.cast,),
    grad_name="ToCopy",
)
