"""Picking elements: ``x[...]``, and the functions that take indices."""

# Note [Two kinds of index]
# Integers, slices, None and ... give views: one slice op, and one reshape that drops the axes of integers and adds
# those of None. Integer tensors and masks pick copies: what they index is made one axis, which is then taken from.

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.devices import HOST
from ..core.devices.host_or_device import on_host
from ..core.sized_shapes import slice_of
from ..core.sizes import Size, is_symbolic
from ..ops.checks import CHECKED_INDEX
from ..ops.indexing import GATHER, SCATTER_ADD, TAKE
from ..ops.movement import RESHAPE, SLICE
from .arithmetic import add, floor_divide, mul, remainder
from .creation import as_tensor, full, tensor
from .devices import placed_on
from .dispatch import apply, is_tensor_like, number_kind
from .masks import axis_of_mask, check_mask, positions_of
from .pointwise import lt, where
from .promotion import to_dtype
from .shapes import broadcast_shapes, missing_argument, sizes, wrap_axis
from .shaping import expand_to, permute, reshape_to, result_in
from .surface import method, surface
from .tensor import Tensor
from .tracing import all_elements, places_in

Value = Any


@method("__getitem__")
def getitem(self: Value, index: Any) -> Value:
    """The part of `self` that `index` names: a view for integers, slices, None and ..., otherwise a copy.

    Slices may walk back, as NumPy's do. Errors: IndexError for an index out of range or too many of them.
    """
    if type(index) is int and self.ndim:
        return _row(self, index)
    entries = index if type(index) is tuple else (index,)
    if all(_is_basic(entry) for entry in entries):
        return _view_at(self, entries)
    entries = tuple(_as_index(entry, self) for entry in entries)
    return _pick(self, entries)


def _row(x: Value, index: int) -> Value:
    """The entry of the first axis at `index`."""
    shape = x.shape
    inner = shape[1:]
    zeros, ones = (0,) * len(inner), (1,) * len(shape)
    part = apply(SLICE, x, starts=(_position(index, shape[0], 0), *zeros), sizes=(1, *inner), steps=ones)
    return apply(RESHAPE, part, shape=inner)


def _is_basic(entry: Any) -> bool:
    kind = type(entry)
    return (
        kind is int
        or kind is slice
        or entry is None
        or entry is Ellipsis
        or (kind is not bool and number_kind(entry) is int)
    )


def _view_at(x: Value, entries: tuple[Any, ...]) -> Value:
    """The view that integers, slices, None and ... name."""
    entries = _spelled_out(x, entries)
    starts, sizes, steps, shape = [], [], [], []
    axis = 0
    for entry in entries:
        if entry is None:
            shape.append(1)
            continue
        extent = x.shape[axis]
        if isinstance(entry, slice):
            start, size, step = _range(entry, extent)
            shape.append(size)
        else:
            start, size, step = _position(entry, extent, axis), 1, 1
        starts.append(start)
        sizes.append(size)
        steps.append(step)
        axis += 1
    part = x
    if tuple(sizes) != x.shape or min(steps, default=1) < 0:
        part = apply(SLICE, x, starts=tuple(starts), sizes=tuple(sizes), steps=tuple(steps))
    if tuple(shape) != part.shape or part is x:
        part = apply(RESHAPE, part, shape=tuple(shape))
    return part


def _spelled_out(x: Value, entries: tuple[Any, ...]) -> tuple[Any, ...]:
    """`entries` with one for each axis: ... replaced by whole slices, and more of them at the end."""
    used = 0
    for entry in entries:
        if entry is not None and entry is not Ellipsis:
            used += entry.ndim if is_tensor_like(entry) and entry.dtype.is_bool else 1
    if used > x.ndim:
        if not x.ndim and not any(map(is_tensor_like, entries)):
            raise IndexError(
                "invalid index of a 0-dim tensor. Use `tensor.item()` in Python to convert a 0-dim tensor to a number"
            )
        raise IndexError(f"too many indices for tensor of dimension {x.ndim}")
    whole = (slice(None),) * (x.ndim - used)
    places = [place for place, entry in enumerate(entries) if entry is Ellipsis]
    if len(places) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    if not places:
        return (*entries, *whole)
    return (*entries[: places[0]], *whole, *entries[places[0] + 1 :])


