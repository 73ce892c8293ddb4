"""The places of values: buffers and views of them, and the layout of the arena that holds a call's intermediates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...core.dtypes import DType
from ...core.records import dataclass
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


def lay_out(blocks: Iterable[Lifetime]) -> tuple[list[int], int]:
    """The offset of each block, and the bytes of the arena.

    Blocks alive at one time never overlap. Large ones are placed first, each as low as it fits: the known greedy
    for interval packing, within a few per cent of the best in practice."""
    blocks = list(blocks)
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
