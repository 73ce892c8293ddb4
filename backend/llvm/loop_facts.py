"""Facts about the loops of kernel text, found in one walk over the whole text."""

from __future__ import annotations

import ast
from dataclasses import field

from ...core.records import dataclass

MANY = 12
"""Loops of a text from which on none is unrolled, but for those of a few rounds."""


@dataclass(slots=True)
class LoopFacts:
    """Facts about the body of a loop over a range, at any depth.

    elements:      the elements of memories that are read and written.
    changing:      the names that are given a value; the loop's own variable is none of them.
    has_loop:      whether there is another loop, has_long_loop: one whose number of rounds the text does not say.
    has_branch:    whether there is a statement `if`.
    moves_within:  whether a loop in it loads and stores elements of one memory at places that are told apart.
    """

    elements: list[ast.Subscript] = field(default_factory=list)
    changing: set[str] = field(default_factory=set)
    has_loop: bool = False
    has_long_loop: bool = False
    has_branch: bool = False
    moves_within: bool = False


class TextLoops:
    """The loops of a text. has_many: whether there are more than are worth the time to make several copies of each."""

    def __init__(self, definition: ast.FunctionDef) -> None:
        self._facts: dict[ast.For, LoopFacts] = {}
        self._around: list[LoopFacts] = []
        for each in definition.body:
            self._walk(each)
        self.has_many = len(self._facts) > MANY

    def facts(self, loop: ast.For) -> LoopFacts:
        """The facts about one loop."""
        return self._facts[loop]

    def _walk(self, node: ast.AST) -> None:
        kind = type(node)
        if kind is ast.For:
            self._walk_loop(node)  # type: ignore[arg-type]
            return
        if kind is ast.Name:
            if type(node.ctx) is ast.Store:  # type: ignore[attr-defined]
                for each in self._around:
                    each.changing.add(node.id)  # type: ignore[attr-defined]
            return
        if kind is ast.Subscript:
            for each in self._around:
                each.elements.append(node)  # type: ignore[arg-type]
        elif kind is ast.If:
            for each in self._around:
                each.has_branch = True
        elif kind is ast.While:
            for each in self._around:
                each.has_loop = each.has_long_loop = True
        for name in node._fields:
            found = getattr(node, name)
            if type(found) is list:
                for part in found:
                    if isinstance(part, ast.AST):
                        self._walk(part)
            elif isinstance(found, ast.AST):
                self._walk(found)

    def _walk_loop(self, loop: ast.For) -> None:
        numbers = loop.iter.args if isinstance(loop.iter, ast.Call) else [loop.iter]
        is_long = not all(isinstance(each, ast.Constant) for each in numbers)
        for each in self._around:
            each.has_loop = True
            each.has_long_loop |= is_long
        facts = self._facts[loop] = LoopFacts()
        self._walk(loop.target)
        self._around.append(bounds := LoopFacts())
        self._walk(loop.iter)
        self._around[-1] = facts
        for line in loop.body:
            self._walk(line)
        self._around.pop()
        if self._around and not self._around[-1].moves_within and _moves([*bounds.elements, *facts.elements]):
            for each in self._around:
                each.moves_within = True


def _moves(elements: list[ast.Subscript]) -> bool:
    """Whether one memory is stored to at an index that differs from another one that is used of it."""
    stored = {written(each.value): written(each.slice) for each in elements if isinstance(each.ctx, ast.Store)}
    return bool(stored) and any(stored.get(written(each.value)) not in (None, written(each.slice)) for each in elements)


def written(node: ast.expr) -> str:
    """An expression as text."""
    return node.id if type(node) is ast.Name else ast.unparse(node)
