"""A compiled graph as launches on a CUDA device: kernels, what each takes, and the sizes of its grid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import field
from functools import singledispatch
from math import prod
from typing import Any

from ...core.config import config
from ...core.errors import KernelError
from ...core.records import dataclass, replace
from ...loop_ir.ir import Accumulate, Kernel, Store, walk
from ..compile import CompiledGraph
from ..evaluate.buffers import Buffer, BufferView
from ..launch.call_outs import CallOutCall
from ..launch.calls import ForeachCall, KernelCall
from ..launch.epilogues import MappedProductCall
from ..launch.steps import View
from ..schedule.attention import AttentionCall, AttentionGradientsCall
from ..schedule.calls import Call
from ..schedule.conds import CondCall
from ..schedule.loops import LoopCall
from ..schedule.matmul import ProductCall, batch_form, matrix_form
from ..schedule.scans import ScanCall
from ..schedule.window_products import WindowProduct
from .attention.launches import AttentionLaunch, attention_launches, gradient_launches
from .control_flow import CudaCondStep, CudaLoopStep
from .device import CudaDevice
from .issuer import SCRATCH, TICKETS
from .kernel_text import cuda_text
from .kernels.scans import parts_text, scan_of, scan_text
from .launch_grid import WORDS, choose_launch_grid, launch_of, split_of, table_grid, table_launch, with_bound
from .ordering.launches import Scratch
from .ordering.ops import device_form
from .products.blas_library import WORKSPACE
from .products.epilogues import Epilogue
from .products.launches import Matrices, Product, parts_nbytes, product_kernels
from .products.library_products import has_library, is_large, library_product
from .steps import CudaForeachStep, CudaLibraryStep, CudaNumber, CudaOperand, CudaStep, Step


@dataclass(frozen=True, slots=True)
class CudaProgram:
    """The part of a plan that is the same wherever its memory lies. `written` are the inputs that its kernels store
    into.

    by_value: whether kernels take its scalars by value, and none reads them from memory.   temporaries: (offset, bytes)
    of each in an arena of `arena_nbytes`.   library: whether there is a library for products that one may compute;
    None where there is no such product."""

    steps: tuple[Step, ...]
    written: frozenset[int]
    can_fail: bool
    scratch: int
    """Units: bytes."""
    by_value: bool
    tickets: int
    """Words that count blocks: see Note [Tickets]."""
    temporaries: tuple[tuple[int, int], ...]
    arena_nbytes: int
    library: bool | None = None
    settings: tuple[tuple[str, bool | str], ...] = ()
    """See `CompiledGraph.settings`."""


@dataclass(frozen=True)
class CudaPlan:
    """The steps of one call, with their kernels. The fields are those of its program."""

    compiled: CompiledGraph
    steps: tuple[Step, ...]
    written: frozenset[int]
    can_fail: bool
    scratch: int
    """Units: bytes."""
    kernels: tuple[Any, ...] = field(repr=False)
    """One for each step; None for a loop or a branch."""
    by_value: bool = False
    tickets: int = 0
    """Words that count blocks: see Note [Tickets]."""
    settings: tuple[tuple[str, bool | str], ...] = ()
    """See `CompiledGraph.settings`."""


@dataclass(frozen=True, slots=True)
class _Planned:
    """A call as planned: its steps, the buffers that they store into, the bytes that they need for parts, and the words
    that they need to count blocks."""

    steps: Sequence[Step]
    stored: Collection[Buffer]
    can_fail: bool = False
    scratch: int = 0
    tickets: int = 0


@dataclass(frozen=True, slots=True)
class _Around:
    """The context in which a call is planned. stops: whether a check may have failed before it.

    private: the temporaries that only one call has to do with."""

    compiled: CompiledGraph
    device: CudaDevice
    stops: bool
    by_value: bool = False
    private: frozenset[Buffer] = frozenset()


def plan_of(compiled: CompiledGraph, device: CudaDevice, by_value: bool = False) -> CudaPlan:
    """The plan, its kernels compiled for `device`. Errors: KernelError when one does not compile.

    by_value: kernels take the call's scalars by value, if all of them can."""
    found = compiled.lazy.device_program(device, by_value, lambda: _program_of(compiled, device, by_value))
    kernels = device.load_all(dict.fromkeys(step.text for step in found.steps if step.text))
    loaded = tuple(kernels.get(step.text) for step in found.steps)
    facts = found.steps, found.written, found.can_fail, found.scratch
    return CudaPlan(compiled, *facts, loaded, found.by_value, found.tickets, found.settings)


