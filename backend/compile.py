"""A graph and the layout of its call to a launch plan: the one entry of the back end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from ..core.devices import CPU
from ..graph.node import Graph, Node
from ..loop_ir.ir import Kernel
from ..loop_ir.printer import print_kernel
from .call_layout import CallLayout, InputLayout, OutputLayout, unbound
from .codegen.kernel_text import kernel_text
from .evaluate.buffers import Buffer, Lifetime, lay_out
from .launch.calls import Call, CallOutCall, KernelCall, KernelSummary, ProductCall, TableCall
from .launch.launch_plan import CompiledProgram, first_output, launch_plan, program_of
from .lowering.foreach import lower_table
from .lowering.lower import evaluated, lower_group, without_aliases
from .lowering.regions import lower_region
from .schedule.buffer_donation import share_memory
from .schedule.conds import CondCall
from .schedule.groups import Group, Schedule, given_places
from .schedule.loop_nest import buffers_read
from .schedule.loops import LoopCall
from .schedule.matmul import expand_products
from .schedule.schedule import schedule_graph

if TYPE_CHECKING:
    import numpy as np

    from .cpu.plan.plan import LaunchPlan, Subscribe


@dataclass(frozen=True, slots=True)
class Lowered:
    """A graph as calls in order, and where intermediates lie.

    temporaries: (offset, bytes) of each in the arena.   slots: the number of each operand in a plan.
    """

    calls: tuple[Call, ...]
    temporaries: tuple[tuple[int, int], ...]
    arena_nbytes: int
    slots: dict[Buffer, int]


class LazyProgram:
    """What is made of a graph, each when it is asked for, once for all calls that are laid out alike.

    given: the program, where it is known already; then a graph is lowered only for reports.
    keep:  is told of a program that was made here.
    """

    def __init__(
        self,
        graph: Graph,
        layout: CallLayout,
        given: Callable[[], CompiledProgram | None] | None = None,
        keep: Callable[[CompiledProgram], None] | None = None,
    ) -> None:
        self._graph, self._layout = graph, unbound(layout)
        self._given, self._keep = given, keep

    @cached_property
    def lowered(self) -> Lowered:
        """Errors: GraphError when the graph holds what no lowering knows."""
        return _lowered(self._graph, self._layout)

    @cached_property
    def program(self) -> CompiledProgram:
        """Its kernels compiled or loaded. Errors: KernelError when a kernel does not compile."""
        given, keep = self._given, self._keep
        found = given() if given is not None else None
        if found is None:
            made = self.lowered
            operands = first_output(self._layout) + len(self._layout.outputs)
            found = program_of(made.calls, made.slots, operands, made.temporaries, made.arena_nbytes)
            if keep is not None:
                keep(found)
        self._given = self._keep = None  # what they were made of is not needed any more
        return found

    @property
    def memory(self) -> Lowered | CompiledProgram:
        """What knows the memory of intermediates, without compiling kernels for that."""
        return self.lowered if "lowered" in vars(self) else self.program


@dataclass(frozen=True)
class CompiledGraph:
    """What a graph became: calls in order, and where intermediates lie. No native code is made before `plan`."""

    graph: Graph
    layout: CallLayout
    making: LazyProgram = field(repr=False)

    @property
    def calls(self) -> tuple[Call, ...]:
        """The steps, with the loops of their kernels."""
        return self.making.lowered.calls

    @property
    def temporaries(self) -> tuple[tuple[int, int], ...]:
        """(offset, bytes) of each in the arena."""
        return self.making.memory.temporaries

    @property
    def arena_nbytes(self) -> int:
        """Bytes of the arena that holds a call's intermediates."""
        return self.making.memory.arena_nbytes

    @property
    def slots(self) -> dict[Buffer, int]:
        """The number of each operand in a plan."""
        return self.making.lowered.slots

    @property
    def first_output(self) -> int:
        """The slot of the first output."""
        return first_output(self.layout)

    @property
    def kernels(self) -> tuple[KernelSummary, ...]:
        """Every distinct kernel, in the order of first use."""
        uses: dict[str, list[KernelCall | TableCall]] = {}
        for call in self.all_calls():
            if isinstance(call, KernelCall | TableCall):
                uses.setdefault(call.text, []).append(call)
        return tuple(
            KernelSummary(calls[0].name, text, print_kernel(calls[0].bound.kernel), len(calls))
            for text, calls in uses.items()
        )

    def all_calls(self) -> Iterator[Call]:
        """The calls, with those of the bodies of loops."""
        for call in self.calls:
            yield call
            if isinstance(call, LoopCall):
                yield from call.body.all_calls()
            elif isinstance(call, CondCall):
                for branch in call.branches:
                    yield from branch.all_calls()

    @cached_property
    def plan(self) -> LaunchPlan:
        """The launch plan, its kernels compiled or loaded. Errors: KernelError when a kernel does not compile."""
        return launch_plan(self.graph, self.layout, self.making.program)

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
        if self.graph.device != CPU:
            from .cuda.call import build

            return build(self, lifted, owners)
        from .cpu.plan import plan

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
                lines += [f"loop of {call.trips} rounds", *_inside(call.body)]
            elif isinstance(call, CondCall):
                true, false = map(_inside, call.branches)
                lines += [f"if {call.test.buffer}", *true, "else", *false]
            elif isinstance(call, TableCall):
                lines.append(f"{call.name}({len(call.bound.extents)} rows; sizes {list(call.bound.sizes)})")
            else:
                operands = ", ".join(f"{pointer.buffer}+{pointer.offset}" for pointer in call.bound.pointers)
                lines.append(f"{call.name}({operands}; sizes {list(call.bound.sizes)}, extent {call.bound.extent})")
        return "\n".join(lines) + "\n\n" + "\n".join(f"{report.name}: {report.loops}" for report in self.kernels)


def _inside(body: CompiledGraph) -> list[str]:
    """The lines of a body's calls."""
    return [f"  {line}" for line in body.describe().partition("\n\n")[0].splitlines()[1:]]


def compile_graph(graph: Graph, layout: CallLayout) -> CompiledGraph:
    """The compiled form of `graph` for calls of this layout.

    Errors: GraphError when the graph holds what no lowering knows.
    """
    making = LazyProgram(graph, layout)
    making.lowered  # noqa: B018 (errors come now)
    return CompiledGraph(graph, layout, making)


def _lowered(graph: Graph, layout: CallLayout) -> Lowered:
    schedule = schedule_graph(expand_products(graph), layout, compile_graph)
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
    return Lowered(calls, temporaries, arena, slots)


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
        if group.kind in ("loop", "cond"):
            assert isinstance(group.program, LoopCall | CondCall)
            calls.append(group.program)
            continue
        if group.kind == "table":
            calls += [TableCall(bound, *_named(bound.kernel, group.kind)) for bound in lower_table(group, places)]
            continue
        if group.kind == "region":
            bound = without_aliases(lower_region(group), schedule.alias)
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
    if group.kind in ("region", "call_out", "loop", "cond"):
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


__all__ = [
    "CallLayout",
    "CallOutCall",
    "CompiledGraph",
    "InputLayout",
    "KernelCall",
    "OutputLayout",
    "ProductCall",
    "TableCall",
    "compile_graph",
]
