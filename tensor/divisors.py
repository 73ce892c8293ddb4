"""Integers are not divided by zero: what NumPy makes a number of is an error here, as it is in PyTorch."""

from __future__ import annotations

from typing import Any

from ..core import dtypes
from ..core.devices.host_or_device import on_host
from ..ops.checks import CHECKED_INDEX
from ..ops.pointwise import EQUAL
from .creation import full
from .dispatch import apply, is_tensor_like
from .promotion import refuse, to_dtype
from .shapes import broadcast_shapes
from .tensor import Tensor
from .tracing import all_elements

Value = Any


def check_divisor(dividend: Value, divisor: Value) -> None:
    """Errors: RuntimeError where an integer, of operands in one dtype, is divided by zero; for bools."""
    beside = divisor if is_tensor_like(divisor) else dividend
    if beside.dtype.is_float:
        return
    refuse("div_floor", "b", beside)
    if isinstance(divisor, Tensor):
        if on_host(all_elements(divisor)).all():
            return
        failed = True
    elif type(divisor) is int or type(divisor) is bool:
        if divisor:
            return
        failed = True
    else:
        failed = False
    if 0 in broadcast_shapes(*(each.shape for each in (dividend, divisor) if is_tensor_like(each))):
        return
    if failed:
        raise RuntimeError("ZeroDivisionError")
    zero = apply(EQUAL, divisor if is_tensor_like(divisor) else full((), divisor, dtype=beside.dtype), 0)
    apply(CHECKED_INDEX, to_dtype(zero, dtypes.int64), size=1, ignore=None)
