"""Launch plans of compiled programs: the steps, and what a call checks, makes and gives."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING, Any

from ..core.dtypes import DType
from ..core.records import dataclass
from ..graph.node import Graph
from .call_layout import CallLayout, InputLayout, OutputLayout

if TYPE_CHECKING:
    from .cpu.plan.plan import LaunchPlan, Step


@dataclass(frozen=True, slots=True)
class CompiledProgram:
    """The part of a launch plan that runs whatever memory it is given: all that does not stand in the call's layout.

    large: whether other Python threads may run meanwhile.   moving: how many slots move in its loops.
    """

    steps: tuple[Step, ...]
    temporaries: tuple[tuple[int, int], ...]
    arena_nbytes: int
    large: bool
    moving: int = 0


def launch_plan(graph: Graph, layout: CallLayout, program: CompiledProgram) -> LaunchPlan:
    """The plan of calls of this layout."""
    from .cpu.plan import plan

    targets = {write.target for write in graph.writes}
    inputs = [_input(entry, node in targets, plan) for node, entry in zip(graph.inputs, layout.inputs, strict=True)]
    return plan.LaunchPlan(
        (*inputs, *map(plan.ObjectInput, layout.objects)),
        tuple(_output(graph, layout, entry) for entry in layout.outputs),
        program.temporaries,
        program.arena_nbytes,
        (),
        program.steps,
        tuple(sorted(layout.disjoint)),
        layout.unwrap,
        program.large,
        check_errstate=not layout.ignores_errstate,
        checks=layout.checks,
        subscribed_checks=layout.subscribed_checks,
        moving=program.moving,
    )


def _bytes(strides: tuple[int, ...], dtype: DType) -> tuple[int, ...]:
    return tuple(stride * dtype.itemsize for stride in strides)


def _input(entry: InputLayout, written: bool, plan: ModuleType) -> Any:
    dtype = entry.type.dtype
    if entry.access_path is not None and entry.kind != "array":
        raise ValueError(f"an input of kind {entry.kind!r} has an access path; only arrays are reached so")
    match entry.kind:
        case "array" | "lifted":
            form = dtype.numpy, entry.type.shape, _bytes(entry.strides, dtype), entry.writeable, written
            if entry.kind == "lifted":
                return plan.LiftedInput(*form)
            return plan.ArrayInput(*form, entry.access_path, entry.subscribed, entry.static_address)
        case "float":
            return plan.FloatInput()
        case "int":
            return plan.IntInput()
        case "bool":
            return plan.BoolInput()
        case "numpy_scalar":
            return plan.NumpyScalarInput(dtype.numpy)
        case "size":
            return plan.SizeInput(dtype.numpy, entry.value, entry.address, entry.cell)
    raise ValueError(f"an input of kind {entry.kind!r}: known are array, lifted, float, int, bool, numpy_scalar, size")


def _output(graph: Graph, layout: CallLayout, entry: OutputLayout) -> Any:
    from .cpu.plan import plan

    if entry.kind == "input":
        return plan.InputOutput(entry.input)
    if entry.kind == "view":
        assert entry.base is not None
        place, number = entry.base
        if place == "input":
            slot, dtype = number, layout.inputs[number].type.dtype
        else:
            base = layout.outputs[number]
            assert base.node is not None
            slot, dtype = first_output(layout) + number, graph.outputs[base.node].type.dtype
        return plan.ViewOutput(
            slot, dtype.numpy, entry.shape, _bytes(entry.strides, dtype), entry.offset * dtype.itemsize
        )
    assert entry.node is not None
    type = graph.outputs[entry.node].type
    if entry.kind == "scalar":
        return plan.ScalarOutput(type.dtype.numpy)
    if entry.kind == "fresh":
        return plan.FreshOutput(type.dtype.numpy, type.shape, _bytes(entry.strides, type.dtype))
    raise ValueError(f"an output of kind {entry.kind!r}: known are fresh, scalar, input, view")


def first_output(layout: CallLayout) -> int:
    """The slot of the first output."""
    return len(layout.inputs) + len(layout.objects)
