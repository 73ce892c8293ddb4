"""Loops and branches of a region: the bytecode of a loop's body is evaluated once, along both arms of each branch."""

# Note [Structure]
# CPython compiles loops and branches of the language, so what they leave in the bytecode is structured: a branch has a
# place where its arms meet again (its immediate postdominator), unless an arm ends a round or the loop. An arm is
# evaluated until it gets to a *stop*: the place where it meets the other one, that of a branch around it, the head of
# the innermost loop (the round is over) or the place behind it (the loop is over).

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...backend.loops import Break, Continue, Count, If, Statement
from ...core import dtypes
from ...graph.node import Node
from ..code import Instruction
from ..flow import Flow, flow_of
from ..nodes import constant_node
from ..opcodes.table import TABLE, run_handler
from ..points import Deferred, read_deferred
from ..values.base import Value
from ..values.constant import Constant
from ..values.host_number import INT64, Bounds
from ..values.iterators import Iterator
from .builder import Region
from .knowledge import Again, Kind, LoopKey, refused
from .numbers import bounds_of, condition, host_number, is_symbolic, number_node
from .ranges import Run
from .variables import as_kind, joined, kind_of, of_kind

if TYPE_CHECKING:
    from ..frame import Frame


@dataclass
class State:
    """What a frame holds at one place."""

    variables: dict[str, Value | None]
    stack: list[Value | None]
    returned: Value | None = None


@dataclass
class Carried:
    """A variable of the user's function that a loop changes; `name` is its variable in the statements.

    unbound: it has no value before the first round. stays_loose: some round may leave it as it was before the first.
    """

    name: str
    kind: Kind | None
    unbound: bool = False
    stays_loose: bool = False


@dataclass
class Round:
    """The innermost loop that is being evaluated. `head`: where a round begins; `behind`: where the loop is over."""

    head: int
    behind: int
    key: LoopKey
    carried: dict[str, Carried]
    kept: dict[str, Value | None]
    """The variables that hold the same value in every round."""
    broke: bool = False


@dataclass(frozen=True)
class Met:
    """A variable (by its name), a stack slot (by its place) or the return value that two arms leave different."""

    key: str | int
    name: str
    kind: Kind
    bounds: Bounds


@dataclass(frozen=True)
class Ended:
    """An arm that ended a round or a loop."""


ENDED = Ended()
RETURNED = -1
"""In place of a position: the frame has returned."""


