"""The places of elements: searching, sorting, sets, and picking by index."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..core import dtypes
from ..tensor import arithmetic, creation, indexing, ordering, pointwise, reductions, scattering
from ..tensor.dispatch import number_kind, tensor_of
from ..tensor.masks import nonzero as _nonzero
from ..tensor.promotion import to_dtype
from ..tensor.shapes import wrap_axis
from ..tensor.tracing import values_of
from .declare import array, check_scalar, named, operands, promoted, standard

Value = Any


def _place(name: str, compute: Callable[..., Value], gives: str) -> Callable[..., Value]:
    def function(x: Value, /, *, axis: int | None = None, keepdims: bool = False) -> Value:
        array(name, x, "real numeric")
        if not math.prod(x.shape if axis is None else (x.shape[wrap_axis(axis, x.ndim)] if x.ndim else 1,)):
            raise ValueError(f"{name}(): of no elements there is none, and an axis of {tuple(x.shape)} is empty")
        return compute(x, axis, bool(keepdims))

    text = (
        f"The places of the {gives} elements along `axis`, or among all in a row for None; of equal ones the first.\n\n"
    )
    text += "    Shapes: x real numeric [*] -> int64 [*] without that axis, which `keepdims` keeps with size 1.\n"
    return named(function, name, f"{text}    Errors: ValueError for no elements, TypeError for bools.\n    ")


argmax = _place("argmax", reductions.argmax, "largest")
argmin = _place("argmin", reductions.argmin, "smallest")


@standard
def nonzero(x: Value, /) -> tuple[Value, ...]:
    """The places of the elements that are not 0, as a vector of int64 for each axis.

    How many there are depends on values: a trace knows it where the call can. Errors: ValueError for no axes.
    """
    if not array("nonzero", x).ndim:
        raise ValueError("nonzero(): takes an array with axes")
    return tuple(_nonzero(x, as_tuple=True))


@standard
def searchsorted(x1: Value, x2: Value, /, *, side: str = "left", sorter: Value = None) -> Value:
    """The place in a sorted vector before which each element would be inserted, to keep it sorted.

    side: "left" for the place before equal elements, "right" for that after them.   sorter: the order that sorts `x1`.
    Shapes: x1 numeric [n], x2 numeric [*] or a Python number -> int64 [*]. Errors: ValueError for other sides.
    """
    array("searchsorted", x1, "real numeric", "x1")
    if number_kind(x2) is not None:
        check_scalar("searchsorted", x2, x1.dtype)
        x2 = creation.full((), x2, dtype=x1.dtype, device=x1.device)
    array("searchsorted", x2, "real numeric", "x2")
    if side not in ("left", "right"):
        raise ValueError(f'searchsorted(): side is "left" or "right", got {side!r}')
    if x1.ndim != 1:
        raise ValueError(f"searchsorted(): x1 is a vector, got shape {tuple(x1.shape)}")
    if sorter is not None:
        x1 = take(x1, sorter)
    dtype = promoted(x1.dtype, x2.dtype)
    return ordering.searchsorted(to_dtype(x1, dtype), to_dtype(x2, dtype), side=side)


@standard
def argsort(x: Value, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Value:
    """The places along `axis` of the elements in order, the largest first if `descending`; NaN counts as the largest.

    It is stable whatever `stable` says. Shapes: x numeric [*] -> int64 [*]. Errors: TypeError for bools.
    """
    return ordering.argsort(array("argsort", x, "real numeric"), axis, descending, stable)


@standard
def sort(x: Value, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Value:
    """The elements along `axis` in order, the largest first if `descending`; NaN counts as the largest.

    It is stable whatever `stable` says. Shapes: x numeric [*] -> [*]. Errors: TypeError for bools.
    """
    return ordering.sort(array("sort", x, "real numeric"), axis, descending, stable).values


class UniqueAll(NamedTuple):
    """The result of `unique_all`: different elements, where each is first, where each went, and how many there are."""

    values: Value
    indices: Value
    inverse_indices: Value
    counts: Value


class UniqueCounts(NamedTuple):
    """The result of `unique_counts`: different elements, and how many of each there are."""

    values: Value
    counts: Value


class UniqueInverse(NamedTuple):
    """The result of `unique_inverse`: different elements, and where each of the array went."""

    values: Value
    inverse_indices: Value


def _unique(name: str, x: Value) -> UniqueAll:
    """All that is known of the different elements. Each NaN differs from every other."""
    elements = values_of(name, array(name, x), for_shape=True)
    kept, *places = np.unique(elements, return_index=True, return_inverse=True, return_counts=True, equal_nan=False)
    first, inverse, counts = (tensor_of(each.astype(np.int64), x) for each in places)
    return UniqueAll(tensor_of(kept, x), first, inverse.reshape(tuple(x.shape)), counts)


@standard
def unique_all(x: Value, /) -> UniqueAll:
    """The different elements in order, each NaN one of them; where each is first; where each went; how many there are.

    Shapes: x [*] -> values [n], indices int64 [n], inverse_indices int64 [*], counts int64 [n]. A trace ends here.
    """
    return _unique("unique_all", x)


@standard
def unique_counts(x: Value, /) -> UniqueCounts:
    """The different elements in order, and how many of each there are: values [n], counts int64 [n]."""
    found = _unique("unique_counts", x)
    return UniqueCounts(found.values, found.counts)


@standard
def unique_inverse(x: Value, /) -> UniqueInverse:
    """The different elements in order, and where each of `x` went: values [n], inverse_indices int64 as `x`."""
    found = _unique("unique_inverse", x)
    return UniqueInverse(found.values, found.inverse_indices)


@standard
def unique_values(x: Value, /) -> Value:
    """The different elements in order, each NaN one of them. Shapes: x [*] -> [n]. A trace ends here."""
    return _unique("unique_values", x).values


@standard
def isin(x1: Value, x2: Value, /, *, invert: bool = False) -> Value:
    """Whether each of `x1` is one of `x2`, or with `invert` is none of them; one may be a Python number.

    Shapes: x1 [*], x2 any -> bool [*]. Errors: TypeError for dtypes that the standard does not promote.
    """
    left, right = operands("isin", "integer", x1, x2)
    dtype = next(each.dtype for each in (left, right) if number_kind(each) is None)
    left, right = (creation.as_tensor(each, dtype=dtype) for each in (left, right))
    return ordering.isin(left, right, invert=invert)


def _from_front(indices: Value, size: int) -> Value:
    """Indices counted from the front."""
    indices = to_dtype(indices, dtypes.int64)
    return pointwise.where(pointwise.lt(indices, 0), arithmetic.add(indices, size), indices)


@standard
def take(x: Value, indices: Value, /, *, axis: int | None = None) -> Value:
    """The entries along `axis` that a vector of integers names; of a vector without `axis`.

    Shapes: x [*, n, *], indices [m] -> [*, m, *].
    Errors: ValueError without `axis` for several axes; IndexError out of range.
    """
    array("take", x)
    array("take", indices, "integer", "indices")
    if axis is None and x.ndim != 1:
        raise ValueError(f"take(): which axis is meant must be said of an array with {x.ndim} axes")
    if indices.ndim != 1:
        raise ValueError(f"take(): indices are a vector, got shape {tuple(indices.shape)}")
    place = 0 if axis is None else wrap_axis(axis, x.ndim)
    return indexing.index_select(x, place, _from_front(indices, x.shape[place]))


@standard
def take_along_axis(x: Value, indices: Value, /, *, axis: int = -1) -> Value:
    """One element along `axis` for each place of `indices`, both broadcast elsewhere.

    Shapes: x [*, n, *], indices integers [*, m, *] -> [*, m, *].
    Errors: RuntimeError for another number of axes; IndexError out of range.
    """
    array("take_along_axis", x)
    array("take_along_axis", indices, "integer", "indices")
    place = wrap_axis(axis, x.ndim)
    return scattering.take_along_dim(x, _from_front(indices, x.shape[place] if x.ndim else 1), place)
