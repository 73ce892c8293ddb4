"""Convolution and its two adjoints: one sum of products of three arrays, of which each op gives the cotangent of one.

The sum is ``cotangent * (windows of input) * weight``; so every derivative, of any order, is one of the three again.
Shapes: input [N, C, *S], weight [O, C / groups, *K], cotangent and result of the convolution [N, O, *out].
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..core import dtypes
from ..core.errors import OpError
from ..core.types import TensorType
from . import samples
from .convolution_arrays import convolution_array, counts, input_array, weight_array
from .convolution_forms import convolution_form, input_form, weight_form
from .emitter import Emitter
from .registry import WINDOW_KERNEL, Composite, Sample, define_op
from .shape_gradients import Ints, Shapes
from .window_places import along

Value = Any


def _check(name: str, first: TensorType, second: TensorType, rank: int, lengths: tuple[Ints, ...]) -> None:
    fits = first.dtype is second.dtype and first.dtype.is_float and first.rank == second.rank == rank + 2
    if not fits or any(len(each) != rank for each in lengths):
        raise OpError(f"{name} takes floats [N, C, *S] of one dtype with {rank} axes S, got {first} and {second}")


def _check_bias(name: str, bias: TensorType | None, weight: TensorType, channels: int) -> None:
    if bias is not None and bias != weight.with_shape((channels,)):
        raise OpError(f"{name} takes a bias of {weight.with_shape((channels,))}, got {bias}")


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


def _input_rule(f: Emitter, g: Value, weight: Value, shapes: Shapes, **attrs: Any) -> Value:
    return f.convolution_input(g, weight, **attrs, size=tuple(shapes[0][2:]))


def _weight_rule(f: Emitter, g: Value, input: Value, shapes: Shapes, **attrs: Any) -> Value:
    return f.convolution_weight(g, input, **attrs, size=tuple(shapes[1][2:]))


def _bias_rule(f: Emitter, g: Value) -> Value:
    return f.sum(g, axes=(0, *range(2, len(f.shape(g)))))


def _spread_rule(f: Emitter, g: Value, weight: Value, shapes: Shapes, *, size: Ints, **attrs: Any) -> Value:
    return _cut(f, f.convolution(g, weight, **attrs), tuple(shapes[0][2:]))


def _spread_weight_rule(f: Emitter, g: Value, input: Value, shapes: Shapes, *, size: Ints, **attrs: Any) -> Value:
    return f.convolution_weight(input, g, **attrs, size=tuple(shapes[1][2:]))


def _summed_rule(f: Emitter, g: Value, other: Value, shapes: Shapes, *, size: Ints, **attrs: Any) -> Value:
    return _cut(f, f.convolution(other, g, **attrs), tuple(shapes[0][2:]))


def _summed_input_rule(f: Emitter, g: Value, self: Value, shapes: Shapes, *, size: Ints, **attrs: Any) -> Value:
    return f.convolution_input(self, g, **attrs, size=tuple(shapes[1][2:]))


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
    lower=Composite(convolution_form),
    exact=False,
    operands=("input", "weight", "bias"),
    vjp=(_input_rule, _weight_rule, _bias_rule),
    grad_name="Convolution",
    samples=_convolution_samples,
    kernel_from=WINDOW_KERNEL,
)
CONVOLUTION_INPUT = define_op(
    "convolution_input",
    meta=_input_meta,
    eager=input_array,
    lower=Composite(input_form),
    exact=False,
    operands=("input", "weight", "bias"),
    vjp=(_spread_rule, _spread_weight_rule, _bias_rule),
    grad_name="Convolution",
    samples=_input_samples,
    kernel_from=WINDOW_KERNEL,
)
CONVOLUTION_WEIGHT = define_op(
    "convolution_weight",
    meta=_weight_meta,
    eager=weight_array,
    lower=Composite(weight_form),
    exact=False,
    operands=("self", "other"),
    vjp=(_summed_rule, _summed_input_rule),
    grad_name="ConvolutionWeight",
    samples=_weight_samples,
    kernel_from=WINDOW_KERNEL,
)
