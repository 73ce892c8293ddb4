"""Deferred traces, evaluated for another time: custom functions' backward, for a backward() outside of the call."""

# Note [Reading later]
# What a custom backward reads, it reads when it runs, which may be long after the call. So the trace starts anew for
# it: it knows nothing of objects from outside but which tensors and numbers forward has put on the context. What it
# relies on besides is asked again when backward runs, and what it computes with is fetched then. Only places that the
# entry holds by itself can be reached that late. A name of the call's frame is gone, and an anchor may have moved by
# then: what is read through these breaks the graph.
#
# Nor does the call itself see anything of it: memory that backward writes is left as it is, and everything that was
# learned about storages in the meantime is forgotten again.

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field
from typing import TYPE_CHECKING, Any

from ....core.asynchronous import lookup_failed
from ....core.errors import BackwardMetadataError
from ....core.records import dataclass, replace
from ....guards.entry import condition, needed
from ....guards.guard import Equals, Guard, Is, TypeIs
from ....guards.pool import POOL, Pool
from ....guards.sources import LOOKUP, Attribute, ConstantSource, Source
from ....guards.tensors import TensorIs
from ....ops.activations import ALIAS
from ...breaks import BACKWARD_DRAW, BACKWARD_EFFECT, TENSOR_FEATURE
from ...tracing.random_draws import KINDS
from ...values.numbers.input_scalar import rely_on_types
from ...values.tensors.inference_mode import relies_on_count
from ...values.tensors.input_tensors import GRAD_MODE

if TYPE_CHECKING:
    from collections.abc import Callable

    from ....graph.node import Node
    from ...tracing.inputs import Input, TraceInputs
    from ...tracing.trace import Trace
    from ...values.arrays.array import Storage
    from ...values.tensors.autograd_identity import AutogradIdentity

_RECORDS = ("inputs", "facts", "effects", "progress", "tape")
"""The records of a trace that a deferred one has of its own."""


@dataclass(frozen=True, eq=False)
class TracedDeferredWrite:
    """Memory that was there before and that a backward writes. bumps: by how much its version goes up, by counter."""

    storage: Storage
    before: Node
    after: Node
    bumps: dict[AutogradIdentity, int]


@dataclass(eq=False)
class _TracedMemory:
    """A storage as the call knows it."""

    storage: Storage
    facts: tuple[Any, ...]
    reads: dict[Any, Node]
    writeable: bool
    roots: list[tuple[AutogradIdentity, dict[str, Any]]]

    @classmethod
    def of(cls, storage: Storage) -> _TracedMemory:
        writeable = storage.input is not None and storage.input.writeable
        roots = [(root, {**vars(root), "_nodes": {**root._nodes}, "_reads": {**root._reads}}) for root in storage.roots]
        return cls(storage, (storage.node, storage.version), {**storage.reads}, writeable, roots)

    @classmethod
    def new(cls, storage: Storage) -> _TracedMemory:
        """One that came from outside since, as it was then."""
        assert storage.input is not None
        roots = [(root, {**vars(root), "bumps": 0}) for root in storage.roots]
        return cls(storage, (storage.input.node, 0), {}, False, roots)

    def written(self) -> TracedDeferredWrite | None:
        """The write since then; None if there was none."""
        node, version = self.facts
        if self.storage.version == version:
            return None
        bumps = {root: root.bumps - then["bumps"] for root, then in self.roots if root.bumps != then["bumps"]}
        return TracedDeferredWrite(self.storage, node, self.storage.node, bumps)

    def restore(self) -> None:
        """Takes everything back."""
        storage = self.storage
        storage.node, storage.version = self.facts
        storage.reads = self.reads
        storage.roots[:] = [root for root, _ in self.roots]
        if storage.input is not None:
            storage.input.writeable = self.writeable
        for root, then in self.roots:
            vars(root).update(then)


