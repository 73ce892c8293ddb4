"""Texts of a program on a terminal: nothing moves the cursor, everything can be encoded."""

from __future__ import annotations

import pytest

from guardlift.tools.escaping import escaped, shortened


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain <b> text → ü", "plain <b> text → ü"),
        ("\x1b[2J", "\\x1b[2J"),
        ("a\nb\r\tc", "a\\nb\\r\\tc"),
        ("\ud800", "\\ud800"),
        ("\u202eabc", "\\u202eabc"),
        ("\x9b", "\\x9b"),
    ],
)
def test_what_a_terminal_would_obey_is_escaped(text, expected) -> None:
    assert escaped(text) == expected


def test_a_text_is_cut_where_it_is_longer() -> None:
    assert (shortened("abcd", 4), shortened("abcde", 4)) == ("abcd", "abc…")
