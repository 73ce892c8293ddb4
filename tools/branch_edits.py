"""Edits for branches on the value of an array: `np.where` in place of one that only chooses between two results.

if x.sum() > 3.0:
    y = x * 2.0                    y = np.where(x.sum() > 3.0, x * 2.0, x * 3.0)
else:
    y = x * 3.0
"""

# Note [Both arms]
# `np.where` computes both arms, and broadcasts them. So it stands for a branch only where each arm could be computed
# whatever the condition says, changes nothing, and has the shape of the other one. From the text alone that is known of
# arithmetic on the same names, element by element: of a call that is not NumPy's, of an index, of a division by a
# number nobody knows what it would do. An int that becomes a float beside floats is kept, as by the casts of other
# edits. An arm that is a variable gives a copy of what it holds, which shows as soon as somebody writes into it.

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

import numpy as np

from .edits import Change, SourceFile

_REDUCTIONS = frozenset({"all", "any", "mean", "prod", "std", "sum", "var"})
"""Functions of NumPy, and methods of arrays, that give one number for any array when nothing but it is given."""
_RAISING = frozenset({"power"})
"""Functions that raise an error for some numbers: for ints with a negative exponent."""
_COMPARED = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
_UNKNOWN = ""
"""Stands among the names of an arm for what could raise, change something, or have another shape."""


def chosen_by_where(file: SourceFile, nodes: list[ast.expr | ast.stmt]) -> list[Change]:
    """The changes after which a branch among these nodes is a `np.where`; none where that would be something else."""
    choice = _Choice(file.alias("numpy"))
    for node in nodes if choice.numpy else ():
        if isinstance(node, ast.IfExp) and choice.may_be(
            _function_around(file, node), node.test, node.body, node.orelse
        ):
            return file.instead(node, choice.text(file, node.test, node.body, node.orelse))
        if isinstance(node, ast.If):
            return _statement(file, choice, node)
    return []


def _statement(file: SourceFile, choice: _Choice, node: ast.If) -> list[Change]:
    """The changes of an `if` statement whose arms bind one variable, or give the result of the function."""
    around, head = _function_around(file, node), "return "
    last: ast.stmt = node
    match node.body, node.orelse or _behind(around, node):
        case [ast.Return(value=ast.expr() as one)], [ast.Return(value=ast.expr() as other) as final]:
            last = node if node.orelse else final
        case [ast.Assign(targets=[ast.Name(id=name)], value=one)], [
            ast.Assign(targets=[ast.Name(id=again)], value=other)
        ] if node.orelse and name == again:
            head = f"{name} = "
        case _:
            return []
    if not choice.may_be(around, node.test, one, other):
        return []
    end = last.end_lineno or 0, last.end_col_offset or 0
    return file.between((node.lineno, node.col_offset), end, head + choice.text(file, node.test, one, other))


def _function_around(file: SourceFile, node: ast.expr | ast.stmt) -> ast.AST:
    """The innermost function that holds a node; the module where none does."""
    holding = [each for each in ast.walk(file.tree) if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef))]
    return next((each for each in reversed(holding) if any(node is inner for inner in ast.walk(each))), file.tree)


def _behind(around: ast.AST, node: ast.If) -> list[ast.stmt]:
    """The statement behind another one in its block, alone in a list; an empty one at the end of a block."""
    for parent in ast.walk(around):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(parent, name, None)
            if isinstance(block, list) and node in block:
                return block[block.index(node) + 1 :][:1]
    return []


