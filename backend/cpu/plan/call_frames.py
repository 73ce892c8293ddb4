"""The memory of calls between calls: lists of free frames, each plan's own for small ones, one for all large ones.

A frame holds all that one call writes, its intermediates among it. That of a small plan waits for the plan's next
call. Large ones (`table_layout.SHARED_FRAME_BYTES`) go to one list, and the next call of whatever plan takes one that
is large enough: so the forward and the backward of a model need the memory of one of them, not of both. It is given
back when the last plan with large frames dies.
"""

# Note [Who empties the list of large frames]
# The runner, which holds the GIL from one end to the other, may do so at any time. Python may lose the GIL between two
# reads, and a frame that it is about to free could be taken by a call. So it waits until no plan with large frames is
# left, which no call can take one for then, and none can be made while the lock is held.

from __future__ import annotations

import ctypes
import threading
from typing import Any

import numpy as np

from ....core.locks import Attempt
from . import table_layout as at

_SHARED = np.zeros(1, np.int64)
"""The head of the list of large frames."""
SHARED_LIST = int(_SHARED.ctypes.data)
_LOCK = threading.RLock()
_ATTEMPT = Attempt(_LOCK)
_LARGE: set[int] = set()
"""The plans' tables that take large frames, by identity."""


def join_list(table: np.ndarray[Any, Any]) -> None:
    """Lets calls of the plan of this table take frames: from the list of large ones, or from its own."""
    own = int(table.ctypes.data) + 8 * at.FREE_FRAMES
    if int(table[at.FRAME_BYTES]) < at.SHARED_FRAME_BYTES:
        table[at.FRAME_LIST] = own
        return
    with _LOCK:
        _LARGE.add(id(table))
    table[at.FRAME_LIST] = SHARED_LIST


# The defaults are there because at the interpreter's exit globals are not.
def leave_list(
    table: np.ndarray[Any, Any],
    attempt: Any = _ATTEMPT,
    large: set[int] = _LARGE,
    word: Any = ctypes.c_size_t,
    free: Any = ctypes.pythonapi.PyMem_RawFree,
    pointer: Any = ctypes.c_void_p,
    list_word: int = at.FRAME_LIST,
) -> None:
    """Frees what waits for the plan of this table, which has died: the large frames if it was the last that took such.

    See Note [Who empties the list of large frames].
    """
    head = int(table[list_word])
    if not head:
        return

    def empty() -> None:
        frame = word.from_address(head).value
        word.from_address(head).value = 0
        while frame:
            following = word.from_address(frame).value
            free(pointer(word.from_address(frame - 8).value))
            frame = following

    if id(table) not in large:
        empty()
        return
    taken = True
    try:
        with attempt as taken:
            large.discard(id(table))
            if taken and not large:
                empty()
    except RuntimeError:  # they wait for the next plan, or for its death
        if taken:
            raise


def free_bytes(head: int) -> int:
    """Bytes of the free frames in a list, of whose head this is the address."""
    word, total = ctypes.c_size_t, 0
    frame = word.from_address(head).value
    while frame:
        total += word.from_address(frame - 16).value
        frame = word.from_address(frame).value
    return total
