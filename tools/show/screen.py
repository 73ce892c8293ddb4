"""The answer in one screen: what a program's functions cost in compiles, and the causes, the dearest first.

    guard-explain  train.py  exit 0  3 functions, 12 compiles (9 again); 4.1 s compiling

    1  3.1 s  step   len(history) 1 → 2 → … → 8          7 recompiles, 212 calls plain
              called at train.py:31   out = step(history, 0.9)
              matters at model.py:7   total = history[0] * 0.0
              fix: stack history into one array   would have saved 7 of 8 compiles, 3.1 s

Lines are cut and wrapped here, for the width at hand, so that terminals and files get the same ones.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from typing import TextIO

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from ...core.events import LIMIT, PLAIN, plural
from ...core.records import replace
from ..causes import Cause, causes
from ..report import BreakReport, CallsReport, Report
from .places import file_text, place_text, short_name, visible
from .terminal import WIDTH, Line, wants_color, width_of, write_lines

ROWS = 23
"""Rows of an answer: a terminal of 24 rows has one more, for the prompt that follows."""
WORDS = 480
"""Characters of the longest edit."""
INDENT = 10
SITES_SHOWN = 3
"""Lines that called, of one cause, which are shown where the values differ from one to the other."""
EXPRESSION_SHOWN = 20
"""Columns of an expression that are shown at least where the values that it had are."""
NAME_SHOWN = 20
"""Columns of the longest name that the names of other functions are aligned with."""

Block = list[Line]


def screen_lines(
    reports: Sequence[Report],
    *,
    program: str = "",
    exit_code: int = 0,
    processes: int = 1,
    width: int = WIDTH,
    rows: int = ROWS,
    more: str = "guard-explain show",
    place_of: Callable[[Cause], str] | None = None,
) -> list[Line]:
    """The answer about a program that has run, in so many rows of so many columns at most: totals, then causes.

    exit_code: minus the number of the signal that ended it, where one did.   processes: that the reports come from.
    more: the command that shows the causes for which there is no room.
    place_of: names the processes in which a cause came up, where there are several.
    """
    found = causes_of(reports)
    lines = [
        *_totals(reports, found, _title(program, exit_code, processes), exit_code, width),
        *_plain_functions(reports, width),
    ]
    names = min(max((cell_len(short_name(cause.function)) for cause in found), default=0), NAME_SHOWN)
    passes = [passes_of(reports, cause) for cause in found]
    took = [microseconds_of(reports, cause) for cause in found]
    places = [place_of(cause) if place_of is not None else "" for cause in found]
    blocks = [
        cause_lines(cause, width, number + 1, names, passes=passes[number], took=took[number], place=places[number])
        for number, cause in enumerate(found)
    ]
    shown = 0
    while shown < len(blocks):
        blank = not shown
        rest = shown + 1 < len(blocks)
        if len(lines) + blank + len(blocks[shown]) + rest > rows and shown:
            break
        lines += [("", "")] * blank + blocks[shown]
        shown += 1
    left = found[shown:]
    if left:
        seconds = sum(cause.seconds for cause in left)
        lost = f", {seconds_text(seconds)}" if seconds else ""
        lines.append(("dim", f"and {plural(len(left), 'more cause')}{lost}: {more}"))
    return lines


def causes_of(reports: Sequence[Report]) -> tuple[Cause, ...]:
    """The causes of all reports: the dearest first, then breaks, those that most calls pass first.

    Calls beyond the limit are counted that left no event.
    """
    found = list(causes([event for report in reports for event in report.events], place_edits=False))
    for report in reports:
        missing = report.misses_over_limit - sum(event.times for event in report.events if event.kind == LIMIT)
        about = [
            cause
            for cause in found
            if cause.plain_calls and (cause.function, cause.defined) == (report.name, (report.file, report.line))
        ]
        if missing > 0 and about:
            most = max(about, key=lambda cause: cause.plain_calls)
            found[found.index(most)] = replace(most, plain_calls=most.plain_calls + missing)
    return tuple(sorted(found, key=lambda cause: (-cause.seconds, cause.kind == "break", -passes_of(reports, cause))))


def passes_of(reports: Sequence[Report], cause: Cause) -> int:
    """The number of times that calls came by a graph break; 0 for another cause, and where nobody counts."""
    return sum(found.passed or 0 for found in _breaks_of(reports, cause))


def microseconds_of(reports: Sequence[Report], cause: Cause) -> float | None:
    """The time that Python took in a pass of a graph break, the mean over reports; None where nobody took it."""
    times = [found.microseconds for found in _breaks_of(reports, cause) if found.microseconds is not None]
    return sum(times) / len(times) if times else None


def _breaks_of(reports: Sequence[Report], cause: Cause) -> Iterator[BreakReport]:
    """The graph breaks that a cause stands for; none for another cause."""
    for report in reports:
        if cause.kind == "break" and (report.name, (report.file, report.line)) == (cause.function, cause.defined):
            yield from (each for each in report.breaks if (each.code, each.what) == (cause.code, cause.expression))


def cause_lines(
    cause: Cause,
    width: int = WIDTH,
    number: int = 1,
    names: int = 0,
    *,
    passes: int = 0,
    took: float | None = None,
    place: str = "",
    every_site: bool = False,
) -> Block:
    """One cause: what changed and what that cost, the lines that called and that made it matter, and the edit.

    names: columns that the function's name takes at least.   passes: of a graph break, how often calls came by it.
    took: of a graph break, the microseconds of a pass in Python.   place: the processes in which it came up, in words.
    every_site: show all lines that called.
    """
    broke = cause.kind == "break"
    cost = cause.code if broke else seconds_text(cause.seconds) if cause.seconds else ""
    name = short_name(cause.function)
    head = f"{number:<2} {cost:<6} {name + ' ' * (names - cell_len(name))}  "
    counted = _counted(cause, passes, took)
    head += _what(cause, width - cell_len(head), counted)
    lines = _beside([("bad", cut(head, width))], counted, width)
    lines += _places(cause, width, every_site)
    lines += [("dim", cut(f"{' ' * INDENT}in {place}", width))] if place else []
    lines += [("warn", cut(f"{' ' * INDENT}also: {visible(each)}", width)) for each in cause.also[:1]]
    if cause.led_to:
        follow = f"and {plural(len(cause.led_to), 'more break')} that follow{'s' * (len(cause.led_to) == 1)} from it"
        lines.append(("dim", cut(" " * INDENT + follow, width)))
    if cause.edit:
        lines += _beside(wrapped("edit", f"fix: {visible(cause.edit, longest=WORDS)}", width), _saved(cause), width)
    else:
        why = visible(cause.no_edit, longest=WORDS)
        lines += wrapped("edit", f"no edit known{why and ': '}{why}", width)
    return lines


def write_screen(reports: Sequence[Report], stream: TextIO, *, program: str = "", exit_code: int = 0) -> None:
    """Prints `screen_lines` to a stream, in its width, and in colours where these are wanted."""
    lines = screen_lines(reports, program=program, exit_code=exit_code, width=width_of(stream))
    write_lines(lines, stream, color=wants_color(stream))


def _what(cause: Cause, width: int, beside: str) -> str:
    """The expression with the values it had; what broke the graph.

    An expression that is too long is cut so that its values, and the words beside it, have room.
    """
    if cause.kind == "break" or not cause.expression:
        return visible(cause.expression) or "an entry that was dropped, or no longer stands"
    expression, chain = visible(cause.expression), visible(cause.chain)
    room = width - cell_len(chain) - cell_len(beside) - 4
    if cell_len(expression) + 1 + cell_len(chain) > width and room >= EXPRESSION_SHOWN:
        expression = cut(expression, room)
    return f"{expression} {chain}".rstrip()


def _counted(cause: Cause, passes: int, took: float | None) -> str:
    """The words that say how often."""
    if cause.kind == "break":
        each = "" if took is None else f", {micros_text(took)} each"
        return f"passed {passes:,} time{'s' * (passes != 1)}{each}" if passes else ""
    again = [plural(cause.recompiles, "recompile")] if cause.recompiles else []
    again += [plural(cause.relinks, "relink")] if cause.relinks else []
    if not cause.plain_calls:
        return ", ".join(again)
    plain = f"{plural(cause.plain_calls, 'call')} in plain Python"
    return f"{', '.join(again)}, then {plain}" if again else plain


def _saved(cause: Cause) -> str:
    """The words that say what the edit would have saved."""
    if not cause.saved:
        return ""
    of = f" of {cause.compiles}" if cause.compiles > cause.saved else ""
    compiles = f"{cause.saved}{of} compile{'s' * (max(cause.saved, cause.compiles) != 1)}"
    seconds = f", {seconds_text(cause.saved_seconds)}" if cause.saved_seconds else ""
    return f"would have saved {compiles}{seconds}"


def _places(cause: Cause, width: int, every_site: bool) -> Block:
    """The lines that called, changed what was relied on, and at which it matters, the text of all in one column.

    Of the lines that called one is shown, some more where their values differ, or all of them with `every_site`.
    """
    chains = [f"  {cut(visible(chain), width // 3)}" for chain in cause.site_chains]
    count = len(cause.sites) if every_site else SITES_SHOWN if chains else 1
    left = len(cause.sites) - count
    more = f"and {plural(left, 'more place')}" if left > 0 else ""
    rows = [("and at" if number else "called at", place) for number, (place, _) in enumerate(cause.sites[:count])]
    beside = chains[:count] if chains else [f"  {more}"] * bool(more)
    rows += [("changed at", cause.done_at), ("broke at" if cause.kind == "break" else "matters at", cause.at)]
    shown = [(f"{label} {place_text(*at[:2])}", visible(at[2])) for label, at in rows if at[1]]
    column = max((cell_len(place) for place, _ in shown), default=0)
    beside += [""] * (len(shown) - len(beside))
    lines: Block = [
        ("code", _with_right(f"{' ' * INDENT}{place}{' ' * (column - cell_len(place))}   {source}", right, width))
        for (place, source), right in zip(shown, beside, strict=True)
    ]
    if cause.kind == "break":
        lines = lines[-1:] + lines[:-1]
    if chains and more:
        lines.insert(count, ("dim", f"{' ' * INDENT}{more}"))
    return lines


def _with_right(text: str, right: str, width: int) -> str:
    """The text, cut to leave room for `right`, which stands at the right edge."""
    shown = cut(text, width - cell_len(right))
    return f"{shown}{' ' * (width - cell_len(shown) - cell_len(right))}{right}".rstrip()


def _title(program: str, exit_code: int, processes: int) -> str:
    """The words on the program, in front of the totals; none where no program is named."""
    if not program:
        return ""
    ended = f"exit {exit_code}" if exit_code >= 0 else f"ended by {_signal_name(-exit_code)}"
    several = f"  {processes} processes" if processes > 1 else ""
    return f"guard-explain  {file_text(program)}  {ended}{several}   "


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _totals(reports: Sequence[Report], found: Sequence[Cause], title: str, exit_code: int, width: int) -> Block:
    functions = len({(report.name, report.file, report.line) for report in reports})
    compiles, again = (sum(getattr(report, name) for report in reports) for name in ("compiles", "recompiles"))
    counted = [plural(functions, "function"), plural(compiles, "compile") + (f" ({again} again)" if again else "")]
    breaks = sum(cause.kind == "break" for cause in found)
    counted += [plural(breaks, "graph break")] if breaks else []
    seconds = sum(report.compile_seconds for report in reports)
    totals = f"{', '.join(counted)}; {seconds_text(seconds)} compiling"
    rows = [title + totals] if cell_len(title + totals) <= width else [title.rstrip(), totals] if title else [totals]
    lines = [line for row in rows for line in wrapped("title", row, width, indent=0)]
    if not reports:
        return lines if exit_code else [*lines, ("warn", "no function was jitted: put @gl.jit above one")]
    known = [report.calls for report in reports if report.calls is not None]
    calls = CallsReport(*(sum(getattr(each, name) for each in known) for name in ("hits", "misses", "plain")))
    if calls.total:
        lines.append(("", cut(str(calls), width)))
    if compiles and not found:
        lines.append(("good", "nothing compiled again, and no graph broke"))
    return lines


def _plain_functions(reports: Sequence[Report], width: int) -> Iterator[Line]:
    """A line on functions that `jit` left alone, or of which no call was compiled: the first one, and how many more."""
    told = {}
    for report in reports:
        why = report.left_alone or next((event.text for event in report.events if event.kind == PLAIN), "")
        if why:
            told[report.name, report.file, report.line] = f"{short_name(report.name)} runs as plain Python: {why}"
    if told:
        others = f" (and {len(told) - 1} more)" if len(told) > 1 else ""
        yield "warn", cut(visible(next(iter(told.values()))), width - len(others)) + others


def micros_text(microseconds: float) -> str:
    """A time in microseconds as people read it: 0.35 us, 12 us, 3 ms."""
    if microseconds >= 1000:
        return seconds_text(microseconds * 1e-6)
    return f"{microseconds:.0f} us" if microseconds >= 10 else f"{microseconds:.2g} us"


def seconds_text(seconds: float) -> str:
    """A time in seconds or, if it is short, in milliseconds."""
    return f"{seconds:.1f} s" if seconds >= 0.1 else f"{seconds * 1e3:.0f} ms"


def _beside(block: Block, right: str, width: int) -> Block:
    """The lines with `right` at the end of the last row where there is room, else in a row of its own."""
    style, last = block[-1]
    if not right:
        return block
    if cell_len(last) + cell_len(right) + 3 <= width:
        return [*block[:-1], (style, last + " " * (width - cell_len(last) - cell_len(right)) + right)]
    return [*block, (style, cut(" " * INDENT + right, width))]


def cut(text: str, width: int) -> str:
    """The text, cut with `…` where it is wider."""
    shown = Text(text.rstrip())
    shown.truncate(width, overflow="ellipsis")
    return shown.plain


def wrapped(style: str, text: str, width: int, *, indent: int = INDENT) -> Block:
    """The text in lines that end between words; `indent` columns stay free before each, or before all but the first."""
    console = Console(width=width, color_system=None)
    rows = Text(text).wrap(console, width - (indent or 2), overflow="ellipsis")
    margin = [" " * indent] + [" " * (indent or 2)] * (len(rows) - 1)
    return [(style, (space + row.plain).rstrip()) for space, row in zip(margin, rows, strict=True)]
