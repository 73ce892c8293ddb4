"""Reductions and running reductions over axes, and tests of all elements.

`axis` is None for all axes, one, or several, and none of them for an empty tuple; `keepdims` keeps them with size 1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core import dtypes
from ..core.dtypes import DType
from ..tensor import creation, joining, ordering, reductions
from ..tensor.promotion import to_dtype
from ..tensor.shapes import wrap_axes, wrap_axis
from .declare import ANY, array, given_dtype, named, over, standard

Value = Any


def wide(name: str, x: Value, dtype: DType | None) -> Value:
    """`x` in `dtype`; for None integers become 64 bits wide, unsigned ones uint64, and floats stay as they are."""
    otherwise = x.dtype if x.dtype.is_differentiable else dtypes.uint64 if x.dtype.kind == "u" else dtypes.int64
    return to_dtype(x, given_dtype(name, dtype) or otherwise)


def _total(name: str, compute: Callable[..., Value], gives: str) -> Callable[..., Value]:
    def function(x: Value, /, *, axis: Any = None, dtype: DType | None = None, keepdims: bool = False) -> Value:
        given = wide(name, array(name, x, "numeric"), dtype)
        return over(lambda x, dim, keep: compute(x, dim, keep, dtype=x.dtype), given, axis, keepdims)

    text = f"{gives} of the elements over `axis`.\n\n"
    text += "    Shapes: x numeric [*] -> [*] without these axes, in `dtype`; for None floats keep theirs, integers\n"
    text += "        are taken in int64, unsigned ones in uint64.\n    Errors: TypeError for bools.\n    "
    return named(function, name, text)


sum = _total("sum", reductions.sum, "The sum")
prod = _total("prod", reductions.prod, "The product")


def _over(name: str, accepted: str, compute: Callable[..., Value], gives: str, result: str) -> Callable[..., Value]:
    def function(x: Value, /, *, axis: Any = None, keepdims: bool = False) -> Value:
        return over(compute, array(name, x, accepted), axis, keepdims)

    text = f"{gives} over `axis`.\n\n    Shapes: x {accepted} [*] -> [*] without these axes, {result}.\n"
    return named(function, name, f"{text}    Errors: TypeError for other dtypes.\n    ")


def _of_some(name: str, compute: Callable[..., Value]) -> Callable[..., Value]:
    """The reduction, for which there have to be elements. Errors: ValueError."""

    def function(x: Value, dim: Any, keepdim: bool) -> Value:
        if 0 in [x.shape[axis] for axis in wrap_axes(dim, x.ndim)]:
            raise ValueError(f"{name}(): of no elements there is none, and an axis of {tuple(x.shape)} is empty")
        return compute(x, dim, keepdim)

    return function


def _truth(compute: Callable[..., Value]) -> Callable[..., Value]:
    return lambda x, dim, keepdim: to_dtype(compute(x, dim, keepdim), dtypes.bool_)


max = _over("max", "real numeric", _of_some("max", reductions.amax), "The largest elements", "in the dtype of x")
min = _over("min", "real numeric", _of_some("min", reductions.amin), "The smallest elements", "in the dtype of x")
mean = _over("mean", "floating-point", reductions.mean, "The mean", "in the dtype of x")
all = _over("all", ANY, _truth(reductions.all), "Whether every element is something else than 0", "bool")
any = _over("any", ANY, _truth(reductions.any), "Whether an element is something else than 0", "bool")


def _spread(name: str, compute: Callable[..., Value], gives: str) -> Callable[..., Value]:
    def function(x: Value, /, *, axis: Any = None, correction: float = 0.0, keepdims: bool = False) -> Value:
        array(name, x, "real floating-point")
        return over(lambda x, dim, keep: compute(x, dim, None, keep, correction=correction), x, axis, keepdims)

    text = f"{gives} over `axis`, of squares over the number of elements less `correction`.\n\n"
    text += "    Shapes: x real floating-point [*] -> [*] without these axes, in the dtype of x.\n"
    return named(function, name, f"{text}    Errors: TypeError for other dtypes.\n    ")


std = _spread("std", reductions.std, "The standard deviation")
var = _spread("var", reductions.var, "The variance")


def _running(name: str, compute: Callable[..., Value], start: int, gives: str) -> Callable[..., Value]:
    def function(
        x: Value, /, *, axis: int | None = None, dtype: DType | None = None, include_initial: bool = False
    ) -> Value:
        array(name, x, "numeric")
        if not x.ndim:
            raise ValueError(f"{name}(): takes an array with axes")
        if axis is None and x.ndim > 1:
            raise ValueError(f"{name}(): which axis is meant must be said of an array with {x.ndim} axes")
        place = 0 if axis is None else wrap_axis(axis, x.ndim)
        given = wide(name, x, dtype)
        if include_initial:
            shape = (*x.shape[:place], 1, *x.shape[place + 1 :])
            first = creation.full(shape, start, dtype=given.dtype, device=x.device)
            given = joining.cat([first, given], place)
        return compute(given, place, dtype=given.dtype)

    text = f"{gives} of all elements along `axis` up to each one, after a first {start} with `include_initial`.\n\n"
    text += "    Shapes: x numeric [*, n, *] -> [*, n or n + 1, *], in `dtype`, or for None as `sum` has it.\n"
    text += "    Errors: ValueError without `axis` for several axes, or for none.\n    "
    return named(function, name, text)


cumulative_prod = _running("cumulative_prod", ordering.cumprod, 1, "The product")
cumulative_sum = _running("cumulative_sum", ordering.cumsum, 0, "The sum")


@standard
def diff(x: Value, /, *, axis: int = -1, n: int = 1, prepend: Value = None, append: Value = None) -> Value:
    """The differences of neighbours along `axis`, taken `n` times, between what is prepended and appended too.

    Shapes: x numeric [*, m, *] -> [*, m - n, *]. Errors: ValueError for negative `n`, TypeError for bools.
    """
    array("diff", x, "numeric")
    if n < 0:
        raise ValueError(f"diff(): is taken a number of times that is not negative, got {n}")
    for name, each in (("prepend", prepend), ("append", append)):
        if each is not None:
            array("diff", each, "numeric", name)
    return ordering.diff(x, n, axis, prepend, append)


def _count(x: Value, axes: Any, keepdim: bool) -> Value:
    return reductions.sum(to_dtype(to_dtype(x, dtypes.bool_), dtypes.int64), axes, keepdim)


@standard
def count_nonzero(x: Value, /, *, axis: Any = None, keepdims: bool = False) -> Value:
    """The number of elements over `axis` that are not 0. Shapes: x of any dtype [*] -> int64 [*] without these axes."""
    return over(_count, array("count_nonzero", x), axis, keepdims)
