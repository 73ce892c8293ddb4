"""Kernels of regions: the frontend wrote them; what is left is to bind their pointers and sizes."""

from __future__ import annotations

from typing import Any

from ...core.sizes import Size
from ...core.types import TensorType
from ...loop_ir.encoding import decode
from ...loop_ir.ir import Kernel
from ..cpu.compiler.c_functions import address_of
from ..schedule.regions import RegionKernel
from .lower import BoundKernel, Pointer

STEPS_PER_ELEMENT = 16
"""Additions that a region is taken to do for each element of its operands; its loops are not counted."""


def lower_region(region: RegionKernel) -> BoundKernel:
    """The region's kernel with its pointers and sizes."""
    kernel = decode(region.program)
    assert isinstance(kernel, Kernel)
    pointers = tuple(Pointer(view.buffer, view.offset) for view in region.operands)
    sizes = tuple(_size(region, *each) for each in region.sizes)  # type: ignore[attr-defined]
    work = sum(TensorType(view.shape, view.buffer.dtype).size for view in region.operands) * STEPS_PER_ELEMENT
    return BoundKernel(kernel, pointers, sizes, 1, work)


def _size(region: RegionKernel, what: str, number: Any, axis: int) -> int:
    if what == "value":
        return number if isinstance(number, Size) else int(number)  # type: ignore[return-value]
    if what == "function":
        return address_of(number)
    view = region.operands[number]
    return view.shape[axis] if what == "shape" else view.strides[axis]
