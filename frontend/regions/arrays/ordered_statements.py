"""Statements that are written for one index after the other, or where a condition holds."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from ....core import dtypes
from ....graph.node import Node
from ....loop_ir.ir import Count, If
from ....ops import pointwise as p
from ...tracing.nodes import constant_node
from .sizes import Size, amount
from .views import Index

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...tracing.trace import Trace


# Loops whose iterations have an order.
@contextmanager
def in_order(trace: Trace, shape: tuple[Size, ...]) -> Iterator[Index]:
    """A context in which statements are written for every index of a shape, one after the other, row by row."""
    region = trace.region
    assert region is not None
    index: Index = []
    with ExitStack() as loops:
        for size in shape:
            index.append(loops.enter_context(counted(trace, size)))
        yield index


@contextmanager
def counted(trace: Trace, size: Size) -> Iterator[Node]:
    """A context in which statements are written for every number below a size, one after the other."""
    region = trace.region
    assert region is not None
    name, most = region.name("i"), amount(trace, size)
    with region.block() as body:
        yield region.local(name, dtypes.int64)
    region.put(Count(name, 0, most, 1, tuple(body)))


@contextmanager
def only_if(trace: Trace, condition: Node) -> Iterator[None]:
    """A context in which statements are written that run where a bool is true."""
    region = trace.region
    assert region is not None
    test = region.text(region.let_of(condition))
    with region.block() as body:
        yield
    region.put(If(test, tuple(body)))


class Counter:
    """A variable of the region that counts."""

    def __init__(self, trace: Trace) -> None:
        assert trace.region is not None
        self._trace = trace
        self._name = trace.region.variable(dtypes.int64, constant_node(trace, 0, (), dtypes.int64))

    def now(self) -> Node:
        """The number that it has got to, at this place."""
        assert self._trace.region is not None
        return self._trace.region.now(self._name, dtypes.int64)

    def advance(self, step: Node | None = None) -> None:
        """Adds one, or `step`."""
        trace, region = self._trace, self._trace.region
        assert region is not None
        more = trace.add(p.ADD, self.now(), constant_node(trace, 1, (), dtypes.int64) if step is None else step)
        region.assign(self._name, dtypes.int64, more)
