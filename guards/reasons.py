"""The reasons why a fact failed, in the user's words: what was, what is, and the edit that would avoid it.

Each guard class gives its own (`Guard.change`). The sentence and the record that leaves the package are made here.
"""

from __future__ import annotations

import linecache
from typing import TYPE_CHECKING

from ..core import watch
from ..core.events import Reason, Remedy
from ..core.records import dataclass
from ..core.user_line import line_text
from .advice.remedies import no_edit

if TYPE_CHECKING:
    from .assumptions import Assumption
    from .guard import Guard, Where

DEAD = 100
"""The parts in which an entry differs that speaks of an object that has died: each other entry comes closer."""
ASSUMPTION, IDENTITY = "assumption", "identity"
"""Two kinds of fact that reasons name: one that was assumed and not checked at the call, and which object it is."""


@dataclass(frozen=True, slots=True)
class ReasonChange:
    """A fact that failed. `expression` is what it is about; `parts` of it differ, where another type counts as two."""

    expression: str
    was: str
    now: str
    remedy: Remedy
    parts: int = 1

    @property
    def edit(self) -> str:
        """The change of the program that would avoid it; empty where none is known."""
        return self.remedy.text

    def __str__(self) -> str:
        return f"{self.expression} was {self.was}, now {self.now}; {self.remedy.advice}"


def reason(entry: int, guard: Guard, found: object) -> Reason:
    """The record of a guard that failed, of entry number `entry`; `found` is the value now."""
    what, where = guard.change(found), guard.where
    fields = (what.expression, str(what), str(where or ""), what.was, what.now, what.edit)
    return Reason(entry, guard.kind, *fields, _parts(where), remedy=what.remedy, parts=what.parts, fact=guard.fact())


def broken(entry: int, change: watch.WatchedChange, assumption: Assumption | None) -> Reason:
    """The record of an assumption that a write broke, of entry number `entry`; of the death of an owner without one."""
    if assumption is None:
        died = ReasonChange(f"`{change.fact}`", "true", "told of an object that has died", no_edit(_DIED), DEAD)
        return Reason(
            entry, ASSUMPTION, died.expression, str(died), "", died.was, died.now, remedy=died.remedy, parts=DEAD
        )
    where = assumption.where
    done = (change.file, change.line, linecache.getline(change.file, change.line).strip()) if change.line else _NOWHERE
    by = f" at {line_text(change.file, change.line)}" + (f": {done[2]}" if done[2] else "") if change.line else ""
    what = ReasonChange(f"`{change.fact}`", "true", f"false: {change.what}{by}", no_edit(_CHANGED_BETWEEN))
    fields = (what.expression, str(what), str(where or ""), what.was, what.now, what.edit)
    return Reason(entry, ASSUMPTION, *fields, _parts(where), done, what.remedy, what.parts)


_NOWHERE = ("", 0, "")
_CHANGED_BETWEEN = "the program changes it between calls; a change before the first call costs nothing"
_DIED = "each call has objects of its own; those that are made once and kept are compiled once"


def _parts(where: Where | None) -> tuple[str, int, str]:
    return (where.file, where.line, where.text) if where else _NOWHERE
