"""The rate goes down when a metric no longer gets better."""

from __future__ import annotations

import math
from typing import Any, Literal, SupportsFloat

from ..errors import OptimizerArgumentError
from ..optimizer import Optimizer
from .schedule import LRScheduler, check_optimizer, for_each_group, number, set_rate


class ReduceLROnPlateau(LRScheduler):
    """Times `factor` once the metric has not got better for more than `patience` steps; then waits `cooldown` steps.

    Better is less (mode "min") or more ("max") than the best so far, by `threshold`: a share of it ("rel"), or as it is
    ("abs"). No rate goes below `min_lr`, or changes by less than `eps`.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        mode: Literal["min", "max"] = "min",
        factor: float = 0.1,
        patience: int = 10,
        threshold: float = 1e-4,
        threshold_mode: Literal["rel", "abs"] = "rel",
        cooldown: int = 0,
        min_lr: list[float] | float = 0,
        eps: float = 1e-8,
    ) -> None:
        if factor >= 1.0:
            raise OptimizerArgumentError(f"factor is to be less than 1, got {factor}")
        if mode not in ("min", "max"):
            raise OptimizerArgumentError(f"mode is 'min' or 'max', got {mode!r}")
        if threshold_mode not in ("rel", "abs"):
            raise OptimizerArgumentError(f"threshold_mode is 'rel' or 'abs', got {threshold_mode!r}")
        self.optimizer = check_optimizer(optimizer)
        self.factor = factor
        self.default_min_lr = None if isinstance(min_lr, (list, tuple)) else min_lr
        self.min_lrs = for_each_group("min_lr", optimizer, min_lr)
        self.patience = patience
        self.cooldown = cooldown
        self.eps = eps
        self.last_epoch = 0
        self._last_lr = self._current()
        self.mode = mode
        self.threshold = threshold
        self.threshold_mode = threshold_mode
        self.mode_worse = math.inf if mode == "min" else -math.inf
        self._reset()

    def _reset(self) -> None:
        self.best = self.mode_worse
        self.cooldown_counter = 0
        self.num_bad_epochs = 0

    def step(self, metrics: SupportsFloat, epoch: int | None = None) -> None:  # type: ignore[override]
        """Goes on by one epoch, or to `epoch`, with the metric of the last one."""
        current = float(metrics)
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        if self._is_better(current, self.best):
            self.best = current
            self.num_bad_epochs = 0
        else:
            self.num_bad_epochs += 1
        if self.in_cooldown:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            self._reduce()
            self.cooldown_counter = self.cooldown
            self.num_bad_epochs = 0
        self._last_lr = self._current()

    @property
    def in_cooldown(self) -> bool:
        """Whether it waits after the last reduction."""
        return self.cooldown_counter > 0

    def _reduce(self) -> None:
        groups = self.optimizer.param_groups
        if len(self.min_lrs) != len(groups):
            if self.default_min_lr is None:
                raise OptimizerArgumentError(
                    f"{len(self.min_lrs)} lowest rates for {len(groups)} parameter groups, one of which came later; "
                    "set min_lrs anew"
                )
            self.min_lrs = [self.default_min_lr] * len(groups)
        for group, lowest in zip(groups, self.min_lrs):
            old = float(number(group["lr"]))
            new = max(old * self.factor, lowest)
            if old - new > self.eps:
                set_rate(group, new)

    def _is_better(self, metric: float, best: float) -> bool:
        less = self.mode == "min"
        if self.threshold_mode == "rel":
            bound = best * (1.0 - self.threshold if less else 1.0 + self.threshold)
        else:
            bound = best - self.threshold if less else best + self.threshold
        return metric < bound if less else metric > bound

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Takes over what `state_dict` gave."""
        super().load_state_dict(state_dict)
        self.mode_worse = math.inf if self.mode == "min" else -math.inf