def _program_of(compiled: CompiledGraph, device: CudaDevice, by_value: bool) -> CudaProgram:
    """The program, made of the calls of the lowered graph."""
    scalars = [each for each in compiled.layout.inputs if each.kind not in ("array", "lifted")]
    alone = all(isinstance(each, KernelCall) for each in compiled.calls)
    by_value = by_value and bool(scalars) and alone and all(each.type.dtype in WORDS for each in scalars)
    steps: list[Step] = []
    written: set[int] = set()
    can_fail, scratch, tickets = False, 0, 0
    users = Counter(buffer for call in compiled.calls for buffer in set(call.buffers))
    private = frozenset(buffer for buffer, count in users.items() if count == 1 and buffer.place == "temporary")
    for call in compiled.calls:
        planned = _plan_call(call, _Around(compiled, device, can_fail, by_value, private))
        steps += map(_bounded, planned.steps)
        written |= {buffer.number for buffer in planned.stored if buffer.place == "input"}
        can_fail, scratch = can_fail or planned.can_fail, max(scratch, planned.scratch)
        tickets = max(tickets, planned.tickets)
    library = has_library() if any(map(_may_be_librarys, compiled.calls)) and device.has_libraries else None
    placed = compiled.temporaries, compiled.arena_nbytes
    found = tuple(steps), frozenset(written), can_fail, scratch, by_value, tickets, *placed, library
    return CudaProgram(*found, compiled.settings)


def _bounded(step: Step) -> Step:
    """The step, its text that of a kernel for blocks as large as it launches."""
    if not isinstance(step, (CudaStep, CudaForeachStep)):
        return step
    return replace(step, text=with_bound(step.text, prod(step.sizes.block)))


def _may_be_librarys(call: Call) -> bool:
    """Whether it is a product that a library computes, where there is one."""
    product = call.product if isinstance(call, MappedProductCall) else call
    if not isinstance(product, ProductCall):
        return False
    *_, m, k = product.left.shape
    return is_large(batch_form(product.result)[0], m, product.right.shape[-1], k)


# -- what each kind of call becomes ------------------------------------------------------------------------------------
@singledispatch
def _plan_call(call: Call, around: _Around) -> _Planned:
    """The steps of a call. Errors: KernelError where it cannot run on a device."""
    raise KernelError(f"{call.describe()[0]}: it runs on the CPU only")


@_plan_call.register(CallOutCall)
def _call_out(call: CallOutCall, around: _Around) -> _Planned:
    """The launches of a form on the device, where the function has one."""
    form = device_form(call, around.device.limits)
    steps = []
    for each in form.launches:
        operands = tuple(
            CudaOperand(SCRATCH, operand.offset)
            if isinstance(operand, Scratch)
            else _operands(around.compiled, [operand])[0]
            for operand in each.operands
        )
        steps.append(CudaStep(each.name, each.text, "ordering", operands, each.numbers, each.sizes, False))
    return _Planned(steps, [view.buffer for view in call.results], False, form.scratch)


@_plan_call.register(WindowProduct)
def _windows(call: WindowProduct, around: _Around) -> _Planned:
    raise KernelError(f"{call.describe()[0]}: windows are copied out and multiplied on devices")


@_plan_call.register(LoopCall)
def _loop(call: LoopCall, around: _Around) -> _Planned:
    body = plan_of(call.body, around.device)
    views = [view for each in call.carried for view in (each.first, each.second)]
    stored = [view.buffer for view in (*views, *(each.row for each in call.given))]
    return _Planned([CudaLoopStep(call, body)], stored, body.can_fail, body.scratch, body.tickets)


@_plan_call.register(CondCall)
def _cond(call: CondCall, around: _Around) -> _Planned:
    branches = plan_of(call.branches[0], around.device), plan_of(call.branches[1], around.device)
    can_fail, scratch = any(each.can_fail for each in branches), max(each.scratch for each in branches)
    tickets = max(each.tickets for each in branches)
    return _Planned([CudaCondStep(call, branches)], [view.buffer for view in call.given], can_fail, scratch, tickets)


