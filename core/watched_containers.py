"""A dict and a list that tell who watches them of every change. They are what modules and optimizers keep things in.

For everything else they are plain: copies, pickles, slices and sums of them are plain dicts and lists.
"""

# Note [Write, then tell]
# A container is written first and asked for watchers afterwards; whoever subscribes asks once more, afterwards, whether
# the fact still holds (`guards.assumptions.subscribe`). So whichever comes first in two threads, a change is not lost.
# Where a write that changes nothing is not told, the old value is read and the new one written under `LOCK`.

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, SupportsIndex, TypeVar

from .watch import LOCK, Watchers, changed, changed_all

K = TypeVar("K")
V = TypeVar("V")


class _Structure:
    """The key under which a container tells that its length, its keys or their order changed."""

    def __repr__(self) -> str:
        return "STRUCTURE"


STRUCTURE = _Structure()
_MISSING = object()
_MEANWHILE = "it was changed meanwhile"

_dict_set, _dict_get, _dict_update, _dict_setdefault = dict.__setitem__, dict.get, dict.update, dict.setdefault
_list_set, _list_append = list.__setitem__, list.append


class WatchedDict(dict[K, V]):
    """A dict that tells of `STRUCTURE` when a key comes or goes, and of a key when its value comes, changes or goes.

    To set the very object that is there already is no change.
    """

    __slots__ = ("__weakref__", "_watchers")
    _watchers: Watchers | None

    def __new__(cls, *args: Any, **kwargs: Any) -> WatchedDict[K, V]:
        self = dict.__new__(cls)
        self._watchers = None
        return self

    def __init__(self, /, *args: Any, **kwargs: Any) -> None:
        if args or kwargs:
            self.update(*args, **kwargs)

    def __setitem__(self, key: K, value: V) -> None:
        if self._watchers is None:
            _dict_set(self, key, value)
            if self._watchers is not None:
                changed_all(self, _MEANWHILE)
            return
        with LOCK:
            old = _dict_get(self, key, _MISSING)
            _dict_set(self, key, value)
        if old is not value:
            _tell(self, key, "added" if old is _MISSING else "set anew")

    def __delitem__(self, key: K) -> None:
        dict.__delitem__(self, key)
        if self._watchers is not None:
            _tell(self, key, "removed")

    def pop(self, key: K, default: Any = _MISSING, /) -> Any:
        value = dict.pop(self, key, _MISSING)
        if value is _MISSING:
            return dict.pop(self, key) if default is _MISSING else default
        if self._watchers is not None:
            _tell(self, key, "removed")
        return value

    def popitem(self) -> tuple[K, V]:
        item = dict.popitem(self)
        if self._watchers is not None:
            _tell(self, item[0], "removed")
        return item

    def setdefault(self, key: K, default: Any = None) -> Any:
        if self._watchers is None:
            value = _dict_setdefault(self, key, default)
            if self._watchers is not None:
                changed_all(self, _MEANWHILE)
            return value
        with LOCK:
            count = len(self)
            value = _dict_setdefault(self, key, default)
            added = len(self) != count
        if added:
            _tell(self, key, "added")
        return value

    def clear(self) -> None:
        with LOCK:
            gone = dict(self)  # freed outside the lock: that may run anybody's code
            dict.clear(self)
        if self._watchers is not None:
            for key in gone:
                _tell(self, key, "removed")

    def update(self, /, *args: Any, **kwargs: Any) -> None:
        if self._watchers is None:
            try:
                _dict_update(self, *args, **kwargs)
            finally:
                if self._watchers is not None:
                    changed_all(self, _MEANWHILE)
            return
        incoming: dict[K, V] = {}
        try:
            _dict_update(incoming, *args, **kwargs)
        finally:  # what came before an error stays, as in a plain dict
            self._put(incoming)

    def _put(self, incoming: dict[K, V]) -> None:
        """Sets all keys at once, so that an interrupt finds all of them or none."""
        with LOCK:
            old = {key: _dict_get(self, key, _MISSING) for key in incoming}
            _dict_update(self, incoming)
        for key, value in incoming.items():
            if old[key] is not value:
                _tell(self, key, "added" if old[key] is _MISSING else "set anew")

    def __ior__(self, other: Any) -> WatchedDict[K, V]:  # type: ignore[override,misc]
        self.update(other)
        return self

    def __copy__(self) -> dict[K, V]:
        return dict(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (), None, None, iter(self.items())


class WatchedList(list[V]):
    """A list that tells of `STRUCTURE` at every change. To set the very object that is there already is none."""

    __slots__ = ("__weakref__", "_watchers")
    _watchers: Watchers | None

    def __new__(cls, *args: Any, **kwargs: Any) -> WatchedList[V]:
        self = list.__new__(cls)
        self._watchers = None
        return self

    def __init__(self, iterable: Iterable[V] = (), /) -> None:
        try:
            list.__init__(self, iterable)
        finally:
            if self._watchers is not None:
                _tell_list(self, "it was filled anew")

    def __setitem__(self, index: Any, value: Any) -> None:
        if self._watchers is None or type(index) is not int:
            try:
                _list_set(self, index, value)
            finally:  # a slice may be set from what writes here itself, and raises
                if self._watchers is not None:
                    _tell_list(self, "elements were set anew")
            return
        with LOCK:
            old = list.__getitem__(self, index) if -len(self) <= index < len(self) else _MISSING
            _list_set(self, index, value)
        if old is not value:
            _tell_list(self, "an element was set anew")

    def __delitem__(self, index: Any) -> None:
        list.__delitem__(self, index)
        if self._watchers is not None:
            _tell_list(self, "an element was removed")

    def append(self, value: V) -> None:
        _list_append(self, value)
        if self._watchers is not None:
            _tell_list(self, "an element was added")

    def extend(self, values: Iterable[V]) -> None:
        try:
            list.extend(self, values)
        finally:  # what came before an error stays
            if self._watchers is not None:
                _tell_list(self, "elements were added")

    def insert(self, index: SupportsIndex, value: V) -> None:
        list.insert(self, index, value)
        if self._watchers is not None:
            _tell_list(self, "an element was added")

    def pop(self, index: SupportsIndex = -1) -> V:
        value = list.pop(self, index)
        if self._watchers is not None:
            _tell_list(self, "an element was removed")
        return value

    def remove(self, value: V) -> None:
        list.remove(self, value)
        if self._watchers is not None:
            _tell_list(self, "an element was removed")

    def clear(self) -> None:
        list.clear(self)
        if self._watchers is not None:
            _tell_list(self, "it was cleared")

    def sort(self, *, key: Callable[[V], Any] | None = None, reverse: bool = False) -> None:
        try:
            list.sort(self, key=key, reverse=reverse)  # type: ignore[arg-type,type-var]
        finally:  # a comparison that raises leaves it half sorted
            if self._watchers is not None:
                _tell_list(self, "it was sorted")

    def reverse(self) -> None:
        list.reverse(self)
        if self._watchers is not None:
            _tell_list(self, "it was reversed")

    def __iadd__(self, values: Iterable[V]) -> WatchedList[V]:  # type: ignore[override,misc]
        self.extend(values)
        return self

    def __imul__(self, count: SupportsIndex) -> WatchedList[V]:
        if not hasattr(type(count), "__index__"):
            return NotImplemented
        list.__imul__(self, count)
        if self._watchers is not None:
            _tell_list(self, "it was repeated")
        return self

    def __copy__(self) -> list[V]:
        return list(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return list, (), None, iter(self)


def _tell(owner: WatchedDict[Any, Any], key: Any, what: str) -> None:
    changed(owner, key, lambda: f"{_named(key)} was {what}")
    if what != "set anew":
        changed(owner, STRUCTURE, lambda: f"{_named(key)} was {what}")


def _tell_list(owner: WatchedList[Any], what: str) -> None:
    changed(owner, STRUCTURE, what)


def _named(key: Any) -> str:
    """A key in words: its value, if that is short and runs nobody's code."""
    if type(key) in (str, int, bool, float) or key is None:
        text = repr(key)
        return text if len(text) <= 60 else text[:57] + "…"
    return f"the entry of a {type(key).__name__}"
