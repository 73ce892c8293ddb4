"""Typed LLVM values: an `ir.Value` beside its dtype code, and the conversions between them."""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from ...core.records import dataclass
from .declare import SCALAR_TYPES

LLVM_TYPES: dict[str, ir.Type] = {
    "b1": ir.IntType(1),
    "f32": ir.FloatType(),
    "f64": ir.DoubleType(),
    **{f"{sign}{bits}": ir.IntType(bits) for sign in "iu" for bits in (8, 16, 32, 64)},
}


@dataclass(frozen=True, slots=True)
class Typed:
    """An LLVM value and the dtype it holds (LLVM's integers have no sign of their own)."""

    value: ir.Value
    code: str


def constant(number: Any, code: str) -> Typed:
    """A Python number as a constant of dtype `code`. Errors: OverflowError when an int does not fit, as in NumPy."""
    return Typed(ir.Constant(LLVM_TYPES[code], SCALAR_TYPES[code](number).item()), code)


def coerce(operand: Any, code: str) -> Typed:
    """`operand` as a value of dtype `code`: itself, or a Python number made constant. Errors: TypeError otherwise."""
    if not isinstance(operand, Typed):
        return constant(operand, code)
    if operand.code != code:
        raise TypeError(f"a scalar function meets {operand.code} where {code} is due")
    return operand


def partners(left: Any, right: Any) -> tuple[Typed, Typed]:
    """Both operands of an operator in the one dtype they share. Errors: TypeError when the dtypes differ."""
    typed = left if isinstance(left, Typed) else right
    return coerce(left, typed.code), coerce(right, typed.code)


def convert(builder: ir.IRBuilder, operand: Typed, code: str) -> Typed:
    """`operand` converted to dtype `code` as C converts: integers wrap, floats are cut off; poison out of range."""
    source, target = operand.code, code
    value, llvm_type = operand.value, LLVM_TYPES[code]
    if source == target:
        return operand
    if target == "b1":
        raise TypeError("compare with 0 to get a bool")
    if source[0] == "f" and target[0] == "f":
        return Typed(builder.fpext(value, llvm_type) if target == "f64" else builder.fptrunc(value, llvm_type), code)
    if source[0] == "f":
        return Typed(builder.fptosi(value, llvm_type) if target[0] == "i" else builder.fptoui(value, llvm_type), code)
    if target[0] == "f":
        make = builder.sitofp if source[0] == "i" else builder.uitofp
        return Typed(make(value, llvm_type), code)
    if llvm_type.width <= value.type.width:
        return Typed(value if llvm_type.width == value.type.width else builder.trunc(value, llvm_type), code)
    return Typed(builder.sext(value, llvm_type) if source[0] == "i" else builder.zext(value, llvm_type), code)
