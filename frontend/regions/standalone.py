"""Statements of a region where no loop is: a kernel of its own for what has no other form in the graph."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ...graph.node import Node
from ..breaks import ARRAY_VALUE, UNKNOWN_VALUE, GraphBreak
from ..values.arrays.array import ArrayValue, result
from ..values.base import Value
from ..values.numbers.computed import ComputedNumber
from .builder import Region
from .numbers.arithmetic import is_python_number

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
        return region.finish(compute(region))
    finally:
        trace.region = None


def is_computed(value: Value) -> bool:
    """Whether a value is a number that kernels compute: Python's, or an element of an array of NumPy's numbers."""
    if isinstance(value, ArrayValue):
        return value.generic and not value.dtype.is_complex
    return isinstance(value, ComputedNumber) and value.python_type is not complex


def is_standalone(trace: Trace, *values: Value) -> bool:
    """Whether there is no region, and a function of these numbers needs one of its own."""
    return trace.region is None and any(map(is_computed, values)) and all(map(_is_number, values))


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
    array = result(trace, node, generic=True)
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
        region.take_over(storage)
    try:
        yield region
        region.finish([])
    finally:
        trace.region = None
