"""Python numbers that a region computes: arithmetic exactly as Python's, or the call goes back to Python.

An int is an int64 whose bounds are known where possible; a result that may not fit is checked. What Python raises for
(a zero divisor, a result that is no float any more) is checked too. See Note [Leaving a region].
"""

# Note [Leaving a region]
# A kernel that leaves a region has changed nothing that counts: it works on copies of what existed before the call.
# CPython then runs the whole call from its start, and comes to the same error, at the user's line, with everything
# written that the program writes before it.

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core import dtypes
from ....core.dtypes import DType
from ....core.records import dataclass
from ....core.sizes import Size, is_small, is_whole
from ....graph.node import Node
from ....ops import pointwise as p
from ....ops.creation import FULL
from ...breaks import LOOP_ARITHMETIC
from ...tracing.complex_numbers import joined, parts
from ...tracing.nodes import cast, constant_node
from ...tracing.speculation import unsupported_in_region
from ...values import protocols
from ...values.arrays.array import ArrayValue, result
from ...values.base import Value
from ...values.constant import Constant
from ...values.numbers.computed import INT64, Bounds, ComputedNumber
from ...values.numbers.input_complex import InputComplex
from ...values.numbers.input_scalar import InputNumber
from ...values.numbers.loop_varying import LoopVaryingNumber, combined
from ...values.numbers.symbolic_int import SymInt, whole
from .optional import Optional
from .python_or_numpy import PythonOrNumpyNumber

if TYPE_CHECKING:
    from ...tracing.trace import Trace
    from ..builder import Region

EXACT = 2**53
"""Up to here every int is a float64."""
KINDS: dict[type, DType] = {
    bool: dtypes.bool_, int: dtypes.int64, float: dtypes.float64, complex: dtypes.complex128,
}  # fmt: skip
COMPARISONS = {"<": p.LESS, "<=": p.LESS_EQUAL, "==": p.EQUAL, "!=": p.NOT_EQUAL}
MIRRORED = {">": "<", ">=": "<="}
_BITWISE = {"&": p.BITWISE_AND, "|": p.BITWISE_OR, "^": p.BITWISE_XOR}


def host_number(trace: Trace, node: Node, bounds: Bounds = INT64) -> ComputedNumber:
    """The Python number of the kind that the node's dtype stands for."""
    return ComputedNumber(result(trace, node, is_numpy_scalar=True), bounds)


def is_python_number(value: Value) -> bool:
    """Whether a value is a Python number, known or not."""
    if isinstance(value, Constant):
        return value.python_type in KINDS
    return isinstance(value, (ComputedNumber, InputNumber))


def number_node(trace: Trace, value: Value) -> Node:
    """A Python number as a node of rank 0: bool, int64, float64 or complex128."""
    if isinstance(value, ComputedNumber):
        return value.node(trace)
    if isinstance(value, InputNumber):
        if type(value.example) is bool:
            return constant_node(trace, value.truth(trace), (), dtypes.bool_)
        return value.node(trace)
    if isinstance(value, InputComplex):
        return joined(trace, *value.parts(trace))
    assert isinstance(value, Constant)
    return constant_node(trace, whole(value), (), KINDS[value.python_type])


def bounds_of(value: Value) -> Bounds:
    """Between which ints an int or a bool lies."""
    if isinstance(value, Optional):
        value = value.number
    if isinstance(value, ComputedNumber):
        return (0, 1) if value.python_type is bool else value.bounds
    if isinstance(value, Constant) and value.python_type is not complex:
        known: Any = whole(value)
        number: Any = known if isinstance(known, Size) else int(known)
        return number, number
    return INT64


def reach_of(region: Region, value: Value) -> Bounds:
    """The bounds of an int or a bool at the place that is being written: what checks and branches before have left."""
    value = value.number if isinstance(value, Optional) else value
    bounds = bounds_of(value)
    if isinstance(value, ComputedNumber) and not value.array.path:
        return region.facts.of(value.array.storage.node, bounds)
    return bounds


