"""Timing as the benchmarks do it: several rounds in turn, medians, and ratios within one run."""

from __future__ import annotations

import argparse
import copy
import statistics
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Task = Callable[[], object]


@dataclass(frozen=True)
class Row:
    """One line of the table: what was measured, the figure with its unit, what to compare it with, what is aimed at."""

    name: str
    figure: str
    reference: str = ""
    aim: str = ""
    met: bool | None = None


def share(name: str, ours: float, other: float, aim: float | None = None) -> Row:
    """What share of another's time ours takes, and whether that is at most `aim`."""
    ratio = ours / other
    met = None if aim is None else ratio <= aim
    return Row(name, f"{ratio:.2f}x", f"{text(ours)} / {text(other)}", f"<= {aim:g}x" if aim else "", met)


def alternate(tasks: Mapping[str, Task], *, rounds: int = 15, seconds: float = 0.02) -> dict[str, float]:
    """The median time of one call of each task, in seconds.

    Tasks take turns, so that a busy neighbour slows them all alike.
    """
    counts = {name: _count(task, seconds) for name, task in tasks.items()}
    times: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(rounds):
        for name, task in tasks.items():
            times[name].append(_run(task, counts[name]))
    return {name: statistics.median(values) for name, values in times.items()}


def alternate_calls(
    functions: Mapping[str, Callable[..., object]],
    arguments: tuple[Any, ...],
    *,
    rounds: int = 7,
    seconds: float = 0.02,
) -> dict[str, float]:
    """The median time of one call of each function, in seconds; every call gets a copy of the arguments of its own.

    For functions that write into their arguments. Making the copies is not timed. Functions take turns.
    """
    times: dict[str, list[float]] = {name: [] for name in functions}
    for _ in range(rounds):
        for name, function in functions.items():
            calls: list[float] = []
            while not calls or sum(calls) < seconds and len(calls) < 20:
                calls.append(timed(function, copy.deepcopy(arguments)))
            times[name].append(statistics.median(calls))
    return {name: statistics.median(values) for name, values in times.items()}


def timed(function: Callable[..., object], arguments: tuple[Any, ...]) -> float:
    """How long one call takes, in seconds."""
    start = time.perf_counter()
    function(*arguments)
    return time.perf_counter() - start


def _count(task: Task, seconds: float) -> int:
    count = 1
    while True:
        spent = _run(task, count) * count
        if spent > seconds / 4 or count > 10**7:
            return max(1, round(count * seconds / max(spent, 1e-9)))
        count *= 4


def _run(task: Task, count: int) -> float:
    repeat = range(count)
    start = time.perf_counter()
    for _ in repeat:
        task()
    return (time.perf_counter() - start) / count


def text(seconds: float) -> str:
    """A time with a unit that suits it."""
    for unit, scale in (("s", 1.0), ("ms", 1e3), ("us", 1e6)):
        if seconds * scale >= 1:
            return f"{seconds * scale:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def options_of(doc: str | None, known: Collection[str], rounds: int = 7) -> argparse.Namespace:
    """The command line of a benchmark of named programs: `names`, of which none means all, and `rounds`."""
    parser = argparse.ArgumentParser(description=(doc or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="name", help=f"of {', '.join(known)}")
    parser.add_argument("--rounds", type=int, default=rounds, help="how often each takes its turn")
    options = parser.parse_args()
    unknown = set(options.names) - set(known)
    if unknown:
        parser.error(f"no such program: {', '.join(sorted(unknown))}")
    return options


def print_table(title: str, rows: list[Row]) -> None:
    """The rows in columns."""
    verdicts = {True: "met", False: "NOT MET", None: ""}
    cells = [(row.name, row.figure, row.reference, row.aim, verdicts[row.met]) for row in rows]
    print_columns(title, [("", "figure", "reference", "aim", ""), *cells])


def print_columns(title: str, lines: Sequence[Sequence[str]]) -> None:
    """Lines of as many cells each, the heads first."""
    widths = [max(map(len, column)) for column in zip(*lines)]
    print(f"\n{title}")
    for line in lines:
        print("  " + "  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())
