"""Counts of elements, or sums of weights of them, between edges; see also `histc` and `bincount` in `ordering`."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ..ops.indexing import SCATTER_ADD
from .arithmetic import add, div, mul, sub
from .creation import arange, ones_like, tensor, zeros
from .dispatch import apply, is_tensor_like
from .folding import aminmax
from .indexing import getitem
from .ordering import searchsorted
from .pointwise import clamp, eq, ge, isfinite, le, logical_and, where
from .promotion import to_dtype
from .rearranging import select
from .reductions import sum as total
from .shaping import flatten, reshape_to
from .surface import method, surface
from .tracing import all_hold

Value = Any


class Histogram(NamedTuple):
    """The result of `histogram`."""

    hist: Value
    bin_edges: Value


class HistogramOfPoints(NamedTuple):
    """The result of `histogramdd`."""

    hist: Value
    bin_edges: tuple[Value, ...]


@method("histogram")
def histogram(
    self: Value, bins: Any = 100, *, range: Any = None, weight: Value = None, density: bool = False
) -> Histogram:
    """The weight of all elements between each two neighbouring edges, and the edges. The last edge is included.

    bins: their number, evenly from the least to the largest element or over `range`; or the edges, in order.
    weight: of each element; 1 where none is given.   density: over the weight of all and the width of each bin.
    Shapes: floats of any shape -> [bins] and [bins + 1], of that dtype. They have no gradient.
    Errors: NotImplementedError for what is not of floats; RuntimeError for weights of another shape, edges that are no
        vector, and a range that is not finite or ends before it begins.
    """
    _check(self, "histogram")
    x = flatten(self)
    rows = reshape_to(x, (x.shape[0], 1))
    given = [bins] if is_tensor_like(bins) else int(bins)
    hist, edges = _of_points(rows, given, range, None if weight is None else _weights(self, weight), density)
    return Histogram(hist, edges[0])


@surface
def histogramdd(
    input: Value, bins: Any, range: Any = None, weight: Value = None, density: bool = False
) -> HistogramOfPoints:
    """`histogram` of points: what those between edges along every axis weigh together, and the edges of each axis.

    bins: a number for all coordinates, a list of one for each, or a list of their edges.
    range: the least and the largest place of each coordinate, in a row.
    Shapes: floats [*, D] -> [bins 1, ..., bins D], and a tuple of [bins + 1].
    Errors: as `histogram`.
    """
    _check(input, "histogramdd")
    if input.ndim < 2:
        raise RuntimeError("torch.histogramdd: input tensor should have at least 2 dimensions")
    rows = reshape_to(input, (math.prod(input.shape[:-1]), input.shape[-1]))
    given = list(bins) if isinstance(bins, (list, tuple)) else int(bins)
    return HistogramOfPoints(
        *_of_points(rows, given, range, None if weight is None else _weights(select(input, -1, 0), weight), density)
    )


def _check(x: Value, name: str) -> None:
    if not x.dtype.is_float or x.dtype.is_narrow:
        raise NotImplementedError(f"{name} is for float32 and float64, got {x.dtype}; convert it with .to()")


def _weights(x: Value, weight: Value) -> Value:
    if tuple(weight.shape) != tuple(x.shape):
        raise RuntimeError(
            "torch.histogramdd: if weight tensor is provided it should have the same shape as the input tensor "
            f"excluding its innermost dimension, got input with shape {list(x.shape)} and weight with shape "
            f"{list(weight.shape)}"
        )
    return flatten(weight)


def _of_points(rows: Value, bins: Any, span: Any, weight: Value, density: bool) -> tuple[Value, tuple[Value, ...]]:
    rows = rows.detach()
    axes = int(rows.shape[1])
    counts = [bins] * axes if isinstance(bins, int) else bins
    if len(counts) != axes:
        raise RuntimeError(f"torch.histogramdd: expected {axes} sequences of bin edges, got {len(counts)}")
    if span is not None and len(span) != 2 * axes:
        raise RuntimeError(
            f"torch.histogramdd: for a {axes}-dimensional histogram range should have {2 * axes} elements"
        )
    place, inside, edges, shape = None, None, [], []
    for axis, given in enumerate(counts):
        x = select(rows, 1, axis)
        ends = (
            given
            if is_tensor_like(given)
            else _even_edges(x, int(given), None if span is None else span[2 * axis : 2 * axis + 2])
        )
        if ends.ndim != 1 or ends.shape[0] < 2 or ends.dtype is not rows.dtype:
            raise RuntimeError(
                "torch.histogramdd: bins tensor should have one dimension with two or more edges, and the dtype of the "
                f"input, {rows.dtype}, got {ends.dtype}{list(ends.shape)}"
            )
        ends = ends.detach()
        count = ends.shape[0] - 1
        first, last = getitem(ends, 0), getitem(ends, count)
        within = logical_and(ge(x, first), le(x, last))
        along = sub(searchsorted(ends, where(within, x, first), right=True), 1)
        along = clamp(along, max=count - 1)
        place = along if place is None else add(mul(place, count), along)
        inside = within if inside is None else logical_and(inside, within)
        edges.append(ends)
        shape.append(count)
    weight = ones_like(select(rows, 1, 0)) if weight is None else to_dtype(weight.detach(), rows.dtype)
    nothing = zeros(math.prod(shape), dtype=rows.dtype, device=rows.device)
    hist = apply(SCATTER_ADD, nothing, place, where(inside, weight, 0.0), axis=0)
    hist = reshape_to(hist, tuple(shape))
    if density:
        hist = div(hist, total(hist))
        for axis, ends in enumerate(edges):
            widths = sub(getitem(ends, slice(1, None)), getitem(ends, slice(0, -1)))
            hist = div(hist, reshape_to(widths, tuple(-1 if k == axis else 1 for k in range(axes))))
    return hist, tuple(edges)


def _even_edges(x: Value, count: int, span: Any) -> Value:
    """The edges of `count` bins of one width, over all elements or from one number to another."""
    if count <= 0:
        raise RuntimeError(f"torch.histogramdd(): bins must be > 0, but got {count}")
    if span is not None:
        low, high = float(span[0]), float(span[1])
        if not (math.isfinite(low) and math.isfinite(high)):
            raise RuntimeError(f"torch.histogramdd: range [{low}, {high}] is not finite")
        if low > high:
            raise RuntimeError(f"torch.histogramdd: min should not exceed max, but got min {low} max {high}")
        low, high = (low - 0.5, high + 0.5) if low == high else (low, high)
        first, last = tensor([low], dtype=x.dtype, device=x.device), tensor([high], dtype=x.dtype, device=x.device)
    elif x.shape[0] == 0:
        first = zeros(1, dtype=x.dtype, device=x.device)
        last = add(first, 1)
    else:
        least, largest = aminmax(x)
        if not all_hold(logical_and(isfinite(least), isfinite(largest))):
            raise RuntimeError(f"torch.histogramdd: range [{least.item()}, {largest.item()}] is not finite")
        same = eq(least, largest)
        first = reshape_to(where(same, sub(least, 0.5), least), (1,))
        last = reshape_to(where(same, add(largest, 0.5), largest), (1,))
    # From both ends, so that the last edge is the one that was asked for.
    number = arange(count + 1, dtype=x.dtype, device=x.device)
    step = div(sub(last, first), count)
    rising = add(first, mul(number, step))
    falling = sub(last, mul(sub(count, number), step))
    return where(le(mul(number, 2), count), rising, falling)
