"""Who is told when a tensor's `.grad` is another one, so that nobody has to look at each call.

Plans that read the gradients of known tensors subscribe; see backend/cpu/posts.py for what they do when they are told.
"""

# Note [Who tells]
# Whoever sets `.grad` calls `told` afterwards. The gradient is marked then: whatever changes a marked tensor in place,
# beyond its elements, goes through `watch.changed`, which counts it in `watch.MOVES`. Both only say "look again", so it
# does not matter how many say it, or in which order; it has to come after the write.

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any

from .watch import LOCK, MARKED, Watchers, put_watchers

Post = Callable[[int], Any]


class _Ever:
    """Whether anybody has subscribed since the process began."""

    __slots__ = ("subscribed",)
    subscribed: bool


EVER = _Ever()
EVER.subscribed = False


class Posts:
    """What one plan is told of, if of anything. It keeps nothing of the plan alive."""

    __slots__ = ("_post",)

    def __init__(self) -> None:
        self._post: weakref.ref[Post] | None = None

    def subscribe(self, post: Post, owners: Sequence[Any]) -> None:
        """See `subscribe`."""
        self._post = weakref.ref(post)
        subscribe(post, owners)

    def hold(self) -> bool:
        """Whether looking everywhere again finds what the plan was told."""
        post = None if self._post is None else self._post()
        return post is None or post(-1) is not NotImplemented


def subscribe(post: Post, owners: Sequence[Any]) -> None:
    """Calls `post(number)` whenever the `.grad` of `owners[number]` is set, and once now. `post` is not kept alive."""
    EVER.subscribed = True
    reference = weakref.ref(post)
    with LOCK:
        for number, owner in enumerate(owners):
            watchers = owner._watchers
            if watchers is None or watchers is MARKED:
                watchers = Watchers()
                watchers.marked = owner._watchers is MARKED
                put_watchers(owner, watchers)
            watchers.posts = (*(each for each in watchers.posts if each[0]() is not None), (reference, number))
    for owner in owners:
        told(owner)


def told(owner: Any) -> None:
    """Tells those who read the gradient of a tensor that its `.grad` was set."""
    watchers = owner._watchers
    if watchers is None or not watchers.posts:
        return
    if owner._grad is not None:
        mark(owner._grad)
    tell(watchers.posts)


def mark(gradient: Any) -> None:
    """Has every change of a gradient counted from now on."""
    with LOCK:
        if gradient._watchers is None:
            put_watchers(gradient, MARKED)
        else:
            gradient._watchers.marked = True


def tell(posts: tuple[tuple[weakref.ref[Post], int], ...]) -> None:
    """Calls each of the posts that still live."""
    for reference, number in posts:
        post = reference()
        if post is not None:
            post(number)
