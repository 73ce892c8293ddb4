"""Uses of a variable in a function, by the text of its source: whether another kind of value could stand there."""

from __future__ import annotations

import ast
import functools
import inspect
import linecache
import textwrap
import tokenize
import types
from collections.abc import Iterator
from typing import TypeGuard

UNREADABLE = (SyntaxError, ValueError, RecursionError, tokenize.TokenError)
"""The errors of text that is no Python, such as that of a file which was changed meanwhile."""

ELSEWHERE = "elsewhere"
"""The kind of a use outside of the function, which may let another kind of value go anywhere."""

_ELEMENTS_OF = frozenset({"enumerate", "iter", "reversed", "sum", "zip"})
"""Built-in functions that go through the elements of what they are given."""


@functools.lru_cache(maxsize=256)
def uses_of(code: types.CodeType, name: str) -> frozenset[str] | None:
    """The kinds of use that a function makes of a variable; None where its source cannot be read.

    arithmetic: as an operand of arithmetic or a comparison.   numpy: as an argument of a function of `np`.
    iteration: its elements, one after the other.   item: one of its elements.   length: `len` of it.   other: the rest.
    """
    tree = _tree(code)
    return None if tree is None else frozenset(_uses(tree, name))


@functools.lru_cache(maxsize=256)
def uses_in_file(code: types.CodeType, name: str) -> frozenset[str] | None:
    """The kinds of use that the module of a function makes of a variable of its own; to assign it is none.

    elsewhere: any use outside of the function, which may let another kind of value go anywhere.
    name: a path of attributes stands for all attributes of the last name in it, whatever they are of.
    """
    try:
        tree = ast.parse("".join(linecache.getlines(code.co_filename)))
    except UNREADABLE:
        return None
    own = range(code.co_firstlineno, max([each[2] for each in code.co_lines() if each[2] is not None], default=0) + 1)
    return frozenset(use if line in own else ELSEWHERE for line, use in _uses_by_line(tree, name, assigned=False))


def _tree(code: types.CodeType) -> ast.AST | None:
    lines = linecache.getlines(code.co_filename)[code.co_firstlineno - 1 :]
    try:
        return ast.parse(textwrap.dedent("".join(inspect.getblock(lines)))) if lines else None
    except UNREADABLE:
        return None


def _uses(tree: ast.AST, name: str) -> Iterator[str]:
    return (use for _, use in _uses_by_line(tree, name))


def _uses_by_line(tree: ast.AST, name: str, *, assigned: bool = True) -> Iterator[tuple[int, str]]:
    for parent in ast.walk(tree):
        for child in ast.iter_child_nodes(parent):
            if _is_called(child, name) and (assigned or isinstance(child.ctx, ast.Load)):
                yield child.lineno, use_of(parent, child)


def _is_called(node: ast.AST, name: str) -> TypeGuard[ast.Name | ast.Attribute]:
    if "." in name:
        return isinstance(node, ast.Attribute) and node.attr == name.rpartition(".")[2]
    return isinstance(node, ast.Name) and node.id == name


def use_of(parent: ast.AST, name: ast.Name | ast.Attribute | ast.Subscript) -> str:
    """The kind of use that the node around a variable makes of it."""
    if not isinstance(name.ctx, ast.Load):
        return "other"
    match parent:
        case ast.BinOp(op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div() | ast.Pow()) | ast.Compare():
            return "arithmetic"
        case ast.UnaryOp(op=ast.USub() | ast.UAdd()):
            return "arithmetic"
        case ast.For(iter=iterated) | ast.comprehension(iter=iterated) if iterated is name:
            return "iteration"
        case ast.Subscript(value=value, slice=key, ctx=ast.Load()) if value is name and not isinstance(key, ast.Slice):
            return "item"
        case ast.Call(func=ast.Attribute(value=ast.Name(id="np" | "numpy"))):
            return "numpy"
        case ast.Call(func=ast.Name(id="len")):
            return "length"
        case ast.Call(func=ast.Name(id=called)) if called in _ELEMENTS_OF:
            return "iteration"
    return "other"
