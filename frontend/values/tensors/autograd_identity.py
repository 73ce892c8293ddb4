"""A tensor as the tape sees it, with its views: whether it requires grad, and how it is read while recording."""

# Note [Roots]
# A tensor and its views are one thing to the tape: they require grad together. That thing is an `AutogradIdentity`.
# Views hold the root of their base; `detach()` makes a new root over the same memory. Reading through a leaf's root
# goes by an `alias` node of its own, which is where a gradient stops; reading through a detached root goes by an alias
# that the tape has not recorded. So no identity of tensors is lost in a graph whose nodes are only values.

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

from ....core.records import dataclass
from ....core.sizes import structure
from ....graph.node import Node
from ....guards.sources import Source
from ....ops.activations import ALIAS
from ...breaks import INPLACE_HISTORY, TENSOR_FEATURE
from ..arrays.array import ArrayValue, Storage
from ..arrays.view_steps import Step

if TYPE_CHECKING:
    from ...tracing.trace import Trace


@dataclass(frozen=True, eq=False)
class FunctionView:
    """The way to read a view that is a thing of its own to the tape, which does not go back by its memory.

    The result of a custom function may be one, and a view with hooks is.

    node:    its value on the tape.   path: how it sees the memory.
    version: that of the memory when the function was called.
    """

    node: Node
    path: tuple[Step, ...]
    version: int

    def read(self, trace: Trace, storage: Storage, path: tuple[Step, ...]) -> Node:
        """The value of the view itself, or of a view of it.

        Errors: a break where it was written since, or where the way to a view of it is not by way of the view.
        """
        known = len(self.path)
        if storage.version != self.version:
            raise INPLACE_HISTORY.stop(
                name="a view that has hooks, that is a leaf, or that a custom autograd.Function returned"
            )
        if path[:known] != self.path:
            raise TENSOR_FEATURE.stop(
                feature="a view, of another shape, of a view that has hooks, is a leaf or came from a custom function"
            )
        node = self.node
        for step in path[known:]:
            node = step.read(trace, node)
        return node