@dataclass(eq=False)
class DeferredTrace:
    """A deferred trace: what is evaluated during the call, for a run after it.

    guards:  relied on when it runs.   writes: made then.
    inputs:  those that only it has: numbers of the call, and what is `fetched` when it runs, from `places`.
    """

    guards: tuple[Guard, ...] = ()
    inputs: list[Input] = field(default_factory=list)
    fetched: set[Node] = field(default_factory=set)
    writes: list[TracedDeferredWrite] = field(default_factory=list)
    memory: list[_TracedMemory] = field(default_factory=list)
    """The memory that was there when it began."""
    places: dict[Node, Source] = field(default_factory=dict)
    """The sources of nodes: of memory of a tensor, the tensor, whose version may have to move on."""
    storages: Sequence[Storage] = ()
    """All memory that the trace knows by now."""
    counted: list[AutogradIdentity] = field(default_factory=list)
    """The tensors of the call whose writes are counted later."""
    roots: Sequence[Node] = ()
    """The nodes that gradients will be given for."""
    recorded: bool = False
    """Whether it is evaluated as under create_graph: what is computed then has a history."""
    unseen: set[Node] = field(default_factory=set)
    """The nodes that were made all the same and have no history."""
    communicated: list[Node] = field(default_factory=list)
    """The results of communications between processes, in their order: they happen whoever reads them."""
    incoming: list[tuple[int, Storage]] = field(default_factory=list)
    """By number of the root: gradients that come from outside, each of which one custom function alone is given."""

    def note_unseen(self, trace: Trace, first: int, *, copies: bool = False) -> None:
        """Notes what the trace has made since its node number `first`, and autograd has not seen.

        copies: only what stands there for a value that was read.
        """
        made = trace.builder.nodes[first:]
        self.unseen.update(
            node for node in made if node not in trace.tape.recorded and (not copies or node.op is ALIAS)
        )

    def takes(self, output: Node, cotangent: Node, storage: Storage) -> bool:
        """Whether a gradient is one of these, so that what it is written with stays inside."""
        if not cotangent.is_input or output not in self.roots:
            return False
        self.incoming.append((self.roots.index(output), storage))
        return True

    def refuse_metadata(self, storage: Storage, name: str, what: str) -> None:
        """Errors: `BackwardMetadataError` for a change of shape or memory of what was there before, or came in."""
        incoming = storage.handed_on or any(each is storage for _, each in self.incoming)
        if incoming or self.is_older(storage):
            raise BackwardMetadataError(
                f"metadata mutated in the backward: a custom backward calls {what} on "
                f"{'a gradient that it is given' if incoming else name}, which exists outside of it. Compiled code "
                "writes elements only; make a view or a clone() there, or apply the custom function outside the jitted "
                "function"
            )

    def refuse_known(self, storage: Storage) -> None:
        """Errors: a break for memory that the call knows and that is read outside again: then it may be another."""
        if self.is_older(storage):
            raise TENSOR_FEATURE.stop(feature="a tensor that a custom forward and its backward both read outside")

    def is_older(self, storage: Storage) -> bool:
        """Whether memory was there when it began."""
        return any(each.storage is storage for each in self.memory)

    def leaves_to_call(self, root: AutogradIdentity) -> bool:
        """Whether a tensor is one of the call's: what it is, the call relies on."""
        if self.is_older(root.storage):
            self.counted.append(root)
            return True
        return False

    def note_writes(self) -> None:
        """Finds out what has been written, up to now."""
        fresh = [_TracedMemory.new(each) for each in self.storages[len(self.memory) :] if each.input is not None]
        self.writes = [write for each in (*self.memory, *fresh) if (write := each.written()) is not None]

    def holds(self) -> Callable[[], bool]:
        """A function that asks whether all that was relied on is still so."""
        pool = Pool(())
        text = condition(needed(self.guards), pool, natively=False)
        check = eval(f"lambda {POOL}: {text or True}", {"__builtins__": {}})

        def still() -> bool:
            try:
                return bool(check(pool.objects))
            except LOOKUP:
                lookup_failed()
                return False

        return still


def reader(sources: Sequence[Source]) -> Callable[[], tuple[Any, ...]]:
    """A function that reads these places, none of which is in a frame."""
    pool = Pool(())
    text = "".join(f"{each.text(pool)}, " for each in sources)
    read = eval(f"lambda {POOL}: ({text})", {"__builtins__": {}})
    return lambda: read(pool.objects)  # type: ignore[no-any-return]


