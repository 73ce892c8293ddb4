"""Texts of a program, as a terminal or a file may get them: names and values are whatever the program made of them."""

from __future__ import annotations


def escaped(text: str) -> str:
    """The text in one line; what a terminal would obey, and what no encoding has, is written as an escape."""
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in text)


def shortened(text: str, longest: int) -> str:
    """The text, cut where it has more characters than `longest`."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
