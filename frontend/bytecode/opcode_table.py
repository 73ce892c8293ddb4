"""The table of opcodes. A handler is a free function; its entry says the stack effect, and the table pops and pushes.

``left right -- result`` names the values popped, deepest first, then those pushed. A name with brackets stands for
several: ``items[arg] -- list`` pops `arg` values as one list; any Python expression of the instruction's argument may
stand there. A leading ``*`` marks a handler that works the stack itself; what it declares is checked all the same.
`jump` is the effect of a conditional jump that is taken, where that differs.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..breaks import BreakKind

Count = Callable[[Any], int]


_GROUPS = re.compile(r"(\w+)(?:\[(.*?)\](?=\s|$))?")


@dataclass(frozen=True, slots=True)
class StackGroup:
    """A name in a stack effect. `count` gives how many values it stands for, from the argument; None for one."""

    name: str
    count: Count | None

    def size(self, arg: Any) -> int:
        return 1 if self.count is None else int(self.count(arg))


@dataclass(frozen=True, slots=True)
class StackEffect:
    """What an instruction pops and pushes."""

    pops: tuple[StackGroup, ...]
    pushes: tuple[StackGroup, ...]

    def net(self, arg: Any) -> int:
        """How much higher the stack is afterwards."""
        return sum(group.size(arg) for group in self.pushes) - sum(group.size(arg) for group in self.pops)


def parse_effect(text: str) -> StackEffect:
    """The effect written as ``popped -- pushed``."""
    before, _, after = text.partition("--")
    return StackEffect(*(tuple(map(_group, _GROUPS.findall(side))) for side in (before, after)))


def _group(found: tuple[str, str]) -> StackGroup:
    name, count = found
    return StackGroup(name, eval(f"lambda arg: {count}") if count else None)


@dataclass(frozen=True, slots=True)
class Opcode:
    """One entry: the instruction's name, its effect (when it jumps, `jump`), and what it does."""

    name: str
    effect: StackEffect
    jump: StackEffect
    manual: bool
    handler: Callable[..., Any]


TABLE: dict[str, Opcode] = {}


def opcode(*names: str, stack: str, jump: str = "") -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Enters a handler under one or more names."""
    effect = parse_effect(stack.lstrip("*"))
    taken = parse_effect(jump) if jump else effect

    def register(handler: Callable[..., Any]) -> Callable[..., Any]:
        for name in names:
            assert name not in TABLE, name
            TABLE[name] = Opcode(name, effect, taken, stack.startswith("*"), handler)
        return handler

    return register


REFUSED: dict[str, tuple[BreakKind, dict[str, object]]] = {}
"""The instructions that always end the trace: of which kind the break is, and its details."""


def refuse(*names: str, kind: BreakKind, **details: object) -> None:
    """Enters instructions that are known and have no handler."""
    for name in names:
        assert name not in REFUSED, name
        REFUSED[name] = kind, details
