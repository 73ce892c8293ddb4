"""The errors of communication between processes, each also the built-in error that a caller would catch."""

from __future__ import annotations

from ..core.errors import GuardliftError


class DistError(GuardliftError, RuntimeError):
    """Processes cannot communicate: there is no group, or the group has failed."""


class DistBackendError(DistError):
    """The library that moves the bytes raised an error."""


class DistTimeoutError(DistBackendError, TimeoutError):
    """Another process did not take part within the time limit of the group."""


class CollectiveMismatchError(DistError, ValueError):
    """The processes called different collectives, or the same one with other shapes, dtypes or settings."""


class MissingMPIError(DistError, ImportError):
    """mpi4py, or the MPI library that it needs, cannot be imported."""


class WorldSizeError(DistError, ValueError):
    """The number of processes or the rank is not the one that was asked for."""


class CollectiveArgumentError(DistError, ValueError):
    """A collective was given an argument that it does not take."""


class CollectiveTypeError(DistError, TypeError):
    """A collective was given something else than tensors and arrays of numbers."""
