"""Training steps over batches of many sizes: plans serve many of them, with draws, products and optimizers in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from frontend.compile.test_size_binding import bindings, made
from frontend.tensors.scenario import normal

import guardlift as gl
import guardlift.nn.functional as F
from guardlift import nn, optim
from guardlift.frontend import state_of

SIZES = (7, 10, 13, 16, 19, 22, 25, 28)


def attended(x: Any, linear: Any) -> Any:
    q = linear(x[None])
    n = q.shape[1]
    scores = (q @ q.transpose(-1, -2)).masked_fill(gl.tril(gl.ones(n, n)) == 0, float("-inf"))
    return (F.softmax(scores, -1) @ q).pow(2).mean()


def dropped_out(x: Any, linear: Any) -> Any:
    return F.dropout(linear(x), 0.3).pow(2).mean()


def with_noise(x: Any, linear: Any) -> Any:
    return (linear(x + gl.randn_like(x)) * gl.rand(x.shape[0], 1)).mean()


def picked(x: Any, linear: Any) -> Any:
    return linear(x)[x[:, 0] > -1].tanh().mean()


def clipped(x: Any, linear: Any) -> Any:
    loss = linear(x).tanh().sum()
    nn.utils.clip_grad_norm_(linear.parameters(), 0.5)
    return loss


@pytest.mark.parametrize("loss_of", [attended, dropped_out, with_noise, picked, clipped])
@pytest.mark.parametrize("optimizer", [optim.SGD, optim.Adam])
@pytest.mark.slow
def test_a_training_step_has_no_plan_for_each_size(loss_of: Callable[..., Any], optimizer: Any) -> None:
    def step(x: Any, linear: Any, opt: Any) -> Any:
        opt.zero_grad()
        loss = loss_of(x, linear)
        loss.backward()
        opt.step()
        return loss.detach()

    def world() -> Any:
        gl.manual_seed(3)
        linear = nn.Linear(4, 5)
        return linear, optimizer(linear.parameters(), lr=0.1)

    jitted, worlds = gl.jit(step), (world(), world())
    for number, size in enumerate([*SIZES, *(size + 1 for size in SIZES)]):
        outcomes = []
        for run, of in zip((step, jitted), worlds, strict=True):
            gl.manual_seed(number)
            outcomes.append((run(normal(size, 4, seed=number), *of), gl.get_rng_state().tolist()))
        assert gl.allclose(outcomes[0][0], outcomes[1][0], rtol=1e-5) and outcomes[0][1] == outcomes[1][1], number
    assert not [event.text for event in state_of(jitted).history if event.kind == "break"]
    for one, other in zip(*(of[0].parameters() for of in worlds), strict=True):
        assert gl.allclose(one, other, rtol=1e-4)
    free = sum(each.free_plans for each in bindings(jitted))
    assert free and made(jitted) < 3 * len(SIZES) / 2, "of twice as many sizes, each has a plan of its own"
