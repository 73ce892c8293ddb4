"""Pools that are told how many windows to make, and the way back from a pool, as modules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from ...tensor import Tensor
from .. import functional
from ..module import Module

Size = int | None | Sequence[int | None]


class _AdaptiveMean(Module):
    """The means of a given number of windows."""

    _function: ClassVar[Callable[..., Tensor]]

    def __init__(self, output_size: Size) -> None:
        super().__init__()
        self.output_size = output_size

    def forward(self, input: Tensor) -> Tensor:
        """The mean of each window of `input`."""
        function = type(self)._function
        return function(input, self.output_size)

    def extra_repr(self) -> str:
        """The number of windows."""
        return f"output_size={self.output_size}"


class _AdaptiveMax(Module):
    """The largest elements of a given number of windows."""

    _function: ClassVar[Callable[..., Any]]

    def __init__(self, output_size: Size, return_indices: bool = False) -> None:
        super().__init__()
        self.output_size = output_size
        self.return_indices = return_indices

    def forward(self, input: Tensor) -> Any:
        """The largest element of each window of `input`; with `return_indices` also where it is."""
        function = type(self)._function
        return function(input, self.output_size, self.return_indices)

    def extra_repr(self) -> str:
        """The number of windows."""
        return f"output_size={self.output_size}"


class _Unpool(Module):
    """Puts elements back where a pool found them."""

    _rank: ClassVar[int]
    _function: ClassVar[Callable[..., Tensor]]

    def __init__(
        self,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] | None = None,
        padding: int | Sequence[int] = 0,
    ) -> None:
        super().__init__()
        given = (kernel_size, kernel_size if stride is None else stride, padding)
        self.kernel_size, self.stride, self.padding = (
            tuple(each) if isinstance(each, (tuple, list)) else (each,) * self._rank for each in given
        )

    def forward(self, input: Tensor, indices: Tensor, output_size: Sequence[int] | None = None) -> Tensor:
        """Zeros, with each element of `input` where `indices` say."""
        function = type(self)._function
        return function(input, indices, self.kernel_size, self.stride, self.padding, output_size)

    def extra_repr(self) -> str:
        """The windows."""
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class AdaptiveAvgPool1d(_AdaptiveMean):
    """The means of a given number of windows over one axis. Shapes: [N, C, L] or [C, L]."""

    _function = staticmethod(functional.adaptive_avg_pool1d)


class AdaptiveAvgPool2d(_AdaptiveMean):
    """The means of a given number of windows over two axes. Shapes: [N, C, H, W] or [C, H, W]."""

    _function = staticmethod(functional.adaptive_avg_pool2d)


class AdaptiveAvgPool3d(_AdaptiveMean):
    """The means of a given number of windows over three axes. Shapes: [N, C, D, H, W] or [C, D, H, W]."""

    _function = staticmethod(functional.adaptive_avg_pool3d)


class AdaptiveMaxPool1d(_AdaptiveMax):
    """The largest elements of a given number of windows over one axis. Shapes: [N, C, L] or [C, L]."""

    _function = staticmethod(functional.adaptive_max_pool1d)


class AdaptiveMaxPool2d(_AdaptiveMax):
    """The largest elements of a given number of windows over two axes. Shapes: [N, C, H, W] or [C, H, W]."""

    _function = staticmethod(functional.adaptive_max_pool2d)


class AdaptiveMaxPool3d(_AdaptiveMax):
    """The largest elements of a given number of windows over three axes. Shapes: [N, C, D, H, W] or [C, D, H, W]."""

    _function = staticmethod(functional.adaptive_max_pool3d)


class MaxUnpool1d(_Unpool):
    """Puts elements back where a pool found them, over one axis. Shapes: [N, C, L] or [C, L]."""

    _rank = 1
    _function = staticmethod(functional.max_unpool1d)


class MaxUnpool2d(_Unpool):
    """Puts elements back where a pool found them, over two axes. Shapes: [N, C, H, W] or [C, H, W]."""

    _rank = 2
    _function = staticmethod(functional.max_unpool2d)


class MaxUnpool3d(_Unpool):
    """Puts elements back where a pool found them, over three axes. Shapes: [N, C, D, H, W] or [C, D, H, W]."""

    _rank = 3
    _function = staticmethod(functional.max_unpool3d)
