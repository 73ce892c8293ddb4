"""Reductions over axes: sums, means, extremes, and softmax along an axis.

`axis` and `keepdims` are NumPy's words for `dim` and `keepdim`, as in PyTorch.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from ..core import dtypes
from ..core.dtypes import DType
from ..ops import reduction as ops
from ..ops.activations import ALIAS, ROOT, WITH_HISTORY
from ..ops.complex_numbers import IMAG, REAL
from ..ops.indexing import GATHER
from ..ops.registry import OpDef
from ..ops.statistics import LOG_SOFTMAX, MEAN, SHARED_MAX, SHARED_MIN, SOFTMAX, VAR
from .arithmetic import abs as absolute
from .arithmetic import add, maximum, minimum, mul, pow, sub
from .dispatch import apply, is_tensor_like, not_a_tensor
from .pointwise import exp, isfinite, log, truth, where
from .promotion import as_float, to_dtype
from .shapes import missing_argument, reduced, wrap_axes, wrap_axis
from .shaping import reshape_to, result_in
from .surface import method

Value = Any


class Extremes(NamedTuple):
    """The result of ``max(dim)``: the extreme elements, and where along the axis they are."""

    values: Value
    indices: Value


def _reduction(op: OpDef, x: Value, dim: Any, keepdim: bool, **attrs: Any) -> Value:
    """`op` over `dim`, its axes kept with size 1 if `keepdim` says so."""
    axes = wrap_axes(dim, x.ndim)
    result = apply(op, x, axes=axes, **attrs)
    return result_in(result, reduced(x.shape, axes)) if keepdim else result


def _total(name: str, op: OpDef, gives: str) -> Callable[..., Value]:
    def function(
        self: Value,
        dim: Any = None,
        keepdim: bool = False,
        *,
        dtype: DType | None = None,
        axis: Any = None,
        keepdims: bool = False,
    ) -> Value:
        return _reduction(op, wide(self, dtype), dim if axis is None else axis, keepdim or keepdims)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{gives} over `dim` (None for all, one, or several); of integers and bools in int64 by default."
    return method(name)(function)


sum = _total("sum", ops.SUM, "The sum")
prod = _total("prod", ops.PROD, "The product")


def wide(x: Value, dtype: DType | None) -> Value:
    """`x` in `dtype`; where that is None, integers and bools in int64."""
    if dtype is None:
        dtype = x.dtype if x.dtype.is_differentiable else dtypes.int64
    return to_dtype(x, dtype)


@method("mean")
def mean(
    self: Value,
    dim: Any = None,
    keepdim: bool = False,
    *,
    dtype: DType | None = None,
    axis: Any = None,
    keepdims: bool = False,
) -> Value:
    """The mean over `dim`. Errors: RuntimeError for integers, which have none in their dtype."""
    dim, keepdim = dim if axis is None else axis, keepdim or keepdims
    x = self if dtype is None else to_dtype(self, dtype)
    _floats("mean", x)
    return _reduction(MEAN, x, dim, keepdim)


@method("var")
def var(
    self: Value,
    dim: Any = None,
    unbiased: bool | None = None,
    keepdim: bool = False,
    *,
    correction: Any = None,
    axis: Any = None,
    keepdims: bool = False,
) -> Value:
    """The variance over `dim`: squared distances from the mean, over the number of elements less `correction`."""
    dim, keepdim = dim if axis is None else axis, keepdim or keepdims
    if type(dim) is bool:
        dim, unbiased = None, dim
    if unbiased is not None:
        correction = 1 if unbiased else 0
    elif correction is None:
        correction = 1
    _floats("var", self)
    return _reduction(VAR, self, dim, keepdim, correction=correction)


@method("std")
def std(
    self: Value,
    dim: Any = None,
    unbiased: bool | None = None,
    keepdim: bool = False,
    *,
    correction: Any = None,
    axis: Any = None,
    keepdims: bool = False,
) -> Value:
    """The square root of the variance."""
    dim, keepdim = dim if axis is None else axis, keepdim or keepdims
    return apply(ROOT, var(self, dim, unbiased, keepdim, correction=correction))


def _floats(name: str, x: Value) -> None:
    if not x.dtype.is_differentiable:
        raise RuntimeError(
            f"{name}(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. "
            f"Got: {x.dtype}"
        )


def _over(name: str, op: OpDef, reduction: Callable[[OpDef, Value, Any, bool], Any], gives: str) -> Callable[..., Any]:
    """The method that is `reduction` of an op, a tensor, `dim` and `keepdim`, by either name of these."""

    def function(
        self: Value, dim: Any = None, keepdim: bool = False, *, axis: Any = None, keepdims: bool = False
    ) -> Any:
        return reduction(op, self, dim if axis is None else axis, keepdim or keepdims)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = gives
    return method(name)(function)


def _extremum(
    name: str, op: OpDef, reduction: Callable[[OpDef, Value, Any, bool], Any], gives: str
) -> Callable[..., Any]:
    """The method that is `reduction` of an op, a tensor, `dim` and `keepdim`, by either name of these.

    `dim` may be another tensor too, then called `other`.
    """

    def function(
        self: Value,
        dim: Any = None,
        keepdim: bool = False,
        *,
        axis: Any = None,
        keepdims: bool = False,
        other: Value = None,
    ) -> Any:
        if dim is None:
            dim = axis if other is None else other
        return reduction(op, self, dim, keepdim or keepdims)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = gives
    return method(name)(function)


def _extremes(op: OpDef, x: Value, dim: Any, keepdim: bool) -> Value:
    not_empty(f"a{op.name}", x, dim)
    return _reduction(op, x, dim, keepdim)


def _extreme(op: OpDef, x: Value, dim: Any, keepdim: bool) -> Any:
    if dim is None:
        not_empty(op.name, x, None)
        return _reduction(SHARED_MAX if op is ops.MAX else SHARED_MIN, x, None, False)
    if is_tensor_like(dim):
        return (maximum if op is ops.MAX else minimum)(x, dim)
    axis, place = wrap_axis(dim, x.ndim), ops.ARGMAX if op is ops.MAX else ops.ARGMIN
    if not x.ndim:
        return Extremes(apply(ALIAS, x), _place(place, x, None, False))
    indices = _place(place, x, axis, True)
    values = apply(GATHER, x, indices, axis=axis)
    if keepdim:
        return Extremes(values, indices)
    shape = (*x.shape[:axis], *x.shape[axis + 1 :])
    return Extremes(result_in(values, shape), result_in(indices, shape))


def not_empty(name: str, x: Value, dim: Any) -> None:
    """Errors: IndexError where an axis of `dim` has size 0, RuntimeError where `x` is empty and `dim` is None."""
    axes = wrap_axes(dim, x.ndim)
    if 0 in [x.shape[axis] for axis in axes]:
        if dim is not None and dim != ():
            raise IndexError(f"{name}(): Expected reduction dim {dim} to have non-zero size.")
        raise RuntimeError(
            f"{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with "
            "the 'dim' argument."
        )


def _asked_place(op: OpDef, x: Value, dim: Any, keepdim: bool) -> Value:
    """The indices that `argmax` and `argmin` give. Errors: RuntimeError for bools."""
    if x.dtype.is_bool:
        raise RuntimeError(f"{op.name}(): not implemented for {x.dtype}; use .int() first")
    return _place(op, x, dim, keepdim)


def _place(op: OpDef, x: Value, dim: Any, keepdim: bool) -> Value:
    if dim is None and not math.prod(x.shape):
        raise IndexError(f"{op.name}(): Expected reduction dim to be specified for input.numel() == 0.")
    not_empty(op.name, x, dim)
    if dim is None or not x.ndim:
        if dim is not None:
            wrap_axis(dim, x.ndim)
        flat = apply(op, reshape_to(x, (math.prod(x.shape),)), axes=(0,))
        return result_in(flat, (1,) * x.ndim) if keepdim else flat
    return _reduction(op, x, wrap_axis(dim, x.ndim), keepdim)


def _test(op: OpDef, x: Value, dim: Any, keepdim: bool) -> Value:
    """A reduction of truth values, in uint8 if `x` is: that was PyTorch's first type of masks."""
    found = _reduction(op, truth(x), dim, keepdim)
    return to_dtype(found, dtypes.uint8) if x.dtype is dtypes.uint8 else found


