"""The base of all schedules: a count of epochs, and the rates that belong to it.

The rates of one step follow from those of the last, so that what somebody else did to a rate in between is kept.
"""

from __future__ import annotations

from typing import Any

from ...tensor import Tensor
from ...tensor.conversion import item
from ...tensor.writing import fill_
from ..errors import OptimizerArgumentError, OptimizerTypeError
from ..optimizer import Optimizer

Rate = Any


class LRScheduler:
    """Base of all schedules. Subclasses define `get_lr`: the rates at `last_epoch`, given those at the epoch before.

    One that defines `_get_closed_form_lr` too, the rates at `last_epoch` whatever they are now, can jump to an epoch.
    """

    _is_initial = False
    """Whether the step under way is the one that the schedule begins with."""

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        self.optimizer = check_optimizer(optimizer)
        for place, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", number(group["lr"]))
            elif "initial_lr" not in group:
                raise OptimizerArgumentError(
                    f"a schedule that resumes (last_epoch={last_epoch}) needs 'initial_lr' in parameter group {place}"
                )
        self.base_lrs: list[float] = [number(group["initial_lr"]) for group in optimizer.param_groups]
        self.last_epoch = last_epoch
        self._last_lr: list[Rate] = []
        self._initial_step()

    def _initial_step(self) -> None:
        self._step_count = 0
        self._is_initial = True
        try:
            self.step()
        finally:
            self._is_initial = False

    def get_lr(self) -> list[Rate]:
        """The rates of the groups at `last_epoch`."""
        raise NotImplementedError(f"{type(self).__name__} has no get_lr(); define one")

    def get_last_lr(self) -> list[Rate]:
        """The rates that the last step wrote."""
        return self._last_lr

    def step(self, epoch: int | None = None) -> None:
        """Goes on by one epoch, or to `epoch`, and writes the rates."""
        self._step_count += 1
        self._update_lr(epoch)

    def _update_lr(self, epoch: int | None = None) -> None:
        if epoch is None:
            self.last_epoch += 1
            rates = self.get_lr()
        else:
            self.last_epoch = epoch
            rates = getattr(self, "_get_closed_form_lr", self.get_lr)()
        self._write(rates)

    def _write(self, rates: list[Rate]) -> None:
        for group, rate in zip(self.optimizer.param_groups, rates, strict=True):
            set_rate(group, rate)
        self._last_lr = self._current()

    def _current(self) -> list[float]:
        return [number(group["lr"]) for group in self.optimizer.param_groups]

    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimizer."""
        return {name: value for name, value in self.__dict__.items() if name != "optimizer"}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Takes over what `state_dict` gave; the optimizer's own rates are part of its own state."""
        self.__dict__.update(state_dict)


def check_optimizer(optimizer: Any) -> Optimizer:
    """`optimizer` itself. Errors: OptimizerTypeError if it is none."""
    if not isinstance(optimizer, Optimizer):
        raise OptimizerTypeError(f"a schedule is for an Optimizer, got {type(optimizer).__name__}")
    return optimizer


def number(rate: Any) -> float:
    """The rate as a Python number."""
    return item(rate) if isinstance(rate, Tensor) else rate


def set_rate(group: dict[str, Any], rate: Rate) -> None:
    """Writes the rate of a group; one in a tensor is filled in place."""
    if isinstance(group["lr"], Tensor):
        fill_(group["lr"], number(rate))
    else:
        group["lr"] = rate


def for_each_group(name: str, optimizer: Optimizer, value: Any) -> list[Any]:
    """A value for each group: `value` for all, or one each. Errors: OptimizerArgumentError for too few or too many."""
    count = len(optimizer.param_groups)
    if not isinstance(value, (list, tuple)):
        return [value] * count
    if len(value) != count:
        raise OptimizerArgumentError(f"{len(value)} values as {name} for {count} parameter groups; give one or {count}")
    return list(value)
