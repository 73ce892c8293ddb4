"""Choices between many elements have the bits that `np.where` gives, whatever the operands."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from guardlift.ops import OPS

LARGE = (150, 150)


def drawn(dtype: str, seed: int) -> Any:
    """Numbers of both signs, the awkward ones of floats among them."""
    rng = np.random.default_rng(seed)
    if dtype.startswith("i"):
        return rng.integers(-9, 9, LARGE).astype(dtype)
    found = rng.standard_normal(LARGE).astype(dtype)
    found[0, :6] = np.nan, np.inf, -np.inf, -0.0, 0.0, np.finfo(dtype).smallest_subnormal
    return found


@pytest.mark.parametrize("dtype", ["f4", "f8", "i4", "f2"])
def test_a_choice_has_the_bits_of_numpy(dtype: str) -> None:
    a, b = drawn(dtype, 0), drawn(dtype, 1)
    condition = np.random.default_rng(2).random(LARGE) > 0.5
    number: Any = 3 if dtype == "i4" else 2.5
    operands: list[tuple[Any, Any]] = [
        (a, b), (b, a), (a, number), (number, b), (a.T, b), (a[::-1], b), (a, b[:1]), (a, np.asarray(3, dtype)),
    ]  # fmt: skip
    if dtype != "i4":
        operands += [(a, 0.0), (0.0, b), (-0.0, b), (a, -0.0)]
    for mask in (condition, condition.T, condition[:, ::-1], np.zeros(LARGE, bool), np.ones(LARGE, bool)):
        for left, right in operands:
            found, expected = OPS["where"].eager(mask, left, right), np.where(mask, left, right)
            assert found.dtype == expected.dtype and found.tobytes() == expected.tobytes()
