"""Runs a training as plain Python and jitted, from the same start and over the same data, and says how they compare.

The examples of models share it. A training is a function of the library and of what compiles its step, so that PyTorch
can run the very same source.
"""

from __future__ import annotations

import argparse
import itertools
import math
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import guardlift as gl

MOST_COMPILES = 2
LOSSES_MAY_DIFFER = 1e-4  # of the largest loss so far; later steps amplify what differs in the last bits
STEPS_COMPARED = 20


@dataclass
class Training:
    """A training on its way.

    step:   runs the step of a number, from 0 on, and gives its loss.
    passed: the function that was handed to `jit`.
    result: what the training was for, as texts to print at its end, and as numbers and arrays to judge and to plot.
    models: what is trained.
    state:  what a checkpoint has to hold, by name: things with a `state_dict`.
    """

    step: Callable[[int], Any]
    passed: Callable[..., Any]
    result: Callable[[], dict[str, Any]]
    models: tuple[Any, ...]
    state: dict[str, Any] = field(default_factory=dict)


@dataclass
class Run:
    """The losses of a training, and the seconds of each step."""

    training: Training
    losses: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def go(self, steps: int) -> None:
        """Takes the training through so many steps."""
        for number in range(steps):
            before = time.perf_counter()
            loss = self.training.step(number)
            self.seconds.append(time.perf_counter() - before)
            self.losses.append(float(loss))

    def median(self) -> float:
        """Seconds of a step once everything is compiled."""
        return statistics.median(self.seconds[len(self.seconds) // 2 :])


Make = Callable[[Any, Callable[..., Any]], Training]


def plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """Stands where `gl.jit` would: the function as it is."""
    return function


class Replayed:
    """A library whose draws come from NumPy: two libraries that are replayed draw the same numbers."""

    def __init__(self, lib: Any) -> None:
        self._lib = lib
        self._rng = np.random.default_rng(0)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._lib, name)

    def randn(self, *shape: int) -> Any:
        """Normal numbers, float32."""
        return self._lib.from_numpy(self._rng.standard_normal(shape).astype(np.float32))

    def randn_like(self, tensor: Any) -> Any:
        """Normal numbers of that shape, float32."""
        return self.randn(*tensor.shape)

    def rand(self, *shape: int) -> Any:
        """Numbers from 0 to 1, float32."""
        return self._lib.from_numpy(self._rng.random(shape, dtype=np.float32))

    def randperm(self, count: int) -> Any:
        """The integers below `count` in some order, int64."""
        return self._lib.from_numpy(self._rng.permutation(count))

    def randint(self, low: int, high: int, size: tuple[int, ...]) -> Any:
        """Integers from `low` on, below `high`, int64."""
        return self._lib.from_numpy(self._rng.integers(low, high, size))


def losses(make: Make, steps: int, lib: Any = gl) -> list[float]:
    """The losses of a training of `lib` as plain Python, from weights and draws of NumPy's, without dropout.

    Two libraries give the same but for rounding.
    """
    run = Run(make(Replayed(lib), plain))
    rng = np.random.default_rng(1)
    with lib.no_grad():
        for model in run.training.models:
            for parameter in model.parameters():
                bound = 1 / math.sqrt(parameter.shape[-1])
                drawn = rng.uniform(-bound, bound, tuple(parameter.shape)).astype(np.float32)
                parameter.copy_(lib.from_numpy(drawn))
            for module in model.modules():
                if isinstance(module, lib.nn.Dropout):
                    module.p = 0.0
    run.go(steps)
    return run.losses


def options(text: str, steps: int) -> argparse.Namespace:
    """The command line that all examples have: --steps, --plot FILE. `text` is the docstring of the example."""
    parser = argparse.ArgumentParser(description=text.splitlines()[0])
    parser.add_argument("--steps", type=int, default=steps, help="of each run (default: %(default)s)")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="where to draw the result (needs matplotlib)")
    found = parser.parse_args()
    if found.steps < 1:
        parser.error(f"--steps is at least 1, got {found.steps}")
    return found


def compare(make: Make, steps: int) -> tuple[Run, dict[str, Any], list[str]]:
    """Both runs, one after the other, and their figures on the screen: the jitted run, its result, what is wrong."""
    eager = Run(make(gl, plain))
    eager.go(steps)
    jitted = Run(make(gl, gl.jit(fullgraph=True)))  # made now: it seeds the generator that both draw from
    jitted.go(steps)
    report = gl.explain(jitted.training.passed)
    pairs = list(zip(eager.losses, jitted.losses, strict=True))[:STEPS_COMPARED]
    largest = itertools.accumulate((abs(a) for a, _ in pairs), max)
    differ = max(abs(a - b) / max(size, 1e-12) for (a, b), size in zip(pairs, largest, strict=True))
    last = jitted.losses[-max(1, steps // 10) :]
    print(f"loss                {jitted.losses[0]:.4f}, then {statistics.fmean(last):.4f}")
    print(f"losses differ by    {differ:.1e} (of the largest so far, first {len(pairs)} steps)")
    print(f"compiled            {report.compiles} times in {steps} steps, {len(report.breaks)} graph breaks")
    print(f"median step         {1e3 * jitted.median():.2f} ms jitted, {1e3 * eager.median():.2f} ms eager")
    result = jitted.training.result()
    for label, text in result.items():
        if isinstance(text, str):
            print(f"{label:<20}{text}")
    wrong = []
    if differ > LOSSES_MAY_DIFFER:
        wrong.append(f"the losses of the two runs differ by {differ:.1e}")
    if not 1 <= report.compiles <= MOST_COMPILES:
        wrong.append(f"the step was compiled {report.compiles} times")
    if report.breaks:
        wrong.append(f"the graph broke: {report}")
    return jitted, result, wrong


def figure() -> Any:
    """A new matplotlib figure with its axes. Errors: SystemExit with the remedy where matplotlib is missing."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise SystemExit("--plot needs matplotlib: pip install matplotlib") from None
    drawn = Figure(figsize=(5, 5), layout="constrained")
    return drawn, drawn.subplots()


def finish(wrong: list[str]) -> int:
    """Prints what is wrong; the exit code."""
    for line in wrong:
        print(f"WRONG: {line}", file=sys.stderr)
    return 1 if wrong else 0
