"""Calls of NumPy that a plan makes itself, as steps: nodes of the graph. What a call gives, as traced values."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import TYPE_CHECKING, Any, cast

from ....graph.node import Node
from ....ops import call_outs as forms
from ....ops.call_outs import CALL_OUT, CALL_RESULT, Form
from ...breaks import NUMPY_ARGUMENT
from ...regions.numbers.arithmetic import number_node
from ...tracing.nodes import cast as cast_node
from ...values.arrays.array import ArrayValue, result
from ...values.arrays.view_steps import Ints
from ...values.base import Value
from ...values.constant import Constant
from ...values.containers.named_tuples import NamedTupleValue
from ...values.containers.sequences import ListValue, TupleValue
from ...values.numbers.computed import ComputedNumber
from ..indexing import basic_view
from ..shaping import permuted, reshaped_view
from .forms import CalledForm, CallOperand

if TYPE_CHECKING:
    from ...tracing.trace import Trace


def called_by_the_plan(trace: Trace, call: CalledForm) -> Value:
    """The result of a call that is a node of the graph."""
    operands = [_node(trace, each) for each in call.operands]
    node = trace.add(CALL_OUT, *operands, **call.attributes)

    def leaf(index: int, form: Form) -> Value:
        type = forms.leaf_type(form)
        found = trace.add(CALL_RESULT, node, index=index, shape=type.shape, dtype=type.dtype)
        if form[0] == "array":
            return result(trace, found, form[3])
        number = result(trace, found, is_numpy_scalar=True)
        return ComputedNumber(number) if form[0] == "number" else number

    return CallOperands(leaf).value(call.results)


def _node(trace: Trace, operand: CallOperand) -> Node:
    value = operand.value
    if isinstance(value, ArrayValue):
        return value.read(trace)
    return cast_node(trace, number_node(trace, value), operand.dtype)


class CallOperands:
    """The maker of a call's result out of its leaves: `leaf` gives the array or number of an index and a form."""

    def __init__(self, leaf: Callable[[int, Form], Value]) -> None:
        self._leaf = leaf
        self._made: list[Value] = []

    def value(self, form: Form) -> Value:
        """The value that a form stands for. See Note [Forms of results] in `ops.call_outs`."""
        match form[0]:
            case "array" | "scalar" | "number":
                self._made.append(self._leaf(len(self._made), form))
                return self._made[-1]
            case "same":
                return self._made[form[1]]
            case "view":
                base = self.value(form[1])
                if not isinstance(base, ArrayValue):
                    raise NUMPY_ARGUMENT.stop(name="a call of NumPy", argument="these arguments: it gives a view")
                return view_at(base, *form[2:])
            case "constant":
                return Constant(form[1])
            case "tuple":
                return TupleValue([self.value(each) for each in form[1:]])
            case "list":
                return ListValue([self.value(each) for each in form[1:]])
        return NamedTupleValue(cast(type, forms.found(form[1])), [self.value(each) for each in form[2:]])


def view_at(base: ArrayValue, shape: Ints, strides: Ints, at: int) -> ArrayValue:
    """The view of a row-major array from its element number `at` on; strides count elements.

    Errors: a break where it cannot be had by one reshape and one subscript.
    """
    refusal = NUMPY_ARGUMENT.stop(name="a call of NumPy", argument="these arguments: it gives a view of its own")
    axes = sorted((axis for axis, size in enumerate(shape) if size > 1), key=lambda axis: -abs(strides[axis]))
    steps = [abs(strides[axis]) for axis in axes]
    pairs = list(zip([base.type.size, *steps], steps, strict=False))
    if 0 in shape or 0 in steps or any(a % b for a, b in pairs[1:]):
        raise refusal
    block = (*(a // b for a, b in pairs), steps[-1] if steps else base.type.size)
    flat = reshaped_view(base, (base.type.size,))
    whole = (
        None if flat is None or at >= prod(block) else reshaped_view(basic_view(flat, [slice(0, prod(block))]), block)
    )
    if whole is None:
        raise refusal
    first: list[int] = []
    for step in (*steps, 1):
        place, at = divmod(at, step)
        first.append(place)
    entries: list[Any] = []
    for axis, start, size in zip(axes, first, block, strict=False):
        step = -1 if strides[axis] < 0 else 1
        stop = start + step * shape[axis]
        if not -1 <= stop <= size:
            raise refusal
        entries.append(slice(start, None if stop < 0 else stop, step))
    part = basic_view(whole, [*entries, first[-1]])
    turned = permuted(part, tuple(sorted(range(len(axes)), key=lambda k: axes[k])))
    return basic_view(turned, [slice(None) if size > 1 else None for size in shape])
