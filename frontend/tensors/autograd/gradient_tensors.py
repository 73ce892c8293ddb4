"""Gradients as the tensors that `autograd.grad` hands out: over the memory in which eager mode's lie."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.sizes import is_symbolic
from ....core.types import TensorType, contiguous_strides
from ....graph.node import Node
from ....ops.activations import ALIAS
from ....ops.derivative import reads
from ....ops.diagonals import DIAGONAL
from ....ops.movement import EXPAND, RESHAPE
from ....ops.registry import Creation, Movement
from ...breaks import TENSOR_FEATURE
from ...values.arrays.array import ArrayValue, Storage
from ...values.arrays.symbolic_fake import SymbolicFakeArray, as_sized, seen_in_shape
from ...values.arrays.view_steps import FakeArray, fake_of
from ...values.tensors.tensor import TensorValue, detached, fresh, view_of
from ..surface.strides import strides_from
from ..surface.views import moved_array
from .recorded_backward import has_history

if TYPE_CHECKING:
    from ...tracing.trace import Trace

_READ_ONLY = (EXPAND, DIAGONAL)
"""Movements that NumPy gives a view of which may not be written."""

# Note [Gradients that share memory]
# A derivative rule may hand on the tensor it was given (`add`), or a view of it (`sum`, `t`). So two gradients may be
# one tensor or lie in one memory, with each other or with a tensor of `grad_outputs`, and a write into one is seen in
# the other. Nodes of the backward pass stand for eager's arrays one to one, so their movements say which memory that
# is.


def gradient_tensors(
    trace: Trace, totals: Iterable[Node], made: Collection[Node], given: Sequence[tuple[Node, TensorValue]]
) -> dict[Node, TensorValue]:
    """A tensor for each of the nodes that a backward pass ended with.

    made:  the nodes that the backward pass added. If they were recorded, the tensors have a history where they lead to
    a leaf.
    given: the tensors of `grad_outputs`, each with the node that was read of it.
    Errors: a break where eager mode's memory is not known.
    """
    totals = list(totals)
    layouts = _layouts(trace, totals)
    rooted = has_history(trace, totals) if trace.grad_enabled else set()
    owners: dict[Node, TensorValue] = {}
    for node, tensor in given:
        if owners.setdefault(node, tensor) is not tensor:
            raise TENSOR_FEATURE.stop(feature="autograd.grad with two tensors in grad_outputs that are one value")
    results = {node: _tensor(trace, node, layouts, made, owners, rooted) for node in totals}
    if rooted:
        _note_kept(trace, made, owners)
    return results


class GradientMemory:
    """The tensors in whose memory gradients lie, during a backward pass. given: the tensors that it began with."""

    def __init__(self, given: Sequence[tuple[Node, TensorValue]]) -> None:
        self._owners = dict(given)

    @property
    def owners(self) -> list[tuple[Node, TensorValue]]:
        """The nodes whose tensor is known."""
        return list(self._owners.items())

    def is_another(self, node: Node, tensor: TensorValue) -> bool:
        """Whether a node stands for another tensor than this one."""
        return self._owners.get(node, tensor) is not tensor

    def note(self, node: Node, tensor: TensorValue) -> None:
        """A node of the backward pass is read from a tensor of the user's."""
        self._owners.setdefault(node, tensor)

    def tensor(self, trace: Trace, node: Node, made: Container[Node]) -> TensorValue:
        """The tensor that stands for a node. Errors: a break where eager mode's memory is not known."""
        rooted = has_history(trace, [node]) if trace.grad_enabled else ()
        found = _tensor(trace, node, _layouts(trace, [node]), made, self._owners, rooted)
        self._owners.setdefault(node, found)
        return found


def _note_kept(trace: Trace, made: Iterable[Node], owners: dict[Node, TensorValue]) -> None:
    """Notes which gradients the backward pass's own nodes keep: a write into one of them is one into what was saved."""
    saved = trace.tape.saved
    for node in made:
        if not saved.get(node) or node.op.variadic:
            continue
        named = {**dict(zip(node.op.operands, node.inputs, strict=False)), "result": node}
        for name in reads(node.op, tuple(each.type.dtype.is_differentiable for each in node.inputs)):
            kept = named.get(name)
            while kept is not None and kept not in owners and isinstance(kept.op.lower, Movement):
                kept = kept.inputs[0]
            if kept in owners:
                storage = owners[kept].array.storage
                saved[node] += ((storage, storage.version),)


