"""The messages that `gl.config.logs` asks for, of loggers of `logging`. One function for each kind, under `@writes`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...core.config import LOG_KINDS, config
from ...core.events import BREAK, PLAIN, RECOMPILE, RELINK, Event, Reason, plural
from ...guards.assumptions import grouped
from ...guards.entry import Entry

Writer = Callable[[Event, Entry | None], list[str]]
COUNTED = frozenset(10**power for power in range(1, 19))
"""Misses beyond the limit at which the log says how many there were."""
WRITERS: dict[str, Writer] = {}
"""By kind; the kinds are those of `LOG_KINDS`."""


def writes(kind: str) -> Callable[[Writer], Writer]:
    """Declares the writer of one kind of log. It gives the lines for an event, none for another's."""
    assert kind in LOG_KINDS, kind

    def declare(writer: Writer) -> Writer:
        WRITERS[kind] = writer
        return writer

    return declare


def log(event: Event, entry: Entry | None = None) -> None:
    """Write what the settings ask for about `event`; `entry` is what it compiled, if it compiled something."""
    for kind in config.logs:
        lines = WRITERS[kind](event, entry)
        if lines:
            from .log_stream import send

            send(kind, lines)


def logs_recompiles() -> bool:
    """Whether recompiles, and misses beyond the limit, are logged."""
    return "recompiles" in config.logs


def log_miss(function: str, misses: int, event: Event | None, told: set[object]) -> None:
    """Log a miss beyond the limit: one line for each cause, those in `told` left out, and a count now and then.

    misses: beyond the limit so far.   event: tells of this one, if it was looked at.
    """
    from .log_stream import send

    if event is not None:
        cause = tuple((reason.expression, reason.at[:2]) for reason in event.nearest())
        if cause not in told:
            told.add(cause)
            send("recompiles", [event.text, *_call(event)])
    if misses in COUNTED:
        send("recompiles", [f"{function}: {misses} calls have run as plain Python beyond the limit"])


def recompile_text(event: Event) -> str:
    """The name of a function that compiled again and, for each entry it had, the fact that did not hold."""
    return "\n".join(_recompile_lines(event, event.reasons))


def _recompile_lines(event: Event, reasons: Sequence[Reason]) -> list[str]:
    again = "compiles again"
    if event.kind == RELINK:
        linked = f"has entry {event.entry} linked again"
        again = f"has one more entry with the code of {event.shared}" if event.shared else linked
    lines = [f"{event.function} ({event.file}:{event.line}) {again}:", *_call(event)]
    for reason in reasons:
        lines.append(f"  entry {reason.entry}: {reason.text}")
        if reason.where:
            lines.append(f"    relied on at {reason.where}")
    others = len({reason.entry for reason in event.reasons} - {reason.entry for reason in reasons})
    return (
        [*lines, f"  {plural(others, 'other entry', 'other entries')} differed in as much or more"] if others else lines
    )


def _call(event: Event) -> list[str]:
    """The user's line that made the call, where it is known."""
    if not event.called_from:
        return []
    file, line, text = event.called_from[0]
    return [f"  called at {file}:{line}" + (f": {text}" if text else "")]


@writes("recompiles")
def _recompiles(event: Event, entry: Entry | None) -> list[str]:
    return _recompile_lines(event, event.nearest()) if event.kind in (RECOMPILE, RELINK) else []


@writes("breaks")
def _breaks(event: Event, entry: Entry | None) -> list[str]:
    if event.kind not in (BREAK, PLAIN):
        return []
    return [f"{event.function} {'runs as plain Python' if event.whole else 'is split'}: {event.text}", *_call(event)]


@writes("guards")
def _guards(event: Event, entry: Entry | None) -> list[str]:
    if entry is None:
        return []
    lines = [f"entry {entry.number} of {event.function} ({event.file}:{event.line}) holds while"]
    for guard in entry.guards:
        lines.append(f"  {guard.fact()}" + (f"    # {guard.where}" if guard.where else ""))
    if entry.assumptions:
        lines.append("and, without asking at each call, while")
    for group in grouped(entry.assumptions):
        where = f"    # {group.where}" if group.where else ""
        if group.count > len(group.facts):
            lines.append(f"  {group.count} facts on {group.kind}, such as {group.facts[0]}{where}")
        else:
            lines += [f"  {fact}{where}" for fact in group.facts]
    return lines


@writes("graphs")
def _graphs(event: Event, entry: Entry | None) -> list[str]:
    if entry is None or "graph" not in entry.details:
        return []
    from ...graph.printer import print_graph

    text = print_graph(entry.details["graph"], locations=True)
    return [f"entry {entry.number} of {event.function} ({event.file}:{event.line})", *text.splitlines()]


@writes("aot_graphs")
def _aot_graphs(event: Event, entry: Entry | None) -> list[str]:
    records = entry.details.get("aot", ()) if entry is not None else ()
    lines: list[str] = []
    for number, each in enumerate(records):
        assert entry is not None
        which = f", backward {number + 1} of {len(records)}" if len(records) > 1 else ""
        lines.append(f"entry {entry.number} of {event.function} ({event.file}:{event.line}){which}")
        lines += each.lines(entry.details["graph"])
    return lines


@writes("kernels")
def _kernels(event: Event, entry: Entry | None) -> list[str]:
    if entry is None or "compiled" not in entry.details:
        return []
    made, compiled = entry.details["kernels"], entry.details["compiled"]
    lines = [
        f"entry {entry.number} of {event.function} ({event.file}:{event.line}): {len(compiled.kernels)} kernels in "
        f"{len(compiled.calls)} steps; {made['compiled']} compiled, {made['loaded']} loaded from disk, "
        f"{entry.seconds['kernels']:.3f} s"
    ]
    for report in compiled.kernels:
        lines += [f"kernel {report.name}, run {report.uses} times", *("  " + line for line in report.text.splitlines())]
    return lines


@writes("hints")
def _hints(event: Event, entry: Entry | None) -> list[str]:
    names = entry.details.get("moving gradients", ()) if entry is not None else ()
    if entry is None or not names:
        return []
    place = f"entry {entry.number} of {event.function} ({event.file}:{event.line})"
    return [f"{place} reads gradients that lie elsewhere after each backward: a device graph would copy them", *names]


assert set(WRITERS) == LOG_KINDS, "every kind of log has a writer"