class Evaluation:
    """One frame's part of a region."""

    def __init__(self, frame: Frame, region: Region) -> None:
        self.frame = frame
        self.trace = frame.trace
        self.region = region
        self.flow: Flow = flow_of(frame.code.raw)
        self.rounds: list[Round] = []

    # Instructions.
    def run(self, stops: frozenset[int]) -> int | Ended:
        """Evaluates from the frame's position until one of the stops, which it gives; or until an arm has ended."""
        frame = self.frame
        while frame.position not in stops:
            at = frame.position
            instruction = frame.code.instructions[at]
            frame.line = instruction.line
            self.trace.instructions += 1
            if self.trace.instructions >= self.trace.limit:
                raise refused("too many instructions")
            frame.position += 1
            if instruction.name == "FOR_ITER" and self._count(at, instruction):
                continue
            jump = self._jump(at, instruction)
            if jump is not None:
                reached = self._branch(*jump, stops)
                if isinstance(reached, Ended) or reached in stops or reached == RETURNED:
                    return reached
                continue
            self._plain(instruction)
            if frame.returned is not None:
                if self.rounds:
                    raise refused("a return out of the loop")
                return RETURNED
        return frame.position

    def call(self) -> Value:
        """What the frame of an inlined function returns."""
        trace = self.trace
        trace.frames.append(self.frame)
        try:
            self.run(frozenset())
        finally:
            trace.frames.pop()
        assert self.frame.returned is not None
        return self.frame.returned

    def _plain(self, instruction: Instruction) -> None:
        entry = TABLE.get(instruction.name)
        if entry is None or instruction.name not in ALLOWED:
            raise refused(f"the instruction {instruction.name}")
        if instruction.name in ("STORE_SUBSCR", "STORE_SLICE"):
            container = self.frame.stack[-2 if instruction.name == "STORE_SUBSCR" else -3]
            _refuse_containers(container)
        if self.frame.resumed:
            read_deferred(self.frame, entry, instruction)
        run_handler(self.frame, entry, instruction)

    # Branches.
    def _jump(self, at: int, instruction: Instruction) -> tuple[Node, int, int, bool] | None:
        """Of a jump that depends on a value of the region: the condition, where it goes if true, if false; whether the

        value stays on the stack where it jumps."""
        found = _JUMPS.get(instruction.name)
        if found is None:
            return None
        value = self.frame.stack[-1]
        if not is_symbolic(self.trace, value):
            return None
        assert value is not None
        when, keeps = found
        if keeps:
            raise refused("`and` or `or` as a value")
        self.frame.stack.pop()
        test = condition(self.trace, value)
        target, following = instruction.arg, at + 1
        return (test, target, following, keeps) if when else (test, following, target, keeps)

    def _branch(self, test: Node, true: int, false: int, keeps: bool, stops: frozenset[int]) -> int | Ended:
        frame, region = self.frame, self.region
        at = frame.position - 1
        meeting = self._meeting(at)
        inner = stops if meeting is None else stops | {meeting}
        before = self._state()
        arms: list[tuple[int | Ended, State, list[Statement]]] = []
        for target in (true, false):
            self._restore(before)
            frame.position = target
            with region.block() as statements:
                reached = self._arrived(self.run(inner))
            arms.append((reached, self._state(), statements))
        test_name = region.text(region.let_of(test))
        alive = [arm for arm in arms if not isinstance(arm[0], Ended)]
        if len(alive) == 2:
            if alive[0][0] != alive[1][0]:
                raise refused("branches that meet at different places")
            merged = self._merge(alive[0], alive[1])
        elif alive:
            self._restore(alive[0][1])
        region.put(If(test_name, tuple(arms[0][2]), tuple(arms[1][2])))
        if len(alive) == 2:
            self._bind(merged)
        if not alive:
            return ENDED
        reached = alive[0][0]
        assert isinstance(reached, int)
        if reached != RETURNED:
            frame.position = reached
        return reached

    def _arrived(self, reached: int | Ended) -> int | Ended:
        """Writes what ends a round or the loop, where an arm got there."""
        if isinstance(reached, Ended) or not self.rounds:
            return reached
        here = self.rounds[-1]
        if reached == here.head:
            self._end_round(here)
            self.region.put(Continue())
            return ENDED
        if reached == here.behind:
            self._end_round(here)
            here.broke = True
            self.region.put(Break())
            return ENDED
        return reached

    def _meeting(self, at: int) -> int | None:
        ends = {self.rounds[-1].head, self.rounds[-1].behind} if self.rounds else set()
        return meeting_of(self.flow.successors, at, frozenset(ends))

    def _state(self) -> State:
        return State(dict(self.frame.variables), list(self.frame.stack), self.frame.returned)

    def _restore(self, state: State) -> None:
        self.frame.variables = dict(state.variables)
        self.frame.stack[:] = state.stack
        self.frame.returned = state.returned

    def _merge(
        self, one: tuple[int | Ended, State, list[Statement]], other: tuple[int | Ended, State, list[Statement]]
    ) -> list[Met]:
        """Makes variables of what the arms have left different. They are declared before the branch."""
        place = one[0]
        assert isinstance(place, int)
        live = frozenset[str]() if place == RETURNED else self.flow.live[place]
        first, second = one[1], other[1]
        if len(first.stack) != len(second.stack):
            raise refused("branches that leave stacks of different heights")
        names: list[str | int] = [*first.variables, *(n for n in second.variables if n not in first.variables)]
        found: list[Met] = []
        merged = State(dict(first.variables), list(first.stack), first.returned)
        for key in [*names, *range(len(first.stack)), RETURNED]:
            a, b = _held(first, key), _held(second, key)
            if _same(a, b):
                continue
            if isinstance(key, str) and key not in live:
                merged.variables[key] = None
                continue
            if a is None or b is None:
                raise refused(f"the variable {key}, which only one branch binds")
            kinds = kind_of(a), kind_of(b)
            kind = joined(kinds[0], kinds[1]) if kinds[0] and kinds[1] else None
            if kind is None:
                raise refused(f"{key}, which is of another kind in each branch")
            name = self._declared(kind)
            for value, arm in ((a, one[2]), (b, other[2])):
                self._assign_in(arm, name, kind, value)
            low, high = zip(_bounds(a, kind), _bounds(b, kind), strict=True)
            found.append(Met(key, name, kind, (min(low), max(high))))
        self._restore(merged)
        return found

    def _assign_in(self, arm: list[Statement], name: str, kind: Kind, value: Value) -> None:
        self.region.blocks.append(arm)
        try:
            self.region.assign(name, kind.dtype, as_kind(self.trace, value, kind))
        finally:
            self.region.blocks.pop()

    def _declared(self, kind: Kind) -> str:
        zero = constant_node(self.trace, 0, (), kind.dtype)
        return self.region.variable(kind.dtype, zero)

    def _bind(self, met: list[Met]) -> None:
        for each in met:
            value = of_kind(self.trace, self.region.now(each.name, each.kind.dtype), each.kind, each.bounds)
            if isinstance(each.key, str):
                self.frame.variables[each.key] = value
            elif each.key == RETURNED:
                self.frame.returned = value
            else:
                self.frame.stack[each.key] = value

    # Loops.
    def _count(self, head: int, instruction: Instruction) -> bool:
        """Evaluates a loop over a range that the region computes, or that is long. False for any other loop."""
        iterator = self.frame.stack[-1]
        run = run_of(iterator)
        if run is None:
            return False
        self.count(head, run)
        return True

    def count(self, head: int, run: Run) -> None:
        """Evaluates a loop over a range."""
        count_loop(self, head, run)

    def _end_round(self, here: Round) -> None:
        """Assigns what the variables hold at the end of a round, and finds out whether they are of their kinds."""
        for user_name, each in here.carried.items():
            value = self.frame.variables.get(user_name)
            if value is None:
                raise refused(f"the variable {user_name}, which not every round binds")
            kind = kind_of(value)
            if kind is None:
                raise refused(f"the variable {user_name}, which is no number")
            wanted = kind if each.kind is None else joined(each.kind, kind)
            if wanted is None:
                raise refused(f"the variable {user_name}, which changes its type")
            if wanted != each.kind or each.kind is None:
                self.trace.loops.kinds[here.key, user_name] = wanted
                raise Again
            each.stays_loose |= kind.loose
            self.region.assign(each.name, each.kind.dtype, as_kind(self.trace, value, each.kind))
        for user_name, before in here.kept.items():
            if not _same(self.frame.variables.get(user_name), before):
                raise refused(f"the variable {user_name}, which is another object in each round")


