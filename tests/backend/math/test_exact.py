"""Functions with one right answer, NumPy's, bit by bit."""

from __future__ import annotations

import platform

import numpy as np
import pytest

from guardlift.backend.math.declare import FLOATS, INTEGERS, SCALAR_TYPES, SIGNED

SPECIAL = [0.0, -0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 7.0, 1e-45, 1e-310, 1e-20, 1e20, 8388609.0, 2.0**53, 3e38, 1.7e308]
SPECIAL_FLOATS = [*SPECIAL, *(-x for x in SPECIAL), np.inf, -np.inf, np.nan, 0.49999999999999994, 4503599627370497.5]
# np.sign, np.reciprocal and the like warn where their answer is NaN or inf.
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def floats(code: str, count: int = 20000) -> np.ndarray:
    """Special values and random bits, as many NaNs and subnormals as bits make."""
    scalar_type = SCALAR_TYPES[code]
    pattern = np.dtype(scalar_type).str.replace("f", "u")
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 2 ** (8 * np.dtype(scalar_type).itemsize), count, dtype=np.uint64).astype(pattern)
    small = rng.integers(-99, 99, count) / 4
    with np.errstate(all="ignore"):
        return np.concatenate(
            [np.array(SPECIAL_FLOATS).astype(scalar_type), bits.view(scalar_type), small.astype(scalar_type)]
        )


def float_pairs(code: str) -> tuple[np.ndarray, np.ndarray]:
    """All pairs of special values, random ones, and pairs of like size."""
    with np.errstate(all="ignore"):
        special = np.array(SPECIAL_FLOATS).astype(SCALAR_TYPES[code])
        a, b = (grid.ravel() for grid in np.meshgrid(special, special))
        x = floats(code)
        rng = np.random.default_rng(1)
        near = (x * rng.uniform(0.001, 1000, x.size)).astype(x.dtype)
        huge = (x * 1e18).astype(x.dtype)
    return np.concatenate([a, x, x, huge]), np.concatenate([b, rng.permutation(x), near, x])


def integers(code: str, count: int = 20000) -> np.ndarray:
    """The ends of the range, small numbers, and numbers of every length."""
    info = np.iinfo(SCALAR_TYPES[code])
    ends = [info.min, info.min + 1, info.max - 1, info.max, 0, 1, 2, 3, 10]
    rng = np.random.default_rng(2)
    full = rng.integers(info.min, info.max, count, dtype=info.dtype, endpoint=True)
    return np.concatenate([np.array(ends, info.dtype), full >> rng.integers(0, info.bits, count, dtype=info.dtype)])


def integer_pairs(code: str) -> tuple[np.ndarray, np.ndarray]:
    """All pairs for 8 bits, else all pairs of special values and random ones."""
    x = integers(code)
    every = np.arange(256, dtype=np.uint8).view(SCALAR_TYPES[code]) if code[1:] == "8" else x[:9]
    a, b = (grid.ravel() for grid in np.meshgrid(every, every))
    return np.concatenate([a, x]), np.concatenate([b, np.random.default_rng(3).permutation(x)])


def assert_same_bits(found: np.ndarray, expected: np.ndarray) -> None:
    """Assert equal values, signs of zeros included; any NaN equals any NaN."""
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)
    if found.dtype.kind == "f":
        known = ~np.isnan(expected)
        np.testing.assert_array_equal(np.signbit(found[known]), np.signbit(expected[known]))


UNARY_FLOAT = ("floor", "ceil", "trunc", "rint", "fabs", "absolute", "sqrt", "sign", "square", "reciprocal")
CLASSES = ("isnan", "isinf", "isfinite", "signbit")


@pytest.mark.parametrize("code", FLOATS)
@pytest.mark.parametrize("name", UNARY_FLOAT + CLASSES)
def test_function_of_one_float_gives_numpys_bits(loop, name: str, code: str) -> None:
    x = floats(code)
    assert_same_bits(loop(f"{name}_{code}")(x), getattr(np, name)(x))


@pytest.mark.parametrize("code", FLOATS)
@pytest.mark.parametrize("name", ["copysign", "fmax", "fmin", "fmod", "remainder", "floor_divide"])
def test_function_of_two_floats_gives_numpys_bits(loop, name: str, code: str) -> None:
    a, b = float_pairs(code)
    if name in ("fmax", "fmin"):  # of two zeros either may come back
        known = (a != 0) | (b != 0)
        a, b = a[known], b[known]
    assert_same_bits(loop(f"{name}_{code}")(a, b), getattr(np, name)(a, b))


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="names an x86 processor")
@pytest.mark.parametrize("code", FLOATS)
@pytest.mark.parametrize("name", ["fmod", "remainder", "floor_divide"])
def test_remainder_without_fma_gives_numpys_bits(loop, name: str, code: str) -> None:
    a, b = float_pairs(code)
    assert_same_bits(loop(f"{name}_{code}", "x86-64-v2")(a, b), getattr(np, name)(a, b))


