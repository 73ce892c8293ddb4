"""The tasks of `training.py` under guardlift."""

from __future__ import annotations

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # -P leaves this folder out

import numpy as np  # noqa: E402
from turns import serve  # noqa: E402

import guardlift as gl  # noqa: E402
from guardlift import nn  # noqa: E402

TENSORS, SIDE = 1000, 32


def digits_step(batch: int, widths: list[int]):
    """A training step of a perceptron, jitted, and a batch to call it with. Its plain form is its `__wrapped__`."""
    rng = np.random.default_rng(0)
    layers: list[nn.Module] = []
    for fan_in, fan_out in zip(widths, widths[1:]):
        layers += [nn.Linear(fan_in, fan_out), nn.ReLU()]
    model = nn.Sequential(*layers[:-1])
    optimizer = gl.optim.Adam(model.parameters(), lr=1e-3)
    x = gl.tensor(rng.standard_normal((batch, widths[0]), dtype=np.float32))
    y = gl.tensor(rng.integers(0, widths[-1], batch))

    @gl.jit(fullgraph=True)
    def step(x, y):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        return loss

    return step, x, y


def adam_step():
    """One step of Adam over many small tensors, jitted."""
    rng = np.random.default_rng(0)
    arrays = rng.standard_normal((2, TENSORS, SIDE, SIDE), dtype=np.float32)
    parameters = [nn.Parameter(gl.tensor(array)) for array in arrays[0]]
    for parameter, gradient in zip(parameters, arrays[1]):
        parameter.grad = gl.tensor(gradient)
    optimizer = gl.optim.Adam(parameters, lr=1e-3)

    @gl.jit(fullgraph=True)
    def step():
        optimizer.step()

    return step


def main() -> None:
    """Serves the tasks; plain and jitted have each a model of their own."""
    np.empty(3_000_000)  # freed at once, so that glibc keeps the pages of smaller blocks
    tasks = {}
    for name, sizes in (("step", (128, [64, 256, 256, 10])), ("tiny step", (2, [2, 2, 2, 2]))):
        step, x, y = digits_step(*sizes)
        tasks[f"{name}, jitted"] = lambda step=step, x=x, y=y: step(x, y)
        step, x, y = digits_step(*sizes)
        tasks[f"{name}, eager"] = lambda step=step.__wrapped__, x=x, y=y: step(x, y)
    tasks["adam: jitted"] = adam_step()
    tasks["adam: eager"] = adam_step().__wrapped__
    serve(tasks, f"guardlift {gl.__version__}")


if __name__ == "__main__":
    main()
