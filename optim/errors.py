"""What goes wrong with optimizers and schedulers, each error also the built-in that a caller would catch."""

from __future__ import annotations

from ..core.errors import GuardliftError


class OptimizerArgumentError(GuardliftError, ValueError):
    """A parameter group, a rate or a flag has a value that the optimizer cannot work with."""


class OptimizerTypeError(GuardliftError, TypeError):
    """Something other than tensors, or groups of them, was given to be optimised."""


class OptimizerStateError(GuardliftError, ValueError):
    """A state dict does not fit the optimizer it is loaded into."""


class GradientError(GuardliftError, RuntimeError):
    """A gradient is of a kind that the optimizer has no rule for."""
