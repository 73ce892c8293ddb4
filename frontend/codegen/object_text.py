"""Objects that a call makes as expressions of entry code: containers and instances, once for each object."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import field
from itertools import groupby
from typing import TYPE_CHECKING, Protocol

from ...core.records import dataclass
from ...guards.pool import Pool
from ..breaks import UNKNOWN_VALUE
from ..values.base import Value
from ..values.constant import Constant
from ..values.containers.dicts import DictValue, dict_key
from ..values.containers.ranges import SliceValue
from ..values.containers.sequences import ListValue, Sequence, TupleValue
from ..values.containers.sets import SetValue
from ..values.numbers.symbolic_int import SymInt

if TYPE_CHECKING:
    from ..tracing.trace import Trace
    from .reconstruct import EntryWriter


class MadeObject(Protocol):
    """The traced value of an object that the call makes in two steps."""

    def maker(self, writer: EntryWriter, /) -> str:
        """The expression for the object before it holds anything."""

    def fill(self, writer: EntryWriter, name: str, /) -> list[str]:
        """The statements that give the new object in the variable `name` what it holds."""


@dataclass
class ObjectWriter(ABC):
    """Collects the statements that make objects, and under which name each can be read."""

    trace: Trace
    pool: Pool
    statements: list[str] = field(default_factory=list, kw_only=True)
    _names: dict[int, str] = field(default_factory=dict, kw_only=True)
    _open: set[int] = field(default_factory=set, kw_only=True)
    _kept: list[object] = field(default_factory=list, kw_only=True)

    def container(self, value: Sequence | DictValue | SetValue | SliceValue) -> str:
        """The expression for a container: itself if it came from outside, else built anew, once for each object."""
        if isinstance(value, (ListValue, DictValue)) and value.held_by is not None:
            raise value.unsupported("a return")  # nobody but its object has it
        if value.source is not None:
            return value.source.text(self.pool)
        if id(value) in self._names:
            return self._names[id(value)]
        if isinstance(value, TupleValue):
            return self.once(value, lambda: self.literal(value))
        return self._named_container(value)

    def _named_container(self, value: Sequence | DictValue | SetValue | SliceValue) -> str:
        """The variable for a new list or dict; one that holds itself is made empty first, and filled then."""
        name = self._names[id(value)] = f"__guardlift_value_{len(self._names)}__"
        self._kept.append(value)
        start = len(self.statements)
        text = self.literal(value)
        if any(name in each for each in (text, *self.statements[start:])):
            fill = "extend" if isinstance(value, ListValue) else "update"
            self.statements.insert(start, f"{name} = {self.pool.add(value.python_type)}()")
            self.statements.append(f"{name}.{fill}({text})")
        else:
            self.statements.append(f"{name} = {text}")
        return name

    def once(self, value: object, make: Callable[[], str]) -> str:
        """The variable that holds an object which `make` gives the expression of; one for each object."""
        if id(value) not in self._names:
            if id(value) in self._open:
                raise UNKNOWN_VALUE.stop(operation="a return", name="an object that holds itself")
            self._open.add(id(value))
            text = make()
            name = f"__guardlift_value_{len(self._names)}__"
            self.statements.append(f"{name} = {text}")
            self._open.discard(id(value))
            self._names[id(value)] = name
            self._kept.append(value)
        return self._names[id(value)]

    def made_object(self, value: MadeObject) -> str:
        """The variable that holds an object which the call makes, once for each; it may lead back to itself."""
        if id(value) not in self._names:
            name = self.name_for(value)
            self.statements.append(f"{name} = {value.maker(self._writer)}")
            self.statements += value.fill(self._writer, name)
        return self._names[id(value)]

    def name_of(self, value: object) -> str | None:
        """The text by which something that was built can be read; None before that."""
        return self._names.get(id(value))

    def name_for(self, value: object, text: str = "") -> str:
        """The text by which it can be read from now on: a new variable, or `text`."""
        self._kept.append(value)
        self._names[id(value)] = text or f"__guardlift_value_{len(self._names)}__"
        return self._names[id(value)]

    def fill_dict(self, table: DictValue, place: str) -> list[str]:
        """The statements after which the dict at `place`, now empty, is the traced one."""
        if id(table) in self._names:
            return [f"{place} = {self._names[id(table)]}"]
        if id(table) in self._open:
            raise table.unsupported("returning a dict that holds its own object")
        self.name_for(table, place)
        if len(table.items) <= _MANY:  # one by one, which leaves the keys in the table that the class's objects share
            items = [(dict_key(self._writer, key), each.rebuild(self._writer)) for key, each in table.items.items()]
            return [f"{place}[{key}] = {text}" for key, text in items]
        return [f"{place}.update({self.literal(table)})"] if table.items else []

    def is_made(self, value: object) -> bool:
        """Whether a variable holds the object already."""
        return id(value) in self._names

    def literal(self, value: Sequence | DictValue | SetValue | SliceValue) -> str:
        """The expression that makes such a container."""
        if isinstance(value, (SetValue, SliceValue)):
            return value.literal(self._writer)
        if isinstance(value, DictValue):
            if len(value.items) > _MANY and all(_is_free_constant(each) for each in value.items.values()):
                known = {key: each.constant(self.trace) for key, each in value.items.items()}
                return f"{{**{self.pool.add(known)}}}"
            items = [
                f"{dict_key(self._writer, key)}: {each.rebuild(self._writer)}" for key, each in value.items.items()
            ]
            return "{" + ", ".join(items) + "}"
        parts = self._elements(value.items)
        if isinstance(value, ListValue):
            return f"[{', '.join(parts)}]"
        return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"

    def _elements(self, items: list[Value]) -> list[str]:
        """The expressions for elements in a row; many constants are unpacked, so that code does not grow with them."""
        parts: list[str] = []
        for constant, group in groupby(items, _is_free_constant):
            row = list(group)
            if constant and len(row) > _MANY:
                parts.append(f"*{self.pool.add(tuple(each.constant(self.trace) for each in row))}")
            else:
                parts += [each.rebuild(self._writer) for each in row]
        return parts

    @property
    @abstractmethod
    def _writer(self) -> EntryWriter:
        """The writer of the whole entry, by which values are rebuilt."""


_MANY = 16
"""Constants in a row that are written out one by one."""


def _is_free_constant(value: Value) -> bool:
    """Whether a value is known and no object of the caller's."""
    return isinstance(value, Constant) and value.source is None and type(value) is not SymInt
