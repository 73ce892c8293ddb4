"""The autograd node of a compiled forward and backward pair, and the results that hang on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..autograd.edges import edges_of
from ..autograd.engine import current_task
from ..autograd.history import attach
from ..autograd.modes import MODES
from ..autograd.node import Gradients, Node
from ..autograd.saved import FREED, SavedTensor
from ..core.dtypes import DType
from ..core.errors import GuardliftError
from ..graph.interpreter import run_reference
from ..graph.node import Graph
from ..tensor import Tensor
from .later import Later

Array = np.ndarray[Any, Any]


class SecondOrderError(GuardliftError, RuntimeError):
    """A gradient of a gradient was asked for through compiled code, which has only first derivatives."""


class UnpackedValueError(GuardliftError, RuntimeError):
    """A saved-tensor hook gave back another shape or dtype than was saved, which compiled code cannot take."""


@dataclass(frozen=True, slots=True)
class SavedOutput:
    """A saved value that is a result of the forward pass as well: root number `root`."""

    root: int


@dataclass(frozen=True, slots=True)
class Reference:
    """A value that is kept as it is, and not as a saved tensor: by its place among those a call gives."""

    place: int


@dataclass(frozen=True, slots=True, eq=False)
class History:
    """What all calls of one entry share: how to run backward, and what it is given.

    run:      the backward plan. It takes the saved values, those fetched then, and one tangent for each root, and gives
        a gradient for each of the first edges. Behind them come edges that nothing goes along.
    graph:    the same as a graph, for values that do not lie in memory as the plan expects.
    saved:    for each saved value, its place among those a call gives, or the root that it is.
    tangents: shape and dtype of each root.
    versions: how often the call has written each root.
    later:    what custom functions have to do with it, if there are any.
    """

    run: Callable[..., Any]
    graph: Graph
    saved: tuple[int | SavedOutput | Reference, ...]
    tangents: tuple[tuple[tuple[int, ...], DType], ...]
    versions: tuple[int, ...]
    single: bool
    later: Later | None = None

    def __call__(self, values: Sequence[Any], leaves: Sequence[Tensor], roots: Sequence[Array]) -> tuple[Tensor, ...]:
        """The results of one call, on a node of its own.

        values: what is saved, arrays, tensors and numbers; leaves: where gradients go, in order.
        """
        node = CompiledBackward(self, edges_of(leaves))
        results = tuple(
            attach(written_tensor(array, count), node, number)
            for number, (array, count) in enumerate(zip(roots, self.versions, strict=True))
        )
        node.saved = tuple(
            SavedTensor(results[place.root], True, node, f"saved[{number}]")
            if isinstance(place, SavedOutput)
            else values[place.place]
            if isinstance(place, Reference)
            else _keep(values[place], node, number)
            for number, place in enumerate(self.saved)
        )
        return results


def written_tensor(array: Array, count: int) -> Tensor:
    """A new tensor that has been written `count` times since it was made."""
    tensor = Tensor._wrap(array)
    tensor._counter.value = count
    return tensor


def _keep(value: Any, node: Node, number: int) -> Any:
    if type(value) is np.ndarray:
        value = Tensor._wrap(value)
    return SavedTensor(value, False, node, f"saved[{number}]") if isinstance(value, Tensor) else value


class CompiledBackward(Node):
    """The backward pass of one call of a compiled function. Its saved values go through saved-tensor hooks as any."""

    __slots__ = ("history", "outputs", "saved")

    def __init__(self, history: History, edges: Any) -> None:
        super().__init__(edges)
        self.history = history
        self.outputs = len(history.tangents)
        self.saved: tuple[Any, ...] = ()

    def apply(self, gradients: Gradients) -> Gradients:
        """One gradient for each leaf.

        Errors: RuntimeError when it was freed; what the gradients become under create_graph raises `SecondOrderError`
        when it is differentiated.
        """
        later = self.history.later
        if later is not None:
            later.check(MODES.grad_enabled, current_task(), self.edges)
            later.refuse_shared_places(gradients)
        found = self._gradients(gradients) if later is None else self._with_writes(gradients, later)
        answers = tuple(Tensor._wrap(each) for each in found)
        if MODES.grad_enabled:
            ended = SecondOrder((*edges_of(gradients), *self.edges), len(answers))
            answers = tuple(attach(each, ended, number) for number, each in enumerate(answers))
        return (*answers, *[None] * (len(self.edges) - len(answers)))

    def _gradients(self, gradients: Gradients) -> Sequence[Array]:
        saved = [each.unpack_array(self) if isinstance(each, SavedTensor) else each for each in self.saved]
        return self._run([*saved, *self._tangents(gradients)])

    def _with_writes(self, gradients: Gradients, later: Later) -> Sequence[Array]:
        """The same where custom functions are part of it: what they write is counted as written."""
        kept = [each.unpack(self) if isinstance(each, SavedTensor) else each for each in self.saved]
        kept += later.fetch()
        arrays = [each._array if isinstance(each, Tensor) else each for each in kept]
        arrays += self._tangents(gradients)
        later.refuse_overlap(arrays)
        found = self._run(arrays)
        for write in later.writes:
            written = kept[write.place]
            if isinstance(written, Tensor):
                written._counter.value += write.count
        return found

    def _tangents(self, gradients: Gradients) -> list[Array]:
        return [_tangent(each, *of) for each, of in zip(gradients, self.history.tangents, strict=True)]

    def _run(self, given: Sequence[Any]) -> Sequence[Array]:
        found = self.history.run(*given)
        if found is NotImplemented or found is Ellipsis:
            arrays = [np.asarray(each) for each in given]
            _check_types(self.history.graph, arrays)
            return run_reference(self.history.graph, arrays)
        return (found,) if self.history.single else found or ()  # without results a plan gives None

    def release(self) -> None:
        """Drop what was saved."""
        for each in self.saved:
            if isinstance(each, SavedTensor):
                each.release()

    def name(self) -> str:
        """What it is called in messages."""
        return "CompiledFunctionBackward"


def _check_types(graph: Graph, arrays: Sequence[Array]) -> None:
    """Errors: UnpackedValueError for an array that is not of its input's type."""
    for node, array in zip(graph.inputs, arrays, strict=True):
        if array.shape != node.shape or array.dtype != node.type.dtype.numpy:
            raise UnpackedValueError(
                f"backward through a jitted function got {array.dtype}{list(array.shape)} for a saved value that was "
                f"{node.type.dtype}{list(node.shape)}: a hook of saved_tensors_hooks unpacked another shape or dtype. "
                "Let unpack_hook give back what pack_hook was given, or call the function without gl.jit "
                "(function.__wrapped__)"
            )


