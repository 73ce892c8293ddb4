"""The examples of models: losses beside PyTorch's, and short runs from the command line."""

from __future__ import annotations

import importlib
import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"
# PyTorch 2.13.0, CPU; see figures/make.py.
FIGURES = json.loads((HERE / "figures" / "torch.json").read_text(encoding="utf-8"))["losses"]
DIGITS = {"digits_convolution", "vae"}


@pytest.fixture
def examples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))


@pytest.mark.usefixtures("examples")
@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.slow
def test_the_first_losses_are_those_of_pytorch(name: str) -> None:
    if name in DIGITS:
        pytest.importorskip("sklearn")
    side_by_side, example = importlib.import_module("side_by_side"), importlib.import_module(name)
    found = side_by_side.losses(example.training, len(FIGURES[name]))
    np.testing.assert_allclose(found, FIGURES[name], rtol=1e-4)


def run(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """An example as a user starts it."""
    command = [sys.executable, str(EXAMPLES / f"{name}.py"), *arguments]
    return subprocess.run(command, text=True, capture_output=True, timeout=300)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "steps"), [(name, "2" if name == "pendulum" else "6") for name in FIGURES])
def test_the_jitted_run_is_the_plain_one(name: str, steps: str) -> None:
    if name in DIGITS:
        pytest.importorskip("sklearn")
    done = run(name, "--steps", steps)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert ", 0 graph breaks" in done.stdout
    if name == "characters":
        assert "losses the same" in done.stdout


@pytest.mark.slow
def test_a_plot_is_drawn_or_its_need_is_named(tmp_path: Path) -> None:
    done = run("diffusion", "--steps", "2", "--plot", str(tmp_path / "moons.png"))
    if importlib.util.find_spec("matplotlib") is None:
        assert done.returncode == 1 and "pip install matplotlib" in done.stderr
    else:
        assert done.returncode == 0 and (tmp_path / "moons.png").stat().st_size > 1000


def test_a_run_has_at_least_one_step() -> None:
    done = run("diffusion", "--steps", "0")
    assert done.returncode == 2
    assert "at least 1" in done.stderr
