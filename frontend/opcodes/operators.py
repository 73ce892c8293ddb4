"""Arithmetic, comparison, identity and membership."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bytecode import BinaryOp, Compare

from ..bytecode.opcode_table import opcode
from ..python.operators import as_bool, compare, identity, membership, operate, operate_unary
from ..regions.numbers.python_or_numpy import PythonOrNumpyNumber
from ..values.base import Value
from ..values.constant import NONE
from ..values.containers.ranges import SliceValue

if TYPE_CHECKING:
    from ..interpreter.frame import Frame

BINARY_NAMES = {
    "ADD": "+", "SUBTRACT": "-", "MULTIPLY": "*", "TRUE_DIVIDE": "/", "FLOOR_DIVIDE": "//", "REMAINDER": "%",
    "POWER": "**", "MATRIX_MULTIPLY": "@", "LSHIFT": "<<", "RSHIFT": ">>", "AND": "&", "OR": "|", "XOR": "^",
}  # fmt: skip


@opcode("BINARY_OP", stack="left right -- result", in_region=True, needs_value=True)
def binary_op(frame: Frame, arg: BinaryOp, left: Value, right: Value) -> Value:
    """`left <op> right`, or the in-place form."""
    in_place = arg.name.startswith("INPLACE_")
    return operate(frame.trace, BINARY_NAMES[arg.name.removeprefix("INPLACE_")], left, right, in_place=in_place)


def comparison(arg: Compare) -> str:
    """The operator that a comparison is written with."""
    return {"LT": "<", "LE": "<=", "EQ": "==", "NE": "!=", "GT": ">", "GE": ">="}[arg.name.removesuffix("_CAST")]


def _is_cast(arg: Compare) -> bool:
    """Whether a comparison makes a bool."""
    return arg.name.endswith("_CAST")


@opcode("COMPARE_OP", stack="left right -- result", in_region=True, gives_bool=_is_cast)
def compare_op(frame: Frame, arg: Compare, left: Value, right: Value) -> Value:
    """`left <cmp> right`; the cast form gives a bool."""
    value = compare(frame.trace, comparison(arg), left, right)
    if _is_cast(arg) and (isinstance(value, PythonOrNumpyNumber) or value.python_type is not bool):
        return as_bool(frame.trace, value)
    return value


@opcode("UNARY_NEGATIVE", stack="value -- result", in_region=True, needs_value=True)
def unary_negative(frame: Frame, arg: Any, value: Value) -> Value:
    """`-value`."""
    return operate_unary(frame.trace, "-", value)


@opcode("UNARY_POSITIVE", stack="value -- result", in_region=True)
def unary_positive(frame: Frame, arg: Any, value: Value) -> Value:
    """`+value`."""
    return operate_unary(frame.trace, "+", value)


@opcode("UNARY_INVERT", stack="value -- result", in_region=True, needs_value=True)
def unary_invert(frame: Frame, arg: Any, value: Value) -> Value:
    """`~value`."""
    return operate_unary(frame.trace, "~", value)


@opcode("UNARY_NOT", stack="value -- result", in_region=True, asks="truth", negates=True)
def unary_not(frame: Frame, arg: Any, value: Value) -> Value:
    """`not value`."""
    return operate_unary(frame.trace, "not", value)


@opcode("TO_BOOL", stack="value -- result", in_region=True, asks="truth", gives_bool=lambda arg: True)
def to_bool(frame: Frame, arg: Any, value: Value) -> Value:
    """`bool(value)`."""
    return as_bool(frame.trace, value)


@opcode("IS_OP", stack="left right -- result", in_region=True, asks="identity")
def is_op(frame: Frame, arg: int, left: Value, right: Value) -> Value:
    """`left is right`, or `is not`."""
    return identity(frame.trace, left, right, negated=bool(arg))


@opcode("CONTAINS_OP", stack="element container -- result", in_region=True)
def contains_op(frame: Frame, arg: int, element: Value, container: Value) -> Value:
    """`element in container`, or `not in`."""
    return membership(frame.trace, element, container, negated=bool(arg))


@opcode("BINARY_SUBSCR", stack="container key -- item", in_region=True, keys=1)
def binary_subscr(frame: Frame, arg: Any, container: Value, key: Value) -> Value:
    """`container[key]`."""
    return container.item(frame.trace, key)


@opcode("STORE_SUBSCR", stack="value container key --", in_region=True, keys=1, stores=True)
def store_subscr(frame: Frame, arg: Any, value: Value, container: Value, key: Value) -> None:
    """`container[key] = value`."""
    container.set_item(frame.trace, key, value)


@opcode("DELETE_SUBSCR", stack="container key --")
def delete_subscr(frame: Frame, arg: Any, container: Value, key: Value) -> None:
    """`del container[key]`."""
    container.delete_item(frame.trace, key)


@opcode("BINARY_SLICE", stack="container start stop -- item", in_region=True, keys=2)
def binary_slice(frame: Frame, arg: Any, container: Value, start: Value, stop: Value) -> Value:
    """`container[start:stop]`."""
    return container.item(frame.trace, SliceValue(start, stop, NONE))


@opcode("STORE_SLICE", stack="value container start stop --", in_region=True, keys=2, stores=True)
def store_slice(frame: Frame, arg: Any, value: Value, container: Value, start: Value, stop: Value) -> None:
    """`container[start:stop] = value`."""
    container.set_item(frame.trace, SliceValue(start, stop, NONE), value)
