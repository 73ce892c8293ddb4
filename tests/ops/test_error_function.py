import math

import numpy as np
import pytest

from guardlift.backend.math import coefficients
from guardlift.ops import error_function
from guardlift.ops.error_function import erf


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_it_is_within_5_quarters_of_an_ulp_of_the_value_in_double_precision(dtype: type) -> None:
    x = np.concatenate([np.linspace(-7, 7, 30_001), np.geomspace(1e-30, 1, 5_000)]).astype(dtype)
    exact = np.array([math.erf(float(each)) for each in x])
    found = erf(x)
    assert found.dtype == dtype
    assert (abs(found - exact) / np.spacing(abs(exact).astype(dtype))).max() <= 1.25


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_special_values(dtype: type) -> None:
    x = np.array([0.0, -0.0, np.inf, -np.inf, 1e30, np.nan], dtype)
    with np.errstate(all="raise"):
        found = erf(x)
    assert found[:5].tolist() == [0.0, -0.0, 1.0, -1.0, 1.0]
    assert np.signbit(found[1])
    assert np.isnan(found[5])


@pytest.mark.parametrize("shape", [(), (0, 3), (3, 5), (3, error_function.BLOCK)])
def test_any_shape_and_layout(shape: tuple[int, ...]) -> None:
    x = np.asarray(np.random.default_rng(0).uniform(-3, 3, shape))
    assert erf(x).shape == shape
    assert erf(x.T).tobytes() == erf(np.ascontiguousarray(x.T)).tobytes()


def test_the_coefficients_are_those_of_the_kernels() -> None:
    assert error_function.NEAR_F32 == coefficients.ERF_F32
    assert error_function.NEAR_F64 == coefficients.ERF_F64
    assert error_function.FAR_F32 == coefficients.ERFC_F32
    assert error_function.FAR_F64 == coefficients.ERFC_F64
