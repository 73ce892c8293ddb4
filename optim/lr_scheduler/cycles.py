"""One cycle: up to a high rate and down to a very low one, with momentum the other way."""

from __future__ import annotations

import math
from typing import Any, Literal

from ..errors import OptimizerArgumentError
from ..optimizer import Optimizer
from .schedule import LRScheduler, Rate, check_optimizer, for_each_group

Phase = dict[str, Any]


class OneCycleLR(LRScheduler):
    """From ``max_lr / div_factor`` up to `max_lr` in `pct_start` of the steps, then far below where it began.

    With `three_phase` it comes down as it went up, and goes below in a third phase. With `cycle_momentum` the momentum,
    or the first of the betas, goes from `max_momentum` to `base_momentum` and back.
    Source: Smith & Topin 2018, "Super-Convergence"; the two phases are fastai's.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        max_lr: float | list[float],
        total_steps: int | None = None,
        epochs: int | None = None,
        steps_per_epoch: int | None = None,
        pct_start: float = 0.3,
        anneal_strategy: Literal["cos", "linear"] = "cos",
        cycle_momentum: bool = True,
        base_momentum: float | list[float] = 0.85,
        max_momentum: float | list[float] = 0.95,
        div_factor: float = 25.0,
        final_div_factor: float = 1e4,
        three_phase: bool = False,
        last_epoch: int = -1,
    ) -> None:
        self.optimizer = check_optimizer(optimizer)
        self.total_steps = _total(total_steps, epochs, steps_per_epoch)
        if not isinstance(pct_start, float) or not 0.0 <= pct_start <= 1.0:
            raise OptimizerArgumentError(f"pct_start is a float between 0 and 1, got {pct_start!r}")
        if anneal_strategy not in ("cos", "linear"):
            raise OptimizerArgumentError(f"anneal_strategy is 'cos' or 'linear', got {anneal_strategy!r}")
        self._schedule_phases = _phases(float(pct_start * self.total_steps), self.total_steps, three_phase)
        self._anneal_func_type = anneal_strategy
        highest = for_each_group("max_lr", optimizer, max_lr)
        if last_epoch == -1:
            for group, high in zip(optimizer.param_groups, highest):
                group["initial_lr"] = high / div_factor
                group["max_lr"] = high
                group["min_lr"] = group["initial_lr"] / final_div_factor
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self._begin_momentum(base_momentum, max_momentum, last_epoch)
        super().__init__(optimizer, last_epoch)

    def _begin_momentum(self, base: Any, highest: Any, last_epoch: int) -> None:
        optimizer = self.optimizer
        if "momentum" not in optimizer.defaults and "betas" not in optimizer.defaults:
            raise OptimizerArgumentError("cycle_momentum=True is for optimizers with 'momentum' or 'betas'; give False")
        self.use_beta1 = "betas" in optimizer.defaults
        highs = for_each_group("max_momentum", optimizer, highest)
        lows = for_each_group("base_momentum", optimizer, base)
        if last_epoch == -1:
            for group, high, low in zip(optimizer.param_groups, highs, lows):
                self._set_momentum(group, high)
                group["max_momentum"] = high
                group["base_momentum"] = low

    def _set_momentum(self, group: dict[str, Any], momentum: float) -> None:
        if self.use_beta1:
            group["betas"] = (momentum, *group["betas"][1:])
        else:
            group["momentum"] = momentum

    def get_lr(self) -> list[Rate]:
        """The rates of the groups at `last_epoch`; writes the momentum that belongs to them."""
        if self.last_epoch > self.total_steps:
            raise OptimizerArgumentError(
                f"step {self.last_epoch} of a cycle of {self.total_steps} steps; make the cycle longer, or end there"
            )
        phase, way = self._place()
        for group in self.optimizer.param_groups if self.cycle_momentum else ():
            self._set_momentum(group, self._at(group[phase["start_momentum"]], group[phase["end_momentum"]], way))
        return [self._at(each[phase["start_lr"]], each[phase["end_lr"]], way) for each in self.optimizer.param_groups]

    def _place(self) -> tuple[Phase, float]:
        """The phase at `last_epoch`, and how much of it has passed."""
        start = 0.0
        for phase in self._schedule_phases[:-1]:
            if self.last_epoch <= phase["end_step"]:
                break
            start = phase["end_step"]
        else:
            phase = self._schedule_phases[-1]
        return phase, (self.last_epoch - start) / (phase["end_step"] - start)

    def _at(self, start: float, end: float, way: float) -> float:
        if self._anneal_func_type == "linear":
            return (end - start) * way + start
        return end + (start - end) / 2.0 * (math.cos(math.pi * way) + 1)


def _total(total_steps: int | None, epochs: int | None, steps_per_epoch: int | None) -> int:
    given = {"total_steps": total_steps}
    if total_steps is None:
        if epochs is None or steps_per_epoch is None:
            raise OptimizerArgumentError("give total_steps, or epochs and steps_per_epoch")
        given = {"epochs": epochs, "steps_per_epoch": steps_per_epoch}
    for name, value in given.items():
        if not isinstance(value, int) or value <= 0:
            raise OptimizerArgumentError(f"{name} is a whole number above 0, got {value!r}")
    return math.prod(given.values())  # type: ignore[arg-type]


def _phases(rise: float, total: int, three: bool) -> list[Phase]:
    """The phases in PyTorch's form, which is part of its state dicts."""
    up = _phase(rise - 1, ("initial_lr", "max_lr"), ("max_momentum", "base_momentum"))
    if not three:
        return [up, _phase(total - 1, ("max_lr", "min_lr"), ("base_momentum", "max_momentum"))]
    down = _phase(2 * rise - 2, ("max_lr", "initial_lr"), ("base_momentum", "max_momentum"))
    return [up, down, _phase(total - 1, ("initial_lr", "min_lr"), ("max_momentum", "max_momentum"))]


def _phase(end: float, rates: tuple[str, str], momenta: tuple[str, str]) -> Phase:
    return {
        "end_step": end,
        "start_lr": rates[0],
        "end_lr": rates[1],
        "start_momentum": momenta[0],
        "end_momentum": momenta[1],
    }
