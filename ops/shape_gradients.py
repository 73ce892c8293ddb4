"""Derivative rules of ops that move, join, pick or reduce elements."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from ..core import dtypes as d
from ..core.types import contiguous_strides
from .derivative import sum_to
from .emitter import Emitter

Value = Any
Ints = tuple[int, ...]
Shapes = Sequence[Ints]


def kept(shape: Ints, axes: Ints) -> Ints:
    """`shape` with size 1 along `axes`: that of a reduction that keeps its axes."""
    return tuple(1 if axis in axes else size for axis, size in enumerate(shape))


def restored(f: Emitter, value: Value, shape: Ints, axes: Ints) -> Value:
    """The result of a reduction of an operand of `shape`, with its axes back, so that it broadcasts to the operand."""
    return f.reshape(value, shape=kept(shape, axes))


def spread(f: Emitter, g: Value, shape: Ints, axes: Ints) -> Value:
    """The cotangent of a sum: `g` for each element that was added."""
    return f.expand(restored(f, g, shape, axes), shape=shape)


def zeros(f: Emitter, like: Value, shape: Ints) -> Value:
    """Zeros of `shape`, of the dtype of `like`."""
    return f.full(value=0.0, shape=shape, dtype=f.dtype(like))


# Reductions.
def sum_rule(f: Emitter, g: Value, shapes: Shapes, *, axes: Ints) -> Value:
    """The cotangent of a sum's operand."""
    return spread(f, g, shapes[0], axes)


def extreme_rule(f: Emitter, g: Value, self: Value, result: Value, *, axes: Ints) -> Value:
    """The cotangent of a max's or min's operand: spread evenly over the elements that tie."""
    shape = f.shape(self)
    ties = f.cast(f.equal(self, restored(f, result, shape, axes)), dtype=f.dtype(g))
    count = restored(f, f.sum(ties, axes=axes), shape, axes)
    return f.divide(f.multiply(ties, restored(f, g, shape, axes)), count)


def shared_rule(f: Emitter, g: Value, self: Value, result: Value, *, axes: Ints) -> Value:
    """The cotangent of the operand of an extreme of all elements: spread evenly over the elements that tie.

    Where the extreme is a NaN, the NaNs share the cotangent.
    """
    shape = f.shape(self)
    found = restored(f, result, shape, axes)
    ties = f.bitwise_or(f.equal(self, found), f.bitwise_and(f.isnan(self), f.isnan(found)))
    count = restored(f, f.sum(f.cast(ties, dtype=f.dtype(g)), axes=axes), shape, axes)
    return f.where(ties, f.divide(restored(f, g, shape, axes), count), 0.0)


def product_rule(f: Emitter, g: Value, self: Value, result: Value, *, axes: Ints) -> Value:
    """The cotangent of a product's operand: for each element, the product of the others.

    Without zeros anywhere that is a quotient, of which NaN and infinities make NaN; with zeros it is multiplied up.
    Both can be differentiated again.
    """
    shape = f.shape(self)
    if not shape:
        return g
    zero = f.equal(self, 0.0)
    everywhere = tuple(range(len(shape)))
    zeros = restored(f, f.any(zero, axes=everywhere), shape, everywhere)
    quotient = f.divide(restored(f, result, shape, axes), f.where(zero, 1.0, self))
    others = f.where(zeros, _product_of_others(f, self, axes), quotient)
    return f.multiply(restored(f, g, shape, axes), others)


def _product_of_others(f: Emitter, x: Value, axes: Ints) -> Value:
    """For each element the product of the others over `axes`, which never divides."""
    shape = f.shape(x)
    rest = tuple(axis for axis in range(len(shape)) if axis not in axes)
    order = (*rest, *axes)
    moved = tuple(shape[axis] for axis in order)
    flat = (*(shape[axis] for axis in rest), math.prod(shape[axis] for axis in axes))
    rows = f.reshape(f.permute(x, axes=order), shape=flat)
    others = f.multiply(_product_before(f, rows, 1), _product_before(f, rows, -1))
    back = tuple(order.index(axis) for axis in range(len(shape)))
    return f.permute(f.reshape(others, shape=moved), axes=back)


