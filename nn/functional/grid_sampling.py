"""Pictures seen at the places of a grid, and the grids of affine maps."""

# Note [Places of a grid]
# Places are numbers from -1 to 1, the ends of the picture, which become positions among its elements. What lies between
# elements is a sum of elements picked there, with weights that follow the position, so that derivatives of any order
# are those of sums, products and picks. An element outside counts as 0, or stands for one inside, by the padding mode.

from __future__ import annotations

import math
import warnings
from itertools import product
from typing import Any

from ...core import dtypes
from ...ops.indexing import TAKE
from ...tensor.arithmetic import abs as absolute
from ...tensor.arithmetic import add, fmod, mul, neg, sub
from ...tensor.contraction import matmul
from ...tensor.creation import arange, linspace, ones, zeros
from ...tensor.dispatch import apply, is_tensor_like, not_a_tensor
from ...tensor.joining import cat, stack
from ...tensor.pointwise import clamp, eq, floor, ge, gt, le, logical_and, lt, where
from ...tensor.pointwise import round as nearest_whole
from ...tensor.promotion import to_dtype
from ...tensor.rearranging import select
from ...tensor.shaping import expand_to, flatten, reshape_to, result_in, transpose
from ...tensor.surface import surface
from ..checks import check_dtypes, shape_text
from ..errors import LayerArgumentError, LayerShapeError
from .interpolation import STEEPNESS
from .pooling import widened

Value = Any
MODES = ("bilinear", "nearest", "bicubic")
PADDINGS = ("zeros", "border", "reflection")


def _aligned(name: str, align_corners: bool | None) -> bool:
    if align_corners is None:
        warnings.warn(
            f"{name} takes align_corners=False where nothing is said; say which is meant", UserWarning, stacklevel=4
        )
    return bool(align_corners)


@surface
def affine_grid(theta: Value, size: Any, align_corners: bool | None = None) -> Value:
    """The places, for `grid_sample`, that affine maps send the elements of a picture to.

    theta: the maps, each a matrix beside a shift.   size: that of the pictures that are to come out.
    align_corners: -1 and 1 are the middles of the outermost elements, not their outer edges.
    Shapes: theta [N, 2, 3], size (N, C, H, W) -> [N, H, W, 2]; theta [N, 3, 4], size (N, C, D, H, W) -> [N, D, H,
        W, 3].
    Errors: ValueError for another dtype or shape, NotImplementedError for a `size` of another length.
        Source: Jaderberg et al. 2015.
    """
    if not is_tensor_like(theta):
        raise not_a_tensor("affine_grid", "theta", 1, theta)
    if not theta.dtype.is_float:
        raise LayerArgumentError(f"Expected theta to have floating point type, but got {theta.dtype}")
    sizes = tuple(size)
    rank = len(sizes) - 2
    if rank not in (2, 3):
        raise NotImplementedError(
            "affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, respectively. "
            f"Got size {list(sizes)}."
        )
    if theta.ndim != 3 or tuple(theta.shape[-2:]) != (rank, rank + 1):
        raise LayerArgumentError(
            f"Expected a batch of {rank}D affine matrices of shape Nx{rank}x{rank + 1} for size {list(sizes)}. "
            f"Got {shape_text(theta)}."
        )
    if any(each <= 0 for each in sizes):
        raise LayerArgumentError(f"Expected non-zero, positive output size. Got {list(sizes)}")
    aligned = _aligned("affine_grid", align_corners)
    spatial = sizes[2:]
    columns = [_along(theta, spatial, axis, aligned) for axis in reversed(range(rank))]
    columns.append(ones(*spatial, dtype=theta.dtype, device=theta.device))
    base = reshape_to(stack(columns, -1), (1, math.prod(spatial), rank + 1))
    return result_in(matmul(base, transpose(theta, 1, 2)), (theta.shape[0], *spatial, rank))


