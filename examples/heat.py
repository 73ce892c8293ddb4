"""A heated plate: the heat equation on a square with a source of heat, stepped in place, plain and jitted.

    python examples/heat.py [--size 512] [--steps 400]

u_t = u_xx + u_yy + q on the unit square, u = 0 at the edge, by explicit steps on a regular grid. `step` writes the
inner points in place, reading their neighbours: the new values must all come from the old ones. Every operation of a
step is exact by IEEE 754, so both runs end in the same bits. `energy` is a sum, whose order is free: it may differ in
the last digits.

Exits with 1 when a bit of the field differs, the energy differs by more than rounding, or nothing was compiled.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

import guardlift as gl

ENERGY_MAY_DIFFER = 1e-12  # relative
RATIO = 0.2  # dt / h², at most 1/4 for a stable step
TURN = 20  # steps a run takes before the other has its turn; it ends with a reading of the energy

# Note [A settled heap]
# glibc gives freed memory back to the system, and asks for it again, unless a larger block was freed before. The 2 MB
# temporaries of plain NumPy then cost fresh pages in every step (measured: 2.2 ms instead of 0.6), which would flatter
# the ratio. So one larger block is freed first.


@gl.jit
def step(u, source, ratio, dt):
    """Moves the field `u` on by `dt`, in place; `ratio` is dt / h²."""
    neighbours = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
    u[1:-1, 1:-1] += ratio * (neighbours - 4.0 * u[1:-1, 1:-1]) + dt * source[1:-1, 1:-1]


@gl.jit
def energy(u, h):
    """Half the integral of u² over the plate."""
    return 0.5 * h * h * np.sum(u * u)


@dataclass(frozen=True)
class Run:
    """A simulation on its way: its functions, the field, the energies read, and the seconds each step took."""

    step: Callable
    energy: Callable
    u: np.ndarray
    energies: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def advance(self, steps: int, source: np.ndarray) -> None:
        """Takes `steps` steps, each with the clock on, and reads the energy."""
        h = 1.0 / (len(self.u) - 1)
        for _ in range(steps):
            before = time.perf_counter()
            self.step(self.u, source, RATIO, RATIO * h * h)
            self.seconds.append(time.perf_counter() - before)
        self.energies.append(float(self.energy(self.u, h)))


def source_of_heat(size: int) -> np.ndarray:
    """Two warm spots and a cold one."""
    x, y = np.meshgrid(np.linspace(0.0, 1.0, size), np.linspace(0.0, 1.0, size), indexing="ij")
    spots = ((0.3, 0.35, 40.0), (0.7, 0.6, 60.0), (0.45, 0.8, -30.0))
    return sum(heat * np.exp(-((x - at_x) ** 2 + (y - at_y) ** 2) / 0.005) for at_x, at_y, heat in spots)


def simulate(runs: dict[str, Run], source: np.ndarray, steps: int) -> None:
    """Takes all runs through `steps` steps, in turns, so that a neighbour's load slows them all alike."""
    columns = (TextColumn("{task.description:<7}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns) as progress:
        bars = {label: progress.add_task(label, total=steps) for label in runs}
        for start in range(0, steps, TURN):
            for label, run in runs.items():
                run.advance(min(TURN, steps - start), source)
                progress.update(bars[label], completed=len(run.seconds))


def summary(plain: Run, jitted: Run) -> list[str]:
    """The printed figures; returns what is wrong, an empty list when nothing is."""
    reports = {"step": gl.explain(step), "energy": gl.explain(energy)}
    slow, fast = statistics.median(plain.seconds), statistics.median(jitted.seconds)
    unequal = int((plain.u.view(np.uint64) != jitted.u.view(np.uint64)).sum())
    differ = max(abs(a - b) / abs(a) for a, b in zip(plain.energies, jitted.energies, strict=True))
    points = " x ".join(map(str, plain.u.shape))
    print(f"grid                 {points} float64, {len(plain.seconds)} steps")
    print(f"median step, plain   {slow * 1e6:8.1f} us")
    print(f"median step, jitted  {fast * 1e6:8.1f} us   {slow / fast:.2f} times as fast")
    for name, report in reports.items():
        label, breaks = f"{name} compiled", len(report.breaks)
        print(f"{label:<20} {report.compiles} times, {report.compile_seconds:.2f} s, {breaks} graph breaks")
    warmest, coldest = jitted.u.max(), jitted.u.min()
    print(f"field                warmest {warmest:.4f}, coldest {coldest:.4f}; {unequal} values differ")
    print(f"energy               {jitted.energies[-1]:.6e}; differs by {differ:.1e} (relative, at most)")
    wrong = []
    if unequal:
        wrong.append(f"{unequal} of {plain.u.size} values of the field differ from the plain run")
    if not differ <= ENERGY_MAY_DIFFER:
        wrong.append(f"the energy differs by {differ:.1e}, more than {ENERGY_MAY_DIFFER:.0e}")
    wrong += [f"{name} was not compiled: {report}" for name, report in reports.items() if report.compiles == 0]
    return wrong


def main(argv: list[str] | None = None) -> int:
    """Heats the plate twice, prints the figures; 0 when all is well."""
    parser = argparse.ArgumentParser(description="the heat equation with a source, plain and jitted")
    parser.add_argument("--size", type=int, default=512, help="points along an edge")
    parser.add_argument("--steps", type=int, default=400)
    options = parser.parse_args(argv)
    if options.size < 3 or options.steps < 1:
        parser.error("the grid needs at least 3 points along an edge, and the run at least one step")
    np.empty(3_000_000)  # Note [A settled heap]
    plain = Run(step.__wrapped__, energy.__wrapped__, np.zeros((options.size, options.size)))
    jitted = Run(step, energy, np.zeros((options.size, options.size)))
    simulate({"plain": plain, "jitted": jitted}, source_of_heat(options.size), options.steps)
    wrong = summary(plain, jitted)
    for line in wrong:
        print(f"WRONG: {line}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