def _held(state: State, key: str | int) -> Value | None:
    if isinstance(key, str):
        return state.variables.get(key)
    return state.returned if key == RETURNED else state.stack[key]


def _same(one: Value | None, other: Value | None) -> bool:
    if one is other:
        return True
    if isinstance(one, Constant) and isinstance(other, Constant):
        return type(one.value) is type(other.value) and repr(one.value) == repr(other.value)
    return False


def _bounds(value: Value, kind: Kind) -> Bounds:
    return bounds_of(value) if kind.python is int else INT64


def _refuse_containers(container: Value | None) -> None:
    from ..values.array import ArrayValue

    if not isinstance(container, ArrayValue):
        raise refused("a store into something that is no array")


_JUMPS: dict[str, tuple[bool, bool]] = {
    "POP_JUMP_IF_TRUE": (True, False),
    "POP_JUMP_FORWARD_IF_TRUE": (True, False),
    "POP_JUMP_BACKWARD_IF_TRUE": (True, False),
    "POP_JUMP_IF_FALSE": (False, False),
    "POP_JUMP_FORWARD_IF_FALSE": (False, False),
    "POP_JUMP_BACKWARD_IF_FALSE": (False, False),
    "JUMP_IF_TRUE_OR_POP": (True, True),
    "JUMP_IF_FALSE_OR_POP": (False, True),
}
"""Conditional jumps: whether they jump when the value is true, and whether it stays on the stack then."""