amax = _over("amax", ops.MAX, _extremes, "The largest elements over `dim`. Where several tie they share the gradient.")
amin = _over("amin", ops.MIN, _extremes, "The smallest elements over `dim`. Where several tie they share the gradient.")
max = _extremum(
    "max",
    ops.MAX,
    _extreme,
    "The largest element; along `dim` the pair (values, indices); with another tensor, the larger of both.",
)
min = _extremum(
    "min",
    ops.MIN,
    _extreme,
    "The smallest element; along `dim` the pair (values, indices); with another tensor, the smaller of both.",
)
argmax = _over(
    "argmax",
    ops.ARGMAX,
    _asked_place,
    "Where the largest element is along `dim`, or in the elements in a row; the first of several.",
)
argmin = _over(
    "argmin",
    ops.ARGMIN,
    _asked_place,
    "Where the smallest element is along `dim`, or in the elements in a row; the first of several.",
)
any = _over("any", ops.ANY, _test, "Whether an element over `dim` is not 0.")
all = _over("all", ops.ALL, _test, "Whether every element over `dim` is not 0.")


@method("softmax")
def softmax(self: Value, dim: Any = None, dtype: DType | None = None, *, axis: Any = None) -> Value:
    """``exp(x) / sum(exp(x))`` along `dim`."""
    dim = dim if axis is None else axis
    return along(SOFTMAX, self, dim, dtype)


