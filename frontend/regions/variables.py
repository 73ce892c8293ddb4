"""Variables of the user's function that change while a region runs: what they hold, and where branches meet."""

from __future__ import annotations

from types import NoneType
from typing import TYPE_CHECKING, Union

import numpy as np

from ...core import dtypes
from ...core.dtypes import DType
from ...core.records import replace
from ...graph.node import Node
from ..breaks import LOOP_KIND
from ..tracing.nodes import cast, constant_node
from ..tracing.speculation import VariableKind
from ..values.arrays.array import ArrayValue, result
from ..values.base import Value
from ..values.constant import Constant, is_none
from ..values.containers.sequences import TupleValue
from ..values.numbers.computed import INT64, Bounds, ComputedNumber
from .numbers.arithmetic import KINDS, bounds_of, host_number, is_python_number, number_node
from .numbers.optional import Optional
from .numbers.python_or_numpy import PythonOrNumpyNumber

if TYPE_CHECKING:
    from ..tracing.trace import Trace


def kind_of(value: Value) -> VariableKind | None:
    """The kind of a number, or of a tuple of numbers; None for anything else."""
    if type(value) is TupleValue:
        parts = [kind_of(each) for each in value.items]
        known = tuple(each for each in parts if each is not None)
        return VariableKind(tuple, dtypes.bool_, parts=known) if len(known) == len(parts) else None
    if isinstance(value, PythonOrNumpyNumber):
        return VariableKind(value.python, value.array.dtype, python_or_numpy=True)
    if is_python_number(value):
        return VariableKind(value.python_type, KINDS[value.python_type])
    if isinstance(value, ArrayValue) and value.is_numpy_scalar:
        return VariableKind(None, value.dtype)
    return None


def held_kind(value: Value | None) -> VariableKind | None:
    """The kind of what a variable holds, which may be None, or nothing at all; None for what no kind stands for."""
    if value is None:
        return VariableKind(NoneType, dtypes.bool_, absent="unbound")
    if is_none(value):
        return VariableKind(NoneType, dtypes.bool_, absent="None")
    if isinstance(value, Optional):
        kind = held_kind(value.number)
        return None if kind is None else replace(kind, absent="unbound" if value.unbound else "None")
    if type(value) is TupleValue:
        parts = [held_kind(each) for each in value.items]
        known = tuple(each for each in parts if each is not None)
        return VariableKind(tuple, dtypes.bool_, parts=known) if len(known) == len(parts) else None
    return kind_of(value)


def joined(one: VariableKind, other: VariableKind) -> VariableKind | None:
    """The kind of a variable that holds now this, now that; None when no kind stands for both."""
    if one == other:
        return one
    if one.absent or other.absent:
        return _joined_optional(one, other)
    if one.parts is not None or other.parts is not None:
        return _joined_tuples(one, other)
    both = (one, other)
    numpy = {each.dtype for each in both if each.python is None or each.python_or_numpy}
    python = {each.python for each in both if each.python is not None}
    if len(numpy) != 1 or len(python) != 1 or bool in python and numpy != {dtypes.bool_}:
        return None
    return VariableKind(python.pop(), numpy.pop(), python_or_numpy=True)


def _joined_optional(one: VariableKind, other: VariableKind) -> VariableKind | None:
    ways = {each.absent for each in (one, other)} - {""}
    there = [each.present for each in (one, other) if each.python is not NoneType]
    kind = there[0] if len(there) == 1 else joined(*there)
    return None if kind is None or kind.absent or len(ways) > 1 else replace(kind, absent=ways.pop())


def _joined_tuples(one: VariableKind, other: VariableKind) -> VariableKind | None:
    if one.parts is None or other.parts is None or len(one.parts) != len(other.parts):
        return None
    found = [joined(*pair) for pair in zip(one.parts, other.parts, strict=True)]
    known = tuple(each for each in found if each is not None)
    return VariableKind(tuple, dtypes.bool_, parts=known) if len(known) == len(found) else None


def as_kind(trace: Trace, value: Value, kind: VariableKind) -> Node:
    """The node of a value, as a variable of this kind holds it.

    Errors: a break where a Python number has no exact form in the dtype.
    """
    if isinstance(value, PythonOrNumpyNumber):
        value = value.array
    if isinstance(value, ArrayValue):
        return value.read(trace)
    if kind.python_or_numpy and isinstance(value, Constant):
        if not is_exact(value.value, kind.dtype):
            raise LOOP_KIND.stop(name="a variable", what="starts as a number that its later dtype does not hold")
        return constant_node(trace, value.value, (), kind.dtype)
    if kind.python_or_numpy and value.python_type is int:
        low, high = bounds_of(value)
        info = np.iinfo(kind.dtype.numpy) if kind.dtype.is_integer else None
        whole = 2**11 if kind.dtype.is_half else 2**24
        least, most = (int(info.min), int(info.max)) if info else (-whole, whole)
        if low < least or high > most:
            raise LOOP_KIND.stop(name="a variable", what="is an int and becomes a NumPy number")
    if kind.python_or_numpy and value.python_type is float and kind.dtype is not dtypes.float64:
        raise LOOP_KIND.stop(name="a variable", what="is a float and becomes a NumPy number of another dtype")
    return cast(trace, number_node(trace, value), kind.dtype)


def is_exact(value: bool | int | float | complex, dtype: DType) -> bool:
    """Whether a number of this dtype can be the very value; its sign if it is zero, too."""
    if dtype.is_bool:
        return isinstance(value, bool)
    if dtype.is_integer:
        info = np.iinfo(dtype.numpy)
        return isinstance(value, int) and info.min <= value <= info.max
    if dtype.is_complex:
        return dtype is dtypes.complex128 and isinstance(value, complex)
    if not dtype.is_float or isinstance(value, complex):
        return False
    try:
        there = dtype.numpy.type(float(value))
    except OverflowError:
        return False
    return bool(float(there) == value)


