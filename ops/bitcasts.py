"""Bit casts: the same bits as elements of another dtype of the same size."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ..core import dtypes
from ..core.dtypes import DType
from ..core.errors import OpError
from ..core.types import TensorType
from . import samples
from .registry import Array, Pointwise, Sample, define_op

OF_BITS: tuple[DType, ...] = (*dtypes.ALL, *dtypes.NARROW)
"""The dtypes whose elements are bits that a register holds; a complex number is two of them."""


def _bitcast_meta(x: TensorType, *, dtype: DType) -> TensorType:
    if x.dtype not in OF_BITS or dtype not in OF_BITS or x.dtype.itemsize != dtype.itemsize:
        raise OpError(f"bitcast makes elements of one size of each other, got {x} and {dtype}")
    return x.with_dtype(dtype)


def _bitcast_eager(x: Array, *, dtype: DType) -> Array:
    """A copy. A byte that is neither 0 nor 1 is True as a bool, as it is to NumPy, and 1 from then on."""
    if dtype.is_bool:
        return np.asarray(np.asarray(x).view(np.uint8) != 0)
    return np.asarray(x).view(dtype.numpy).copy("K")


def _bitcast_samples() -> Iterable[Sample]:
    for source in OF_BITS:
        for target in OF_BITS:
            if source.itemsize == target.itemsize:
                yield samples.with_attrs((_operand(source),), dtype=target)
    for shape in samples.SHAPES:
        yield samples.with_attrs((samples.values(dtypes.float32, shape),), dtype=dtypes.int32)


def _operand(dtype: DType) -> Array:
    """Awkward values; of integers such as are floats of every kind, seen so, but for NaNs that are no quiet ones."""
    if dtype in dtypes.FLOATS:
        return samples.special_floats(dtype)
    if dtype.is_narrow:
        return np.arange(64, dtype=dtype.bits.numpy).view(dtype.numpy)
    if dtype.itemsize >= 4:
        made = samples.special_floats(dtypes.float32 if dtype.itemsize == 4 else dtypes.float64)
        return made.view(dtype.numpy)
    return samples.values(dtype, (3, 4))


BITCAST = define_op(
    "bitcast",
    meta=_bitcast_meta,
    eager=_bitcast_eager,
    lower=Pointwise("bits_{t}_{out}({0})", 0.25),
    samples=_bitcast_samples,
    operands=("self",),
)