ALLOWED = frozenset(
    {
        *("NOP", "RESUME", "POP_TOP", "COPY", "SWAP", "PUSH_NULL", "END_FOR", "EXTENDED_ARG"),
        *("LOAD_CONST", "LOAD_FAST", "LOAD_FAST_CHECK", "LOAD_FAST_LOAD_FAST", "LOAD_GLOBAL", "LOAD_DEREF"),
        *("LOAD_ATTR", "LOAD_METHOD", "STORE_FAST", "STORE_FAST_LOAD_FAST", "STORE_FAST_STORE_FAST"),
        *("BINARY_OP", "BINARY_SUBSCR", "BINARY_SLICE", "STORE_SUBSCR", "STORE_SLICE", "COMPARE_OP", "IS_OP"),
        *("UNARY_NEGATIVE", "UNARY_POSITIVE", "UNARY_INVERT", "UNARY_NOT", "TO_BOOL"),
        *("BUILD_TUPLE", "BUILD_SLICE", "UNPACK_SEQUENCE", "KW_NAMES", "PRECALL", "CALL", "CALL_KW"),
        *(
            "RETURN_VALUE",
            "RETURN_CONST",
            "GET_ITER",
            "FOR_ITER",
            "JUMP_FORWARD",
            "JUMP_BACKWARD",
            "JUMP_BACKWARD_NO_INTERRUPT",
        ),
        *_JUMPS,
    }
)
"""The instructions that a region may hold. What they do to objects other than arrays is refused where it happens."""


def meeting_of(successors: Sequence[tuple[int, ...]], at: int, ends: frozenset[int]) -> int | None:
    """The first place that every way from `at` comes to, `ends` being ways out; None when there is none."""

    def after(start: int) -> list[int]:
        found, waiting, seen = [], [start], {start}
        while waiting:
            place = waiting.pop()
            found.append(place)
            for each in () if place in ends else successors[place]:
                if each not in seen:
                    seen.add(each)
                    waiting.append(each)
        return found

    places = after(at)
    inside = set(places)
    nowhere = -1
    post: dict[int, set[int]] = {}
    everything = inside | {nowhere}
    for place in places:
        post[place] = set(everything)
    post[nowhere] = {nowhere}
    changed = True
    while changed:
        changed = False
        for place in sorted(places, reverse=True):
            out = [nowhere] if place in ends else list(successors[place]) or [nowhere]
            met = set.intersection(*(post[each] for each in out)) | {place}
            if met != post[place]:
                post[place] = met
                changed = True
    beyond = post[at] - {at, nowhere}
    # The nearest is the one that all the others come after.
    return next((each for each in beyond if beyond <= post[each]), None)


def run_of(iterator: Value | None) -> Run | None:
    """The range that a fresh iterator runs over, if its loop is to be one of the region."""
    return iterator.run if isinstance(iterator, Iterator) and iterator.advanced == 0 else None


def loop_key(frame: Frame, head: int) -> LoopKey:
    """The loop at this place, by what a trace made anew meets again."""
    code = frame.code.raw
    met = frame.trace.loops_met
    count = met[code, head] = met.get((code, head), -1) + 1
    return code, head, count


def count_loop(evaluation: Evaluation, head: int, run: Run) -> None:
    """A loop over a range as a `Count`."""
    frame, region, trace = evaluation.frame, evaluation.region, evaluation.trace
    key = loop_key(frame, head)
    frame.stack.pop()
    exhausted = evaluation.flow.successors[head][1]
    behind = meeting_of(evaluation.flow.successors, head, frozenset(each.head for each in evaluation.rounds))
    if behind is None or behind != exhausted:
        raise refused("a loop with `else` or with a return")
    start, stop, step = run.start, run.stop, run.step
    low, high = bounds_of(start), bounds_of(stop)
    here = _begin(evaluation, key, head, behind, head)
    texts = [_amount(evaluation, each) for each in (start, stop)]
    var = region.name("i")
    with region.block() as statements:
        _read_variables(evaluation, here)
        bounds = (low[0], max(high[1] - 1, low[0])) if step > 0 else (min(high[0] + 1, low[1]), low[1])
        frame.stack.append(run.iterator)
        frame.stack.append(host_number(trace, region.local(var, dtypes.int64), bounds))
        frame.position = head + 1
        reached = evaluation.run(frozenset({head, behind}))
        if not isinstance(reached, Ended):
            evaluation._arrived(reached)
    evaluation.rounds.pop()
    if statements and isinstance(statements[-1], Continue):
        statements.pop()
    region.put(Count(var, texts[0], texts[1], step, tuple(statements)))
    frame.stack.append(run.iterator)
    del frame.stack[_height(evaluation, here) :]
    _end(evaluation, here, surely=run.surely)
    frame.position = behind


