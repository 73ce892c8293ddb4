"""Regular expressions over known texts: patterns are compiled by `re` itself while tracing, and asked by it."""

from __future__ import annotations

import re
import types
import warnings
from typing import TYPE_CHECKING, Any

from ..guards.guard import Is
from ..guards.sources import Source
from .breaks import UNKNOWN_CALL
from .callables import traces
from .values.base import Value, wraps
from .values.constant import Constant
from .values.text import pure

if TYPE_CHECKING:
    from .reconstruct import Writer
    from .trace import Trace

_TELLS: dict[type, frozenset[str]] = {
    re.Pattern: frozenset("search match fullmatch findall split".split()),
    re.Match: frozenset("group groups start end span".split()),
}
"""Methods that depend on the object and known texts and numbers alone, and change nothing."""
_PARTS: dict[type, frozenset[str]] = {
    re.Pattern: frozenset({"pattern", "flags", "groups"}),
    re.Match: frozenset({"pos", "endpos", "string"}),
}


class PatternValue(Value):
    """A compiled pattern or a match: what `re` made of known texts."""

    def __init__(self, value: Any, source: Source | None = None) -> None:
        self.value = value
        self.source = source

    @property
    def python_type(self) -> type:
        return type(self.value)

    def truth(self, trace: Trace) -> bool:
        return True

    def attribute(self, trace: Trace, name: str) -> Value:
        if name in _TELLS[self.python_type]:
            return PatternMethod(self, name)
        if name in _PARTS[self.python_type]:
            return Constant(getattr(self.value, name))
        raise self.unsupported(f"the attribute {name!r}")

    def rebuild(self, writer: Writer) -> str:
        if self.source is None and self.python_type is re.Match:
            raise self.unsupported("a return")  # each call makes one of its own
        return writer.pool.add(self.value) if self.source is None else self.source.text(writer.pool)


class PatternMethod(Value):
    """A bound method of a pattern or a match."""

    def __init__(self, owner: PatternValue, name: str) -> None:
        self.owner = owner
        self.name = name

    @property
    def python_type(self) -> type:
        return types.BuiltinMethodType

    def describe(self) -> str:
        return f"{self.owner.python_type.__name__}.{self.name}"

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        given, named = [_plain(trace, each) for each in args], {key: _plain(trace, kwargs[key]) for key in kwargs}
        found = pure(getattr(self.owner.value, self.name), given, named)
        return PatternValue(found.value) if isinstance(found, Constant) and type(found.value) is re.Match else found


def _plain(trace: Trace, value: Value) -> Any:
    known = value.constant(trace)
    if type(known) not in (str, bytes, int, bool, type(None)):
        raise value.unsupported("a search for a pattern")
    return known


@wraps(re.Pattern)
def wrap_pattern(trace: Trace, value: Any, source: Source) -> Value:
    """A pattern, which nobody can change."""
    trace.guard(Is, source, expected=value)
    return PatternValue(value, source)


def _compiled(trace: Trace, pattern: Value, flags: Value) -> PatternValue:
    if isinstance(pattern, PatternValue) and flags.constant(trace) == 0:
        return pattern
    text, wanted = _plain(trace, pattern), flags.constant(trace)
    if type(text) not in (str, bytes) or not isinstance(wanted, int) or wanted & (re.DEBUG | re.LOCALE):
        raise UNKNOWN_CALL.stop(name="re.compile with these arguments")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            return PatternValue(re.compile(text, wanted))
        except (re.error, Warning, ValueError, OverflowError, RecursionError):
            raise UNKNOWN_CALL.stop(name="re.compile of a pattern that it complains about") from None


_NO_FLAGS = Constant(0)


@traces(re.compile)
def compile(trace: Trace, pattern: Value, flags: Value = _NO_FLAGS) -> Value:
    """`re.compile`."""
    return _compiled(trace, pattern, flags)


def _of_module(name: str) -> None:
    @traces(getattr(re, name))
    def rule(trace: Trace, pattern: Value, string: Value, flags: Value = _NO_FLAGS) -> Value:
        return PatternMethod(_compiled(trace, pattern, flags), name).call(trace, [string], {})


for _name in ("search", "match", "fullmatch", "findall"):
    _of_module(_name)
