"""The public module `autograd.graph`: nodes, gradient edges, and the stack of saved-tensor hooks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from ..tensor.tensor import Tensor
from .edges import GradientEdge, edge_of
from .function_node import FunctionNode
from .handles import RemovableHandle
from .modes import MODES
from .node import Node
from .saved import SavedTensor

__all__ = [
    "GradientEdge",
    "Node",
    "RemovableHandle",
    "SavedTensor",
    "disable_saved_tensors_hooks",
    "get_gradient_edge",
    "increment_version",
    "saved_tensors_hooks",
]


def get_gradient_edge(tensor: Tensor) -> GradientEdge:
    """The edge of `tensor`: its `grad_fn`, or the accumulator of a leaf. Errors: RuntimeError if there is none."""
    node, output_nr = edge_of(tensor)
    if node is None:
        raise RuntimeError("It is not possible to get the gradient edge for a Tensor that does not require gradients")
    # PyTorch's nodes of custom functions do not keep their graph alive; ours do, and say so in the same place.
    return GradientEdge(node, output_nr, node if isinstance(node, FunctionNode) else None)


def increment_version(tensor: Tensor | Iterable[Tensor]) -> None:
    """Counts one write to each tensor, as if an in-place operation had changed it."""
    for each in (tensor,) if isinstance(tensor, Tensor) else tensor:
        each._counter.value += 1


class saved_tensors_hooks:  # noqa: N801
    """A context in which each tensor saved for backward is kept as ``pack_hook(tensor)``.

    Backward gets ``unpack_hook`` of that. Of nested contexts only the innermost pair applies.
    Errors: RuntimeError on entering while `disable_saved_tensors_hooks` forbids it.
    """

    def __init__(self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]) -> None:
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook

    def __enter__(self) -> None:
        if MODES.hooks_disabled is not None:
            raise RuntimeError(MODES.hooks_disabled)
        MODES.stack = (*MODES.stack, (self.pack_hook, self.unpack_hook))
        MODES.hooks = MODES.stack[-1]

    def __exit__(self, *_error: object) -> None:
        if not MODES.stack:
            raise RuntimeError("saved_tensors_hooks was left without having been entered")
        MODES.stack = MODES.stack[:-1]
        MODES.hooks = MODES.stack[-1] if MODES.stack else None


@contextmanager
def disable_saved_tensors_hooks(error_message: str) -> Iterator[None]:
    """A context in which entering `saved_tensors_hooks` is a RuntimeError with that message.

    Errors: RuntimeError with it at once, if hooks are in force already.
    """
    if MODES.stack:
        raise RuntimeError(error_message)
    before = MODES.hooks_disabled
    MODES.hooks_disabled = error_message
    try:
        yield
    finally:
        MODES.hooks_disabled = before
