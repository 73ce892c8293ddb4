"""Classes that jitted functions make: another one at each call, known by their class statement alone."""

from __future__ import annotations

import types
from typing import Any, ClassVar

from ..core.records import dataclass
from .advice.remedies import no_edit
from .describe import describe
from .guard import Guard
from .pool import Pool
from .reasons import ReasonChange

_DICT, _QUALNAME, _MRO = (vars(type)[name].__get__ for name in ("__dict__", "__qualname__", "__mro__"))

_STATEMENTS: set[tuple[object, str]] = set()
"""The statements that traces have met: the module and the qualified name of their classes."""


def note_statement(module: object, name: str) -> None:
    """Note that jitted functions make classes of this module and qualified name."""
    if type(module) is str:
        _STATEMENTS.add((module, name))


def statement_of(value: Any) -> str | None:
    """The name of the statement that makes a class, a base of it, or the class of an object or a method.

    None for anything else. No code of the object's class runs.
    """
    if not _STATEMENTS:
        return None
    if type(value) is types.MethodType:
        return statement_of(value.__self__) or statement_of(value.__func__)
    if type(value) is types.FunctionType:
        name = value.__code__.co_qualname.rpartition(".")[0]
        return name if (value.__globals__.get("__name__"), name) in _STATEMENTS else None
    own = _MRO(value) if issubclass(type(value), type) else ()
    for cls in (*own, *_MRO(type(value))):
        module, name = _DICT(cls).get("__module__"), _QUALNAME(cls)
        if type(module) is type(name) is str and (module, name) in _STATEMENTS:
            return name
    return None


@dataclass(frozen=True)
class OfStatement(Guard):
    """The value is a class that a class statement of jitted code makes, an object of one, or a method of either."""

    statement: str = ""
    kind: ClassVar[str] = "type"
    cost: ClassVar[int] = 100

    def text(self, pool: Pool) -> str:
        return f"{pool.add(statement_of)}({self.source.text(pool)}) == {self.statement!r}"

    def fact(self) -> str:
        return f"{self.source} is, or belongs to, a class {self.statement}"

    def change(self, found: object) -> ReasonChange:
        remedy = no_edit("each call makes another class; one that is defined outside the function is compiled once")
        return ReasonChange(str(self.source), f"of a class {self.statement}", describe(found), remedy, 2)
