"""Runs of equal elements, and counts of numbers, for tensors on a device: made of what has kernels there."""

from __future__ import annotations

from typing import Any

from ..core import dtypes
from ..core.devices import CPU
from ..ops.indexing import GATHER
from ..ops.ordering import ARGSORT, KINDS
from ..ops.scans import CUMSUM
from .arithmetic import sub
from .creation import full, full_like
from .dispatch import apply
from .joining import cat, narrow
from .masks import nonzero
from .pointwise import ne
from .promotion import to_dtype
from .reductions import amax, amin
from .shaping import reshape_to
from .tensor import Tensor

Value = Any


def is_sorted_by_device(x: Value) -> bool:
    """Whether it is a tensor at hand, with elements, that a device sorts."""
    return isinstance(x, Tensor) and x.device.type != CPU and x.numel() > 0 and (x.dtype in KINDS or x.dtype.is_half)


def runs(rows: Tensor, shape: Any, order: Tensor | None, with_inverse: bool, with_counts: bool) -> Any:
    """The first element of each run of equal ones in a vector; also, for elements of that shape, which run each is in,
    and how long the runs are.

    order: the places at which the elements of the vector stood among those; None where it is they."""
    size = rows.shape[0]
    differ = ne(narrow(rows, 0, 1, size - 1), narrow(rows, 0, 0, size - 1))
    first = cat([full_like(narrow(rows, 0, 0, 1), True, dtype=dtypes.bool_), differ], 0)
    (starts,) = nonzero(first, as_tuple=True)
    found = [apply(GATHER, rows, starts, axis=0)]
    if with_inverse:
        numbers = sub(apply(CUMSUM, to_dtype(first, dtypes.int64), axis=0), 1)
        back = order if order is None else apply(ARGSORT, order, axis=0, descending=False)
        found.append(reshape_to(numbers if back is None else apply(GATHER, numbers, back, axis=0), shape))
    if with_counts:
        ends = cat([narrow(starts, 0, 1, starts.shape[0] - 1), full_like(narrow(starts, 0, 0, 1), size)], 0)
        found.append(sub(ends, starts))
    return tuple(found) if len(found) > 1 else found[0]


def counts_of(x: Tensor, weights: Value, minlength: int) -> Value:
    """The counts of `bincount`, or None for numbers that are negative, and weights that do not fit."""
    if weights is not None and (
        not isinstance(weights, Tensor) or weights.shape != x.shape or not is_sorted_by_device(weights)
    ):
        return None
    places = to_dtype(x.detach(), dtypes.int64)
    least, largest = int(amin(places).item()), int(amax(places).item())
    if least < 0:
        return None
    kind = dtypes.int64 if weights is None else dtypes.float64
    given = full_like(places, 1) if weights is None else to_dtype(weights.detach(), kind)
    result = full((max(largest + 1, minlength),), 0, dtype=kind, device=x.device)
    result = result.scatter_add(0, places, given)
    return to_dtype(result, dtypes.float32) if weights is not None and weights.dtype is dtypes.float32 else result
