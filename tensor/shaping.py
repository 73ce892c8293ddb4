"""Methods that give a tensor's elements in another shape or order: views wherever the memory allows."""

from __future__ import annotations

import math
from typing import Any

from ..core.dtypes import DType
from ..ops.movement import EXPAND, PERMUTE, RESHAPE
from .dispatch import apply
from .python_types import as_dtype
from .shapes import Shape, given_sizes, infer_size, sizes, wrap_axis
from .storage import seen_as
from .surface import attribute, method
from .tensor import Tensor

Value = Any


def reshape_to(x: Value, shape: Shape) -> Value:
    """`x` in a shape of as many elements, itself if it has that shape."""
    return x if len(x.shape) == len(shape) and x.shape == shape else apply(RESHAPE, x, shape=shape)


def as_own(x: Any) -> Any:
    """`x`, a view that was just made of what nobody but the caller has, as a tensor of its own: nobody else's view.

    So a result is no view of an intermediate value that its user never saw, as in PyTorch (`_unsafe_view`).
    """
    own = getattr(type(x), "__guardlift_as_own__", None)
    if own is not None:
        return own(x)
    if isinstance(x, Tensor):
        x._base = x._path = None
    return x


def result_in(x: Value, shape: Shape) -> Value:
    """`x`, a result that nobody has seen yet, in a shape of as many elements; it becomes no view (see `as_own`)."""
    return x if len(x.shape) == len(shape) and x.shape == shape else as_own(apply(RESHAPE, x, shape=shape))


def expand_to(x: Value, shape: Shape) -> Value:
    """`x` broadcast to `shape`, itself if it has that shape."""
    return x if len(x.shape) == len(shape) and x.shape == shape else apply(EXPAND, x, shape=shape)


def reversed_axes(x: Value) -> Value:
    """A view of `x` with the axes in reverse order."""
    return apply(PERMUTE, x, axes=tuple(reversed(range(x.ndim))))


@method("reshape")
def reshape(self: Value, *sizes_: Any, shape: Any = None) -> Value:
    """The elements, row by row, in another shape; one size may be -1. A view where the memory allows."""
    return apply(RESHAPE, self, shape=infer_size(given_sizes("reshape", sizes_, shape, "shape"), math.prod(self.shape)))


@method("view")
def view(self: Value, *shape: Any, size: Any = None, dtype: DType | None = None) -> Value:
    """A view of the elements, row by row, in another shape; one size may be -1.

    ``view(dtype)`` is a view of the same bytes as another dtype.

    Errors: RuntimeError where that would take a copy.
    """
    if dtype is not None:
        return seen_as(self, as_dtype(dtype, "view"))
    if len(shape) < 2:
        shape = shape or (size,)
        if isinstance(shape[0], (DType, type)):
            return seen_as(self, as_dtype(shape[0], "view"))
    result = apply(RESHAPE, self, shape=infer_size(sizes(shape), math.prod(self.shape)))
    if result._storage is not self._storage:
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one dimension spans across two "
            "contiguous subspaces). Use .reshape(...) instead."
        )
    return result


@method("view_as")
def view_as(self: Value, other: Value) -> Value:
    """A view of `self` in the shape of `other`."""
    return view(self, other.shape)


@method("reshape_as")
def reshape_as(self: Value, other: Value) -> Value:
    """`self` in the shape of `other`."""
    return reshape(self, other.shape)


@method("flatten")
def flatten(self: Value, start_dim: int = 0, end_dim: int = -1) -> Value:
    """The axes from `start_dim` to `end_dim` made one."""
    if not self.ndim:
        wrap_axis(start_dim, 0), wrap_axis(end_dim, 0)
        return apply(RESHAPE, self, shape=(1,))
    first, last = wrap_axis(start_dim, self.ndim), wrap_axis(end_dim, self.ndim)
    if first > last:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    if first == last:
        return self
    shape = self.shape
    return apply(RESHAPE, self, shape=(*shape[:first], math.prod(shape[first : last + 1]), *shape[last + 1 :]))


@method("unflatten")
def unflatten(self: Value, dim: int, sizes: Any) -> Value:  # noqa: F811
    """Axis `dim` split into several of those sizes; one may be -1."""
    axis = wrap_axis(dim, self.ndim)
    inner = infer_size(tuple(sizes), self.shape[axis])
    return apply(RESHAPE, self, shape=(*self.shape[:axis], *inner, *self.shape[axis + 1 :]))


@method("squeeze")
def squeeze(self: Value, *dims: Any, dim: Any = None, axis: Any = None) -> Value:
    """Without its axes of size 1: all, or those of `dim` (one or several) that are."""
    if dims:
        dim = dims[0] if len(dims) == 1 else dims
    elif axis is not None:
        dim = axis
    if dim is None:
        gone = {axis for axis, size in enumerate(self.shape) if size == 1}
    else:
        listed = dim if isinstance(dim, (tuple, list)) else (dim,)
        wrapped = {wrap_axis(axis, self.ndim) for axis in listed}
        gone = {axis for axis in wrapped if self.ndim and self.shape[axis] == 1}
    return apply(RESHAPE, self, shape=tuple(size for axis, size in enumerate(self.shape) if axis not in gone))