def _tangent(gradient: Tensor | None, shape: tuple[int, ...], dtype: DType) -> Array:
    if gradient is None:
        return np.zeros(shape, dtype.numpy)
    if gradient.is_sparse:
        gradient = gradient.to_dense()
    return np.ascontiguousarray(gradient._array, dtype.numpy).reshape(shape)


class SecondOrder(Node):
    """Stands where a gradient ends that compiled code gave under create_graph: it cannot be differentiated again."""

    __slots__ = ("outputs",)

    def __init__(self, edges: Any, outputs: int) -> None:
        super().__init__(edges)
        self.outputs = outputs

    def apply(self, gradients: Gradients) -> Gradients:
        """Errors: `SecondOrderError`, always."""
        raise SecondOrderError(
            "a gradient of a gradient was asked for through a jitted function, whose backward pass is compiled once "
            "and cannot be differentiated again; call the function without gl.jit (function.__wrapped__) where second "
            "derivatives are needed"
        )

    def name(self) -> str:
        """What it is called in messages."""
        return "CompiledFunctionDoubleBackward"


class FreedBackward(Node):
    """Stands for a history that a backward() inside the compiled function has used up."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(())

    def apply(self, gradients: Gradients) -> Gradients:
        """Errors: RuntimeError, always: what was saved is gone."""
        raise RuntimeError(FREED)

    def name(self) -> str:
        """What it is called in messages."""
        return "CompiledFunctionBackward"


def freed_tensor(array: Array, count: int) -> Tensor:
    """A result whose history has been used up, as that of a loss is after backward(); written `count` times."""
    return attach(written_tensor(array, count), FreedBackward(), 0)
