"""Linear layers, convolutions and norms whose input sizes are those of the first input."""

from __future__ import annotations

from typing import Any, ClassVar

from ...core import dtypes
from ...core.dtypes import DType
from ...tensor import Tensor
from ...tensor.creation import empty, tensor
from ...tensor.parameter import Parameter
from ...tensor.uninitialized import UninitializedBuffer, UninitializedParameter
from ..errors import LayerArgumentError, LayerShapeError
from ..modules.batchnorm import BatchNorm1d, BatchNorm2d, BatchNorm3d, InstanceNorm1d, InstanceNorm2d, InstanceNorm3d
from ..modules.convolution import Conv1d, Conv2d, Conv3d, ConvTranspose1d, ConvTranspose2d, ConvTranspose3d
from ..modules.linear import Linear
from .mixin import LazyModuleMixin


class LazyLinear(LazyModuleMixin, Linear):
    """A `Linear` whose `in_features` is the size of the last axis of its first input."""

    def __init__(self, out_features: int, bias: bool = True, device: Any = None, dtype: DType | None = None) -> None:
        super().__init__(0, 0, False)
        self.out_features = out_features
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def reset_parameters(self) -> None:
        """Fills weight and bias anew, if they are there."""
        if self.out_features and not self.has_uninitialized_params():
            super().reset_parameters()

    def initialize_parameters(self, input: Tensor) -> None:  # type: ignore[override]
        """Makes weight and bias for inputs like this one."""
        self.in_features = input.shape[-1]
        if self.has_uninitialized_params():
            _materialize(self.weight, (self.out_features, self.in_features))
            _materialize(self.bias, (self.out_features,))
            self.reset_parameters()
        self.in_features = self.weight.shape[-1]


def _materialize(param: Any, shape: tuple[int, ...]) -> None:
    if isinstance(param, UninitializedParameter):
        param.materialize(shape)


