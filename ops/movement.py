"""Movement: the same elements under other indices. None of these computes; most cost nothing once fused."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from ..core.errors import OpError
from ..core.strided import strided
from ..core.types import TensorType, contiguous_strides
from . import samples
from . import shape_gradients as d
from .registry import Movement, Sample, define_op

Ints = tuple[int, ...]


# reshape: row-major order of elements is kept.
def _reshape_meta(x: TensorType, *, shape: Ints) -> TensorType:
    if math.prod(shape) != x.size or any(size < 0 for size in shape):
        raise OpError(f"reshape cannot make {shape} of {x}: {math.prod(shape)} elements of {x.size}")
    return x.with_shape(shape)


def flat_index(index: list[Any], shape: Ints) -> Any:
    """The number, in row-major order, of the element at `index` of an array of `shape`."""
    flat: Any = 0
    for entry, step in zip(index, contiguous_strides(shape), strict=True):
        flat = flat + entry * step
    return flat


def _reshape_source(index: list[Any], in_shape: Ints, out_shape: Ints, *, shape: Ints) -> list[Any]:
    flat = flat_index(index, out_shape)
    return [(flat // step) % max(size, 1) for size, step in zip(in_shape, contiguous_strides(in_shape), strict=True)]


def _reshape_samples() -> Iterable[Sample]:
    for before, after in (
        ((3, 4), (12,)),
        ((12,), (2, 6)),
        ((2, 3, 4), (6, 4)),
        ((2, 3, 4), (4, 6)),
        ((), (1, 1)),
        ((0, 3), (3, 0)),
    ):
        yield samples.with_attrs((samples.uniform(-1, 1, before),), shape=after)


RESHAPE = define_op(
    "reshape",
    meta=_reshape_meta,
    eager=lambda x, *, shape: x.reshape(shape),
    lower=Movement(_reshape_source),
    samples=_reshape_samples,
    operands=("self",),
    vjp=(d.reshape_rule,),
    grad_name="View",
)


# permute: axis k of the result is axis axes[k] of the operand.
def _permute_meta(x: TensorType, *, axes: Ints) -> TensorType:
    if sorted(axes) != list(range(x.rank)):
        raise OpError(f"permute takes each axis of {x} once, got {axes}")
    return x.with_shape(tuple(x.shape[axis] for axis in axes))


def _permute_source(index: list[Any], in_shape: Ints, out_shape: Ints, *, axes: Ints) -> list[Any]:
    source: list[Any] = [0] * len(axes)
    for entry, axis in zip(index, axes, strict=True):
        source[axis] = entry
    return source


PERMUTE = define_op(
    "permute",
    meta=_permute_meta,
    eager=lambda x, *, axes: x.transpose(axes),
    lower=Movement(_permute_source),
    samples=lambda: [
        samples.with_attrs((samples.uniform(-1, 1, (3, 4)),), axes=(1, 0)),
        samples.with_attrs((samples.uniform(-1, 1, (2, 3, 4)),), axes=(2, 0, 1)),
        samples.with_attrs((samples.uniform(-1, 1, ()),), axes=()),
    ],
    operands=("self",),
    vjp=(d.permute_rule,),
    grad_name="Permute",
)


# expand: broadcast to `shape`; axes of size 1 repeat, new axes come in front.
def _expand(x: Any, *, shape: Ints) -> Any:
    """A view; one in which nothing repeats may be written."""
    return x[...] if x.shape == tuple(shape) else np.broadcast_to(x, shape)


def _expand_meta(x: TensorType, *, shape: Ints) -> TensorType:
    lead = len(shape) - x.rank
    if lead < 0 or any(have not in (1, want) for have, want in zip(x.shape, shape[lead:], strict=True)):
        raise OpError(f"expand cannot broadcast {x} to {shape}")
    return x.with_shape(shape)


def _expand_source(index: list[Any], in_shape: Ints, out_shape: Ints, *, shape: Ints) -> list[Any]:
    lead = len(shape) - len(in_shape)
    return [0 if size == 1 else entry for size, entry in zip(in_shape, index[lead:], strict=True)]


EXPAND = define_op(
    "expand",
    meta=_expand_meta,
    eager=_expand,
    lower=Movement(_expand_source),
    samples=lambda: [
        samples.with_attrs((samples.uniform(-1, 1, before),), shape=after)
        for before, after in (((), (3, 4)), ((4,), (3, 4)), ((3, 1), (3, 4)), ((1, 4), (2, 3, 4)), ((1,), (0,)))
    ],
    operands=("self",),
    vjp=(d.expand_rule,),
    grad_name="Expand",
)


# slice: `sizes[k]` elements along axis k, from `starts[k]` in steps of `steps[k]` (negative walks back).
def _slice_meta(x: TensorType, *, starts: Ints, sizes: Ints, steps: Ints) -> TensorType:
    if not len(starts) == len(sizes) == len(steps) == x.rank:
        raise OpError(f"slice takes one start, size and step for each axis of {x}")
    for start, size, step, extent in zip(starts, sizes, steps, x.shape, strict=True):
        inside = 0 <= start < extent and 0 <= start + (size - 1) * step < extent
        if size < 0 or step == 0 or (size > 0 and not inside):
            raise OpError(f"slice {start}:+{size}:{step} leaves an axis of size {extent} in {x}")
    return x.with_shape(sizes)


def _slice_source(
    index: list[Any], in_shape: Ints, out_shape: Ints, *, starts: Ints, sizes: Ints, steps: Ints
) -> list[Any]:
    return [entry * step + start for entry, start, step in zip(index, starts, steps, strict=True)]


def region(starts: Ints, sizes: Ints, steps: Ints) -> tuple[slice, ...]:
    """The NumPy index of a slice; a negative step that reaches the front has stop None."""
    index = []
    for start, size, step in zip(starts, sizes, steps, strict=True):
        stop = start + size * step
        index.append(slice(0, 0) if size == 0 else slice(start, stop if stop >= 0 else None, step))
    return tuple(index)


def _slice_samples() -> Iterable[Sample]:
    for shape, starts, sizes, steps in (
        ((5, 6), (1, 0), (3, 6), (1, 1)),
        ((5, 6), (4, 1), (5, 2), (-1, 3)),
        ((7,), (6,), (3,), (-2,)),
        ((4,), (0,), (0,), (1,)),
    ):
        yield samples.with_attrs((samples.uniform(-1, 1, shape),), starts=starts, sizes=sizes, steps=steps)


SLICE = define_op(
    "slice",
    meta=_slice_meta,
    eager=lambda x, *, starts, sizes, steps: x[(*region(starts, sizes, steps), ...)],  # the dots keep 0-d an array
    lower=Movement(_slice_source),
    samples=_slice_samples,
    operands=("self",),
    vjp=(d.slice_rule,),
    grad_name="Slice",
)


# as_strided: of a vector, the elements `offset + sum(index[k] * strides[k])`; several may be one.
def _as_strided_meta(x: TensorType, *, shape: Ints, strides: Ints, offset: int) -> TensorType:
    last = offset + sum((size - 1) * step for size, step in zip(shape, strides, strict=True))
    if x.rank != 1 or min((offset, *strides)) < 0 or (0 not in shape and last >= x.size):
        raise OpError(
            f"as_strided of {x} leaves it, or it is no vector: shape {shape}, strides {strides}, from {offset}"
        )
    return x.with_shape(shape)


def _as_strided(x: Any, *, shape: Ints, strides: Ints, offset: int) -> Any:
    step = x.strides[0]
    return strided(x[offset:] if 0 not in shape else x[:0], shape, tuple(each * step for each in strides))


def _as_strided_source(
    index: list[Any], in_shape: Ints, out_shape: Ints, *, shape: Ints, strides: Ints, offset: int
) -> list[Any]:
    flat: Any = offset
    for entry, step in zip(index, strides, strict=True):
        flat = flat + entry * step
    return [flat]


AS_STRIDED = define_op(
    "as_strided",
    meta=_as_strided_meta,
    eager=_as_strided,
    lower=Movement(_as_strided_source),
    samples=lambda: [
        samples.with_attrs((samples.uniform(-1, 1, (size,)),), shape=shape, strides=strides, offset=offset)
        for size, shape, strides, offset in (
            (6, (2, 3), (3, 1), 0),
            (6, (3, 2), (1, 3), 0),
            (4, (2, 2), (1, 1), 1),
            (5, (2,), (2,), 1),
            (5, (3, 2), (0, 1), 3),
            (3, (), (), 2),
            (3, (0, 2), (1, 1), 0),
        )
    ],
    operands=("self",),
    vjp=(d.as_strided_rule,),
)


__all__ = ["AS_STRIDED", "EXPAND", "PERMUTE", "RESHAPE", "SLICE", "flat_index", "region"]
