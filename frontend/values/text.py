"""Methods and attributes of known texts, bytes and numbers: CPython's own pure functions, called while tracing."""

from __future__ import annotations

import _string  # type: ignore[import-not-found]
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ...core.package import is_ours
from ..breaks import RAISES, UNKNOWN_CALL, ProgramRaised
from .base import Value
from .constant import LITERALS, Constant
from .containers.builtin_subclasses import BuiltinSubclassInstance
from .containers.element_protocol import constant_value
from .containers.sequences import ListValue
from .objects.builtin_methods import BuiltinMethod
from .objects.type_flags import HEAP_TYPE

if TYPE_CHECKING:
    from ..tracing.trace import Trace


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_BOTH = _names("""
    capitalize center count endswith expandtabs find index isalnum isalpha isascii isdigit islower isspace istitle
    isupper join ljust lower lstrip partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit
    rstrip split splitlines startswith strip swapcase title translate upper zfill
""")
METHODS: dict[type, frozenset[str]] = {
    str: _BOTH | _names("casefold encode format format_map isdecimal isidentifier isnumeric isprintable"),
    bytes: _BOTH | _names("decode hex"),
    int: _names("as_integer_ratio bit_count bit_length conjugate is_integer to_bytes"),
    float: _names("as_integer_ratio conjugate hex is_integer"),
    complex: _names("conjugate"),
}
METHODS[bool] = METHODS[int]
"""The methods that depend on nothing but the value and the arguments."""

_PARTS = _names("real imag numerator denominator")
_CODECS = _names("utf-8 utf8 ascii latin-1 latin1 utf-16 utf-32")
"""Encodings that are CPython's own; others are found by functions that anybody can register."""


class ConstantMethod(BuiltinMethod):
    """A pure method of a known text or number."""

    __slots__ = ()

    def describe(self) -> str:
        return f"{self.receiver.python_type.__name__}.{self.name}"

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        known = [_known(trace, self.name, each) for each in args]
        named = {key: each.constant(trace) for key, each in kwargs.items()}
        if self.name in ("encode", "decode"):
            self._check_codec(known, named)
        if self.name in ("format", "format_map"):
            check_template(self.receiver.value, [*known, *named.values()])
        found = text_of(self.definition, [self.receiver.value, *known], named)  # errors name the class that has it
        same = isinstance(found, Constant) and found.value is self.receiver.value
        return self.receiver if same else found  # type: ignore[no-any-return]

    def _check_codec(self, given: list[Any], named: dict[str, Any]) -> None:
        encoding = given[0] if given else named.get("encoding", "utf-8")
        errors = given[1] if len(given) > 1 else named.get("errors", "strict")
        if type(encoding) is str and encoding.lower() not in _CODECS or errors not in ("strict", "ignore", "replace"):
            raise UNKNOWN_CALL.stop(name=f"{self.describe()} with this encoding or error handler")


def _known(trace: Trace, name: str, value: Value) -> Any:
    """An argument of the method `name` as a Python object."""
    if name == "join":  # takes any iterable
        return [_known(trace, "", each) for each in value.iterate(trace)]
    if isinstance(value, BuiltinSubclassInstance) and type(value.held) is Constant and not name.startswith("format"):
        value = value.held  # the others take a text or number of a subclass for what it holds
    return value.constant(trace)


def pure(function: Any, args: list[Any], kwargs: dict[str, Any]) -> Value:
    """The result of a pure function of CPython's own for known arguments."""
    if function is int and len(args) > 0 and isinstance(args[0], (str, bytes)) and len(args[0]) > _FEWEST_DIGITS:
        raise UNKNOWN_CALL.stop(name=f"int() of a text of {len(args[0])} characters")
    if function in (ascii, repr, str):
        _refuse_many_digits(args)
    try:
        return known_value(function(*args, **kwargs))
    except (TypeError, ValueError, LookupError, ArithmeticError) as error:
        raise ProgramRaised(error) from None
    except Exception as error:  # of a module's own class
        raise RAISES.stop(error=f"{type(error).__name__}: {error}") from None


def text_of(function: Any, args: list[Any], kwargs: dict[str, Any]) -> Value:
    """A pure function's result, which may show an argument. Errors: a break for classes, whose names can be changed."""
    for each in (*args, *kwargs.values()):
        _refuse_classes(each)
    _refuse_many_digits([*args, *kwargs.values(), getattr(function, "__self__", None)])
    return pure(function, args, kwargs)


# See `sys.set_int_max_str_digits`: it takes no fewer than these, and no int of this many bits has more.
_FEWEST_DIGITS, _FEWEST_BITS = 640, 2126


def _refuse_many_digits(values: Iterable[Any]) -> None:
    """Errors: a break for an int whose decimal form may be refused under another limit of digits than today's."""
    for each in values:
        if type(each) is int and each.bit_length() > _FEWEST_BITS:
            raise UNKNOWN_CALL.stop(name="a conversion of so many digits that the interpreter may refuse it")
        if type(each) in (tuple, list, set, frozenset):
            _refuse_many_digits(each)
        elif type(each) is dict:
            _refuse_many_digits([*each, *each.values()])


_MODULE_OF = vars(type)["__module__"].__get__


def _refuse_classes(value: Any) -> None:
    if isinstance(value, type) and value.__flags__ & HEAP_TYPE and not is_ours({"__name__": _MODULE_OF(value)}):
        raise UNKNOWN_CALL.stop(name="a function that shows a user's class")
    parts = (*value, *value.values()) if type(value) is dict else value
    if type(value) in (tuple, list, dict, set, frozenset):
        for part in parts:
            _refuse_classes(part)


def known_value(value: Any) -> Value:
    """The traced value of a fresh object made of constants."""
    return ListValue([known_value(each) for each in value]) if type(value) is list else constant_value(value)


def attribute_of(owner: Constant, name: str) -> Value | None:
    """An attribute of a known text or number; None where there is no rule."""
    kind = type(owner.value)
    if name in METHODS.get(kind, ()) and hasattr(owner.value, name):
        return ConstantMethod(owner, name)
    if name in _PARTS and kind in (bool, int, float, complex) and hasattr(owner.value, name):
        return Constant(getattr(owner.value, name))
    return None


def pure_format(value: Any, spec: Any) -> Value:
    """`format(value, spec)`. Errors: a break for a number's format that depends on the locale."""
    if type(spec) is str and spec.endswith("n") and type(value) in (bool, int, float, complex):
        raise UNKNOWN_CALL.stop(name="format() in the way of the locale")
    return text_of(format, [value, spec], {})


def check_template(template: str, values: list[Any]) -> None:
    """Errors: a break for a template with a format for these values that depends, or may depend, on the locale."""
    try:
        fields = [spec for _, _, spec, _ in _string.formatter_parser(template) if spec]
    except ValueError:
        return  # `format` raises it as well
    computed = any("{" in spec for spec in fields)
    if computed and any(type(each) is str and each.endswith("n") or type(each) not in LITERALS for each in values):
        raise UNKNOWN_CALL.stop(name="str.format with a format that is itself computed")
    if any(spec.endswith("n") for spec in fields):
        raise UNKNOWN_CALL.stop(name="str.format in the way of the locale")
