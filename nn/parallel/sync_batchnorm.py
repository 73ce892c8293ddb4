"""`SyncBatchNorm`: batch normalization by the statistics of the batch that all processes have together."""

from __future__ import annotations

from typing import Any

from ...autograd.function import Function, FunctionCtx
from ...autograd.modes import no_grad
from ...core import dtypes
from ...core.dtypes import DType
from ...distributed.collectives import _all_reduce
from ...distributed.process_group import ProcessGroup
from ...distributed.program_group import is_initialized, the_group
from ...distributed.reduce_op import ReduceOp
from ...tensor import Tensor
from ...tensor.creation import tensor
from ...tensor.joining import cat
from ...tensor.uninitialized import is_lazy
from ..errors import LayerArgumentError
from ..module import Module
from ..modules.batchnorm import _BatchNorm


class _SumOverProcesses(Function):
    """The sum of a tensor over all processes of a group; the gradient of each is the sum of those of the results."""

    @staticmethod
    def forward(ctx: FunctionCtx, input: Tensor, group: int, size: int) -> Tensor:
        """The sum, on each process. group, size: the number of the group, which compiled code keeps, and its size."""
        ctx.group, ctx.size = group, size  # type: ignore[attr-defined]
        summed = input.clone()
        _all_reduce(group, size, summed, ReduceOp.SUM, False)
        return summed

    @staticmethod
    def backward(ctx: FunctionCtx, grad: Tensor) -> Any:
        """The sum of the gradients, on each process."""
        group, size = ctx.group, ctx.size  # type: ignore[attr-defined]
        return _SumOverProcesses.apply(grad, group, size), None, None


class SyncBatchNorm(_BatchNorm):
    """Mean 0 and variance 1 of each channel over the batches of all processes of a group; else as `BatchNorm1d`.

    In training every forward and every backward communicates, so all processes have to make the same ones, with any
    sizes of batches. In evaluation, and in a program of one process, it is batch normalization.
    process_group: the processes; all of them unless given.
    Shapes: input [N, C, *]; the result has the shape of the input.
    Errors: ValueError for fewer than two axes, or one value per channel in all processes together;
        CollectiveMismatchError, on every process, where their channels or dtypes differ; as of `all_reduce`.
    Source: Ioffe & Szegedy 2015.
    """

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        process_group: ProcessGroup | None = None,
        device: Any = None,
        dtype: DType | None = None,
    ) -> None:
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype)
        self.process_group = process_group

    def _check_rank(self, input: Tensor) -> None:
        if input.ndim < 2:
            raise LayerArgumentError(f"expected at least 2D input (got {input.ndim}D input)")

    def forward(self, input: Tensor) -> Tensor:
        """`input`, normalised: in training by the statistics of all processes, else by the running ones."""
        group = the_group(self.process_group) if self.process_group is not None or is_initialized() else None
        if not self.training or group is None or group.size == 1:
            return super().forward(input)
        self._check_rank(input)
        axes = (0, *range(2, input.ndim))
        x = input.to(dtypes.float32) if input.dtype.is_narrow else input
        channels = (1, -1, *[1] * (input.ndim - 2))
        own = tensor([float(input.numel() // max(input.shape[1], 1))], dtype=x.dtype, device=x.device)
        sums = _SumOverProcesses.apply(cat([x.sum(axes), own]), group.number, group.size)
        count = sums[-1].detach()
        if count.item() <= 1:
            raise LayerArgumentError(
                "Expected more than 1 value per channel when training, got input size "
                f"{list(input.shape)} here, and none on the other processes"
            )
        mean = sums[:-1] / count
        centred = x - mean.reshape(channels)
        squares = _SumOverProcesses.apply((centred * centred).sum(axes), group.number, group.size)
        result = centred * (squares / count + self.eps).rsqrt().reshape(channels)
        with no_grad():
            self._keep(mean, squares / (count - 1))
        if self.weight is not None:
            result = result * self.weight.reshape(channels)
        if self.bias is not None:
            result = result + self.bias.reshape(channels)
        return result.to(input.dtype)

    def _keep(self, mean: Tensor, variance: Tensor) -> None:
        """Moves the running statistics towards those of a batch."""
        if not self.track_running_stats or self.num_batches_tracked is None:
            return
        assert self.running_mean is not None and self.running_var is not None
        self.num_batches_tracked.add_(1)
        share: Any = self.momentum
        if share is None:
            share = self.num_batches_tracked.to(mean.dtype).reciprocal()
        for kept, found in ((self.running_mean, mean), (self.running_var, variance)):
            kept.add_((found.to(kept.dtype) - kept) * share)

    @classmethod
    def convert_sync_batchnorm(cls, module: Module, process_group: ProcessGroup | None = None) -> Module:
        """The module with such layers, over the same parameters and buffers, in place of each `BatchNorm*d`.

        A layer that does not know its number of channels yet stays as it is: call a lazy model once before.
        """
        converted = module
        if isinstance(module, _BatchNorm) and not is_lazy(module.weight) and not isinstance(module, SyncBatchNorm):
            made = cls(
                module.num_features,
                module.eps,
                module.momentum,
                module.affine,
                module.track_running_stats,
                process_group,
            )
            for name in ("weight", "bias"):
                made.register_parameter(name, getattr(module, name))
            for name in ("running_mean", "running_var", "num_batches_tracked"):
                made.register_buffer(name, getattr(module, name))
            made.training = module.training
            converted = made
        for name, child in list(module.named_children()):
            converted.add_module(name, cls.convert_sync_batchnorm(child, process_group))
        return converted
