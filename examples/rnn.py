"""Trains a recurrent network (GRU) to add two numbers that it is shown long ago.

Each step of a sequence is a number and a mark; the network has to say at the end what the two marked numbers add up to.
The whole training step is jitted: the loop over time in `forward`, the way back through it, and Adam. Compiled, the
loop is traced once, so that compiling takes no longer for a thousand steps than for ten.

    python examples/rnn.py [--steps 30] [--epochs 400]
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import guardlift as gl
from guardlift import nn, optim


class GRU(nn.Module):
    """A gated recurrent unit over time, and a layer that reads its last state. Source: Cho et al. 2014."""

    def __init__(self, inputs: int, hidden: int) -> None:
        super().__init__()
        self.hidden = hidden
        self.of_input = nn.Linear(inputs, 3 * hidden)
        self.of_state = nn.Linear(hidden, 3 * hidden)
        self.out = nn.Linear(hidden, 1)

    def cell(self, x: Any, state: Any) -> Any:
        """The next state. Shapes: x [batch, inputs], state [batch, hidden]."""
        x1, x2, x3 = self.of_input(x).chunk(3, 1)
        h1, h2, h3 = self.of_state(state).chunk(3, 1)
        reset, keep = gl.sigmoid(x1 + h1), gl.sigmoid(x2 + h2)
        return keep * state + (1 - keep) * gl.tanh(x3 + reset * h3)

    def forward(self, sequence: Any) -> Any:
        """Shapes: sequence [time, batch, inputs] -> [batch, 1]."""
        state = gl.zeros(sequence.shape[1], self.hidden)
        for x in sequence:
            state = self.cell(x, state)
        return self.out(state)


def batches(steps: int, epochs: int, size: int = 32) -> list[tuple[Any, Any]]:
    """Sequences of (number, mark), and the sums of the two marked numbers."""
    rng = np.random.default_rng(0)
    made = []
    for _ in range(epochs):
        numbers = rng.random((steps, size)).astype(np.float32)
        marks = np.zeros_like(numbers)
        for column in range(size):
            marks[rng.choice(steps, 2, replace=False), column] = 1.0
        sums = (numbers * marks).sum(0)[:, None]
        made.append((gl.tensor(np.stack([numbers, marks], 2)), gl.tensor(sums)))
    return made


def train(jit: Callable[[Any], Any], steps: int, epochs: int) -> tuple[list[float], list[float]]:
    """The losses and the seconds of each step."""
    gl.manual_seed(0)
    model = GRU(2, 24)
    optimizer = optim.Adam(model.parameters(), lr=0.01)

    def step(sequence: Any, wanted: Any) -> Any:
        optimizer.zero_grad()
        loss = ((model(sequence) - wanted) ** 2).mean()
        loss.backward()
        optimizer.step()
        return loss

    run = jit(step)
    losses, seconds = [], []
    for sequence, wanted in batches(steps, epochs):
        began = time.perf_counter()
        losses.append(run(sequence, wanted).item())
        seconds.append(time.perf_counter() - began)
    return losses, seconds


def main() -> None:
    """Prints what is found, and how long it takes."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--steps", type=int, default=30, help="steps of time in a sequence")
    parser.add_argument("--epochs", type=int, default=400, help="training steps")
    given = parser.parse_args()
    plain = max(3, given.epochs // 100)
    expected, slow = train(lambda function: function, given.steps, plain)
    losses, quick = train(gl.jit, given.steps, given.epochs)
    apart = max(abs(a - b) / abs(b) for a, b in zip(losses, expected))
    ends = statistics.mean(losses[-10:])
    print(f"{'loss':20}{losses[0]:.3f}, then {ends:.4f}; always the mean sum: {1 / 6:.3f}")
    print(f"{'losses differ by':20}{apart:.1e} from those of the plain run, in {plain} steps")
    print(f"{'first step':20}{quick[0]:.2f} s, compiling included")
    print(f"{'later ones':20}{statistics.median(quick[1:]) * 1e3:.3f} ms, plain {statistics.median(slow) * 1e3:.0f} ms")


if __name__ == "__main__":
    main()
