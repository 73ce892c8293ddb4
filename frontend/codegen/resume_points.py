"""Frames that go on at a point behind a graph break."""

from __future__ import annotations

import types
from typing import TYPE_CHECKING

from ...guards.entry_code import NULLS, STACK
from ...guards.sources import Local, Named, OwnCell
from ..interpreter.frame import Frame
from ..values.base import Value
from ..values.functions.scopes import CellValue, OuterScope
from ..values.lazy import LazyValue

if TYPE_CHECKING:
    from ..tracing.trace import Trace
    from .frame_state import FrameState

VALUE_ON_STACK = "an intermediate result"


def resumed_frame(trace: Trace, function: types.FunctionType, at: FrameState) -> Frame:
    """A frame that goes on where a running one is."""
    variables: dict[str, Value] = {
        name: LazyValue(trace, value, Local(name)) for name, value in at.variables.items() if name not in at.cells
    }
    for name, cell in at.cells.items():
        variables[name] = CellValue(trace.effects.external.cell(cell, OwnCell(name), Local(name), name))
    frame = Frame(trace, function.__code__, variables, OuterScope(function, None))
    frame.position = at.point.position
    for slot, kind in enumerate(at.point.kinds):
        source = Named(Local(STACK.format(slot)), VALUE_ON_STACK)
        frame.stack.append(LazyValue(trace, at.stack[slot], source) if kind not in NULLS else None)
    frame.resumed = True
    frame.keep_originals()
    return frame
