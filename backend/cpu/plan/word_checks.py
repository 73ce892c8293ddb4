"""Builtins that compare words of memory with what they held: a few nanoseconds for each, and no Python where all agree.

What is asked so are the versions of dicts, which change with every write, whoever writes and however.
"""

# Note [Versions of dicts]
# Up to 3.13 CPython gives a dict another number with every write. In 3.14 that word holds, in its lowest twelve bits,
# who watches the dict and what the interpreter's own watcher counts; the others are free where there is a GIL. There a
# watcher of ours, native code that runs before each change, counts in the free ones.
# Source: Objects/dictobject.c (ma_version_tag), 3.11 to 3.13; Include/cpython/dictobject.h (_ma_watcher_tag), 3.14.

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ....core.once import once
from ..compiler.fixed_programs import AGREE, COUNT_WRITE, obtain_program
from . import table_layout as at
from .cpython_api import MethodDefinition, check_layouts, new_builtin, object_address, word_at

_METH_FASTCALL = 0x0080


class _CheckedWords(np.ndarray[Any, Any]):
    """The table of a check, which keeps alive what it names."""

    pins: tuple[Any, ...]


_NOTHING_YET = -1
"""No version: what is expected of a word that nobody has looked at."""


def word_check(places: Sequence[int], look: Callable[[int], bool], *, numbered: bool = False) -> Callable[[], bool]:
    """The builtin that says whether the words at these addresses are what they are now.

    Where one is not, `look` is called with its number among the places: True makes its new value the one that is
    expected, and False ends the check. Whoever owns the memory ends the use of the check before that memory is freed.
    numbered: each is the version of a class. It is looked at at the first call, and again as long as it is 0.
    """
    check_layouts()
    asking = _Asking(places, look, numbered)
    words = [len(places), object_address(asking), object_address(False), object_address(True)]
    for place in places:
        words += [place, _NOTHING_YET if numbered else _word(place)]
    table = np.array(words, np.int64).view(_CheckedWords)
    table.pins = (asking,)
    asking.words = (ctypes.c_int64 * len(words)).from_address(table.ctypes.data)
    return new_builtin(_definition(), table)


class _Asking:
    """The object that the builtin asks where a word has changed. The builtin keeps it, and the memory of its words."""

    __slots__ = ("_look", "_numbered", "_places", "words")
    words: ctypes.Array[ctypes.c_int64]

    def __init__(self, places: Sequence[int], look: Callable[[int], bool], numbered: bool) -> None:
        self._places, self._look, self._numbered = tuple(places), look, numbered

    def __call__(self, number: int) -> bool:
        word = _word(self._places[number])  # before looking: whatever changes from here on changes it again
        if not self._look(number):
            return False
        if not self._numbered or word & 0xFFFFFFFF:
            self.words[5 + 2 * number] = word
        return True


def _word(place: int) -> int:
    return ctypes.c_int64.from_address(place).value


def version_place(owner: dict[Any, Any]) -> int:
    """The address of the version of a dict, which every write changes from now on. See Note [Versions of dicts]."""
    if not _numbers_writes():
        watch = ctypes.pythonapi.PyDict_Watch
        watch.argtypes = [ctypes.c_int, ctypes.py_object]
        watch(_watcher(), owner)
    return object_address(owner) + at.DICT_VERSION


def type_place(thing: object) -> int:
    """The address of the type of an object."""
    return object_address(thing) + at.OBJECT_TYPE


class _Kind(dict):  # type: ignore[type-arg]
    """A dict as modules have one for their attributes."""


class _WordProbe:
    __slots__ = ("__dict__",)


@functools.cache
def dicts_have_versions() -> bool:
    """Whether the writes to dicts are numbered here, by CPython or by a watcher of ours."""
    check_layouts()
    if _numbers_writes():
        return True
    try:
        return _changes_with_writes(version_place)
    except (AttributeError, RuntimeError):  # it has no watchers, or all are taken
        return False


@functools.cache
def _numbers_writes() -> bool:
    """Whether this Python itself numbers the writes to dicts."""
    return _changes_with_writes(lambda owner: object_address(owner) + at.DICT_VERSION)


@functools.cache
def _watcher() -> int:
    """The number of our watcher of dicts. Errors: RuntimeError where CPython has no place for it."""
    add = ctypes.pythonapi.PyDict_AddWatcher
    add.argtypes = [ctypes.c_void_p]
    return int(add(obtain_program(COUNT_WRITE).address))


def _changes_with_writes(place_of: Callable[[dict[Any, Any]], int]) -> bool:
    """Whether the word there behaves as the version of a dict, found out on an object made for it.

    It changes with a new key, a new value and a deleted key, also past the object's own `__setattr__`, and with nothing
    else.
    """
    probe = _WordProbe()
    object.__setattr__(probe, "__dict__", _Kind())
    attributes = vars(probe)
    place = place_of(attributes)
    seen: set[int] = set()

    def is_new() -> bool:
        number = word_at(place)
        known = number in seen
        seen.add(number)
        return not known

    is_new()
    for value in (1, 2):
        object.__setattr__(probe, "name", value)
        if not is_new():
            return False
    object.__delattr__(probe, "name")
    if not is_new():
        return False
    attributes.get("name"), len(attributes), getattr(probe, "name", None), list(attributes)
    return not is_new()


@once
def _definition() -> MethodDefinition:
    """The one definition that all checks share; builtins point to it, so it lives for ever."""
    told = b"Whether words of memory are as before."
    return MethodDefinition(b"agree", obtain_program(AGREE).address, _METH_FASTCALL, told)
