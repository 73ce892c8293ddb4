"""The cuts of a kernel's range, as data. See Note [Chunks] in `chunks`."""

from __future__ import annotations

from dataclasses import dataclass

TURNS = 4
"""Chunks that a thread takes, where all threads are equally fast."""
ROUND = 1024
"""Elements of which a chunk of single elements is a multiple: whole rounds of any vector loop."""


@dataclass(frozen=True, slots=True)
class Sharing:
    """`chunk` is the least part of the range, 0 if it is not shared out; chunks are multiples of that.

    turns: how many chunks there are for each thread, at most. The range of a table is all its rows in a row.
    """

    chunk: int = 0
    turns: int = TURNS


ALONE = Sharing()
"""The form of what is run by one thread, in one go."""
