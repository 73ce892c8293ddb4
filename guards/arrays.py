"""Guards on arrays: the layout of one in memory, and memory that two share. The plan's own prologue checks them."""

from __future__ import annotations

from dataclasses import field
from typing import Any, ClassVar

import numpy as np

from ..core.devices import CPU
from ..core.devices.arrays import ARRAY_TYPES
from ..core.devices.host_or_device import device_of, kind_of
from ..core.records import dataclass
from ..core.types import TensorType, contiguous_strides
from .advice.remedies import any_size, both, cast, contiguous, copy, no_edit, sequence
from .describe import article, describe_type
from .guard import CheckedBy, Guard, OfTwo
from .pool import Pool
from .reasons import ReasonChange
from .sources import Global, Local, Source

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
        if type(found) is not kind_of(expected.device) and isinstance(found, ARRAY_TYPES):
            remedy = no_edit(f"{source} lies on several devices: each is compiled once")
            return ReasonChange(f"{source}.device", str(expected.device), str(device_of(found)), remedy, 2)
        if not isinstance(found, ARRAY_TYPES):
            name = describe_type(found)
            remedy = no_edit(f"an array and {article(name)} {name} compute otherwise: each is compiled once")
            if type(found) in (list, tuple):
                kinds = ("np.ndarray", type(found).__name__)
                remedy = sequence(self.source, "np.asarray({})", kinds, {"numpy"})
            return ReasonChange(f"type({source})", "np.ndarray", describe_type(found), remedy, 2)
        parts, relaid = self._differences(found), self._is_relaid(found)
        dtype, tensor = expected.dtype.numpy, not isinstance(self.source, (Local, Global))
        sized = any_size(self.source, self.static)
        if not is_of_dtype(found, expected):
            remedy = cast(self.source, dtype, found.dtype, written=self.writeable, tensor=tensor)
            if found.ndim != expected.rank:
                remedy = no_edit(f"{source} has another number of dimensions, too: {found.dtype}[{_sizes(found)}]")
            elif relaid:
                remedy = no_edit(f"{source} lies otherwise in memory, too")
            elif found.shape != expected.shape:
                remedy = both(remedy, sized)
            was, now = str(dtype), f"np.{found.dtype.type.__name__}" if found.dtype == dtype else str(found.dtype)
            return ReasonChange(f"{source}.dtype", was, now, remedy, parts)
        if found.ndim != expected.rank:
            remedy = no_edit(f"the number of dimensions of {source} decides what is computed: each is compiled once")
            return ReasonChange(f"{source}.ndim", str(expected.rank), str(found.ndim), remedy, parts)
        if found.shape != expected.shape:
            remedy = both(contiguous(self.source, written=self.writeable, tensor=tensor), sized) if relaid else sized
            return ReasonChange(f"{source}.shape", str(expected.shape), str(found.shape), remedy, parts)
        if self.writeable and not is_writeable(found):
            return ReasonChange(source, "writeable", "read-only", copy(self.source, "{}.copy()", written=True))
        if not found.flags.aligned:
            remedy = copy(self.source, "{}.clone()" if tensor else "{}.copy()", written=self.writeable)
            return ReasonChange(source, "aligned in memory", "not aligned", remedy)
        return stride_change(self.source, self.strides, found, parts, written=self.writeable)

    def _differences(self, found: np.ndarray[Any, Any]) -> int:
        """The number of parts of the layout in which an array differs: dtype, rank, each size, each stride."""
        wanted = self.type
        count = int(not is_of_dtype(found, wanted)) + int(self.writeable and not is_writeable(found))
        count += int(not found.flags.aligned)
        if found.ndim != wanted.rank:
            return count + 1 + abs(found.ndim - wanted.rank)
        sizes = sum(have != want for have, want in zip(found.shape, wanted.shape, strict=True))
        return count + sizes + self._strides_apart(found)

    def _is_relaid(self, found: np.ndarray[Any, Any]) -> bool:
        """Whether an array of the same rank lies otherwise in memory, beside what follows from its sizes."""
        return found.ndim == self.type.rank and self._strides_apart(found) > 0

    def _strides_apart(self, found: np.ndarray[Any, Any]) -> int:
        """The number of strides that are others; those of a dense array follow from its sizes."""
        if not self.strides:
            return 0
        unit, wanted = found.itemsize, self.strides
        if found.shape != self.type.shape and not _order(self.type.shape, wanted):
            wanted = contiguous_strides(found.shape)
        steps = zip(found.strides, wanted, found.shape, strict=True)
        return sum(size > 1 and bool(have % unit or want != have // unit) for have, want, size in steps)


def stride_change(
    source: Source, wanted: tuple[Any, ...], found: np.ndarray[Any, Any], parts: int, *, written: bool
) -> ReasonChange:
    """The change of an array that lies otherwise in memory; `wanted` are its strides then, in elements, or words."""
    tensor = not isinstance(source, (Local, Global))
    steps = tuple(step // found.itemsize for step in found.strides)
    was, now = f"{wanted} elements", f"{steps} elements"
    remedy = contiguous(source, written=written, tensor=tensor)
    return ReasonChange(f"the strides of {source}", was, now, remedy, max(parts, 1))


def _sizes(found: np.ndarray[Any, Any]) -> str:
    return ", ".join(map(str, found.shape))


def _has_layout(value: Any, guard: ArrayLayout) -> bool:
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


def lies_at_multiples(value: Any) -> bool:
    """Whether the elements of an array lie at multiples of their size; of anything else, True."""
    if not isinstance(value, ARRAY_TYPES):
        return True
    return bool(value.flags.aligned) and not any(step % value.itemsize for step in value.strides)


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
        remedy = no_edit("the function writes into one of them, and a copy would not show it in the other")
        return ReasonChange(f"the memory of {self.source} and {self.other}", "separate", "shared", remedy)


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
        remedy = copy(self.source, "{}.view('u1') != 0", written=False)
        return ReasonChange(f"each byte of {self.source}", "0 or 1", "another number", remedy)


def are_0_and_1(value: object) -> bool:
    """Whether no byte of an array of bools is another one; what is no such array has its layout guarded besides."""
    if type(value) is not np.ndarray or value.dtype != np.bool_:
        return True
    return bool(np.max(value.view(np.uint8), initial=0) <= 1)
