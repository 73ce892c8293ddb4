"""Values around a tensor: a constant, or elements of the tensor itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...ops.indexing import PAD
from ...ops.windows import REMEMBERED
from ...tensor.conversion import with_own_memory
from ...tensor.dispatch import apply, is_tensor_like, not_a_tensor
from ...tensor.joining import cat, narrow
from ...tensor.rearranging import flip
from ...tensor.shaping import expand_to
from ...tensor.surface import surface
from ..checks import shape_text
from ..errors import LayerShapeError

Value = Any
"""A Tensor, or what stands for one while a function is traced."""


@surface
def pad(input: Value, pad: Sequence[int], mode: str = "constant", value: float | None = None) -> Value:
    """`input` with more around it: pairs of widths, from the last axis on; negative ones cut.

    mode: "constant" for `value` (or 0) everywhere; "reflect" for what a mirror at the first and last element shows;
        "replicate" for the first and the last element; "circular" for the elements from the other end.
    Shapes: any for "constant"; for the others [N, C, *S] or [C, *S], with a pair for each of at most three axes S.
    Errors: NotImplementedError for another mode, or axes that a mode does not pad; RuntimeError for an odd number of
        widths, too many, or widths that the tensor has no elements for.
    """
    if not is_tensor_like(input):
        raise not_a_tensor("pad", "input", 1, input)
    if len(pad) % 2 or len(pad) > 2 * input.ndim:
        raise LayerShapeError(f"Padding length should be two for each of at most {input.ndim} axes, got {len(pad)}")
    if isinstance(value, complex) and not input.dtype.is_complex:
        raise RuntimeError(f"pad: {value} is complex, and the input of {input.dtype} is not; convert it with .to()")
    if mode == "constant":
        return _with_constant(input, pad, 0 if value is None else value)
    if mode not in _SIDES:
        raise NotImplementedError(f"pad: mode is one of 'constant', {', '.join(map(repr, _SIDES))}; got {mode!r}")
    if value is not None and value != 0:
        raise LayerShapeError(f'Padding mode "{mode}" doesn\'t take in value argument; leave it out')
    if len(pad) // 2 not in (input.ndim - 1, input.ndim - 2) or len(pad) > 6:
        raise NotImplementedError(
            f"pad: mode {mode!r} takes a pair of widths for each spatial axis of [N, C, *S] or [C, *S], at most three, "
            f"got {len(pad)} widths for input {shape_text(input)}"
        )
    padded = apply(REMEMBERED, input) if mode != "circular" and input.requires_grad else input
    for k in range(len(pad) // 2):
        padded = _along(padded, mode, input.ndim - 1 - k, pad[2 * k], pad[2 * k + 1])
    return with_own_memory(padded, input)


def _with_constant(input: Value, pad: Sequence[int], value: float) -> Value:
    before, after = [0] * input.ndim, [0] * input.ndim
    for k in range(len(pad) // 2):
        axis = input.ndim - 1 - k
        low, high = pad[2 * k], pad[2 * k + 1]
        input = _cut(input, axis, low, high)
        before[axis], after[axis] = max(low, 0), max(high, 0)
    return apply(PAD, input, before=tuple(before), after=tuple(after), value=value)


def _cut(input: Value, axis: int, low: int, high: int) -> Value:
    """`input` without what negative widths cut off. Errors: RuntimeError where nothing is left to cut."""
    size = input.shape[axis] + min(low, 0) + min(high, 0)
    return input if size == input.shape[axis] else narrow(input, axis, max(-low, 0), size)


def _mirrored(x: Value, axis: int, low: int, high: int) -> list[Value]:
    size = x.shape[axis]
    front = [flip(narrow(x, axis, 1, low), axis)] if low > 0 else []
    return [*front, x, *([flip(narrow(x, axis, size - 1 - high, high), axis)] if high > 0 else [])]


def _repeated(x: Value, axis: int, low: int, high: int) -> list[Value]:
    size = x.shape[axis]

    def wide(at: int, width: int) -> Value:
        return expand_to(narrow(x, axis, at, 1), tuple(width if k == axis else n for k, n in enumerate(x.shape)))

    return [*([wide(0, low)] if low > 0 else []), x, *([wide(size - 1, high)] if high > 0 else [])]


def _wrapped(x: Value, axis: int, low: int, high: int) -> list[Value]:
    size = x.shape[axis]
    front = [narrow(x, axis, size - low, low)] if low > 0 else []
    return [*front, x, *([narrow(x, axis, 0, high)] if high > 0 else [])]


_SIDES = {"reflect": _mirrored, "replicate": _repeated, "circular": _wrapped}


def _along(x: Value, mode: str, axis: int, low: int, high: int) -> Value:
    size = x.shape[axis]
    if mode == "reflect" and max(low, high) >= size:
        raise LayerShapeError(
            "Padding size should be less than the corresponding input dimension, "
            f"but got: padding ({low}, {high}) at dimension {axis} of input {shape_text(x)}"
        )
    if mode == "circular" and max(low, high) > size + min(low, 0) + min(high, 0):
        raise LayerShapeError(
            f"Padding value causes wrapping around more than once: padding ({low}, {high}) at dimension {axis} "
            f"of input {shape_text(x)}"
        )
    if size == 0 or size + low + high < 1:
        raise LayerShapeError(
            f"pad: input {shape_text(x)} with padding ({low}, {high}) at dimension {axis} would have no elements"
        )
    if mode == "circular":
        x = _cut(x, axis, low, high)  # the other end is that of what is left
        parts = _wrapped(x, axis, low, high)
        return cat(parts, axis) if len(parts) > 1 else x
    parts = _SIDES[mode](x, axis, low, high)
    return _cut(cat(parts, axis) if len(parts) > 1 else x, axis, min(low, 0), min(high, 0))
