"""Random programs of views, in-place twins, custom functions and checkpoints, with saved tensors free to be written."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift.autograd import checkpoint
from guardlift.autograd.graph import allow_mutation_on_saved_tensors

START = np.array([[0.31113, 0.60717, 0.9037], [0.1171, 0.7133, 0.40119], [0.2219, 0.5137, 0.8179]])
OTHER = np.array([[0.31, 0.62, 0.93], [0.15, 0.76, 0.47], [0.28, 0.59, 0.81]])
WEIGHTS = np.array([[0.3, -0.2, 0.7], [1.1, 0.4, -0.5], [0.8, 0.9, -1.3]])


class Squared(gl.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return 2 * ctx.saved_tensors[0] * g


class Halved(gl.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.mark_dirty(x.mul_(0.5))
        return x

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return 0.5 * g


STEPS: list[Callable[[Any, Any], Any]] = [
    lambda a, b: a * b,
    lambda a, b: a.sin(),
    lambda a, b: Squared.apply(a),
    lambda a, b: Halved.apply(a) if a.grad_fn is not None and a._base is None else None,
    lambda a, b: checkpoint(lambda t: (t * 1).square_().sin() * t, a),
    lambda a, b: a.square_(),
    lambda a, b: a.sigmoid_(),
    lambda a, b: a.fill_diagonal_(0.3571),
    lambda a, b: a.diagonal().mul_(b[0]),
    lambda a, b: a[1].atan2_(b[2]),
    lambda a, b: a.hypot_(b * 1),
    lambda a, b: a.index_put_((gl.tensor([0, 2]), gl.tensor([1, 1])), b[1, :2] * 1),
    lambda a, b: a.scatter_(0, gl.tensor([[0, 1, 2]]), b[:1] * 1),
    lambda a, b: a.index_add_(0, gl.tensor([1, 1]), b[:2] * 1),
    lambda a, b: a[1:].copy_(b[:2] * 1),
    lambda a, b: a.cumprod_(0),
    lambda a, b: a.tril_().add_(0.1),
]


def ran(seed: int, start: Any) -> tuple[Any, Any]:
    """The leaf of a random program, after backward, and the loss."""
    rng = random.Random(seed)
    x = gl.tensor(start, dtype=gl.float64, requires_grad=True)
    with allow_mutation_on_saved_tensors():
        values = [x * 1, gl.tensor(OTHER)]
        for _ in range(rng.randint(3, 9)):
            a, b, step = rng.choice(values), rng.choice(values), rng.choice(STEPS)
            made = step(a.t() if rng.random() < 0.2 else a, b)
            if made is not None and made.shape == (3, 3) and made._base is None and made is not a:
                values.append(made)
        loss = sum((each * gl.tensor(WEIGHTS)).sum() for each in values)
        loss.backward()
    return x, loss


@pytest.mark.parametrize("first", range(0, 80, 20))
@pytest.mark.slow
def test_gradients_are_those_of_finite_differences(first: int) -> None:
    for seed in range(first, first + 20):
        found = ran(seed, START)[0].grad.tolist()
        for place in np.ndindex(3, 3):
            ends = []
            for step in (1e-6, -1e-6):
                moved = START.copy()
                moved[place] += step
                ends.append(ran(seed, moved)[1].item())
            expected = (ends[0] - ends[1]) / 2e-6
            assert found[place[0]][place[1]] == pytest.approx(expected, rel=1e-4, abs=1e-4), seed
