"""Calls of NumPy from native loops, and calls that draw: a kernel calls a C function that calls NumPy.

See `backend.cpu.call_outs`. What a call gives lies row by row in memory of the region.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....backend.cpu import call_outs
from ....backend.cpu.call_out_operands import CalledArray, CalledGenerator, CalledNumber, CalledOperand
from ....core import dtypes
from ....core.dtypes import DType
from ....core.types import TensorType, contiguous_strides
from ....graph.node import Node
from ....loop_ir.ir import Address, Argument, IndexValue, Load
from ....ops import call_outs as forms
from ....ops import pointwise as p
from ....ops.call_outs import Form
from ...breaks import NUMPY_ARGUMENT, GraphBreak
from ...regions.arrays.inner_loops import made, scratch
from ...regions.arrays.sizes import node_of
from ...regions.arrays.views import ArrayExpression, RegionArray, RegionView, in_memory, view_of
from ...regions.numbers.arithmetic import host_number, number_node
from ...regions.standalone import computed
from ...tracing.nodes import cast, constant_node
from ...values.arrays.array import ArrayValue, Storage, result
from ...values.base import Value
from ...values.objects.random_generators import RandomGenerator
from .forms import CalledForm, CallOperand, shown
from .in_plan import CallOperands

if TYPE_CHECKING:
    from ...regions.builder import Region
    from ...tracing.trace import Trace

Word = Node | Address | Argument


def called_by_a_kernel(trace: Trace, call: CalledForm, changes: Storage | None = None) -> Value:
    """The result of a call that statements of a region make. changes: what stands for something that the call changes.

    Errors: a break for operands and results that kernels cannot pass on.
    """
    leaves = forms.leaves(call.results)
    for each in leaves:
        _check_result(call, each)
    operands = [_handed_over(call, each) for each in call.operands]
    rooms: list[ArrayValue] = []

    def run(region: Region) -> list[Node]:
        for form in leaves:
            room = scratch(trace, _room_type(form))
            region.change(room.storage)
            rooms.append(room)
        words = [word for each in call.operands for word in _words(trace, region, each)]
        results = [CalledArray(room.dtype, forms.leaf_type(form).shape) for room, form in zip(rooms, leaves)]
        for room, form in zip(rooms, leaves, strict=True):
            words += _place(trace, region, view_of(trace, room), len(forms.leaf_type(form).shape))
        if changes is not None:
            region.change(changes)
        name = call_outs.name_of(call.attributes, operands, results, trace.progress.location)
        done = region.invoke(name, dtypes.int64, words)
        assert done is not None
        region.leave_if(trace.add(p.EQUAL, done, constant_node(trace, 0, (), dtypes.int64)))
        region.leaves = True
        return [
            region.let(room.dtype, Load(region.access(room.storage, [_zero(trace)])))
            for room, form in zip(rooms, leaves, strict=True)
            if form[0] != "array"
        ]

    numbers = iter(computed(trace, run))

    def leaf(index: int, form: Form) -> Value:
        room = rooms[index]
        if form[0] == "number":
            return host_number(trace, next(numbers))
        if form[0] == "scalar":
            return result(trace, next(numbers), is_numpy_scalar=True)
        return made(trace, in_memory(trace, view_of(trace, room))) if trace.region is not None else room

    return CallOperands(leaf).value(call.results)


def _refused(call: CalledForm, what: str) -> GraphBreak:
    return NUMPY_ARGUMENT.stop(name=shown(call.function), argument=what)


def _check_result(call: CalledForm, form: Form) -> None:
    if form[0] == "array" and not _lies_by_rows(*form[2:]):
        raise _refused(call, "a result that does not lie row by row, from a kernel")
    if form[0] != "array" and forms.leaf_type(form).dtype.is_complex:
        raise _refused(call, "a complex number as its result, from a kernel")


def _lies_by_rows(shape: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    plain = zip(shape, strides, contiguous_strides(shape), strict=True)
    return 0 in shape or all(n < 2 or step == row for n, step, row in plain)


def _room_type(form: Form) -> TensorType:
    type = forms.leaf_type(form)
    return type if type.shape else type.with_shape((1,))


def _handed_over(call: CalledForm, operand: CallOperand) -> CalledOperand:
    value = operand.value
    if isinstance(value, RandomGenerator):
        return CalledGenerator()
    if isinstance(value, RegionArray) or isinstance(value, ArrayValue) and not value.is_numpy_scalar:
        return CalledArray(operand.dtype, operand.shape)
    if operand.dtype.is_complex or operand.dtype is dtypes.uint64:
        raise _refused(call, f"a number of dtype {operand.dtype}, from a kernel")
    return CalledNumber(operand.dtype)


def _words(trace: Trace, region: Region, operand: CallOperand) -> list[Word]:
    """The arguments of the C function for an operand."""
    value = operand.value
    if isinstance(value, RandomGenerator):
        return [value.word(trace)]
    if isinstance(value, ArrayExpression):
        value = value.materialize(trace)
    if isinstance(value, ArrayValue) and not value.is_numpy_scalar:
        value = _plain_view(trace, value)
    if isinstance(value, RegionView):
        return _place(trace, region, value, len(value.dims))
    node = value.read(trace) if isinstance(value, ArrayValue) else number_node(trace, value)
    return [cast(trace, node, _word_dtype(operand.dtype))]


def _word_dtype(dtype: DType) -> DType:
    return dtypes.float64 if dtype.is_float else dtypes.int64


def _plain_view(trace: Trace, value: ArrayValue) -> RegionView:
    try:
        return view_of(trace, value)
    except GraphBreak:  # reshaped or broadcast
        return view_of(trace, result(trace, value.read(trace)))


def _zero(trace: Trace) -> Node:
    return constant_node(trace, 0, (), dtypes.int64)


def _place(trace: Trace, region: Region, view: RegionView, rank: int) -> list[Word]:
    """The address of a view and its strides."""
    number = region.number_of(view.storage)
    place = region.address(view.storage, view.place(trace, [_zero(trace)] * len(view.dims)))
    steps: list[Word] = []
    for dim in view.dims[:rank]:
        if dim.axis < 0:
            steps.append(constant_node(trace, 1, (), dtypes.int64))
            continue
        size, factor = region.size(("stride", number, dim.axis)), node_of(trace, dim.step)
        if dim.step == 1:
            steps.append(Argument(size, dtypes.int64))
        else:
            steps.append(trace.add(p.MULTIPLY, region.let(dtypes.int64, IndexValue((), size)), factor))
    return [place, *steps]
