"""Repeating, turning and stacking: copies and views that are made of reshapes, slices and joins."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..ops.activations import ALIAS
from ..ops.movement import EXPAND, RESHAPE, SLICE
from .creation import arange, zeros
from .dispatch import apply, is_tensor_like, tensor_of
from .indexing import index_select
from .joining import cat, listed_tensors, narrow, stack
from .shapes import broadcast_shapes, given_sizes, missing_argument, wrap_axes, wrap_axis
from .shaping import as_own, expand_to, flatten, movedim, reshape_to, result_in, transpose, unsqueeze
from .surface import attribute, method, surface
from .tracing import values_of

Value = Any


@method("repeat")
def repeat(self: Value, *counts_: Any, repeats: Any = None) -> Value:
    """A copy in which each axis follows itself that many times; more repeats than axes make new axes in front.

    Errors: RuntimeError for fewer repeats than axes, or negative ones.
    """
    counts = given_sizes("repeat", counts_, repeats, "repeats")
    lead = len(counts) - self.ndim
    if lead < 0:
        raise RuntimeError(
            "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor: got "
            f"{len(counts)} repeats for {self.ndim} axes"
        )
    if any(count < 0 for count in counts):
        raise RuntimeError(f"Trying to create tensor with negative dimension: repeats {list(counts)}")
    shape = (1,) * lead + self.shape
    between = tuple(each for size in shape for each in (1, size))
    wide = tuple(each for count, size in zip(counts, shape) for each in (count, size))
    copy = apply(ALIAS, apply(EXPAND, reshape_to(self, between), shape=wide))
    return result_in(copy, tuple(count * size for count, size in zip(counts, shape)))


@method("tile")
def tile(self: Value, *counts_: Any, dims: Any = None) -> Value:
    """`repeat`, with ones in front of `dims` where it names fewer axes than there are."""
    counts = given_sizes("tile", counts_, dims, "dims")
    return repeat(self, (1,) * (self.ndim - len(counts)) + counts)


@method("repeat_interleave")
def repeat_interleave(
    self: Value, repeats: Any, dim: int | None = None, *, output_size: int | None = None, axis: Any = None
) -> Value:
    """Each entry of axis `dim` (of all elements in a row for None) so many times, one after the other.

    repeats: a number, or a vector with one for each entry, whose values are needed.
    """
    dim = dim if axis is None else axis
    x = flatten(self) if dim is None else self
    axis = 0 if dim is None else wrap_axis(dim, self.ndim)
    if is_tensor_like(repeats) and repeats.numel() == 1:
        repeats = int(values_of("repeat_interleave", repeats, for_shape=True).item())
    if is_tensor_like(repeats):
        counts = values_of("repeat_interleave", repeats, for_shape=True)
        if len(counts) != x.shape[axis]:
            raise RuntimeError("repeats must have the same size as input along dim")
        return index_select(x, axis, tensor_of(np.repeat(np.arange(len(counts)), counts), x))
    if repeats < 0:
        raise RuntimeError("repeats can not be negative")
    shape = x.shape
    wide = expand_to(unsqueeze(x, axis + 1), (*shape[: axis + 1], repeats, *shape[axis + 1 :]))
    return result_in(apply(ALIAS, wide), (*shape[:axis], shape[axis] * repeats, *shape[axis + 1 :]))


@method("flip")
def flip(self: Value, *axes: Any, dims: Any = None) -> Value:
    """A copy in which the axes of `dims` run backwards."""
    given = given_sizes("flip", axes, dims, "dims")
    turned = wrap_axes(given, self.ndim) if given else ()
    starts = tuple(max(size - 1, 0) if k in turned else 0 for k, size in enumerate(self.shape))
    steps = tuple(-1 if k in turned else 1 for k in range(self.ndim))
    return apply(ALIAS, apply(SLICE, self, starts=starts, sizes=self.shape, steps=steps))


@method("fliplr")
def fliplr(self: Value) -> Value:
    """`flip` of the second axis. Errors: RuntimeError for fewer than two."""
    if self.ndim < 2:
        raise RuntimeError("Input must be >= 2-d.")
    return flip(self, 1)


@method("flipud")
def flipud(self: Value) -> Value:
    """`flip` of the first axis. Errors: RuntimeError for no axes."""
    if self.ndim < 1:
        raise RuntimeError("Input must be >= 1-d.")
    return flip(self, 0)


@method("rot90")
def rot90(self: Value, k: int = 1, dims: Sequence[int] = (0, 1)) -> Value:
    """A copy, turned `k` times from the first axis of `dims` towards the second."""
    if len(dims) != 2:
        raise RuntimeError(f"expected total rotation dims == 2, but got dims = {len(dims)}")
    first, second = (wrap_axis(axis, self.ndim) for axis in dims)
    if first == second:
        raise RuntimeError(f"expected rotation dims to be different, but got dim0 = {dims[0]} and dim1 = {dims[1]}")
    turns = k % 4
    if turns == 1:
        return apply(ALIAS, transpose(flip(self, second), first, second))
    if turns == 2:
        return flip(self, first, second)
    return apply(ALIAS, transpose(flip(self, first), first, second)) if turns == 3 else apply(ALIAS, self)


@method("roll")
def roll(self: Value, shifts: Any, dims: Any = None) -> Value:
    """A copy whose entries moved on by `shifts` along `dims`, those at the end to the front; all in a row for None."""
    moves = tuple(shifts) if isinstance(shifts, (tuple, list)) else (shifts,)
    if dims is None or dims in ((), []):
        if len(moves) != 1:
            raise RuntimeError(f"shifts and dimensions must align. shifts: {len(moves)}, dims:0")
        return result_in(_rolled(flatten(self), moves[0], 0), self.shape)
    axes = tuple(dims) if isinstance(dims, (tuple, list)) else (dims,)
    if len(axes) != len(moves):
        raise RuntimeError(f"shifts and dimensions must align. shifts: {len(moves)}, dims:{len(axes)}")
    for move, axis in zip(moves, axes):
        self = _rolled(self, move, wrap_axis(axis, self.ndim))
    return self


def _rolled(x: Value, move: int, axis: int) -> Value:
    size = x.shape[axis]
    move = move % size if size else 0
    if not move:
        return apply(ALIAS, x)
    return cat([narrow(x, axis, size - move, move), narrow(x, axis, 0, size - move)], axis)


@method("select")
def select(self: Value, dim: Any = None, index: Any = None, *, axis: Any = None) -> Value:
    """A view of the entry of axis `dim` at `index`. Errors: IndexError out of range."""
    dim = dim if axis is None else axis
    if index is None:
        raise missing_argument("select", dim=dim, index=index)
    if not self.ndim:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    axis = wrap_axis(dim, self.ndim)
    size = self.shape[axis]
    if not -size <= index < size:
        raise IndexError(
            f"select(): index {index} out of range for tensor of size {list(self.shape)} at dimension {axis}"
        )
    return reshape_to(narrow(self, axis, index % size, 1), (*self.shape[:axis], *self.shape[axis + 1 :]))


@method("narrow_copy")
def narrow_copy(self: Value, dim: Any = None, start: Any = None, length: Any = None, *, axis: Any = None) -> Value:
    """`narrow`, copied."""
    dim = dim if axis is None else axis
    if start is None or length is None:
        raise missing_argument("narrow_copy", dim=dim, start=start, length=length)
    return apply(ALIAS, narrow(self, dim, start, length))


# Joining of what has fewer axes.


def _at_least(x: Value, rank: int) -> Value:
    if rank == 3 and x.ndim == 2:
        return unsqueeze(x, 2)
    if rank == 3 and x.ndim == 1:
        return reshape_to(x, (1, *x.shape, 1))
    return reshape_to(x, (1,) * (rank - x.ndim) + x.shape) if x.ndim < rank else x


def _each_at_least(name: str, rank: int) -> Any:
    def function(*tensors: Any) -> Any:
        listed = tensors[0] if len(tensors) == 1 else tensors
        if not isinstance(listed, (tuple, list)):
            return _at_least(listed, rank)
        return tuple(_at_least(each, rank) for each in listed)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Views with at least {rank} axes: of one tensor one, of several a tuple."
    return surface(function)


atleast_1d = _each_at_least("atleast_1d", 1)
atleast_2d = _each_at_least("atleast_2d", 2)
atleast_3d = _each_at_least("atleast_3d", 3)


@surface
def hstack(tensors: Sequence[Value]) -> Value:
    """The tensors side by side: along the second axis, vectors along their only one."""
    listed = [_at_least(each, 1) for each in tensors]
    return cat(listed, 0 if listed and listed[0].ndim == 1 else 1)


@surface
def vstack(tensors: Sequence[Value]) -> Value:
    """The tensors one below the other, vectors as rows."""
    return cat([_at_least(each, 2) for each in tensors], 0)


@surface
def dstack(tensors: Sequence[Value]) -> Value:
    """The tensors one behind the other, along the third axis."""
    return cat([_at_least(each, 3) for each in tensors], 2)


@surface
def column_stack(tensors: Sequence[Value]) -> Value:
    """The tensors side by side, vectors as columns."""
    return hstack([reshape_to(each, (each.numel(), 1)) if each.ndim <= 1 else each for each in tensors])


@surface
def broadcast_tensors(*tensors: Any) -> tuple[Value, ...]:
    """Views of all in the shape that they broadcast to."""
    listed = listed_tensors(tensors)
    shape = broadcast_shapes(*(each.shape for each in listed))
    return tuple(expand_to(each, shape) for each in listed)


@surface
def meshgrid(*tensors: Any, indexing: str = "ij") -> tuple[Value, ...]:
    """A tensor of n axes for each of n vectors: the k-th varies along axis k only. indexing: ``"ij"``, or ``"xy"``."""
    listed = listed_tensors(tensors)
    if indexing not in ("ij", "xy"):
        raise RuntimeError(f'torch.meshgrid: indexing must be one of "xy" or "ij", but received: {indexing}')
    swapped = indexing == "xy" and len(listed) > 1
    if swapped:
        listed[:2] = listed[1::-1]
    shape = tuple(each.numel() for each in listed)
    grids = [
        expand_to(reshape_to(each, tuple(size if k == place else 1 for k, size in enumerate(shape))), shape)
        for place, each in enumerate(listed)
    ]
    if swapped:
        grids[:2] = grids[1::-1]
    return tuple(grids)


@surface
def cartesian_prod(*tensors: Any) -> Value:
    """A row for each choice of one element of every vector; of one vector itself."""
    if len(tensors) == 1:
        return tensors[0]
    return stack([flatten(each) for each in meshgrid(*tensors)], 1)


@surface
def block_diag(*tensors: Any) -> Value:
    """A matrix with the given ones (vectors are rows) along its diagonal, and zeros elsewhere."""
    blocks = [_at_least(each, 2) for each in tensors]
    width = sum(each.shape[1] for each in blocks)
    rows, start = [], 0
    for each in blocks:
        height, own = each.shape
        left = zeros(height, start, dtype=each.dtype, device=each.device)
        right = zeros(height, width - start - own, dtype=each.dtype, device=each.device)
        rows.append(cat([left, each, right], 1))
        start += own
    return cat(rows, 0)


# Other orders of axes.


@method("ravel")
def ravel(self: Value) -> Value:
    """The elements in a row: a view where the memory allows."""
    return apply(RESHAPE, self, shape=(math.prod(self.shape),))


@method("unfold")
def unfold(self: Value, dimension: int, size: int, step: int) -> Value:
    """Windows of `size` entries along an axis, one every `step`, in a new last axis; a copy, where PyTorch's is a view.

    Errors: RuntimeError for a window larger than the axis, or a step of 0.
    """
    axis = wrap_axis(dimension, self.ndim)
    if not self.ndim:
        return reshape_to(self, (1,)[:size])
    extent = self.shape[axis]
    if not 0 <= size <= extent:
        raise RuntimeError(f"maximum size for tensor at dimension {axis} is {extent} but size is {size}")
    if step <= 0:
        raise RuntimeError(f"step is {step} but must be > 0")
    count = (extent - size) // step + 1
    first = arange(0, count * step, step, device=self.device)
    places = reshape_to(first, (count, 1)) + arange(size, device=self.device)
    picked = index_select(self, axis, flatten(places))
    shape = (*self.shape[:axis], count, size, *self.shape[axis + 1 :])
    return as_own(movedim(reshape_to(picked, shape), axis + 1, -1))


@method("adjoint")
def adjoint(self: Value) -> Value:
    """A view with the last two axes exchanged; of complex numbers the conjugates, in a fresh tensor.

    Errors: RuntimeError for fewer than two axes.
    """
    if self.ndim < 2:
        raise RuntimeError(
            f"tensor.adjoint() is only supported on matrices or batches of matrices. Got {self.ndim}-D tensor."
        )
    turned = transpose(self, -2, -1)
    return turned.conj() if self.dtype.is_complex else turned


@attribute("mH")
def _matrices_adjoint(self: Value) -> Value:
    """A view with the last two axes exchanged, as `adjoint` gives it. Errors: RuntimeError for fewer than two."""
    return adjoint(self)


@attribute("H")
def _matrix_adjoint(self: Value) -> Value:
    """A view of a matrix with rows and columns exchanged. Errors: RuntimeError for other numbers of axes but 0."""
    if self.ndim not in (0, 2):
        raise RuntimeError(f"tensor.H is only supported on matrices (2-D tensors). Got {self.ndim}-D tensor.")
    return adjoint(self) if self.ndim else self
