"""Lists of hooks, and the handles that take a hook out again."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable
from typing import Any

_numbers = itertools.count()


class _Hooks(dict[int, Callable[..., Any]]):
    """Hooks by number, in the order of their registration; a handle refers to it weakly. Who runs them runs a copy."""

    __slots__ = ("__weakref__",)


class RemovableHandle:
    """Takes one hook out: by `remove`, as often as one likes, or at the end of a ``with`` block."""

    __slots__ = ("_hooks", "_number")

    def __init__(self, hooks: _Hooks, number: int) -> None:
        self._hooks = weakref.ref(hooks)
        self._number = number

    def remove(self) -> None:
        """Takes the hook out; nothing if it is out already."""
        hooks = self._hooks()
        if hooks is not None:
            hooks.pop(self._number, None)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *_error: object) -> None:
        self.remove()


def new_hooks() -> _Hooks:
    """An empty list of hooks."""
    return _Hooks()


def add_hook(hooks: Any, hook: Callable[..., Any]) -> RemovableHandle:
    """The handle of `hook`, now the last of `hooks`."""
    number = next(_numbers)
    hooks[number] = hook
    return RemovableHandle(hooks, number)
