"""The autograd node of a compiled forward and backward pair, and the results that hang on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import field
from functools import cached_property
from typing import Any

import numpy as np

from ..autograd.edges import GradientEdge, edges_of
from ..autograd.engine import current_task
from ..autograd.history import attach
from ..autograd.modes import MODES
from ..autograd.node import Gradients, Node
from ..autograd.saved import FREED, SavedTensor
from ..core.device_arrays import ARRAY_TYPES, on_host
from ..core.records import dataclass
from ..graph.aot.double_backward import backward_step, inner_values
from ..graph.node import Node as GraphNode
from ..tensor import Tensor
from ..tensor.promotion import to_dtype
from .backward_passes import BackwardPass, SavedOutput, partial_backward_pass
from .deferred_writes import Later, SecondOrder
from .recorded_passes import RecordedPasses

Array = np.ndarray[Any, Any]
COMPILED = "CompiledFunctionBackward"
"""The name of a compiled forward's node in messages."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A value that is kept as it is, and not as a saved tensor: by its place among those a call gives."""

    place: int


@dataclass(eq=False)
class NodeHistory:
    """The backward data that all calls of one entry share: how to run backward, and what it is given.

    backward_pass: the one from all results, the roots.
    saved:    for each saved value, its place among those a call gives, or the root that it is.
    versions: how often the call has written each root.
    partial:  the backward passes from some of `outputs`, by their numbers.
    inlined:  the saved-tensor hooks around the call are part of both graphs: nothing goes through them at run time.
    later:    what custom functions have to do with it, if there are any. Then a node has more edges than the backward
        pass has gradients: nothing goes along the last ones.
    """

    backward_pass: BackwardPass
    saved: tuple[int | SavedOutput | Reference, ...]
    versions: tuple[int, ...]
    partial: dict[tuple[int, ...], BackwardPass] = field(default_factory=dict)
    inlined: bool = False
    later: Later | None = None

    def __call__(
        self, values: Sequence[Any], leaves: Sequence[Tensor | GradientEdge], roots: Sequence[Array]
    ) -> tuple[Tensor, ...]:
        """The results of one call, on a node of its own.

        values: what is saved, arrays, tensors and numbers; leaves: where gradients go, in order.
        """
        node = CompiledBackward(self, edges_of(leaves))
        results = tuple(
            attach(written_tensor(array, count), node, number)
            for number, (array, count) in enumerate(zip(roots, self.versions, strict=True))
        )
        with _without_hooks() if self.inlined else nullcontext():
            node.saved = tuple(
                SavedTensor(results[place.root], True, node, f"saved[{number}]")
                if isinstance(place, SavedOutput)
                else values[place.place]
                if isinstance(place, Reference)
                else _keep(values[place], node, number)
                for number, place in enumerate(self.saved)
            )
        return results

    @cached_property
    def outputs(self) -> tuple[GraphNode, ...]:
        """The roots, then the inner values that second derivatives lead to."""
        if self.later is not None and self.later.recorded is not None:
            return self.later.recorded.outputs()
        return (*self.backward_pass.step.roots, *inner_values(self.backward_pass.step))

    def pass_from(self, numbers: tuple[int, ...]) -> BackwardPass:
        """The backward pass from these of `outputs`."""
        if numbers not in self.partial:
            whole = self.backward_pass.step
            roots = [self.outputs[number] for number in numbers]
            taped, known = whole.taped, whole.pair
            step = backward_step(taped, roots, (), read=taped.read, pack=known.packed_as_before(), kept=known.partition)
            self.partial[numbers] = partial_backward_pass(self.backward_pass, step, numbers)
        return self.partial[numbers]


@contextmanager
def _without_hooks() -> Iterator[None]:
    """A context in which no saved-tensor hooks are in force, and none may be entered."""
    before = MODES.hooks, MODES.inlined, MODES.hooks_disabled
    MODES.hooks = MODES.inlined = None
    MODES.hooks_disabled = "saved-tensor hooks are part of the compiled function that is running"
    try:
        yield
    finally:
        MODES.hooks, MODES.inlined, MODES.hooks_disabled = before


