"""The autograd node of a compiled forward and backward pair, and the results that hang on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
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
from ..core.devices.arrays import ARRAY_TYPES
from ..core.devices.host_or_device import on_host
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
        results: list[Tensor] = []
        for array, count in zip(roots, self.versions, strict=True):
            results.append(attach(written_tensor(array, count), node, len(results)))
        if self.inlined and MODES.hooks is not None:
            with _without_hooks():
                node.kept = self._keep(node, values, results)
        else:
            node.kept = self._keep(node, values, results)
        return tuple(results)

    def _keep(self, node: CompiledBackward, values: Sequence[Any], results: Sequence[Tensor]) -> list[Any]:
        """The values that a node keeps of a call; see Note [What a node keeps]."""
        kept: list[Any] = []
        hooked = MODES.hooks is not None
        for place in self.saved:
            if place.__class__ is int:
                value = values[place]  # type: ignore[call-overload]
                if value.__class__ is not Tensor and not isinstance(value, Tensor):
                    kept.append(_record(value, node, len(kept)) if hooked and isinstance(value, ARRAY_TYPES) else value)
                    continue
            elif isinstance(place, SavedOutput):
                value = results[place.root]
            else:
                kept.append(values[place.place])  # type: ignore[union-attr]
                continue
            kept.append(SavedTensor(value, place.__class__ is SavedOutput, node, _name(len(kept)) if hooked else ""))
        return kept

    @cached_property
    def tangents(self) -> tuple[tuple[Any, tuple[int, ...]], ...]:
        """NumPy's dtype and the shape of the gradient at each root of the whole backward pass."""
        return tuple((each.type.dtype.numpy, each.shape) for each in self.backward_pass.step.roots)

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
    if count:
        tensor._counter.value = count
    return tensor


def counted_with(array: Array, other: Tensor) -> Tensor:
    """A tensor over `array`, which counts as written whenever `other` is."""
    return Tensor._wrap(array, other._counter)


_RELEASED = SavedTensor(None)
_RELEASED._freed = True
"""Stands where an array was kept."""


def _name(number: int) -> str:
    """The name under which hooks are told of what a node keeps."""
    return f"saved[{number}]"


def _record(array: Array, node: Node, number: int) -> SavedTensor:
    return SavedTensor(Tensor._wrap(array), False, node, _name(number))


# Note [What a node keeps]
# Tensors are kept in records, which see whether they are written. An array that a plan gave for backward alone is kept
# as it is: nobody else refers to it, and a record would cost more than many a kernel. Whoever asks for records, such as
# `list_saved_tensors`, gets one of it; where saved-tensor hooks are in force it is made at once, so that they see it.


class CompiledBackward(Node):
    """The backward pass of one call of a compiled function. Its saved values go through saved-tensor hooks as any."""

    __slots__ = ("backward_pass", "hidden", "history", "kept", "outputs")

    listed = ("saved",)
    kept: list[Any]
    """The values that backward reads; see Note [What a node keeps]."""

    def __init__(self, history: NodeHistory, edges: Any) -> None:
        super().__init__(edges)
        self.history = history
        self.backward_pass = history.backward_pass
        self.outputs = len(self.backward_pass.outputs)
        self.hidden = 0
        self.kept = []

    @property
    def saved(self) -> tuple[Any, ...]:
        """The values that it keeps, with records in place of arrays: for those who look at them, or pack them."""
        kept, before = self.kept, MODES.hooks
        MODES.hooks = None  # those that are in force now are for what is saved now
        try:
            for number, place in enumerate(self.history.saved):
                if place.__class__ is int and isinstance(kept[number], ARRAY_TYPES):
                    kept[number] = _record(kept[number], self, number)
        finally:
            MODES.hooks = before
        return tuple(kept)

    def step(self, cell: list[Any]) -> list[Any]:
        """The gradients that `apply` gives, raw ones for raw ones where they have no history. Errors: those of it."""
        history = self.history
        if MODES.grad_enabled or self.hidden or history.later is not None:
            return super().step(cell)
        tangents = []
        for gradient, (dtype, shape) in zip(cell, history.tangents, strict=True):
            array = gradient._array if gradient.__class__ is Tensor else gradient
            if not isinstance(array, ARRAY_TYPES):
                return super().step(cell)
            if array.dtype is not dtype or array.shape != shape or not array.flags.c_contiguous:
                array = np.ascontiguousarray(array, dtype).reshape(shape)
            tangents.append(array)
        self.backward_pass = history.backward_pass
        return list(self._run(self.kept, tangents))

    def _run(self, kept: list[Any], tangents: Sequence[Array]) -> Sequence[Array]:
        """The gradients of its backward pass, for what is `kept` for that and these tangents, without a history."""
        values = [each.unpack_array(self) if each.__class__ is SavedTensor else each for each in kept]
        values += tangents
        backward = self.backward_pass.backward
        if backward.frees and MODES.task is not None and not MODES.task.keep:
            self.release()  # now, so that `values` holds what is left
            if kept is not self.kept:
                kept.clear()
        return backward(values)

    def apply(self, gradients: Gradients) -> Gradients:
        """One gradient for each leaf, under create_graph with a history. Errors: RuntimeError when it was freed."""
        history = self.history
        if history.later is not None:
            recorded = history.later.recorded
            if recorded is not None and (MODES.grad_enabled or self.hidden):
                return self._recorded(gradients, history.later, recorded)
            return self._with_writes(gradients, history.later)
        current = self.backward_pass = history.backward_pass if not self.hidden else self._pass_from(gradients)
        records = self.kept if current is history.backward_pass else [self.kept[place] for place in current.saved]
        arriving = zip(current.outputs, current.step.roots, strict=True)
        found: Sequence[Tensor]
        if MODES.grad_enabled:
            tangents = [_tangent_tensor(gradients[number], root) for number, root in arriving]
            found = self._with_history(current, records, tangents)
        else:
            arrays = self._run(records, [_tangent(gradients[number], root) for number, root in arriving])
            found = [Tensor._wrap(each) for each in arrays]
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
        kept = self.kept
        for place in self.backward_pass.saved:
            each = kept[place] if place < len(kept) else None  # others are fetched when it runs
            if each.__class__ is SavedTensor:
                each.release()
            elif isinstance(each, ARRAY_TYPES) and self.history.saved[place].__class__ is int:
                kept[place] = _RELEASED

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
