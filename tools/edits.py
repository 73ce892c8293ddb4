"""Edits of a program as data: where the text of the user's files takes what a card advises, and the text with it done.

A remedy says how a value is to be passed, or which option `gl.jit` takes. Here the calls, the assignments and the
decorator are found in the syntax tree of the file. An edit that cannot be placed is not there; a text that Python
does not accept is none either.
"""

from __future__ import annotations

import ast
import functools
import linecache
import tokenize
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby

from ..core.errors import GuardliftError
from ..core.events import Edit, Remedy
from ..core.package import PACKAGE
from ..core.records import dataclass
from ..guards.advice.calls_in_file import Definition, argument, calls, definition_at, is_jit, names_of, parameters
from ..guards.advice.items import UNSEEN, ItemPath, item_path, item_uses
from ..guards.advice.uses import ELSEWHERE


class EditError(GuardliftError, ValueError):
    """An edit does not fit the text it is to be applied to."""


class _Misfit(ValueError):
    """A value that is spelled out cannot be converted as an edit would have it."""


def applied(text: str, edits: Iterable[Edit]) -> str:
    """The text of a file with edits made, which all are of that file. A line of which nothing is left is taken out.

    Errors: `EditError` where a line does not hold what is to be replaced.
    """
    lines: list[str | None] = [*text.split("\n")]
    for edit in edits:
        found = (lines[edit.line - 1] if 0 < edit.line <= len(lines) else "") or ""
        if edit.old not in found:
            raise EditError(f"{edit.file}:{edit.line} does not hold {edit.old!r}, which the edit replaces: {found!r}")
        changed = found.replace(edit.old, edit.new, 1)
        lines[edit.line - 1] = changed if changed.strip() else None
    return "\n".join(line for line in lines if line is not None)


