"""The offsets of the members of `__slots__` in objects, found from their descriptors."""

from __future__ import annotations

import ctypes
import sys
from functools import cache
from types import MemberDescriptorType
from weakref import WeakKeyDictionary

from ....core.errors import KernelError
from .cpython_api import object_address, word_at

# PyMemberDescrObject: head, type, name, qualified name, then the definition's address.
# Source: CPython, Include/cpython/descrobject.h.
_DESCRIPTOR_DEFINITION = 40
_OBJECT_OR_UNSET = 16  # T_OBJECT_EX: reading an empty one raises AttributeError

_known: WeakKeyDictionary[type, dict[str, int]] = WeakKeyDictionary()


class _Definition(ctypes.Structure):
    """PyMemberDef. Source: CPython, Include/structmember.h and Include/descrobject.h."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("code", ctypes.c_int),
        ("offset", ctypes.c_ssize_t),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


class _SlotProbe:
    """Two slots, a dictionary and weak references: all that moves slots about."""

    __slots__ = ("__dict__", "__weakref__", "full", "unset")


def slot_offset(kind: type, name: str) -> int:
    """The offset at which objects of class `kind` hold what their slot `name` refers to, 0 while unset. Units: bytes.

    Errors: KernelError when the class has no such slot, or this interpreter lays slots out otherwise.
    """
    known = _known.setdefault(kind, {})
    if name not in known:
        if not _slots_are_known():
            raise KernelError(
                f"the native CPU runtime does not know how this Python {sys.version.split()[0]} lays out the members "
                "of __slots__. GUARDLIFT_DISABLE=1 runs plain Python."
            )
        known[name] = _offset(kind, name)
    return known[name]


def _offset(kind: type, name: str) -> int:
    """The offset that the first class of the MRO with this name gives it."""
    found = next((base.__dict__[name] for base in kind.__mro__ if name in base.__dict__), None)
    if not isinstance(found, MemberDescriptorType) or not issubclass(kind, found.__objclass__):
        raise KernelError(f"{kind.__qualname__}.{name} is no member of __slots__, so a plan cannot follow it")
    definition = _definition(found)
    inside = 16 <= definition.offset <= kind.__basicsize__ - 8 and definition.offset % 8 == 0
    if definition.name != found.__name__.encode() or definition.code != _OBJECT_OR_UNSET or not inside:
        raise KernelError(f"{kind.__qualname__}.{name} is no slot that holds an object, so a plan cannot follow it")
    return int(definition.offset)


def _definition(descriptor: MemberDescriptorType) -> _Definition:
    place = object_address(descriptor) + _DESCRIPTOR_DEFINITION
    return _Definition.from_address(word_at(place))


@cache
def _slots_are_known() -> bool:
    """Whether a live object's slots are where their descriptors say, as this module reads them."""
    probe, content = _SlotProbe(), object()
    probe.full = content  # type: ignore[attr-defined]
    start = object_address(probe)
    found = []
    for name, wanted in (("full", object_address(content)), ("unset", 0)):
        definition = _definition(_SlotProbe.__dict__[name])
        if definition.name != name.encode() or definition.code != _OBJECT_OR_UNSET:
            return False
        if not 16 <= definition.offset <= _SlotProbe.__basicsize__ - 8:
            return False
        found.append(word_at(start + definition.offset) == wanted)
    return all(found)
