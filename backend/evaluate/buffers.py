"""The places of values: buffers and views of them, and the layout of the arena that holds a call's intermediates."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from ...core.dtypes import DType
from ...core.records import dataclass, replace
from ...core.sizes import Size, structure
from ...core.types import contiguous_strides
from .index_algebra import Affine

ALIGNMENT = 64


@dataclass(slots=True, eq=False)
class Buffer:
    """One piece of memory. `place` is input, output or temporary; `number` counts within it. Identity is the object.

    Units: `elements` counts elements of `dtype`, and is 0 where the memory is not ours."""

    place: str
    number: int
    dtype: DType
    elements: int = 0

    @property
    def nbytes(self) -> int:
        return self.elements * self.dtype.itemsize

    def __repr__(self) -> str:
        return f"{self.place}{self.number}"


@dataclass(frozen=True, slots=True)
class BufferView:
    """An array laid over a buffer. Units: strides and offset count elements."""

    buffer: Buffer
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int = 0

    def at(self, index: Sequence[Affine]) -> Affine:
        """The place of element `index`, from the start of the buffer."""
        place = Affine(self.offset)
        for entry, stride in zip(index, self.strides, strict=True):
            place = place + entry * stride
        return place

    def region(self, starts: Sequence[int], sizes: Sequence[int], steps: Sequence[int]) -> BufferView:
        """The view of a slice."""
        offset = self.offset + sum(start * stride for start, stride in zip(starts, self.strides, strict=True))
        strides = tuple(step * stride for step, stride in zip(steps, self.strides, strict=True))
        return BufferView(self.buffer, tuple(sizes), strides, offset)


def dense_view(buffer: Buffer, shape: tuple[int, ...], order: Sequence[int] | None = None) -> BufferView:
    """A dense view of all of `buffer`; `order` lists the axes, slowest first (row-major by default)."""
    axes = range(len(shape)) if order is None else order
    strides = [0] * len(shape)
    for axis, stride in zip(axes, contiguous_strides(tuple(shape[axis] for axis in axes)), strict=True):
        strides[axis] = stride
    return BufferView(buffer, shape, tuple(strides))


@dataclass(frozen=True, slots=True)
class Lifetime:
    """A block of the arena is needed from step `first` to step `last`, both included. Units: nbytes counts bytes."""

    nbytes: int
    first: int
    last: int


# Note [Zones of the arena]
# Where blocks lie follows from how their sizes compare, and to compare symbolic ones is to rely on the outcome: a plan
# would serve a few sizes, and caches that grow would need one after the other. So blocks whose sizes are multiples of
# one polynomial share a zone, in which these multiples are compared, and zones lie one behind the other.
def lay_out(blocks: Iterable[Lifetime]) -> tuple[list[int], int]:
    """The offset of each block, and the bytes of the arena. Nothing is asked of symbolic sizes.

    Blocks alive at one time never overlap. In a zone large ones are placed first, each as low as it fits: the known
    greedy for interval packing, within a few per cent of the best in practice."""
    blocks = list(blocks)
    zones: dict[Any, list[tuple[int, int, Any]]] = {}
    for k, block in enumerate(blocks):
        times, unit = _multiple(block.nbytes)
        zones.setdefault(structure(unit), []).append((k, times, unit))
    offsets = [0] * len(blocks)
    begin = 0
    for zone in zones.values():
        unit = zone[0][2]
        found, total = _packed([replace(blocks[k], nbytes=times) for k, times, _ in zone])
        for (k, _, _), offset in zip(zone, found, strict=True):
            offsets[k] = begin + offset * unit
        begin = begin + total * unit
    return offsets, begin


def _multiple(nbytes: int) -> tuple[int, int]:
    """A size as a multiple, which is aligned for a symbolic one, and of what it is one."""
    if not isinstance(nbytes, Size):
        return nbytes, 1
    times = math.gcd(*(factor for _, factor in nbytes.terms))
    if times < ALIGNMENT:  # to align its factor would take many times as much
        return ALIGNMENT, (nbytes + ALIGNMENT - 1) // ALIGNMENT
    return _aligned(times), nbytes // times


def _packed(blocks: list[Lifetime]) -> tuple[list[int], int]:
    """The offset of each block of known size, and where the last ends."""
    offsets = [0] * len(blocks)
    placed: list[tuple[int, int, Lifetime]] = []
    for k in sorted(range(len(blocks)), key=lambda k: (-blocks[k].nbytes, k)):
        block = blocks[k]
        low = 0
        for start, end, _ in sorted(
            (entry for entry in placed if entry[2].first <= block.last and block.first <= entry[2].last),
            key=lambda entry: entry[0],
        ):
            if low + block.nbytes <= start:
                break
            low = max(low, end)
        offsets[k] = low
        placed.append((low, _aligned(low + block.nbytes), block))
    return offsets, max((end for _, end, _ in placed), default=0)


def _aligned(nbytes: int) -> int:
    return -(-nbytes // ALIGNMENT) * ALIGNMENT
