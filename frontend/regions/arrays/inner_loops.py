"""Loops over the elements of a region's arrays: stores, copies, sums."""

from __future__ import annotations

import weakref
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from ....core import dtypes
from ....core.dtypes import DType
from ....core.sizes import is_small, is_whole
from ....core.types import TensorType
from ....graph.node import Node
from ....loop_ir.ir import Amount, Apply, InnerLoop, LoopReduction
from ....ops import pointwise as p
from ....ops.creation import FULL
from ...breaks import LOOP_SIZE, LOOP_STORE
from ...tracing import half_floats
from ...tracing.complex_numbers import joined, parts
from ...tracing.nodes import cast, constant_node
from ...tracing.speculation import unsupported_in_region
from ...values import protocols
from ...values.arrays.array import ArrayValue, note_write, result
from ...values.arrays.view_steps import fake_of
from ...values.base import Value
from ...values.constant import Constant
from ...values.numbers.computed import ComputedNumber
from ..numbers.arithmetic import bounds_of, is_python_number
from ..numbers.python_or_numpy import PythonOrNumpyNumber
from .indices import narrowed
from .sizes import Size, amount, require_equal
from .views import ArrayExpression, Index, RegionArray, RegionView, as_array, view_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ...tracing.trace import Trace


@contextmanager
def over(trace: Trace, shape: tuple[Size, ...], reductions: list[LoopReduction]) -> Iterator[Index]:
    """A context in which statements are written for every index of a shape; with `reductions`, which are taken over
    them."""
    region = trace.region
    assert region is not None
    loops: list[tuple[str, Amount]] = [(region.name("j"), amount(trace, size)) for size in shape]
    index = [region.local(name, dtypes.int64) for name, _ in loops]
    with region.block() as body:
        yield index
    if loops:
        region.put(InnerLoop(tuple(loops), tuple(body), tuple(reductions)))
    else:
        for each in body:
            region.put(each)


def pieces(trace: Trace, shape: tuple[Size, ...], array: RegionArray | None) -> Iterator[Index]:
    """Writes statements for every index of a shape, in one inner loop for each piece between an expression's cuts."""
    cuts = array.cuts if isinstance(array, ArrayExpression) else frozenset[int]()
    last = shape[-1] if shape else 1
    if not cuts or not is_whole(last) or array is None or len(array.shape) != len(shape):
        with over(trace, shape, []) as index:
            yield index
        return
    region = trace.region
    assert region is not None
    ends = sorted({0, int(last), *(cut for cut in cuts if 0 < cut < last)})
    for start, stop in zip(ends, ends[1:], strict=False):
        with over(trace, (*shape[:-1], stop - start), []) as index:
            first = constant_node(trace, start, (), dtypes.int64) if is_small(start) else region.integer(start)
            moved = trace.add(p.ADD, index[-1], first) if start else index[-1]
            region.reach[moved] = start, stop - 1
            yield [*index[:-1], moved]


def picked(trace: Trace, array: RegionArray, shape: tuple[Size, ...], index: Index) -> Index:
    """The index of `array` that an index of a broadcast shape stands for."""
    extra = len(shape) - len(array.shape)
    zero = constant_node(trace, 0, (), dtypes.int64)
    return [zero if is_whole(size) and size == 1 else at for size, at in zip(array.shape, index[extra:], strict=True)]


def store(trace: Trace, target: RegionView, value: Value, *, unnamed: bool = False) -> None:
    """`target[...] = value`, the right side evaluated first. `unnamed`: nobody else has it, so it may be used up."""
    region = trace.region
    assert region is not None
    if not target.writeable:
        raise unsupported_in_region("a write into an array that is read-only")
    if isinstance(value, RegionView) and value.same_places(trace, target):
        return  # what `a[i] += …` stores back
    array = as_array(trace, value)
    if array is None:
        _store_number(trace, target, value)
        return
    while len(array.shape) > len(target.shape):
        raise LOOP_STORE.stop(what="an array of more axes")
    for size, wanted in zip(reversed(array.shape), reversed(target.shape), strict=False):
        if not (is_whole(size) and size == 1):
            require_equal(trace, size, wanted)
    if any(not each.same_places(trace, target) and not each.is_standalone(trace, target) for each in array.reads()):
        array = stored_copy(trace, array)
    prepare(trace, target, *((array,) if unnamed else ()))
    for index in pieces(trace, target.shape, array):
        element = array.element(trace, picked(trace, array, target.shape, index))
        put(trace, target, index, element)


