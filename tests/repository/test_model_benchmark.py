"""The programs of `make bench-models` run here, plainly and jitted, as far as their names are there."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from repository.tree import ROOT

import guardlift as gl

sys.path.insert(0, str(ROOT / "benchmarks"))

import models  # noqa: E402
from models_programs import MODELS, Model, missing, same  # noqa: E402


def losses(name: str, of_step: Any) -> list[float]:
    gl.manual_seed(0)
    step, arguments = MODELS[name].make(gl, same)
    step = of_step(step)
    return [float(step(*arguments)) for _ in range(3)]


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_a_program_does_the_same_jitted(name: str) -> None:
    if missing(gl, MODELS[name]):
        pytest.skip(f"missing: {missing(gl, MODELS[name])}")
    plain = losses(name, same)
    assert losses(name, gl.jit) == pytest.approx(plain, rel=1e-3)
    assert len(set(plain)) == 3


def test_names_that_are_missing_are_told() -> None:
    assert missing(gl, Model(MODELS["LSTM"].make, "nn.Linear nn.NoSuchLayer no_module.Name")) == [
        "nn.NoSuchLayer",
        "no_module.Name",
    ]


def test_a_row_holds_the_best_of_each_kind() -> None:
    ours = {"eager": 1.2, "compiled: the step": 0.4}
    theirs = {"eager": 1.0, "compiled: the step": 0.8, "compiled: the model": 0.5}
    assert models.row_of("m", [ours, theirs]) == ("m", "1.2 s", "400 ms", "1 s", "500 ms", "1.20x", "0.80x", "met")
    assert models.row_of("m", [ours]) == ("m", "1.2 s", "400 ms", "-", "-", "-", "-", "")
    failed = {"compiled: the step": {"failed": "TypeError: no"}}
    done = {"compiled: the step": {"first": 2.0, "compiles": 1, "breaks": 0}}
    assert models.first_row("m", [done, failed]) == ("m", "2 s", "1", "0", "TypeError: no", "", "")