def _range(entry: slice, extent: int) -> tuple[int, int, int]:
    """Start, number and distance of the elements of a slice."""
    if entry.start is None and entry.stop is None and entry.step is None:
        return 0, extent, 1
    if entry.step is not None and entry.step == 0:
        raise ValueError("step must not be zero")
    if is_symbolic((extent, entry.start, entry.stop)):
        start, size, step = slice_of(entry, extent)
        return (start if size else 0), size, step
    picked = range(extent)[entry]
    return (picked.start if picked else 0), len(picked), picked.step


def _position(entry: Any, extent: int, axis: int) -> int:
    place: Any = entry if isinstance(entry, Size) else entry.__index__()
    if not -extent <= place < extent:
        raise IndexError(f"index {place} is out of bounds for dimension {axis} with size {extent}")
    return place + extent if place < 0 else place


# Integer tensors and masks.


def _as_index(entry: Any, x: Value) -> Any:
    """An index entry of `x` with lists and arrays made tensors; tensors of the CPU may index those of a device."""
    if is_tensor_like(entry):
        if entry.device not in (x.device, HOST):
            raise RuntimeError(
                f"indices should be either on cpu or on the same device as the indexed tensor ({x.device}), "
                f"got one on {entry.device}"
            )
        return placed_on(x.device, entry)
    if _is_basic(entry):
        return entry
    if isinstance(entry, (list, tuple, np.ndarray, range, bool, np.bool_)):
        found = as_tensor(list(entry) if isinstance(entry, (tuple, range)) else entry, device=x.device)
        return found if found.numel() else to_dtype(found, dtypes.int64)
    if isinstance(entry, str):
        raise TypeError(f"an index is made of numbers, got the str {entry!r}")
    raise IndexError(
        "only integers, slices (`:`), ellipsis (`...`), None and long or bool tensors are valid indices "
        f"(got {type(entry).__name__})"
    )


def _pick(x: Value, entries: tuple[Any, ...]) -> Value:
    """A copy of the elements that `entries` name; some of these indices are tensors."""
    if not isinstance(x, Tensor):
        entries = _spelled_out(x, entries)
        axis = axis_of_mask(entries)
        if axis is not None:
            return _pick_in_trace(x, entries[axis], axis)
    x, picks, lead = _prepared(x, entries)
    extents = x.shape[lead : lead + len(picks)]
    flat = reshape_to(x, (*x.shape[:lead], math.prod(extents), *x.shape[lead + len(picks) :]))
    return apply(TAKE, flat, _flat_index(picks, extents), axis=lead)


def _pick_in_trace(x: Value, mask: Value, axis: int) -> Value:
    """A copy of what a mask over the axes from `axis` on picks, in a trace: one take from these axes made one."""
    check_mask(mask, x, axis)
    end = axis + mask.ndim
    flat = reshape_to(x, (*x.shape[:axis], math.prod(mask.shape), *x.shape[end:]))
    return apply(TAKE, flat, places_in("a boolean index", mask), axis=axis)


def _prepared(x: Value, entries: tuple[Any, ...]) -> tuple[Value, list[Value], int]:
    """`x` sliced, with the axes that tensors index side by side; those index tensors; where these axes begin.

    Where slices stand between the tensors, NumPy and PyTorch put what they pick in front; so do we.
    """
    entries = _spelled_out(x, entries)
    basic: list[Any] = []
    picks: list[tuple[int, Value]] = []
    for entry in entries:
        if not is_tensor_like(entry):
            basic.append(entry)
            continue
        axis = sum(1 for each in basic if each is None or isinstance(each, slice))
        mask = entry.dtype.is_bool
        for index in positions_of(entry, x, _axis_of(basic)) if mask else (entry,):
            if not index.dtype.is_integer:
                raise IndexError(f"tensors used as indices must be long, int, byte or bool tensors, got {index.dtype}")
            picks.append((axis, index))
            # A mask without axes picks from a new axis of size 1: all of it, or nothing.
            basic.append(None if mask and not entry.ndim else slice(None))
            axis += 1
    if any(entry is None or not isinstance(entry, slice) or entry != slice(None) for entry in basic):
        x = _view_at(x, tuple(basic))
    axes = [axis for axis, _ in picks]
    lead = axes[0]
    front = axes != list(range(lead, lead + len(axes)))
    if front:
        x = permute(x, *axes, *(axis for axis in range(x.ndim) if axis not in axes))
        lead = 0
    return x, _broadcast([index for _, index in picks]), lead


