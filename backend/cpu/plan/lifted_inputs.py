"""The memory of lifted inputs: arrays that a plan is built with, at addresses that its table holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ....core.errors import KernelError
from ....core.records import dataclass
from . import table_layout as at
from .cpython_api import object_address, word_at
from .extents import extent
from .plan import ArrayInput, LiftedInput

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class Lifted:
    """The places of lifted arrays: (address, low, high) of each; and what memory they fill, as sorted intervals apart.

    Shapes: memory, written i64[n, 2]; the second is that of arrays which steps write."""

    places: list[tuple[int, int, int]]
    memory: Array
    written: Array


def lift(inputs: Sequence[LiftedInput | ArrayInput], arrays: Sequence[Array]) -> Lifted:
    """The places of `arrays`, one for each of `inputs`.

    Errors: KernelError when an array has not the layout of its input, or shares memory with one that is written.
    """
    if len(inputs) != len(arrays):
        raise KernelError(f"the plan has {len(inputs)} lifted inputs, got {len(arrays)} arrays")
    spans: dict[tuple[tuple[int, ...], tuple[int, ...], int], tuple[int, int]] = {}
    places = []
    for number, (given, array) in enumerate(zip(inputs, arrays, strict=True)):
        _check(number, given, array)
        key = given.shape, given.strides, given.dtype.itemsize
        span = spans.get(key)
        if span is None:
            span = spans[key] = extent(*key)
        places.append((word_at(object_address(array) + at.ARRAY_DATA), *span))
    filled = np.array(places, dtype=np.int64).reshape(-1, 3)
    ends = filled[:, :1] + filled[:, 1:]
    is_written = np.array([given.written for given in inputs], dtype=bool)
    some = ends[:, 0] < ends[:, 1]  # an empty array overlaps nothing
    _check_apart(ends, is_written, np.flatnonzero(some))
    return Lifted(places, _merged(ends[some]), _merged(ends[some & is_written]))


def _check(number: int, given: LiftedInput | ArrayInput, array: Array) -> None:
    if type(array) is np.ndarray and array.dtype == given.dtype and array.shape == given.shape:
        if array.strides == given.strides or _same_places(given, array):
            flags = array.flags
            if flags.aligned and (flags.writeable or not (given.writeable or given.written)):
                return
    wanted = f"{given.dtype}{list(given.shape)} strides {list(given.strides)}"
    wanted += " writeable" if given.writeable or given.written else ""
    found = type(array).__name__
    if isinstance(array, np.ndarray):
        found += f" {array.dtype}{list(array.shape)} strides {list(array.strides)}"
        found += "" if array.flags.writeable else " read-only"
        found += "" if array.flags.aligned else " not aligned"
    raise KernelError(f"lifted input {number} takes an ndarray {wanted}, aligned; got {found}")


def _same_places(given: LiftedInput | ArrayInput, array: Array) -> bool:
    """Whether the strides differ only where there is no second element to reach."""
    pairs = zip(given.shape, given.strides, array.strides, strict=True)
    return array.size == 0 or all(size == 1 or one == other for size, one, other in pairs)


def _check_apart(ends: Array, is_written: Array, numbers: Array) -> None:
    """Errors: KernelError when an array that is written overlaps another one."""
    if not is_written.any() or len(numbers) < 2:
        return
    order = numbers[np.argsort(ends[numbers, 0], kind="stable")]
    low, high, stored = ends[order, 0], ends[order, 1], is_written[order]
    reach = np.maximum.accumulate(high)[:-1]  # of all that begin before
    reach_stored = np.maximum.accumulate(np.where(stored, high, np.iinfo(np.int64).min))[:-1]
    met = np.flatnonzero((low[1:] < reach_stored) | (stored[1:] & (low[1:] < reach)))
    if len(met):
        second = int(met[0]) + 1
        first = next(k for k in range(second) if high[k] > low[second] and (stored[k] or stored[second]))
        raise KernelError(
            f"lifted inputs {int(order[first])} and {int(order[second])} share memory, and one of them is written"
        )


def _merged(ends: Array) -> Array:
    """The union of intervals, as intervals apart from each other, in order."""
    if not len(ends):
        return ends
    ends = ends[np.argsort(ends[:, 0], kind="stable")]
    reach = np.maximum.accumulate(ends[:, 1])
    starts = np.flatnonzero(np.append(True, ends[1:, 0] > reach[:-1]))
    return np.stack([ends[starts, 0], reach[np.append(starts[1:], len(ends)) - 1]], axis=1)
