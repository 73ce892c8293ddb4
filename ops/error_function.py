"""The error function in NumPy, which has none: a series in x**2 up to 1, beyond it 1 - exp(P(x)); within 1.25 ulp.

The coefficients are those of the kernels' `erf` (`backend/math/coefficients.py`); a test holds the two together.
"""

from __future__ import annotations

import numpy as np

from .registry import Array

# erf(x) = x + x * P(x**2), |x| <= 1
NEAR_F32 = (
    0.12837916612625122,
    -0.3761262595653534,
    0.1128358542919159,
    -0.026853810995817184,
    0.005188327748328447,
    -0.0008010196033865213,
    7.853877468733117e-05,
)
NEAR_F64 = (
    0.1283791670955126,
    -0.3761263890318375,
    0.11283791670954857,
    -0.026866170645072886,
    0.005223977624780787,
    -0.0008548326978738105,
    0.0001205533103676085,
    -1.4925593503726437e-05,
    1.646097276828844e-06,
    -1.6350024723419487e-07,
    1.465787658815332e-08,
    -1.1365653757022078e-09,
    5.945241705317161e-11,
)
# log(1 - erf(x)) = P(x), x from 1 to where erf rounds to 1
FAR_F32 = (
    0.00018801858823280782,
    -1.1295783519744873,
    -0.6332200765609741,
    -0.10841837525367737,
    0.025208130478858948,
    -0.0042045158334076405,
    0.00044132728362455964,
    -2.1686095351469703e-05,
)
FAR_F64 = (
    -1.8443226535558282e-07,
    -1.1283772819095135,
    -0.6366287060882162,
    -0.10274663554297915,
    0.019076940724494947,
    0.00028225081017485055,
    -0.0017709508923826132,
    0.0006428564232787413,
    -4.597192366247476e-05,
    -6.974151126045844e-05,
    4.476592887761528e-05,
    -1.6420058809144595e-05,
    4.301376630260477e-06,
    -8.451033399505958e-07,
    1.2481563312648104e-07,
    -1.3520321010663588e-08,
    1.0168813050814047e-09,
    -4.750813268228688e-11,
    1.038825469068024e-12,
)
BLOCK = 8192
"""Elements worked on at a time, so that the passes over them stay in the cache."""


def erf(x: Array) -> Array:
    """2/sqrt(pi) times the integral of exp(-t**2) from 0 to each element; float32 or float64, in the dtype of `x`."""
    source = np.ascontiguousarray(x).reshape(-1)
    result = np.empty(x.shape, x.dtype)
    target = result.reshape(-1)
    for start in range(0, source.size, BLOCK):
        target[start : start + BLOCK] = _block(source[start : start + BLOCK])
    return result


def _block(x: Array) -> Array:
    single = x.dtype == np.float32
    size = np.abs(x)
    small = np.minimum(size, 1)
    near = _polynomial(small * small, NEAR_F32 if single else NEAR_F64)
    near *= small
    near += small
    far = _polynomial(np.minimum(size, 4 if single else 6), FAR_F32 if single else FAR_F64)
    np.exp(far, out=far)
    np.subtract(1, far, out=far)
    result = np.where(size < 1, near, far)
    return np.copysign(result, x, out=result)


def _polynomial(x: Array, coefficients: tuple[float, ...]) -> Array:
    result = np.full_like(x, coefficients[-1])
    for coefficient in coefficients[-2::-1]:
        result *= x
        result += coefficient
    return result
