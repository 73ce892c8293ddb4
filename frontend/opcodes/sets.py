"""Building sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..bytecode.opcode_table import opcode
from ..values.base import Value
from ..values.containers.sets import SetValue, add, extend, literal

if TYPE_CHECKING:
    from ..interpreter.frame import Frame


@opcode("BUILD_SET", stack="items[arg] -- set")
def build_set(frame: Frame, arg: int, items: list[Value]) -> Value:
    """A set of the top items."""
    return literal(frame.trace, items)


@opcode("SET_ADD", stack="*item --", reaches=True)
def set_add(frame: Frame, arg: int) -> None:
    """Add to the set `arg` below."""
    item = frame.pop()
    target = frame.stack[-arg]
    assert isinstance(target, SetValue)
    add(frame.trace, target, item)


@opcode("SET_UPDATE", stack="*items --", reaches=True)
def set_update(frame: Frame, arg: int) -> None:
    """Add all elements of an iterable to the set `arg` below."""
    items = frame.pop()
    target = frame.stack[-arg]
    assert isinstance(target, SetValue)
    extend(frame.trace, target, items)