def _store_number(trace: Trace, target: RegionView, value: Value) -> None:
    value = number_for(trace, target, value)
    prepare(trace, target)
    with over(trace, target.shape, []) as index:
        put(trace, target, index, value)


def number_for(trace: Trace, target: RegionView, value: Value) -> Value:
    """A number as it is stored into an array, where the region is left for one that NumPy refuses."""
    if isinstance(value, PythonOrNumpyNumber):
        value = value.array
    if not (is_python_number(value) or isinstance(value, ArrayValue)):
        raise LOOP_STORE.stop(what="something that is no number")
    if target.dtype.is_integer and value.python_type is float:
        raise LOOP_STORE.stop(what="a float in an array of integers")
    if (
        isinstance(value, ComputedNumber)
        and value.python_type is int
        and target.dtype is not dtypes.int64
        or (isinstance(value, ArrayValue) and protocols.is_wider_number(value, target.dtype))
    ):
        assert trace.region is not None
        value = narrowed(trace, trace.region, value, target.dtype)
    if target.dtype.is_integer and isinstance(value, ArrayValue) and value.dtype.is_float:
        return _truncated(trace, value, target.dtype)
    return value


def _truncated(trace: Trace, value: ArrayValue, dtype: DType) -> Value:
    """A NumPy float stored as an integer: cut off. The region is left for one that does not fit."""
    region = trace.region
    assert region is not None
    info = np.iinfo(dtype.numpy)
    low, high = max(int(info.min) - 1, -(2**62)), min(int(info.max) + 1, 2**62)
    node = region.let_of(cast(trace, value.read(trace), dtypes.float64))
    above = trace.add(p.LESS, constant_node(trace, float(low), (), dtypes.float64), node)
    below = trace.add(p.LESS, node, constant_node(trace, float(high), (), dtypes.float64))
    region.fail_if(trace.add(p.INVERT, trace.add(p.BITWISE_AND, above, below)))
    return result(trace, cast(trace, cast(trace, node, dtypes.int64), dtype), is_numpy_scalar=True)


def put(trace: Trace, target: RegionView, index: Index, value: Value) -> None:
    """The element there becomes `value`, by the rules of assignment."""
    region = trace.region
    assert region is not None
    place = ArrayValue(target.storage, (), fake_of(TensorType((), target.dtype)))
    made, at = protocols.assigned_value(trace, value, place), target.place(trace, index)
    if target.half:
        real, imag = parts(trace, region.load(target.storage, at))
        made = joined(trace, real, made) if target.half == "imag" else joined(trace, made, imag)
    region.store(target.storage, at, made)


def prepare(trace: Trace, target: RegionView, *but: RegionArray) -> None:
    """Sees to it that the memory may be written: others do not share it, and what is yet to be computed has read it.

    but: expressions that nobody asks for any more.
    """
    region = trace.region
    assert region is not None
    if target.storage.input is not None:
        note_write(trace, target.storage)
    for reference in region.expressions:
        expression = reference()
        if (
            expression is not None
            and not any(expression is each for each in but)
            and not expression.is_kept
            and any(not each.is_standalone(trace, target) for each in expression.reads())
        ):
            expression.materialize(trace)


def made(trace: Trace, expression: ArrayExpression) -> ArrayExpression:
    """A new expression, which is settled before what it reads is written."""
    assert trace.region is not None
    trace.region.expressions.append(weakref.ref(expression))
    return expression


def room_for(trace: Trace, shape: tuple[Size, ...], dtype: DType) -> RegionView:
    """Memory that belongs to the region, of this shape. Errors: a break where it may be too large."""
    most = tuple(size if is_whole(size) else bounds_of(size)[1] for size in shape)
    if any(size > MOST for size in most):
        raise LOOP_SIZE.stop(what="a copy of an array whose size is not known")
    whole = view_of(trace, scratch(trace, TensorType(most, dtype)))
    dims = tuple(type(dim)(dim.axis, dim.step, size) for dim, size in zip(whole.dims, shape, strict=True))
    return RegionView(whole.storage, whole.base, dims, writeable=True)


