"""Tensors joined along an axis, and taken apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import index
from typing import Any

from ..ops.indexing import CAT
from ..ops.movement import RESHAPE, SLICE
from .dispatch import apply, is_tensor_like
from .promotion import result_type, to_dtype
from .shapes import missing_argument, wrap_axis
from .shaping import reshape_to, unsqueeze
from .surface import method, surface
from .tracing import values_of

Value = Any


@surface
def cat(tensors: Sequence[Value], dim: int = 0, *, axis: Any = None) -> Value:
    """The tensors one after the other along `dim`, in their common dtype.

    Errors: RuntimeError where other sizes differ, ValueError for no tensors.
    """
    dim = dim if axis is None else axis
    listed = list(tensors)
    if not listed:
        raise ValueError("cat(): expected a non-empty list of Tensors")
    try:
        for place, each in enumerate(listed):
            if not each.ndim:
                raise RuntimeError(f"zero-dimensional tensor (at position {place}) cannot be concatenated")
        dtype = result_type(*listed)
    except (AttributeError, TypeError):
        _check_listed(listed)
        raise
    # PyTorch lets an empty vector stand for nothing of any rank.
    rank = max(each.ndim for each in listed)
    if rank > 1 and any(each.shape == (0,) for each in listed):
        sizes = next(each.shape for each in listed if each.ndim > 1)
        axis = wrap_axis(dim, len(sizes))
        nothing = (*sizes[:axis], 0, *sizes[axis + 1 :])
        listed = [apply(RESHAPE, each, shape=nothing) if each.shape == (0,) else each for each in listed]
    axis = wrap_axis(dim, listed[0].ndim)
    _agree(listed, axis)
    return apply(CAT, *(to_dtype(each, dtype) for each in listed), axis=axis)


def _check_listed(listed: Sequence[Any]) -> None:
    """Errors: TypeError for the first of what was listed that is no tensor."""
    for place, each in enumerate(listed):
        if not is_tensor_like(each):
            raise TypeError(f"expected Tensor as element {place} in argument 0, but got {type(each).__name__}")


def listed_tensors(given: tuple[Any, ...]) -> list[Value]:
    """The tensors that a function was given one by one, or as one tuple or list."""
    one = len(given) == 1 and isinstance(given[0], (tuple, list))
    return list(given[0] if one else given)


def _agree(tensors: list[Value], axis: int) -> None:
    first = tensors[0]
    for place, each in enumerate(tensors):
        if each.ndim != first.ndim:
            raise RuntimeError(f"Tensors must have same number of dimensions: got {first.ndim} and {each.ndim}")
        for k, (have, want) in enumerate(zip(each.shape, first.shape)):
            if k != axis and have != want:
                raise RuntimeError(
                    f"Sizes of tensors must match except in dimension {axis}. Expected size {want} but got size {have} "
                    f"for tensor number {place} in the list."
                )


@surface
def stack(tensors: Sequence[Value], dim: int = 0, *, axis: Any = None) -> Value:
    """The tensors, all of one shape, side by side along a new axis. Errors: RuntimeError where shapes differ."""
    dim = dim if axis is None else axis
    listed = list(tensors)
    if not listed:
        raise RuntimeError("stack expects a non-empty TensorList")
    _check_listed(listed)
    for place, each in enumerate(listed):
        if each.shape != listed[0].shape:
            raise RuntimeError(
                f"stack expects each tensor to be equal size, but got {list(listed[0].shape)} at entry 0 and "
                f"{list(each.shape)} at entry {place}"
            )
    axis = wrap_axis(dim, listed[0].ndim + 1)
    return cat([unsqueeze(each, axis) for each in listed], axis)


@method("narrow")
def narrow(self: Value, dim: Any = None, start: Any = None, length: Any = None, *, axis: Any = None) -> Value:
    """A view of `length` entries of axis `dim`, from `start`. Errors: RuntimeError where that leaves the axis."""
    dim = dim if axis is None else axis
    if start is None or length is None:
        raise missing_argument("narrow", dim=dim, start=start, length=length)
    if not self.ndim:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    axis = wrap_axis(dim, self.ndim)
    if start < 0:
        start += self.shape[axis]
    if start < 0 or length < 0 or start + length > self.shape[axis]:
        raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({self.shape[axis]}).")
    starts = tuple(start if k == axis else 0 for k in range(self.ndim))
    sizes = tuple(length if k == axis else size for k, size in enumerate(self.shape))
    return apply(SLICE, self, starts=starts, sizes=sizes, steps=(1,) * self.ndim)


@method("split")
def _split(self: Value, split_size: Any, dim: int = 0) -> tuple[Value, ...]:
    """Views of consecutive parts along `dim`: of that size each (the last may be smaller), or of the sizes listed."""
    if not self.ndim:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    axis = wrap_axis(dim, self.ndim)
    extent = self.shape[axis]
    if isinstance(split_size, (tuple, list)):
        lengths = list(split_size)
        if sum(lengths) != extent:
            raise RuntimeError(
                f"split_with_sizes expects split_sizes to sum exactly to {extent} (input tensor's size at dimension "
                f"{axis}), but got split_sizes={lengths}"
            )
    else:
        if split_size < 0:
            raise RuntimeError(f"split expects split_size be non-negative, but got split_size={split_size}")
        if split_size == 0 and extent != 0:
            raise RuntimeError(f"split_size can only be 0 if dimension size is 0, but got dimension size of {extent}")
        lengths = [min(split_size, extent - start) for start in _starts(extent, split_size)] or [0]
    parts, start = [], 0
    for length in lengths:
        parts.append(narrow(self, axis, start, length))
        start += length
    return tuple(parts)


@surface
def split(tensor: Value, split_size_or_sections: Any, dim: int = 0) -> tuple[Value, ...]:
    """Views of parts along `dim`: of one size, but for the last, or of the sizes listed."""
    return _split(tensor, split_size_or_sections, dim)


def _starts(extent: int, step: int) -> Iterator[int]:
    """`range(0, extent, step)`, also of symbolic sizes, of which nothing but the count is relied on."""
    start = 0
    while start < extent:
        yield start
        start += step


@method("chunk")
def chunk(self: Value, chunks: int, dim: int = 0, *, axis: Any = None) -> tuple[Value, ...]:
    """Views of at most that many parts along `dim`, of one size but for the last."""
    dim = dim if axis is None else axis
    if not self.ndim:
        raise RuntimeError("chunk expects at least a 1-dimensional tensor")
    if chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    extent = self.shape[wrap_axis(dim, self.ndim)]
    if extent == 0:
        return _split(self, [0] * chunks, dim)
    return _split(self, (extent + chunks - 1) // chunks, dim)


@method("unbind")
def unbind(self: Value, dim: int = 0, *, axis: Any = None) -> tuple[Value, ...]:
    """Views of all slices along `dim`, which they no longer have."""
    dim = dim if axis is None else axis
    axis = wrap_axis(dim, self.ndim)
    shape = (*self.shape[:axis], *self.shape[axis + 1 :])
    return tuple(reshape_to(narrow(self, axis, place, 1), shape) for place in range(self.shape[axis]))


@method("__iter__")
def _iterate(self: Value) -> Any:
    """Its slices along the first axis. Errors: TypeError if it has none."""
    if not self.ndim:
        raise TypeError("iteration over a 0-d tensor")
    return iter(unbind(self, 0))


# Parts of several sizes.


@method("split_with_sizes")
def split_with_sizes(self: Value, split_sizes: Sequence[int], dim: int = 0, *, axis: Any = None) -> tuple[Value, ...]:
    """Views of consecutive parts along `dim`, of the sizes listed."""
    dim = dim if axis is None else axis
    return split(self, list(split_sizes), dim)


@method("tensor_split")
def tensor_split(
    self: Value,
    indices_or_sections: Any = None,
    dim: int = 0,
    *,
    indices: Any = None,
    sections: Any = None,
    tensor_indices_or_sections: Any = None,
    axis: Any = None,
) -> tuple[Value, ...]:
    """Views of so many parts along `dim`, as equal as can be, or of those between the listed places."""
    dim = dim if axis is None else axis
    indices_or_sections = _parts("tensor_split", indices_or_sections, indices, sections, tensor_indices_or_sections)
    if not self.ndim:
        raise RuntimeError("tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims")
    axis = wrap_axis(dim, self.ndim)
    size = self.shape[axis]
    if is_tensor_like(indices_or_sections):
        indices_or_sections = values_of("tensor_split", indices_or_sections, for_shape=True).tolist()
    if isinstance(indices_or_sections, (tuple, list)):
        marks = [0, *(slice(0, each).indices(size)[1] for each in indices_or_sections), size]
    else:
        if indices_or_sections <= 0:
            raise RuntimeError(f"number of sections must be larger than 0, got {indices_or_sections}")
        count = index(indices_or_sections)
        least, extra = divmod(size, count)
        marks = [k * least + min(k, extra) for k in range(count + 1)]
    return tuple(narrow(self, axis, start, max(end - start, 0)) for start, end in zip(marks, marks[1:]))


def _parts(name: str, *given: Any) -> Any:
    """The one of several arguments that says where to split. Errors: TypeError for none."""
    for each in given:
        if each is not None:
            return each
    raise missing_argument(name, indices_or_sections=None)


def _split_along(name: str, axis_of: Any, least: int) -> Any:
    def function(self: Value, *listed: Any, indices: Any = None, sections: Any = None) -> tuple[Value, ...]:
        first = listed if len(listed) > 1 else listed[0] if listed else None
        indices_or_sections = _parts(name, first, indices, sections)
        if self.ndim < least:
            raise RuntimeError(f"{name} requires a tensor with at least {least} dimension, but got {self.ndim}")
        axis = axis_of(self.ndim)
        whole = not isinstance(indices_or_sections, (tuple, list))
        if whole and self.shape[axis] % indices_or_sections:
            raise RuntimeError(
                f"{name} attempted to split along dimension {axis}, but the size of the dimension {self.shape[axis]} "
                f"is not divisible by the split_size {indices_or_sections}!"
            )
        return tensor_split(self, indices_or_sections, axis)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        "Views of parts, equal ones for a number. Errors: RuntimeError where that does not come out even."
    )
    return method(name)(function)


hsplit = _split_along("hsplit", lambda rank: 0 if rank == 1 else 1, 1)
vsplit = _split_along("vsplit", lambda rank: 0, 2)
dsplit = _split_along("dsplit", lambda rank: 2, 3)
