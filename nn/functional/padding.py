"""Values around a tensor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...ops.indexing import PAD
from ...tensor.dispatch import apply
from ...tensor.joining import narrow
from ...tensor.surface import surface
from ..errors import LayerArgumentError

Value = Any
"""A Tensor, or what stands for one while a function is traced."""


@surface
def pad(input: Value, pad: Sequence[int], mode: str = "constant", value: float | None = None) -> Value:
    """`input` with `value` (or 0) around it: pairs of widths, from the last axis on; negative ones cut.

    Errors: LayerArgumentError for another mode, RuntimeError for an odd number of widths or too many.
    """
    if mode != "constant":
        raise LayerArgumentError(f"pad: mode is 'constant', got {mode!r}; others are not supported")
    if len(pad) % 2 or len(pad) > 2 * input.ndim:
        raise RuntimeError(f"Padding length should be two for each of at most {input.ndim} axes, got {len(pad)}")
    before, after = [0] * input.ndim, [0] * input.ndim
    for k in range(len(pad) // 2):
        axis = input.ndim - 1 - k
        low, high = pad[2 * k], pad[2 * k + 1]
        size = input.shape[axis] + min(low, 0) + min(high, 0)
        if size != input.shape[axis]:
            input = narrow(input, axis, max(-low, 0), size)
        before[axis], after[axis] = max(low, 0), max(high, 0)
    return apply(PAD, input, before=tuple(before), after=tuple(after), value=0 if value is None else value)
