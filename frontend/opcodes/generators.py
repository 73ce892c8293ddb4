"""Generators. The frame of one is evaluated by whoever asks it for elements (see `Frame.steps`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..values.base import Value
from ..values.constant import NONE
from .table import opcode

if TYPE_CHECKING:
    from ..frame import Frame


@opcode("RETURN_GENERATOR", stack="-- sent")
def return_generator(frame: Frame, arg: Any) -> Value:
    """Where CPython makes the generator object: the first time it is asked, what it is sent is None."""
    return NONE


@opcode("YIELD_VALUE", stack="value -- sent")
def yield_value(frame: Frame, arg: Any, value: Value) -> Value:
    """Hand out an element; asked for the next one, the frame is sent None."""
    frame.yielded = value
    return NONE
