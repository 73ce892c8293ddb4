"""Modules of many shapes inside jitted functions: they give what they give outside."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from frontend.tensors.scenario import backward, check, normal

import guardlift as gl
from guardlift import nn


def filled(module: Any) -> Any:
    """The module with the same weights at every call."""
    rng = np.random.default_rng(11)
    with gl.no_grad():
        for parameter in module.parameters():
            parameter.copy_(gl.tensor(rng.standard_normal(parameter.shape).astype(np.float32) * 0.5))
    return module


class Residual(nn.Module):
    """A block that adds what it computes."""

    def __init__(self, inner: Any) -> None:
        super().__init__()
        self.inner = inner
        self.norm = nn.LayerNorm(4)

    def forward(self, x: Any) -> Any:
        return x + self.inner(self.norm(x))


class Looped(nn.Module):
    """Layers in lists, one of them used twice, weights shared between two."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(3)])
        self.head = nn.Linear(4, 4, bias=False)
        self.head.weight = self.layers[0].weight
        self.plain = [nn.Linear(4, 4)]

    def forward(self, x: Any, times: int = 2) -> Any:
        for _ in range(times):
            for layer in self.layers:
                x = layer(x).tanh()
        for number, layer in enumerate(self.layers):
            if number == len(self.layers) - 1:
                x = layer(x)
        return self.head(x)


class Running(nn.Module):
    """A mean that the forward pass keeps up to date."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("mean", gl.zeros(4))
        self.linear = nn.Linear(4, 4)

    def forward(self, x: Any) -> Any:
        if self.training:
            with gl.no_grad():
                self.mean.mul_(0.9).add_(0.1 * x.mean(0))
        return self.linear(x - self.mean)


class WithProperty(nn.Module):
    """Attributes by property, by class, and in nested plain objects."""

    factor = 2.0

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.settings = {"bias": [0.5, {"deep": 1.5}]}

    @property
    def weight(self) -> Any:
        return self.linear.weight * self.factor

    @staticmethod
    def shifted(x: Any, by: float) -> Any:
        return x + by

    def forward(self, x: Any) -> Any:
        return self.shifted(nn.functional.linear(x, self.weight), self.settings["bias"][1]["deep"])


MODELS: dict[str, Callable[[], Any]] = {
    "sequential": lambda: nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 4), nn.GELU(), nn.Identity()),
    "nested": lambda: nn.Sequential(Residual(nn.Linear(4, 4)), Residual(nn.Sequential(nn.Linear(4, 4), nn.SiLU()))),
    "looped": Looped,
    "running": Running,
    "properties": WithProperty,
    "batch norm": lambda: nn.Sequential(nn.Linear(4, 6), nn.BatchNorm1d(6), nn.PReLU(6), nn.Linear(6, 4)),
    "batch norm by a mean": lambda: nn.Sequential(nn.BatchNorm1d(4, momentum=None), nn.Linear(4, 4), nn.SELU()),
    "group norm": lambda: nn.Sequential(nn.Linear(4, 6), nn.GroupNorm(3, 6, bias=False), nn.Hardswish(), nn.RMSNorm(6)),
    "spectral norm": lambda: nn.utils.parametrizations.spectral_norm((gl.manual_seed(3), nn.Linear(4, 4))[1]),
    "weight norm": lambda: nn.utils.parametrizations.weight_norm(nn.Linear(4, 4)),
    "activations": lambda: nn.Sequential(nn.Sigmoid(), nn.Tanh(), nn.Flatten(), nn.Linear(4, 4)),
}


@pytest.mark.parametrize("name", MODELS)
def test_a_model_gives_inside_what_it_gives_outside_forward_and_backward(name: str) -> None:
    def make() -> Sequence[Any]:
        return [filled(MODELS[name]()), normal(3, 4)]

    check(lambda model, x: model(x), arguments=make, after=backward, compiles=1)
    check(lambda model, x: (model(x) ** 2).sum().backward(), arguments=make, calls=4, compiles=2)
    change = lambda number, model, x: model.train(number % 2 == 0)  # noqa: E731
    check(lambda model, x: model(x), arguments=make, change=change, after=backward, calls=4)


def test_the_methods_of_modules() -> None:
    def program(model: Any, x: Any) -> Any:
        total = 0.0
        for name, parameter in model.named_parameters():
            if "bias" not in name:
                total = total + (parameter * parameter).sum()
        return total, len(list(model.parameters())), [name for name, _ in model.named_buffers()], model.training

    for name in MODELS:
        check(program, arguments=lambda name=name: [filled(MODELS[name]()), normal(3, 4)], after=backward)


def test_two_models_in_turn_and_one_inside_the_other() -> None:
    def make() -> Sequence[Any]:
        return [filled(nn.Linear(4, 4)), filled(nn.Linear(4, 4, bias=False)), normal(3, 4)]

    check(lambda a, b, x: a(b(x)), arguments=make, after=backward)

    def swapped(number: int, a: Any, b: Any, x: Any) -> None:
        a.weight, b.weight = b.weight, a.weight

    check(lambda a, b, x: a(x) - b(x), arguments=make, change=swapped, after=backward, calls=4)
