"""The step of a launch plan that multiplies matrices: by a kernel of our own where it is the faster, else by BLAS."""

# Note [Whose product]
# Measured on one thread of a machine with AVX-512, our kernels take 0.4 to 0.7 of the time of NumPy's OpenBLAS from 8
# rows and one vector of columns on. Below, copying panels of b costs more than it brings. Far above, BLAS has threads.
# A long matrix of eight columns or fewer times a vector takes 0.1 to 0.7 of BLAS's time, made for long ones.

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..cpu.plan.plan import GemmOperand, GemmStep, KernelStep, Step
from ..evaluate.buffers import BufferView
from ..schedule.matmul import ProductCall, batch_form, matrix_form
from .steps import Slots, steps_of

OWN_ROWS = 8
"""Rows of the result from which a product is our own."""
LONG = 256
"""Rows of a narrow matrix from which its product with a vector is our own, and worth a kernel for that width."""
OWN_WORK = 2**24
"""Multiply-adds up to which a product is our own; on one thread they take a tenth of a millisecond or two."""


@steps_of.register(ProductCall)
def _product_steps(call: ProductCall, slots: Slots) -> Sequence[Step]:
    """By whom a product is computed: Note [Whose product]."""
    from ..cpu.matmul import tiles

    left, right, result = call.left, call.right, call.result
    dtype = result.buffer.dtype
    (*_, m, k), n = left.shape, right.shape[-1]
    batch = batch_form(result)[0]
    if OWN_ROWS <= m and m * k * n * batch <= OWN_WORK and tiles.vector_bytes() and n >= tiles.lanes(dtype.code):
        return [_own(slots, (left, right, result), (m, n, k, batch))]
    if 1 in (m, n) and batch == 1 and m * k * n <= OWN_WORK:
        step = _by_vector(slots, left, right, result)
        if step is not None:
            return [step]
    a, b, c = (_blas_operand(slots, view) for view in (left, right, result))
    return [GemmStep(np.dtype(dtype.numpy), m, n, k, a, b, c, batch)]


def _own(
    slots: Slots, views: tuple[BufferView, BufferView, BufferView], sizes: tuple[int, int, int, int]
) -> KernelStep:
    from ..cpu.compiler import kernels
    from ..cpu.matmul.kernel_text import panels_of, product_text

    left, right, result = views
    m, n, k, batch = sizes
    code, size = result.buffer.dtype.code, result.buffer.dtype.itemsize
    form = matrix_form(right)
    assert form is not None
    turned = form[1]
    panels = panels_of(code, n)
    lines = (*left.strides[-2:], right.strides[-1 if turned else -2], result.strides[-2])
    steps = [step * size for step in (*lines, *(batch_form(view)[1] for view in views))]
    kernel = kernels.get_kernel(product_text(code, n, turned))
    places = tuple(map(slots.at, views))
    return KernelStep(kernel, places, (m, n, k, panels, *steps), panels * batch)


def _by_vector(slots: Slots, left: BufferView, right: BufferView, result: BufferView) -> KernelStep | None:
    """The step for a narrow matrix whose rows follow one another, times a vector; None for any other."""
    from ..cpu.compiler import kernels
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
    sizes: tuple[int, ...]
    code = result.buffer.dtype.code
    if by_rows and goal == 1:
        text, sizes, extent = rows_text(code, width), (step,), lines
    elif not by_rows and step == 1:
        text, sizes, extent = columns_text(code, width), (lines, goal), 1
    else:
        return None
    places = tuple(map(slots.at, (matrix, vector, result)))
    return KernelStep(kernels.get_kernel(text), places, sizes, extent)


def _step_of(view: BufferView, axis: int) -> int:
    return view.strides[axis] if view.shape[axis] > 1 else 1


def _blas_operand(slots: Slots, view: BufferView) -> GemmOperand:
    form = matrix_form(view)
    assert form is not None
    slot, offset = slots.at(view)
    return GemmOperand(slot, form[0], offset, form[1], batch_form(view)[1] * view.buffer.dtype.itemsize)
