"""Clipping of gradients and averages of weights inside jitted steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from frontend.tensors.scenario import check, leaf, normal

import guardlift as gl
from guardlift import nn, optim
from guardlift.nn.utils import clip_grad_norm_, clip_grad_value_
from guardlift.optim import swa_utils


def model_and_optimizer() -> list[Any]:
    model = nn.Sequential(nn.Linear(4, 3), nn.Tanh(), nn.Linear(3, 2))
    with gl.no_grad():
        for place, param in enumerate(model.parameters()):
            param.copy_(normal(*param.shape, seed=place))
    return [model, optim.Adam(model.parameters(), lr=0.01)]


@pytest.mark.parametrize("order", [2.0, 1.0, float("inf"), 3.0])
def test_a_step_that_clips_by_norm_is_one_graph(order: float) -> None:
    def program(model: Any, optimizer: Any, x: Any) -> Any:
        optimizer.zero_grad()
        loss = (model(x) ** 2).sum()
        loss.backward()
        total = clip_grad_norm_(model.parameters(), 0.5, order)
        optimizer.step()
        return loss.detach(), total

    check(program, arguments=lambda: [*model_and_optimizer(), normal(5, 4, seed=9)], calls=4, compiles=1, relative=5e-5)


def test_a_step_that_clips_by_value_is_one_graph() -> None:
    def program(model: Any, optimizer: Any, x: Any) -> None:
        (model(x) ** 2).sum().backward()
        clip_grad_value_(model.parameters(), 0.1)
        optimizer.step()
        optimizer.zero_grad()

    check(program, arguments=lambda: [*model_and_optimizer(), normal(5, 4, seed=9)], calls=4, compiles=1, relative=5e-5)


def test_gradients_from_outside_are_clipped_in_place() -> None:
    def made() -> Sequence[Any]:
        params = [leaf(3, 4), leaf(4, seed=1)]
        for place, each in enumerate(params):
            each.grad = normal(*each.shape, seed=place)
        return [params, [each.grad for each in params], gl.tensor(2.0)]

    def program(params: Any, gradients: Any, most: Any) -> Any:
        return clip_grad_norm_(params, 0.3), clip_grad_value_(params[0], 0.01)

    check(program, arguments=made, calls=3, compiles=1)


def test_how_much_is_let_through_may_change_at_every_call() -> None:
    def program(params: Any, most: float) -> Any:
        return clip_grad_norm_(params, most)

    def made(number: int) -> Sequence[Any]:
        param = leaf(3, 4)
        param.grad = normal(3, 4, seed=number)
        return [[param], 0.1 + number]

    check(program, make=made, calls=4, relative=2e-5)


AVERAGES = {
    "mean": lambda model: swa_utils.AveragedModel(model),
    "ema": lambda model: swa_utils.AveragedModel(model, multi_avg_fn=swa_utils.get_ema_multi_avg_fn(0.9)),
    "ema that forgets": lambda model: swa_utils.AveragedModel(model, multi_avg_fn=swa_utils.get_ema_multi_avg_fn(0.3)),
}


@pytest.mark.parametrize("name", AVERAGES)
def test_a_training_step_that_averages_its_weights_is_one_graph(name: str) -> None:
    def made() -> Sequence[Any]:
        model, optimizer = model_and_optimizer()
        return [model, optimizer, AVERAGES[name](model), normal(5, 4, seed=9)]

    def program(model: Any, optimizer: Any, averaged: Any, x: Any) -> Any:
        optimizer.zero_grad()
        loss = (model(x) ** 2).sum()
        loss.backward()
        clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        averaged.update_parameters(model)
        return loss.detach()

    check(program, arguments=made, calls=5, compiles=1, relative=5e-5)


@pytest.mark.parametrize("which", ["avg_fn", "multi_avg_fn"])
def test_an_average_of_ones_own_breaks_the_graph_at_worst(which: str) -> None:
    def one(average: Any, weight: Any, count: Any) -> Any:
        return average * 0.5 + weight * 0.5

    def many(averages: Any, weights: Any, count: Any) -> None:
        for average, weight in zip(averages, weights):
            average.mul_(0.5).add_(weight, alpha=0.5)

    def made() -> Sequence[Any]:
        model, optimizer = model_and_optimizer()
        return [model, optimizer, swa_utils.AveragedModel(model, **{which: one if which == "avg_fn" else many})]

    def change(number: int, model: Any, optimizer: Any, averaged: Any) -> None:
        with gl.no_grad():
            model[0].weight.fill_(float(number))

    check(lambda model, optimizer, averaged: averaged.update_parameters(model), arguments=made, change=change, calls=4,
          breaks=None)  # fmt: skip
