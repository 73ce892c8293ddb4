"""The lowering of each ufunc to primitives, over operands that are promoted and broadcast already."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ...core import dtypes
from ...graph.node import Node
from ...ops import pointwise as p
from ...ops.creation import FULL
from ...ops.elementary import OF_BOOLS
from ...ops.registry import OpDef
from ..breaks import NUMPY_ARGUMENT, RAISES
from ..tracing.nodes import cast, constant_node
from ..tracing.numpy_versions import NUMPY

if TYPE_CHECKING:
    from ..tracing.trace import Trace

# Note [Uniform exponents]
# NumPy's power loops compute x ** 0.5 as sqrt(x) when one exponent serves a whole inner loop, and so do the `**`
# operators of its array type. That differs from pow at -0.0 and at -inf. So a known exponent is lowered as NumPy
# computes it, a Python number from outside is guarded for being 0.5 or not, a NumPy scalar and a Python number that
# the plan computes select per call, and an array that is broadcast along some axes only is left to NumPy. (1, 2 and -1
# only save time.) The loop for float16 and that of `np.float_power` know no such case, the `**` operator of float16
# arrays by a Python number does. Up to NumPy 2.2 no loop knows it, the operator of any array does.

CLIP: np.ufunc = np._core.umath.clip  # type: ignore[attr-defined]  # what np.clip calls; it has no public name
Lowered = Callable[..., Node]


def _op(op: OpDef) -> Lowered:
    return lambda trace, *nodes: trace.add(op, *nodes)


def _by_kind(op: OpDef) -> Lowered:
    return lambda trace, *nodes: trace.add(OF_BOOLS[op] if nodes[0].type.dtype.is_bool else op, *nodes)


def _logical(op: OpDef) -> Lowered:
    return lambda trace, *nodes: trace.add(op, *(cast(trace, node, dtypes.bool_) for node in nodes))


def _reciprocal(trace: Trace, node: Node) -> Node:
    """One over each element; integers through float64, whose quotient NumPy's C code truncates."""
    dtype = node.type.dtype
    wide = node if dtype.is_float else cast(trace, node, dtypes.float64)
    return cast(trace, trace.add(p.DIVIDE, constant_node(trace, 1.0, node.shape, wide.type.dtype), wide), dtype)


def _scaled(numerator: float, denominator: float) -> Lowered:
    """Multiplication by a quotient that is computed in the dtype itself, as NumPy's C code does."""

    def lower(trace: Trace, node: Node) -> Node:
        kind = node.type.dtype.numpy.type
        return trace.add(
            p.MULTIPLY,
            node,
            constant_node(trace, float(kind(numerator) / kind(denominator)), node.shape, node.type.dtype),
        )

    return lower


def known_number(node: Node) -> bool | int | float | None:
    """The value of a constant node; None for any other."""
    value = node.kwargs["value"] if node.op is FULL else None
    return value if isinstance(value, (bool, int, float)) else None


def power(trace: Trace, base: Node, exponent: Node) -> Node:
    """Powers with one exponent for each element, or a known one. See Note [Uniform exponents]."""
    known = known_number(exponent)
    if base.type.dtype.is_integer and known is not None and known < 0:
        raise RAISES.stop(error="ValueError: Integers to negative integer powers are not allowed.")
    if known is None or base.type.dtype.is_integer:
        return trace.add(p.POWER, base, exponent)
    if known == 0.5:
        return trace.add(p.SQRT, base)
    if known == -1.0:
        return _reciprocal(trace, base)
    short_cut = {1.0: base, 2.0: trace.add(p.MULTIPLY, base, base)}
    return short_cut.get(known) or trace.add(p.POWER, base, exponent)


def scalar_power(trace: Trace, base: Node, exponent: Node) -> Node:
    """Powers as NumPy's scalars and `np.float_power` compute them: never by a square root."""
    if known_number(exponent) == 0.5:
        return trace.add(p.POWER, base, exponent)
    return power(trace, base, exponent)


def selecting_power(trace: Trace, base: Node, exponent: Node) -> Node:
    """Powers with one exponent that is known at run time only."""
    half = trace.add(p.EQUAL, exponent, constant_node(trace, 0.5, exponent.shape, exponent.type.dtype))
    return trace.add(p.WHERE, half, trace.add(p.SQRT, base), trace.add(p.POWER, base, exponent))