def _axis_of(basic: list[Any]) -> int:
    """The axis of the tensor that the next index entry is about."""
    return sum(1 for each in basic if each is not None)


def _broadcast(picks: list[Value]) -> list[Value]:
    try:
        shape = broadcast_shapes(*(each.shape for each in picks))
    except RuntimeError:
        shapes = ", ".join(str(list(each.shape)) for each in picks)
        raise IndexError(
            f"shape mismatch: indexing tensors could not be broadcast together with shapes {shapes}"
        ) from None
    return [expand_to(to_dtype(each, dtypes.int64), shape) for each in picks]


def _flat_index(picks: list[Value], extents: tuple[int, ...]) -> Value:
    """One index tensor over the product of axes of those sizes. Errors: IndexError for one out of range."""
    flat: Value = None
    for place, (index, extent) in enumerate(zip(picks, extents)):
        index = _checked(index, extent, place)
        flat = index if flat is None else add(mul(flat, extent), index)
    return flat


def _checked(index: Value, extent: int, axis: int) -> Value:
    """`index` counted from the front. Errors: IndexError for one out of range."""
    if not isinstance(index, Tensor):
        return apply(CHECKED_INDEX, _from_front(index, extent), size=extent, ignore=None).standing_for(index)
    array = on_host(all_elements(index))
    if not array.size:
        return index
    lowest, highest = array.min(), array.max()
    if lowest < -extent or highest >= extent:
        strange = array[(array < -extent) | (array >= extent)].flat[0]
        raise IndexError(f"index {strange} is out of bounds for dimension {axis} with size {extent}")
    return _from_front(index, extent) if lowest < 0 else index


def _from_front(index: Value, extent: int) -> Value:
    return where(lt(index, 0), add(index, extent), index)


@method("masked_select")
def masked_select(self: Value, mask: Value) -> Value:
    """The elements where `mask`, which broadcasts, holds, in one row. Errors: RuntimeError for no mask."""
    if not mask.dtype.is_bool:
        raise RuntimeError("masked_select: expected BoolTensor for mask")
    shape = broadcast_shapes(self.shape, mask.shape)
    return getitem(expand_to(self, shape), expand_to(mask, shape))


@method("index_select")
def index_select(self: Value, dim: Any = None, index: Value = None, *, axis: Any = None) -> Value:
    """The slices along `dim` that `index`, an integer vector, names. Errors: IndexError out of range."""
    dim = dim if axis is None else axis
    if index is None:
        raise missing_argument("index_select", dim=dim, index=index)
    axis = wrap_axis(dim, self.ndim)
    if index.ndim > 1:
        raise IndexError("index_select(): Index is supposed to be a vector")
    index = index if index.ndim else reshape_to(index, (1,))
    if not self.ndim:
        return result_in(index_select(reshape_to(self, (1,)), 0, index), ())
    return apply(TAKE, self, _in_range(index, self.shape[axis], "index out of range in self", IndexError), axis=axis)


@method("gather")
def gather(self: Value, dim: Any = None, index: Value = None, *, sparse_grad: bool = False, axis: Any = None) -> Value:
    """One element along `dim` for each place of `index`. Errors: RuntimeError out of range."""
    dim = dim if axis is None else axis
    if index is None:
        raise missing_argument("gather", dim=dim, index=index)
    axis = wrap_axis(dim, self.ndim)
    if index.ndim != self.ndim:
        raise RuntimeError("Index tensor must have the same number of dimensions as input tensor")
    if not self.ndim:
        return result_in(gather(reshape_to(self, (1,)), 0, reshape_to(index, (1,))), ())
    shape = tuple(index.shape[k] if k != axis else size for k, size in enumerate(self.shape))
    if any(small > large for small, large in zip(shape, self.shape)):
        raise RuntimeError(
            f"Size does not match at dimension {axis} expected index {list(index.shape)} to be no larger than self "
            f"{list(self.shape)} apart from dimension {axis}"
        )
    whole = self
    if shape != self.shape:
        whole = apply(SLICE, self, starts=(0,) * self.ndim, sizes=shape, steps=(1,) * self.ndim)
    message = f"index is out of bounds for dimension {axis} with size {{}}"
    return apply(GATHER, whole, _in_range(index, self.shape[axis], message, RuntimeError), axis=axis)


