"""Edits for graph breaks: the change of the breaking line, for the kinds of break whose remedy is one.

For the others a card gives the advice in words alone.
"""

from __future__ import annotations

import ast
import linecache
import re
from collections.abc import Callable

from ..core.events import Edit, Event
from ..frontend.breaks import KINDS
from .branch_edits import chosen_by_where
from .edits import Change, SourceFile, edits_of, raised_setting, source_file

Rule = Callable[[SourceFile, list[ast.expr | ast.stmt]], list[Change]]
_RULES: dict[str, Rule] = {}
"""By the code of the kind: gives the changes, from the nodes on the breaking line, innermost last."""

_SIZED = re.compile(r"\[\d")
"""Found in the words on an array that is no number, in which the value of a branch is described."""
_SETTING = re.compile(r"raise gl\.config\.(\w+)")


def mends(*codes: str) -> Callable[[Rule], Rule]:
    """Declares the rule for breaks of these kinds."""

    def declare(rule: Rule) -> Rule:
        _RULES.update(dict.fromkeys(codes, rule))
        return rule

    return declare


def break_edits(event: Event) -> tuple[Edit, ...]:
    """The edits after which the graph does not break there any more; none where it takes more than is known to do."""
    code = event.advice or event.break_code
    file = source_file(event.file)
    setting = _SETTING.search(KINDS[code].remedy)
    if file is None:
        return ()
    if code in _RULES and not _SIZED.search(event.what):
        return edits_of(_RULES[code](file, _nodes(file, event, whole=bool(event.advice))))
    return edits_of(raised_setting(file, setting[1])) if setting else ()


def _nodes(file: SourceFile, event: Event, *, whole: bool) -> list[ast.expr | ast.stmt]:
    """The nodes that begin on the line of a break; with `whole`, all of the statement that does, a loop or a branch."""
    nodes = [each for each in ast.walk(file.tree) if isinstance(each, (ast.expr, ast.stmt))]
    if not whole:
        return [each for each in nodes if _breaks_at(each, event)]
    begins = next((each for each in nodes if isinstance(each, ast.stmt) and each.lineno == event.line), None)
    inside = list(ast.walk(begins)) if begins is not None else []
    return [each for each in inside if isinstance(each, (ast.expr, ast.stmt))]


def _breaks_at(node: ast.expr | ast.stmt, event: Event) -> bool:
    """Whether a node begins on the line of a break; of a branch, whether it asks for what stands there."""
    if not isinstance(node, (ast.If, ast.IfExp)):
        return node.lineno == event.line
    if event.columns[0] < 0:
        return node.test.lineno <= event.line <= (node.test.end_lineno or 0)
    column = len(linecache.getline(event.file, event.line)[: event.columns[0]].encode())
    starts, ends = (node.test.lineno, node.test.col_offset), (node.test.end_lineno or 0, node.test.end_col_offset or 0)
    # A condition that is a variable is asked by the branch itself.
    return starts <= (event.line, column) < ends or (node.lineno, node.col_offset) == (event.line, column)


@mends("B101")
def _where(file: SourceFile, nodes: list[ast.expr | ast.stmt]) -> list[Change]:
    """`a if condition else b` is `np.where(condition, a, b)`."""
    return chosen_by_where(file, nodes)


@mends("B208")
def _without(file: SourceFile, nodes: list[ast.expr | ast.stmt]) -> list[Change]:
    """A statement that asks for a break does nothing."""
    for node in nodes:
        match node:
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr="graph_break") | ast.Name(id="graph_break"))):
                return file.instead(node, "pass")
    return []


_OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.MatMult: "@", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>",
}  # fmt: skip


@mends("B350")
def _out_of_place(file: SourceFile, nodes: list[ast.expr | ast.stmt]) -> list[Change]:
    """`y += 1` is `y = y + 1`, where nobody but the function can know the tensor that `y` holds."""
    found: list[Change] = []
    for node in nodes:
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            name = node.target.id
            if not _is_own(file, name, node.lineno):
                return []
            found += file.instead(node, f"{name} = {name} {_OPERATORS[type(node.op)]} {file.operand(node.value)}")
    return found


def _is_own(file: SourceFile, name: str, line: int) -> bool:
    """Whether a variable of the function at this line holds what its own arithmetic made, under no other name."""
    around = [each for each in ast.walk(file.tree) if isinstance(each, ast.FunctionDef)]
    around = [each for each in around if each.lineno <= line <= (each.end_lineno or 0)]
    if not around:
        return False
    assigned = [each for each in ast.walk(around[-1]) if isinstance(each, ast.Assign)]
    own = [each.value for each in assigned if any(isinstance(t, ast.Name) and t.id == name for t in each.targets)]
    aliased = any(isinstance(each.value, ast.Name) and each.value.id == name for each in assigned)
    return bool(own) and not aliased and all(isinstance(each, ast.BinOp) for each in own)


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
            case ast.Assign(targets=[ast.Attribute(value=tensor, attr="data") as target]) if (
                target.lineno == node.lineno
            ):
                start, end = (node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)
                line = file.lines[node.lineno - 1].encode()
                value = line.index(b"=", target.end_col_offset) + 1
                value += len(line[value:]) - len(line[value:].lstrip(b" "))
                write = f"with {file.alias() or 'gl'}.no_grad(): {file.text(tensor)}.copy_("
                return [*file.between(start, (node.lineno, value), write), *file.between(end, end, ")")]
    return []
