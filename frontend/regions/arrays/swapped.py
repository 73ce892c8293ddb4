"""Variables of a native loop that hold now one, now another of some arrays: ``a, b = b, a``."""

# Note [Variables that exchange arrays]
# The arrays are copied into one memory with an axis more, where the region begins, and back where it ends. In between,
# such a variable is a view of that memory whose index along the first axis changes. Behind the region it is known only
# at run time which object a variable names: that can be returned, or left to Python, and nothing else.
# A trace that meets the first exchange begins anew, with all arrays concerned in one memory from the start: another
# name for one of them is refused. That two variables hold different arrays, so that their elements are apart, is kept
# up from iteration to iteration as long as each iteration only permutes what they held.

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np

from ....core import dtypes
from ....core.records import dataclass
from ....core.types import TensorType
from ....graph.node import Node
from ....ops.creation import FULL
from ...breaks import LOOP_ARRAY
from ...tracing.nodes import constant_node
from ...tracing.restarts import RegionRestart
from ...values.arrays.array import ArrayValue
from ...values.base import Value
from ...values.constant import Constant
from .inner_loops import scratch, store
from .sizes import difference
from .views import RegionView, view_of

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...interpreter.frame import Frame
    from ...tracing.trace import Trace
    from ..builder import Region


class ArrayItself(RegionView):
    """One of the arrays that variables exchange, and no view of it, which would be another object."""


@dataclass
class Exchange:
    """Arrays that variables exchange, in the order in which they lie in `room`."""

    arrays: list[ArrayValue]
    room: ArrayValue

    def view(self, trace: Trace, number: Node) -> ArrayItself:
        """The array of this number, as variables of the region hold it."""
        whole = view_of(trace, self.room)
        writeable = all(each.fake.flags.writeable for each in self.arrays)
        return ArrayItself(whole.storage, (number, *whole.base[1:]), whole.dims[1:], writeable=writeable)

    def number_of(self, value: Value | None) -> Node | None:
        """The number of the array that a value is; None if it is none of these, but a view of one, say."""
        of_these = type(value) is ArrayItself and value.storage is self.room.storage
        return value.base[0] if of_these and isinstance(value, RegionView) else None


@dataclass
class SwappedArrays:
    """The swapped arrays of a region.

    entry: what the frame's variables held before it.   apart: numbers known to differ.
    """

    frame: Frame
    entry: dict[str, Value | None]
    found: list[Exchange] = field(default_factory=list)
    apart: set[frozenset[Node]] = field(default_factory=set)

    def of(self, value: Value | None) -> tuple[Exchange, Node] | None:
        """The exchange that a value takes part in, and its number there."""
        for each in self.found:
            number = each.number_of(value)
            if number is not None:
                return each, number
        return None

    def are_apart(self, trace: Trace, one: Node, other: Node) -> bool:
        """Whether two numbers surely differ."""
        return frozenset((one, other)) in self.apart or difference(trace, one, other) not in (0, None)

    def differ(self, trace: Trace) -> bool:
        """Whether no two variables of the frame hold one array."""
        return all(self.are_apart(trace, *pair) for pair in self._pairs(trace))

    def note_apart(self, trace: Trace) -> None:
        """Notes that no two variables of the frame hold one array."""
        self.apart.update(map(frozenset, self._pairs(trace)))

    def _pairs(self, trace: Trace) -> Iterable[tuple[Node, Node]]:
        for each in self.found:
            numbers = [each.number_of(value) for value in self.frame.variables.values()]
            yield from itertools.combinations([number for number in numbers if number is not None], 2)

    def learn(self, trace: Trace, frame: Frame, name: str, now: Value | None) -> None:
        """Raise `RegionRestart` where a variable holds an array that another had before: the two exchange theirs."""
        before, region = self.entry.get(name), trace.region
        assert region is not None
        if frame is not self.frame or not (_is_whole(before) and _is_whole(now)):
            return
        assert isinstance(before, ArrayValue) and isinstance(now, ArrayValue)
        for other, value in self.entry.items():
            if other == name or not _is_whole(value):
                continue
            if isinstance(value, ArrayValue) and value.storage is now.storage:
                pair = (region.key, name, other)
                if before.type != now.type or pair in trace.speculation.swapped:
                    return
                trace.speculation.swapped.add(pair)
                raise RegionRestart


