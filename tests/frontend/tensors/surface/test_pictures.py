"""Convolutions, pools and other functions on pictures, jitted: one graph, which gives what eager mode gives."""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from frontend.tensors.scenario import check
from frontend.tensors.training import World, same_steps

import guardlift as gl
from guardlift import nn, optim
from guardlift.frontend import state_of

F = nn.functional
CASES = Path(__file__).parents[3] / "nn" / "figures" / "cases"
FAMILIES = ("convolution", "pooling", "interpolation", "image_layers")


def family(name: str) -> Any:
    """The module of the cases of a family, which are compared with PyTorch's figures elsewhere."""
    spec = importlib.util.spec_from_file_location(f"picture_cases_{name}", CASES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


LOADED = {name: family(name) for name in FAMILIES}
PROGRAMS = [
    (name, case, text)
    for name, each in LOADED.items()
    for case, text in each.CASES.items()
    if "nn." not in text.replace("nn.functional", "")
]


def program(text: str, names: Sequence[str]) -> Callable[..., Any]:
    """A function of the tensors that gives what the expression does, and the gradients of all that has a history."""
    source = f"""def run({", ".join(names)}):
    found = {text}
    parts = found if isinstance(found, tuple) else (found,)
    total = 0.0
    for part in parts:
        if part.requires_grad:
            total = total + (part * part).sum()
    total.backward()
    return found"""
    namespace: dict[str, Any] = {"F": F, "gl": gl, "nn": nn}
    exec(compile(source, f"<{text}>", "exec"), namespace)
    return namespace["run"]  # type: ignore[no-any-return]


def arguments(cases: Any) -> Callable[[int], Sequence[Any]]:
    """Makes the tensors of a family."""

    def make(number: int) -> Sequence[Any]:
        rng = np.random.default_rng(number)
        floats = [gl.tensor(rng.standard_normal(shape)).requires_grad_() for shape in cases.FLOATS.values()]
        return [*floats, *(gl.tensor(each) for each in cases.CLASSES.values())]

    return make


@pytest.mark.parametrize(("name", "case", "text"), PROGRAMS, ids=[f"{name}-{case}" for name, case, _ in PROGRAMS])
def test_a_function_on_pictures_is_one_graph_with_its_gradients(name: str, case: str, text: str) -> None:
    cases = LOADED[name]
    run, make = program(text, [*cases.FLOATS, *cases.CLASSES]), arguments(cases)
    check(run, make, calls=2, compiles=1, relative=1e-9, strides=name != "interpolation")


GEOMETRIES = [
    ((2, 8, 10, 10), (16, 8, 3, 3), {}),
    ((3, 8, 10, 9), (40, 8, 3, 3), {"padding": 1}),
    ((2, 1, 12, 12), (32, 1, 3, 3), {}),
    ((2, 16, 8, 8), (32, 16, 3, 3), {"stride": 2, "padding": 1}),
    ((2, 16, 8, 8), (24, 16, 1, 1), {"stride": 2}),
    ((2, 16, 8, 8), (24, 16, 1, 1), {}),
    ((2, 16, 12, 12), (33, 16, 3, 2), {"padding": (1, 0), "dilation": (2, 1)}),
    ((2, 16, 12, 12), (8, 8, 5, 5), {"padding": 2, "groups": 2}),
    ((1, 70, 6, 6), (9, 70, 2, 2), {}),
    ((1, 2, 40, 40), (10, 2, 17, 17), {"padding": 1}),
    ((2, 6, 4, 300), (20, 6, 1, 3), {}),
    ((2, 6, 300, 4), (20, 6, 3, 1), {}),
    ((2, 9, 7, 7), (18, 1, 3, 3), {"padding": 1, "groups": 9}),
    ((2, 5, 40, 20), (7, 5, 1, 1), {}),
]
"""Sizes at which windows are multiplied where they lie, in panels that are full and that are not, and at which not."""


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("image", "weight", "settings"), GEOMETRIES, ids=str)
def test_kernels_of_windows_give_what_numpy_gives(
    image: tuple[int, ...], weight: tuple[int, ...], settings: dict[str, Any], dtype: str
) -> None:
    def make(number: int) -> Sequence[Any]:
        rng = np.random.default_rng(number)
        return [gl.tensor(rng.standard_normal(s), dtype=getattr(gl, dtype)) for s in (image, weight, weight[:1])]

    def run(x: Any, w: Any, b: Any) -> Any:
        x, w = x.requires_grad_(), w.requires_grad_()
        y = F.conv2d(x, w, b, **settings)
        return y, *gl.autograd.grad((y * y).sum(), (x, w))

    fast = gl.jit(run)
    for number in range(2):
        plain, jitted = run(*make(number)), fast(*make(number))
        for one, other in zip(plain, jitted, strict=True):
            ours, theirs = one.detach().numpy(), other.detach().numpy()
            tolerance = (1e-4 if dtype == "float32" else 1e-12) * np.abs(ours).max()
            np.testing.assert_allclose(theirs, ours, rtol=0, atol=tolerance)
    assert not [event for event in state_of(fast).history if event.kind == "break"]


