"""More reductions: counts, pairs of moments, and reductions that pass over NaN."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ..core import dtypes
from ..core.dtypes import DType
from .arithmetic import add, div, mul, neg, sub
from .dispatch import is_tensor_like
from .joining import cat, narrow
from .ordering import cumsum
from .pointwise import isnan, logical_not, truth, where
from .promotion import refuse, to_dtype
from .reductions import amax, amin, mean, norm, std, sum, var
from .shapes import broadcast_shapes, given_sizes, wrap_axis
from .shaping import reshape_to, result_in
from .surface import method, surface

Value = Any


class LeastAndLargest(NamedTuple):
    """The result of `aminmax`: the least and the largest elements."""

    min: Value
    max: Value


@method("nansum")
def nansum(
    self: Value,
    dim: Any = None,
    keepdim: bool = False,
    *,
    dtype: DType | None = None,
    axis: Any = None,
    keepdims: bool = False,
) -> Value:
    """The sum over `dim` with 0 for NaN. Errors: NotImplementedError for complex numbers."""
    refuse("nansum", "c", self)
    dim, keepdim = dim if axis is None else axis, keepdim or keepdims
    return sum(_filled(self), dim, keepdim, dtype=dtype)


@method("nanmean")
def nanmean(
    self: Value,
    dim: Any = None,
    keepdim: bool = False,
    *,
    dtype: DType | None = None,
    axis: Any = None,
    keepdims: bool = False,
) -> Value:
    """The mean over `dim` of what is no NaN."""
    dim, keepdim = dim if axis is None else axis, keepdim or keepdims
    if not self.dtype.is_differentiable:
        raise RuntimeError(f"nanmean(): expected input to have floating point or complex dtype but got {self.dtype}")
    total = sum(_filled(self), dim, keepdim, dtype=dtype)
    return div(total, sum(to_dtype(logical_not(isnan(self)), total.dtype), dim, keepdim))


def _filled(x: Value) -> Value:
    return where(isnan(x), 0.0, x) if x.dtype.is_differentiable else x


@method("count_nonzero")
def count_nonzero(self: Value, *dims: Any, dim: Any = None, axis: Any = None) -> Value:
    """The number of elements over `dim` that are not 0."""
    if dims:
        dim = dims[0] if len(dims) == 1 else dims
    elif axis is not None:
        dim = axis
    return sum(to_dtype(truth(self), dtypes.int64), dim)


@method("aminmax")
def aminmax(
    self: Value, *, dim: int | None = None, keepdim: bool = False, axis: Any = None, keepdims: bool = False
) -> LeastAndLargest:
    """The smallest and the largest element over `dim`."""
    dim, keepdim = dim if axis is None else axis, keepdim or keepdims
    return LeastAndLargest(amin(self, dim, keepdim), amax(self, dim, keepdim))


def _with_mean(name: str, reduction: Callable[..., Value], gives: str) -> Callable[..., tuple[Value, Value]]:
    def function(
        input: Value,
        dim: Any = None,
        unbiased: bool | None = None,
        keepdim: bool = False,
        *,
        correction: Any = None,
        axis: Any = None,
        keepdims: bool = False,
    ) -> tuple[Value, Value]:
        dim, keepdim = dim if axis is None else axis, keepdim or keepdims
        over = None if type(dim) is bool else dim
        return reduction(input, dim, unbiased, keepdim, correction=correction), mean(input, over, keepdim)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{gives} and the mean over `dim`."
    return surface(function)


std_mean = _with_mean("std_mean", std, "The standard deviation")
var_mean = _with_mean("var_mean", var, "The variance")


@method("dist")
def dist(self: Value, other: Value, p: Any = 2) -> Value:
    """The p-norm of the difference."""
    return norm(sub(self, other), p)


@method("sum_to_size")
def sum_to_size(self: Value, *sizes_: Any, size: Any = None) -> Value:
    """`self` summed to a shape that broadcasts to its own. Errors: RuntimeError for another one."""
    shape = given_sizes("sum_to_size", sizes_, size)
    if len(shape) > self.ndim or broadcast_shapes(shape, self.shape) != self.shape:
        raise RuntimeError(f"size {list(shape)} is not expandable to size {list(self.shape)}.")
    lead = self.ndim - len(shape)
    axes = [k for k, have in enumerate(self.shape) if k < lead or (shape[k - lead] == 1 and have != 1)]
    return result_in(sum(self, axes, True) if axes else self, shape)


def _by_trapezoids(total: Callable[..., Value], y: Value, x: Value, dx: Any, axis: int) -> Value:
    """The result of `total` for the areas between neighbouring points."""
    size = y.shape[axis]
    pairs = add(narrow(y, axis, 1, size - 1), narrow(y, axis, 0, size - 1))
    if x is None:
        return mul(total(pairs, axis), dx / 2 if not is_tensor_like(dx) else div(dx, 2))
    along = -1 if x.ndim == 1 else axis
    steps = sub(narrow(x, along, 1, size - 1), narrow(x, along, 0, size - 1))
    if x.ndim == 1:
        steps = steps.reshape(tuple(size - 1 if k == axis else 1 for k in range(y.ndim)))
    return div(total(mul(pairs, steps), axis), 2)


@surface
def trapezoid(y: Value, x: Value = None, *, dx: Any = 1, dim: int = -1) -> Value:
    """The integral along `dim` by trapezoids, of points `dx` apart or at `x`."""
    axis = wrap_axis(dim, y.ndim)
    return _by_trapezoids(sum, y, x, dx, axis) if y.shape[axis] else sum(y.detach(), axis)


@surface
def cumulative_trapezoid(y: Value, x: Value = None, *, dx: Any = 1, dim: int = -1) -> Value:
    """The integrals along `dim` by trapezoids up to each point but the first; points are `dx` apart or at `x`."""
    axis = wrap_axis(dim, y.ndim)
    return _by_trapezoids(cumsum, y, x, dx, axis) if y.shape[axis] else y


@surface
def gradient(input: Value, *, spacing: Any = None, dim: Any = None, edge_order: int = 1) -> list[Value]:
    """The slopes along each of the axes `dim`: differences of both neighbours, at the ends of one side.

    spacing: how far neighbours are apart, 1 where it is not said; one number for all axes or one for each; or the
        places along each axis, as vectors.
    edge_order: 1 or 2, how exact the slopes are at the ends.
    Shapes: a list with a tensor of the shape of `input` for each axis.
    Errors: RuntimeError for axes with fewer elements than `edge_order` and one, and spacings that do not fit.
    """
    axes = list(range(input.ndim)) if dim is None else [dim] if not isinstance(dim, (tuple, list)) else list(dim)
    axes = [wrap_axis(each, input.ndim) for each in axes]
    if edge_order not in (1, 2):
        raise RuntimeError(f"torch.gradient only supports edge_order=1 and edge_order=2, got {edge_order}")
    if len(set(axes)) != len(axes):
        raise RuntimeError(f"dim {axes} appears multiple times in the list of dims")
    spacing = 1 if spacing is None else spacing
    listed = list(spacing) if isinstance(spacing, (tuple, list)) else [spacing] * len(axes)
    if len(listed) != len(axes):
        raise RuntimeError(
            "torch.gradient expected spacing to be unspecified, a scalar, or a list of length equal to the number of "
            f"axes, {len(axes)}, got {len(listed)}"
        )
    if any(input.shape[axis] < edge_order + 1 for axis in axes):
        raise RuntimeError(
            f"torch.gradient expected each dimension size to be at least edge_order+1, got {list(input.shape)}"
        )
    return [_slopes(input, axis, each, edge_order) for axis, each in zip(axes, listed, strict=True)]


def _slopes(x: Value, axis: int, spacing: Any, edge_order: int) -> Value:
    size = x.shape[axis]

    def part(start: int, count: int) -> Value:
        return narrow(x, axis, start, count)

    vector = is_tensor_like(spacing) and spacing.ndim > 0
    if not vector:
        inner = div(mul(sub(part(2, size - 2), part(0, size - 2)), 0.5), spacing)
        if edge_order == 1:
            ends = [div(sub(part(k + 1, 1), part(k, 1)), spacing) for k in (0, size - 2)]
        else:
            weights = (-1.5, 2.0, -0.5), (0.5, -2.0, 1.5)
            ends = [div(_weighed(part, k, w), spacing) for k, w in zip((0, size - 3), weights, strict=True)]
    else:
        if spacing.ndim != 1 or spacing.shape[0] != size:
            raise RuntimeError(
                f"torch.gradient expected each element of spacing to have one place for each of {size} elements, got "
                f"shape {list(spacing.shape)}"
            )
        steps = reshape_to(
            sub(narrow(spacing, 0, 1, size - 1), narrow(spacing, 0, 0, size - 1)),
            tuple(-1 if k == axis else 1 for k in range(x.ndim)),
        )
        before, after = narrow(steps, axis, 0, size - 2), narrow(steps, axis, 1, size - 2)
        both = add(before, after)
        inner = add(
            add(
                mul(part(0, size - 2), neg(div(after, mul(before, both)))),
                mul(part(1, size - 2), div(sub(after, before), mul(before, after))),
            ),
            mul(part(2, size - 2), div(before, mul(after, both))),
        )
        if edge_order == 1:
            ends = [div(sub(part(k + 1, 1), part(k, 1)), narrow(steps, axis, k, 1)) for k in (0, size - 2)]
        else:
            ends = [_edge(part, steps, axis, 0, False), _edge(part, steps, axis, size - 3, True)]
    return cat([ends[0], inner, ends[1]], axis)


def _weighed(part: Callable[[int, int], Value], first: int, weights: tuple[Any, ...]) -> Value:
    """The sum of three neighbours times weights."""
    total: Value = None
    for k, weight in enumerate(weights):
        each = mul(part(first + k, 1), weight)
        total = each if total is None else add(total, each)
    return total


def _edge(part: Callable[[int, int], Value], steps: Value, axis: int, first: int, last: bool) -> Value:
    """The slope, at the first of three elements or at the last, of the parabola through them."""
    a, b = narrow(steps, axis, first, 1), narrow(steps, axis, first + 1, 1)
    both, product = add(a, b), mul(a, b)
    if not last:
        weights = neg(div(add(a, both), mul(a, both))), div(both, product), neg(div(a, mul(b, both)))
    else:
        weights = div(b, mul(a, both)), neg(div(both, product)), div(add(b, both), mul(b, both))
    return _weighed(part, first, weights)


@method("cov")
def cov(self: Value, *, correction: int = 1) -> Value:
    """The covariance of variables, one a row, of observations, one a column."""
    rows = self.reshape(1, -1) if self.ndim < 2 else self
    if self.ndim > 2:
        raise RuntimeError(
            f"cov(): expected input to have two or fewer dimensions but got an input with {self.ndim} dimensions"
        )
    rows = rows if rows.dtype.is_differentiable else rows.float()
    centred = sub(rows, mean(rows, 1, True))
    found = div(centred @ centred.conj().t(), float(max(rows.shape[1] - correction, 0)))
    return found if self.ndim == 2 else found.reshape(())


@method("corrcoef")
def corrcoef(self: Value) -> Value:
    """The correlation of variables, one a row."""
    found = cov(self)
    if not found.ndim:
        return div(found, found)
    size = found.diagonal().sqrt()
    return div(div(found, size.unsqueeze(1)), size.unsqueeze(0)).clamp(-1, 1)
