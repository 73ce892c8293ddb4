"""A step of an optimizer whose group the same call has changed: eager mode is the oracle."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from frontend.tensors.training import World, same_steps

import guardlift as gl
from guardlift import nn, optim

OPTIMIZERS: dict[str, Callable[[Any], Any]] = {
    "SGD": lambda params: optim.SGD(params, lr=0.1),
    "SGD, momentum": lambda params: optim.SGD(params, lr=0.1, momentum=0.9),
    "Adam": lambda params: optim.Adam(params, lr=0.01),
    "AdamW": lambda params: optim.AdamW(params, lr=0.01),
    "NAdam": lambda params: optim.NAdam(params, lr=0.01),
    "Adagrad": lambda params: optim.Adagrad(params, lr=0.01),
    "RMSprop": lambda params: optim.RMSprop(params, lr=0.01, momentum=0.5),
    "Lion": lambda params: optim.Lion(params, lr=0.01),
}


def learning_rate(group: dict[str, Any], i: int, loss: Any) -> None:
    group["lr"] = 0.02 * (i + 1) if i < 3 else 0.05 * 0.9 ** (i - 3)


def learning_rate_by_a_call(group: dict[str, Any], i: int, loss: Any) -> None:
    group["lr"] = 0.01 + 0.01 * math.cos(i / 5)


def weight_decay(group: dict[str, Any], i: int, loss: Any) -> None:
    group["weight_decay"] = 0.01 * (i + 1)
    group["lr"] *= 0.9


def learning_rate_from_the_loss(group: dict[str, Any], i: int, loss: Any) -> None:
    group["lr"] = 0.01 * loss.item()


def betas(group: dict[str, Any], i: int, loss: Any) -> None:
    if "betas" in group:
        group["betas"] = (0.5, 0.9 + i / 1000)


def maximize(group: dict[str, Any], i: int, loss: Any) -> None:
    if "maximize" in group:
        group["maximize"] = i == 3


def whole_group(group: dict[str, Any], i: int, loss: Any) -> None:
    group.update(lr=0.01 * (i + 1), initial_lr=0.5)


CHANGES = [
    learning_rate,
    learning_rate_by_a_call,
    weight_decay,
    learning_rate_from_the_loss,
    betas,
    maximize,
    whole_group,
]


def make_world(make: Callable[[Any], Any]) -> World:
    """A layer of equal weights in every world."""
    model = nn.Linear(4, 3)
    with gl.no_grad():
        model.weight.copy_(gl.arange(12).reshape(3, 4) / 10)
        model.bias.fill_(0.5)
    return World(model, make(model.parameters()))


def calls() -> list[tuple[Any, ...]]:
    """The number of each step, and its batch."""
    rng = np.random.default_rng(2)
    return [(i, gl.tensor(rng.standard_normal((5, 4)).astype(np.float32))) for i in range(7)]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_a_step_takes_what_the_call_wrote_into_the_group(name: str, change: Callable[..., None]) -> None:
    def bind(world: World) -> Callable[..., Any]:
        model, optimizer = world.model, world.optimizer

        def step(i: int, x: Any) -> Any:
            optimizer.zero_grad()
            loss = (model(x) ** 2).mean()
            loss.backward()
            for group in optimizer.param_groups:
                change(group, i, loss)
            optimizer.step()
            return loss, optimizer.param_groups[0]["lr"], optimizer.param_groups[0]["weight_decay"]

        return step

    same_steps(lambda: make_world(OPTIMIZERS[name]), bind, calls(), compiles=None)


@pytest.mark.filterwarnings("ignore::guardlift.GraphBreakWarning")
def test_a_change_that_decides_which_state_there_is_breaks() -> None:
    def bind(world: World) -> Callable[..., Any]:
        model, optimizer = world.model, world.optimizer

        def step(i: int, x: Any) -> Any:
            optimizer.zero_grad()
            loss = (model(x) ** 2).mean()
            loss.backward()
            optimizer.param_groups[0]["momentum"] = 0.1 * i
            optimizer.step()
            return loss

        return step

    same_steps(lambda: make_world(OPTIMIZERS["SGD"]), bind, calls(), compiles=None, breaks=1)


@pytest.mark.filterwarnings("ignore::guardlift.GraphBreakWarning")
def test_a_change_of_the_parameters_of_a_group_breaks() -> None:
    def bind(world: World) -> Callable[..., Any]:
        model, optimizer = world.model, world.optimizer

        def step(i: int, x: Any) -> Any:
            optimizer.zero_grad()
            (model(x) ** 2).mean().backward()
            if i == 2:
                optimizer.param_groups[0]["params"].pop()
            optimizer.step()
            return len(optimizer.param_groups[0]["params"])

        return step

    same_steps(lambda: make_world(OPTIMIZERS["SGD"]), bind, calls(), compiles=None, breaks=1)
