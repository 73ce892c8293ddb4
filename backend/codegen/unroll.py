"""Several rows of a column reduction at once: each accumulator is loaded and stored once for all of them."""

from __future__ import annotations

from collections.abc import Iterable

from ...core.records import replace
from ...loop_ir.ir import Accumulate, ColumnReduction, Let, Statement
from ...loop_ir.passes.rename import renamed

ROWS = 4
NARROW_BYTES = 1024
"""Bytes of a row below which rows are taken together, as they are where a row has several blocks. Rows in between come
from memory up to 2.8 times as fast one after the other, and from caches as fast. Measured on an AMD EPYC."""
MOST_LETS = 12
"""Lets of one row above which rows are not taken together: the text, and its compile time, would grow too much."""


def can_take_rows_together(columns: ColumnReduction) -> bool:
    """Whether the rows hold nothing but values and accumulations."""
    body = (*columns.per_row, *columns.body)
    plain = all(isinstance(each, Let) for each in columns.per_row) and all(
        isinstance(each, (Let, Accumulate)) for each in columns.body
    )
    return plain and len(body) <= MOST_LETS


def narrow(columns: ColumnReduction) -> int:
    """Columns below which a row is short: see `NARROW_BYTES`."""
    widest = max(each.dtype.itemsize for each in columns.body if isinstance(each, Accumulate))
    return NARROW_BYTES // widest


def row_copy(statements: Iterable[Statement], row: str, number: int, names: dict[str, str]) -> tuple[Statement, ...]:
    """The statements for the row `number` rows on; its values get names of their own, entered in `names`."""
    names[row] = f"{row}_{number}"
    return tuple(_copy(each, names, number) for each in statements)


def _copy(each: Statement, names: dict[str, str], number: int) -> Statement:
    if isinstance(each, Let):
        expression = renamed(each.expression, names)
        names[each.name] = f"{each.name}_{number}"
        return Let(names[each.name], each.dtype, expression)
    assert isinstance(each, Accumulate)
    return replace(each, value=names.get(each.value, each.value))
