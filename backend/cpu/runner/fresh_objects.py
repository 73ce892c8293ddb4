"""The source of the builtin that makes fresh objects. Imports numba: only the compiler imports this module."""

# The function below is typed by Numba, not by annotations. Constants come from `fresh_object_table` by a star.
# mypy: ignore-errors
# ruff: noqa: F403, F405

from __future__ import annotations

from numba import types

from ..compiler.pointers import pointer_i64
from ..plan.fresh_object_table import *
from ..plan.table_layout import ARRAY_DATA
from .checks import WORD, decref, external

allocate = external("PyType_GenericAlloc", WORD, WORD, WORD)
call = external("PyObject_CallNoArgs", WORD, WORD)
incref = external("Py_IncRef", types.void, WORD)
set_error = external("PyErr_SetNone", types.void, WORD)


def fresh_object(owner, arguments, nargs):
    """The builtin: `owner` is the table. The arguments are what the given slots refer to, and maybe what is shared, or
    None. A new reference; 0 with an exception set."""
    table = pointer_i64(pointer_i64(owner + ARRAY_DATA)[0])
    if nargs < 1 or nargs > 2:
        set_error(table[FRESH_WRONG_CALL])
        return 0
    shared = arguments[1] if nargs == 2 else table[FRESH_NONE]
    if shared == table[FRESH_NONE]:
        shared = call(table[FRESH_MAKE])
        if shared == 0:
            return 0
    else:
        incref(shared)
    made = allocate(table[FRESH_TYPE], 0)
    if made == 0:
        decref(shared)
        return 0
    pointer_i64(made + table[FRESH_SHARED])[0] = shared
    others = table[FRESH_COUNT]
    for number in range(others):
        value = table[FRESH_SLOTS + 2 * number + 1]
        incref(value)
        pointer_i64(made + table[FRESH_SLOTS + 2 * number])[0] = value
    for number in range(table[FRESH_GIVEN]):
        incref(arguments[0])
        pointer_i64(made + table[FRESH_SLOTS + 2 * others + number])[0] = arguments[0]
    return made
