"""From what the tracer keeps about a function to reports: data without references to the user's objects."""

from __future__ import annotations

import linecache
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ..backend.compile import CompiledGraph
from ..backend.cpu.compiler.loader import LoadedKernel
from ..core.events import BREAK, Event
from ..core.records import replace
from ..frontend.breaks import KINDS, RAISES
from ..frontend.dispatch.call_counts import CallCounter, calls_of, microseconds_of, passes_of, served_by_number
from ..frontend.dispatch.state import FunctionState
from ..graph.printer import print_graph
from ..guards.arrays import ArrayLayout
from ..guards.assumptions import AssumptionGroup, grouped
from ..guards.entry import Entry
from ..guards.guard import Guard, NumberInput, Where
from ..guards.sizes import SizedLayout
from .report import (
    AssumptionReport,
    BackwardReport,
    BreakReport,
    CallsReport,
    EntryReport,
    GuardReport,
    KernelReport,
    Report,
    ReportPlace,
)

if TYPE_CHECKING:
    from ..graph.aot.record import AotRecord


def report_of(state: FunctionState) -> Report:
    """The report on a jitted function as it is now."""
    with state.lock:
        entries, history, missed = list(state.entries), tuple(state.history), state.misses_over_limit
    report = Report(
        state.original.__qualname__,
        *state.place,
        tuple(entry_report(entry, state) for entry in sorted(entries, key=lambda entry: entry.number)),
        break_reports(history),
        history,
        misses_over_limit=missed,
    )
    return with_calls(report, state.calls, state)


def with_calls(report: Report, counter: CallCounter, state: FunctionState | None) -> Report:
    """The report, with the calls that were counted so far. state: None when the function is gone."""
    calls = calls_of(counter, state)
    if calls is None:
        return report
    served, passed = served_by_number(counter, state), passes_of(counter, state)
    took = microseconds_of(counter)
    return replace(
        report,
        calls=CallsReport(*calls),
        entries=tuple(replace(entry, served=served.get(entry.number, 0)) for entry in report.entries),
        breaks=tuple(
            replace(each, passed=passed.get(text, 0), microseconds=took.get(text))
            for each, text in _breaks_with_text(report)
        ),
    )


def _breaks_with_text(report: Report) -> Iterator[tuple[BreakReport, str]]:
    """The breaks of a report, each with the text of its event."""
    return zip(report.breaks, (event.text for event in report.events if is_break(event)), strict=True)


def entry_report(entry: Entry, state: FunctionState) -> EntryReport:
    """The report of one entry of a function."""
    points = list(state.points.items())
    position = next((place for place, point in points if any(entry is each for each in point.entries)), 0)
    return _entry_report(entry, position)


def _entry_report(entry: Entry, position: int) -> EntryReport:
    guards = tuple(map(_guard_report, entry.guards))
    assumptions, stale = tuple(map(_assumption_report, grouped(entry.assumptions))), _why_stale(entry)
    details = entry.details  # an entry that goes stale loses them
    if entry.written is not None and not details:
        return _loaded_report(entry, guards, position)
    if "compiled" not in details:
        return EntryReport(
            entry.number,
            entry.plain,
            guards,
            code=entry.block,
            assumptions=assumptions,
            stale=stale,
            position=position,
        )
    compiled, graph, instructions = details["compiled"], details["graph"], details["instructions"]
    return EntryReport(
        entry.number,
        entry.plain,
        guards,
        _inputs(entry, guards),
        print_graph(graph, locations=True),
        *_kernels(compiled),
        compiled.arena_nbytes,
        details["kernels"]["compiled"],
        details["kernels"]["loaded"],
        dict(entry.seconds),
        instructions,
        round(entry.seconds["trace"] / max(instructions, 1) * 1e6, 2),
        entry.block,
        assumptions,
        stale,
        guard_microseconds(entry),
        tuple(", ".join(map(str, each)) for each in details["binding"].bindings) if "binding" in details else (),
        tuple(map(_backward_report, details.get("aot", ()))),
        position=position,
    )


def _inputs(entry: Entry, reports: Iterable[GuardReport]) -> tuple[str, ...]:
    """The facts about what the entry computes with."""
    kinds = (ArrayLayout, SizedLayout, NumberInput)
    return tuple(each.fact for guard, each in zip(entry.guards, reports, strict=True) if isinstance(guard, kinds))


