"""Texts of a program, as a terminal or a file may get them: names and values are whatever the program made of them."""

from __future__ import annotations

import re

_UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters, ends of lines, changes of direction, and halves of characters."""


def escaped(text: str) -> str:
    """The text in one line, what would move a terminal's cursor written as an escape."""
    return _UNSAFE.sub(lambda found: _escape(found[0]), text)


def shortened(text: str, longest: int) -> str:
    """The text, cut where it has more characters than `longest`."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
