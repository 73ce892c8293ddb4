"""Annotations of a GitHub workflow: one a place, with characters that would end them escaped."""

from __future__ import annotations

from guardlift.core.events import LIMIT, RECOMPILE, Event, Reason
from guardlift.tools.command.annotations import workflow_lines
from guardlift.tools.command.gates import Finding


def event(**about: object) -> Event:
    reason = Reason(0, "equality", "n", "n was 1,\n100%", "")
    return Event(RECOMPILE, "f", "f.py", 3, reasons=(reason,), **about)  # type: ignore[arg-type]


def test_an_annotation_stands_at_the_call_and_says_why_once() -> None:
    there = event(called_from=(("a:b,c.py", 7, "f(2)"), ("main.py", 1, "g()")))
    lines = list(workflow_lines([Finding("2 recompiles", (there, there, event()))]))
    assert lines == [
        "::error file=a%3Ab%2Cc.py,line=7,title=guardlift recompile::f: n was 1,%0A100%25",
        "::error file=f.py,line=3,title=guardlift recompile::f: n was 1,%0A100%25",
    ]


def test_a_finding_without_a_place_is_said_by_itself() -> None:
    assert list(workflow_lines([Finding("9 s of compiling")])) == ["::error title=guardlift::9 s of compiling"]
    limit = Event(LIMIT, "f", "f.py", 3, text="f has 8 entries")
    expected = "::error file=f.py,line=3,title=guardlift limit of entries::f: f has 8 entries"
    assert list(workflow_lines([Finding("the limit", (limit,))])) == [expected]
