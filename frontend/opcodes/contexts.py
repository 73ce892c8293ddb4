"""The `with` statement."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..bytecode.opcode_table import opcode
from ..values.base import Value
from ..values.objects.context_managers import PendingEnter, PendingExit

if TYPE_CHECKING:
    from bytecode.instr import SpecialMethod

    from ..interpreter.frame import Frame


@opcode("BEFORE_WITH", stack="manager -- exit result", enters_context=True)
def before_with(frame: Frame, arg: Any, manager: Value) -> tuple[Value, Value]:
    """Enter a context; its exit lies below the result until the block ends, and is called with three Nones then."""
    return manager.enter(frame.trace)


# Note [Two lookups]
# Since 3.14 a `with` statement looks up `__exit__`, then `__enter__`, and calls the second as any function is called.
# What Python finds depends on the manager alone, and nothing can come between: so all happens at the call here. A split
# lies before the first lookup, and CPython runs the statement up to the call.


@opcode("LOAD_SPECIAL", stack="*manager -- method receiver", enters_context=True, begins_call=True)
def load_special(frame: Frame, arg: SpecialMethod) -> None:
    """A function that a `with` statement calls: the one for its end is looked up first."""
    manager = frame.pop()
    if arg.name == "EXIT":
        frame.stack += [PendingExit(manager), None]
        return
    leave = frame.stack[-2]
    assert isinstance(leave, PendingExit), "the two lookups are evaluated together"
    frame.stack += [PendingEnter(manager, leave), None]
