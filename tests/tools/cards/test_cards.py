"""Cards tell the truth: their edits, applied as they are printed, remove what they are for and keep the results."""

from __future__ import annotations

import linecache
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from words import internal_words

import guardlift as gl
from guardlift.core.events import COMPILE, RECOMPILE, Event, listening
from guardlift.tools.causes import Cause, causes
from guardlift.tools.edits import applied

from .break_programs import BREAKS
from .programs import MENDED, UNMENDED

PROGRAMS = MENDED | BREAKS

HEAD = "import numpy as np\nimport guardlift as gl\n"


class Run:
    """A program that has run: its results, its events and their causes."""

    def __init__(self, path: Path, text: str, *, plain: bool = False) -> None:
        path.write_text(text)
        linecache.checkcache()
        self.file, self.text = str(path), text
        self.results: list[Any] = []
        self.events: list[Event] = []
        with (
            listening(self.events.append),
            warnings.catch_warnings(),
            gl.config.patch(entry_cache=False, disable=plain),
        ):
            warnings.simplefilter("ignore")
            exec(compile(text, self.file, "exec"), {"__name__": "program", "out": self.results.append})
        self.causes = causes(self.events)

    def assert_words(self) -> None:
        """No text of an event or a cause is one of the compiler's."""
        texts = [event.text for event in self.events]
        texts += [reason.text for event in self.events for reason in (*event.failures, *event.reasons)]
        texts += [f"{each.expression} {each.chain} {each.edit} {each.no_edit} {each.also}" for each in self.causes]
        assert not [text for text in texts if internal_words(text)]

    @property
    def compiles(self) -> int:
        return sum(event.kind in (COMPILE, RECOMPILE) for event in self.events)

    def about(self, subject: str) -> list[Cause]:
        """The causes about an expression, or of this code."""
        return [cause for cause in self.causes if subject in (cause.expression, cause.code)]


def assert_equal(found: list[Any], wanted: list[Any], *, rtol: float = 1e-12) -> None:
    assert len(found) == len(wanted) > 0
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(np.asarray(one), np.asarray(other), rtol=rtol)


@pytest.fixture(autouse=True)
def own_settings() -> Any:
    """Edits may raise settings."""
    names = ("inline_limit", "unroll_limit", "trace_limit", "guard_limit", "memory_limit")
    with gl.config.patch(**{name: getattr(gl.config, name) for name in names}):
        yield


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_printed_edit_removes_what_it_is_for_and_keeps_results(name: str, tmp_path: Path) -> None:
    subject, program = PROGRAMS[name]
    before = Run(tmp_path / "before.py", HEAD + program)
    (cause,) = before.about(subject)
    assert cause.edit and not cause.no_edit and cause.edits, cause
    before.assert_words()
    edited = applied(before.text, cause.edits)
    after, plain = Run(tmp_path / "after.py", edited), Run(tmp_path / "plain.py", edited, plain=True)
    original = Run(tmp_path / "original.py", before.text, plain=True)
    assert not plain.events and not original.events
    left = after.about(subject)
    assert sum(each.recompiles for each in left) <= max(cause.recompiles - cause.saved, 0), [
        each.chain for each in left
    ]
    if cause.kind == "break":
        assert not left
    else:
        assert cause.saved > 0 and before.compiles - after.compiles == cause.saved
    assert_equal(after.results, plain.results)
    assert_equal(after.results, original.results, rtol=1e-6)
    assert_equal(before.results, original.results, rtol=1e-6)


@pytest.mark.parametrize("name", UNMENDED)
def test_where_no_edit_is_known_the_card_says_why(name: str, tmp_path: Path) -> None:
    subject, why, program = UNMENDED[name]
    run = Run(tmp_path / "program.py", HEAD + program)
    plain = Run(tmp_path / "plain.py", run.text, plain=True)
    (cause,) = run.about(subject)
    assert not cause.edit and not cause.edits and why in cause.no_edit, cause
    run.assert_words()
    assert cause.saved == 0 and cause.recompiles + cause.relinks > 0
    assert_equal(run.results, plain.results, rtol=1e-6)


def test_there_are_enough_programs() -> None:
    assert len(PROGRAMS) >= 30 and len(UNMENDED) <= 8
