"""The programs of tests/gallery: plain NumPy, Numba's njit on the same source, and jitted by us.

    python -P benchmarks/gallery.py [--rounds 7] [name ...]

Each at the size its record names, on one thread. Numba's and ours are compiled before they are timed, for the types at
hand. Our first call compiles with an empty kernel cache. Numba gets a program as if @njit stood above every function of
its module; where it refuses, or answers otherwise than Python, the table says so. Nothing asserts.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import copy  # noqa: E402
import platform  # noqa: E402
import statistics  # noqa: E402
import sys  # noqa: E402
import tempfile  # noqa: E402
import warnings  # noqa: E402
from collections.abc import Callable, Sequence  # noqa: E402
from dataclasses import dataclass  # noqa: E402
from pathlib import Path  # noqa: E402
from types import FunctionType  # noqa: E402
from typing import Any  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "benchmarks")]  # the gallery before this file, which bears its name

import numba  # noqa: E402
import numpy as np  # noqa: E402
from gallery import PROGRAMS, Program  # noqa: E402
from timing import alternate_calls, options_of, print_columns, text, timed  # noqa: E402

import guardlift as gl  # noqa: E402

WARM_UP = 4
"""Calls before ours is timed: where a graph breaks, parts of a function compile when they are first reached."""


@dataclass(frozen=True)
class Measured:
    """One program's times in seconds; `refused` says why there is none of Numba's."""

    name: str
    numpy: float
    ours: float
    first: float
    graphs: int
    breaks: int
    numba: float | None
    refused: str


def measure(program: Program, rounds: int) -> Measured:
    """All figures of one program."""
    arguments = program.inputs(program.bench, 0)
    expected = program.function(*copy.deepcopy(arguments))
    jitted = gl.jit(program.function)
    first = timed(jitted, copy.deepcopy(arguments))
    for _ in range(WARM_UP - 1):
        jitted(*copy.deepcopy(arguments))
    peer, refused = under_numba(program, arguments, expected)
    functions: dict[str, Callable[..., Any]] = {"numpy": program.function, "ours": jitted}
    times = alternate_calls({**functions, "numba": peer} if peer else functions, arguments, rounds=rounds)
    if not alike(expected, jitted(*copy.deepcopy(arguments))):
        refused += "; OURS DIFFERS"
    report = gl.explain(jitted)
    return Measured(
        program.name, times["numpy"], times["ours"], first, report.compiles, len(report.breaks),
        times.get("numba"), refused,
    )  # fmt: skip


def under_numba(program: Program, arguments: tuple[Any, ...], expected: Any) -> tuple[Callable[..., Any] | None, str]:
    """The program compiled by Numba for these arguments; or None and why."""
    try:
        function = njitted(program.function)
        found = function(*copy.deepcopy(arguments))
    except Exception as error:  # besides its own classes Numba raises many others
        return None, f"refused: {type(error).__name__}"
    return (function, "") if alike(expected, found) else (None, "answers otherwise")


def njitted(function: FunctionType) -> Callable[..., Any]:
    """A function that is compiled by Numba, and so are the functions of its module that it calls."""
    scope = dict(function.__globals__)
    for name, each in function.__globals__.items():
        if isinstance(each, FunctionType) and each.__module__ == function.__module__:
            scope[name] = numba.njit(FunctionType(each.__code__, scope, name, each.__defaults__, each.__closure__))
    return scope[function.__name__]


def alike(one: Any, other: Any) -> bool:
    """Whether two results are the same but for rounding; lists and tuples part by part."""
    if isinstance(one, (tuple, list)):
        return len(one) == len(other) and all(map(alike, one, other))
    one, other = np.asarray(one), np.asarray(other)
    if one.shape != other.shape:
        return False
    finite = one[np.isfinite(one)]
    return np.allclose(one, other, rtol=1e-4, atol=1e-6 * float(np.abs(finite).max(initial=0.0)), equal_nan=True)


def ratio(value: float) -> str:
    """A ratio of speeds, to three digits."""
    return f"{value:,.0f}x" if value >= 1000 else f"{value:.3g}x"


def line_of(row: Measured) -> tuple[str, ...]:
    """The cells of one program."""
    peer = (text(row.numba), ratio(row.numpy / row.numba)) if row.numba else ("-", "-")
    ours = (text(row.ours), ratio(row.numpy / row.ours))
    return (row.name, text(row.numpy), *peer, *ours, text(row.first), str(row.graphs), str(row.breaks), row.refused)


def means(rows: Sequence[Measured]) -> list[tuple[str, str]]:
    """Geometric means of the ratios within the run."""
    mean = statistics.geometric_mean
    lines = [(f"ours, over all {len(rows)}", f"{ratio(mean(row.numpy / row.ours for row in rows))} NumPy's speed")]
    both = [(row.numpy / row.numba, row.numba / row.ours) for row in rows if row.numba]
    if both:
        lines += [
            (f"Numba, over the {len(both)} it takes", f"{ratio(mean(first for first, _ in both))} NumPy's speed"),
            ("ours, over these", f"{ratio(mean(second for _, second in both))} Numba's speed"),
        ]
    return lines


def main() -> int:
    """Measures the programs named, or all; 0 always, since figures of a shared machine are no verdict."""
    options = options_of(__doc__, PROGRAMS)
    warnings.simplefilter("ignore")  # graph breaks, and Numba's advice
    rows = []
    with tempfile.TemporaryDirectory() as folder, gl.config.patch(cache_dir=folder):
        gl.jit(lambda x: x + 1)(np.zeros(3))  # imports what compiling needs
        for name in options.names or PROGRAMS:
            rows.append(measure(PROGRAMS[name], options.rounds))
            print(f"\r{len(rows)} {name:<30}", end="", file=sys.stderr, flush=True)
    versions = f"CPython {platform.python_version()}, NumPy {np.__version__}, Numba {numba.__version__}"
    heads = ("", "NumPy", "Numba", "", "ours", "", "first call", "graphs", "breaks", "")
    print_columns(f"Gallery ({versions}; one thread, medians)", [heads, *map(line_of, rows)])
    print_columns("Geometric means", means(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
