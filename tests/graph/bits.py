"""Comparison of arrays by shape, dtype and bits: a NaN equals itself, 0.0 and -0.0 differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def assert_same_bits(left: Sequence[Array], right: Sequence[Array]) -> None:
    """Nothing, when the two lists hold the same arrays bit for bit."""
    assert len(left) == len(right)
    for a, b in zip(left, right, strict=True):
        assert (a.shape, a.dtype) == (b.shape, b.dtype)
        assert a.tobytes() == b.tobytes(), f"{a!r} is not {b!r}"
