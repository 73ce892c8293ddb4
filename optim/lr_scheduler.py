"""Learning-rate schedules: each step writes ``group["lr"]`` of every group, and nothing else.

The rates of one step follow from those of the last, so that what somebody else did to a rate in between is kept.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ..tensor import Tensor
from ..tensor.conversion import item
from ..tensor.writing import fill_
from .errors import OptimizerArgumentError, OptimizerTypeError
from .optimizer import Optimizer

Rate = Any


class LRScheduler:
    """Base of all schedules. Subclasses define `get_lr`: the rates at `last_epoch`, given those at the epoch before."""

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        if not isinstance(optimizer, Optimizer):
            raise OptimizerTypeError(f"a schedule is for an Optimizer, got {type(optimizer).__name__}")
        self.optimizer = optimizer
        for number, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group["initial_lr"] = _number(group["lr"])
            elif "initial_lr" not in group:
                raise OptimizerArgumentError(
                    f"a schedule that resumes (last_epoch={last_epoch}) needs 'initial_lr' in parameter group {number}"
                )
        self.base_lrs: list[float] = [_number(group["initial_lr"]) for group in optimizer.param_groups]
        self.last_epoch = last_epoch
        self._step_count = 0
        self._last_lr: list[Rate] = []
        self.step()

    def get_lr(self) -> list[Rate]:
        """The rates of the groups at `last_epoch`."""
        raise NotImplementedError(f"{type(self).__name__} has no get_lr(); define one")

    def get_last_lr(self) -> list[Rate]:
        """The rates that the last step wrote."""
        return self._last_lr

    def step(self, epoch: int | None = None) -> None:
        """Goes on by one epoch, or to `epoch`, and writes the rates."""
        self._step_count += 1
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        rates = self._closed_form() if epoch is not None else self.get_lr()
        for group, rate in zip(self.optimizer.param_groups, rates):
            if isinstance(group["lr"], Tensor):
                fill_(group["lr"], rate)
            else:
                group["lr"] = rate
        self._last_lr = [_number(group["lr"]) for group in self.optimizer.param_groups]

    def _closed_form(self) -> list[Rate]:
        """The rates at `last_epoch`, whatever they are now; for a jump to an epoch."""
        return self.get_lr()

    def _current(self) -> list[float]:
        return [_number(group["lr"]) for group in self.optimizer.param_groups]

    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimizer."""
        return {name: value for name, value in self.__dict__.items() if name != "optimizer"}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Takes over what `state_dict` gave; the optimizer's own rates are part of its own state."""
        self.__dict__.update(state_dict)


class LambdaLR(LRScheduler):
    """The initial rate times ``lr_lambda(epoch)``; one function for all groups, or a list with one for each."""

    def __init__(
        self,
        optimizer: Optimizer,
        lr_lambda: Callable[[int], float] | list[Callable[[int], float]],
        last_epoch: int = -1,
    ) -> None:
        count = len(optimizer.param_groups)
        self.lr_lambdas = list(lr_lambda) if isinstance(lr_lambda, (list, tuple)) else [lr_lambda] * count
        if len(self.lr_lambdas) != count:
            raise OptimizerArgumentError(f"{len(self.lr_lambdas)} functions for {count} parameter groups")
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Rate]:
        """The rates of the groups at `last_epoch`."""
        return [base * factor(self.last_epoch) for base, factor in zip(self.base_lrs, self.lr_lambdas)]

    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimizer and plain functions; of callable objects, their attributes."""
        state = {name: value for name, value in self.__dict__.items() if name not in ("optimizer", "lr_lambdas")}
        state["lr_lambdas"] = [
            None if not hasattr(each, "__dict__") or callable_by_name(each) else dict(each.__dict__)
            for each in self.lr_lambdas
        ]
        return state

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Takes over what `state_dict` gave; functions stay the ones given to this schedule."""
        self.__dict__.update({name: value for name, value in state_dict.items() if name != "lr_lambdas"})
        for each, attributes in zip(self.lr_lambdas, state_dict.get("lr_lambdas", ())):
            if attributes is not None:
                each.__dict__.update(attributes)


