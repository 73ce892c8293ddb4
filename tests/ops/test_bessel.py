"""Bessel functions to the last digits, over all their range."""

from __future__ import annotations

import numpy as np
import pytest

import guardlift as gl


@pytest.mark.parametrize("order", [0, 1])
def test_they_are_the_means_of_powers_over_a_circle(order: int) -> None:
    x = np.concatenate([np.linspace(0.01, 20, 101), np.geomspace(20, 1e4, 51), [7.999999, 8.0, 8.000001]])
    # The integral over all angles: a mean over even ones is exact as soon as there are enough.
    angles = 2 * np.pi * (np.arange(4096) + 0.5) / 4096
    weights = np.cos(angles) if order else np.ones_like(angles)
    wanted = (weights * np.exp(np.multiply.outer(x, -2 * np.sin(angles / 2) ** 2))).mean(1)
    scaled, plain = (gl.special.i0e, gl.special.i0) if not order else (gl.special.i1e, gl.special.i1)
    np.testing.assert_allclose(scaled(gl.tensor(x)).numpy(), wanted, rtol=4e-14)
    np.testing.assert_allclose(scaled(gl.tensor(-x)).numpy(), wanted * (-1) ** order, rtol=4e-14)
    small = x[x < 600]
    found = plain(gl.tensor(small)).numpy() * np.exp(-small)
    np.testing.assert_allclose(found, wanted[x < 600], rtol=2e-13)
    ends = [0.0, np.inf, -np.inf] if order else [1.0, np.inf, np.inf]
    assert plain(gl.tensor([0.0, np.inf, -np.inf])).tolist() == ends
    assert scaled(gl.tensor([0.0, np.inf])).tolist() == [1.0 - order, 0.0]
