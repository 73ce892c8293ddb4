"""The source of the native functions of `word_checks`. Imports numba: only the compiler imports this module."""

# The function below is typed by Numba, not by annotations.
# mypy: ignore-errors

from __future__ import annotations

from numba import types

from ..compiler.pointers import pointer_i64
from ..compiler.python_calls import ask_python
from ..plan.table_layout import ARRAY_DATA, DICT_VERSION, DICT_VERSION_STEP
from .checks import external

ask = ask_python()
error_occurred = external("PyErr_Occurred", types.int64)
incref = external("Py_IncRef", types.void, types.int64)


def agree(owner, arguments, nargs):
    """The builtin: `owner` is the table: how many places, whom to ask, False, True; then each place and its word."""
    table = pointer_i64(pointer_i64(owner + ARRAY_DATA)[0])
    for number in range(table[0]):
        if pointer_i64(table[4 + 2 * number])[0] != table[5 + 2 * number]:
            if ask(table[1], number) != 1:
                if error_occurred() != 0:
                    return 0
                incref(table[2])
                return table[2]
    incref(table[3])
    return table[3]


def count_write(event, owner, key, value):
    """The watcher of dicts: it gives the dict that is about to change another version."""
    place = pointer_i64(owner + DICT_VERSION)
    place[0] = place[0] + DICT_VERSION_STEP
    return 0
