"""A launch plan as text: a line for each slot, then a line for each step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .plan import (
    ArrayInput,
    BoolInput,
    FloatInput,
    ForeachStep,
    FreshOutput,
    GemmOperand,
    GemmStep,
    Input,
    InputOutput,
    IntInput,
    Jump,
    KernelStep,
    LaunchPlan,
    LiftedInput,
    LoopBegin,
    LoopEnd,
    NumpyScalarInput,
    ObjectInput,
    Output,
    ScalarOutput,
    SizeInput,
    Step,
    ViewOutput,
)

if TYPE_CHECKING:
    from ...call_layout import AccessPath


def plan_text(plan: LaunchPlan) -> str:
    """The plan's slots and steps; holds no addresses, so it is the same in every process."""
    lines = ["inputs:"]
    slots = [
        ("", [_input_text(given) for given in plan.inputs]),
        ("outputs:", [_output_text(made) for made in plan.outputs]),
        ("temporaries:", [f"arena bytes {offset}..{offset + nbytes}" for offset, nbytes in plan.temporaries]),
        ("constants:", [_array_text(each.dtype, each.shape, each.strides) for each in plan.constants]),
        ("moving:", ["address"] * plan.moving),
    ]
    number = 0
    for title, texts in slots:
        if title and texts:
            lines.append(title)
        for text in texts:
            lines.append(f"  %{number} {text}")
            number += 1
    lines += [f"check: {_path_text(access_path)}" for access_path in plan.checks]
    if plan.disjoint:
        lines.append("disjoint: " + ", ".join(f"%{first} %{second}" for first, second in plan.disjoint))
    lines.append("steps:")
    lines += [f"  {_step_text(step)}" for step in plan.steps]
    lines.append(_returns_text(plan))
    return "\n".join(lines) + "\n"


def _input_text(given: Input) -> str:
    match given:
        case ArrayInput():
            text = _array_text(given.dtype, given.shape, given.strides) + (" writeable" if given.writeable else "")
            return text + (f" from {_path_text(given.access_path)}" if given.access_path else "")
        case LiftedInput():
            text = "lifted " + _array_text(given.dtype, given.shape, given.strides)
            return text + (" written" if given.written else "")
        case FloatInput():
            return "float"
        case IntInput():
            return "int"
        case BoolInput():
            return "bool"
        case ObjectInput():
            return f"this {type(given.value).__name__}"
        case NumpyScalarInput():
            return f"numpy scalar {given.dtype}"
        case SizeInput():
            return f"{given.dtype} of {given.value}"


def _path_text(access_path: AccessPath) -> str:
    links = []
    for link in access_path.links:
        facts = [f"{name} is {_named(content)}" for name, content in link.same]
        facts += [f"{name} is no {kind.__name__}" for name, kind in link.unlike]
        told = f"({', '.join(facts)})" if facts else ""
        links.append(link.kind.__name__ + told + (f".{link.slot}" if link.slot else ""))
    return ("owner " if access_path.owner else "argument ") + " -> ".join(links)


def _named(content: object) -> str:
    return str(content) if content is None or isinstance(content, bool) else f"this {type(content).__name__}"


def _output_text(made: Output) -> str:
    match made:
        case FreshOutput():
            return "fresh " + _array_text(made.dtype, made.shape, made.strides)
        case ScalarOutput():
            return f"scalar {made.dtype}"
        case ViewOutput():
            return f"view of %{made.base} at {made.offset}: " + _array_text(made.dtype, made.shape, made.strides)
        case InputOutput():
            return f"input %{made.input}"


def _array_text(dtype: np.dtype[Any], shape: tuple[int, ...], strides: tuple[int, ...]) -> str:
    return f"{dtype}{list(shape)} strides {list(strides)}"


def _step_text(step: Step) -> str:
    if isinstance(step, LoopBegin):
        starts = ", ".join(f"%{moving} = {_operand_text(slot, offset)}" for moving, slot, offset in step.starts)
        return f"loop of {step.trip_count} rounds: {starts}"
    if isinstance(step, LoopEnd):
        moves = [f"%{slot} += {nbytes}" for slot, nbytes in step.moves]
        swaps = [f"%{a}, %{b}, %{c} = %{b}, %{c}, %{b}" for a, b, c in step.double_buffers]
        return "end of a round: " + ", ".join([*moves, *swaps])
    if isinstance(step, Jump):
        unless = "" if step.unless is None else f" unless {_operand_text(*step.unless)}"
        return f"over {step.over} steps{unless}"
    if isinstance(step, ForeachStep):
        rows, operands = step.slots.shape
        sizes = f" sizes {list(step.sizes)}" if step.sizes else ""
        table = f"{step.kernel.symbol} table of {rows} rows, {operands} operands{sizes}"
        return f"{table} over {int(step.extents.sum())}{_chunk_text(step)}"
    if isinstance(step, GemmStep):
        batch = f" batch {step.batch}" if step.batch != 1 else ""
        return (
            f"gemm {step.dtype} m={step.m} n={step.n} k={step.k}{batch}: "
            f"{_matrix_text(step.c)} = {_matrix_text(step.a)} @ {_matrix_text(step.b)}"
        )
    operands = " ".join(_operand_text(slot, offset) for slot, offset in step.slots)
    sizes = f" sizes {list(step.sizes)}" if step.sizes else ""
    return f"{step.kernel.symbol} {operands}{sizes} over {step.extent}{_chunk_text(step)}"


def _chunk_text(step: KernelStep | ForeachStep) -> str:
    return f" in chunks of {step.parallel_split.chunk}" if step.parallel_split.chunk else ""


def _matrix_text(operand: GemmOperand) -> str:
    turned = ".T" if operand.transposed else ""
    batch = f" by {operand.batch_stride}" if operand.batch_stride else ""
    return f"{_operand_text(operand.slot, operand.offset)}{turned}(ld {operand.leading}{batch})"


def _operand_text(slot: int, offset: int) -> str:
    return f"%{slot}+{offset}" if offset else f"%{slot}"


def _returns_text(plan: LaunchPlan) -> str:
    if not plan.outputs:
        result = "None"
    else:
        result = "the output" if plan.unwrap and len(plan.outputs) == 1 else "a tuple"
    notes = [f"arena {plan.arena_nbytes} bytes"] if plan.arena_nbytes else []
    notes += ["releases the GIL"] if plan.release_gil else []
    notes += ["checks the error state"] if plan.check_errstate else []
    return f"returns {result}" + (f" ({', '.join(notes)})" if notes else "")
