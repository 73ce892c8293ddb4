"""Loads and stores at computed places, joining, padding, and the in-place store in its pure form."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.errors import OpError
from ..core.types import TensorType
from . import samples
from . import shape_gradients as d
from .movement import Ints, region
from .narrow_casts import of_number
from .pointwise_gradients import unchanged
from .registry import Array, Indexed, OpDef, Sample, define_op

Scalar = bool | int | float


# cat: operands joined along `axis`.
def _cat_meta(*types: TensorType, axis: int) -> TensorType:
    if not types:
        raise OpError("cat takes at least one operand")
    first = types[0]
    if not 0 <= axis < first.rank:
        raise OpError(f"cat has no axis {axis} in {first}")
    for other in types:
        same = other.dtype is first.dtype and other.rank == first.rank
        if not same or any(a != b for k, (a, b) in enumerate(zip(first.shape, other.shape, strict=True)) if k != axis):
            raise OpError(f"cat along axis {axis} takes operands that agree elsewhere, got {first} and {other}")
    shape = list(first.shape)
    shape[axis] = sum(each.shape[axis] for each in types)
    return first.with_shape(tuple(shape))


CAT = define_op(
    "cat",
    meta=_cat_meta,
    eager=lambda *arrays, axis: np.concatenate(arrays, axis=axis),
    lower=Indexed("cat"),
    samples=lambda: [
        samples.with_attrs((samples.uniform(-1, 1, (2, 3)), samples.uniform(-1, 1, (4, 3), seed=1)), axis=0),
        samples.with_attrs(
            (samples.uniform(-1, 1, (2, 3)), samples.uniform(-1, 1, (2, 0)), samples.uniform(-1, 1, (2, 1))), axis=1
        ),
    ],
    operands=("tensors",),
    variadic=True,
    vjp=(d.cat_rule,),
)


# pad: `value` around the operand, `before[k]` and `after[k]` elements along axis k.
def _pad_meta(x: TensorType, *, before: Ints, after: Ints, value: Scalar) -> TensorType:
    if not len(before) == len(after) == x.rank or min((*before, *after), default=0) < 0:
        raise OpError(f"pad takes non-negative widths for each axis of {x}, got {before} and {after}")
    return x.with_shape(tuple(b + size + a for b, size, a in zip(before, x.shape, after, strict=True)))


def _pad_eager(x: Array, *, before: Ints, after: Ints, value: Scalar) -> Array:
    shape = tuple(b + size + a for b, size, a in zip(before, x.shape, after, strict=True))
    narrow = dtypes.held(x.dtype) in dtypes.NARROW
    result = np.full(shape, of_number(value, x.dtype) if narrow else np.asarray(value).astype(x.dtype))
    result[tuple(slice(b, b + size) for b, size in zip(before, x.shape, strict=True))] = x
    return result


PAD = define_op(
    "pad",
    meta=_pad_meta,
    eager=_pad_eager,
    lower=Indexed("pad"),
    samples=lambda: [
        samples.with_attrs((samples.uniform(-1, 1, (2, 3)),), before=(1, 0), after=(0, 2), value=0.5),
        samples.with_attrs((samples.values(dtypes.int32, (4,)),), before=(2,), after=(1,), value=-1),
    ],
    operands=("self",),
    vjp=(d.pad_rule,),
    grad_name="ConstantPadNd",
)


def _index_dtype(name: str, indices: TensorType) -> None:
    if not indices.dtype.is_integer:
        raise OpError(f"{name} takes integer indices, got {indices}")


# take: whole slices picked along `axis` by an index array of any rank; negative indices count from the end.
def _take_meta(x: TensorType, indices: TensorType, *, axis: int) -> TensorType:
    _index_dtype("take", indices)
    if not 0 <= axis < x.rank:
        raise OpError(f"take has no axis {axis} in {x}")
    return x.with_shape((*x.shape[:axis], *indices.shape, *x.shape[axis + 1 :]))


TAKE = define_op(
    "take",
    meta=_take_meta,
    # The cast is NumPy's own, but for uint64, which np.take refuses before NumPy 2.1.
    eager=lambda x, indices, *, axis: np.take(x, indices.astype(np.intp, copy=False), axis=axis),
    lower=Indexed("take"),
    may_raise=True,
    samples=lambda: [
        samples.with_attrs((samples.uniform(-1, 1, (5, 3)), samples.integers(-5, 5, (4,))), axis=0),
        samples.with_attrs((samples.uniform(-1, 1, (5, 3)), samples.integers(0, 3, (2, 2), dtypes.int32)), axis=1),
    ],
    operands=("self", "index"),
    vjp=(d.take_rule, None),
    grad_name="IndexSelect",
)


# gather: one element picked along `axis` for each place of `indices` (same rank; other axes agree).
def _gather_meta(x: TensorType, indices: TensorType, *, axis: int) -> TensorType:
    _index_dtype("gather", indices)
    agree = x.rank == indices.rank and all(
        a == b for k, (a, b) in enumerate(zip(x.shape, indices.shape, strict=True)) if k != axis
    )
    if not agree or not 0 <= axis < x.rank:
        raise OpError(f"gather along axis {axis} takes indices that agree with {x} elsewhere, got {indices}")
    return x.with_shape(indices.shape)


def _gather_eager(x: Array, indices: Array, *, axis: int) -> Array:
    """`np.take_along_axis`, without what that asks of its operands first."""
    places: list[Array] = []
    for k, size in enumerate(x.shape):
        shape = [1] * x.ndim
        shape[k] = size
        places.append(indices.astype(np.intp) if k == axis else np.arange(size).reshape(shape))
    return x[tuple(places)]  # type: ignore[no-any-return]


GATHER = define_op(
    "gather",
    meta=_gather_meta,
    eager=_gather_eager,
    lower=Indexed("gather"),
    may_raise=True,
    samples=lambda: [
        samples.with_attrs((samples.uniform(-1, 1, (5, 3)), samples.integers(-3, 3, (5, 2))), axis=1),
        samples.with_attrs((samples.uniform(-1, 1, (5, 3)), samples.integers(0, 5, (2, 3))), axis=0),
    ],
    operands=("self", "index"),
    vjp=(d.gather_rule, None),
)


# What is scattered: a value for each index of `indices`, sent to the slice of `base` along `axis` that it names.
def _scatter_meta(name: str) -> Callable[..., TensorType]:
    def meta(base: TensorType, indices: TensorType, values: TensorType, *, axis: int, combine: str = "") -> TensorType:
        _index_dtype(name, indices)
        if not 0 <= axis < base.rank or values.dtype is not base.dtype:
            raise OpError(
                f"{name} takes values of the base's dtype and one of its axes, got {base}, {values}, axis {axis}"
            )
        if values.shape != (*base.shape[:axis], *indices.shape, *base.shape[axis + 1 :]) or indices.rank != 1:
            raise OpError(f"{name} takes one index for each slice of the values, got {base}, {indices}, {values}")
        if combine not in ("", *_COMBINING):
            raise OpError(f"{name} combines by one of {', '.join(_COMBINING)}, not by {combine!r}")
        return base

    return meta


_COMBINING = {"prod": np.multiply, "max": np.maximum, "min": np.minimum}


def _scatter_samples(**attrs: str) -> Iterable[Sample]:
    yield samples.with_attrs(
        (samples.uniform(-1, 1, (5, 3)), samples.integers(-5, 5, (7,)), samples.uniform(-1, 1, (7, 3), seed=2)),
        axis=0,
        **attrs,
    )
    yield samples.with_attrs(
        (samples.uniform(-1, 1, (2, 3)), samples.integers(0, 3, (4,)), samples.uniform(-1, 1, (2, 4), seed=2)),
        axis=1,
        **attrs,
    )
    yield samples.with_attrs(
        (samples.values(dtypes.int32, (4,)), samples.integers(0, 4, (9,)), samples.values(dtypes.int32, (9,))),
        axis=0,
        **attrs,
    )


def _scattering(
    name: str,
    send: Callable[..., None],
    samples: Callable[[], Iterable[Sample]] = _scatter_samples,
    **more: Any,
) -> OpDef:
    """An op that scatters. `send` changes an array, whose first axis the indices are of, by them and by the values."""

    def eager(base: Array, indices: Array, values: Array, *, axis: int, **attrs: str) -> Array:
        result = np.array(np.moveaxis(base, axis, 0), order="C", copy=True)
        send(result, indices.astype(np.int64), np.moveaxis(values, axis, 0), **attrs)
        return np.ascontiguousarray(np.moveaxis(result, 0, axis))

    return define_op(
        name,
        meta=_scatter_meta(name),
        eager=eager,
        lower=Indexed("scatter"),
        may_raise=True,
        samples=samples,
        operands=("self", "index", "source"),
        **more,
    )


def _send_sums(result: Array, places: Array, rows: Array) -> None:
    extent, width = len(result), result[:1].size
    if width < 2 or not places.size or places.min() < -extent or places.max() >= extent:
        np.add.at(result, places, rows)  # raises for an index out of range
    else:
        # NumPy adds at single elements several times faster than at rows; each element's sum keeps its order.
        flat = np.where(places < 0, places + extent, places)[:, None] * width + np.arange(width)
        np.add.at(result.reshape(-1), flat.reshape(-1), rows.reshape(-1))


SCATTER_ADD = _scattering("scatter_add", _send_sums, vjp=(unchanged, None, d.added_rule), grad_name="IndexAdd")
"""`base` with `values[i]` added to slice `indices[i]` of axis `axis`, repeats added in order."""
SCATTER = _scattering(
    "scatter",
    lambda result, places, rows: result.__setitem__(places, rows),
    exact=True,
    vjp=(d.scattered_over_rule, None, d.scattered_rule),
    grad_name="IndexPut",
)
"""`base` with slice `indices[i]` of axis `axis` replaced by `values[i]`; of repeats, the last stays."""
SCATTER_REDUCE = _scattering(
    "scatter_reduce",
    lambda result, places, rows, *, combine: _COMBINING[combine].at(result, places, rows),
    lambda: [each for combine in _COMBINING for each in _scatter_samples(combine=combine)],
)
"""`base` with slice `indices[i]` of axis `axis` combined with `values[i]` by `combine`, repeats in order."""


# slice_store: `base` with the region replaced by `value`; what `base[region] = value` makes of the memory.
def _store_meta(base: TensorType, value: TensorType, *, starts: Ints, sizes: Ints, steps: Ints) -> TensorType:
    from .movement import SLICE

    if SLICE.meta(base, starts=starts, sizes=sizes, steps=steps) != value:
        raise OpError(f"slice_store into a region of shape {sizes} of {base} takes a value of that type, got {value}")
    return base


def _store_eager(base: Array, value: Array, *, starts: Ints, sizes: Ints, steps: Ints) -> Array:
    result = base.copy()
    result[region(starts, sizes, steps)] = value
    return result


def _store_samples() -> Iterable[Sample]:
    for shape, starts, sizes, steps in (
        ((5, 6), (1, 0), (3, 6), (1, 1)),
        ((5, 6), (0, 0), (5, 6), (1, 1)),
        ((5, 6), (4, 1), (2, 2), (-3, 3)),
        ((4,), (0,), (0,), (1,)),
        ((), (), (), ()),
    ):
        operands = (samples.uniform(-1, 1, shape), samples.uniform(-1, 1, sizes, seed=1))
        yield samples.with_attrs(operands, starts=starts, sizes=sizes, steps=steps)


SLICE_STORE = define_op(
    "slice_store",
    meta=_store_meta,
    eager=_store_eager,
    lower=Indexed("slice_store"),
    samples=_store_samples,
    operands=("self", "src"),
    vjp=(d.stored_over_rule, d.stored_rule),
    grad_name="SliceScatter",
)
