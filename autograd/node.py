"""Nodes, which the engine runs: each turns the gradients of its outputs into those of its inputs."""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from .error_notes import ANOMALY
from .handles import RemovableHandle, add_hook, new_hooks
from .raw_gradients import as_tensors

if TYPE_CHECKING:
    from ..tensor.tensor import Tensor

Gradients = tuple["Tensor | None", ...]
Edge = tuple["Node | None", int]
"""An edge of the graph: a node and the number of its output that a gradient belongs to; None where none is wanted."""
NO_EDGE: Edge = (None, 0)

next_sequence = itertools.count().__next__
"""The number of the next node of the process: of two nodes that are ready, the engine runs the later one first."""


class Node(ABC):
    """One step of a backward pass.

    A subclass sets `edges` and `sequence` and implements `apply`. Of a node that has several outputs, `apply` gets a
    gradient or None for each; `outputs` says how many there are.
    """

    __slots__ = ("__weakref__", "_metadata", "edges", "posthooks", "prehooks", "retaining", "sequence", "tensor_hooks")

    outputs: int = 1
    hidden: int = 0
    """The number of outputs, the last ones, that no tensor is: hooks on the node are not shown their gradients."""
    listed: tuple[str, ...] = ()
    """The names of the attributes with the records of what it keeps; without any, all of its slots are looked at."""
    _metadata: dict[Any, Any] | None
    edges: tuple[Edge, ...]
    """The edges along which the gradients that `apply` gives go, in order."""
    sequence: int
    prehooks: Any
    posthooks: Any
    tensor_hooks: dict[int, Any] | None
    """By output: the hooks on the tensor that is this output."""
    retaining: dict[int, Any] | None
    """By output: a weak reference to the tensor whose `.grad` shall get the gradient."""

    def __init__(self, edges: tuple[Edge, ...]) -> None:
        self.edges = edges
        self.sequence = next_sequence()
        self.prehooks = self.posthooks = self.tensor_hooks = self.retaining = self._metadata = None
        if ANOMALY.enabled:
            ANOMALY.annotate(self)

    @abstractmethod
    def apply(self, gradients: Gradients) -> Gradients:
        """One gradient or None for each edge, of one gradient or None for each output."""

    def step(self, cell: list[Any]) -> list[Any]:
        """The gradients that `apply` gives for those in `cell`, in a fresh list; both may be raw.

        See Note [Raw gradients].
        """
        gradients = tuple(as_tensors(cell))
        for each in gradients:
            call_by_call = getattr(type(each), "__guardlift_call_by_call__", None)
            if call_by_call is not None:  # of many calls of `vmap`, of which the node knows nothing
                return call_by_call(self.apply, gradients)  # type: ignore[no-any-return]
        return list(self.apply(gradients))

    def release(self) -> None:  # noqa: B027  (a node that saves nothing has nothing to drop)
        """Drops what was saved for backward; called when the node has run and the graph is not retained."""

    def name(self) -> str:
        """The name of the node in messages, such as ``MulBackward0``."""
        return type(self).__name__

    @property
    def next_functions(self) -> tuple[Edge, ...]:
        """For each input the node that computed it and which of its outputs that is; None for an input without grad."""
        return self.edges

    @property
    def metadata(self) -> dict[Any, Any]:
        """A dict for the user, which lives as long as the node."""
        if self._metadata is None:
            self._metadata = {}
        return self._metadata

    def register_prehook(self, hook: Callable[[Gradients], Any]) -> RemovableHandle:
        """Registers ``hook(grad_outputs)``, which runs before the node; a tuple from it takes their place."""
        if self.prehooks is None:
            self.prehooks = new_hooks()
        return add_hook(self.prehooks, hook)

    def register_hook(self, hook: Callable[[Gradients, Gradients], Any]) -> RemovableHandle:
        """Registers ``hook(grad_inputs, grad_outputs)``, which runs after the node; a tuple replaces `grad_inputs`."""
        if self.posthooks is None:
            self.posthooks = new_hooks()
        return add_hook(self.posthooks, hook)

    def __repr__(self) -> str:
        return f"<{self.name()} object at {id(self):#x}>"


def reached(roots: Iterable[Node | None]) -> Iterator[Node]:
    """The nodes that can be reached from `roots`, these included, each once; a None is passed over."""
    seen: set[Node] = set()
    waiting = list(roots)
    while waiting:
        node = waiting.pop()
        if node is not None and node not in seen:
            seen.add(node)
            waiting += [following for following, _ in node.edges]
            yield node
