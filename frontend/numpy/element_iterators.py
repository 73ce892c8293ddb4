"""Iterators over the elements of arrays and over their places: `a.flat`, `np.ndenumerate`, `np.ndindex`."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from ...core.config import config
from ..breaks import UNKNOWN_CALL
from ..tracing.rules import traces
from ..values.arrays.array import ArrayValue
from ..values.arrays.view_steps import Ints
from ..values.base import Value
from ..values.constant import Constant
from ..values.containers.element_protocol import index_of
from ..values.containers.iterators import Iterator, Leaf
from ..values.containers.sequences import TupleValue
from ..values.numbers.input_scalar import is_number
from .indexing import get_item, set_item
from .shaping import array_operand, owned, reshaped, reshaped_view

if TYPE_CHECKING:
    from ..codegen.reconstruct import EntryWriter
    from ..tracing.trace import Trace


def _places(name: str, shape: Iterable[int]) -> Iterable[Ints]:
    """The indices of all elements, the last counting fastest. Errors: a break for more than a loop is unrolled for."""
    sizes = tuple(shape)
    if math.prod(sizes) > config.unroll_limit:
        raise UNKNOWN_CALL.stop(name=f"{name} over more than {config.unroll_limit} elements")
    return itertools.product(*map(range, sizes))


def _index(place: Ints) -> TupleValue:
    return TupleValue([Constant(each) for each in place])


@traces(np.ndindex)
def ndindex(trace: Trace, *shape: Value) -> Value:
    """`np.ndindex(*shape)`, or of a tuple."""
    given = shape[0].constant(trace) if len(shape) == 1 else tuple(each.constant(trace) for each in shape)
    sizes = given if type(given) is tuple else (given,)
    if not all(type(each) is int and each >= 0 for each in sizes):
        raise UNKNOWN_CALL.stop(name="np.ndindex of other than sizes")
    return Iterator(Leaf(trace, map(_index, _places("np.ndindex", sizes))), np.ndindex)


@traces(np.ndenumerate)
def ndenumerate(trace: Trace, arr: Value) -> Value:
    """`np.ndenumerate(arr)`: elements are read when they are asked for, as NumPy does."""
    array = owned(trace, array_operand(trace, arr))

    def pair(place: Ints) -> Value:
        return TupleValue([_index(place), get_item(trace, array, _index(place))])

    return Iterator(Leaf(trace, map(pair, _places("np.ndenumerate", array.shape))), np.ndenumerate)


class FlatValue(Value):
    """`array.flat`, which is its own iterator: once it has begun to give elements, nothing else is asked of it."""

    __slots__ = ("array", "begun")

    def __init__(self, array: ArrayValue) -> None:
        self.array = array
        self.begun = False

    @property
    def python_type(self) -> type:
        return np.flatiter

    def describe(self) -> str:
        return f"{self.array.describe()}.flat"

    def _fresh(self, operation: str) -> ArrayValue:
        """The array. Errors: a break where elements were asked for."""
        if self.begun:
            raise self.unsupported(f"{operation} after iteration")
        return self.array

    def length(self, trace: Trace) -> int:
        return int(self._fresh("len()").type.size)

    def iterate(self, trace: Trace) -> Iterator:
        array = self._fresh("iteration")
        places = _places("iteration over array.flat", array.shape)
        self.begun = True

        def element(place: Ints) -> Value:
            return get_item(trace, array, _index(place))

        return Iterator(Leaf(trace, map(element, places)), np.flatiter)

    def elements(self, trace: Trace) -> list[Value]:
        return list(self.iterate(trace))

    def item(self, trace: Trace, key: Value) -> Value:
        array, index = self._fresh("a subscript"), index_of(trace, key)
        if isinstance(index, int):
            return get_item(trace, array, self._place(index))
        picked = get_item(trace, reshaped(trace, array, (-1,)), key)
        return picked.attribute(trace, "copy").call(trace, [], {})

    def set_item(self, trace: Trace, key: Value, value: Value) -> None:
        array, index = self._fresh("a subscript assignment"), index_of(trace, key)
        if isinstance(index, int):
            set_item(trace, array, self._place(index), value)
            return
        seen = reshaped_view(array, (-1,))
        if seen is None or not (is_number(value) or isinstance(value, ArrayValue) and value.is_numpy_scalar):
            raise self.unsupported("a subscript assignment")
        set_item(trace, seen, key, value)

    def rebuild(self, writer: EntryWriter) -> str:
        array = self._fresh("a return")
        return writer.once(self, lambda: f"{array.rebuild(writer)}.flat")

    def _place(self, index: int) -> TupleValue:
        """The place of an element. Errors: a break where there is none."""
        size = int(self.array.type.size)
        if not -size <= index < size:
            raise self.unsupported("a subscript beyond its end")
        place = np.unravel_index(index % size, self.array.shape)
        return _index(tuple(int(each) for each in place))


def flat(trace: Trace, array: ArrayValue) -> Value:
    """`array.flat`."""
    if array.is_numpy_scalar:
        raise array.unsupported("the attribute 'flat'")
    return FlatValue(owned(trace, array))
