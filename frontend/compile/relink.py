"""Linking: a plan is built over the memory of its call; one whose objects were replaced, over that of the new ones."""

# Note [Relinking]
# What a trace knows of objects of ours, beyond the guards that every call asks, are its assumptions, in the order in
# which it reached the objects: each at a place of one that it knew by then. When a write has made an entry stale, they
# are gone through once more. One that says which object is at a place has its anchor moved to the object there now;
# every other one has to hold of what anchors lead to by then. Where they all do, objects that differed still differ,
# and those that were one still are: so a trace would read what it read before, and give the same graph. Then its code
# is built over the memory of now, and the entry stands again. Whatever names the objects (guards, entry code, these
# assumptions) names them by their anchors.

from __future__ import annotations

import operator
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from ...core.asynchronous import is_asynchronous
from ...core.config import config
from ...core.errors import KernelError
from ...core.events import Reason
from ...core.records import dataclass
from ...core.watch import Validity
from ...core.watched_slots import SlotSubscription
from ...guards.assumptions import PausedPlan, check_first, stale_plan, subscribe
from ...guards.pool import Rebinding
from ...guards.sources import WeakSource
from ..tracing.inputs import LIFTED
from ..tracing.random_draws import Kind, argument_kinds, drawing
from .call_layout import ordered_checks
from .size_binding import STALE, Binding, BoundMemory

if TYPE_CHECKING:
    import numpy as np

    from ...backend.compile import CompiledGraph
    from ...backend.plugins.python_plan import PluginGraph
    from ...guards.assumptions import Assumption
    from ...guards.entry import Entry
    from ...guards.pool import Pool, RebindableRef
    from ..codegen.frame_state import FrameState
    from ..dispatch.state import FunctionState
    from ..tracing.inputs import Input
    from ..tracing.trace import Trace
    from .artifacts import Artifact


@dataclass(frozen=True, eq=False)
class Links:
    """The parts that the plan of an entry is built from: its code, and the objects whose memory it works on.

    lifted, static: tensors.   owners: where access paths begin.   kinds: of the arguments of a call.
    anchors: of everything that the trace knew by identity.
    """

    artifact: Artifact
    compiled: CompiledGraph | PluginGraph
    lifted: tuple[RebindableRef, ...]
    static: tuple[RebindableRef, ...]
    owners: tuple[RebindableRef, ...]
    kinds: tuple[Kind, ...]
    anchors: tuple[RebindableRef, ...]

    stale = staticmethod(stale_plan)
    """The function that takes the place of a plan that may not run."""

    def build(self, lifted: Sequence[np.ndarray[Any, Any]], static: Sequence[np.ndarray[Any, Any]]) -> Linked:
        """The plan over these arrays. Errors: KernelError where they do not lie as the layout says."""
        subscription = SlotSubscription()
        owners = [each() for each in self.owners]
        run = self.compiled.build(lifted, owners, subscription.subscribe, static)
        return Linked(drawing(run, self.kinds), subscription)

    def details(self, traced: Mapping[str, Any]) -> dict[str, Any]:
        """The details of an entry for reports, out of those when it was `traced`: nothing that leads to the memory."""
        artifact = self.artifact
        known = {
            "traced": artifact.traced,
            "graph": artifact.graph,
            "compiled": artifact.compiled,
            "artifact": artifact,
        }
        return {**known, **{name: traced[name] for name in ("kernels", "instructions")}}

    def arrays(self) -> tuple[list[np.ndarray[Any, Any]], list[np.ndarray[Any, Any]]]:
        """The arrays that `build` takes: the memory that the tensors have now."""
        return [each()._array for each in self.lifted], [each()._array for each in self.static]


@dataclass(frozen=True, eq=False)
class SizedLinks:
    """The parts that plans of an entry with symbolic sizes are built from, as calls need them.

    like: a binding without plans.   anchors: of everything that the trace knew by identity.
    """

    like: Binding
    anchors: tuple[RebindableRef, ...]
    stale = STALE

    def build(self, lifted: Sequence[np.ndarray[Any, Any]], static: Sequence[np.ndarray[Any, Any]]) -> Linked:
        """A binding over the memory of now."""
        return Linked(self.like.anew(), SlotSubscription())

    def details(self, traced: Mapping[str, Any]) -> dict[str, Any]:
        """See `Links.details`."""
        return {name: each for name, each in traced.items() if name not in ("binding", "aot")}

    def arrays(self) -> tuple[list[np.ndarray[Any, Any]], list[np.ndarray[Any, Any]]]:
        """See `Links.arrays`."""
        memory = self.like.memory
        return [each()._array for each in memory.lifted], [each()._array for each in memory.static]


