"""The diagonal of matrices, which is a view."""

from __future__ import annotations

from typing import Any

from ..core.errors import OpError
from ..core.strided import strided
from ..core.types import TensorType
from . import samples
from .emitter import Emitter
from .registry import Array, Movement, define_op

Ints = tuple[int, ...]
Value = Any


def corner(offset: int) -> tuple[int, int]:
    """Row and column in which the diagonal starts that lies `offset` above the main one."""
    return max(-offset, 0), max(offset, 0)


def length(shape: Ints, offset: int) -> int:
    """The number of elements that this diagonal of matrices of `shape` has."""
    row, column = corner(offset)
    return max(min(shape[-2] - row, shape[-1] - column), 0)


def _meta(x: TensorType, *, offset: int) -> TensorType:
    if x.rank < 2:
        raise OpError(f"diagonal takes matrices, got {x}")
    return x.with_shape((*x.shape[:-2], length(x.shape, offset)))


def _eager(x: Array, *, offset: int) -> Array:
    """A view that may be written where `x` may."""
    row, column = corner(offset)
    size = length(x.shape, offset)
    part = x[..., row:, column:] if size else x
    shape, strides = (*x.shape[:-2], size), (*x.strides[:-2], x.strides[-2] + x.strides[-1])
    return strided(part, shape, strides, writeable=x.flags.writeable)


def _source(index: list[Any], in_shape: Ints, out_shape: Ints, *, offset: int) -> list[Any]:
    row, column = corner(offset)
    return [*index[:-1], index[-1] + row, index[-1] + column]


def on_diagonal(f: Emitter, g: Value, shape: Ints, offset: int) -> Value:
    """Matrices of `shape` with `g` on that diagonal and zeros elsewhere.

    A row of each element and as many zeros as the matrix is wide, all in one line, is a matrix with the elements on its
    diagonal, since the lines are one longer than the rows.
    """
    lead, size = shape[:-2], length(shape, offset)
    row, column = corner(offset)
    zero: Any = 0.0 if f.dtype(g).is_float else False if f.dtype(g).is_bool else 0
    if not size:
        return f.full(value=zero, shape=shape, dtype=f.dtype(g))
    none = (0,) * len(lead)
    padded = f.pad(f.reshape(g, shape=(*lead, size, 1)), before=(*none, 0, 0), after=(*none, 0, size), value=zero)
    flat = f.reshape(padded, shape=(*lead, size * (size + 1)))
    kept = f.slice(flat, starts=(*none, 0), sizes=(*lead, size * size), steps=(1,) * (len(lead) + 1))
    square = f.reshape(kept, shape=(*lead, size, size))
    after = (*none, shape[-2] - size - row, shape[-1] - size - column)
    return f.pad(square, before=(*none, row, column), after=after, value=zero)


DIAGONAL = define_op(
    "diagonal",
    meta=_meta,
    eager=_eager,
    lower=Movement(_source),
    samples=lambda: [
        samples.with_attrs((samples.uniform(-1, 1, shape),), offset=offset)
        for shape, offset in (((3, 4), 0), ((3, 4), 1), ((4, 3), -2), ((2, 3, 3), 0), ((2, 2), 5), ((0, 2), 0))
    ],
    operands=("self",),
    vjp=(lambda f, g, shapes, *, offset: on_diagonal(f, g, shapes[0], offset),),
)

__all__ = ["DIAGONAL", "corner", "length", "on_diagonal"]
