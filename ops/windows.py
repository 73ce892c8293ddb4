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
    WindowGrid,
    fold_into,
    folded,
    over_windows,
    padded,
    padded_array,
    reduce_arrays,
    reduce_windows,
    window_view,
    windows_of,
)

Value = Any


# -- patches: the windows themselves -----------------------------------------------------------------------------------
def check_windows(name: str, x: TensorType, windows: WindowGrid) -> None:
    """Errors: OpError for what does not have an axis for each of the windows' behind two more, or is no float."""
    if not windows.have_axes(x.rank - 2) or not x.dtype.is_float:
        raise _refused(name, x)


def _refused(name: str, x: TensorType) -> OpError:
    return OpError(f"{name} takes floats [N, C, *S] and an entry of each attribute for each axis of S, got {x}")


@over_windows
def _patches_meta(x: TensorType, windows: WindowGrid) -> TensorType:
    check_windows("patches", x, windows)
    return x.with_shape((*x.shape[:2], *windows.kernel, *windows.out))


@over_windows
def _patches_eager(x: Array, windows: WindowGrid) -> Array:
    return np.ascontiguousarray(windows_of(padded_array(x, windows), windows))


@over_windows
def _patches(f: Emitter, x: Value, windows: WindowGrid) -> Value:
    return window_view(f, padded(f, x, windows), windows)


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
    rank = len(size)
    if x.rank != 2 * rank + 2 or not x.dtype.is_float or any(len(each) != rank for each in (stride, padding, dilation)):
        raise _refused("fold", x)
    return x.with_shape((*x.shape[:2], *size))


def _windows_in(shape: Ints, size: Ints, steps: dict[str, Ints]) -> WindowGrid:
    """The windows that an operand [N, C, *kernel, *out] of this shape holds."""
    split = 2 + len(size)
    return WindowGrid(kernel=shape[2:split], out=shape[split:], **steps)


def _fold_eager(x: Array, *, size: Ints, **steps: Ints) -> Array:
    result = np.zeros((*x.shape[:2], *size), x.dtype)
    fold_into(result, x, _windows_in(x.shape, size, steps))
    return result


def _fold(f: Emitter, x: Value, *, size: Ints, **steps: Ints) -> Value:
    return folded(f, x, _windows_in(tuple(f.shape(x)), size, steps), size)


def _fold_rule(f: Emitter, g: Value, shapes: Shapes, *, size: Ints, **steps: Ints) -> Value:
    windows = _windows_in(tuple(shapes[0]), size, steps)
    return f.patches(g, kernel=windows.kernel, out=windows.out, **steps)


def _fold_samples() -> Iterable[Sample]:
    for dtype, shape, attrs in sampled():
        given = {name: attrs[name] for name in ("stride", "padding", "dilation")}
        windows = samples.values(dtype, (*shape[:2], *attrs["kernel"], *attrs["out"]))
        yield samples.with_attrs((windows,), **given, size=shape[2:])


FOLD = define_op(
    "fold",
    meta=_fold_meta,
    eager=_fold_eager,
    lower=Composite(_fold),
    exact=False,
    operands=("input",),
    vjp=(_fold_rule,),
    grad_name="Col2Im",
    samples=_fold_samples,
)


# -- window_sum: each window added up ----------------------------------------------------------------------------------
@over_windows
def _sum_meta(x: TensorType, windows: WindowGrid) -> TensorType:
    check_windows("window_sum", x, windows)
    return x.with_shape((*x.shape[:2], *windows.out))


@over_windows
def _sum_eager(x: Array, windows: WindowGrid) -> Array:
    if _is_one_window(x, windows):
        return np.add.reduce(x, axis=tuple(range(2, x.ndim)), keepdims=True)
    return reduce_arrays(padded_array(x, windows), windows, np.add)


def _is_one_window(x: Array, windows: WindowGrid) -> bool:
    """Whether there is a single window, which is the whole of the spatial axes."""
    alone = not any(windows.padding) and all(o == 1 for o in windows.out) and max(windows.dilation, default=1) == 1
    return alone and windows.reach == x.shape[2:]


@over_windows
def _sum(f: Emitter, x: Value, windows: WindowGrid) -> Value:
    return reduce_windows(f, padded(f, x, windows), windows, f.add, "sum")


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
