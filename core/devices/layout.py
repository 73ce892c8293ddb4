"""Arithmetic on the layout of an array: the bytes that it spans, and the straight copies that fetch its elements."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np

from ..records import dataclass
from ..strided import raw

Array = np.ndarray[Any, Any]
Ints = tuple[int, ...]


def dense_strides(shape: Ints, itemsize: int) -> Ints:
    """The strides, in bytes, of elements that lie row by row."""
    steps, step = [], itemsize
    for size in reversed(shape):
        steps.append(step)
        step *= size
    return tuple(reversed(steps))


def span(shape: Ints, strides: Ints, itemsize: int) -> tuple[int, int]:
    """The first byte, and the one behind the last, of all elements, counted from the first element. Empty: (0, 0)."""
    if 0 in shape:
        return 0, 0
    reaches = [(size - 1) * step for size, step in zip(shape, strides)]
    return sum(each for each in reaches if each < 0), sum(each for each in reaches if each > 0) + itemsize


def lies_in_rows(shape: Ints, strides: Ints, itemsize: int) -> bool:
    """Whether elements lie row by row, without gaps."""
    step = itemsize
    for size, stride in zip(reversed(shape), reversed(strides)):
        if size == 0:
            return True
        if size != 1 and stride != step:
            return 0 in shape
        step *= size
    return True


def reshaped_strides(shape: Ints, strides: Ints, wanted: Ints, itemsize: int) -> Ints | None:
    """The strides by which the same elements have the shape `wanted` where they lie; None where a copy is needed."""
    if lies_in_rows(shape, strides, itemsize) or 0 in shape:
        return dense_strides(wanted, itemsize)
    kept = [(size, step) for size, step in zip(shape, strides) if size != 1]
    found: list[int] = []
    old = new = 0
    while new < len(wanted) or old < len(kept):
        first_old, first_new = old, new
        have = want = 1
        while True:  # as few axes of both as hold the same number of elements
            if have < want or (have == want == 1 and old < len(kept) and new >= len(wanted)):
                have, old = have * kept[old][0], old + 1
            elif want < have or new < len(wanted):
                want, new = want * wanted[new], new + 1
            if have == want and (have != 1 or old == len(kept) or new < len(wanted)):
                break
        axes = kept[first_old:old]
        for (_, step), (size, inner) in zip(axes, axes[1:]):
            if step != size * inner:
                return None
        step = axes[-1][1] if axes else itemsize
        steps = []
        for size in reversed(wanted[first_new:new]):
            steps.append(step)
            step *= size
        found += reversed(steps)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class PitchedRows:
    """A copy of `count` rows of `width` bytes, `pitch` bytes apart on the device and dense on the host.

    start: from the first element on the device. place: from the first byte on the host. Units: bytes."""

    start: int
    place: int
    width: int
    count: int
    pitch: int


@dataclass(frozen=True, slots=True)
class StraightCopies:
    """The elements of an array in the order of memory: axes from the widest step to the narrowest, none backwards.

    order, flipped: the axes of the array in that order, and those of them that run backwards. shape: in that order; 1
    where all elements of an axis are one. shift: bytes from the array's first element to the first one in memory."""

    order: Ints
    flipped: tuple[bool, ...]
    shape: Ints
    steps: Ints
    shift: int
    itemsize: int

    @classmethod
    def of(cls, shape: Ints, strides: Ints, itemsize: int) -> StraightCopies:
        """The copies for an array. Units: `strides` count bytes."""
        order = tuple(sorted(range(len(shape)), key=lambda axis: (-abs(strides[axis]), axis)))
        flipped = tuple(strides[axis] < 0 for axis in order)
        sizes = tuple(shape[axis] if strides[axis] else min(shape[axis], 1) for axis in order)
        steps = tuple(abs(strides[axis]) for axis in order)
        shift = sum((shape[axis] - 1) * strides[axis] for axis in order if strides[axis] < 0)
        return cls(order, flipped, sizes, steps, shift, itemsize)

    @property
    def nbytes(self) -> int:
        """The number of bytes to copy."""
        return math.prod(self.shape) * self.itemsize

    def in_order(self, host: Array) -> Array:
        """The elements of a host array of the original shape, dense, in the order of the device's memory."""
        turned = host.transpose(self.order)
        turned = turned[(*(slice(None, None, -1) if each else slice(None) for each in self.flipped), ...)]
        last = (*(slice(-1, None) if step == 0 else slice(None) for step in self.steps), ...)
        return np.ascontiguousarray(turned[last]).reshape(self.shape)

    def restored(self, dense: Array, shape: Ints) -> Array:
        """The array of the original shape over elements in the order of the device's memory; a view where it can be."""
        turned = dense.reshape(self.shape)
        turned = turned[(*(slice(None, None, -1) if each else slice(None) for each in self.flipped), ...)]
        back = np.argsort(self.order) if self.order else ()
        view = turned.transpose(tuple(int(axis) for axis in back))
        return view if view.shape == shape else np.broadcast_to(view, shape)

    def rows(self) -> Iterator[PitchedRows]:
        """The copies that fetch or store all elements."""
        sizes, steps = list(self.shape), list(self.steps)
        if 0 in sizes:
            return
        width = self.itemsize
        while sizes and (sizes[-1] == 1 or steps[-1] == width):
            width *= sizes.pop()
            steps.pop()
        count, pitch = 1, width
        if sizes and steps[-1] >= width:
            count, pitch = sizes.pop(), steps.pop()
        place = 0
        for index in product(*map(range, sizes)):
            start = self.shift + sum(k * step for k, step in zip(index, steps))
            yield PitchedRows(start, place, width, count, pitch)
            place += width * count


