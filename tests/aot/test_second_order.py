"""Gradients of gradients through jitted functions are those of eager mode, to third order."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest
from frontend.tensors.scenario import interpreted

import guardlift as gl
from guardlift.frontend import state_of
from guardlift.nn import functional as F

Function = Callable[..., Any]


def numbers(*shape: int, seed: int) -> Any:
    return gl.tensor(np.random.default_rng(seed).uniform(0.2, 1.2, shape))


def made(*shapes: tuple[int, ...]) -> tuple[Any, ...]:
    return tuple(numbers(*shape, seed=number).requires_grad_() for number, shape in enumerate(shapes))


def weighted(values: Any) -> Any:
    """A sum over all elements of all values, in which no two count alike."""
    values = values if isinstance(values, tuple) else (values,)
    total: Any = 0.0
    for number, each in enumerate(values):
        if each is not None and each.requires_grad:
            total = total + (each * each * numbers(*each.shape, seed=50 + number)).sum()
    return total


def derivatives(function: Function, inputs: tuple[Any, ...], order: int) -> list[Any]:
    """The gradients of every order, one list."""
    gl.manual_seed(3)
    values, found = function(*inputs), []
    found += values if isinstance(values, tuple) else [values]
    for level in range(order):
        total = weighted(values)
        if not isinstance(total, gl.Tensor):
            break
        last = level == order - 1
        values = gl.autograd.grad(total, inputs, create_graph=not last, allow_unused=True)
        found += values
    return found


def agree(one: list[Any], other: list[Any]) -> None:
    assert len(one) == len(other)
    for place, (eager, jitted) in enumerate(zip(one, other, strict=True)):
        assert (eager is None) == (jitted is None), place
        if eager is not None:
            assert eager.requires_grad == jitted.requires_grad and eager.shape == jitted.shape, place
            a, b = eager.detach().numpy(), jitted.detach().numpy()
            np.testing.assert_allclose(
                b, a, rtol=1e-10, atol=1e-10 * max(1.0, float(np.abs(a).max())), err_msg=str(place)
            )


def in_place(x: Any, w: Any) -> Any:
    y = x * w
    y.mul_(w).add_(x)
    y[0] = y[1] * 2.0
    y[:, 1:] += w[:, 1:]
    return y.exp()


def masked(x: Any, w: Any) -> Any:
    kept = gl.rand_like(x) > 0.4
    return gl.where(kept, x * w / 0.6, 0.0) * x


def detached(x: Any, w: Any) -> Any:
    h = (x * w).tanh()
    return h * h.detach() + x.detach() * w * x


def unrecorded(x: Any, w: Any) -> Any:
    with gl.no_grad():
        scale = (x * x).sum()
    return x * w * scale


def chained(x: Any, w: Any) -> Any:
    y = (x * w).exp()
    z = (y * x).sin()
    return y, z, (z * y).sum()


A, B = (3, 4), (4, 2)
ROWS, LABELS = gl.tensor([0, 2, 0]), gl.tensor([0, 1, 1])
PLACES = gl.tensor([[0, 1], [2, 2], [3, 0]])

PROGRAMS: dict[str, tuple[Function, tuple[tuple[int, ...], ...]]] = {
    "a product": (lambda x, w: x * w, (A, A)),
    "a chain of pointwise operations": (lambda x, w: ((x * 2.0).exp() * w).tanh().sqrt(), (A, A)),
    "logarithms and quotients": (lambda x, w: (x / w).log() + 1.0 / (x + w), (A, A)),
    "powers": (lambda x, w: x**3 + w**2.5 + x**w, (A, A)),
    "broadcasting": (lambda x, w: (x + w).sin() * w, (A, (4,))),
    "what is linear": (lambda x, w: 2.0 * x + w - 1.0, (A, A)),
    "a matrix product": (lambda x, w: (x @ w).tanh(), (A, B)),
    "matrix products in turn": (lambda x, w: ((x @ w).exp() @ w.T) @ w, (A, B)),
    "a linear layer": (lambda x, w, b: F.linear(x, w, b).sigmoid(), (A, (2, 4), (2,))),
    "softmax": (lambda x, w: F.softmax(x * w, dim=-1), (A, A)),
    "log_softmax": (lambda x, w: F.log_softmax(x @ w, dim=1), (A, B)),
    "layer norm": (lambda x, w, b: F.layer_norm(x, (4,), w, b), (A, (4,), (4,))),
    "activations": (lambda x: F.gelu(x) + F.silu(x) * F.sigmoid(x) + F.relu(x - 0.5), (A,)),
    "sums and means": (lambda x, w: (x.sum(dim=0) * w.mean(dim=0), (x * w).mean()), (A, A)),
    "variance": (lambda x: (x.std(dim=1), x.var()), (A,)),
    "largest and least": (lambda x, w: x.amax(dim=1) * w.max() + w.min(), (A, A)),
    "a norm": (lambda x: x / x.norm(dim=1, keepdim=True), (A,)),
    "running sums": (lambda x: x.cumsum(dim=1).exp(), (A,)),
    "slices": (lambda x, w: x[1:, ::2].exp() * w[:2, 1:3], (A, A)),
    "an index of a list": (lambda x: x[ROWS] ** 3, (A,)),
    "gather": (lambda x, w: x.gather(1, PLACES) * w, (A, (3, 2))),
    "where": (lambda x, w: gl.where(x > w, x * w, w.exp()), (A, A)),
    "views": (lambda x, w: x.reshape(4, 3).T.unsqueeze(1).expand(3, 2, 4) * w.permute(1, 0, 2), (A, (2, 3, 4))),
    "joined": (lambda x, w: gl.cat([x, w * x], dim=0).exp() * gl.stack([x, w]).sum(), (A, A)),
    "writes in place": (in_place, (A, A)),
    "a dropout": (masked, (A, A)),
    "what is detached": (detached, (A, A)),
    "what is not recorded": (unrecorded, (A, A)),
    "a mean squared error": (lambda x, w, y: F.mse_loss(x @ w, y), (A, B, (3, 2))),
    "cross entropy": (lambda x, w: F.cross_entropy(x @ w, LABELS), (A, B)),
    "attention": (
        lambda q, k, v: F.softmax(q @ k.transpose(-1, -2) / 2.0, dim=-1) @ v,
        ((2, 3, 4), (2, 3, 4), (2, 3, 4)),
    ),
    "several results": (lambda x, w: (x * w, (x * w).exp(), x.sin().sum()), (A, A)),
    "results that depend on results": (chained, (A, A)),
    "results that share what is saved": (lambda x, w: (lambda h: (h.sin(), h.exp() * w))(x * w), (A, A)),
    "a product along an axis": (lambda x: x.prod(dim=1), (A,)),
}


COMPILED = ("a chain of pointwise operations", "a matrix product", "softmax", "slices", "writes in place")
"""Programs that go through kernels in the quick run. What others take their time for is to compile."""


@pytest.mark.spec("S10.09")
@pytest.mark.parametrize("name", PROGRAMS)
def test_derivatives_through_a_jitted_function_are_those_of_eager_mode(name: str) -> None:
    with nullcontext() if name in COMPILED else interpreted():
        compare_outside(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", [each for each in PROGRAMS if each not in COMPILED])
def test_derivatives_through_kernels_are_those_of_eager_mode(name: str) -> None:
    compare_outside(name)


def compare_outside(name: str) -> None:
    """Derivatives of three orders, taken outside of the jitted function."""
    function, shapes = PROGRAMS[name]
    fast = gl.jit(function)
    plain = derivatives(function, made(*shapes), 3)
    for _ in range(2):
        agree(plain, derivatives(fast, made(*shapes), 3))
    events = state_of(fast).history
    # Random numbers are drawn by Python, in between two compiled pieces.
    assert [each.kind for each in events if each.kind != "break"] == ["compile"], [each.text for each in events]
    assert name == "a dropout" or len(events) == 1


# -- inside ------------------------------------------------------------------------------------------------------------
def inside(function: Function) -> Function:
    """A function that takes gradients of two orders itself."""

    def program(*inputs: Any) -> list[Any]:
        values = function(*inputs)
        values = values if isinstance(values, tuple) else (values,)
        found = []
        for scale in (1.5, 0.5):
            rooted = [each for each in values if each is not None and each.requires_grad]
            if not rooted:
                break
            total = rooted[0].sum() * scale
            for each in rooted:
                total = total + (each * each).sum()
            values = gl.autograd.grad(total, inputs, create_graph=True, allow_unused=True)
            found += values
        return found

    return program


@pytest.mark.spec("S10.09")
@pytest.mark.parametrize("name", PROGRAMS)
def test_derivatives_inside_a_jitted_function_are_those_of_eager_mode(name: str) -> None:
    function, shapes = PROGRAMS[name]
    program = inside(function)
    fast = gl.jit(program)

    def run(function: Function) -> list[Any]:
        inputs = made(*shapes)
        gl.manual_seed(3)
        found = function(*inputs)
        weighted(tuple(found)).backward()
        return [*found, *(each.grad for each in inputs)]

    plain = run(program)
    # What kernels make of such graphs the tests above show; to compile all of these would take minutes.
    with nullcontext() if name in COMPILED else interpreted():
        for _ in range(2):
            agree(plain, run(fast))
    events = state_of(fast).history
    assert name == "a dropout" or len(events) == 1, [each.text for each in events]
