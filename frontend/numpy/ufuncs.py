"""Ufuncs: promotion by NumPy's own resolver, broadcasting, `out=`, and what each becomes in primitives."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core import dtypes
from ...core.dtypes import DType
from ...graph.node import Node
from ...guards.guard import Outcome
from ...guards.sources import Computed
from ...ops import pointwise as p
from ...ops.creation import FULL
from ...ops.registry import OpDef
from ..breaks import DTYPE, NUMPY_ARGUMENT, RAISES
from ..callables import Rule, numpy_errors, traces_family
from ..values.array import ArrayValue, Ints, Twin, expand, result
from ..values.base import Value
from ..values.constant import Constant
from ..values.containers import Sequence, TupleValue
from ..values.scalar import Scalar, binary, rely_on_types
from .layout import kept_order

if TYPE_CHECKING:
    from ..trace import Trace

# Note [Uniform exponents]
# NumPy's power loops compute x ** 0.5 as sqrt(x) when one exponent serves a whole inner loop, and so do the `**` operators of
# its array type. That differs from pow at -0.0 and at -inf. So a known exponent is lowered as NumPy computes it, a Python
# number from outside is guarded for being 0.5 or not, a NumPy scalar selects per call, and an array that is broadcast along
# some axes only is left to NumPy. (1, 2, -1 are exact short cuts of pow, of no consequence but speed.)

CLIP: np.ufunc = np._core.umath.clip  # what np.clip calls; it has no public name
Lowered = Callable[..., Node]


def _op(op: OpDef) -> Lowered:
    return lambda trace, *nodes: trace.add(op, *nodes)


def _by_kind(number: OpDef, logical: OpDef) -> Lowered:
    return lambda trace, *nodes: trace.add(logical if nodes[0].type.dtype.is_bool else number, *nodes)


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
        return trace.add(p.MULTIPLY, node, constant_node(trace, float(kind(numerator) / kind(denominator)), node.shape, node.type.dtype))

    return lower


def _power(trace: Trace, base: Node, exponent: Node) -> Node:
    """Powers with one exponent for each element, or a known one. See Note [Uniform exponents]."""
    known = exponent.kwargs["value"] if exponent.op is FULL else None
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


def _scalar_power(trace: Trace, base: Node, exponent: Node) -> Node:
    """Powers as NumPy's scalars compute them: never by a square root."""
    if exponent.op is FULL and exponent.kwargs["value"] == 0.5:
        return trace.add(p.POWER, base, exponent)
    return _power(trace, base, exponent)


def _selecting_power(trace: Trace, base: Node, exponent: Node) -> Node:
    """Powers with one exponent that is known at run time only."""
    half = trace.add(p.EQUAL, exponent, constant_node(trace, 0.5, exponent.shape, exponent.type.dtype))
    return trace.add(p.WHERE, half, trace.add(p.SQRT, base), trace.add(p.POWER, base, exponent))


def _clip(trace: Trace, node: Node, low: Node, high: Node) -> Node:
    """`low if node < low else node`, then the same with `high`; a NaN anywhere stays, as in NumPy's loop."""
    if node.type.dtype.is_bool:
        return trace.add(p.MINIMUM, trace.add(p.MAXIMUM, node, low), high)
    raised = trace.add(p.WHERE, _kept(trace, low, node, node), node, low)
    return trace.add(p.WHERE, _kept(trace, raised, high, raised), raised, high)


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


