"""Layers without state that a jitted function makes are part of its graph, and each call's own where they leave it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from frontend.tensors.scenario import check, normal

import guardlift as gl
from guardlift import nn


class Doubled(nn.Module):
    def forward(self, x: Any) -> Any:
        return x * 2


TRACED: dict[str, Any] = {
    "a loss": lambda x: nn.CrossEntropyLoss(label_smoothing=0.1)(x, gl.tensor([1, 0, 2])),
    "an activation": lambda x: nn.LeakyReLU(0.2)(x) + nn.Softmax(dim=1)(x),
    "layers in a row": lambda x: nn.Sequential(nn.ReLU(), nn.Dropout(0.0), nn.Sigmoid())(x),
    "a class of the user's": lambda x: Doubled()(x),
    "their identities": lambda x: (a := nn.ReLU(), b := nn.ReLU(), (a is a, a is b, x * 1))[-1],
    "one that is returned": lambda x: (type(m := nn.ReLU()), m.inplace, m(x)),
}
BROKEN: dict[str, Any] = {
    "layers by name": lambda x: nn.ModuleDict({"a": nn.Tanh()})["a"](x),
    "with parameters": lambda x: nn.Linear(4, 2, bias=False)(x).shape,
    "put in another mode": lambda x: nn.Dropout(0.5).eval()(x),
    "with a weight": lambda x: nn.CrossEntropyLoss(weight=gl.ones(4))(x, gl.tensor([1, 0, 2])),
}


@pytest.mark.parametrize("program", TRACED)
def test_a_layer_without_state_is_part_of_the_graph(program: str) -> None:
    check(TRACED[program], make=lambda k: [normal(3, 4, seed=k)], compiles=1)


@pytest.mark.parametrize("program", BROKEN)
def test_any_other_is_made_by_python(program: str) -> None:
    check(BROKEN[program], make=lambda k: [normal(3, 4, seed=k)], breaks=None)


def test_the_numbers_that_a_constructor_draws_are_drawn_once() -> None:
    def program(x: Any) -> Any:
        return x @ nn.Linear(4, 2).weight.T, gl.rand(3)

    check(program, make=lambda k: [normal(3, 4, seed=k)], breaks=None)


def test_each_call_returns_a_layer_of_its_own() -> None:
    @gl.jit
    def made(x: Any) -> Any:
        act = nn.Sequential(nn.ReLU(), nn.Hardtanh(-1.0, 2.0))
        return act(x), act, [act]

    first, second = made(normal(3)), made(normal(3))
    assert gl.explain(made).state == "compiled: 1 entry"
    assert first[1] is first[2][0] and first[1] is not second[1] and first[1][0] is not second[1][0]
    assert repr(first[1]) == repr(nn.Sequential(nn.ReLU(), nn.Hardtanh(-1.0, 2.0)))


def test_an_argument_of_the_constructor_is_relied_on() -> None:
    fast = gl.jit(lambda x, axis: nn.Softmax(dim=axis)(x))
    x = normal(3, 4)
    for axis in (0, 1, 0):
        assert gl.allclose(fast(x, axis), x.softmax(axis))


def test_what_the_constructor_raises_is_raised() -> None:
    fast = gl.jit(lambda x: nn.Dropout(p=3.0)(x))
    for _ in range(2):
        with pytest.raises(ValueError, match="dropout probability has to be between 0 and 1"):
            fast(normal(3))


@contextmanager
def changed(owner: Any, name: str, value: Any) -> Iterator[None]:
    before = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, before)


def test_a_class_that_changes_is_read_anew() -> None:
    fast = gl.jit(lambda x: nn.Hardtanh(-1.0, 2.0)(x))
    x = gl.tensor([-3.0, 3.0])
    usual = nn.Hardtanh.__init__

    def narrower(self: Any, *_limits: Any) -> None:
        usual(self, -0.5, 0.5)

    assert fast(x).tolist() == [-1.0, 2.0]
    with changed(nn.Hardtanh, "forward", lambda self, x: x):
        assert fast(x).tolist() == [-3.0, 3.0]
    with changed(nn.Hardtanh, "__init__", narrower):
        assert fast(x).tolist() == [-0.5, 0.5]
    assert fast(x).tolist() == [-1.0, 2.0]
