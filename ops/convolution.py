"""Convolution and its two adjoints: one sum of products of three arrays, of which each op gives the cotangent of one.

The sum is ``cotangent * (windows of input) * weight``; so every derivative, of any order, is one of the three again.
Shapes: input [N, C, *S], weight [O, C / groups, *K], cotangent and result of the convolution [N, O, *out].
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from ..core import dtypes
from ..core.errors import OpError
from ..core.types import TensorType
from . import samples
from .convolution_arrays import convolution_array, counts, input_array, is_depthwise, is_pointwise, weight_array
from .emitter import Emitter
from .registry import KERNEL, Composite, Sample, define_op
from .shape_gradients import Ints, Shapes
from .window_places import along, ends, folded, offsets, padded, spread_out, window_view

Value = Any


def _check(name: str, first: TensorType, second: TensorType, rank: int, lengths: tuple[Ints, ...]) -> None:
    fits = first.dtype is second.dtype and first.dtype.is_float and first.rank == second.rank == rank + 2
    if not fits or any(len(each) != rank for each in lengths):
        raise OpError(f"{name} takes floats [N, C, *S] of one dtype with {rank} axes S, got {first} and {second}")


def _check_bias(name: str, bias: TensorType | None, weight: TensorType, channels: int) -> None:
    if bias is not None and bias != weight.with_shape((channels,)):
        raise OpError(f"{name} takes a bias of {weight.with_shape((channels,))}, got {bias}")


# -- through an emitter ------------------------------------------------------------------------------------------------
def _with_bias(f: Emitter, result: Value, bias: Value | None) -> Value:
    if bias is None:
        return result
    shape = f.shape(result)
    return f.add(result, f.reshape(bias, shape=(1, shape[1], *(1 for _ in shape[2:]))))


def _entry(f: Emitter, weight: Value, at: Ints) -> Value:
    """[1, O, 1, ...]: one entry of the windows of a weight [O, 1, *K]."""
    shape = f.shape(weight)
    picked = f.slice(weight, starts=(0, 0, *at), sizes=(shape[0], 1, *(1 for _ in at)), steps=(1,) * len(shape))
    return f.reshape(picked, shape=(1, shape[0], *(1 for _ in at)))


def _repeated(f: Emitter, x: Value, times: int) -> Value:
    """[N, C * times, *S]: each channel of [N, C, *S] that often, one after the other."""
    if times == 1:
        return x
    shape = f.shape(x)
    ones = f.reshape(x, shape=(*shape[:2], 1, *shape[2:]))
    wide = f.expand(ones, shape=(*shape[:2], times, *shape[2:]))
    return f.reshape(wide, shape=(shape[0], shape[1] * times, *shape[2:]))


def _entries(f: Emitter, wide: Value, at: Ints, stride: Ints, dilation: Ints, out: Ints) -> Value:
    for k, (place, s, d, count) in enumerate(zip(at, stride, dilation, out, strict=True)):
        wide = along(f, wide, 2 + k, place * d, count, s)
    return wide


def _columns(
    f: Emitter, x: Value, kernel: Ints, stride: Ints, padding: Ints, dilation: Ints, out: Ints, groups: int
) -> Value:
    """[N, C, *K, *out], or [N, groups, C / groups, *K, *out] where there are several groups."""
    wide = padded(f, x, padding, ends(out, kernel, stride, dilation))
    windows = window_view(f, wide, kernel, stride, dilation, out)
    shape = f.shape(windows)
    return windows if groups == 1 else f.reshape(windows, shape=(shape[0], groups, shape[1] // groups, *shape[2:]))


def _convolution(
    f: Emitter,
    x: Value,
    weight: Value,
    bias: Value | None = None,
    *,
    stride: Ints,
    padding: Ints,
    dilation: Ints,
    groups: int,
) -> Value:
    shape, (height, channels, *kernel_) = f.shape(x), f.shape(weight)
    kernel = tuple(kernel_)
    out = counts(tuple(shape[2:]), kernel, stride, padding, dilation)
    if not channels or 0 in shape or 0 in out or not height:
        result = f.full(value=0.0, shape=(shape[0], height, *out), dtype=f.dtype(x))
        return _with_bias(f, result, bias)
    if is_depthwise(channels, groups, kernel):
        wide = _repeated(f, padded(f, x, padding, ends(out, kernel, stride, dilation)), height // groups)
        result = None
        for at in offsets(kernel):
            product = f.multiply(_entries(f, wide, at, stride, dilation, out), _entry(f, weight, at))
            result = product if result is None else f.add(result, product)
        return _with_bias(f, result, bias)
    rows, width = channels * math.prod(kernel), math.prod(out)
    lead = (shape[0],) if groups == 1 else (shape[0], groups)
    if is_pointwise(kernel, stride, padding):
        right = f.reshape(x, shape=(*lead, channels, width))
    else:
        right = _columns(f, x, kernel, stride, padding, dilation, out, groups)
        right = f.reshape(right, shape=(*lead, rows, width))
    left = f.reshape(weight, shape=(*lead[1:], height // groups, rows))
    left = f.expand(left, shape=(*lead, height // groups, rows))
    result = f.reshape(f.matmul(left, right), shape=(shape[0], height, *out))
    return _with_bias(f, result, bias)


def _turned_weight(f: Emitter, weight: Value, groups: int) -> Value:
    """[C, O / groups, *K]: a weight [O, C / groups, *K] with its windows back to front and its channels exchanged."""
    height, channels, *kernel = f.shape(weight)
    rank = len(kernel)
    back = f.slice(
        weight,
        starts=(0, 0, *(k - 1 for k in kernel)),
        sizes=(height, channels, *kernel),
        steps=(1, 1, *(-1 for _ in kernel)),
    )
    apart = f.reshape(back, shape=(groups, height // groups, channels, *kernel))
    turned = f.permute(apart, axes=(0, 2, 1, *range(3, 3 + rank)))
    return f.reshape(turned, shape=(groups * channels, height // groups, *kernel))


def _input(
    f: Emitter,
    g: Value,
    weight: Value,
    bias: Value | None = None,
    *,
    stride: Ints,
    padding: Ints,
    dilation: Ints,
    groups: int,
    size: Ints,
) -> Value:
    """The cotangent is convolved with the weight turned round; or, with strides, made columns that are added up."""
    shape, (height, channels, *kernel_) = f.shape(g), f.shape(weight)
    kernel, rank = tuple(kernel_), len(size)
    if 0 in shape or 0 in size or not channels or not height:
        result = f.full(value=0.0, shape=(shape[0], channels * groups, *size), dtype=f.dtype(g))
        return _with_bias(f, result, bias)
    ones = (1,) * rank
    if is_depthwise(channels, groups, kernel) and height == groups or stride == ones:
        for k, (s, p, d, width, extent) in enumerate(zip(stride, padding, dilation, kernel, size, strict=True)):
            # Window o has its last entry, which is now the first, at o * s + (width - 1) * d - p.
            reach = (width - 1) * d
            g = spread_out(f, g, 2 + k, s, reach - p, extent + reach)
        turned = _turned_weight(f, weight, groups)
        none = (0,) * rank
        return _convolution(f, g, turned, bias, stride=ones, padding=none, dilation=dilation, groups=groups)
    rows, width = channels * math.prod(kernel), math.prod(shape[2:])
    lead = (shape[0],) if groups == 1 else (shape[0], groups)
    left = f.reshape(weight, shape=(*lead[1:], height // groups, rows))
    left = f.permute(left, axes=(0, 2, 1) if groups > 1 else (1, 0))
    left = f.expand(left, shape=(*lead, rows, height // groups))
    made = f.matmul(left, f.reshape(g, shape=(*lead, height // groups, width)))
    made = f.reshape(made, shape=(shape[0], groups * channels, *kernel, *shape[2:]))
    result = folded(f, made, stride=stride, padding=padding, dilation=dilation, size=size)
    return _with_bias(f, result, bias)


def _weight(
    f: Emitter, g: Value, x: Value, *, stride: Ints, padding: Ints, dilation: Ints, groups: int, size: Ints
) -> Value:
    (images, height, *out_), (_, all_channels, *_) = f.shape(g), f.shape(x)
    out, channels = tuple(out_), all_channels // groups
    if 0 in f.shape(g) or 0 in f.shape(x) or not channels:
        return f.full(value=0.0, shape=(height, channels, *size), dtype=f.dtype(g))
    rank, each = len(size), height // groups
    if is_depthwise(channels, groups, size):
        wide = _repeated(f, padded(f, x, padding, ends(out, size, stride, dilation)), each)
        axes = (0, *range(2, 2 + rank))
        sums = []
        for at in offsets(size):
            found = f.sum(f.multiply(_entries(f, wide, at, stride, dilation, out), g), axes=axes)
            sums.append(f.reshape(found, shape=(height, 1)))
        return f.reshape(f.cat(*sums, axis=1), shape=(height, 1, *size))
    rows, width = channels * math.prod(size), math.prod(out)
    if is_pointwise(size, stride, padding):
        windows = f.reshape(x, shape=(images, groups, channels, *out))
    else:
        windows = _columns(f, x, size, stride, padding, dilation, out, groups)
        windows = f.reshape(windows, shape=(images, groups, channels, *size, *out))
    inner = len(f.shape(windows)) - 3 - rank
    # [groups, C, *K, N, *out] times [groups, N, *out, O], so that the longer side is that of the rows.
    left = f.permute(windows, axes=(1, *range(2, 3 + inner), 0, *range(3 + inner, 3 + inner + rank)))
    left = f.reshape(left, shape=(groups, rows, images * width))
    apart = f.reshape(g, shape=(images, groups, each, width))
    right = f.reshape(f.permute(apart, axes=(1, 0, 3, 2)), shape=(groups, images * width, each))
    product = f.permute(f.matmul(left, right), axes=(0, 2, 1))
    return f.reshape(product, shape=(height, channels, *size))


# -- the ops -----------------------------------------------------------------------------------------------------------
def _convolution_meta(
    x: TensorType,
    weight: TensorType,
    bias: TensorType | None = None,
    *,
    stride: Ints,
    padding: Ints,
    dilation: Ints,
    groups: int,
) -> TensorType:
    _check("convolution", x, weight, len(stride), (stride, padding, dilation))
    if x.shape[1] != weight.shape[1] * groups or weight.shape[0] % groups:
        raise OpError(f"convolution takes {groups} groups of channels in {x} and {weight}")
    _check_bias("convolution", bias, weight, weight.shape[0])
    out = counts(x.shape[2:], weight.shape[2:], stride, padding, dilation)
    if any(each < 0 for each in out):
        raise OpError(f"convolution of {x} with {weight}: the windows are larger than the padded input")
    return x.with_shape((x.shape[0], weight.shape[0], *out))


def _input_meta(
    g: TensorType,
    weight: TensorType,
    bias: TensorType | None = None,
    *,
    stride: Ints,
    padding: Ints,
    dilation: Ints,
    groups: int,
    size: Ints,
) -> TensorType:
    _check("convolution_input", g, weight, len(stride), (stride, padding, dilation, size))
    if g.shape[1] != weight.shape[0] or weight.shape[0] % groups:
        raise OpError(f"convolution_input takes {groups} groups of channels in {g} and {weight}")
    _check_bias("convolution_input", bias, weight, weight.shape[1] * groups)
    return g.with_shape((g.shape[0], weight.shape[1] * groups, *size))


def _weight_meta(
    g: TensorType, x: TensorType, *, stride: Ints, padding: Ints, dilation: Ints, groups: int, size: Ints
) -> TensorType:
    _check("convolution_weight", g, x, len(stride), (stride, padding, dilation, size))
    if g.shape[0] != x.shape[0] or x.shape[1] % groups or g.shape[1] % groups:
        raise OpError(f"convolution_weight takes {groups} groups of channels in {g} and {x}")
    return g.with_shape((g.shape[1], x.shape[1] // groups, *size))


def _cut(f: Emitter, x: Value, out: Ints) -> Value:
    """The windows that a cotangent of a transposed convolution has: with a wide output padding, there would be more."""
    for k, count in enumerate(out):
        x = along(f, x, 2 + k, 0, count)
    return x


def _input_rule(
    f: Emitter, g: Value, weight: Value, shapes: Shapes, *, stride: Ints, padding: Ints, dilation: Ints, groups: int
) -> Value:
    size = tuple(shapes[0][2:])
    return f.convolution_input(g, weight, stride=stride, padding=padding, dilation=dilation, groups=groups, size=size)


def _weight_rule(
    f: Emitter, g: Value, input: Value, shapes: Shapes, *, stride: Ints, padding: Ints, dilation: Ints, groups: int
) -> Value:
    size = tuple(shapes[1][2:])
    return f.convolution_weight(g, input, stride=stride, padding=padding, dilation=dilation, groups=groups, size=size)


def _bias_rule(f: Emitter, g: Value) -> Value:
    return f.sum(g, axes=(0, *range(2, len(f.shape(g)))))


def _spread_rule(
    f: Emitter, g: Value, weight: Value, shapes: Shapes, *, stride: Ints, padding: Ints, dilation: Ints, groups: int
) -> Value:
    found = f.convolution(g, weight, stride=stride, padding=padding, dilation=dilation, groups=groups)
    return _cut(f, found, tuple(shapes[0][2:]))


def _spread_weight_rule(
    f: Emitter, g: Value, input: Value, shapes: Shapes, *, stride: Ints, padding: Ints, dilation: Ints, groups: int
) -> Value:
    size = tuple(shapes[1][2:])
    return f.convolution_weight(input, g, stride=stride, padding=padding, dilation=dilation, groups=groups, size=size)


def _summed_rule(
    f: Emitter, g: Value, other: Value, shapes: Shapes, *, stride: Ints, padding: Ints, dilation: Ints, groups: int
) -> Value:
    found = f.convolution(other, g, stride=stride, padding=padding, dilation=dilation, groups=groups)
    return _cut(f, found, tuple(shapes[0][2:]))


def _summed_input_rule(
    f: Emitter, g: Value, self: Value, shapes: Shapes, *, stride: Ints, padding: Ints, dilation: Ints, groups: int
) -> Value:
    size = tuple(shapes[1][2:])
    return f.convolution_input(self, g, stride=stride, padding=padding, dilation=dilation, groups=groups, size=size)


_GEOMETRIES: tuple[tuple[Ints, Ints, dict[str, Any]], ...] = (
    ((2, 3, 7), (4, 3, 3), {"stride": (1,), "padding": (0,), "dilation": (1,), "groups": 1}),
    ((2, 4, 8), (6, 2, 3), {"stride": (2,), "padding": (1,), "dilation": (2,), "groups": 2}),
    ((2, 3, 6, 5), (4, 3, 3, 2), {"stride": (1, 1), "padding": (1, 0), "dilation": (1, 1), "groups": 1}),
    ((2, 3, 6, 7), (5, 3, 3, 3), {"stride": (2, 2), "padding": (1, 1), "dilation": (1, 1), "groups": 1}),
    ((2, 3, 4, 4), (6, 1, 2, 3), {"stride": (1, 2), "padding": (1, 1), "dilation": (1, 1), "groups": 3}),
    ((2, 3, 4, 5), (4, 3, 1, 1), {"stride": (1, 1), "padding": (0, 0), "dilation": (1, 1), "groups": 1}),
    ((2, 4, 3, 3), (4, 2, 1, 1), {"stride": (2, 2), "padding": (0, 0), "dilation": (1, 1), "groups": 2}),
    ((1, 3, 3, 4, 3), (3, 3, 2, 2, 2), {"stride": (1, 2, 1), "padding": (0, 0, 1), "dilation": (1, 1, 1), "groups": 1}),
    ((0, 3, 4), (3, 3, 2), {"stride": (1,), "padding": (0,), "dilation": (1,), "groups": 1}),
)


def _geometries() -> Iterable[tuple[Any, Ints, Ints, Ints, dict[str, Any]]]:
    """Dtypes; shapes of input, weight and result; attributes."""
    for dtype in dtypes.FLOATS:
        for shape, weight, attrs in _GEOMETRIES:
            out = counts(shape[2:], weight[2:], attrs["stride"], attrs["padding"], attrs["dilation"])
            yield dtype, shape, weight, (shape[0], weight[0], *out), attrs


def _ordinary(dtype: Any, shape: Ints, seed: int = 0) -> Any:
    return samples.uniform(-1.0, 1.0, shape, dtype, seed)


def _convolution_samples() -> Iterable[Sample]:
    for dtype, shape, weight, _, attrs in _geometries():
        operands = _ordinary(dtype, shape), _ordinary(dtype, weight, 1)
        yield samples.with_attrs(operands, **attrs)
        yield samples.with_attrs((*operands, _ordinary(dtype, weight[:1], 2)), **attrs)


def _input_samples() -> Iterable[Sample]:
    for dtype, shape, weight, out, attrs in _geometries():
        operands = _ordinary(dtype, out), _ordinary(dtype, weight, 1)
        yield samples.with_attrs(operands, **attrs, size=shape[2:])
        yield samples.with_attrs((*operands, _ordinary(dtype, shape[1:2], 2)), **attrs, size=shape[2:])


def _weight_samples() -> Iterable[Sample]:
    for dtype, shape, weight, out, attrs in _geometries():
        operands = _ordinary(dtype, out), _ordinary(dtype, shape, 1)
        yield samples.with_attrs(operands, **attrs, size=weight[2:])


CONVOLUTION = define_op(
    "convolution",
    meta=_convolution_meta,
    eager=convolution_array,
    lower=Composite(_convolution),
    exact=False,
    operands=("input", "weight", "bias"),
    vjp=(_input_rule, _weight_rule, _bias_rule),
    grad_name="Convolution",
    samples=_convolution_samples,
    kernel_from=KERNEL,
)
CONVOLUTION_INPUT = define_op(
    "convolution_input",
    meta=_input_meta,
    eager=input_array,
    lower=Composite(_input),
    exact=False,
    operands=("input", "weight", "bias"),
    vjp=(_spread_rule, _spread_weight_rule, _bias_rule),
    grad_name="Convolution",
    samples=_input_samples,
    kernel_from=KERNEL,
)
CONVOLUTION_WEIGHT = define_op(
    "convolution_weight",
    meta=_weight_meta,
    eager=weight_array,
    lower=Composite(_weight),
    exact=False,
    operands=("self", "other"),
    vjp=(_summed_rule, _summed_input_rule),
    grad_name="ConvolutionWeight",
    samples=_weight_samples,
    kernel_from=KERNEL,
)
