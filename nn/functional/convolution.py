"""Convolutions over one, two and three axes, and transposed ones."""

from __future__ import annotations

from typing import Any

from ...ops.convolution import CONVOLUTION, CONVOLUTION_INPUT
from ...tensor.dispatch import apply, is_tensor_like, not_a_tensor
from ...tensor.surface import surface
from ..checks import check_dtypes, shape_text
from ..errors import LayerArgumentError, LayerShapeError
from .padding import pad
from .window_arguments import Ints, batched, each_axis, positive, whole, without_batch

Value = Any


def same_padding(kernel: Ints, dilation: Ints) -> list[tuple[int, int]]:
    """The widths in front and behind, for each axis, with which a convolution keeps sizes."""
    totals = [d * (k - 1) for k, d in zip(kernel, dilation, strict=True)]
    return [(total // 2, total - total // 2) for total in totals]


def _check(name: str, input: Value, weight: Value, bias: Value | None, rank: int) -> None:
    for place, (argument, each) in enumerate((("input", input), ("weight", weight))):
        if not is_tensor_like(each):
            raise not_a_tensor(name, argument, place + 1, each)
    if bias is not None and not is_tensor_like(bias):
        raise not_a_tensor(name, "bias", 3, bias)
    check_dtypes(name, input, weight, bias)
    if weight.ndim != rank + 2:
        raise LayerShapeError(f"{name}: weight should have {rank + 2} axes, got {shape_text(weight)}")


def _check_bias(name: str, bias: Value | None, channels: int) -> None:
    if bias is not None and (bias.ndim != 1 or bias.shape[0] != channels):
        raise LayerShapeError(
            f"{name}: expected bias to be 1-dimensional with {channels} elements, got bias of size {shape_text(bias)}"
        )


def _convolve(
    name: str,
    rank: int,
    input: Value,
    weight: Value,
    bias: Value | None,
    stride: Any,
    padding: Any,
    dilation: Any,
    groups: Any,
) -> Value:
    _check(name, input, weight, bias, rank)
    x, single = batched(name, input, rank)
    stride, dilation = each_axis(name, "stride", stride, rank), each_axis(name, "dilation", dilation, rank)
    groups, kernel = whole(groups), tuple(weight.shape[2:])
    positive(name, stride=stride, dilation=dilation, groups=(groups,))
    if isinstance(padding, str):
        x, widths = _named_padding(name, x, padding, stride, kernel, dilation)
    else:
        widths = each_axis(name, "padding", padding, rank)
    if any(each < 0 for each in widths):
        raise LayerShapeError(f"{name}: negative padding is not supported, got {list(widths)}")
    if weight.shape[0] % groups or weight.shape[0] < groups:
        raise LayerShapeError(
            f"{name}: Given groups={groups}, expected weight to be divisible by {groups} at dimension 0, "
            f"but got weight of size {shape_text(weight)} instead"
        )
    if x.shape[1] != weight.shape[1] * groups:
        raise LayerShapeError(
            f"{name}: Given groups={groups}, weight of size {shape_text(weight)}, expected input{list(x.shape)} "
            f"to have {weight.shape[1] * groups} channels, but got {x.shape[1]} channels instead"
        )
    _check_bias(name, bias, weight.shape[0])
    _check_fits(name, x, kernel, widths, dilation)
    operands = (x, weight) if bias is None else (x, weight, bias)
    result = apply(CONVOLUTION, *operands, stride=stride, padding=widths, dilation=dilation, groups=groups)
    return without_batch(result, single)


def _named_padding(name: str, x: Value, padding: str, stride: Ints, kernel: Ints, dilation: Ints) -> tuple[Value, Ints]:
    """The input, padded where the two sides of an axis differ, and the padding that is left to do."""
    if padding == "valid":
        return x, (0,) * len(kernel)
    if padding != "same":
        raise LayerShapeError(f"{name}: Invalid padding string: {padding!r}, should be one of 'valid', 'same'")
    if any(each != 1 for each in stride):
        raise LayerShapeError(f"{name}: padding='same' is not supported for strided convolutions; pass numbers")
    widths = same_padding(kernel, dilation)
    if all(before == after for before, after in widths):
        return x, tuple(before for before, _ in widths)
    more = [each for before, after in reversed(widths) for each in (0, after - before)]
    return pad(x, more), tuple(before for before, _ in widths)


def _check_fits(name: str, x: Value, kernel: Ints, padding: Ints, dilation: Ints) -> None:
    wide = [size + 2 * p for size, p in zip(x.shape[2:], padding, strict=True)]
    reach = [d * (k - 1) + 1 for k, d in zip(kernel, dilation, strict=True)]
    if any(k <= 0 for k in kernel):
        raise LayerShapeError(f"{name}: kernel size should be greater than zero, but got {list(kernel)}")
    if any(need > have for need, have in zip(reach, wide, strict=True)):
        raise LayerShapeError(
            f"{name}: Calculated padded input size per channel: {wide}. Kernel size: {reach}. "
            "Kernel size can't be greater than actual input size"
        )


def _function(name: str, rank: int, axes: str, kernel: str) -> Any:
    def function(
        input: Value,
        weight: Value,
        bias: Value | None = None,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
    ) -> Value:
        return _convolve(name, rank, input, weight, bias, stride, padding, dilation, groups)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""Sums of the elements of each window times those of each row of `weight`, plus `bias`.

    Shapes: input [N, C, {axes}] or [C, {axes}], weight [O, C / groups, {kernel}], bias [O] -> [N, O, *] or [O, *].
    padding: widths of zeros on both sides, "valid" for none, "same" for what keeps {axes}.
    Errors: RuntimeError for shapes or dtypes that do not fit together.
    """
    return surface(function)


conv1d = _function("conv1d", 1, "L", "K")
conv2d = _function("conv2d", 2, "H, W", "KH, KW")
conv3d = _function("conv3d", 3, "D, H, W", "KD, KH, KW")


def _transposed(
    name: str,
    rank: int,
    input: Value,
    weight: Value,
    bias: Value | None,
    stride: Any,
    padding: Any,
    output_padding: Any,
    groups: Any,
    dilation: Any,
) -> Value:
    _check(name, input, weight, bias, rank)
    x, single = batched(name, input, rank)
    stride, dilation = each_axis(name, "stride", stride, rank), each_axis(name, "dilation", dilation, rank)
    padding = each_axis(name, "padding", padding, rank)
    extra = each_axis(name, "output_padding", output_padding, rank)
    groups, kernel = whole(groups), tuple(weight.shape[2:])
    positive(name, stride=stride, dilation=dilation, groups=(groups,))
    if any(each < 0 for each in (*padding, *extra)):
        raise LayerShapeError(f"{name}: negative padding is not supported, got {list(padding)} and {list(extra)}")
    if any(e >= s and e >= d for e, s, d in zip(extra, stride, dilation, strict=True)):
        raise LayerShapeError(
            f"{name}: output padding must be smaller than either stride or dilation, but got output_padding "
            f"{list(extra)}, stride {list(stride)} and dilation {list(dilation)}"
        )
    if x.shape[1] != weight.shape[0] or weight.shape[0] % groups:
        raise LayerShapeError(
            f"{name}: Given transposed=1, weight of size {shape_text(weight)}, expected input{list(x.shape)} "
            f"to have {weight.shape[0]} channels, a multiple of groups={groups}, but got {x.shape[1]} channels instead"
        )
    _check_bias(name, bias, weight.shape[1] * groups)
    every = zip(x.shape[2:], stride, padding, dilation, kernel, extra, strict=True)
    size = tuple((length - 1) * s - 2 * p + d * (k - 1) + e + 1 for length, s, p, d, k, e in every)
    if any(each <= 0 for each in size):
        raise LayerShapeError(
            f"{name}: Given input size per channel: {list(x.shape[2:])}. Calculated output size per channel: "
            f"{list(size)}. Output size is too small"
        )
    operands = (x, weight) if bias is None else (x, weight, bias)
    attrs = {"stride": stride, "padding": padding, "dilation": dilation, "groups": groups, "size": size}
    return without_batch(apply(CONVOLUTION_INPUT, *operands, **attrs), single)


def _transposed_function(name: str, rank: int, axes: str, kernel: str) -> Any:
    def function(
        input: Value,
        weight: Value,
        bias: Value | None = None,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        dilation: Any = 1,
    ) -> Value:
        return _transposed(name, rank, input, weight, bias, stride, padding, output_padding, groups, dilation)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""Each element of `input` times windows of `weight`, added up where they overlap, plus `bias`.

    It is the gradient of a convolution by its input. What `padding` says is cut off on both sides, and `output_padding`
    more is kept behind.
    Shapes: input [N, C, {axes}] or [C, {axes}], weight [C, O / groups, {kernel}], bias [O] -> [N, O, *] or [O, *].
    Errors: RuntimeError for shapes or dtypes that do not fit together.
    """
    return surface(function)


conv_transpose1d = _transposed_function("conv_transpose1d", 1, "L", "K")
conv_transpose2d = _transposed_function("conv_transpose2d", 2, "H, W", "KH, KW")
conv_transpose3d = _transposed_function("conv_transpose3d", 3, "D, H, W", "KD, KH, KW")


def check_padding_mode(mode: str) -> None:
    """Errors: LayerArgumentError for a padding mode that there is not."""
    modes = ("zeros", "reflect", "replicate", "circular")
    if mode not in modes:
        raise LayerArgumentError(f"padding_mode must be one of {list(modes)}, but got padding_mode={mode!r}")