class DeviceFlags:
    """The flags of an array that is no ndarray, named as in `ndarray.flags`; each is worked out when asked for."""

    __slots__ = ("_array",)

    def __init__(self, array: Any) -> None:
        self._array = array

    @property
    def writeable(self) -> bool:
        """Whether its elements may be written."""
        return self._array.writeable  # type: ignore[no-any-return]

    @property
    def owndata(self) -> bool:
        """Whether it is no view."""
        return self._array.base is None

    @property
    def aligned(self) -> bool:
        """Whether every element lies at a multiple of what its dtype wants."""
        array = self._array
        places = (array.address,) if 0 in array.shape else (array.address, *array.strides)
        return not any(each % array.dtype.alignment for each in places)

    @property
    def c_contiguous(self) -> bool:
        """Whether elements lie row by row."""
        return lies_in_rows(self._array.shape, self._array.strides, self._array.dtype.itemsize)

    @property
    def f_contiguous(self) -> bool:
        """Whether elements lie column by column."""
        return lies_in_rows(self._array.shape[::-1], self._array.strides[::-1], self._array.dtype.itemsize)

    contiguous = c_contiguous

    @property
    def forc(self) -> bool:
        """Whether elements lie row by row or column by column."""
        return self.c_contiguous or self.f_contiguous

    @property
    def num(self) -> int:
        """The flags as the bits of NumPy's C interface (`NPY_ARRAY_*`)."""
        return self.c_contiguous | self.f_contiguous << 1 | self.owndata << 2 | self.aligned << 8 | self.writeable << 10


def indexed(shape: Ints, strides: Ints, parts: tuple[Any, ...]) -> tuple[int, Ints, Ints] | None:
    """The view that integers, slices, None and an Ellipsis give: bytes to its first element, shape, strides.

    None for what NumPy is asked about: indices out of range, or too many."""
    missing = len(shape) - sum(each is not None and each is not Ellipsis for each in parts)
    if missing < 0 or sum(each is Ellipsis for each in parts) > 1:
        return None
    offset = axis = 0
    sizes: list[int] = []
    steps: list[int] = []
    for part in (*parts, Ellipsis):
        if part is None:
            sizes.append(1)
            steps.append(0)
        elif part is Ellipsis:
            sizes += shape[axis : axis + missing]
            steps += strides[axis : axis + missing]
            axis, missing = axis + missing, 0
        elif isinstance(part, slice):
            try:
                start, stop, step = part.indices(shape[axis])
            except (TypeError, ValueError):
                return None
            sizes.append(len(range(start, stop, step)))
            steps.append(strides[axis] * step)
            offset += start * strides[axis] if sizes[-1] else 0
            axis += 1
        else:
            place = int(part)
            if not -shape[axis] <= place < shape[axis]:
                return None
            offset += (place if place >= 0 else place + shape[axis]) * strides[axis]
            axis += 1
    return (0 if 0 in sizes else offset), tuple(sizes), tuple(steps)


class _Layout:
    """An array interface at the address of the device: of it NumPy makes arrays whose layout alone may be looked at."""

    def __init__(self, array: Any) -> None:
        self.__array_interface__ = {
            "version": 3,
            "typestr": raw(array.dtype),
            "shape": array.shape,
            "strides": array.strides,
            "data": (array.address, False),
        }


def layout_of(array: Any) -> Array:
    """An array of the same layout. Nobody may touch its elements: they are not where it says."""
    return np.asarray(_Layout(array)).view(array.dtype)


def of_layout(array: Any, view: Callable[[Array], Array]) -> Any:
    """The result of a function that gives views, and reads nothing, for an array."""
    return same_view(array, array.address, view(layout_of(array)))


def same_view(array: Any, first: int, found: Array) -> Any:
    """The view of `array` that `found` is of another array of that layout, whose first element lies at `first`."""
    offset = found.__array_interface__["data"][0] - first if found.size else 0
    return array.seen(offset, found.shape, found.strides, found.dtype, found.flags.writeable)
