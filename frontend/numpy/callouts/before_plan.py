"""Draws that the call makes before its plan runs. See Note [Draws before the plan] in `tracing.random_draws`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....core import dtypes
from ....core.types import TensorType, contiguous_strides
from ....graph.node import Node
from ....guards.sources import ConstantSource, Source
from ....ops import call_outs as forms
from ....ops import pointwise as p
from ....ops.call_outs import Form
from ...breaks import BACKWARD_DRAW, PART_DRAW
from ...regions.numbers.arithmetic import number_node
from ...tracing.inputs import Input
from ...tracing.nodes import cast, constant_node
from ...tracing.random_draws import DRAW, DRAWN, CalledDraw
from ...values.arrays.array import result
from ...values.base import Value
from ...values.numbers.computed import ComputedNumber
from ...values.numbers.input_scalar import InputNumber
from ...values.objects.random_generators import RandomGenerator
from .forms import CalledForm, described
from .in_plan import CallOperands

if TYPE_CHECKING:
    from ...tracing.trace import Trace

NOTHING = ConstantSource(0, "0")


def drawn_before_plan(
    trace: Trace, name: str, generator: RandomGenerator, args: Sequence[Value], kwargs: dict[str, Value]
) -> Value | None:
    """The result of a method of a generator from outside; None where its arguments are known to the plan alone.

    Errors: a break where how often it is drawn depends on data, or where the generator raises.
    """
    if trace.iterations or trace.region is not None:
        raise PART_DRAW.stop(what="random numbers of NumPy's or Python's drawn")
    if trace.deferred is not None:
        raise BACKWARD_DRAW.stop()
    call = described(trace, name, [generator, *args], kwargs)
    leaves = forms.leaves(call.results)
    operands = _passed(trace, call, generator)
    if operands is None or not all(map(_is_passed_on, leaves)):
        return None
    assert generator.source is not None
    trace.draws.calls += 1
    draw = CalledDraw(name, call.arguments, call.keywords, call.results, operands)
    nodes = [
        _input(
            trace, DRAW if not k else DRAWN, NOTHING if k else generator.source, each, None if k else draw, generator
        )
        for k, each in enumerate(leaves or [("number", "int")])
    ]

    def leaf(index: int, form: Form) -> Value:
        node, type = nodes[index], forms.leaf_type(form)
        if form[0] == "array":
            return result(trace, node)
        if type.dtype is dtypes.bool_:
            node = trace.add(p.NOT_EQUAL, node, constant_node(trace, 0, (), dtypes.int64))
        number = result(trace, cast(trace, node, type.dtype), is_numpy_scalar=True)
        return ComputedNumber(number) if form[0] == "number" else number

    return CallOperands(leaf).value(call.results)


def _passed(trace: Trace, call: CalledForm, generator: RandomGenerator) -> tuple[Node, ...] | None:
    """The inputs that the numbers among a call's operands are; None where there are other operands."""
    found: list[Node] = []
    for each in call.operands[1:]:
        if not isinstance(each.value, InputNumber) or each.value.python_type is not float:
            return None
        found.append(number_node(trace, each.value))
    known = {entry.node for entry in trace.inputs.entries}
    return tuple(found) if all(each in known for each in found) else None


def _is_passed_on(form: Form) -> bool:
    """Whether the call can pass a result of this form to its plan."""
    type = forms.leaf_type(form)
    if form[0] == "array":
        return form[3] == contiguous_strides(form[2])
    return not type.dtype.is_complex and type.dtype is not dtypes.uint64


def _input(
    trace: Trace, kind: str, source: Source, form: Form, draw: CalledDraw | None, generator: RandomGenerator
) -> Node:
    type = forms.leaf_type(form)
    if not type.shape:
        type = TensorType((), dtypes.float64 if type.dtype.is_float else dtypes.int64)
    name = f"draw_{len(trace.inputs.entries)}"
    node = trace.builder.input(type, name, trace.progress.location)
    strides = contiguous_strides(type.shape)
    trace.inputs.entries.append(Input(kind, source, node, strides, example=generator.real, draw=draw))
    return node
