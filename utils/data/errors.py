"""The errors of loaders, each also the built-in error that a caller would catch."""

from __future__ import annotations

from ...core.errors import GuardliftError


class CollateTypeError(GuardliftError, TypeError):
    """Samples are of a kind of which no batch is made."""


class WorkerDiedError(GuardliftError, RuntimeError):
    """A worker process ended by itself, was killed, or gave no batch in time."""
