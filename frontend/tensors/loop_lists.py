"""Lists to which a loop over tensors appends: one tensor with a row for each round stands for what comes into them."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

from ...graph.node import Node
from ...ops.movement import RESHAPE, SLICE
from ...tensor.joining import cat, stack
from ..breaks import UNKNOWN_VALUE, GraphBreak
from ..code import decode
from ..values.base import Value
from ..values.constant import NONE, Constant
from ..values.sequences import ListValue, Sequence
from ..values.tensor import TensorValue, fresh

if TYPE_CHECKING:
    from types import CodeType

    from ..trace import Trace
    from .loop_body import Body


class Collector(Value):
    """A list in a loop's body, to which a round appends tensors, and with which it does nothing else."""

    def __init__(self, owner: ListValue, body: Body) -> None:
        self.owner = owner
        self.body = body
        self.items: list[TensorValue] = []

    @property
    def python_type(self) -> type:
        return list

    def describe(self) -> str:
        return "a list to which a loop appends"

    def unsupported(self, operation: str) -> GraphBreak:
        return UNKNOWN_VALUE.stop(operation=operation, name=self.describe())

    def attribute(self, trace: Trace, name: str) -> Value:
        if name != "append":
            raise self.unsupported(f"the attribute {name!r}")
        return Append(self)

    def truth(self, trace: Trace) -> bool:
        raise self.unsupported("a branch")


class Append(Value):
    """Its method `append`."""

    def __init__(self, collector: Collector) -> None:
        self.collector = collector

    @property
    def python_type(self) -> type:
        return type([].append)

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        if len(args) != 1 or kwargs or not isinstance(args[0], TensorValue) or trace.rounds[-1] is not self.collector.body:
            raise self.collector.unsupported("append() of what is no tensor")
        self.collector.items.append(args[0])
        return NONE


def appended_to(code: CodeType, inside: Collection[int]) -> set[str]:
    """The variables of which a loop calls `append`."""
    instructions = decode(code).instructions
    found = set()
    for place in inside:
        each, after = instructions[place], instructions[place + 1 : place + 2]
        if each.name.startswith("LOAD_FAST") and after and after[0].name in ("LOAD_ATTR", "LOAD_METHOD"):
            name = after[0].arg[-1] if isinstance(after[0].arg, tuple) else after[0].arg
            if name == "append":
                found.add(each.arg[-1] if isinstance(each.arg, tuple) else each.arg)
    return found


class Stacked:
    """The rows of one node as tensors, each of its own, that were put into a list."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[TensorValue, Node, int]] = {}

    def rows(self, trace: Trace, node: Node, like: TensorValue) -> list[TensorValue]:
        """A tensor for each row. like: what they are like, of the body."""
        made = []
        for place in range(node.shape[0]):
            row = _row(trace, node, place, like)
            made.append(row)
            self._known[id(row)] = row, node, place
        return made

    def note(self, value: TensorValue, node: Node, place: int) -> None:
        """Notes that a tensor holds a row of a node."""
        self._known[id(value)] = value, node, place

    def whole(self, values: list[Value]) -> Node | None:
        """The node of which these are all the rows, as they were made; None where they are something else."""
        known = [self._known.get(id(each)) for each in values]
        if not known or known[0] is None:
            return None
        node = known[0][1]
        if len(known) != node.shape[0]:
            return None
        for place, each in enumerate(known):
            if each is None or each[1] is not node or each[2] != place or each[0].array.storage.version:
                return None
        return node


def _row(trace: Trace, node: Node, place: int, like: TensorValue) -> TensorValue:
    rest = node.shape[1:]
    starts, steps = (place, *(0 for _ in rest)), (1,) * len(node.shape)
    part = trace.add(SLICE, node, starts=starts, sizes=(1, *rest), steps=steps)
    value = trace.add(RESHAPE, part, shape=rest)
    return fresh(trace, value, requires_grad=like.requires_grad, leaf=like.is_leaf, strides=like.strides)


def joined_rows(trace: Trace, function: Callable[..., Any], args: list[Value], kwargs: dict[str, Value]) -> Value | None:
    """What `stack` or `cat` gives of all that a loop has appended to a list; None for any other call."""
    if function not in (stack, cat) or len(args) != 1 or not isinstance(args[0], Sequence):
        return None
    dim = kwargs.get("dim", Constant(0))
    if kwargs.keys() - {"dim"} or not isinstance(dim, Constant) or dim.value != 0 or not args[0].items:
        return None
    node, first = (trace.stacked and trace.stacked.whole(args[0].items)), args[0].items[0]
    if node is None or not isinstance(first, TensorValue) or function is cat and len(node.shape) < 2:
        return None
    if function is cat:
        node = trace.add(RESHAPE, node, shape=(node.shape[0] * node.shape[1], *node.shape[2:]))
    return fresh(trace, node, requires_grad=first.requires_grad, leaf=first.is_leaf)
