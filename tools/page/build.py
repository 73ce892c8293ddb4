"""From a record to the content of its page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...core.events import MADE, RELINK, Event, plural
from ...core.records import dataclass, replace
from ..causes import Cause
from ..command.answer import process_names, totals
from ..command.gates import why_not_looked
from ..record.reader import Record, RecordedProcess
from ..report import BreakReport, CallsReport, EntryReport, Report, ReportPlace
from ..show.places import place_text
from ..show.screen import causes_of, micros_text, microseconds_of, passes_of, seconds_text
from .content import (
    AssumptionRow,
    BreakRow,
    CauseContent,
    ComparisonTable,
    EntryContent,
    FunctionContent,
    GuardRow,
    KernelText,
    Moment,
    PageContent,
    ProcessRow,
    SiteRow,
)
from .differing_facts import differing_facts
from .source_lines import source_blocks

Definition = tuple[str, str, int]
"""The qualified name of a function, its file and its first line."""
COLUMNS = 16
"""Entries that stand side by side at most."""
MOMENTS = 1_000
"""New entries on the time axis at most: those that took the longest."""


def page_content(record: Record, *, redacted: bool = False) -> PageContent:
    """The content of the page about a record.   redacted: whether source and values are to be left out."""
    functions = _functions(record)
    pages = {definition: number for number, definition in enumerate(functions)}
    reports = [report for _, report in record.reports]
    causes = causes_of(reports)
    names = process_names(record) if len(record.processes) > 1 else None
    listed = [
        _cause(cause, pages, _counts(cause, reports), names(cause) if names is not None else "") for cause in causes
    ]
    made = list(_moments(record.processes, pages))
    least = sorted((moment.seconds for moment in made), reverse=True)[:MOMENTS][-1:]
    moments = tuple(moment for moment in made if moment.seconds >= least[0])[:MOMENTS]
    return PageContent(
        _title(record),
        redacted,
        _versions(record),
        {name: value for name, value in totals(record).items() if name != "kernels"},
        _calls(reports),
        tuple(listed),
        tuple(
            _function(found, [n for n, each in enumerate(causes) if _definition(each) == definition])
            for definition, found in functions.items()
        ),
        tuple(map(_process, record.processes)),
        moments,
        max((moment.start + moment.seconds for moment in moments), default=0.0),
        len(made) - len(moments),
        sum(_uncounted(report) for report in reports),
        _remarks(record),
    )


def _functions(record: Record) -> dict[Definition, list[Report]]:
    """The reports by the definitions of their functions, those first that took most seconds to compile."""
    found: dict[Definition, list[Report]] = {}
    for _, report in record.reports:
        found.setdefault((report.name, report.file, report.line), []).append(report)
    seconds = {definition: sum(each.compile_seconds for each in listed) for definition, listed in found.items()}
    return dict(sorted(found.items(), key=lambda each: -seconds[each[0]]))


def _title(record: Record) -> str:
    command = record.processes[0].head["command"] if record.processes else []
    return " ".join(map(str, command[1:])) or str(record.path)


def _versions(record: Record) -> str:
    heads = [process.head for process in record.processes]
    return ", ".join(
        dict.fromkeys(f"guardlift {head.get('guardlift', '')}, Python {head.get('python', '')}" for head in heads)
    )


def _calls(reports: Iterable[Report]) -> Mapping[str, int]:
    """Hits, misses and calls in plain Python, as far as they were counted; empty where nobody did."""
    counted = [report.calls for report in reports if report.calls is not None]
    if not counted:
        return {}
    return {name: sum(getattr(each, name) for each in counted) for name in ("hits", "misses", "plain")}


def _uncounted(report: Report) -> bool:
    """Whether calls were made that are not counted: of a process that was stopped or forked, or on a device."""
    return report.calls is None and bool(report.events)


def _remarks(record: Record) -> tuple[str, ...]:
    """The words on what is amiss: nothing could be looked at, lines are damaged, a part ends early."""
    why = why_not_looked(record)
    return (*([f"nothing could be looked at: {why}"] if why else []), *record.problems, *record.endings)


def _definition(cause: Cause) -> Definition:
    return cause.function, *cause.defined


def _cause(cause: Cause, pages: Mapping[Definition, int], counted: str, processes: str) -> CauseContent:
    broke = cause.kind == "break"
    return CauseContent(
        cause.kind,
        cause.function,
        pages.get(_definition(cause), -1),
        cause.code,
        cause.expression or "an entry that was dropped, or no longer stands",
        "" if broke else cause.chain,
        cause.seconds,
        counted,
        _at(cause.at[0], cause.at[1]),
        cause.at[2],
        tuple(_site_rows(cause)),
        _at(*cause.done_at[:2]),
        cause.done_at[2],
        cause.edit,
        cause.no_edit,
        _saved(cause),
        cause.also,
        cause.led_to,
        processes,
    )


def _site_rows(cause: Cause) -> Iterator[SiteRow]:
    chains = cause.site_chains or ("",) * len(cause.sites)
    for ((file, line, text), count), chain in zip(cause.sites, chains, strict=True):
        yield SiteRow(_at(file, line), text, count, chain)


def _counts(cause: Cause, reports: Sequence[Report]) -> str:
    if cause.kind == "break":
        passes, took = passes_of(reports, cause), microseconds_of(reports, cause)
        each = "" if took is None else f", {micros_text(took)} each"
        return f"graph break, passed {plural(passes, 'time')}{each}" if passes else "graph break"
    words = [
        (cause.recompiles, "recompile", ""),
        (cause.relinks, "relink", ""),
        (cause.plain_calls, "call in plain Python", "calls in plain Python"),
    ]
    return ", ".join(plural(count, word, many) for count, word, many in words if count)


def _saved(cause: Cause) -> str:
    if not cause.saved:
        return ""
    return f"would have saved {cause.saved} of {plural(cause.compiles, 'compile')}, {seconds_text(cause.saved_seconds)}"


def _at(file: str, line: int) -> str:
    return place_text(file, line) if file else ""


def _place(place: ReportPlace | None) -> str:
    return _at(place.file, place.line) if place is not None else ""


def _function(reports: Sequence[Report], causes: Sequence[int]) -> FunctionContent:
    first = reports[0]
    groups = _alike(reports)
    calls = [report.calls for report in reports if report.calls is not None]
    return FunctionContent(
        first.name,
        _at(first.file, first.line),
        max(reports, key=lambda report: len(report.entries)).state,
        max(sum(bool(report.events) for report in reports), 1),
        sum(each.compile_seconds for each in reports),
        sum(report.compiles for report in reports),
        sum(report.recompiles for report in reports),
        sum(report.relinks for report in reports),
        *_call_counts(calls),
        sum(map(_uncounted, reports)),
        tuple(causes),
        tuple(_breaks(reports)),
        source_blocks(reports),
        tuple(map(_entry, groups, _labels(groups))),
        sum(map(_unrecorded, reports)),
        tuple(_comparisons([group[0].entry for group in groups])),
    )


def _comparisons(entries: Sequence[EntryReport]) -> Iterator[ComparisonTable]:
    """A table for each place of the function at which several entries begin."""
    by_position: dict[int, list[int]] = {}
    for number, entry in enumerate(entries):
        if not entry.plain:
            by_position.setdefault(entry.position, []).append(number)
    for numbers in by_position.values():
        if len(numbers) > 1:
            shown = numbers[:COLUMNS]
            yield ComparisonTable(tuple(shown), *differing_facts([entries[number] for number in shown]))


def _call_counts(calls: Sequence[CallsReport]) -> tuple[int | None, int | None, int | None]:
    if not calls:
        return None, None, None
    return sum(each.hits for each in calls), sum(each.misses for each in calls), sum(each.plain for each in calls)


def _unrecorded(report: Report) -> int:
    """The number of entries that were made and are not in the report. A relink of an entry itself makes none."""
    made = [event for event in report.events if event.kind in MADE and (event.kind != RELINK or event.shared)]
    return max(sum(event.times for event in made) - sum(not entry.plain for entry in report.entries), 0)


@dataclass(frozen=True, slots=True)
class EntryMisses:
    """An entry, and for each of its facts the number of calls for which that failed."""

    entry: EntryReport
    misses: Mapping[str, int]


def _alike(reports: Iterable[Report]) -> list[list[EntryMisses]]:
    """The entries in groups: those of a group have the same number and facts, and run the same graph."""
    groups: dict[object, list[EntryMisses]] = {}
    for report in reports:
        misses = _misses(report)
        for entry in report.entries:
            facts = tuple(guard.fact for guard in entry.guards)
            group = groups.setdefault((entry.number, entry.position, entry.plain, entry.inputs, facts, entry.graph), [])
            group.append(EntryMisses(entry, misses.get(entry.number, {})))
    return list(groups.values())


def _labels(groups: Iterable[Sequence[EntryMisses]]) -> Iterator[str]:
    """The names of the groups. Processes may have made different entries of one number."""
    seen: Counter[int] = Counter()
    for group in groups:
        number = group[0].entry.number
        seen[number] += 1
        yield f"entry {number}" + (f", variant {seen[number]}" if seen[number] > 1 else "")


def _misses(report: Report) -> dict[int, Counter[str]]:
    """For each entry the facts that failed, with the number of calls."""
    found: dict[int, Counter[str]] = {}
    for event in report.events:
        for reason in event.failures or event.reasons:
            found.setdefault(reason.entry, Counter())[reason.fact] += event.times
    return found


def _entry(group: Sequence[EntryMisses], label: str) -> EntryContent:
    entry, entries = group[0].entry, [each.entry for each in group]
    counted = [each.served for each in entries if each.served is not None]
    return EntryContent(
        label,
        len(group),
        entry.position > 0,
        entry.plain,
        entry.loaded,
        entry.stale,
        sum(counted) if counted else None,
        {name: sum(each.seconds.get(name, 0.0) for each in entries) for name in entry.seconds},
        entry.steps,
        entry.arena_bytes,
        entry.instructions,
        entry.guard_microseconds,
        entry.inputs,
        entry.bindings,
        tuple(sorted(_guards(group), key=lambda guard: -guard.nanoseconds)),
        tuple(AssumptionRow(each.kind, each.count, each.facts, _place(each.where)) for each in entry.assumptions),
        tuple(KernelText(each.name, each.uses, each.text) for each in entry.kernels),
        entry.graph,
        entry.code,
        entry.backward,
    )


def _guards(group: Sequence[EntryMisses]) -> Iterator[GuardRow]:
    for guard in group[0].entry.guards:
        failed = sum(each.misses.get(guard.fact, 0) for each in group)
        yield GuardRow(guard.fact, guard.kind, _place(guard.where), guard.nanoseconds, guard.native, failed)


def _breaks(reports: Iterable[Report]) -> Iterator[BreakRow]:
    """Each graph break once, with the passes of all functions."""
    found: dict[tuple[str, str, str, int], BreakReport] = {}
    for each in (each for report in reports for each in report.breaks):
        name = each.code, each.what, each.file, each.line
        known = found.get(name)
        counts = [one.passed for one in (known, each) if one is not None and one.passed is not None]
        found[name] = replace(each, passed=sum(counts) if counts else None)
    for each in found.values():
        place = _at(each.file, each.line)
        words = each.code, each.what, each.why, each.remedy, place, each.source
        yield BreakRow(*words, each.whole, each.led_to, each.passed)


def _process(process: RecordedProcess) -> ProcessRow:
    events: list[Event] = list(process.events)
    return ProcessRow(
        process.label,
        " ".join(map(str, process.head["command"])),
        process.head["began"],
        sum(event.times for event in events),
        sum(event.seconds for event in events if event.kind in MADE),
        int(process.kernels.get("compiled", 0)),
        int(process.kernels.get("loaded", 0)),
        bool(process.kernels),
    )


def _moments(processes: Sequence[RecordedProcess], pages: Mapping[Definition, int]) -> Iterator[Moment]:
    """The new entries in the order of their processes. An event comes when its entry is made."""
    zero = min((process.head["began"] for process in processes), default=0.0)
    for number, process in enumerate(processes):
        for at, event in process.moments:
            if event.kind in MADE:
                start = max(process.head["began"] - zero + at - event.seconds, 0.0)
                page = pages.get((event.function, *event.defined), -1)
                yield Moment(number, start, event.seconds, event.kind, event.function, page, event.entry)
