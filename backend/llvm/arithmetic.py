"""The operators of kernel text in LLVM IR: the kinds of their results, and their instructions."""

# Note [Integers of kernel text]
# Integers of every width are computed with in 64 bits, signed unless all operands are unsigned, and wrap around; the
# text casts what it computes back to the dtype it wants. Division is Python's, towards minus infinity; by 0 it gives 0,
# and the one quotient that has no place, of the smallest integer by -1, is 0 too. Inside of subscripts signed sums and
# products are said not to overflow (LLVM's ``nsw``), since an element elsewhere cannot be there: so LLVM sees from
# where to where a loop goes through memory. Outside it is not said: the user's own integers may wrap.

from __future__ import annotations

import ast
from typing import Any

from llvmlite import ir

from ..math.emit import COMPARISONS, OPERATORS
from .values import TextValue, constant, converted, is_float, is_integer, shown, truth, width

_WORD = 64
_BITWISE = (ast.BitAnd, ast.BitOr, ast.BitXor)
_MAY_WRAP = (ast.Add, ast.Sub, ast.Mult)


def common_integer(*kinds: str) -> str:
    """The kind in which integers and bools of these kinds are computed with."""
    return f"u{_WORD}" if all(kind[0] == "u" for kind in kinds) else f"i{_WORD}"


def binary(
    builder: Any, operator: ast.operator, left: TextValue, right: TextValue, in_subscript: bool = False
) -> TextValue:
    """`left operator right`. Errors: TypeError for operands that the text has no such operator for."""
    if left.kind == right.kind == "b1" and isinstance(operator, _BITWISE):
        return TextValue(getattr(builder, OPERATORS[type(operator)].unsigned)(left.value, right.value), "b1")
    if isinstance(operator, (ast.LShift, ast.RShift)) and is_integer(left.kind) and is_integer(right.kind):
        return _shifted(builder, operator, left, right)
    if is_float(left.kind) or is_float(right.kind) or isinstance(operator, ast.Div):
        return _of_floats(builder, operator, left, right)
    if not all(each.kind == "b1" or is_integer(each.kind) for each in (left, right)):
        raise _no_operator(operator, left, right)
    kind = common_integer(left.kind, right.kind)  # type: ignore[arg-type]
    a, b = (converted(builder, each, kind).value for each in (left, right))
    if isinstance(operator, (ast.FloorDiv, ast.Mod)):
        return TextValue(_divided(builder, kind, a, b)[isinstance(operator, ast.Mod)], kind)
    name = _named(operator, kind)
    if not name:
        raise _no_operator(operator, left, right)
    flags = ("nsw",) if in_subscript and kind[0] == "i" and isinstance(operator, _MAY_WRAP) else None
    make = getattr(builder, name)
    return TextValue(make(a, b, flags=flags) if flags else make(a, b), kind)


def compare(builder: Any, operator: ast.cmpop, left: TextValue, right: TextValue) -> TextValue:
    """Whether `left operator right`; a NaN is unequal to all. Errors: TypeError for operands of other kinds."""
    sign = COMPARISONS.get(type(operator))
    if sign is None:
        raise TypeError(f"kernel text does not compare by {type(operator).__name__}")
    if is_float(left.kind) or is_float(right.kind):
        kind = _common_float(left, right)
        make = builder.fcmp_unordered if sign == "!=" else builder.fcmp_ordered
        return TextValue(make(sign, *(converted(builder, each, kind).value for each in (left, right))), "b1")
    if not all(each.kind == "b1" or is_integer(each.kind) for each in (left, right)):
        raise TypeError(f"{shown(left.kind)} and {shown(right.kind)} cannot be compared")
    signs = {each.kind[0] for each in (left, right)}  # type: ignore[index]
    if signs == {"i", "u"} and f"u{_WORD}" in (left.kind, right.kind):
        return _compare_mixed(builder, sign, left, right)
    kind = f"u{_WORD}" if signs <= {"u", "b"} else f"i{_WORD}"
    make = builder.icmp_signed if kind[0] == "i" else builder.icmp_unsigned
    return TextValue(make(sign, *(converted(builder, each, kind).value for each in (left, right))), "b1")


def unary(builder: Any, operator: ast.unaryop, operand: TextValue) -> TextValue:
    """`operator operand`. Errors: TypeError for an operand that the text has no such operator for."""
    kind = operand.kind
    match operator:
        case ast.Not():
            return TextValue(builder.not_(truth(builder, operand).value), "b1")
        case ast.Invert() if kind == "b1":
            return TextValue(builder.not_(operand.value), "b1")
        case ast.USub() if is_float(kind):
            return TextValue(builder.fneg(operand.value), kind)
        case ast.USub() | ast.Invert() if kind == "b1" or is_integer(kind):
            wide = converted(builder, operand, common_integer(kind))  # type: ignore[arg-type]
            make = builder.neg if isinstance(operator, ast.USub) else builder.not_
            return TextValue(make(wide.value), wide.kind)
    raise TypeError(f"kernel text has no {type(operator).__name__} of {shown(kind)}")