def test_a_window_that_is_not_a_number_reaches_its_own_results_alone() -> None:
    image = np.ones((1, 8, 9, 9), np.float32)
    image[0, 3, 8, 8] = math.nan
    image[0, 3, 0, 0] = math.inf
    weight = np.ones((8, 8, 3, 3), np.float32)
    found = gl.jit(F.conv2d)(gl.tensor(image), gl.tensor(weight)).numpy()
    assert np.isnan(found).sum() == 8 and np.isinf(found).sum() == 8
    assert (found[np.isfinite(found)] == 72).all()


class Pictures(nn.Module):
    """A small network with each kind of layer."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Conv2d(2, 8, 3, padding=1)
        self.second = nn.Conv2d(8, 8, 3, stride=2, padding=1, bias=False)
        self.deep = nn.Conv2d(8, 8, 3, padding=1, groups=8)
        self.pool = nn.MaxPool2d(2)
        self.up = nn.ConvTranspose2d(8, 4, 2, stride=2)
        self.mean = nn.AdaptiveAvgPool2d(1)
        self.last = nn.Linear(4, 3)

    def forward(self, x: Any) -> Any:
        """The scores of three classes."""
        h = F.relu(self.first(x))
        h = F.relu(self.second(h)) + F.avg_pool2d(h, 2)
        h = self.up(self.pool(F.relu(self.deep(h))))
        return self.last(self.mean(F.interpolate(h, scale_factor=2)).flatten(1))


@pytest.mark.parametrize("maker", [lambda p: optim.SGD(p, lr=0.1), lambda p: optim.Adam(p, lr=0.01)])
@pytest.mark.slow
def test_a_training_step_of_a_convolutional_network_is_one_graph(maker: Callable[[Any], Any]) -> None:
    rng = np.random.default_rng(5)
    batches = [
        (gl.tensor(rng.standard_normal((4, 2, 8, 8)).astype(np.float32)), gl.tensor(rng.integers(0, 3, 4)))
        for _ in range(4)
    ]

    def make() -> World:
        model = Pictures()
        fill = np.random.default_rng(3)
        with gl.no_grad():
            for parameter in model.parameters():
                parameter.copy_(gl.tensor(fill.standard_normal(parameter.shape).astype(np.float32) * 0.3))
        return World(model, maker(model.parameters()))

    def bind(world: World) -> Callable[..., Any]:
        def step(x: Any, y: Any) -> Any:
            world.optimizer.zero_grad()
            loss = F.cross_entropy(world.model(x), y)
            loss.backward()
            world.optimizer.step()
            return loss

        return step

    same_steps(make, bind, batches, relative=2e-4)