@dataclass(frozen=True, slots=True)
class Change:
    """Another text for the bytes from `start` to `end` of a line."""

    file: str
    line: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class SourceFile:
    """The text of a file of the user's and its syntax tree."""

    name: str
    lines: tuple[str, ...]
    tree: ast.Module

    def text(self, node: ast.expr | ast.stmt) -> str:
        """The text of a node in one line."""
        if node.end_lineno != node.lineno:
            return ast.unparse(node) if isinstance(node, ast.expr) else ""
        line = self.lines[node.lineno - 1].encode()
        return line[node.col_offset : node.end_col_offset].decode()

    def operand(self, node: ast.expr) -> str:
        """The text of a node in one line, in parentheses where it would not be an operand or be asked by itself."""
        closed = isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Constant, ast.List, ast.Dict))
        return self.text(node) if closed else f"({self.text(node)})"

    def around(self, node: ast.expr, form: str) -> list[Change]:
        """The changes that put an expression into a form, in parentheses where Python needs them.

        A number that is spelled out becomes the number that the form gives; none where it is that one already.
        """
        spelled = _spelled(node, form)
        if spelled == "":
            raise _Misfit(self.text(node))
        if spelled is not None:
            return [] if spelled == self.text(node) else self.instead(node, spelled)
        before, after = form.split("{}")
        if not before and not isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)):
            before, after = "(", f"){after}"
        end, column = node.end_lineno or 0, node.end_col_offset or 0
        start = (node.lineno, node.col_offset)
        return [Change(self.name, *start, node.col_offset, before), Change(self.name, end, column, column, after)]

    def instead(self, node: ast.expr | ast.stmt, text: str) -> list[Change]:
        """The changes of a node into another text, which stands on its first line; nothing is left of others."""
        return self.between((node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0), text)

    def between(self, start: tuple[int, int], end: tuple[int, int], text: str) -> list[Change]:
        """The changes of what stands between two places, each a line and a byte of it, into another text.

        None where a comment would be lost.
        """
        if any(start[0] <= line < end[0] for line in _commented(self.lines)):
            return []
        found = []
        for line in range(start[0], end[0] + 1):
            first = start[1] if line == start[0] else 0
            last = end[1] if line == end[0] else len(self.lines[line - 1].rstrip("\n").encode())
            found.append(Change(self.name, line, first, last, text if line == start[0] else ""))
        return found

    def alias(self, package: str = PACKAGE) -> str:
        """The name by which the file knows guardlift, or another package; empty where it does not import it."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                for each in node.names:
                    if each.name == package:
                        return each.asname or each.name
        return ""


_NUMBERS: dict[str, Callable[[int | float], object]] = {"float({})": float, "int({})": int, "bool({})": bool}


def _spelled(node: ast.expr, form: str) -> str | None:
    """The text of a number that a form gives for one that is spelled out; empty for another value that is.

    None for an expression of which the value is not seen, and for any other form.
    """
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError):
        return None
    if form not in _NUMBERS:
        return None
    if not isinstance(value, (bool, int, float)):
        return ""
    given = _NUMBERS[form](value)
    return None if given != value else repr(given)


@functools.lru_cache(maxsize=8)
def _commented(lines: tuple[str, ...]) -> frozenset[int]:
    """The numbers of the lines that hold a comment."""
    tokens = tokenize.generate_tokens(iter(lines).__next__)
    return frozenset(token.start[0] for token in tokens if token.type == tokenize.COMMENT)


def source_file(name: str) -> SourceFile | None:
    """The file; None where it cannot be read as Python."""
    lines = tuple(linecache.getlines(name))
    try:
        return SourceFile(name, lines, ast.parse("".join(lines))) if lines else None
    except (SyntaxError, ValueError, RecursionError):
        return None


def placed(
    remedies: Sequence[Remedy], function: str, defined: tuple[str, int], called_in: Sequence[str]
) -> tuple[Edit, ...]:
    """The edits that do what the remedies of one cause say; none where one of them cannot be placed.

    function, defined: its qualified name, file and first line.   called_in: the files that call it.
    """
    home = source_file(defined[0])
    definition = None if home is None else definition_at(home.tree, function.rpartition(".")[2], defined[1])
    if home is None or definition is None:
        return ()
    try:
        parts = list(_parts(home, definition, remedies, called_in))
    except _Misfit:
        return ()
    return edits_of([change for part in parts for change in part]) if all(parts) else ()


def _parts(
    home: SourceFile, definition: Definition, remedies: Sequence[Remedy], called_in: Sequence[str]
) -> Iterator[list[Change]]:
    """The changes for each of the things that remedies say; errors: `_Misfit`."""
    forms = {each.name: each.form for each in remedies if each.form}
    passed = {name: form for name, form in forms.items() if name in parameters(definition)}
    if passed:
        yield _at_calls(home, definition, passed, called_in)
    for name in forms.keys() - passed.keys():
        item = item_path(name)
        if item is not None:
            yield _at_items(home, definition, item, forms[name], called_in)
        else:
            yield _at_assignments(home, called_in, name, forms[name])
    for option in [each.option for each in remedies if each.option][:1]:
        yield _at_jit(home, definition, option)
    for setting in [each.setting for each in remedies if each.setting][:1]:
        yield raised_setting(home, setting)


def edits_of(changes: Iterable[Change]) -> tuple[Edit, ...]:
    """The edits that make these changes, one for each line; none if Python does not accept a file with them."""
    by_line: dict[tuple[str, int], list[Change]] = {}
    for change in changes:
        by_line.setdefault((change.file, change.line), []).append(change)
    found = [_edit_of(*place, listed) for place, listed in sorted(by_line.items())]
    for name, group in groupby(found, key=lambda edit: edit.file):
        try:
            compile(applied("".join(linecache.getlines(name)), group), name, "exec", dont_inherit=True)
        except (SyntaxError, ValueError):
            return ()
    return tuple(found)


def _edit_of(file: str, line: int, changes: list[Change]) -> Edit:
    old = linecache.getline(file, line).rstrip("\n")
    new = old.encode()
    for change in sorted(changes, key=lambda each: each.start, reverse=True):
        new = new[: change.start] + change.text.encode() + new[change.end :]
    return Edit(file, line, old.strip(), new.decode().strip())


def _at_calls(
    home: SourceFile, definition: Definition, forms: dict[str, str], called_in: Sequence[str]
) -> list[Change]:
    """The changes of each call of a function, in these files, by which parameters get other values."""
    found: list[Change] = []
    for each in dict.fromkeys(called_in):
        file = source_file(each)
        for call in calls(file.tree, names_of(home.tree, definition)) if file is not None else ():
            assert file is not None
            values = {name: argument(definition, call, name) for name in forms}
            for name, value in values.items():
                if value is not None:
                    found += file.around(value, forms[name])
    defaults = {name: value for name, value in _defaults(definition) if name in forms}
    return found + [change for name, value in defaults.items() for change in home.around(value, forms[name])]


def _defaults(definition: Definition) -> Iterator[tuple[str, ast.expr]]:
    """The parameters with a default that is a number, and that."""
    arguments = definition.args
    positional = [*arguments.posonlyargs, *arguments.args]
    pairs = [
        *zip(reversed(positional), reversed(arguments.defaults)),
        *zip(arguments.kwonlyargs, arguments.kw_defaults),
    ]
    for parameter, value in pairs:
        if isinstance(value, ast.Constant) and isinstance(value.value, (int, float)):
            yield parameter.arg, value


def _at_assignments(home: SourceFile, called_in: Sequence[str], name: str, form: str) -> list[Change]:
    """The changes of what is assigned to a variable of a module, or in these files to an attribute of any object."""
    others = [source_file(each) for each in dict.fromkeys(called_in) if each != home.name and "." in name]
    return [
        change
        for file in (home, *others)
        for value in (_assigned(file.tree, name) if file is not None else ())
        for change in (file.around(value, form) if file is not None else ())
    ]


def _at_items(
    home: SourceFile, definition: Definition, item: ItemPath, form: str, called_in: Sequence[str]
) -> list[Change]:
    """The changes of what is put under a key of a dict or a list; none where the dict may be seen by others."""
    found: list[Change] = []
    for name in dict.fromkeys((home.name, *called_in)):
        file = home if name == home.name else source_file(name)
        if file is None:
            return []
        uses = item_uses(home.tree, definition, item, None if file is home else file.tree)
        if any(use.kind in (ELSEWHERE, UNSEEN) for use in uses):
            return []
        found += [change for use in uses if use.value is not None for change in file.around(use.value, form)]
    return found


def _assigned(tree: ast.AST, name: str) -> Iterator[ast.expr]:
    """The expressions whose values are assigned to a variable, or, for a path, to attributes of the last name in it."""
    own, attribute = ("", name.rpartition(".")[2]) if "." in name else (name, "")
    bodies = [id(each) for node in ast.walk(tree) if attribute and isinstance(node, ast.ClassDef) for each in node.body]
    for node in ast.walk(tree):
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        named = (own, attribute) if id(node) in bodies else (own,)  # a class has its attributes as variables
        if any(
            isinstance(each, ast.Name)
            and each.id in named
            or isinstance(each, ast.Attribute)
            and each.attr == attribute
            for each in targets
        ):
            assert isinstance(node, (ast.Assign, ast.AnnAssign))
            if node.value is not None:
                yield node.value


def _at_jit(file: SourceFile, definition: Definition, option: str) -> list[Change]:
    """The change that gives an option to the `gl.jit` of a function."""
    for decorator in definition.decorator_list:
        if is_jit(decorator.func if isinstance(decorator, ast.Call) else decorator):
            return _with_option(file, decorator, option)
    for node in ast.walk(file.tree):
        if isinstance(node, ast.Call) and is_jit(node.func) and node.args:
            if isinstance(node.args[0], ast.Name) and node.args[0].id == definition.name:
                return _with_option(file, node, option)
    return []


def _with_option(file: SourceFile, node: ast.expr, option: str) -> list[Change]:
    line, end = node.end_lineno or 0, node.end_col_offset or 0
    if not isinstance(node, ast.Call):
        return [Change(file.name, line, end, end, f"({option})")]
    text = f", {option}" if node.args or node.keywords else option
    return [Change(file.name, line, end - 1, end - 1, text)]


def raised_setting(file: SourceFile, name: str, times: int = 16) -> list[Change]:
    """The change that raises a setting where the file imports guardlift."""
    alias = file.alias()
    for node in ast.walk(file.tree):
        if isinstance(node, ast.Import) and any(each.name == PACKAGE for each in node.names):
            end = node.end_col_offset or 0
            return [Change(file.name, node.end_lineno or 0, end, end, f"; {alias}.config.{name} *= {times}")]
    return []
