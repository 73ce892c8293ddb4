"""Loops over tensors that are traced once: where one begins, its round, and what holds behind it."""

# Note [Rounds]
# A loop over a range whose body computes with tensors becomes a `loop` node. Its round is evaluated with stand-ins for
# what variables hold when a round begins, and must end with tensors of the same shape, dtype, strides and flags in
# them. Often only the first round differs (`total = 0.0`, an initial state that no gradient goes to): then it is
# evaluated as other code is, and the loop is of the others. Whatever else a round does (a write, a change of an object,
# another way out) makes the loop one of many copies of its body, as it would be without this; the trace is then made anew.

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...core import dtypes
from ...core.config import config
from ...graph.aot.loops import saves
from ...graph.node import Graph, Node
from ...graph.passes.dce import may_raise
from ...ops.call_outs import CALL_OUT
from ...ops.creation import FULL
from ...ops.regions import REGION
from ..breaks import GraphBreak
from ..flow import flow_of
from ..nodes import constant_node
from ..regions.control import same
from ..regions.knowledge import Again, AgainFromStart, LoopKey, refused
from ..regions.meetings import loops_of, read_in, stored_in
from ..splits import Reached
from ..values.array import Storage, result
from ..values.base import Shared, Value
from ..values.constant import Constant
from ..values.host_number import HostNumber
from ..values.iterators import Iterator, made_in
from ..values.loop_number import LoopNumber, RoundNumber
from ..values.scalar import Scalar
from ..values.sequences import ListValue, TupleValue
from ..values.tensor import TensorValue, fresh
from .loop_body import Body, add_loop, is_tracked
from .loop_lists import Collector, RowStorage, Stacked, appended_to

if TYPE_CHECKING:
    from ..frame import Frame
    from ..trace import Trace

MOST_PEELED = 2
"""How many of the first rounds are evaluated for themselves, at most."""
Made = Callable[[Sequence[Node]], Value]
"""What holds behind the loop, given the nodes of its results."""


class Differs(Exception):
    """A variable does not end a round as it began it."""


def enter_rounds(frame: Frame, head: int) -> bool:
    """Evaluates the loop whose head the frame is at as one node; False when it is to be unrolled.

    Errors: `Again` when the trace must be made anew.
    """
    trips = rounds_ahead(frame, head, frame.stack[-1])
    if not trips:
        return False
    trace, key = frame.trace, (frame.code.raw, head)
    peeled = trace.loops.peeled
    try:
        _Loop(frame, head, trips).evaluate()
    except Differs as differs:
        peeled[key] = peeled.get(key, 0) + 1
        if peeled[key] > MOST_PEELED:
            _unroll(trace, key, refused(f"{differs}, which is another kind of value in each round"))
        raise _again(trace) from None
    except GraphBreak as stop:
        _unroll(trace, key, stop)
    except Reached:
        _unroll(trace, key, refused("a split inside"))
    return True


def may_be_rounds(frame: Frame, head: int, length: int) -> bool:
    """Whether the loop that begins next, over a range of that length, may become one node."""
    return length >= config.loop_from and _may_begin(frame, head)


def rounds_ahead(frame: Frame, head: int, iterator: Value | None) -> int:
    """How many rounds are ahead of a loop that may become one node; 0 for any other."""
    if not isinstance(iterator, Iterator) or iterator.run is None or iterator.run.holds or not _may_begin(frame, head):
        return 0
    length = iterator.run.known_length
    known = all(type(each) is Constant and type(each.value) is int for each in _bounds(iterator))
    if not known or type(length) is not int:
        return 0
    if iterator.advanced < frame.trace.loops.peeled.get((frame.code.raw, head), 0):
        return 0
    rest = length - iterator.advanced
    return rest if rest >= config.loop_from - iterator.advanced and rest > 1 else 0


def _bounds(iterator: Iterator) -> tuple[Value, Value, Value]:
    assert iterator.run is not None
    return iterator.run.start, iterator.run.stop, iterator.run.step


