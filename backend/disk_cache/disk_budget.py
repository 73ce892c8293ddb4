"""Keeps the folder of the caches on disk within its limit: over it, the files go that were used least lately."""

# Note [Who deletes]
# Any process that writes looks at the folder now and then: at first, and again when it has itself written a part of the
# room that it last saw. So a few processes that write at once may be over the limit for a while, and none of them waits
# for another. A file may go while another process is about to read it: that process finds nothing, and makes it anew;
# who has it open reads it to its end. Nothing here is fatal, and two that delete at once delete the same.

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from dataclasses import field
from pathlib import Path

from ...core.config import config
from ...core.records import dataclass
from .claims import MAKING

WRITING = ".writing-"
"""The beginning of the names of files that are not yet whole."""
_OURS = re.compile(r"[0-9a-f]{40}\.[a-z]+")
_ABANDONED = 24 * 3600.0
"""Seconds after which a file that is not yet whole has nobody who writes it, or a claim nobody who has it."""
_KEPT = 0.75
"""The part of the limit that is kept when files are deleted, so that not every write deletes one."""
_LOOKED_AFTER = 0.25
"""The part of the room seen last that one process fills before it looks again."""


@dataclass(slots=True)
class DiskBudget:
    """The limit of one folder, `config.cache_limit`, as one process keeps to it. Units: bytes."""

    folder: Path
    _unseen: int = field(default=0, init=False)
    """Bytes that this process has written since it looked."""
    _allowed: int = field(default=-1, init=False)
    """Bytes that it may write before it looks again; -1 before the first look."""
    _limit: int = field(default=0, init=False)

    def written(self, nbytes: int) -> None:
        """Tells of a file written; may delete others. It never raises."""
        limit = config.cache_limit
        if limit <= 0:
            return
        self._unseen += nbytes
        if self._unseen > self._allowed or limit != self._limit:
            total = keep_within(self.folder, limit)
            self._unseen, self._limit = 0, limit
            self._allowed = int((limit - total) * _LOOKED_AFTER)


def keep_within(folder: Path, limit: int) -> int:
    """Bytes that a folder's files take, once those used least lately are deleted if all took more than the limit."""
    files = sorted(_files(folder))
    total = sum(nbytes for _, nbytes, _ in files)
    if total <= limit:
        return total
    for _, nbytes, path in files:
        if total <= limit * _KEPT:
            break
        total -= nbytes
        try:
            os.unlink(path)
        except OSError:
            pass  # another process was quicker, or it is not ours to delete
    return total


def used(descriptor: int) -> None:
    """Notes that an open file was used. Its time of access says so: that of change is when it was written."""
    try:
        written = os.fstat(descriptor).st_mtime_ns
        os.utime(descriptor, ns=(time.time_ns(), written))
    except OSError:
        pass  # a folder that can only be read


def _files(folder: Path) -> Iterator[tuple[int, int, str]]:
    """The time of last use, the size and the path of each file. Those that nobody will finish are deleted."""
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                try:
                    found = entry.stat(follow_symlinks=False)
                    if _OURS.fullmatch(entry.name):
                        yield max(found.st_atime_ns, found.st_mtime_ns), found.st_size, entry.path
                    elif entry.name.startswith((WRITING, MAKING)) and time.time() - found.st_mtime > _ABANDONED:
                        os.unlink(entry.path)
                except OSError:
                    continue  # it has gone meanwhile
    except OSError:
        return
