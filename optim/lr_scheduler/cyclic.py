"""Cycles without an end, between two rates."""

from __future__ import annotations

import math
import types
from collections.abc import Callable
from typing import Any, Literal

from ..errors import OptimizerArgumentError
from ..optimizer import Optimizer
from .schedule import LRScheduler, Rate, check_optimizer, for_each_group, set_rate

MODES = ("triangular", "triangular2", "exp_range")


class CyclicLR(LRScheduler):
    """From `base_lr` up to `max_lr` in `step_size_up` steps, down again in `step_size_down`, and so on.

    mode: cycles of one height, each half as high as the last ("triangular2"), or lower by `gamma` with each step
    ("exp_range"). scale_fn: a function in its place, of the number of the cycle or (scale_mode="iterations") of the
    step. With `cycle_momentum` the momentum, or the first of the betas, goes the other way.
    Errors: OptimizerArgumentError (a ValueError) for another mode without a scale_fn, and for cycle_momentum with an
    optimizer that has none.
    Source: Smith 2017, "Cyclical Learning Rates for Training Neural Networks".
    """

    def __init__(
        self,
        optimizer: Optimizer,
        base_lr: float | list[float],
        max_lr: float | list[float],
        step_size_up: int = 2000,
        step_size_down: int | None = None,
        mode: Literal["triangular", "triangular2", "exp_range"] = "triangular",
        gamma: float = 1.0,
        scale_fn: Callable[[float], float] | None = None,
        scale_mode: Literal["cycle", "iterations"] = "cycle",
        cycle_momentum: bool = True,
        base_momentum: float = 0.8,
        max_momentum: float = 0.9,
        last_epoch: int = -1,
    ) -> None:
        self.optimizer = check_optimizer(optimizer)
        if mode not in MODES and scale_fn is None:
            raise OptimizerArgumentError(f"mode is one of {', '.join(MODES)}, or scale_fn is given; got {mode!r}")
        lowest = for_each_group("base_lr", optimizer, base_lr)
        self.max_lrs = for_each_group("max_lr", optimizer, max_lr)
        if last_epoch == -1:
            for group, low in zip(optimizer.param_groups, lowest):
                set_rate(group, low)
        up = float(step_size_up)
        self.total_size = up + (up if step_size_down is None else float(step_size_down))
        self.step_ratio = up / self.total_size
        self.mode = mode
        self.gamma = gamma
        self._scale_fn_custom = scale_fn
        self.scale_mode = scale_mode if scale_fn is not None else "iterations" if mode == "exp_range" else "cycle"
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self._begin_momentum(base_momentum, max_momentum, last_epoch)
        super().__init__(optimizer, last_epoch)
        self.base_lrs = lowest

    def _begin_momentum(self, base: Any, highest: Any, last_epoch: int) -> None:
        optimizer = self.optimizer
        if "momentum" not in optimizer.defaults and "betas" not in optimizer.defaults:
            raise OptimizerArgumentError("cycle_momentum=True is for optimizers with 'momentum' or 'betas'; give False")
        self.use_beta1 = "betas" in optimizer.defaults
        self.base_momentums = for_each_group("base_momentum", optimizer, base)
        self.max_momentums = for_each_group("max_momentum", optimizer, highest)
        if last_epoch == -1:
            for group, high, low in zip(optimizer.param_groups, self.max_momentums, self.base_momentums):
                self._set_momentum(group, high)
                group["max_momentum"] = high
                group["base_momentum"] = low

    def _set_momentum(self, group: dict[str, Any], momentum: float) -> None:
        if self.use_beta1:
            group["betas"] = (momentum, *group["betas"][1:])
        else:
            group["momentum"] = momentum

    def scale_fn(self, x: float) -> float:
        """The height of a cycle, as a share of that of the first."""
        if self._scale_fn_custom is not None:
            return self._scale_fn_custom(x)
        if self.mode == "exp_range":
            return self.gamma**x
        return 1.0 if self.mode == "triangular" else 1 / (2.0 ** (x - 1))

    def get_lr(self) -> list[Rate]:
        """The rates of the groups at `last_epoch`; writes the momentum that belongs to them."""
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        place = 1.0 + self.last_epoch / self.total_size - cycle
        rises = place <= self.step_ratio
        share = place / self.step_ratio if rises else (place - 1) / (self.step_ratio - 1)
        scale = self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        if self.cycle_momentum:
            bounds = zip(self.optimizer.param_groups, self.base_momentums, self.max_momentums)
            for group, low, high in bounds:
                self._set_momentum(group, high - (high - low) * share * scale)
        return [low + (high - low) * share * scale for low, high in zip(self.base_lrs, self.max_lrs)]

    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimizer; of a scale_fn that is an object its attributes, and nothing of a function."""
        state = super().state_dict()
        scale_fn = state["_scale_fn_custom"]
        is_object = scale_fn is not None and not isinstance(scale_fn, types.FunctionType)
        return {**state, "_scale_fn_custom": {**vars(scale_fn)} if is_object else None}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Takes over what `state_dict` gave; the scale_fn stays, with the attributes that were saved."""
        kept = self._scale_fn_custom
        super().load_state_dict({**state_dict, "_scale_fn_custom": kept})
        if state_dict["_scale_fn_custom"] is not None:
            vars(kept).update(state_dict["_scale_fn_custom"])
