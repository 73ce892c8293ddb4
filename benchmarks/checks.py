"""What the checks in native loops cost: bounds of indices, Python ints that leave int64, divisors of zero.

    python -P benchmarks/checks.py [--rounds 9] [name ...]

Each program of tests/gallery that has native loops with checks is compiled twice: as it is, and with every check
dropped from the loops' programs, which is right for the inputs at hand since none of them leaves a loop. The last
column drops what else leaving costs: loops that may leave work on copies of arrays from outside. Nothing asserts.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse  # noqa: E402
import copy  # noqa: E402
import statistics  # noqa: E402
import sys  # noqa: E402
import warnings  # noqa: E402
from collections.abc import Callable, Iterator  # noqa: E402
from contextlib import ExitStack, contextmanager  # noqa: E402
from dataclasses import dataclass, replace  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import Any  # noqa: E402
from unittest import mock  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "benchmarks")]  # the gallery before its benchmark, which bears its name

from gallery import PROGRAMS, Program  # noqa: E402
from timing import alternate_calls, print_columns, text  # noqa: E402

import guardlift as gl  # noqa: E402
from guardlift.frontend.control_flow.elements import enter  # noqa: E402
from guardlift.frontend.regions import finish, standalone  # noqa: E402
from guardlift.frontend.regions.builder import Region  # noqa: E402
from guardlift.loop_ir import ir  # noqa: E402

Body = tuple[ir.Statement, ...]
CHECK = (ir.Leave(),)


@dataclass(frozen=True)
class Measured:
    """One program's times in seconds, and how many checks its loops have; `inner`: those in innermost loops."""

    name: str
    checks: int
    inner: int
    checked: float
    unchecked: float
    in_place: float

    @property
    def ratio(self) -> float:
        """The time with checks over that without."""
        return self.checked / self.unchecked


def checks_in(body: Body, *, innermost: bool = False) -> int:
    """How many checks the statements hold; `innermost`: only those in loops that hold no loop."""
    found = 0
    for each in body:
        if isinstance(each, (ir.Count, ir.Repeat, ir.InnerLoop)):
            last = not any(isinstance(inner, (ir.Count, ir.Repeat)) for inner in ir.walk(each.body))
            found += checks_in(each.body, innermost=innermost and not last)
        elif isinstance(each, ir.Fail):
            found += not innermost
        elif isinstance(each, ir.If):
            found += each.then == CHECK and not innermost and each.condition != "status"
            found += checks_in(each.then, innermost=innermost) + checks_in(each.otherwise, innermost=innermost)
    return found


def without_checks(body: Body) -> Body:
    """The statements without those that only leave the loop where a condition holds."""
    found: list[ir.Statement] = []
    for each in body:
        if isinstance(each, ir.Fail):
            continue
        if isinstance(each, ir.If):
            if each.then == CHECK and not each.otherwise:
                continue
            each = replace(each, then=without_checks(each.then), otherwise=without_checks(each.otherwise))
        elif isinstance(each, (ir.Count, ir.Repeat, ir.InnerLoop)):
            each = replace(each, body=without_checks(each.body))
        found.append(each)
    return tuple(found)


@contextmanager
def compiled_without_checks(counts: list[tuple[int, int]], *, in_place: bool = False) -> Iterator[None]:
    """A context in which the programs of native loops lose their checks; `counts` gets how many each has had."""
    live, made = finish.without_dead, finish.finish_region

    def cleaned(body: Body) -> Body:
        body = live(body)
        counts.append((checks_in(body), checks_in(body, innermost=True)))
        return live(without_checks(body))

    def finish_in_place(region: Region, numbers: list[Any]) -> list[Any]:
        region.leaves = region.leaves and not in_place
        return made(region, numbers)

    with ExitStack() as stack:
        stack.enter_context(mock.patch.object(finish, "without_dead", cleaned))
        for user in (enter, standalone):
            stack.enter_context(mock.patch.object(user, "finish_region", finish_in_place))
        yield


def compiled(program: Program, arguments: tuple[Any, ...]) -> Callable[..., Any]:
    """The program, jitted and called for these arguments."""
    jitted = gl.jit(program.function)
    for _ in range(2):
        jitted(*copy.deepcopy(arguments))
    return jitted


def measure(program: Program, rounds: int) -> Measured | None:
    """The figures of one program; None where it has no checks."""
    arguments = program.inputs(program.bench, 0)
    counts: list[tuple[int, int]] = []
    with compiled_without_checks(counts):
        unchecked = compiled(program, arguments)
    if not any(number for number, _ in counts):
        return None
    with compiled_without_checks([], in_place=True):
        in_place = compiled(program, arguments)
    functions = {"checked": compiled(program, arguments), "unchecked": unchecked, "in_place": in_place}
    times = alternate_calls(functions, arguments, rounds=rounds)
    checks, inner = max(counts)
    return Measured(program.name, checks, inner, **times)


def main() -> int:
    """Measures the programs named, or all; 0 always, since figures of a shared machine are no verdict."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="name", help=f"of {', '.join(PROGRAMS)}")
    parser.add_argument("--rounds", type=int, default=9, help="how often each takes its turn")
    options = parser.parse_args()
    unknown = set(options.names) - set(PROGRAMS)
    if unknown:
        parser.error(f"no such program: {', '.join(sorted(unknown))}")
    warnings.simplefilter("ignore")  # graph breaks
    rows = []
    for name in options.names or PROGRAMS:
        row = measure(PROGRAMS[name], options.rounds)
        if row is not None:
            rows.append(row)
            print(f"\r{len(rows)} {name:<30}", end="", file=sys.stderr, flush=True)
    lines = [
        (row.name, str(row.checks), str(row.inner), text(row.checked), text(row.unchecked), f"{row.ratio:.2f}x",
         f"{row.checked / row.in_place:.2f}x") for row in rows
    ]  # fmt: skip
    heads = ("", "checks", "innermost", "with", "without", "", "and in place")
    print_columns("Checks in native loops (one thread, medians)", [heads, *lines])
    if rows:
        mean = statistics.geometric_mean(row.ratio for row in rows)
        print_columns("Geometric mean", [(f"over {len(rows)} programs", f"{mean:.2f}x the time without checks")])
    return 0


if __name__ == "__main__":
    sys.exit(main())