def _along(theta: Value, spatial: tuple[int, ...], axis: int, aligned: bool) -> Value:
    """The place of each element along one axis, for all elements of a picture."""
    count = spatial[axis]
    if count <= 1:
        places = zeros(count, dtype=theta.dtype, device=theta.device)
    else:
        places = linspace(-1, 1, count, dtype=theta.dtype, device=theta.device)
        places = places if aligned else mul(places, (count - 1) / count)
    return expand_to(reshape_to(places, tuple(count if k == axis else 1 for k in range(len(spatial)))), spatial)


@surface
def grid_sample(
    input: Value,
    grid: Value,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool | None = None,
) -> Value:
    """`input` at the places of `grid`, the last axis first, from -1 to 1.

    mode: "bilinear" (of a volume, that along three axes), "nearest" or "bicubic", which is for pictures alone.
    padding_mode: what lies outside is 0 ("zeros"), the nearest element ("border"), or mirrored ("reflection").
    align_corners: -1 and 1 are the middles of the outermost elements, not their outer edges.
    Shapes: [N, C, H, W] and [N, OH, OW, 2] -> [N, C, OH, OW]; [N, C, D, H, W] and [N, OD, OH, OW, 3] -> [N, C, OD, OH,
        OW]; floats of one dtype.
    Errors: ValueError for a mode there is not, RuntimeError for shapes and dtypes that do not fit.
        Source: Jaderberg et al. 2015.
    """
    if mode not in MODES:
        raise LayerArgumentError(
            f"nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', but got: '{mode}'"
        )
    if padding_mode not in PADDINGS:
        raise LayerArgumentError(
            "nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or 'reflection', but got: "
            f"'{padding_mode}'"
        )
    aligned = _aligned("grid_sample", align_corners)
    _check(input, grid, mode)
    x, places = widened(input), widened(grid)
    sizes = tuple(x.shape[2:])
    positions = [_position(select(places, -1, len(sizes) - 1 - axis), size, aligned) for axis, size in enumerate(sizes)]
    if mode != "bicubic":
        positions = [_inside(each, size, padding_mode, aligned) for each, size in zip(positions, sizes, strict=True)]
    taps = [_TAPS[mode](each) for each in positions]
    planes = _with_zeros(x)
    total = None
    for chosen in product(*taps):
        indices = [index for index, _ in chosen]
        if mode == "bicubic":
            indices = [_inside(each, size, padding_mode, aligned) for each, size in zip(indices, sizes, strict=True)]
        part, share = _picked(planes, sizes, indices), None
        for _, weight in chosen:
            share = weight if share is None else mul(share, weight)
        if share is not None:
            part = mul(part, reshape_to(share, (share.shape[0], 1, *share.shape[1:])))
        total = part if total is None else add(total, part)
    return to_dtype(total, input.dtype)


def _check(input: Value, grid: Value, mode: str) -> None:
    if not is_tensor_like(grid):
        raise not_a_tensor("grid_sample", "grid", 2, grid)
    check_dtypes("grid_sample", input, grid)
    if input.ndim not in (4, 5) or grid.ndim != input.ndim:
        raise LayerShapeError(
            "grid_sampler(): expected 4D or 5D input and grid with same number of dimensions, but got input with sizes "
            f"{shape_text(input)} and grid with sizes {shape_text(grid)}"
        )
    if grid.shape[0] != input.shape[0]:
        raise LayerShapeError(
            "grid_sampler(): expected grid and input to have same batch size, but got input with sizes "
            f"{shape_text(input)} and grid with sizes {shape_text(grid)}"
        )
    if grid.shape[-1] != input.ndim - 2:
        raise LayerShapeError(
            f"grid_sampler(): expected grid to have size {input.ndim - 2} in last dimension, but got grid with sizes "
            f"{shape_text(grid)}"
        )
    if any(each == 0 for each in input.shape[2:]):
        raise LayerShapeError(
            "grid_sampler(): expected input to have non-empty spatial dimensions, but input has sizes "
            f"{shape_text(input)}"
        )
    if mode == "bicubic" and input.ndim != 4:
        raise LayerShapeError("grid_sampler(): bicubic interpolation only supports 4D input")


def _position(place: Value, size: int, aligned: bool) -> Value:
    """The position among `size` elements, of which the first is at 0, of places from -1 to 1."""
    if aligned:
        return mul(add(place, 1), (size - 1) / 2)
    return sub(mul(add(place, 1), size / 2), 0.5)


