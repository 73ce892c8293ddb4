"""Softmax regression on scikit-learn's 1,797 handwritten digits: plain NumPy functions, run as they are and jitted.

    python examples/digits_numpy.py [--epochs 60] [--batch 128]

The two runs start from the same weights and see the same batches. The learning rate falls every epoch: a Python float
that changes is an input of the compiled code and compiles nothing again. The last batch of an epoch is smaller, which
is a second shape and may compile once more.

Exits with 1 when the weights of the two runs differ, too few digits are read right, or nothing was compiled.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from handwritten import Digits, load
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

import guardlift as gl

CLASSES = 10
DECAY = 1e-4  # weight decay, per step
ACCURACY_WANTED = 0.93
WEIGHTS_MAY_DIFFER = 1e-6  # relative; exp and log may differ from NumPy's in the last bits, sums in their order


def log_probabilities(w, b, x):
    """How likely each image is each digit, as logarithms.

    Shapes: w f64[pixels, classes], b f64[classes], x f64[n, pixels] -> f64[n, classes].
    """
    scores = x @ w + b
    scores = scores - scores.max(axis=1, keepdims=True)
    return scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))


def loss(log_p, targets):
    """The mean cross entropy; `targets` holds a one in the column of each image's digit."""
    return -(targets * log_p).sum() / targets.shape[0]


def gradient(w, x, log_p, targets):
    """The derivatives of the loss, with weight decay, by w and by b."""
    error = (np.exp(log_p) - targets) / targets.shape[0]
    return x.T @ error + DECAY * w, error.sum(axis=0)


def update(w, b, grad_w, grad_b, rate):
    """One step downhill, written into `w` and `b`."""
    w -= rate * grad_w
    b[...] = b - rate * grad_b


@gl.jit
def train_step(w, b, x, targets, rate):
    """Improves `w` and `b` in place on one batch, and gives the loss before the step."""
    log_p = log_probabilities(w, b, x)
    grad_w, grad_b = gradient(w, x, log_p, targets)
    update(w, b, grad_w, grad_b, rate)
    return loss(log_p, targets)


@dataclass(frozen=True)
class Run:
    """A training on its way: its step, the weights, the losses, and the seconds each step took."""

    step: Callable
    w: np.ndarray
    b: np.ndarray
    losses: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def epoch(self, x: np.ndarray, targets: np.ndarray, batch: int, rate: float) -> None:
        """One step per batch, each with the clock on; the last batch holds what is left."""
        for start in range(0, len(x), batch):
            some_x, some_targets = x[start : start + batch], targets[start : start + batch]
            before = time.perf_counter()
            value = self.step(self.w, self.b, some_x, some_targets, rate)
            self.seconds.append(time.perf_counter() - before)
            self.losses.append(float(value))


def train(runs: dict[str, Run], digits: Digits, epochs: int, batch: int) -> None:
    """Takes all runs through the epochs, in turns, so that a neighbour's load slows them all alike."""
    targets = np.eye(CLASSES)[digits.train_digit]
    columns = (TextColumn("{task.description:<7}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, TextColumn("loss {task.fields[loss]:.4f}")) as progress:
        bars = {label: progress.add_task(label, total=epochs, loss=float("nan")) for label in runs}
        for epoch in range(epochs):
            rate = 0.5 / (1.0 + 0.05 * epoch)
            for label, run in runs.items():
                run.epoch(digits.train_x, targets, batch, rate)
                progress.update(bars[label], completed=epoch + 1, loss=run.losses[-1])


def accuracy(run: Run, digits: Digits) -> float:
    """The share of held-out digits that the trained weights read right."""
    guessed = log_probabilities(run.w, run.b, digits.test_x).argmax(axis=1)
    return float((guessed == digits.test_digit).mean())


def difference(a: Run, b: Run) -> float:
    """The largest difference of any weight of the two runs, relative to the largest weight."""
    pairs = ((a.w, b.w), (a.b, b.b))
    return max(float(np.abs(left - right).max() / np.abs(left).max()) for left, right in pairs)


def summary(plain: Run, jitted: Run, digits: Digits) -> list[str]:
    """The printed figures; returns what is wrong, an empty list when nothing is."""
    report = gl.explain(train_step)
    read, differ = accuracy(jitted, digits), difference(plain, jitted)
    slow, fast = statistics.median(plain.seconds), statistics.median(jitted.seconds)
    print(f"images               {len(digits.train_x)} to train, {len(digits.test_x)} to test")
    print(f"test accuracy        {read:.4f} jitted, {accuracy(plain, digits):.4f} plain (loss {jitted.losses[-1]:.4f})")
    print(f"median step, plain   {slow * 1e6:8.1f} us")
    print(f"median step, jitted  {fast * 1e6:8.1f} us   {slow / fast:.2f} times as fast")
    print(f"compiled             {report.compiles} times in {len(jitted.seconds)} steps")
    print(f"compile time         {report.compile_seconds:.2f} s")
    print(f"graph breaks         {len(report.breaks)}")
    print(f"weights differ by    {differ:.1e} (relative, at most)")
    wrong = []
    if read < ACCURACY_WANTED:
        wrong.append(f"test accuracy {read:.4f} is below {ACCURACY_WANTED}")
    if not differ <= WEIGHTS_MAY_DIFFER:
        wrong.append(f"the weights of the two runs differ by {differ:.1e}, more than {WEIGHTS_MAY_DIFFER:.0e}")
    if report.compiles == 0:
        wrong.append(f"nothing was compiled: {report}")
    return wrong


def main(argv: list[str] | None = None) -> int:
    """Trains twice, prints the figures; 0 when all is well."""
    parser = argparse.ArgumentParser(description="softmax regression on handwritten digits, plain and jitted")
    parser.add_argument("--epochs", type=int, default=60)
    parser.add_argument("--batch", type=int, default=128)
    options = parser.parse_args(argv)
    digits = load(np.float64)
    plain, jitted = (
        Run(step, np.zeros((digits.train_x.shape[1], CLASSES)), np.zeros(CLASSES))
        for step in (train_step.__wrapped__, train_step)
    )
    train({"plain": plain, "jitted": jitted}, digits, options.epochs, options.batch)
    wrong = summary(plain, jitted, digits)
    for line in wrong:
        print(f"WRONG: {line}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
