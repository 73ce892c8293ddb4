"""Schedules made of schedules: one after the other, or all at once."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

from ..errors import OptimizerArgumentError, OptimizerTypeError
from ..optimizer import Optimizer
from .plateau import ReduceLROnPlateau
from .schedule import LRScheduler, set_rate


class _Combined(LRScheduler):
    """Base of schedules made of schedules: the states of these are part of its own state."""

    def __init__(self, schedulers: Sequence[LRScheduler], optimizer: Optimizer) -> None:
        self._schedulers = list(schedulers)
        self.optimizer = optimizer
        for place, each in enumerate(self._schedulers):
            if not hasattr(each, "optimizer"):
                raise OptimizerTypeError(f"{type(self).__name__} is made of schedules, got {type(each).__name__}")
            if isinstance(each, ReduceLROnPlateau):
                raise OptimizerArgumentError(
                    f"schedule {place} is a ReduceLROnPlateau, whose step takes a metric; step it on its own"
                )
            if each.optimizer is not optimizer:
                raise OptimizerArgumentError(f"schedule {place} is for another optimizer than {type(self).__name__}")

    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimizer, with the states of the schedules."""
        state = {name: value for name, value in self.__dict__.items() if name not in ("optimizer", "_schedulers")}
        state["_schedulers"] = [each.state_dict() for each in self._schedulers]
        return state

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Takes over what `state_dict` gave; the schedules stay the ones given to this one."""
        self.__dict__.update({name: value for name, value in state_dict.items() if name != "_schedulers"})
        for each, state in zip(self._schedulers, state_dict["_schedulers"], strict=True):
            each.load_state_dict(state)


class SequentialLR(_Combined):
    """The first schedule up to the first milestone, the second up to the second, and so on; each counts from 0."""

    def __init__(
        self, optimizer: Optimizer, schedulers: list[LRScheduler], milestones: list[int], last_epoch: int = -1
    ) -> None:
        if not schedulers or len(milestones) != len(schedulers) - 1:
            raise OptimizerArgumentError(
                f"one schedule more than milestones, got {len(schedulers)} schedules and {len(milestones)} milestones"
            )
        super().__init__(schedulers, optimizer)
        self._milestones = milestones
        self.last_epoch = last_epoch + 1
        for group in optimizer.param_groups:
            set_rate(group, group["initial_lr"])
        _undo(self._schedulers)
        first = self._schedulers[bisect_right(milestones, 0)]
        first._initial_step()
        self._last_lr = first.get_last_lr()

    def step(self) -> None:  # type: ignore[override]
        """Goes on by one epoch, and writes the rates."""
        self.last_epoch += 1
        begun = (place for place, milestone in enumerate(self._milestones) if self.last_epoch < milestone)
        place = next(begun, len(self._milestones))
        schedule = self._schedulers[place]
        if place > 0 and self._milestones[place - 1] == self.last_epoch:
            schedule._update_lr(0)
        else:
            schedule.step()
        self._last_lr = schedule.get_last_lr()


class ChainedScheduler(_Combined):
    """All schedules step together, each on the rates that the one before it wrote."""

    def __init__(self, schedulers: Sequence[LRScheduler], optimizer: Optimizer | None = None) -> None:
        if not schedulers:
            raise OptimizerArgumentError("ChainedScheduler is made of one schedule at least, got none")
        super().__init__(schedulers, schedulers[0].optimizer if optimizer is None else optimizer)
        self._last_lr = self._current()

    def step(self) -> None:  # type: ignore[override]
        """Steps every schedule."""
        for each in self._schedulers:
            each.step()
        self._last_lr = self._current()


def _undo(schedulers: list[LRScheduler]) -> None:
    """Takes back the step that schedules begin with; those inside of others too."""
    for each in schedulers:
        if isinstance(each, _Combined):
            _undo(each._schedulers)
        else:
            each.last_epoch -= 1
