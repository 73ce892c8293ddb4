"""The text of recompiles.md: each program of tests/tools/cards, the card that guard-explain prints for it, the edit.

The programs run here; a test compares the page with what they give.
"""

from __future__ import annotations

import contextlib
import linecache
import re
import runpy
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from recompile_symptoms import SYMPTOMS

import guardlift as gl
from guardlift.core.events import Edit, Event, listening
from guardlift.frontend.dispatch.registry import state_numbered
from guardlift.tools.causes import causes
from guardlift.tools.collect import report_of
from guardlift.tools.report import Report
from guardlift.tools.show.screen import cause_lines, passes_of

_CARDS = Path(__file__).resolve().parents[1] / "tests" / "tools" / "cards"
_NAMED = runpy.run_path(str(_CARDS / "programs.py")) | runpy.run_path(str(_CARDS / "break_programs.py"))
PROGRAMS: dict[str, str] = {
    name: listed[-1] for kind in ("MENDED", "BREAKS", "UNMENDED") for name, listed in _NAMED[kind].items()
}

_HEAD = """
Find what you see in the list. Each part has a program, what `guard-explain program.py` prints about it, without the
seconds, and the edit that helps, as a diff. Where no edit is known, the card says why. The edits are tried: with them
the recompile is gone or the graph whole, and the results are the same. Written by `make docs-tables`.

Of a function of your own the same is told by `guard-explain your_script.py`, by `gl.explain(f)`, and, before a call is
made, by `gl.predict(f, ...)`. [commands.md](commands.md) has all options, [graph_breaks.md](graph_breaks.md) all kinds
of breaks.
""".strip().splitlines()


def page() -> str:
    """The page: symptoms first, then a part for each."""
    lines = ["# Why did it compile again?", "", "<!-- fmt: off -->", "", *_HEAD]
    for title, symptoms in SYMPTOMS.items():
        lines += ["", f"**{title}**", ""]
        lines += [f"- [{symptom}](#{_anchor(symptom)})" for symptom in symptoms.values()]
    for symptoms in SYMPTOMS.values():
        for name, symptom in symptoms.items():
            lines += ["", f"## {symptom[0].upper()}{symptom[1:]}", "", *part_lines(PROGRAMS[name])]
    return "\n".join([*lines, ""])


def part_lines(program: str) -> list[str]:
    """A program, the cards about it, and the edits that they print."""
    text = "import numpy as np\nimport guardlift as gl\n" + re.sub(r"\bout\(", "print(", program)
    lines = ["```python", text.rstrip("\n"), "```"]
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        events, reports = run(text, Path.cwd() / "program.py")
        for number, cause in enumerate(causes(events)):
            without_times = replace(cause, seconds=0.0, saved_seconds=0.0)
            card = cause_lines(without_times, number=number + 1, passes=passes_of(reports, cause))
            lines += ["", "```text", *(line for _, line in card), "```"]
            if cause.edits:
                lines += ["", "```diff", *_differing_lines(text, cause.edits), "```"]
    return lines


def run(text: str, file: Path) -> tuple[Sequence[Event], Sequence[Report]]:
    """The events of a program, and the reports on its functions. Nothing that it prints is shown."""
    events: list[Event] = []
    file.write_text(text, encoding="utf-8")
    linecache.checkcache()
    gl.reset()
    with listening(events.append), warnings.catch_warnings(), gl.config.patch(entry_cache=False):
        warnings.simplefilter("ignore")
        names = {"__name__": "program", "print": lambda *values: None}
        exec(compile(text, str(file), "exec"), names)
        states = [state_numbered(number) for number in dict.fromkeys(event.state for event in events)]
        return events, [report_of(state) for state in states if state is not None]


def _differing_lines(text: str, edits: Sequence[Edit]) -> Iterator[str]:
    """The lines that edits change, as a diff with no lines around."""
    lines = text.split("\n")
    for edit in edits:
        before = lines[edit.line - 1]
        after = before.replace(edit.old, edit.new, 1)
        yield from (f"-{before}", *([f"+{after}"] if after.strip() else []))


def _anchor(title: str) -> str:
    """The anchor of a heading, as GitHub makes it."""
    return "".join(each for each in title.lower().replace(" ", "-") if each.isalnum() or each in "-_")