def written_tensor(array: Array, count: int) -> Tensor:
    """A new tensor that has been written `count` times since it was made."""
    tensor = Tensor._wrap(array)
    tensor._counter.value = count
    return tensor


def counted_with(array: Array, other: Tensor) -> Tensor:
    """A tensor over `array`, which counts as written whenever `other` is."""
    tensor = Tensor._wrap(array)
    tensor._counter = other._counter
    return tensor


def _keep(value: Any, node: Node, number: int) -> Any:
    if isinstance(value, ARRAY_TYPES):
        value = Tensor._wrap(value)
    return SavedTensor(value, False, node, f"saved[{number}]") if isinstance(value, Tensor) else value


class CompiledBackward(Node):
    """The backward pass of one call of a compiled function. Its saved values go through saved-tensor hooks as any."""

    __slots__ = ("backward_pass", "hidden", "history", "outputs", "saved")

    def __init__(self, history: NodeHistory, edges: Any) -> None:
        super().__init__(edges)
        self.history = history
        self.backward_pass = history.backward_pass
        self.outputs = len(self.backward_pass.outputs)
        self.hidden = 0
        self.saved: tuple[Any, ...] = ()

    def apply(self, gradients: Gradients) -> Gradients:
        """One gradient for each leaf, under create_graph with a history. Errors: RuntimeError when it was freed."""
        history = self.history
        if history.later is not None:
            recorded = history.later.recorded
            if recorded is not None and (MODES.grad_enabled or self.hidden):
                return self._recorded(gradients, history.later, recorded)
            return self._with_writes(gradients, history.later)
        current = self.backward_pass = history.backward_pass if not self.hidden else self._pass_from(gradients)
        records = self.saved if current is history.backward_pass else [self.saved[place] for place in current.saved]
        arriving = zip(current.outputs, current.step.roots, strict=True)
        found: Sequence[Tensor]
        if MODES.grad_enabled:
            tangents = [_tangent_tensor(gradients[number], root) for number, root in arriving]
            found = self._with_history(current, records, tangents)
        else:
            values = [each.unpack_array(self) if isinstance(each, SavedTensor) else each for each in records]
            values += [_tangent(gradients[number], root) for number, root in arriving]
            if current.backward.frees and MODES.task is not None and not MODES.task.keep:
                self.release()  # now, so that `values` holds what is left
            found = [Tensor._wrap(each) for each in current.backward(values)]
        if current is history.backward_pass:
            return tuple(found)
        answers: list[Tensor | None] = [None] * len(self.edges)
        for place, each in zip(current.edges, found, strict=True):
            answers[place] = each
        return tuple(answers)

    def _with_writes(self, gradients: Gradients, later: Later) -> Gradients:
        """The gradients for the edges where custom functions take part: what they write is counted as written.

        Under create_graph the gradients have a history which says that they cannot be differentiated.
        Errors: see `Later`; they are raised before anything is written.
        """
        later.check(MODES.grad_enabled, current_task(), self.edges)
        later.refuse_shared_places(gradients)
        kept = [each.unpack(self) if isinstance(each, SavedTensor) else each for each in self.saved]
        kept += later.fetch()
        arrays = [each._array if isinstance(each, Tensor) else each for each in kept]
        arrays += [_tangent(each, root) for each, root in zip(gradients, self.backward_pass.step.roots, strict=True)]
        later.refuse_overlap(arrays)
        found = [Tensor._wrap(each) for each in self.backward_pass.backward(arrays)]
        for write in later.writes:
            written = kept[write.place]
            if isinstance(written, Tensor):
                written._counter.value += write.count
        if MODES.grad_enabled:
            ended = SecondOrder((*edges_of(gradients), *self.edges), len(found))
            found = [attach(each, ended, number) for number, each in enumerate(found)]
        return (*found, *[None] * (len(self.edges) - len(found)))

    def _recorded(self, gradients: Gradients, later: Later, recorded: RecordedPasses) -> Gradients:
        """The gradients for the edges if custom functions take part, with a history of what they do under create_graph.

        Errors: see `Later` and `RecordedPasses`.
        """
        whole = len(self.history.backward_pass.outputs)
        if all(each is None for each in gradients[whole:]):
            numbers = tuple(range(whole))
        else:
            numbers = tuple(number for number, each in enumerate(gradients) if each is not None)
        later.check(MODES.grad_enabled, current_task(), self.edges)
        self.backward_pass = current = recorded.backward_pass(self.history.backward_pass, numbers, later.names)
        values = [*self.saved, *later.fetch()]
        records = [values[place] for place in current.saved]
        arriving = [(gradients[number], root) for number, root in zip(current.outputs, current.step.roots, strict=True)]
        found: Sequence[Tensor]
        if MODES.grad_enabled:
            found = self._with_history(current, records, [_tangent_tensor(each, root) for each, root in arriving])
        else:
            arrays = [each.unpack_array(self) if isinstance(each, SavedTensor) else each for each in records]
            arrays = [each._array if isinstance(each, Tensor) else each for each in arrays]
            found = [
                Tensor._wrap(each) for each in current.backward([*arrays, *(_tangent(*each) for each in arriving)])
            ]
        answers: list[Tensor | None] = [None] * len(self.edges)
        for place, each in zip(current.edges, found, strict=True):
            answers[place] = each
        return tuple(answers)

    def _pass_from(self, gradients: Gradients) -> BackwardPass:
        """The backward pass from what gradients have come to: results alone, or inner values as well."""
        whole, history = len(self.history.backward_pass.outputs), self.history
        if all(each is None for each in gradients[whole:]):
            return history.backward_pass
        return history.pass_from(tuple(number for number, each in enumerate(gradients) if each is not None))

    def _with_history(self, current: BackwardPass, records: Sequence[Any], tangents: Sequence[Tensor]) -> list[Tensor]:
        saved = [each.unpack(self) if isinstance(each, SavedTensor) else each for each in records]
        outputs = self.history.outputs
        rerun = current.rerun(tangents, outputs)
        if rerun is not None:
            self.outputs, self.hidden = len(outputs), len(outputs) - len(self.history.backward_pass.outputs)
            return rerun(self, current.edges, saved, tangents)
        arrays = [each._array if isinstance(each, Tensor) else each for each in (*saved, *tangents)]
        return [Tensor._wrap(each) for each in current.backward(arrays)]

    def release(self) -> None:
        """Drop what was saved and has been read."""
        for place in self.backward_pass.saved:
            each = self.saved[place] if place < len(self.saved) else None  # others are fetched when it runs
            if isinstance(each, SavedTensor):
                each.release()

    def name(self) -> str:
        """The name of the node in messages."""
        return COMPILED


