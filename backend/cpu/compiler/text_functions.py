"""The native functions that the text of CPU kernels may call, in one table: a family is one line."""

from __future__ import annotations

from functools import cache

from ...llvm.native_functions import FindFunction, NativeFunction
from ...llvm.scalar_functions import scalar_function_named
from ..matmul.panels import panel_function_named
from ..matmul.tiles import tile_function_named
from ..matmul.window_tiles import window_function_named
from .c_calls import c_caller_named
from .interrupts import interrupted_named
from .noalias_pointers import pointer_named
from .python_calls import python_caller_named
from .scratch import scratch_named

FAMILIES: tuple[FindFunction, ...] = (
    scalar_function_named,
    pointer_named,
    scratch_named,
    c_caller_named,
    python_caller_named,
    interrupted_named,
    tile_function_named,
    panel_function_named,
    window_function_named,
)


@cache
def native_function(name: str) -> NativeFunction | None:
    """The function that kernel text calls by this name; None if there is none."""
    return next((found for find in FAMILIES if (found := find(name)) is not None), None)
