"""Calls of a function in the text of a file, and what they pass for its parameters."""

from __future__ import annotations

import ast
from collections.abc import Iterator

Definition = ast.FunctionDef | ast.AsyncFunctionDef


def definition_at(tree: ast.AST, name: str, line: int) -> Definition | None:
    """The definition of a function of this name, whose first line is that of its first decorator."""
    for node in ast.walk(tree):
        if isinstance(node, Definition) and node.name == name:
            if line in (node.lineno, *(each.lineno for each in node.decorator_list)):
                return node
    return None


def parameters(definition: Definition) -> list[str]:
    """The names of the parameters, without those that take any number of arguments."""
    arguments = definition.args
    return [each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]


def names_of(home: ast.AST, definition: Definition) -> set[str]:
    """The names by which a file calls a function that it defines: its own, and those of ``gl.jit(function)``."""
    return {definition.name, *_jitted_as(home, definition.name)}


def calls(tree: ast.AST, names: set[str]) -> Iterator[ast.Call]:
    """The calls of functions or methods of these names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called in names:
                yield node


def argument(definition: Definition, call: ast.Call, name: str) -> ast.expr | None:
    """The expression that a call passes for a parameter; None where that cannot be told."""
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    positional = [each.arg for each in (*definition.args.posonlyargs, *definition.args.args)]
    if positional[:1] == ["self"] and isinstance(call.func, ast.Attribute):
        positional = positional[1:]
    place = positional.index(name) if name in positional else len(call.args)
    if place >= len(call.args) or any(isinstance(each, ast.Starred) for each in call.args[: place + 1]):
        return None
    return call.args[place]


def is_jit(function: ast.expr) -> bool:
    """Whether this is the name of `gl.jit`."""
    return (function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")) == "jit"


def _jitted_as(tree: ast.AST, name: str) -> Iterator[str]:
    """The variables that hold ``gl.jit(name)``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and is_jit(node.value.func):
            if any(isinstance(each, ast.Name) and each.id == name for each in node.value.args[:1]):
                yield from (each.id for each in node.targets if isinstance(each, ast.Name))
