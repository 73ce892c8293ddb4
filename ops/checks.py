"""Values that are checked as they pass: the same elements come out, or nothing does."""

from __future__ import annotations

import numpy as np

from ..core import dtypes
from ..core.errors import OpError
from ..core.types import TensorType
from . import samples
from .registry import Array, Indexed, define_op


# checked_index: the operand, whose elements are all 0 .. size-1 or `ignore`. Negative ones do not wrap.
def _checked_meta(index: TensorType, *, size: int, ignore: int | None = None) -> TensorType:
    if not index.dtype.is_integer:
        raise OpError(f"checked_index takes integers, got {index}")
    if size < 0:
        raise OpError(f"checked_index takes a size of 0 or more, got {size}")
    return index


def _checked_eager(index: Array, *, size: int, ignore: int | None = None) -> Array:
    if index.size and (index.min() < 0 or index.max() >= size):
        outside = (index < 0) | (index >= size)
        if ignore is not None:
            outside &= index != ignore
        if outside.any():
            raise IndexError(f"Target {index[outside].flat[0]} is out of bounds.")
    return index


CHECKED_INDEX = define_op(
    "checked_index",
    meta=_checked_meta,
    eager=_checked_eager,
    lower=Indexed("checked_index"),
    may_raise=True,
    operands=("self",),
    samples=lambda: [
        samples.with_attrs((samples.integers(0, 7, (3, 4)),), ignore=None, size=7),
        samples.with_attrs((samples.integers(0, 7, (5,), dtypes.uint8),), ignore=None, size=1000),
        samples.with_attrs((np.array([2, -100, 0, -100]),), ignore=-100, size=3),
        samples.with_attrs((np.array(3, np.int8),), ignore=3, size=3),
        samples.with_attrs((samples.integers(0, 1, (0, 2), dtypes.int32),), ignore=None, size=0),
    ],
)

__all__ = ["CHECKED_INDEX"]
