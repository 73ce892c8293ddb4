"""Records as data: what is written is read again; what is not such data is refused."""

from __future__ import annotations

import json

import numpy as np
import pytest

import guardlift as gl
from guardlift.core.events import Event, Reason
from guardlift.tools.collect import report_of
from guardlift.tools.record.codec import LONGEST, data_of, made_from
from guardlift.tools.report import BreakReport, EntryReport


def again(value):
    """The record, written and read."""
    return made_from(type(value), json.loads(json.dumps(data_of(value))))


def test_events_and_reasons_are_read_as_they_were_written() -> None:
    reason = Reason(1, "equality", "n", "n was 1", "f.py:2", "1", "2", at=("f.py", 2, "n + 1"))
    event = Event("recompile", "f", "f.py", 1, 2, 0.5, (reason,), called_from=(("g.py", 3, "f(2)"),), columns=(1, 4))
    assert again(event) == event
    assert set(data_of(Event("plain", "f", "f.py", 1))) == {"kind", "function", "file", "line"}


def test_entries_and_breaks_are_read_as_they_were_written() -> None:
    @gl.jit
    def f(x):
        y = x * 2 + 1
        print(end="")
        return y if y.sum() > 0 else -y

    f(np.ones(3))
    report = report_of(gl.frontend.state_of(f))
    assert report.breaks and any(entry.guards and entry.kernels for entry in report.entries)
    for each in (*report.breaks, *report.entries):
        assert again(each) == each


def test_a_long_text_is_cut() -> None:
    assert len(again(Event("plain", "f", "f.py", 1, text="x" * 10**6)).text) == LONGEST


def test_a_field_that_is_not_known_is_left_out() -> None:
    data = {"kind": "plain", "function": "f", "file": "f.py", "line": 1, "of_the_future": [1]}
    assert made_from(Event, data) == Event("plain", "f", "f.py", 1)


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        (Event, []),
        (Event, {"kind": "plain"}),
        (Event, {"kind": 1, "function": "f", "file": "f.py", "line": 1}),
        (Event, {"kind": "plain", "function": "f", "file": "f.py", "line": 1, "columns": [1, 2, 3]}),
        (Event, {"kind": "plain", "function": "f", "file": "f.py", "line": 1, "reasons": {"entry": 1}}),
        (EntryReport, {"number": "0", "plain": False}),
        (BreakReport, {"code": "B101"}),
    ],
)
def test_data_of_another_form_is_refused(kind, data) -> None:
    with pytest.raises((TypeError, ValueError)):
        made_from(kind, data)