@dataclass(eq=False)
class AutogradIdentity:
    """A tensor as the tape sees it, its views included.

    leaf:     nothing is recorded of how it was made.
    detached: its memory is that of a tensor with a history that must not be followed.
    real:     the user's tensor, if it existed before the call, and its source.
    """

    storage: Storage
    requires_grad: bool = False
    leaf: bool = True
    detached: bool = False
    real: Any = None
    source: Source | None = None
    counter: AutogradIdentity | None = None
    """The root whose version counter this one shares; None for a counter of its own."""
    bumps: int = 0
    """By how much its own counter has gone up."""
    inference: bool = False
    """Whether the call makes it in inference mode."""
    like: AutogradIdentity | None = None
    """The root of another tensor, of whose kind its own counter is: that of an inference tensor, or of another one."""
    relied_on: bool = False
    """Whether the call relies on it being no inference tensor (see `inference_mode`)."""
    grad: Any = None
    """The gradient as the trace knows it (see `autograd.leaf_gradients`); None while nobody asked."""
    grad_was_none: bool = False
    """Whether the call relies on `.grad` having been None before it."""
    view: FunctionView | None = None
    """The way in which a view is read that a custom function returned, or that has hooks."""
    leaf_array: ArrayValue | None = None
    """The view that is a leaf of its own, whose memory goes further; None for any other tensor."""
    hooks: Any = None
    """The hooks of a leaf (see `hooks.tensor_hooks`); None while nobody asked."""
    viewed_blindly: bool = False
    """Whether it has views that were made with grad mode off, to which no later history of it belongs."""
    lookup: Any = None
    """The sparse lookup whose rows it stands for (see `autograd.sparse_lookup`); None for any other tensor."""
    silently_written: bool = False
    """Whether the forward of a custom function has written it, which then has to say so."""
    views: dict[Any, int] = field(default_factory=dict)
    """The number of views of it with a history that have been taken, by how they see the memory."""
    _nodes: dict[tuple[Storage, int, bool], Node] = field(default_factory=dict)
    _reads: dict[Any, Node] = field(default_factory=dict)

    @property
    def hides_history(self) -> bool:
        """Whether it is a view from outside, without a history, of a tensor that requires grad."""
        base = None if self.real is None else self.real._base
        return base is not None and bool(base._requires_grad)

    @property
    def gradient_owner(self) -> AutogradIdentity:
        """The tensor that gets its gradient: itself, or the table that its rows were looked up in."""
        return self if self.lookup is None else self.lookup.weight  # type: ignore[no-any-return]

    @property
    def follows_writes(self) -> bool:
        """Whether its history would change with a write to its memory under another name."""
        return self.requires_grad and not self.leaf and self.view is None

    def node(self, trace: Trace, storage: Storage | None = None) -> Node:
        """The graph value of the whole storage, as this root's readers see it.

        storage: that of a view, where the tensor itself has other memory since (`tensor.data = value`).
        """
        recording, storage = trace.grad_enabled, storage or self.storage
        node = storage.node
        ends = self.requires_grad and (self.leaf or self.real is not None)
        if not recording or not (self.detached or ends):
            return node
        key = (storage, storage.version, self.requires_grad)
        if key not in self._nodes:
            if ends:
                alias = trace.add(ALIAS, node)
                trace.tape.leaves[alias] = self
            else:
                with trace.no_grad():
                    alias = trace.add(ALIAS, node)
            self._nodes[key] = alias
        return self._nodes[key]

    def read(self, trace: Trace, array: ArrayValue) -> Node:
        """The graph value of a view now."""
        known, storage, path = self.view if trace.grad_enabled else None, array.storage, array.path
        if not path and known is None:
            return self.node(trace, storage)
        key = self._read_key(trace, array)
        if key not in self._reads:
            if known is not None:
                node = known.read(trace, storage, path)
            else:
                node = self.node(trace, storage)
                for step in path:
                    node = step.read(trace, node)
                if trace.grad_enabled and self.requires_grad and node is self.node(trace, storage):
                    node = trace.add(ALIAS, node)  # a view of all: a gradient for it is not one for its base
            self._reads[key] = node
        return self._reads[key]

    def _read_key(self, trace: Trace, array: ArrayValue) -> Any:
        key: Any = (array.storage.version, array.path, trace.grad_enabled and self.requires_grad)
        return array.storage, structure(key) if trace.facts.sizes.symbols else key

    def note_view(self, trace: Trace, path: tuple[Step, ...]) -> None:
        """Notes that a view has been taken."""
        key = structure(path) if trace.facts.sizes.symbols else path
        self.views[key] = self.views.get(key, 0) + 1

    def is_alone(self, trace: Trace, array: ArrayValue, node: Node) -> bool:
        """Whether `node`, which was read of a view while recording, stands for this one view and for nothing else."""
        path = array.path
        if self.view is not None and self.view.path == path:
            return True
        taken = self.views.get(structure(path) if trace.facts.sizes.symbols else path, 0)
        own = self._read_key(trace, array)
        others = (other for key, other in self._reads.items() if key != own)
        whole = self.node(trace, array.storage)
        return taken < 2 and node is not whole and all(other is not node for other in others)

    def has_read(self, array: ArrayValue) -> bool:
        """Whether somebody has read this view, as it is now, while recording."""
        return (array.storage, (array.storage.version, array.path, True)) in self._reads

    def move_to(self, storage: Storage) -> None:
        """From now on its memory is another one, of which it knows no history; its views keep the memory they have."""
        if not (self.views or self.viewed_blindly):
            self.storage.roots.remove(self)
        self.storage = storage
        self.detached = self.detached or not self.requires_grad
        if self not in storage.roots:
            storage.roots.append(self)

    def begin_leaf(self, trace: Trace, array: ArrayValue, value: Node) -> None:
        """From now on the one view that it is, which has this value, is a leaf that requires grad."""
        with trace.recording():
            alias = trace.add(ALIAS, value)
        trace.tape.leaves[alias] = self
        self.requires_grad, self.leaf_array = True, array
        self.view = FunctionView(alias, array.path, self.storage.version)

    def begin_history(self, node: Node) -> None:
        """From now on it holds `node`, which is recorded; nothing that was read before counts."""
        self.requires_grad, self.leaf, self.detached = True, False, False
        self.storage.node = node
        self.storage.reads.clear()
        self._nodes.clear()
        self._reads.clear()
