"""Edits for graph breaks: the change of the breaking line, for the kinds of break whose remedy is one.

For the others a card gives the advice in words alone.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from ..core.events import Edit, Event
from ..frontend.breaks import KINDS
from .edits import Change, SourceFile, edits_of, raised_setting, source_file

Rule = Callable[[SourceFile, list[ast.expr | ast.stmt]], list[Change]]
_RULES: dict[str, Rule] = {}
"""By the code of the kind: gives the changes, from the nodes on the breaking line, innermost last."""

_SETTING = re.compile(r"raise gl\.config\.(\w+)")


def mends(*codes: str) -> Callable[[Rule], Rule]:
    """Declares the rule for breaks of these kinds."""

    def declare(rule: Rule) -> Rule:
        _RULES.update(dict.fromkeys(codes, rule))
        return rule

    return declare


def break_edits(event: Event) -> tuple[Edit, ...]:
    """The edits after which the graph does not break there any more; none where that takes more than a line."""
    code = event.advice or event.break_code
    file = source_file(event.file)
    setting = _SETTING.search(KINDS[code].remedy)
    if file is None:
        return ()
    if code in _RULES:
        nodes = [each for each in ast.walk(file.tree) if isinstance(each, (ast.expr, ast.stmt))]
        return edits_of(_RULES[code](file, [each for each in nodes if _holds(each, event.line)]))
    return edits_of(raised_setting(file, setting[1])) if setting else ()


def _holds(node: ast.expr | ast.stmt, line: int) -> bool:
    return node.lineno == line == node.end_lineno


@mends("B101")
def _where(file: SourceFile, nodes: list[ast.expr | ast.stmt]) -> list[Change]:
    """`a if condition else b` is `np.where(condition, a, b)`."""
    for node in nodes:
        if isinstance(node, ast.IfExp):
            parts = ", ".join(map(file.text, (node.test, node.body, node.orelse)))
            return file.instead(node, f"np.where({parts})")
    return []


@mends("B102")
def _kept(file: SourceFile, nodes: list[ast.expr | ast.stmt]) -> list[Change]:
    """`float(a)` is `a`, and `a.item()` too."""
    for node in nodes:
        match node:
            case ast.Call(func=ast.Name(id="float"), args=[value], keywords=[]):
                return file.instead(node, file.text(value))
            case ast.Call(func=ast.Attribute(value=value, attr="item"), args=[], keywords=[]):
                return file.instead(node, file.text(value))
    return []


@mends("B208")
def _without(file: SourceFile, nodes: list[ast.expr | ast.stmt]) -> list[Change]:
    """A statement that asks for a break does nothing."""
    for node in nodes:
        if isinstance(node, ast.Expr) and "graph_break" in file.text(node):
            return file.instead(node, "pass")
    return []


@mends("B350", "B405", "B412")
def _out_of_place(file: SourceFile, nodes: list[ast.expr | ast.stmt]) -> list[Change]:
    """`y += 1` is `y = y + 1`."""
    for node in nodes:
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            name, value = node.target.id, file.text(node.value)
            operator = file.text(node)[len(name) :].split("=")[0].strip()
            return file.instead(node, f"{name} = {name} {operator} ({value})")
    return []


@mends("B413")
def _cloned(file: SourceFile, nodes: list[ast.expr | ast.stmt]) -> list[Change]:
    """`return y[0]` is `return y[0].clone()`."""
    for node in nodes:
        if isinstance(node, ast.Return) and node.value is not None and not isinstance(node.value, ast.Tuple):
            return file.around(node.value, "{}.clone()")
    return []


@mends("B414")
def _stacked(file: SourceFile, nodes: list[ast.expr | ast.stmt]) -> list[Change]:
    """`gl.tensor([a, b])` is `gl.stack([a, b])`."""
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "tensor":
            if len(node.args) == 1 and not node.keywords and isinstance(node.args[0], (ast.List, ast.Tuple)):
                return file.instead(node.func, f"{file.text(node.func.value)}.stack")
    return []


@mends("B420")
def _written_into(file: SourceFile, nodes: list[ast.expr | ast.stmt]) -> list[Change]:
    """`w.data = value` is a write into the memory that is there."""
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Attribute(value=tensor, attr="data")], value=value):
                write = f"{file.text(tensor)}.copy_({file.text(value)})"
                return file.instead(node, f"with {file.alias() or 'gl'}.no_grad(): {write}")
    return []
