"""A graph and the layout of its call to a launch plan: the one entry of the back end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from ..core.config import config
from ..core.devices import CPU
from ..core.errors import GraphError
from ..core.records import dataclass, replace
from ..graph.node import Graph
from .call_layout import CallLayout, InputLayout, OutputLayout, unbound
from .compiled_program import CompiledProgram, first_output, launch_plan

if TYPE_CHECKING:
    import numpy as np

    from .cpu.plan.plan import LaunchPlan, Step, Subscribe
    from .evaluate.buffers import Buffer
    from .lowered import Lowered
    from .schedule.calls import Call, NamedKernel

P = TypeVar("P")


@dataclass(frozen=True, slots=True)
class KernelSummary:
    """One distinct kernel, for reports: its name, the text that is compiled, the loop IR, and how many steps run it."""

    name: str
    text: str
    loops: str
    uses: int


class PlacedTemporaries(Protocol):
    """A form of a graph that knows where intermediates lie: (offset, bytes) of each in an arena of so many bytes."""

    @property
    def temporaries(self) -> tuple[tuple[int, int], ...]: ...

    @property
    def arena_nbytes(self) -> int: ...


class LazyProgram:
    """The lowered form and the program of a graph, each made when it is asked for, once for all calls laid out alike.

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
        from .lowered import lower

        if self._graph.device != CPU and any(node.type.dtype.is_complex for node in self._graph.nodes):
            raise GraphError("complex numbers have no kernels on a device")
        return lower(self._graph, self._layout, compile_graph)

    @cached_property
    def program(self) -> CompiledProgram:
        """Its kernels compiled or loaded. Errors: KernelError when a kernel does not compile."""
        given, keep = self._given, self._keep
        found = given() if given is not None else None
        if found is None:
            from .launch.program import program_of

            made = self.lowered
            operands = first_output(self._layout) + len(self._layout.outputs)
            found = program_of(made.calls, made.slots, operands, made.temporaries, made.arena_nbytes)
            if keep is not None:
                keep(found)
        self._given = self._keep = None  # what they were made of is not needed any more
        return found

    @property
    def memory(self) -> PlacedTemporaries:
        """The lowered form where it is made, else the program: it knows where intermediates lie.

        No kernel is compiled for that.
        """
        return self.lowered if "lowered" in vars(self) else self.program

    @property
    def settings(self) -> frozenset[str]:
        """The settings that say how a device computes a call of it, or of a body."""
        calls = self.lowered.calls
        bodies = [body for call in calls for body in call.bodies]
        return frozenset().union(*(each.settings for each in calls), *(each.lazy.settings for each in bodies))

    def device_program(self, device: Any, by_value: bool, make: Callable[[], P]) -> P:
        """The program for a device, which `make` makes where none is kept.   by_value: see `cuda.plan.plan_of`."""
        return make()


