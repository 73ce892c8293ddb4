"""Scalar functions to LLVM IR: the body's syntax tree, walked once, appended at a builder's position.

There is no control flow to emit: `a if c else b` becomes a select, calls are inlined here. So a loop over a call
vectorises, and a function costs about a millisecond of compile time instead of the tens that type inference takes.
Importing this module imports llvmlite (not Numba).
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache, singledispatch
from types import FunctionType
from typing import Any

import numpy as np
from llvmlite import ir

from ...core.records import dataclass, replace
from ...core.threads import parsed
from .declare import CODES, Body, Family, PerDtype, ScalarFunction
from .emit_primitives import PRIMITIVES
from .primitives import Primitive
from .typed import Typed, coerce, constant, convert, partners


@dataclass(frozen=True, slots=True)
class Scope:
    """The place where an expression is emitted: the builder, the flags of float operations, and what names mean."""

    builder: ir.IRBuilder
    flags: tuple[str, ...]
    instance: str
    names: Mapping[str, Any]  # the globals of the body's module
    local: dict[str, Any]


def emit(function: ScalarFunction, builder: ir.IRBuilder, operands: Sequence[ir.Value]) -> ir.Value:
    """The value of `function(*operands)`, as instructions appended at the builder's position."""
    typed = [Typed(value, code) for value, code in zip(operands, function.operands, strict=True)]
    return _emit_function(function, builder, typed).value


def _emit_function(function: ScalarFunction, builder: ir.IRBuilder, operands: Sequence[Any]) -> Typed:
    flags = ("contract",) * function.contract + ("reassoc",) * function.reassociate
    arguments = [coerce(operand, code) for operand, code in zip(operands, function.operands, strict=True)]
    scope = Scope(builder, flags, function.instance, {}, {})
    return coerce(_emit_body(function.body, arguments, scope), function.result)


def _emit_body(body: Body, arguments: Sequence[Any], caller: Scope) -> Any:
    """The result of `body(*arguments)`: a typed value, a number, or a tuple of these."""
    assert isinstance(body, FunctionType)
    definition = _definitions(body.__module__)[body.__name__]
    local = dict(zip((argument.arg for argument in definition.args.args), arguments, strict=True))
    scope = replace(caller, names=body.__globals__, local=local)
    for statement in definition.body:
        match statement:
            case ast.Return(value=ast.expr() as value):
                return emit_expression(value, scope)
            case ast.Assign(targets=[target], value=value):
                _assign(target, emit_expression(value, scope), local)
            case ast.Expr(value=ast.Constant()):
                pass  # the docstring
            case _:
                raise NotImplementedError(f"{body.__name__}, line {statement.lineno}: {ast.unparse(statement)}")
    raise NotImplementedError(f"{body.__name__} ends without a return")


@cache
def _definitions(module: str) -> Mapping[str, ast.FunctionDef]:
    """The functions of a module's source by name."""
    tree = parsed(inspect.getsource(sys.modules[module]))
    assert isinstance(tree, ast.Module)
    return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}


def _assign(target: ast.expr, value: Any, local: dict[str, Any]) -> None:
    if isinstance(target, ast.Tuple):
        for part, item in zip(target.elts, value, strict=True):
            _assign(part, item, local)
    else:
        assert isinstance(target, ast.Name)
        local[target.id] = value


@singledispatch
def emit_expression(node: ast.expr, scope: Scope) -> Any:
    """The value of an expression: typed, or a plain Python object where it holds no operand."""
    raise NotImplementedError(f"scalar functions have no {type(node).__name__}: {ast.unparse(node)}")


@emit_expression.register
def _(node: ast.Constant, scope: Scope) -> Any:
    return node.value


@emit_expression.register
def _(node: ast.Name, scope: Scope) -> Any:
    if node.id in scope.local:
        return scope.local[node.id]
    meaning = scope.names[node.id]
    return meaning.values[scope.instance] if isinstance(meaning, PerDtype) else meaning


@emit_expression.register
def _(node: ast.Tuple, scope: Scope) -> Any:
    return tuple(emit_expression(item, scope) for item in node.elts)


