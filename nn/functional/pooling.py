"""Pools: the largest element, the mean or the norm of each window."""

from __future__ import annotations

import math
from typing import Any

from ...core import dtypes
from ...ops.pooling import MAX_POOL, PLACE_OF_MAX
from ...ops.windows import WINDOW_SUM
from ...tensor.arithmetic import abs as absolute
from ...tensor.arithmetic import add, div, floor_divide, mul, pow, remainder, sub
from ...tensor.creation import arange
from ...tensor.dispatch import apply
from ...tensor.pointwise import clamp, sign
from ...tensor.promotion import to_dtype
from ...tensor.shaping import reshape_to
from ...tensor.surface import surface
from ..checks import check_dtypes
from ..errors import LayerShapeError
from .activations import relu
from .window_arguments import Ints, batched, each_axis, positive, without_batch

Value = Any


def pooled_size(size: int, kernel: int, stride: int, padding: int, dilation: int, ceil_mode: bool) -> int:
    """The number of windows along an axis; with `ceil_mode` the last one may reach outside, if it begins inside."""
    span = size + 2 * padding - dilation * (kernel - 1) - 1
    if not ceil_mode:
        return span // stride + 1
    count = -(-span // stride) + 1
    return count - 1 if (count - 1) * stride >= size + padding else count


def _windows(
    name: str, x: Value, rank: int, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool
) -> dict[str, Ints]:
    """The attributes of windows. Errors: LayerShapeError for those that cannot be."""
    kernel = each_axis(name, "kernel_size", kernel_size, rank)
    empty = stride is None or (isinstance(stride, (tuple, list)) and not stride)
    step = kernel if empty else each_axis(name, "stride", stride, rank)
    wide, apart = each_axis(name, "padding", padding, rank), each_axis(name, "dilation", dilation, rank)
    positive(name, kernel_size=kernel, stride=step, dilation=apart)
    if any(p < 0 or 2 * p > d * (k - 1) + 1 for p, k, d in zip(wide, kernel, apart, strict=True)):
        raise LayerShapeError(
            f"{name}: pad should be at most half of effective kernel size, but got pad={list(wide)}, "
            f"kernel_size={list(kernel)} and dilation={list(apart)}"
        )
    if any(each == 0 for each in x.shape[1:]):
        raise LayerShapeError(f"{name}: expected input to have non-zero sizes but for the batch, got {list(x.shape)}")
    every = zip(x.shape[2:], kernel, step, wide, apart, strict=True)
    out = tuple(pooled_size(*each, ceil_mode) for each in every)
    if any(each < 1 for each in out):
        raise LayerShapeError(
            f"{name}: Given input size: {list(x.shape[1:])}. Calculated output size: {list(out)}. "
            "Output size is too small"
        )
    return {"kernel": kernel, "stride": step, "padding": wide, "dilation": apart, "out": out}


def _max_pool(
    name: str,
    rank: int,
    input: Value,
    kernel_size: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    ceil_mode: bool,
    return_indices: bool,
) -> Value:
    x, single = batched(name, input, rank)
    check_dtypes(name, x)
    attrs = _windows(name, x, rank, kernel_size, stride, padding, dilation, ceil_mode)
    result = without_batch(apply(MAX_POOL, x, **attrs), single)
    if not return_indices:
        return result
    return result, without_batch(_indices(x, attrs), single)


def _indices(x: Value, attrs: dict[str, Ints]) -> Value:
    """For each window the place of its largest element, counted over the spatial axes of `x`, row by row."""
    place = apply(PLACE_OF_MAX, x.detach(), **attrs)
    rank, total = len(attrs["kernel"]), None
    sizes = tuple(x.shape[2:])
    for k in reversed(range(rank)):
        width, s, p, d = (attrs[name][k] for name in ("kernel", "stride", "padding", "dilation"))
        entry = remainder(place, width) if k else place
        place = floor_divide(place, width) if k else place
        count = attrs["out"][k]
        start = reshape_to(arange(-p, count * s - p, s, device=x.device), (count, *(1 for _ in range(rank - 1 - k))))
        along = mul(add(mul(entry, d), start), math.prod(sizes[k + 1 :]))
        total = along if total is None else add(total, along)
    return total


def _max_pool_function(name: str, rank: int, axes: str) -> Any:
    def function(
        input: Value,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        dilation: Any = 1,
        ceil_mode: bool = False,
        return_indices: bool = False,
    ) -> Value:
        return _max_pool(name, rank, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""The largest element of each window; with `return_indices` also where it is, as integers.

    Of equal elements the first counts, and gets the gradient; a NaN is the largest of its window.
    Shapes: [N, C, {axes}] or [C, {axes}] of floats; the result has as many axes.
    stride: by default, windows do not overlap. ceil_mode: the last window may reach outside.
    Errors: RuntimeError for windows that cannot be.
    """
    return surface(function)


max_pool1d = _max_pool_function("max_pool1d", 1, "L")
max_pool2d = _max_pool_function("max_pool2d", 2, "H, W")
max_pool3d = _max_pool_function("max_pool3d", 3, "D, H, W")


def widened(x: Value) -> Value:
    """`x`, narrow floats in float32, in which sums are made before they are rounded once."""
    return to_dtype(x, dtypes.float32) if x.dtype.is_narrow else x


def _avg_pool(
    name: str,
    rank: int,
    input: Value,
    kernel_size: Any,
    stride: Any,
    padding: Any,
    ceil_mode: bool,
    count_include_pad: bool,
    divisor_override: int | None,
) -> Value:
    x, single = batched(name, input, rank)
    check_dtypes(name, x)
    attrs = _windows(name, x, rank, kernel_size, stride, padding, 1, ceil_mode)
    if divisor_override == 0:
        raise LayerShapeError(f"{name}: divisor must be not zero")
    dtype = x.dtype
    x = widened(x)
    sums = apply(WINDOW_SUM, x, **attrs)
    divisor = divisor_override if divisor_override is not None else _divisor(x, attrs, count_include_pad)
    return without_batch(to_dtype(div(sums, divisor), dtype), single)


def _divisor(x: Value, attrs: dict[str, Ints], count_include_pad: bool) -> Any:
    """The number of elements of each window: one number where it is the same for all, else [*out]."""
    sizes, rank = tuple(x.shape[2:]), len(attrs["kernel"])
    every = tuple(zip(sizes, *(attrs[each] for each in ("kernel", "stride", "padding", "out")), strict=True))
    inside = all((o - 1) * s - p + k <= size + p for size, k, s, p, o in every)
    if inside and (count_include_pad or not any(attrs["padding"])):
        return math.prod(attrs["kernel"])
    total = None
    for axis, (size, k, s, p, o) in enumerate(every):
        start = arange(-p, o * s - p, s, dtype=x.dtype, device=x.device)
        stop = clamp(add(start, k), max=size + p)
        if not count_include_pad:
            start, stop = clamp(start, min=0), clamp(stop, max=size)
        count = reshape_to(sub(stop, start), (o, *(1 for _ in range(rank - 1 - axis))))
        total = count if total is None else mul(total, count)
    return total


@surface
def avg_pool1d(
    input: Value,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Value:
    """The mean of each window.

    Shapes: [N, C, L] or [C, L] of floats; the result has as many axes.
    count_include_pad: zeros of the padding count as elements. Errors: RuntimeError for windows that cannot be.
    """
    return _avg_pool("avg_pool1d", 1, input, kernel_size, stride, padding, ceil_mode, count_include_pad, None)


def _avg_pool_function(name: str, rank: int, axes: str) -> Any:
    def function(
        input: Value,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> Value:
        return _avg_pool(
            name, rank, input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override
        )

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""The mean of each window, or its sum over `divisor_override`.

    Shapes: [N, C, {axes}] or [C, {axes}] of floats; the result has as many axes.
    count_include_pad: zeros of the padding count as elements. Errors: RuntimeError for windows that cannot be.
    """
    return surface(function)


avg_pool2d = _avg_pool_function("avg_pool2d", 2, "H, W")
avg_pool3d = _avg_pool_function("avg_pool3d", 3, "D, H, W")


def _lp_pool_function(name: str, rank: int, axes: str) -> Any:
    def function(
        input: Value, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False
    ) -> Value:
        kernel = each_axis(name, "kernel_size", kernel_size, rank)
        means = _avg_pool(name, rank, pow(input, norm_type), kernel, stride, 0, ceil_mode, True, None)
        sums = mul(mul(sign(means), relu(absolute(means))), math.prod(kernel))
        return pow(sums, 1.0 / norm_type)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""The sum of each window's elements to the power `norm_type`, and its root of that order.

    Shapes: [N, C, {axes}] or [C, {axes}] of floats; the result has as many axes.
    Errors: RuntimeError for windows that cannot be.
    """
    return surface(function)


lp_pool1d = _lp_pool_function("lp_pool1d", 1, "L")
lp_pool2d = _lp_pool_function("lp_pool2d", 2, "H, W")
lp_pool3d = _lp_pool_function("lp_pool3d", 3, "D, H, W")
