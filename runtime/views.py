"""Tensors that a compiled call makes of others over the same memory, as eager mode makes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..autograd.modes import MODES
from ..ops.bitcasts import BITCAST
from ..ops.registry import OpDef
from ..tensor import Tensor
from ..tensor.dispatch import apply
from ..tensor.storage import seen_as


def detached(tensor: Tensor) -> Tensor:
    """The detached alias that `detach()` gives."""
    return tensor._alias()


def read_only(array: Any) -> Any:
    """The array, a view by broadcasting that was just made: none of its elements may be written, as NumPy has it."""
    array.flags.writeable = False
    return array


def seen_by(array: Any, op: OpDef, attrs: Mapping[str, Any]) -> Any:
    """The view of an array that an op gives of it."""
    return op.eager(array, **attrs)


def view_again(tensor: Tensor, op: OpDef, attrs: Mapping[str, Any], recording: bool) -> Tensor:
    """The view that a movement, or a bit cast, takes of a tensor. recording: whether grad mode was on then."""
    if op is BITCAST:
        return seen_as(tensor, attrs["dtype"])  # type: ignore[no-any-return]
    before = MODES.grad_enabled
    MODES.grad_enabled = recording
    try:
        return apply(op, tensor, **attrs)  # type: ignore[no-any-return]
    finally:
        MODES.grad_enabled = before