def _may_begin(frame: Frame, head: int) -> bool:
    trace, code = frame.trace, frame.code.raw
    if not config.tensor_loops or not trace.backend.is_native or trace.region is not None or trace.later is not None:
        return False
    if (code, head) in trace.loops.unrolled or trace.tape.pair is not None or trace.tape.walking or trace.sizes.symbols:
        return False
    inside = loops_of(code).get(head)
    if inside is None or code.co_flags & 0x2A0:  # generators stop in the middle
        return False
    return any(_holds_tensor(frame.variables.get(name)) for name in read_in(code, inside))


def _holds_tensor(value: Value | None) -> bool:
    if type(value) is TupleValue:
        return any(map(_holds_tensor, value.items))
    return isinstance(value, TensorValue) or type(value).__name__ == "Deferred" and _is_real_tensor(value)


def _is_real_tensor(value: Any) -> bool:
    from ...tensor import Tensor

    return isinstance(value.real, Tensor)


def _again(trace: Trace) -> Again:
    return Again() if trace.split_at is None else AgainFromStart()  # instructions are counted anew


def _unroll(trace: Trace, key: LoopKey, stop: GraphBreak) -> None:
    """Errors: `Again`, always."""
    trace.loops.unrolled[key] = stop
    raise _again(trace) from None


@dataclass
class _State:
    """What a round must leave as it is."""

    storages: dict[Storage, tuple[Any, ...]]
    counts: tuple[Any, ...]
    outside: int
    enabled: bool

    @classmethod
    def of(cls, trace: Trace) -> _State:
        storages = {each: _marks(each) for each in trace.storages}
        return cls(storages, _counts(trace), Shared.changes_outside(), trace.tape.enabled)

    def check(self, trace: Trace) -> None:
        """Errors: a break where it has changed."""
        if any(_marks(each)[: len(known)] != known for each, known in self.storages.items()):
            raise refused("a write into memory from before the loop")
        if _counts(trace) != self.counts or Shared.changes_outside() != self.outside:
            raise refused("a change of an object that is no tensor")
        if any(each.input is not None and each.version for each in trace.storages):
            written = [each for each in trace.storages if each.input is not None and each.version]
            if any(each not in self.storages for each in written):
                raise refused("a write into memory from outside")
        if trace.tape.enabled != self.enabled:
            raise refused("a change of the grad mode")


def _marks(storage: Storage) -> tuple[Any, ...]:
    """What is known of a memory, and of each tensor over it; more tensors over it may come."""
    roots = ((each, each.requires_grad, each.leaf, each.detached, id(each.grad), each.bumps) for each in storage.roots)
    node = storage.known_node if isinstance(storage, RowStorage) else storage.node
    return storage.version, node, storage.handed_on, *roots


def _counts(trace: Trace) -> tuple[Any, ...]:
    tape = trace.tape
    made = [(id(each), each.state, each.frame.position) for each in trace.generators]
    changing = (trace.effects, tape.steps, tape.pairs, tape.packs, tape.freed, trace.new_classes, trace.written_arrays)
    return (*map(len, changing), [(key, id(each)) for key, each in trace.effects.items()], trace.draws.token, made)


@dataclass
class _Results:
    """What a body gives: the next carried values, then rows. finals: what the tensors of a round become behind it."""

    carried: dict[int, Node] = field(default_factory=dict)
    rows: list[Node] = field(default_factory=list)
    finals: dict[int, Made] = field(default_factory=dict)


