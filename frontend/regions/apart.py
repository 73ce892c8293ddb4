"""Statements of a region where no loop is: a kernel of its own for what has no other form in the graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...graph.node import Node
from ..values.array import result
from ..values.base import Value
from ..values.host_number import HostNumber

if TYPE_CHECKING:
    from ..trace import Trace
    from .builder import Region


def computed(trace: Trace, compute: Callable[[Region], list[Node]]) -> list[Node]:
    """The numbers that `compute` gives while it writes statements, into the region at hand or one of its own."""
    from .builder import Region

    if trace.region is not None:
        return compute(trace.region)
    region = trace.region = Region(trace, (None, -1))
    try:
        return region.finish(compute(region))
    finally:
        trace.region = None


def number_apart(trace: Trace, compute: Callable[[], Value]) -> Value:
    """The Python number that `compute` gives by the rules of regions, which may leave the call to CPython."""
    if trace.region is not None:
        return compute()
    found: list[HostNumber] = []

    def number(region: Region) -> list[Node]:
        made = compute()
        assert isinstance(made, HostNumber)
        found.append(made)
        return [region.let_of(made.array.read(trace))]

    (node,) = computed(trace, number)
    return HostNumber(result(trace, node, generic=True), found[0].bounds)
