"""Statements of a region where no loop is: a kernel of its own for what has no other form in the graph."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ...core import dtypes
from ...graph.node import Node
from ..breaks import ARRAY_VALUE, UNKNOWN_VALUE, GraphBreak
from ..tracing.nodes import cast
from ..values.arrays.array import ArrayValue, result
from ..values.base import Value
from ..values.constant import Constant
from ..values.numbers.computed import ComputedNumber
from ..values.numbers.input_scalar import InputNumber
from .builder import Region
from .finish import finish_region
from .numbers import arithmetic
from .numbers.arithmetic import COMPARISONS, EXACT, MIRRORED, is_python_number, is_symbolic, number_node

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..tracing.trace import Trace
    from ..values.arrays.array import Storage
    from .builder import Region


def computed(trace: Trace, compute: Callable[[Region], list[Node]]) -> list[Node]:
    """The numbers that `compute` gives while it writes statements, into the region at hand or one of its own."""
    if trace.region is not None:
        return compute(trace.region)
    region = trace.region = Region(trace, (None, -1))
    try:
        return finish_region(region, compute(region))
    finally:
        trace.region = None


def is_computed(value: Value) -> bool:
    """Whether a value is a number that kernels compute: Python's, or an element of an array of NumPy's numbers."""
    if isinstance(value, ArrayValue):
        return value.is_numpy_scalar and not value.dtype.is_complex
    return isinstance(value, ComputedNumber) and value.python_type is not complex


def by_kernels(trace: Trace, *values: Value) -> bool:
    """Whether a function of these numbers is computed in the region at hand, or needs one of its own."""
    if trace.region is not None:
        return any(is_symbolic(trace, each) for each in values)
    return any(map(is_computed, values)) and all(map(_is_number, values))


def _is_number(value: Value) -> bool:
    return is_computed(value) or is_python_number(value)


def standalone_number(trace: Trace, compute: Callable[[], Value]) -> Value:
    """The number that `compute` gives by the rules of regions, which may leave the call to CPython.

    Errors: a break for one that those rules do not cover, or of which only the run can tell whether it is NumPy's.
    """
    if trace.region is not None:
        return compute()
    found: list[ComputedNumber | ArrayValue] = []

    def number(region: Region) -> list[Node]:
        made = compute()
        if not isinstance(made, (ComputedNumber, ArrayValue)):
            raise ARRAY_VALUE.stop(wanted="number")
        found.append(made)
        return [region.let_of(made.read(trace) if isinstance(made, ArrayValue) else made.node(trace))]

    try:
        (node,) = computed(trace, number)
    except GraphBreak as stop:
        if stop.kind is not UNKNOWN_VALUE:
            raise
        raise ARRAY_VALUE.stop(wanted="number") from None
    array = result(trace, node, is_numpy_scalar=True)
    return array if isinstance(found[0], ArrayValue) else ComputedNumber(array, found[0].bounds)


@contextmanager
def operation(trace: Trace, *written: Storage) -> Iterator[Region]:
    """A context in which statements of a region are written; `written` is memory from before it that they change.

    Within a loop that is a region it is that of the loop.
    """
    if trace.region is not None:
        yield trace.region
        return
    region = trace.region = Region(trace, (operation, 0))
    for storage in written:
        region.memory.take_over(storage)
    try:
        yield region
        finish_region(region, [])
    finally:
        trace.region = None


# The operators of Python numbers of which kernels compute one, in a region and outside.
def operate_unary(trace: Trace, name: str, value: ComputedNumber) -> Value:
    """`<name> value`. Errors: a break for an operator that kernels do not compute."""
    if name == "-":
        return standalone_number(trace, lambda: arithmetic.negate(trace, value))
    if name == "~" and value.python_type is int:
        return standalone_number(trace, lambda: arithmetic.operate(trace, "-", Constant(-1), value))
    raise value.unsupported(f"the operator `{name}`")


def operate(trace: Trace, name: str, left: Value, right: Value) -> Value | None:
    """`left <name> right`; None where the other one is no Python number."""
    if not (is_python_number(left) and is_python_number(right)):
        return None
    return standalone_number(trace, lambda: arithmetic.operate(trace, name, left, right))


def compare(trace: Trace, name: str, left: Value, right: Value) -> Value | None:
    """`left <name> right` for a comparison; None where no kernel compares as Python does."""
    in_region = None if trace.region is None else operate(trace, name, left, right)
    return _compared(trace, name, left, right) if in_region is None else in_region


def _compared(trace: Trace, name: str, left: Value, right: Value) -> Value | None:
    """`left <name> right` where one is computed; None where no kernel compares as Python does."""
    if name in MIRRORED:
        return _compared(trace, MIRRORED[name], right, left)
    kinds = {_kind(left), _kind(right)}
    if not kinds <= {float, int}:
        return None
    if kinds == {float, int} and not any(_is_small(each) for each in (left, right)):
        return None
    dtype = dtypes.float64 if float in kinds else dtypes.int64
    one, other = (cast(trace, number_node(trace, each), dtype) for each in (left, right))
    return ComputedNumber(result(trace, trace.add(COMPARISONS[name], one, other), is_numpy_scalar=True))


def _kind(value: Value) -> type | None:
    """The type of a number that has a node of 64 bits; None for all else."""
    if isinstance(value, Constant):
        fits = type(value.value) is not int or -(2**63) <= value.value < 2**63
        return type(value.value) if fits else None
    if type(value) is ComputedNumber and value.array.dtype not in (dtypes.float64, dtypes.int64):
        return None
    return value.python_type if type(value) in (ComputedNumber, InputNumber) else None


def _is_small(value: Value) -> bool:
    """Whether it is an int that float64 holds exactly."""
    return isinstance(value, Constant) and type(value.value) is int and abs(value.value) <= EXACT