@method("unsqueeze")
def unsqueeze(self: Value, dim: Any = None, *, axis: Any = None) -> Value:
    """With a new axis of size 1 at `dim`."""
    dim = dim if axis is None else axis
    axis = wrap_axis(dim, self.ndim + 1)
    return apply(RESHAPE, self, shape=(*self.shape[:axis], 1, *self.shape[axis:]))


@method("expand")
def expand(self: Value, *sizes_: Any, size: Any = None, implicit: bool = False) -> Value:
    """A view in which axes of size 1 repeat; -1 keeps a size, new axes come in front.

    Errors: RuntimeError where another size would have to repeat.
    """
    wanted = given_sizes("expand", sizes_, size)
    lead = len(wanted) - self.ndim
    if lead < 0:
        raise RuntimeError(
            f"expand({list(self.shape)}, size={list(wanted)}): the number of sizes provided ({len(wanted)}) must be "
            f"greater or equal to the number of dimensions in the tensor ({self.ndim})"
        )
    found = list(wanted)
    for axis in reversed(range(lead, len(found))):
        have = self.shape[axis - lead]
        if found[axis] == -1:
            found[axis] = have
        elif have not in (1, found[axis]):
            raise RuntimeError(
                f"The expanded size of the tensor ({found[axis]}) must match the existing size ({have}) at "
                f"non-singleton dimension {axis}.  Target sizes: {list(wanted)}.  Tensor sizes: {list(self.shape)}"
            )
    if -1 in found:
        raise RuntimeError(f"expand: the size -1 is not allowed for the new leading axis {found.index(-1)}")
    return apply(EXPAND, self, shape=tuple(found))


@method("expand_as")
def expand_as(self: Value, other: Value) -> Value:
    """`self` expanded to the shape of `other`."""
    return expand(self, other.shape)


@method("broadcast_to")
def broadcast_to(self: Value, *sizes_: Any, size: Any = None) -> Value:
    """`self` expanded to that size."""
    return expand(self, *sizes_, size=size)


@method("permute")
def permute(self: Value, *order: Any, dims: Any = None) -> Value:
    """A view with the axes in that order. Errors: RuntimeError unless each is named once."""
    given = given_sizes("permute", order, dims, "dims")
    if len(given) != self.ndim:
        raise RuntimeError(
            "permute(): number of dimensions in the tensor input does not match the length of the desired ordering of "
            f"dimensions i.e. input.dim() = {self.ndim} is not equal to len(dims) = {len(given)}"
        )
    axes = tuple(wrap_axis(axis, self.ndim) for axis in given)
    if len(set(axes)) != len(axes):
        raise RuntimeError("permute(): duplicate dims are not allowed.")
    return apply(PERMUTE, self, axes=axes)


@method("transpose", "swapdims")
def transpose(self: Value, dim0: int, dim1: int) -> Value:
    """A view with two axes exchanged."""
    first, second = wrap_axis(dim0, self.ndim), wrap_axis(dim1, self.ndim)
    order = list(range(self.ndim))
    if order:
        order[first], order[second] = order[second], order[first]
    return apply(PERMUTE, self, axes=tuple(order))


@method("swapaxes")
def swapaxes(self: Value, axis0: int, axis1: int) -> Value:
    """A view with two axes exchanged: `transpose`, as NumPy calls it."""
    return transpose(self, axis0, axis1)


@method("t")
def t(self: Value) -> Value:
    """A view of a matrix with rows and columns exchanged; a vector as it is. Errors: RuntimeError for more axes."""
    if self.ndim > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {self.ndim}D")
    return reversed_axes(self)


@attribute("T")
def _all_reversed(self: Value) -> Value:
    """A view with the axes in reverse order."""
    return reversed_axes(self)


@attribute("mT")
def _matrices_transposed(self: Value) -> Value:
    """A view with the last two axes exchanged. Errors: RuntimeError for fewer than two."""
    if self.ndim < 2:
        raise RuntimeError(f"tensor.mT is only supported on matrices or batches of matrices. Got {self.ndim}-D tensor.")
    return transpose(self, -2, -1)


@method("movedim", "moveaxis")
def movedim(self: Value, source: Any, destination: Any) -> Value:
    """A view with the axes of `source` moved to the places of `destination`."""
    sources = [wrap_axis(axis, self.ndim) for axis in (source if isinstance(source, (tuple, list)) else (source,))]
    targets = [
        wrap_axis(axis, self.ndim)
        for axis in (destination if isinstance(destination, (tuple, list)) else (destination,))
    ]
    order = [axis for axis in range(self.ndim) if axis not in sources]
    for target, axis in sorted(zip(targets, sources)):
        order.insert(target, axis)
    return apply(PERMUTE, self, axes=tuple(order))


@method("size")
def size(self: Value, dim: int | None = None) -> Any:
    """Its shape, or the size of one axis."""
    if dim is None:
        return self.shape
    if not self.ndim:
        raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    return self.shape[wrap_axis(dim, self.ndim)]


@method("dim", "ndimension")
def dim(self: Value) -> int:
    """Number of its axes."""
    return self.ndim


@method("numel", "nelement")
def numel(self: Value) -> int:
    """Number of its elements."""
    return math.prod(self.shape)


@method("__len__")
def _len(self: Value) -> int:
    """The size of the first axis. Errors: TypeError if it has none."""
    if not self.ndim:
        raise TypeError("len() of a 0-d tensor")
    return self.shape[0]
