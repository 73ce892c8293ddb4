"""Texts of a program, as a terminal or a file may get them: names and values are whatever the program made of them."""

from __future__ import annotations

import re

LONGEST = 200
"""Characters of one text that are shown."""
_UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters, ends of lines, changes of direction, and halves of characters."""


def escaped(text: str, longest: int = 0) -> str:
    """The text in one line, what would move a terminal's cursor written as an escape; with `longest`, cut there."""
    safe = _UNSAFE.sub(lambda found: _escape(found[0]), text)
    return f"{safe[: longest - 1]}…" if longest and len(safe) > longest else safe


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
