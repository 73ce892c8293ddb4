"""bfloat16 and float8 as the bits that kernels hold, against ml_dtypes and PyTorch."""

from __future__ import annotations

import numpy as np
import pytest
from ops.narrow_oracle import cast

from guardlift.backend.math.table import TABLE
from guardlift.core import dtypes
from guardlift.core.dtypes import DType

OTHERS = pytest.mark.parametrize("dtype", dtypes.TENSORS_ONLY, ids=str)


def every(dtype: DType) -> np.ndarray:
    """All bits that a dtype has."""
    return np.arange(2 ** (8 * dtype.itemsize)).astype(dtype.bits.numpy)


def rounded(x: np.ndarray, dtype: DType) -> np.ndarray:
    """The bits that numbers are rounded to."""
    return cast(x, dtype).view(dtype.bits.numpy)


def beside_boundaries(dtype: DType) -> np.ndarray:
    """Every number and the midpoints of neighbours, with the 4096 float32 on either side of each of these."""
    with np.errstate(all="ignore"):
        finite = np.unique(every(dtype).view(dtype.numpy).astype(np.float64))
    finite = finite[np.isfinite(finite) & (finite >= 0)]
    beyond = np.append(finite, 2 * finite[-1] - finite[-2])
    with np.errstate(over="ignore"):
        marks = np.concatenate([beyond, (beyond[1:] + beyond[:-1]) / 2]).astype(np.float32)
    reach = 4096 if dtype.itemsize == 1 else 4
    near = marks.view(np.int32)[:, None] + np.arange(-reach, reach + 1, dtype=np.int32)
    return np.clip(near, 0, 0x7FFF_FFFF).astype(np.uint32).reshape(-1)


def mirrored(magnitudes: np.ndarray) -> np.ndarray:
    """float32 numbers of these bits, of both signs."""
    return np.concatenate([magnitudes, magnitudes | np.uint32(0x8000_0000)]).view(np.float32)


SPECIAL = np.array(
    [0, 1, 0x7FFFFF, 0x800000, 0x7F7FFFFF, 0x7F800000, 0x7F800001, 0x7FA00000, 0x7FC00000, 0x7FC12345, 0x7FFFFFFF],
    np.uint32,
)


@OTHERS
def test_every_number_goes_to_float32(loop, dtype: DType) -> None:
    with np.errstate(all="ignore"):
        expected = every(dtype).view(dtype.numpy).astype(np.float32)
    got = loop(f"cast_{dtype.code}_f32")(every(dtype))
    np.testing.assert_array_equal(got.view(np.uint32), expected.view(np.uint32))


@OTHERS
@pytest.mark.parametrize("bits", [beside_boundaries, lambda _: SPECIAL], ids=["beside boundaries", "special"])
def test_float32_is_rounded_to_even(loop, dtype: DType, bits) -> None:
    x = mirrored(bits(dtype))
    np.testing.assert_array_equal(loop(f"cast_f32_{dtype.code}")(x), rounded(x, dtype))


@OTHERS
def test_float32_patterns_by_the_million(loop, dtype: DType) -> None:
    drawn = np.random.default_rng(8).integers(0, 2**32, 3_000_000, np.uint32).view(np.float32)
    near_one = np.random.default_rng(9).standard_normal(1_000_000).astype(np.float32)
    for x in (drawn, near_one, near_one * np.float32(2.0**-8)):
        np.testing.assert_array_equal(loop(f"cast_f32_{dtype.code}")(x), rounded(x, dtype))


@pytest.mark.long
@OTHERS
def test_every_float32(loop, dtype: DType) -> None:
    convert = loop(f"cast_f32_{dtype.code}")
    for first in range(0, 2**32, 2**24):
        x = np.arange(first, first + 2**24, dtype=np.uint64).astype(np.uint32).view(np.float32)
        np.testing.assert_array_equal(convert(x), rounded(x, dtype))


@OTHERS
def test_the_bodies_say_the_same_in_python(dtype: DType) -> None:
    codes = every(dtype)
    for bits in codes[:: max(1, codes.size // 256)]:
        wide = TABLE[f"cast_{dtype.code}_f32"](bits)
        assert TABLE[f"cast_f32_{dtype.code}"](wide) == rounded(np.array([wide]), dtype)[0]


@OTHERS
def test_conversions_are_vectorised(loop, dtype: DType) -> None:
    for name in (f"cast_{dtype.code}_f32", f"cast_f32_{dtype.code}"):
        assert " x i32>" in loop(name).optimised, name
