"""Lists of hooks, and the handles that take a hook out again."""

from __future__ import annotations

import itertools
import os
import weakref
from collections.abc import Callable
from typing import Any

_numbers = itertools.count()


class _Hooks(dict[int, Callable[..., Any]]):
    """Hooks by number, in the order of their registration; a handle refers to it weakly. Who runs them runs a copy."""

    __slots__ = ("__weakref__", "take_out")
    take_out: Callable[[dict[int, Callable[..., Any]], int], None] | None
    """Takes the hook of a number out, and tells whoever relies on the hooks; None where nobody does."""


class RemovableHandle:
    """Takes one hook out: by `remove`, as often as one likes, or at the end of a ``with`` block.

    A copy, by pickle too, takes the same hook out; in another process it does nothing.
    """

    __slots__ = ("_hooks", "_number")

    def __init__(self, hooks: _Hooks, number: int) -> None:
        self._hooks = weakref.ref(hooks)
        self._number = number

    def remove(self) -> None:
        """Takes the hook out; nothing if it is out already."""
        hooks = self._hooks()
        if hooks is None or self._number not in hooks:
            return
        if hooks.take_out is None:
            hooks.pop(self._number, None)
        else:
            hooks.take_out(hooks, self._number)

    def __reduce__(self) -> tuple[Any, ...]:
        hooks = self._hooks()
        if hooks is not None:
            _pickled[self._number] = hooks
        return _restored, (_PROCESS, self._number)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *_error: object) -> None:
        self.remove()


_PROCESS = os.urandom(8).hex()
_pickled: weakref.WeakValueDictionary[int, _Hooks] = weakref.WeakValueDictionary()
"""By the number of a hook whose handle was pickled: the list it is in."""


def _restored(process: str, number: int) -> RemovableHandle:
    """The handle that was pickled; one of a hook that is gone if that was in another process."""
    hooks = _pickled.get(number) if process == _PROCESS else None
    return RemovableHandle(new_hooks() if hooks is None else hooks, number)


def new_hooks(take_out: Callable[[dict[int, Callable[..., Any]], int], None] | None = None) -> _Hooks:
    """An empty list of hooks. take_out: see `_Hooks`."""
    hooks = _Hooks()
    hooks.take_out = take_out
    return hooks


def add_hook(hooks: Any, hook: Callable[..., Any]) -> RemovableHandle:
    """The handle of `hook`, now the last of `hooks`."""
    number = next(_numbers)
    hooks[number] = hook
    return RemovableHandle(hooks, number)
