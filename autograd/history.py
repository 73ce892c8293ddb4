"""The node that a tensor came from: of a view the one that its base's history makes it, and moving to another one."""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from typing import Any

from ..core.watched_slots import tell_tensor
from ..ops.registry import OpDef
from ..tensor.dispatch import apply
from ..tensor.tensor import Tensor
from .modes import MODES
from .node import Node

OF_FUNCTION: tuple[Any, ...] = (None, {}, None)
"""Begins the path of a view that a custom function returned, and of views of it: it has no way back to the base."""


def is_of_function(view: Tensor) -> bool:
    """Whether `view` was returned by a custom function, or is a view of what was."""
    path = view._path
    while path is not None and path is not OF_FUNCTION:
        path = path[2]
    return path is OF_FUNCTION


def current_node(tensor: Tensor) -> Node | None:
    """The `grad_fn` of `tensor`; of a view made anew if its base has been written since.

    Errors: RuntimeError if it was, for a view that a custom function returned.
    """
    if (
        tensor._path is not None
        and tensor._seen != tensor._counter.value
        and (tensor._base._requires_grad or is_of_function(tensor))  # type: ignore[union-attr]
    ):
        _renew(tensor)
    return tensor._node


def _renew(view: Tensor) -> None:
    """Takes the view again from what its base is now, for the sake of the nodes."""
    if is_of_function(view):
        raise RuntimeError(
            "a view that a custom Function returned, or a view of it, is used after its base or another view of its "
            "base has been modified inplace: what the custom backward computes does not know of that. Clone the output "
            "of the custom Function before the write"
        )
    if view._base._storage is not view._storage:  # type: ignore[union-attr]
        view._base = view._path = None  # the base has other memory by now: this is no view of it any more
        return
    before = MODES.grad_enabled
    MODES.grad_enabled = True
    try:
        again: Any = view._base
        for op, attrs in steps(view._path):
            again = apply(op, again, **attrs)
    finally:
        MODES.grad_enabled = before
    retaining, required = _stop_retaining(view), view._requires_grad
    what = "its base was modified by an operation with a tensor that requires grad"
    if not required:
        tell_tensor(view, "requires_grad", what)
    view._node, view._output_nr, view._requires_grad = again._node, again._output_nr, True
    view._seen = view._counter.value
    if not required:
        tell_tensor(view, "requires_grad", what)
    if retaining:
        keep_retaining(view)


def steps(path: tuple[Any, ...] | None) -> list[tuple[OpDef, Mapping[str, Any]]]:
    """The movement ops that lead from a base to its view, with their attributes, from the `_path` of the view."""
    found = []
    while path is not None:
        op, attrs, path = path
        found.append((op, attrs))
    return found[::-1]


def attach(tensor: Tensor, node: Node, output_nr: int = 0) -> Tensor:
    """`tensor`, a fresh one, as output `output_nr` of `node`."""
    tensor._node = node
    tensor._output_nr = output_nr
    tensor._requires_grad = True
    return tensor


def move_to(tensor: Tensor, node: Node, output_nr: int = 0) -> None:
    """Makes `tensor` an output of `node`, as an in-place operation does; `retain_grad` moves with it."""
    retaining, required = _stop_retaining(tensor), tensor._requires_grad
    what = "an in-place operation with a tensor that requires grad was done on it"
    if not required:
        tell_tensor(tensor, "requires_grad", what)
    attach(tensor, node, output_nr)
    if not required:
        tell_tensor(tensor, "requires_grad", what)
    if retaining:
        keep_retaining(tensor)


def keep_retaining(tensor: Tensor) -> None:
    """Makes the `grad_fn` of `tensor` fill its `.grad`."""
    node = tensor._node
    if node.retaining is None:
        node.retaining = {}
    node.retaining[tensor._output_nr] = weakref.ref(tensor)


def is_retaining(tensor: Tensor) -> bool:
    """Whether the node of `tensor`, as it stands, fills its `.grad`."""
    node = tensor._node
    if node is None or not node.retaining:
        return False
    reference = node.retaining.get(tensor._output_nr)
    return reference is not None and reference() is tensor


def _stop_retaining(tensor: Tensor) -> bool:
    retaining = is_retaining(tensor)
    if retaining:
        del tensor._node.retaining[tensor._output_nr]
    return retaining
