"""The step of a launch plan that multiplies matrices: by a kernel of our own where it is the faster, else by BLAS."""

# Note [Whose product]
# Measured on machines with AVX-512, our kernels take 0.4 to 0.7 of the time of NumPy's OpenBLAS from 8 rows and one
# vector of columns on. Below, copying panels of b costs more than it brings. Above, it depends on the kernels that
# OpenBLAS has for the processor. Where they are of 512 bits, ours are no slower up to 500 rows and columns. Where it
# knows none and takes those of 256 bits, as for AMD's Zen 5, ours take 0.5 to 0.7 of the time at any size; but columns
# of a large matrix that lie far apart share a few places of the cache. Tiles in registers of 256 bits are small, and
# read large operands too often. Panels are computed by whichever thread comes by, with the same bits.
# A long matrix of eight columns or fewer times a vector takes 0.1 to 0.7 of BLAS's time, made for long ones.

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ...core.records import dataclass
from ...core.sizes import is_symbolic
from ..cpu.plan.parallel_split import ONE_THREAD, ParallelSplit
from ..cpu.plan.plan import GemmOperand, GemmStep, KernelStep, Step
from ..evaluate.buffers import BufferView
from ..schedule.matmul import ProductCall, batch_form, matrix_form
from .steps import Slots, kernel_texts, steps_of

OWN_ROWS = 8
"""Rows of the result from which a product is our own."""
LONG = 256
"""Rows of a narrow matrix from which its product with a vector is our own, and worth a kernel for that width."""
OWN_CHUNK_WORK = 2**19
"""Multiply-adds of a part of our own product at least, where threads share it out: some microseconds."""
OWN_WAKING_WORK = 2**22
"""Multiply-adds of a product from which on threads that sleep are woken for it."""
BLOCK_WORK = 2**21
"""Multiply-adds of a block of rows at least."""
MOST_BLOCKS = 8
"""Parts at most that rows are cut into for threads: each copies the panel anew."""
LEAST_ROWS, WHOLE_TILES = 96, 24
"""Rows of such a part at least, and of what they are a multiple, so that tiles of any height fill them."""
SMALL_WORK = 2**19
"""Multiply-adds up to which a product takes a hundredth of a millisecond, and tiles of one height are enough for it."""
_WIDE = 64
"""Bytes of a register of 512 bits."""
OWN_WORK = 2**24
"""Multiply-adds up to which a product of two matrices is our own, by registers of any width."""
OWN_WIDE_WORK = 2**27
"""Likewise by registers of 512 bits, where BLAS uses them as well."""
OWN_TURNED_WORK = 2**30
"""Likewise where BLAS uses narrower ones, and the rows of the left matrix are columns of what lies in memory. Where
they are rows, all products are our own."""


@steps_of.register(ProductCall)
def _product_steps(call: ProductCall, slots: Slots) -> Sequence[Step]:
    """By whom a product is computed: Note [Whose product]."""
    from ..cpu.compiler import kernels

    own = _own_product(call)
    if own is not None:
        places = tuple(map(slots.at, own.views))
        return [KernelStep(kernels.get_kernel(own.text), places, own.sizes, own.extent, own.parallel_split)]
    left, right, result = call.left, call.right, call.result
    (*_, m, k), n = left.shape, right.shape[-1]
    a, b, c = (_blas_operand(slots, view) for view in (left, right, result))
    return [GemmStep(np.dtype(result.buffer.dtype.numpy), m, n, k, a, b, c, batch_form(result)[0])]


@kernel_texts.register(ProductCall)
def _product_texts(call: ProductCall) -> Iterator[str]:
    own = _own_product(call)
    if own is not None:
        yield own.text


@dataclass(frozen=True, slots=True)
class _OwnProduct:
    """One run of a kernel that multiplies."""

    text: str
    views: tuple[BufferView, BufferView, BufferView]
    sizes: tuple[int, ...]
    extent: int
    parallel_split: ParallelSplit = ONE_THREAD


def _own_product(call: ProductCall) -> _OwnProduct | None:
    """A product that a kernel of ours computes; None where BLAS does."""
    from ..cpu.matmul import tiles

    left, right, result = call.left, call.right, call.result
    code = result.buffer.dtype.code
    (*_, m, k), n = left.shape, right.shape[-1]
    batch = batch_form(result)[0]
    if OWN_ROWS <= m and tiles.vector_bytes() and n >= tiles.lanes(code) and _tiles_are_fast(left, m * k * n):
        return _by_tiles(left, right, result, (m, n, k, batch))
    if 1 in (m, n) and batch == 1 and m * k * n <= OWN_WORK:
        return _by_vector(left, right, result)
    return None


