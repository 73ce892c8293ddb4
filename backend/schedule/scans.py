"""Running sums and products on a device: a step of its own reads the operand where it lies, and writes each element
once. On the CPU they are composites."""

from __future__ import annotations

from ...core.records import dataclass
from ...graph.node import Node
from ...ops.scans import CUMPROD, CUMSUM
from ..evaluate.buffers import Buffer, BufferView
from .calls import REALISED, Call
from .groups import GroupRoot, Schedule, add_root, add_step, temporary
from .operands import operand_view

COMBINES = {CUMSUM.name: "sum", CUMPROD.name: "prod"}
"""The reduction whose steps an op gives, by the op's name."""


@dataclass(frozen=True, slots=True)
class RowAxis:
    """An axis of rows that lie alike: how many there are, and the way from one to the next. Units: elements."""

    size: int
    source: int
    result: int


@dataclass(frozen=True, slots=True)
class ScanCall(Call):
    """`result` along `axis`: each element of `source` combined with all before it. Both have at most two axes of
    rows."""

    combine: str
    axis: int
    source: BufferView
    result: BufferView

    @property
    def buffers(self) -> tuple[Buffer, ...]:
        return self.source.buffer, self.result.buffer

    def describe(self) -> list[str]:
        return [f"scan {self.combine} of {self.source.buffer} -> {self.result.buffer}"]


def row_axes(source: BufferView, result: BufferView, axis: int) -> list[RowAxis]:
    """The axes but for `axis`, those in one that lie as one in both views; outermost first."""
    found: list[RowAxis] = []
    for k, size in enumerate(source.shape):
        if k == axis or size == 1:
            continue
        here = RowAxis(size, source.strides[k], result.strides[k])
        last = found[-1] if found else None
        if last and last.source == here.source * size and last.result == here.result * size:
            found[-1] = RowAxis(last.size * size, here.source, here.result)
        else:
            found.append(here)
    return found


def realise_scan(schedule: Schedule, node: Node) -> None:
    """Append the step that scans."""
    if node.type.size == 0:
        return
    (operand,), axis = node.inputs, node.attr("axis")
    assert isinstance(axis, int)
    source = operand_view(schedule, operand)
    homes = schedule.targets.get(node, [])
    result = next((home for home in homes if len(row_axes(source, home, axis)) <= 2), None)
    result = result or temporary(schedule, node.type)
    if len(row_axes(source, result, axis)) > 2:
        source = temporary(schedule, node.type)
        add_root(schedule, GroupRoot(operand, (source,)))
    call = ScanCall(COMBINES[node.op.name], axis, source, result)
    add_step(schedule, call, [source.buffer], [result.buffer])
    schedule.places[node] = result


REALISED.update(dict.fromkeys(COMBINES, realise_scan))
