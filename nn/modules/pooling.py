"""Pools as modules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from ...core.names.import_paths import names_of
from ...tensor import Tensor
from .. import functional
from ..errors import LayerArgumentError
from ..functional.window_arguments import each_axis
from ..module import Module

Size = int | Sequence[int]


class _MaxPoolNd(Module):
    """The largest element of each window."""

    _function: ClassVar[Callable[..., Any]]

    def __init__(
        self,
        kernel_size: Size,
        stride: Size | None = None,
        padding: Size = 0,
        dilation: Size = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.dilation = dilation
        self.return_indices = return_indices
        self.ceil_mode = ceil_mode

    def forward(self, input: Tensor) -> Any:
        """The largest element of each window of `input`; with `return_indices` also where it is."""
        function = type(self)._function
        return function(
            input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode, self.return_indices
        )

    def extra_repr(self) -> str:
        """The settings."""
        return (
            f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}, "
            f"dilation={self.dilation}, ceil_mode={self.ceil_mode}"
        )


class MaxPool1d(_MaxPoolNd):
    """The largest element of each window along one axis. Shapes: [N, C, L] or [C, L]."""

    _function = staticmethod(functional.max_pool1d)


class MaxPool2d(_MaxPoolNd):
    """The largest element of each window over two axes. Shapes: [N, C, H, W] or [C, H, W]."""

    _function = staticmethod(functional.max_pool2d)


class MaxPool3d(_MaxPoolNd):
    """The largest element of each window over three axes. Shapes: [N, C, D, H, W] or [C, D, H, W]."""

    _function = staticmethod(functional.max_pool3d)


class AvgPool1d(Module):
    """The mean of each window along one axis. Shapes: [N, C, L] or [C, L]."""

    def __init__(
        self,
        kernel_size: Size,
        stride: Size | None = None,
        padding: Size = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size if isinstance(kernel_size, (tuple, list)) else (kernel_size,)
        step = kernel_size if stride is None else stride
        self.stride = step if isinstance(step, (tuple, list)) else (step,)
        self.padding = padding if isinstance(padding, (tuple, list)) else (padding,)
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad

    def forward(self, input: Tensor) -> Tensor:
        """The mean of each window of `input`."""
        return functional.avg_pool1d(
            input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad
        )

    def extra_repr(self) -> str:
        """The windows."""
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class _AvgPoolNd(Module):
    """The mean of each window."""

    _function: ClassVar[Callable[..., Tensor]]

    def __init__(
        self,
        kernel_size: Size,
        stride: Size | None = None,
        padding: Size = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad
        self.divisor_override = divisor_override

    def forward(self, input: Tensor) -> Tensor:
        """The mean of each window of `input`."""
        function = type(self)._function
        return function(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.ceil_mode,
            self.count_include_pad,
            self.divisor_override,
        )

    def extra_repr(self) -> str:
        """The windows."""
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class AvgPool2d(_AvgPoolNd):
    """The mean of each window over two axes. Shapes: [N, C, H, W] or [C, H, W]."""

    _function = staticmethod(functional.avg_pool2d)


class AvgPool3d(_AvgPoolNd):
    """The mean of each window over three axes. Shapes: [N, C, D, H, W] or [C, D, H, W]."""

    _function = staticmethod(functional.avg_pool3d)


class _LPPool(Module):
    """The norm of each window."""

    _function: ClassVar[Callable[..., Tensor]]

    def __init__(
        self, norm_type: float, kernel_size: Size, stride: Size | None = None, ceil_mode: bool = False
    ) -> None:
        super().__init__()
        self.norm_type = norm_type
        self.kernel_size = kernel_size
        self.stride = stride
        self.ceil_mode = ceil_mode

    def forward(self, input: Tensor) -> Tensor:
        """The norm of each window of `input`."""
        function = type(self)._function
        return function(input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)

    def extra_repr(self) -> str:
        """The settings."""
        return (
            f"norm_type={self.norm_type}, kernel_size={self.kernel_size}, stride={self.stride}, "
            f"ceil_mode={self.ceil_mode}"
        )


class LPPool1d(_LPPool):
    """The norm of each window along one axis. Shapes: [N, C, L] or [C, L]."""

    _function = staticmethod(functional.lp_pool1d)


class LPPool2d(_LPPool):
    """The norm of each window over two axes. Shapes: [N, C, H, W] or [C, H, W]."""

    _function = staticmethod(functional.lp_pool2d)


class LPPool3d(_LPPool):
    """The norm of each window over three axes. Shapes: [N, C, D, H, W] or [C, D, H, W]."""

    _function = staticmethod(functional.lp_pool3d)


class _FractionalMaxPool(Module):
    """The largest element of each of a number of windows, at places that are drawn."""

    _function: ClassVar[Callable[..., Any]]
    _rank: ClassVar[int]

    def __init__(
        self,
        kernel_size: Size,
        output_size: Size | None = None,
        output_ratio: float | Sequence[float] | None = None,
        return_indices: bool = False,
        _random_samples: Tensor | None = None,
    ) -> None:
        super().__init__()
        name = type(self).__name__
        if (output_size is None) == (output_ratio is None):
            raise LayerArgumentError(f"{name} takes either an output size or a pooling ratio, and not both")
        self.kernel_size = each_axis(name, "kernel_size", kernel_size, self._rank)
        self.return_indices = return_indices
        self.register_buffer("_random_samples", _random_samples)
        self.output_size = None if output_size is None else each_axis(name, "output_size", output_size, self._rank)
        self.output_ratio: tuple[float, ...] | None = None
        if output_ratio is not None:
            ratios: Any = output_ratio if isinstance(output_ratio, (tuple, list)) else (output_ratio,) * self._rank
            self.output_ratio = tuple(ratios)
            if not all(0 < each < 1 for each in ratios):
                raise LayerArgumentError(f"output_ratio must be between 0 and 1 (got {output_ratio})")

    def forward(self, input: Tensor) -> Any:
        """The largest element of each window of `input`; with `return_indices` also where it is."""
        function = type(self)._function
        return function(
            input,
            self.kernel_size,
            self.output_size,
            self.output_ratio,
            self.return_indices,
            _random_samples=self._random_samples,
        )


class FractionalMaxPool2d(_FractionalMaxPool):
    """The largest elements of windows at places that are drawn. Shapes: [N, C, H, W] or [C, H, W]."""

    _function = staticmethod(functional.fractional_max_pool2d)
    _rank = 2


class FractionalMaxPool3d(_FractionalMaxPool):
    """The largest elements of windows at places that are drawn. Shapes: [N, C, T, H, W] or [C, T, H, W]."""

    _function = staticmethod(functional.fractional_max_pool3d)
    _rank = 3


__getattr__ = names_of("nn", __name__)
