"""Linear algebra gives PyTorch's values, and its first and second derivatives."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

_HERE = Path(__file__).parent


def module_at(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(f"of_{path.parent.name}_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# PyTorch 2.13.0, CPU, float64; see figures/make.py.
comparing = module_at(_HERE.parent / "distributions" / "test_like_pytorch.py")
cases = module_at(_HERE / "figures" / "cases.py")
FIGURES = json.loads((_HERE / "figures" / "figures.json").read_text())["cases"]


@pytest.mark.parametrize("case", cases.CASES)
def test_values_and_gradients_are_those_of_pytorch(case: str) -> None:
    comparing.compare(case, "float64", 1e-9, cases, FIGURES)


DECIDED_BY_ROUNDING = {"norm", "norm of order inf"}
"""Gradients of a matrix of rank two by its third singular value, and of sums that are nearly equal."""


@pytest.mark.slow
@pytest.mark.parametrize("case", sorted(cases.CASES.keys() - DECIDED_BY_ROUNDING))
def test_in_float32_they_are_near(case: str) -> None:
    comparing.compare(case, "float32", 1e-2, cases, FIGURES)


def test_every_figure_belongs_to_a_case() -> None:
    assert FIGURES.keys() == cases.CASES.keys()