def _clip(trace: Trace, node: Node, low: Node, high: Node) -> Node:
    """`node if low < node else low`, then the same with `high`; NaN stays. So NumPy's loop with arrays of bounds."""
    if node.type.dtype.is_bool:
        return trace.add(p.MINIMUM, trace.add(p.MAXIMUM, node, low), high)
    raised = trace.add(p.WHERE, _kept(trace, low, node, node), node, low)
    return trace.add(p.WHERE, _kept(trace, raised, high, raised), raised, high)


def clip_to_numbers(trace: Trace, node: Node, low: Node, high: Node) -> Node:
    """The clipped node, as NumPy's loop for two numbers clips: it leaves what equals a bound, and so a zero's sign."""
    if not node.type.dtype.is_float:
        return _clip(trace, node, low, high)
    node = trace.add(p.WHERE, _kept(trace, node, low, low), low, node)
    return trace.add(p.WHERE, _kept(trace, high, node, high), high, node)


def _kept(trace: Trace, smaller: Node, larger: Node, value: Node) -> Node:
    less = trace.add(p.LESS, smaller, larger)
    return trace.add(p.BITWISE_OR, less, trace.add(p.ISNAN, value)) if value.type.dtype.is_float else less


def _ignoring_nan(op: OpDef) -> Lowered:
    """`fmax` and `fmin`: the other operand where one is NaN."""

    def lower(trace: Trace, left: Node, right: Node) -> Node:
        both = trace.add(op, left, right)
        if not left.type.dtype.is_float:
            return both
        either = trace.add(p.WHERE, trace.add(p.ISNAN, right), left, both)
        return trace.add(p.WHERE, trace.add(p.ISNAN, left), right, either)

    return lower


def _fmod(trace: Trace, left: Node, right: Node) -> Node:
    """C's fmod: the remainder of the magnitudes, which is exact, with the sign of the dividend."""
    if not left.type.dtype.is_float:
        raise NUMPY_ARGUMENT.stop(name="np.fmod", argument="integers")
    rest = trace.add(p.REMAINDER, trace.add(p.ABSOLUTE, left), trace.add(p.ABSOLUTE, right))
    return trace.add(p.COPYSIGN, rest, left)


def _signbit(trace: Trace, node: Node) -> Node:
    zero, one = (constant_node(trace, value, node.shape, node.type.dtype) for value in (0.0, 1.0))
    return trace.add(p.LESS, trace.add(p.COPYSIGN, one, node), zero)


def _heaviside(trace: Trace, node: Node, at_zero: Node) -> Node:
    zero, one = (constant_node(trace, value, node.shape, node.type.dtype) for value in (0.0, 1.0))
    sided = trace.add(p.WHERE, trace.add(p.LESS, node, zero), zero, one)
    known = trace.add(p.WHERE, trace.add(p.EQUAL, node, zero), at_zero, sided)
    return trace.add(p.WHERE, trace.add(p.ISNAN, node), node, known)


def _logaddexp(trace: Trace, left: Node, right: Node) -> Node:
    """The larger plus log1p(exp(-distance)). Equal operands, infinities too, give themselves plus log(2)."""
    dtype = left.type.dtype
    distance = trace.add(p.ABSOLUTE, trace.add(p.SUBTRACT, left, right))
    tail = trace.add(p.LOG1P, trace.add(p.EXP, trace.add(p.NEGATIVE, distance)))
    far = trace.add(p.ADD, trace.add(p.MAXIMUM, left, right), tail)
    near = trace.add(p.ADD, left, constant_node(trace, float(dtype.numpy.type(np.log(2.0))), left.shape, dtype))
    return trace.add(p.WHERE, trace.add(p.EQUAL, left, right), near, far)


def _identity(trace: Trace, node: Node) -> Node:
    return node


def _absolute(trace: Trace, node: Node) -> Node:
    return node if node.type.dtype.is_bool or node.type.dtype.kind == "u" else trace.add(p.ABSOLUTE, node)


def _rounding(op: OpDef) -> Lowered:
    return lambda trace, node: trace.add(op, node) if node.type.dtype.is_float else node


def _classify(op: OpDef, for_integers: bool) -> Lowered:
    def lower(trace: Trace, node: Node) -> Node:
        if node.type.dtype.is_float:
            return trace.add(op, node)
        return constant_node(trace, for_integers, node.shape, dtypes.bool_)

    return lower


