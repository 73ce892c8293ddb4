"""Claims: of processes that need the same file at once, one makes it, and the others wait for it."""

# Note [Claims]
# Who is about to make what lies under a key locks a file of its own beside it. The system lets go of the lock when the
# process ends, however it ends, so a claim cannot be left behind; the file can, and whoever claims next takes it over.
# Who gives up a claim deletes the file while holding it: so a lock counts only on the file that has the name still.
# Where there are no such locks (a folder that can only be read, a system of files without them, Windows), everybody has
# every claim, and makes all anew: to make something twice costs time and nothing else. For the same reason nobody waits
# for good: a process that was stopped keeps its claims.

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import BinaryIO, Literal

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

MAKING = ".making-"
"""The beginning of the names of files that are locked."""
PATIENCE = 30.0
"""Seconds that one waits for what another process makes."""
_AFTERWARDS = 1.0
"""Seconds, once that was in vain in this process."""
PAUSE = 0.005
"""Seconds between two looks at whether it is there."""
_TURNS = 8


class Patience:
    """One wait for other processes, which comes to an end."""

    in_vain = False
    """Whether this process has waited in vain before."""

    def __init__(self) -> None:
        self._end = monotonic() + (min(PATIENCE, _AFTERWARDS) if Patience.in_vain else PATIENCE)

    def is_over(self) -> bool:
        """Whether to wait no longer."""
        if monotonic() < self._end:
            return False
        Patience.in_vain = True
        return True


@contextmanager
def claimed(folder: Path, key: str) -> Iterator[bool]:
    """A context that gives whether this process may make what lies under `key`; no other one may meanwhile.

    False: another process is about it. Never waits, and raises nothing of its own. See Note [Claims].
    """
    path = folder / f"{MAKING}{key}"
    file: BinaryIO | bool = True
    try:
        file = _locked(path)
    except OSError:
        pass  # nothing can be locked
    if isinstance(file, bool):
        yield file
        return
    with file:
        try:
            yield True
        finally:
            try:
                os.unlink(path)
            except OSError:
                pass  # the folder was deleted


def _locked(path: Path) -> BinaryIO | Literal[False]:
    """The file, locked; False where another has it. Errors: OSError where nothing can be locked."""
    if fcntl is None:
        raise OSError
    for _ in range(_TURNS):
        file = open(path, "ab", buffering=0)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_named(file, path):
                return file
        except BlockingIOError:
            file.close()
            return False
        except BaseException:
            file.close()
            raise
        file.close()  # who had it has deleted it meanwhile
    return False


def _is_named(file: BinaryIO, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), os.stat(path))
    except FileNotFoundError:
        return False
