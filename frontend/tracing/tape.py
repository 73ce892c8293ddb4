"""Autograd inside a trace: the operations that are recorded, what they saved, and the hooks and modes in force."""

from __future__ import annotations

import sys
import types
from dataclasses import field
from typing import TYPE_CHECKING, Any

from ...core.package import PACKAGE
from ...core.records import dataclass, replace
from ...graph.node import Node

if TYPE_CHECKING:
    from ...graph.aot.custom_nodes import TapeStep
    from ..tensors.hooks.pack_unpack import PackedNow, SavedBy
    from ..tensors.hooks.records import PackedValue
    from ..tensors.hooks.tensor_hooks import TracedHook
    from ..values.arrays.array import Storage
    from ..values.arrays.view_steps import FakeArray
    from ..values.base import Value
    from ..values.tensors.autograd_identity import AutogradIdentity
    from ..values.tensors.tensor import TensorValue


UNKNOWN = "the autocast of a later time"
"""Stands for a state of autocast that is known only when a deferred trace runs."""


@dataclass(eq=False)
class TapeState:
    """The state of autograd inside the trace.

    enabled:  whether operations are recorded.   inference: whether inference mode is on.
    asked:    what grad mode was set to in inference mode.
    initial_enabled, initial_inference, initial_asked: these three when the call began.
    recorded: nodes made while grad mode was on.
    leaves:   the node that stands for a leaf at one of its versions, and the leaf.
    saved:    for nodes of operations that save values, the storages they saved and their versions then.
    freed:    nodes that a backward() has been through; what they saved is gone.
    replaced: nodes that saved a tensor whose `.data` was set since, where eager mode reads the new memory, or that was
              detached in place.
    layouts:  shape and strides of tensors that were read, by the node they read; None where two tensors differ.
    pair:     the number of the saved-tensor hooks, or checkpoint, that are part of the trace and in force; 0: the hooks
              around the call.
    pairs:    those that were met, by number.
    reads:    of nodes that save under such hooks the pair's number, and what is saved by name: value and tensor.
    early:    what pack hooks that read more than their arguments made of what was saved, by the node and the name.
    packs:    the nodes that pack hooks made.
    marked:   the functions that the trace marked as inlineable.
    around:   whether inlineable hooks around the call are relied on.
    packed:   what hooks made of each value that they packed (see `tensors.hooks.records`).
    called:   while a hook is followed, the functions from outside that it has called, itself among them; else None.
    steps:    custom functions, which are on the tape and no ops, by their outputs.
    written:  the tensors that the forward of a custom function may write, since it can mark them as written.
    in_custom_backward: whether a custom backward is being followed, in the middle of a backward pass.
    owned:    gradients that a custom backward has given in memory which it has written.
    hooks:    those on tensors that the call has made and that are no leaves, by the node whose gradient they see.
    registered: all hooks that the call has registered.
    retaining: the tensors whose `.grad` a backward pass fills though they are no leaves.
    in_hook:  whether a hook is being followed, in the middle of a backward pass.
    rounds:   whether operations on halves are recorded.
    autocast: the state of autocast, and initial_autocast: that when the call began.
    unless:   while a step is followed that may be left out, the value that says so: nothing is written then.
    casts:    the casts of parameters that autocast keeps, by the parameter.
    stands:   the tensors for which others stand (see `TensorValue.standing_for`), by the values of these.
    """

    enabled: bool = True
    inference: bool = False
    asked: bool = False
    initial_enabled: bool = True
    initial_inference: bool = False
    initial_asked: bool = False
    recorded: set[Node] = field(default_factory=set)
    leaves: dict[Node, AutogradIdentity] = field(default_factory=dict)
    saved: dict[Node, tuple[tuple[Storage, int], ...]] = field(default_factory=dict)
    freed: set[Node] = field(default_factory=set)
    replaced: set[Node] = field(default_factory=set)
    layouts: dict[Node, FakeArray | None] = field(default_factory=dict)
    pair: int | None = None
    pairs: dict[int, SavedBy] = field(default_factory=dict)
    reads: dict[Node, tuple[int, dict[str, tuple[Node, TensorValue | None]]]] = field(default_factory=dict)
    early: dict[tuple[Node, str], PackedNow] = field(default_factory=dict)
    packs: set[Node] = field(default_factory=set)
    marked: list[Value] = field(default_factory=list)
    around: bool = False
    packed: list[PackedValue] = field(default_factory=list)
    called: list[types.FunctionType | None] | None = None
    steps: dict[Node, TapeStep] = field(default_factory=dict)
    written: frozenset[AutogradIdentity] = frozenset()
    in_custom_backward: bool = False
    owned: set[Node] = field(default_factory=set)
    hooks: dict[Node, list[TracedHook]] = field(default_factory=dict)
    registered: list[TracedHook] = field(default_factory=list)
    retaining: list[TensorValue] = field(default_factory=list)
    in_hook: bool = False
    rounds: bool = False
    autocast: Any = None
    initial_autocast: Any = None
    unless: Node | None = None
    casts: dict[AutogradIdentity, tuple[Any, ...]] = field(default_factory=dict)
    stands: dict[Node, TensorValue] = field(default_factory=dict)

    def of_deferred_trace(self) -> TapeState:
        """The tape that a deferred trace begins with: this one, to which it adds its own.

        It runs in an autocast of its own, known only if there was none around the call; see `surface.autocast`.
        """
        return replace(
            self,
            recorded={*self.recorded},
            leaves={**self.leaves},
            saved={**self.saved},
            freed={*self.freed},
            replaced={*self.replaced},
            layouts={**self.layouts},
            pairs={**self.pairs},
            reads={**self.reads},
            early={**self.early},
            packs={*self.packs},
            marked=[*self.marked],
            steps={**self.steps},
            hooks={**self.hooks},
            autocast=self.initial_autocast and UNKNOWN,
            casts={},
        )

    def modes(self) -> tuple[Any, ...]:
        """The modes in force here, the saved-tensor hooks among them."""
        return self.enabled, self.inference, self.asked, self.pair, self.autocast

    def put_modes(self, modes: tuple[Any, ...]) -> None:
        """Sets them to what they were."""
        self.enabled, self.inference, self.asked, self.pair, self.autocast = modes

    def new_pair(self, made: SavedBy) -> int:
        """The number for one more way to keep what is saved; 0 is the pair around the call, known or not yet."""
        number = len(self.pairs) + 1
        self.pairs[number] = made
        return number

    def replace_saved(self, storage: Storage) -> None:
        """Notes that a tensor has other memory from now on, or no history: what saved it would be another one's."""
        self.replaced.update(node for node, saved in self.saved.items() if any(each is storage for each, _ in saved))

    def note_layout(self, node: Node, fake: FakeArray) -> None:
        """Notes how a tensor lies in memory that reads `node`."""
        known = self.layouts.setdefault(node, fake)
        if known is not None and (known.shape, known.strides) != (fake.shape, fake.strides):
            self.layouts[node] = None


def _modes() -> Any:
    """The modes of autograd in this thread; None as long as nothing has imported it: then it has none."""
    module = sys.modules.get(f"{PACKAGE}.autograd.modes")
    return None if module is None else module.MODES


def nodes_are_watched() -> bool:
    """Whether anomaly mode, or saved-tensor hooks that are no part of the graph, are told of each node of a history."""
    now, notes = _modes(), sys.modules.get(f"{PACKAGE}.autograd.error_notes")
    called = now is not None and now.hooks is not None and now.inlined is None
    return called or notes is not None and notes.ANOMALY.enabled


def new_tape() -> TapeState:
    """A tape in the grad mode, under the saved-tensor hooks and the autocast around the call."""
    now = _modes()
    if now is None:
        return TapeState()
    state = bool(now.grad_enabled), now.inference, now.asked
    autocast = sys.modules[f"{PACKAGE}.tensor.autocast"].AUTOCAST.state
    return TapeState(
        *state, *state, pair=None if now.inlined is None else 0, autocast=autocast, initial_autocast=autocast
    )
