"""How a fact failed, in the user's words: what was, what is, and the edit that would avoid it.

Each guard class gives its own (`Guard.change`). The sentence and the record that leaves the package are made here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..core.events import Reason

if TYPE_CHECKING:
    from .guard import Guard


@dataclass(frozen=True, slots=True)
class Change:
    """How a fact failed. `expression` is what it is about, `edit` the change of the program that would avoid it."""

    expression: str
    was: str
    now: str
    edit: str

    def __str__(self) -> str:
        return f"{self.expression} was {self.was}, now {self.now}; {self.edit}"


def reason(entry: int, guard: Guard, found: object) -> Reason:
    """The record of a guard that failed, of entry number `entry`; `found` is the value now."""
    what, where = guard.change(found), guard.where
    at = (where.file, where.line, where.text) if where else ("", 0, "")
    return Reason(entry, guard.kind, what.expression, str(what), str(where or ""), what.was, what.now, what.edit, at)
