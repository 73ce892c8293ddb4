"""Counts of artifacts that were found, by kind, and of those that were looked for in vain."""

from __future__ import annotations

from collections import deque

from ...core.locks import ForkSafeLock
from ...core.records import dataclass, replace
from .identity import KINDS
from .keys import Request

REMEMBERED = 64
"""Misses and bypasses of which it is known why, the last ones."""


@dataclass(frozen=True, slots=True)
class ArtifactCounters:
    """Counts of how often an artifact was found, was not, was written to disk, and was none to look for."""

    hit: int = 0
    miss: int = 0
    save: int = 0
    bypass: int = 0


@dataclass(frozen=True, slots=True)
class Missed:
    """A miss or a bypass. why: of a bypass, or of a file that was there.   time: when, in nanoseconds of the epoch."""

    kind: str
    about: str
    request: Request | None
    why: str
    time: int


_counters = {kind: ArtifactCounters() for kind in KINDS}
_missed: deque[Missed] = deque(maxlen=REMEMBERED)
_lock = ForkSafeLock()


def counters() -> dict[str, ArtifactCounters]:
    """The counters of this process, by kind."""
    with _lock:
        return dict(_counters)


def count(kind: str, what: str) -> None:
    """One more `what`: hit, miss, save or bypass."""
    with _lock:
        before = _counters[kind]
        _counters[kind] = replace(before, **{what: getattr(before, what) + 1})


def note(missed: Missed) -> None:
    """Remembers a miss or a bypass."""
    _missed.append(missed)


def remembered() -> tuple[Missed, ...]:
    """The last ones, the oldest first."""
    return tuple(_missed)
