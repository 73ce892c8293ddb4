"""The operands of eager operations: what is known of an array, or a number, when a call is made for its like."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Any

import numpy as np

from ...core import dtypes as of
from ...core.devices import CPU, CUDA
from ...core.devices.arrays import DeviceArray
from ...core.dtypes import DType, held
from ...core.records import dataclass
from ...core.types import TensorType

Ints = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class EagerOperand:
    """Facts about an operand of a call before it is made.

    dtype: that of an array, the one that a number is meant in if it is known.   convert: makes a number of the call of
    one that was given; None for arrays.   array: an example.
    """

    kind: str
    type: TensorType
    dtype: DType | None
    strides: Ints = ()
    convert: Callable[[Any], Any] | None = None
    array: Any = field(default=None, repr=False)
    number: int = 0
    """Its place among the operands of the call."""


def array_operand(array: Any) -> EagerOperand | None:
    """The operand that an array is; None for one that kernels do not reach."""
    dtype = held(array.dtype)
    if dtype is None or dtype.is_complex or not array.flags.aligned:
        return None
    itemsize = dtype.itemsize
    if any(stride % itemsize for stride in array.strides):
        return None
    steps = tuple(stride // itemsize for stride in array.strides)
    device = CUDA if type(array) is DeviceArray else CPU
    return EagerOperand("array", TensorType(array.shape, dtype, device), dtype, steps, array=array)


def number_operand(value: Any) -> EagerOperand | None:
    """The operand that a number is, or an array of the host without axes; None for anything else."""
    kind = type(value)
    if kind is float:
        return EagerOperand("float", TensorType((), of.float64), None, convert=float)
    if kind is int or kind is bool:
        return EagerOperand("int", TensorType((), of.int64), of.bool_ if kind is bool else None, convert=int)
    if kind is np.uint64:
        return EagerOperand("numpy_scalar", TensorType((), of.uint64), of.uint64, convert=np.uint64)
    if kind is not np.ndarray or value.ndim:
        return None
    dtype = held(value.dtype)
    if dtype is None or dtype.is_complex:
        return None
    if dtype.is_float:
        return EagerOperand("float", TensorType((), of.float64), dtype, convert=float)
    if dtype is of.uint64:
        return EagerOperand("numpy_scalar", TensorType((), of.uint64), dtype, convert=lambda array: array[()])
    return EagerOperand("int", TensorType((), of.int64), dtype, convert=int)


def within(dtype: DType) -> Callable[[Any], int]:
    """The function that gives an int as it is. Its errors: OverflowError for one that a dtype does not hold."""
    info = np.iinfo(dtype.numpy)
    low, high = int(info.min), int(info.max)

    def checked(value: Any) -> int:
        if not low <= value <= high:
            raise OverflowError(f"{value} is out of the bounds of {dtype}")
        return value  # type: ignore[no-any-return]

    return checked
