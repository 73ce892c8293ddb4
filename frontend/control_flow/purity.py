"""The state that an evaluation must leave as it is: one that stands for many iterations or for a branch, or that may be
begun anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...core.records import dataclass
from ..breaks import PART_CHANGE, PART_MODE, PART_WRITE, GraphBreak
from ..values.arrays.array import Storage
from ..values.base import MutableValue

if TYPE_CHECKING:
    from ..tracing.trace import Trace


@dataclass
class TraceSnapshot:
    """The state of a trace before an iteration, a branch or a region.

    storages: all memory, and what is known of it. counts: what else the trace has noted. generators: where they stand.
    outside: how many changes of objects from outside there have been. modes: whether operations are recorded, and the
    other modes of the tape.
    """

    storages: dict[Storage, tuple[Any, ...]]
    counts: tuple[Any, ...]
    generators: list[tuple[Any, ...]]
    outside: int
    modes: tuple[Any, ...]

    @classmethod
    def of(cls, trace: Trace) -> TraceSnapshot:
        storages = {each: _marks(each) for each in trace.inputs.storages}
        generators = list(map(_stands_at, trace.generators))
        return cls(storages, _counts(trace), generators, MutableValue.changes_outside(), trace.tape.modes())

    def holds(self, trace: Trace) -> bool:
        """Whether it is so now."""
        try:
            self.check(trace)
        except GraphBreak:
            return False
        return True

    def check(self, trace: Trace) -> None:
        """Errors: a break where it has changed."""
        if any(_marks(each)[: len(known)] != known for each, known in self.storages.items()):
            raise PART_WRITE.stop(memory="memory from before")
        known = trace.generators[: len(self.generators)]
        moved = list(map(_stands_at, known)) != self.generators
        if moved or _counts(trace) != self.counts or MutableValue.changes_outside() != self.outside:
            raise PART_CHANGE.stop(name="seen behind it")
        met = (each for each in trace.inputs.storages if each not in self.storages)
        if any(each.input is not None and each.version for each in met):
            raise PART_WRITE.stop(memory="memory from outside")
        if trace.tape.modes() != self.modes:
            raise PART_MODE.stop(mode="a change of the grad mode")

    def put_modes(self, trace: Trace) -> None:
        """Sets the modes of then: a branch that was given up, or that has left a context, may have others."""
        trace.tape.put_modes(self.modes)


def _marks(storage: Storage) -> tuple[Any, ...]:
    """The facts known of a memory, and of each tensor over it; more tensors over it may come."""
    roots = (
        (each, each.requires_grad, each.leaf, each.detached, id(each.grad), each.bumps, each.storage)
        for each in storage.roots
    )
    return storage.version, storage.known_node, storage.handed_on, *roots


def _counts(trace: Trace) -> tuple[Any, ...]:
    tape = trace.tape
    changing: tuple[Any, ...] = (
        trace.effects.pending,
        tape.steps,
        tape.pairs,
        tape.packs,
        tape.freed,
        trace.inputs.written,
    )
    draws = trace.draws.token, trace.draws.calls, trace.communications
    return (*map(len, changing), [(key, id(each)) for key, each in trace.effects.pending.items()], draws)


def _stands_at(generator: Any) -> tuple[Any, ...]:
    return generator, generator.state, generator.frame.position
