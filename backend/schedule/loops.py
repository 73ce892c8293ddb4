"""Loops in a schedule: the body is compiled for itself, and its steps are run again and again."""

# Note [Memory of a loop]
# Two buffers for each carried value are read and written alternately. The first iteration reads the value where it lies
# when the loop begins; the last one writes to the buffer that holds the result, which one that is follows from how many
# iterations there are. Of scanned and given arrays an iteration sees one row, wherever that lies. What the body's
# kernels hand each other lies in one block, the same in all iterations.

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core import dtypes
from ...core.records import dataclass
from ...core.types import TensorType, contiguous_strides
from ...graph.bodies import body_of, count
from ...graph.node import Graph, Node
from ...ops.loops import LOOP, LOOP_RESULT
from ..call_layout import CallLayout, InputLayout, OutputLayout
from ..evaluate.buffers import Buffer, BufferView
from .calls import Call, describe_body, realises
from .groups import Schedule, add_step, temporary
from .operands import dense_operand, home_of, operand_view, results_by_index

if TYPE_CHECKING:
    from ..compile import CompiledGraph


@dataclass(frozen=True, slots=True)
class DoubleBuffers:
    """A carried value: where it lies at first, where the first iteration puts it, and where the second does."""

    start: BufferView
    first: BufferView
    second: BufferView


@dataclass(frozen=True, slots=True)
class Rows:
    """An array of which each iteration sees a row: that of the first iteration, and how far the next one is from it.

    Units: `step` counts elements."""

    row: BufferView
    step: int


@dataclass(frozen=True, slots=True)
class LoopCall(Call):
    """A body that is run `trip_count` times. See Note [Memory of a loop]."""

    body: CompiledGraph
    trip_count: int
    carried: tuple[DoubleBuffers, ...]
    scanned: tuple[Rows, ...]
    same: tuple[BufferView, ...]
    given: tuple[Rows, ...]
    block: BufferView

    @property
    def views(self) -> tuple[BufferView, ...]:
        """All that it reads or writes outside the body."""
        carried = (view for each in self.carried for view in (each.start, each.first, each.second))
        return (*carried, *(each.row for each in (*self.scanned, *self.given)), *self.same, self.block)

    @property
    def buffers(self) -> tuple[Buffer, ...]:
        return tuple(view.buffer for view in self.views)

    @property
    def work(self) -> int:
        return self.trip_count * sum(call.work for call in self.body.calls)

    @property
    def bodies(self) -> tuple[CompiledGraph, ...]:
        return (self.body,)

    def describe(self) -> list[str]:
        return [f"loop of {self.trip_count} rounds", *describe_body(self.body)]


@realises(LOOP, LOOP_RESULT)
def realise_loop(schedule: Schedule, node: Node) -> None:
    """The step that runs a loop."""
    body, trip_count = body_of(node), count(node, "trips")
    first, scanned = count(node, "carried"), count(node, "scanned")
    starts = [dense_operand(schedule, each) for each in node.inputs[:first]]
    others = [operand_view(schedule, each) for each in node.inputs[first:]]
    results, backwards = results_by_index(schedule, node), bool(node.attr("reverse"))
    carried = [
        _double_buffers(schedule, start, output.type, results.get(index), trip_count)
        for index, (start, output) in enumerate(zip(starts, body.outputs, strict=False))
    ]
    given = []
    for index, output in enumerate(body.outputs[first:], first):
        type = TensorType((trip_count, *output.shape), output.type.dtype)
        given.append(_rows(home_of(schedule, results.get(index), type), trip_count, backwards=backwards))
    rows = [_rows(view, trip_count, backwards=backwards) for view in others[:scanned]]
    call = _call(schedule, body, trip_count, carried, rows, others[scanned:], given)
    written = [each.buffer for buffers in carried for each in (buffers.first, buffers.second)]
    written += [each.row.buffer for each in given] + [call.block.buffer]
    add_step(schedule, call, [*call.buffers], written)


def _call(
    schedule: Schedule,
    body: Graph,
    trip_count: int,
    carried: list[DoubleBuffers],
    rows: list[Rows],
    same: list[BufferView],
    given: list[Rows],
) -> LoopCall:
    seen = [*(each.start for each in carried), *(each.row for each in rows), *same]
    layout = CallLayout(
        tuple(InputLayout("array", node.type, view.strides) for node, view in zip(body.inputs, seen, strict=True)),
        tuple(OutputLayout("fresh", place, contiguous_strides(node.shape)) for place, node in enumerate(body.outputs)),
    )
    compiled = schedule.compile_body(body, layout)
    block = temporary(schedule, TensorType((compiled.arena_nbytes,), dtypes.uint8))
    return LoopCall(compiled, trip_count, tuple(carried), tuple(rows), tuple(same), tuple(given), block)


def _double_buffers(
    schedule: Schedule, start: BufferView, type: TensorType, result: Node | None, trip_count: int
) -> DoubleBuffers:
    home, other = home_of(schedule, result, type), temporary(schedule, type)
    first, second = (home, other) if trip_count % 2 else (other, home)
    return DoubleBuffers(start, first, second)


def _rows(view: BufferView, trip_count: int, *, backwards: bool) -> Rows:
    step = view.strides[0]
    offset = view.offset + (trip_count - 1) * step if backwards else view.offset
    return Rows(BufferView(view.buffer, view.shape[1:], view.strides[1:], offset), -step if backwards else step)
