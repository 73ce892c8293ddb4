"""Casts of bfloat16 and float8 in NumPy, against ml_dtypes and PyTorch."""

from __future__ import annotations

import numpy as np
import pytest
from ops.narrow_oracle import cast

from guardlift.core import dtypes
from guardlift.ops.creation import FULL
from guardlift.ops.indexing import PAD
from guardlift.ops.pointwise import CAST

EACH = pytest.mark.parametrize("dtype", dtypes.TENSORS_ONLY, ids=str)


def same_bits(left: np.ndarray, right: np.ndarray) -> None:
    pattern = f"u{left.itemsize}"
    assert left.dtype == right.dtype and left.strides == right.strides
    np.testing.assert_array_equal(left.view(pattern), right.view(pattern))


@EACH
def test_every_number_is_widened(dtype: dtypes.DType) -> None:
    x = np.arange(2 ** (8 * dtype.itemsize)).astype(dtype.bits.numpy).view(dtype.numpy)
    same_bits(CAST.eager(x, dtype=dtypes.float32), cast(x, dtypes.float32))


@EACH
def test_numbers_are_rounded_once(dtype: dtypes.DType) -> None:
    upper = np.arange(2**16, dtype=np.uint32) << 16
    low = np.array([0, 1, 0x7FFF, 0x8000, 0x8001, 0xFFFF], np.uint32)
    x = (upper[:, None] | low).view(np.float32)
    same_bits(CAST.eager(x, dtype=dtype), cast(x, dtype))
    drawn = np.random.default_rng(4).integers(0, 2**32, 10**6, np.uint32).view(np.float32)
    same_bits(CAST.eager(drawn, dtype=dtype), cast(drawn, dtype))


@EACH
def test_a_cast_keeps_the_order_in_memory(dtype: dtypes.DType) -> None:
    x = np.random.default_rng(4).standard_normal((3, 4, 5)).astype(np.float32)
    for view in (x, x.T, x[::2], x[:, ::-1], x.transpose(1, 0, 2), x[0, 0, 0], x[:0], np.broadcast_to(x[0], (2, 4, 5))):
        array = np.asarray(view)
        packed = CAST.eager(array, dtype=dtype)
        same_bits(packed, cast(array, dtype))
        same_bits(CAST.eager(packed, dtype=dtypes.float32), cast(packed, dtypes.float32))
        assert type(packed) is np.ndarray and not np.shares_memory(packed, array)
        assert type(CAST.eager(packed, dtype=dtypes.float32)) is np.ndarray


@EACH
def test_a_cast_gives_memory_of_its_own(dtype: dtypes.DType) -> None:
    x = cast(np.ones(3, np.float32), dtype)
    for other in (dtype, dtypes.float32, dtypes.float64, dtypes.int32):
        made = CAST.eager(x, dtype=other)
        assert not np.shares_memory(made, x) and made.dtype == other.numpy


@pytest.mark.parametrize("beyond", [448.0, 464.0, 465.0, 1e30, np.inf])
def test_beyond_its_range_e4m3fn_is_its_largest_number(beyond: float) -> None:
    dtype = dtypes.float8_e4m3fn
    for sign, bits in ((1, 0x7E), (-1, 0xFE)):
        number = sign * beyond
        for array in (np.full(3, number), np.full(3, number, np.float32)):
            assert CAST.eager(array, dtype=dtype).view(np.uint8).tolist() == [bits] * 3
        assert FULL.eager(value=number, shape=(2,), dtype=dtype).view(np.uint8).tolist() == [bits] * 2
        padded = PAD.eager(np.zeros(0, dtype.numpy), before=(1,), after=(1,), value=number)
        assert padded.view(np.uint8).tolist() == [bits] * 2


@EACH
def test_numbers_are_rounded_by_way_of_float32(dtype: dtypes.DType) -> None:
    for number in (1 + 2**-4 + 2**-40, 1 + 2**-3 + 2**-40, 1 + 2**-8 + 2**-40, 3, True, float("nan"), -0.0):
        made = FULL.eager(value=number, shape=(1,), dtype=dtype)
        same_bits(made, cast(np.array([number], np.float32), dtype))
