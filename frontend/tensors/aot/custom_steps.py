"""Custom functions, and hooks on tensors inside, that a history which leaves the call meets besides operations.

The user's backward, and the hooks, become a part of the compiled backward, or break.
"""

# Note [Custom backwards outside]
# A custom backward that is called from outside runs later than the call, so what it does to the world belongs to the
# backward plan: a tensor of forward's that it writes in place is memory of that plan, which is written when it runs,
# and whose version goes up then. It sees the context as forward left it. A tensor that was saved for backward is kept
# as one, with its version and the hooks on saved tensors; one that is only an attribute of the context is kept as the
# object it is. What does not fit (a result of the call that backward writes, an object that it changes) makes the whole
# function a graph break: the trace is made anew, and Python calls the function.

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field
from typing import TYPE_CHECKING, NoReturn

from ....core.records import dataclass
from ....graph.aot.custom_nodes import TapeStep, operands
from ....graph.aot.mutation import MemoryInfo, after_backward
from ....graph.aot.pair import OnTheWay
from ....graph.node import Node, Write
from ....runtime.deferred_writes import DeferredWrite as WriteThen
from ....runtime.deferred_writes import Later
from ...breaks import BACKWARD_EFFECT, TENSOR_FEATURE, GraphBreak, Unwinding
from ...tracing.restarts import RestartFromStart
from ...values.arrays.array import Storage
from ...values.tensors.autograd_identity import AutogradIdentity
from ..autograd.backward import saved_check
from ..hooks.backward_hooks import hooks_outside
from .deferred_trace import DeferredTrace, TracedDeferredWrite, deferring, reader

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.inputs import Input
    from ...tracing.trace import Trace
    from ..hooks.tensor_hooks import TracedHook


def steps_between(trace: Trace, starts: Iterable[Node], ends: Iterable[Node]) -> tuple[list[TapeStep], set[Node]]:
    """The steps of the tape that nodes depend on, down to `ends`, and all nodes on the way, those ends included."""
    tape, stops = trace.tape, set(ends)
    steps: dict[TapeStep, None] = {}
    visited: set[Node] = set()
    waiting = list(starts)
    while waiting:
        node = waiting.pop()
        if node in visited or node not in tape.recorded:
            continue
        visited.add(node)
        if node in stops:
            continue
        if node in tape.steps:
            steps[tape.steps[node]] = None
        waiting.extend(operands(node, tape.steps))
    return list(steps), visited