def operate(trace: Trace, name: str, left: Value, right: Value) -> Value:
    """`left <name> right` of Python numbers of which one at least is the region's."""
    region = trace.region
    if isinstance(left, LoopVaryingNumber) or isinstance(right, LoopVaryingNumber):
        return combined(trace, name, left, right)
    if region is None:
        raise left.unsupported(f"the operator `{name}`")
    if name in MIRRORED:
        return operate(trace, MIRRORED[name], right, left)
    kinds = {left.python_type, right.python_type}
    if complex in kinds:
        from .complex import operate as operate_complex

        return operate_complex(trace, region, name, left, right)
    if name in COMPARISONS:
        one, other = _alike(trace, region, left, right)
        made = trace.add(COMPARISONS[name], one, other)
        if float not in kinds:
            region.facts.note_relation(made, name, (one, bounds_of(left)), (other, bounds_of(right)))
        return host_number(trace, made)
    if name == "**":
        return protocols.power_of_numbers(trace, left, right)
    if name in _BITWISE and kinds == {bool}:
        return host_number(trace, trace.add(_BITWISE[name], number_node(trace, left), number_node(trace, right)))
    if name == "/" or float in kinds:
        return _floats(trace, region, name, left, right)
    return _ints(trace, region, name, left, right)


def _alike(trace: Trace, region: Region, left: Value, right: Value) -> tuple[Node, Node]:
    kinds = {left.python_type, right.python_type}
    as_kind = as_float if float in kinds else as_int
    return as_kind(trace, region, left), as_kind(trace, region, right)


def as_int(trace: Trace, region: Region, value: Value) -> Node:
    """An int or a bool as an int64."""
    return cast(trace, number_node(trace, value), dtypes.int64)


def as_float(trace: Trace, region: Region, value: Value) -> Node:
    """A number as a float64, which Python's conversion makes of it too: an int may not be too large for that."""
    node = number_node(trace, value)
    low, high = reach_of(region, value)
    if value.python_type is int and (low < -EXACT or high > EXACT):
        leave_unless_within(trace, region, node, -EXACT, EXACT)
    return cast(trace, node, dtypes.float64)


def leave_unless_within(trace: Trace, region: Region, node: Node, low: int, high: int, bounds: Bounds = INT64) -> None:
    """Leaves the region where an int64 of it is not in `low` to `high`; it may be what `bounds` say."""
    least, most = (constant_node(trace, bound, (), dtypes.int64) for bound in (low, high))
    node = region.let_of(node)
    known = region.facts.of(node, bounds)
    if known[0] < low and known[1] > high:  # one check does for both: what is too low is a large unsigned number
        above = cast(trace, trace.add(p.SUBTRACT, node, least), dtypes.uint64)
        region.leave_if(trace.add(p.LESS, constant_node(trace, high - low, (), dtypes.uint64), above))
    elif known[0] < low:
        region.leave_if(trace.add(p.LESS, node, least))
    elif known[1] > high:
        region.leave_if(trace.add(p.LESS, most, node))
    region.learn(node, (low, high))


def _leave_if_zero(trace: Trace, region: Region, node: Node) -> None:
    zero = constant_node(trace, 0, (), node.type.dtype)
    region.leave_if(trace.add(p.EQUAL, region.let_of(node), zero))


def _floats(trace: Trace, region: Region, name: str, left: Value, right: Value) -> Value:
    one, other = as_float(trace, region, left), as_float(trace, region, right)
    ops = {"+": p.ADD, "-": p.SUBTRACT, "*": p.MULTIPLY, "/": p.DIVIDE, "//": p.FLOOR_DIVIDE, "%": p.REMAINDER}
    if name not in ops:
        raise unsupported_in_region(f"the operator `{name}` of floats")
    if name in ("/", "//", "%") and not (isinstance(right, Constant) and whole(right) != 0):
        _leave_if_zero(trace, region, other)
    return host_number(trace, trace.add(ops[name], one, other))


@dataclass(frozen=True, slots=True)
class _IntOperands:
    """The two ints of an operator: as values, as nodes, and between which numbers each lies."""

    left: Value
    right: Value
    one: Node
    other: Node
    over: Bounds
    by: Bounds


def _ints(trace: Trace, region: Region, name: str, left: Value, right: Value) -> Value:
    over, by = reach_of(region, left), reach_of(region, right)
    ints = _IntOperands(left, right, as_int(trace, region, left), as_int(trace, region, right), over, by)
    rule = _INT_RULES.get(name)
    answer = None if rule is None else rule(trace, region, name, ints)
    if answer is None:
        raise LOOP_ARITHMETIC.stop(what=f"the operator `{name}` of such ints")
    return answer


