"""Tensors are printed otherwise once `set_printoptions` has been called."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import guardlift as gl


@pytest.fixture(autouse=True)
def as_usual_afterwards() -> Iterator[None]:
    yield
    gl.set_printoptions(profile="default")


# What PyTorch 2.13 prints.
PRINTED: list[tuple[dict[str, Any], Any, str]] = [
    ({"precision": 2}, lambda: gl.tensor([1.2345, 100.0]), "tensor([  1.23, 100.00])"),
    ({"precision": 2}, lambda: gl.tensor([1.2345, 1e9]), "tensor([1.23e+00, 1.00e+09])"),
    (
        {"profile": "short"},
        lambda: gl.arange(2000.0),
        "tensor([0.00e+00, 1.00e+00,  ..., 2.00e+03, 2.00e+03])",
    ),
    (
        {"profile": "default", "sci_mode": True},
        lambda: gl.tensor([1.2345, 100.0]),
        "tensor([1.2345e+00, 1.0000e+02])",
    ),
    ({"sci_mode": False}, lambda: gl.tensor([1e-5, 1.5]), "tensor([0.0000, 1.5000])"),
    ({"linewidth": 40}, lambda: gl.arange(12), "tensor([ 0,  1,  2,  3,  4,  5,  6,  7,\n         8,  9, 10, 11])"),
    ({"edgeitems": 1, "threshold": 2}, lambda: gl.arange(9), "tensor([0,  ..., 8])"),
]


@pytest.mark.parametrize(("options", "make", "text"), PRINTED)
def test_options_decide_how_a_tensor_is_printed(options: dict[str, Any], make: Any, text: str) -> None:
    gl.set_printoptions(**options)
    assert repr(make()) == text
    gl.set_printoptions(profile="default")
    assert repr(gl.tensor([1.2345, 100.0])) == "tensor([  1.2345, 100.0000])"


def test_a_profile_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="one of default, short, full"):
        gl.set_printoptions(profile="long")
    with pytest.raises(TypeError, match="unsupported format string"):
        f"{gl.ones(2):.2f}"
