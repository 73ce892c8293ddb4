"""The table of opcodes. A handler is a free function; its entry says the stack effect, and the table pops and pushes.

``left right -- result`` names the values popped, deepest first, then those pushed. A name with brackets stands for several:
``items[arg] -- list`` pops `arg` values as one list. A leading ``*`` marks a handler that works the stack itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..breaks import OPCODE
from ..code import Instruction

if TYPE_CHECKING:
    from ..frame import Frame


@dataclass(frozen=True, slots=True)
class Opcode:
    """One entry: the instruction's name, what it pops, how many it pushes, and what it does."""

    name: str
    pops: tuple[str, ...]
    pushes: int
    manual: bool
    handler: Callable[..., Any]


TABLE: dict[str, Opcode] = {}


def opcode(*names: str, stack: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Enters a handler under one or more names."""
    manual = stack.startswith("*")
    before, _, after = stack.lstrip("*").partition("--")

    def register(handler: Callable[..., Any]) -> Callable[..., Any]:
        for name in names:
            assert name not in TABLE, name
            TABLE[name] = Opcode(name, tuple(before.split()), len(after.split()), manual, handler)
        return handler

    return register


def run_handler(frame: Frame, entry: Opcode | None, instruction: Instruction) -> None:
    """Run one instruction: pop what its entry names, call the handler, push what it returns."""
    if entry is None:
        raise OPCODE.stop(name=instruction.name)
    if entry.manual:
        entry.handler(frame, instruction.arg)
        return
    popped: list[Any] = []
    for name in reversed(entry.pops):
        if name.endswith("[arg]"):
            count = instruction.arg
            items = frame.stack[len(frame.stack) - count :]
            del frame.stack[len(frame.stack) - count :]
            popped.append(items)
        else:
            popped.append(frame.stack.pop())
    result = entry.handler(frame, instruction.arg, *reversed(popped))
    if entry.pushes == 1:
        frame.stack.append(result)
    elif entry.pushes > 1:
        frame.stack.extend(result)