def _tiles_are_fast(left: BufferView, work: int) -> bool:
    """Whether our tiles are at least as fast as BLAS for so many multiply-adds: Note [Whose product]."""
    from ..cpu.matmul import blas, tiles

    if tiles.vector_bytes() < _WIDE:
        return work <= OWN_WORK
    if not blas.is_narrow():
        return work <= OWN_WIDE_WORK
    form = matrix_form(left)
    return form is not None and (not form[1] or work <= OWN_TURNED_WORK)


def _by_tiles(
    left: BufferView, right: BufferView, result: BufferView, extents: tuple[int, int, int, int]
) -> _OwnProduct:
    from ..cpu.matmul.kernel_text import product_text
    from ..cpu.matmul.tile_shapes import panels_of

    m, n, k, batch = extents
    code, size = result.buffer.dtype.code, result.buffer.dtype.itemsize
    form = matrix_form(right)
    assert form is not None
    turned = form[1]
    panels = panels_of(code, n)
    lines = (*left.strides[-2:], right.strides[-1 if turned else -2], result.strides[-2])
    steps = [step * size for step in (*lines, *(batch_form(view)[1] for view in (left, right, result)))]
    work = m * n * k * batch
    blocks, block = _blocks(m, panels * batch, work)
    is_small = not is_symbolic((work,)) and work <= SMALL_WORK
    text = product_text(code, n, turned, m, block, is_small=is_small)
    items = panels * batch * blocks
    sizes = (m, n, k, panels, *steps, blocks, block)
    return _OwnProduct(text, (left, right, result), sizes, items, split_panels(items, work))


def _blocks(rows: int, panels: int, work: int) -> tuple[int, int]:
    """The blocks of rows, and the rows of one: several blocks where threads share out fewer panels than they could."""
    if is_symbolic((rows, panels, work)):
        return 1, rows
    wanted = min(-(-min(work // BLOCK_WORK, MOST_BLOCKS) // max(panels, 1)), rows // LEAST_ROWS)
    if wanted < 2:
        return 1, rows
    block = -(-rows // (wanted * WHOLE_TILES)) * WHOLE_TILES
    return -(-rows // block), block


def split_panels(panels: int, work: int) -> ParallelSplit:
    """The way to share out the panels of all matrices. Each is computed as it would be alone."""
    count = work // OWN_CHUNK_WORK
    if count < 2:
        return ONE_THREAD
    chunk = -(-panels // count)
    if chunk >= panels:
        return ONE_THREAD
    return ParallelSplit(chunk, wakes=is_symbolic([work]) or work >= OWN_WAKING_WORK)


def _by_vector(left: BufferView, right: BufferView, result: BufferView) -> _OwnProduct | None:
    """A narrow matrix whose rows follow one another, times a vector; None for any other."""
    from ..cpu.matmul.vector_kernel_text import WIDEST, columns_text, rows_text

    upright = right.shape[-1] == 1
    matrix, vector = (left, right) if upright else (right, left)
    form = matrix_form(matrix)
    assert form is not None
    leading, turned = form
    lines, width = (matrix.shape[axis] for axis in ((-1, -2) if turned else (-2, -1)))
    if width > WIDEST or leading != width or lines < LONG:
        return None
    step, goal = (_step_of(view, -2 if upright else -1) for view in (vector, result))
    by_rows = turned != upright
    code = result.buffer.dtype.code
    views = matrix, vector, result
    if by_rows and goal == 1:
        return _OwnProduct(rows_text(code, width), views, (step,), lines)
    if not by_rows and step == 1:
        return _OwnProduct(columns_text(code, width), views, (lines, goal), 1)
    return None


def _step_of(view: BufferView, axis: int) -> int:
    return view.strides[axis] if view.shape[axis] > 1 else 1


def _blas_operand(slots: Slots, view: BufferView) -> GemmOperand:
    form = matrix_form(view)
    assert form is not None
    slot, offset = slots.at(view)
    return GemmOperand(slot, form[0], offset, form[1], batch_form(view)[1] * view.buffer.dtype.itemsize)