def lesser(builder: Any, first: TextValue, second: TextValue, operator: ast.cmpop) -> TextValue:
    """The second of two integers of one kind if it compares so with the first, else the first."""
    if first.kind != second.kind or not is_integer(first.kind):
        raise TypeError(f"the lesser of {shown(first.kind)} and {shown(second.kind)} is not known to kernel text")
    chosen = compare(builder, operator, second, first)
    return TextValue(builder.select(chosen.value, second.value, first.value), first.kind)


def _named(operator: ast.operator, kind: str) -> str:
    """The name of the builder's method for an operator on operands of a kind; empty where there is none."""
    family = OPERATORS.get(type(operator))
    if family is None:
        return ""
    return family.real if kind[0] == "f" else family.signed if kind[0] == "i" else family.unsigned


def _no_operator(operator: ast.operator, left: TextValue, right: TextValue) -> TypeError:
    return TypeError(f"kernel text has no {type(operator).__name__} of {shown(left.kind)} and {shown(right.kind)}")


def _of_floats(builder: Any, operator: ast.operator, left: TextValue, right: TextValue) -> TextValue:
    kind = _common_float(left, right)
    name = _named(operator, kind)
    if not name:
        raise _no_operator(operator, left, right)
    a, b = (converted(builder, each, kind).value for each in (left, right))
    return TextValue(getattr(builder, name)(a, b), kind)


def _common_float(left: TextValue, right: TextValue) -> str:
    """The kind in which two numbers are computed with, one of them a float; small integers fit into float32."""
    wide = "f32"
    for each in (left, right):
        if each.kind != "b1" and not is_integer(each.kind) and not is_float(each.kind):
            raise TypeError(f"kernel text does not compute with {shown(left.kind)} and {shown(right.kind)}")
        small = is_integer(each.kind) and width(each.kind) <= 16  # type: ignore[arg-type]
        if each.kind not in ("f32", "b1") and not small:
            wide = "f64"
    both_integers = not is_float(left.kind) and not is_float(right.kind)
    return "f64" if both_integers else wide


def _shifted(builder: Any, operator: ast.operator, left: TextValue, right: TextValue) -> TextValue:
    kind = common_integer(left.kind)  # type: ignore[arg-type]
    a, b = (converted(builder, each, kind).value for each in (left, right))
    return TextValue(getattr(builder, _named(operator, kind))(a, b), kind)


def _divided(builder: Any, kind: str, a: Any, b: Any) -> tuple[Any, Any]:
    """Quotient and remainder of 64-bit integers. See Note [Integers of kernel text]."""
    zero, one = (ir.Constant(a.type, number) for number in (0, 1))
    no_place = builder.icmp_unsigned("==", b, zero)
    if kind[0] == "i":
        smallest, minus_one = ir.Constant(a.type, -(1 << (_WORD - 1))), ir.Constant(a.type, -1)
        overflows = builder.and_(builder.icmp_signed("==", a, smallest), builder.icmp_signed("==", b, minus_one))
        no_place = builder.or_(no_place, overflows)
    divisor = builder.select(no_place, one, b)
    if kind[0] == "u":
        quotient, remainder = builder.udiv(a, divisor), builder.urem(a, divisor)
    else:
        quotient, remainder = builder.sdiv(a, divisor), builder.srem(a, divisor)
        signs_differ = builder.icmp_signed("<", builder.xor(divisor, remainder), zero)
        below = builder.and_(builder.icmp_signed("!=", remainder, zero), signs_differ)
        quotient = builder.select(below, builder.sub(quotient, one), quotient)
        remainder = builder.select(below, builder.add(remainder, divisor), remainder)
    return builder.select(no_place, zero, quotient), builder.select(no_place, zero, remainder)


def _compare_mixed(builder: Any, sign: str, left: TextValue, right: TextValue) -> TextValue:
    """Compares a signed integer with an unsigned one of 64 bits: a negative one is below all of these."""
    signed = left if left.kind[0] == "i" else right  # type: ignore[index]
    negative = builder.icmp_signed("<", signed.value, ir.Constant(signed.value.type, 0))
    compared = builder.icmp_unsigned(sign, *(converted(builder, each, f"u{_WORD}").value for each in (left, right)))
    below = {"==": False, "!=": True}.get(sign, sign[0] == "<" if signed is left else sign[0] == ">")
    return TextValue(builder.select(negative, constant(below, "b1").value, compared), "b1")
