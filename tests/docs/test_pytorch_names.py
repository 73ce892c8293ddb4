"""The table of PyTorch's names in guides/from_pytorch.md: every name is accounted for, and every reason is one."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "docs"))

from pytorch_names import table  # noqa: E402
from pytorch_names.reasons import NOT_MEANT, NOT_YET, Reason  # noqa: E402


def test_every_name_of_pytorch_is_accounted_for() -> None:
    found = table.places()
    assert sum(place.counts()[0] for place in found) == sum(map(len, table.names().values())) > 2000
    assert {place.name: place.unaccounted for place in found if place.unaccounted} == {}, (
        "give each a reason in docs/pytorch_names/reasons.py"
    )


def test_a_name_without_a_reason_is_found() -> None:
    place = table.sorted_out(table.Place("torch"), ["zeros", "compile", "no_such_name"], set(), {})
    assert place.there == ["zeros"] and place.unaccounted == ["no_such_name"]
    assert "| **no reason given** | `no_such_name` |" in list(table.rows(place))


def test_every_pattern_of_a_reason_fits_a_name() -> None:
    listed = table.names()
    idle = [
        (each.why, pattern)
        for each in (*NOT_MEANT, *NOT_YET)
        for pattern in each.names.split()
        if not any(
            table.fits(Reason("", each.places, pattern), place, name)
            for place, names in listed.items()
            for name in names
        )
    ]
    assert idle == []


def test_places_of_reasons_are_places() -> None:
    assert {place for each in (*NOT_MEANT, *NOT_YET) for place in each.places.split()} <= table.names().keys()


def test_names_that_differ_say_how() -> None:
    by_name = {place.name: place for place in table.places()}
    assert "square" in by_name["torch"].differ and "zeros" in by_name["torch"].there
    assert by_name["torch"].called["arange"].startswith("the one argument of arange(3)")
