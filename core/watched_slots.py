"""Who is told when a tensor's `.grad` is another one, so that nobody has to look at each call.

Plans that read the gradients of known tensors subscribe; backend/cpu/plan/watched_slots.py says what they do when they
are told.
"""

# Note [Who tells]
# Whoever sets `.grad` does so by `set_grad`, or calls `told` afterwards. The gradient is marked then, for good:
# whatever changes a tensor in place, beyond its elements, goes through `changing_tensor`, which counts it in `MOVES` if
# the tensor is marked. Both only say "look again", so it does not matter how many say it, or in which order; it has to
# come after the write. Where an exception comes between, as KeyboardInterrupt may, every plan looks everywhere again.
# A mark is a flag of its own, not a subscription: those are changed under a lock, and gradients are set too often.

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .watch import LOCK, Watchers, changing, put_watchers, tell

Subscriber = Callable[[int], Any]
MOVES = np.zeros(1, np.int64)
"""The number of changes of marked tensors so far. Native code reads it."""


class _Ever:
    """Whether anybody has subscribed since the process began."""

    __slots__ = ("subscribed",)
    subscribed: bool


EVER = _Ever()
EVER.subscribed = False


class SlotSubscription:
    """The subscription of one plan to watched slots, if it has one. It keeps nothing of the plan alive."""

    __slots__ = ("_subscriber",)

    def __init__(self) -> None:
        self._subscriber: weakref.ref[Subscriber] | None = None

    def subscribe(self, subscriber: Subscriber, owners: Sequence[Any]) -> None:
        """See `subscribe`."""
        self._subscriber = weakref.ref(subscriber)
        subscribe(subscriber, owners)

    def hold(self) -> bool:
        """Whether looking everywhere again finds what the plan was told."""
        subscriber = None if self._subscriber is None else self._subscriber()
        return subscriber is None or subscriber(-1) is not NotImplemented


def subscribe(subscriber: Subscriber, owners: Sequence[Any]) -> None:
    """Calls `subscriber(number)` when the `.grad` of `owners[number]` is set, and once now; keeps none alive."""
    EVER.subscribed = True
    reference = weakref.ref(subscriber)
    with LOCK:
        for number, owner in enumerate(owners):
            watchers = owner._watchers
            if watchers is None:
                watchers = Watchers()
                put_watchers(owner, watchers)
            watchers.subscribers = (
                *(each for each in watchers.subscribers if each[0]() is not None),
                (reference, number),
            )
    for owner in owners:
        told(owner)


def told(owner: Any) -> None:
    """Tells those who read the gradient of a tensor that its `.grad` was set."""
    watchers = owner._watchers
    if watchers is None or not watchers.subscribers:
        return
    grad = owner._grad
    if grad is not None:
        grad._marked = True
    for reference, number in watchers.subscribers:  # as `tell` does it; each leaf of each backward pass comes here
        subscriber = reference()
        if subscriber is not None:
            subscriber(number)


def set_grad(owner: Any, grad: Any) -> None:
    """Sets the `.grad` of a tensor, and tells those who read it."""
    try:
        owner._grad = grad
        told(owner)
    except BaseException:
        with LOCK:
            MOVES[0] += 1
        raise


def tell_tensor(tensor: Any, key: Any, what: str = "") -> None:
    """Does what `watch.tell` does, for a tensor, which may be marked. To be called before the change and after it."""
    if tensor._marked:
        with LOCK:
            MOVES[0] += 1
    tell(tensor, key, what)


class changing_tensor(changing):
    """Does what `watch.changing` does, for a tensor, which may be marked."""

    __slots__ = ()

    @staticmethod
    def tell(owner: Any, key: Any, what: Any) -> None:
        """Tells that the key changes."""
        tell_tensor(owner, key, what)
