"""The backward of a custom function while tracing: followed where a backward pass comes to the function."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ....autograd.function import Function, once_differentiable
from ....core.dtypes import DType
from ....graph.aot.custom_nodes import TapeStep
from ....graph.aot.emitter import GraphEmitter
from ....graph.node import Node
from ....guards.guard import Is
from ....guards.sources import Attribute
from ....ops.creation import FULL
from ....ops.derivative import sum_to
from ....tensor.shapes import broadcast_shapes
from ...breaks import BACKWARD_EFFECT, RAISES, TENSOR_FEATURE, GraphBreak, Unwinding
from ...tracing.nodes import cast
from ...tracing.restarts import RestartFromStart
from ...values.arrays.view_steps import Ints
from ...values.base import Value, wrap
from ...values.constant import NONE, Constant
from ...values.containers.sequences import TupleValue
from ...values.objects.classes import class_attribute
from ...values.tensors.tensor import TensorValue, beside, fresh
from .gradient_tensors import laid_out

if TYPE_CHECKING:
    from ...tracing.trace import Trace
    from .custom_context import ContextValue

_Type = tuple[Ints, DType]
_ONCE = once_differentiable(lambda ctx: None).__code__
"""The code of what `once_differentiable` makes of a backward: with nothing recorded, it is that backward."""


def step_of(
    trace: Trace, cls: type, ctx: ContextValue, given: list[Value], edges: tuple[Node, ...], results: list[Value]
) -> TapeStep | None:
    """The step of the tape that a call is, whose results have been placed; None if no gradient can get to it."""
    with trace.recording():
        outputs = [each.read() if isinstance(each, TensorValue) and each.requires_grad else None for each in results]
    own = tuple(node for node in outputs if node is not None)
    if not own:
        return None
    backward = CustomBackward(trace, cls, ctx, given, results, outputs)
    return TapeStep(own, edges, backward.pull, backward)


class CustomBackward:
    """The way of a backward pass through one call of a custom function."""

    def __init__(
        self,
        trace: Trace,
        cls: type,
        ctx: ContextValue,
        given: list[Value],
        results: list[Value],
        outputs: Sequence[Node | None],
    ) -> None:
        self.trace = trace
        self.cls = cls
        self.ctx = ctx
        self.outputs = outputs
        self.types = _types_of(results)
        """Shape and dtype of each result; None for what is no tensor."""
        self.taken = _types_of(given)
        """Shape and dtype of each argument; None for what is no tensor."""
        self.wanted = [isinstance(each, TensorValue) and each.requires_grad for each in given]

    def pull(self, f: GraphEmitter, cotangents: Sequence[Node | None]) -> Sequence[Node | None]:
        """The cotangents of the arguments that require grad.

        Errors: `RestartFromStart` where the user's backward has no form in a graph, so that Python calls the function;
        a break where it raises. The backward pass is half done then, and nobody may catch that but Python itself.
        """
        arrived = iter(cotangents)
        parts = [None if node is None else next(arrived) for node in self.outputs]
        later, first = self.trace.deferred, len(f.builder.nodes)
        recorded = later is not None and later.recorded
        with self.trace.into(f.builder), self.trace.recording() if recorded else self.trace.no_grad():
            tensors = [
                self._incoming(output, node, of)
                for output, node, of in zip(self.outputs, parts, self.types, strict=True)
            ]
            before, self.trace.tape.in_custom_backward = self.trace.tape.in_custom_backward, True
            try:
                found = self._function().call(self.trace, [self.ctx, *tensors], {})
                if later is None or not recorded:
                    return self._fitted(f, found)
                later.note_unseen(self.trace, first)
                first = len(f.builder.nodes)
                fitted = self._fitted(f, found)
                later.note_unseen(self.trace, first, copies=True)
                return fitted
            except Unwinding as leaving:
                stop = leaving.as_break()
                if self.trace.deferred is not None or stop.program_raises:
                    raise stop from None
                self.trace.speculation.not_inlined[self.cls] = stop
                raise RestartFromStart from None
            finally:
                self.trace.tape.in_custom_backward = before

    def _incoming(self, output: Node | None, node: Node | None, of: _Type | None) -> Value:
        """The gradient of one result, as backward sees it."""
        if node is None:
            if of is None or not self.ctx.materializes(self.trace):
                return NONE
            zeros = self.trace.add(FULL, value=_zero(of[1]), shape=of[0], dtype=of[1])
            return fresh(self.trace, zeros if output is None else beside(self.trace, zeros, output))
        fake = laid_out(self.trace, node)
        strides = None if fake is None else tuple(step // fake.itemsize for step in fake.strides)
        later = self.trace.deferred
        tracked = later is not None and later.recorded and node.type.dtype.is_differentiable
        tensor = fresh(self.trace, node, requires_grad=tracked, leaf=not tracked, strides=strides)
        storage = tensor.array.storage
        kept = later is not None and output is not None and later.takes(output, node, storage)
        storage.handed_on = False if kept else self.cls
        return tensor

    def _function(self) -> Value:
        """The user's backward, by either of its names."""
        names = [name for name in ("vjp", "backward") if self._is_own(name)]
        if len(names) != 1:
            raise RAISES.stop(error="RuntimeError: a custom Function has either a backward or a vjp")
        found, source = class_attribute(self.trace, self.cls, names[0])
        real = found
        if isinstance(found, staticmethod):
            real, source = found.__func__, Attribute(source, "__func__")
        if getattr(real, "__code__", None) is _ONCE:
            self.trace.guard(Is, source, expected=real)
            if self.trace.deferred is not None and self.trace.deferred.recorded:
                raise TENSOR_FEATURE.stop(feature="a second derivative of a function that is once_differentiable")
            real, source = real.__wrapped__, Attribute(source, "__wrapped__")
        return wrap(self.trace, real, source)

    def _is_own(self, name: str) -> bool:
        found, source = class_attribute(self.trace, self.cls, name)
        self.trace.guard(Is, source, expected=found)
        return found is not vars(Function)[name]

    # What backward gave.
    def _fitted(self, f: GraphEmitter, found: Value) -> list[Node | None]:
        """The gradients of the arguments that require grad. Errors: a break where eager mode raises."""
        answers = list(found.items) if isinstance(found, TupleValue) else [found]
        count = len(self.taken)
        if all(_is_none(each) for each in answers[count:]):
            answers = answers[:count]
        if len(answers) != count:
            raise self._wrong("an incorrect number of gradients")
        fitted: list[Node | None] = []
        for answer, of, wanted in zip(answers, self.taken, self.wanted, strict=True):
            if of is None and not _is_none(answer):
                raise self._wrong("a gradient different than None for what is no tensor")
            if of is not None and not isinstance(answer, TensorValue) and not _is_none(answer):
                raise self._wrong("no gradient")
            if of is not None and wanted:
                fitted.append(self._gradient(f, answer, of) if isinstance(answer, TensorValue) else None)
        return fitted

    def _gradient(self, f: GraphEmitter, answer: TensorValue, of: _Type) -> Node:
        """The node of an answer, summed and cast to what its argument was."""
        shape, dtype = of
        node = answer.read()
        storage, known = answer.array.storage, answer.root.counter or answer.root
        if self.trace.deferred is not None and storage.input is not None:
            raise BACKWARD_EFFECT.stop(does="returns a tensor it got")
        if storage.version or known.bumps:
            self.trace.tape.owned.add(node)
        if answer.shape != shape:
            if not _expands(shape, answer.shape):
                raise self._wrong("an invalid gradient")
            node = sum_to(f, node, shape)
        return cast(self.trace, node, dtype)

    def _wrong(self, what: str) -> GraphBreak:
        return RAISES.stop(error=f"RuntimeError: function {self.cls.__name__}Backward returned {what}")


def _types_of(values: list[Value]) -> list[_Type | None]:
    return [(each.shape, each.dtype) if isinstance(each, TensorValue) else None for each in values]


def _is_none(value: Value) -> bool:
    return isinstance(value, Constant) and value.value is None


def _zero(dtype: DType) -> Any:
    return 0.0 if dtype.is_float else False if dtype.is_bool else 0


def _expands(shape: Ints, larger: Ints) -> bool:
    try:
        return bool(broadcast_shapes(shape, larger) == larger)
    except RuntimeError:
        return False
