"""Every draw in every place of a jitted function: eager mode's numbers, and its generators as far afterwards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift.nn import functional as F

Draw = Callable[[Any, Any], Any]

DRAWS: dict[str, Draw] = {
    "rand": lambda x, g: gl.rand(3, 4, generator=g),
    "randn": lambda x, g: gl.randn(3, 4, generator=g),
    "randint": lambda x, g: gl.randint(0, 10, (3, 4), generator=g).float(),
    "randperm": lambda x, g: x[gl.randperm(3, generator=g)],
    "rand_like": lambda x, g: gl.rand_like(x, generator=g),
    "randn_like": lambda x, g: gl.randn_like(x, generator=g),
    "bernoulli": lambda x, g: gl.bernoulli(x.detach().sigmoid(), generator=g),
    "normal": lambda x, g: gl.normal(x.detach(), x.detach().abs(), generator=g),
    "multinomial": lambda x, g: x * gl.multinomial(x.detach().abs(), 2, generator=g).sum(),
    "multinomial, replaced": lambda x, g: x * gl.multinomial(x.detach().abs(), 9, replacement=True, generator=g).sum(),
    "normal_": lambda x, g: gl.empty(3, 4).normal_(1, 2, generator=g),
    "uniform_": lambda x, g: gl.empty(3, 4).uniform_(1, 2, generator=g),
    "bernoulli_": lambda x, g: gl.empty(3, 4).bernoulli_(0.3, generator=g),
    "random_": lambda x, g: gl.empty(3, 4).random_(0, 5, generator=g),
    "exponential_": lambda x, g: gl.empty(3, 4).exponential_(generator=g),
    "dropout": lambda x, g: F.dropout(x, 0.4),
    "poisson": lambda x, g: gl.poisson(x.detach().abs() * 9, g),
    "binomial": lambda x, g: gl.binomial(gl.full((3, 4), 9.0), x.detach().sigmoid(), g),
    "cauchy_": lambda x, g: gl.empty(3, 4).cauchy_(1.0, 2.0, generator=g),
    "log_normal_": lambda x, g: gl.empty(3, 4).log_normal_(generator=g),
    "geometric_": lambda x, g: gl.empty(3, 4).geometric_(0.4, generator=g),
    "alpha_dropout": lambda x, g: F.alpha_dropout(x, 0.4, training=True),
    "feature_alpha_dropout": lambda x, g: F.feature_alpha_dropout(x, 0.4, training=True),
    "dropout of channels": lambda x, g: F.dropout1d(x[None], 0.4)[0],
}


def once(draw: Draw) -> Draw:
    return lambda x, g: draw(x, g) * 2


def in_a_loop(draw: Draw) -> Draw:
    def f(x: Any, g: Any) -> Any:
        for _ in range(3):
            x = x * 0.5 + draw(x, g)
        return x

    return f


def in_a_loop_node(draw: Draw) -> Draw:
    def f(x: Any, g: Any) -> Any:
        y = draw(x, g) * 1.0
        for _ in range(70):
            y = y * 0.5 + draw(x, g)
        return y + draw(x, g)

    return f


def around_a_break(draw: Draw) -> Draw:
    def f(x: Any, g: Any) -> Any:
        first = draw(x, g)
        gl.graph_break()
        return first + draw(x, g)

    return f


def retained(draw: Draw) -> Draw:
    def f(x: Any, g: Any) -> Any:
        x = x.detach().requires_grad_(True)
        loss = (draw(x, g) * x).sum()
        loss.backward(retain_graph=True)
        loss.backward()
        return x.grad

    return f


def seeded(draw: Draw) -> Draw:
    def f(x: Any, g: Any) -> Any:
        first = draw(x, g)
        gl.manual_seed(7)
        return first + draw(x, g)

    return f


def put_back(draw: Draw) -> Draw:
    def f(x: Any, g: Any) -> Any:
        state = gl.get_rng_state()
        first = draw(x, g)
        gl.set_rng_state(state)
        return first - draw(x, g) * 3

    return f


def forked(draw: Draw) -> Draw:
    def f(x: Any, g: Any) -> Any:
        first = draw(x, g)
        with gl.random.fork_rng():
            gl.manual_seed(11)
            second = draw(x, g)
        return first + second + draw(x, g)

    return f


PLACES = {
    each.__name__: each
    for each in (once, in_a_loop, in_a_loop_node, around_a_break, retained, seeded, put_back, forked)
}
BREAKS = {"around_a_break"}
"""The places where the graph breaks."""
CHECKED = {"randperm", "bernoulli", "multinomial", "multinomial, replaced", "poisson", "binomial"}
"""Draws that look at their arguments first, or whose numbers are indices here: no part of a loop that is one node."""
INEXACT = {"randn", "randn_like", "normal", "normal_", "log_normal_", "exponential_", "cauchy_"}
"""Draws that are made of logarithms, powers of e, cosines or tangents: kernels and NumPy may round these differently.

All others are bit for bit those of eager mode, in every place.
"""


@pytest.mark.parametrize("own", [False, True], ids=["default", "own generator"])
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", DRAWS)
def test_a_draw_is_that_of_eager_mode(name: str, place: str, own: bool) -> None:
    function = PLACES[place](DRAWS[name])
    x = gl.linspace(-1.0, 2.0, 12).reshape(3, 4)
    found = []
    for run in (function, jitted := gl.jit(function)):
        gl.manual_seed(3)
        generator = gl.Generator().manual_seed(5)
        outs = [run(x, generator if own else None) for _ in range(3)]
        found.append((outs, [gl.get_rng_state().tolist(), generator.get_state().tolist()]))
    close = {"rtol": 2e-6, "atol": 1e-6} if name in INEXACT else {"rtol": 0, "atol": 0}
    for one, other in zip(found[0][0], found[1][0], strict=True):
        np.testing.assert_allclose(other.detach().numpy(), one.detach().numpy(), **close)
    assert found[0][1] == found[1][1]
    if place not in BREAKS and not (place == "in_a_loop_node" and name in CHECKED):
        assert gl.explain(jitted).breaks == ()
        assert gl.explain(jitted).compiles == 1
