"""All that is known of a step of a run: what it has told, its status, and how tables are written."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

MARK = ":told: "
"""The beginning of a line by which a step tells something."""


@dataclass
class StepReport:
    """What is known of a step. status: in words; `is_done` says whether it found all as it should be."""

    name: str
    title: str
    status: str = "not begun"
    seconds: float = 0.0
    texts: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    advice: list[str] = field(default_factory=list)
    tables: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    @property
    def is_done(self) -> bool:
        return self.status == "done"

    def take(self, line: str) -> None:
        """Enters what a step has told."""
        kind, value = json.loads(line.removeprefix(MARK))
        match kind:
            case "text":
                self.texts.append(value)
            case "fault":
                self.faults.append(value)
            case "advice":
                self.advice.append(value)
            case "stop":
                self.status = f"not done: {value}"
            case "row":
                self._enter(*value)

    def _enter(self, table: str, cells: dict[str, Any]) -> None:
        rows = self.tables.setdefault(table, [])
        first = next(iter(cells.values()))
        known = next((each for each in rows if next(iter(each.values())) == first), None)
        if known is None:
            rows.append(cells)
        else:
            known.update(cells)


def table(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Rows as a table in Markdown."""
    columns = list(dict.fromkeys(key for each in rows for key in each))
    lines = [f"| {' | '.join(columns)} |", "|" + "---|" * len(columns)]
    return lines + [f"| {' | '.join(_cell(each.get(key, '')) for key in columns)} |" for each in rows]


def _cell(value: object) -> str:
    text = f"{value:.4g}" if isinstance(value, float) else str(value)
    return text.replace("|", "\\|").replace("\n", " ")
