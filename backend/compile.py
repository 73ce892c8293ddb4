"""A graph and the layout of its call to a launch plan: the one entry of the back end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import blake2b
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ..core.dtypes import DType
from ..graph.node import Graph, Node
from .kernel_text import kernel_text
from .layout import CallLayout, InputLayout, OutputLayout
from .loops import Kernel, print_kernel
from .lowering import BoundKernel, buffers_read, evaluated, lower_group, told_apart
from .lowering_tables import BoundTable, lower_table
from .memory import Buffer, Lifetime, View, lay_out
from .product_steps import product_step
from .schedule import schedule_graph
from .schedule_donation import share_memory
from .schedule_groups import Group, Schedule, given_places
from .schedule_loops import LoopCall
from .schedule_products import batch_form, expand_products
from .schedule_regions import lower_region

if TYPE_CHECKING:
    import numpy as np

    from .cpu.plan import KernelStep, LaunchPlan, Step, Subscribe, TableStep

LARGE_WORK = 200_000.0
"""Additions from which a call lets other Python threads run."""


@dataclass(frozen=True, slots=True)
class KernelCall:
    """One run of a kernel."""

    bound: BoundKernel
    text: str
    name: str

    @property
    def buffers(self) -> tuple[Buffer, ...]:
        return tuple(pointer.buffer for pointer in self.bound.pointers)

    @property
    def work(self) -> float:
        return self.bound.work


@dataclass(frozen=True, slots=True)
class ProductCall:
    """`result = left @ right` by BLAS."""

    left: View
    right: View
    result: View

    @property
    def buffers(self) -> tuple[Buffer, ...]:
        return self.left.buffer, self.right.buffer, self.result.buffer

    @property
    def work(self) -> float:
        return float(self.left.shape[-1]) * self.result.shape[-1] * self.result.shape[-2] * batch_form(self.result)[0]


@dataclass(frozen=True, slots=True)
class TableCall:
    """One run of a kernel for each row of a table."""

    bound: BoundTable
    text: str
    name: str

    @property
    def buffers(self) -> set[Buffer]:
        return self.bound.buffers

    @property
    def work(self) -> float:
        return self.bound.work


@dataclass(frozen=True, slots=True)
class CallOutCall:
    """One call of NumPy, on the operands, that gives the results."""

    node: Node
    operands: tuple[View, ...]
    results: tuple[View, ...]

    @property
    def buffers(self) -> tuple[Buffer, ...]:
        return tuple(view.buffer for view in (*self.operands, *self.results))

    @property
    def work(self) -> float:
        return 0.0  # NumPy lets other threads run where it does


Call = KernelCall | ProductCall | TableCall | CallOutCall | LoopCall


@dataclass(frozen=True, slots=True)
class KernelReport:
    """One distinct kernel, for reports: its name, the text that is compiled, the loop IR, and how many steps run it."""

    name: str
    text: str
    loops: str
    uses: int


@dataclass(frozen=True)
class StepsOf:
    """The steps of a plan, and how many slots move in its loops."""

    steps: tuple[Step, ...]
    moving: int


@dataclass(frozen=True)
class CompiledGraph:
    """What a graph became: calls in order, and where intermediates lie. No native code is made before `plan`."""

    graph: Graph
    layout: CallLayout
    calls: tuple[Call, ...]
    temporaries: tuple[tuple[int, int], ...]
    """(offset, bytes) of each in the arena."""
    arena_nbytes: int
    slots: dict[Buffer, int] = field(repr=False)
    _steps: list[StepsOf] = field(default_factory=list, repr=False)
    """Once there was a plan, its steps; one list for all that are alike."""

    @property
    def first_output(self) -> int:
        """The slot of the first output."""
        return len(self.layout.inputs) + len(self.layout.objects)

    @property
    def kernels(self) -> tuple[KernelReport, ...]:
        """Every distinct kernel, in the order of first use."""
        uses: dict[str, list[KernelCall | TableCall]] = {}
        for call in self.all_calls():
            if isinstance(call, KernelCall | TableCall):
                uses.setdefault(call.text, []).append(call)
        return tuple(
            KernelReport(calls[0].name, text, print_kernel(calls[0].bound.kernel), len(calls))
            for text, calls in uses.items()
        )

    def all_calls(self) -> Iterator[Call]:
        """The calls, with those of the bodies of loops."""
        for call in self.calls:
            yield call
            if isinstance(call, LoopCall):
                yield from call.body.all_calls()

    @cached_property
    def plan(self) -> LaunchPlan:
        """The launch plan, its kernels compiled or loaded. Errors: KernelError when a kernel does not compile."""
        return _plan(self)

    def over(self, layout: CallLayout) -> CompiledGraph:
        """The same for a layout that differs only in the objects that a call passes, and in the ways to arrays.

        No kernel is loaded again, and no table of steps made again.
        """
        return replace(self, layout=layout)

    def build(
        self,
        lifted: Sequence[np.ndarray[Any, Any]] = (),
        owners: Sequence[object] = (),
        subscribe: Subscribe | None = None,
        known: Sequence[np.ndarray[Any, Any]] = (),
    ) -> Callable[..., Any]:
        """The builtin that runs the plan, with the memory of `lifted`, one array for each lifted input, in their order.

        Only the builtin keeps these arrays alive; the call leaves them out. `known`: the arrays of inputs that are.
        `owners` are where chases with an owner start: those of the inputs in their order, then those of the checks.
        Nothing keeps an owner alive; once one has died, calls return NotImplemented. `subscribe` sees to it that what
        is posted is looked at again (see `plan.build`).
        Errors: KernelError when an array has not the layout of its input, one that is written shares its memory, an
        owner is not of its link's type or cannot be referred to weakly, or a class has no such slot.
        """
        from .cpu import plan

        return plan.build(self.plan, lifted, owners, subscribe, known)

    def describe(self) -> str:
        """The calls, and the loop IR of each kernel."""
        lines = [f"{len(self.calls)} steps, {len(self.kernels)} kernels, arena of {self.arena_nbytes} bytes"]
        for call in self.calls:
            if isinstance(call, ProductCall):
                lines.append(f"product {call.left.buffer} @ {call.right.buffer} -> {call.result.buffer}")
            elif isinstance(call, CallOutCall):
                lines.append(f"call-out of {call.node.attr('function')}")
            elif isinstance(call, LoopCall):
                inner = call.body.describe().partition("\n\n")[0].splitlines()[1:]
                lines += [f"loop of {call.trips} rounds", *(f"  {line}" for line in inner)]
            elif isinstance(call, TableCall):
                lines.append(f"{call.name}({len(call.bound.extents)} rows; sizes {list(call.bound.sizes)})")
            else:
                operands = ", ".join(f"{pointer.buffer}+{pointer.offset}" for pointer in call.bound.pointers)
                lines.append(f"{call.name}({operands}; sizes {list(call.bound.sizes)}, extent {call.bound.extent})")
        return "\n".join(lines) + "\n\n" + "\n".join(f"{report.name}: {report.loops}" for report in self.kernels)


def compile_graph(graph: Graph, layout: CallLayout) -> CompiledGraph:
    """The compiled form of `graph` for calls of this layout.

    Errors: GraphError when the graph holds what no lowering knows.
    """
    graph = expand_products(graph)
    schedule = schedule_graph(graph, layout)
    calls = _calls(schedule)
    lives = _lifetimes(calls)
    used = [buffer for buffer in schedule.temporaries if buffer in lives]
    lifetimes = [Lifetime(buffer.nbytes, *lives[buffer]) for buffer in used]
    offsets, arena = lay_out(lifetimes)
    slots: dict[Buffer, int] = {buffer: k for k, buffer in enumerate(schedule.inputs)}
    first = len(schedule.inputs) + len(layout.objects)
    slots |= {buffer: first + j for j, buffer in enumerate(schedule.outputs) if buffer is not None}
    first += len(schedule.outputs)
    slots |= {buffer: first + k for k, buffer in enumerate(used)}
    temporaries = tuple((offset, life.nbytes) for offset, life in zip(offsets, lifetimes, strict=True))
    return CompiledGraph(graph, layout, calls, temporaries, arena, slots)


def _calls(schedule: Schedule) -> tuple[Call, ...]:
    places = given_places(schedule)
    readers: dict[Buffer, set[int]] = {}
    for group in schedule.groups:
        for buffer in _reads(group, places):
            readers.setdefault(buffer, set()).add(group.position)
    share_memory(schedule, readers)

    def kept_stores(buffer: Buffer) -> bool:
        return buffer.place != "temporary" or buffer in readers

    calls: list[Call] = []
    for group in schedule.groups:
        if group.kind == "product":
            calls.append(ProductCall(*group.operands))
            continue
        if group.kind == "call_out":
            assert isinstance(group.program, Node)
            taken = len(group.program.inputs)
            calls.append(CallOutCall(group.program, group.operands[:taken], group.operands[taken:]))
            continue
        if group.kind == "loop":
            assert isinstance(group.program, LoopCall)
            calls.append(group.program)
            continue
        if group.kind == "table":
            calls += [TableCall(bound, *_named(bound.kernel, group.kind)) for bound in lower_table(group, places)]
            continue
        if group.kind == "region":
            bound = told_apart(lower_region(group), schedule.alias)
        else:
            bound = lower_group(group, places, kept_stores)
        if bound.kernel.body:
            calls.append(KernelCall(bound, *_named(bound.kernel, group.kind)))
    return tuple(calls)


def _named(kernel: Kernel, kind: str) -> tuple[str, str]:
    """The text of a kernel, and a name for it."""
    text = kernel_text(kernel)
    return text, f"{kind}_{blake2b(text.encode(), digest_size=4).hexdigest()}"


def _reads(group: Group, places: Any) -> set[Buffer]:
    if group.kind == "product":
        return {view.buffer for view in group.operands[:2]}
    if group.kind in ("region", "call_out", "loop"):
        return {view.buffer for view in group.operands}
    if group.table is not None:
        return group.table.buffers(group.table.leaves.values()) | group.table.uniform
    return buffers_read(evaluated(group, places))


def _lifetimes(calls: tuple[Call, ...]) -> dict[Buffer, tuple[int, int]]:
    """The first and the last call that uses each buffer."""
    lives: dict[Buffer, tuple[int, int]] = {}
    for k, call in enumerate(calls):
        for buffer in call.buffers:
            lives[buffer] = lives.get(buffer, (k, k))[0], k
    return lives


def _steps(compiled: CompiledGraph) -> StepsOf:
    from .cpu import kernels, plan
    from .loop_steps import MovingSlots, loop_steps

    steps: list[plan.Step] = []
    moving = MovingSlots(compiled.first_output + len(compiled.layout.outputs) + len(compiled.temporaries))
    for call in compiled.calls:
        if isinstance(call, KernelCall):
            slots = tuple(
                (compiled.slots[pointer.buffer], pointer.offset * pointer.buffer.dtype.itemsize)
                for pointer in call.bound.pointers
            )
            steps.append(plan.KernelStep(kernels.get_kernel(call.text), slots, call.bound.sizes, call.bound.extent))
        elif isinstance(call, TableCall):
            steps.append(_table_step(compiled, call))
        elif isinstance(call, CallOutCall):
            steps.append(_call_out_step(compiled, call))
        elif isinstance(call, LoopCall):
            inside = _steps(call.body)
            steps += loop_steps(call, inside.steps, inside.moving, compiled.slots, moving)
        else:
            steps.append(product_step(compiled.slots, call.left, call.right, call.result))
    return StepsOf(tuple(steps), moving.count)


def _plan(compiled: CompiledGraph) -> LaunchPlan:
    from .cpu import plan

    if not compiled._steps:
        compiled._steps.append(_steps(compiled))
    targets = {write.target for write in compiled.graph.writes}
    inputs = [
        _input(entry, node in targets, plan)
        for node, entry in zip(compiled.graph.inputs, compiled.layout.inputs, strict=True)
    ]
    return plan.LaunchPlan(
        (*inputs, *map(plan.ObjectInput, compiled.layout.objects)),
        tuple(_output(compiled, entry) for entry in compiled.layout.outputs),
        compiled.temporaries,
        compiled.arena_nbytes,
        (),
        compiled._steps[0].steps,
        tuple(sorted(compiled.layout.disjoint)),
        compiled.layout.unwrap,
        sum(call.work for call in compiled.calls) > LARGE_WORK,
        check_errstate=not compiled.layout.quiet,
        checks=compiled.layout.checks,
        posted_checks=compiled.layout.posted_checks,
        moving=compiled._steps[0].moving,
    )


def _call_out_step(compiled: CompiledGraph, call: CallOutCall) -> KernelStep:
    from .cpu import plan
    from .cpu.call_outs import Memory, call_out

    views = (*call.operands, *call.results)
    slots = tuple((compiled.slots[view.buffer], view.offset * view.buffer.dtype.itemsize) for view in views)
    operands, results = (
        [Memory(view.buffer.dtype, view.shape, view.strides) for view in each] for each in (call.operands, call.results)
    )
    run = call_out(call.node.kwargs, operands, results, call.node.location)
    return plan.KernelStep(run, slots, (), 1)


def _table_step(compiled: CompiledGraph, call: TableCall) -> TableStep:
    import numpy as np

    from .cpu import kernels, plan

    bound, slots = call.bound, compiled.slots
    return plan.TableStep(
        kernels.get_kernel(call.text),
        np.array([[slots[buffer] for buffer, _ in column] for column in bound.columns], np.int64).T,
        np.array([[at * buffer.dtype.itemsize for buffer, at in column] for column in bound.columns], np.int64).T,
        np.array(bound.extents, np.int64),
        bound.sizes,
    )


def _bytes(strides: tuple[int, ...], dtype: DType) -> tuple[int, ...]:
    return tuple(stride * dtype.itemsize for stride in strides)


def _input(entry: InputLayout, written: bool, plan: ModuleType) -> Any:
    dtype = entry.type.dtype
    if entry.chase is not None and entry.kind != "array":
        raise ValueError(f"an input of kind {entry.kind!r} has a chase; only arrays are reached so")
    match entry.kind:
        case "array" | "lifted":
            form = dtype.numpy, entry.type.shape, _bytes(entry.strides, dtype), entry.writeable, written
            if entry.kind == "lifted":
                return plan.LiftedInput(*form)
            return plan.ArrayInput(*form, entry.chase, entry.posted, entry.known)
        case "float":
            return plan.FloatInput()
        case "int":
            return plan.IntInput()
        case "bool":
            return plan.BoolInput()
        case "numpy_scalar":
            return plan.NumpyScalarInput(dtype.numpy)
    raise ValueError(f"an input of kind {entry.kind!r}: known are array, lifted, float, int, bool, numpy_scalar")


def _output(compiled: CompiledGraph, entry: OutputLayout) -> Any:
    from .cpu import plan

    if entry.kind == "input":
        return plan.InputOutput(entry.input)
    if entry.kind == "view":
        assert entry.base is not None
        place, number = entry.base
        if place == "input":
            slot, dtype = number, compiled.layout.inputs[number].type.dtype
        else:
            base = compiled.layout.outputs[number]
            assert base.node is not None
            slot, dtype = compiled.first_output + number, compiled.graph.outputs[base.node].type.dtype
        return plan.ViewOutput(
            slot, dtype.numpy, entry.shape, _bytes(entry.strides, dtype), entry.offset * dtype.itemsize
        )
    assert entry.node is not None
    type = compiled.graph.outputs[entry.node].type
    if entry.kind == "scalar":
        return plan.ScalarOutput(type.dtype.numpy)
    if entry.kind == "fresh":
        return plan.FreshOutput(type.dtype.numpy, type.shape, _bytes(entry.strides, type.dtype))
    raise ValueError(f"an output of kind {entry.kind!r}: known are fresh, scalar, input, view")


__all__ = ["CallLayout", "CompiledGraph", "InputLayout", "OutputLayout", "compile_graph"]