@dataclass(frozen=True)
class CompiledGraph:
    """A compiled graph: calls in order, and where intermediates lie. No native code is made before `plan`."""

    graph: Graph
    layout: CallLayout
    lazy: LazyProgram = field(repr=False)

    @property
    def calls(self) -> tuple[Call, ...]:
        """The steps, with the loops of their kernels."""
        return self.lazy.lowered.calls

    @property
    def temporaries(self) -> tuple[tuple[int, int], ...]:
        """(offset, bytes) of each in the arena."""
        return self.lazy.memory.temporaries

    @property
    def arena_nbytes(self) -> int:
        """Bytes of the arena that holds a call's intermediates."""
        return self.lazy.memory.arena_nbytes

    @property
    def slots(self) -> dict[Buffer, int]:
        """The number of each operand in a plan."""
        return self.lazy.lowered.slots

    @property
    def first_output(self) -> int:
        """The slot of the first output."""
        return first_output(self.layout)

    @property
    def kernels(self) -> tuple[KernelSummary, ...]:
        """Every distinct kernel, in the order of first use."""
        from ..loop_ir.printer import print_kernel

        uses: dict[str, list[NamedKernel]] = {}
        for call in self.all_calls():
            if call.kernel is not None:
                uses.setdefault(call.kernel.text, []).append(call.kernel)
        return tuple(
            KernelSummary(found[0].name, text, print_kernel(found[0].loops), len(found)) for text, found in uses.items()
        )

    @property
    def steps_from_disk(self) -> tuple[Step, ...]:
        """The steps of its program, if that came from disk, so that it was not lowered here; else none, and none of
        one for a device."""
        lazy = self.lazy
        if "lowered" in vars(lazy) or self.graph.device != CPU:
            return ()
        steps = lazy.program.steps  # a program that is on no disk is lowered for it
        return () if "lowered" in vars(lazy) else steps

    def all_calls(self) -> Iterator[Call]:
        """The calls, with those of the bodies of loops."""
        for call in self.calls:
            yield call
            for body in call.bodies:
                yield from body.all_calls()

    @property
    def settings(self) -> tuple[tuple[str, bool | str], ...]:
        """The names and values in force of the settings that say how its device computes a call; none for the CPU."""
        names = sorted(self.lazy.settings) if self.graph.device != CPU else []
        return tuple([(name, getattr(config, name)) for name in names])

    @cached_property
    def plan(self) -> LaunchPlan:
        """The launch plan, its kernels compiled or loaded. Errors: KernelError when a kernel does not compile."""
        return launch_plan(self.graph, self.layout, self.lazy.program)

    def over(self, layout: CallLayout) -> CompiledGraph:
        """This graph for a layout that differs only in the objects that a call passes and in access paths to arrays.

        No kernel is loaded again, and no table of steps made again.
        """
        return replace(self, layout=layout)

    def build(
        self,
        lifted: Sequence[np.ndarray[Any, Any]] = (),
        owners: Sequence[object] = (),
        subscribe: Subscribe | None = None,
        static: Sequence[np.ndarray[Any, Any]] = (),
    ) -> Callable[..., Any]:
        """The builtin that runs the plan, with the memory of `lifted`, one array for each lifted input, in their order.

        Only the builtin keeps these arrays alive; the call leaves them out. `static`: the arrays of inputs at a static
        address. `owners` are where access paths with an owner start: those of the inputs in their order, then those of
        the checks. Nothing keeps an owner alive; once one has died, calls return NotImplemented. `subscribe` sees to it
        that what is subscribed is looked at again (see `plan.build`).
        Errors: KernelError when an array has not the layout of its input, one that is written shares its memory, an
        owner is not of its link's type or cannot be referred to weakly, or a class has no such slot.
        """
        if self.graph.device != CPU:
            from .cuda.call import build

            return build(self, lifted, owners, subscribe=subscribe)
        from .cpu.plan import plan

        return plan.build(self.plan, lifted, owners, subscribe, static)

    def describe(self) -> str:
        """The calls, and the loop IR of each kernel."""
        lines = [f"{len(self.calls)} steps, {len(self.kernels)} kernels, arena of {self.arena_nbytes} bytes"]
        lines += [line for call in self.calls for line in call.describe()]
        return "\n".join(lines) + "\n\n" + "\n".join(f"{report.name}: {report.loops}" for report in self.kernels)


def compile_graph(graph: Graph, layout: CallLayout) -> CompiledGraph:
    """The compiled form of `graph` for calls of this layout.

    Errors: GraphError when the graph holds what no lowering knows.
    """
    lazy = LazyProgram(graph, layout)
    lazy.lowered  # noqa: B018 (errors come now)
    return CompiledGraph(graph, layout, lazy)


__all__ = [
    "CallLayout",
    "CompiledGraph",
    "InputLayout",
    "KernelSummary",
    "LazyProgram",
    "OutputLayout",
    "compile_graph",
]
