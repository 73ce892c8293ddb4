"""Pictures of other sizes: the nearest element, or what lies between elements."""

# Note [Axis by axis]
# Every mode weighs elements of one axis after the other, as sums of a few elements picked along it. Where the elements
# are, and with which weights, is computed beforehand in the precision in which PyTorch computes it: float32 for places
# of the nearest element and for float32 tensors, float64 else.

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from ...core import dtypes
from ...tensor.arithmetic import add, mul
from ...tensor.conversion import with_own_memory
from ...tensor.creation import tensor
from ...tensor.dispatch import is_tensor_like, not_a_tensor
from ...tensor.indexing import index_select
from ...tensor.joining import narrow
from ...tensor.promotion import to_dtype
from ...tensor.shaping import expand_to, reshape_to
from ...tensor.surface import surface
from ..checks import shape_text
from ..errors import LayerArgumentError, LayerDtypeError, LayerShapeError
from .adaptive_pooling import adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d
from .pooling import widened
from .window_arguments import whole

Value = Any
Array = Any

LINEAR = {"linear": 1, "bilinear": 2, "bicubic": 2, "trilinear": 3}
"""Modes that `align_corners` is for, with the number of axes that each is for."""
MODES = ("nearest", "nearest-exact", "area", *LINEAR)
_AREA = {1: adaptive_avg_pool1d, 2: adaptive_avg_pool2d, 3: adaptive_avg_pool3d}


