"""Transcendental functions against NumPy's extended precision: the distance in units of the last place.

Every float32 is tried by `benchmarks/math_accuracy.py`; here a sample, dense where branches meet, and special values.
"""

from __future__ import annotations

import math
import platform
from collections.abc import Callable

import numpy as np
import pytest

from guardlift.backend.math.declare import FLOATS, SCALAR_TYPES

LIMIT = 2.0
extended = np.longdouble
pytestmark = [
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
    pytest.mark.skipif(np.finfo(extended).nmant < 63, reason="long double is no wider than double here"),
]

UNARY: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "exp": np.exp,
    "exp2": np.exp2,
    "expm1": np.expm1,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "log": np.log,
    "log1p": np.log1p,
    "log2": np.log2,
    "log10": np.log10,
    "tanh": np.tanh,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "arctan": np.arctan,
    "arcsin": np.arcsin,
    "arccos": np.arccos,
    "cbrt": np.cbrt,
    "erf": np.vectorize(math.erf, otypes=[extended]),
}
BINARY = {"power": np.power, "arctan2": np.arctan2, "hypot": np.hypot}
SPECIAL = [0.0, np.inf, np.nan, 1.0, 0.5, 2.0, 3.0, 0.25, 1e-45, 1e-310, 5e-324, 2.0**-126, 1e-20, 1e-9, 3e38, 1.7e308]
EDGES = [
    0.5,
    0.5625,
    1.0,
    2.0,
    4.0,
    6.0,
    10.0,
    20.0,
    40.0,
    88.72,
    89.4,
    103.9,
    126.0,
    128.0,
    149.0,
    709.78,
    710.47,
    745.1,
]


def arguments(code: str, count: int = 4000) -> np.ndarray:
    rng = np.random.default_rng(5)
    scalar_type = SCALAR_TYPES[code]
    pattern = np.dtype(scalar_type).str.replace("f", "u")
    bits = rng.integers(0, 2 ** (8 * np.dtype(scalar_type).itemsize), count, dtype=np.uint64).astype(pattern)
    positive = np.concatenate(
        [
            SPECIAL,
            [edge * factor for edge in EDGES for factor in (1 - 1e-7, 1 - 1e-15, 1.0, 1 + 1e-15, 1 + 1e-7)],
            2.0 ** rng.uniform(-70, 10, count),
            rng.uniform(0, 2, count),
            rng.uniform(0, 30, count),
            rng.uniform(0, 800, count),
            1 + rng.normal(0, 1e-4, count),
        ]
    )
    with np.errstate(all="ignore"):
        return np.concatenate([bits.view(scalar_type), *(s * positive.astype(scalar_type) for s in (1, -1))])


def units_in_last_place(found: np.ndarray, exact: np.ndarray) -> np.ndarray:
    """|found - exact| in spacings of the exact value's neighbours; 0 for equal infinities and NaNs, inf for unequal."""
    rounded = exact.astype(found.dtype)
    largest = np.finfo(found.dtype).max
    spacing = np.abs(np.spacing(np.where(np.isfinite(rounded), rounded, largest))).astype(extended)
    distance = np.abs(found.astype(extended) - exact) / spacing
    same = (found == rounded) | (np.isnan(found) & np.isnan(exact))
    return np.where(np.isfinite(found) & np.isfinite(rounded), distance, np.where(same, 0.0, np.inf))


def assert_close(found: np.ndarray, exact: np.ndarray, *operands: np.ndarray) -> None:
    distance = units_in_last_place(found, exact)
    worst = int(np.argmax(distance))
    at = ", ".join(repr(operand[worst]) for operand in operands)
    assert distance[worst] <= LIMIT, f"{distance[worst]} ulp at {at}: {found[worst]!r}, exactly {exact[worst]!r}"
    zero = (found == 0) & (exact == 0)
    np.testing.assert_array_equal(np.signbit(found[zero]), np.signbit(exact[zero]))


@pytest.mark.parametrize("code", FLOATS)
@pytest.mark.parametrize("name", UNARY)
def test_function_of_one_float_is_within_two_ulp(loop, name: str, code: str) -> None:
    x = arguments(code)
    assert_close(loop(f"{name}_{code}")(x), UNARY[name](x.astype(extended)), x)


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="names an x86 processor")
@pytest.mark.parametrize("code", FLOATS)
@pytest.mark.parametrize("name", UNARY)
def test_function_of_one_float_is_within_two_ulp_without_fma(loop, name: str, code: str) -> None:
    x = arguments(code, 1000)
    assert_close(loop(f"{name}_{code}", "x86-64-v2")(x), UNARY[name](x.astype(extended)), x)


@pytest.mark.parametrize("code", FLOATS)
@pytest.mark.parametrize("name", ["sin", "cos", "tan"])
def test_periodic_function_is_within_two_ulp_beside_multiples_of_half_pi(loop, name: str, code: str) -> None:
    n = np.unique(np.geomspace(1, 2e7, 20000).astype(np.int64))
    x = (n.astype(extended) * extended("1.57079632679489661923132169163975144")).astype(SCALAR_TYPES[code])
    x = np.concatenate([x, np.nextafter(x, 0), -x])
    assert_close(loop(f"{name}_{code}")(x), UNARY[name](x.astype(extended)), x)


def operand_pairs(code: str, count: int = 20000) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(6)
    scalar_type = SCALAR_TYPES[code]
    signed = np.array([*SPECIAL, 7.0, 2.5, 16777217.0, 2.0**53 - 1, 1 + 1e-7, 1 - 1e-7])
    special = np.concatenate([signed, -signed])
    a, b = (grid.ravel() for grid in np.meshgrid(special, special))
    wide = 2.0 ** rng.uniform(-20, 20, count) * rng.choice([-1, 1], count)
    first = [a, wide, wide, np.abs(wide), rng.uniform(0.9, 1.1, count), rng.integers(-20, 20, count)]
    second = [b, rng.permutation(wide), wide * rng.uniform(0.3, 3, count), rng.uniform(-50, 50, count)]
    second += [rng.uniform(-7000, 7000, count), rng.integers(-20, 20, count)]
    with np.errstate(all="ignore"):
        return np.concatenate(first).astype(scalar_type), np.concatenate(second).astype(scalar_type)


@pytest.mark.parametrize("code", FLOATS)
@pytest.mark.parametrize("name", BINARY)
def test_function_of_two_floats_is_within_two_ulp(loop, name: str, code: str) -> None:
    a, b = operand_pairs(code)
    assert_close(loop(f"{name}_{code}")(a, b), BINARY[name](a.astype(extended), b.astype(extended)), a, b)


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="names an x86 processor")
@pytest.mark.parametrize("code", FLOATS)
@pytest.mark.parametrize("name", BINARY)
def test_function_of_two_floats_is_within_two_ulp_without_fma(loop, name: str, code: str) -> None:
    a, b = operand_pairs(code, 2000)
    exact = BINARY[name](a.astype(extended), b.astype(extended))
    assert_close(loop(f"{name}_{code}", "x86-64-v2")(a, b), exact, a, b)