@pytest.mark.parametrize("code", FLOATS)
def test_maximum_and_minimum_propagate_nan_and_order_zeros(loop, code: str) -> None:
    a, b = float_pairs(code)
    zeros = (a == 0) & (b == 0)
    for name, of_zeros in (("maximum", np.signbit(a) & np.signbit(b)), ("minimum", np.signbit(a) | np.signbit(b))):
        found = loop(f"{name}_{code}")(a, b)
        np.testing.assert_array_equal(found, getattr(np, name)(a, b))
        np.testing.assert_array_equal(np.signbit(found[zeros]), of_zeros[zeros])


@pytest.mark.parametrize("code", INTEGERS)
@pytest.mark.parametrize("name", ["absolute", "sign", "square", "reciprocal"])
def test_function_of_one_integer_gives_numpys_value(loop, name: str, code: str) -> None:
    x = integers(code)
    assert_same_bits(loop(f"{name}_{code}")(x), getattr(np, name)(x))


@pytest.mark.parametrize("code", INTEGERS)
@pytest.mark.parametrize(
    "name",
    ["floor_divide", "remainder", "fmod", "left_shift", "right_shift", "maximum", "minimum", "fmax", "fmin"],
)
def test_function_of_two_integers_gives_numpys_value(loop, name: str, code: str) -> None:
    a, b = integer_pairs(code)
    assert_same_bits(loop(f"{name}_{code}")(a, b), getattr(np, name)(a, b))


@pytest.mark.parametrize("code", INTEGERS)
def test_shift_counts_around_the_width_give_numpys_value(loop, code: str) -> None:
    x = integers(code)
    width = 8 * x.itemsize
    counts = [0, 1, width - 1, width, min(width + 1, np.iinfo(x.dtype).max), *([-1, -width] if code in SIGNED else [])]
    for count in counts:
        by = np.full_like(x, count)
        assert_same_bits(loop(f"left_shift_{code}")(x, by), np.left_shift(x, by))
        assert_same_bits(loop(f"right_shift_{code}")(x, by), np.right_shift(x, by))


@pytest.mark.parametrize("code", INTEGERS)
def test_integer_power_wraps_as_numpys(loop, code: str) -> None:
    a, b = integer_pairs(code)
    a, b = a[b >= 0], b[b >= 0]
    assert_same_bits(loop(f"power_{code}")(a, b), np.power(a, b))


@pytest.mark.parametrize("name", ["maximum", "minimum", "fmax", "fmin"])
def test_larger_and_smaller_of_bools_are_or_and_and(loop, name: str) -> None:
    a, b = np.array([False, False, True, True]), np.array([False, True, False, True])
    assert_same_bits(loop(f"{name}_b1")(a, b), getattr(np, name)(a, b))


def values_to_cast(source: str) -> np.ndarray:
    if source == "b1":
        return np.array([False, True])
    if source in INTEGERS:
        return integers(source)
    edges = np.array(
        [s * 2.0**p + d for s in (1, -1) for p in (7, 8, 15, 16, 31, 32, 63, 64) for d in (-1, -0.5, 0, 0.5, 1)]
    )
    rng = np.random.default_rng(4)
    spread = rng.uniform(-1, 1, 20000) * 2.0 ** rng.integers(0, 70, 20000)
    with np.errstate(all="ignore"):
        return np.concatenate([floats(source), edges.astype(SCALAR_TYPES[source]), spread.astype(SCALAR_TYPES[source])])


@pytest.mark.parametrize("target", SCALAR_TYPES)
@pytest.mark.parametrize("source", SCALAR_TYPES)
def test_cast_gives_what_astype_gives(loop, source: str, target: str) -> None:
    x = values_to_cast(source)
    expected = x.astype(SCALAR_TYPES[target])
    if source in FLOATS and target == "u32":
        # NumPy's vector loop differs from its scalar one outside the range of int32; one element takes the scalar one.
        x = x[::37]
        expected = np.concatenate([x[i : i + 1].astype(np.uint32) for i in range(x.size)])
    assert_same_bits(loop(f"cast_{source}_{target}")(x), expected)


@pytest.mark.parametrize("width", [32, 64])
@pytest.mark.parametrize("kind", ["i", "u"])
def test_bits_go_both_ways(loop, kind: str, width: int) -> None:
    pattern, real = f"{kind}{width}", f"f{width}"
    whole = integers(pattern)
    np.testing.assert_array_equal(loop(f"bits_{pattern}_{real}")(whole).view(SCALAR_TYPES[pattern]), whole)
    x = floats(real)
    np.testing.assert_array_equal(loop(f"bits_{real}_{pattern}")(x), x.view(SCALAR_TYPES[pattern]))
