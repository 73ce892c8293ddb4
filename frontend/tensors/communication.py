"""Collectives while tracing: a plan calls out to start one, and again to wait for it. See `distributed.in_plan`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...core import dtypes
from ...core.devices import HOST
from ...core.package import PACKAGE
from ...core.types import contiguous_strides
from ...distributed import collectives, objects
from ...distributed.collectives import _all_reduce, _broadcast
from ...distributed.program_group import new_group
from ...distributed.reduce_op import ReduceOp
from ...distributed.replay import CommunicatingPlan
from ...distributed.work import Work
from ...graph.node import Node
from ...ops.call_outs import CALL_OUT, CALL_RESULT, Form
from ..breaks import TENSOR_FEATURE
from ..tracing.random_draws import PlanWrapper
from ..tracing.rules import traces
from ..values.arrays.array import ArrayValue
from ..values.base import Value
from ..values.constant import NONE, TRUE
from ..values.tensors.tensor import TensorValue

if TYPE_CHECKING:
    from ..codegen.reconstruct import EntryWriter
    from ..tracing.trace import Trace

_AROUND = (PlanWrapper(CommunicatingPlan),)
_PLACE = f"{PACKAGE}.distributed.in_plan"


@traces(_all_reduce)
def trace_all_reduce(trace: Trace, group: Value, size: Value, tensor: Value, op: Value, async_op: Value) -> Value:
    """The work of an `all_reduce`, or None after it."""
    how = op.constant(trace)
    if not isinstance(how, ReduceOp):
        raise op.unsupported("an operation of all_reduce")
    return _communicated(trace, "all_reduce", group, how.name, tensor, async_op)


@traces(_broadcast)
def trace_broadcast(trace: Trace, group: Value, root: Value, tensor: Value, async_op: Value) -> Value:
    """The work of a `broadcast`, or None after it."""
    return _communicated(trace, "broadcast", group, root.constant(trace), tensor, async_op)


def _communicated(
    trace: Trace, function: str, group: Value, setting: str | int, tensor: Value, async_op: Value
) -> Value:
    _check_place(trace, function, tensor)
    settings = (function, group.constant(trace), setting)
    trace.communications += 1
    if trace.deferred is None:  # around that of a backward pass is what `in_plan` says
        trace.around_plan = _AROUND
    number = _call_out(trace, "start", _elements(trace, tensor), settings, dtypes.int64, (1,))
    work = WorkValue(trace, number, tensor, settings)
    if async_op.constant(trace):
        return work
    work.wait(trace)
    return NONE


def _check_place(trace: Trace, function: str, tensor: Value) -> None:
    """Errors: a break where there are no elements to send, or the communication would not happen once in its place."""
    trace.refuse_in_iterations(f"{function} between processes")
    if trace.region is not None or trace.batches.levels:
        raise TENSOR_FEATURE.stop(feature=f"{function} between processes in a loop or a transform")
    if trace.deferred is not None and trace.deferred.recorded:
        raise TENSOR_FEATURE.stop(feature=f"{function} between processes in a second derivative")
    if not isinstance(tensor, (TensorValue, ArrayValue)):
        raise tensor.unsupported(f"{function} between processes")
    if isinstance(tensor, TensorValue) and tensor.device != HOST:
        raise TENSOR_FEATURE.stop(feature=f"{function} between processes of a tensor on a device")


def _elements(trace: Trace, tensor: Value) -> Node:
    if isinstance(tensor, TensorValue):
        with trace.no_grad():
            return tensor.read()
    assert isinstance(tensor, ArrayValue)
    return tensor.read(trace)


def _call_out(trace: Trace, name: str, operand: Node, settings: tuple[Any, ...], dtype: Any, shape: Any) -> Node:
    """The result of the function of `distributed.in_plan`, called after all that the plan has communicated before."""
    later = trace.deferred
    nodes = trace.builder.nodes if later is None else later.communicated
    before = [each for each in reversed(nodes) if each.op is CALL_RESULT and _communicates(each.inputs[0])][:1]
    arguments: list[Form] = [("array", 0, None)]
    arguments += [("dtype", each) if index == 3 else ("constant", each) for index, each in enumerate(settings)]
    arguments += [("array", 1, None)] * len(before)
    token = trace.add(
        CALL_OUT,
        operand,
        *before,
        function=f"{_PLACE}.{name}",
        arguments=tuple(arguments),
        keywords=(),
        results=("array", dtype, shape, contiguous_strides(shape)),
        module="",
    )
    result = trace.add(CALL_RESULT, token, index=0, shape=shape, dtype=dtype)
    if later is not None:
        later.communicated.append(result)
    return result


def _communicates(node: Node) -> bool:
    function = node.attr("function")
    return isinstance(function, str) and function.startswith(f"{_PLACE}.")


class WorkValue(Value):
    """The work of a collective that the call has started. Who looks at the work after the call finds it done."""

    __slots__ = ("number", "settings", "tensor")

    def __init__(self, trace: Trace, number: Node, tensor: Value, settings: tuple[Any, ...]) -> None:
        self.number: Node | None = number
        self.tensor, self.settings = tensor, settings

    @property
    def python_type(self) -> type:
        return Work

    def describe(self) -> str:
        return f"the work of {self.settings[0]}"

    def wait(self, trace: Trace) -> None:
        """Puts the result in its place, once."""
        number, self.number = self.number, None
        if number is None:
            return
        tensor = self.tensor
        assert isinstance(tensor, (TensorValue, ArrayValue))
        type = tensor.array.type if isinstance(tensor, TensorValue) else tensor.type
        node = _call_out(trace, "finish", number, (*self.settings, type.dtype.name), type.dtype, type.shape)
        if isinstance(tensor, ArrayValue):
            tensor.write(trace, node)
            return
        with trace.no_grad():
            tensor.write(node, requires_grad=False)

    def attribute(self, trace: Trace, name: str) -> Value:
        if name == "wait":
            return _WaitMethod(self)
        return super().attribute(trace, name)

    def rebuild(self, writer: EntryWriter) -> str:
        if self.number is not None:
            raise TENSOR_FEATURE.stop(feature="the work of a collective that leaves the function before wait()")
        return writer.once(self, lambda: f"{writer.pool.add(_done)}({self.settings[0]!r})")


class _WaitMethod(Value):
    """`wait` of such a work."""

    __slots__ = ("work",)

    def __init__(self, work: WorkValue) -> None:
        self.work = work

    @property
    def python_type(self) -> type:
        raise self.unsupported("the type")

    def describe(self) -> str:
        return "the work's wait"

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        if args or kwargs:
            raise TENSOR_FEATURE.stop(feature="wait with a time limit")
        _check_place(trace, "wait", self.work.tensor)
        self.work.wait(trace)
        return TRUE


def _done(description: str) -> Work:
    """A work whose result is in its place."""
    work = Work(description, lambda: None, lambda seconds: None)
    work.end()
    return work


def _refusing(function: Callable[..., Any]) -> None:
    @traces(function)
    def refuse(trace: Trace, *args: Value, **kwargs: Value) -> Value:
        raise TENSOR_FEATURE.stop(feature=f"{function.__name__} between processes")


for _each in (
    *(collectives.all_gather, collectives.all_gather_into_tensor, collectives.barrier, collectives.gather),
    *(collectives.recv, collectives.reduce, collectives.scatter, collectives.send),
    *(collectives.reduce_scatter, collectives.reduce_scatter_tensor, new_group),
    *(objects.all_gather_object, objects.broadcast_object_list),
):
    _refusing(_each)
