"""Attributes set on a module past its own `__setattr__`: the next call of compiled code is that of eager mode."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import pytest

import guardlift as gl
from guardlift import nn
from guardlift.backend.cpu.plan import word_checks


class Net(nn.Module):
    scale = 1.0

    def __init__(self) -> None:
        super().__init__()
        self.sub = nn.Identity()
        self.layers = nn.Sequential(nn.Linear(2, 2), nn.Identity())
        self.weight = nn.Parameter(gl.full((2,), 3.0))
        self.register_buffer("buf", gl.zeros(2))
        self.bonus = 0.5

    def extra(self, x: Any) -> Any:
        return x

    def forward(self, x: Any) -> Any:
        return self.extra(self.layers(self.sub(x)) * self.scale * self.weight + self.buf) + self.bonus


class Tripled(Net):
    def forward(self, x: Any) -> Any:
        return x * 3.0


put = object.__setattr__
CHANGES: dict[str, Callable[[Net], None]] = {
    "a submodule": lambda m: put(m, "sub", lambda x: x * 5.0),
    "a submodule by a module": lambda m: put(m, "sub", nn.ReLU()),
    "a parameter": lambda m: put(m, "weight", gl.full((2,), 7.0)),
    "a buffer": lambda m: put(m, "buf", gl.ones(2)),
    "an attribute of the class": lambda m: put(m, "scale", 9.0),
    "forward": lambda m: put(m, "forward", lambda x: x * 7.0),
    "another method": lambda m: put(m, "extra", lambda x: x - 1.0),
    "a plain attribute": lambda m: put(m, "bonus", 2.0),
    "the class": lambda m: put(m, "__class__", Tripled),
    "the dict": lambda m: put(m, "__dict__", {**vars(m), "scale": 4.0}),
    "forward of a layer": lambda m: put(m.layers[0], "forward", lambda x: x * 2.0),
    "the weight of a layer": lambda m: put(m.layers[0], "weight", gl.ones(2, 2)),
    "a key of the dict": lambda m: dict.__setitem__(vars(m), "scale", 6.0),
}


@pytest.mark.parametrize("name", CHANGES)
def test_the_next_call_is_that_of_eager_mode(name: str) -> None:
    model, x = Net(), gl.tensor([[1.0, -2.0]])
    run = gl.jit(lambda x: model(x), backend="reference" if len(name) % 3 else "numba")
    with gl.set_grad_enabled(len(name) % 2 == 0):
        for _ in range(2):
            assert gl.allclose(run(x), model(x))
        CHANGES[name](model)
        for _ in range(2):
            assert gl.allclose(run(x), model(x))


@pytest.mark.parametrize("name", CHANGES)
def test_it_is_seen_where_dicts_have_no_versions(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_checks, "dicts_have_versions", lambda: False)
    x = gl.tensor([[1.0, -2.0]])

    def changed() -> weakref.ref[Net]:
        model = Net()
        run = gl.jit(lambda x: model(x), backend="reference")
        for _ in range(2):
            assert gl.allclose(run(x), model(x))
        CHANGES[name](model)
        assert gl.allclose(run(x), model(x))
        return weakref.ref(model)

    kept = changed()
    gc.collect()
    assert kept() is None


def test_a_training_step_sees_it_too() -> None:
    models = [Net(), Net()]
    models[1].load_state_dict(models[0].state_dict())
    x = gl.tensor([[1.0, -2.0]])

    def step(model: Net, optimizer: Any) -> Any:
        optimizer.zero_grad()
        loss = model(x).square().sum()
        loss.backward()
        optimizer.step()
        return loss.detach()

    optimizers = [gl.optim.SGD(model.parameters(), lr=0.01) for model in models]
    jitted = gl.jit(step)
    for turn in range(4):
        losses = jitted(models[0], optimizers[0]), step(models[1], optimizers[1])
        assert gl.allclose(*losses)
        if turn == 1:
            for model in models:
                put(model, "scale", 2.0)


def test_an_entry_without_a_plan_sees_it() -> None:
    model = Net()
    with gl.config.patch(trace_without_arrays=True):
        run = gl.jit(lambda: (model.scale, 2))
        assert run() == run() == (1.0, 2)
        put(model, "scale", 9.0)
        assert run() == run() == (9.0, 2)


def test_what_nobody_relied_on_changes_nothing() -> None:
    model, x = Net(), gl.ones(1, 2)
    run = gl.jit(lambda x: model(x))
    wanted = run(x)
    for name in ("other", "another"):
        put(model, name, 1)
        model.bonus = 0.5
        assert gl.allclose(run(x), wanted)
    report = gl.explain(run)
    assert len(report.entries) == 1 and not report.entries[0].stale


def test_the_report_says_what_happened() -> None:
    model, x = Net(), gl.ones(1, 2)
    run = gl.jit(lambda x: model(x))
    run(x)
    put(model, "scale", 2.0)
    run(x)
    assert "it was written past its __setattr__" in str(gl.explain(run))


def test_the_check_keeps_nobody_alive() -> None:
    model, x = Net(), gl.ones(1, 2)
    run = gl.jit(lambda model, x: model(x))
    run(model, x)
    seen = weakref.ref(model)
    del model
    gc.collect()
    assert seen() is None
    other = Net()
    assert gl.allclose(run(other, x), other(x))


def test_modules_that_come_and_go_are_told_apart() -> None:
    run, x = gl.jit(lambda model, x: model(x)), gl.ones(1, 2)
    for turn in range(6):
        model = Net()
        if turn % 2:
            put(model, "scale", float(turn))
        assert gl.allclose(run(model, x), model(x))
        del model


def test_modes_still_go_to_and_fro() -> None:
    model, x = nn.Sequential(nn.Linear(2, 2), nn.Identity()), gl.ones(1, 2)
    run = gl.jit(lambda x: model(x))
    for turn in range(6):
        model.train(turn % 2 == 0)
        assert gl.allclose(run(x), model(x))
    assert len(gl.explain(run).entries) == 1