def stored_copy(trace: Trace, array: RegionArray) -> RegionView:
    """The elements in memory of their own."""
    region = trace.region
    assert region is not None
    target = room_for(trace, array.shape, array.dtype)
    for index in pieces(trace, array.shape, array):
        region.store(target.storage, target.place(trace, index), array.at(trace, index))
    return target


MOST = 2**31


def scratch(trace: Trace, type: TensorType) -> ArrayValue:
    """Memory that belongs to the region, with nothing of use in it."""
    region = trace.region
    assert region is not None
    node = trace.add(FULL, value=0, shape=type.shape, dtype=type.dtype)
    room = result(trace, node)
    region.memory.own(room.storage)
    return room


def gathered(trace: Trace, array: RegionView, places: list[Value]) -> ArrayValue:
    """`array[[…]]`: a new array of the parts at these indices of the first axis."""
    if not all(is_whole(size) for size in array.shape[1:]):
        raise LOOP_SIZE.stop(what="rows whose size changes")
    rest = tuple(size for size in array.shape[1:] if is_whole(size))
    room = scratch(trace, TensorType((len(places), *rest), array.dtype))
    whole = view_of(trace, room)
    for row, place in enumerate(places):
        picked = array.part(trace, place)
        target = whole.part(trace, Constant(row))
        store(trace, target, picked if picked.dims else result(trace, picked.at(trace, []), is_numpy_scalar=True))
    return room


def scatter(trace: Trace, target: RegionView, places: list[Value], value: Value) -> None:
    """`target[[…]] = value`, one index after the other, the right side evaluated first."""
    rows = as_array(trace, value)
    if rows is not None:
        if len(rows.shape) != len(target.shape) or rows.shape[0] != len(places):
            raise LOOP_STORE.stop(what="an array of another shape at several indices")
        rows = stored_copy(trace, rows)
    for row, place in enumerate(places):
        part = None if rows is None else rows.part(trace, Constant(row))
        if part is not None and not part.dims:
            store(trace, target.part(trace, place), result(trace, part.at(trace, []), is_numpy_scalar=True))
        else:
            store(trace, target.part(trace, place), value if part is None else part)


def reduction(trace: Trace, array: RegionArray, combine: str, dtype: DType) -> Node:
    """The elements reduced into one number. `dtype`: of the result, in which they are reduced; float16 in float32."""
    (made,) = reduce_together(trace, array.shape, lambda index: [array.at(trace, index)], [(combine, dtype)])
    return made


def reduce_together(
    trace: Trace, shape: tuple[Size, ...], elements: Callable[[Index], Sequence[Node]], hows: list[tuple[str, DType]]
) -> list[Node]:
    """The reductions of several arrays of one shape, whose elements at an index `elements` gives, in one inner loop.

    hows: of each how it is reduced, and the dtype of the result.
    """
    region = trace.region
    assert region is not None
    names, reductions = [region.name("r") for _ in hows], list[LoopReduction]()
    with over(trace, shape, reductions) as index:
        for name, (combine, dtype), element in zip(names, hows, elements(index), strict=True):
            wide = half_floats.computed_in(dtype)
            value = half_floats.widened(trace, cast(trace, region.let_of(element), dtype))
            reductions.append(LoopReduction(name, combine, wide, region.text(value), wide))
    wides = [half_floats.computed_in(dtype) for _, dtype in hows]
    made = [region.local(name, wide) for name, wide in zip(names, wides, strict=True)]
    return [cast(trace, each, dtype) for each, (_, dtype) in zip(made, hows, strict=True)]


def search(trace: Trace, array: RegionArray, combine: str) -> Node:
    """The first place of the largest or smallest element of a vector: `combine` is argmax or argmin."""
    region = trace.region
    assert region is not None
    name = region.name("r")
    reductions: list[LoopReduction] = []
    with over(trace, array.shape, reductions) as index:
        value = half_floats.widened(trace, region.let_of(array.at(trace, index)))
        place = region.let(dtypes.int64, Apply("{0}", (region.text(index[0]),)))
        dtype = value.type.dtype
        reductions.append(LoopReduction(name, combine, dtypes.int64, region.text(value), dtype, region.text(place)))
    return region.local(name, dtypes.int64)
