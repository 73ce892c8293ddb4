"""Tensors inside of `vmap`, while tracing: which of them differ from call to call, and what is made for each call."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ....graph.node import Node
from ....ops.saved import ONE_CALL
from ....tensor.creation import full
from ...breaks import RAISES
from ...tracing.progress import BatchLevel
from ...values.tensors.tensor import TensorValue, fresh

if TYPE_CHECKING:
    from ...tracing.trace import Trace


def levels_in(trace: Trace, nodes: Iterable[Node]) -> list[BatchLevel]:
    """The levels over whose calls one of the nodes differs, the outermost first."""
    levels = trace.batches.levels
    if not levels:
        return []
    found: set[object] = set()
    seen: set[Node] = set()
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen.add(node)
            waiting += node.inputs
            if node.op is ONE_CALL:
                found.add(node.attr("level"))
    return [each for each in levels if each.number in found]


def refuse_one_call(trace: Trace, x: TensorValue, what: str) -> None:
    """Errors: a break where a tensor that differs from call to call is asked for its value: eager mode refuses."""
    if levels_in(trace, [x.array.storage.node]):
        raise RAISES.stop(error=f"RuntimeError: vmap: {what}")


def check_written(trace: Trace, target: TensorValue, operands: Iterable[Any]) -> None:
    """Errors: a break for a write of what differs from call to call into a tensor that does not."""
    given = [each.array.storage.node for each in operands if isinstance(each, TensorValue)]
    levels = levels_in(trace, given)
    if levels and levels[-1] not in levels_in(trace, [target.array.storage.node]):
        raise RAISES.stop(error="RuntimeError: vmap: inplace arithmetic(self, *extra_args) is not possible")


def drawing_levels(trace: Trace) -> list[BatchLevel]:
    """The levels of which each call draws for itself. Errors: a break where one allows no draws."""
    levels = trace.batches.levels
    if any(each.randomness == "error" for each in levels):
        raise RAISES.stop(error="RuntimeError: vmap: called random operation while in randomness error mode")
    return [each for each in levels if each.randomness == "different"]


def entered(trace: Trace, node: Node, levels: list[BatchLevel]) -> Node:
    """One call's part of a value whose first axes are those of `levels`."""
    with trace.no_grad():
        for level in levels:
            node = trace.add(ONE_CALL, node, level=level.number)
    return node


def filled(
    self: TensorValue, shape: tuple[Any, ...], value: Any, dtype: Any, device: Any, requires_grad: bool
) -> TensorValue | None:
    """A tensor of that shape for each call, filled with a number; None if `self` does not differ from call to call."""
    trace = self.trace
    levels = levels_in(trace, [self.array.storage.node])
    if not levels:
        return None
    size = (*(each.size for each in levels), *shape)
    whole = full(size, value, dtype=dtype or self.dtype, device=self.device if device is None else device)
    return fresh(trace, entered(trace, whole.read(), levels), requires_grad=requires_grad)


TensorValue.__guardlift_filled__ = filled