def callable_by_name(function: Any) -> bool:
    """Whether it is a plain function, whose meaning lies in code and not in attributes."""
    return hasattr(function, "__code__")


class StepLR(LRScheduler):
    """Times `gamma` every `step_size` epochs."""

    def __init__(self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1) -> None:
        self.step_size = step_size
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Rate]:
        """The rates of the groups at `last_epoch`."""
        if self.last_epoch == 0 or self.last_epoch % self.step_size != 0:
            return self._current()
        return [rate * self.gamma for rate in self._current()]

    def _closed_form(self) -> list[Rate]:
        return [base * self.gamma ** (self.last_epoch // self.step_size) for base in self.base_lrs]


class ExponentialLR(LRScheduler):
    """Times `gamma` every epoch."""

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Rate]:
        """The rates of the groups at `last_epoch`."""
        if self.last_epoch == 0:
            return self._current()
        return [rate * self.gamma for rate in self._current()]

    def _closed_form(self) -> list[Rate]:
        return [base * self.gamma**self.last_epoch for base in self.base_lrs]


class CosineAnnealingLR(LRScheduler):
    """Half a cosine from the initial rate down to `eta_min` in `T_max` epochs, and up again.

    Source: Loshchilov & Hutter 2017, equation 5, without restarts.
    """

    def __init__(self, optimizer: Optimizer, T_max: int, eta_min: float = 0.0, last_epoch: int = -1) -> None:
        self.T_max = T_max
        self.eta_min = eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Rate]:
        """The rates of the groups at `last_epoch`."""
        epoch, low, half = self.last_epoch, self.eta_min, self.T_max
        if epoch == 0:
            return self._current()
        if self._step_count == 1 and epoch > 0:
            return self._closed_form()
        if (epoch - 1 - half) % (2 * half) == 0:
            # The factor of the last epoch is 0 here: the rate is at its lowest, and the way up starts anew.
            rise = (1 - math.cos(math.pi / half)) / 2
            return [rate + (base - low) * rise for base, rate in zip(self.base_lrs, self._current())]
        ratio = (1 + math.cos(math.pi * epoch / half)) / (1 + math.cos(math.pi * (epoch - 1) / half))
        return [(rate - low) * ratio + low for rate in self._current()]

    def _closed_form(self) -> list[Rate]:
        factor = (1 + math.cos(math.pi * self.last_epoch / self.T_max)) / 2
        return [self.eta_min + (base - self.eta_min) * factor for base in self.base_lrs]


class LinearLR(LRScheduler):
    """Times a factor that goes from `start_factor` to `end_factor` in `total_iters` epochs, and stays there."""

    def __init__(
        self,
        optimizer: Optimizer,
        start_factor: float = 1.0 / 3,
        end_factor: float = 1.0,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        if not 0.0 < start_factor <= 1.0:
            raise OptimizerArgumentError(f"start_factor is to be above 0 and at most 1, got {start_factor}")
        if not 0.0 <= end_factor <= 1.0:
            raise OptimizerArgumentError(f"end_factor is to be between 0 and 1, got {end_factor}")
        self.start_factor = start_factor
        self.end_factor = end_factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Rate]:
        """The rates of the groups at `last_epoch`."""
        if self.last_epoch == 0:
            return [rate * self.start_factor for rate in self._current()]
        if self.last_epoch > self.total_iters:
            return self._current()
        ratio = self._factor(self.last_epoch) / self._factor(self.last_epoch - 1)
        return [rate * ratio for rate in self._current()]

    def _closed_form(self) -> list[Rate]:
        return [base * self._factor(self.last_epoch) for base in self.base_lrs]

    def _factor(self, epoch: int) -> float:
        way = min(epoch, self.total_iters) / self.total_iters
        return self.start_factor + (self.end_factor - self.start_factor) * way


def _number(rate: Any) -> float:
    """The rate as a Python number."""
    return item(rate) if isinstance(rate, Tensor) else rate
