"""Tensors that a compiled call makes of others over the same memory, as eager mode makes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..autograd.modes import MODES
from ..ops.registry import OpDef
from ..tensor import Tensor
from ..tensor.dispatch import apply


def detached(tensor: Tensor) -> Tensor:
    """What `detach()` gives."""
    return tensor._alias()


def view_again(tensor: Tensor, op: OpDef, attrs: Mapping[str, Any], recording: bool) -> Tensor:
    """The view that a movement takes of a tensor. recording: whether grad mode was on then."""
    before = MODES.grad_enabled
    MODES.grad_enabled = recording
    try:
        return apply(op, tensor, **attrs)  # type: ignore[no-any-return]
    finally:
        MODES.grad_enabled = before
