"""Arrays of pandas' tables, as entry code reads them at each call: functions that run code of pandas' alone.

Each raises TypeError or KeyError where it finds something else than when its function was traced; the entry does not
fit then.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np


def kind_of(value: object) -> str:
    """ "Series" or "DataFrame" for an object of exactly that class of pandas', from version 3 on; else "".

    Before, what shares memory with a table may be written through, and nothing about it tells whether it does.
    """
    pandas = sys.modules.get("pandas")
    if pandas is None or not hasattr(pandas, "DataFrame"):  # it is being imported
        return ""
    kind = type(value)
    name = "Series" if kind is pandas.Series else "DataFrame" if kind is pandas.DataFrame else ""
    return name if name and int(pandas.__version__.partition(".")[0]) >= 3 else ""


def column(frame: Any, name: Any) -> Any:
    """The Series under a name that one column has."""
    if kind_of(frame) != "DataFrame":
        raise TypeError
    found = frame[name]
    if kind_of(found) != "Series":
        raise TypeError
    return found


def columns(frame: Any, *names: Any) -> Any:
    """The DataFrame of some columns."""
    if kind_of(frame) != "DataFrame":
        raise TypeError
    return frame[list(names)]


def shared_elements(table: Any) -> np.ndarray[Any, Any]:
    """The array of a table, which cannot be written through."""
    return _elements(table, is_writeable=False)


def fresh_elements(table: Any) -> np.ndarray[Any, Any]:
    """The array of a table, made for who asks."""
    return _elements(table, is_writeable=True)


def row_count(table: Any) -> int:
    """Its number of rows."""
    if not kind_of(table):
        raise TypeError
    return len(table)


def _elements(table: Any, is_writeable: bool) -> np.ndarray[Any, Any]:
    if not kind_of(table):
        raise TypeError
    found = table.to_numpy()
    if type(found) is not np.ndarray or found.flags.writeable != is_writeable:
        raise TypeError
    return found