UFUNCS: dict[np.ufunc, Lowered] = {
    np.add: _by_kind(p.ADD, p.BITWISE_OR),
    np.subtract: _op(p.SUBTRACT),
    np.multiply: _by_kind(p.MULTIPLY, p.BITWISE_AND),
    np.true_divide: _op(p.DIVIDE),
    np.floor_divide: _op(p.FLOOR_DIVIDE),
    np.remainder: _op(p.REMAINDER),
    np.power: _power,
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
    np.float_power: _power,
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

OPERATORS: dict[str, np.ufunc] = {
    "+": np.add, "-": np.subtract, "*": np.multiply, "/": np.true_divide, "//": np.floor_divide, "%": np.remainder,
    "**": np.power, "<<": np.left_shift, ">>": np.right_shift, "&": np.bitwise_and, "|": np.bitwise_or,
    "^": np.bitwise_xor, "<": np.less, "<=": np.less_equal, "==": np.equal, "!=": np.not_equal, ">": np.greater,
    ">=": np.greater_equal,
}  # fmt: skip


def cast(trace: Trace, node: Node, dtype: DType) -> Node:
    """`node` in another dtype; itself when it has it."""
    return node if node.type.dtype is dtype else trace.add(p.CAST, node, dtype=dtype)


def constant_node(trace: Trace, value: Any, shape: Ints, dtype: DType) -> Node:
    """A constant of this dtype. Errors: a break where NumPy raises OverflowError."""
    if dtype.is_float:
        value = float(value)
    elif dtype.is_bool:
        value = bool(value)
    else:
        value = int(value)
        info = np.iinfo(dtype.numpy)
        if not info.min <= value <= info.max:
            raise RAISES.stop(error=f"OverflowError: {value} does not fit {dtype}")
    return trace.add(FULL, value=value, shape=shape, dtype=dtype)


def supported(dtype: Any) -> DType:
    """The kernel dtype of a NumPy dtype. Errors: a break when kernels do not compute with it."""
    found = dtypes.from_numpy(dtype)
    if found is None:
        raise DTYPE.stop(dtype=dtype)
    return found


def as_operand(trace: Trace, value: Value) -> Value:
    """An operand of array arithmetic: arrays and numbers as they are, sequences of them as arrays."""
    if isinstance(value, (ArrayValue, Scalar)) or (isinstance(value, Constant) and type(value.value) in (bool, int, float)):
        return value
    if isinstance(value, Sequence):
        from .creation import array_of

        return array_of(trace, value)
    raise value.unsupported("array arithmetic")


def promotion_type(value: Value) -> Any:
    """What the operand counts as in promotion: a dtype, or the Python type of a weak number."""
    if isinstance(value, ArrayValue):
        return value.twin.dtype
    kind = value.python_type
    return np.dtype(bool) if kind is bool else kind


def operand_node(trace: Trace, value: Value, dtype: DType, shape: Ints) -> Node:
    """The operand as a node of this dtype, broadcast to this shape."""
    if isinstance(value, Constant):
        return constant_node(trace, value.value, shape, dtype)
    if isinstance(value, Scalar):
        if type(value.example) is bool:
            return constant_node(trace, value.truth(trace), shape, dtype)
        if type(value.example) is int and dtype.is_integer:
            _fits(trace, value, dtype)
        return expand(trace, cast(trace, value.node(trace), dtype), shape)
    assert isinstance(value, ArrayValue)
    return expand(trace, cast(trace, value.read(trace), dtype), shape)


def _fits(trace: Trace, value: Scalar, dtype: DType) -> None:
    """Guards that a Python int stays in the range of a dtype. Errors: a break where NumPy raises OverflowError."""
    info = np.iinfo(dtype.numpy)
    if not info.min <= value.example <= info.max:
        raise RAISES.stop(error=f"OverflowError: {value.example} does not fit {dtype}")
    if dtype is not dtypes.int64:
        rely_on_types(trace, value.source)
        trace.guard(Outcome, Computed("{} <= {} <= {}", (int(info.min), value.source, int(info.max))), expected=True)


def operand_twin(value: Value) -> Twin:
    return value.twin if isinstance(value, ArrayValue) else np.zeros(())


def call_ufunc(
    trace: Trace, ufunc: np.ufunc, operands: list[Value], *, out: Value | None = None, dtype: Any = None, lowered: Lowered | None = None
) -> Value:
    """`ufunc(*operands, out=…)`. `lowered` replaces what the table says the ufunc becomes.

    Errors: a break for dtypes without kernels, or where NumPy raises.
    """
    operands = [as_operand(trace, each) for each in operands]
    target = target_array(out)
    loop, shape = _resolved(ufunc, operands, target, dtype)
    inputs = [supported(kind) for kind in loop[:-1]]
    supported(loop[-1])
    if target is not None and not fits(shape, target.shape):
        raise RAISES.stop(error="ValueError: the output does not have the broadcast shape")
    into = shape if target is None else target.shape
    lowered = lowered or UFUNCS[ufunc]
    if ufunc in (np.power, np.float_power):
        operands, lowered = _power_operands(trace, operands, into, lowered)
    outcome = _beyond_range(trace, ufunc, operands)
    if outcome is not None:
        node = constant_node(trace, outcome, into, dtypes.bool_)
    else:
        node = lowered(trace, *(operand_node(trace, value, kind, into) for value, kind in zip(operands, inputs, strict=True)))
    if target is not None:
        target.write(trace, cast(trace, node, target.dtype))
        return target
    strides = kept_order(shape, [operand_twin(each) for each in operands])
    return result(trace, node, strides, generic=not shape)


def fits(shape: Ints, target: Ints) -> bool:
    """Whether something of this shape broadcasts to the target shape."""
    with numpy_errors():
        return np.broadcast_shapes(shape, target) == target


def _resolved(ufunc: np.ufunc, operands: list[Value], target: ArrayValue | None, dtype: Any) -> tuple[tuple[np.dtype[Any], ...], Ints]:
    """The dtypes of NumPy's loop for these operands, and their broadcast shape."""
    wanted = [promotion_type(each) for each in operands]
    if all(kind in (int, float) for kind in wanted):
        wanted = [np.dtype(kind) for kind in wanted]
    given: dict[str, Any] = {"casting": "same_kind"}
    if dtype is not None:
        given["signature"] = (*[None] * len(operands), np.dtype(dtype))
    with numpy_errors():
        loop = ufunc.resolve_dtypes((*wanted, target.twin.dtype if target is not None else None), **given)
        return loop, np.broadcast_shapes(*(operand_twin(each).shape for each in operands))


COMPARISONS: dict[np.ufunc, Callable[[int, int], bool]] = {
    np.equal: operator.eq, np.not_equal: operator.ne, np.less: operator.lt, np.less_equal: operator.le,
    np.greater: operator.gt, np.greater_equal: operator.ge,
}  # fmt: skip


def _beyond_range(trace: Trace, ufunc: np.ufunc, operands: list[Value]) -> bool | None:
    """What a comparison of integers with a Python int outside of their range gives everywhere; None for anything else."""
    if ufunc not in COMPARISONS:
        return None
    for number, other, place in ((operands[0], operands[1], 0), (operands[1], operands[0], 1)):
        if isinstance(other, ArrayValue) and other.dtype.is_integer and not isinstance(number, ArrayValue) and number.python_type is int:
            side = side_of_range(trace, number, other.dtype)
            if side:
                return COMPARISONS[ufunc](side, 0) if place == 0 else COMPARISONS[ufunc](0, side)
    return None


def side_of_range(trace: Trace, number: Value, dtype: DType) -> int:
    """-1 for a Python int below the range of a dtype, 1 above it, 0 within."""
    info = np.iinfo(dtype.numpy)
    value = number.example if isinstance(number, Scalar) else number.constant(trace)
    if info.min <= value <= info.max:
        if isinstance(number, Scalar):
            _fits(trace, number, dtype)
        return 0
    if isinstance(number, Scalar):
        form, bound = ("{} < {}", info.min) if value < info.min else ("{} > {}", info.max)
        rely_on_types(trace, number.source)
        trace.guard(Outcome, Computed(form, (number.source, int(bound))), expected=True)
    return -1 if value < info.min else 1


def _power_operands(trace: Trace, operands: list[Value], shape: Ints, lowered: Lowered) -> tuple[list[Value], Lowered]:
    """See Note [Uniform exponents]."""
    base, exponent = operands
    if lowered is _scalar_power:
        return operands, lowered
    if isinstance(exponent, Scalar) and exponent.python_type is float:
        half = binary(trace, "==", exponent, Constant(0.5)).truth(trace)
        return [base, Constant(0.5) if half else exponent], lowered
    if not isinstance(exponent, ArrayValue) or not exponent.dtype.is_float:
        return operands, lowered
    if exponent.type.size == 1 and (not exponent.shape or np.prod(shape) != 1):
        return operands, _selecting_power
    if exponent.shape != shape or any(step == 0 and size > 1 for step, size in zip(exponent.twin.strides, shape, strict=True)):
        raise NUMPY_ARGUMENT.stop(name="a power", argument="an array of exponents that is broadcast")
    return operands, lowered


def target_array(out: Value | None) -> ArrayValue | None:
    """The array that an `out` argument names; None without one."""
    if isinstance(out, TupleValue) and len(out.items) == 1:
        out = out.items[0]
    if out is None or (isinstance(out, Constant) and out.value is None):
        return None
    if not isinstance(out, ArrayValue) or out.generic:
        raise NUMPY_ARGUMENT.stop(name="a ufunc", argument="an output that is not an array")
    return out


def array_operator(trace: Trace, name: str, left: Value, right: Value, *, in_place: bool = False) -> Value:
    """`left <name> right` where one side is an array or a NumPy scalar."""
    if name == "@":
        from .linear import matmul

        if in_place:
            raise NUMPY_ARGUMENT.stop(name="@=", argument="an in-place matrix product")
        return matmul(trace, left, right)
    if isinstance(left, Constant) and left.value is None or isinstance(right, Constant) and right.value is None:
        raise left.unsupported(f"the operator `{name}` with None")
    target = left if in_place and isinstance(left, ArrayValue) and not left.generic else None
    lowered = None
    if name == "**" and isinstance(left, ArrayValue):
        if left.generic and (not isinstance(right, ArrayValue) or right.generic):
            lowered = _scalar_power
        elif not left.generic and _is_two(trace, left, right):
            return call_ufunc(trace, np.square, [left], out=target)
    return call_ufunc(trace, OPERATORS[name], [left, right], out=target, lowered=lowered)


def _is_two(trace: Trace, base: ArrayValue, exponent: Value) -> bool:
    """Whether `**` squares. A number from outside is looked at only where a square has another dtype than a power."""
    if isinstance(exponent, Scalar):
        return base.dtype.is_bool and exponent.python_type is int and binary(trace, "==", exponent, Constant(2)).truth(trace)
    return isinstance(exponent, Constant) and type(exponent.value) is int and exponent.value == 2


def array_unary(trace: Trace, name: str, value: ArrayValue) -> Value:
    """`-array`, `+array`, `~array`."""
    return call_ufunc(trace, {"-": np.negative, "+": np.positive, "~": np.invert}[name], [value])


def _rule(ufunc: np.ufunc) -> Rule:
    def rule(trace: Trace, *args: Value, **kwargs: Value) -> Value:
        operands, extra = list(args[: ufunc.nin]), args[ufunc.nin :]
        if len(operands) != ufunc.nin or len(extra) > 1:
            raise RAISES.stop(error=f"TypeError: {ufunc.__name__}() takes {ufunc.nin} operands")
        out = kwargs.pop("out", extra[0] if extra else None)
        dtype = kwargs.pop("dtype", None)
        if kwargs:
            raise NUMPY_ARGUMENT.stop(name=f"np.{ufunc.__name__}", argument=f"the argument {next(iter(kwargs))!r}")
        wanted = None if dtype is None else dtype.constant(trace)
        return call_ufunc(trace, ufunc, operands, out=out, dtype=wanted)

    return rule


@traces_family
def find_ufunc(function: Any) -> Rule | None:
    """The rule for a ufunc in the table."""
    return _rule(function) if isinstance(function, np.ufunc) and function in UFUNCS else None
