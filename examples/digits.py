"""Training a perceptron on scikit-learn's 1,797 handwritten digits: the whole step is one compiled function.

    python examples/digits.py [--epochs 30] [--batch 128] [--threads 1] [--explanation FILE]

Forward, `loss.backward()`, `optimizer.step()` and `optimizer.zero_grad()` become one graph. The training is done twice,
as plain Python and jitted, from the same weights and over the same batches. The learning rate falls every epoch: it is
an input of the compiled code and compiles nothing again. If PyTorch is installed, it trains the same model beside,
plain and under `torch.compile`.

Exits with 1 when too few digits are read right, the losses of the two runs differ, something was compiled after the
second epoch, or a graph broke.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from handwritten import Digits, load
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from threadpoolctl import threadpool_limits  # comes with scikit-learn

import guardlift as gl
from guardlift import nn
from guardlift.tools.render import report_lines
from guardlift.tools.show.terminal import write_lines

WIDTHS = (64, 256, 256, 10)
RATE, LEFT_AFTER_AN_EPOCH = 2e-3, 0.9
ACCURACY_WANTED = 0.96
LOSSES_MAY_DIFFER, STEPS_COMPARED = 1e-5, 50  # relative; later steps amplify what differs in the last bits
EPOCHS_THAT_MAY_COMPILE = 2
SETTLING = 3_000_000  # elements; Note [A settled heap] in heat.py
EXPLANATION = Path(__file__).resolve().parent.parent / ".cache" / "digits-explained.txt"


@dataclass
class Run:
    """A training on its way: its step, what ends an epoch, how to predict, the losses, and the seconds of each step.

    compiles: how often the step had been compiled, by `count_compiles`, at the end of each epoch.
    """

    step: Callable[[Any, Any], Any]
    to_tensor: Callable[[np.ndarray], Any]
    end_epoch: Callable[[], object]
    scores: Callable[[Any], np.ndarray]
    count_compiles: Callable[[], int] = lambda: 0
    losses: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    compiles: list[int] = field(default_factory=list)

    def epoch(self, batches: Iterator[tuple[np.ndarray, np.ndarray]]) -> None:
        """One step per batch, each with the clock on."""
        for images, digits in batches:
            x, y = self.to_tensor(images), self.to_tensor(digits)
            before = time.perf_counter()
            loss = self.step(x, y)
            self.seconds.append(time.perf_counter() - before)
            self.losses.append(loss.item())
        self.end_epoch()
        self.compiles.append(self.count_compiles())

    def accuracy(self, digits: Digits) -> float:
        """The share of held-out digits that the model reads right."""
        guessed = self.scores(self.to_tensor(digits.test_x)).argmax(axis=1)
        return float((guessed == digits.test_digit).mean())

    def median(self) -> float:
        """Seconds of a step, by the epochs in which nothing should be compiled any more."""
        settled = len(self.seconds) // len(self.compiles) * EPOCHS_THAT_MAY_COMPILE
        return statistics.median(self.seconds[settled:])


def perceptron(seed: int = 0) -> nn.Module:
    """Linear layers with ReLU between them; the weights depend on the seed alone."""
    gl.manual_seed(seed)
    first, second, third, last = WIDTHS
    return nn.Sequential(
        nn.Linear(first, second), nn.ReLU(), nn.Linear(second, third), nn.ReLU(), nn.Linear(third, last)
    )


def training(*, jitted: bool) -> Run:
    """A training with a model, an optimizer, a schedule and a step of its own."""
    model = perceptron()
    optimizer = gl.optim.Adam(model.parameters(), lr=RATE)
    schedule = gl.optim.lr_scheduler.ExponentialLR(optimizer, gamma=LEFT_AFTER_AN_EPOCH)

    @gl.jit(fullgraph=True)
    def train_step(x, y):
        """Improves the model on one batch, and gives the loss before the step."""
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        return loss

    def scores(x):
        with gl.no_grad():
            return model(x).numpy()

    step = train_step if jitted else train_step.__wrapped__
    return Run(step, gl.tensor, schedule.step, scores, lambda: gl.explain(train_step).compiles)


def train(runs: dict[str, Run], digits: Digits, epochs: int, batch: int) -> None:
    """Takes all runs through the epochs, in turns, so that a neighbour's load slows them all alike."""
    columns = (TextColumn("{task.description:<13}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, TextColumn("loss {task.fields[loss]:.4f}")) as progress:
        bars = {label: progress.add_task(label, total=epochs, loss=float("nan")) for label in runs}
        for epoch in range(epochs):
            for label, run in runs.items():
                run.epoch(digits.batches(batch, epoch))
                progress.update(bars[label], completed=epoch + 1, loss=run.losses[-1])


def with_pytorch(threads: int) -> tuple[dict[str, Run], str]:
    """PyTorch's runs by label and its version; none, and the reason, when it is not installed."""
    try:
        import digits_torch
    except ImportError as error:
        return {}, f"skipped: {error}"
    digits_torch.use_threads(threads)
    start = [parameter.detach().numpy() for parameter in perceptron().parameters()]
    runs = {
        label: Run(*digits_torch.training(start, RATE, LEFT_AFTER_AN_EPOCH, compiled=label == "torch.compile"))
        for label in ("torch, eager", "torch.compile")
    }
    return runs, digits_torch.VERSION


def summary(runs: dict[str, Run], digits: Digits, explanation: Path) -> list[str]:
    """The printed figures; returns what is wrong, an empty list when nothing is."""
    eager, jitted = runs["eager"], runs["jitted"]
    report = gl.explain(jitted.step)
    read, late = jitted.accuracy(digits), jitted.compiles[-1] - jitted.compiles[EPOCHS_THAT_MAY_COMPILE - 1]
    pairs = list(zip(eager.losses, jitted.losses, strict=True))[:STEPS_COMPARED]
    differ = max(abs(a - b) / abs(a) for a, b in pairs)
    print(f"images               {len(digits.train_x)} to train, {len(digits.test_x)} to test")
    print(f"test accuracy        {read:.4f} jitted, {eager.accuracy(digits):.4f} eager (loss {jitted.losses[-1]:.4f})")
    for label, run in runs.items():
        ratio = "" if run is jitted else f"   jitted takes {jitted.median() / run.median():.2f} of it"
        print(f"{'step, ' + label:<21}{run.median() * 1e6:8.1f} us (median){ratio}")
    print(f"compiled             {jitted.compiles[-1]} times in {len(jitted.seconds)} steps, {late} after epoch 2")
    print(f"compile time         {report.compile_seconds:.2f} s")
    print(f"graph breaks         {len(report.breaks)}")
    print(f"losses differ by     {differ:.1e} (relative, at most, in {len(pairs)} steps)")
    explanation.parent.mkdir(parents=True, exist_ok=True)
    with explanation.open("w", encoding="utf-8") as file:
        write_lines(report_lines(report, verbose=True), file, color=False)
    print(f"explanation          {explanation}")
    wrong = {
        f"test accuracy {read:.4f} is below {ACCURACY_WANTED}": read < ACCURACY_WANTED,
        f"the losses differ by {differ:.1e}, more than {LOSSES_MAY_DIFFER:.0e}": not differ <= LOSSES_MAY_DIFFER,
        f"nothing was compiled: {report}": report.compiles == 0,
        f"{late} compiles after epoch {EPOCHS_THAT_MAY_COMPILE}: {report}": late > 0,
        f"the graph broke: {report}": bool(report.breaks),
    }
    return [text for text, holds in wrong.items() if holds]


def main(argv: list[str] | None = None) -> int:
    """Trains twice and more, prints the figures; 0 when all is well."""
    parser = argparse.ArgumentParser(description="a perceptron on handwritten digits, whole steps plain and jitted")
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--threads", type=int, default=1, help="for matrix products, and for PyTorch")
    parser.add_argument("--explanation", type=Path, default=EXPLANATION, help="the file for what was compiled and why")
    options = parser.parse_args(argv)
    digits = load(np.float32)
    if options.epochs <= EPOCHS_THAT_MAY_COMPILE or not 0 < options.batch <= len(digits.train_x):
        parser.error(f"at least {EPOCHS_THAT_MAY_COMPILE + 1} epochs, and batches of 1 to {len(digits.train_x)} images")
    np.empty(SETTLING)
    theirs, version = with_pytorch(options.threads)
    runs = {"eager": training(jitted=False), "jitted": training(jitted=True), **theirs}
    with threadpool_limits(options.threads):
        train(runs, digits, options.epochs, options.batch)
    print(f"threads              {options.threads}")
    print(f"PyTorch              {version}")
    wrong = summary(runs, digits, options.explanation)
    for line in wrong:
        print(f"WRONG: {line}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
