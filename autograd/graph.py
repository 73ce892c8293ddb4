"""The public module `autograd.graph`: nodes, gradient edges, and the stack of saved-tensor hooks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from ..tensor.tensor import Tensor
from .checked_hooks import Check, HookCheckError, check_of
from .edges import GradientEdge, edge_of
from .function_node import FunctionNode
from .handles import RemovableHandle
from .hook_pairs import hooks_of
from .modes import MODES
from .multi_grad import register_multi_grad_hook
from .node import Node
from .save_info import SaveInfo
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
    "register_multi_grad_hook",
    "save_on_cpu",
    "list_saved_tensors",
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


class saved_tensors_hooks:  # noqa: N801
    """A context in which each tensor saved for backward is kept as ``pack_hook(tensor)``.

    Backward gets ``unpack_hook`` of that. A `pack_hook` that requires two positional arguments is called as
    ``pack_hook(tensor, info)``, with a `SaveInfo`. Of nested contexts only the innermost pair applies, unless that is
    composed.

    compose: this pair packs first, then the pairs around it pack what it gave, out to the first that is not composed;
        unpacking goes the other way. In a chain a pack hook gives a tensor, or tensors in tuples, lists and dicts.
    check: True, or a `Check` with tolerances: each packed value is unpacked once at once and compared with the tensor,
        and a tensor that is written before backward is an error, as it is without hooks.
    Errors: RuntimeError on entering while `disable_saved_tensors_hooks` forbids it; TypeError for a `check` of another
    type. While it is in force: TypeError for a pair in a chain that cannot pack what it is given; HookCheckError.
    """

    compose: bool = False
    check: Check | None = None

    def __init__(
        self,
        pack_hook: Callable[..., Any],
        unpack_hook: Callable[[Any], Tensor],
        *,
        compose: bool = False,
        check: Check | bool | None = None,
    ) -> None:
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook
        self.compose = compose
        self.check = check_of(check)

    def __enter__(self) -> None:
        if MODES.hooks_disabled is not None:
            raise RuntimeError(MODES.hooks_disabled)
        below = MODES.stack[-1] if self.compose and MODES.stack else None
        MODES.stack = (*MODES.stack, hooks_of(self.pack_hook, self.unpack_hook, self.check, below))
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


# These build on the contexts above.
from .allow_mutation import allow_mutation_on_saved_tensors  # noqa: E402
from .save_on_cpu import save_on_cpu  # noqa: E402