@dataclass(eq=False)
class BackwardPath:
    """From some results of a call back to what they were computed from, as far as custom functions are met on it.

    roots, ends: where it begins, and where it ends.   alone: no other history of the call has custom functions.
    """

    trace: Trace
    writer: EntryWriter
    roots: Sequence[Node]
    ends: Sequence[Node]
    alone: bool
    steps: list[TapeStep] = field(default_factory=list)
    hooks: dict[Node, list[TracedHook]] = field(default_factory=dict)
    """The hooks on tensors that the call does not return, by node."""
    visited: set[Node] = field(default_factory=set)
    found: DeferredTrace = field(default_factory=DeferredTrace)
    exact: set[Node] = field(default_factory=set)
    unversioned: set[Storage] = field(default_factory=set)
    """The memory of tensors that only attributes of a context keep."""
    memory: list[tuple[Node, MemoryInfo]] = field(default_factory=list)
    recorded: bool = False
    """Whether it runs as under create_graph. Then what has no form is an error, and the call goes on without."""

    @contextmanager
    def passing(self) -> Iterator[OnTheWay | None]:
        """A context for the backward pass.

        Errors: `RestartFromStart`, where a custom function cannot be part of the plan.
        """
        if self.trace.tape.steps or self.trace.tape.hooks:
            self.steps, self.visited = steps_between(self.trace, self.roots, set(self.ends).difference(self.roots))
            self.hooks = self._hooks_inside()
        if not self.steps and not self.hooks:
            yield None
            return
        try:
            if not self.recorded:
                self._check_shared()
            contexts = [step.owner.ctx for step in self.steps]
            self._look_at([storage for each in contexts for storage in each.kept(self.trace, self.writer)])
            self.memory = _memory(self.trace)
            state = [each.state() for each in contexts]
            with deferring(self.trace) as self.found:
                self.found.roots, self.found.recorded = self.roots, self.recorded
                hooks = hooks_outside(self.trace, self.hooks)
                tape, unseen = self.trace.tape, self.found.unseen
                known = len(tape.leaves), len(tape.steps)
                check, written = saved_check(self.trace), self._writes
                communicated = self.found.communicated
                yield OnTheWay(tape.steps, check, hooks, self.exact, written, self.recorded, unseen, communicated)
                if self.recorded and (self.found.writes or (len(tape.leaves), len(tape.steps)) != known):
                    raise TENSOR_FEATURE.stop(feature="a second derivative of a backward that does more than compute")
                if [each.state() for each in contexts] != state:
                    raise BACKWARD_EFFECT.stop(does="changes its ctx")
        except Unwinding as leaving:
            if self.recorded:
                raise
            self.leave_to_python(leaving.as_break())

    def leave_to_python(self, stop: GraphBreak) -> NoReturn:
        """Lets Python call the custom functions on the way, and the engine the hooks. Errors: `RestartFromStart`."""
        self.trace.speculation.not_inlined.update((step.owner.cls, stop) for step in self.steps)
        self.trace.speculation.not_inlined.update((each.key, stop) for each in self._listed())
        raise RestartFromStart from None

    def _hooks_inside(self) -> dict[Node, list[TracedHook]]:
        """The hooks on the way that no result of the call has. Errors: a break for some that another history has."""
        found = {}
        for node, hooks in self.trace.tape.hooks.items():
            inside = [each for each in hooks if not each.is_put]
            if inside and node in self.visited:
                if len(inside) < len(hooks) or (node in self.ends and node not in self.roots):
                    raise TENSOR_FEATURE.stop(feature="a hook on a tensor that was returned and written since")
                found[node] = hooks
        return found

    def _listed(self) -> list[TracedHook]:
        return [each for hooks in self.hooks.values() for each in hooks]

    def _check_shared(self) -> None:
        """Errors: a break where a gradient may come to one result alone, and not to what some others lead to."""
        for root in self.roots if len(self.roots) > 1 else ():
            steps, visited = steps_between(self.trace, [root], set(self.ends).difference(self.roots))
            if len(steps) < len(self.steps) or not self.hooks.keys() <= visited:
                raise TENSOR_FEATURE.stop(feature="a custom autograd.Function or a hook behind one of several results")

    def _look_at(self, kept: Iterable[Storage]) -> None:
        """Notes which values have to be there as they are. Errors: a break for memory that others may write unseen."""
        saved = self.trace.tape.saved
        checked = {storage for node in self.visited for storage, _ in saved.get(node, ())}
        self.exact |= {storage.node for step in self.steps for storage, _ in saved.get(step.outputs[0], ())}
        for storage in kept:
            self.exact.add(storage.node)
            if storage not in checked:
                self.unversioned.add(storage)
                if storage.input is None and self.writer.tensors_over(storage):
                    raise TENSOR_FEATURE.stop(feature="a result of the call that ctx has as an attribute")

    def _writes(self) -> list[Write]:
        """The writes on the way. Errors: a break where results of the call could show them, or for one made in part."""
        self.found.note_writes()
        if self.found.writes and self.trace.tape.reads:
            raise TENSOR_FEATURE.stop(feature="a custom backward that writes, beside inlined saved-tensor hooks")
        for each in self.found.writes:
            storage = each.storage
            if storage.input is None and self.writer.tensors_over(storage):
                raise TENSOR_FEATURE.stop(feature="a custom backward that writes into a result of the call")
            if storage.input is not None and not _is_counted_by_one(each):
                raise TENSOR_FEATURE.stop(feature="a custom backward that writes into memory of several tensors")
            self.exact.add(each.before)
        if self.found.writes:
            shares = [steps_between(self.trace, [root], self.ends)[0] for root in self.roots]
            if not self.alone or any(len(each) != len(self.steps) for each in shares):
                raise TENSOR_FEATURE.stop(feature="a custom backward that writes, in one of several histories")
        return [Write(each.before, each.after) for each in self.found.writes]

    # What becomes of it.
    def silent(self, reached: Iterable[Node]) -> list[Node]:
        """The ends that no gradient gets to: eager mode runs the custom functions on the way there all the same."""
        known = set(reached)
        return [node for node in self.ends if (self.steps or self.hooks) and node in self.visited and node not in known]

    def is_unversioned(self, node: Node) -> bool:
        """Whether a saved value is kept as it is, without a version that is compared."""
        return any(each.node is node for each in self.unversioned)

    def split_inputs(self, later: Iterable[Node]) -> tuple[list[Input], list[Input]]:
        """The numbers that the call hands over among the inputs that only backward has, and those fetched then."""
        wanted = set(later)
        given: list[Input] = []
        fetched: list[Input] = []
        for each in self.found.inputs:
            if each.node in wanted:
                (fetched if each.node in self.found.fetched else given).append(each)
        return given, fetched

    def later(self, places: dict[Node, int], fetched: Sequence[Input], edges: Sequence[Node]) -> Later | None:
        """The facts that the node of the history has to know; None without custom functions and hooks.

        places: of the backward plan's inputs.   fetched: the last of these.
        """
        if not self.steps and not self.hooks:
            return None
        writes = tuple(_written_then(each, places[each.before]) for each in self.found.writes)
        leads = []
        for step in self.steps:
            below = steps_between(self.trace, step.inputs, self.ends)[1]
            leads.append(frozenset(place for place, node in enumerate(edges) if node in below))
        written = {each.before for each in self.found.writes if each.storage.input is not None}
        return Later(
            names=", ".join(dict.fromkeys(self._names())),
            holds=self.found.holds(),
            fetch=reader([self.found.places[each.node] for each in fetched]),
            writes=writes,
            tracked=tuple(number for number, each in enumerate(writes) if each.tracked),
            leads=tuple(leads),
            taken=tuple(number for number, storage in self.found.incoming if storage.version),
            memory=tuple(info for _, info in self.memory),
            memory_after=after_backward(self.memory, written),
        )

    def _names(self) -> list[str]:
        hooks = (each.function.describe() for each in self._listed())
        return [
            *(f"the backward of {step.owner.cls.__qualname__}" for step in self.steps),
            *(f"the hook {each}" for each in hooks),
        ]


