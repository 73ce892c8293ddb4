"""Tuples of a tensor's parts (`x.unbind(1)`, `x.split(1, 1)`): a loop over one sees another part in each iteration."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ....core.records import dataclass
from ....tensor import Tensor
from ....tensor.joining import chunk, split, unbind
from ...breaks import TENSOR_ELEMENT
from ...regions.numbers.ranges import IterationSpace
from ...values.base import Value
from ...values.constant import Constant
from ...values.containers.sequences import TupleValue
from ...values.numbers.loop_varying import InductionVariable
from ...values.tensors.tensor import TensorValue

if TYPE_CHECKING:
    from ...tracing.trace import Trace

_PARTING: dict[Any, int] = {unbind: 1, split: 2, vars(Tensor)["split"]: 2, chunk: 2}
"""The functions that give such tuples, and at which place the axis is passed."""


@dataclass(frozen=True, eq=False)
class Parts:
    """Parts of one size along an axis. width: their size; None where they no longer have the axis."""

    whole: TensorValue
    axis: int
    width: int | None

    def of_iteration(self, trace: Trace, number: Value, first: int, step: int) -> Value:
        """The part that the iteration sees which has this number: the one at ``first + step * number``."""
        if not isinstance(number, InductionVariable):
            raise TENSOR_ELEMENT.stop()
        body = next((each for each in trace.iterations if each.counter == number.counter), None)
        if body is None or not body.is_outside(self.whole):
            raise self.whole.unsupported("a part that changes from round to round")
        assert number.affine is not None
        scale, offset = number.affine
        each = self.width or 1
        return body.row(self.whole, self.axis, (first + step * offset) * each, step * scale * each, self.width)


def note_parts(
    trace: Trace, function: Callable[..., Any], given: Sequence[Any], named: dict[str, Any], made: Value
) -> None:
    """Notes that a tuple which a surface function has given holds a tensor's parts."""
    at = _PARTING.get(function)
    if at is None or type(made) is not TupleValue or not given or not isinstance(given[0], TensorValue):
        return
    items, whole = made.items, given[0]
    dim = named.get("axis", named.get("dim", given[at] if len(given) > at else 0))
    if type(dim) is not int or not all(isinstance(each, TensorValue) for each in items):
        return
    if any(each.shape != items[0].shape for each in items):  # type: ignore[attr-defined]
        return
    axis = dim % whole.ndim
    parts = Parts(whole, axis, None if function is unbind else items[0].shape[axis])  # type: ignore[attr-defined]
    for place, each in enumerate(items):
        trace.parts[id(each)] = each, parts, place


def space_over(trace: Trace, items: Sequence[Value]) -> IterationSpace | None:
    """The iteration space of a loop over parts in some order; None where they are no parts at equal distances."""
    found = [trace.parts.get(id(each)) for each in items]
    if len(items) < 2 or found[0] is None or found[1] is None or trace.tape.registered:
        return None
    parts, first = found[0][1], found[0][2]
    step = found[1][2] - first
    for place, (each, known) in enumerate(zip(items, found, strict=True)):
        assert isinstance(each, TensorValue)
        fits = known is not None and known[0] is each and known[1] is parts and known[2] == first + step * place
        if not fits or each.requires_grad != parts.whole.requires_grad or each.kind is not parts.whole.kind:
            return None

    def element(trace: Trace, number: Value) -> Value:
        return parts.of_iteration(trace, number, first, step)

    return IterationSpace(Constant(0), Constant(len(items)), Constant(1), element, holds=True)
