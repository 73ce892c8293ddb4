"""Edits as data: what a card advises, as a change of a line of the user's file, and the text of a file with edits made.

The tests of the cards apply edits so, and whoever wants to try one may."""

from __future__ import annotations

from collections.abc import Iterable

from ..core.errors import GuardliftError
from ..core.records import dataclass


class EditError(GuardliftError, ValueError):
    """An edit does not fit the text it is to be applied to."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of a program: at this line of the file, `old` becomes `new`."""

    file: str
    line: int
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.old} becomes {self.new}"


def applied(text: str, edits: Iterable[Edit]) -> str:
    """The text of a file with edits made, which all are of that file.

    Errors: `EditError` where a line does not hold what is to be replaced.
    """
    lines = text.split("\n")
    for edit in edits:
        found = lines[edit.line - 1] if 0 < edit.line <= len(lines) else ""
        if edit.old not in found:
            raise EditError(f"{edit.file}:{edit.line} does not hold {edit.old!r}, which the edit replaces: {found!r}")
        lines[edit.line - 1] = found.replace(edit.old, edit.new, 1)
    return "\n".join(lines)
