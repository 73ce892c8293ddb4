"""Reductions over the axes in `axes` (sorted, non-negative); kept axes keep their order.

The surfaces add what users mean by `keepdims`, `ddof`, `dtype` and negative axes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from ..core import dtypes
from ..core.dtypes import DType
from ..core.errors import OpError
from ..core.types import TensorType
from . import samples
from . import shape_gradients as d
from .registry import Array, OpDef, Reduction, Rule, Sample, define_op

Axes = tuple[int, ...]


def _kept(x: TensorType, axes: Axes, name: str) -> tuple[int, ...]:
    if list(axes) != sorted(set(axes)) or any(not 0 <= axis < x.rank for axis in axes):
        raise OpError(f"{name} takes distinct ascending axes of {x}, got {axes}")
    return tuple(size for axis, size in enumerate(x.shape) if axis not in axes)


def _samples(accepted: tuple[DType, ...], empty: bool) -> Iterable[Sample]:
    for dtype in accepted:
        for axes in ((0,), (1,), (0, 1), ()):
            yield samples.with_attrs((samples.values(dtype, (5, 7)),), axes=axes)
    first = accepted[-1]
    yield samples.with_attrs((samples.values(first, (2, 3, 4)),), axes=(0, 2))
    yield samples.with_attrs((samples.values(first, (2, 3, 4)),), axes=(1,))
    yield samples.with_attrs((samples.values(first, (3, 1000)),), axes=(1,))
    yield samples.with_attrs((samples.values(first, (1000, 3)),), axes=(0,))
    if empty:
        yield samples.with_attrs((samples.values(first, (0, 3)),), axes=(0,))
    for dtype in accepted:
        if dtype.is_float:
            yield samples.with_attrs((samples.special_floats(dtype)[:4],), axes=(0,))
            yield samples.with_attrs((np.array([1.0, np.nan, 2.0], dtype.numpy),), axes=(0,))


def _reduction(
    name: str,
    combine: np.ufunc,
    accepted: tuple[DType, ...],
    *,
    empty: bool,
    exact: bool,
    rule: Rule | None = None,
    grad_name: str = "",
) -> OpDef:
    """A reduction whose result has the operand's dtype; `empty` says whether it is defined over no elements."""

    def meta(x: TensorType, *, axes: Axes) -> TensorType:
        kept = _kept(x, axes, name)
        if x.dtype not in accepted:
            raise OpError(f"{name} does not take {x.dtype}; it takes {', '.join(map(str, accepted))}")
        if not empty and any(x.shape[axis] == 0 for axis in axes):
            raise OpError(f"{name} over an axis of size 0 has no value, in {x}")
        return x.with_shape(kept)

    reduction = combine.reduce

    def same_dtype(x: Array, *, axes: Axes) -> Array:
        result = reduction(x, axis=axes, dtype=x.dtype)
        return result if isinstance(result, np.ndarray) else np.asarray(result)

    return define_op(
        name,
        meta=meta,
        eager=same_dtype,
        lower=Reduction(name),
        samples=lambda: _samples(accepted, empty),
        exact=exact,
        operands=("self",),
        vjp=(rule,),
        grad_name=grad_name,
    )


NUMBERS = dtypes.INTEGERS + dtypes.FLOATS
SUM = _reduction("sum", np.add, NUMBERS, empty=True, exact=False, rule=d.sum_rule)
PROD = _reduction("prod", np.multiply, NUMBERS, empty=True, exact=False, rule=d.product_rule)
MAX = _reduction("max", np.maximum, dtypes.ALL, empty=False, exact=True, rule=d.extreme_rule, grad_name="Amax")
MIN = _reduction("min", np.minimum, dtypes.ALL, empty=False, exact=True, rule=d.extreme_rule, grad_name="Amin")
ANY = _reduction("any", np.logical_or, (dtypes.bool_,), empty=True, exact=True)
ALL = _reduction("all", np.logical_and, (dtypes.bool_,), empty=True, exact=True)


def _argument(name: str, eager: Callable[..., Array]) -> OpDef:
    """The int64 index of the extreme along the one axis in `axes`; the first wins, a NaN wins over all."""

    def meta(x: TensorType, *, axes: Axes) -> TensorType:
        kept = _kept(x, axes, name)
        if len(axes) != 1 or x.shape[axes[0]] == 0:
            raise OpError(f"{name} takes one axis that is not empty, got axes {axes} of {x}")
        return TensorType(kept, dtypes.int64, x.device)

    def along(x: Array, *, axes: Axes) -> Array:
        return np.asarray(eager(x, axis=axes[0]))

    def sample() -> Iterable[Sample]:
        for dtype in dtypes.ALL:
            yield samples.with_attrs((samples.values(dtype, (5, 7)),), axes=(0,))
            yield samples.with_attrs((samples.values(dtype, (5, 7)),), axes=(1,))
        yield samples.with_attrs((np.array([1.0, np.nan, 3.0, np.nan]),), axes=(0,))

    return define_op(name, meta=meta, eager=along, lower=Reduction(name), samples=sample, operands=("self",))


ARGMAX = _argument("argmax", np.argmax)
ARGMIN = _argument("argmin", np.argmin)
