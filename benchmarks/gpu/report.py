"""The report of a run: what a step tells while it runs, and the files that it becomes, written anew each time.

A step is a process of its own, so that one that fails takes no other with it. It tells by lines of JSON on standard
output, through `say`, `row`, `fault`, `advise` and `stop`; whatever else it prints goes to its log.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path

from step_report import MARK, StepReport, table
from summary import summary

MOST_LOG = 1 << 20
"""Bytes of a log that are kept: its first and its last half."""


def _tell(kind: str, value: object) -> None:
    print(MARK + json.dumps([kind, value]), flush=True)


def say(text: str) -> None:
    """Tells a line of text."""
    _tell("text", text)


def row(table: str, **cells: object) -> None:
    """Tells a row of a table, or more cells of one: rows of one name (the first cell) are one."""
    _tell("row", [table, cells])


def fault(text: str) -> None:
    """Tells something that is wrong. The steps that need this one are left out."""
    _tell("fault", text)


def advise(text: str) -> None:
    """Tells what to do next."""
    _tell("advice", text)


def stop(reason: str, remedy: str = "") -> None:
    """Tells why the step cannot be done, and what would help, and ends it."""
    if remedy:
        advise(remedy)
    _tell("stop", reason)
    sys.exit(0)


@dataclass
class Report:
    """The steps of a run, and the folder of its files."""

    folder: Path
    heading: str
    steps: list[StepReport] = field(default_factory=list)

    def begin(self, name: str, title: str) -> StepReport:
        """A step that begins now."""
        self.steps.append(StepReport(name, title, "running"))
        self.write()
        return self.steps[-1]

    def write(self) -> None:
        """Writes report.md and report.json, each at once or not at all."""
        self.folder.mkdir(parents=True, exist_ok=True)
        facts = {"heading": self.heading, "steps": [vars(each) for each in self.steps]}
        self._put("report.json", json.dumps(facts, indent=1))
        self._put("report.md", self.text())

    def _put(self, name: str, text: str) -> None:
        part = self.folder / f"{name}.part"
        part.write_text(text)
        os.replace(part, self.folder / name)

    def text(self) -> str:
        """The report in Markdown."""
        lines = [f"# {self.heading}", "", *summary(self.steps), "", "## Steps", ""]
        lines += table([{"Step": each.name, "Status": each.status, "Seconds": each.seconds} for each in self.steps])
        for step in self.steps:
            lines += ["", f"## {step.name}: {step.title}", "", f"Status: {step.status}, {step.seconds:.1f} s.", ""]
            lines += [f"- FAULT: {each}" for each in step.faults]
            lines += [f"- {each}" for each in step.texts]
            for name, rows in step.tables.items():
                lines += ["", f"**{name}**", "", *table(rows)]
        return "\n".join(lines) + "\n"


def clipped(text: str, most: int = MOST_LOG) -> str:
    """A text of at most so many characters: of a longer one the first and the last half."""
    if len(text) <= most:
        return text
    half = most // 2
    return f"{text[:half]}\n... {len(text) - 2 * half} characters are left out ...\n{text[-half:]}"