class _Choice:
    """A choice by `np.where`: the facts about its parts that their text tells.

    numpy: the name of NumPy in the file. See Note [Both arms].
    """

    def __init__(self, numpy: str) -> None:
        self.numpy = numpy

    def text(self, file: SourceFile, test: ast.expr, one: ast.expr, other: ast.expr) -> str:
        """The call that chooses."""
        return f"{self.numpy}.where({', '.join(map(file.text, (test, one, other)))})"

    def may_be(self, around: ast.AST, test: ast.expr, one: ast.expr, other: ast.expr) -> bool:
        """Whether both arms can be computed at any time, have one shape, and are numbers or arrays for sure."""
        if isinstance(test, (ast.BoolOp, ast.IfExp, ast.NamedExpr, ast.UnaryOp)):
            return False  # a branch by itself
        names, others = set(self._elements(one)), set(self._elements(other))
        if names != others or not names or _UNKNOWN in names:
            return False
        if isinstance(one, ast.Name) or isinstance(other, ast.Name):
            if any(map(_writes, ast.walk(around))):
                return False
        return any(name in names for part in (test, one, other) for name in self._numeric(part))

    def _elements(self, node: ast.expr) -> Iterator[str]:
        """The names that an expression computes with element by element, and `_UNKNOWN` for anything else in it."""
        match node:
            case ast.Constant(value=bool() | int() | float()):
                return
            case ast.Name(id=name):
                yield name
            case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
                yield from self._elements(operand)
            case ast.BinOp(op=ast.Pow(), left=left, right=ast.Constant(value=int() | float() as power)) if power >= 0:
                yield from self._elements(left)
            case ast.BinOp(op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div() as operator, left=left, right=right):
                if isinstance(operator, ast.Div) and not self._divides(left, right):
                    yield _UNKNOWN
                yield from self._elements(left)
                yield from self._elements(right)
            case ast.Compare(left=left, ops=[operator], comparators=[right]) if isinstance(operator, _COMPARED):
                yield from self._elements(left)
                yield from self._elements(right)
            case ast.Call() if (array := self._reduced(node)) is not None:
                yield from {_UNKNOWN} & set(self._elements(array))
            case ast.Call(args=arguments) if self._is_elementwise(node):
                for argument in arguments:
                    yield from self._elements(argument)
            case _:
                yield _UNKNOWN

    def _divides(self, left: ast.expr, right: ast.expr) -> bool:
        """Whether a division raises no error: by a number that is not 0, or of arrays, which give infinities."""
        by_number = isinstance(right, ast.Constant) and bool(right.value)
        return by_number or any(isinstance(each, ast.Call) for side in (left, right) for each in ast.walk(side))

    def _is_elementwise(self, node: ast.Call) -> bool:
        """Whether a call is one of a function of NumPy's that gives an element for each element."""
        if not self._is_numpy(node.func) or node.keywords:
            return False
        function = getattr(np, node.func.attr, None)
        if not isinstance(function, np.ufunc) or function.signature is not None or node.func.attr in _RAISING:
            return False
        return function.nout == 1 and len(node.args) == function.nin

    def _reduced(self, node: ast.Call) -> ast.expr | None:
        """The array of which a call makes one number; None for any other call."""
        if node.keywords or not isinstance(node.func, ast.Attribute) or node.func.attr not in _REDUCTIONS:
            return None
        if self._is_numpy(node.func):
            return node.args[0] if len(node.args) == 1 else None
        return None if node.args else node.func.value

    def _is_numpy(self, function: ast.expr) -> TypeGuard[ast.Attribute]:
        match function:
            case ast.Attribute(value=ast.Name(id=module)):
                return module == self.numpy
        return False

    def _numeric(self, tree: ast.expr) -> Iterator[str]:
        """The names that hold numbers or arrays for sure, since anything else would raise an error there."""
        for node in ast.walk(tree):
            parts: list[ast.expr] = []
            match node:
                case ast.Call() if (array := self._reduced(node)) is not None:
                    parts = [array]
                case ast.Call(args=arguments) if self._is_elementwise(node):
                    parts = arguments
                case ast.BinOp(op=ast.Mult(), left=left, right=right):
                    parts = [left, right] if any(map(_is_float, (left, right))) else []
                case ast.BinOp(left=left, right=right) | ast.Compare(left=left, comparators=[right]):
                    parts = [left, right] if any(isinstance(each, ast.Constant) for each in (left, right)) else []
                case ast.UnaryOp(op=ast.USub(), operand=operand):
                    parts = [operand]
            yield from (each.id for each in parts if isinstance(each, ast.Name))


def _is_float(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, float)


def _writes(node: ast.AST) -> bool:
    """Whether a node writes into an object that another variable may hold as well."""
    match node:
        case ast.AugAssign() | ast.keyword(arg="out"):
            return True
        case ast.Assign(targets=targets):
            return not all(isinstance(each, ast.Name) for each in targets)
    return False
