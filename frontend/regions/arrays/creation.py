"""Arrays that an iteration of a native loop makes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....core.sizes import is_whole
from ....core.types import TensorType
from ...breaks import LOOP_SIZE
from ...tracing.rules import Rule, asked
from ...tracing.speculation import unsupported_in_region
from ...values.base import Value
from ...values.constant import Constant, is_none
from ...values.containers.sequences import Sequence, TupleValue
from ...values.numbers.input_scalar import InputNumber
from ...values.numbers.symbolic_int import size_of
from ..variables import kind_of
from .elementwise import supported
from .inner_loops import made, scratch, store, stored_copy
from .loop_carried import require_row_major
from .sizes import as_value
from .views import as_array, in_memory, view_of

if TYPE_CHECKING:
    from ...tracing.trace import Trace


def array_of(trace: Trace, object: Value, dtype: Value = Constant(None)) -> Value:  # noqa: A002, B008
    """`np.array` of a list of numbers."""
    if not isinstance(object, Sequence):
        return copy(trace, object)
    kinds = [kind_of(each) for each in object.items]
    if not kinds or any(kind is None or kind.python_or_numpy for kind in kinds):
        raise unsupported_in_region("np.array of other things than numbers")
    known = np.result_type(*(kind.dtype.numpy for kind in kinds if kind is not None))
    wanted = supported(asked(np.dtype, known if is_none(dtype) else dtype.constant(trace)))
    if wanted.is_integer and any(kind is not None and kind.dtype.is_float for kind in kinds):
        raise unsupported_in_region("np.array of floats as integers")
    room = scratch(trace, TensorType((len(kinds),), wanted))
    view = view_of(trace, room)
    for place, each in enumerate(object.items):
        store(trace, view.part(trace, Constant(place)), each)
    return room


def filled(value: float) -> Rule:
    """The rule of a function that makes an array of one value: `np.zeros`."""

    def rule(trace: Trace, shape: Value, dtype: Value = Constant(None)) -> Value:  # noqa: B008
        sizes = shape.items if isinstance(shape, TupleValue) else [shape]
        if not all(isinstance(each, (Constant, InputNumber)) and each.python_type is int for each in sizes):
            raise LOOP_SIZE.stop(what="an array made in a round, of a size that changes")
        known = tuple(size_of(trace, each) for each in sizes)
        if any(size < 0 for size in known):
            raise unsupported_in_region("an array of a negative size")
        kind = supported(asked(np.dtype, None if is_none(dtype) else dtype.constant(trace)))
        room = scratch(trace, TensorType(known, kind))
        store(trace, view_of(trace, room), Constant(kind.numpy.type(value).item()))
        return room

    return rule


def full(trace: Trace, shape: Value, fill_value: Value, dtype: Value = Constant(None)) -> Value:  # noqa: B008
    """`np.full` of a number."""
    kind = kind_of(fill_value)
    if kind is None or kind.python_or_numpy:
        raise unsupported_in_region("np.full of other than a number")
    wanted = supported(asked(np.dtype, kind.dtype.numpy if is_none(dtype) else dtype.constant(trace)))
    room = filled(0.0)(trace, shape, Constant(wanted.numpy))
    store(trace, view_of(trace, room), fill_value)  # type: ignore[arg-type]
    return room


def copy(trace: Trace, a: Value) -> Value:
    """`a.copy()`: row-major, of a known shape."""
    array = as_array(trace, a)
    if array is None:
        raise unsupported_in_region("a copy of a number")
    require_row_major(array)
    if not all(map(is_whole, array.shape)):
        return made(trace, in_memory(trace, stored_copy(trace, array)))
    room = scratch(trace, TensorType(tuple(filter(is_whole, array.shape)), array.dtype))
    store(trace, view_of(trace, room), array)
    return room


def like(value: float) -> Rule:
    """`np.zeros_like` and `np.ones_like`."""

    def rule(trace: Trace, a: Value) -> Value:
        array = as_array(trace, a)
        if array is None:
            raise unsupported_in_region("an array like a number")
        require_row_major(array)
        return filled(value)(trace, TupleValue([as_value(size) for size in array.shape]), Constant(array.dtype.numpy))

    return rule
