"""The step of a launch plan that multiplies matrices: by a kernel of our own where it is the faster, else by BLAS."""

# Note [Whose product]
# Measured on one thread of a machine with AVX-512, our kernels take 0.4 to 0.7 of the time of NumPy's OpenBLAS from 8
# rows and one vector of columns on. Below, copying panels of b costs more than it brings. Far above, BLAS has threads.

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from .memory import Buffer, View
from .schedule_products import batch_form, matrix_form

if TYPE_CHECKING:
    from .cpu.plan import GemmOperand, GemmStep, KernelStep

OWN_ROWS = 8
"""Rows of the result from which a product is our own."""
OWN_WORK = 2**24
"""Multiply-adds up to which a product is our own; on one thread they take a tenth of a millisecond or two."""


def product_step(slots: Mapping[Buffer, int], left: View, right: View, result: View) -> KernelStep | GemmStep:
    """The step that computes `result = left @ right`. Note [Whose product].

    Errors: KernelError when the kernel does not compile.
    """
    from .cpu import plan, tiles

    dtype = result.buffer.dtype
    (*_, m, k), n = left.shape, right.shape[-1]
    batch = batch_form(result)[0]
    if OWN_ROWS <= m and m * k * n * batch <= OWN_WORK and tiles.vector_bytes() and n >= tiles.lanes(dtype.code):
        return _own(slots, (left, right, result), (m, n, k, batch))
    a, b, c = (_blas_operand(slots, view) for view in (left, right, result))
    return plan.GemmStep(np.dtype(dtype.numpy), m, n, k, a, b, c, batch)


def _own(slots: Mapping[Buffer, int], views: tuple[View, View, View], sizes: tuple[int, int, int, int]) -> KernelStep:
    from .cpu import kernels, plan
    from .cpu.product_text import panels_of, product_text

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
    places = tuple((slots[view.buffer], view.offset * size) for view in views)
    return plan.KernelStep(kernel, places, (m, n, k, panels, *steps), panels * batch)


def _blas_operand(slots: Mapping[Buffer, int], view: View) -> GemmOperand:
    from .cpu.plan import GemmOperand

    form = matrix_form(view)
    assert form is not None
    size = view.buffer.dtype.itemsize
    return GemmOperand(slots[view.buffer], form[0], view.offset * size, form[1], batch_form(view)[1] * size)
