"""The final writes: values copied over the memory of inputs, as many as possible in the kernel that computes them.

Writes of one shape go together in one kernel, which loads everything before it stores: an optimiser's step reads and
overwrites its parameters and moments in one pass. A value that would read memory already overwritten is saved before.
"""

from __future__ import annotations

from collections import Counter

from ...core.records import dataclass
from ...graph.node import Node
from ..evaluate.buffers import Buffer, BufferView
from ..evaluate.expressions import Conflict, Evaluator
from ..evaluate.index_algebra import Affine, Domain, NeedSplit, NotAffine, domain_of, squeezed
from .foreach import collect_sinks, prepare_sinks, store_sinks
from .groups import MOST_ITEMS, Group, GroupRoot, Schedule, commit, evaluate_root, nothing_local, too_many_buffers
from .hazards import may_leave, reads_any, saved
from .scattered_writes import scatter_in_place, scatters_in_place, store_scattered

MOST_WRITES = 16

MOST_MISFITS = 8
"""Writes that did not fit in a kernel, before it is taken for full: each is tried with all that is in it."""


@dataclass(slots=True, eq=False)
class _PendingStore:
    target: BufferView
    value: Node
    source: BufferView | None = None


def finish_writes(schedule: Schedule) -> None:
    """Groups, at the end, for every write that has not happened in place."""
    sinks, taken = collect_sinks(schedule)
    pending = [
        _PendingStore(schedule.places[write.target], write.value)
        for write in schedule.graph.writes
        if write.value not in taken
        and not scatters_in_place(schedule, write.value)
        and schedule.places.get(write.value) != schedule.places[write.target]
        and write.value.type.size
    ]
    _keep_in_place_results(schedule, pending, sinks.stored)
    leaving: dict[Node, bool] = {}
    for each in pending:  # what may still leave comes before the first write
        if each.value not in schedule.places and may_leave(schedule, each.value, leaving):
            each.source = saved(schedule, each.value)
    written = [each.value for each in schedule.graph.writes]
    sums = store_scattered(schedule, [each for each in written if scatters_in_place(schedule, each)])
    prepare_sinks(schedule, sinks)
    memo: dict[Node, bool] = {}
    for each in pending:
        if each.source is None and sinks.batches and reads_any(schedule, each.value, sinks.stored, memo):
            each.source = saved(schedule, each.value)
    store_sinks(schedule, sinks)
    while pending:
        batch = _first_batch(schedule, pending)
        if not batch:
            pending[0].source = saved(schedule, pending[0].value)
            continue
        together = set(batch)
        pending = [each for each in pending if each not in together]
        _save_what_reads(schedule, pending, {each.target.buffer for each in batch})
        _emit(schedule, batch)
    for node, indices, values in sums:
        scatter_in_place(schedule, node, indices, values)


def _keep_in_place_results(schedule: Schedule, pending: list[_PendingStore], stored: set[Buffer]) -> None:
    """Values that live in the memory of another input which is about to be overwritten are saved first."""
    goals = Counter(each.target.buffer for each in pending) + Counter(stored)
    for each in pending:
        place = schedule.places.get(each.value)
        if place is None or place.buffer.place != "input":
            continue
        own = each.target.buffer
        near = {place.buffer, *schedule.aliases.get(place.buffer, ())}
        if any(goals[buffer] > (buffer is own) for buffer in near):
            each.source = saved(schedule, each.value)


def _save_what_reads(schedule: Schedule, pending: list[_PendingStore], overwritten: set[Buffer]) -> None:
    """Saves the values of later writes that are computed from memory which is about to be overwritten."""
    memo: dict[Node, bool] = {}
    for each in pending:
        if each.source is None and reads_any(schedule, each.value, overwritten, memo):
            each.source = saved(schedule, each.value)
            memo = {}  # what is computed from it reads the copy from now on


def _roots(batch: list[_PendingStore]) -> list[GroupRoot]:
    return [GroupRoot(each.value, (each.target,), None if each.source else each.value, each.source) for each in batch]


def _first_batch(schedule: Schedule, pending: list[_PendingStore]) -> list[_PendingStore]:
    """The first write and later ones that fit in its kernel; empty when it cannot be done in place at all."""
    batch: list[_PendingStore] = []
    misfits = 0
    for each in pending:
        if batch and squeezed(each.value.shape) != squeezed(batch[0].value.shape):
            continue
        if len(batch) >= MOST_WRITES or misfits >= MOST_MISFITS:
            break
        if _fits(schedule, [*batch, each]):
            batch.append(each)
        elif not batch:
            return []
        else:
            misfits += 1
    return batch


def _fits(schedule: Schedule, batch: list[_PendingStore]) -> bool:
    """Whether one kernel may do all of `batch`: it reads what it overwrites at that very element only."""
    domain, evaluator = _evaluated(schedule, batch)
    if evaluator is None:
        return False
    stores = [(each.target.buffer, each.target.at(domain.of_shape(each.value.shape))) for each in batch]
    for k, (buffer, _) in enumerate(stores):
        if any(schedule.alias(buffer, other) for other, _ in stores[:k]):
            return False
    read, written = ({buffer for buffer, _ in accesses} for accesses in (evaluator.read, stores))
    if len(batch) > 1 and (too_many_buffers(read, written) or len(evaluator.items) > MOST_ITEMS):
        return False
    return all(_harmless(schedule, read, stores) for read in evaluator.read)


def _harmless(schedule: Schedule, read: tuple[Buffer, Affine], stores: list[tuple[Buffer, Affine]]) -> bool:
    return all(not schedule.alias(read[0], buffer) or read == (buffer, place) for buffer, place in stores)


def _evaluated(schedule: Schedule, batch: list[_PendingStore]) -> tuple[Domain, Evaluator | None]:
    domain = domain_of(batch[0].value.shape)
    while True:
        evaluator = Evaluator(schedule.places, nothing_local)
        try:
            for root in _roots(batch):
                evaluate_root(evaluator, _unplaced(schedule, root), domain.of_shape(root.shape))
            return domain, evaluator
        except NeedSplit as need:
            domain.split(need.var, need.size)
        except NotAffine as found:
            if len(batch) > 1:
                return domain, None
            from .schedule import realise_reshape

            assert isinstance(found.node, Node)
            realise_reshape(schedule, found.node)
            domain = domain_of(batch[0].value.shape)
        except Conflict:
            return domain, None


def _unplaced(schedule: Schedule, root: GroupRoot) -> GroupRoot:
    """A value that has a place is copied from there, not computed again."""
    if root.defines in schedule.places:
        root.defines = None
    return root


def _emit(schedule: Schedule, batch: list[_PendingStore]) -> None:
    domain, evaluator = _evaluated(schedule, batch)
    assert evaluator is not None
    group = Group("map", squeezed(batch[0].value.shape), (), domain, len(schedule.steps))
    schedule.steps.append(group)
    for root in _roots(batch):
        commit(schedule, group, _unplaced(schedule, root), evaluator)
