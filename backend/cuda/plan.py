"""A compiled graph as launches on a CUDA device: kernels, what each takes, and the sizes of its grid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ...core.errors import KernelError
from ...loop_ir.ir import Accumulate, Kernel, Store, walk
from ..compile import CallOutCall, CompiledGraph, KernelCall, ProductCall, TableCall
from ..evaluate.buffers import BufferView
from ..lowering.lower import Pointer
from ..schedule.conds import CondCall
from ..schedule.loops import LoopCall
from ..schedule.matmul import batch_form, matrix_form
from .control_flow import CudaCondStep, CudaLoopStep
from .device import CudaDevice
from .kernel_text import cuda_text
from .launch_grid import Launch, LaunchGrid, choose_form, launch_of, part_count, table_launch
from .matmul import product_launch, product_text
from .team_reductions import CELL_BYTES, part_cells

SCRATCH = -1
"""The slot of the memory in which launches leave parts for the next one."""


@dataclass(frozen=True, slots=True)
class CudaOperand:
    """A pointer of a kernel: a slot, and where in it. Units: `offset` counts bytes."""

    slot: int
    offset: int


@dataclass(frozen=True, slots=True)
class CudaStep:
    """One launch: `operands` become its first parameters, `numbers` follow, last the failure word if it takes one.

    `name` and `form`, the team or the scheme, are for reports."""

    name: str
    text: str
    form: str
    operands: tuple[CudaOperand, ...]
    numbers: tuple[int, ...]
    sizes: Launch
    fails: bool


@dataclass(frozen=True, slots=True)
class CudaForeachStep:
    """One launch over a table in device memory, a row for each array: its extent, then the address of each operand."""

    name: str
    text: str
    form: str
    rows: tuple[tuple[int, tuple[CudaOperand, ...]], ...]
    numbers: tuple[int, ...]
    sizes: Launch


@dataclass(frozen=True)
class CudaPlan:
    """What one call does. `written` are the inputs that its kernels store into."""

    compiled: CompiledGraph
    steps: tuple[CudaStep | CudaForeachStep | CudaLoopStep | CudaCondStep, ...]
    written: frozenset[int]
    can_fail: bool
    scratch: int
    """Units: bytes."""
    kernels: tuple[Any, ...] = field(repr=False)
    """One for each step; None for a loop or a branch."""


def plan_of(compiled: CompiledGraph, device: CudaDevice) -> CudaPlan:
    """The plan, its kernels compiled for `device`. Errors: KernelError when one does not compile."""
    steps: list[CudaStep | CudaForeachStep | CudaLoopStep | CudaCondStep] = []
    scratch = _scratch(compiled)
    written: set[int] = set()
    may_have_failed = False
    for call in compiled.calls:
        if isinstance(call, KernelCall):
            steps += _kernel_steps(compiled, call, device, may_have_failed)
            may_have_failed = may_have_failed or call.bound.kernel.can_fail
            stored = [call.bound.pointers[k].buffer for k in _stored_pointers(call.bound.kernel)]
        elif isinstance(call, TableCall):
            steps.append(_table_step(compiled, call, device, may_have_failed))
            may_have_failed = may_have_failed or call.bound.kernel.can_fail
            numbers = _stored_pointers(call.bound.kernel)
            stored = [pointers[k].buffer for _, pointers in call.bound.rows for k in numbers]
        else:
            if isinstance(call, CallOutCall):
                raise KernelError(f"{call.node.attr('function')} is NumPy's own: it runs on the CPU only")
            if isinstance(call, LoopCall):
                body = plan_of(call.body, device)
                steps.append(CudaLoopStep(call, body))
                may_have_failed, scratch = may_have_failed or body.can_fail, max(scratch, body.scratch)
                written_views = (view for each in call.carried for view in (each.first, each.second))
                stored = [*(view.buffer for view in written_views), *(each.row.buffer for each in call.given)]
            elif isinstance(call, CondCall):
                branches = plan_of(call.branches[0], device), plan_of(call.branches[1], device)
                steps.append(CudaCondStep(call, branches))
                may_have_failed = may_have_failed or any(branch.can_fail for branch in branches)
                scratch = max(scratch, *(branch.scratch for branch in branches))
                stored = [view.buffer for view in call.given]
            else:
                steps.append(_product_step(compiled, call, device))
                stored = [call.result.buffer]
        written |= {buffer.number for buffer in stored if buffer.place == "input"}
    kernels = {step.text: device.load(step.text) for step in steps if not isinstance(step, CudaLoopStep | CudaCondStep)}
    loaded = tuple(None if isinstance(step, CudaLoopStep | CudaCondStep) else kernels[step.text] for step in steps)
    return CudaPlan(compiled, tuple(steps), frozenset(written), may_have_failed, scratch, loaded)


def _kernel_steps(compiled: CompiledGraph, call: KernelCall, device: CudaDevice, stops: bool) -> list[CudaStep]:
    """The launch of a kernel; two where the whole grid folds, and one block merges the parts."""
    bound = call.bound
    form = choose_form(bound, stops)
    operands, last = _operands(compiled, bound.pointers), bound.extent
    forms = [form]
    if form.team == "grid":
        operands, last = (*operands, CudaOperand(SCRATCH, 0)), part_count(bound)
        forms = [form, replace(form, team="parts")]
    return [
        CudaStep(
            call.name,
            cuda_text(bound.kernel, each),
            each.team,
            operands,
            (*bound.sizes, last),
            launch_of(bound, each, device.limits),
            True,
        )
        for each in forms
    ]


def _scratch(compiled: CompiledGraph) -> int:
    """Bytes for the parts of the largest split fold. One serves all: steps follow one another."""
    folds = (call.bound for call in compiled.calls if isinstance(call, KernelCall))
    return max(
        (CELL_BYTES * part_cells(bound.kernel) * part_count(bound) for bound in folds if part_cells(bound.kernel)),
        default=0,
    )


def _table_step(compiled: CompiledGraph, call: TableCall, device: CudaDevice, stops: bool) -> CudaForeachStep:
    bound = call.bound
    text = cuda_text(bound.kernel, LaunchGrid(stops=stops, table=True))
    rows = tuple((extent, _operands(compiled, pointers)) for extent, pointers in bound.rows)
    return CudaForeachStep(
        call.name, text, "table", rows, bound.sizes, table_launch([extent for extent, _ in rows], device.limits)
    )


def _operands(compiled: CompiledGraph, pointers: Sequence[Pointer]) -> tuple[CudaOperand, ...]:
    return tuple(
        CudaOperand(compiled.slots[pointer.buffer], pointer.offset * pointer.buffer.dtype.itemsize)
        for pointer in pointers
    )


def _stored_pointers(kernel: Kernel) -> set[int]:
    return {each.access.pointer for each in walk(kernel.body) if isinstance(each, (Store, Accumulate))}


def _product_step(compiled: CompiledGraph, call: ProductCall, device: CudaDevice) -> CudaStep:
    views = (call.left, call.right, call.result)
    operands = tuple(
        CudaOperand(compiled.slots[view.buffer], view.offset * view.buffer.dtype.itemsize) for view in views
    )
    *_, m, k = call.left.shape
    n = call.right.shape[-1]
    batch = batch_form(call.result)[0]
    steps = [number for view in views for number in _matrix_steps(view)]
    numbers = (batch, m, n, k, *steps[:-1])
    text = product_text(call.result.buffer.dtype, device.tiling)
    return CudaStep("product", text, "tiles", operands, numbers, product_launch(m, n, batch, device.tiling), False)


def _matrix_steps(view: BufferView) -> tuple[int, int, int]:
    """Elements from a matrix to the next, from a row to the next, and from a column to the next."""
    form = matrix_form(view)
    assert form is not None
    leading, turned = form
    return (batch_form(view)[1], *((1, leading) if turned else (leading, 1)))
