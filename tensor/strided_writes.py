"""Copies with elements written where strides lead."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..ops.movement import AS_STRIDED
from .conversion import is_contiguous
from .creation import tensor
from .indexing import index_select
from .promotion import to_dtype
from .scattering import index_copy, untouched
from .shapes import sizes
from .shaping import reshape_to, result_in
from .surface import method
from .tensor import Tensor


@method("as_strided_scatter")
def as_strided_scatter(self: Any, src: Any, size: Any, stride: Any, storage_offset: int | None = None) -> Any:
    """A copy with `src` written where `as_strided` would see its elements. Where it sees one twice, the last stays.

    Errors: RuntimeError where it would see others than those of `self`, `src` has another shape, or `self` does not lie
        row by row.
    """
    shape, steps = sizes((size,)), sizes((stride,))
    count = math.prod(self.shape)
    start = storage_offset or 0
    # One call of many, inside of `vmap`, has no memory of its own that it could begin in the middle of.
    if isinstance(self, Tensor) and storage_offset is not None and not hasattr(self, "__guardlift_whole__"):
        start -= self.storage_offset()
    if tuple(src.shape) != shape:
        raise RuntimeError(
            f"expected src to have a size equal to the slice of self. src size = {list(src.shape)}, slice size = "
            f"{list(shape)}"
        )
    if not is_contiguous(self):
        raise RuntimeError("as_strided_scatter is for what lies row by row in memory; call contiguous() first")
    if len(shape) != len(steps):
        raise RuntimeError(f"mismatch in length of strides and shape: {list(steps)} and {list(shape)}")
    reach = sum((extent - 1) * step for extent, step in zip(shape, steps)) + 1 if 0 not in shape else 0
    if start < 0 or min(steps, default=0) < 0 or start + reach > count:
        raise RuntimeError(
            f"as_strided_scatter: sizes {list(shape)}, strides {list(steps)} and storage offset {start} are out of "
            f"bounds for {count} elements"
        )
    places = AS_STRIDED.eager(np.arange(count), shape=shape, strides=steps, offset=start).reshape(-1)
    if not places.size:
        return untouched(self, src)
    flat, values = reshape_to(self, (count,)), reshape_to(to_dtype(src, self.dtype), (len(places),))
    # The last of those that name one place is kept, so that each place is named once.
    kept = len(places) - 1 - np.unique(places[::-1], return_index=True)[1]
    if len(kept) < len(places):
        values, places = index_select(values, 0, tensor(kept, device=self.device)), places[kept]
    written = index_copy(flat, 0, tensor(places, device=self.device), values)
    return result_in(written, tuple(self.shape))
