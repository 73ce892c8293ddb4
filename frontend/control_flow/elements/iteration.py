"""An iteration of a native loop while it is evaluated: the variables it changes, and the ways out of it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import field
from types import NoneType
from typing import TYPE_CHECKING

from ....core import dtypes
from ....core.records import dataclass
from ....loop_ir.ir import Break, Continue
from ...breaks import LOOP_ARRAY, LOOP_KIND
from ...bytecode.cfg import loops_of, stored_in
from ...regions.arrays.loop_carried import ArraySlot, is_alone, type_of
from ...regions.arrays.swapped import SwappedArrays
from ...regions.numbers.arithmetic import is_of_region, reach_of
from ...regions.numbers.optional import Optional, is_unbound
from ...regions.variables import AnySlot, held_kind, joined, slot_of
from ...tracing.nodes import constant_node
from ...tracing.restarts import RegionRestart
from ...tracing.speculation import LoopKey, VariableKind, unsupported_in_region
from ...values.arrays.array import ArrayValue
from ...values.base import Value
from ...values.lazy import LazyValue
from ...values.numbers.computed import INT64, Bounds
from ..snapshot import is_same
from .evaluator import ENDED, Evaluation, Reached

if TYPE_CHECKING:
    from ...regions.builder import Region


@dataclass
class Carried:
    """A variable of the user's function that a loop changes.

    slot:    None as long as no trace has seen what an iteration binds it to.
    unbound: it has no value before the first iteration.
    may_keep_first: an iteration may leave it as it was before the first.
    least:   an int that it never falls below; None where a trace has seen that it does, or nobody knows.
    """

    slot: AnySlot | None
    unbound: bool
    may_keep_first: bool = False
    least: int | None = None

    @property
    def rises(self) -> bool:
        """Whether the trace relies on that."""
        return self.least is not None

    @property
    def bounds(self) -> Bounds:
        """Between which numbers it lies if it is an int."""
        return INT64 if self.least is None else (self.least, INT64[1])


@dataclass
class LoopExit:
    """A way out of a loop: where it leads, the stack there, and the variables that are bound there for sure.

    arrays: variables that hold an array which the last iteration made; its memory stays as it is.
    """

    position: int
    stack: list[Value | None]
    bound: set[str]
    arrays: dict[str, ArrayValue] = field(default_factory=dict)


@dataclass
class ElementIteration:
    """A loop whose iteration is being evaluated.

    kept:  variables that are no numbers; they must hold the same object after each iteration.
    slots: the memory of variables that hold another array in each iteration.
    picks: the variables of the region that say which array a variable of the program holds. See `swapped`.
    differ: whether such variables hold different arrays when an iteration begins.
    exits: by their number, which the variable `chosen` holds; the end of a range (`counts`) is the first.
    """

    key: LoopKey
    head: int
    inside: frozenset[int]
    counts: bool
    chosen: str
    carried: dict[str, Carried]
    kept: dict[str, Value]
    slots: dict[str, ArraySlot]
    picks: dict[str, str]
    differ: bool
    exits: list[LoopExit] = field(default_factory=list)

    def arrived(self, evaluation: Evaluation, reached: int) -> Reached:
        """Ends the iteration where a branch got to the head or out of the loop, and gives any other position back."""
        if reached == self.head:
            bound = self._assign(evaluation, reached)
            if self.counts:
                self.exits[0].bound &= bound
            evaluation.region.put(Continue())
            return ENDED
        if reached in self.inside:
            return reached
        bound = self._assign(evaluation, reached)
        number = self._exit(evaluation, reached, bound)
        region, trace = evaluation.region, evaluation.trace
        region.assign(self.chosen, dtypes.int64, constant_node(trace, number, (), dtypes.int64))
        region.put(Break())
        return ENDED

    def _exit(self, evaluation: Evaluation, position: int, bound: set[str]) -> int:
        stack = list(evaluation.frame.stack)
        if any(is_of_region(evaluation.trace, each) for each in stack):
            raise unsupported_in_region("a value that is left on the stack by a loop")
        arrays = self._arrays_at(evaluation, position)
        for number, known in enumerate(self.exits):
            if known.position == position:
                if len(known.stack) != len(stack) or not all(map(is_same, known.stack, stack)):
                    raise unsupported_in_region("a loop that is left with different stacks")
                if known.arrays != arrays:
                    raise unsupported_in_region("a loop that is left with different arrays")
                known.bound &= bound
                return number
        self.exits.append(LoopExit(position, stack, bound, arrays))
        return len(self.exits) - 1

    def _arrays_at(self, evaluation: Evaluation, position: int) -> dict[str, ArrayValue]:
        """The variables behind the loop that had no value before it, and hold an array that this iteration has made."""
        region, live = evaluation.region, evaluation.flow.live[position]
        held = ((name, evaluation.frame.variables.get(name)) for name, each in self.carried.items() if each.unbound)
        found = {name: value for name, value in held if name in live and isinstance(value, ArrayValue)}
        return {
            name: value
            for name, value in found.items()
            if not value.path and not value.is_numpy_scalar and region.memory.is_scratch(value.storage)
        }

    def _assign(self, evaluation: Evaluation, position: int) -> set[str]:
        """Assigns what the variables hold now, and gives the names of those that are bound.

        Errors: `RegionRestart` for a kind not known yet.
        """
        live = evaluation.flow.live[position]
        arrays = {} if position == self.head else self._arrays_at(evaluation, position)
        bound = self._assign_carried(evaluation, live, arrays)
        self._check_kept(evaluation, live)
        self._check_slots(evaluation, live, arrays)
        return bound | self._copy(evaluation, live) | self._exchange(evaluation)

    def _assign_carried(self, evaluation: Evaluation, live: Collection[str], arrays: Collection[str]) -> set[str]:
        """Assigns the numbers that the variables hold, and gives the names of those that are bound.

        arrays: the names of variables that hold a new array, which is no number to assign.
        """
        speculation = evaluation.trace.speculation
        bound: set[str] = set()
        has_learned = False
        for name, each in self.carried.items():
            value = evaluation.frame.variables.get(name)
            if value is None:
                if name in live and not each.unbound:
                    raise unsupported_in_region(f"the variable {name}, which not every round binds")
                continue
            if not is_unbound(value):
                bound.add(name)
            kind = held_kind(value)
            if name in arrays or kind is None and name not in live:
                continue
            if kind is None:
                raise LOOP_KIND.stop(name=f"the variable {name}", what="is no number")
            wanted = kind if each.slot is None else _joined_kind(name, each.slot.kind, kind)
            if each.slot is None or wanted != each.slot.kind:
                known = speculation.kinds.get((self.key, name), wanted)
                speculation.kinds[self.key, name] = joined(known, wanted) or wanted
                has_learned = True
                continue
            each.may_keep_first |= kind.python_or_numpy or kind.python is not None
            each.slot.assign(evaluation.trace, value)
            self._note_fall(evaluation, name, value)
        has_fallen = any(
            each.rises and (self.key, name) in speculation.not_monotone for name, each in self.carried.items()
        )
        if has_learned or has_fallen:
            raise RegionRestart
        return bound

    def _check_kept(self, evaluation: Evaluation, live: Collection[str]) -> None:
        """Errors: a break where a variable that is no number holds another object than before the iteration.

        `RegionRestart` where it holds an array, which the next trace carries from iteration to iteration.
        """
        for name, before in self.kept.items():
            now = evaluation.frame.variables.get(name)
            if is_same(now, before) or name not in live:
                continue
            region_exchanges(evaluation).learn(evaluation.trace, evaluation.frame, name, now)
            if now is not None:
                self.expect_arrays(evaluation, name, now)
            raise LOOP_ARRAY.stop(what=f"the variable {name}, which is another object in each round")

    def _check_slots(self, evaluation: Evaluation, live: Collection[str], arrays: dict[str, ArrayValue]) -> None:
        """Errors: a break where a variable with a slot holds an array that another variable takes out of the loop."""
        memory = [value.storage for value in arrays.values()]
        variables = evaluation.frame.variables
        if any(getattr(variables.get(name), "storage", None) in memory for name in self.slots if name in live):
            raise LOOP_ARRAY.stop(what="two variables that name one new array")

    def _note_fall(self, evaluation: Evaluation, name: str, value: Value) -> None:
        """Notes that a variable is not known to stay where it began, if an iteration binds it to such a value."""
        least = self.carried[name].least
        if least is None:
            return
        low = reach_of(evaluation.region, value)[0]
        if type(low) is not int or low < least:
            evaluation.trace.speculation.not_monotone.add((self.key, name))

    def expect_arrays(self, evaluation: Evaluation, name: str, value: Value) -> None:
        """Errors: `RegionRestart` where a variable holds another array in each iteration, and nobody knew so far."""
        before = self.kept.get(name)
        if before is not None and type_of(before) is not None and type_of(before) == type_of(value):
            evaluation.trace.speculation.arrays.add((self.key, name))
            raise RegionRestart

    def array_before(self, name: str) -> ArrayValue | None:
        """The array that a variable holds until an iteration binds it anew, if nobody can tell a copy from it."""
        slot = self.slots.get(name)
        return slot.room if slot is not None and slot.alone else None

    def _copy(self, evaluation: Evaluation, live: Collection[str]) -> set[str]:
        """Copies the arrays that this iteration has bound variables to, and gives the names of these variables."""
        frame, trace = evaluation.frame, evaluation.trace
        values = {name: frame.variables.get(name) for name in self.slots if name in live}
        changed = {name: value for name, value in values.items() if value is not self.slots[name].room}
        if len({id(value) for value in changed.values()}) < len(changed):
            raise LOOP_ARRAY.stop(what="two variables that name one new array")
        for name, value in changed.items():
            if value is None:
                raise unsupported_in_region(f"the variable {name}, which not every round binds")
        fresh = {name: self.slots[name].fresh(trace, value) for name, value in changed.items() if value is not None}
        for name, view in fresh.items():
            self.slots[name].assign(trace, view)
        return set(fresh)

    def _exchange(self, evaluation: Evaluation) -> set[str]:
        """Assigns the numbers of the arrays that exchanging variables hold now, and gives their names."""
        frame, trace, region = evaluation.frame, evaluation.trace, evaluation.region
        swapped = region_exchanges(evaluation)
        for name, variable in self.picks.items():
            found = swapped.of(frame.variables.get(name))
            if found is None:
                raise LOOP_ARRAY.stop(what=f"the variable {name}, which exchanges arrays and is bound to another")
            region.assign(variable, dtypes.int64, found[1])
        if self.picks and self.differ and not swapped.differ(trace):
            trace.speculation.may_alias.add(self.key)
            raise RegionRestart
        return set(self.picks)

    def _pick(self, evaluation: Evaluation, names: Collection[str]) -> None:
        """Lets variables that exchange arrays hold what the region's variables say."""
        frame, trace = evaluation.frame, evaluation.trace
        swapped = region_exchanges(evaluation)
        for name in names:
            found = swapped.of(frame.variables.get(name))
            assert found is not None
            number = evaluation.region.now(self.picks[name], dtypes.int64)
            frame.variables[name] = found[0].view(trace, number)
        if names and self.differ:
            swapped.note_apart(trace)

    def begin(self, evaluation: Evaluation) -> None:
        """Lets the frame's variables be what they are when an iteration begins."""
        for name, each in self.carried.items():
            known = each.slot is not None and (not each.unbound or each.slot.kind.absent)
            value = each.slot.now(evaluation.trace, each.bounds) if known and each.slot is not None else None
            evaluation.frame.variables[name] = value
        for name, slot in self.slots.items():
            evaluation.frame.variables[name] = slot.room
        self._pick(evaluation, self.picks)

    def leave(self, evaluation: Evaluation, loop_exit: LoopExit, *, iterations: bool) -> None:
        """Lets the frame hold what it holds behind the loop. `iterations`: there has been one for sure."""
        frame, live = evaluation.frame, evaluation.flow.live[loop_exit.position]
        frame.stack[:] = loop_exit.stack
        for name in stored_in(frame.code.raw, self.inside):
            if name not in live and name not in self.kept and name not in self.slots:
                frame.variables[name] = None
        self._pick(evaluation, [name for name in self.picks if name in live])
        for name, each in self.carried.items():
            if name not in live:
                continue
            if name in loop_exit.arrays:
                frame.variables[name] = loop_exit.arrays[name]
                continue
            if each.slot is None:
                raise unsupported_in_region(f"the variable {name}, which may be unbound behind the loop")
            if name not in loop_exit.bound:
                self.expect_unbound(evaluation, name)
            value = each.slot.now(evaluation.trace, each.bounds, numpys=iterations and not each.may_keep_first)
            sure = each.unbound and name in loop_exit.bound and isinstance(value, Optional) and value.unbound
            frame.variables[name] = value.number if sure and isinstance(value, Optional) else value
        for name, slot in ((name, slot) for name, slot in self.slots.items() if name in live):
            if name not in loop_exit.bound and not slot.alone:
                raise LOOP_ARRAY.stop(what=f"the variable {name}, which may be the array from before the loop")
            frame.variables[name] = slot.room

    def expect_unbound(self, evaluation: Evaluation, name: str) -> None:
        """Errors: `RegionRestart` where the trace learns that a variable may be unbound, though iterations bind it."""
        each = self.carried.get(name)
        if each is None or each.slot is None or not each.unbound:
            return
        wanted = joined(each.slot.kind, VariableKind(NoneType, dtypes.bool_, absent="unbound"))
        if wanted is None:
            raise unsupported_in_region(f"the variable {name}, which may be unbound behind the loop")
        if wanted != each.slot.kind:
            evaluation.trace.speculation.kinds[self.key, name] = wanted
            raise RegionRestart


