"""Lists to which a loop over tensors appends: one tensor with a row for each iteration stands for what comes into
them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from bytecode import BinaryOp

from ....graph.node import Node
from ....ops.movement import PERMUTE, RESHAPE, SLICE
from ....tensor.joining import cat, stack
from ....tensor.shaping import unsqueeze
from ...breaks import LOOP_LIST, GraphBreak
from ...bytecode.decode import decode, variable_name
from ...bytecode.opcode_table import traits_of
from ...values.arrays.array import ArrayValue, Storage
from ...values.arrays.view_steps import FakeArray
from ...values.base import Value
from ...values.constant import NONE, Constant
from ...values.containers.sequences import ListValue, TupleValue
from ...values.tensors.autograd_identity import AutogradIdentity
from ...values.tensors.tensor import TensorValue, fresh

if TYPE_CHECKING:
    from types import CodeType

    from ...tracing.trace import Trace
    from .subgraph import Subgraph


class ListCollector(Value):
    """A list in a loop's body, to which an iteration appends tensors, and with which it does nothing else."""

    def __init__(self, owner: ListValue, body: Subgraph) -> None:
        self.owner = owner
        self.body = body
        self.items: list[TensorValue] = []

    @property
    def python_type(self) -> type:
        return list

    def describe(self) -> str:
        return "a list to which a loop appends"

    def unsupported(self, operation: str) -> GraphBreak:
        return LOOP_LIST.stop(what=f"{operation} on {self.describe()}")

    def attribute(self, trace: Trace, name: str) -> Value:
        if name not in ("append", "extend"):
            raise self.unsupported(f"the attribute {name!r}")
        return AppendMethod(self, name)

    def truth(self, trace: Trace) -> bool:
        raise self.unsupported("a branch")

    def take(self, trace: Trace, values: list[Value]) -> None:
        """Appends these. Errors: a break for what is no tensor, and in a loop inside."""
        if not all(isinstance(each, TensorValue) for each in values) or trace.iterations[-1] is not self.body:
            raise self.unsupported("append() of what is no tensor")
        self.items += values  # type: ignore[arg-type]

    def binary(self, trace: Trace, name: str, left: Value, right: Value, *, in_place: bool) -> Value | None:
        return self.extended(trace, right) if in_place and name == "+" and left is self else None

    def extended(self, trace: Trace, values: Value) -> Value:
        """Itself, after `+= values`."""
        if type(values) not in (ListValue, TupleValue):
            raise self.unsupported("+=")
        self.take(trace, values.items)  # type: ignore[attr-defined]
        return self


@contextmanager
def closed(lists: Sequence[ListValue]) -> Iterator[None]:
    """A context in which these lists, to which iterations append, may not be read under other names."""

    def refuse() -> list[Value]:
        raise LOOP_LIST.stop(what="a list to which rounds append, and which they read")

    for each in lists:
        each.read_by(refuse)
    try:
        yield
    finally:
        for each in lists:
            each.read_by(None)


class AppendMethod(Value):
    """The method `append`, or `extend`, of such a list."""

    def __init__(self, collector: ListCollector, name: str) -> None:
        self.collector = collector
        self.name = name

    @property
    def python_type(self) -> type:
        return type([].append)

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        if len(args) != 1 or kwargs:
            raise self.collector.unsupported(f"{self.name}() of something else")
        if self.name == "extend":
            self.collector.extended(trace, args[0])
        else:
            self.collector.take(trace, [args[0]])
        return NONE


def appended_to(code: CodeType, inside: Collection[int]) -> set[str]:
    """The variables of which a loop calls `append` or `extend`."""
    instructions = decode(code).instructions
    found = set()
    for place in inside:
        each, after = instructions[place], instructions[place + 1 : place + 2]
        read = traits_of(each.name).reads(each.arg)
        if read and after and traits_of(after[0].name).attribute:
            name = after[0].arg[-1] if isinstance(after[0].arg, tuple) else after[0].arg
            if name in ("append", "extend"):
                found.add(variable_name(read[-1]))
    return found


def added_to(code: CodeType, inside: Collection[int]) -> set[str]:
    """The variables that a loop binds to nothing but what `+=` gives."""
    instructions = decode(code).instructions
    found: dict[str, bool] = {}
    for place in inside:
        each, before = instructions[place], instructions[place - 1]
        for name in map(variable_name, traits_of(each.name).binds(each.arg)):
            found[name] = found.get(name, True) and before.arg is BinaryOp.INPLACE_ADD
    return {name for name, adds in found.items() if adds}


class RowStorage(Storage):
    """The memory of a tensor that is a row of a node; that row is taken when somebody asks for it.

    recorded: whether grad mode was on behind the loop.
    """

    def __init__(self, trace: Trace, whole: Node, place: int, fake: FakeArray) -> None:
        self._trace, self._whole, self._place, self._recorded = trace, whole, place, trace.tape.enabled
        self._node: Node | None = None
        super().__init__(None, fake)  # type: ignore[arg-type]

    @property
    def known_node(self) -> Node | None:
        """Its value, if anybody has asked for it."""
        return self._node

    @property
    def node(self) -> Node:  # type: ignore[override]
        if self._node is None:
            with self._trace.recording() if self._recorded else self._trace.no_grad():
                self._node = self._taken()
        return self._node

    @node.setter
    def node(self, node: Node | None) -> None:
        self._node = node

    def _taken(self) -> Node:
        trace, rest = self._trace, self._whole.shape[1:]
        starts, steps = (self._place, *(0 for _ in rest)), (1,) * (len(rest) + 1)
        part = trace.add(SLICE, self._whole, starts=starts, sizes=(1, *rest), steps=steps)
        return trace.add(RESHAPE, part, shape=rest)


