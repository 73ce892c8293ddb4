"""The source of the builtin that makes fresh tensors. Imports numba: only the compiler imports this module."""

# The function below is typed by Numba, not by annotations. Constants come from `fresh_tensor_table` by a star.
# mypy: ignore-errors
# ruff: noqa: F403, F405

from __future__ import annotations

from numba import types

from ..compiler.pointers import pointer_i64
from ..plan.fresh_tensor_table import *
from ..plan.table_layout import ARRAY_DATA
from .checks import WORD, decref, external

allocate = external("PyType_GenericAlloc", WORD, WORD, WORD)
call = external("PyObject_CallNoArgs", WORD, WORD)
incref = external("Py_IncRef", types.void, WORD)
set_error = external("PyErr_SetNone", types.void, WORD)


def fresh_tensor(owner, arguments, nargs):
    """The builtin: `owner` is the table, the arguments are an array, and maybe the version counter to share, or None.
    The tensor, a new reference; 0 with an exception set."""
    table = pointer_i64(pointer_i64(owner + ARRAY_DATA)[0])
    if nargs < 1 or nargs > 2:
        set_error(table[FRESH_WRONG_CALL])
        return 0
    counter = arguments[1] if nargs == 2 else table[FRESH_NONE]
    if counter == table[FRESH_NONE]:
        counter = call(table[FRESH_NEW_COUNTER])
        if counter == 0:
            return 0
    else:
        incref(counter)
    made = allocate(table[FRESH_TYPE], 0)
    if made == 0:
        decref(counter)
        return 0
    for number in range(table[FRESH_COUNT]):
        value = table[FRESH_SLOTS + 2 * number + 1]
        incref(value)
        pointer_i64(made + table[FRESH_SLOTS + 2 * number])[0] = value
    array = arguments[0]
    incref(array)
    incref(array)
    pointer_i64(made + table[FRESH_ARRAY])[0] = array
    pointer_i64(made + table[FRESH_STORAGE])[0] = array
    pointer_i64(made + table[FRESH_VERSIONS])[0] = counter
    return made
