"""Windows that slide over the spatial axes of [N, C, *S], and their adjoint, which adds windows up where they overlap.

Window `o` along an axis has as its entry `k` the element at ``o * stride + k * dilation - padding``; what lies outside
is 0. Every attribute is a tuple with an entry for each spatial axis.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import wraps
from itertools import product
from operator import le
from typing import Any, NamedTuple

import numpy as np

from ..core.strided import strided
from .emitter import Emitter
from .registry import Array
from .shape_gradients import Ints

Value = Any

MOST_SLICES = 16
"""Entries of a window along an axis up to which it is written out slice by slice."""


def window_count(size: int, kernel: int, stride: int, padding: int, dilation: int) -> int:
    """The number of windows that fit along an axis with `padding` on both sides; 0 or less where none does."""
    return (size + 2 * padding - dilation * (kernel - 1) - 1) // stride + 1


def offsets(sizes: Ints) -> Iterator[Ints]:
    """The places in a block of these sizes, row by row."""
    return product(*(range(size) for size in sizes))


class WindowGrid(NamedTuple):
    """The places of the windows over the spatial axes, as tuples with an entry for each axis.

    kernel:   how many entries a window has.
    stride:   the step from one window to the next.
    padding:  how far the first window begins in front of the operand.
    dilation: the step from one entry of a window to the next.
    out:      how many windows there are.
    """

    kernel: Ints
    stride: Ints
    padding: Ints
    dilation: Ints
    out: Ints

    @property
    def reach(self) -> Ints:
        """The distance from the beginning of the first window to the end of the last, along each axis."""
        every = zip(self.out, self.kernel, self.stride, self.dilation, strict=True)
        return tuple([max((o - 1) * s + (k - 1) * d + 1, 0) for o, k, s, d in every])

    @property
    def entries(self) -> Iterator[Ints]:
        """The places in a window, row by row."""
        return offsets(self.kernel)

    def have_axes(self, rank: int) -> bool:
        """Whether every tuple has an entry for each of so many axes."""
        return all(len(each) == rank for each in self)

    @property
    def are_pointwise(self) -> bool:
        """Whether windows are single elements, one for each element of the operand."""
        return all(k == 1 for k in self.kernel) and all(s == 1 for s in self.stride) and not any(self.padding)


def over_windows(function: Callable[..., Any]) -> Callable[..., Any]:
    """``function(*operands, windows)`` as an op calls it: with the parts of `windows` as attributes."""

    @wraps(function)
    def called(*operands: Any, kernel: Ints, stride: Ints, padding: Ints, dilation: Ints, out: Ints) -> Any:
        return function(*operands, WindowGrid(kernel, stride, padding, dilation, out))

    return called


# -- in NumPy ----------------------------------------------------------------------------------------------------------
def padded_array(x: Array, windows: WindowGrid, value: float = 0.0) -> Array:
    """`x` [N, C, *S] with the padding of `value` in front, and behind it as much as the windows reach over."""
    padding, reach, rank = windows.padding, windows.reach, len(windows.padding)
    sizes = x.shape[-rank:]
    if not any(padding) and all(map(le, reach, sizes)):
        return x
    after = [max(r - p - size, 0) for r, p, size in zip(reach, padding, sizes, strict=True)]
    lead = x.shape[:-rank]
    shape = tuple(p + size + a for p, size, a in zip(padding, sizes, after, strict=True))
    result = np.full((*lead, *shape), value, x.dtype) if value else np.zeros((*lead, *shape), x.dtype)
    inner: Any = (..., *(slice(p, p + size) for p, size in zip(padding, sizes, strict=True)))
    result[inner] = x
    return result


def windows_of(x: Array, windows: WindowGrid) -> Array:
    """A view [N, C, *kernel, *out] of `x`, which is padded already."""
    rank = len(windows.kernel)
    lead, steps = x.shape[:-rank], x.strides[-rank:]
    strides = (
        *x.strides[:-rank],
        *(step * d for step, d in zip(steps, windows.dilation, strict=True)),
        *(step * s for step, s in zip(steps, windows.stride, strict=True)),
    )
    return strided(x, (*lead, *windows.kernel, *windows.out), strides, writeable=False)


def entry_of(x: Array, at: Ints, windows: WindowGrid) -> Array:
    """A view [N, C, *out] of the entry `at` of every window of `x`, which is padded already."""
    starts = [k * d for k, d in zip(at, windows.dilation, strict=True)]
    every = zip(starts, windows.out, windows.stride, strict=True)
    index: Any = (..., *(slice(b, b + (o - 1) * s + 1 if o else b, s) for b, o, s in every))
    return x[index]  # type: ignore[no-any-return]


def reduce_arrays(x: Array, windows: WindowGrid, combine: np.ufunc) -> Array:
    """The windows of `x`, which is padded already, each combined: axis by axis, the outer ones first."""
    pick: tuple[Any, ...] = (slice(None), slice(None))
    for width, step, _, dilation, count in zip(*windows, strict=True):
        span = (count - 1) * step + 1 if count else 0
        parts = []
        for begin in range(0, width * dilation, dilation):
            parts.append(x[(*pick, slice(begin, begin + span, step))])
        x = combine(parts[0], parts[1], order="C") if width > 1 else np.array(parts[0], order="C")
        for part in parts[2:]:
            combine(x, part, out=x)
        pick = (*pick, slice(None))
    return x


def landing(at: int, stride: int, count: int, size: int) -> tuple[int, int]:
    """The first window whose entry, at ``o * stride + at``, lies in ``0 .. size``, and the number of those."""
    first = max(-(at // stride), 0)
    stop = min(count, -((at - size) // stride))
    return first, max(stop - first, 0)


def target_of(result: Array, entries: Array, at: Ints, windows: WindowGrid) -> tuple[Array, Array]:
    """The part of `result` [N, C, *size] where the entry `at` of windows lies, and that of `entries` [N, C, *out]."""
    here: list[Any] = [...]
    there: list[Any] = [...]
    sizes = result.shape[-len(at) :]
    for k, s, p, d, count, size in zip(
        at, windows.stride, windows.padding, windows.dilation, windows.out, sizes, strict=True
    ):
        place = k * d - p
        first, number = landing(place, s, count, size)
        begin = first * s + place
        here.append(slice(begin, begin + (number - 1) * s + 1, s) if number else slice(0, 0))
        there.append(slice(first, first + number))
    return result[tuple(here)], entries[tuple(there)]


def fold_into(result: Array, columns: Array, windows: WindowGrid) -> None:
    """Adds windows [*lead, *kernel, *out] to [*lead, *size]."""
    lead = result.ndim - len(windows.kernel)
    for at in windows.entries:
        entry: Any = (*(slice(None),) * lead, *at)
        target, part = target_of(result, columns[entry], at, windows)
        target += part


# -- through an emitter ------------------------------------------------------------------------------------------------
def padded(f: Emitter, x: Value, windows: WindowGrid, value: float = 0.0) -> Value:
    """As `padded_array`, of any value."""
    shape, padding = f.shape(x), windows.padding
    lead = len(shape) - len(padding)
    after = tuple(max(r - p - size, 0) for r, p, size in zip(windows.reach, padding, shape[lead:], strict=True))
    if not any(padding) and not any(after):
        return x
    return f.pad(x, before=((0,) * lead + tuple(padding)), after=((0,) * lead + after), value=value)


def entries_at(f: Emitter, x: Value, at: Ints, windows: WindowGrid) -> Value:
    """As `entry_of`, of any value."""
    for k, (place, s, d, count) in enumerate(zip(at, windows.stride, windows.dilation, windows.out, strict=True)):
        x = along(f, x, 2 + k, place * d, count, s)
    return x


def along(f: Emitter, x: Value, axis: int, start: int, count: int, step: int = 1) -> Value:
    """`count` entries of an axis, from `start` on."""
    shape = f.shape(x)
    if start == 0 and step == 1 and count == shape[axis]:
        return x
    starts = tuple(start if k == axis and count else 0 for k in range(len(shape)))
    sizes = tuple(count if k == axis else size for k, size in enumerate(shape))
    return f.slice(x, starts=starts, sizes=sizes, steps=tuple(step if k == axis else 1 for k in range(len(shape))))


def reduce_windows(f: Emitter, x: Value, windows: WindowGrid, combine: Callable[..., Value], op: str) -> Value:
    """The windows of `x`, which is padded already, each combined: axis by axis, so that few entries are read.

    op: the reduction over an axis that is the same as `combine`.
    """
    lead = len(f.shape(x)) - len(windows.kernel)
    for k, (width, s, _, d, count) in enumerate(zip(*windows, strict=True)):
        axis = lead + k
        if width > MOST_SLICES and d == 1 and (s == width or count == 1):
            x = _reduce_apart(f, x, axis, width, count, op)
            continue
        total = None
        for at in range(width):
            part = along(f, x, axis, at * d, count, s)
            total = part if total is None else combine(total, part)
        x = total
    return x


def _reduce_apart(f: Emitter, x: Value, axis: int, width: int, count: int, op: str) -> Value:
    """Windows that do not overlap, and follow one another."""
    x = along(f, x, axis, 0, width * count)
    shape = f.shape(x)
    split = f.reshape(x, shape=(*shape[:axis], count, width, *shape[axis + 1 :]))
    return getattr(f, op)(split, axes=(axis + 1,))


def spread_out(f: Emitter, x: Value, axis: int, stride: int, at: int, size: int) -> Value:
    """An axis of `size` where entry `o` of `x` lies at ``o * stride + at``, zeros between; what is outside is lost."""
    first, number = landing(at, stride, f.shape(x)[axis], size)
    x = along(f, x, axis, first, number)
    shape = f.shape(x)
    begin = first * stride + at if number else 0
    if stride > 1 and number:
        ones = f.reshape(x, shape=(*shape[: axis + 1], 1, *shape[axis + 1 :]))
        none = (0,) * (len(shape) + 1)
        after = (*none[: axis + 1], stride - 1, *none[axis + 2 :])
        wide = f.reshape(
            f.pad(ones, before=none, after=after, value=0.0),
            shape=(*shape[:axis], number * stride, *shape[axis + 1 :]),
        )
        x = along(f, wide, axis, 0, min(number * stride, size - begin))
    behind = size - begin - f.shape(x)[axis]
    if begin == 0 and behind == 0:
        return x
    rank = len(shape)
    before, after = (tuple(width if k == axis else 0 for k in range(rank)) for width in (begin, behind))
    return f.pad(x, before=before, after=after, value=0.0)


def placed(f: Emitter, x: Value, first: int, at: Ints, sizes: Ints) -> Value:
    """Axes from `first` on of these sizes, where entry 0 of `x` lies at `at`, zeros around; what is outside is lost."""
    shape = f.shape(x)
    starts, counts, before, after = (
        list((0,) * len(shape)),
        list(shape),
        list((0,) * len(shape)),
        list((0,) * len(shape)),
    )
    for axis, (place, size) in enumerate(zip(at, sizes, strict=True), first):
        starts[axis], counts[axis] = landing(place, 1, shape[axis], size)
        if not counts[axis]:
            starts[axis] = 0
        before[axis] = min(max(place, 0), size - counts[axis])
        after[axis] = size - counts[axis] - before[axis]
    if counts != list(shape):
        x = f.slice(x, starts=tuple(starts), sizes=tuple(counts), steps=(1,) * len(shape))
    if not any(before) and not any(after):
        return x
    return f.pad(x, before=tuple(before), after=tuple(after), value=0.0)


def folded_along(
    f: Emitter, x: Value, inner: int, outer: int, stride: int, padding: int, dilation: int, size: int
) -> Value:
    """`x` with the axis `inner` of entries gone and the axis `outer` of windows, behind it, become one of `size`."""
    shape = f.shape(x)
    width, count = shape[inner], shape[outer]
    if dilation == 1 and padding == 0 and width <= stride and count:
        order = (*(k for k in range(outer + 1) if k != inner), inner, *range(outer + 1, len(shape)))
        turned = f.permute(x, axes=order)
        if width < stride:
            after = tuple(stride - width if k == outer else 0 for k in range(len(shape)))
            turned = f.pad(turned, before=(0,) * len(shape), after=after, value=0.0)
        rest = (*(shape[k] for k in range(outer) if k != inner),)
        flat = f.reshape(turned, shape=(*rest, count * stride, *shape[outer + 1 :]))
        axis = outer - 1
        flat = along(f, flat, axis, 0, min(count * stride, size))
        behind = size - f.shape(flat)[axis]
        if not behind:
            return flat
        none = (0,) * (len(shape) - 1)
        return f.pad(flat, before=none, after=(*none[:axis], behind, *none[axis + 1 :]), value=0.0)
    total = None
    for k in range(width):
        part = along(f, x, inner, k, 1)
        part = f.reshape(part, shape=(*shape[:inner], *shape[inner + 1 :]))
        placed = spread_out(f, part, outer - 1, stride, k * dilation - padding, size)
        total = placed if total is None else f.add(total, placed)
    return total


def window_view(f: Emitter, x: Value, windows: WindowGrid, first: Ints = ()) -> Value:
    """[N, C, *kernel, *out]: the windows of `x`, which is padded already, each element where it lies in memory.

    first: where the first window begins, if not at the first element."""
    shape = f.shape(x)
    steps = [1]
    for size in reversed(shape[1:]):
        steps.insert(0, steps[0] * size)
    inner = steps[2:]
    strides = (
        *steps[:2],
        *(step * d for step, d in zip(inner, windows.dilation, strict=True)),
        *(step * s for step, s in zip(inner, windows.stride, strict=True)),
    )
    offset = sum(at * step for at, step in zip(first, inner))
    flat = f.reshape(x, shape=(math.prod(shape),))
    sizes = (*shape[:2], *windows.kernel, *windows.out)
    return f.as_strided(flat, shape=sizes, strides=strides, offset=offset)


def folded(f: Emitter, x: Value, windows: WindowGrid, size: Ints) -> Value:
    """[N, C, *size]: windows [N, C, *kernel, *out] added up."""
    for s, p, d, extent in zip(windows.stride, windows.padding, windows.dilation, size, strict=True):
        x = folded_along(f, x, 2, 2 + len(size), s, p, d, extent)
    return x
