"""The node of a custom function: it calls the user's `backward`, and checks what that gives."""

from __future__ import annotations

import weakref
from abc import ABCMeta
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..core.devices import Device
from ..core.dtypes import DType
from ..ops.derivative import sum_to
from ..tensor.creation import zeros
from ..tensor.devices import placed_on
from ..tensor.shapes import broadcast_shapes
from ..tensor.tensor import Tensor
from .edges import edges_of
from .emitter import TENSORS
from .node import Edge, Gradients, Node

if TYPE_CHECKING:
    from .function import FunctionCtx

_Type = tuple[tuple[int, ...], DType, Device]


class FunctionNode(Node):
    """One application of a custom function. What it does not have itself, it looks up on the function's context.

    Each custom function has a subclass of its own, whose `function` it is.
    """

    __slots__ = ("ctx", "output_types", "outputs", "types")

    function: Any
    ctx: FunctionCtx
    types: tuple[_Type | None, ...]
    """Shape and dtype of each argument; None for what is no tensor."""
    output_types: tuple[_Type | None, ...]
    """Shape, dtype and device of each output of forward; None for what is no tensor."""

    def __init__(self, ctx: FunctionCtx, args: tuple[Any, ...]) -> None:
        super().__init__(edges_of(each for each in args if isinstance(each, Tensor)))
        self.ctx = ctx
        ctx._node = weakref.ref(self)
        self.types = types_of(args)
        self.set_outputs(())

    def set_outputs(self, outputs: tuple[Any, ...]) -> None:
        """Tells the node what forward returned."""
        self.outputs = len(outputs)
        self.output_types = types_of(outputs)

    def apply(self, gradients: Gradients) -> Gradients:
        """The answer of the user's backward to `gradients`. Errors: RuntimeError if that does not fit the arguments."""
        if self.ctx.materialize_grads:
            gradients = tuple(
                zeros(of[0], dtype=of[1], device=of[2]) if each is None and of is not None else each
                for each, of in zip(gradients, self.output_types, strict=True)
            )
        return self._fitted(self.function._backward_rule()(self.ctx, *gradients))

    def _fitted(self, found: Any) -> Gradients:
        """The gradients of those arguments that are tensors."""
        answers = found if isinstance(found, tuple) else (found,)
        count = len(self.types)
        if all(each is None for each in answers[count:]):
            answers = answers[:count]
        if len(answers) != count:
            raise RuntimeError(
                f"function {self.name()} returned an incorrect number of gradients (expected {count}, got "
                f"{len(answers)}): backward returns one gradient, or None, for each argument of forward"
            )
        edges = iter(self.edges)
        fitted: list[Tensor | None] = []
        for position, (answer, of) in enumerate(zip(answers, self.types), 1):
            if of is not None:
                fitted.append(self._gradient(answer, of, next(edges), len(fitted)))
            elif answer is not None:
                raise RuntimeError(
                    f"function {self.name()} returned a gradient different than None at position {position}, but the "
                    "corresponding forward input was not a Variable: return None there"
                )
        return tuple(fitted)

    def _gradient(self, answer: Any, of: _Type, edge: Edge, index: int) -> Tensor | None:
        """`answer`, summed and cast to what its argument was."""
        if answer is not None and not isinstance(answer, Tensor):
            raise RuntimeError(
                f"function {self.name()} returned no gradient at index {index}: expected Variable or None (got "
                f"{type(answer).__name__})"
            )
        if answer is None or edge[0] is None:
            return None
        shape, dtype, device = of
        if answer.shape != shape:
            if not _expands(shape, answer.shape):
                raise RuntimeError(
                    f"Function {self.name()} returned an invalid gradient at index {index} - got "
                    f"{list(answer.shape)} but expected shape compatible with {list(shape)}"
                )
            answer = sum_to(TENSORS, answer, shape)
        answer = placed_on(device, answer)
        return answer if answer.dtype is dtype else TENSORS.cast(answer, dtype=dtype)  # type: ignore[no-any-return]

    def release(self) -> None:
        """Drops the saved tensors."""
        for each in self.ctx._records:
            each.release()

    def __getattr__(self, name: str) -> Any:
        """The attributes that the user put on the context, and the context's own."""
        if name == "ctx":  # a copy in the making has none yet
            raise AttributeError(name)
        return getattr(self.ctx, name)


class WrittenFirst(Node):
    """A node with one of its edges moved to the front, where `CopySlices` looks for that of the written tensor."""

    __slots__ = ("inner", "place")

    def __init__(self, inner: Node, place: int) -> None:
        super().__init__(_to_front(inner.edges, place))
        self.inner = inner
        self.place = place

    def apply(self, gradients: Gradients) -> Gradients:
        """The gradients of the inner node, in the order of the edges."""
        return _to_front(self.inner.apply(gradients), self.place)

    def release(self) -> None:
        """Drops what the inner node saved."""
        self.inner.release()


class ErrorNode(Node):
    """Stands where a derivative ends that cannot be differentiated; running it is an error."""

    __slots__ = ("message", "outputs")

    def __init__(self, message: str, edges: tuple[Edge, ...], outputs: int) -> None:
        super().__init__(edges)
        self.message = message
        self.outputs = outputs

    def name(self) -> str:
        """Its name in PyTorch."""
        return "Error"

    def apply(self, gradients: Gradients) -> Gradients:
        """Errors: RuntimeError, always."""
        raise RuntimeError(self.message)


def types_of(values: tuple[Any, ...]) -> tuple[_Type | None, ...]:
    """Shape, dtype and device of each tensor among `values`; None for the others."""
    return tuple((each.shape, each.dtype, each.device) if isinstance(each, Tensor) else None for each in values)


def node_class(function: Any, backward_name: str) -> Callable[..., FunctionNode]:
    """The class of the nodes of `function`."""
    return ABCMeta(backward_name, (FunctionNode,), {"function": function, "__module__": function.__module__})


def _expands(shape: tuple[int, ...], larger: tuple[int, ...]) -> bool:
    try:
        return broadcast_shapes(shape, larger) == larger
    except RuntimeError:
        return False


def _to_front(values: tuple[Any, ...], place: int) -> tuple[Any, ...]:
    return (values[place], *values[:place], *values[place + 1 :])
