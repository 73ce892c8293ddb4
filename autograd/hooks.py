"""Hooks on tensors: `register_hook`, `retain_grad`, `register_post_accumulate_grad_hook`, and running them."""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable
from typing import Any

from ..core.locks import ForkSafeLock
from ..core.watched_slots import changing_tensor
from ..tensor.tensor import Tensor
from .handles import RemovableHandle, add_hook, new_hooks
from .history import current_node, is_retaining, keep_retaining

_CHANGING = ForkSafeLock()
"""Held while the hooks of a leaf are given a place, or lose it."""


class LeafHooks:
    """The hooks of one leaf. They live on the leaf, until the last is taken out: its accumulator may be made anew."""

    __slots__ = ("accumulated", "gradient")

    def __init__(self, leaf: Tensor) -> None:
        take_out = functools.partial(_take_out, weakref.ref(leaf))
        self.gradient = new_hooks(take_out)
        """Called with the gradient, before it is accumulated."""
        self.accumulated = new_hooks(take_out)
        """Called with the leaf, after it was."""


def _take_out(reference: weakref.ref[Tensor], hooks: dict[int, Callable[..., Any]], number: int) -> None:
    leaf = reference()
    if leaf is None:
        hooks.pop(number, None)
        return
    with changing_tensor(leaf, "hooks", "a hook was taken out"), _CHANGING:
        hooks.pop(number, None)
        held = leaf._hooks
        if held is not None and not held.gradient and not held.accumulated:
            leaf._hooks = None


def register_hook(tensor: Tensor, hook: Callable[[Tensor], Tensor | None]) -> RemovableHandle:
    """The handle of ``hook(grad)``, called when the gradient of `tensor` is known; a tensor from it takes its place.

    Errors: RuntimeError for a tensor that does not require grad.
    """
    if not tensor.requires_grad:
        raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
    node = current_node(tensor)
    if node is None:
        return _added(tensor, "gradient", hook)
    with changing_tensor(tensor, "hooks", "a hook was registered on it"):
        if node.tensor_hooks is None:
            node.tensor_hooks = {}
        return add_hook(node.tensor_hooks.setdefault(tensor._output_nr, new_hooks()), hook)


def register_post_accumulate_grad_hook(leaf: Tensor, hook: Callable[[Tensor], None]) -> RemovableHandle:
    """The handle of ``hook(leaf)``, called after a backward pass has updated `leaf.grad`.

    Errors: RuntimeError for a tensor that does not require grad or is no leaf.
    """
    if not leaf.requires_grad:
        raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
    if current_node(leaf) is not None:
        raise RuntimeError("post accumulate grad hooks cannot be registered on non-leaf tensors")
    return _added(leaf, "accumulated", hook)


def _added(leaf: Tensor, kind: str, hook: Callable[..., Any]) -> RemovableHandle:
    with changing_tensor(leaf, "hooks", "a hook was registered on it"), _CHANGING:
        if leaf._hooks is None:
            leaf._hooks = LeafHooks(leaf)
        return add_hook(getattr(leaf._hooks, kind), hook)


def retain_grad(tensor: Tensor) -> None:
    """Makes backward passes fill `tensor.grad` though it is no leaf; nothing for a leaf.

    Errors: RuntimeError for a tensor that does not require grad.
    """
    if not tensor.requires_grad:
        raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
    if current_node(tensor) is not None:
        with changing_tensor(tensor, "hooks", "retain_grad was called on it"):
            keep_retaining(tensor)


def retains_grad(tensor: Tensor) -> bool:
    """Whether `retain_grad` was called on `tensor`, which is no leaf."""
    return current_node(tensor) is not None and is_retaining(tensor)


def run_tensor_hooks(hooks: Any, gradient: Tensor) -> Tensor:
    """`gradient` after each of the hooks has seen it. Errors: TypeError, RuntimeError for what is no such gradient."""
    for hook in list(hooks.values()):
        answer = hook(gradient)
        if answer is None:
            continue
        if not isinstance(answer, Tensor):
            raise TypeError(f"a tensor hook returns a Tensor or None, got {type(answer).__name__}")
        if answer.shape != gradient.shape:
            raise RuntimeError(
                f"hook {getattr(hook, '__name__', hook)!r} has changed the size of value: it got "
                f"{list(gradient.shape)} and returned {list(answer.shape)}"
            )
        gradient = answer
    return gradient


def run_accumulated_hooks(leaf: Tensor) -> None:
    """Calls the hooks that follow an update of `leaf.grad`. Errors: RuntimeError when one returns something."""
    hooks = leaf._hooks
    for hook in [] if hooks is None else list(hooks.accumulated.values()):
        if hook(leaf) is not None:
            raise RuntimeError("Tensor post accumulate grad hooks should return None.")