def _inside(position: Value, size: int, padding: str, aligned: bool) -> Value:
    """Positions as they are, or, unless zeros lie outside, those inside that they stand for."""
    if padding == "zeros":
        return position
    if padding == "reflection":
        low, high = (0.0, float(size - 1)) if aligned else (-0.5, size - 0.5)
        position = _mirrored(position, low, high)
    # At the ends the derivative is 0, as it is outside; what is no number stands for the first element.
    within = logical_and(gt(position, 0), lt(position, size - 1))
    ends = clamp(position.detach(), 0, size - 1)
    return where(within, position, where(eq(ends, ends), ends, 0.0))


def _mirrored(position: Value, low: float, high: float) -> Value:
    """Positions mirrored at both ends, as often as it takes."""
    if low == high:
        return mul(position, 0.0)
    span = high - low
    distance = absolute(sub(position, low))
    extra = fmod(distance, span)
    turns = floor(mul(distance.detach(), 1 / span))
    even = eq(fmod(turns, 2), 0)
    return add(where(even, extra, sub(span, extra)), low)


def _nearest_taps(position: Value) -> list[tuple[Value, Value]]:
    weight = None
    if position.requires_grad:  # whose derivative is 0
        weight = add(mul(where(lt(absolute(position), math.inf), position, 0.0), 0.0), 1.0)
    return [(nearest_whole(position.detach()), weight)]


def _linear_taps(position: Value) -> list[tuple[Value, Value]]:
    low = floor(position.detach())
    share = sub(position, low)
    return [(low, add(neg(share), 1)), (add(low, 1), share)]


def _cubic_taps(position: Value) -> list[tuple[Value, Value]]:
    low = floor(position.detach())
    t = sub(position, low)
    rest = add(neg(t), 1)
    weights = (_outer(add(t, 1)), _inner(t), _inner(rest), _outer(add(rest, 1)))
    return [(add(low, k - 1), weight) for k, weight in enumerate(weights)]


def _inner(t: Value) -> Value:
    """The cubic kernel at distances of up to 1."""
    return add(mul(mul(sub(mul(t, STEEPNESS + 2), STEEPNESS + 3), t), t), 1)


def _outer(t: Value) -> Value:
    """The cubic kernel at distances from 1 to 2."""
    a = STEEPNESS
    return sub(mul(add(mul(sub(mul(t, a), 5 * a), t), 8 * a), t), 4 * a)


_TAPS = {"nearest": _nearest_taps, "bilinear": _linear_taps, "bicubic": _cubic_taps}


def _with_zeros(x: Value) -> Value:
    """The elements of each channel in a row, and a 0 behind them, which stands for whatever is outside.

    Shapes: [N, C, *S] -> [N, C, product of S + 1].
    """
    batch, channels, *sizes = tuple(x.shape)
    outside = zeros((batch, channels, 1), dtype=x.dtype, device=x.device)
    return cat([reshape_to(x, (batch, channels, math.prod(sizes))), outside], 2)


def _picked(planes: Value, sizes: tuple[int, ...], indices: list[Value]) -> Value:
    """The elements at these whole positions; 0 where one is outside.

    Shapes: planes [N, C, product of S + 1], an index [N, *T] for each of S -> [N, C, *T].
    """
    place: Value = None
    there: Value = None
    for index, size in zip(indices, sizes, strict=True):
        within = logical_and(ge(index, 0), le(index, size - 1))
        there = within if there is None else logical_and(there, within)
        step = to_dtype(where(within, index.detach(), 0.0), dtypes.int64)
        place = step if place is None else add(mul(place, size), step)
    batch, channels, width = tuple(planes.shape)
    found = tuple(place.shape[1:])
    place = reshape_to(where(there, place, width - 1), (batch, 1, math.prod(found)))
    starts = reshape_to(arange(0, batch * channels * width, width, device=planes.device), (batch, channels, 1))
    return reshape_to(apply(TAKE, flatten(planes), flatten(add(place, starts)), axis=0), (batch, channels, *found))
