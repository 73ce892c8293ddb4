"""The errors of optimizers and schedulers, each also the built-in error that a caller would catch."""

from __future__ import annotations

from ..core.errors import GuardliftError


class OptimizerArgumentError(GuardliftError, ValueError):
    """A parameter group, a rate or a flag has a value that the optimizer cannot work with."""


class OptimizerTypeError(GuardliftError, TypeError):
    """Something other than tensors, or groups of them, was given to be optimised."""


class OptimizerStateError(GuardliftError, ValueError):
    """A state dict does not fit the optimizer it is loaded into."""


class OptimizerSwapError(GuardliftError, RuntimeError):
    """Parameters or a state that are to be an optimizer's for a while do not fit it."""


class StepError(GuardliftError, RuntimeError):
    """A parameter cannot be stepped: its gradient, its state or its memory is of a kind there is no rule for."""
