"""Variables that hold another array in each iteration of a native loop: ``x = x + step * d``."""

# Note [Arrays from iteration to iteration]
# Such a variable has memory of its own, into which each iteration copies what it binds the variable to. That is right
# as long as nobody can tell the copy from the object: the array must be new in this iteration (an expression, or made
# by a function), known by no other variable that lives on, and the memory is written by these copies alone. Before the
# first round the variable holds an object from before, so that what it holds behind the loop is known only where an
# iteration was sure to bind it.

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from ....core.sizes import is_whole
from ....core.types import TensorType
from ...breaks import LOOP_ARRAY, LOOP_KIND
from ...values.arrays.array import ArrayValue, Storage
from ...values.base import Value
from ...values.constant import Constant
from ...values.containers.iterators import Iterator
from ...values.containers.sequences import Sequence
from ...values.numbers.computed import ComputedNumber
from ...values.numbers.input_scalar import InputNumber
from ...values.objects.random_generators import RandomGenerator
from ..numbers.python_or_numpy import PythonOrNumpyNumber
from .inner_loops import made, scratch, store
from .views import ArrayExpression, RegionArray, RegionView, array_with_axes, in_memory, view_of

if TYPE_CHECKING:
    from ...interpreter.frame import Frame
    from ...tracing.trace import Trace
    from ...values.arrays.array import Storage
    from ..builder import Region


def type_of(value: Value) -> TensorType | None:
    """The type of an array whose sizes are known; None for anything else."""
    if isinstance(value, ArrayValue):
        return None if value.is_numpy_scalar else value.type
    if not isinstance(value, RegionArray) or not all(map(is_whole, value.shape)):
        return None
    return TensorType(tuple(filter(is_whole, value.shape)), value.dtype)


class ArraySlot:
    """The memory of such a variable. `room` is what the variable holds in an iteration until it is bound anew.

    alone: nobody else knows the array that it holds before the first iteration, so that a copy is as good.
    """

    def __init__(self, trace: Trace, type: TensorType, first: Value | None, *, alone: bool = False) -> None:
        region = trace.region
        assert region is not None
        self.type = type
        self.alone = alone
        self.room = scratch(trace, type)
        if first is not None:
            array = array_with_axes(trace, first)
            require_row_major(array)
            store(trace, view_of(trace, self.room), array)
        region.memory.freeze(self.room.storage)

    def fresh(self, trace: Trace, value: Value) -> RegionView:
        """The memory of what an iteration has bound the variable to. Errors: a break for what is no new array."""
        region = trace.region
        assert region is not None
        if type_of(value) != self.type:
            raise LOOP_ARRAY.stop(what="a variable that is an array of another type in each round")
        if isinstance(value, ArrayExpression):
            require_row_major(value)
            return value.materialize(trace)
        if not isinstance(value, ArrayValue) or value.path or not region.memory.is_scratch(value.storage):
            raise LOOP_ARRAY.stop(what="a variable that names another array in each round")
        return view_of(trace, value)

    def assign(self, trace: Trace, value: RegionView) -> None:
        """Copy the elements."""
        region = trace.region
        assert region is not None
        with region.memory.thawed(self.room.storage):
            store(trace, view_of(trace, self.room), value)


def merged_array(
    trace: Trace, name: str, before: ArrayValue | None, one: Value, other: Value
) -> tuple[ArrayExpression, Storage, Callable[[Value], None]]:
    """Memory for what a branch leaves in a variable, as a new array, and what copies an array there.

    before: an array that is not new, of which a copy is as good.
    Errors: a break where the two are not new arrays of one type, or that one.
    """
    type = type_of(one)
    if type is None or type_of(other) != type:
        raise LOOP_KIND.stop(name=name, what="is not of one kind in both branches")
    if not all(each is before or _is_new(trace, each) for each in (one, other)):
        raise LOOP_ARRAY.stop(what=f"{name}, which may name an array from before the branch behind it")
    room = scratch(trace, type)
    target = view_of(trace, room)

    def assign(value: Value) -> None:
        array = array_with_axes(trace, value)
        require_row_major(array)
        store(trace, target, array)

    return made(trace, in_memory(trace, target)), room.storage, assign


def knows(values: Iterable[Value | None], wanted: Value) -> bool:
    """Whether one of the values is that very array, shares its memory, or holds something that does."""
    memory = _memory_of(wanted)
    for each in values:
        if each is None:
            continue
        if each is wanted or memory is not None and _memory_of(each) is memory:
            return True
        inside = each.items if isinstance(each, Sequence) else [getattr(each, name, None) for name in _HOLDING]
        if knows((value for value in inside if isinstance(value, Value)), wanted):
            return True
    return False


_HOLDING = ("owner", "receiver")
"""The slots in which methods hold what they are bound to."""


def _is_new(trace: Trace, value: Value) -> bool:
    """Whether the region made an array in this iteration."""
    assert trace.region is not None
    if isinstance(value, ArrayValue):
        return not value.path and trace.region.memory.is_scratch(value.storage)
    return isinstance(value, ArrayExpression)


def _memory_of(value: Value | None) -> Storage | None:
    if isinstance(value, ArrayExpression):
        value = value.kept
    return value.storage if isinstance(value, (RegionView, ArrayValue)) else None


def is_alone(frame: Frame, name: str, region: Region) -> bool:
    """Whether the array that a variable holds was made by this call, and no other variable or object may know it."""
    value, trace = frame.variables.get(name), frame.trace
    if not isinstance(value, ArrayValue) or value.path or value.is_numpy_scalar or trace.effects.pending:
        return False
    storage = value.storage
    if storage.input is not None or storage.roots or region.memory.owns(storage):
        return False
    held = [
        each
        for other in trace.progress.frames
        for each in (*other.variables.items(), *(("", each) for each in other.stack))
    ]
    others = [each for key, each in held if each is not None and (each is not value or key != name)]
    return all(_is_apart(each, storage) for each in others)


def _is_apart(value: object, storage: Storage) -> bool:
    """Whether a value surely leads to no array over this memory."""
    if isinstance(value, ArrayValue):
        return value.storage is not storage
    if isinstance(value, Iterator):
        return value.gives_numbers
    return isinstance(value, (Constant, InputNumber, ComputedNumber, PythonOrNumpyNumber, RandomGenerator))


def require_row_major(array: RegionArray) -> None:
    """Errors: a break where NumPy would lay out the result otherwise than row by row."""
    for view in array.reads():
        axes = [dim.axis for dim in view.dims if dim.axis >= 0]
        fake = view.storage.fake
        if fake.ndim > 1 and not (fake.flags.c_contiguous and axes == sorted(axes)):
            raise LOOP_ARRAY.stop(what="a new array that is not laid out row by row")
        if any(isinstance(dim.step, int) and dim.step < 0 for dim in view.dims) and len(view.dims) > 1:
            raise LOOP_ARRAY.stop(what="a new array that is not laid out row by row")
