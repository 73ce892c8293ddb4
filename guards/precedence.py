"""Expressions as a reader would write them: with parentheses where what stands around would bind more strongly.

Entry code puts parentheses everywhere; this is for what people read.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Sequence

from ..core.threads import parsed

_OPERATORS: dict[type[ast.AST], int] = {
    ast.Or: 1, ast.And: 2, ast.Not: 3, ast.BitOr: 5, ast.BitXor: 6, ast.BitAnd: 7, ast.LShift: 8, ast.RShift: 8,
    ast.Add: 9, ast.Sub: 9, ast.Mult: 10, ast.Div: 10, ast.FloorDiv: 10, ast.Mod: 10, ast.MatMult: 10,
    ast.USub: 11, ast.UAdd: 11, ast.Invert: 11, ast.Pow: 12,
}  # fmt: skip
COMPARISON, UNARY, ATOM = 4, 11, 14
"""The strengths with which a comparison and a sign hold their operands together; that of an operand by itself."""


def filled(form: str, operands: Sequence[tuple[str, int]]) -> str:
    """The form with a text for each ``{}``, in parentheses where its strength, given with it, is too small there."""
    needed = _form(form)[1]
    return form.format(*(text if strength >= need else f"({text})" for (text, strength), need in zip(operands, needed)))


def strength_of(form: str) -> int:
    """The strength with which an expression of this form holds together: 1 for `or` up to `ATOM`."""
    return _form(form)[0]


@functools.lru_cache(maxsize=512)
def _form(form: str) -> tuple[int, tuple[int, ...]]:
    """The strength of a form, and that which it needs of each operand."""
    count = form.count("{}")
    tree = parsed(form.format(*(f"_{place}" for place in range(count))), mode="eval")
    assert isinstance(tree, ast.Expression)
    needed = [0] * count
    _ask(tree.body, 0, needed)
    return _strength(tree.body), tuple(needed)


def _strength(node: ast.expr) -> int:
    match node:
        case ast.BinOp(op=op) | ast.UnaryOp(op=op) | ast.BoolOp(op=op):
            return _OPERATORS[type(op)]
        case ast.Compare():
            return COMPARISON
        case ast.IfExp() | ast.Lambda():
            return 0
    return ATOM


def _ask(node: ast.expr, need: int, needed: list[int]) -> None:
    """Notes the strengths needed of the operands in a part of a form, of which the strength `need` is needed."""
    strength = _strength(node)
    match node:
        case ast.Name(id=name):
            needed[int(name[1:])] = need
        case ast.BinOp(left, ast.Pow(), right):
            _ask(left, strength + 1, needed)
            _ask(right, UNARY, needed)
        case ast.BinOp(left, _, right):
            _ask(left, strength, needed)
            _ask(right, strength + 1, needed)
        case ast.Call(args=args):
            for each in args:
                _ask(each, 0, needed)
        case ast.UnaryOp(operand=operand):
            _ask(operand, strength, needed)
        case _:
            for part in ast.iter_child_nodes(node):
                if isinstance(part, ast.expr):
                    _ask(part, strength + 1, needed)
