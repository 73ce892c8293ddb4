"""The memory for intermediates of compiled calls on a stream: one block, which all of them share."""

# Note [Arenas of streams]
# Calls that were given to one stream follow one another there, and nothing of a call's intermediates is read after it.
# So one block serves the calls of all plans, as large as the largest of them needs. It stays where it is from call to
# call, so that launches find their parameters unchanged, and graphs of them theirs. Native code reads the block's place
# from the stream's words in the moment in which it launches, with the GIL held: whoever gives the block back then does
# so behind these launches. It is given back where memory is short, and with `gl.cuda.empty_cache()`.

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import numpy as np

from ...cpu.plan.issue_table import STREAM_ARENA, STREAM_ARENA_NBYTES, STREAM_HANDLE, STREAM_WORDS
from .blocks import CALLS

if TYPE_CHECKING:
    from .allocator import DeviceAllocator


class StreamArena:
    """A stream, and the memory for intermediates of calls on it. handle: the driver's; 0 is the default stream.

    place: the address of the words that native code reads: see `STREAM_WORDS`."""

    def __init__(self, handle: int, memory: DeviceAllocator) -> None:
        self.handle, self._memory = handle, memory
        self._words = np.zeros(STREAM_WORDS, np.int64)
        self._words[STREAM_HANDLE] = handle
        self.place = int(self._words.ctypes.data)
        self._blocks: list[int] = []
        """The block, if there is one. Who takes it from this list gives it back."""
        self._one_grows = threading.Lock()
        memory.spare.append(self.release)

    def reserve(self, nbytes: int) -> bool:
        """Makes it as large as that; whether it was smaller. Errors: OutOfMemoryError."""
        words = self._words
        if nbytes <= words[STREAM_ARENA_NBYTES]:
            return False
        with self._one_grows:
            if nbytes > words[STREAM_ARENA_NBYTES]:
                self.release()
                words[STREAM_ARENA] = address = self._memory.allocate(nbytes, CALLS)
                words[STREAM_ARENA_NBYTES] = nbytes
                self._blocks.append(address)
        return True

    def release(self) -> None:
        """Gives the block back. Another thread may be in the midst of `reserve`: what is not listed yet is left."""
        try:
            address = self._blocks.pop()
        except IndexError:
            return
        self._words[STREAM_ARENA_NBYTES] = 0
        self._memory.free(address)
