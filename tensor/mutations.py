"""Who wrote: the last in-place operations on each memory, kept while `config.record_mutations` says how many."""

# Note [Recording writes]
# Every write ends in an assignment to `VersionCounter.value`. That is a plain attribute; while writes are recorded, a
# property stands in its place, over the same instance attribute. So tensors made before are covered, and who does not
# record pays nothing. Writes by compiled optimizer steps are counted by tickers and recorded nowhere.

from __future__ import annotations

from collections import deque
from typing import Any

from ..core.config import config
from ..core.package import PACKAGE
from ..core.records import dataclass
from ..core.user_line import described, line_of, user_frame
from .version import TickedCounter, VersionCounter

_COMPILED = "compiled code"
_plain_ticked: Any = TickedCounter.__dict__["value"]
_length = 0


@dataclass(frozen=True, slots=True)
class MutationRecord:
    """One in-place operation: its name, the user's line, and the version it led to."""

    op: str
    file: str
    line: int
    version: int

    def __str__(self) -> str:
        return f"version {self.version} by {self.op} at {described(self.file, self.line)}"


def _note(counter: VersionCounter, before: int, after: int) -> None:
    """Remembers who has moved `counter` on."""
    frame, entered = user_frame()
    op = _COMPILED
    if (
        entered is not None
        and entered.f_code not in _OWN
        and not entered.f_globals["__name__"].startswith(f"{PACKAGE}.runtime")
    ):
        op = entered.f_code.co_name
    file, line = line_of(frame)
    writes = counter.__dict__.get("writes")
    if writes is None or writes.maxlen != _length:
        writes = counter.__dict__["writes"] = deque(writes or (), _length)
    writes.extend(MutationRecord(op, file, line, version) for version in range(before + 1, after + 1)[-_length:])


def _read(counter: VersionCounter) -> int:
    return counter.__dict__.get("value", 0)  # type: ignore[no-any-return]


def _write(counter: VersionCounter, new: int) -> None:
    before = counter.__dict__.get("value", 0)
    counter.__dict__["value"] = new
    _note(counter, before, new)


def _write_ticked(counter: VersionCounter, new: int) -> None:
    before = counter.value
    _plain_ticked.__set__(counter, new)
    _note(counter, before, new)


_OWN = {_note.__code__, _write.__code__, _write_ticked.__code__}


def writes_since(counter: VersionCounter, version: int) -> list[str]:
    """Each write that led past `version`, described; empty if none of them was recorded."""
    known = {write.version: write for write in counter.__dict__.get("writes", ())}
    missed = range(version + 1, counter.value + 1)
    if known.keys().isdisjoint(missed):
        return []
    return [str(known.get(each, f"version {each} not recorded")) for each in missed]


def _record(length: int) -> None:
    """From now on keep the last `length` writes of each memory."""
    global _length
    if (length > 0) is not (_length > 0):
        VersionCounter.value = property(_read, _write) if length > 0 else 0  # type: ignore[assignment]
        ticked = property(_plain_ticked.fget, _write_ticked) if length > 0 else _plain_ticked
        TickedCounter.value = ticked  # type: ignore[assignment, method-assign]
    _length = max(length, 0)


config.follow("record_mutations", _record)
