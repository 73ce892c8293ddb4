"""Runs the handler of an instruction: it pops what the table says, and pushes what the handler gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...core.config import config
from ..breaks import OPCODE, GraphBreak
from ..bytecode.decode import Instruction
from ..bytecode.opcode_table import REFUSED, Opcode

if TYPE_CHECKING:
    from ..interpreter.frame import Frame


def refusal(name: str) -> GraphBreak:
    """The break for an instruction without a handler."""
    kind, details = REFUSED.get(name, (OPCODE, {}))
    return kind.stop(**{"name": name, **details})


def run_handler(frame: Frame, entry: Opcode | None, instruction: Instruction) -> None:
    """Run one instruction: pop what its entry names, call the handler, push what it returns."""
    if entry is None:
        raise refusal(instruction.name)
    height, position = len(frame.stack), frame.position
    if entry.manual:
        entry.handler(frame, instruction.arg)
    else:
        _run_plain(frame, entry, instruction.arg)
    if config.verify_graphs:
        expected = {height + entry.effect.net(instruction.arg)}
        if frame.position != position or isinstance(instruction.arg, int) and instruction.arg == position:
            expected = {height + entry.jump.net(instruction.arg)} | (expected if frame.position == position else set())
        assert len(frame.stack) in expected, (
            f"{instruction.name} {instruction.arg!r} left {len(frame.stack)} values, not {expected}"
        )


def _run_plain(frame: Frame, entry: Opcode, arg: Any) -> None:
    popped: list[Any] = []
    for group in reversed(entry.effect.pops):
        if group.count is None:
            popped.append(frame.stack.pop())
        else:
            start = len(frame.stack) - group.size(arg)
            assert start >= 0, "the value stack is too short"
            popped.append(frame.stack[start:])
            del frame.stack[start:]
    result = entry.handler(frame, arg, *reversed(popped))
    if len(entry.effect.pushes) == 1:
        frame.stack.append(result)
    elif entry.effect.pushes:
        frame.stack.extend(result)
