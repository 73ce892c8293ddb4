"""All steps of a recurrence as one operation in eager mode, with one node on the tape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...autograd.differentiate import grad
from ...autograd.edges import edges_of
from ...autograd.history import attach
from ...autograd.modes import MODES, enable_grad
from ...autograd.node import Edge, Gradients, Node
from ...autograd.raw_gradients import array_of, as_tensors
from ...autograd.saved import SavedTensor
from ...core.errors import NoArrayError
from ...tensor.ignored_errstate import ignoring_errstate
from ...tensor.surface import surface
from ...tensor.tensor import Tensor
from .recurrence import Recurrence, by_steps

Value = Any
_COMPUTED = (np.dtype(np.float32), np.dtype(np.float64))


class RecurrenceBackward(Node):
    """The derivative of all steps of a recurrence, whose outputs are those of the steps and the last states."""

    __slots__ = ("arrays", "kept", "operands", "outputs", "output", "recurrence", "reverse")

    def __init__(
        self, recurrence: Recurrence, operands: Sequence[Tensor | None], reverse: bool, edges: tuple[Edge, ...]
    ) -> None:
        super().__init__(edges)
        self.recurrence = recurrence
        self.reverse = reverse
        self.outputs = 1 + recurrence.states
        self.operands = [SavedTensor(each, False, self, f"operand{place}") for place, each in enumerate(operands)]
        self.kept: list[SavedTensor] = []
        self.output = SavedTensor(None)

    def keep(self, output: Tensor, kept: Sequence[Any]) -> None:
        """Saves the outputs of the steps, and what the forward kept for this."""
        self.output = SavedTensor(output, True, self, "result")
        self.kept = [SavedTensor(Tensor._wrap(each), False, self, f"kept{place}") for place, each in enumerate(kept)]

    def name(self) -> str:
        """The name of the layer, as one of a derivative."""
        return f"{self.recurrence.name}Backward0"

    def apply(self, gradients: Gradients) -> Gradients:
        """The gradients of the operands."""
        return tuple(as_tensors(self.step(list(gradients))))

    def step(self, cell: list[Any]) -> list[Any]:
        """The gradients of the operands; all may be raw. See Note [Two forms of a recurrence]."""
        if all(each is None for each in cell):
            return [None] * len(self.edges)
        if MODES.grad_enabled:
            return self._differentiable(as_tensors(cell))
        arrays = [None if each is None else array_of(each) for each in cell]
        operands = [each.unpack_array(self) for each in self.operands]
        output = self.output.unpack_array(self)
        kept = [each.unpack_array(self) for each in self.kept]
        found = ignoring_errstate(self.recurrence.backward, arrays, operands, output, kept, self.reverse)
        return [each if edge[0] is not None else None for each, edge in zip(found, self.edges, strict=True)]

    def _differentiable(self, gradients: list[Any]) -> list[Any]:
        """The gradients of the operands, with a history: the steps are run once more, one after the other."""
        operands = [each.unpack(self) for each in self.operands]
        wanted = [edge[0] is not None for edge in self.edges]
        with enable_grad():
            # Views, so that a tensor that is given twice has a gradient for each of its places.
            given = [None if each is None else each.view_as(each) for each in operands]
            outputs = by_steps(self.recurrence, given, self.reverse)
        asked = [each for each, want in zip(given, wanted, strict=True) if want]
        pairs = [pair for pair in zip(outputs, gradients, strict=True) if pair[1] is not None]
        roots, weights = zip(*pairs, strict=True)
        found = iter(grad(roots, asked, weights, create_graph=True, allow_unused=True))
        return [next(found) if want else None for want in wanted]

    def release(self) -> None:
        """Drops the saved tensors."""
        for each in (*self.operands, *self.kept, self.output):
            each.release()


@surface
def computes_at_once(*operands: Value) -> bool:
    """Whether NumPy computes all steps over these operands at once: tensors at hand, of float32 or float64."""
    try:
        return all(
            each is None
            or (isinstance(each, Tensor) and type(each._array) is np.ndarray and each._array.dtype in _COMPUTED)
            for each in operands
        )
    except NoArrayError:  # one call of many, which `vmap` does together
        return False


def at_once(recurrence: Recurrence, operands: Sequence[Tensor | None], reverse: bool) -> tuple[Tensor, ...]:
    """The outputs of all steps and the last states, as results of one node."""
    recorded = MODES.grad_enabled and any(each is not None and each.requires_grad for each in operands)
    arrays = [None if each is None else each._array for each in operands]
    node = None
    if recorded:
        node = RecurrenceBackward(recurrence, operands, reverse, edges_of(operands))
    found, kept = ignoring_errstate(recurrence.forward, arrays, reverse, recorded)
    results = tuple(Tensor._wrap(each) for each in found)
    if node is not None:
        for place, each in enumerate(results):
            attach(each, node, place)
        node.keep(results[0], kept)
    return results


def recur(recurrence: Recurrence, operands: Sequence[Value], reverse: bool = False) -> tuple[Value, ...]:
    """The outputs of all steps and the last states. See `Recurrence` for the operands.

    reverse: the last step is the first.
    """
    if computes_at_once(*operands):
        return at_once(recurrence, operands, reverse)
    return by_steps(recurrence, operands, reverse)
