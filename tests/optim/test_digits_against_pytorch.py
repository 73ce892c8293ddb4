"""Fifty steps of training on the digits give the losses that PyTorch 2.13 gives, eager and jitted."""

# Note [Where the figures come from]
# PyTorch 2.13.0 (CPU wheel) with NumPy 2.4.6 and scikit-learn 1.9.1 ran the training that `material`, `perceptron` and
# `RECIPES` describe: the same weights and batches, `torch.nn.Sequential` of Linear and ReLU or GELU (not approximated),
# `torch.nn.functional.cross_entropy`, the rate of step k set through `param_groups[0]["lr"]`, float32, x86-64.
# The same training in float64 gives losses that agree with these to 2e-6, so 1e-4 leaves room for any order of sums.

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import guardlift as gl
from guardlift import nn

pytest.importorskip("sklearn")
threadpoolctl = pytest.importorskip("threadpoolctl")

STEPS, BATCH = 50, 128
LAYERS = ((64, 256), (256, 256), (256, 10))
WEIGHTS_CHECKSUM, BATCHES_CHECKSUM = 4060181327, 1474899607
MAY_DIFFER_FROM_EAGER, MAY_DIFFER_FROM_PYTORCH = 1e-5, 1e-4  # relative


@dataclass(frozen=True)
class Recipe:
    """A training: the activation, the optimizer, its first rate, and what is left of the rate after each step."""

    activation: Callable[[], nn.Module]
    optimizer: Callable[..., gl.optim.Optimizer]
    rate: float
    left: float = 1.0
    options: tuple[tuple[str, float], ...] = ()


RECIPES = {
    "relu, Adam": Recipe(nn.ReLU, gl.optim.Adam, 1e-3),
    "relu, Adam, falling rate": Recipe(nn.ReLU, gl.optim.Adam, 1e-3, 0.98),
    "gelu, Adam": Recipe(nn.GELU, gl.optim.Adam, 1e-3),
    "gelu, Adam, falling rate": Recipe(nn.GELU, gl.optim.Adam, 1e-3, 0.98),
    "gelu, AdamW": Recipe(nn.GELU, gl.optim.AdamW, 1e-3, options=(("weight_decay", 0.1),)),
    "relu, SGD with momentum": Recipe(nn.ReLU, gl.optim.SGD, 0.05, 0.98, (("momentum", 0.9),)),
}

# Note [Where the figures come from]
PYTORCH: dict[str, list[float]] = json.loads((Path(__file__).parent / "figures" / "digits.json").read_text())


def material() -> tuple[list[np.ndarray], list[tuple[np.ndarray, np.ndarray]]]:
    """Weights and biases by layer, uniform within 1 / sqrt(fan in), and batches; from one generator, in this order."""
    from sklearn.datasets import load_digits

    rng = np.random.default_rng(0)
    weights: list[np.ndarray] = []
    for fan_in, fan_out in LAYERS:
        for shape in ((fan_out, fan_in), (fan_out,)):
            weights.append(((rng.random(shape) * 2 - 1) * (1 / np.sqrt(fan_in))).astype(np.float32))
    images, digits = load_digits(return_X_y=True)
    images, digits = (images / 16).astype(np.float32), digits.astype(np.int64)
    batches: list[tuple[np.ndarray, np.ndarray]] = []
    while len(batches) < STEPS:
        order = np.argsort(rng.random(len(images)), kind="stable")
        whole = range(0, len(images) - BATCH + 1, BATCH)
        batches += [(images[order[at : at + BATCH]], digits[order[at : at + BATCH]]) for at in whole]
    return weights, batches[:STEPS]


def perceptron(activation: Callable[[], nn.Module], weights: list[np.ndarray]) -> nn.Module:
    """Linear layers with the activation between them, holding these weights and biases."""
    layers: list[nn.Module] = []
    for fan_in, fan_out in LAYERS:
        layers += [nn.Linear(fan_in, fan_out), activation()]
    model = nn.Sequential(*layers[:-1])
    with gl.no_grad():
        for parameter, weight in zip(model.parameters(), weights, strict=True):
            parameter.copy_(gl.tensor(weight))
    return model


@dataclass
class Training:
    """A model, its optimizer and its step; nothing of it is shared with another training."""

    recipe: Recipe
    optimizer: gl.optim.Optimizer
    step: Callable[[gl.Tensor, gl.Tensor], gl.Tensor]

    def losses(self, batches: list[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
        """The loss before each step; the rate is set anew for every step."""
        found = []
        for k, (images, digits) in enumerate(batches):
            self.optimizer.param_groups[0]["lr"] = self.recipe.rate * self.recipe.left**k
            found.append(self.step(gl.tensor(images), gl.tensor(digits)).item())
        return np.array(found)


def training(recipe: Recipe, weights: list[np.ndarray]) -> Training:
    """A training of `recipe` from these weights, with the step jitted; plain, it is the step's `__wrapped__`."""
    model = perceptron(recipe.activation, weights)
    optimizer = recipe.optimizer(model.parameters(), lr=recipe.rate, **dict(recipe.options))

    @gl.jit(fullgraph=True)
    def step(x, y):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        return loss

    return Training(recipe, optimizer, step)


@pytest.fixture(autouse=True, scope="module")
def one_blas_thread() -> Iterator[None]:
    """OpenBLAS's threads wait for each other in a busy loop: with a neighbour on the machine, twenty times as long."""
    with threadpoolctl.threadpool_limits(1):
        yield


def relative(found: np.ndarray, expected: np.ndarray) -> float:
    """The largest relative difference."""
    return float(np.abs(found / expected - 1).max())


def test_weights_and_batches_are_those_of_the_figures() -> None:
    weights, batches = material()
    assert zlib.crc32(b"".join(weight.tobytes() for weight in weights)) == WEIGHTS_CHECKSUM
    assert zlib.crc32(b"".join(x.tobytes() + y.tobytes() for x, y in batches)) == BATCHES_CHECKSUM


@pytest.mark.parametrize("name", RECIPES)
def test_eager_losses_are_those_of_pytorch(name: str) -> None:
    weights, batches = material()
    plain = training(RECIPES[name], weights)
    plain.step = plain.step.__wrapped__
    assert relative(plain.losses(batches), np.array(PYTORCH[name])) <= MAY_DIFFER_FROM_PYTORCH


@pytest.mark.parametrize("name", RECIPES)
def test_jitted_losses_are_those_of_eager_and_of_pytorch(name: str) -> None:
    weights, batches = material()
    plain, jitted = training(RECIPES[name], weights), training(RECIPES[name], weights)
    plain.step = plain.step.__wrapped__
    expected, found = plain.losses(batches), jitted.losses(batches)
    assert relative(found, expected) <= MAY_DIFFER_FROM_EAGER
    assert relative(found, np.array(PYTORCH[name])) <= MAY_DIFFER_FROM_PYTORCH
    report = gl.explain(jitted.step)
    assert report.breaks == ()
    # The first step makes the optimizer's state, which the others find there. New rates compile nothing.
    assert 1 <= report.compiles <= 2