def _tensor(
    trace: Trace,
    node: Node,
    layouts: dict[Node, FakeArray | None],
    made: Container[Node],
    owners: dict[Node, TensorValue],
    rooted: Container[Node],
) -> TensorValue:
    """The tensor of `node`.

    owners: the tensors whose memory others are views of; a new one is added.   rooted: what has a history.
    """
    views: list[Node] = []
    shown = node
    while node not in owners and _is_view(node, layouts):
        views.append(node)
        node = node.inputs[0]
    if not trace.grad_enabled and any(each.op in _READ_ONLY for each in views):
        # Eager mode writes out what it shows, see Note [Raw gradients] in autograd/raw_gradients.py.
        owners[shown] = fresh(trace, shown, strides=contiguous_strides(shown.shape))
        return owners[shown]
    if node not in owners:
        fake = layouts[node]
        if node not in made or node in trace.tape.owned or fake is None or not _is_dense(fake):
            raise TENSOR_FEATURE.stop(feature="autograd.grad where it is not known which memory the results share")
        strides = tuple(step // fake.itemsize for step in fake.strides)
        tracked = node in rooted
        owners[node] = fresh(trace, node, requires_grad=tracked, leaf=not tracked, strides=strides)
    tensor = owners[node]
    for view in reversed(views):
        tensor = owners[view] = _view(trace, tensor, view)
    return tensor


def _view(trace: Trace, base: TensorValue, node: Node) -> TensorValue:
    if trace.grad_enabled:
        seen = moved_array(node.op, base.array, node.kwargs) if node.op is not ALIAS else None
        if seen is None:
            raise TENSOR_FEATURE.stop(feature="autograd.grad where a gradient is a tensor of the forward pass")
        view = view_of(base, seen)
        view.is_viewed = True  # the backward pass does not go by way of it, but by a node of its own
        return view
    view = detached(base, versioned=False)
    if node.op is not ALIAS:
        seen = moved_array(node.op, base.array, node.kwargs)
        assert seen is not None, node
        view.array = seen
    return view


def _is_view(node: Node, layouts: dict[Node, FakeArray | None]) -> bool:
    if node.op is RESHAPE:
        before = layouts.get(node.inputs[0])
        return before is not None and _reshaped(before, node.shape) is not None
    return isinstance(node.op.lower, Movement) or node.op is ALIAS


def _reshaped(fake: FakeArray, shape: tuple[int, ...]) -> FakeArray | None:
    shown = as_sized(fake) if is_symbolic(shape) else fake
    try:
        return seen_in_shape(shown, shape)  # type: ignore[no-any-return]
    except ValueError:
        return None


def _is_dense(fake: FakeArray) -> bool:
    """Whether the elements fill a piece of memory, each place once."""
    expected = fake.itemsize
    for step, size in sorted(zip(fake.strides, fake.shape, strict=True)):
        if size > 1:
            if step != expected:
                return False
            expected *= size
    return True


# -- layouts -----------------------------------------------------------------------------------------------------------
def _layouts(trace: Trace, totals: Iterable[Node]) -> dict[Node, FakeArray | None]:
    """The layouts that eager mode gives the nodes and what they are made of; None where that is not known."""
    known = trace.tape.layouts
    for node in _not_laid_out(trace, totals):
        operands = [known[each] if each in known else fake_of(each.type) for each in node.inputs]
        known[node] = None if any(each is None for each in operands) else _laid_out(node, operands)
    return known


def laid_out(trace: Trace, node: Node) -> FakeArray | None:
    """The layout that eager mode gives the value of a node; None where that is not known."""
    return _layouts(trace, [node])[node] if not node.is_input else trace.tape.layouts.get(node)


def _not_laid_out(trace: Trace, totals: Iterable[Node]) -> list[Node]:
    """The nodes of unknown layout that `totals` are made of, in program order."""
    found: set[Node] = set()
    waiting = list(totals)
    while waiting:
        node = waiting.pop()
        if node not in found and node not in trace.tape.layouts and not node.is_input:
            found.add(node)
            waiting.extend(node.inputs)
    return [node for node in trace.builder.nodes if node in found]


def _laid_out(node: Node, operands: Sequence[Any]) -> FakeArray:
    if node.op is ALIAS:
        return operands[0]  # type: ignore[no-any-return]
    if node.op is RESHAPE:
        seen = _reshaped(operands[0], node.shape)
        return fake_of(node.type) if seen is None else seen
    if isinstance(node.op.lower, Creation):
        # Eager's constants have no axes, so they say nothing about the order of others.
        one = fake_of(TensorType((), node.type.dtype))
        return np.broadcast_to(as_sized(one) if is_symbolic(node.shape) else one, node.shape)
    if isinstance(node.op.lower, Movement):
        before = operands[0]
        if not (isinstance(before, SymbolicFakeArray) or is_symbolic(node.shape)):
            return node.op.eager(before, **node.kwargs)  # type: ignore[no-any-return]
        moved = moved_array(node.op, ArrayValue(Storage(node.inputs[0], before), (), before), node.kwargs)
        assert moved is not None, node
        return moved.fake
    return fake_of(node.type, strides_from(node.op, operands, node, node.kwargs))


__all__ = ["gradient_tensors"]
