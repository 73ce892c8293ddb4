"""Pools that are told how many windows to make, and the way back from a pool."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...ops.pooling import MAX_POOL
from ...ops.windows import REMEMBERED, WINDOW_SUM
from ...tensor.arithmetic import add, div, floor_divide, mul, remainder
from ...tensor.creation import tensor, zeros
from ...tensor.dispatch import apply, is_tensor_like, not_a_tensor
from ...tensor.indexing import index_select
from ...tensor.pointwise import where
from ...tensor.promotion import to_dtype
from ...tensor.reductions import max as largest_of
from ...tensor.reductions import mean
from ...tensor.scattering import scatter
from ...tensor.shaping import flatten, permute, reshape_to, result_in
from ...tensor.surface import surface
from ..checks import check_dtypes, shape_text
from ..errors import LayerArgumentError, LayerShapeError
from .pooling import _indices, widened
from .window_arguments import Ints, batched, each_axis, whole, without_batch

Value = Any
Array = Any


def _sizes(name: str, output_size: Any, x: Value, rank: int) -> Ints:
    """The sizes that are asked for, that of the input where None is. Errors: LayerShapeError for impossible ones."""
    given = tuple(output_size) if isinstance(output_size, (tuple, list)) else (output_size,) * rank
    if len(given) != rank:
        raise LayerShapeError(f"{name}: output_size takes one number or {rank}, got {list(given)}")
    out = tuple(size if each is None else whole(each) for each, size in zip(given, x.shape[2:], strict=True))
    if any(each < 0 for each in out):
        raise LayerShapeError(f"{name}: elements of output_size must be greater than or equal to 0, got {list(out)}")
    if 0 in x.shape[1:]:
        raise LayerShapeError(f"{name}: expected input to have non-zero sizes but for the batch, got {shape_text(x)}")
    return out


def _even(x: Value, out: Ints) -> dict[str, Ints] | None:
    """The attributes of windows where all are of one size; None where they are not."""
    sizes = tuple(x.shape[2:])
    if any(each == 0 or size % each for size, each in zip(sizes, out, strict=True)):
        return None
    kernel = tuple(size // each for size, each in zip(sizes, out, strict=True))
    rank = len(out)
    return {"kernel": kernel, "stride": kernel, "padding": (0,) * rank, "dilation": (1,) * rank, "out": out}


def _places(size: int, count: int) -> tuple[Array, Array]:
    """The elements of `count` windows over `size`, all as long as the longest, and whether the window has them.

    Shapes: integers and bools [count, longest].
    """
    number = np.arange(count)
    start, stop = number * size // count, -((-(number + 1) * size) // count)
    longest = int((stop - start).max(initial=1))
    places = start[:, None] + np.arange(longest)
    inside = places < stop[:, None]
    return np.minimum(places, size - 1), inside


def _windows(x: Value, out: Ints, outside: float) -> Value:
    """[N, C, o1, k1, o2, k2, ...]: the elements of every window, `outside` where it has fewer than the longest."""
    for k, count in enumerate(out):
        axis = 2 + 2 * k
        size = whole(x.shape[axis])
        places, inside = _places(int(size), int(count))
        picked = index_select(x, axis, tensor(places.reshape(-1), device=x.device))
        picked = reshape_to(picked, (*x.shape[:axis], *places.shape, *x.shape[axis + 1 :]))
        if not inside.all():
            ones = (1,) * (len(picked.shape) - axis - 2)
            mask = reshape_to(tensor(inside, device=x.device), (*inside.shape, *ones))
            picked = where(mask, picked, outside)
        x = picked
    return x


def _remembered(x: Value) -> Value:
    return apply(REMEMBERED, x) if x.requires_grad else x


def _mean_pool(name: str, rank: int, input: Value, output_size: Any) -> Value:
    x, single = batched(name, input, rank)
    check_dtypes(name, x)
    out, dtype = _sizes(name, output_size, x, rank), x.dtype
    if all(each == 1 for each in out):
        result = mean(x, tuple(range(2, 2 + rank)), keepdim=True)
        return without_batch(result, single)
    x = widened(x)
    even = _even(x, out)
    if even is not None:
        sums = apply(WINDOW_SUM, x, **even)
        return without_batch(to_dtype(div(sums, math.prod(even["kernel"])), dtype), single)
    total = _windows(_remembered(x), out, 0.0).sum(tuple(range(3, 3 + 2 * rank, 2)))
    for k, count in enumerate(out):
        _, inside = _places(int(x.shape[2 + k]), int(count))
        sizes = tensor(inside.sum(1).astype(np.float64), dtype=x.dtype, device=x.device)
        total = div(total, reshape_to(sizes, (count, *(1 for _ in out[k + 1 :]))))
    return without_batch(to_dtype(total, dtype), single)


def _max_pool(name: str, rank: int, input: Value, output_size: Any, return_indices: bool) -> Value:
    x, single = batched(name, input, rank)
    check_dtypes(name, x)
    out = _sizes(name, output_size, x, rank)
    even = _even(x, out)
    if even is not None:
        result = without_batch(apply(MAX_POOL, x, **even), single)
        return (result, without_batch(_indices(x, even), single)) if return_indices else result
    windows = _windows(_remembered(x), out, -math.inf)
    order = (0, 1, *range(2, 2 + 2 * rank, 2), *range(3, 3 + 2 * rank, 2))
    flat = flatten(permute(windows, order), 2 + rank)
    values, entry = largest_of(flat, 2 + rank)
    if not return_indices:
        return without_batch(values, single)
    total, longest = None, tuple(windows.shape[3::2])
    for k in reversed(range(rank)):
        within = remainder(entry, longest[k])
        entry = floor_divide(entry, longest[k])
        start = tensor(_places(int(x.shape[2 + k]), int(out[k]))[0][:, 0], device=x.device)
        place = add(within, reshape_to(start, (out[k], *(1 for _ in out[k + 1 :]))))
        along = mul(place, math.prod(x.shape[3 + k :]))
        total = along if total is None else add(total, along)
    return without_batch(values, single), without_batch(total, single)


_AXES = {1: "L", 2: "H, W", 3: "D, H, W"}


def _named(function: Callable[..., Value], name: str, text: str, rank: int) -> Any:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""{text}

    Shapes: [N, C, {_AXES[rank]}] or [C, {_AXES[rank]}] of floats; the result has as many axes.
    output_size: one number for all spatial axes or one for each; None keeps the size of the input.
    Errors: RuntimeError for sizes that cannot be.
    """
    return surface(function)


