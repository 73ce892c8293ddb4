"""Formatted strings of known values."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..breaks import raised
from ..special_methods import as_text
from ..values.base import Value
from ..values.constant import Constant
from ..values.user_object import UserObject
from .table import opcode

if TYPE_CHECKING:
    from ..frame import Frame

CONVERSIONS: dict[int, Callable[[Any], Any]] = {0: lambda value: value, 1: str, 2: repr, 3: ascii}


@opcode("FORMAT_VALUE", stack="*value spec[arg >> 2 & 1] -- text")
def format_value(frame: Frame, arg: int) -> None:
    """One field of an f-string (before 3.13)."""
    spec = frame.pop() if arg & 0x04 else Constant("")
    frame.push(_format(frame, CONVERSIONS[int(arg) & 0x03], frame.pop(), spec))


@opcode("FORMAT_SIMPLE", stack="value -- text")
def format_simple(frame: Frame, arg: Any, value: Value) -> Value:
    """One field of an f-string without a format."""
    return _format(frame, CONVERSIONS[0], value, Constant(""))


@opcode("FORMAT_WITH_SPEC", stack="value spec -- text")
def format_with_spec(frame: Frame, arg: Any, value: Value, spec: Value) -> Value:
    """One field of an f-string with a format."""
    return _format(frame, CONVERSIONS[0], value, spec)


@opcode("CONVERT_VALUE", stack="value -- text")
def convert_value(frame: Frame, arg: int, value: Value) -> Value:
    """`!s`, `!r` or `!a`."""
    if isinstance(value, UserObject):
        return _converted(frame, CONVERSIONS[int(arg)], value)
    return Constant(CONVERSIONS[int(arg)](value.constant(frame.trace)))


@opcode("BUILD_STRING", stack="parts[arg] -- text")
def build_string(frame: Frame, arg: int, parts: list[Value]) -> Value:
    """The parts joined."""
    return Constant("".join(part.constant(frame.trace) for part in parts))


def _format(frame: Frame, conversion: Callable[[Any], Any], value: Value, spec: Value) -> Value:
    if isinstance(value, UserObject):
        if conversion is CONVERSIONS[0]:
            return as_text(frame.trace, value, "__format__", spec)
        value, conversion = _converted(frame, conversion, value), CONVERSIONS[0]
    try:
        return Constant(format(conversion(value.constant(frame.trace)), spec.constant(frame.trace)))
    except (ValueError, TypeError) as error:
        raise raised(error) from None


def _converted(frame: Frame, conversion: Callable[[Any], Any], value: UserObject) -> Value:
    """`!s`, `!r` or `!a` of an object of a user's class."""
    text = as_text(frame.trace, value, "__str__" if conversion is str else "__repr__")
    if conversion is not ascii:
        return text
    return Constant(text.constant(frame.trace).encode("ascii", "backslashreplace").decode())
