"""The end of an iteration of a loop over tensors: what variables and lists hold then, and so behind the loop."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any

from ....core import dtypes
from ....core.records import dataclass
from ....graph.node import Node
from ....ops.creation import FULL
from ...breaks import LOOP_LIST, LOOP_VARIABLE, PART_ALIAS, PART_BINDING
from ...bytecode.cfg import loops_of, stored_in
from ...bytecode.dataflow import flow_of
from ...tracing.nodes import constant_node
from ...tracing.restarts import Restart, RestartFromStart
from ...tracing.speculation import LoopKey, unsupported_in_region
from ...values.arrays.array import Storage, result
from ...values.base import Value
from ...values.constant import Constant
from ...values.containers.sequences import TupleValue
from ...values.numbers.computed import ComputedNumber
from ...values.numbers.input_scalar import InputNumber
from ...values.numbers.loop_varying import LoopVaryingNumber
from ...values.tensors.tensor import TensorValue, fresh
from ..snapshot import is_same
from .stacked_lists import ListCollector
from .subgraph import Subgraph

if TYPE_CHECKING:
    from ...interpreter.frame import Frame
    from ...tracing.trace import Trace

Made = Callable[[Sequence[Node]], Value]
"""A function that makes the value that a variable holds behind the loop, given the nodes of its results."""


class IterationsDiffer(Exception):
    """A variable does not end an iteration as it began it."""


def made_anew(trace: Trace) -> Restart:
    """The exception that makes the trace begin anew."""
    return Restart() if trace.progress.split_at is None else RestartFromStart()  # instructions are counted anew


@dataclass
class LoopResults:
    """The results of a body: the next carried values, then rows.

    finals: what the tensors of an iteration become behind it.
    """

    carried: dict[int, Node] = field(default_factory=dict)
    rows: list[Node] = field(default_factory=list)
    finals: dict[int, Made] = field(default_factory=dict)


class LoopCarried:
    """A loop whose iteration is being evaluated, as far as its end is concerned.

    before: what variables hold before the loop. began: the same when the iteration began.
    known:  the memory from before the loop.
    """

    def __init__(self, frame: Frame, head: int, trip_count: int) -> None:
        self.frame, self.trace, self.head, self.trip_count = frame, frame.trace, head, trip_count
        self.key: LoopKey = (frame.code.raw, head)
        self.inside = loops_of(frame.code.raw)[head]
        self.flow = flow_of(frame.code.raw)
        self.known: Collection[Storage] = ()
        self.first, self.exhausted = self.flow.successors[head]
        self.before = dict(frame.variables)
        self.began: dict[str, Value | None] = {}
        self.body = Subgraph(frame.trace, trip_count)
        self.collectors: dict[str, ListCollector] = {}
        self.results = LoopResults()
        self.behind: dict[str, Made] = {}
        self.left: set[Storage] = set()
        """The memory of all tensors that an iteration leaves."""
        self.ends: dict[int, str] = {}
        """The storages of tensors that are carried on, and the variable that each is in."""
        self.shifted: set[int] = set()
        """The storages of carried tensors of which another variable holds the one of the iteration before."""

    def end(self) -> None:
        code, carried, after = self.frame.code.raw, self.flow.live[self.first], self.flow.live[self.exhausted]
        variables = self.frame.variables
        for name, value in variables.items():
            if name not in stored_in(code, self.inside) and not is_same(value, self.began.get(name)):
                raise unsupported_in_region(f"the variable {name}, which is changed in another way than by a store")
        names = sorted(stored_in(code, self.inside))
        for name in names:
            if name in carried:
                self.behind[name] = self._carried(name, self.before.get(name), self.began.get(name), variables[name])
        for name in names:
            value = variables.get(name)
            if name not in carried and name in after:
                if value is None or value is self.before.get(name):
                    raise PART_BINDING.stop(name=f"the variable {name}", binds="not every round binds")
                self.behind[name] = self._last(name, value)
        for name, collector in self.collectors.items():
            if variables.get(name) is not collector:
                raise LOOP_LIST.stop(what=f"the list {name}, which is bound anew")
        self._collect()
        self.results.rows += [each.row for each in self.body.writes]
        if any(other in self.left for storage in self.left for other, _ in storage.may_be):
            raise PART_ALIAS.stop(what="two tensors that may be one")

    def _carried(self, name: str, before: Value | None, began: Value | None, now: Value | None) -> Made:
        """The function that makes a carried variable's value behind the loop. Errors: `IterationsDiffer`."""
        if before is None or now is None or began is None:
            if now is not None:
                raise IterationsDiffer(f"the variable {name}")
            return lambda nodes: before  # type: ignore[return-value]
        if began is now:
            return lambda nodes: before
        if type(began) is TupleValue and began is not before:
            if type(now) is not TupleValue or len(now.items) != len(began.items):
                raise IterationsDiffer(f"the variable {name}")
            assert type(before) is TupleValue
            parts = [self._carried(name, *each) for each in zip(before.items, began.items, now.items, strict=True)]
            return lambda nodes: TupleValue([part(nodes) for part in parts])
        if isinstance(began, LoopVaryingNumber):
            return self._carried_number(name, began, now)
        if not isinstance(began, TensorValue):
            if is_same(began, now):
                return lambda nodes: before
            if is_float(began) and isinstance(now, LoopVaryingNumber) or is_float(now) and is_float(began):
                if (self.key, name) not in self.trace.speculation.varying_floats:
                    self.trace.speculation.varying_floats.add((self.key, name))
                    raise made_anew(self.trace)
            raise IterationsDiffer(f"the variable {name}")
        if not isinstance(now, TensorValue) or _form(began) != _form(now):
            raise IterationsDiffer(f"the variable {name}")
        return self._carried_tensor(name, began, now)

    def _carried_tensor(self, name: str, began: TensorValue, now: TensorValue) -> Made:
        storage = now.array.storage
        if now.array.path or now.root.detached or now.root.view is not None or now.requires_grad and now.is_leaf:
            raise PART_ALIAS.stop(what=f"the variable {name}, which is a view or a new leaf")
        if storage in self.body.stands:
            # Another variable's value of the iteration before: for the first iteration that is an object from before
            # the loop.
            follower = self.follower(storage)
            if follower is None:
                raise PART_ALIAS.stop(what=f"the variable {name}, which may be an object from before the loop")
            self.shifted.add(id(follower))
        elif not self.is_new(storage):
            raise IterationsDiffer(f"the variable {name}")
        if id(storage) in self.ends:
            raise PART_ALIAS.stop(what=f"the variables {name} and {self.ends[id(storage)]}, which are one tensor")
        self.ends[id(storage)] = name
        self.left.add(storage)
        place = self._place(began.array.storage.node)
        self.results.carried[place] = now.read()
        made = self.results.finals[id(storage)] = _once(lambda nodes: self._final(nodes[place], now))
        return made

    def _carried_number(self, name: str, began: LoopVaryingNumber, now: Value) -> Made:
        node = began.node(self.trace)
        if not is_float(now) and not (isinstance(now, LoopVaryingNumber) and now.python_type is float):
            raise LOOP_VARIABLE.stop(name=f"the variable {name}", what="changes its type")
        place = self._place(node)
        self.results.carried[place] = (
            now.node(self.trace) if isinstance(now, LoopVaryingNumber) else number_node(self.trace, now)
        )
        return lambda nodes: ComputedNumber(result(self.trace, nodes[place], is_numpy_scalar=True))

    def _last(self, name: str, value: Value) -> Made:
        """The function that makes the value behind the loop of a variable that iterations bind before it is read."""
        if isinstance(value, TensorValue):
            storage = value.array.storage
            if id(storage) in self.results.finals:
                return self.results.finals[id(storage)]
            if not self.is_new(storage):
                if storage in self.body.stands:
                    raise PART_ALIAS.stop(what=f"the variable {name}, which is a part of another tensor")
                return lambda nodes: value
            if value.array.path or value.root.detached or value.root.view or value.requires_grad and value.is_leaf:
                raise PART_ALIAS.stop(what=f"the variable {name}, which is a view or a new leaf")
            self.left.add(storage)
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
        if isinstance(value, LoopVaryingNumber):
            last = value.last()
            return lambda nodes: last
        if isinstance(value, Constant) or type(value) is InputNumber or value.source is not None:
            return lambda nodes: value
        raise LOOP_VARIABLE.stop(name=f"the variable {name}", what=f"holds {value.describe()}")

    def _collect(self) -> None:
        """Notes what iterations append to lists."""
        seen: set[int] = set()
        for collector in self.collectors.values():
            for value in collector.items:
                storage = value.array.storage
                if value.array.path or value.root.detached or value.root.view or value.requires_grad and value.is_leaf:
                    raise PART_ALIAS.stop(what="a view or a new leaf that is appended to a list")
                again = id(storage) in seen or id(storage) in self.shifted
                if again or not (self.is_new(storage) or self.first_of(value) is not None):
                    raise PART_ALIAS.stop(what="a tensor that is appended to a list and was there before")
                seen.add(id(storage))
                self.left.add(storage)
                self.results.rows.append(value.read())

    def first_of(self, value: TensorValue) -> TensorValue | None:
        """The tensor that the first iteration appends where a list gets what a variable held as an iteration began."""
        storage = value.array.storage
        if self.follower(storage) is None:
            return None
        names = [name for name, began in self.began.items() if began is value]
        before = self.before.get(names[0]) if len(names) == 1 else None
        return before if isinstance(before, TensorValue) and not before.array.path else None

    def _place(self, node: Node) -> int:
        return next(place for place, (_, each) in enumerate(self.body.starts) if each is node)

    def is_new(self, storage: Storage) -> bool:
        """Whether the iteration has made this memory."""
        if storage in self.known or storage.input is not None:
            return False
        if not all(self.is_new(other) for other, _ in storage.may_be):
            return False
        return not any(storage in each.stands for each in self.trace.iterations)

    def follower(self, storage: Storage) -> Storage | None:
        """The memory at the end of the variable with this stand-in, if the iteration has made it; else None."""
        for name, began in self.began.items():
            now = self.frame.variables.get(name)
            if isinstance(began, TensorValue) and began.array.storage is storage and isinstance(now, TensorValue):
                return now.array.storage if self.is_new(now.array.storage) else None
        return None

    def _final(self, node: Node, like: TensorValue) -> TensorValue:
        return fresh(self.trace, node, requires_grad=like.requires_grad, leaf=like.is_leaf, strides=like.strides)


def _once(make: Callable[[Sequence[Node]], TensorValue]) -> Made:
    """A function that makes the tensor once, and gives that one whenever it is asked."""
    made: list[TensorValue] = []

    def give(nodes: Sequence[Node]) -> Value:
        if not made:
            made.append(make(nodes))
        return made[0]

    return give


def _form(value: TensorValue) -> tuple[Any, ...]:
    flags = value.requires_grad, value.is_leaf, value.blind
    return value.shape, value.dtype, value.strides, value.kind, value.device, *flags


def is_float(value: Value | None) -> bool:
    """Whether it is a Python float that does not change from iteration to iteration."""
    if isinstance(value, Constant):
        return type(value.value) is float
    return type(value) in (InputNumber, ComputedNumber) and value.python_type is float  # type: ignore[union-attr]


def number_node(trace: Trace, value: Value) -> Node:
    """A float as a node."""
    if isinstance(value, Constant):
        return constant_node(trace, value.value, (), dtypes.float64)
    assert isinstance(value, (InputNumber, ComputedNumber))
    return value.node(trace)
