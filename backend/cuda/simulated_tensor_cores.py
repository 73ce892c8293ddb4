"""Simulated tensor cores: what the lanes of a warp do together to matrices, and copies that run on their own.

Blocks are of one warp here. Copies are made when they are waited for, so that a wait that is missing shows.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...core import dtypes
from ...core.dtypes import DType

GROUP = 8
WAITS = 4
"""The numbers of groups of copies, from 0 on, that may stay behind in a wait."""
_GIVEN: dict[int, Any] = {}


def _together(value: Any) -> list[Any]:
    """The values of all lanes, by lane. Every thread of the block must call."""
    thread: Any = threading.current_thread()
    _GIVEN[thread.thread_id] = value
    thread.syncthreads()
    found = [_GIVEN[lane] for lane in range(32)]
    thread.syncthreads()
    return found


def _pending() -> list[list[Callable[[], None]]]:
    """The groups of copies of this thread; the last one is still open."""
    thread: Any = threading.current_thread()
    held = thread.block.__dict__.setdefault("copies", {})
    return held.setdefault(thread.thread_id, [[]])  # type: ignore[no-any-return]


def copy_up_to_8(array: Any, index: Any, pointer: Any, place: Any, count: Any, wide: Any) -> None:
    """See `compiler.tensor_functions`."""
    known = max(0, min(int(count), GROUP))
    if index % GROUP or (wide and known and (pointer.address + int(place) * pointer.dtype.itemsize) % 16):
        raise ValueError(f"a copy of 16 bytes to {index} from {place} of {pointer.address:#x}")

    def copy() -> None:
        for k in range(GROUP):
            array[index + k] = pointer[place + k] if k < known else np.uint16(0)

    if wide:
        _pending()[-1].append(copy)
    else:
        copy()


def commit_copies() -> None:
    """See `compiler.tensor_functions`."""
    _pending().append([])


def _wait(behind: int) -> Callable[[], None]:
    def wait() -> None:
        pending = _pending()
        while len(pending) - 1 > behind:
            for copy in pending.pop(0):
                copy()

    return wait


def _matrices(turned: bool) -> Callable[[Any, Any], list[Any]]:
    def matrices(array: Any, index: Any) -> list[Any]:
        starts = _together(int(index))
        thread: Any = threading.current_thread()
        line, pair = thread.thread_id // 4, thread.thread_id % 4 * 2
        found = []
        for first in range(0, 32, 8):
            if turned:
                low, high = (array[starts[first + pair + k] + line] for k in (0, 1))
            else:
                low, high = (array[starts[first + line] + pair + k] for k in (0, 1))
            found.append(np.uint32(int(low) | int(high) << 16))
        return found

    return matrices


def rounded_to_tf32(word: Any) -> Any:
    """See `compiler.tensor_functions`: half of what is left out is added to the word."""
    is_number = int(word) & 0x7F800000 != 0x7F800000
    return np.uint32((int(word) + (0x1000 if is_number else 0)) & 0xFFFFE000)


def _multiply(dtype: DType) -> Callable[..., list[Any]]:
    kept = np.uint32(0xFFFFE000 if dtype is dtypes.float32 else 0xFFFFFFFF)

    def halves(word: Any) -> Any:
        return np.array([word & kept], np.uint32).view(dtype.numpy).astype(np.float64)

    def multiply(*words: Any) -> list[Any]:
        thread: Any = threading.current_thread()
        given = _together(words[:6])
        line, pair = thread.thread_id // 4, thread.thread_id % 4 * 2
        sums: Sequence[Any] = [float(each) for each in words[6:]]
        found = []
        for e, total in enumerate(sums):
            lower, column = e // 2, pair + e % 2
            row = np.concatenate([halves(given[line * 4 + t][lower + 2 * side]) for side in (0, 1) for t in range(4)])
            other = np.concatenate([halves(given[column * 4 + t][4 + side]) for side in (0, 1) for t in range(4)])
            found.append(np.float32(total + row @ other))
        return found

    return multiply


def _two_halves(dtype: DType) -> Callable[[Any, Any], Any]:
    def two_halves(low: Any, high: Any) -> Any:
        bits = np.array([low, high], np.float32).astype(dtype.numpy).view(np.uint16)
        return np.uint32(int(bits[0]) | int(bits[1]) << 16)

    return two_halves


HALVES = (dtypes.float16, dtypes.bfloat16)
TENSOR_FUNCTIONS: dict[str, Any] = {
    "copy_up_to_8_u16": copy_up_to_8,
    "commit_copies": commit_copies,
    **{f"wait_for_copies_{behind}": _wait(behind) for behind in range(WAITS)},
    "floats_over": lambda array: array.view(np.float32),
    "words_over": lambda array: array.view(np.uint32),
    "rounded_to_tf32": rounded_to_tf32,
    "matrices": _matrices(False),
    "turned_matrices": _matrices(True),
    **{f"multiply_matrices_{dtype.code}": _multiply(dtype) for dtype in (*HALVES, dtypes.float32)},
    **{f"two_halves_{dtype.code}": _two_halves(dtype) for dtype in HALVES},
}
"""The functions by the names that kernel text has for them."""