def tensor_over(storage: Storage) -> AutogradIdentity | None:
    """The tensor from outside through which memory was met; None for an array."""
    known = (root for root in storage.roots if root.real is not None and root.source is not None)
    return next((root for root in known if root.storage is storage), None)


def _is_counted_by_one(write: TracedDeferredWrite) -> bool:
    """Whether the memory is that of a tensor from outside, and no other one counts the writes to it."""
    root = tensor_over(write.storage)
    return root is not None and all(each.real is None or each is (root.counter or root) for each in write.bumps)


def _memory(trace: Trace) -> list[tuple[Node, MemoryInfo]]:
    """The memory that came into the call from outside, by the value that it has at the end of forward."""
    found = []
    for storage in trace.inputs.storages:
        root = tensor_over(storage)
        if storage.input is not None and root is not None:
            info = MemoryInfo(str(root.source), root.requires_grad, bool(storage.version))
            found.append((storage.node, info))
    return found


def _written_then(write: TracedDeferredWrite, place: int) -> WriteThen:
    storage = write.storage
    root = tensor_over(storage)
    if root is None:
        return WriteThen(place, "an intermediate value", sum(write.bumps.values()), False)
    tracked = any(each.requires_grad for each in storage.roots)
    return WriteThen(place, str(root.source), write.bumps.get(root.counter or root, 0), tracked)