@dataclass(frozen=True)
class Linked:
    """A plan or a binding, and what it is told of instead of looking for it."""

    run: Callable[..., Any] | Binding
    subscription: SlotSubscription


def memory_of(trace: Trace, inputs: Sequence[Input]) -> BoundMemory:
    """The tensors known by identity over whose memory the plans of a trace are built."""
    owners = [each.owner for each in inputs if each.owner is not None]
    owners += [owner for owner, _ in ordered_checks(trace)]
    return BoundMemory(
        tuple(_anchor(each.source) for each in inputs if each.kind == LIFTED),
        tuple(_anchor(each.passed) for each in inputs if each.kind == "array" and each.static_address),
        tuple(trace.facts.anchor(each) for each in owners),
    )


def links_of(trace: Trace, inputs: Sequence[Input], artifact: Artifact, compiled: CompiledGraph | PluginGraph) -> Links:
    """The links of what was just traced."""
    memory = memory_of(trace, inputs)
    return Links(
        artifact,
        compiled,
        memory.lifted,
        memory.static,
        memory.owners,
        argument_kinds(inputs, trace.around_plan),
        tuple(trace.facts.anchors.values()),
    )


def _anchor(source: Any) -> RebindableRef:
    assert isinstance(source, WeakSource)
    return source.reference


@dataclass(frozen=True, eq=False)
class Recipe:
    """The parts by which an entry is linked again.

    title: names the entry in errors.   details: what reports tell of it.
    counters: the tensors that a call writes, and how often.   ticker: the slot of what counts the calls, if any does.
    """

    links: Links | SizedLinks
    assumptions: tuple[Assumption, ...]
    title: str
    details: Mapping[str, Any]
    counters: tuple[tuple[RebindableRef, int], ...]
    ticker: int

    def watch(self, validity: Validity, pool: Pool) -> None:
        """Have the validity end with the first assumption that breaks, and the writes of its calls counted."""
        subscribe(self.assumptions, validity)
        if self.counters:
            from ...tensor.version import Ticker, tick

            ticker = Ticker()
            ticker.user = weakref.ref(validity)
            pool.replace(self.ticker, ticker)
            tick([(each()._counter, writes) for each, writes in self.counters], ticker)

    def again(self, pool: Pool, fits: Callable[[], bool]) -> Validity | None:
        """The plan over the objects of now; None where a trace may find something else.

        fits: asks the guards in the entry's code about the call at hand.
        """
        moves = Rebinding()
        found = self._found(moves)  # which lives on until it is linked, whatever other threads do
        validity = self._linked(pool) if found and fits() else None
        if validity is None or not validity.stands:
            moves.undo()
            return None
        return validity

    def _found(self, moves: Rebinding) -> list[Any]:
        """The objects of now, with the anchors at them; none where they are not like those before."""
        try:
            if not all(each.renew(moves) if each.renew else each.check() for each in self.assumptions):
                return []
        except Exception as error:
            if is_asynchronous(error):
                raise
            return []  # something on the way is gone, or is nothing of the kind
        found = [anchor() for anchor in self.links.anchors]
        different = all(each is not None for each in found) and len(set(map(id, found))) == len(found)
        return found if different else []

    def _linked(self, pool: Pool) -> Validity | None:
        arrays = self.links.arrays()
        try:
            linked = self.links.build(*arrays)
        except KernelError:
            return None
        validity = Validity(linked.run, self.links.stale)
        validity.on_pause = PausedPlan(self.assumptions, validity)
        check_first(validity, self.assumptions, self.title, linked.subscription.hold)
        self.watch(validity, pool)
        # Another thread may have set and reset memory meanwhile; from here on it would end the validity.
        same = all(map(operator.is_, chain(*arrays), chain(*self.links.arrays())))
        return validity if same else None


def relinked(state: FunctionState, at: FrameState) -> tuple[Entry, tuple[Reason, ...]] | None:
    """A stale entry of the point that stands again and may fit the situation, and why it was stale.

    Nothing is traced for it. See Note [Relinking].
    """
    if not config.relift or state.limit_reached(at.point):
        return None
    pool, namespace = state.pool, state.namespace(at)
    for entry in at.point.entries:
        if not entry.stale or not isinstance(entry.recipe, Recipe):
            continue
        started, why = time.perf_counter(), entry.broken_assumption()
        reasons = () if why is None else (why,)
        validity = entry.recipe.again(pool, partial(entry.code_lets_in, namespace, pool))
        if validity is None:
            continue
        at.point.hurried = at.point.hurried + 1 if entry.younger_than(1.0) else 0
        details = entry.recipe.details
        if isinstance(validity.payload, Binding):
            details = {**details, "binding": validity.payload}
        entry.link(validity, details, time.perf_counter() - started)
        pool.replace(entry.slot, validity)
        state.show_pool()
        return entry, reasons
    return None
