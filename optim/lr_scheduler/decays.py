"""Schedules that multiply the rate by something, at some epochs or at each."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable

from ..errors import OptimizerArgumentError
from ..optimizer import Optimizer
from .schedule import LRScheduler, Rate


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

    def _get_closed_form_lr(self) -> list[Rate]:
        return [base * self.gamma ** (self.last_epoch // self.step_size) for base in self.base_lrs]


class MultiStepLR(LRScheduler):
    """Times `gamma` at each of the epochs `milestones`; as often as an epoch is named."""

    def __init__(
        self, optimizer: Optimizer, milestones: Iterable[int], gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        self.milestones = Counter(milestones)
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Rate]:
        """The rates of the groups at `last_epoch`."""
        times = self.milestones[self.last_epoch]
        return [rate * self.gamma**times for rate in self._current()] if times else self._current()

    def _get_closed_form_lr(self) -> list[Rate]:
        times = bisect_right(sorted(self.milestones.elements()), self.last_epoch)
        return [base * self.gamma**times for base in self.base_lrs]


class ExponentialLR(LRScheduler):
    """Times `gamma` every epoch."""

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Rate]:
        """The rates of the groups at `last_epoch`."""
        return self._current() if self._is_initial else [rate * self.gamma for rate in self._current()]

    def _get_closed_form_lr(self) -> list[Rate]:
        return [base * self.gamma**self.last_epoch for base in self.base_lrs]


class ConstantLR(LRScheduler):
    """Times `factor` for the first `total_iters` epochs."""

    def __init__(
        self, optimizer: Optimizer, factor: float = 1.0 / 3, total_iters: int = 5, last_epoch: int = -1
    ) -> None:
        if not 0.0 <= factor <= 1.0:
            raise OptimizerArgumentError(f"factor is to be between 0 and 1, got {factor}")
        self.factor = factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Rate]:
        """The rates of the groups at `last_epoch`."""
        if self.last_epoch == 0:
            return [rate * self.factor for rate in self._current()]
        if self.last_epoch != self.total_iters:
            return self._current()
        return [rate * (1.0 / self.factor) for rate in self._current()]

    def _get_closed_form_lr(self) -> list[Rate]:
        factor = 1.0 if self.last_epoch >= self.total_iters else self.factor
        return [base * factor for base in self.base_lrs]


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
        if self._is_initial or self.last_epoch > self.total_iters:
            return self._current()
        ratio = self._factor(self.last_epoch) / self._factor(self.last_epoch - 1)
        return [rate * ratio for rate in self._current()]

    def _get_closed_form_lr(self) -> list[Rate]:
        return [base * self._factor(self.last_epoch) for base in self.base_lrs]

    def _factor(self, epoch: int) -> float:
        way = min(epoch, self.total_iters) / self.total_iters
        return self.start_factor + (self.end_factor - self.start_factor) * way


class PolynomialLR(LRScheduler):
    """Down to 0 in `total_iters` epochs, as ``(1 - epoch / total_iters) ** power``."""

    def __init__(self, optimizer: Optimizer, total_iters: int = 5, power: float = 1.0, last_epoch: int = -1) -> None:
        self.total_iters = total_iters
        self.power = power
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Rate]:
        """The rates of the groups at `last_epoch`."""
        if self._is_initial or self.last_epoch > self.total_iters:
            return self._current()
        ratio = (self._left(self.last_epoch) / self._left(self.last_epoch - 1)) ** self.power
        return [rate * ratio for rate in self._current()]

    def _get_closed_form_lr(self) -> list[Rate]:
        factor = self._left(min(self.total_iters, self.last_epoch)) ** self.power
        return [base * factor for base in self.base_lrs]

    def _left(self, epoch: int) -> float:
        return 1.0 - epoch / self.total_iters