def _tangent(gradient: Tensor | None, root: GraphNode) -> Array:
    """The array of a tangent, in rows."""
    dtype = root.type.dtype.numpy
    if gradient is None:
        return np.zeros(root.shape, dtype)
    if gradient.is_sparse:
        gradient = gradient.to_dense()
    return np.ascontiguousarray(on_host(gradient._array), dtype).reshape(root.shape)


def _tangent_tensor(gradient: Tensor | None, root: GraphNode) -> Tensor:
    """The gradient at a root as a tensor, which has the history of `gradient`; zeros if there is none."""
    if gradient is None:
        return Tensor._wrap(_tangent(None, root))
    if gradient.is_sparse:
        gradient = gradient.to_dense()
    gradient = to_dtype(gradient, root.type.dtype)
    if gradient._array.flags.c_contiguous:
        return gradient
    copy = Tensor._wrap(_tangent(gradient, root))
    node, number = edges_of((gradient,))[0]
    return copy if node is None else attach(copy, node, number)


class FreedBackward(Node):
    """Stands for a history that a backward() inside the compiled function has used up."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(())

    def apply(self, gradients: Gradients) -> Gradients:
        """Errors: RuntimeError, always: what was saved is gone."""
        raise RuntimeError(FREED)

    def name(self) -> str:
        """The name of the node in messages."""
        return COMPILED


def freed_tensor(array: Array, count: int) -> Tensor:
    """A result whose history has been used up, as that of a loss is after backward(); written `count` times."""
    return attach(written_tensor(array, count), FreedBackward(), 0)
