"""Call-outs: each is a step of its own, in which NumPy is called."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.records import dataclass
from ...core.sizes import is_symbolic
from ...graph.node import Node
from ...ops.call_outs import CALL_OUT, CALL_RESULT, leaf_type, leaves
from ..cpu.call_out_operands import CallMemory
from ..cpu.call_outs import call_out, has_sizes, sized_call_out
from ..cpu.plan.plan import KernelStep, Step
from ..evaluate.buffers import Buffer, BufferView
from ..schedule.calls import Call, realises
from ..schedule.groups import Schedule, add_step, temporary
from ..schedule.operands import operand_view, results_by_index
from .steps import Slots, steps_of


@dataclass(frozen=True, slots=True)
class CallOutCall(Call):
    """One call of NumPy, on the operands, that gives the results. It lets other threads run where NumPy does."""

    node: Node
    operands: tuple[BufferView, ...]
    results: tuple[BufferView, ...]

    @property
    def buffers(self) -> tuple[Buffer, ...]:
        return tuple(view.buffer for view in (*self.operands, *self.results))

    def describe(self) -> list[str]:
        return [f"call-out of {self.node.attr('function')}"]


@realises(CALL_OUT, CALL_RESULT)
def realise_call_out(schedule: Schedule, node: Node) -> None:
    """Append the step that calls out. Its operands are read where they lie, under whatever strides."""
    operands = [operand_view(schedule, each) for each in node.inputs]
    results = results_by_index(schedule, node)
    homes = []
    for index, form in enumerate(leaves(node.attr("results"))):  # type: ignore[arg-type]
        user = results.get(index)
        views = schedule.targets.get(user, []) if user is not None else []
        view = views[0] if views else temporary(schedule, leaf_type(form))
        if user is not None:
            schedule.places[user] = view
        homes.append(view)
    call = CallOutCall(node, tuple(operands), tuple(homes))
    add_step(schedule, call, [view.buffer for view in operands], [view.buffer for view in homes])


@steps_of.register(CallOutCall)
def _call_out_steps(call: CallOutCall, slots: Slots) -> Sequence[Step]:
    places = tuple(map(slots.at, (*call.operands, *call.results)))
    operands, results = (
        [CallMemory(view.buffer.dtype, view.shape, view.strides) for view in each]
        for each in (call.operands, call.results)
    )
    symbolic = any(is_symbolic((*each.shape, *each.strides)) for each in (*operands, *results))
    if symbolic or has_sizes(call.node.kwargs):
        run, sizes = sized_call_out(call.node.kwargs, operands, results, call.node.location)
        return [KernelStep(run, places, sizes, 1)]
    run = call_out(call.node.kwargs, operands, results, call.node.location)
    return [KernelStep(run, places, (), 1)]
