"""pandas' Series and DataFrames from outside: the arrays of their columns are inputs of the graph."""

# Note [Arrays of tables]
# A table itself is not looked into: its labels are pandas' matter, and what aligns them is mostly written in C. What
# programs take out of it before they compute are arrays, by `to_numpy`, `values`, `np.asarray` or a column's name, and
# those the entry code takes out again at each call. Whether pandas gives its own memory, which then cannot be written
# through, or an array made anew, is checked at each call. The first is a new view of the input, since it is another
# object each time; the second is a copy of it in the graph, since the program may write there and give it away.

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ....guards.computed_sources import CallSource
from ....guards.guard import Equals, TypeIs
from ....guards.sources import Source
from ....guards.tables import column, columns, fresh_elements, kind_of, row_count, shared_elements
from ...breaks import GraphBreak
from ..base import Value, wrap, wraps_when
from ..constant import Constant
from ..containers.sequences import ListValue

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace
    from .array import ArrayValue

_OF_ELEMENTS = frozenset("shape size ndim dtype".split())


class TableValue(Value):
    """A Series or a DataFrame. See Note [Arrays of tables]."""

    __slots__ = ("source", "table")

    def __init__(self, table: Any, source: Source) -> None:
        self.table = table
        self.source: Source = source

    @property
    def python_type(self) -> type:
        return type(self.table)

    @property
    def is_series(self) -> bool:
        """Whether it is one column."""
        return kind_of(self.table) == "Series"

    def elements_array(self, trace: Trace) -> ArrayValue:
        """The array that `to_numpy()` gives. Errors: a break for one that no kernel reads."""
        if not self._is_plain():
            raise self.unsupported("the array, which is of no dtype of NumPy's or of objects,")
        given = self.table.to_numpy()
        if type(given) is not np.ndarray:
            raise self.unsupported("to_numpy()")
        is_fresh = given.flags.writeable
        if is_fresh and np.may_share_memory(given, self.table.to_numpy()):
            raise self.unsupported("to_numpy(), which can be written through,")
        read = fresh_elements if is_fresh else shared_elements
        place = CallSource(read, f"{self.source}.to_numpy()", (self.source,), is_read=True)
        known = (each for each in trace.inputs.arrays.values() if each.source == place)
        base: Any = next(known, None) or wrap(trace, given, place)
        if is_fresh:
            return base.attribute(trace, "copy").call(trace, [Constant("K")], {})  # type: ignore[no-any-return]
        return base.item(trace, Constant(Ellipsis))  # type: ignore[no-any-return]

    def attribute(self, trace: Trace, name: str) -> Value:
        if name == "to_numpy":
            return _ToNumpy(self)
        if name == "values":
            return self.elements_array(trace)
        if name in _OF_ELEMENTS and self.is_series:
            return self.elements_array(trace).attribute(trace, name)
        if not self.is_series and self._names_column(name):
            return self._column(name)
        raise self.unsupported(f"the attribute {name!r}")

    def _is_plain(self) -> bool:
        """Whether the elements are of NumPy's own dtypes: `values` is another array else."""
        dtypes = [self.table.dtype] if self.is_series else self.table.dtypes
        return all(isinstance(each, np.dtype) and not each.hasobject for each in dtypes)

    def _names_column(self, name: Any) -> bool:
        """Whether an attribute of this name is a column: nothing else of the table has the name."""
        return not hasattr(type(self.table), name) and name not in vars(self.table) and name in self.table.columns

    def item(self, trace: Trace, key: Value) -> Value:
        if not self.is_series:
            if isinstance(key, ListValue):
                return self._columns([each.constant(trace) for each in key.elements(trace)])
            if key.is_constant() and type(key.constant(trace)) in (str, int):
                return self._column(key.constant(trace))
        raise self.unsupported("a subscript")

    def _column(self, name: Any) -> Value:
        try:
            found = column(self.table, name)
        except (KeyError, TypeError):
            raise self.unsupported(f"the column {name!r}") from None
        return TableValue(found, CallSource(column, f"{self.source}[{name!r}]", (self.source, name), is_read=True))

    def _columns(self, names: list[Any]) -> Value:
        known = list(self.table.columns)
        if not all(type(each) in (str, int) and known.count(each) == 1 for each in names):
            raise self.unsupported(f"the columns {names!r}")
        source = CallSource(columns, f"{self.source}[{names!r}]", (self.source, *names), is_read=True)
        return TableValue(columns(self.table, *names), source)

    def length(self, trace: Trace) -> int:
        if self.is_series and self._is_plain():
            return self.elements_array(trace).length(trace)
        count = row_count(self.table)
        trace.guard(Equals, CallSource(row_count, f"len({self.source})", (self.source,), is_read=True), expected=count)
        return count

    def rebuild(self, writer: EntryWriter) -> str:
        return writer.once(self, lambda: self.source.text(writer.pool))


class _ToNumpy(Value):
    """The method `to_numpy` of a table."""

    __slots__ = ("table",)

    def __init__(self, table: TableValue) -> None:
        self.table = table

    @property
    def python_type(self) -> type:
        raise self.unsupported("the type")

    def unsupported(self, operation: str) -> GraphBreak:
        return self.table.unsupported(f"to_numpy: {operation}")

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        copies = kwargs.get("copy", Constant(False))
        if args or kwargs.keys() - {"copy"} or not copies.is_constant():
            raise self.unsupported("such arguments")
        found = self.table.elements_array(trace)
        if copies.constant(trace) is True and not self.table.table.to_numpy().flags.writeable:
            return found.attribute(trace, "copy").call(trace, [Constant("K")], {})
        return found


@wraps_when(lambda value: kind_of(value) != "", first=True)
def wrap_table(trace: Trace, value: Any, source: Source) -> Value:
    """The traced table."""
    trace.guard(TypeIs, source, expected=type(value))
    return TableValue(value, source)


def array_if_table(trace: Trace, value: Value) -> Value:
    """The array of a table, for NumPy's functions that ask for it; any other value itself."""
    return value.elements_array(trace) if isinstance(value, TableValue) else value