def _is_whole(value: Value | None) -> bool:
    return isinstance(value, ArrayValue) and not value.is_numpy_scalar and bool(value.shape) and not value.path


def begin(trace: Trace, region: Region, frame: Frame) -> None:
    """Puts the arrays that variables will exchange into one memory."""
    swapped = region.swapped = SwappedArrays(frame, dict(frame.variables))
    for names in _groups([pair[1:] for pair in trace.speculation.swapped if pair[0] == region.key]):
        held = {name: frame.variables.get(name) for name in names}
        arrays = {id(value.storage): value for value in held.values() if isinstance(value, ArrayValue)}
        if not arrays:
            raise LOOP_ARRAY.stop(what="exchanging arrays that a loop before has exchanged")
        one = next(iter(arrays.values()))
        if not all(each.fake.flags.c_contiguous and each.type == one.type for each in arrays.values()):
            raise LOOP_ARRAY.stop(what="exchanging arrays that are not laid out row by row")
        room = scratch(trace, TensorType((len(arrays), *one.shape), one.dtype))
        exchange = Exchange(list(arrays.values()), room)
        for number, array in enumerate(exchange.arrays):
            store(trace, view_of(trace, room).part(trace, Constant(number)), view_of(trace, array))
        region.memory.written.pop(id(room.storage), None)
        swapped.found.append(exchange)
        region.memory.renamed.update(arrays)
        order = list(arrays)
        for name, value in frame.variables.items():
            if _is_whole(value) and isinstance(value, ArrayValue) and id(value.storage) in arrays:
                place = order.index(id(value.storage))
                frame.variables[name] = exchange.view(trace, constant_node(trace, place, (), dtypes.int64))


def _groups(pairs: Iterable[tuple[str, ...]]) -> list[list[str]]:
    """Names that belong together, directly or by others."""
    groups: list[set[str]] = []
    for pair in pairs:
        joined = set(pair).union(*(group for group in groups if group & set(pair)))
        groups = [group for group in groups if not group & joined] + [joined]
    return sorted(map(sorted, groups))


def end(trace: Trace, region: Region) -> None:
    """Writes the arrays back, if any was written, and lets variables name them of which it is known which they hold."""
    swapped = region.swapped
    assert swapped is not None
    region.memory.renamed.clear()
    for each in swapped.found:
        if id(each.room.storage) in region.memory.written:
            for number, array in enumerate(each.arrays):
                store(trace, view_of(trace, array), view_of(trace, each.room).part(trace, Constant(number)))
    for name, value in swapped.frame.variables.items():
        found = swapped.of(value)
        if found is not None and found[1].op is FULL:
            swapped.frame.variables[name] = found[0].arrays[int(found[1].kwargs["value"])]  # type: ignore[call-overload]


class Exchanged(Value):
    """One of some arrays behind a region: `number`, an int64 of the graph, says which."""

    __slots__ = ("arrays", "number")

    def __init__(self, arrays: list[ArrayValue], number: ArrayValue) -> None:
        self.arrays = arrays
        self.number = number

    @property
    def python_type(self) -> type:
        return np.ndarray

    def describe(self) -> str:
        return "one of the arrays that variables of a native loop exchange"

    def rebuild(self, writer: EntryWriter) -> str:
        texts = [each.rebuild(writer) for each in self.arrays]
        number = writer.array(self.number)
        return writer.once(self, lambda: f"({', '.join(texts)})[{number}]")