class UncountedRows:
    """The rows of a node of a symbolic length, until somebody wants each of them.

    node: has the rows.   like: a tensor that is like them.   ends: those of them that variables hold as well.
    make: gives them one by one, and relies on their number.
    """

    def __init__(
        self, node: Node, like: TensorValue, ends: list[TensorValue], make: Callable[[], list[TensorValue]]
    ) -> None:
        self.node = node
        self.like = like
        self.ends = ends
        self.before: list[Value] = []
        self.is_counted = False
        self._make = make

    def made(self) -> list[TensorValue]:
        """The rows, one by one."""
        self.is_counted = True
        return self._make()

    def are_as_made(self) -> bool:
        """Whether nobody has written into one of them."""
        return not any(each.array.storage.version for each in self.ends)


def _along(trace: Trace, node: Node, axis: int, joins: bool) -> Node:
    """The rows of a node along an axis of what they become, a new one or, where it `joins`, one that they have."""
    rank = len(node.shape)
    order = (*range(1, axis + 1), 0, *range(axis + 1, rank))
    moved = trace.add(PERMUTE, node, axes=order) if axis else node
    if joins:
        sizes = moved.shape
        moved = trace.add(RESHAPE, moved, shape=(*sizes[:axis], sizes[axis] * sizes[axis + 1], *sizes[axis + 2 :]))
    return moved


class StackedRows:
    """The rows of nodes as tensors, each of its own, that were put into lists."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[TensorValue, Node, int]] = {}
        self._uncounted: dict[int, tuple[ListValue, UncountedRows]] = {}

    def rows(self, trace: Trace, node: Node, like: TensorValue) -> list[TensorValue]:
        """A tensor for each row. like: what they are like, of the body."""
        fake = like.array.fake
        made = []
        for place in range(node.shape[0]):
            storage = RowStorage(trace, node, place, fake)
            trace.inputs.storages.append(storage)
            root = AutogradIdentity(storage, like.requires_grad, like.is_leaf, inference=trace.tape.inference)
            storage.roots.append(root)
            made.append(TensorValue(trace, ArrayValue(storage, (), fake), root, like.kind))
            self.note(made[-1], node, place)
        return made

    def note(self, value: TensorValue, node: Node, place: int) -> None:
        """Notes that a tensor holds a row of a node."""
        self._known[id(value)] = value, node, place

    def parts(self, values: list[Value]) -> list[Node | Value]:
        """The values, and in the place of all rows of a node, as they were made, that node."""
        found: list[Node | Value] = []
        at = 0
        while at < len(values):
            node = self._begins(values, at)
            found.append(values[at] if node is None else node)
            at += 1 if node is None else node.shape[0]
        return found

    def wait(self, owner: ListValue, rows: UncountedRows) -> None:
        """Has a list hold the rows of a loop of which nobody has asked how many there are."""
        rows.before = list(owner.items)
        self._uncounted[id(owner)] = owner, rows
        owner.read_by(lambda: [*rows.before, *rows.made()], holds_some=True)

    def joined(
        self, trace: Trace, function: Callable[..., Any], args: list[Value], kwargs: dict[str, Value]
    ) -> Value | None:
        """The result of `stack` or `cat` of a list to which a loop has appended; None for any other call."""
        function = getattr(function, "__wrapped__", function)  # that which takes `out` as well
        if function not in (stack, cat) or len(args) not in (1, 2) or type(args[0]) not in (ListValue, TupleValue):
            return None
        dim = args[1] if len(args) > 1 else kwargs.get("dim", Constant(0))
        if kwargs.keys() - {"dim"} or not isinstance(dim, Constant) or type(dim.value) is not int:
            return None
        parts, values = self._parts_of(args[0])  # type: ignore[arg-type]
        like = next((each for each in values if isinstance(each, TensorValue)), None)
        if like is None or parts is None or not all(_fits(each, like) for each in values):
            return None
        axes = len(like.shape) + (function is stack)
        axis = dim.value + axes * (dim.value < 0)
        if not 0 <= axis < axes:
            return None
        given: list[Value] = []
        for part in parts:
            if not isinstance(part, Node):
                given.append(unsqueeze(part, axis) if function is stack else part)
                continue
            tracked = trace.grad_enabled and any(each.requires_grad for each in values)  # type: ignore[attr-defined]
            rows = fresh(trace, _along(trace, part, axis, function is cat), requires_grad=tracked, leaf=not tracked)
            given.append(rows)
        return given[0] if len(given) == 1 else cat(given, axis)

    def _parts_of(self, listed: ListValue | TupleValue) -> tuple[list[Node | Value] | None, list[Value]]:
        """The parts, None if no node stands for several values, and all values of which something is to be asked."""
        owner, rows = self._uncounted.get(id(listed), (None, None))
        if owner is listed and rows is not None and not rows.is_counted and rows.are_as_made():
            added = listed.added
            return [*rows.before, rows.node, *added], [*rows.before, rows.like, *added]
        parts = self.parts(listed.items)
        return (None if len(parts) == len(listed.items) else parts), listed.items

    def _begins(self, values: list[Value], at: int) -> Node | None:
        """The node all of whose rows come next."""
        known = self._known.get(id(values[at]))
        if known is None or known[2]:
            return None
        node = known[1]
        rows = [self._known.get(id(each)) for each in values[at : at + node.shape[0]]]
        if len(rows) != node.shape[0]:
            return None
        for place, each in enumerate(rows):
            if each is None or each[1] is not node or each[2] != place or each[0].array.storage.version:
                return None
        return node


def _fits(value: Value, like: TensorValue) -> bool:
    return isinstance(value, TensorValue) and (value.shape, value.dtype) == (like.shape, like.dtype)
