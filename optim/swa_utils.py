"""Averages of a model's weights, over all steps or exponentially decaying ones (EMA), and what goes with them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from itertools import chain
from typing import Any

from ..autograd.modes import no_grad
from ..core import dtypes
from ..nn.module import Module
from ..nn.modules.batchnorm import _BatchNorm
from ..tensor import Tensor
from ..tensor.arithmetic import add, div, mul, sub
from ..tensor.creation import tensor
from ..tensor.pointwise import eq, where
from ..tensor.surface import surface
from ..tensor.tracing import tracing
from ..tensor.writing import copy_
from .errors import OptimizerArgumentError
from .lr_scheduler.schedule import LRScheduler, Rate, for_each_group
from .optimizer import Optimizer

Average = Callable[[Tensor, Tensor, Any], Tensor]
MultiAverage = Callable[[Sequence[Tensor], Sequence[Tensor], Any], None]


def get_ema_avg_fn(decay: float = 0.999) -> Average:
    """A function (average, weight, count): ``decay * average + (1 - decay) * weight``."""
    _check_decay(decay)

    def ema(average: Tensor, weight: Tensor, count: Any) -> Tensor:
        with no_grad():
            return decay * average + (1 - decay) * weight

    return ema


def get_swa_avg_fn() -> Average:
    """A function (average, weight, count): the mean of `count` weights averaged before and this one."""

    def swa(average: Tensor, weight: Tensor, count: Any) -> Tensor:
        with no_grad():
            return average + (weight - average) / (count + 1)

    return swa


def get_ema_multi_avg_fn(decay: float = 0.999) -> MultiAverage:
    """A function (averages, weights, count) that moves each average to its weight by ``1 - decay`` of the way."""
    _check_decay(decay)
    return _Averaging(decay)


def get_swa_multi_avg_fn() -> MultiAverage:
    """A function (averages, weights, count) that makes each average the mean of `count` weights before and this one."""
    return _Averaging(None)


class _Averaging:
    """One of the two functions above; decay is None for the mean."""

    __slots__ = ("decay",)

    def __init__(self, decay: float | None) -> None:
        self.decay = decay

    def __call__(self, averages: Sequence[Tensor], weights: Sequence[Tensor], count: Any) -> None:
        with no_grad():
            take_in_(averages, weights, count, self.decay, False)


@surface
def take_in_(averages: Sequence[Any], weights: Sequence[Any], count: Any, decay: float | None, begins: bool) -> None:
    """Moves every average towards its weight, in place; with `begins`, a count of 0 makes it the weight.

    count: how many weights were taken in before, a tensor of no axes, or a number.   decay: None for the mean.
    """
    traced = tracing() is not None
    if begins and not traced and int(count) == 0:
        for average, weight in zip(averages, weights, strict=True):
            copy_(average, weight)
        return
    for average, weight in zip(averages, weights, strict=True):
        way = sub(weight, average)
        if decay is None:
            moved = add(average, div(way, add(count, 1)))
        elif decay > 0.5:
            moved = add(average, mul(way, 1 - decay))
        else:  # counted from the end that weighs more
            moved = sub(weight, mul(way, decay))
        copy_(average, where(eq(count, 0), weight, moved) if begins and traced else moved)


class AveragedModel(Module):
    """A copy of a model whose parameters are averages of the model's; `update_parameters` takes the model's in.

    avg_fn: (average, weight, count) -> the new average of one parameter; multi_avg_fn: (averages, weights, count) of
    all parameters of one dtype, in place. Without either it is the mean over all updates. The first update copies.
    use_buffers: buffers are averaged too, and not copied.   device: where the averages lie; where the model does, if
        None.
    """

    n_averaged: Tensor

    def __init__(
        self,
        model: Module,
        device: Any = None,
        avg_fn: Average | None = None,
        multi_avg_fn: MultiAverage | None = None,
        use_buffers: bool = False,
    ) -> None:
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise OptimizerArgumentError("give avg_fn or multi_avg_fn, not both")
        self.module = deepcopy(model) if device is None else deepcopy(model).to(device)
        self.register_buffer("n_averaged", tensor(0, dtype=dtypes.int64))
        self.avg_fn = avg_fn
        self.multi_avg_fn = multi_avg_fn
        self.use_buffers = use_buffers

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """The result of the averaged model."""
        return self.module(*args, **kwargs)

    def update_parameters(self, model: Module) -> None:
        """Takes the parameters of `model` into the averages."""
        with no_grad():
            averages = [each.detach() for each in self._averaged(self.module)]
            weights = [each.detach() for each in self._averaged(model)]
            average_of = self.multi_avg_fn
            if average_of is None and self.avg_fn is None:
                take_in_(averages, weights, self.n_averaged, None, True)
            elif isinstance(average_of, _Averaging):
                take_in_(averages, weights, self.n_averaged, average_of.decay, True)
            else:
                self._ask(averages, weights)
            if not self.use_buffers:
                for own, other in zip(self.module.buffers(), model.buffers(), strict=True):
                    own.copy_(other)
            self.n_averaged.add_(1)

    def _ask(self, averages: list[Tensor], weights: list[Tensor]) -> None:
        """Takes `weights` into the averages by a function of the user's, which is not asked at the first update."""
        if self.n_averaged == 0:
            for average, weight in zip(averages, weights, strict=True):
                average.copy_(weight)
        elif self.multi_avg_fn is not None:
            for alike in _by_dtype(averages):
                self.multi_avg_fn([averages[k] for k in alike], [weights[k] for k in alike], self.n_averaged)
        elif self.avg_fn is not None:
            for average, weight in zip(averages, weights, strict=True):
                average.copy_(self.avg_fn(average, weight, self.n_averaged))

    def _averaged(self, model: Module) -> Iterable[Tensor]:
        return chain(model.parameters(), model.buffers()) if self.use_buffers else model.parameters()


