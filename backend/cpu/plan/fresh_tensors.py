"""Fresh tensors, made by native code: compiled code gives them at each call, and eager operations one each.

Python sets their slots one by one, which takes longer than to add two small arrays.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np

from ....core.once import once
from ....tensor import tensor as tensors
from ....tensor.tensor import Tensor
from ..compiler.fixed_programs import FRESH_TENSOR, obtain_program
from . import fresh_tensor_table as at
from .cpython_api import MethodDefinition, new_builtin, object_address
from .slot_offsets import slot_offset

_METH_FASTCALL = 0x0080
_OWN = ("_array", "_storage", "_counter")
"""The slots that each tensor has its own of."""


class _Table(np.ndarray[Any, Any]):
    """The table of the builtin, which keeps alive what it names."""

    pins: tuple[Any, ...]


@once
def make_tensors_natively() -> None:
    """From now on `Tensor._wrap` is a builtin that does what the one in Python does. The layouts have been checked."""
    made = Tensor._wrap(np.zeros(()))
    others = [each for each in Tensor.__slots__ if each not in (*_OWN, "__weakref__")]
    first = [getattr(made, each) for each in others]
    known = [Tensor, None, TypeError, tensors.new_counter]
    words = [object_address(each) for each in known]
    words += [slot_offset(Tensor, each) for each in _OWN] + [len(others)]
    for name, value in zip(others, first, strict=True):
        words += [slot_offset(Tensor, name), object_address(value)]
    table = np.array(words, np.int64).view(_Table)
    table.pins = (*known, *first)
    cells = (ctypes.c_int64 * len(words)).from_address(table.ctypes.data)
    counters: list[Any] = []  # they stay alive, since a thread may be about to call one

    def count_with(make: Callable[[], Any]) -> None:
        if make not in counters:
            counters.append(make)
        cells[at.FRESH_NEW_COUNTER] = object_address(make)

    Tensor._wrap = new_builtin(_definition(), table)  # type: ignore[method-assign]
    tensors.follow_counter(count_with)


@once
def _definition() -> MethodDefinition:
    """The definition lives for ever, since the builtin points to it."""
    return MethodDefinition(
        b"_wrap", obtain_program(FRESH_TENSOR).address, _METH_FASTCALL, b"A fresh tensor over an array."
    )
