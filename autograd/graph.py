"""The public module `autograd.graph`: nodes, edges, hooks on several tensors, and all about saved tensors."""

from __future__ import annotations

from collections.abc import Iterable

from ..tensor.tensor import Tensor
from .allow_mutation import allow_mutation_on_saved_tensors
from .checked_hooks import Check, HookCheckError
from .edges import GradientEdge, edge_of
from .function_node import FunctionNode
from .handles import RemovableHandle
from .hook_contexts import disable_saved_tensors_hooks, saved_tensors_hooks
from .inlineable import inlineable
from .multi_grad import register_multi_grad_hook
from .node import Node
from .save_info import SaveInfo
from .save_on_cpu import save_on_cpu
from .saved import SavedTensor
from .saved_listing import list_saved_tensors

__all__ = [
    "Check",
    "GradientEdge",
    "HookCheckError",
    "Node",
    "RemovableHandle",
    "SaveInfo",
    "SavedTensor",
    "allow_mutation_on_saved_tensors",
    "disable_saved_tensors_hooks",
    "get_gradient_edge",
    "increment_version",
    "inlineable",
    "list_saved_tensors",
    "register_multi_grad_hook",
    "save_on_cpu",
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
    """Counts one write to each tensor, as if an in-place operation had changed it; inference tensors have no count.

    Errors: RuntimeError for an element that is no tensor; then nothing is counted.
    """
    listed = (tensor,) if isinstance(tensor, Tensor) else tuple(tensor)
    for each in listed:
        if not isinstance(each, Tensor):
            raise RuntimeError(f"increment_version takes a Tensor or an iterable of them, got {type(each).__name__}")
    for each in listed:
        if not each._counter.inference:
            each._counter.value += 1
