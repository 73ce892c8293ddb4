"""Functions that a call makes and gives away: real functions with the code, cells, defaults and names Python's have."""

from __future__ import annotations

import functools
import types
from typing import TYPE_CHECKING

from ..values.base import Value
from ..values.containers.sequences import TupleValue
from ..values.functions.functions import BoundMethod, FunctionValue
from ..values.functions.scopes import CellValue, VariableScope

if TYPE_CHECKING:
    from .reconstruct import EntryWriter


def rebuild_function(writer: EntryWriter, function: FunctionValue) -> str:
    """The variable that holds a function which the call makes; the variables it closes over may lead back to it."""
    known = writer.name_of(function)
    if known is not None:
        return known
    cells = [rebuild_cell(writer, function.scope, name) for name in function.code.co_freevars]
    known = writer.name_of(function)  # one of the variables may hold it
    if known is not None:
        return known
    closure = f"({', '.join(cells)}{',' if len(cells) == 1 else ''})" if cells else "None"
    defaults = "None" if function.defaults is None else function.defaults.rebuild(writer)
    parts = [function.code, function.scope.globals(), function.code.co_name]
    given = ", ".join([*map(writer.pool.add, parts), defaults, closure])
    text = f"{writer.pool.add(types.FunctionType)}({given})"
    name = writer.name_for(function)
    writer.statements.append(f"{name} = {text}")
    _dress(writer, function, name)
    return name


def _dress(writer: EntryWriter, function: FunctionValue, name: str) -> None:
    """Write what completes a new function: keyword defaults, annotations, what `functools.wraps` does, attributes."""
    if function.keyword_defaults is not None:
        writer.statements.append(f"{name}.__kwdefaults__ = {function.keyword_defaults.rebuild(writer)}")
    if isinstance(function.annotations, TupleValue):
        parts = [each.rebuild(writer) for each in function.annotations.items]
        pairs = ", ".join(f"{key}: {value}" for key, value in zip(parts[::2], parts[1::2], strict=True))
        writer.statements.append(f"{name}.__annotations__ = {{{pairs}}}")
    if function.annotate is not None:
        writer.statements.append(f"{name}.__annotate__ = {function.annotate.rebuild(writer)}")
    if function.wrapped is not None:
        if function.wrapped.attributes is not None:
            raise function.unsupported("functools.wraps of a function with new attributes, and a return")
        place = function.wrapped.rebuild(writer)
        writer.statements.append(f"{writer.pool.add(functools.update_wrapper)}({name}, {place})")
    if function.attributes is not None:
        writer.statements += writer.fill_dict(function.attributes, f"{name}.__dict__")


def rebuild_cell(writer: EntryWriter, scope: VariableScope, name: str) -> str:
    """The expression for the cell of a free variable: the very one, if it existed before the call."""
    cell = scope.free_cell(writer.trace, name)
    known = writer.name_of(cell)
    if known is not None:
        return known
    if cell.outside:
        if cell.source is None:
            raise CellValue(cell).unsupported("a return")
        return cell.source.text(writer.pool)
    root = writer.trace.progress.root
    if writer.trace.progress.provenance is not None and root is not None and root.owns(cell):
        raise CellValue(cell).unsupported("a function that closes over it and goes on behind a split")
    place = writer.name_for(cell)
    writer.statements.append(f"{place} = {writer.pool.add(types.CellType)}()")
    if cell.value is not None:
        writer.statements.append(f"{place}.cell_contents = {cell.value.rebuild(writer)}")
    return place


def rebuild_method(writer: EntryWriter, method: BoundMethod) -> str:
    """The variable that holds a bound method which the call makes."""
    known = writer.name_of(method)
    if known is not None:
        return known
    if method.python_type is not types.MethodType or method.function.python_type is not types.FunctionType:
        raise method.unsupported("a return")
    parts: list[Value] = [method.function, method.receiver]
    text = f"{writer.pool.add(types.MethodType)}({', '.join(each.rebuild(writer) for each in parts)})"
    name = writer.name_for(method)
    writer.statements.append(f"{name} = {text}")
    return name
