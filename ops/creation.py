"""Values made from nothing: constants and ramps."""

from __future__ import annotations

import numpy as np

from ..core import dtypes
from ..core.dtypes import DType
from ..core.errors import OpError
from ..core.sizes import Size
from ..core.types import TensorType
from . import samples
from .narrow_casts import of_number
from .registry import Array, Creation, define_op

Scalar = bool | int | float


# full: one Python scalar, rounded once to the dtype.
def _full_meta(*, value: Scalar, shape: tuple[int, ...], dtype: DType) -> TensorType:
    if dtype.is_integer:
        info = np.iinfo(dtype.numpy)
        if not isinstance(value, (int, Size)) or not info.min <= value <= info.max:
            raise OpError(f"full cannot hold {value!r} in {dtype}")
    return TensorType(shape, dtype)


def _full_eager(*, value: Scalar, shape: tuple[int, ...], dtype: DType) -> Array:
    with np.errstate(over="ignore", invalid="ignore"):
        return np.full(shape, of_number(value, dtype.numpy) if dtype.is_narrow else value, dtype.numpy)


FULL = define_op(
    "full",
    meta=_full_meta,
    eager=_full_eager,
    lower=Creation("{value}"),
    operands=(),
    samples=lambda: [
        samples.with_attrs((), value=value, shape=shape, dtype=dtype)
        for value, shape, dtype in (
            (2.5, (3, 4), dtypes.float32),
            (0.1, (), dtypes.float32),
            (float("nan"), (2,), dtypes.float64),
            (float("-inf"), (2,), dtypes.float32),
            (-0.0, (2,), dtypes.float64),
            (-7, (5,), dtypes.int8),
            (2**63, (2,), dtypes.uint64),
            (True, (2, 2), dtypes.bool_),
        )
    ],
)


# arange: start + step * i over `size` elements, computed as NumPy does: in float64 for floats, then rounded.
def _arange_meta(*, start: Scalar, step: Scalar, size: int, dtype: DType) -> TensorType:
    if dtype.is_bool:
        raise OpError("arange makes numbers, not bool")
    if size < 0:
        raise OpError(f"arange makes {size} elements; it takes a size of 0 or more")
    if dtype.is_integer and not (isinstance(start, int) and isinstance(step, int)):
        raise OpError(f"arange of {dtype} takes whole numbers, got start {start!r} and step {step!r}")
    return TensorType((size,), dtype)


def _arange_eager(*, start: Scalar, step: Scalar, size: int, dtype: DType) -> Array:
    """NumPy fills a range from its first two elements, in the result's own dtype."""
    ramp = np.arange(size)
    first = dtype.numpy.type(start)
    if dtype.is_integer:
        return (first + ramp.astype(dtype.numpy) * dtype.numpy.type(step)).astype(dtype.numpy)
    delta = dtype.numpy.type(start + step) - first
    return (first + ramp.astype(dtype.numpy) * delta).astype(dtype.numpy)


ARANGE = define_op(
    "arange",
    meta=_arange_meta,
    eager=_arange_eager,
    lower=Creation("({first} + {i0} * {delta})"),
    operands=(),
    samples=lambda: [
        samples.with_attrs((), start=0, step=1, size=7, dtype=dtypes.int64),
        samples.with_attrs((), start=5, step=-2, size=4, dtype=dtypes.int32),
        samples.with_attrs((), start=0.5, step=0.25, size=6, dtype=dtypes.float64),
        samples.with_attrs((), start=0.1, step=0.1, size=9, dtype=dtypes.float32),
        samples.with_attrs((), start=0, step=1, size=0, dtype=dtypes.int64),
    ],
)
