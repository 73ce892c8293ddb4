"""Formatted strings of known values."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..bytecode.opcode_table import opcode
from ..values.base import Value
from ..values.constant import Constant
from ..values.containers.sequences import TupleValue
from ..values.late_text import joined
from ..values.numbers.computed import ComputedNumber
from ..values.numbers.input_scalar import InputNumber
from ..values.objects.template_strings import InterpolationValue, TemplateValue

if TYPE_CHECKING:
    from ..interpreter.frame import Frame

CONVERSIONS: dict[int, Callable[[Any], Any]] = {1: str, 2: repr, 3: ascii}
_LETTERS = (None, "s", "r", "a")


@opcode("FORMAT_VALUE", stack="*value spec[arg >> 2 & 1] -- text")
def format_value(frame: Frame, arg: int) -> None:
    """One field of an f-string (before 3.13)."""
    spec, conversion = frame.pop() if arg & 0x04 else Constant(""), CONVERSIONS.get(int(arg) & 0x03)
    value = frame.pop()
    frame.push((value if conversion is None else _spelled(frame, value, conversion)).formatted(frame.trace, spec))


@opcode("FORMAT_SIMPLE", stack="value -- text")
def format_simple(frame: Frame, arg: Any, value: Value) -> Value:
    """One field of an f-string without a format."""
    return value.formatted(frame.trace, Constant(""))


@opcode("FORMAT_WITH_SPEC", stack="value spec -- text")
def format_with_spec(frame: Frame, arg: Any, value: Value, spec: Value) -> Value:
    """One field of an f-string with a format."""
    return value.formatted(frame.trace, spec)


@opcode("CONVERT_VALUE", stack="value -- text")
def convert_value(frame: Frame, arg: int, value: Value) -> Value:
    """`!s`, `!r` or `!a`."""
    return _spelled(frame, value, CONVERSIONS[int(arg)])


def _spelled(frame: Frame, value: Value, conversion: Callable[[Any], Any]) -> Value:
    if isinstance(value, (InputNumber, ComputedNumber)):  # of which str, repr and ascii are what format gives
        return value.formatted(frame.trace, Constant(""))
    return value.spelled(frame.trace, conversion)


@opcode("BUILD_STRING", stack="parts[arg] -- text")
def build_string(frame: Frame, arg: int, parts: list[Value]) -> Value:
    """The parts joined."""
    return joined(frame.trace, parts)


@opcode("BUILD_INTERPOLATION", stack="*value expression spec[arg & 1] -- interpolation")
def build_interpolation(frame: Frame, arg: int) -> None:
    """One field of a template string. The argument is as CPython encodes it: from the third bit on, a letter."""
    spec = frame.pop() if arg & 1 else Constant("")
    expression, value = frame.pop(), frame.pop()
    frame.push(InterpolationValue(value, expression, _LETTERS[arg >> 2], spec))


@opcode("BUILD_TEMPLATE", stack="strings interpolations -- template")
def build_template(frame: Frame, arg: Any, strings: TupleValue, interpolations: TupleValue) -> Value:
    """A template string of its texts and its fields."""
    return TemplateValue(strings, interpolations)
