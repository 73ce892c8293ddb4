"""Which positions of a function's bytecode form a loop, and where the ways from a branch meet again."""

from __future__ import annotations

import functools
import operator
import types
from collections.abc import Collection, Container, Hashable, Iterable, Sequence

from .dataflow import flow_of
from .decode import decode, variable_name
from .opcode_table import TABLE

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
    """What is known of the ways through a function: for a place, the places that every way from it comes to.

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
    """What is known of these ways so far."""
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
    """Where the loops of a function begin that go over no iterator."""
    instructions = decode(code).instructions
    backward = any(each.name.startswith(("JUMP_BACKWARD", "POP_JUMP_BACKWARD")) for each in instructions)
    if not backward or code.co_flags & 0x2A0:  # generators and coroutines go on elsewhere than they stopped
        return frozenset()
    return frozenset(head for head in loops_of(code) if instructions[head].name not in ("FOR_ITER", "SEND"))


@functools.lru_cache(maxsize=256)
def loop_heads(code: types.CodeType) -> frozenset[int]:
    """Where the loops of a function begin."""
    instructions = decode(code).instructions
    over_iterators = {place for place, each in enumerate(instructions) if each.name == "FOR_ITER"}
    return while_heads(code) | over_iterators


def holds_elements(code: types.CodeType, places: Collection[int]) -> bool:
    """Whether some instruction there has to do with elements."""
    instructions = decode(code).instructions
    return any(instructions[place].name in _SUBSCRIPTS for place in places)


def read_in(code: types.CodeType, places: Collection[int]) -> set[str]:
    """The variables that some instruction there reads."""
    found: set[str] = set()
    for place in places:
        each = decode(code).instructions[place]
        if "LOAD_FAST" in each.name:  # which takes cells too, to make closures of
            found.update(map(variable_name, each.arg if isinstance(each.arg, tuple) else (each.arg,)))
    return found


def surely_raises(code: types.CodeType, place: int) -> bool:
    """Whether what begins there comes to a `raise`, straight on."""
    instructions, successors = decode(code).instructions, flow_of(code).successors
    for _ in range(_STATEMENT):
        if instructions[place].name == "RAISE_VARARGS":
            return True
        if len(successors[place]) != 1:
            return False
        (place,) = successors[place]
    return False


_STATEMENT = 60
"""How many instructions a `raise` has at most."""


def stored_in(code: types.CodeType, places: Collection[int]) -> set[str]:
    """The variables that some instruction there binds."""
    found: set[str] = set()
    for place in places:
        each = decode(code).instructions[place]
        if each.name in ("STORE_FAST", "STORE_FAST_STORE_FAST"):
            found.update(each.arg if isinstance(each.arg, tuple) else (each.arg,))
        elif each.name == "STORE_FAST_LOAD_FAST":
            found.add(each.arg[0])
    return found


@functools.lru_cache(maxsize=256)
def written_in(code: types.CodeType, places: frozenset[int]) -> frozenset[str]:
    """The variables whose elements some instruction there stores to, as far as the instructions around it show."""
    found: set[str] = set()
    stack: list[str] = []  # the variables that lie there; "" for anything else
    for place in sorted(places):
        each = decode(code).instructions[place]
        if each.name in _STORES and len(stack) > _KEYS[each.name]:
            found.add(stack[-1 - _KEYS[each.name]])
        if each.name.startswith("LOAD_FAST"):
            stack += map(variable_name, each.arg if isinstance(each.arg, tuple) else (each.arg,))
        elif each.name == "COPY":
            stack.append(stack[-each.arg] if len(stack) >= each.arg else "")
        elif each.name == "SWAP" and len(stack) >= each.arg:
            stack[-1], stack[-each.arg] = stack[-each.arg], stack[-1]
        elif (entry := TABLE.get(each.name)) is not None:
            del stack[max(0, len(stack) - sum(group.size(each.arg) for group in entry.effect.pops)) :]
            stack += [""] * sum(group.size(each.arg) for group in entry.effect.pushes)
        else:
            stack.clear()
    return frozenset(found - {""})


def indexes_by(code: types.CodeType, places: Collection[int], names: Container[str]) -> bool:
    """Whether some index there is written with one of these variables."""
    return any(
        name in names
        for place in places
        for name in _index_names(code, place, _KEYS.get(decode(code).instructions[place].name, 0))
    )


def _index_names(code: types.CodeType, place: int, wanted: int) -> Iterable[str]:
    """The variables in what an instruction takes as its `wanted` topmost operands, calls and arithmetic."""
    while wanted > 0 and place > 0:
        place -= 1
        each = decode(code).instructions[place]
        if each.name.startswith("LOAD_FAST"):
            loaded = each.arg if isinstance(each.arg, tuple) else (each.arg,)
            yield from map(variable_name, loaded[-wanted:])
            wanted -= len(loaded)
        elif each.name in ("LOAD_CONST", "LOAD_GLOBAL", "LOAD_DEREF"):
            wanted -= 1
        elif each.name in ("BINARY_OP", "BINARY_SUBSCR"):
            wanted += 1
        elif each.name in ("BUILD_TUPLE", "BUILD_SLICE", "CALL"):
            wanted += each.arg - (each.name != "CALL")
        elif not each.name.startswith(("UNARY", "LOAD_ATTR", "LOAD_METHOD", "PRECALL", "PUSH_NULL")):
            return


_KEYS = {"BINARY_SUBSCR": 1, "STORE_SUBSCR": 1, "BINARY_SLICE": 2, "STORE_SLICE": 2}
"""How many operands of an instruction say which elements it concerns."""
_SUBSCRIPTS = frozenset(_KEYS)
_STORES = frozenset({"STORE_SUBSCR", "STORE_SLICE"})
