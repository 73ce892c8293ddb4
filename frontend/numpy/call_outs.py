"""Functions that NumPy itself runs from within a plan or a native loop, on the plan's memory.

See `backend.cpu.callouts`. What they give is known before: they are tried on stand-ins of the same shapes and dtypes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...backend.cpu.callouts import Operand, apply, called_out
from ...backend.loops import Address, Argument, IndexValue, Load
from ...core import dtypes
from ...core.sizes import is_whole
from ...core.types import TensorType
from ...graph.node import Node
from ...ops import pointwise as p
from ..breaks import NUMPY_ARGUMENT, GraphBreak
from ..nodes import cast, constant_node
from ..regions.apart import computed
from ..regions.arrays import ArrayExpression, RegionArray, View, in_memory, view_of
from ..regions.numbers import host_number, number_node
from ..regions.sizes import node_of
from ..regions.sweeps import made, scratch
from ..values.array import ArrayValue, Storage, result
from ..values.base import Value
from ..values.host_number import HostNumber
from ..values.named_tuples import named
from ..values.scalar import Scalar
from ..values.sequences import TupleValue

if TYPE_CHECKING:
    from ..regions.builder import Region
    from ..trace import Trace

Word = Node | Address | Argument
MOST = 2**22
"""Elements of a stand-in's largest array: trying the function takes as long as a call."""


@dataclass(frozen=True)
class Given:
    """An operand: how the call-out is told of it, what stands in for it, and the array or number itself."""

    operand: Operand
    stand_in: Any
    value: RegionArray | ArrayValue | Node | None = None


def _refused(name: str, argument: str) -> GraphBreak:
    return NUMPY_ARGUMENT.stop(name=name, argument=argument)


def array_given(trace: Trace, name: str, value: Value, *, keyword: str = "") -> Given:
    """An operand that is an array. Errors: a break for one whose size changes."""
    if not isinstance(value, (ArrayValue, RegionArray)) or isinstance(value, ArrayValue) and value.generic:
        raise _refused(name, f"{value.describe()} as an array")
    sizes = tuple(int(size) for size in value.shape if is_whole(size))  # a call-out is made for one size
    if len(sizes) != len(value.shape) or math.prod(sizes) > MOST:
        raise _refused(name, "an array of a size that changes, or is large")
    stand_in = np.ones(sizes, value.dtype.numpy)
    if len(sizes) == 1 and value.dtype.is_float:
        stand_in /= sizes[0] or 1  # as probabilities are
    if len(sizes) == 2:
        stand_in = np.eye(sizes[0], sizes[1], dtype=value.dtype.numpy)
    stand_in.flags.writeable = False
    return Given((keyword, "array", value.dtype.code, sizes), stand_in, value)


def number_given(trace: Trace, name: str, value: Value, *, keyword: str = "") -> Given:
    """An operand that is a Python number, known or not, or another constant."""
    if isinstance(value, (HostNumber, Scalar)) and value.python_type in (int, float):
        wanted = dtypes.float64 if value.python_type is float else dtypes.int64
        node = cast(trace, number_node(trace, value), wanted)
        example = value.example if isinstance(value, Scalar) else value.python_type(1)
        return Given((keyword, "number", wanted.code), example, node)
    known = value.constant(trace)
    if keyword == "dtype" and isinstance(known, type) and issubclass(known, np.generic):
        known = np.dtype(known).name
    if not _is_literal(known):
        raise _refused(name, f"{value.describe()} as an argument")
    return Given((keyword, "value", known), known)


def _is_literal(value: object) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_literal, value))
    return value is None or type(value) in (bool, int, str) or type(value) is float and math.isfinite(value)


