"""The source of a function, line by line, with marks: where operations were traced, graphs broke, facts mattered."""

from __future__ import annotations

import inspect
import linecache
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from ...core.records import dataclass
from ..report import EntryReport, Report
from ..show.places import file_text
from .content import SourceBlock, SourceLine

_LOCATION = re.compile(r"  # (.+):(\d+)$", re.MULTILINE)
Position = tuple[str, int]
"""A file and a line."""


@dataclass(slots=True)
class LineMarks:
    """Marks of lines, and the texts of those that a record quotes.

    traced: by the last part of the file's name, since that is all that a graph says.
    """

    traced: Counter[Position]
    broke: Counter[Position]
    specialised: Counter[Position]
    quoted: dict[Position, str]


def source_blocks(reports: Sequence[Report]) -> tuple[SourceBlock, ...]:
    """The lines of a function, then lines with marks of others that were traced with it.

    A file that does not read any more as the record quotes it is not shown: its quoted lines are.
    """
    marks, first = _marks(reports), reports[0]
    linecache.checkcache(first.file)
    own = dict(_own_lines(first, marks.quoted))
    blocks = [SourceBlock(file_text(first.file), tuple(_lines(own, first.file, marks)), True)] if own else []
    others: dict[str, dict[int, str]] = {}
    names = {os.path.basename(file): file for file, _ in marks.quoted} | {os.path.basename(first.file): first.file}
    places = [*marks.broke, *marks.specialised, *((names.get(file, file), line) for file, line in marks.traced)]
    for file, line in sorted(set(places)):
        if file != first.file or line not in own:
            others.setdefault(file, {})[line] = marks.quoted.get((file, line)) or _read(file, line, marks.quoted)
    blocks += [
        SourceBlock(file_text(file), tuple(_lines(lines, file, marks)), False)
        for file, lines in sorted(others.items(), key=lambda each: each[0] != first.file)
    ]
    return tuple(blocks)


def _marks(reports: Iterable[Report]) -> LineMarks:
    marks = LineMarks(Counter(), Counter(), Counter(), {})
    facts: set[tuple[Position, str]] = set()
    for report in reports:
        for found in report.breaks:
            marks.broke[found.file, found.line] += max(found.passed or 0, 1)
            marks.quoted.setdefault((found.file, found.line), found.source)
        for entry in report.entries:
            facts.update(_facts(entry, marks.quoted))
            marks.traced |= Counter((file, int(line)) for file, line in _LOCATION.findall(entry.graph))
    marks.specialised.update(place for place, _ in facts)
    return marks


def _facts(entry: EntryReport, quoted: dict[Position, str]) -> Iterator[tuple[Position, str]]:
    for guard in entry.guards:
        if guard.where is not None:
            quoted.setdefault((guard.where.file, guard.where.line), guard.where.source)
            yield (guard.where.file, guard.where.line), guard.fact


def _lines(texts: dict[int, str], file: str, marks: LineMarks) -> Iterator[SourceLine]:
    name = os.path.basename(file)
    for number, text in texts.items():
        place = file, number
        yield SourceLine(number, text, marks.traced[name, number], marks.broke[place], marks.specialised[place])


def _own_lines(report: Report, quoted: dict[Position, str]) -> Iterator[tuple[int, str]]:
    """The lines of a function, if its file can be read and is unchanged, as far as the record can tell."""
    if not _unchanged(report.file, quoted):
        return
    lines = linecache.getlines(report.file)[max(report.line - 1, 0) :]
    try:
        block = inspect.getblock(lines) if lines else []
    except (SyntaxError, IndentationError):
        return
    if _defining_word(report.name) not in "".join(block):
        return
    margin = min((len(line) - len(line.lstrip()) for line in block if line.strip()), default=0)
    for number, line in enumerate(block, report.line):
        yield number, line.rstrip("\r\n")[margin:]


def _defining_word(qualified: str) -> str:
    """The word that stands where a function is defined."""
    name = qualified.rpartition(".")[2]
    return "lambda" if name == "<lambda>" else name


def _read(file: str, line: int, quoted: dict[Position, str]) -> str:
    return linecache.getline(file, line).strip() if _unchanged(file, quoted) else ""


def _unchanged(file: str, quoted: dict[Position, str]) -> bool:
    """Whether a file reads as the record quotes it."""
    return all(
        linecache.getline(file, line).strip() == text.strip()
        for (name, line), text in quoted.items()
        if name == file and text
    )
