"""The facts of entries side by side: shared facts are counted, and facts that differ stand in one row."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..report import EntryReport
from .content import FactCells

_SUBJECT = re.compile(r"^(.*?)(?:: | (?:is|in|not in|has|holds|==|!=|<=|>=|<|>) )")
Fact = tuple[str, str]
"""The kind of a fact, and its words."""
INPUT = "input"


def differing_facts(entries: Sequence[EntryReport]) -> tuple[int, tuple[FactCells, ...]]:
    """The number of facts that all entries have, and a row for each that differs, with a cell for each entry."""
    facts = [_facts(entry) for entry in entries]
    if len(facts) < 2:
        return (len(facts[0]) if facts else 0), ()
    common = set(facts[0]).intersection(*facts[1:])
    rows: dict[tuple[str, str, int], list[str]] = {}
    for column, listed in enumerate(facts):
        seen: dict[tuple[str, str], int] = {}
        for kind, words in listed:
            if (kind, words) in common:
                continue
            about = kind, _subject(words)
            seen[about] = seen.get(about, -1) + 1
            rows.setdefault((*about, seen[about]), [""] * len(facts))[column] = words
    return len(common), tuple(FactCells(kind, tuple(cells)) for (kind, _, _), cells in rows.items())


def _facts(entry: EntryReport) -> dict[Fact, None]:
    """The facts in their order. The layout of an input is told as such, and not once more as a guard."""
    inputs = {(INPUT, words): None for words in entry.inputs}
    guards = {(guard.kind, guard.fact): None for guard in entry.guards if guard.fact not in entry.inputs}
    return inputs | guards


def _subject(words: str) -> str:
    found = _SUBJECT.match(words)
    return found[1] if found else words