def _int_sum(trace: Trace, region: Region, name: str, ints: _IntOperands) -> Value:
    """A sum or a difference; where it may not fit, the region is left."""
    plus, one, other, (a, b), (c, d) = name == "+", ints.one, ints.other, ints.over, ints.by
    bounds = (a + c, b + d) if plus else (a - d, b - c)
    made = trace.add(p.ADD if plus else p.SUBTRACT, _sized(region, one), _sized(region, other))
    region.note_sum(made, one, other, 1 if plus else -1)
    if not _fits(bounds):
        known = next((whole(each) for each in (ints.right, ints.left) if isinstance(each, Constant)), None)
        if type(known) is int:
            rest, limits = _limits(one, other, known, name, leads=isinstance(ints.left, Constant))
            leave_unless_within(trace, region, rest, *limits)
        else:
            _leave_if_wrapped(trace, region, one, other, made, plus=plus)
    return host_number(trace, made, _clipped(bounds))


def _int_product(trace: Trace, region: Region, name: str, ints: _IntOperands) -> Value:
    corners = [x * y for x in ints.over for y in ints.by]
    bounds = min(corners), max(corners)
    if not _fits(bounds):
        _leave_if_product_is_large(trace, region, ints.one, ints.other)
    made = trace.add(p.MULTIPLY, ints.one, ints.other)
    for known, factor in ((ints.left, ints.other), (ints.right, ints.one)):
        if isinstance(known, Constant) and not isinstance(known, SymInt):
            region.note_sum(made, constant_node(trace, 0, (), dtypes.int64), factor, int(known.value))
    return host_number(trace, made, _clipped(bounds))


def _int_quotient(trace: Trace, region: Region, name: str, ints: _IntOperands) -> Value:
    """A quotient or a remainder; the region is left for a zero, and for the one quotient that does not fit."""
    least, greatest = ints.by
    if least <= 0 <= greatest:
        _leave_if_zero(trace, region, ints.other)
    if ints.over[0] == INT64[0] and least <= -1 <= greatest:
        minus_one = constant_node(trace, -1, (), dtypes.int64)
        region.leave_if(trace.add(p.EQUAL, region.let_of(ints.other), minus_one))
    made = trace.add(p.FLOOR_DIVIDE if name == "//" else p.REMAINDER, ints.one, ints.other)
    return host_number(trace, made, _quotient_bounds(name, ints.over, ints.by))


def _int_bits(trace: Trace, region: Region, name: str, ints: _IntOperands) -> Value:
    bounds = INT64
    if name == "&" and min(ints.over[0], ints.by[0]) >= 0:
        bounds = 0, min(ints.over[1], ints.by[1])
    return host_number(trace, trace.add(_BITWISE[name], ints.one, ints.other), bounds)


def _int_shift(trace: Trace, region: Region, name: str, ints: _IntOperands) -> Value | None:
    """A shift; None where bits may be lost, or the distance is none that an int64 can be shifted by."""
    (a, b), (least, greatest) = ints.over, ints.by
    if not (0 <= least and greatest < 63):
        return None
    if name == ">>":
        return host_number(trace, trace.add(p.RIGHT_SHIFT, ints.one, ints.other), (min(a, 0), max(b, 0)))
    if _fits((a << greatest, b << greatest)) and a >= 0:
        return host_number(trace, trace.add(p.LEFT_SHIFT, ints.one, ints.other), (0, b << greatest))
    return None


_INT_RULES: dict[str, Callable[[Trace, Region, str, _IntOperands], Value | None]] = {
    "+": _int_sum, "-": _int_sum, "*": _int_product, "//": _int_quotient, "%": _int_quotient,
    "&": _int_bits, "|": _int_bits, "^": _int_bits, "<<": _int_shift, ">>": _int_shift,
}  # fmt: skip


def _sized(region: Region, node: Node) -> Node:
    """A known int as a size of the region, so that the kernel does not depend on it; a small one as it is."""
    value = node.kwargs["value"] if node.op is FULL else 0
    return region.integer(value) if is_whole(value) and not is_small(value) else node  # type: ignore[arg-type]


def _fits(bounds: Bounds) -> bool:
    return INT64[0] <= bounds[0] and bounds[1] <= INT64[1]


def _clipped(bounds: Bounds) -> Bounds:
    return max(bounds[0], INT64[0]), min(bounds[1], INT64[1])