def _product_before(f: Emitter, rows: Value, direction: int) -> Value:
    """For each element of the last axis, the product of those before it (after it for direction -1), by doubling."""
    *lead, size = f.shape(rows)
    last = len(lead)
    partial, reach = shifted(f, rows, direction, last, 1), 1
    while reach < size:
        partial = f.multiply(partial, shifted(f, partial, direction * reach, last, 1))
        reach *= 2
    return partial


def shifted(f: Emitter, x: Value, distance: int, axis: int, fill: int | float) -> Value:
    """`x` moved by `distance` along `axis`, to the front where that is negative; `fill` where nothing moved in."""
    shape = f.shape(x)
    size = shape[axis]
    reach = min(abs(distance), size)
    nowhere = (0,) * len(shape)

    def along(here: int, elsewhere: Ints = nowhere) -> Ints:
        return (*elsewhere[:axis], here, *elsewhere[axis + 1 :])

    starts = along(0 if distance > 0 or reach == size else reach)
    inside = f.slice(x, starts=starts, sizes=along(size - reach, shape), steps=(1,) * len(shape))
    before, after = (reach, 0) if distance > 0 else (0, reach)
    value = float(fill) if f.dtype(x).is_float else fill
    return f.pad(inside, before=along(before), after=along(after), value=value)


# Movement.
def as_strided_rule(f: Emitter, g: Value, shapes: Shapes, *, shape: Ints, strides: Ints, offset: int) -> Value:
    """The cotangent of the vector that `as_strided` looked at: what came to the same element is added up."""
    (size,) = shapes[0]
    count = math.prod(shape)
    places = f.arange(start=0, step=1, size=size, dtype=d.int64)
    places = f.reshape(f.as_strided(places, shape=shape, strides=strides, offset=offset), shape=(count,))
    return f.scatter_add(zeros(f, g, (size,)), places, f.reshape(g, shape=(count,)), axis=0)


def reshape_rule(f: Emitter, g: Value, shapes: Shapes) -> Value:
    """The cotangent in the operand's shape."""
    return f.reshape(g, shape=shapes[0])


def permute_rule(f: Emitter, g: Value, *, axes: Ints) -> Value:
    """The cotangent with its axes back in place."""
    return f.permute(g, axes=tuple(axes.index(axis) for axis in range(len(axes))))


def expand_rule(f: Emitter, g: Value, shapes: Shapes) -> Value:
    """The cotangent summed over what was repeated."""
    return sum_to(f, g, shapes[0])


def slice_rule(f: Emitter, g: Value, shapes: Shapes, *, starts: Ints, sizes: Ints, steps: Ints) -> Value:
    """The cotangent in its region, zeros elsewhere."""
    if 0 not in sizes and all(step == 1 for step in steps):
        after = tuple(extent - start - size for extent, start, size in zip(shapes[0], starts, sizes, strict=True))
        return f.pad(g, before=starts, after=after, value=0.0)
    return f.slice_store(zeros(f, g, shapes[0]), g, starts=starts, sizes=sizes, steps=steps)


# Joining, padding, and the store in its pure form.
def cat_rule(f: Emitter, g: Value, shapes: Shapes, *, axis: int) -> list[Value]:
    """The piece of the cotangent that each operand made."""
    pieces, start = [], 0
    for shape in shapes:
        starts = tuple(start if k == axis else 0 for k in range(len(shape)))
        pieces.append(f.slice(g, starts=starts, sizes=shape, steps=(1,) * len(shape)))
        start += shape[axis]
    return pieces


def pad_rule(f: Emitter, g: Value, shapes: Shapes, *, before: Ints) -> Value:
    """The inner part of the cotangent."""
    return f.slice(g, starts=before, sizes=shapes[0], steps=(1,) * len(before))


