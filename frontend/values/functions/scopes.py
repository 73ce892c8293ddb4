"""The places to which names of a function lead: closure cells, and the scopes of global and free names."""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Any, ClassVar

from ....core.records import dataclass
from ....guards.containers import LacksKey
from ....guards.sources import Attribute, CellOf, ConstantSource, Free, Global, Item, Named, OwnCell, Source
from ...breaks import RAISES, SIDE_EFFECT, ProgramRaised
from ..base import Value, wrap

if TYPE_CHECKING:
    from ...tracing.trace import Trace


@dataclass(eq=False)
class Cell:
    """A closure cell; `value` is None while it is empty."""

    value: Value | None = None
    source: Source | None = None
    """The way to the cell itself, when it existed before the call."""
    outside: ClassVar[bool] = False


class CellValue(Value):
    """A closure cell as an object on the stack."""

    __slots__ = ("cell",)

    def __init__(self, cell: Cell) -> None:
        self.cell = cell

    @property
    def python_type(self) -> type:
        return types.CellType


class VariableScope:
    """The places to which a function's global and free names lead."""

    def global_value(self, trace: Trace, name: str) -> Value:
        """The value of a global name. Errors: a break when it is not defined."""
        raise NotImplementedError

    def free_cell(self, trace: Trace, name: str) -> Cell:
        """The cell of a free variable."""
        raise NotImplementedError

    def globals(self) -> dict[str, Any]:
        """The dict of global names."""
        raise NotImplementedError

    def builtins(self) -> dict[str, Any]:
        """The dict of built-in names."""
        raise NotImplementedError


class OuterScope(VariableScope):
    """The scope of a function that existed before the trace.

    `source` leads to the function; None stands for the jitted one itself.
    """

    def __init__(self, function: types.FunctionType, source: Source | None) -> None:
        self.function = function
        self.source = source
        self.cells: dict[str, Cell] = {}

    def global_value(self, trace: Trace, name: str) -> Value:
        table = self.function.__globals__
        changed, now = trace.effects.external.changed_name(table, name)
        if now is not None:
            return now
        if changed:
            if name in self.builtins():
                raise SIDE_EFFECT.stop(name=f"the global {name!r}, which hid a built-in name,")
            raise RAISES.stop(error=f"NameError: name {name!r} is not defined")
        if self._names_global(name):
            source: Source = Global(name)
        else:
            source = Item(ConstantSource(table, f"{table.get('__name__', '?')}.__dict__"), name)
        if name in table:
            return wrap(trace, table[name], _readable(source, name))
        return self._builtin(trace, name)

    def _names_global(self, name: str) -> bool:
        # A function made inside may read a global that a variable of ours hides in the entry code.
        code = self.function.__code__
        return self.source is None and name not in (*code.co_varnames, *code.co_cellvars, *code.co_freevars)

    def globals(self) -> dict[str, Any]:
        return self.function.__globals__

    def builtins(self) -> dict[str, Any]:
        return self.function.__builtins__  # type: ignore[attr-defined,no-any-return]

    def _builtin(self, trace: Trace, name: str) -> Value:
        scope = self.builtins()
        if name not in scope:
            trace.guard(LacksKey, ConstantSource(self.function.__globals__, "globals"), key=name)
            trace.guard(LacksKey, ConstantSource(scope, "builtins"), key=name)
            raise ProgramRaised(NameError(f"name {name!r} is not defined"))
        if self._names_global(name):
            return wrap(trace, scope[name], Global(name))
        trace.guard(LacksKey, ConstantSource(self.function.__globals__, "globals"), key=name)
        return wrap(trace, scope[name], Item(ConstantSource(scope, "builtins"), name))

    def free_cell(self, trace: Trace, name: str) -> Cell:
        if name not in self.cells:
            index = self.function.__code__.co_freevars.index(name)
            assert self.function.__closure__ is not None
            real = self.function.__closure__[index]
            place: Source = OwnCell(name)  # not the cell at hand: another function may have the same code
            contents: Source = Free(name)
            if self.source is not None:
                text = f"the cell of {name} that {self.source} closes over"
                place = Named(Item(Attribute(self.source, "__closure__"), index), text)
                contents = CellOf(self.source, index, name)
            self.cells[name] = trace.effects.external.cell(real, place, contents, name)
        return self.cells[name]


def _readable(source: Source, name: str) -> Source:
    return source if isinstance(source, Global) else Named(source, name)


class InnerScope(VariableScope):
    """The scope of a function made during the trace."""

    def __init__(self, outer: VariableScope, names: tuple[str, ...], cells: list[Cell]) -> None:
        self.outer = outer
        self.cells = dict(zip(names, cells, strict=True))

    def global_value(self, trace: Trace, name: str) -> Value:
        while isinstance(self.outer, InnerScope):
            self.outer = self.outer.outer
        return self.outer.global_value(trace, name)

    def free_cell(self, trace: Trace, name: str) -> Cell:
        return self.cells[name]

    def globals(self) -> dict[str, Any]:
        return self.outer.globals()

    def builtins(self) -> dict[str, Any]:
        return self.outer.builtins()
