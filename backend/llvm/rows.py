"""The rows that a loop of kernel text goes along: where they begin is computed before the loop."""

# Note [Rows]
# In a loop over j, `p[i * s + j]` goes along a row of p. Before LLVM emits code it weighs all ways to come by such
# addresses, with i * s and p apart or together, for each access of the copies that vectorising made. That took a fifth
# of a compile. So the address of the row is computed once before the loop, and hidden: there is one way left. Where one
# memory is both read and written in a loop, LLVM has to see how far its elements are apart; its rows are hidden only if
# all elements lie in one.

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from .loop_facts import LoopFacts, written
from .values import PointerKind, hidden

_SIMPLE = (ast.Name, ast.Constant, ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.Load)
"""The parts of the beginning of a row: nothing that may fail, or that reads memory."""


class LoopRows:
    """The rows along which the elements of some memories lie, in a loop that holds no other.

    before: the block before the loop.
    """

    def __init__(self, variable: str, facts: LoopFacts, before: Any) -> None:
        self._variable, self._before = variable, before
        self._addresses: dict[tuple[str, str], tuple[Any, PointerKind]] = {}
        self._memories: set[str] = set()
        if facts.has_loop:
            return
        elements: dict[str, list[ast.Subscript]] = {}
        for each in facts.elements:
            elements.setdefault(written(each.value), []).append(each)
        changing = {*facts.changing, variable}
        self._memories = {name for name, found in elements.items() if self._lie_in_rows(found, changing)}

    def _lie_in_rows(self, elements: Sequence[ast.Subscript], changing: set[str]) -> bool:
        starts = [self._start(each) for each in elements]
        for each in (*starts, elements[0].value):
            for part in ast.walk(each) if each is not None else (None,):
                if not isinstance(part, _SIMPLE) or (isinstance(part, ast.Name) and part.id in changing):
                    return False
        is_written = any(isinstance(each.ctx, ast.Store) for each in elements)
        return not is_written or len({written(each) for each in starts if each is not None}) == 1

    def _start(self, element: ast.Subscript) -> ast.expr | None:
        """The index at which the row of an element begins; None where the index has another form."""
        match element.slice:
            case ast.BinOp(left=start, op=ast.Add(), right=ast.Name(id=name)) if name == self._variable:
                return start
        return None

    def address(
        self, builder: Any, element: ast.Subscript, emit: Callable[[ast.expr, ast.expr], tuple[Any, PointerKind]]
    ) -> tuple[Any, PointerKind] | None:
        """The address where the row of an element begins, and the pointer's kind; None where it is not computed apart.

        emit: emits the address of the element of a memory at an index.
        """
        memory = written(element.value)
        if memory not in self._memories:
            return None
        start = self._start(element)
        assert start is not None
        key = memory, ast.unparse(start)
        if key not in self._addresses:
            with builder.goto_block(self._before):
                address, kind = emit(element.value, start)
                self._addresses[key] = hidden(builder, address), kind
        return self._addresses[key]
