"""Fractions and powers of two, over the whole range of floats, and their derivatives."""

from __future__ import annotations

import numpy as np
import pytest

import guardlift as gl


@pytest.mark.parametrize(("dtype", "lowest", "highest"), [("f4", -149, 127), ("f8", -1074, 1023)])
@pytest.mark.parametrize("jitted", [False, True])
def test_every_power_of_two_comes_apart_as_c_says(dtype: str, lowest: int, highest: int, jitted: bool) -> None:
    powers = np.ldexp(np.ones(highest - lowest + 1), np.arange(lowest, highest + 1)).astype(dtype)
    x = np.concatenate([powers, -powers * np.asarray(1.5, dtype), np.nextafter(powers, np.asarray(np.inf, dtype))])
    x = x[np.isfinite(x)]
    ask = gl.jit(gl.frexp, fullgraph=True) if jitted else gl.frexp
    mantissa, exponent = ask(gl.tensor(x))
    wanted = np.frexp(x)
    np.testing.assert_array_equal(mantissa.numpy(), wanted[0])
    np.testing.assert_array_equal(exponent.numpy(), wanted[1])


def test_a_fraction_moves_as_its_power_says_and_the_power_does_not() -> None:
    x = gl.tensor([3.0, -0.375, 2.0**-1040, 1e300], dtype=gl.float64, requires_grad=True)
    mantissa, exponent = gl.frexp(x)
    assert not exponent.requires_grad
    (slope,) = gl.autograd.grad(mantissa[:2].sum(), x)
    np.testing.assert_array_equal(slope.numpy(), [0.25, 2.0, 0.0, 0.0])
    out = (gl.empty(4, dtype=gl.float64), gl.empty(4, dtype=gl.int32))
    assert gl.frexp(x.detach(), out=out).mantissa is out[0]
    with pytest.raises(RuntimeError, match="only supports floating-point dtypes"):
        gl.frexp(gl.arange(3))
