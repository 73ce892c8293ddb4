"""The positions of a function's bytecode that form a loop, and those where the ways from a branch meet again."""

from __future__ import annotations

import functools
import operator
import types
from collections.abc import Collection, Container, Hashable, Iterable, Sequence

from ...core.records import dataclass
from .code_flags import GENERATOR_FLAGS
from .dataflow import flow_of
from .decode import decode, variable_name
from .opcode_table import TABLE, traits_of

Successors = Sequence[tuple[int, ...]]


def join_point_of(successors: Successors, starts: Iterable[int], ends: Container[int]) -> int | None:
    """The first place that every way from all of `starts` comes to, `ends` being ways out; None when there is none."""
    starts = list(starts)
    nowhere = 1 << len(successors)  # a set of places is a number here: this is asked at every branch
    ways = _ways(tuple(successors), ends) if isinstance(ends, Hashable) else _Ways()
    after = ways.learn(successors, starts, ends)
    together = functools.reduce(operator.and_, (after[start] for start in starts), nowhere - 1) & ~ways.ends
    if all(after[start] & nowhere << 1 for start in starts):  # no way ends: all places are on every one that does
        together &= sum(1 << place for place in reached(successors, starts, ends))
    if len(starts) == 1:
        together &= ~(1 << starts[0])
    left = together
    while left:
        place = (left & -left).bit_length() - 1
        if place in after and not together & ~after[place]:
            return place  # that which all others come after
        left &= left - 1
    return None


class _Ways:
    """Postdominators in a function, as far as known: for a place, the places that every way from it comes to.

    They are the same whoever asks, so a function of many branches is gone through once."""

    def __init__(self) -> None:
        self.after: dict[int, int] = {}
        self.ends = 0
        """The places that are ways out, among those known."""

    def learn(self, successors: Successors, starts: list[int], ends: Container[int]) -> dict[int, int]:
        """The sets of places, by place; those of `starts` and of what they come to are among them."""
        new = [start for start in starts if start not in self.after]
        if not new:
            return self.after
        places = sorted((each for each in reached(successors, new, ends) if each not in self.after), reverse=True)
        nowhere = 1 << len(successors)
        after = self.after | dict.fromkeys(places, (nowhere << 2) - 1)  # the last bit stays where no way ends
        out = {place for place in places if place in ends}
        changed = True
        while changed:
            changed = False
            for place in places:
                ways = () if place in out else successors[place]
                met = functools.reduce(operator.and_, (after[each] for each in ways)) if ways else nowhere
                met |= 1 << place
                if met != after[place]:
                    after[place], changed = met, True
        self.ends |= sum(1 << place for place in out)
        self.after = after
        return after


@functools.lru_cache(maxsize=16)
def _ways(successors: tuple[tuple[int, ...], ...], ends: Container[int]) -> _Ways:
    """The postdominators that are known so far, of functions with these successors and ends."""
    return _Ways()


def reached(successors: Successors, starts: list[int], ends: Container[int]) -> list[int]:
    """Every place that some way from `starts` comes to, with these; `ends` being ways out."""
    seen, waiting = set(starts), list(starts)
    while waiting:
        place = waiting.pop()
        for each in () if place in ends else successors[place]:
            if each not in seen:
                seen.add(each)
                waiting.append(each)
    return list(seen)


@functools.lru_cache(maxsize=256)
def loops_of(code: types.CodeType) -> dict[int, frozenset[int]]:
    """The natural loops of a function: the positions of each, by that of its head."""
    successors = flow_of(code).successors
    before: list[list[int]] = [[] for _ in successors]
    for place, following in enumerate(successors):
        for each in following:
            before[each].append(place)
    found: dict[int, set[int]] = {}
    for place, following in enumerate(successors):
        for head in following:
            if head > place:
                continue
            inside = found.setdefault(head, {head})
            waiting = [place]
            while waiting:
                each = waiting.pop()
                if each not in inside:
                    inside.add(each)
                    waiting += before[each]
    return {head: frozenset(inside) for head, inside in found.items() if min(inside) >= head}


@functools.lru_cache(maxsize=256)
def while_heads(code: types.CodeType) -> frozenset[int]:
    """The positions at which the loops of a function begin that go over no iterator."""
    instructions = decode(code).instructions
    backward = any(traits_of(each.name).may_jump and each.arg <= place for place, each in enumerate(instructions))
    if not backward or code.co_flags & GENERATOR_FLAGS:  # generators and coroutines go on elsewhere than they stopped
        return frozenset()
    return frozenset(head for head in loops_of(code) if not traits_of(instructions[head].name).iterates)


