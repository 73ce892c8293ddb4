"""Forms of matrices that derivative rules write: transposes, triangles, and several results side by side in one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.errors import OpError
from ..core.types import TensorType
from .emitter import Emitter
from .registry import Array

Value = Any
Ints = tuple[int, ...]


def check_matrices(name: str, *types: TensorType, square: bool = False) -> None:
    """Errors: OpError unless all are matrices of one float dtype, in equal batches; the first square, if asked."""
    first = types[0]
    for each in types:
        if each.rank < 2 or each.dtype not in dtypes.FLOATS or each.dtype is not first.dtype:
            raise OpError(f"{name} takes matrices of one float dtype, got {', '.join(map(str, types))}")
        if each.shape[:-2] != first.shape[:-2]:
            raise OpError(f"{name} takes equal batches, got {', '.join(map(str, types))}")
    if square and first.shape[-1] != first.shape[-2]:
        raise OpError(f"{name} takes square matrices, got {first}")


def laid_out(result: Any, like: Array) -> Array:
    """A row-major array that owns its memory, in the dtype of `like`."""
    made = np.empty(np.shape(result), like.dtype)
    made[...] = result
    return made


def turned(f: Emitter, x: Value) -> Value:
    """The transposes of matrices."""
    rank = len(f.shape(x))
    return f.permute(x, axes=(*range(rank - 2), rank - 1, rank - 2))


def plus_turned(f: Emitter, x: Value) -> Value:
    """Each matrix and its transpose added."""
    return f.add(x, turned(f, x))


def minus_turned(f: Emitter, x: Value) -> Value:
    """Each matrix without its transpose."""
    return f.subtract(x, turned(f, x))


def as_row(f: Emitter, x: Value) -> Value:
    """Vectors as matrices of one row."""
    *lead, size = f.shape(x)
    return f.reshape(x, shape=(*lead, 1, size))


def as_column(f: Emitter, x: Value) -> Value:
    """Vectors as matrices of one column."""
    *lead, size = f.shape(x)
    return f.reshape(x, shape=(*lead, size, 1))


def _ramps(f: Emitter, rows: int, columns: int) -> tuple[Value, Value]:
    """The number of each row, as a column, and of each column, as a row."""
    down = f.reshape(f.arange(start=0, step=1, size=rows, dtype=dtypes.int64), shape=(rows, 1))
    across = f.reshape(f.arange(start=0, step=1, size=columns, dtype=dtypes.int64), shape=(1, columns))
    return down, across


def below(f: Emitter, x: Value, offset: int = 0) -> Value:
    """The part on and below the diagonal that lies `offset` above the main one; zeros elsewhere."""
    down, across = _ramps(f, *f.shape(x)[-2:])
    return f.where(f.less_equal(across, f.add(down, offset) if offset else down), x, 0.0)


def above(f: Emitter, x: Value, offset: int = 0) -> Value:
    """The part on and above the diagonal that lies `offset` above the main one; zeros elsewhere."""
    down, across = _ramps(f, *f.shape(x)[-2:])
    return f.where(f.less_equal(f.add(down, offset) if offset else down, across), x, 0.0)


def is_diagonal(f: Emitter, size: int) -> Value:
    """A mask, [size, size]: the main diagonal."""
    return f.equal(*_ramps(f, size, size))


def sum_of_product(f: Emitter, x: Value, y: Value) -> Value:
    """For each pair of matrices the sum of all products of their elements, as a matrix of one element."""
    shape = f.shape(x)
    rank = len(shape)
    total = f.sum(f.multiply(x, y), axes=(rank - 2, rank - 1))
    return f.reshape(total, shape=(*shape[:-2], 1, 1))


# Several results in one: a row for each matrix of the batch, in which they stand one after the other.
def packed(results: Sequence[Any], lead: Ints, like: Array) -> Array:
    """The results of a factorisation side by side: [*lead, their elements]."""
    rows = [np.reshape(each, (*lead, math.prod(np.shape(each)[len(lead) :]))) for each in results]
    made = np.empty((*lead, sum(each.shape[-1] for each in rows)), like.dtype)
    start = 0
    for each in rows:
        made[..., start : start + each.shape[-1]] = each
        start += each.shape[-1]
    return made


def packed_type(x: TensorType, forms: Sequence[Ints]) -> TensorType:
    """The type of results of these forms that are side by side, for a batch of matrices `x`."""
    return x.with_shape((*x.shape[:-2], sum(math.prod(form) for form in forms)))


def unpacked(f: Emitter, row: Value, forms: Sequence[Ints]) -> list[Value]:
    """The results that stand side by side in `row`, each in its form."""
    lead = f.shape(row)[:-1]
    found, start = [], 0
    for form in forms:
        size = math.prod(form)
        starts, sizes = (*(0 for _ in lead), start), (*lead, size)
        part = f.slice(row, starts=starts, sizes=sizes, steps=(1,) * (len(lead) + 1))
        found.append(f.reshape(part, shape=(*lead, *form)))
        start += size
    return found