@_plan_call.register(KernelCall)
def _kernel(call: KernelCall, around: _Around) -> _Planned:
    """The launch of a kernel."""
    bound = call.bound
    grid = choose_launch_grid(bound, around.stops, around.device.limits)
    operands: tuple[CudaOperand | CudaNumber, ...] = _operands(around.compiled, bound.pointers)
    numbers: tuple[int, ...] = (*bound.sizes, bound.extent)
    if around.by_value:
        inputs = around.compiled.layout.inputs
        kinds = [
            inputs[each.buffer.number].kind if each.buffer.place == "input" else "array" for each in bound.pointers
        ]
        held = tuple(k for k, kind in enumerate(kinds) if kind not in ("array", "lifted"))
        operands = tuple(CudaNumber(each.slot) if k in held else each for k, each in enumerate(operands))
        grid = replace(grid, by_value=held)
    if grid.held:
        alone = around.private
        grid = replace(grid, private=tuple(k for k, each in enumerate(bound.pointers) if each.buffer in alone))
    split = split_of(bound, grid)
    if split is not None:
        operands, numbers = (*operands, CudaOperand(SCRATCH, 0), CudaOperand(TICKETS, 0)), (*numbers, split.count)
    launch = launch_of(bound, grid, around.device.limits)
    step = CudaStep(call.name, cuda_text(bound.kernel, grid), grid.team, operands, numbers, launch, True)
    stored = [bound.pointers[k].buffer for k in _stored_pointers(bound.kernel)]
    parts = (split.nbytes, split.places) if split is not None else (0, 0)
    return _Planned([step], stored, bound.kernel.can_fail, *parts)


@_plan_call.register(ForeachCall)
def _foreach(call: ForeachCall, around: _Around) -> _Planned:
    bound = call.bound
    grid = table_grid(bound.kernel, bound.extents, around.stops)
    text = cuda_text(bound.kernel, grid)
    rows = tuple((extent, _operands(around.compiled, pointers)) for extent, pointers in bound.rows)
    launch = table_launch(bound.extents, around.device.limits, grid.wide)
    numbers = _stored_pointers(bound.kernel)
    stored = [pointers[k].buffer for _, pointers in bound.rows for k in numbers]
    step = CudaForeachStep(call.name, text, "table", rows, bound.sizes, launch)
    return _Planned([step], stored, bound.kernel.can_fail)


def _operands(compiled: CompiledGraph, pointers: Sequence[View]) -> tuple[CudaOperand, ...]:
    return tuple(
        CudaOperand(compiled.slots[pointer.buffer], pointer.offset * pointer.buffer.dtype.itemsize)
        for pointer in pointers
    )


def _stored_pointers(kernel: Kernel) -> set[int]:
    return {each.access.pointer for each in walk(kernel.body) if isinstance(each, (Store, Accumulate))}


@_plan_call.register(ProductCall)
def _product(call: ProductCall, around: _Around) -> _Planned:
    """The launch of a product; two where its inner axis is split."""
    product, scratch = _product_of(call, around), CudaOperand(SCRATCH, 0)
    a, b, c = _operands(around.compiled, (call.left, call.right, call.result))
    if around.device.has_libraries and (by_library := library_product(product)) is not None:
        return _Planned([CudaLibraryStep(by_library, (b, a, c, scratch))], [call.result.buffer], scratch=WORKSPACE)
    return _own_product(product, {"a": a, "b": b, "c": c}, [call.result.buffer], around)


@_plan_call.register(MappedProductCall)
def _mapped_product(call: MappedProductCall, around: _Around) -> _Planned:
    """The launches of a product by a kernel of ours, which maps its results; else those of the product and the map."""
    inner, bound, result = call.product, call.map.bound, call.result
    product = _product_of(inner, around)
    a, b = _operands(around.compiled, (inner.left, inner.right))
    others = [pointer for k, pointer in enumerate(bound.pointers) if k != result]
    placed = iter(_operands(around.compiled, others))
    # What nobody else reads has no place in the arena; where it is needed, it lies behind the library's workspace.
    c = _operands(around.compiled, (inner.result,))[0] if call.kept else CudaOperand(SCRATCH, WORKSPACE)
    operands = [c if k == result else next(placed) for k in range(len(bound.pointers))]
    stored = [bound.pointers[k].buffer for k in _stored_pointers(bound.kernel)]
    stored += [inner.result.buffer] if call.kept else []
    epilogue = Epilogue(bound.kernel, result, call.kept, bound.sizes)
    if around.device.has_libraries and (step := _with_row(product, epilogue, (b, a), operands)) is not None:
        return _Planned([step], stored, scratch=WORKSPACE)
    if around.device.has_libraries and (by_library := library_product(product)) is not None:
        first = CudaLibraryStep(by_library, (b, a, c, CudaOperand(SCRATCH, 0)))
        grid = choose_launch_grid(bound, around.stops, around.device.limits)
        launch, numbers = launch_of(bound, grid, around.device.limits), (*bound.sizes, bound.extent)
        text = cuda_text(bound.kernel, grid)
        steps: list[Step] = [first, CudaStep(call.map.name, text, grid.team, tuple(operands), numbers, launch, True)]
        return _Planned(steps, stored, scratch=WORKSPACE + (0 if call.kept else inner.result.buffer.nbytes))
    named = {"a": a, "b": b, "c": c, **{f"map {k}": each for k, each in enumerate(operands)}}
    return _own_product(product, named, stored, around, epilogue)


