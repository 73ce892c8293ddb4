"""The `with` statement."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..bytecode.opcode_table import opcode
from ..values.base import Value

if TYPE_CHECKING:
    from ..interpreter.frame import Frame


@opcode("BEFORE_WITH", stack="manager -- exit result", enters_context=True)
def before_with(frame: Frame, arg: Any, manager: Value) -> tuple[Value, Value]:
    """Enter a context; its exit lies below the result until the block ends, and is called with three Nones then."""
    return manager.enter(frame.trace)
