"""NumPy's computations with shapes, for sizes that may be symbolic."""

from __future__ import annotations

from typing import Any

import numpy as np

from .sizes import Size, is_symbolic

Ints = tuple[int, ...]


def broadcast_shapes(*shapes: Ints) -> Ints:
    """`np.broadcast_shapes` for sizes that may be symbolic. Errors: ValueError where they do not fit."""
    if not any(map(is_symbolic, shapes)):
        return np.broadcast_shapes(*shapes)
    rank = max(map(len, shapes))
    found: list[int] = []
    for place in range(-rank, 0):
        size: Any = 1
        for shape in shapes:
            if len(shape) < -place or shape[place] == 1:
                continue
            if size != 1 and shape[place] != size:
                raise ValueError("shape mismatch: objects cannot be broadcast to a single shape")
            if type(shape[place]) is int or size == 1:
                size = shape[place]
        found.append(size)
    return tuple(found)


def slice_of(entry: slice, size: Any) -> tuple[Any, Any, Any]:
    """The beginning of a slice, its number of elements, and its step. Errors: those of Python's slices."""
    if not is_symbolic((size, entry.start, entry.stop, entry.step)):
        start, stop, step = entry.indices(size)
        return start, len(range(start, stop, step)), step
    step = 1 if entry.step is None else int(entry.step)
    if step == 0:
        raise ValueError("slice step cannot be zero")
    last = size - 1
    if step > 0:
        start, stop = _bound(entry.start, size, 0, size, 0), _bound(entry.stop, size, 0, size, size)
        span = stop - start
    else:
        start, stop = _bound(entry.start, size, -1, last, last), _bound(entry.stop, size, -1, last, -1)
        span = start - stop
    if span <= 0:
        return start, 0, step
    return start, span if abs(step) == 1 else (span - 1) // abs(step) + 1, step


def _bound(given: Any, size: Any, low: Any, high: Any, default: Any) -> Any:
    if given is None:
        return default
    given = given.__index__() if not isinstance(given, Size) else given
    if given < 0:
        given = given + size
        return low if given < low else given
    return high if given > high else given


__all__ = ["broadcast_shapes", "slice_of"]
