"""Facts of entries side by side: those about one thing stand in one row."""

from __future__ import annotations

import pytest

from guardlift.tools.page.differing_facts import differing_facts
from guardlift.tools.report import EntryReport, GuardReport


def entry(number: int, *facts: str, inputs: tuple[str, ...] = ()) -> EntryReport:
    return EntryReport(number, False, tuple(GuardReport(fact, "fact", False, None) for fact in facts), inputs)


def test_facts_of_one_thing_are_in_one_row_and_common_ones_are_counted() -> None:
    entries = entry(0, "n == 1", "type(k) is int"), entry(1, "type(k) is int", "n == 2"), entry(2, "type(k) is int")
    common, rows = differing_facts(entries)
    assert common == 1
    assert [row.cells for row in rows] == [("n == 1", "n == 2", "")]


def test_an_input_is_told_once_though_a_guard_checks_it() -> None:
    wide, narrow = "x: float64[3]", "x: float32[3]"
    common, rows = differing_facts([entry(0, wide, inputs=(wide,)), entry(1, narrow, inputs=(narrow,))])
    assert common == 0 and [(row.kind, row.cells) for row in rows] == [("input", (wide, narrow))]


def test_several_facts_of_one_thing_have_a_row_each() -> None:
    _, rows = differing_facts([entry(0, "n >= 1", "n >= 2"), entry(1, "n >= 3")])
    assert [row.cells for row in rows] == [("n >= 1", "n >= 3"), ("n >= 2", "")]


@pytest.mark.parametrize(("entries", "common"), [([], 0), ([entry(0, "n == 1", "k == 2")], 2)])
def test_one_entry_differs_from_none(entries, common) -> None:
    assert differing_facts(entries) == (common, ())
