"""Sliding windows as ops: what they hold (`patches`), added up where they overlap (`fold`), each summed (`window_sum`).

See `window_places` for which element is where.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.dtypes import DType
from ..core.errors import OpError
from ..core.types import TensorType
from . import samples
from .emitter import Emitter
from .registry import WINDOW_KERNEL, Array, Composite, Sample, define_op
from .shape_gradients import Ints, Shapes
from .window_places import (
    ends,
    fold_into,
    folded,
    padded,
    padded_array,
    reduce_windows,
    window_view,
    windows_of,
)

Value = Any


# -- patches: the windows themselves -----------------------------------------------------------------------------------
def _spatial(name: str, x: TensorType, rank: int, *lengths: Ints) -> None:
    if x.rank != rank or not x.dtype.is_float or len({len(each) for each in lengths}) != 1:
        raise OpError(f"{name} takes floats [N, C, *S] and an entry of each attribute for each axis of S, got {x}")


def _patches_meta(x: TensorType, *, kernel: Ints, stride: Ints, padding: Ints, dilation: Ints, out: Ints) -> TensorType:
    _spatial("patches", x, len(kernel) + 2, kernel, stride, padding, dilation, out)
    return x.with_shape((*x.shape[:2], *kernel, *out))


def _patches_eager(x: Array, *, kernel: Ints, stride: Ints, padding: Ints, dilation: Ints, out: Ints) -> Array:
    wide = padded_array(x, padding, ends(out, kernel, stride, dilation))
    return np.ascontiguousarray(windows_of(wide, kernel, stride, dilation, out))


def _patches(f: Emitter, x: Value, *, kernel: Ints, stride: Ints, padding: Ints, dilation: Ints, out: Ints) -> Value:
    wide = padded(f, x, padding, ends(out, kernel, stride, dilation))
    return window_view(f, wide, kernel, stride, dilation, out)


def _patches_rule(f: Emitter, g: Value, shapes: Shapes, *, stride: Ints, padding: Ints, dilation: Ints) -> Value:
    return f.fold(g, stride=stride, padding=padding, dilation=dilation, size=tuple(shapes[0][2:]))


SHAPES: tuple[tuple[Ints, dict[str, Ints]], ...] = (
    ((2, 3, 7), {"kernel": (3,), "stride": (1,), "padding": (0,), "dilation": (1,), "out": (5,)}),
    ((1, 2, 6), {"kernel": (2,), "stride": (2,), "padding": (0,), "dilation": (1,), "out": (3,)}),
    ((2, 1, 7), {"kernel": (2,), "stride": (3,), "padding": (1,), "dilation": (2,), "out": (3,)}),
    ((2, 2, 5, 4), {"kernel": (2, 2), "stride": (2, 2), "padding": (0, 0), "dilation": (1, 1), "out": (2, 2)}),
    ((1, 2, 5, 6), {"kernel": (3, 2), "stride": (2, 1), "padding": (1, 0), "dilation": (1, 2), "out": (3, 4)}),
    ((2, 1, 5, 5), {"kernel": (3, 3), "stride": (2, 3), "padding": (1, 1), "dilation": (1, 1), "out": (3, 2)}),
    (
        (1, 1, 3, 4, 3),
        {"kernel": (2, 2, 2), "stride": (1, 2, 1), "padding": (0, 0, 1), "dilation": (1, 1, 1), "out": (2, 2, 4)},
    ),
    ((0, 2, 4), {"kernel": (2,), "stride": (1,), "padding": (0,), "dilation": (1,), "out": (3,)}),
)
"""Shapes and attributes of windows for the samples of ops."""


def sampled(*left_out: str) -> Iterator[tuple[DType, Ints, dict[str, Ints]]]:
    """Dtypes, shapes and attributes, without those that are not attributes of the op."""
    for dtype in dtypes.FLOATS:
        for shape, attrs in SHAPES:
            yield dtype, shape, {name: each for name, each in attrs.items() if name not in left_out}


def _patches_samples() -> Iterable[Sample]:
    for dtype, shape, attrs in sampled():
        yield samples.with_attrs((samples.values(dtype, shape),), **attrs)


PATCHES = define_op(
    "patches",
    meta=_patches_meta,
    eager=_patches_eager,
    lower=Composite(_patches),
    operands=("input",),
    vjp=(_patches_rule,),
    grad_name="Im2Col",
    samples=_patches_samples,
)


# -- fold: windows [N, C, *kernel, *out] added up to [N, C, *size] -----------------------------------------------------
def _fold_meta(x: TensorType, *, stride: Ints, padding: Ints, dilation: Ints, size: Ints) -> TensorType:
    _spatial("fold", x, 2 * len(size) + 2, stride, padding, dilation, size)
    return x.with_shape((*x.shape[:2], *size))


def _fold_eager(x: Array, *, stride: Ints, padding: Ints, dilation: Ints, size: Ints) -> Array:
    kernel = x.shape[2 : 2 + len(size)]
    result = np.zeros((*x.shape[:2], *size), x.dtype)
    fold_into(result, x, kernel, stride, padding, dilation)
    return result


def _fold_rule(
    f: Emitter, g: Value, shapes: Shapes, *, stride: Ints, padding: Ints, dilation: Ints, size: Ints
) -> Value:
    rank = len(size)
    kernel, out = tuple(shapes[0][2 : 2 + rank]), tuple(shapes[0][2 + rank :])
    return f.patches(g, kernel=kernel, stride=stride, padding=padding, dilation=dilation, out=out)


def _fold_samples() -> Iterable[Sample]:
    for dtype, shape, attrs in sampled():
        given = {name: attrs[name] for name in ("stride", "padding", "dilation")}
        windows = samples.values(dtype, (*shape[:2], *attrs["kernel"], *attrs["out"]))
        yield samples.with_attrs((windows,), **given, size=shape[2:])


FOLD = define_op(
    "fold",
    meta=_fold_meta,
    eager=_fold_eager,
    lower=Composite(folded),
    exact=False,
    operands=("input",),
    vjp=(_fold_rule,),
    grad_name="Col2Im",
    samples=_fold_samples,
)


# -- window_sum: each window added up ----------------------------------------------------------------------------------
def _sum_meta(x: TensorType, *, kernel: Ints, stride: Ints, padding: Ints, dilation: Ints, out: Ints) -> TensorType:
    _spatial("window_sum", x, len(kernel) + 2, kernel, stride, padding, dilation, out)
    return x.with_shape((*x.shape[:2], *out))


def _sum_eager(x: Array, *, kernel: Ints, stride: Ints, padding: Ints, dilation: Ints, out: Ints) -> Array:
    if not any(padding) and all(o == 1 for o in out) and ends(out, kernel, stride, dilation) == x.shape[2:]:
        axes = tuple(range(2, x.ndim))
        if max(dilation, default=1) == 1:
            return np.add.reduce(x, axis=axes, keepdims=True)
    wide = padded_array(x, padding, ends(out, kernel, stride, dilation))
    rank = len(kernel)
    for k in range(rank):  # axis by axis
        axis = 2 + k
        pick = (slice(None),) * axis
        total = None
        for at in range(kernel[k]):
            begin = at * dilation[k]
            part = wide[(*pick, slice(begin, begin + (out[k] - 1) * stride[k] + 1 if out[k] else begin, stride[k]))]
            if total is None:
                total = np.array(part, order="C")
            else:
                total += part
        wide = total if total is not None else wide
    return wide


def _sum(f: Emitter, x: Value, *, kernel: Ints, stride: Ints, padding: Ints, dilation: Ints, out: Ints) -> Value:
    wide = padded(f, x, padding, ends(out, kernel, stride, dilation))
    return reduce_windows(f, wide, kernel, stride, dilation, out, f.add, "sum")


def _sum_rule(
    f: Emitter, g: Value, input: Value, *, kernel: Ints, stride: Ints, padding: Ints, dilation: Ints, out: Ints
) -> Value:
    ones = f.reshape(g, shape=(*f.shape(g)[:2], *(1 for _ in kernel), *out))
    wide = f.expand(ones, shape=(*f.shape(g)[:2], *kernel, *out))
    size = tuple(f.shape(input)[2:])
    found = f.fold(wide, stride=stride, padding=padding, dilation=dilation, size=size)
    return f.with_history(found, input)  # as PyTorch's has


WINDOW_SUM = define_op(
    "window_sum",
    meta=_sum_meta,
    eager=_sum_eager,
    lower=Composite(_sum),
    exact=False,
    operands=("input",),
    vjp=(_sum_rule,),
    grad_name="AvgPool",
    samples=_patches_samples,
    kernel_from=WINDOW_KERNEL,
)


# remembered: the operand itself, whose cotangent is a function of it, if one that never changes: as those of the layers
# are in PyTorch that save their input for no more than its sizes.
REMEMBERED = define_op(
    "remembered",
    meta=lambda x: x,
    eager=lambda x: x,
    lower=Composite(lambda f, x: x),
    operands=("self",),
    vjp=(lambda f, g, self: f.with_history(g, self),),
    grad_name="Clone",
    samples=lambda: [Sample((samples.values(dtype, (2, 3)),)) for dtype in dtypes.FLOATS],
)
