"""Densities, moments, divergences and transforms are PyTorch's, and so are their first and second derivatives."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import guardlift as gl

_HERE = Path(__file__).parent


def module_at(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(f"of_{path.parent.parent.name}_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# PyTorch 2.13.0, CPU, float64; see figures/make.py.
cases = module_at(_HERE / "figures" / "cases.py")
evaluate = module_at(_HERE.parent / "nn" / "figures" / "make.py").evaluate
FIGURES = json.loads((_HERE / "figures" / "figures.json").read_text())["cases"]


def maker(dtype: Any) -> Any:
    def tensor(data: Any, shape: tuple[int, ...] | None) -> gl.Tensor:
        if shape is None:
            return gl.tensor(data)
        return gl.tensor(data, dtype=dtype).reshape(shape).detach().requires_grad_()

    return tensor


def assert_close(found: Any, expected: Any, rtol: float, message: str) -> None:
    """Nested lists agree to a share of the largest finite element."""
    wanted = np.asarray(expected, np.float64)
    scale = np.abs(wanted[np.isfinite(wanted)]).max(initial=1.0)
    np.testing.assert_allclose(found, wanted, rtol=rtol, atol=rtol * scale, err_msg=message)


def compare(case: str, dtype: str, rtol: float, asked: Any = cases, figures: Any = FIGURES) -> None:
    expected = figures[case]
    before = gl.get_default_dtype()
    gl.set_default_dtype(getattr(gl, dtype))
    try:
        found = evaluate(case, asked, gl, maker(getattr(gl, dtype)))
    finally:
        gl.set_default_dtype(before)
    assert len(found["values"]) == len(expected["values"])
    for ours, theirs in zip(found["values"], expected["values"], strict=True):
        assert_close(ours, theirs, rtol, "values")
    for order in ("gradients", "second"):
        for name in {*found.get(order, {}), *expected.get(order, {})}:
            ours, theirs = (each.get(order, {}).get(name) for each in (found, expected))
            # Nothing and zeros say the same of a derivative.
            ours = np.zeros_like(theirs) if ours is None else ours
            theirs = np.zeros_like(ours) if theirs is None else theirs
            assert_close(ours, theirs, rtol, f"{order} by {name}")


WITH_TRIGAMMA = ("student", "gamma", "chi2", "beta", "dirichlet", "special", "fisher", "kumaraswamy", "wishart")
"""Cases of these have derivatives in PyTorch that are exact to some 9 digits."""


@pytest.mark.parametrize("case", cases.CASES)
def test_values_and_gradients_are_those_of_pytorch(case: str) -> None:
    compare(case, "float64", 1e-8 if any(each in case for each in WITH_TRIGAMMA) else 1e-10)


IN_DOUBLE_ALONE = ("moments of continuous_bernoulli", "moments of continuous_bernoulli_logits")
"""Cases whose second derivatives are differences of large numbers near a probability of 1/2."""


@pytest.mark.slow
@pytest.mark.parametrize("case", [case for case in cases.CASES if case not in IN_DOUBLE_ALONE])
def test_in_float32_they_are_near(case: str) -> None:
    compare(case, "float32", 2e-3)


def test_every_figure_belongs_to_a_case() -> None:
    assert FIGURES.keys() == cases.CASES.keys()