@surface
def interpolate(
    input: Value,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Value:
    """`input` with other spatial sizes: `size`, or its own times `scale_factor`.

    Shapes: [N, C, *S] of floats, with one, two or three axes S; "linear" is for one, "bilinear" and "bicubic" for two,
        "trilinear" for three, "nearest", "nearest-exact" and "area" for all.
    align_corners: the first and the last element stay where they are, for the linear modes and "bicubic".
    recompute_scale_factor: places are computed from the sizes, not from the given factor.
    antialias: an element of a smaller picture is a mean over all that it stands for, for "bilinear" and "bicubic".
    Errors: ValueError for arguments that contradict each other, NotImplementedError for a mode that is not for so many
        axes.
    """
    if not is_tensor_like(input):
        raise not_a_tensor("interpolate", "input", 1, input)
    if mode not in MODES:
        raise NotImplementedError(f"interpolate: mode is one of {', '.join(MODES)}; got {mode!r}")
    if antialias and (mode not in SMOOTHED or input.ndim != 4):
        raise LayerArgumentError(
            "Anti-alias option is restricted to bilinear and bicubic modes and requires a 4-D tensor as input"
        )
    if mode not in LINEAR and align_corners is not None:
        raise LayerArgumentError(
            "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear"
        )
    if input.ndim not in (3, 4, 5):
        raise NotImplementedError(
            f"interpolate: Input Error: Only 3D, 4D and 5D input Tensors supported (got {input.ndim}D)"
        )
    rank = input.ndim - 2
    if LINEAR.get(mode, rank) != rank:
        raise NotImplementedError(f"Got {input.ndim}D input, but {mode} mode needs {LINEAR[mode] + 2}D input")
    if not input.dtype.is_float:
        raise LayerDtypeError(f"interpolate takes tensors of floats, got {input.dtype}; convert it with .to()")
    sizes, scales = _sizes(input, rank, size, scale_factor, recompute_scale_factor)
    if 0 in input.shape[1:] or any(each <= 0 for each in sizes):
        raise LayerShapeError(
            "Input and output sizes should be greater than 0, but got "
            f"input {shape_text(input)} and output {list(sizes)}"
        )
    if mode == "area":
        return _AREA[rank](input, sizes)
    result = widened(input) if mode in LINEAR else input
    for k, (count, scale) in enumerate(zip(sizes, scales, strict=True)):
        result = _along(result, 2 + k, int(count), scale, mode, bool(align_corners), antialias)
    return with_own_memory(to_dtype(result, input.dtype), input)


def _sizes(
    x: Value, rank: int, size: Any, scale_factor: Any, recompute: bool | None
) -> tuple[tuple[int, ...], tuple[float | None, ...]]:
    """The sizes of the result, and the factors that places are computed with, where those are not of the sizes."""
    if size is not None and scale_factor is not None:
        raise LayerArgumentError("only one of size or scale_factor should be defined")
    if size is None and scale_factor is None:
        raise LayerArgumentError("either size or scale_factor should be defined")
    given = size if size is not None else scale_factor
    name = "size" if size is not None else "scale_factor"
    listed = tuple(given) if isinstance(given, (tuple, list)) else (given,) * rank
    if len(listed) != rank:
        raise LayerArgumentError(
            f"Input and output must have the same number of spatial dimensions, but got input with {rank} and "
            f"{name} {list(listed)}"
        )
    if size is not None:
        if recompute:
            raise LayerArgumentError("recompute_scale_factor is not meaningful with an explicit size.")
        return tuple(whole(each) for each in listed), (None,) * rank
    sizes = tuple(int(math.floor(int(have) * float(each))) for have, each in zip(x.shape[2:], listed, strict=True))
    return sizes, (None,) * rank if recompute else tuple(float(each) for each in listed)


def _along(
    x: Value, axis: int, count: int, scale: float | None, mode: str, align: bool, antialias: bool = False
) -> Value:
    size = int(x.shape[axis])
    if mode.startswith("nearest"):
        places = nearest_places(size, count, scale, mode == "nearest-exact")
        return _picked(x, axis, places)
    kind = np.float32 if x.dtype is dtypes.float32 else np.float64
    if size == count and (align or scale in (None, 1.0)):
        return x
    if antialias:
        taps = _smoothed_taps(size, count, scale, align, kind, *SMOOTHED[mode])
    else:
        taps = (_linear_taps if mode != "bicubic" else _cubic_taps)(size, count, scale, align, kind)
    total = None
    for places, weights in taps:
        ones = (1,) * (x.ndim - axis - 1)
        factor = reshape_to(tensor(weights, dtype=x.dtype, device=x.device), (count, *ones))
        part = mul(_picked(x, axis, places), factor)
        total = part if total is None else add(total, part)
    return total


def _picked(x: Value, axis: int, places: Array) -> Value:
    """The elements at these places of an axis: a view where they follow one another or repeat evenly."""
    size, count = int(x.shape[axis]), len(places)
    if count % size == 0 and np.array_equal(places, np.arange(count) // (count // size)):
        times = count // size
        if times == 1:
            return x
        shape = tuple(x.shape)
        wide = expand_to(
            reshape_to(x, (*shape[: axis + 1], 1, *shape[axis + 1 :])),
            (*shape[: axis + 1], times, *shape[axis + 1 :]),
        )
        return reshape_to(wide, (*shape[:axis], count, *shape[axis + 1 :]))
    if count == 1:
        return narrow(x, axis, int(places[0]), 1)
    return index_select(x, axis, tensor(places.astype(np.int64), device=x.device))


def nearest_places(size: int, count: int, scale: float | None, exact: bool) -> Array:
    """For each of `count` places, the nearest of `size` elements; computed in float32."""
    step = np.float32(1.0 / scale) if scale is not None and scale > 0 else np.float32(size) / np.float32(count)
    place = np.arange(count, dtype=np.float32)
    if exact:
        place = place + np.float32(0.5)
    found: Array = np.minimum(np.floor(place * step).astype(np.int64), size - 1)
    return found


def _sources(size: int, count: int, scale: float | None, align: bool, kind: Any) -> Array:
    """The position of each of `count` places among `size` elements."""
    place = np.arange(count, dtype=kind)
    if align:
        step = kind(size - 1) / kind(count - 1) if count > 1 else kind(0)
        return place * step
    step = kind(1.0 / scale) if scale is not None and scale > 0 else kind(size) / kind(count)
    return step * (place + kind(0.5)) - kind(0.5)


def _linear_taps(size: int, count: int, scale: float | None, align: bool, kind: Any) -> list[tuple[Array, Array]]:
    source = _sources(size, count, scale, align, kind)
    if not align:
        source = np.maximum(source, kind(0))
    low = np.minimum(source.astype(np.int64), size - 1)
    high = np.minimum(low + 1, size - 1)
    share = np.clip(source - low.astype(kind), kind(0), kind(1))
    return [(low, kind(1) - share), (high, share)]


STEEPNESS = -0.75
"""The slope of the cubic kernel at 1. Source: Keys 1981, with PyTorch's parameter."""


def _cubic_taps(size: int, count: int, scale: float | None, align: bool, kind: Any) -> list[tuple[Array, Array]]:
    source = _sources(size, count, scale, align, kind)
    floor = np.floor(source)
    t = source - floor
    a = kind(STEEPNESS)

    def inner(x: Array) -> Array:
        return ((a + 2) * x - (a + 3)) * x * x + 1

    def outer(x: Array) -> Array:
        return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a

    weights = (outer(t + 1), inner(t), inner(1 - t), outer(2 - t))
    first = floor.astype(np.int64) - 1
    return [(np.clip(first + k, 0, size - 1), each) for k, each in enumerate(weights)]


def _triangle(x: Array) -> Array:
    return np.maximum(1 - np.abs(x), 0)


def _smooth_cubic(x: Array) -> Array:
    a, x = -0.5, np.abs(x)
    inner = ((a + 2) * x - (a + 3)) * x * x + 1
    outer = ((a * x - 5 * a) * x + 8 * a) * x - 4 * a
    return np.where(x < 1, inner, np.where(x < 2, outer, 0))


SMOOTHED: dict[str, tuple[Callable[[Array], Array], int]] = {"bilinear": (_triangle, 2), "bicubic": (_smooth_cubic, 4)}
"""The modes with antialiasing: the kernel, and how wide it is.   Source: Keys 1981, with his parameter."""


def _smoothed_taps(
    size: int,
    count: int,
    scale: float | None,
    align: bool,
    kind: Any,
    kernel: Callable[[Array], Array],
    width: int,
) -> list[tuple[Array, Array]]:
    """The elements, and their weights, which add up to 1, under a kernel made as wide as an element of the result."""
    if align:
        step = kind(size - 1) / kind(count - 1) if count > 1 else kind(0)
    else:
        step = kind(1.0 / scale) if scale is not None and scale > 0 else kind(size) / kind(count)
    stretch = max(step, kind(1))
    reach = kind(width * 0.5) * stretch
    centre = step * (np.arange(count, dtype=kind) + kind(0.5))
    first = np.maximum((centre - reach + kind(0.5)).astype(np.int64), 0)
    taps = np.minimum((centre + reach + kind(0.5)).astype(np.int64), size) - first
    taps = np.clip(taps, 0, int(np.ceil(reach)) * 2 + 1)
    offsets = np.arange(taps.max())
    weights = kernel(((offsets[:, None] + first).astype(kind) - centre + kind(0.5)) / stretch).astype(kind)
    weights = np.where(offsets[:, None] < taps, weights, kind(0))
    weights /= weights.sum(0)
    return [(np.minimum(first + k, size - 1), weights[k]) for k in offsets]


def _old(name: str, mode: str, input: Value, size: Any, scale_factor: Any, align_corners: bool | None) -> Value:
    warnings.warn(f"`nn.functional.{name}` is deprecated. Use `nn.functional.interpolate` instead.", stacklevel=3)
    return interpolate(input, size, scale_factor, mode, align_corners)


@surface
def upsample(
    input: Value, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: bool | None = None
) -> Value:
    """The result of `interpolate`, by its older name, with a warning."""
    return _old("upsample", mode, input, size, scale_factor, align_corners)
