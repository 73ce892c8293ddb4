"""Layers that bring each channel to mean 0 and variance 1, and may keep running statistics: batch and instance norm."""

from __future__ import annotations

import warnings
from typing import Any

from ...core import dtypes
from ...core.dtypes import DType
from ...core.names.import_paths import names_of
from ...tensor import Tensor
from ...tensor.creation import empty, ones, tensor, zeros
from ...tensor.parameter import Parameter
from .. import functional, init
from ..errors import LayerArgumentError
from ..module import Module


class _NormBase(Module):
    """Weight and bias for each of `num_features` channels, if `affine`, and running statistics, if they are tracked."""

    weight: Parameter | None
    bias: Parameter | None
    running_mean: Tensor | None
    running_var: Tensor | None
    num_batches_tracked: Tensor | None
    _ranks: tuple[int, ...] = ()
    """The numbers of axes that an input may have."""

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Any = None,
        dtype: DType | None = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__()
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        for name, wanted in (("weight", affine), ("bias", affine and bias)):
            param = Parameter(empty(num_features, dtype=dtype, device=device)) if wanted else None
            self.register_parameter(name, param)
        if track_running_stats:
            self.register_buffer("running_mean", zeros(num_features, dtype=dtype, device=device))
            self.register_buffer("running_var", ones(num_features, dtype=dtype, device=device))
            self.register_buffer("num_batches_tracked", tensor(0, dtype=dtypes.int64, device=device))
        else:
            for name in ("running_mean", "running_var", "num_batches_tracked"):
                self.register_buffer(name, None)
        self.reset_parameters()

    def reset_running_stats(self) -> None:
        """Running means of 0 and variances of 1, of no batch so far."""
        if self.track_running_stats:
            assert self.running_mean is not None and self.running_var is not None
            assert self.num_batches_tracked is not None
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self) -> None:
        """Weights of one, biases of zero, running statistics as at the beginning."""
        self.reset_running_stats()
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)

    def extra_repr(self) -> str:
        """The number of channels and the settings."""
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        )

    def _check_rank(self, input: Tensor) -> None:
        if input.ndim not in self._ranks:
            expected = " or ".join(f"{each}D" for each in self._ranks)
            raise LayerArgumentError(f"expected {expected} input (got {input.ndim}D input)")


class _BatchNorm(_NormBase):
    """Mean 0 and variance 1 of each channel over a batch."""

    def forward(self, input: Tensor) -> Tensor:
        """`input`, normalised: by its own statistics in training or if none are kept, else by the running ones."""
        self._check_rank(input)
        momentum: Any = 0.0 if self.momentum is None else self.momentum
        if self.training and self.track_running_stats and self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)
            if self.momentum is None:
                assert self.running_mean is not None
                momentum = self.num_batches_tracked.to(self.running_mean.dtype).reciprocal()
        of_batch = self.training or (self.running_mean is None and self.running_var is None)
        kept = not self.training or self.track_running_stats
        return functional.batch_norm(
            input,
            self.running_mean if kept else None,
            self.running_var if kept else None,
            self.weight,
            self.bias,
            of_batch,
            momentum,
            self.eps,
        )


class BatchNorm1d(_BatchNorm):
    """Mean 0 and variance 1 of each channel of [N, C] or [N, C, L] over the batch, then times weight, plus bias.

    momentum: the share by which running statistics move towards those of a batch; None for the mean of all batches.
    track_running_stats: without, there are no running ones, and those of the batch serve in evaluation, too.
    Shapes: weight, bias, running_mean and running_var [num_features]; the result has the shape of the input.
    Errors: ValueError for another number of axes, or one value per channel in training; RuntimeError for other sizes.
    Source: Ioffe & Szegedy 2015.
    """

    _ranks = (2, 3)


class BatchNorm2d(_BatchNorm):
    """Mean 0 and variance 1 of each channel of [N, C, H, W] over the batch; see `BatchNorm1d`."""

    _ranks = (4,)


class BatchNorm3d(_BatchNorm):
    """Mean 0 and variance 1 of each channel of [N, C, D, H, W] over the batch; see `BatchNorm1d`."""

    _ranks = (5,)


class _InstanceNorm(_NormBase):
    """Mean 0 and variance 1 of each channel of each example by itself."""

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = False,
        track_running_stats: bool = False,
        device: Any = None,
        dtype: DType | None = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)

    def forward(self, input: Tensor) -> Tensor:
        """`input`, normalised: by its own statistics, or in evaluation by the running ones where they are kept."""
        self._check_rank(input)
        single = input.ndim == self._ranks[0]
        channels = input.shape[0 if single else 1]
        if channels != self.num_features:
            place = input.ndim - self._ranks[0]
            if self.affine:
                raise LayerArgumentError(
                    f"expected input's size at dim={place} to match num_features ({self.num_features}), "
                    f"but got: {channels}."
                )
            warnings.warn(
                f"input's size at dim={place} does not match num_features. You can silence this warning by not "
                "passing in num_features, which is not used because affine=False",
                stacklevel=2,
            )
        result = functional.instance_norm(
            input.unsqueeze(0) if single else input,
            self.running_mean,
            self.running_var,
            self.weight,
            self.bias,
            self.training or not self.track_running_stats,
            self.momentum if self.momentum is not None else 0.0,
            self.eps,
        )
        return result.squeeze(0) if single else result  # type: ignore[no-any-return]


class InstanceNorm1d(_InstanceNorm):
    """Mean 0 and variance 1 of each channel of each example of [N, C, L] or [C, L], then times weight, plus bias.

    track_running_stats: keeps running means over the batch, which take over in evaluation.
    Shapes: weight, bias, running_mean and running_var [num_features]; the result has the shape of the input.
    Errors: ValueError for another number of axes, other channels with `affine`, or one element per channel.
    Source: Ulyanov, Vedaldi & Lempitsky 2016.
    """

    _ranks = (2, 3)


class InstanceNorm2d(_InstanceNorm):
    """Mean 0 and variance 1 of each channel of each example of [N, C, H, W] or [C, H, W]; see `InstanceNorm1d`."""

    _ranks = (3, 4)


class InstanceNorm3d(_InstanceNorm):
    """Mean 0 and variance 1 of each channel of each example of [N, C, D, H, W] or [C, D, H, W]."""

    _ranks = (4, 5)


__getattr__ = names_of("nn", __name__)
