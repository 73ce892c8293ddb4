"""Guards on arrays: the layout of one in memory, and memory that two share. The plan's own prologue checks them."""

from __future__ import annotations

from dataclasses import field
from typing import Any, ClassVar

import numpy as np

from ..core.device_arrays import DeviceArray, device_of, kind_of
from ..core.devices import CPU
from ..core.records import dataclass
from ..core.types import TensorType, contiguous_strides
from .describe import describe_type
from .guard import CheckedBy, Guard, OfTwo
from .pool import Pool
from .reasons import ReasonChange

_WRITEABLE = 0x0400
"""NPY_ARRAY_WRITEABLE. Source: numpy/_core/include/numpy/ndarraytypes.h."""


@dataclass(frozen=True)
class ArrayLayout(Guard):
    """An ndarray of exactly this dtype, shape and strides (in elements).

    static: why its sizes are no symbols, if they were to be.
    """

    type: TensorType = field(default_factory=lambda: TensorType((), None))  # type: ignore[arg-type]
    strides: tuple[int, ...] = ()
    writeable: bool = False
    static: str = field(default="", compare=False)
    checked_by: CheckedBy = field(default="plan", kw_only=True)
    kind: ClassVar[str] = "array layout"

    def text(self, pool: Pool) -> str:
        name = pool.add(_has_layout)
        return f"{name}({self.source.text(pool)}, {pool.add(self)})"

    def fact(self) -> str:
        written = ", writeable" if self.writeable else ""
        return f"{self.source}: {_shaped(self.type)}{_order(self.type.shape, self.strides)}{written}"

    def change(self, found: object) -> ReasonChange:
        source, expected = str(self.source), self.type
        if type(found) is not kind_of(expected.device) and isinstance(found, (np.ndarray, DeviceArray)):
            edit = f"keep {source} on one device"
            return ReasonChange(f"{source}.device", expected.device, device_of(found), edit)
        if not isinstance(found, np.ndarray):
            alike = isinstance(found, (list, tuple, np.ndarray))
            edit = f"pass np.asarray({source})" if alike else "pass an array every time"
            return ReasonChange(source, f"an array {_shaped(expected)}", describe_type(found), edit)
        dtype = expected.dtype.numpy
        if not is_of_dtype(found, expected):
            edit = f"pass one dtype: {source}.astype(np.{dtype})"
            now = f"np.{found.dtype.type.__name__}" if found.dtype == dtype else found.dtype
            return ReasonChange(source, f"an array of {dtype}", f"of {now}", edit)
        if found.shape != expected.shape:
            edit = f"gl.jit(dynamic=True), which serves all sizes from the first call on; or pad {source} to one shape"
            if self.static:
                edit = f"sizes are static here, since {self.static}; pad {source} to one shape"
            if found.ndim != expected.rank:
                edit = f"pass {source} with {expected.rank} dimension(s) every time"
            return ReasonChange(f"{source}.shape", str(expected.shape), str(found.shape), edit)
        if self.writeable and not is_writeable(found):
            return ReasonChange(source, "writeable", "read-only", f"pass {source}.copy()")
        if not found.flags.aligned:
            return ReasonChange(source, "aligned in memory", "not aligned", f"pass {source}.copy()")
        steps = tuple(step // found.itemsize for step in found.strides)
        edit = f"pass one memory layout: np.ascontiguousarray({source})"
        return ReasonChange(source, f"of strides {self.strides}", f"of strides {steps} (in elements)", edit)


def _has_layout(value: object, guard: ArrayLayout) -> bool:
    type_ = guard.type
    if type(value) is not kind_of(type_.device) or not is_of_dtype(value, type_) or value.shape != type_.shape:
        return False
    if not value.flags.aligned or (guard.writeable and not is_writeable(value)):
        return False
    itemsize = value.itemsize
    steps = zip(value.strides, guard.strides, value.shape, strict=True)
    return value.size == 0 or all(size == 1 or have == want * itemsize for have, want, size in steps)


def is_of_dtype(array: Any, type: TensorType) -> bool:
    """Whether an array has a dtype, and not one that NumPy only calls equal, as a plan sees it."""
    wanted = type.dtype.numpy
    return bool(array.dtype == wanted and array.dtype.num == wanted.num)


def is_writeable(array: np.ndarray[Any, Any]) -> bool:
    """The array's writeable flag, read so that NumPy does not warn of what `np.broadcast_arrays` gave."""
    return bool(array.flags.num & _WRITEABLE)


def _shaped(type: TensorType) -> str:
    place = "" if type.device == CPU else f" on {type.device}"
    return f"{type.dtype}[{', '.join(map(str, type.shape))}]{place}"


def _order(shape: tuple[int, ...], strides: tuple[int, ...]) -> str:
    """Nothing for the row-major layout; otherwise the strides, which count elements."""
    usual = contiguous_strides(shape)
    same = all(have == want for have, want, size in zip(strides, usual, shape, strict=True) if size > 1)
    return "" if same else f" with strides {strides}"


@dataclass(frozen=True)
class NoOverlap(OfTwo):
    """Two arrays share no memory, since one of them is written."""

    checked_by: CheckedBy = field(default="plan", kw_only=True)
    kind: ClassVar[str] = "aliasing"

    def text(self, pool: Pool) -> str:
        check = pool.add(np.may_share_memory)
        return f"not {check}({self.source.text(pool)}, {self.other.text(pool)})"

    def fact(self) -> str:
        return f"{self.source} and {self.other} share no memory"

    def change(self, found: object) -> ReasonChange:
        edit = f"pass {self.other}.copy(), unless the shared memory is meant"
        return ReasonChange(f"the memory of {self.source} and {self.other}", "separate", "shared", edit)


@dataclass(frozen=True)
class BoolBytes(Guard):
    """Each byte of an array of bools is 0 or 1, since a view of another dtype shows them."""

    kind: ClassVar[str] = "bytes of bools"
    cost: ClassVar[int] = 200

    def text(self, pool: Pool) -> str:
        return f"{pool.add(are_0_and_1)}({self.source.text(pool)})"

    def fact(self) -> str:
        return f"each byte of {self.source} is 0 or 1"

    def change(self, found: object) -> ReasonChange:
        return ReasonChange(
            f"each byte of {self.source}", "0 or 1", "another number", f"pass {self.source}.view('u1') != 0"
        )


def are_0_and_1(value: object) -> bool:
    """Whether no byte of an array of bools is another one; what is no such array has its layout guarded besides."""
    if type(value) is not np.ndarray or value.dtype != np.bool_:
        return True
    return bool(np.max(value.view(np.uint8), initial=0) <= 1)