@functools.lru_cache(maxsize=256)
def loop_heads(code: types.CodeType) -> frozenset[int]:
    """The positions at which the loops of a function begin."""
    instructions = decode(code).instructions
    over_iterators = {place for place, each in enumerate(instructions) if traits_of(each.name).iterates}
    return while_heads(code) | over_iterators


@functools.lru_cache(maxsize=256)
def tests_in(code: types.CodeType) -> dict[int, int]:
    """The positions that ask whether a value is true, each with its jump: that itself, or next where a bool is made."""
    instructions, found = decode(code).instructions, {}
    for place, each in enumerate(instructions):
        traits = traits_of(each.name)
        if traits.branches:
            found[place] = place
        elif traits.gives_bool is not None and traits.gives_bool(each.arg):
            if traits_of(instructions[place + 1].name).branches:
                found[place] = place + 1
    return found


def holds_elements(code: types.CodeType, places: Collection[int]) -> bool:
    """Whether some instruction there has to do with elements."""
    instructions = decode(code).instructions
    return any(traits_of(instructions[place].name).keys for place in places)


def read_in(code: types.CodeType, places: Collection[int]) -> set[str]:
    """The variables that some instruction there reads."""
    found: set[str] = set()
    for place in places:
        each = decode(code).instructions[place]
        found.update(map(variable_name, traits_of(each.name).reads(each.arg)))  # cells too, to make closures of
    return found


def surely_raises(code: types.CodeType, place: int) -> bool:
    """Whether what begins there comes to a `raise`, straight on."""
    instructions, successors = decode(code).instructions, flow_of(code).successors
    for _ in range(_STATEMENT):
        if traits_of(instructions[place].name).raises:
            return True
        if len(successors[place]) != 1:
            return False
        (place,) = successors[place]
    return False


_STATEMENT = 60
"""The most instructions that a `raise` has."""


def stored_in(code: types.CodeType, places: Collection[int]) -> set[str]:
    """The variables that some instruction there binds."""
    found: set[str] = set()
    for place in places:
        each = decode(code).instructions[place]
        found.update(traits_of(each.name).binds(each.arg))
    return found


@functools.lru_cache(maxsize=256)
def written_in(code: types.CodeType, places: frozenset[int]) -> frozenset[str]:
    """The variables whose elements some instruction there stores to, as far as the instructions around it show."""
    found: set[str] = set()
    stack: list[str] = []  # the variables that lie there; "" for anything else
    for place in sorted(places):
        each = decode(code).instructions[place]
        entry = TABLE.get(each.name)
        if entry is None:
            stack.clear()
            continue
        if entry.stores and len(stack) > entry.keys:
            found.add(stack[-1 - entry.keys])
        if entry.rearranges is not None and len(stack) >= each.arg:
            entry.rearranges(stack, each.arg)
        else:
            del stack[max(0, len(stack) - entry.pops(each.arg)) :]
            loaded = [variable_name(name) for name in entry.reads(each.arg)]
            stack += [""] * (entry.pushes(each.arg) - len(loaded)) + loaded
    return frozenset(found - {""})


def indexes_by(code: types.CodeType, places: Collection[int], names: Container[str]) -> bool:
    """Whether some index there is written with one of these variables."""
    return any(
        name in names
        for place in places
        for name in _index_names(code, place, traits_of(decode(code).instructions[place].name).keys)
    )


def _index_names(code: types.CodeType, place: int, wanted: int) -> Iterable[str]:
    """The variables in what an instruction takes as its `wanted` topmost operands, calls and arithmetic."""
    while wanted > 0 and place > 0:
        place -= 1
        each = decode(code).instructions[place]
        entry = TABLE.get(each.name)
        if entry is None or entry.may_jump or entry.rearranges:
            return
        pops, pushes = entry.pops(each.arg), entry.pushes(each.arg)
        if pops > 0 == pushes:
            return
        yield from map(variable_name, entry.reads(each.arg)[-wanted:])
        wanted = max(wanted - pushes, 0) + pops


@dataclass(frozen=True)
class Stops:
    """Positions: those of `others`, and one more."""

    others: Container[int]
    position: int

    def __contains__(self, position: object) -> bool:
        return position == self.position or position in self.others


@dataclass(frozen=True)
class EnclosingLoop:
    """The positions that are not inside a loop, and its head."""

    inside: frozenset[int]
    head: int

    def __contains__(self, position: object) -> bool:
        return position == self.head or position not in self.inside