class _LazyConvolution(LazyModuleMixin):
    """A convolution whose `in_channels` is that of its first input, [N, C, *] or [C, *]."""

    _rank: ClassVar[int]
    _transposed: ClassVar[bool]
    weight: Parameter
    bias: Parameter | None
    _rest: tuple[str, ...] = ()
    """The names of the arguments behind `out_channels` and `kernel_size`, in their order."""

    def __init__(self, out_channels: int, kernel_size: Any, *args: Any, **kwargs: Any) -> None:
        if len(args) > len(self._rest):
            raise TypeError(f"{type(self).__name__} takes {', '.join(self._rest)} behind kernel_size, got {len(args)}")
        given: dict[str, Any] = {**dict(zip(self._rest, args)), **kwargs}
        device, dtype = given.get("device"), given.get("dtype")
        bias = given.pop("bias", True)
        super().__init__(0, 0, kernel_size, bias=False, **given)
        if out_channels % self.groups:
            raise LayerArgumentError(f"out_channels must be divisible by groups, got {out_channels} and {self.groups}")
        self.out_channels = out_channels
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def reset_parameters(self) -> None:
        """Fills weight and bias anew, if they are there."""
        if self.in_channels and not self.has_uninitialized_params():
            super().reset_parameters()  # type: ignore[misc]

    def initialize_parameters(self, input: Tensor, *args: Any, **kwargs: Any) -> None:  # type: ignore[override]
        """Makes weight and bias for inputs like this one. Errors: RuntimeError for another number of axes."""
        rank = self._rank
        if input.ndim not in (rank + 1, rank + 2):
            raise LayerShapeError(
                f"Expected {rank + 1}D (unbatched) or {rank + 2}D (batched) input to {type(self).__name__}, but got "
                f"input of size: {list(input.shape)}"
            )
        channels = input.shape[-rank - 1]
        if self.has_uninitialized_params():
            if channels % self.groups:
                raise LayerArgumentError(f"in_channels must be divisible by groups, got {channels} and {self.groups}")
            self.in_channels = channels
            rows, inner = (channels, self.out_channels) if self._transposed else (self.out_channels, channels)
            _materialize(self.weight, (rows, inner // self.groups, *self.kernel_size))
            _materialize(self.bias, (self.out_channels,))
            self.reset_parameters()
        shape = self.weight.shape
        self.in_channels = shape[0] if self._transposed else shape[1] * self.groups


class _LazyForward(_LazyConvolution):
    _rest = ("stride", "padding", "dilation", "groups", "bias", "padding_mode", "device", "dtype")


class _LazyTransposed(_LazyConvolution):
    _rest = (*("stride", "padding", "output_padding", "groups", "bias", "dilation", "padding_mode", "device", "dtype"),)


class LazyConv1d(_LazyForward, Conv1d):
    """A `Conv1d` whose `in_channels` is that of its first input."""


class LazyConv2d(_LazyForward, Conv2d):
    """A `Conv2d` whose `in_channels` is that of its first input."""


class LazyConv3d(_LazyForward, Conv3d):
    """A `Conv3d` whose `in_channels` is that of its first input."""


class LazyConvTranspose1d(_LazyTransposed, ConvTranspose1d):
    """A `ConvTranspose1d` whose `in_channels` is that of its first input."""


class LazyConvTranspose2d(_LazyTransposed, ConvTranspose2d):
    """A `ConvTranspose2d` whose `in_channels` is that of its first input."""


class LazyConvTranspose3d(_LazyTransposed, ConvTranspose3d):
    """A `ConvTranspose3d` whose `in_channels` is that of its first input."""


class _LazyNorm(LazyModuleMixin):
    """A norm of channels whose `num_features` is the size of axis 1 of its first input."""

    weight: Parameter | None
    bias: Parameter | None
    running_mean: Tensor | None

    def __init__(
        self,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Any = None,
        dtype: DType | None = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(0, eps, momentum, False, False)
        self.affine = affine
        self.track_running_stats = track_running_stats
        if affine:
            self.weight = UninitializedParameter(device=device, dtype=dtype)
            if bias:
                self.bias = UninitializedParameter(device=device, dtype=dtype)
        if track_running_stats:
            for name in ("running_mean", "running_var"):
                self.register_buffer(name, UninitializedBuffer(device=device, dtype=dtype))
            self.register_buffer("num_batches_tracked", tensor(0, dtype=dtypes.int64, device=device))

    def reset_parameters(self) -> None:
        """Fills parameters and running statistics anew, if they are there."""
        if self.num_features and not self.has_uninitialized_params():
            super().reset_parameters()  # type: ignore[misc]

    def initialize_parameters(self, input: Tensor) -> None:  # type: ignore[override]
        """Makes parameters and running statistics for inputs like this one."""
        held = [each for each in (self.weight, self.running_mean) if each is not None]
        if not self.has_uninitialized_params():
            self.num_features = held[0].shape[0] if held else input.shape[1]
            return
        self.num_features = input.shape[1]
        for param in (self.weight, self.bias):
            _materialize(param, (self.num_features,))
        for name in ("running_mean", "running_var"):
            buffer = self._buffers[name]
            if isinstance(buffer, UninitializedBuffer):
                self._buffers[name] = empty(self.num_features, dtype=buffer.dtype, device=buffer.device)
        self.reset_parameters()


class LazyBatchNorm1d(_LazyNorm, BatchNorm1d):
    """A `BatchNorm1d` whose `num_features` is the size of axis 1 of its first input."""


class LazyBatchNorm2d(_LazyNorm, BatchNorm2d):
    """A `BatchNorm2d` whose `num_features` is the size of axis 1 of its first input."""


class LazyBatchNorm3d(_LazyNorm, BatchNorm3d):
    """A `BatchNorm3d` whose `num_features` is the size of axis 1 of its first input."""


class LazyInstanceNorm1d(_LazyNorm, InstanceNorm1d):
    """An `InstanceNorm1d` whose `num_features` is the size of axis 1 of its first input."""


class LazyInstanceNorm2d(_LazyNorm, InstanceNorm2d):
    """An `InstanceNorm2d` whose `num_features` is the size of axis 1 of its first input."""


class LazyInstanceNorm3d(_LazyNorm, InstanceNorm3d):
    """An `InstanceNorm3d` whose `num_features` is the size of axis 1 of its first input."""
