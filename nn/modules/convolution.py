"""Convolutions and transposed convolutions as modules."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from ...core.dtypes import DType
from ...tensor import Tensor
from ...tensor.creation import empty
from ...tensor.parameter import Parameter
from .. import functional, init
from ..errors import LayerArgumentError
from ..functional.convolution import check_padding_mode, same_padding
from ..functional.window_arguments import Ints
from ..module import Module

Size = int | Sequence[int]


def each_axis_of(value: Size, rank: int) -> Ints:
    """One number as one for each axis; several as a tuple."""
    return tuple(value) if isinstance(value, (tuple, list)) else (value,) * rank  # type: ignore[return-value]


class _ConvNd(Module):
    """Weight, bias and settings of a convolution over `_rank` axes."""

    _rank: ClassVar[int]
    _transposed: ClassVar[bool] = False
    weight: Parameter
    bias: Parameter | None

    def _set_up(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Size,
        stride: Size,
        padding: Any,
        dilation: Size,
        output_padding: Size,
        groups: int,
        bias: bool,
        padding_mode: str,
        device: Any,
        dtype: DType | None,
    ) -> None:
        if groups <= 0:
            raise LayerArgumentError(f"groups must be a positive integer, got {groups}")
        for name, channels in (("in_channels", in_channels), ("out_channels", out_channels)):
            if channels % groups:
                raise LayerArgumentError(f"{name} must be divisible by groups, got {channels} and {groups}")
        rank = self._rank
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = each_axis_of(kernel_size, rank)
        self.stride = each_axis_of(stride, rank)
        self.dilation = each_axis_of(dilation, rank)
        if isinstance(padding, str):
            if padding not in ("same", "valid"):
                raise LayerArgumentError(f"Invalid padding string {padding!r}, should be one of 'same', 'valid'")
            if padding == "same" and any(each != 1 for each in self.stride):
                raise LayerArgumentError("padding='same' is not supported for strided convolutions; pass numbers")
        check_padding_mode(padding_mode)
        self.padding = padding if isinstance(padding, str) else each_axis_of(padding, rank)
        self.output_padding = each_axis_of(output_padding, rank)
        self.groups = groups
        self.padding_mode = padding_mode
        self._both_sides = _both_sides(self.padding, self.kernel_size, self.dilation)
        rows, inner = (in_channels, out_channels) if self._transposed else (out_channels, in_channels)
        shape = (rows, inner // groups, *self.kernel_size)
        self.weight = Parameter(empty(shape, dtype=dtype, device=device))
        if bias:
            self.bias = Parameter(empty(out_channels, dtype=dtype, device=device))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Fills weight and bias anew, uniformly between plus and minus ``1 / sqrt(elements of a window)``."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            count = math.prod(self.weight.shape[1:])
            if count:
                init.uniform_(self.bias, -1 / math.sqrt(count), 1 / math.sqrt(count))

    def extra_repr(self) -> str:
        """The settings that are not the usual ones."""
        rank = self._rank
        text = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        if self.padding != (0,) * rank:
            text += f", padding={self.padding}"
        if self.dilation != (1,) * rank:
            text += f", dilation={self.dilation}"
        if self.output_padding != (0,) * rank:
            text += f", output_padding={self.output_padding}"
        if self.groups != 1:
            text += f", groups={self.groups}"
        if self.bias is None:
            text += ", bias=False"
        return text if self.padding_mode == "zeros" else f"{text}, padding_mode={self.padding_mode}"


def _both_sides(padding: Any, kernel: Ints, dilation: Ints) -> list[int]:
    """Pairs of widths, as `pad` takes them, for the padding of a convolution in modes other than zeros."""
    if padding == "valid":
        return [0] * (2 * len(kernel))
    widths = same_padding(kernel, dilation) if padding == "same" else [(each, each) for each in padding]
    return [each for pair in reversed(widths) for each in pair]


class _Forward(_ConvNd):
    """A convolution."""

    _function: ClassVar[Callable[..., Tensor]]

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Size,
        stride: Size = 1,
        padding: Size | str = 0,
        dilation: Size = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: DType | None = None,
    ) -> None:
        super().__init__()
        self._set_up(
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            dilation,
            0,
            groups,
            bias,
            padding_mode,
            device,
            dtype,
        )

    def forward(self, input: Tensor) -> Tensor:
        """The convolution of `input` with the weight, plus the bias."""
        padding = self.padding
        if self.padding_mode != "zeros":
            input = functional.pad(input, self._both_sides, mode=self.padding_mode)
            padding = (0,) * self._rank
        function = type(self)._function
        return function(input, self.weight, self.bias, self.stride, padding, self.dilation, self.groups)


class Conv1d(_Forward):
    """A convolution over one axis.

    Shapes: weight [out_channels, in_channels / groups, K], bias [out_channels]; input [N, C, L] or [C, L].
    """

    _rank = 1
    _function = staticmethod(functional.conv1d)


class Conv2d(_Forward):
    """A convolution over two axes.

    Shapes: weight [out_channels, in_channels / groups, KH, KW], bias [out_channels]; input [N, C, H, W] or [C, H, W].
    """

    _rank = 2
    _function = staticmethod(functional.conv2d)


class Conv3d(_Forward):
    """A convolution over three axes.

    Shapes: weight [out_channels, in_channels / groups, KD, KH, KW], bias [out_channels]; input [N, C, D, H, W] or
    [C, D, H, W].
    """

    _rank = 3
    _function = staticmethod(functional.conv3d)


class _ConvTransposeNd(_ConvNd):
    """A transposed convolution: the gradient of a convolution by its input."""

    _transposed = True
    _function: ClassVar[Callable[..., Tensor]]

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Size,
        stride: Size = 1,
        padding: Size = 0,
        output_padding: Size = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Size = 1,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: DType | None = None,
    ) -> None:
        super().__init__()
        if padding_mode != "zeros":
            raise LayerArgumentError(f"Only 'zeros' padding mode is supported for {type(self).__name__}")
        self._set_up(
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            dilation,
            output_padding,
            groups,
            bias,
            padding_mode,
            device,
            dtype,
        )

    def forward(self, input: Tensor, output_size: Sequence[int] | None = None) -> Tensor:
        """The transposed convolution of `input` with the weight, plus the bias.

        output_size: the spatial sizes of the result, in place of `output_padding`. Errors: ValueError for sizes that
        the stride does not reach.
        """
        extra = self.output_padding if output_size is None else self._padding_for(input, output_size)
        function = type(self)._function
        return function(input, self.weight, self.bias, self.stride, self.padding, extra, self.groups, self.dilation)

    def _padding_for(self, input: Tensor, output_size: Sequence[int]) -> Ints:
        rank = self._rank
        lead = input.ndim - rank
        sizes = tuple(output_size)[lead:] if len(output_size) == input.ndim else tuple(output_size)
        if len(sizes) != rank:
            raise LayerArgumentError(
                f"{type(self).__name__}: for {input.ndim}D input, output_size must have {rank} or {input.ndim} "
                f"elements (got {len(output_size)})"
            )
        widths: Any = self.padding
        every = zip(input.shape[lead:], self.stride, widths, self.dilation, self.kernel_size, strict=True)
        least = [(size - 1) * s - 2 * p + d * (k - 1) + 1 for size, s, p, d, k in every]
        most = [low + s - 1 for low, s in zip(least, self.stride, strict=True)]
        if any(not low <= size <= high for low, size, high in zip(least, sizes, most, strict=True)):
            raise LayerArgumentError(
                f"requested an output size of {list(sizes)}, but valid sizes range from {least} to {most} "
                f"(for an input of {list(input.shape[lead:])})"
            )
        return tuple(size - low for size, low in zip(sizes, least, strict=True))


class ConvTranspose1d(_ConvTransposeNd):
    """A transposed convolution over one axis.

    Shapes: weight [in_channels, out_channels / groups, K], bias [out_channels]; input [N, C, L] or [C, L].
    """

    _rank = 1
    _function = staticmethod(functional.conv_transpose1d)


class ConvTranspose2d(_ConvTransposeNd):
    """A transposed convolution over two axes.

    Shapes: weight [in_channels, out_channels / groups, KH, KW], bias [out_channels]; input [N, C, H, W] or [C, H, W].
    """

    _rank = 2
    _function = staticmethod(functional.conv_transpose2d)


class ConvTranspose3d(_ConvTransposeNd):
    """A transposed convolution over three axes.

    Shapes: weight [in_channels, out_channels / groups, KD, KH, KW], bias [out_channels]; input [N, C, D, H, W] or
    [C, D, H, W].
    """

    _rank = 3
    _function = staticmethod(functional.conv_transpose3d)