@method("index_add")
def index_add(
    self: Value, dim: Any = None, index: Value = None, source: Value = None, *, alpha: Value = 1, axis: Any = None
) -> Value:
    """`self` with slice i of ``alpha * source`` added to its slice ``index[i]`` along `dim`."""
    dim = dim if axis is None else axis
    if index is None or source is None:
        raise missing_argument("index_add", dim=dim, index=index, source=source)
    axis = wrap_axis(dim, self.ndim)
    if index.ndim > 1:
        raise IndexError(f"index_add_(): Index is supposed to be a vector, but got dim: {index.ndim}")
    if self.ndim:
        check_slices("index_add", self, axis, index, source)
    source = source if alpha == 1 else mul(source, alpha)
    index = _in_range(index, self.shape[axis], "index out of range in self", IndexError)
    return apply(SCATTER_ADD, self, index, to_dtype(source, self.dtype), axis=axis)


@surface
def combinations(input: Value, r: int = 2, with_replacement: bool = False) -> Value:
    """A row for each choice of `r` elements of a vector, in their order; the same one may be taken again if told so.

    Shapes: [n] -> [choices, r]; of an `r` of 0, [0]. Errors: RuntimeError for what is no vector, or a negative `r`.
    """
    if input.ndim != 1:
        raise RuntimeError(f"Expect a 1D vector, but got shape {list(input.shape)}")
    if r < 0:
        raise RuntimeError(f"Expect a non-negative number, but got {r}")
    if not r:
        return full((0,), 0, dtype=input.dtype, device=input.device)
    choices = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    places = np.array(list(choices(range(input.shape[0]), r)), np.int64).reshape(-1, r)
    picked = index_select(input, 0, tensor(places.reshape(-1), device=input.device))
    return result_in(picked, places.shape)


@surface
def unravel_index(indices: Value, shape: Any) -> tuple[Value, ...]:
    """The places along each axis of elements counted row by row, in a tensor of that shape.

    Shapes: integers of any shape, of which each tensor of the tuple is. Numbers beyond the tensor begin anew.
    Errors: TypeError for what is not of integers, ValueError for a negative size.
    """
    if indices.dtype.is_float or indices.dtype.is_bool:
        raise TypeError(f"expected 'indices' to be integer dtype, but got {indices.dtype}")
    indices = to_dtype(indices, dtypes.int64)
    extents = sizes((shape,))
    if any(each < 0 for each in extents):
        raise ValueError(f"'shape' cannot have negative values, but got {extents}")
    return tuple(
        remainder(floor_divide(indices, math.prod(extents[axis + 1 :])), extent) for axis, extent in enumerate(extents)
    )


# Writing.


def check_slices(name: str, x: Value, axis: int, index: Value, source: Value) -> None:
    """Errors: where `source` is not made of one slice of `x` along `axis` for each entry of `index`."""
    count = source.shape[axis] if axis < source.ndim else 1
    given = math.prod(index.shape)
    if given != count:
        kind = RuntimeError if name == "index_add" and axis < source.ndim else IndexError
        raise kind(f"{name}(): Number of indices ({given}) should be equal to source.size(dim) ({count})")
    if source.ndim != x.ndim or any(a != b for k, (a, b) in enumerate(zip(source.shape, x.shape)) if k != axis):
        raise RuntimeError(
            f"{name}(): source {list(source.shape)} must match self {list(x.shape)} in every dimension but {axis}"
        )


def _in_range(index: Value, extent: int, message: str, error: type[Exception]) -> Value:
    """`index` itself. Errors: `error` for one that is negative or too large; its `message` may name the extent."""
    if not index.dtype.is_integer:
        raise RuntimeError(f"an index is a tensor of integers, got {index.dtype}")
    if not isinstance(index, Tensor):
        return apply(CHECKED_INDEX, index, size=extent, ignore=None).standing_for(index)
    array = on_host(all_elements(index))
    if array.size and (array.min() < 0 or array.max() >= extent):
        raise error(message.format(extent))
    return index
