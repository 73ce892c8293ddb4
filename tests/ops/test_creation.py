import numpy as np
import pytest

from guardlift.core import dtypes
from guardlift.core.errors import OpError
from guardlift.ops import OPS

FULL, ARANGE = OPS["full"], OPS["arange"]


@pytest.mark.parametrize(
    ("value", "dtype"),
    [(128, dtypes.int8), (-1, dtypes.uint64), (2**63, dtypes.int64), (1.0, dtypes.int32), (float("nan"), dtypes.int64)],
)
def test_full_refuses_a_value_that_its_integer_dtype_does_not_hold(value: float, dtype: dtypes.DType) -> None:
    with pytest.raises(OpError, match="full cannot hold"):
        FULL.meta(value=value, shape=(), dtype=dtype)


@pytest.mark.parametrize("value", [0.1, 1e300, -1e-50, float("nan"), -0.0, 7, True])
@pytest.mark.parametrize("dtype", dtypes.FLOATS, ids=repr)
def test_full_rounds_its_value_once(value: float, dtype: dtypes.DType) -> None:
    with np.errstate(over="ignore"):
        expected = np.float64(value).astype(dtype.numpy)
    assert FULL.eager(value=value, shape=(2,), dtype=dtype).tobytes() == expected.tobytes() * 2


@pytest.mark.parametrize("dtype", [dtypes.int8, dtypes.int64, dtypes.uint8, dtypes.float32, dtypes.float64], ids=repr)
@pytest.mark.parametrize(("start", "stop", "step"), [(0, 9, 1), (9, 0, -2), (3, 3, 1), (1, 100, 7)])
def test_arange_gives_the_bits_of_numpy(dtype: dtypes.DType, start: int, stop: int, step: int) -> None:
    if step < 0 and dtype.kind == "u":
        pytest.skip("NumPy makes no falling range of unsigned integers")
    expected = np.arange(start, stop, step, dtype.numpy)
    result = ARANGE.eager(start=start, step=step, size=expected.size, dtype=dtype)
    assert (result.dtype, result.tobytes()) == (expected.dtype, expected.tobytes())


@pytest.mark.parametrize(
    ("start", "stop", "step"), [(0.1, 1.0, 0.1), (-1.0, 1.0, 0.3), (0.0, 1e-3, 1e-5), (5.5, -5.5, -0.7)]
)
@pytest.mark.parametrize("dtype", dtypes.FLOATS, ids=repr)
def test_arange_of_floats_gives_the_bits_of_numpy(dtype: dtypes.DType, start: float, stop: float, step: float) -> None:
    expected = np.arange(start, stop, step, dtype.numpy)
    result = ARANGE.eager(start=start, step=step, size=expected.size, dtype=dtype)
    assert (result.dtype, result.tobytes()) == (expected.dtype, expected.tobytes())


def test_arange_makes_no_bools() -> None:
    with pytest.raises(OpError, match="not bool"):
        ARANGE.meta(start=0, step=1, size=2, dtype=dtypes.bool_)
