"""The reasons why a fact failed, in the user's words: what was, what is, and the edit that would avoid it.

Each guard class gives its own (`Guard.change`). The sentence and the record that leaves the package are made here.
"""

from __future__ import annotations

import linecache
from typing import TYPE_CHECKING

from ..core import watch
from ..core.events import Reason
from ..core.records import dataclass

if TYPE_CHECKING:
    from .assumptions import Assumption
    from .guard import Guard, Where

ASSUMPTION, IDENTITY = "assumption", "identity"
"""Two kinds of fact that reasons name: one that was assumed and not checked at the call, and which object it is."""

BOTH_CASES = "leave it if both cases are usual: each is compiled once"
"""The edit where neither case is better than the other."""


@dataclass(frozen=True, slots=True)
class ReasonChange:
    """A fact that failed. `expression` is what it is about, `edit` the change of the program that would avoid it."""

    expression: str
    was: str
    now: str
    edit: str

    def __str__(self) -> str:
        return f"{self.expression} was {self.was}, now {self.now}; {self.edit}"


def reason(entry: int, guard: Guard, found: object) -> Reason:
    """The record of a guard that failed, of entry number `entry`; `found` is the value now."""
    what, where = guard.change(found), guard.where
    return Reason(
        entry, guard.kind, what.expression, str(what), str(where or ""), what.was, what.now, what.edit, _parts(where)
    )


def broken(entry: int, change: watch.WatchedChange, assumption: Assumption | None) -> Reason:
    """The record of an assumption that a write broke, of entry number `entry`; of the death of an owner without one."""
    where = assumption.where if assumption else None
    edit = _CHANGE_EARLIER if assumption else _KEEP_ALIVE
    done = (change.file, change.line, linecache.getline(change.file, change.line).strip()) if change.line else _NOWHERE
    by = f" at {change.file}:{change.line}" + (f": {done[2]}" if done[2] else "") if change.line else ""
    what = ReasonChange(f"`{change.fact}`", "true", f"false: {change.what}{by}", edit)
    fields = (what.expression, str(what), str(where or ""), what.was, what.now, what.edit)
    return Reason(entry, ASSUMPTION, *fields, _parts(where), done)


_NOWHERE = ("", 0, "")
_CHANGE_EARLIER = "make this change before the first call, or outside the loop that calls the function"
_KEEP_ALIVE = "make such objects once, outside the loop that calls the function, and keep them"


def _parts(where: Where | None) -> tuple[str, int, str]:
    return (where.file, where.line, where.text) if where else _NOWHERE