def _height(evaluation: Evaluation, here: Round) -> int:
    shape = evaluation.flow.shapes[here.behind]
    assert shape is not None
    return len(shape)


def _amount(evaluation: Evaluation, value: Value) -> str | int:
    region, trace = evaluation.region, evaluation.trace
    if isinstance(value, Constant):
        return int(value.value) if abs(value.value) <= 4 else region.size(("value", int(value.value), 0))
    return region.text(number_node(trace, value))


def _begin(evaluation: Evaluation, key: LoopKey, head: int, behind: int, live_at: int) -> Round:
    """Declares the variables that the loop changes."""
    frame, flow, trace = evaluation.frame, evaluation.flow, evaluation.trace
    carried: dict[str, Carried] = {}
    kept: dict[str, Value | None] = {}
    for name in sorted(stored_between(frame.code.instructions, flow, head, behind) & flow.live[live_at]):
        value = frame.variables.get(name)
        if type(value) is Deferred:
            value = frame.variables[name] = value.read()
        known = trace.loops.kinds.get((key, name))
        kind = known or (kind_of(value) if value is not None else None)
        if value is None:
            if known is None:
                carried[name] = Carried("", None, unbound=True)
                continue
            carried[name] = Carried(evaluation._declared(known), known, unbound=True)
        elif kind is None:
            kept[name] = value
        else:
            declared = evaluation.region.variable(kind.dtype, as_kind(trace, value, kind))
            carried[name] = Carried(declared, kind)
    here = Round(head, behind, key, carried, kept)
    evaluation.rounds.append(here)
    return here


def _read_variables(evaluation: Evaluation, here: Round) -> None:
    """The variables as they are when a round begins."""
    for name, each in here.carried.items():
        if each.unbound or each.kind is None:
            evaluation.frame.variables[name] = None
        else:
            node = evaluation.region.now(each.name, each.kind.dtype)
            evaluation.frame.variables[name] = of_kind(evaluation.trace, node, each.kind)


def _end(evaluation: Evaluation, here: Round, *, surely: bool) -> None:
    """The variables as they are behind the loop. `surely`: there was a round at least."""
    frame = evaluation.frame
    live = evaluation.flow.live[here.behind]
    for name in list(frame.variables):
        if name not in live and name not in here.kept and name in _stored(evaluation, here):
            frame.variables[name] = None
    for name, each in here.carried.items():
        if name not in live:
            frame.variables[name] = None
            continue
        if each.unbound and not surely:
            raise refused(f"the variable {name}, which is not bound where the loop has no round")
        assert each.kind is not None
        kind = Kind(each.kind.python, each.kind.dtype) if surely and not each.stays_loose else each.kind
        node = evaluation.region.now(each.name, each.kind.dtype)
        frame.variables[name] = of_kind(evaluation.trace, node, kind)
    for name, value in here.kept.items():
        frame.variables[name] = value


def _stored(evaluation: Evaluation, here: Round) -> frozenset[str]:
    return stored_between(evaluation.frame.code.instructions, evaluation.flow, here.head, here.behind)


def stored_between(instructions: Sequence[Instruction], flow: Flow, head: int, behind: int) -> frozenset[str]:
    """The variables that the instructions of a loop bind."""
    found: set[str] = set()
    waiting, seen = [head], {head, behind}
    while waiting:
        place = waiting.pop()
        each = instructions[place]
        if each.name == "STORE_FAST" or each.name == "STORE_FAST_STORE_FAST":
            found.update(each.arg if isinstance(each.arg, tuple) else (each.arg,))
        elif each.name == "STORE_FAST_LOAD_FAST":
            found.add(each.arg[0])
        for following in flow.successors[place]:
            if following not in seen:
                seen.add(following)
                waiting.append(following)
    return frozenset(found)


def evaluate_call(frame: Frame, region: Region) -> Value:
    """What the frame of a function returns that is inlined in a region. Errors: a break for a generator."""
    if frame.code.raw.co_flags & inspect.CO_GENERATOR:
        raise refused("a generator")
    return Evaluation(frame, region).call()
