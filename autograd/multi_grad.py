"""Hooks that wait for the gradients of several tensors: `register_multi_grad_hook`."""

# Note [State of a pass]
# What has arrived so far is noted on the graph task itself. So passes that run at once, or one inside the other, cannot
# mix, and a pass that fails takes its notes along. Nodes and leaves are referred to weakly: they own the hooks.

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from functools import update_wrapper
from typing import Any, Literal

from ..tensor.tensor import Tensor
from .engine import GraphTask, current_task
from .handles import RemovableHandle
from .history import current_node
from .hooks import register_hook
from .node import Node

Hook = Callable[[Tensor], None]
Find = Callable[[], Node | None]


class MultiHandle(RemovableHandle):
    """Takes out the hooks of several tensors at once. Pickles as the tuple of their handles."""

    __slots__ = ("handles",)

    def __init__(self, handles: Sequence[RemovableHandle]) -> None:
        self.handles = tuple(handles)

    def remove(self) -> None:
        """Takes the hooks out; nothing if they are out already."""
        for handle in self.handles:
            handle.remove()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.handles,)


def register_multi_grad_hook(
    tensors: Sequence[Tensor],
    fn: Callable[[Sequence[Tensor | None]], None] | Callable[[Tensor], None],
    *,
    mode: Literal["all", "any"] = "all",
) -> RemovableHandle:
    """One handle for a hook on all of `tensors`, called at most once in a backward pass. It gives nothing back.

    mode: "all" calls ``fn(gradients)`` when the last of the gradients that the pass computes is there, with None for
        tensors it does not reach; "any" calls ``fn(gradient)`` with the first, and leaves out tensors without grad.
    Errors: ValueError for another mode; RuntimeError in mode "all" for a tensor that does not require grad. Then no
        hook is registered.
    """
    if mode not in ("all", "any"):
        raise ValueError(f"register_multi_grad_hook got mode {mode!r}; expected 'all' or 'any'")
    tensors = tuple(tensors)
    if mode == "any":
        hook = _first(fn)
        tensors = tuple(each for each in tensors if each.requires_grad)
        return MultiHandle([register_hook(each, hook) for each in tensors])
    for place, each in enumerate(tensors):
        if not each.requires_grad:
            raise RuntimeError(
                "cannot register a hook on a tensor that doesn't require gradient: register_multi_grad_hook got one at "
                f"index {place}; leave it out, or use mode='any', which skips such tensors"
            )
    waiting = _Waiting(fn, [_finder(each) for each in tensors])
    return MultiHandle([register_hook(each, waiting.hook(place)) for place, each in enumerate(tensors)])


class _Waiting:
    """Collects one gradient after the other, and calls `fn` with the last."""

    __slots__ = ("find", "fn")

    def __init__(self, fn: Callable[[Any], None], find: list[Find]) -> None:
        self.fn = fn
        self.find = find
        """For each tensor, what gives the node whose hook it has."""

    def hook(self, place: int) -> Hook:
        """The hook that is registered on the tensor at `place`."""

        def gradient_arrived(gradient: Tensor) -> None:
            self._arrived(place, gradient)

        return update_wrapper(gradient_arrived, self.fn)

    def _arrived(self, place: int, gradient: Tensor) -> None:
        task = _running()
        if self not in task.notes:
            task.notes[self] = self._expected(task)
        gradients, missing = task.notes[self]
        gradients[place] = gradient
        missing -= 1
        task.notes[self] = gradients, missing
        if not missing:
            del task.notes[self]
            self.fn(gradients)

    def _expected(self, task: GraphTask) -> tuple[list[Tensor | None], int]:
        """Room for the gradients, and how many are to come in this pass."""
        return [None] * len(self.find), sum(task.reaches(find()) for find in self.find)


def _first(fn: Callable[[Any], None]) -> Hook:
    """The hook that calls `fn` with the first gradient of each pass."""

    def gradient_arrived(gradient: Tensor) -> None:
        notes = _running().notes
        if gradient_arrived not in notes:
            notes[gradient_arrived] = True
            fn(gradient)

    return update_wrapper(gradient_arrived, fn)


def _finder(tensor: Tensor) -> Find:
    """A function that gives, at any time, the node that the hooks on `tensor` now belong to, while it lives."""
    node = current_node(tensor)
    if node is not None:
        return weakref.ref(node)
    leaf = weakref.ref(tensor)

    def accumulator() -> Node | None:
        alive = leaf()
        reference = alive._accumulator if alive is not None else None
        return None if reference is None else reference()

    return accumulator


def _running() -> GraphTask:
    task = current_task()
    if task is None:
        raise AssertionError("a hook of register_multi_grad_hook was called, and no backward pass is running")
    return task
