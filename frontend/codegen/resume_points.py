"""Frames that go on at a point behind a graph break."""

from __future__ import annotations

import linecache
import types
from typing import TYPE_CHECKING

from ...guards.entry_code import NULLS, STACK
from ...guards.sources import Local, Named, OwnCell
from ..bytecode.decode import decode
from ..interpreter.frame import Frame
from ..values.base import Value
from ..values.functions.scopes import CellValue, OuterScope
from ..values.lazy import LazyValue

if TYPE_CHECKING:
    from ..tracing.trace import Trace
    from .frame_state import FrameState

_COMPUTED_BEFORE = "a value computed before line {}"
_MAKERS = ("CALL", "BINARY_", "COMPARE_OP", "LOAD_ATTR", "UNARY_")
"""Beginnings of the names of instructions that leave their result on top of the stack."""


def _stack_names(code: types.CodeType, at: FrameState) -> list[str]:
    """The names of the values on the stack: what was written for the one that Python has just made."""
    instructions = decode(code).instructions
    before = instructions[at.point.position - 1]
    names = [_COMPUTED_BEFORE.format(instructions[at.point.position].line)] * len(at.point.kinds)
    start, end = before.columns
    if names and at.point.kinds[-1] not in NULLS and before.name.startswith(_MAKERS) and 0 <= start < end:
        line = linecache.getline(code.co_filename, before.line).encode()
        names[-1] = line[start:end].decode(errors="replace") or names[-1]
    return names


def resumed_frame(trace: Trace, function: types.FunctionType, at: FrameState) -> Frame:
    """A frame that goes on where a running one is."""
    variables: dict[str, Value] = {
        name: LazyValue(trace, value, Local(name)) for name, value in at.variables.items() if name not in at.cells
    }
    for name, cell in at.cells.items():
        variables[name] = CellValue(trace.effects.external.cell(cell, OwnCell(name), Local(name), name))
    frame = Frame(trace, function.__code__, variables, OuterScope(function, None))
    frame.position = at.point.position
    for slot, (kind, name) in enumerate(zip(at.point.kinds, _stack_names(function.__code__, at), strict=True)):
        source = Named(Local(STACK.format(slot)), name)
        frame.stack.append(LazyValue(trace, at.stack[slot], source) if kind not in NULLS else None)
    frame.resumed = True
    frame.keep_originals()
    return frame
