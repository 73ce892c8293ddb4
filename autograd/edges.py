"""From tensors to nodes: the edge that a tensor's gradient follows, and the node of a view whose base has changed."""

from __future__ import annotations

import weakref
from collections.abc import Iterable
from typing import Any

from ..tensor.dispatch import apply
from ..tensor.tensor import Tensor
from .modes import MODES
from .node import NO_EDGE, Edge, Node


def current_node(tensor: Tensor) -> Node | None:
    """The `grad_fn` of `tensor`; of a view made anew if its base has been written since."""
    if tensor._path is not None and tensor._seen != tensor._version.value and tensor._base._requires_grad:  # type: ignore[union-attr]
        _renew(tensor)
    return tensor._node  # type: ignore[no-any-return]


def _renew(view: Tensor) -> None:
    """Takes the view again from what its base is now, for the sake of the nodes."""
    before = MODES.grad_enabled
    MODES.grad_enabled = True
    try:
        again: Any = view._base
        for op, attrs in view._path or ():
            again = apply(op, again, **attrs)
    finally:
        MODES.grad_enabled = before
    retaining = _stop_retaining(view)
    view._node, view._output_nr, view._requires_grad = again._node, again._output_nr, True
    view._seen = view._version.value
    if retaining:
        keep_retaining(view)


def accumulator_of(leaf: Tensor) -> Node:
    """The node that adds to `leaf.grad`. The leaf holds it weakly, so it lives as long as some graph over the leaf."""
    reference = leaf._accumulator
    node = reference() if reference is not None else None
    if node is None:
        from .accumulate import AccumulateGrad  # its hooks need the edges

        node = AccumulateGrad(leaf)
        leaf._accumulator = weakref.ref(node)
    return node  # type: ignore[no-any-return]


def edge_of(value: Any) -> Edge:
    """Where the gradient of `value` goes; nowhere for what is no tensor or does not require grad."""
    if not isinstance(value, Tensor):
        return NO_EDGE
    node = value._node if value._path is None else current_node(value)
    if node is not None:
        return node, value._output_nr
    return (accumulator_of(value), 0) if value._requires_grad else NO_EDGE


def edges_of(values: Iterable[Any]) -> tuple[Edge, ...]:
    """The edges of a node whose inputs are `values`."""
    return tuple([edge_of(value) for value in values])


def attach(tensor: Tensor, node: Node, output_nr: int = 0) -> Tensor:
    """`tensor`, a fresh one, as output `output_nr` of `node`."""
    tensor._node = node
    tensor._output_nr = output_nr
    tensor._requires_grad = True
    return tensor


def move_to(tensor: Tensor, node: Node) -> None:
    """Makes `tensor` the output of `node`, as an in-place operation does; `retain_grad` moves with it."""
    retaining = _stop_retaining(tensor)
    attach(tensor, node)
    if retaining:
        keep_retaining(tensor)


def keep_retaining(tensor: Tensor) -> None:
    """Makes the `grad_fn` of `tensor` fill its `.grad`."""
    node = tensor._node
    if node.retaining is None:
        node.retaining = {}
    node.retaining[tensor._output_nr] = weakref.ref(tensor)


def _stop_retaining(tensor: Tensor) -> bool:
    node = tensor._node
    if node is None or not node.retaining:
        return False
    reference = node.retaining.get(tensor._output_nr)
    if reference is None or reference() is not tensor:
        return False
    del node.retaining[tensor._output_nr]
    return True