class _Loop:
    """One loop, its round being evaluated."""

    def __init__(self, frame: Frame, head: int, trips: int) -> None:
        self.frame, self.trace, self.head, self.trips = frame, frame.trace, head, trips
        self.key: LoopKey = (frame.code.raw, head)
        self.inside = loops_of(frame.code.raw)[head]
        self.flow = flow_of(frame.code.raw)
        self.first, self.exhausted = self.flow.successors[head]
        self.before = dict(frame.variables)
        self.began: dict[str, Value | None] = {}
        self.stack = list(frame.stack)
        self.body = Body(frame.trace, trips)
        self.collectors: dict[str, Collector] = {}
        self.results = _Results()
        self.behind: dict[str, Made] = {}
        self.ends: dict[int, str] = {}
        """The storages of tensors that are carried on, and the variable that each is in."""
        self.shifted: set[int] = set()
        """Those of which another variable holds the one of the round before."""

    def evaluate(self) -> None:
        """Evaluates a round, adds the loop to the graph, and lets the frame hold what it holds behind it."""
        trace, frame = self.trace, self.frame
        from ..regions.native import read_variables

        read_variables(frame, self.head)
        self.before = dict(frame.variables)
        state = _State.of(trace)
        self.known = state.storages.keys()
        trace.rounds.append(self.body)
        try:
            with trace.into(self.body.builder), made_in(self.body), Shared.changes_only_of_new():
                self._begin()
                self._run()
                self._end()
                state.check(trace)
                self._check_nodes()
        finally:
            trace.rounds.pop()
        self._leave()

    # The round.
    def _begin(self) -> None:
        frame, live = self.frame, self.flow.live[self.first]
        code = frame.code.raw
        for name in stored_in(code, self.inside) & live:
            value = frame.variables.get(name)
            if value is not None:
                frame.variables[name] = self._stand_in(name, value)
        for name in appended_to(code, self.inside):
            value = frame.variables.get(name)
            if isinstance(value, ListValue) and value.source is None and name not in stored_in(code, self.inside):
                self.collectors[name] = frame.variables[name] = Collector(value, self.body)
        self.began = dict(frame.variables)
        iterator = frame.stack[-1]
        assert isinstance(iterator, Iterator) and iterator.run is not None
        start, _, step = (each.value for each in _bounds(iterator))  # type: ignore[attr-defined]
        affine = step, start + step * iterator.advanced
        number = RoundNumber(self.body.counter, affine, self.trips)
        frame.stack.append(iterator.run.element(self.trace, number))
        frame.position = self.first

    def _stand_in(self, name: str, value: Value) -> Value:
        if isinstance(value, TensorValue):
            if not value.array.type.size:
                raise refused("a tensor without elements")
            return self.body.stand_in(value)
        if type(value) is TupleValue and _holds_tensor(value):
            return TupleValue([self._stand_in(name, each) for each in value.items])
        if (self.key, name) in self.trace.loops.numbers and _is_float(value):
            with self.trace.into(self.body.builder.outer):
                node = self.body.carried(_number(self.trace, value))
            return LoopNumber(lambda trace: node, 0.0, self.trips)
        return value

    def _run(self) -> None:
        frame, depth = self.frame, len(self.trace.frames)
        while frame.position != self.head:
            if frame.position not in self.inside or frame.returned is not None or frame.yielded is not None:
                raise refused("a loop that is left early")
            frame.step()
        assert len(self.trace.frames) == depth
        if len(frame.stack) != len(self.stack) or any(map(_differ, frame.stack, self.stack)):
            raise refused("a loop that leaves something on the stack")
        if any(each.version for each in self.body.stands):
            raise refused("a write into what a round is given")

    # Its end.
    def _end(self) -> None:
        code, carried, after = self.frame.code.raw, self.flow.live[self.first], self.flow.live[self.exhausted]
        variables = self.frame.variables
        for name, value in variables.items():
            if name not in stored_in(code, self.inside) and not _same(value, self.began.get(name)):
                raise refused(f"the variable {name}, which is changed in another way than by a store")
        names = sorted(stored_in(code, self.inside))
        for name in names:
            if name in carried:
                self.behind[name] = self._carried(name, self.before.get(name), self.began.get(name), variables[name])
        for name in names:
            value = variables.get(name)
            if name not in carried and name in after:
                if value is None or value is self.before.get(name):
                    raise refused(f"the variable {name}, which not every round binds")
                self.behind[name] = self._last(name, value)
        for name, collector in self.collectors.items():
            if variables.get(name) is not collector:
                raise refused(f"the list {name}, which is bound anew")
        self._collect()

    def _carried(self, name: str, before: Value | None, began: Value | None, now: Value | None) -> Made:
        """What a variable holds behind the loop with which rounds begin. Errors: `Differs`."""
        if before is None or now is None or began is None:
            if now is not None:
                raise Differs(f"the variable {name}")
            return lambda nodes: before  # type: ignore[return-value]
        if began is now:
            return lambda nodes: before
        if type(began) is TupleValue and began is not before:
            if type(now) is not TupleValue or len(now.items) != len(began.items):
                raise Differs(f"the variable {name}")
            assert type(before) is TupleValue
            parts = [
                self._carried(name, *each) for each in zip(before.items, began.items, now.items, strict=True)
            ]
            return lambda nodes: TupleValue([part(nodes) for part in parts])
        if isinstance(began, LoopNumber):
            return self._carried_number(name, began, now)
        if not isinstance(began, TensorValue):
            if _same(began, now):
                return lambda nodes: before
            if _is_float(began) and isinstance(now, LoopNumber) or _is_float(now) and _is_float(began):
                if (self.key, name) not in self.trace.loops.numbers:
                    self.trace.loops.numbers.add((self.key, name))
                    raise _again(self.trace)
            raise Differs(f"the variable {name}")
        if not isinstance(now, TensorValue) or _form(began) != _form(now):
            raise Differs(f"the variable {name}")
        return self._carried_tensor(name, began, now)

    def _carried_tensor(self, name: str, began: TensorValue, now: TensorValue) -> Made:
        storage = now.array.storage
        if now.array.path or now.root.detached or now.root.view is not None or now.requires_grad and now.is_leaf:
            raise refused(f"the variable {name}, which is a view or a new leaf")
        if storage in self.body.stands:
            # Another variable's value of the round before: for the first round that is an object from before the loop.
            follower = self._follower(storage)
            if follower is None:
                raise refused(f"the variable {name}, which may be an object from before the loop")
            self.shifted.add(id(follower))
        elif not self._is_new(storage):
            raise Differs(f"the variable {name}")
        if id(storage) in self.ends:
            raise refused(f"the variables {name} and {self.ends[id(storage)]}, which are one tensor")
        self.ends[id(storage)] = name
        place = self._place(began.array.storage.node)
        self.results.carried[place] = now.read()
        made = self.results.finals[id(storage)] = _once(lambda nodes: self._final(nodes[place], now))
        return made

    def _carried_number(self, name: str, began: LoopNumber, now: Value) -> Made:
        node = began.node(self.trace)
        if not _is_float(now) and not (isinstance(now, LoopNumber) and now.python_type is float):
            raise refused(f"the variable {name}, which changes its type")
        place = self._place(node)
        self.results.carried[place] = now.node(self.trace) if isinstance(now, LoopNumber) else _number(self.trace, now)
        return lambda nodes: HostNumber(result(self.trace, nodes[place], generic=True))

    def _last(self, name: str, value: Value) -> Made:
        """What a variable holds behind the loop that every round binds before it is read."""
        if isinstance(value, TensorValue):
            storage = value.array.storage
            if id(storage) in self.results.finals:
                return self.results.finals[id(storage)]
            if not self._is_new(storage):
                if storage in self.body.stands:
                    raise refused(f"the variable {name}, which is a part of another tensor")
                return lambda nodes: value
            if value.array.path or value.root.detached or value.root.view or value.requires_grad and value.is_leaf:
                raise refused(f"the variable {name}, which is a view or a new leaf")
            node = value.read()
            with self.trace.into(self.body.builder.outer), self.trace.no_grad():
                zero = 0.0 if node.type.dtype.is_float else False if node.type.dtype.is_bool else 0
                start = self.trace.add(FULL, value=zero, shape=node.shape, dtype=node.type.dtype)
            place = self._place(self.body.carried(start))
            self.results.carried[place] = node
            made = self.results.finals[id(storage)] = _once(lambda nodes: self._final(nodes[place], value))
            return made
        if type(value) is TupleValue:
            parts = [self._last(name, each) for each in value.items]
            return lambda nodes: TupleValue([part(nodes) for part in parts])
        if isinstance(value, LoopNumber):
            last = value.last()
            return lambda nodes: last
        if isinstance(value, Constant) or type(value) is Scalar or value.source is not None:
            return lambda nodes: value
        raise refused(f"the variable {name}, which holds {value.describe()}")

    def _collect(self) -> None:
        """Notes what rounds append to lists."""
        seen: set[int] = set()
        for collector in self.collectors.values():
            for value in collector.items:
                storage = value.array.storage
                if value.array.path or value.root.detached or value.root.view or value.requires_grad and value.is_leaf:
                    raise refused("a view or a new leaf that is appended to a list")
                again = id(storage) in seen or id(storage) in self.shifted
                if again or not (self._is_new(storage) or self._before(value) is not None):
                    raise refused("a tensor that is appended to a list and was there before")
                seen.add(id(storage))
                self.results.rows.append(value.read())

    def _before(self, value: TensorValue) -> TensorValue | None:
        """What the first round appends where a list gets what a variable held at the beginning of a round."""
        storage = value.array.storage
        if self._follower(storage) is None:
            return None
        names = [name for name, began in self.began.items() if began is value]
        before = self.before.get(names[0]) if len(names) == 1 else None
        return before if isinstance(before, TensorValue) and not before.array.path else None

    def _check_nodes(self) -> None:
        """Errors: a break for nodes that no body may hold."""
        recorded, enabled = self.trace.tape.recorded, self.trace.tape.enabled
        for node in self.body.builder.nodes:
            if node.op in (REGION, CALL_OUT) or may_raise(node):
                raise refused("an operation that may end the call")
            if (node in recorded) != enabled:
                raise refused("a part of which no history is kept")
            if not node.type.size:
                raise refused("a tensor without elements")

    def _place(self, node: Node) -> int:
        return next(place for place, (_, each) in enumerate(self.body.starts) if each is node)

    def _is_new(self, storage: Storage) -> bool:
        """Whether the round has made this memory."""
        return storage not in self.known and storage not in self.body.stands and storage.input is None

    def _follower(self, storage: Storage) -> Storage | None:
        """What the variable that this is the stand-in of holds at the end, if that is something of the round's own."""
        for name, began in self.began.items():
            now = self.frame.variables.get(name)
            if isinstance(began, TensorValue) and began.array.storage is storage and isinstance(now, TensorValue):
                return now.array.storage if self._is_new(now.array.storage) else None
        return None

    # Behind it.
    def _final(self, node: Node, like: TensorValue) -> TensorValue:
        return fresh(self.trace, node, requires_grad=like.requires_grad, leaf=like.is_leaf, strides=like.strides)

    def _leave(self) -> None:
        """Adds the loop to the graph, and lets the frame hold what it holds behind it."""
        frame, body, trace = self.frame, self.body, self.trace
        pairs, kept = self._saved()
        carried = [self.results.carried.get(place, stand) for place, (_, stand) in enumerate(body.starts)]
        graph, operands = body.finished([*carried, *self.results.rows])
        tracked = self._tracked(operands)
        if tracked:
            graph = Graph(graph.inputs, graph.nodes, (*graph.outputs, *saves(graph, len(carried), len(body.rows), tracked)))
        nodes = add_loop(trace, graph, operands, self.trips, len(carried), len(body.rows))
        stored = stored_in(frame.code.raw, self.inside)
        frame.variables.update((name, value) for name, value in self.before.items() if name not in stored)
        for name in stored:
            made = self.behind.get(name)
            frame.variables[name] = None if made is None else made(nodes)
        lists = self._append(nodes[len(carried) :])
        if tracked:
            finals = [made(nodes) for number, made in self.results.finals.items() if number in kept]
            finals += [row for number, rows in lists.items() if number in kept for row in rows]
            made_pairs = [(each.array.storage, each.array.storage.version) for each in finals]  # type: ignore[attr-defined]
            trace.tape.saved.update((node, (*pairs, *made_pairs)) for node in nodes)
        iterator = self.stack[-1]
        assert isinstance(iterator, Iterator)
        iterator.spend()
        frame.stack[:] = self.stack[:-1]
        frame.position = self.exhausted

    def _append(self, nodes: Sequence[Node]) -> dict[int, list[TensorValue]]:
        """Appends to lists what rounds append to them; by the storage that it has in a round."""
        trace, places = self.trace, iter(nodes)
        trace.stacked = trace.stacked or Stacked()
        found: dict[int, list[TensorValue]] = {}
        for collector in self.collectors.values():
            columns = []
            for value in collector.items:
                node, number = next(places), id(value.array.storage)
                rows: list[TensorValue] = trace.stacked.rows(trace, node, value)
                final = self.results.finals.get(number)
                if final is not None:
                    rows[-1] = final(nodes)  # type: ignore[assignment]
                    trace.stacked.note(rows[-1], node, self.trips - 1)
                first = self._before(value) if value.array.storage in self.body.stands else None
                if first is not None:
                    rows[0] = first
                    trace.stacked.note(first, node, 0)
                found[number] = rows
                columns.append(rows)
            for values in zip(*columns, strict=True):
                for each in values:
                    collector.owner.append(each)
        return found

    def _tracked(self, operands: Sequence[Node]) -> set[int]:
        """The numbers of the operands through which gradients go."""
        trace, body = self.trace, self.body
        if not trace.tape.enabled:
            return set()
        stands = [stand for _, stand in (*body.starts, *body.rows)]
        ends = {node for each in trace.rounds for node in each.tracked}
        found = {place for place, stand in enumerate(stands) if stand in body.tracked}
        rest = enumerate(operands[len(stands) :], len(stands))
        return found | {place for place, node in rest if node.type.dtype.is_float and is_tracked(trace, node, ends)}

    def _saved(self) -> tuple[list[tuple[Storage, int]], set[int]]:
        """What rounds save for backward of memory from before the loop, and the numbers of what they made themselves.

        Errors: a break where a round has written what it saved.
        """
        pairs: dict[tuple[Storage, int], None] = {}
        kept: set[int] = set()
        for node in self.body.builder.nodes:
            for storage, version in self.trace.tape.saved.get(node, ()):
                stands = self.body.stands.get(storage)
                if stands is not None:
                    pairs[stands] = None
                    if self._follower(storage) is not None:
                        kept.add(id(self._follower(storage)))
                elif not self._is_new(storage):
                    pairs[storage, version] = None
                elif storage.version != version:
                    raise refused("a write into what is saved for backward")
                kept.add(id(storage))
        return list(pairs), kept


def _once(make: Callable[[Sequence[Node]], TensorValue]) -> Made:
    """The same tensor whenever it is asked for."""
    made: list[TensorValue] = []

    def give(nodes: Sequence[Node]) -> Value:
        if not made:
            made.append(make(nodes))
        return made[0]

    return give


def _form(value: TensorValue) -> tuple[Any, ...]:
    return (
        value.shape, value.dtype, value.strides, value.requires_grad, value.is_leaf, value.blind, value.kind, value.device
    )  # fmt: skip


def _same(one: Value | None, other: Value | None) -> bool:
    if type(one) is Scalar and type(other) is Scalar:
        return bool(one.source == other.source)
    return same(one, other)


def _differ(one: Value | None, other: Value | None) -> bool:
    return one is not other


def _is_float(value: Value | None) -> bool:
    """Whether it is a Python float that does not change from round to round."""
    if isinstance(value, Constant):
        return type(value.value) is float
    return type(value) in (Scalar, HostNumber) and value.python_type is float  # type: ignore[union-attr]


def _number(trace: Trace, value: Value) -> Node:
    if isinstance(value, Constant):
        return constant_node(trace, value.value, (), dtypes.float64)
    assert isinstance(value, (Scalar, HostNumber))
    return value.node(trace)
