"""The training programs of tests/frontend/tensors/steps: a jitted step beside eager mode.

    python -P benchmarks/steps.py [--rounds 7] [name ...]

Each program runs its thirty steps jitted, then eager and jitted steps take turns, on one thread. Nothing asserts.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import contextlib  # noqa: E402
import platform  # noqa: E402
import statistics  # noqa: E402
import sys  # noqa: E402
import tempfile  # noqa: E402
import warnings  # noqa: E402
from collections.abc import Callable  # noqa: E402
from dataclasses import dataclass  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import Any  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "benchmarks")]

import numpy as np  # noqa: E402
from frontend.tensors.steps import PROGRAMS, Program  # noqa: E402
from timing import alternate, options_of, print_columns, text  # noqa: E402

import guardlift as gl  # noqa: E402

STEPS = 30
AIM = 0.7
"""The share of eager mode's time that a jitted step may take at most."""


@dataclass(frozen=True)
class Measured:
    """One program: the graphs and compilations of its thirty steps, and the seconds that a step takes."""

    name: str
    graphs: int
    compiles: int
    jitted: float
    eager: float

    @property
    def ratio(self) -> float:
        """The share of eager mode's time."""
        return self.jitted / self.eager


def thirty_steps(program: Program, of_step: Callable[[Any], Any]) -> tuple[Callable[[], None], Any]:
    """A task that runs all steps of a program, and the step as `of_step` gives it."""
    training = program.start()
    step = of_step(training.step)
    batches = [training.batches(number) for number in range(STEPS)]

    def task() -> None:
        for batch in batches:
            step(*batch)

    return task, step


def measure(program: Program, rounds: int) -> Measured:
    """All figures of one program."""
    eager, _ = thirty_steps(program, lambda step: step)
    jitted, step = thirty_steps(program, gl.jit)
    jitted()
    report = gl.explain(step)
    jitted()
    times = alternate({"eager": eager, "jitted": jitted}, rounds=rounds)
    return Measured(
        program.name, len(report.breaks) + 1, report.compiles, times["jitted"] / STEPS, times["eager"] / STEPS
    )


def line_of(row: Measured) -> tuple[str, ...]:
    """The cells of one program."""
    met = "met" if row.ratio <= AIM else "NOT MET"
    return (row.name, str(row.graphs), str(row.compiles), text(row.jitted), text(row.eager), f"{row.ratio:.2f}x", met)


def main() -> int:
    """Measures the programs named, or all; 0 always, since figures of a shared machine are no verdict."""
    options = options_of(__doc__, PROGRAMS)
    warnings.simplefilter("ignore")  # graph breaks
    np.empty(3_000_000)  # freed at once, so that glibc keeps the pages of smaller blocks
    rows = []
    with tempfile.TemporaryDirectory() as folder, gl.config.patch(cache_dir=folder):
        for name in options.names or PROGRAMS:
            with open(os.devnull, "w", encoding="utf-8") as null, contextlib.redirect_stdout(null):
                rows.append(measure(PROGRAMS[name], options.rounds))
            print(f"\r{len(rows)} {name:<30}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    mean = statistics.geometric_mean(row.ratio for row in rows)
    versions = f"CPython {platform.python_version()}, NumPy {np.__version__}"
    heads = ("program", "graphs", "compiles", "jitted", "eager", "ratio", "")
    last = (f"geometric mean of {len(rows)}", "", "", "", "", f"{mean:.2f}x", "")
    title = f"A step of each training program ({versions}; one thread, medians); aim: <= {AIM}x of eager"
    print_columns(title, [heads, *map(line_of, rows), last])
    return 0


if __name__ == "__main__":
    sys.exit(main())