def entered(evaluation: Evaluation, key: LoopKey, head: int, *, counts: bool) -> ElementIteration:
    """Declares the variables that a loop changes."""
    frame, flow, trace, region = evaluation.frame, evaluation.flow, evaluation.trace, evaluation.region
    inside = loops_of(frame.code.raw)[head]
    outside = {each for place in inside for each in flow.successors[place] if each not in inside}
    live = flow.live[head].union(*(flow.live[each] for each in outside))
    carried: dict[str, Carried] = {}
    kept: dict[str, Value] = {}
    slots: dict[str, ArraySlot] = {}
    picks: dict[str, str] = {}
    swapped = region_exchanges(evaluation)
    for name in sorted(stored_in(frame.code.raw, inside) & live):
        value = frame.variables.get(name)
        if isinstance(value, LazyValue):  # nobody reads what it was before the loop
            value = frame.variables[name] = value.read()
        kind = _first_kind(trace.speculation.kinds.get((key, name)), value, name)
        type = None if value is None else type_of(value)
        if (found := swapped.of(value)) is not None:
            picks[name] = region.variable(dtypes.int64, found[1])
        elif value is not None and type is not None and (key, name) in trace.speculation.arrays:
            slots[name] = ArraySlot(trace, type, value, alone=is_alone(frame, name, region))
        elif value is not None and kind is None:
            kept[name] = value
        elif value is None:
            carried[name] = Carried(slot_of(trace, kind) if kind else None, unbound=True)
        elif kind is not None:
            carried[name] = Carried(slot_of(trace, kind, value), False, least=_least(region, key, name, kind, value))
    chosen = region.variable(dtypes.int64, constant_node(trace, 0, (), dtypes.int64))
    differ = key not in trace.speculation.may_alias and swapped.differ(trace)
    return ElementIteration(key, head, inside, counts, chosen, carried, kept, slots, picks, differ)


def _joined_kind(name: str, one: VariableKind, other: VariableKind) -> VariableKind:
    """The kind that takes in both. Errors: a break where none does."""
    made = joined(one, other)
    if made is None:
        raise LOOP_KIND.stop(name=f"the variable {name}", what="changes its type")
    return made


def _first_kind(learned: VariableKind | None, value: Value | None, name: str) -> VariableKind | None:
    """The kind of a variable when a loop begins: its own, joined with what an earlier trace saw an iteration leave."""
    own = None if value is None else held_kind(value)
    if learned is None or own is None:
        return learned or own
    return _joined_kind(name, learned, own)


def _least(region: Region, key: LoopKey, name: str, kind: VariableKind, value: Value | None) -> int | None:
    """Its first value, for a variable that is an int and was not seen to fall below."""
    plain = not (kind.python_or_numpy or kind.absent)
    if kind.python is not int or not plain or value is None or (key, name) in region.trace.speculation.not_monotone:
        return None
    least = reach_of(region, value)[0]
    return least if type(least) is int and least > INT64[0] else None


def region_exchanges(evaluation: Evaluation) -> SwappedArrays:
    """The swapped arrays of the region."""
    assert evaluation.region.swapped is not None
    return evaluation.region.swapped
