"""Moving elements about: joining, broadcasting, reordering axes and what lies along them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..core.errors import DeviceError
from ..ops.activations import ALIAS
from ..tensor import joining, rearranging, shaping
from ..tensor.dispatch import apply, is_tensor_like, named_type
from ..tensor.promotion import to_dtype
from ..tensor.shapes import broadcast_shapes as _broadcast_shapes
from ..tensor.shapes import infer_size, wrap_axes, wrap_axis
from ..tensor.tensor import Tensor
from .declare import array, is_index, promoted, standard

Value = Any


def _together(name: str, arrays: Any) -> list[Value]:
    """The arrays in the dtype they have in common. Errors: ValueError for none, TypeError for what does not promote."""
    listed = [array(name, each, argument="arrays") for each in arrays]
    if not listed:
        raise ValueError(f"{name}(): takes at least one array")
    dtype = listed[0].dtype
    for each in listed[1:]:
        dtype = promoted(dtype, each.dtype)
        if each.device != listed[0].device:
            raise DeviceError(f"{name}(): the arrays are on {listed[0].device} and {each.device}")
    return [to_dtype(each, dtype) for each in listed]


@standard
def broadcast_arrays(*arrays: Value) -> tuple[Value, ...]:
    """All arrays in the shape that they broadcast to, as views. Errors: RuntimeError where they do not."""
    return tuple(rearranging.broadcast_tensors(*(array("broadcast_arrays", each) for each in arrays))) if arrays else ()


@standard
def broadcast_shapes(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """The shape that all of the shapes broadcast to. Errors: ValueError where they do not."""
    try:
        return _broadcast_shapes(*shapes)
    except RuntimeError as error:
        raise ValueError(str(error)) from None


@standard
def broadcast_to(x: Value, /, shape: tuple[int, ...]) -> Value:
    """`x` broadcast to a shape, as a view. Errors: RuntimeError where it does not broadcast to it."""
    wanted = (shape,) if is_index(shape) else tuple(shape)
    return shaping.broadcast_to(array("broadcast_to", x), wanted)


@standard
def concat(arrays: Sequence[Value], /, *, axis: int | None = 0) -> Value:
    """The arrays one after the other along `axis`; for None all elements in a row.

    Shapes: each [*, n_k, *] -> [*, sum of n_k, *], in the dtype they have in common.
    Errors: ValueError for no arrays, RuntimeError where other sizes differ, TypeError for unlike kinds of dtypes.
    """
    listed = _together("concat", arrays)
    if axis is None:
        return joining.cat([shaping.flatten(each) for each in listed], 0)
    if len({each.ndim for each in listed}) > 1:
        raise ValueError(f"concat(): the arrays have different numbers of axes: {[each.ndim for each in listed]}")
    return joining.cat(listed, axis)


@standard
def expand_dims(x: Value, /, axis: int) -> Value:
    """`x` with an axis of size 1 at the place `axis` of the result, which may be several.

    Errors: IndexError out of range, ValueError for a place that is named twice.
    """
    array("expand_dims", x)
    given = tuple(axis) if isinstance(axis, (tuple, list)) else (axis,)
    rank = x.ndim + len(given)
    for each in given:
        if not -rank <= each < rank:
            raise IndexError(f"expand_dims(): the axis {each} is out of range for a result of {rank} axes")
    places = sorted({each + rank if each < 0 else each for each in given})
    if len(places) != len(given):
        raise ValueError(f"expand_dims(): an axis is named twice in {given}")
    rest = iter(x.shape)
    return shaping.reshape_to(x, tuple(1 if place in places else next(rest) for place in range(rank)))


@standard
def flip(x: Value, /, *, axis: Any = None) -> Value:
    """A copy in which the order along `axis` (all for None, one, or several) is turned round."""
    array("flip", x)
    axes = tuple(range(x.ndim)) if axis is None else tuple(axis) if isinstance(axis, (tuple, list)) else (axis,)
    axes = wrap_axes(axes, x.ndim) if axes else ()
    return rearranging.flip(x, axes)


@standard
def moveaxis(x: Value, source: Any, destination: Any, /) -> Value:
    """A view whose axes `source` are at the places `destination`, and the others in their order."""
    return shaping.movedim(array("moveaxis", x), source, destination)


@standard
def permute_dims(x: Value, /, axes: tuple[int, ...]) -> Value:
    """A view whose k-th axis is the axis ``axes[k]`` of `x`. Errors: RuntimeError unless each axis is there once."""
    return shaping.permute(array("permute_dims", x), tuple(axes))


@standard
def repeat(x: Value, repeats: Any, /, *, axis: int | None = None) -> Value:
    """Each entry along `axis` (of all elements in a row for None) so many times, one after the other.

    repeats: an int, or a vector of integers with one for each entry. In a trace its values are not known.
    """
    array("repeat", x)
    if is_tensor_like(repeats):
        array("repeat", repeats, "integer", "repeats")
    elif not is_index(repeats):
        raise TypeError(f"repeat(): repeats is an int or a Tensor of integers, got {named_type(repeats)}")
    return rearranging.repeat_interleave(x, repeats, axis)


@standard
def reshape(x: Value, /, shape: tuple[int, ...], *, copy: bool | None = None) -> Value:
    """The elements in their order in another shape, of which one size may be -1: what is left.

    copy: True for one, False for none, None for one where it cannot be done without.
    Errors: RuntimeError for another number of elements, ValueError where `copy` is False and there has to be one.
    """
    array("reshape", x)
    wanted: Any = (shape,) if is_index(shape) else tuple(shape)
    found = shaping.reshape_to(x, infer_size(wanted, math.prod(x.shape)))
    if copy is False and isinstance(found, Tensor) and found._storage is not x._storage:
        raise ValueError(f"reshape(): the memory of this array gets the shape {wanted} only as a copy")
    return apply(ALIAS, found) if copy else found


@standard
def roll(x: Value, /, shift: Any, *, axis: Any = None) -> Value:
    """A copy whose entries moved on by `shift` along `axis`, those at the end to the front; all in a row for None."""
    array("roll", x)
    if axis is None:
        if not is_index(shift):
            raise ValueError("roll(): several shifts take several axes")
        return rearranging.roll(x, shift)
    axes = tuple(axis) if isinstance(axis, (tuple, list)) else (axis,)
    shifts = tuple(shift) if isinstance(shift, (tuple, list)) else (shift,) * len(axes)
    return rearranging.roll(x, shifts, axes)


@standard
def squeeze(x: Value, /, axis: Any) -> Value:
    """`x` without the axes `axis`, one or several. Errors: ValueError where one has another size than 1."""
    array("squeeze", x)
    axes = wrap_axes(axis, x.ndim) if is_index(axis) or axis else ()
    for each in axes:
        if x.shape[each] != 1:
            raise ValueError(f"squeeze(): the axis {each} has size {x.shape[each]}, not 1")
    return shaping.reshape_to(x, tuple(size for place, size in enumerate(x.shape) if place not in axes))


@standard
def stack(arrays: Sequence[Value], /, *, axis: int = 0) -> Value:
    """The arrays, of one shape, along a new axis.

    Shapes: n times [*] -> [*] with n at the place `axis`, in the dtype they have in common.
    Errors: ValueError for no arrays, RuntimeError for unlike shapes, TypeError for unlike kinds of dtypes.
    """
    return joining.stack(_together("stack", arrays), axis)


@standard
def tile(x: Value, repetitions: tuple[int, ...], /) -> Value:
    """A copy in which each axis follows itself that many times, the last repetitions meaning the last axes."""
    return rearranging.tile(array("tile", x), tuple(repetitions))


@standard
def unstack(x: Value, /, *, axis: int = 0) -> tuple[Value, ...]:
    """The entries along `axis`, without it, as views. Errors: IndexError for an array without axes."""
    array("unstack", x)
    wrap_axis(axis, x.ndim)
    if not x.ndim:
        raise IndexError("unstack(): takes an array with axes")
    return tuple(joining.unbind(x, axis))
