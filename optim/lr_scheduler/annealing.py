"""Cosines, with and without restarts."""

from __future__ import annotations

import math

from ..errors import OptimizerArgumentError
from ..optimizer import Optimizer
from .schedule import LRScheduler, Rate


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
        if self._is_initial:
            return self._current()
        if self._step_count == 1 and epoch > 0:
            return self._get_closed_form_lr()
        if (epoch - 1 - half) % (2 * half) == 0:
            # The factor of the last epoch is 0 here: the rate is at its lowest, and the way up starts anew.
            rise = (1 - math.cos(math.pi / half)) / 2
            return [rate + (base - low) * rise for base, rate in zip(self.base_lrs, self._current())]
        ratio = (1 + math.cos(math.pi * epoch / half)) / (1 + math.cos(math.pi * (epoch - 1) / half))
        return [(rate - low) * ratio + low for rate in self._current()]

    def _get_closed_form_lr(self) -> list[Rate]:
        return _between(self.eta_min, self.base_lrs, self.last_epoch / self.T_max)


class CosineAnnealingWarmRestarts(LRScheduler):
    """Half a cosine down to `eta_min` in `T_0` epochs, then again from the top, each time `T_mult` times as long.

    `step` takes fractions of epochs. Source: Loshchilov & Hutter 2017, "SGDR".
    """

    def __init__(
        self, optimizer: Optimizer, T_0: int, T_mult: int = 1, eta_min: float = 0.0, last_epoch: int = -1
    ) -> None:
        for name, value in (("T_0", T_0), ("T_mult", T_mult)):
            if not isinstance(value, int) or value < 1:
                raise OptimizerArgumentError(f"{name} is a whole number of at least 1, got {value!r}")
        self.T_0 = T_0
        self.T_i = T_0
        self.T_mult = T_mult
        self.eta_min = eta_min
        self.T_cur: float = last_epoch
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Rate]:
        """The rates of the groups at `T_cur` epochs since the last restart."""
        return _between(self.eta_min, self.base_lrs, self.T_cur / self.T_i)

    def step(self, epoch: float | None = None) -> None:
        """Goes on by one epoch, or to `epoch`, and writes the rates."""
        if epoch is None and self.last_epoch < 0:
            epoch = 0
        if epoch is None:
            epoch = self.last_epoch + 1
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur %= self.T_i
                self.T_i *= self.T_mult
        elif epoch < 0:
            raise OptimizerArgumentError(f"an epoch is not negative, got {epoch}")
        else:
            self.T_cur, self.T_i = self._place(epoch)
        self.last_epoch = math.floor(epoch)
        self._write(self.get_lr())

    def _place(self, epoch: float) -> tuple[float, int]:
        """The time since the last restart before `epoch`, and the time from there to the next."""
        if epoch < self.T_0:
            return epoch, self.T_0
        if self.T_mult == 1:
            return epoch % self.T_0, self.T_i
        restarts = int(math.log(epoch / self.T_0 * (self.T_mult - 1) + 1, self.T_mult))
        before = self.T_0 * (self.T_mult**restarts - 1) / (self.T_mult - 1)
        return epoch - before, self.T_0 * self.T_mult**restarts


def _between(low: float, bases: list[float], way: float) -> list[Rate]:
    factor = (1 + math.cos(math.pi * way)) / 2
    return [low + (base - low) * factor for base in bases]
