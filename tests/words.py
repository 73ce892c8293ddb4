"""Words that no text for users may hold: names of the compiler's own, and what says nothing to who reads it."""

from __future__ import annotations

import re

TRACING = ("the tracer", "the tape", "the trace ", "traced")
"""Words of those who write compilers. The figures of a report may hold them: so many instructions were traced."""

INTERNAL = (
    "tensorvalue", "opaquevalue", "at hand", "looks closer", "pairkey", "hookchain", "intermediate result",
    "the grad mode.", "on modes", "_modules[", "_parameters[", "deleted since", "now gone", "was gone",
)  # fmt: skip
"""In small letters."""

SAME_WORDS = re.compile(r"was (.+), now \1(;|$)")
"""A change that names the old and the new value by the same words."""


def internal_words(text: str, *, figures: bool = False) -> list[str]:
    """The words of a text that are not for users. figures: it stands among the figures of a report."""
    found = [each for each in INTERNAL + TRACING * (not figures) if each in text.lower()]
    if SAME_WORDS.search(text):
        found.append("was and now are the same")
    return found
