"""Rules of arithmetic that hold bit for bit. ``x + 0.0`` is not among them: it turns -0.0 into 0.0."""

from __future__ import annotations

import math

import numpy as np

from ...core.dtypes import TENSORS_ONLY, DType, bfloat16, float8_e5m2
from ...ops.complex_numbers import COMPLEX, IMAG
from ...ops.pointwise import CAST, MULTIPLY
from ..node import Node
from .rule import Rule, apply_as, constant, full_as, same_bits


def _is(node: Node, value: float) -> bool:
    """Whether `node` is a `full` of `value` in its dtype, the sign of zero included."""
    known = constant(node)
    return known is not None and same_bits(known, node.type.dtype.numpy.type(value))


def _multiply_one(node: Node) -> Node | None:
    left, right = node.inputs
    return left if _is(right, 1) else right if _is(left, 1) else None


def _divide_one(node: Node) -> Node | None:
    divisor = node.inputs[1]
    return node.inputs[0] if _is(divisor, 1) else None


def _add_zero(node: Node) -> Node | None:
    # -0.0 is what may be added to any float: -0.0 + -0.0 is -0.0, and 0.0 + -0.0 is 0.0. Integers have one zero.
    left, right = node.inputs
    zero = -0.0 if node.type.dtype.is_float else 0
    return left if _is(right, zero) else right if _is(left, zero) else None


def _subtract_zero(node: Node) -> Node | None:
    # Here it is 0.0 that changes nothing: -0.0 - 0.0 is -0.0, while -0.0 - -0.0 is 0.0.
    return node.inputs[0] if _is(node.inputs[1], 0) else None


def _divide_power_of_two(node: Node) -> Node | None:
    """Both sides round the same real number, since the reciprocal is exact; it must be a normal number."""
    dividend, divisor = node.inputs
    value = constant(divisor)
    if value is None or abs(math.frexp(value.item())[0]) != 0.5:
        return None
    info = np.finfo(divisor.type.dtype.numpy)
    reciprocal = 1.0 / value.item()
    if not info.tiny <= abs(reciprocal) <= info.max:
        return None
    factor = full_as(divisor, divisor.type.dtype.numpy.type(reciprocal))
    return None if factor is None else apply_as(node, MULTIPLY, dividend, factor)


def _involution(node: Node) -> Node | None:
    operand = node.inputs[0]
    return operand.inputs[0] if operand.op is node.op else None


def _idempotent(node: Node) -> Node | None:
    return node.inputs[0] if node.inputs[0].op is node.op else None


def _cast_to_same(node: Node) -> Node | None:
    return node.inputs[0] if node.inputs[0].type.dtype is node.type.dtype else None


def _cast_of_cast(node: Node) -> Node | None:
    inner = node.inputs[0]
    if inner.op is not CAST:
        return None
    source, middle, target = inner.inputs[0].type.dtype, inner.type.dtype, node.type.dtype
    # From a float to an integer, values out of range have no one answer, so the source must not come to differ.
    if not lossless(source, middle) or (middle.is_float and target.is_integer):
        return None
    return apply_as(node, CAST, inner.inputs[0], dtype=target)


def lossless(source: DType, target: DType) -> bool:
    """Whether every value of `source` is a value of `target`. NumPy's "safe" is not this: it lets int64 be float64."""
    if source is target or source.is_bool:
        return True
    if target in TENSORS_ONLY or source in (bfloat16, float8_e5m2):  # of which NaNs come back as others
        return False
    if target.is_bool or (source.is_float and not target.is_float):
        return False
    if source.is_float:
        return source.itemsize <= target.itemsize
    low, high = np.iinfo(source.numpy).min, np.iinfo(source.numpy).max
    if target.is_float:
        return bool(high < 2 ** (np.finfo(target.numpy).nmant + 1))
    return bool(np.iinfo(target.numpy).min <= low and high <= np.iinfo(target.numpy).max)


def _part_of_pair(node: Node) -> Node | None:
    """A part of complex numbers that were put together, before they were."""
    whole = node.inputs[0]
    return whole.inputs[node.op is IMAG] if whole.op is COMPLEX else None


INVOLUTIONS = ("negative", "invert")
IDEMPOTENT = ("absolute", "floor", "ceil", "trunc", "rint", "sign")

RULES = (
    Rule("multiply_one", "x * 1 => x; 1 * x => x", ("multiply",), _multiply_one),
    Rule("divide_one", "x / 1 => x", ("divide",), _divide_one),
    Rule("divide_power_of_two", "x / 2^k => x * 2^-k", ("divide",), _divide_power_of_two),
    Rule("add_zero", "x + -0.0 => x; -0.0 + x => x; for integers x + 0 => x", ("add",), _add_zero),
    Rule("subtract_zero", "x - 0.0 => x", ("subtract",), _subtract_zero),
    Rule("involution", "negative(negative(x)) => x; invert(invert(x)) => x", INVOLUTIONS, _involution),
    Rule("idempotent", "f(f(x)) => f(x) for absolute, sign and the roundings", IDEMPOTENT, _idempotent),
    Rule("part_of_pair", "real(complex(a, b)) => a; imag(complex(a, b)) => b", ("real", "imag"), _part_of_pair),
    Rule("cast_to_same", "cast(x: t, t) => x", ("cast",), _cast_to_same),
    Rule("cast_of_cast", "cast(cast(x, a), b) => cast(x, b) where a holds every value of x", ("cast",), _cast_of_cast),
)
