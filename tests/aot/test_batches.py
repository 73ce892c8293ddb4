"""Composite models over batches of several sizes: the values and gradients of eager mode, from two compiles."""

from __future__ import annotations

from typing import Any

import pytest
from aot.batches import WAYS, compare
from aot.disturbances import Taps
from aot.models import BREAKS, MODELS
from frontend.tensors.scenario import interpreted

import guardlift as gl

NAMES = {model.__name__: model for model in MODELS}
STATIC = {"kalman_filter"}
"""Models that go through a batch element by element, which is another graph for each size."""
GRADIENTS_WITHIN = {
    "physics_informed", "gradient_penalty", "hamiltonian", "inner_step", "sensitivity_without_history"
}  # fmt: skip
"""Models that ask for gradients themselves, and so need a history."""


@pytest.fixture(autouse=True)
def loud() -> Any:
    """An internal error fails, and is no reason to run as plain Python."""
    with gl.config.patch(raise_internal_errors=True, verify_graphs=True):
        yield


def checked(name: str, way: str, **options: Any) -> None:
    found = compare(NAMES[name], WAYS[way], "float64", Taps(), **options)
    if NAMES[name] not in BREAKS and name not in STATIC:
        assert found.compiles <= 2, found


def in_two_compiles(name: str, way: str) -> None:
    if way == "inference" and name in GRADIENTS_WITHIN:
        pytest.skip("it needs a history")
    with interpreted():
        checked(name, way)


@pytest.mark.spec("S7.06")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", list(NAMES)[::9])
def test_a_model_is_compiled_for_all_sizes_of_batches(name: str, way: str) -> None:
    in_two_compiles(name, way)


@pytest.mark.long
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", NAMES)
def test_so_is_every_model(name: str, way: str) -> None:
    in_two_compiles(name, way)


@pytest.mark.long
@pytest.mark.parametrize("way", ["whole step", "backward outside"])
@pytest.mark.parametrize("name", NAMES)
def test_through_kernels_and_symbolic_from_the_start(name: str, way: str) -> None:
    checked(name, way, dynamic=True)
