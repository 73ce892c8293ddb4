"""The content of the report page, as records: plain texts and numbers, out of which the page is filled.

A text is private unless it is declared `Kept` or `At`: it may hold source or values of the program, and a redacted page
is made without it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from ...core.records import dataclass
from ..report import BackwardReport

KEPT, PLACE, TEXT = "kept", "place", "text"
Kept = Annotated[str, KEPT]
"""A text that a redacted page keeps: it names something, and quotes neither source nor values."""
At = Annotated[str, PLACE]
"""A file and a line, or a file; a redacted page keeps the last part of the path."""
Text = Annotated[str, TEXT]
"""A text of many lines, such as a kernel's. The page holds each distinct one once."""


@dataclass(frozen=True, slots=True)
class SourceLine:
    """One line of the program, and what happened there.

    traced: operations of a graph that came from it.   broke: graph breaks, as often as calls came by them.
    specialised: facts that matter because of it.
    """

    number: int
    text: str
    traced: int = 0
    broke: int = 0
    specialised: int = 0


@dataclass(frozen=True, slots=True)
class SourceBlock:
    """Lines of one file.   whole: whether they are all lines of the function; else those with marks alone."""

    file: At
    lines: tuple[SourceLine, ...]
    whole: bool


@dataclass(frozen=True, slots=True)
class GuardRow:
    """A guard of an entry.   misses: calls for which it failed, as far as these were explained."""

    fact: str
    kind: Kept
    at: At
    nanoseconds: int
    native: bool
    misses: int


@dataclass(frozen=True, slots=True)
class AssumptionRow:
    """Facts of one kind that nobody checks at a call."""

    kind: str
    count: int
    facts: tuple[str, ...]
    at: At


@dataclass(frozen=True, slots=True)
class KernelText:
    """One distinct kernel, and the number of steps that run it."""

    name: Kept
    uses: int
    text: Text


@dataclass(frozen=True, slots=True)
class EntryContent:
    """One entry, or several alike ones of processes, or of functions that a factory made.

    alike: how many there are.   resumed: whether it begins behind a graph break.   guards: the dearest first.
    served: calls; None where nobody counted.
    """

    label: Kept
    alike: int
    resumed: bool
    plain: bool
    loaded: bool
    stale: str
    served: int | None
    seconds: Mapping[str, float]
    steps: int
    arena_bytes: int
    instructions: int
    guard_microseconds: float
    inputs: tuple[str, ...]
    bindings: tuple[str, ...]
    guards: tuple[GuardRow, ...]
    assumptions: tuple[AssumptionRow, ...]
    kernels: tuple[KernelText, ...]
    graph: Text
    code: Text
    backward: tuple[BackwardReport, ...]


@dataclass(frozen=True, slots=True)
class FactCells:
    """A fact that differs between entries, as each of them has it; empty where it has none about the same thing."""

    kind: Kept
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ComparisonTable:
    """Entries side by side that begin at one place of the function.

    entries: by their places in the list of the function; a cell of each row is about each.   common: the number of
    facts that all of them have.
    """

    entries: tuple[int, ...]
    common: int
    rows: tuple[FactCells, ...]


@dataclass(frozen=True, slots=True)
class SiteRow:
    """A line of the program that called, and how many calls of it had the cause.

    chain: the values that came from there, where they differ from those of other lines.
    """

    at: At
    text: str
    count: int
    chain: str


@dataclass(frozen=True, slots=True)
class CauseContent:
    """A cause of recompiles, of calls in plain Python, or a graph break.

    page: the number of its function's page.   chain: the values of the expression, with arrows.
    counts, saved: in words.   done_at, done: the line that changed what was relied on, where it is known.
    """

    kind: Kept
    function: Kept
    page: int
    code: Kept
    expression: str
    chain: str
    seconds: float
    counts: Kept
    at: At
    line: str
    sites: tuple[SiteRow, ...]
    done_at: At
    done: str
    edit: str
    no_edit: str
    saved: Kept
    also: tuple[str, ...]
    led_to: tuple[str, ...]
    processes: Kept


@dataclass(frozen=True, slots=True)
class BreakRow:
    """A graph break.   passed: how often calls came by; None where nobody counted."""

    code: Kept
    what: str
    why: Kept
    remedy: Kept
    at: At
    line: str
    whole: bool
    led_to: tuple[str, ...]
    passed: int | None


@dataclass(frozen=True, slots=True)
class FunctionContent:
    """All about the functions that are defined in one place.   causes: numbers in the list of the page."""

    name: Kept
    at: At
    state: str
    alike: int
    seconds: float
    compiles: int
    recompiles: int
    relinks: int
    hits: int | None
    misses: int | None
    plain_calls: int | None
    uncounted: int
    """The number of alike functions whose calls are not among these, since nobody counted them."""
    causes: tuple[int, ...]
    breaks: tuple[BreakRow, ...]
    source: tuple[SourceBlock, ...]
    entries: tuple[EntryContent, ...]
    unrecorded: int
    """Entries that were made, and of which the record has the number alone."""
    comparisons: tuple[ComparisonTable, ...]


@dataclass(frozen=True, slots=True)
class ProcessRow:
    """A process.   ended: whether it came to its own end, so that its native code and its calls are known."""

    label: Kept
    command: str
    began: float
    events: int
    seconds: float
    kernels_compiled: int
    kernels_loaded: int
    ended: bool


@dataclass(frozen=True, slots=True)
class Moment:
    """One new entry on the time axis. Units: seconds since the first process began."""

    process: int
    start: float
    seconds: float
    kind: Kept
    function: Kept
    page: int
    entry: int


@dataclass(frozen=True, slots=True)
class PageContent:
    """The whole page.   remarks: what is amiss with the record, in words.   until: the end of the time axis.
    unlisted: new entries that are not among `moments`, which were made in the shortest time.
    """

    title: str
    redacted: bool
    versions: Kept
    totals: Mapping[str, float]
    calls: Mapping[str, int]
    causes: tuple[CauseContent, ...]
    functions: tuple[FunctionContent, ...]
    processes: tuple[ProcessRow, ...]
    moments: tuple[Moment, ...]
    until: float
    unlisted: int
    uncounted: int
    """Functions of which something happened, and nobody counted the calls."""
    remarks: tuple[At, ...]
