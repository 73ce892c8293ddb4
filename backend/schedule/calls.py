"""Calls: what a graph is lowered to, one after the other. Each kind is a class that answers for itself.

A kind of call is one file: its class, the function that schedules it, which `realises` registers for the op of its
nodes, and the steps of a launch plan that it becomes (see `launch.steps`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from ...core.records import dataclass
from ...graph.node import Node
from ...loop_ir.ir import Kernel
from ...ops.registry import OpDef
from ..evaluate.buffers import Buffer

if TYPE_CHECKING:
    from ..compile import CompiledGraph
    from .groups import GivenPlaces, Schedule

Realise = Callable[["Schedule", Node], None]

REALISED: dict[str, Realise] = {}
"""By the name of an op: the function that appends the steps of its nodes to a schedule."""
RESULTS: set[str] = set()
"""The ops whose nodes stand for one result of such a step, and get their places with it."""


def realises(op: OpDef, result: OpDef) -> Callable[[Realise], Realise]:
    """Registers the function that schedules nodes of `op` as steps of their own. Nodes of `result` stand for what these
    give."""

    def register(realise: Realise) -> Realise:
        REALISED[op.name] = realise
        RESULTS.add(result.name)
        return realise

    return register


class ScheduledStep(ABC):
    """One place in the order of execution: values that share a kernel, or a step of its own."""

    __slots__ = ()

    @abstractmethod
    def loads(self, places: GivenPlaces) -> set[Buffer]:
        """The memory that is read there."""


@dataclass(frozen=True, slots=True)
class NamedKernel:
    """A kernel that was generated: a name, the text that is compiled, and its loop IR."""

    name: str
    text: str
    loops: Kernel


class Call(ScheduledStep):
    """One call of a lowered graph. Each device has a function for each class of calls that says what runs one there."""

    __slots__ = ()

    @property
    @abstractmethod
    def buffers(self) -> Collection[Buffer]:
        """All memory that it reads or writes."""

    @abstractmethod
    def describe(self) -> list[str]:
        """Its lines in a report."""

    @property
    def work(self) -> int:
        """The number of additions that it does, about, while it keeps other Python threads from running."""
        return 0

    @property
    def settings(self) -> frozenset[str]:
        """The settings that say how a device computes it, such as `float32_matmul_precision`."""
        return frozenset()

    @property
    def kernel(self) -> NamedKernel | None:
        """The kernel that it runs, if one was generated for it."""
        return None

    @property
    def bodies(self) -> tuple[CompiledGraph, ...]:
        """The graphs that it runs."""
        return ()

    def loads(self, places: GivenPlaces) -> set[Buffer]:
        """The memory that it may read."""
        return set(self.buffers)


def describe_body(body: CompiledGraph) -> list[str]:
    """The lines of the calls of a body, indented."""
    return [f"  {line}" for call in body.calls for line in call.describe()]
