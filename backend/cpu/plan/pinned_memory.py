"""The arrays that plans keep alive for the addresses in their tables, each by one pin that all the plans share.

So it can be told how many of the references to an array are those of plans: one, or none (see
`runtime/taken_memory.py`).
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable
from typing import Any

import numpy as np

from ....core.watch import LOCK


class Pin:
    """A reference that keeps an array alive."""

    __slots__ = ("__weakref__", "array")

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self.array = array


_PINS: weakref.WeakValueDictionary[int, Pin] = weakref.WeakValueDictionary()
"""The pins that live, by the identity of the array."""


def pinned(arrays: Iterable[np.ndarray[Any, Any]]) -> list[Pin]:
    """The pin of each of the arrays, which the caller keeps."""
    found = []
    with LOCK:
        for array in arrays:
            pin = _PINS.get(id(array))
            if pin is None:
                pin = _PINS[id(array)] = Pin(array)
            found.append(pin)
    return found


def is_pinned(array: np.ndarray[Any, Any]) -> bool:
    """Whether plans keep the array alive."""
    return id(array) in _PINS