def stored_over_rule(f: Emitter, g: Value, shapes: Shapes, *, starts: Ints, sizes: Ints, steps: Ints) -> Value:
    """The cotangent of the base of a store: nothing where it was replaced."""
    return f.slice_store(g, zeros(f, g, shapes[1]), starts=starts, sizes=sizes, steps=steps)


def stored_rule(f: Emitter, g: Value, *, starts: Ints, sizes: Ints, steps: Ints) -> Value:
    """The cotangent of the stored value."""
    return f.slice(g, starts=starts, sizes=sizes, steps=steps)


# Loads and adds at computed places.
def take_rule(f: Emitter, g: Value, index: Value, shapes: Shapes, *, axis: int) -> Value:
    """The cotangent added up at the places it was taken from."""
    extent, picked = shapes[0], f.shape(index)
    count = math.prod(picked)
    rows = f.reshape(g, shape=(*extent[:axis], count, *extent[axis + 1 :]))
    return f.scatter_add(zeros(f, g, extent), f.reshape(index, shape=(count,)), rows, axis=axis)


def gather_rule(f: Emitter, g: Value, index: Value, shapes: Shapes, *, axis: int) -> Value:
    """The cotangent added up at the places it was gathered from, by their position in row-major order."""
    extent, picked = shapes[0], f.shape(index)
    size, count = math.prod(extent), math.prod(picked)
    index = f.cast(index, dtype=d.int64)
    position: Value = None
    for k, stride in enumerate(contiguous_strides(extent)):
        place = f.where(f.less(index, 0), f.add(index, extent[k]), index) if k == axis else _ramp(f, picked, k)
        step = f.multiply(place, stride)
        position = step if position is None else f.add(position, step)
    flat = f.scatter_add(
        zeros(f, g, (size,)), f.reshape(position, shape=(count,)), f.reshape(g, shape=(count,)), axis=0
    )
    return f.reshape(flat, shape=extent)


def _ramp(f: Emitter, shape: Ints, axis: int) -> Value:
    """0, 1, 2 ... along `axis` of something of `shape`, to broadcast over the others."""
    ramp = f.arange(start=0, step=1, size=shape[axis], dtype=d.int64)
    return f.reshape(ramp, shape=tuple(size if k == axis else 1 for k, size in enumerate(shape)))


def added_rule(f: Emitter, g: Value, index: Value, *, axis: int) -> Value:
    """The cotangent of values that were scattered: taken from where they were added."""
    return f.take(g, index, axis=axis)


def scattered_over_rule(f: Emitter, g: Value, index: Value, shapes: Shapes, *, axis: int) -> Value:
    """The cotangent of what was written over: zeros where it was."""
    return f.scatter(g, index, zeros(f, g, shapes[2]), axis=axis)


def scattered_rule(f: Emitter, g: Value, index: Value, shapes: Shapes, *, axis: int) -> Value:
    """The cotangent of values that were written: taken from where they stayed, zeros for those that others replaced."""
    (count,) = f.shape(index)
    order = f.arange(start=0, step=1, size=count, dtype=d.int64)
    nobody = f.full(value=-1, shape=(shapes[0][axis],), dtype=d.int64)
    last = f.take(f.scatter_reduce(nobody, index, order, axis=0, combine="max"), index, axis=0)
    rank = len(shapes[0])
    stays = f.reshape(f.equal(last, order), shape=tuple(count if k == axis else 1 for k in range(rank)))
    return f.where(stays, f.take(g, index, axis=axis), 0.0)


# Products of matrices.
def turned(f: Emitter, value: Value) -> Value:
    """The matrices of `value`, transposed."""
    rank = len(f.shape(value))
    return f.permute(value, axes=(*range(rank - 2), rank - 1, rank - 2))


MATMUL: tuple[Callable[..., Value], ...] = (
    lambda f, g, mat2: f.matmul(g, turned(f, mat2)),
    lambda f, g, self: f.matmul(turned(f, self), g),
)