@contextmanager
def deferring(trace: Trace) -> Iterator[DeferredTrace]:
    """A context in which the trace is evaluated for later; afterwards it is as before, and the deferred trace filled.

    The call relies on the same facts, so that the next one meets what changed.
    Errors: a break where the call would have to do something for it that has no form.
    """
    found = DeferredTrace(memory=[_TracedMemory.of(each) for each in trace.inputs.storages])
    before = {name: getattr(trace, name) for name in _RECORDS}
    for name, record in before.items():
        setattr(trace, name, record.of_deferred_trace())
    trace.deferred, found.storages = found, trace.inputs.storages
    try:
        yield found
        captured = _captured(trace, found, before["inputs"])
    finally:
        trace.deferred = None
        for each in found.memory:
            each.restore()
        before["progress"].instructions = trace.progress.instructions
        for name, record in before.items():
            setattr(trace, name, record)
    for guard in (*captured, *found.guards):
        trace.facts.keep(guard)
    for root in found.counted:
        relies_on_count(trace, root)
    for entry in found.inputs:
        if entry.node not in found.fetched:
            rely_on_types(trace, entry.source)


def _captured(trace: Trace, found: DeferredTrace, before: TraceInputs) -> list[Guard]:
    """Fills in what was relied on and read; gives the guards that are about numbers of the call."""
    if trace.effects.pending:
        raise BACKWARD_EFFECT.stop(does="changes Python objects")
    if trace.facts.assumptions or trace.inputs.checks:
        raise BACKWARD_EFFECT.stop(does="reads a model or an optimizer")
    numbers = before.scalar_types
    if not numbers.keys().isdisjoint(trace.inputs.scalar_types.maps[0]):  # type: ignore[attr-defined]
        raise TENSOR_FEATURE.stop(feature="a number that a custom forward and its backward both read outside")
    found.inputs = trace.inputs.entries[len(before.entries) :]
    for entry in found.inputs:
        if not _is_captured(entry.source, numbers):
            _note_fetched(trace, found, entry)
    captured = []
    later = []
    for guard in trace.facts.guards:
        if all(_is_captured(source, numbers) for source in guard.sources):
            captured.append(guard)
            continue
        for source in guard.sources:
            _refuse_of_call(source)
        # What a plan would ask of an argument, entry code has to ask here: the forward plan gets no such argument.
        by_plan = isinstance(guard, TensorIs) and guard.checked_by == "plan"
        later.append(replace(guard, checked_by="entry") if by_plan else guard)
    found.guards = tuple(later)
    return captured


def _note_fetched(trace: Trace, found: DeferredTrace, entry: Input) -> None:
    """An input is fetched when backward runs. Errors: a break where it cannot be."""
    if entry.kind in KINDS:
        raise BACKWARD_DRAW.stop()
    place = next((each.source for each in trace.inputs.tensors.values() if each.array.storage.input is entry), None)
    _refuse_of_call(place or entry.source)
    found.places[entry.node] = place or entry.source
    found.fetched.add(entry.node)
    trace.guard(TypeIs, entry.source, expected=type(entry.example))
    if entry.kind == "array":
        trace.guard(Equals, Attribute(entry.source, "shape"), expected=entry.example.shape)
        trace.guard(Is, Attribute(entry.source, "dtype"), expected=entry.example.dtype)


def _is_captured(source: Source, numbers: Container[Source]) -> bool:
    """Whether this is a number that forward has read, or is computed from such alone."""
    if source in numbers:
        return True
    parts = source.parts() if source.is_computed else ()
    return bool(parts) and all(_is_captured(each, numbers) for each in parts)


def _refuse_of_call(source: Source) -> None:
    """Errors: a break for a place that is read through a name of the call, and for the grad mode, which is another."""
    for each in (source, *source.below()):
        if each == GRAD_MODE or not each.parts() and not isinstance(each, ConstantSource):
            raise BACKWARD_EFFECT.stop(does=f"reads {source} once more or only then")


__all__ = ["DeferredTrace", "TracedDeferredWrite", "deferring", "reader"]
