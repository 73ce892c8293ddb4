"""Modules whose functions have variables that are no identifiers, as those of tools that write syntax trees have."""

from __future__ import annotations

import ast
import types

ODD_NAMES = "# Variables have odd names."
"""The last line of a module that is to be compiled so."""
NAMING = {ast.Name: "id", ast.arg: "arg", ast.ExceptHandler: "name", ast.MatchAs: "name", ast.MatchStar: "name"}
"""The field of a node that names a variable."""


def compile_module(text: str, filename: str) -> types.CodeType:
    """The code of a module, with odd names if it asks for them."""
    if text.rstrip().endswith(ODD_NAMES):
        return compile_with_odd_names(text, filename)
    code: types.CodeType = compile(text, filename, "exec")
    return code


def compile_with_odd_names(text: str, filename: str) -> types.CodeType:
    """The code of a module, with every variable that only functions write under another name: ``@v`` for ``v``.

    Those that something else than the variables' own functions may know by name keep it: parameters, what is imported,
    defined or global.
    """
    tree = ast.parse(text, filename)
    nodes = [*ast.walk(tree)]
    kept = {each.name for each in nodes if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))}
    kept |= {each.arg for each in nodes if isinstance(each, (ast.arg, ast.keyword)) and each.arg}
    kept |= {name for each in nodes if isinstance(each, ast.Global) for name in each.names}
    kept |= {(each.asname or each.name).split(".")[0] for each in nodes if isinstance(each, ast.alias)}
    for owner in (tree, *(each for each in nodes if isinstance(each, ast.ClassDef))):
        kept |= {each.id for each in _outside_functions(owner) if isinstance(each, ast.Name)}
    written = {each.id for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)} - kept
    for each in nodes:
        field = NAMING.get(type(each))
        if field and getattr(each, field) in written:
            setattr(each, field, "@" + getattr(each, field))
        if isinstance(each, ast.Nonlocal):
            each.names = ["@" + name if name in written else name for name in each.names]
    return compile(tree, filename, "exec")


def _outside_functions(owner: ast.AST) -> list[ast.AST]:
    """The nodes below a module or class that are not in a function of it."""
    found = []
    pending = [*ast.iter_child_nodes(owner)]
    while pending:
        found.append(each := pending.pop())
        if not isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            pending += ast.iter_child_nodes(each)
    return found
