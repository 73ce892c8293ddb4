"""Schedules by a function of the user's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..errors import OptimizerArgumentError, OptimizerTypeError
from ..optimizer import Optimizer
from .schedule import LRScheduler, Rate

Factor = Callable[[int], float]


class LambdaLR(LRScheduler):
    """The initial rate times ``lr_lambda(epoch)``; one function for all groups, or a list with one for each."""

    def __init__(self, optimizer: Optimizer, lr_lambda: Factor | list[Factor], last_epoch: int = -1) -> None:
        count = len(optimizer.param_groups)
        self.lr_lambdas = list(lr_lambda) if isinstance(lr_lambda, (list, tuple)) else [lr_lambda] * count
        if len(self.lr_lambdas) != count:
            raise OptimizerArgumentError(f"{len(self.lr_lambdas)} functions for {count} parameter groups")
        for each in self.lr_lambdas:
            if not callable(each):
                raise OptimizerTypeError(f"lr_lambda is a function of the epoch, got {type(each).__name__}")
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Rate]:
        """The rates of the groups at `last_epoch`."""
        return [base * factor(self.last_epoch) for base, factor in zip(self.base_lrs, self.lr_lambdas)]

    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimizer and plain functions; of callable objects, their attributes."""
        state = {name: value for name, value in self.__dict__.items() if name not in ("optimizer", "lr_lambdas")}
        state["lr_lambdas"] = [
            None if not hasattr(each, "__dict__") or _is_plain(each) else dict(each.__dict__)
            for each in self.lr_lambdas
        ]
        return state

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Takes over what `state_dict` gave; functions stay the ones given to this schedule."""
        self.__dict__.update({name: value for name, value in state_dict.items() if name != "lr_lambdas"})
        for each, attributes in zip(self.lr_lambdas, state_dict.get("lr_lambdas", ())):
            if attributes is not None:
                each.__dict__.update(attributes)


class MultiplicativeLR(LambdaLR):
    """The last rate times ``lr_lambda(epoch)``."""

    def get_lr(self) -> list[Rate]:
        """The rates of the groups at `last_epoch`."""
        if self._is_initial:
            return self._current()
        return [rate * factor(self.last_epoch) for rate, factor in zip(self._current(), self.lr_lambdas)]


def _is_plain(function: Any) -> bool:
    """Whether it is a plain function, whose meaning lies in code and not in attributes."""
    return hasattr(function, "__code__")