def _mean_function(rank: int) -> Any:
    name = f"adaptive_avg_pool{rank}d"

    def function(input: Value, output_size: Any) -> Value:
        return _mean_pool(name, rank, input, output_size)

    return _named(function, name, "The mean of each of `output_size` windows that share the input among them.", rank)


def _max_function(rank: int) -> Any:
    name = f"adaptive_max_pool{rank}d"

    def function(input: Value, output_size: Any, return_indices: bool = False) -> Value:
        return _max_pool(name, rank, input, output_size, return_indices)

    text = "The largest of each of `output_size` windows that share the input among them; if asked, also where it is."
    return _named(function, name, text, rank)


adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d = map(_mean_function, (1, 2, 3))
adaptive_max_pool1d, adaptive_max_pool2d, adaptive_max_pool3d = map(_max_function, (1, 2, 3))


# -- the way back from a pool ------------------------------------------------------------------------------------------
def _unpool(
    name: str, rank: int, input: Value, indices: Value, kernel_size: Any, stride: Any, padding: Any, output_size: Any
) -> Value:
    x, single = batched(name, input, rank)
    if not is_tensor_like(indices):
        raise not_a_tensor(name, "indices", 2, indices)
    if tuple(indices.shape) != tuple(input.shape):
        raise LayerShapeError(
            f"{name}: Expected shape of indices to be same as that of the input tensor ({shape_text(input)}), "
            f"but got indices tensor with shape: {shape_text(indices)}"
        )
    kernel = each_axis(name, "kernel_size", kernel_size, rank)
    empty = stride is None or (isinstance(stride, (tuple, list)) and not stride)
    step = kernel if empty else each_axis(name, "stride", stride, rank)
    wide = each_axis(name, "padding", padding, rank)
    every = zip(x.shape[2:], kernel, step, wide, strict=True)
    usual = tuple((size - 1) * s - 2 * p + k for size, k, s, p in every)
    size = usual if output_size is None else _checked_size(name, tuple(output_size), usual, step)
    lead = tuple(x.shape[:2])
    flat = zeros((*lead, math.prod(size)), dtype=x.dtype, device=x.device)
    places, values = (reshape_to(each, (*lead, math.prod(x.shape[2:]))) for each in (indices, x))
    return without_batch(result_in(scatter(flat, 2, places, values), (*lead, *size)), single)


def _checked_size(name: str, given: Ints, usual: Ints, step: Ints) -> Ints:
    rank = len(usual)
    size = given[-rank:] if len(given) == rank + 2 else given
    if len(size) != rank:
        raise LayerArgumentError(
            f"{name}: output_size should be a sequence containing {rank} or {rank + 2} elements, "
            f"but it has a length of {len(given)}"
        )
    if any(not low - s < each < low + s for each, low, s in zip(size, usual, step, strict=True)):
        raise LayerArgumentError(
            f"{name}: invalid output_size {list(size)}: each should be less than its stride from {list(usual)}"
        )
    return size


def _unpool_function(rank: int) -> Any:
    name = f"max_unpool{rank}d"

    def function(
        input: Value,
        indices: Value,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        output_size: Any = None,
    ) -> Value:
        return _unpool(name, rank, input, indices, kernel_size, stride, padding, output_size)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""Zeros, with each element of `input` where `indices` of a pool say that it was found.

    Shapes: [N, C, {_AXES[rank]}] or [C, {_AXES[rank]}]; indices of the shape of the input.
    output_size: the spatial sizes of the result, where several would give that many windows.
    Errors: RuntimeError for shapes that do not fit or an index out of range, ValueError for an impossible output_size.
    """
    return surface(function)


max_unpool1d, max_unpool2d, max_unpool3d = map(_unpool_function, (1, 2, 3))
