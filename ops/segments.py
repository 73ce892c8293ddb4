"""Many arrays as one vector, and the vector as many arrays: what an optimizer's step over all parameters is made of.

A vector of segments holds the elements of one array after those of another, each in row-major order.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import accumulate
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.errors import OpError
from ..core.types import TensorType
from . import samples
from .movement import Ints, flat_index
from .registry import Array, Indexed, Movement, Sample, define_op


def _starts(sizes: Iterable[int]) -> list[int]:
    """The beginning of each segment."""
    return [0, *accumulate(sizes)][:-1]


# join: the elements of all operands, of any shapes and one dtype, in one vector.
def _join_meta(first: TensorType, *rest: TensorType) -> TensorType:
    for other in rest:
        if other.dtype is not first.dtype:
            raise OpError(f"join takes operands of one dtype, got {first} and {other}")
    return first.with_shape((first.size + sum(each.size for each in rest),))


def _join_eager(*arrays: Array) -> Array:
    return np.concatenate([each.ravel() for each in arrays])


def _join_rule(f: Any, g: Any, shapes: list[Ints]) -> list[Any]:
    starts = _starts(math.prod(shape) for shape in shapes)
    return [f.segment(g, start=start, shape=shape) for start, shape in zip(starts, shapes, strict=True)]


JOIN = define_op(
    "join",
    meta=_join_meta,
    eager=_join_eager,
    lower=Indexed("join"),
    operands=("tensors",),
    variadic=True,
    vjp=(_join_rule,),
    samples=lambda: [
        Sample((samples.uniform(-1, 1, (3, 4)), samples.uniform(-1, 1, (), seed=1), samples.uniform(-1, 1, (40,)))),
        Sample(tuple(samples.uniform(-1, 1, (), dtypes.float32, seed) for seed in range(5))),
        Sample((samples.integers(0, 9, (2, 1, 3)), samples.integers(0, 9, (0, 2)), samples.integers(0, 9, (4,)))),
        Sample((samples.uniform(-1, 1, (30, 2)),)),
    ],
)


# segment: the elements of a vector from `start` on, as an array of `shape`.
def _segment_meta(flat: TensorType, *, start: int, shape: Ints) -> TensorType:
    if flat.rank != 1 or any(size < 0 for size in shape):
        raise OpError(f"segment takes a vector, and sizes of 0 or more, got {flat} and {shape}")
    if not 0 <= start <= start + math.prod(shape) <= flat.size:
        raise OpError(f"segment takes elements {start} to {start + math.prod(shape)} of {flat}")
    return flat.with_shape(shape)


def _segment_source(index: list[Any], in_shape: Ints, out_shape: Ints, *, start: int, shape: Ints) -> list[Any]:
    return [start + flat_index(index, out_shape)]


def _segment_rule(f: Any, g: Any, shapes: list[Ints], *, start: int, shape: Ints) -> Any:
    size = math.prod(shape)
    after = shapes[0][0] - start - size
    return f.pad(f.reshape(g, shape=(size,)), before=(start,), after=(after,), value=0.0)


SEGMENT = define_op(
    "segment",
    meta=_segment_meta,
    eager=lambda flat, *, start, shape: flat[start : start + math.prod(shape)].reshape(shape),
    lower=Movement(_segment_source),
    operands=("self",),
    vjp=(_segment_rule,),
    samples=lambda: [
        samples.with_attrs((samples.uniform(-1, 1, (12,)),), shape=(3, 2), start=4),
        samples.with_attrs((samples.uniform(-1, 1, (12,)),), shape=(), start=11),
        samples.with_attrs((samples.integers(0, 9, (6,)),), shape=(2, 1, 3), start=0),
        samples.with_attrs((samples.uniform(-1, 1, (5,)),), shape=(0, 3), start=5),
    ],
)


# spread: element k of a vector, sizes[k] times, one after the other.
def _spread_meta(vector: TensorType, *, sizes: Ints) -> TensorType:
    if vector.rank != 1 or len(sizes) != vector.size or min(sizes, default=0) < 0:
        raise OpError(f"spread takes a vector and a count for each element, got {vector} and {len(sizes)} counts")
    return vector.with_shape((sum(sizes),))


def _spread_rule(f: Any, g: Any, *, sizes: Ints) -> Any:
    parts = zip(_starts(sizes), sizes, strict=True)
    return f.join(*(f.sum(f.segment(g, start=start, shape=(size,)), axes=(0,)) for start, size in parts))


SPREAD = define_op(
    "spread",
    meta=_spread_meta,
    eager=lambda vector, *, sizes: np.repeat(vector, sizes),
    lower=Indexed("spread"),
    operands=("self",),
    vjp=(_spread_rule,),
    samples=lambda: [
        samples.with_attrs((samples.uniform(-1, 1, (4,)),), sizes=(3, 0, 1, 40)),
        samples.with_attrs((samples.uniform(-1, 1, (3,), dtypes.float32),), sizes=(20, 20, 20)),
        samples.with_attrs((samples.integers(0, 9, (3,)),), sizes=(1, 1, 2)),
    ],
)

__all__ = ["JOIN", "SEGMENT", "SPREAD"]
