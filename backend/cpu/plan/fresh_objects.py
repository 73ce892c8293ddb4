"""Builtins that make fresh objects of a class; see `core.fresh_objects`."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np

from ....core.fresh_objects import WAITING, FreshForm
from ....core.once import once
from ..compiler.fixed_programs import FRESH_OBJECT, obtain_program
from . import fresh_object_table as at
from .cpython_api import MethodDefinition, new_builtin, object_address
from .slot_offsets import slot_offset

_METH_FASTCALL = 0x0080


class _FreshTable(np.ndarray[Any, Any]):
    """The table of such a builtin, which keeps alive what it names."""

    pins: tuple[Any, ...]


def make_natively() -> None:
    """Has native code make the objects of all classes that wait for it. The layouts of objects have been checked."""
    while WAITING:
        try:
            form = WAITING.pop()
        except IndexError:  # another thread was faster
            return
        _take_up(form)


def _take_up(form: FreshForm) -> None:
    made = form.sample()
    others = [name for name in form.kind.__slots__ if name not in (*form.given, form.shared, "__weakref__")]  # type: ignore[attr-defined]
    first = [getattr(made, each) for each in others]
    words = [*map(object_address, (form.kind, None, TypeError)), 0, slot_offset(form.kind, form.shared)]
    words += [len(others), len(form.given)]
    for name, value in zip(others, first, strict=True):
        words += [slot_offset(form.kind, name), object_address(value)]
    words += [slot_offset(form.kind, each) for each in form.given]
    table = np.array(words, np.int64).view(_FreshTable)
    table.pins = (form, *first)
    cells = (ctypes.c_int64 * len(words)).from_address(table.ctypes.data)
    makers: list[Any] = []  # a thread may be about to call one that was there before

    def make_by(make: Callable[[], Any]) -> None:
        if make not in makers:
            makers.append(make)
        cells[at.FRESH_MAKE] = object_address(make)

    form.take(new_builtin(_definition(), table), make_by)


@once
def _definition() -> MethodDefinition:
    """The definition lives for ever, since the builtins point to it."""
    program = obtain_program(FRESH_OBJECT)
    return MethodDefinition(b"fresh_object", program.address, _METH_FASTCALL, b"Make an object of a class.")
