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

from .watch import LOCK, Watchers, changing, tell, tell_all

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
                tell_all(self, _MEANWHILE)
            return
        self._put({key: value})

    def __delitem__(self, key: K) -> None:
        self._tell_of(key)
        dict.__delitem__(self, key)
        _tell(self, key, "removed")

    def pop(self, key: K, default: Any = _MISSING, /) -> Any:
        self._tell_of(key)
        value = dict.pop(self, key, _MISSING)
        if value is _MISSING:
            return dict.pop(self, key) if default is _MISSING else default
        _tell(self, key, "removed")
        return value

    def popitem(self) -> tuple[K, V]:
        if self._watchers is not None:
            with LOCK:
                last = list(self)[-1:]
            for key in last:
                _tell(self, key, "removed")
        item = dict.popitem(self)
        _tell(self, item[0], "removed")
        return item

    def _tell_of(self, key: K) -> None:
        """Tells that `key` is about to be removed, if it is there."""
        if self._watchers is not None and key in self:
            _tell(self, key, "removed")

    def setdefault(self, key: K, default: Any = None) -> Any:
        if self._watchers is None:
            value = _dict_setdefault(self, key, default)
            if self._watchers is not None:
                tell_all(self, _MEANWHILE)
            return value
        if key not in self:
            _tell(self, key, "added")
        with LOCK:
            count = len(self)
            value = _dict_setdefault(self, key, default)
            added = len(self) != count
        if added:
            _tell(self, key, "added")
        return value

    def clear(self) -> None:
        if self._watchers is not None:
            for key in tuple(self):
                _tell(self, key, "removed")
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
                    tell_all(self, _MEANWHILE)
            return
        incoming: dict[K, V] = {}
        try:
            _dict_update(incoming, *args, **kwargs)
        finally:  # what came before an error stays, as in a plain dict
            self._put(incoming)

    def _put(self, incoming: dict[K, V]) -> None:
        """Sets all keys at once, so that an interrupt finds all of them or none."""
        for key, verb in self._changes_by(incoming):
            _tell(self, key, verb)
        with LOCK:
            changes = self._changes_by(incoming)
            _dict_update(self, incoming)
        for key, verb in changes:
            _tell(self, key, verb)

    def _changes_by(self, incoming: dict[K, V]) -> list[tuple[K, str]]:
        """The keys that these entries add or set anew, each with the word for it."""
        old = ((key, _dict_get(self, key, _MISSING), value) for key, value in incoming.items())
        return [(key, "added" if held is _MISSING else "set anew") for key, held, value in old if held is not value]

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
        with changing(self, STRUCTURE, "it was filled anew"):
            list.__init__(self, iterable)

    def __setitem__(self, index: Any, value: Any) -> None:
        if type(index) is int and self._watchers is not None:
            held = self[index : index + 1 or None]
            if held and held[0] is value:
                return
        with changing(self, STRUCTURE, "elements were set anew" if type(index) is slice else "an element was set anew"):
            list.__setitem__(self, index, value)

    def __delitem__(self, index: Any) -> None:
        with changing(self, STRUCTURE, "an element was removed"):
            list.__delitem__(self, index)

    def append(self, value: V) -> None:
        with changing(self, STRUCTURE, "an element was added"):
            list.append(self, value)

    def extend(self, values: Iterable[V]) -> None:
        with changing(self, STRUCTURE, "elements were added"):
            list.extend(self, values)

    def insert(self, index: SupportsIndex, value: V) -> None:
        with changing(self, STRUCTURE, "an element was added"):
            list.insert(self, index, value)

    def pop(self, index: SupportsIndex = -1) -> V:
        with changing(self, STRUCTURE, "an element was removed"):
            return list.pop(self, index)

    def remove(self, value: V) -> None:
        with changing(self, STRUCTURE, "an element was removed"):
            list.remove(self, value)

    def clear(self) -> None:
        with changing(self, STRUCTURE, "it was cleared"):
            list.clear(self)

    def sort(self, *, key: Callable[[V], Any] | None = None, reverse: bool = False) -> None:
        with changing(self, STRUCTURE, "it was sorted"):  # a comparison that raises leaves it half sorted
            list.sort(self, key=key, reverse=reverse)  # type: ignore[arg-type,type-var]

    def reverse(self) -> None:
        with changing(self, STRUCTURE, "it was reversed"):
            list.reverse(self)

    def __iadd__(self, values: Iterable[V]) -> WatchedList[V]:  # type: ignore[override,misc]
        self.extend(values)
        return self

    def __imul__(self, count: SupportsIndex) -> WatchedList[V]:
        if not hasattr(type(count), "__index__"):
            return NotImplemented
        with changing(self, STRUCTURE, "it was repeated"):
            list.__imul__(self, count)
        return self

    def __copy__(self) -> list[V]:
        return list(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return list, (), None, iter(self)


def _tell(owner: WatchedDict[Any, Any], key: Any, what: str) -> None:
    """Tells that a key is added, set anew or removed. To be called before it and after it."""
    if owner._watchers is None:
        return
    tell(owner, key, lambda: f"{_named(key)} was {what}")
    if what != "set anew":
        tell(owner, STRUCTURE, lambda: f"{_named(key)} was {what}")


def _named(key: Any) -> str:
    """A key in words: its value, if that is short and runs nobody's code."""
    if type(key) in (str, int, bool, float) or key is None:
        text = repr(key)
        return text if len(text) <= 60 else text[:57] + "…"
    return f"the entry of a {type(key).__name__}"
