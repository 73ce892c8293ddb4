"""The memory that what a record keeps lies in, and which records share it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from ..core.devices.arrays import ARRAY_TYPES
from ..core.dtypes import DType
from ..core.user_line import UserLine
from ..tensor.storage import owner_of
from ..tensor.tensor import Tensor
from .hook_pairs import HookPart, PackedByHook
from .save_info import SaveInfo

_SMALL = (type(None), bool, int, float, complex, str, DType, np.dtype, np.generic, SaveInfo, UserLine, type)
"""Types that stand beside the data in a packed value, and are not worth counting."""


class Held(NamedTuple):
    """The memory that one record keeps: bytes of elements, the numbers of its pieces, and types that are not known."""

    nbytes: int
    groups: tuple[int, ...]
    unknown: tuple[str, ...]


class PackedMemory:
    """The pieces of memory found so far, numbered. It keeps them alive, so that no address is used twice."""

    def __init__(self) -> None:
        self._found: dict[int, tuple[int, int, Any]] = {}

    def sizes(self) -> dict[int, int]:
        """By number: the bytes of each piece."""
        return {number: nbytes for number, nbytes, _ in self._found.values()}

    def hold(self, value: Any) -> Held:
        """The memory of `value`: a tensor or an array, or such in tuples, lists, sets, dicts and dataclass objects."""
        nbytes, groups, unknown = 0, dict[int, None](), dict[str, None]()
        seen: set[int] = set()
        waiting = [value]
        while waiting:
            each = waiting.pop()
            if id(each) in seen or isinstance(each, _SMALL):
                continue
            seen.add(id(each))
            parts = _parts(each)
            if parts is not None:
                waiting += reversed(list(parts))
                continue
            size = self._piece(each, groups)
            if size is None:
                unknown[type(each).__name__] = None
            else:
                nbytes += size
        return Held(nbytes, tuple(groups), tuple(unknown))

    def _piece(self, value: Any, groups: dict[int, None]) -> int | None:
        """The bytes of the elements of `value`, whose memory joins `groups`; None for what cannot be measured."""
        if isinstance(value, Tensor):
            value = value._array
        if isinstance(value, ARRAY_TYPES):
            owner: Any = owner_of(value)
            size = int(owner.nbytes)
            elements = min(int(value.nbytes), size)
        elif isinstance(value, (bytes, bytearray)):
            owner, size = value, len(value)
            elements = size
        else:
            return None
        number, _, _ = self._found.setdefault(id(owner), (len(self._found), size, owner))
        groups[number] = None
        return elements


def _parts(value: Any) -> Iterable[Any] | None:
    """The parts that `value` is made of; None for what is no container."""
    if isinstance(value, (PackedByHook, HookPart)):
        return (value.value,)
    if isinstance(value, dict):
        return list(value.values())
    if isinstance(value, (tuple, list, set, frozenset)):
        return list(value)
    if dataclasses.is_dataclass(value):
        return [getattr(value, each.name, None) for each in dataclasses.fields(value)]
    return None