def update_bn(loader: Iterable[Any], model: Module, device: Any = None) -> None:
    """Makes the running statistics of every batch normalization in `model` the means over one pass of `loader`.

    loader: batches; of a list or a tuple the first element is the model's input.   device: where the inputs are put.
    An averaged model needs it, whose statistics are those of other weights. The model runs in training mode, and is in
    the mode that it was in afterwards; without such layers nothing runs.
    """
    layers = [module for module in model.modules() if isinstance(module, _BatchNorm)]
    momenta = [layer.momentum for layer in layers]
    if not layers:
        return
    was_training = model.training
    model.train()
    for layer in layers:
        layer.reset_running_stats()
        layer.momentum = None
    with no_grad():
        for batch in loader:
            x = batch[0] if isinstance(batch, (list, tuple)) else batch
            model(x if device is None else x.to(device))
    for layer, momentum in zip(layers, momenta, strict=True):
        layer.momentum = momentum
    model.train(was_training)


class SWALR(LRScheduler):
    """Goes from the rate of the moment to `swa_lr` in `anneal_epochs` epochs, and stays there.

    swa_lr: one for all groups, or one each; kept in the group.   anneal_strategy: along half a cosine ("cos") or
        a line ("linear").
    Source: Izmailov et al. 2018, "Averaging weights leads to wider optima and better generalization".
    """

    def __init__(
        self,
        optimizer: Optimizer,
        swa_lr: float | Sequence[float],
        anneal_epochs: int = 10,
        anneal_strategy: str = "cos",
        last_epoch: int = -1,
    ) -> None:
        if anneal_strategy not in {"cos", "linear"}:
            raise OptimizerArgumentError(f"anneal_strategy is 'cos' or 'linear', got {anneal_strategy!r}")
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise OptimizerArgumentError(f"anneal_epochs is a whole number of at least 0, got {anneal_epochs!r}")
        for group, rate in zip(optimizer.param_groups, for_each_group("swa_lr", optimizer, swa_lr), strict=True):
            group["swa_lr"] = rate
        self.anneal_epochs = anneal_epochs
        self._anneal_strategy = anneal_strategy
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Rate]:
        """The rates of the groups at this step: what they are now tells where the way began."""
        step = self._step_count - 1
        if self.anneal_epochs == 0:
            step = max(1, step)
        before, now = self._way(step - 1), self._way(step)
        rates = []
        for rate, group in zip(self._current(), self.optimizer.param_groups):
            last = group["swa_lr"]
            begin = last if before == 1 else (rate - before * last) / (1 - before)
            rates.append(last * now + begin * (1 - now))
        return rates

    def _way(self, step: int) -> float:
        """The part of the way to `swa_lr` that lies behind after `step` epochs, in [0, 1]."""
        part = max(0.0, min(1.0, step / max(1, self.anneal_epochs)))
        return part if self._anneal_strategy == "linear" else (1 - math.cos(math.pi * part)) / 2


def _by_dtype(tensors: list[Tensor]) -> list[list[int]]:
    alike: dict[Any, list[int]] = {}
    for place, each in enumerate(tensors):
        alike.setdefault(each.dtype, []).append(place)
    return list(alike.values())


def _check_decay(decay: float) -> None:
    if not 0.0 <= decay <= 1.0:
        raise OptimizerArgumentError(f"decay is to be between 0 and 1, got {decay}")