@emit_expression.register
def _(node: ast.BinOp, scope: Scope) -> Any:
    left, right = emit_expression(node.left, scope), emit_expression(node.right, scope)
    operator = type(node.op)
    if not isinstance(left, Typed) and not isinstance(right, Typed):
        return _PYTHON_OPERATORS[operator](left, right)
    left, right = partners(left, right)
    family, make = OPERATORS[operator], scope.builder
    if left.code[0] == "f":
        return Typed(getattr(make, family.real)(left.value, right.value, flags=scope.flags), left.code)
    name = family.unsigned if left.code[0] in "ub" else family.signed
    return Typed(getattr(make, name)(left.value, right.value), left.code)


@emit_expression.register
def _(node: ast.UnaryOp, scope: Scope) -> Any:
    operand = emit_expression(node.operand, scope)
    if not isinstance(operand, Typed):
        return _PYTHON_OPERATORS[type(node.op)](operand)
    make = scope.builder
    match node.op, operand.code[0]:
        case ast.USub(), "f":
            return Typed(make.fneg(operand.value), operand.code)
        case ast.USub(), _:
            return Typed(make.neg(operand.value), operand.code)
        case ast.Invert(), _:
            return Typed(make.not_(operand.value), operand.code)
        case ast.Not(), "b":
            return Typed(make.not_(operand.value), "b1")
    raise NotImplementedError(ast.unparse(node))


@emit_expression.register
def _(node: ast.BoolOp, scope: Scope) -> Any:
    values = [coerce(emit_expression(value, scope), "b1") for value in node.values]
    combine = scope.builder.and_ if isinstance(node.op, ast.And) else scope.builder.or_
    result = values[0].value
    for value in values[1:]:
        result = combine(result, value.value)
    return Typed(result, "b1")


@emit_expression.register
def _(node: ast.Compare, scope: Scope) -> Any:
    if len(node.ops) != 1:
        raise NotImplementedError(f"chained comparison: {ast.unparse(node)}")
    left, right = partners(emit_expression(node.left, scope), emit_expression(node.comparators[0], scope))
    sign, make = COMPARISONS[type(node.ops[0])], scope.builder
    if left.code[0] == "f":
        compare = make.fcmp_unordered if sign == "!=" else make.fcmp_ordered
    else:
        compare = make.icmp_signed if left.code[0] == "i" else make.icmp_unsigned
    return Typed(compare(sign, left.value, right.value), "b1")


@emit_expression.register
def _(node: ast.IfExp, scope: Scope) -> Any:
    test = emit_expression(node.test, scope)
    chosen, other = emit_expression(node.body, scope), emit_expression(node.orelse, scope)
    if not isinstance(chosen, Typed) and not isinstance(other, Typed):
        chosen = coerce(chosen, scope.instance)
    chosen, other = partners(chosen, other)
    return Typed(scope.builder.select(test.value, chosen.value, other.value), chosen.code)


@emit_expression.register
def _(node: ast.Call, scope: Scope) -> Any:
    callee = emit_expression(node.func, scope)
    operands: list[Any] = []
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            operands += emit_expression(argument.value, scope)
        else:
            operands.append(emit_expression(argument, scope))
    if isinstance(callee, Primitive):
        return PRIMITIVES[callee.name](scope.builder, scope.flags, *operands)
    if isinstance(callee, Family):
        callee = callee.instances[operands[0].code]
    if isinstance(callee, ScalarFunction):
        return _emit_function(callee, scope.builder, operands)
    if isinstance(callee, type) and issubclass(callee, np.generic):
        (operand,) = operands
        code = CODES[callee]
        return convert(scope.builder, operand, code) if isinstance(operand, Typed) else constant(operand, code)
    return _emit_body(callee, operands, scope)


@dataclass(frozen=True, slots=True)
class _Operator:
    """The builder's methods for one operator, by the kind of its operands."""

    real: str
    signed: str
    unsigned: str


OPERATORS: dict[type[ast.operator], _Operator] = {
    ast.Add: _Operator("fadd", "add", "add"),
    ast.Sub: _Operator("fsub", "sub", "sub"),
    ast.Mult: _Operator("fmul", "mul", "mul"),
    ast.Div: _Operator("fdiv", "", ""),
    ast.LShift: _Operator("", "shl", "shl"),
    ast.RShift: _Operator("", "ashr", "lshr"),
    ast.BitAnd: _Operator("", "and_", "and_"),
    ast.BitOr: _Operator("", "or_", "or_"),
    ast.BitXor: _Operator("", "xor", "xor"),
}
COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_PYTHON_OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.LShift: lambda a, b: a << b,
    ast.USub: lambda a: -a,
}
