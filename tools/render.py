"""Reports as lines for people. A terminal may show each line's style as colour; the text says all by itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ..core.events import COMPILE, DROP, LIMIT, LOAD, RECOMPILE, RELINK, Event, Reason, plural
from .report import BackwardReport, BreakReport, EntryReport, Report
from .show.places import place_text, places_named, visible
from .show.terminal import WIDTH, Line

KINDS_SHOWN = 12
"""Kinds of assumptions of an entry that a report lists, unless it is the verbose one."""
GUARDS_SHOWN, INPUTS_SHOWN = 64, 24
"""Guards and inputs of an entry that it lists."""
DETAILS = ("causes", "guards", "graphs", "kernels", "all")
"""The details that `show_lines` knows."""


def show_lines(reports: Sequence[Report], what: str, *, width: int = WIDTH) -> Iterator[Line]:
    """Details of all reports, one of `DETAILS`: every cause; or, function by function, guards with assumptions and
    inputs, graphs with entry code, or the text of kernels. Equal functions that a factory made are told once."""
    from .show.screen import cause_lines, causes_of, microseconds_of, passes_of

    assert what in DETAILS, what
    if what in ("causes", "all"):
        for number, cause in enumerate(causes_of(reports)):
            yield from cause_lines(
                cause,
                width,
                number + 1,
                passes=passes_of(reports, cause),
                took=microseconds_of(reports, cause),
                every_site=True,
            )
            for place in cause.called_from[1:]:
                yield "dim", f"{' ' * 12}from {place_text(*place[:2])}   {visible(place[2])}"
    equal: dict[tuple[str, str, int], list[Report]] = {}
    for report in reports if what != "causes" else ():
        equal.setdefault((report.name, report.file, report.line), []).append(report)
    for alike in equal.values():
        report = max(alike, key=lambda each: len(each.entries))
        times = "  (one of several functions made there)" if len(alike) > 1 else ""
        yield "", ""
        yield "title", f"{report.name}  {place_text(report.file, report.line)}{times}"
        yield "", f"  {report.state}"
        for entry in report.entries:
            yield from _entry_head(entry)
            yield from _details(entry, what)


def _details(entry: EntryReport, what: str) -> Iterator[Line]:
    if what in ("guards", "all"):
        yield from _input_lines(entry, verbose=True)
        yield from _guard_lines(entry, None, verbose=True)
        yield from _assumption_lines(entry, verbose=True)
    if what in ("graphs", "all"):
        yield from _block("graph", entry.graph)
        yield from _block("entry code", entry.code)
    if what in ("kernels", "all"):
        yield from _kernel_blocks(entry)


def report_lines(report: Report, *, verbose: bool = False) -> Iterator[Line]:
    """The report on one function: its state, what compiled, what compiled again and why, and where the graph broke.

    Files below the current folder are named from there.
    """
    for style, text in _report_lines(report, verbose=verbose):
        yield style, places_named(text)


def _report_lines(report: Report, *, verbose: bool) -> Iterator[Line]:
    yield "title", f"{report.name}  {report.file}:{report.line}"
    good = report.compiles and not (report.recompiles or report.breaks or report.limit_reached)
    yield "good" if good else "warn", f"  {report.state}"
    if report.compiles:
        counted = f"{plural(report.compiles, 'compile')}, {plural(report.recompiles, 'recompile')}"
        counted += f", {plural(report.relinks, 'relink')}" if report.relinks else ""
        yield "", f"  {counted}, {report.compile_seconds:.3f} s"
    if report.calls is not None and report.calls.total:
        yield "", f"  {report.calls}"
    for event in report.events:
        if event.kind in (RECOMPILE, RELINK):
            yield from recompile_lines(event, verbose=verbose)
        elif event.kind == LIMIT:
            yield from _limit_lines(event, verbose=verbose)
        elif event.kind == DROP:
            yield "warn", f"  {event.text}"
    for each in report.breaks:
        yield from break_lines(each)
    first = next((entry for entry in report.entries if not entry.plain), None)
    for entry in report.entries:
        yield from _entry_lines(entry, None if verbose or entry is first else first, verbose=verbose)


def event_lines(event: Event) -> Iterator[Line]:
    """One event by itself, with the function it happened to."""
    from .collect import break_reports

    if event.kind == COMPILE:
        compiled = f"compiled entry {event.entry} ({event.seconds:.3f} s)"
        yield "", f"{event.function} ({event.file}:{event.line}) {compiled}{_over(event)}"
    elif event.kind in (RECOMPILE, RELINK):
        yield "title", f"{event.function} ({event.file}:{event.line})"
        yield from recompile_lines(event)
    elif event.kind == LIMIT:
        yield from _limit_lines(event, verbose=False)
    elif event.kind == LOAD:
        loaded = f"found entry {event.entry} on disk ({event.seconds:.3f} s)"
        yield "", f"{event.function} ({event.file}:{event.line}) {loaded}"
    elif event.kind == DROP:
        yield "warn", f"{event.function} ({event.file}:{event.line}): {event.text}"
    else:
        yield "title", f"{event.function} ({event.defined[0]}:{event.defined[1]})"
        found = break_reports([event])
        for each in found:
            yield from break_lines(each)
        if not found:
            yield "bad", f"  runs as plain Python: {event.text}"


def recompile_lines(event: Event, *, verbose: bool = False) -> Iterator[Line]:
    """Why a function compiled again: the entry that came closest, and what it would have taken for it to fit."""
    if event.kind == RELINK and not event.shared:
        yield "", f"  entry {event.entry} was linked to other objects in {event.seconds:.3f} s, without a trace"
    elif event.kind == RELINK:
        yield "", f"  entry {event.entry} runs the code of {event.shared}, traced and linked in {event.seconds:.3f} s"
    else:
        yield "bad", f"  compiled again as entry {event.entry} ({event.seconds:.3f} s){_over(event)}"
    if event.unlike:
        yield "warn", f"    no code could be shared: {event.unlike}"
    yield from _why_lines(event, verbose=verbose)


def _over(event: Event) -> str:
    """The words that say whose code an entry runs that has no code of its own yet; empty for any other."""
    return f", with the code of {event.shared}" if event.shared else ""


def _limit_lines(event: Event, *, verbose: bool) -> Iterator[Line]:
    yield "bad", f"  {event.text.split('. The last miss')[0]}"
    yield from _why_lines(event, verbose=verbose)
    for setting in ("recompile_limit", "entry_limit"):
        if f"gl.config.{setting}" in event.text:
            yield "edit", f"    or raise gl.config.{setting} (GUARDLIFT_{setting.upper()})"


def _why_lines(event: Event, *, verbose: bool) -> Iterator[Line]:
    nearest = event.nearest()
    for reason in nearest:
        yield from reason_lines(reason)
    others = {reason.entry for reason in event.failures or event.reasons} - {reason.entry for reason in nearest}
    if others and not verbose:
        yield "dim", f"    ({plural(len(others), 'other entry', 'other entries')} differed in as much or more)"
    for number in sorted(others) if verbose else ():
        yield "dim", f"    entry {number} would have needed:"
        for reason in event.failures or event.reasons:
            if reason.entry == number:
                yield "dim", f"      {reason.change()}" + (f"  ({reason.where})" if reason.where else "")


def reason_lines(reason: Reason) -> Iterator[Line]:
    """One fact that failed: expression, old and new value, the line that made it matter, the edit that avoids it."""
    yield "warn", f"    {reason.change()}  (entry {reason.entry}, {reason.guard})"
    if reason.where:
        yield "code", f"      matters at {reason.where}"
    if reason.edit:
        yield "edit", f"      to avoid it: {reason.edit}"
    elif reason.no_edit:
        yield "dim", f"      no edit known: {reason.no_edit}"


def break_lines(found: BreakReport) -> Iterator[Line]:
    """One graph break, with a caret below the part of the line that caused it."""
    yield "bad", f"  graph break {found.code} at {found.file}:{found.line}"
    if found.source:
        start, end = found.columns if found.columns[0] >= 0 else (0, len(found.source))
        yield "code", f"      {found.source}"
        yield "bad", f"      {' ' * start}{'^' * max(end - start, 1)}"
    yield "warn", f"    {found.what}"
    then = "the whole call runs as plain Python" if found.whole else "Python runs this itself, compiled code the rest"
    yield "", f"    {found.why}; {then}."
    if found.passed:
        from .show.screen import micros_text

        took = "" if found.microseconds is None else f", and Python took {micros_text(found.microseconds)} each time"
        yield "", f"    calls came by it {plural(found.passed, 'time')}{took}"
    for each in found.led_to:
        yield "", f"    because of it, Python also runs {each}"
    yield "edit", f"    remedy: {found.remedy}"


def backward_line(report: BackwardReport) -> str:
    """The memory that a forward keeps and that its backward holds; without hooks too where they make a difference."""
    kept, peak = f"{report.kept:,} bytes", f"about {report.peak:,}"
    if report.kept != report.kept_without_hooks or report.peak != report.peak_without_hooks:
        kept += f" ({report.kept_without_hooks:,} without hooks)"
        peak += f" ({report.peak_without_hooks:,})"
    return f"keeps {kept} for backward, which holds {peak} at once"


def _entry_lines(entry: EntryReport, first: EntryReport | None, *, verbose: bool) -> Iterator[Line]:
    """One entry; beside a `first` one only the guards that this one does not share with it."""
    yield from _entry_head(entry)
    yield from _input_lines(entry, verbose=verbose)
    for each in entry.backward:
        yield "", f"    {backward_line(each)}"
    if entry.stale:
        yield "warn", f"    stale, so that no call fits it: {entry.stale}"
    yield from _guard_lines(entry, first, verbose=verbose)
    yield from _assumption_lines(entry, verbose=verbose)
    if verbose:
        yield from _block("graph", entry.graph)
        yield from _block("entry code", entry.code)
        yield from _kernel_blocks(entry)


def _entry_head(entry: EntryReport) -> Iterator[Line]:
    """The parts of an entry, and the number of calls that it served."""
    served = f"; served {plural(entry.served, 'call')}" if entry.served is not None else ""
    kernels, steps = plural(len(entry.kernels), "kernel"), plural(entry.steps, "step")
    plan = f"{kernels} in {steps}, arena of {entry.arena_bytes} bytes"
    if entry.plain:
        count = f", {entry.served} so far" if entry.served is not None else ""
        yield "", f"  entry {entry.number}: such calls run as plain Python, found at once{count}"
    elif not entry.seconds:
        yield "", f"  entry {entry.number}: its plan was dropped{served}"
    elif entry.loaded:
        loaded = f"found on disk, linked in {entry.seconds['total'] * 1e3:.1f} ms"
        yield "", f"  entry {entry.number}: {plan}; {loaded}{served}"
    else:
        traced = f"{plural(entry.instructions, 'instruction')} traced at {entry.microseconds_per_instruction:.1f} us"
        yield "", f"  entry {entry.number}: {plan}; {traced}{served}"
        phases = ", ".join(
            f"{name} {entry.seconds[name] * 1e3:.1f} ms"
            for name in ("trace", "passes", "lower", "kernels")
            if name in entry.seconds
        )
        made = f"{entry.kernels_compiled} compiled, {entry.kernels_loaded} from the cache"
        yield "dim", f"    {phases} ({made})"


def _input_lines(entry: EntryReport, *, verbose: bool) -> Iterator[Line]:
    if entry.plain or entry.loaded or not entry.seconds:
        return
    inputs = entry.inputs if verbose else entry.inputs[:INPUTS_SHOWN]
    more = f", and {len(entry.inputs) - len(inputs)} more" if len(inputs) < len(entry.inputs) else ""
    yield "", f"    inputs: {', '.join(inputs) or 'none'}{more}"
    if entry.bindings:
        sets = plural(len(entry.bindings), "set")
        yield "", f"    bound to {sets} of sizes so far, the last {entry.bindings[-1]}"


def _guard_lines(entry: EntryReport, first: EntryReport | None, *, verbose: bool) -> Iterator[Line]:
    shared = {guard.fact for guard in first.guards} if first else set()
    guards = [guard for guard in entry.guards if guard.fact not in shared]
    if guards:
        cost = f", which takes about {entry.guard_microseconds} us to ask" if entry.guard_microseconds else ""
        yield "", f"    holds while, unlike entry {first.number}," if first else f"    holds while{cost}"
    listed = guards if verbose else guards[:GUARDS_SHOWN]
    width = min(max((len(guard.fact) for guard in listed), default=0), 44)
    for guard in listed:
        where = f"  # {guard.where}" if guard.where else ""
        yield "code", f"      {guard.fact:<{width}}{'  [native]' if guard.native else '':<10}{where}".rstrip()
    if len(listed) < len(guards):
        kinds = Counter(guard.kind for guard in guards[len(listed) :])
        yield "dim", f"      and {', '.join(f'{count} of kind {kind!r}' for kind, count in kinds.most_common())}"


def _kernel_blocks(entry: EntryReport) -> Iterator[Line]:
    for kernel in entry.kernels:
        yield from _block(f"kernel {kernel.name}, run {plural(kernel.uses, 'time')}", kernel.text)


def _assumption_lines(entry: EntryReport, *, verbose: bool) -> Iterator[Line]:
    """Lines for facts that an entry relies on without asking, by kind, those of a kind counted where there are many."""
    shown = entry.assumptions if verbose else entry.assumptions[:KINDS_SHOWN]
    if shown:
        count = sum(group.count for group in entry.assumptions)
        yield "", f"    relies, without asking at each call, on {plural(count, 'fact')}"
    for group in shown:
        where = f"  # {group.where}" if group.where else ""
        if group.count > len(group.facts):
            yield "code", f"      {group.count} on {group.kind}, such as {group.facts[0]}{where}"
            continue
        for fact in group.facts:
            yield "code", f"      {fact}{where}"
    if len(shown) < len(entry.assumptions):
        yield "dim", f"      and {sum(group.count for group in entry.assumptions[len(shown) :])} of other kinds"


def _block(title: str, text: str) -> Iterator[Line]:
    if text:
        yield "", f"    {title}"
        for line in text.rstrip("\n").splitlines():
            yield "dim", f"      {line}"
