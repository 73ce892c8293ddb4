"""Variables that hold another array in each round of a native loop: ``x = x + step * d``."""

# Note [Arrays from round to round]
# Such a variable has memory of its own, into which each round copies what it binds the variable to. That is right as
# long as nobody can tell the copy from the object: the array must be new in this round (an expression, or made by a
# function), known by no other variable that lives on, and the memory is written by these copies alone. Before the first
# round the variable holds an object from before, so that what it holds behind the loop is known only where a round was
# sure to bind it.

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.sizes import is_whole
from ...core.types import TensorType
from ..values.array import ArrayValue
from ..values.base import Value
from .arrays import ArrayExpression, RegionArray, View, as_array, view_of
from .knowledge import refused
from .sweeps import scratch, store

if TYPE_CHECKING:
    from ..trace import Trace


def type_of(value: Value) -> TensorType | None:
    """The type of an array whose sizes are known; None for anything else."""
    if isinstance(value, ArrayValue):
        return None if value.generic else value.type
    if not isinstance(value, RegionArray) or not all(map(is_whole, value.shape)):
        return None
    return TensorType(tuple(filter(is_whole, value.shape)), value.dtype)


class ArraySlot:
    """The memory of such a variable. `room` is what the variable holds in a round until it is bound anew."""

    def __init__(self, trace: Trace, type: TensorType, first: Value | None) -> None:
        region = trace.region
        assert region is not None
        self.type = type
        self.room = scratch(trace, type)
        if first is not None:
            array = as_array(trace, first)
            assert array is not None
            require_row_major(array)
            store(trace, view_of(trace, self.room), array)
        region.freeze(self.room.storage)

    def fresh(self, trace: Trace, value: Value) -> View:
        """The memory of what a round has bound the variable to. Errors: a break for what is no new array."""
        region = trace.region
        assert region is not None
        if type_of(value) != self.type:
            raise refused("a variable that is an array of another type in each round")
        if isinstance(value, ArrayExpression):
            require_row_major(value)
            return value.settle(trace)
        if not isinstance(value, ArrayValue) or value.path or not region.is_scratch(value.storage):
            raise refused("a variable that names another array in each round")
        return view_of(trace, value)

    def assign(self, trace: Trace, value: View) -> None:
        """Copy the elements."""
        region = trace.region
        assert region is not None
        with region.thawed(self.room.storage):
            store(trace, view_of(trace, self.room), value)


def require_row_major(array: RegionArray) -> None:
    """Errors: a break where NumPy would lay out the result otherwise than row by row."""
    for view in array.reads():
        axes = [dim.axis for dim in view.dims if dim.axis >= 0]
        twin = view.storage.twin
        if twin.ndim > 1 and not (twin.flags.c_contiguous and axes == sorted(axes)):
            raise refused("a new array that is not laid out row by row")
        if any(isinstance(dim.step, int) and dim.step < 0 for dim in view.dims) and len(view.dims) > 1:
            raise refused("a new array that is not laid out row by row")
