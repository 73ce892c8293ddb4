"""Effects of a compiled backward besides giving gradients, where a custom function's own backward is part of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..autograd.engine import GraphTask
from ..autograd.node import Edge, Gradients, Node
from ..core.devices.arrays import ARRAY_TYPES
from ..core.errors import GuardliftError
from ..core.records import dataclass
from ..graph.aot.mutation import MemoryInfo
from .backward_passes import refused
from .recorded_passes import RecordedPasses


class StaleBackwardError(GuardliftError, RuntimeError):
    """A custom backward that was compiled with its forward relied on something that has changed since."""


class BackwardWriteError(GuardliftError, RuntimeError):
    """A compiled custom backward cannot make its in-place writes in this backward pass. Nothing was written."""


@dataclass(frozen=True, slots=True)
class DeferredWrite:
    """A write that backward makes.

    place:  of the memory, among the backward plan's inputs.   name: what the user calls it.
    count:  by how much the version of the tensor goes up.
    tracked: whether that tensor requires grad.
    """

    place: int
    name: str
    count: int
    tracked: bool


@dataclass(frozen=True, slots=True, eq=False)
class Later:
    """Facts about the custom functions on the way, once their backward has been traced.

    names:   of the functions, and of hooks on tensors, for messages.
    holds:   asks whether all that the trace relied on is still so.   fetch: reads what their backward computes with.
    writes:  in-place writes into memory that was there before.
    tracked: the numbers, among the writes, of those to tensors that require grad: refused under create_graph.
    leads:   of each function, the edges that its gradients get to.
    taken:   the roots whose gradients a function writes into, which are not the caller's any more then.
    memory:  what was known of the memory from outside before the backward pass, and after it.
    recorded: the backward passes that have a history; None where there is none to be had.
    """

    names: str
    holds: Callable[[], bool]
    fetch: Callable[[], Sequence[Any]]
    writes: tuple[DeferredWrite, ...]
    tracked: tuple[int, ...]
    leads: tuple[frozenset[int], ...]
    taken: tuple[int, ...]
    memory: tuple[MemoryInfo, ...]
    memory_after: tuple[MemoryInfo, ...]
    recorded: RecordedPasses | None = None

    def check(self, create_graph: bool, task: GraphTask | None, edges: Sequence[Edge]) -> None:
        """Sees to it that backward may run. Errors: `StaleBackwardError`, `BackwardWriteError`; nothing is written."""
        if self.tracked and create_graph:
            which = ", ".join(f"{number} ({self.writes[number].name})" for number in self.tracked)
            raise BackwardWriteError(
                "a custom backward in a jitted function has input mutations with requires_grad in backward for "
                f"create_graph=True, which nothing could record: of its writes, number {which}. Write a detach() of "
                "the tensor, or call backward without create_graph"
            )
        if not self.holds():
            raise StaleBackwardError(
                f"{self.names} was compiled together with forward, and something that is read there "
                "outside (a global, a variable of an enclosing function, an attribute) has changed since; keep it as "
                "it is between forward and backward, put it on ctx, or call the function without gl.jit "
                "(function.__wrapped__)"
            )
        if self.writes and task is not None and task.runs is not None:
            self._check_needed(task, edges)

    def _check_needed(self, task: GraphTask, edges: Sequence[Edge]) -> None:
        """Errors: `BackwardWriteError` where eager mode would leave out a function that writes."""
        needed = {number for number, (node, _) in enumerate(edges) if task.reaches(node)}
        if any(needed.isdisjoint(each) for each in self.leads):
            names = ", ".join(each.name for each in self.writes)
            raise BackwardWriteError(
                f"a gradient for some tensors only was asked for, which not all of these lead to: {self.names}; that "
                f"was compiled as a whole, and writes into {names}. Call the function without gl.jit "
                "(function.__wrapped__)"
            )

    def refuse_shared_places(self, gradients: Sequence[Any]) -> None:
        """Errors: RuntimeError for a gradient that is written and has several elements in one place, as eager mode."""
        for gradient in (gradients[number] for number in self.taken):
            if gradient is not None and not gradient.is_sparse and 0 in _steps(gradient._array):
                raise BackwardWriteError(
                    "unsupported operation: more than one element of the written-to tensor refers to a single memory "
                    f"location: {self.names} writes into the gradient that it is given, which was "
                    "expanded. Please clone() the tensor before performing the operation"
                )

    def refuse_overlap(self, arrays: Sequence[Any]) -> None:
        """Errors: `BackwardWriteError` where memory that is written is read under another name."""
        for write in self.writes:
            others = [each for place, each in enumerate(arrays) if place != write.place]
            others = [each for each in others if isinstance(each, ARRAY_TYPES)]
            if any(np.may_share_memory(arrays[write.place], each) for each in others):
                raise BackwardWriteError(
                    f"{self.names} writes into {write.name}, which shares memory with another tensor "
                    "that backward reads; pass a clone() of one of them, or call the function without gl.jit "
                    "(function.__wrapped__)"
                )


class SecondOrder(Node):
    """Stands where a gradient ends that compiled custom functions gave under create_graph."""

    __slots__ = ("outputs",)

    def __init__(self, edges: Any, outputs: int) -> None:
        super().__init__(edges)
        self.outputs = outputs

    def apply(self, gradients: Gradients) -> Gradients:
        """Errors: `SecondOrderError`, always."""
        raise refused("custom functions are part of it")

    def name(self) -> str:
        """The name of the node in messages."""
        return "CompiledFunctionDoubleBackward"


def _steps(array: np.ndarray[Any, Any]) -> list[int]:
    """The strides of the axes along which there is more than one element."""
    return [step for step, size in zip(array.strides, array.shape, strict=True) if size > 1]
