"""Fifty steps of training on the digits give the losses that PyTorch 2.13 gives, eager and jitted."""

# Note [Where the figures come from]
# PyTorch 2.13.0 (CPU wheel) with NumPy 2.4.6 and scikit-learn 1.9.1 ran the training that `material`, `perceptron` and
# `RECIPES` describe: the same weights and batches, `torch.nn.Sequential` of Linear and ReLU or GELU (not approximated),
# `torch.nn.functional.cross_entropy`, the rate of step k set through `param_groups[0]["lr"]`, float32, x86-64.
# The same training in float64 gives losses that agree with these to 2e-6, so 1e-4 leaves room for any order of sums.

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

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
PYTORCH = {
    "relu, Adam": """
        2.310767 2.27547 2.256695 2.247978 2.211851 2.170192 2.155694 2.147143 2.106599 2.044137
        2.023259 1.990792 1.918105 1.874216 1.840658 1.758032 1.737853 1.676792 1.623916 1.516164
        1.482515 1.356404 1.382556 1.346957 1.203386 1.058879 1.063079 1.013594 1.042467 0.888572
        0.8669835 0.8312702 0.728045 0.7763792 0.6874557 0.7248433 0.5866446 0.6080678 0.4951543 0.6308563
        0.4962035 0.465977 0.4988025 0.417892 0.4102502 0.4797477 0.4274342 0.4486134 0.4169944 0.36351
    """,
    "relu, Adam, falling rate": """
        2.310767 2.27547 2.257139 2.249273 2.21489 2.175221 2.163801 2.157984 2.123872 2.068522
        2.053933 2.030416 1.970167 1.939682 1.916438 1.851952 1.842528 1.802234 1.767308 1.693211
        1.672517 1.582445 1.610618 1.58531 1.485513 1.378485 1.393984 1.368574 1.378397 1.264997
        1.264159 1.231814 1.14502 1.170391 1.078376 1.130533 1.042708 1.056831 0.9692204 0.9886792
        0.880353 0.8921704 0.9228306 0.8389512 0.8151211 0.8337891 0.8415999 0.7998487 0.7779384 0.7634947
    """,
    "gelu, Adam": """
        2.307929 2.281862 2.264676 2.26486 2.237049 2.206394 2.194218 2.186392 2.160657 2.113565
        2.097857 2.076465 2.019797 1.992618 1.963617 1.894576 1.861715 1.812134 1.755449 1.655154
        1.612071 1.493536 1.497272 1.436836 1.274218 1.099155 1.094727 1.023946 1.036133 0.8410306
        0.8224092 0.7389377 0.6381887 0.664765 0.5771275 0.6422544 0.4597698 0.5030163 0.3661495 0.5353498
        0.4307013 0.3468389 0.3728925 0.3183901 0.3411396 0.4416532 0.3441594 0.3771794 0.3413754 0.285991
    """,
    "gelu, Adam, falling rate": """
        2.307929 2.281862 2.264977 2.265829 2.239208 2.210309 2.200294 2.194324 2.173012 2.131735
        2.120611 2.105973 2.060044 2.044969 2.025463 1.974138 1.955447 1.925732 1.892422 1.826586
        1.805086 1.736042 1.750312 1.71937 1.62037 1.517248 1.528218 1.496806 1.496406 1.36677
        1.370448 1.303333 1.213843 1.21686 1.093438 1.160005 1.061519 1.063795 0.9413013 0.9723676
        0.8360365 0.8512796 0.8725421 0.7659633 0.7325768 0.7567761 0.757211 0.7085461 0.6810987 0.6708047
    """,
    "gelu, AdamW": """
        2.307929 2.281865 2.264692 2.264888 2.237112 2.206508 2.194378 2.186596 2.16094 2.113982
        2.098364 2.077074 2.02063 1.993611 1.964771 1.896041 1.863384 1.814077 1.757714 1.657901
        1.615075 1.497156 1.500952 1.440685 1.278741 1.104326 1.100007 1.029401 1.041407 0.8461443
        0.8277194 0.7440867 0.6427557 0.6690211 0.5805714 0.6455116 0.4635556 0.5065076 0.3693757 0.5376747
        0.4327825 0.3491933 0.3754462 0.3203678 0.3427028 0.4429139 0.346608 0.3791478 0.3429267 0.2880774
    """,
    "relu, SGD with momentum": """
        2.310767 2.299065 2.298598 2.307413 2.292882 2.27031 2.275869 2.271801 2.262868 2.239318
        2.239796 2.227878 2.203414 2.194374 2.182828 2.148824 2.145605 2.129149 2.116474 2.076023
        2.07265 2.023544 2.03433 2.009551 1.96925 1.889215 1.888857 1.866956 1.858828 1.773699
        1.768416 1.723934 1.641024 1.645837 1.541295 1.565461 1.488259 1.472732 1.353116 1.372694
        1.218992 1.246698 1.256587 1.139446 1.079875 1.063296 1.074082 1.004874 0.9627517 0.9305252
    """,
}


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


def figures(name: str) -> np.ndarray:
    """PyTorch's losses."""
    return np.array(PYTORCH[name].split(), np.float64)


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
    assert relative(plain.losses(batches), figures(name)) <= MAY_DIFFER_FROM_PYTORCH


@pytest.mark.parametrize("name", RECIPES)
def test_jitted_losses_are_those_of_eager_and_of_pytorch(name: str) -> None:
    weights, batches = material()
    plain, jitted = training(RECIPES[name], weights), training(RECIPES[name], weights)
    plain.step = plain.step.__wrapped__
    expected, found = plain.losses(batches), jitted.losses(batches)
    assert relative(found, expected) <= MAY_DIFFER_FROM_EAGER
    assert relative(found, figures(name)) <= MAY_DIFFER_FROM_PYTORCH
    report = gl.explain(jitted.step)
    assert report.breaks == ()
    # The first step makes the optimizer's state, which the others find there. New rates compile nothing.
    assert 1 <= report.compiles <= 2
