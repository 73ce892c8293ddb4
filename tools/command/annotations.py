"""Findings as annotations of a GitHub workflow: each stands at the line that made the call."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from ...core.events import BREAK, LIMIT, RECOMPILE, Event
from .gates import Finding

TITLES = {RECOMPILE: "recompile", BREAK: "graph break", LIMIT: "limit of entries"}


def workflow_lines(found: Iterable[Finding]) -> Iterator[str]:
    """A line for each place where something happened that exceeded a limit; for a limit without any, one by itself."""
    told: set[str] = set()
    for finding in found:
        for event in finding.events:
            line = annotation(event)
            if line not in told:
                told.add(line)
                yield line
        if not finding.events:
            yield f"::error title=guardlift::{_text(finding.text)}"


def annotation(event: Event) -> str:
    """The annotation of one event, at the user's line that made the call, where that is known."""
    file, line = event.called_from[0][:2] if event.called_from else (event.file, event.line)
    why = "; ".join(reason.change() for reason in event.nearest()) or event.what or event.text
    title = f"guardlift {TITLES.get(event.kind, 'compile')}"
    here = os.path.join(os.getcwd(), "")
    place = f"file={_property(file.removeprefix(here))},line={line},title={_property(title)}"
    return f"::error {place}::{_text(f'{event.function}: {why}' if why else event.function)}"


def _text(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _text(text).replace(":", "%3A").replace(",", "%2C")
