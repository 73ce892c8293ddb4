"""Regular expressions: patterns are immutable, and what they find in known texts CPython says while tracing."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ....guards.guard import Is, TypeIs
from ....guards.sources import Source
from ...breaks import RAISES, UNKNOWN_CALL
from ...tracing.rules import Rule, traces
from ..base import Value, wraps, wraps_when
from ..builtin_callable import BuiltinCallable
from ..constant import LITERALS, Constant
from ..containers.dicts import DictValue
from ..containers.element_protocol import constant_value
from ..containers.iterators import Iterator, Leaf
from ..functions.functions import BoundMethod, FunctionValue
from ..text import known_value, pure
from .builtin_methods import BuiltinMethod
from .enums import EnumMember

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace

METHODS = frozenset("match fullmatch search findall finditer split sub subn".split())
_PARTS = frozenset("pattern flags groups".split())
_MATCH_METHODS = frozenset("group groups groupdict start end span expand".split())
_MATCH_PARTS = frozenset("string pos endpos lastindex lastgroup".split())
_MAY_WARN = ("[[", "--", "&&", "~~", "||")
"""Texts, one of which is in every pattern that the compiler warns of."""


class PatternValue(Value):
    """A compiled pattern. One from outside is known by identity once it is asked for anything."""

    __slots__ = ("pattern", "source")

    def __init__(self, pattern: re.Pattern[Any], source: Source | None = None) -> None:
        self.pattern = pattern
        self.source = source

    @property
    def python_type(self) -> type:
        return re.Pattern

    def constant(self, trace: Trace) -> Any:
        if self.source is not None:
            trace.guard(Is, self.source, expected=self.pattern)
        return self.pattern

    def truth(self, trace: Trace) -> bool:
        return True

    def attribute(self, trace: Trace, name: str) -> Value:
        if name in METHODS:
            return PatternMethod(self, name)
        if name in _PARTS:
            return Constant(getattr(self.constant(trace), name))
        raise self.unsupported(f"the attribute {name!r}")

    def rebuild(self, writer: EntryWriter) -> str:
        return self.source.text(writer.pool) if self.source else writer.pool.add(self.pattern)


_METHOD: type = type(re.compile("").match)


class PatternMethod(BuiltinMethod):
    """A method of a pattern."""

    __slots__ = ()

    @property
    def python_type(self) -> type:
        return _METHOD

    def describe(self) -> str:
        return f"re.Pattern.{self.name}"

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        pattern = self.receiver.constant(trace)
        if pattern.flags & re.LOCALE:
            raise UNKNOWN_CALL.stop(name=f"{self.describe()} in the way of the locale")
        known = [self._known(trace, each, first=not place) for place, each in enumerate(args)]
        named = {name: self._known(trace, each, first=name == "repl") for name, each in kwargs.items()}
        found = found_by(getattr(pattern, self.name), known, named)
        if isinstance(found, re.Match):
            return MatchValue(found, lambda writer: self._asked_again(writer, args, kwargs))
        if self.name == "finditer":
            return Iterator(Leaf(trace, map(MatchValue, found)), type(found))
        return known_value(found)

    def _known(self, trace: Trace, value: Value, *, first: bool) -> Any:
        """An argument as Python takes it; a replacement may be a function of the program."""
        if first and self.name in ("sub", "subn") and isinstance(value, (FunctionValue, BoundMethod, BuiltinCallable)):
            return lambda match: _text(trace, value.call(trace, [MatchValue(match)], {}))
        found = value.constant(trace)
        if type(found) not in LITERALS:
            raise value.unsupported(f"{self.describe()} of it")
        return found

    def _asked_again(self, writer: EntryWriter, args: list[Value], kwargs: dict[str, Value]) -> str:
        parts = [each.rebuild(writer) for each in args]
        parts += [f"{name}={each.rebuild(writer)}" for name, each in kwargs.items()]
        return f"{writer.pool.add(getattr(self.receiver.pattern, self.name))}({', '.join(parts)})"


def _text(trace: Trace, value: Value) -> Any:
    found = value.constant(trace)
    if type(found) not in (str, bytes):
        raise value.unsupported("a replacement")
    return found


def found_by(function: Callable[..., Any], args: list[Any], kwargs: dict[str, Any]) -> Any:
    """`function(*args, **kwargs)`. Errors: a break where Python raises."""
    try:
        return function(*args, **kwargs)
    except (re.error, TypeError, ValueError, LookupError, OverflowError) as error:
        raise RAISES.stop(error=f"{type(error).__name__}: {error}") from None


class MatchValue(Value):
    """A match that a pattern found, each time another object; `remake` writes the expression that finds it again."""

    __slots__ = ("remake", "value")

    def __init__(self, value: re.Match[Any], remake: Callable[[EntryWriter], str] | None = None) -> None:
        self.value = value
        self.remake = remake

    @property
    def python_type(self) -> type:
        return re.Match

    def truth(self, trace: Trace) -> bool:
        return True

    def attribute(self, trace: Trace, name: str) -> Value:
        if name in _MATCH_METHODS:
            return MatchMethod(self, name)
        if name in _MATCH_PARTS:
            return constant_value(getattr(self.value, name))
        if name == "re":
            return PatternValue(self.value.re)
        raise self.unsupported(f"the attribute {name!r}")

    def item(self, trace: Trace, key: Value) -> Value:
        return pure(self.value.__getitem__, [key.constant(trace)], {})

    def rebuild(self, writer: EntryWriter) -> str:
        remake = self.remake
        if remake is None:
            raise self.unsupported("a return")
        return writer.once(self, lambda: remake(writer))


class MatchMethod(BuiltinMethod):
    """A method of a match, which tells what was found."""

    __slots__ = ()

    def describe(self) -> str:
        return f"re.Match.{self.name}"

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        named = {name: each.constant(trace) for name, each in kwargs.items()}
        found = found_by(getattr(self.receiver.value, self.name), [each.constant(trace) for each in args], named)
        return _groups(found) if type(found) is dict else known_value(found)


def _groups(found: dict[str, Any]) -> Value:
    return DictValue({name: constant_value(each) for name, each in found.items()})


@wraps(re.Pattern)
def wrap_pattern(trace: Trace, value: Any, source: Source) -> Value:
    """A pattern from outside."""
    trace.guard(TypeIs, source, expected=re.Pattern)
    return PatternValue(value, source)


@wraps_when(lambda value: type(value) is _METHOD and type(getattr(value, "__self__", None)) is re.Pattern)
def wrap_method(trace: Trace, value: Any, source: Source) -> Value:
    """A method of a pattern, from outside."""
    trace.guard(Is, source, expected=value)
    if value.__name__ not in METHODS:
        raise UNKNOWN_CALL.stop(name=f"re.Pattern.{value.__name__}")
    return PatternMethod(PatternValue(value.__self__), value.__name__, source)


# The functions of the module.
@traces(re.compile)
def compile_(trace: Trace, pattern: Value, flags: Value = Constant(0)) -> PatternValue:  # noqa: B008
    """`re.compile`. Errors: a break where it may warn, which it does once, or prints."""
    wanted = flags.value.value if isinstance(flags, EnumMember) else flags.constant(trace)
    if isinstance(pattern, PatternValue) and wanted == 0:
        return pattern
    text = pattern.constant(trace)
    shown = text if type(text) is str else text.decode("latin-1") if type(text) is bytes else None
    if shown is None or type(wanted) is not int or wanted & re.DEBUG or any(each in shown for each in _MAY_WARN):
        raise UNKNOWN_CALL.stop(name="re.compile of such a pattern")
    return PatternValue(found_by(re.compile, [text, wanted], {}))


def _finding(name: str) -> Rule:
    def rule(trace: Trace, pattern: Value, string: Value, flags: Value = Constant(0)) -> Value:  # noqa: B008
        return PatternMethod(compile_(trace, pattern, flags), name).call(trace, [string], {})

    return rule


def _replacing(name: str) -> Rule:
    def rule(
        trace: Trace,
        pattern: Value,
        repl: Value,
        string: Value,
        *,
        count: Value = Constant(0),  # noqa: B008
        flags: Value = Constant(0),  # noqa: B008
    ) -> Value:
        return PatternMethod(compile_(trace, pattern, flags), name).call(trace, [repl, string, count], {})

    return rule


@traces(re.split)
def split(
    trace: Trace,
    pattern: Value,
    string: Value,
    *,
    maxsplit: Value = Constant(0),  # noqa: B008
    flags: Value = Constant(0),  # noqa: B008
) -> Value:
    """`re.split`."""
    return PatternMethod(compile_(trace, pattern, flags), "split").call(trace, [string, maxsplit], {})


for _function in (re.match, re.fullmatch, re.search, re.findall, re.finditer):
    traces(_function)(_finding(_function.__name__))
for _other in (re.sub, re.subn):
    traces(_other)(_replacing(_other.__name__))
