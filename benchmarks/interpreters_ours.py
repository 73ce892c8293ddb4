"""The tasks of `interpreters.py`: what is compiled, what a call costs beside it, and what Python runs itself."""

from __future__ import annotations

import os
import platform
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # -P leaves this folder out

import call_cost  # noqa: E402
import numpy as np  # noqa: E402
import throughput  # noqa: E402
from timing import Task  # noqa: E402
from training_ours import adam_step, digits_step  # noqa: E402
from turns import serve  # noqa: E402

import guardlift as gl  # noqa: E402

CALLS = 200
"""Calls of a function over a small array in one round of its task."""


@gl.jit
def looped(x, rate):
    """A native loop with a branch."""
    for k in range(1, len(x) - 1):
        if x[k] > 0:
            x[k] = x[k] + rate * (x[k - 1] - x[k + 1])
    return x


@gl.jit
def broken(x, numbers):
    """Two graph breaks, and a loop that Python runs."""
    for each in numbers:
        print(end="")
        x = x * each
    return x + 1


class Holder:
    """An object that a jitted function reads."""

    def __init__(self) -> None:
        self.scale, self.names = 2.0, {"a": 1.0, "b": 3.0}


HOLDER = Holder()


@gl.jit
def guarded(x):
    """Guards on an object, a dict and a class."""
    return x * HOLDER.scale + HOLDER.names["b"]


def many(function, *arguments) -> Task:
    """A task of many calls."""

    def calls() -> None:
        for _ in range(CALLS):
            function(*arguments)

    return calls


def main() -> None:
    """Serves the tasks."""
    small, large = np.linspace(-1.0, 1.0, 8), np.linspace(-1.0, 1.0, 1 << 20).reshape(1024, 1024)
    step, x, y = digits_step(128, [64, 256, 256, 10])
    tiny, a, b = digits_step(2, [2, 2, 2, 2])
    plain, c, d = digits_step(2, [2, 2, 2, 2])
    serve(
        {
            "call: x * 2.0": many(gl.jit(call_cost.scaled), small),
            "call: x * a + b": many(gl.jit(call_cost.affine), small, 0.5, 1.5),
            "call: tanh(x) + sqrt(abs(x))": many(gl.jit(call_cost.smooth), small),
            "call: an object, a dict and a class are guarded": many(guarded, small),
            "call: two breaks in a loop": many(broken, small, [1.0, 2.0, 3.0]),
            "kernel: ten operations": lambda: throughput.chain(large),
            "kernel: softmax": lambda: throughput.softmax(large),
            "kernel: a loop over elements": lambda: looped(large[0].copy(), 0.1),
            "step: perceptron, jitted": lambda: step(x, y),
            "step: tiny perceptron, jitted": lambda: tiny(a, b),
            "step: Adam over a thousand tensors, jitted": adam_step(),
            "eager: tiny perceptron": lambda: plain.__wrapped__(c, d),
        },
        f"CPython {platform.python_version()}, NumPy {np.__version__}",
    )


if __name__ == "__main__":
    main()
