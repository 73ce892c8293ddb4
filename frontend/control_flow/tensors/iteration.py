"""An iteration of a loop over tensors: it begins with stand-ins, is evaluated, and becomes a node of the graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Iterator as Iterating
from functools import partial
from typing import TYPE_CHECKING

from ....core.sizes import Size
from ....graph.aot.loops import saves
from ....graph.bodies import lies_elsewhere
from ....graph.builder import GraphBuilder
from ....graph.node import Graph, Node
from ....graph.passes.dce import may_raise
from ....ops.call_outs import CALL_OUT
from ....ops.regions import REGION
from ....ops.registry import Creation, Movement, Pointwise
from ...breaks import LOOP_EXIT, PART_CHANGE, PART_MODE, PART_RAISES, PART_WRITE
from ...bytecode.cfg import stored_in
from ...tracing.round_draws import leave as leave_draws
from ...tracing.speculation import unsupported_in_region
from ...values.arrays.array import Storage
from ...values.base import MutableValue, Value
from ...values.constant import Constant
from ...values.containers.iterators import Iterator, made_in
from ...values.containers.sequences import ListValue, TupleValue
from ...values.numbers.loop_varying import InductionVariable, LoopVaryingNumber
from ...values.tensors.tensor import TensorValue
from ..elements.enter import read_variables
from ..purity import TraceSnapshot
from .iteration_parts import check_unread
from .loop_carried import LoopCarried, is_float, made_anew, number_node
from .stacked_lists import ListCollector, StackedRows, UncountedRows, added_to, appended_to, closed
from .subgraph import add_loop, is_tracked
from .writes import write_rows

if TYPE_CHECKING:
    from ...interpreter.frame import Frame

MOST_FUSED = 64
"""Pointwise operations of all iterations together up to which they are made one after the other by one kernel."""
MOST_DIVISIONS = 4
"""The most places at which a loop is divided, since a branch on its number changes its outcome there."""


def bounds_of(iterator: Iterator) -> tuple[Value, Value, Value]:
    """The numbers that an iterator runs over."""
    assert iterator.space is not None
    return iterator.space.start, iterator.space.stop, iterator.space.step


def _noted(
    make: Callable[[], list[TensorValue]], number: int, note: Callable[[int, list[TensorValue]], None]
) -> list[TensorValue]:
    rows = make()
    note(number, rows)
    return rows


class TensorIteration(LoopCarried):
    """A loop, of which one iteration is evaluated. See Note [Iterations that become one node]."""

    def __init__(self, frame: Frame, head: int, trip_count: int) -> None:
        super().__init__(frame, head, trip_count)
        self.stack = list(frame.stack)
        iterator = frame.loop_iterator
        assert isinstance(iterator, Iterator) and iterator.space is not None
        self.iterator, self.advanced = iterator, iterator.advanced
        length = iterator.space.known_length
        self.is_last = type(length) is not int or length - iterator.advanced == trip_count
        """Whether the loop has no iterations behind these."""

    def evaluate(self) -> None:
        """Evaluates an iteration, adds the loop to the graph, and lets the frame hold what it holds behind it."""
        trace, frame = self.trace, self.frame
        read_variables(frame, self.head)
        self.before = dict(frame.variables)
        state = TraceSnapshot.of(trace)
        self.known = state.storages.keys()
        self._nodes_before = [(each, len(each.nodes)) for each in self._builders()]
        trace.iterations.append(self.body)
        try:
            with (
                trace.into(self.body.builder),
                made_in(self.body),
                MutableValue.changes_only_of_new(PART_CHANGE),
            ):
                self._begin()
                with closed([each.owner for each in self.collectors.values()]):
                    self._run()
                self.end()
                state.check(trace)
                self._check_nodes()
                self._check_worth()
                self._check_writes()
        finally:
            trace.iterations.pop()
        self._leave()

    def _begin(self) -> None:
        frame, live = self.frame, self.flow.live[self.first]
        code = frame.code.raw
        stored = stored_in(code, self.inside)
        added = added_to(code, self.inside)
        for name in stored & live:
            value = frame.variables.get(name)
            if value is not None:
                frame.variables[name] = self._stand_in(name, value)
        for name in appended_to(code, self.inside) | added:
            value = frame.variables.get(name)
            if isinstance(value, ListValue) and value.source is None and (name not in stored or name in added):
                self.collectors[name] = frame.variables[name] = ListCollector(value, self.body)
        self.began = dict(frame.variables)
        iterator = self.iterator
        assert iterator.space is not None
        first, _, pace = bounds_of(iterator)
        assert isinstance(first, Constant) and isinstance(pace, Constant)
        start, step = first.value, pace.value
        affine = step, start + step * iterator.advanced
        number = InductionVariable(self.body.counter, self._divide, affine, self.trip_count)
        frame.stack.append(iterator.space.element(self.trace, number))
        frame.position = self.first

    def _divide(self, iteration: int) -> None:
        """Errors: `Restart`, with a loop that ends before this iteration, unless there are too many already."""
        known = self.trace.speculation.divided.setdefault(self.key, set())
        place = self.advanced + iteration
        if len(known) < MOST_DIVISIONS and place not in known:
            known.add(place)
            raise made_anew(self.trace)

    def _stand_in(self, name: str, value: Value) -> Value:
        if isinstance(value, TensorValue):
            if not value.array.type.size:
                raise unsupported_in_region("a tensor without elements")
            return self.body.stand_in(value)
        if type(value) is TupleValue and _holds_tensor(value):
            return TupleValue([self._stand_in(name, each) for each in value.items])
        if (self.key, name) in self.trace.speculation.varying_floats and is_float(value):
            with self.trace.into(self.body.builder.outer):
                node = self.body.carried(number_node(self.trace, value))
            return LoopVaryingNumber(lambda trace: node, 0.0, self.trip_count)
        return value

    def _run(self) -> None:
        frame, depth = self.frame, len(self.trace.progress.frames)
        while frame.position != self.head:
            if frame.position not in self.inside or frame.returned is not None or frame.yielded is not None:
                raise LOOP_EXIT.stop()
            frame.step()
        assert len(self.trace.progress.frames) == depth
        if len(frame.stack) != len(self.stack) or any(map(_differ, frame.stack, self.stack)):
            raise unsupported_in_region("a loop that leaves something on the stack")
        if any(each.version for each in self.body.stands):
            raise PART_WRITE.stop(memory="what a round is given")

    def _check_nodes(self) -> None:
        """Errors: a break for nodes that no body may hold."""
        recorded, enabled = self.trace.tape.recorded, self.trace.tape.enabled
        for node in self.body.builder.nodes:
            if node.op in (REGION, CALL_OUT) or may_raise(node):
                raise PART_RAISES.stop()
            if (node in recorded) != enabled:
                raise PART_MODE.stop(mode="a part of which no history is kept")
            if not node.type.size:
                raise unsupported_in_region("a tensor without elements")

    def _builders(self) -> Iterating[GraphBuilder]:
        """The builders to which the nodes around the iteration go, from the inside to the outside."""
        builder: GraphBuilder | None = self.trace.builder
        while builder is not None:
            yield builder
            builder = getattr(builder, "outer", None)

    def _check_writes(self) -> None:
        """Errors: a break where the iteration reads what iterations write."""
        if not self.body.writes:
            return
        made = set(self.body.builder.nodes)
        known: list[Node] = []
        for builder, count in self._nodes_before:
            made.update(builder.nodes[count:])
            known[:0] = builder.nodes[:count]
        check_unread(self.body.writes, made, known)

    def _check_worth(self) -> None:
        """Errors: a break where all iterations together are one kernel of pointwise work, which needs no memory
        between.
        """
        work = [node for node in self.body.builder.nodes if not isinstance(node.op.lower, (Creation, Movement))]
        plain = all(isinstance(node.op.lower, Pointwise) for node in work)
        if plain and not self.body.rows and not self.results.rows and len(work) * self.trip_count <= MOST_FUSED:
            raise unsupported_in_region("a few pointwise operations, which one kernel does")

    def _leave(self) -> None:
        """Adds the loop to the graph, and lets the frame hold what it holds behind it."""
        frame, body, trace = self.frame, self.body, self.trace
        leave_draws(trace, body)
        pairs, kept, followed = self._saved()
        carried = [self.results.carried.get(place, stand) for place, (_, stand) in enumerate(body.starts)]
        graph, operands = body.finished([*carried, *self.results.rows])
        if lies_elsewhere(operands, graph):
            raise unsupported_in_region("results on several devices")
        tracked = self._tracked(operands)
        if tracked:
            graph = Graph(
                graph.inputs, graph.nodes, (*graph.outputs, *saves(graph, len(carried), len(body.rows), tracked))
            )
        nodes = add_loop(trace, graph, operands, self.trip_count, len(carried), len(body.rows))
        stored = stored_in(frame.code.raw, self.inside)
        frame.variables.update((name, value) for name, value in self.before.items() if name not in stored)
        for name in stored:
            made = self.behind.get(name)
            frame.variables[name] = None if made is None else made(nodes)

        def note(number: int, rows: list[TensorValue]) -> None:
            """Notes rows that are made later as saved, where the rounds have saved what they hold."""
            if tracked and (number in kept or number in followed):
                held = rows if number in kept else rows[:-1]
                later = [(each.array.storage, each.array.storage.version) for each in held]
                trace.tape.saved.update((node, (*trace.tape.saved[node], *later)) for node in nodes)

        lists = self._append(nodes[len(carried) :], note)
        written = nodes[len(carried) + sum(len(each.items) for each in self.collectors.values()) :]
        for each, node in zip(body.writes, written, strict=False):
            write_rows(trace, each, node, self.trip_count)
        if tracked:
            finals = [made(nodes) for number, made in self.results.finals.items() if number in kept]
            finals += [row for number, rows in lists.items() if number in kept for row in rows]
            finals += [row for number, rows in lists.items() if number in followed for row in rows[:-1]]
            made_pairs = [(each.array.storage, each.array.storage.version) for each in finals]  # type: ignore[attr-defined]
            trace.tape.saved.update((node, (*pairs, *made_pairs)) for node in nodes)
        frame.stack[:] = self.stack
        if self.is_last:
            self.iterator.spend()
            frame.stack[:] = frame.without_loop_iterator()
            frame.position = self.exhausted
        else:
            self.iterator.skip(int(self.trip_count))
            frame.position = self.head

    def _append(
        self, nodes: Sequence[Node], note: Callable[[int, list[TensorValue]], None]
    ) -> dict[int, list[TensorValue]]:
        """Appends to lists what iterations append to them; by the storage that it has in an iteration.

        note: is told of those that are made later, since nobody knows how many rounds there are.
        """
        trace, places = self.trace, iter(nodes)
        trace.stacked = trace.stacked or StackedRows()
        found: dict[int, list[TensorValue]] = {}
        for collector in self.collectors.values():
            columns = []
            for value in collector.items:
                node, number = next(places), id(value.array.storage)
                final = self.results.finals.get(number)
                last = None if final is None else final(nodes)
                first = self.first_of(value) if value.array.storage in self.body.stands else None
                make = partial(self._rows, node, value, first, last)
                if isinstance(self.trip_count, Size) and len(collector.items) == 1:
                    ends = [each for each in (first, last) if isinstance(each, TensorValue)]
                    trace.stacked.wait(
                        collector.owner, UncountedRows(node, value, ends, partial(_noted, make, number, note))
                    )
                    break
                found[number] = make()
                columns.append(found[number])
            for values in zip(*columns, strict=True):
                for each in values:
                    collector.owner.append(each)
        return found

    def _rows(self, node: Node, value: TensorValue, first: TensorValue | None, last: Value | None) -> list[TensorValue]:
        """The rows of a node; the first and the last are tensors that variables hold, if there are such."""
        stacked = self.trace.stacked
        assert stacked is not None
        rows: list[TensorValue] = stacked.rows(self.trace, node, value)
        if last is not None:
            assert isinstance(last, TensorValue)
            rows[-1] = last
            stacked.note(last, node, node.shape[0] - 1)
        if first is not None:
            rows[0] = first
            stacked.note(first, node, 0)
        return rows

    def _tracked(self, operands: Sequence[Node]) -> set[int]:
        """The numbers of the operands through which gradients go."""
        trace, body = self.trace, self.body
        if not trace.tape.enabled:
            return set()
        stands = [stand for _, stand in (*body.starts, *body.rows)]
        ends = {node for each in trace.iterations for node in each.tracked}
        found = {place for place, stand in enumerate(stands) if stand in body.tracked}
        rest = enumerate(operands[len(stands) :], len(stands))
        return found | {
            place for place, node in rest if node.type.dtype.is_differentiable and is_tracked(trace, node, ends)
        }

    def _saved(self) -> tuple[list[tuple[Storage, int]], set[int], set[int]]:
        """The memory from before the loop that iterations save for backward, and the ids of all memory that they save.

        And the ids of memory that the next iteration saves of what this one made: what the last one made is not saved.
        Errors: a break where an iteration has written what it saved.
        """
        pairs: dict[tuple[Storage, int], None] = {}
        kept: set[int] = set()
        followed: set[int] = set()
        for node in self.body.builder.nodes:
            for storage, version in self.trace.tape.saved.get(node, ()):
                stands = self.body.stands.get(storage)
                if stands is not None:
                    pairs[stands] = None
                    followed.add(id(self.follower(storage)))
                elif not self.is_new(storage):
                    pairs[storage, version] = None
                elif storage.version != version:
                    raise PART_WRITE.stop(memory="what is saved for backward")
                kept.add(id(storage))
        return list(pairs), kept, followed


def _holds_tensor(value: Value) -> bool:
    if type(value) is TupleValue:
        return any(map(_holds_tensor, value.items))
    return isinstance(value, TensorValue)


def _differ(one: Value | None, other: Value | None) -> bool:
    return one is not other