def _with_row(
    product: Product, epilogue: Epilogue, factors: tuple[CudaOperand, ...], operands: Sequence[CudaOperand]
) -> CudaLibraryStep | None:
    """The step of a product by the library that adds a row to each row of its result; None for another map."""
    found = epilogue.added_row
    if found is None:
        return None
    row, into, line = found
    c = Matrices(product.c.dtype, product.m * line if product.batch > 1 else 0, line)
    made = library_product(replace(product, c=c), adds_row=True) if line >= product.n else None
    given = (*factors, operands[into], CudaOperand(SCRATCH, 0), operands[row])
    return CudaLibraryStep(made, given) if made is not None else None


def _product_of(call: ProductCall, around: _Around) -> Product:
    *_, m, k = call.left.shape
    a, b, c = map(_matrices, (call.left, call.right, call.result))
    rounds = call.multiplies_float32 and around.device.tensor_tiling and config.float32_matmul_precision != "highest"
    return Product(m, call.right.shape[-1], k, batch_form(call.result)[0], a, b, c, bool(rounds))


def _own_product(
    product: Product,
    operands: dict[str, CudaOperand],
    stored: list[Buffer],
    around: _Around,
    epilogue: Epilogue | None = None,
) -> _Planned:
    """The launches of kernels of ours. operands: by the names that `product_kernels` has for them."""
    device, named = around.device, {**operands, "parts": CudaOperand(SCRATCH, 0)}
    kernels = product_kernels(product, device.tilings, device.limits, device.tensor_tiling, epilogue)
    steps = [
        CudaStep("product", each.text, each.form, given, each.numbers, each.sizes, False)
        for each in kernels
        for given in [tuple(named[name] for name in each.operands)]
    ]
    return _Planned(steps, stored, scratch=parts_nbytes(product, kernels))


@_plan_call.register(AttentionCall)
def _attention(call: AttentionCall, around: _Around) -> _Planned:
    launches = attention_launches(call, around.device.limits, _has_tensor_cores(around))
    return _attention_steps(launches, call.stored, around)


@_plan_call.register(AttentionGradientsCall)
def _attention_gradients(call: AttentionGradientsCall, around: _Around) -> _Planned:
    launches = gradient_launches(call, around.device.limits, _has_tensor_cores(around))
    return _attention_steps(launches, call.stored, around)


def _has_tensor_cores(around: _Around) -> bool:
    return around.device.tensor_tiling is not None


def _attention_steps(launches: Sequence[AttentionLaunch], stored: Sequence[BufferView], around: _Around) -> _Planned:
    steps = [
        CudaStep(each.name, each.text, each.form, operands, each.numbers, each.sizes, False)
        for each in launches
        for operands in [_operands(around.compiled, each.operands)]
    ]
    return _Planned(steps, [view.buffer for view in stored])


@_plan_call.register(ScanCall)
def _scan(call: ScanCall, around: _Around) -> _Planned:
    """One launch; one more before it where rows are cut into parts. See Note [Scans by parts]."""
    scan = scan_of(call, around.device.limits)
    operands = _operands(around.compiled, (call.source, call.result))
    texts = [scan_text(scan)]
    if scan.form.by_parts:
        operands, texts = (*operands, CudaOperand(SCRATCH, 0)), [parts_text(scan), *texts]
    form = "columns" if scan.form.down else "rows"
    launch = scan.launch(around.device.limits)
    steps = [CudaStep("scan", text, form, operands, scan.numbers, launch, False) for text in texts]
    return _Planned(steps, [call.result.buffer], scratch=scan.scratch)


def _matrices(view: BufferView) -> Matrices:
    """The layout of an operand's matrices in memory."""
    form = matrix_form(view)
    assert form is not None
    return Matrices(view.buffer.dtype, batch_form(view)[1], *form)
