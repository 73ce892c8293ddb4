"""Windows for signals: PyTorch's values, their errors, and what a trace makes of them."""

from __future__ import annotations

import numpy as np
import pytest

import guardlift as gl

# PyTorch 2.13.0, CPU, float64: five elements, first periodic, then symmetric.
EXPECTED = {
    "hann_window": ([0, 0.3454915028125263, 0.9045084971874737], [0, 0.5, 1]),
    "hamming_window": ([0.08, 0.3978521825875242, 0.9121478174124759], [0.08, 0.54, 1]),
    "blackman_window": ([0, 0.2007701432625305, 0.8492298567374694], [0, 0.34, 1]),
    "bartlett_window": ([0, 0.4, 0.8], [0, 0.5, 1]),
    "kaiser_window": (
        [5.2773413217634915e-05, 0.10171975679893852, 0.7929394376065786],
        [5.2773413217634915e-05, 0.2156726851245811, 1],
    ),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_windows_have_the_values_of_pytorch(name: str) -> None:
    make = getattr(gl, name)
    first, second = EXPECTED[name]
    np.testing.assert_allclose(make(5, dtype=gl.float64).numpy(), [*first, *first[:0:-1]], rtol=1e-6, atol=1e-12)
    symmetric = make(5, periodic=False, dtype=gl.float64).numpy()
    np.testing.assert_allclose(symmetric, [*second, *second[-2::-1]], rtol=1e-6, atol=1e-12)
    assert make(0).shape == (0,) and make(1).tolist() == [1.0] and make(4).dtype is gl.float32
    assert make(4, requires_grad=True).requires_grad
    with pytest.raises(RuntimeError, match="requires non-negative window_length"):
        make(-1)
    with pytest.raises(RuntimeError, match="floating point dtypes, got: int64"):
        make(3, dtype=gl.int64)


def test_a_window_in_a_jitted_function_is_part_of_its_graph() -> None:
    run = gl.jit(lambda x: x * gl.hann_window(6))
    x = gl.randn(6)
    for _ in range(2):
        assert gl.allclose(run(x), x * gl.hann_window(6))
    assert gl.explain(run).breaks == ()
