"""The primitives of scalar functions in LLVM IR, by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir

from .rare import rare_function
from .typed import LLVM_TYPES, Typed, coerce, partners

Flags = tuple[str, ...]
Rule = Callable[..., Typed]


def _intrinsic(name: str) -> Rule:
    """A rule calling the LLVM intrinsic of this name at the type of the operands."""

    def rule(builder: ir.IRBuilder, flags: Flags, *operands: Any) -> Typed:
        code = next(operand.code for operand in operands if isinstance(operand, Typed))
        typed = [coerce(operand, code) for operand in operands]
        value_type = typed[0].value.type
        callee = builder.module.declare_intrinsic(
            f"llvm.{name}", [value_type], ir.FunctionType(value_type, [value_type] * len(typed))
        )
        return Typed(builder.call(callee, [operand.value for operand in typed]), code)

    return rule


def _bits(kind: str) -> Rule:
    def rule(builder: ir.IRBuilder, flags: Flags, x: Typed) -> Typed:
        target = kind + x.code[1:]
        return Typed(builder.bitcast(x.value, LLVM_TYPES[target]), target)

    return rule


def _quotient(builder: ir.IRBuilder, flags: Flags, a: Any, b: Any) -> Typed:
    left, right = partners(a, b)
    divide = builder.sdiv if left.code[0] == "i" else builder.udiv
    return Typed(divide(left.value, right.value), left.code)


def _repeated_product(builder: ir.IRBuilder, flags: Flags, base: Typed, exponent: Typed) -> Typed:
    """Square and multiply: `while exponent: if exponent & 1: result *= base; base *= base; exponent >>= 1`."""
    value_type = base.value.type
    one, zero = ir.Constant(value_type, 1), ir.Constant(value_type, 0)
    before = builder.block
    head, body, after = (builder.function.append_basic_block(f"power.{part}") for part in ("head", "body", "after"))
    builder.branch(head)
    builder.position_at_end(head)
    left, square, result = (builder.phi(value_type) for _ in range(3))
    builder.cbranch(builder.icmp_unsigned("!=", left, zero), body, after)
    builder.position_at_end(body)
    odd = builder.icmp_unsigned("!=", builder.and_(left, one), zero)
    step = (
        (left, exponent.value, builder.lshr(left, one)),
        (square, base.value, builder.mul(square, square)),
        (result, one, builder.select(odd, builder.mul(result, square), result)),
    )
    for phi, start, following in step:
        phi.add_incoming(start, before)
        phi.add_incoming(following, body)
    builder.branch(head)
    builder.position_at_end(after)
    return Typed(result, base.code)


def _usually(builder: ir.IRBuilder, flags: Flags, condition: Typed, usual: Typed, name: str, *operands: Any) -> Typed:
    before = builder.block
    rare, after = (builder.function.append_basic_block(part) for part in ("rare", "after"))
    builder.cbranch(condition.value, after, rare)
    builder.position_at_end(rare)
    values = [coerce(operand, "f64").value for operand in operands]
    other = builder.call(rare_function(builder.module, name, len(values)), values)
    builder.branch(after)
    builder.position_at_end(after)
    result = builder.phi(usual.value.type)
    result.add_incoming(usual.value, before)
    result.add_incoming(other, rare)
    return Typed(result, usual.code)


def _polynomial(builder: ir.IRBuilder, flags: Flags, x: Typed, coefficients: Sequence[float]) -> Typed:
    value = coerce(coefficients[-1], x.code).value
    for coefficient in coefficients[-2::-1]:
        product = builder.fmul(value, x.value, flags=("contract",))
        value = builder.fadd(product, coerce(coefficient, x.code).value, flags=("contract",))
    return Typed(value, x.code)


PRIMITIVES: dict[str, Rule] = {
    "absolute_value": _intrinsic("fabs"),
    "square_root": _intrinsic("sqrt"),
    "round_down": _intrinsic("floor"),
    "round_up": _intrinsic("ceil"),
    "round_to_zero": _intrinsic("trunc"),
    "round_half_even": _intrinsic("rint"),
    "copy_sign": _intrinsic("copysign"),
    "larger": _intrinsic("maximum"),
    "smaller": _intrinsic("minimum"),
    "multiply_add": _intrinsic("fma"),
    "quotient": _quotient,
    "polynomial": _polynomial,
    "usually": _usually,
    "as_integer": _bits("i"),
    "as_unsigned": _bits("u"),
    "as_float": _bits("f"),
    "repeated_product": _repeated_product,
}
