"""The cut of a kernel's range, as data. See Note [Chunks] in `launch.chunking`."""

from __future__ import annotations

from ....core.records import dataclass

CHUNKS_PER_THREAD = 4
"""The shares of what is left, for each thread, of which the next chunk is one."""
ROUND = 1024
"""Elements of which a chunk of single elements is a multiple: whole rounds of any vector loop."""


@dataclass(frozen=True, slots=True)
class ParallelSplit:
    """`chunk` is the least part of the range, 0 if it is not shared out; chunks are multiples of that.

    chunks_per_thread: each chunk is one of so many shares, for each thread, of what is left; 1: a thread takes one
    chunk, and all are of one size. The range of a table is that of all its rows, one after the other.
    """

    chunk: int = 0
    chunks_per_thread: int = CHUNKS_PER_THREAD
    asks: bool = False
    """Whether its chunks ask from time to time if they are to end early: another one has, or a signal arrived."""
    wakes: bool = True
    """Whether a helper that sleeps is woken for it: to wake one costs about as much as what takes some microseconds."""


ONE_THREAD = ParallelSplit()
"""The split of what is run by one thread, in one go."""
