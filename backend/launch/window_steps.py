"""The step of a launch plan that multiplies windows, by a kernel of our own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...core.records import dataclass
from ..cpu.plan.plan import KernelStep, Step
from ..evaluate.buffers import BufferView
from ..schedule.moved_views import Axis
from ..schedule.window_products import MOST_PARTS, PartedMatrices, WindowProduct
from .matmul_steps import split_panels
from .steps import Slots, kernel_texts, steps_of

MOST_TOGETHER = 16
"""Entries of the first part of rows at most that share a panel: threads take such groups."""


@dataclass(frozen=True, slots=True)
class _WindowKernel:
    """One run of a kernel that multiplies windows."""

    text: str
    sizes: tuple[int, ...]
    extent: int


@steps_of.register(WindowProduct)
def _window_steps(call: WindowProduct, slots: Slots) -> Sequence[Step]:
    from ..cpu.compiler import kernels

    made = _kernel_of(call)
    operands = (_begin(call.left), _begin(call.right), call.result)
    split = split_panels(made.extent, call.work)
    places = tuple(map(slots.at, operands))
    return [KernelStep(kernels.get_kernel(made.text), places, made.sizes, made.extent, split)]


@kernel_texts.register(WindowProduct)
def _window_texts(call: WindowProduct) -> Iterator[str]:
    yield _kernel_of(call).text


def _begin(operand: PartedMatrices) -> BufferView:
    return BufferView(operand.buffer, (), (), operand.offset)


def _parts(axis: Axis, count: int) -> tuple[list[int], list[int]]:
    """Sizes and steps of so many parts, the first of them one entry where there are fewer."""
    wide = [(1, 0)] * (count - len(axis)) + list(axis)
    return [size for size, _ in wide], [step for _, step in wide]


def _kernel_of(call: WindowProduct) -> _WindowKernel:
    return _by_columns(call) if call.form == "columns" else _by_rows(call)


def _by_columns(call: WindowProduct) -> _WindowKernel:
    from ..cpu.matmul.tile_shapes import panels_of
    from ..cpu.matmul.window_text import DEEPEST, columns_text, in_place_text, piece_form

    left, right, result = call.left, call.right, call.result
    code, item = result.buffer.dtype.code, result.buffer.dtype.itemsize
    m, columns = result.shape[-2:]
    panels = panels_of(code, columns)
    rows, row_steps = _first_part_first(right.rows)
    lines, line_steps = _parts(right.columns, MOST_PARTS)
    (outer, inner), b_steps = _parts(right.batch, 2)
    _, a_steps = _parts(left.batch, 2)
    (_, a_row), (_, a_k) = (axis[0] if axis else (1, 0) for axis in (left.rows, left.columns))
    form = piece_form(code, m, lines[3], rows[3]) if line_steps[3] == row_steps[3] == a_k == 1 else None
    if form is None:
        text = columns_text(code, m, columns, line_steps[3])
    else:
        text = in_place_text(code, m, columns, form, rows[3])
    each = rows[1] * rows[2] * rows[3]
    steps = [a_row, a_k, *a_steps, *b_steps, columns, m * columns]
    sizes = [m, columns, panels, inner, *rows, *(step * item for step in row_steps)]
    sizes += [lines[1], lines[2], lines[3], *(step * item for step in line_steps[:3])]
    sizes += [*(step * item for step in steps), max(1, DEEPEST // each)]
    return _WindowKernel(text, tuple(sizes), panels * outer * inner)


def _first_part_first(axis: Axis) -> tuple[list[int], list[int]]:
    """Sizes and steps of four parts, of which the first is the first of the axis."""
    sizes, steps = _parts(axis[1:], MOST_PARTS - 1)
    first = axis[0] if axis else (1, 0)
    return [first[0], *sizes], [first[1], *steps]


def _by_rows(call: WindowProduct) -> _WindowKernel:
    from ..cpu.matmul.tile_shapes import panel_vectors, panels_of, takes_taps
    from ..cpu.matmul.window_text import DEEPEST, rows_text

    left, right, result = call.left, call.right, call.result
    code, item = result.buffer.dtype.code, result.buffer.dtype.itemsize
    height, columns = result.shape[-2:]
    panels = panels_of(code, columns)
    rows, row_steps = _first_part_first(left.rows)
    summed, a_steps = _parts(left.columns, MOST_PARTS)
    _, b_steps = _parts(right.rows, MOST_PARTS)
    (batches,), (a_batch,) = _parts(left.batch, 1)
    _, (b_batch,) = _parts(right.batch, 1)
    ((_, b_column),) = right.columns or ((1, 0),)
    at_once = max(1, DEEPEST // summed[3])
    group = max(8, min(MOST_TOGETHER, rows[0] // 2))
    groups = -(-rows[0] // group)
    sizes = [*rows, *(step * item for step in row_steps), *summed, *(step * item for step in a_steps)]
    sizes += [*(step * item for step in (*b_steps[:3], b_column)), columns, panels]
    sizes += [step * item for step in (a_batch, b_batch, height * columns, columns)]
    sizes += [at_once, groups, group]
    is_dense = row_steps[3] == a_steps[3] == 1 and summed[3] >= rows[3]
    taps = rows[3] if is_dense and takes_taps(panel_vectors(code, columns), rows[3]) else 1
    return _WindowKernel(rows_text(code, rows[0], group, columns, taps), tuple(sizes), batches * groups * panels)
