"""The cuts and joints of a step's arrays, so that NumPy runs over pieces of a good length.

A long array is walked in blocks that stay in the cache; many short ones are joined, computed together and put back.
"""

# Note [Who may be joined]
# Joined arrays are read before any of them is written, and written after all were computed. That gives what one after
# the other gives only if none of those written is anybody else's memory. So an array that is written has to own its
# memory and to be no other row's; and whatever is read must not be a view of one that is written. Rows for which that
# does not hold run alone, in their turn.

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from .errors import StepError

Array = np.ndarray[Any, Any]
Row = tuple[Array, ...]
"""The arrays of one parameter: itself, its gradient, its state. All of one shape and dtype."""

BLOCK = 1 << 15
"""Units: elements. Five float32 blocks of this length are 640 kB, within the second-level cache of most cores."""
SHORT = 1 << 11
"""Units: elements. Up to this length calling NumPy costs more than copying the array to its neighbours and back."""
FEW = 2
"""Units: rows. So few are not worth joining."""


class _PieceMemory(threading.local):
    """Work arrays of `BLOCK` elements for each dtype, some for each thread."""

    def __init__(self) -> None:
        self.arrays: dict[Any, list[Array]] = {}

    def take(self, dtype: np.dtype[Any], count: int) -> list[Array]:
        found = self.arrays.setdefault(dtype, [])
        while len(found) < count:
            found.append(np.empty(BLOCK, dtype))
        return found[:count]


_MEMORY = _PieceMemory()


def pieces(
    rows: Sequence[Row], written: Sequence[int], work: int, by_kernel: Callable[[Row], bool] | None = None
) -> Iterator[Row]:
    """All elements of `rows` in turn: each time one piece of every column, followed by `work` arrays to work in.

    rows: of one dtype and length.   written: the columns that the caller changes; a piece may be a copy, and what is
    written to it arrives in the arrays when the next piece is asked for.
    by_kernel: is offered each long row, and says whether it has done all that was to be done in it.
    Errors: StepError when the state of a parameter does not have its shape and dtype.
    """
    waiting: list[Row] = []
    owners: set[int] = set()
    length = 0
    for row in rows:
        size = row[0].size
        check_alike(row)
        joins = size <= SHORT and _is_apart(row, written, owners)
        if waiting and (not joins or length + size > BLOCK):
            yield from _joined(waiting, written, work)
            waiting, length = [], 0
            owners.clear()
        if joins:
            waiting.append(row)
            owners.update(id(row[column]) for column in written)
            length += size
        elif by_kernel is None or size <= SHORT or not by_kernel(row):
            yield from _cut(row, work)
    if waiting:
        yield from _joined(waiting, written, work)


def check_alike(row: Row) -> None:
    """Errors: StepError when the state of a parameter does not have its shape and dtype."""
    first = row[0]
    shape, dtype = first.shape, first.dtype
    for each in row:
        if each.shape != shape or (each.dtype is not dtype and each.dtype != dtype):
            raise StepError(
                f"a parameter is {dtype} {list(shape)} and its state {each.dtype} {list(each.shape)}; "
                "make a new optimizer after replacing the data of a parameter, or load its state dict again"
            )


def _is_apart(row: Row, written: Sequence[int], owners: set[int]) -> bool:
    """Whether `row` may be joined with the rows whose written arrays are `owners`; see Note [Who may be joined]."""
    mine = set()
    for column in written:
        if not row[column].flags.owndata:
            return False
        mine.add(id(row[column]))
    if len(mine) != len(written) or not mine.isdisjoint(owners):
        return False
    for column, each in enumerate(row):
        if column not in written:
            root = id(each if each.base is None else each.base)
            if root in owners or root in mine:
                return False
    return True


def _joined(rows: list[Row], written: Sequence[int], work: int) -> Iterator[Row]:
    if len(rows) <= FEW:
        for row in rows:
            yield from _cut(row, work)
        return
    columns = len(rows[0])
    length = sum(row[0].size for row in rows)
    piece = [each[:length] for each in _MEMORY.take(rows[0][0].dtype, columns + work)]
    for column in range(columns):
        np.concatenate([row[column].reshape(-1) for row in rows], out=piece[column])
    yield tuple(piece)
    start = 0
    for row in rows:
        stop = start + row[0].size
        shape = row[0].shape
        for column in written:
            row[column][...] = piece[column][start:stop].reshape(shape)
        start = stop


def _cut(row: Row, work: int) -> Iterator[Row]:
    first = row[0]
    for each in row:
        if not each.flags.c_contiguous:
            yield (*row, *[np.empty_like(first) for _ in range(work)])
            return
    size = first.size
    taken = _MEMORY.take(first.dtype, work)
    if size <= BLOCK:
        yield (*row, *[each[:size].reshape(first.shape) for each in taken])
        return
    flat = [each.reshape(-1) for each in row]
    for start in range(0, size, BLOCK):
        stop = min(start + BLOCK, size)
        yield (*[each[start:stop] for each in flat], *[each[: stop - start] for each in taken])
