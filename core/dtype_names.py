"""Second names of dtypes, as PyTorch has them, and what is asked of a dtype: `finfo`, `iinfo`."""

from __future__ import annotations

from typing import Any

import numpy as np
from ml_dtypes import finfo as _finfo

from . import dtypes
from .dtypes import DType

float = dtypes.float32
double = dtypes.float64
half = dtypes.float16
cfloat = dtypes.complex64
cdouble = dtypes.complex128
int = dtypes.int32
long = dtypes.int64
short = dtypes.int16
dtype = DType


class finfo:
    """The limits of a dtype of floats, by default float32: `bits`, `eps`, `max`, `min`, `tiny` and so on.

    Those of a complex dtype are the limits of its parts.
    """

    def __init__(self, type: DType = dtypes.float32) -> None:
        """Errors: TypeError for other dtypes."""
        type = dtypes.PYTHON_TYPES.get(type, type)  # type: ignore[call-overload]
        if isinstance(type, DType) and type.is_complex:
            type = dtypes.PART[type]
        if not isinstance(type, DType) or not type.is_float:
            raise TypeError(f"finfo() requires a floating point input type. Use iinfo to handle {type!r}")
        found: Any = _finfo(type.numpy)  # type: ignore[no-untyped-call]
        self.bits = 8 * type.itemsize
        self.dtype = type.name
        self.eps, self.max, self.min = (_number(each) for each in (found.eps, found.max, found.min))
        self.tiny = self.smallest_normal = _number(found.tiny)
        self.resolution = _number(found.resolution)

    def __repr__(self) -> str:
        return (
            f"finfo(resolution={self.resolution:g}, min={self.min:g}, max={self.max:g}, eps={self.eps:g}, "
            f"smallest_normal={self.smallest_normal:g}, tiny={self.tiny:g}, dtype={self.dtype})"
        )


def _number(value: Any) -> Any:
    return np.float64(value).item()


class iinfo:
    """The limits of a dtype of integers: `bits`, `max`, `min`, `dtype`."""

    def __init__(self, type: DType) -> None:
        """Errors: TypeError for other dtypes."""
        type = dtypes.PYTHON_TYPES.get(type, type)  # type: ignore[call-overload]
        if not isinstance(type, DType) or not type.is_integer:
            raise TypeError(f"iinfo() requires an integer input type. Use finfo to handle {type!r}")
        found = np.iinfo(type.numpy)
        self.bits, self.dtype = found.bits, type.name
        self.max, self.min = found.max, found.min

    def __repr__(self) -> str:
        return f"iinfo(min={self.min}, max={self.max}, dtype={self.dtype})"
