"""Lowered graphs: calls in order, and where intermediates lie. A graph whose program is on disk needs none."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..core.devices import CPU
from ..core.dtypes import DType
from ..core.records import dataclass
from ..graph.node import Graph
from .call_layout import CallLayout
from .evaluate.buffers import Buffer, Lifetime, lay_out
from .launch.calls import LoweringContext, calls_of
from .launch.epilogues import join_maps
from .schedule.buffer_donation import share_memory
from .schedule.calls import Call
from .schedule.groups import Schedule, given_places
from .schedule.matmul import expand_products
from .schedule.schedule import schedule_graph

if TYPE_CHECKING:
    from .compile import CompiledGraph


@dataclass(frozen=True, slots=True)
class Lowered:
    """A graph as calls in order, and where intermediates lie.

    temporaries: (offset, bytes) of each in the arena.   slots: the number of each operand in a plan.
    """

    calls: tuple[Call, ...]
    temporaries: tuple[tuple[int, int], ...]
    arena_nbytes: int
    slots: dict[Buffer, int]


def lower(graph: Graph, layout: CallLayout, compile_body: Callable[[Graph, CallLayout], CompiledGraph]) -> Lowered:
    """The lowered form of `graph` for calls of this layout. Errors: GraphError when it holds what no lowering knows.

    compile_body: compiles the graphs of loops and branches.
    """
    schedule = schedule_graph(expand_products(graph), layout, compile_body)
    calls = lowered_calls(schedule, in_parts=graph.device == CPU)
    if graph.device != CPU:
        calls = join_maps(calls, schedule.alias)
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


def lowered_calls(schedule: Schedule, *, in_parts: bool) -> tuple[Call, ...]:
    """The calls that a schedule becomes.

    in_parts: whether kernels are made such that threads can share out large reductions, and loops over elements.
    """
    places = given_places(schedule)
    readers: dict[Buffer, set[int]] = {}
    for position, step in enumerate(schedule.steps):
        for buffer in step.loads(places):
            readers.setdefault(buffer, set()).add(position)
    share_memory(schedule, readers)

    def kept(buffer: Buffer) -> bool:
        return buffer.place != "temporary" or buffer in readers

    def temporary(dtype: DType, elements: int) -> Buffer:
        schedule.temporaries.append(Buffer("temporary", len(schedule.temporaries), dtype, elements))
        return schedule.temporaries[-1]

    context = LoweringContext(places, schedule.alias, kept, temporary if in_parts else None)
    return tuple(call for step in schedule.steps for call in calls_of(step, context))


def _lifetimes(calls: tuple[Call, ...]) -> dict[Buffer, tuple[int, int]]:
    """The first and the last call that uses each buffer."""
    lives: dict[Buffer, tuple[int, int]] = {}
    for k, call in enumerate(calls):
        for buffer in call.buffers:
            lives[buffer] = lives.get(buffer, (k, k))[0], k
    return lives