def of_kind(trace: Trace, node: Node, kind: VariableKind, bounds: Bounds = INT64) -> Value:
    """The traced value of a number of one kind, be it Python or NumPy."""
    array = result(trace, node, is_numpy_scalar=True)
    return array if kind.python is None else ComputedNumber(array, bounds)


def is_numpys(trace: Trace, value: Value) -> Node:
    """Whether a number is NumPy's, as a bool."""
    if isinstance(value, PythonOrNumpyNumber):
        return value.numpy
    return constant_node(trace, isinstance(value, ArrayValue), (), dtypes.bool_)


class TupleSlot:
    """Variables of a region that hold the elements of a tuple."""

    def __init__(self, trace: Trace, kind: VariableKind, value: Value | None = None) -> None:
        assert kind.parts is not None
        self.kind = kind
        values = value.items if isinstance(value, TupleValue) else [None] * len(kind.parts)
        self._slots = [slot_of(trace, part, each) for part, each in zip(kind.parts, values, strict=True)]

    def assign(self, trace: Trace, value: Value | None) -> None:
        """Let it hold `value`."""
        assert isinstance(value, TupleValue)
        for slot, each in zip(self._slots, value.items, strict=True):
            slot.assign(trace, each)

    def now(self, trace: Trace, bounds: Bounds = INT64, *, numpys: bool = False) -> Value:
        """The tuple that it holds at this place."""
        return TupleValue([slot.now(trace) for slot in self._slots])


class NoneSlot:
    """A variable that holds None, and nothing of the region."""

    def __init__(self, trace: Trace, kind: VariableKind, value: Value | None = None) -> None:
        self.kind = kind

    def assign(self, trace: Trace, value: Value | None) -> None:
        """Nothing: it holds that already."""

    def now(self, trace: Trace, bounds: Bounds = INT64, *, numpys: bool = False) -> Value:
        """None."""
        assert trace.region is not None
        made = Constant(None)
        trace.region.first_nones.append(made)
        return made


class OptionalSlot:
    """Variables of a region for what may not be there, and a bool that says whether it is. See `optional`."""

    def __init__(self, trace: Trace, kind: VariableKind, value: Value | None = None) -> None:
        region = trace.region
        assert region is not None
        self.kind = kind
        self._number = slot_of(trace, kind.present, _number_in(value))
        self._present = region.variable(dtypes.bool_, _is_present(trace, value))

    def assign(self, trace: Trace, value: Value | None) -> None:
        """Let it hold `value`: None, or nothing, where that is not there."""
        region, number = trace.region, _number_in(value)
        assert region is not None
        if number is not None:
            self._number.assign(trace, number)
        region.assign(self._present, dtypes.bool_, _is_present(trace, value))

    def now(self, trace: Trace, bounds: Bounds = INT64, *, numpys: bool = False) -> Optional:
        """The optional number that it holds at this place."""
        region = trace.region
        assert region is not None
        number = self._number.now(trace, bounds, numpys=numpys)
        present = host_number(trace, region.now(self._present, dtypes.bool_))
        return Optional(number, present, unbound=self.kind.absent == "unbound")


def _number_in(value: Value | None) -> Value | None:
    number = value.number if isinstance(value, Optional) else value
    return None if number is None or is_none(number) else number


def _is_present(trace: Trace, value: Value | None) -> Node:
    if isinstance(value, Optional):
        return value.present.node(trace)
    return constant_node(trace, _number_in(value) is not None, (), dtypes.bool_)


AnySlot = Union["VariableSlot", TupleSlot, NoneSlot, OptionalSlot]


def slot_of(trace: Trace, kind: VariableKind, value: Value | None = None) -> AnySlot:
    """A variable for values of a kind."""
    if kind.python is NoneType:
        return NoneSlot(trace, kind, value)
    if kind.absent:
        return OptionalSlot(trace, kind, value)
    return VariableSlot(trace, kind, value) if kind.parts is None else TupleSlot(trace, kind, value)


class VariableSlot:
    """A variable of a region that holds a number of the program; one that is Python's or NumPy's has another that says
    whose it is."""

    def __init__(self, trace: Trace, kind: VariableKind, value: Value | None = None) -> None:
        region = trace.region
        assert region is not None
        self.kind = kind
        first = constant_node(trace, 0, (), kind.dtype) if value is None else as_kind(trace, value, kind)
        self._name = region.variable(kind.dtype, first)
        self._numpys = ""
        if kind.python_or_numpy:
            whose = is_numpys(trace, Constant(0) if value is None else value)
            self._numpys = region.variable(dtypes.bool_, whose)

    def assign(self, trace: Trace, value: Value | None) -> None:
        """Let it hold `value`, of its kind or one that it stands for."""
        region = trace.region
        assert region is not None and value is not None
        region.assign(self._name, self.kind.dtype, as_kind(trace, value, self.kind))
        if self._numpys:
            region.assign(self._numpys, dtypes.bool_, is_numpys(trace, value))

    def now(self, trace: Trace, bounds: Bounds = INT64, *, numpys: bool = False) -> Value:
        """The number that it holds at this place. `numpys`: it is known to be a NumPy number."""
        region = trace.region
        assert region is not None
        node = region.now(self._name, self.kind.dtype)
        if not self.kind.python_or_numpy:
            return of_kind(trace, node, self.kind, bounds)
        array = result(trace, node, is_numpy_scalar=True)
        if numpys:
            return array
        assert self.kind.python is not None
        return PythonOrNumpyNumber(array, self.kind.python, region.now(self._numpys, dtypes.bool_))
