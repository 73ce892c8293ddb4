"""Writing whole tensors: fill, zero, copy, clamp."""

from __future__ import annotations

from typing import Any

from .arithmetic import _kept, _write_result
from .dispatch import assign_, is_tensor_like, number_kind
from .pointwise import clamp, masked_fill
from .promotion import plain_number
from .surface import method

Value = Any


@method("fill_")
def fill_(self: Value, value: Value) -> Value:
    """`self`, with `value` (a number, or a tensor without axes) for every element."""
    if is_tensor_like(value) and value.ndim:
        raise RuntimeError(f"fill_ only supports 0-dimension value tensor but got tensor with {value.ndim} dimensions.")
    return assign_(self, plain_number(value), number_kind(value) is not None)


@method("zero_")
def zero_(self: Value) -> Value:
    """`self`, with every element 0."""
    return assign_(self, 0, True)


@method("copy_")
def copy_(self: Value, other: Value, non_blocking: bool = False) -> Value:
    """`self`, with the elements of `other`, which broadcasts and is cast. Host memory is always copied at once."""
    if not is_tensor_like(other) and number_kind(other) is None:
        raise TypeError(f"copy_ takes a Tensor, got {type(other).__name__}")
    return assign_(self, plain_number(other))


@method("clamp_", "clip_")
def clamp_(self: Value, min: Value = None, max: Value = None) -> Value:
    """`self`, after each element became at least `min` and at most `max`."""
    return _write_result(self, clamp(_kept(self, (min, max)), min, max))


@method("masked_fill_")
def masked_fill_(self: Value, mask: Value, value: Value) -> Value:
    """`self`, with `value` where `mask` holds."""
    return assign_(self, masked_fill(self, mask, value))
