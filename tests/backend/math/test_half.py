"""float16 as the uint16 of its bits: what loads and stores of kernels convert, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from guardlift.backend.math.declare import INTEGERS, SCALAR_TYPES
from guardlift.backend.math.table import TABLE

EVERY = np.arange(2**16, dtype=np.uint16)
QUIET = EVERY[((EVERY & 0x7C00) != 0x7C00) | ((EVERY & 0x3FF) == 0) | ((EVERY & 0x200) != 0)]
"""All but the signalling NaNs, which float64 arithmetic makes quiet."""


def rounded(x: np.ndarray) -> np.ndarray:
    """The bits that NumPy stores of numbers as float16."""
    with np.errstate(all="ignore"):
        return x.astype(np.float16).view(np.uint16)


def between(scalar_type: type) -> np.ndarray:
    """Every float16 and the midpoints of neighbours, with what lies next to each of these in a wider dtype."""
    finite = EVERY[:0x7C01].view(np.float16).astype(np.float64)
    finite[-1] = 2.0**16  # where the next number would be
    marks = np.concatenate([finite, (finite[1:] + finite[:-1]) / 2]).astype(scalar_type)
    beside = [np.nextafter(marks, scalar_type(to)) for to in (0, np.inf)]
    rng = np.random.default_rng(8)
    spread = (rng.standard_normal(20_000) * 10.0 ** rng.integers(-12, 8, 20_000)).astype(scalar_type)
    special = np.array([0, np.inf, np.nan, 1e-45, 1e38, np.finfo(scalar_type).tiny], scalar_type)
    positive = np.concatenate([marks, *beside, spread, special])
    return np.concatenate([positive, -positive])


def test_every_float16_goes_to_float32_and_back(loop) -> None:
    wide = loop("cast_f16_f32")(EVERY)
    np.testing.assert_array_equal(wide.view(np.uint32), EVERY.view(np.float16).astype(np.float32).view(np.uint32))
    np.testing.assert_array_equal(loop("cast_f32_f16")(wide), EVERY)


@pytest.mark.parametrize("code", ["f32", "f64"])
def test_floats_are_rounded_once_and_to_even(loop, code: str) -> None:
    x = between(SCALAR_TYPES[code])
    np.testing.assert_array_equal(loop(f"cast_{code}_f16")(x), rounded(x))


def test_float32_patterns_from_end_to_end(loop) -> None:
    bits = np.arange(0, 2**32, 4999, dtype=np.uint64).astype(np.uint32)
    np.testing.assert_array_equal(loop("cast_f32_f16")(bits.view(np.float32)), rounded(bits.view(np.float32)))


@pytest.mark.parametrize("code", [*INTEGERS, "b1", "f64"])
def test_from_float16_to_any_other(loop, code: str) -> None:
    got = loop(f"cast_f16_{code}")(QUIET)
    with np.errstate(all="ignore"):
        expected = QUIET.view(np.float16).astype(SCALAR_TYPES[code])
        if code == "u32":  # NumPy's vector loop answers otherwise beyond the range
            expected = np.array([np.uint32(np.int64(x) % 2**32) if np.isfinite(x) else 0 for x in QUIET.view("f2")])
            expected = expected.astype(np.uint32)
    width = expected.dtype.itemsize
    np.testing.assert_array_equal(got.view(f"u{width}"), expected.view(f"u{width}"))


@pytest.mark.parametrize("code", [*INTEGERS, "b1"])
def test_integers_to_float16(loop, code: str) -> None:
    scalar_type = SCALAR_TYPES[code]
    values = np.concatenate([np.arange(-70_000, 70_000, 3), 2 ** np.arange(63), [-(2**63), 2**63 - 1]])
    x = values.astype(scalar_type)
    np.testing.assert_array_equal(loop(f"cast_{code}_f16")(x), rounded(x))


def test_the_bodies_say_the_same_in_python() -> None:
    for bits in EVERY[::257]:
        wide = TABLE["cast_f16_f32"](bits)
        assert TABLE["cast_f32_f16"](wide) == bits
        assert TABLE["cast_f64_f16"](np.float64(wide)) == rounded(np.array([np.float64(wide)]))[0]


def test_conversions_are_vectorised(loop) -> None:
    for name in ("cast_f16_f32", "cast_f32_f16"):
        assert " x i32>" in loop(name).optimised, name