def _kernels(compiled: Any) -> tuple[tuple[KernelReport, ...], int]:
    """The kernels of a compiled graph, and the number of its steps. What came from disk is not lowered for that."""
    steps = compiled.steps_from_disk if isinstance(compiled, CompiledGraph) else ()
    if not steps and isinstance(compiled, CompiledGraph):
        named = [call.kernel for call in compiled.all_calls() if call.kernel is not None]
        uses, names = Counter(each.text for each in named), {each.text: each.name for each in reversed(named)}
        return tuple(KernelReport(names[text], count, text) for text, count in uses.items()), len(compiled.calls)
    if not steps:
        found = tuple(KernelReport(each.name, each.uses, each.text) for each in compiled.kernels)
        return found, len(compiled.calls)
    kernels = (getattr(step, "kernel", None) for step in steps)
    uses = Counter(kernel.source for kernel in kernels if isinstance(kernel, LoadedKernel))
    return tuple(KernelReport(_name_of(text), count, text) for text, count in uses.items()), len(steps)


def _name_of(text: str) -> str:
    """The name of a kernel in its text."""
    found = _KERNEL_NAME.search(text)
    return found[1] if found is not None else ""


def _loaded_report(entry: Entry, guards: tuple[GuardReport, ...], position: int) -> EntryReport:
    """The report of an entry that another process has traced."""
    graph, instructions = entry.written["report"]
    steps = entry.written["plan"]["steps"]
    uses = Counter(each[1] for each in steps["steps"] if each[0] in ("kernel", "table"))
    return EntryReport(
        entry.number,
        entry.plain,
        guards,
        _inputs(entry, guards),
        graph,
        tuple(KernelReport(_name_of(text), uses[k], text) for k, text in enumerate(steps["texts"])),
        len(steps["steps"]),
        steps["arena"],
        seconds=dict(entry.seconds),
        instructions=instructions,
        code=entry.block,
        guard_microseconds=guard_microseconds(entry),
        loaded=True,
        position=position,
    )


_KERNEL_NAME = re.compile(r"^def (\w+)", re.MULTILINE)


def _backward_report(record: AotRecord) -> BackwardReport:
    return BackwardReport(record.bytes_kept, record.bytes_without_hooks, record.peak, record.peak_without_hooks)


def guard_microseconds(entry: Entry) -> float:
    """About how long one call takes to check the guards of an entry."""
    return round(sum(guard.nanoseconds for guard in entry.guards) / 1e3, 2)


def break_reports(events: Iterable[Event]) -> tuple[BreakReport, ...]:
    """The graph breaks among these events. An error that the program raises by itself is none."""
    events = tuple(events)
    return tuple(_break_report(event, events) for event in events if is_break(event))


def is_break(event: Event) -> bool:
    """Whether the event is a graph break that costs speed, and no consequence of another one."""
    return event.kind == BREAK and event.break_code != RAISES.code and not event.follows


def _break_report(event: Event, events: Iterable[Event]) -> BreakReport:
    kind = KINDS[event.break_code]
    line = linecache.getline(event.file, event.line).rstrip("\n")
    source = line.strip()
    indent = len(line) - len(line.lstrip())
    start, end = event.columns
    columns = (start - indent, end - indent) if start >= indent else (-1, -1)
    led_to = tuple(f"{each.what} at {each.file}:{each.line}" for each in events if each.follows == event.text)
    remedy = KINDS[event.advice or event.break_code].remedy
    return BreakReport(
        kind.code, event.what, kind.why, remedy, event.file, event.line, source, columns, event.whole, led_to
    )


def _guard_report(guard: Guard) -> GuardReport:
    return GuardReport(guard.fact(), guard.kind, guard.native, _place(guard.where), guard.nanoseconds)


def _assumption_report(group: AssumptionGroup) -> AssumptionReport:
    return AssumptionReport(group.kind, group.count, group.facts, _place(group.where))


def _place(where: Where | None) -> ReportPlace | None:
    return ReportPlace(where.file, where.line, where.text) if where else None


def _why_stale(entry: Entry) -> str:
    reason = entry.broken_assumption()
    return reason.change() if reason else ""