def called(trace: Trace, function: str, given: Sequence[Given], changes: Storage | None = None) -> Value:
    """What NumPy's function gives for these operands: arrays, numbers, or a tuple of both.

    changes: what stands for something that the function changes.
    """
    with np.errstate(all="ignore"):
        sample = _sampled(function, given)
    parts = sample if isinstance(sample, tuple) else (sample,)
    shapes = []
    for part in parts:
        if type(part) not in (np.ndarray, float, int) and not isinstance(part, np.generic):
            raise _refused(function, f"a {type(part).__name__} as its result")
        shape, dtype = np.shape(part), dtypes.in_memory(np.asarray(part).dtype)
        if dtype is None or isinstance(part, np.ndarray) and not (part.flags.c_contiguous and part.flags.owndata):
            raise _refused(function, "a result of another kind")
        shapes.append((dtype, shape))
    name = called_out(function, tuple(each.operand for each in given), tuple((d.code, s) for d, s in shapes))
    rooms: list[ArrayValue] = []

    def call(region: Region) -> list[Node]:
        for dtype, shape in shapes:
            room = scratch(trace, TensorType(shape or (1,), dtype))
            region.change(room.storage)
            rooms.append(room)
        words: list[Word] = [word for each in given for word in _words(trace, region, each)]
        for room, (_, shape) in zip(rooms, shapes, strict=True):
            words += _place(trace, region, view_of(trace, room), len(shape))
        if changes is not None:
            region.change(changes)
        done = region.invoke(name, dtypes.int64, words)
        assert done is not None
        region.leave_if(trace.add(p.EQUAL, done, constant_node(trace, 0, (), dtypes.int64)))
        region.leaves = True
        numbers = []
        for room, (dtype, shape) in zip(rooms, shapes, strict=True):
            if not shape:
                numbers.append(region.let(dtype, Load(region.access(room.storage, [_zero(trace)]))))
        return numbers

    numbers = iter(computed(trace, call))
    values = [_value(trace, part, room, numbers) for part, room in zip(parts, rooms, strict=True)]
    if not isinstance(sample, tuple):
        return values[0]
    return TupleValue(values) if type(sample) is tuple else named(trace, type(sample), values)


def _sampled(function: str, given: Sequence[Given]) -> Any:
    """What the function gives for what stands in for the operands. Errors: LinAlgError for shapes that do not fit."""
    positional = [each.stand_in for each in given if not each.operand[0]]
    try:
        return apply(function, positional, {each.operand[0]: each.stand_in for each in given if each.operand[0]})
    except np.linalg.LinAlgError:
        raise
    except Exception as error:
        raise _refused(function, f"arguments such as these ({error})") from None


def _value(trace: Trace, part: Any, room: ArrayValue, numbers: Any) -> Value:
    if type(part) in (float, int):
        return host_number(trace, next(numbers))
    if not isinstance(part, np.ndarray):
        return result(trace, next(numbers), generic=True)
    return made(trace, in_memory(trace, view_of(trace, room))) if trace.region is not None else room


def _zero(trace: Trace) -> Node:
    return constant_node(trace, 0, (), dtypes.int64)


def _words(trace: Trace, region: Region, given: Given) -> list[Word]:
    """The arguments of the C function for an operand."""
    value = given.value
    if value is None:
        return []
    if isinstance(value, Node):
        return [value]
    if isinstance(value, ArrayExpression):
        value = value.settle(trace)
    if isinstance(value, ArrayValue):
        value = _plain_view(trace, value)
    assert isinstance(value, View)
    return _place(trace, region, value, len(value.dims))


def _plain_view(trace: Trace, value: ArrayValue) -> View:
    try:
        return view_of(trace, value)
    except GraphBreak:  # reshaped or broadcast
        return view_of(trace, result(trace, value.read(trace)))


def _place(trace: Trace, region: Region, view: View, rank: int) -> list[Word]:
    """The address of a view and its strides."""
    number = region.number_of(view.storage)
    place = region.address(view.storage, view.place(trace, [_zero(trace)] * len(view.dims)))
    steps: list[Word] = []
    for dim in view.dims[:rank]:
        if dim.axis < 0:
            steps.append(constant_node(trace, 1, (), dtypes.int64))
            continue
        size, factor = region.size(("stride", number, dim.axis)), node_of(trace, dim.step)
        if dim.step == 1:
            steps.append(Argument(size, dtypes.int64))
        else:
            steps.append(trace.add(p.MULTIPLY, region.let(dtypes.int64, IndexValue((), size)), factor))
    return [place, *steps]