def _comparison(op: OpDef, *, swapped: bool = False) -> Lowered:
    """A comparison; the only mixed pair NumPy compares as it is, int64 with uint64, goes through uint64."""

    def lower(trace: Trace, left: Node, right: Node) -> Node:
        if swapped:
            left, right = right, left
        if left.type.dtype is right.type.dtype:
            return trace.add(op, left, right)
        signed_first = left.type.dtype is dtypes.int64
        signed = left if signed_first else right
        compared = trace.add(op, cast(trace, left, dtypes.uint64), cast(trace, right, dtypes.uint64))
        negative = trace.add(p.LESS, signed, constant_node(trace, 0, signed.shape, dtypes.int64))
        if op is p.NOT_EQUAL or (signed_first and op in (p.LESS, p.LESS_EQUAL)):
            return trace.add(p.BITWISE_OR, negative, compared)
        return trace.add(p.BITWISE_AND, trace.add(p.INVERT, negative), compared)

    return lower


WARNS_OF_OUT = (np.maximum, np.minimum)
"""Ufuncs that NumPy warns of where an output is given by position."""
UFUNCS: dict[np.ufunc, Lowered] = {
    np.add: _by_kind(p.ADD),
    np.subtract: _op(p.SUBTRACT),
    np.multiply: _by_kind(p.MULTIPLY),
    np.true_divide: _op(p.DIVIDE),
    np.floor_divide: _op(p.FLOOR_DIVIDE),
    np.remainder: _op(p.REMAINDER),
    np.power: power if NUMPY.power_loop_knows_roots else scalar_power,
    np.negative: _op(p.NEGATIVE),
    np.positive: _identity,
    np.absolute: _absolute,
    np.fabs: _absolute,
    np.sign: _op(p.SIGN),
    np.square: lambda trace, node: trace.add(p.MULTIPLY, node, node),
    np.reciprocal: _reciprocal,
    np.sqrt: _op(p.SQRT),
    np.maximum: _op(p.MAXIMUM),
    np.minimum: _op(p.MINIMUM),
    CLIP: _clip,
    np.fmax: _ignoring_nan(p.MAXIMUM),
    np.fmin: _ignoring_nan(p.MINIMUM),
    np.fmod: _fmod,
    np.copysign: _op(p.COPYSIGN),
    np.signbit: _signbit,
    np.heaviside: _heaviside,
    np.float_power: scalar_power,
    np.logaddexp: _logaddexp,
    np.conjugate: _identity,
    np.exp: _op(p.EXP),
    np.expm1: _op(p.EXPM1),
    np.exp2: _op(p.EXP2),
    np.log: _op(p.LOG),
    np.log1p: _op(p.LOG1P),
    np.log2: _op(p.LOG2),
    np.log10: _op(p.LOG10),
    np.sin: _op(p.SIN),
    np.cos: _op(p.COS),
    np.tan: _op(p.TAN),
    np.arcsin: _op(p.ARCSIN),
    np.arccos: _op(p.ARCCOS),
    np.arctan: _op(p.ARCTAN),
    np.arctan2: _op(p.ARCTAN2),
    np.sinh: _op(p.SINH),
    np.cosh: _op(p.COSH),
    np.tanh: _op(p.TANH),
    np.floor: _rounding(p.FLOOR),
    np.ceil: _rounding(p.CEIL),
    np.trunc: _rounding(p.TRUNC),
    np.rint: _op(p.RINT),
    np.equal: _comparison(p.EQUAL),
    np.not_equal: _comparison(p.NOT_EQUAL),
    np.less: _comparison(p.LESS),
    np.less_equal: _comparison(p.LESS_EQUAL),
    np.greater: _comparison(p.LESS, swapped=True),
    np.greater_equal: _comparison(p.LESS_EQUAL, swapped=True),
    np.isnan: _classify(p.ISNAN, False),
    np.isinf: _classify(p.ISINF, False),
    np.isfinite: _classify(p.ISFINITE, True),
    np.logical_and: _logical(p.BITWISE_AND),
    np.logical_or: _logical(p.BITWISE_OR),
    np.logical_xor: _logical(p.BITWISE_XOR),
    np.logical_not: _logical(p.INVERT),
    np.bitwise_and: _op(p.BITWISE_AND),
    np.bitwise_or: _op(p.BITWISE_OR),
    np.bitwise_xor: _op(p.BITWISE_XOR),
    np.invert: _op(p.INVERT),
    np.left_shift: _op(p.LEFT_SHIFT),
    np.right_shift: _op(p.RIGHT_SHIFT),
    np.deg2rad: _scaled(np.pi, 180.0),
    np.radians: _scaled(np.pi, 180.0),
    np.rad2deg: _scaled(180.0, np.pi),
    np.degrees: _scaled(180.0, np.pi),
}