@method("log_softmax")
def log_softmax(self: Value, dim: Any = None, dtype: DType | None = None, *, axis: Any = None) -> Value:
    """The logarithm of `softmax`, computed without it."""
    dim = dim if axis is None else axis
    return along(LOG_SOFTMAX, self, dim, dtype)


def along(op: OpDef, x: Value, dim: int, dtype: DType | None) -> Value:
    """The result of `op`, which works along one axis of floats.

    Errors: TypeError for what is no tensor; NotImplementedError for a dtype that is not of floats.
    """
    if not is_tensor_like(x):
        raise not_a_tensor(op.name, "input", 1, x)
    x = x if dtype is None else to_dtype(x, dtype)
    axis = wrap_axis(dim, x.ndim)
    if not x.dtype.is_float:
        raise NotImplementedError(f"{op.name} is not implemented for {x.dtype}")
    if x.ndim:
        return apply(op, x, axis=axis)
    return result_in(apply(op, reshape_to(x, (1,)), axis=0), ())


@method("logsumexp")
def logsumexp(
    self: Value, dim: Any = None, keepdim: bool = False, *, axis: Any = None, keepdims: bool = False
) -> Value:
    """The logarithm of the sum of ``exp(x)`` over `dim`."""
    dim, keepdim = dim if axis is None else axis, keepdim or keepdims
    if dim is None:
        raise missing_argument("logsumexp", dim=dim)
    x = as_float(self)
    axes = wrap_axes(dim, x.ndim)
    if 0 in x.shape:
        return log(sum(exp(x), dim, keepdim))
    largest = amax(apply(REAL, x) if x.dtype.is_complex else x, dim, keepdim=True)
    largest = where(isfinite(largest), largest, 0.0)
    total = add(log(sum(exp(sub(x, largest)), dim, keepdim=True)), largest)
    return total if keepdim else result_in(total, tuple(size for k, size in enumerate(x.shape) if k not in axes))


@method("norm")
def norm(self: Value, p: Any = "fro", dim: Any = None, keepdim: bool = False, dtype: DType | None = None) -> Value:
    """The p-norm over `dim`, for any number p, infinities and 0 (how many are not 0) too; ``"fro"`` is 2."""
    x = self if dtype is None else to_dtype(self, dtype)
    _floats("norm", x)
    if x.dtype.is_complex:
        if p is None or p == 2 or p == "fro":
            squares = (mul(each, each) for each in (apply(REAL, x), apply(IMAG, x)))
            return apply(ROOT, sum(add(*squares), dim, keepdim))
        x = absolute(x)
    if p is None or p == 2 or p == "fro":
        return apply(ROOT, sum(mul(x, x), dim, keepdim))
    if type(p) is str:
        raise NotImplementedError(f"norm takes a number or 'fro', got {p!r}")
    if p == 1:
        return sum(absolute(x), dim, keepdim)
    if p in (math.inf, -math.inf):
        not_empty("linalg.vector_norm", x, dim)
        return _reduction(SHARED_MAX if p > 0 else SHARED_MIN, absolute(x), dim, keepdim)
    if p == 0:
        return sum(apply(WITH_HISTORY, to_dtype(truth(x), x.dtype), x), dim, keepdim)
    if 0 < p < 1:  # of a zero nothing goes back, where the power is infinitely steep
        total = sum(where(truth(x), pow(absolute(where(truth(x), x, 1.0)), p), 0.0), dim, keepdim)
    else:
        total = sum(pow(absolute(x), p), dim, keepdim)
    if p < 0:
        return pow(total, 1.0 / p)
    there = truth(total)  # a root is infinitely steep at 0
    return where(there, pow(where(there, total, 1.0), 1.0 / p), total)
