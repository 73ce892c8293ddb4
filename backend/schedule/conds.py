"""Conds in a schedule: each branch is compiled for itself, and the plan goes over the steps of the other one.

Both branches read the operands where they lie, and write their results to the same places. What their kernels hand each
other lies in one block, since only one of them is run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core import dtypes
from ...core.records import dataclass
from ...core.types import TensorType
from ...graph.bodies import branches_of
from ...graph.node import Graph, Node
from ...ops.conds import COND, COND_RESULT
from ..call_layout import CallLayout, InputLayout, OutputLayout
from ..evaluate.buffers import Buffer, BufferView
from .calls import Call, describe_body, realises
from .groups import Schedule, add_step, temporary
from .operands import home_of, operand_view, results_by_index

if TYPE_CHECKING:
    from ..compile import CompiledGraph


@dataclass(frozen=True, slots=True)
class CondCall(Call):
    """Two bodies, of which one is run: the first if the bool at `test` is true."""

    branches: tuple[CompiledGraph, CompiledGraph]
    test: BufferView
    operands: tuple[BufferView, ...]
    given: tuple[BufferView, ...]
    block: BufferView

    @property
    def views(self) -> tuple[BufferView, ...]:
        """All that it reads or writes outside the branches."""
        return (self.test, *self.operands, *self.given, self.block)

    @property
    def buffers(self) -> tuple[Buffer, ...]:
        return tuple(view.buffer for view in self.views)

    @property
    def work(self) -> int:
        return max(sum(call.work for call in branch.calls) for branch in self.branches)

    @property
    def bodies(self) -> tuple[CompiledGraph, ...]:
        return self.branches

    def describe(self) -> list[str]:
        true, false = map(describe_body, self.branches)
        return [f"if {self.test.buffer}", *true, "else", *false]


@realises(COND, COND_RESULT)
def realise_cond(schedule: Schedule, node: Node) -> None:
    """The steps that run a cond."""
    test, *operands = (operand_view(schedule, each) for each in node.inputs)
    results, given = results_by_index(schedule, node), []
    true, false = branches_of(node)
    for index, output in enumerate(true.outputs):
        given.append(home_of(schedule, results.get(index), output.type))
    branches = _compiled(schedule, true, operands, given), _compiled(schedule, false, operands, given)
    block = temporary(schedule, TensorType((max(branch.arena_nbytes for branch in branches),), dtypes.uint8))
    call = CondCall(branches, test, tuple(operands), tuple(given), block)
    add_step(schedule, call, [*call.buffers], [*(view.buffer for view in given), block.buffer])


def _compiled(schedule: Schedule, branch: Graph, operands: list[BufferView], given: list[BufferView]) -> CompiledGraph:
    inputs = zip(branch.inputs, operands, strict=True)
    outputs = enumerate(given)
    layout = CallLayout(
        tuple(InputLayout("array", node.type, view.strides) for node, view in inputs),
        tuple(OutputLayout("fresh", place, view.strides) for place, view in outputs),
    )
    return schedule.compile_body(branch, layout)