def _quotient_bounds(name: str, over: Bounds, by: Bounds) -> Bounds:
    if name == "%":
        return (0, by[1] - 1) if by[0] > 0 else (by[0] + 1, 0) if by[1] < 0 else INT64
    if by[0] > 0:
        corners = [x // y for x in over for y in by]
        return min(corners), max(corners)
    return INT64


def _limits(one: Node, other: Node, known: int, name: str, *, leads: bool) -> tuple[Node, Bounds]:
    """The operand that is not known of a sum or difference, and between which numbers it does not wrap."""
    low, high = INT64
    if name == "+":
        return (other if leads else one), (low - min(known, 0), high - max(known, 0))
    if not leads:
        return one, (low + max(known, 0), high + min(known, 0))
    return other, (max(known - high, low), min(known - low, high))


def _leave_if_wrapped(trace: Trace, region: Region, left: Node, right: Node, made: Node, *, plus: bool) -> None:
    """Leaves where a sum or a difference has left int64: its sign then contradicts those of the operands."""
    made = region.let_of(made)
    first = trace.add(p.BITWISE_XOR, left, made)
    second = trace.add(p.BITWISE_XOR, right, made) if plus else trace.add(p.BITWISE_XOR, region.let_of(left), right)
    both = trace.add(p.BITWISE_AND, region.let_of(first), second)
    region.leave_if(trace.add(p.LESS, both, constant_node(trace, 0, (), dtypes.int64)), made)


def _leave_if_product_is_large(trace: Trace, region: Region, left: Node, right: Node) -> None:
    """Leaves where a product may not fit: its float64 says so, with room for the rounding."""
    size = trace.add(p.MULTIPLY, region.let_of(cast(trace, left, dtypes.float64)), cast(trace, right, dtypes.float64))
    limit = constant_node(trace, 2.0**62, (), dtypes.float64)
    region.leave_if(trace.add(p.LESS, limit, trace.add(p.ABSOLUTE, size)))


def negate(trace: Trace, value: Value) -> Value:
    """`-value`."""
    if value.python_type is complex:
        real, imag = (trace.add(p.NEGATIVE, each) for each in parts(trace, number_node(trace, value)))
        return host_number(trace, joined(trace, real, imag))
    if value.python_type is float:
        return host_number(trace, trace.add(p.NEGATIVE, number_node(trace, value)))
    return operate(trace, "-", Constant(0), value)


def opposite(trace: Trace, value: Value) -> Value:
    """`not value`, as a bool of the region."""
    return host_number(trace, trace.add(p.INVERT, condition(trace, value)))


def condition(trace: Trace, value: Value) -> Node:
    """`bool(value)` as a bool of the region, of a Python number or a NumPy scalar."""
    if isinstance(value, PythonOrNumpyNumber):
        value = value.array
    node = value.read(trace) if isinstance(value, ArrayValue) else number_node(trace, value)
    if node.type.dtype.is_bool:
        return node
    if node.type.dtype.is_complex or node.type.dtype.is_narrow:
        return cast(trace, node, dtypes.bool_)
    return trace.add(p.NOT_EQUAL, node, constant_node(trace, 0, (), node.type.dtype))


def is_symbolic(trace: Trace, value: Value | None) -> bool:
    """Whether a value is a number that is not known, while a region is written."""
    if trace.region is None:
        return False
    return (
        isinstance(value, (ComputedNumber, PythonOrNumpyNumber))
        or isinstance(value, ArrayValue)
        and value.is_numpy_scalar
    )


def is_of_region(trace: Trace, value: Value | None) -> bool:
    """Whether a value is a number that the region computes."""
    if trace.region is None:
        return False
    if isinstance(value, Optional):
        value = value.present
    if isinstance(value, (ComputedNumber, PythonOrNumpyNumber)):
        value = value.array
    return isinstance(value, ArrayValue) and not value.path and trace.region.depends(value.storage.node)


_HOLD_INTS = (dtypes.int64, dtypes.float64)
"""Dtypes to which NumPy converts any int of 64 bits as kernels do."""


def as_operand_of(trace: Trace, value: ComputedNumber, dtype: DType) -> Node:
    """A Python number beside NumPy ones, of whose dtype it becomes. The region is left for an int that does not fit."""
    region = trace.region
    node = value.node(trace)
    if region is None and (
        value.python_type is float and dtype.is_float or value.python_type is int and dtype in _HOLD_INTS
    ):
        return cast(trace, node, dtype)
    if region is None:
        raise unsupported_in_region("array arithmetic")
    if value.python_type is int and dtype.is_integer and dtype is not dtypes.int64:
        leave_unless_within(trace, region, node, *_range_of(dtype))
    return cast(trace, node, dtype)


def _range_of(dtype: DType) -> Bounds:
    info = np.iinfo(dtype.numpy)
    return int(info.min), min(int(info.max), INT64[1])
