"""Autocast beside PyTorch's: the dtypes of results, losses and parameters of training steps, scales."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import guardlift as gl

_FOLDER = Path(__file__).parent / "figures"
_spec = importlib.util.spec_from_file_location("amp_figures_make", _FOLDER / "make.py")
assert _spec is not None and _spec.loader is not None
make: Any = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(make)
FIGURES: dict[str, Any] = json.loads((_FOLDER / "torch.json").read_text())


def is_there(text: str) -> bool:
    """Whether guardlift has the function that an expression calls."""
    found = re.match(r"([tF])\.((?:linalg\.)?\w+)\(", text)
    owner: Any = gl if found is None or found[1] == "t" else gl.nn.functional
    for name in found[2].split(".") if found else ():
        owner = getattr(owner, name, None)
    if "mode=" in text:
        try:
            make.dtype_of(gl, text, "float32", "float32")
        except ValueError:
            return False
    return owner is not None


HERE = [text for text in make.DTYPES if is_there(text)]
# PyTorch has no bfloat16 kernel for these; here they compute in float32, as all functions of narrow floats do.
WIDER = {"RuntimeError", "NotImplementedError"}


def test_most_functions_of_the_figures_are_there() -> None:
    assert FIGURES["dtypes"].keys() == {*make.DTYPES}
    assert len(HERE) > 60


@pytest.mark.parametrize("text", HERE)
def test_results_have_the_dtype_of_pytorch(text: str) -> None:
    expected = FIGURES["dtypes"][text]
    got = {dtype: make.dtype_of(gl, text, dtype, dtype) for dtype in expected}
    assert got == {dtype: got[dtype] if found in WIDER else found for dtype, found in expected.items()}


@pytest.mark.parametrize("text", [text for text in make.MIXED if is_there(text)])
def test_results_of_mixed_operands_have_the_dtype_of_pytorch(text: str) -> None:
    assert [make.dtype_of(gl, text, *pair) for pair in make.PAIRS] == FIGURES["mixed"][text]


@pytest.mark.parametrize("wrap", [lambda step: step, gl.jit], ids=["eager", "jitted"])
@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_training_steps_are_those_of_pytorch(dtype: str, wrap: Any) -> None:
    expected = FIGURES["trained"][dtype]
    got = make.trained(gl, dtype, wrap=wrap)
    close = {"bfloat16": 4e-3, "float16": 1e-3}[dtype]
    np.testing.assert_allclose(got["losses"], expected["losses"], rtol=close)
    for mine, theirs in zip(got["parameters"], expected["parameters"], strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=close, atol=close)


@pytest.mark.parametrize("name", make.SCALED)
def test_scales_and_skipped_steps_are_those_of_pytorch(name: str) -> None:
    got = make.scaled(gl, *make.SCALED[name])
    for mine, theirs in zip(got, FIGURES["scaled"][name], strict=True):
        assert mine[:2] == theirs[:2]
        np.testing.assert_allclose(mine[2], theirs[2], rtol=1e-6, atol=1e-7)
