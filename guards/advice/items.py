"""Items of dicts and lists, such as ``config["lr"]``: where a file sets one, and what else it does with the dict.

A number under a key may be made another one where it is set only if nobody else can see it: the dict is used in no way
but by constant keys, and passed to nobody but the function that reads it.
"""

from __future__ import annotations

import ast
import functools
import linecache
import types
from collections.abc import Iterator
from typing import NamedTuple

from .calls_in_file import Definition, argument, calls, definition_at, names_of, parameters
from .uses import ELSEWHERE, UNREADABLE, use_of

UNSEEN = "unseen"
"""The kind of a use by which an item may be set or read without being named."""

_NUMBER_STAYS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow)
"""Operators of statements such as ``+=``, after which a float is the number that an int would be."""


class ItemPath(NamedTuple):
    """An item under a constant key. holder: the variable that holds the dict or list; with a dot, the attribute."""

    holder: str
    key: str | int


class ItemUse(NamedTuple):
    """A use of an item on a line, of a kind as in `uses_of`, or the expression of a value that is put there."""

    line: int
    kind: str = ""
    value: ast.expr | None = None


def item_path(text: str) -> ItemPath | None:
    """The path that an expression is; None for any other one."""
    try:
        node = ast.parse(text, mode="eval").body
    except UNREADABLE:
        return None
    match node:
        case ast.Subscript(value=ast.Name(id=holder), slice=ast.Constant(value=key)):
            pass
        case ast.Subscript(value=ast.Attribute(value=base, attr=name), slice=ast.Constant(value=key)):
            while isinstance(base, ast.Attribute):
                base = base.value
            if not isinstance(base, ast.Name):
                return None
            holder = f".{name}"
        case _:
            return None
    return ItemPath(holder, key) if isinstance(key, (str, int)) and type(key) is not bool else None


@functools.lru_cache(maxsize=256)
def item_uses_in_file(code: types.CodeType, path: ItemPath) -> frozenset[str] | None:
    """The kinds of use that the module of a function makes of an item; None where its source cannot be read.

    They are those of `uses_in_file`, and unseen: where the item is set, or who else reads it, cannot be told.
    """
    try:
        tree = ast.parse("".join(linecache.getlines(code.co_filename)))
    except UNREADABLE:
        return None
    definition = definition_at(tree, code.co_name, code.co_firstlineno)
    if definition is None:
        return None
    found = item_uses(tree, definition, path)
    seen = any(use.value is not None for use in found)
    return frozenset(use.kind for use in found if use.kind) | (frozenset() if seen else {UNSEEN})


def item_uses(home: ast.AST, definition: Definition, path: ItemPath, other: ast.AST | None = None) -> list[ItemUse]:
    """The uses that a file makes of an item.

    home, definition: the file that defines the function, and where it does.   other: another file, which calls it;
    there a variable of the first one may be an attribute as well.
    """
    tree, own = other or home, range(0) if other else range(definition.lineno, (definition.end_lineno or 0) + 1)
    holders, found = {path.holder}, list[ItemUse]()
    passed: set[ast.AST] = set()
    if path.holder in parameters(definition):
        holders = set() if other else holders
        for call in calls(tree, names_of(home, definition)):
            given = argument(definition, call, path.holder)
            if isinstance(given, ast.Name):
                holders.add(given.id)
                passed.add(given)
            else:
                found += _contents(given, path.key, call.lineno)
    elif other is not None:
        holders.add(f".{path.holder.removeprefix('.')}")
    around = {child: parent for parent in ast.walk(tree) for child in ast.iter_child_nodes(parent)}
    for node in around:
        if isinstance(node, (ast.Name, ast.Attribute)) and _name(node, around) in holders and node not in passed:
            found += _uses(node, path.key, around)
        elif isinstance(node, (ast.arg, ast.alias)) and _bound(node) in holders and around[node] is not definition.args:
            found.append(ItemUse(node.lineno, UNSEEN))  # what is passed or imported has other names elsewhere
    return [_within(use, own) for use in found]


def _within(use: ItemUse, own: range) -> ItemUse:
    """The use as it counts: one outside of the function is elsewhere, and what the function sets has no other value."""
    if use.line in own:
        return ItemUse(use.line, UNSEEN) if use.value is not None else use
    return use._replace(kind=ELSEWHERE) if use.kind not in ("", UNSEEN) else use


def _name(node: ast.Name | ast.Attribute, around: dict[ast.AST, ast.AST]) -> str:
    """The name as it is among the holders; a variable of a class is an attribute."""
    if isinstance(node, ast.Attribute):
        return f".{node.attr}"
    assigned = isinstance(node.ctx, ast.Store) and isinstance(around[node], (ast.Assign, ast.AnnAssign))
    in_class = assigned and isinstance(around.get(around[node]), ast.ClassDef)
    return f".{node.id}" if in_class else node.id


def _bound(node: ast.arg | ast.alias) -> str:
    return node.arg if isinstance(node, ast.arg) else node.asname or node.name


def _uses(node: ast.Name | ast.Attribute, key: str | int, around: dict[ast.AST, ast.AST]) -> Iterator[ItemUse]:
    """The use of an item where the variable that holds the dict stands."""
    parent = around[node]
    match parent:
        case ast.Subscript(value=value, slice=ast.Constant(value=other)) if value is node:
            if other != key:
                return
            yield from (
                _item_uses(parent, around[parent]) if type(other) is type(key) else [ItemUse(node.lineno, UNSEEN)]
            )
        case ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=ast.expr() as value) if (
            target is node
        ):
            yield from _contents(value, key, node.lineno)
        case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[container]) if container is node:
            return
        case ast.AnnAssign(value=None) | ast.Global() | ast.Nonlocal():
            return
        case _:
            yield ItemUse(node.lineno, UNSEEN)


def _item_uses(item: ast.Subscript, parent: ast.AST) -> Iterator[ItemUse]:
    """The use of an item where it stands itself."""
    match parent:
        case ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=ast.expr() as value) if (
            target is item
        ):
            yield ItemUse(item.lineno, value=value)
        case ast.AugAssign(target=target, op=operator) if target is item:
            yield from () if isinstance(operator, _NUMBER_STAYS) else [ItemUse(item.lineno, UNSEEN)]
        case _:
            yield ItemUse(item.lineno, use_of(parent, item) if isinstance(item.ctx, ast.Load) else UNSEEN)


def _contents(display: ast.expr | None, key: str | int, line: int) -> Iterator[ItemUse]:
    """The value that a dict or a list has under a key where it is spelled out."""
    match display:
        case ast.Dict(keys=keys, values=values) if all(isinstance(each, ast.Constant) for each in keys):
            found = [value for name, value in zip(keys, values, strict=True) if name.value == key]  # type: ignore[union-attr]
        case ast.Call(func=ast.Name(id="dict"), args=[], keywords=keywords) if all(each.arg for each in keywords):
            found = [each.value for each in keywords if each.arg == key]
        case ast.List(elts=elements) | ast.Tuple(elts=elements) if (
            isinstance(key, int) and key < len(elements) and not any(isinstance(e, ast.Starred) for e in elements)
        ):
            found = [elements[key]]
        case _:
            yield ItemUse(line, UNSEEN)
            return
    yield from (ItemUse(line, value=value) for value in found)
