"""Exceptions that users meet. Each also derives from the built-in that a caller would catch."""

from __future__ import annotations


class GuardliftError(Exception):
    """Base of every exception that guardlift raises on its own account."""


class NotAFunctionError(GuardliftError, TypeError):
    """`jit` was given something that is not a plain Python function."""


class SpecError(GuardliftError, ValueError):
    """An argument to compile for was described by a shape, a dtype or a text that says nothing."""


class UnknownSettingError(GuardliftError, AttributeError):
    """A setting was named that `gl.config` does not have."""


class SettingValueError(GuardliftError, ValueError):
    """A setting was given a value of the wrong kind, in code or in a `GUARDLIFT_*` variable."""


class GraphError(GuardliftError, ValueError):
    """A graph breaks one of its own rules, or the text of one cannot be parsed."""


class OpError(GuardliftError, TypeError):
    """An operation was given operands that its declaration does not accept."""


class KernelError(GuardliftError, RuntimeError):
    """A kernel could not be built or loaded on this machine."""


class LinAlgError(GuardliftError, RuntimeError):
    """A matrix has no inverse, no such factor, or LAPACK found none."""


class BackendError(GuardliftError, RuntimeError):
    """A backend raised an error, or gave something else than the arrays that its graph stands for."""


class RecompileError(GuardliftError, RuntimeError):
    """A function compiled again where the settings forbid it; the text says why it did."""


class AssumptionError(GuardliftError, RuntimeError):
    """Something that compiled code relies on changed and nobody was told: a write behind the watchers, or a bug.

    Raised only under `gl.config.check_assumptions`.
    """


class BackwardMetadataError(GuardliftError, AssertionError):
    """The backward of a custom function changes shape or memory of a tensor, which its compiled form cannot do."""


class SizeError(GuardliftError, RuntimeError):
    """Something was asked of a symbolic size after its trace was over: a bug in guardlift."""


class StrongReferenceError(GuardliftError, TypeError):
    """Compiled code was about to keep a module, an optimizer or a tensor alive: a bug in guardlift."""


class Unsupported(GuardliftError, RuntimeError):
    """A graph break under ``fullgraph=True``: code, reason, the user's line and the remedy."""


class UnsupportedPythonError(GuardliftError, ImportError):
    """This version of Python is none that guardlift can run on."""


class UnsupportedPlatformWarning(GuardliftError, UserWarning):
    """Jitted functions run as plain Python, since compiled code does not know this platform. Given once a process."""


class GraphBreakWarning(GuardliftError, UserWarning):
    """Calls of a jitted function run as plain Python, and why. Given once for each break of a function."""


class DeviceError(GuardliftError, RuntimeError):
    """Operands of an operation lie on several devices."""


class CudaError(GuardliftError, RuntimeError):
    """A GPU, or its driver, could not do what was asked. It is no reason to run a jitted function as plain Python."""


class OutOfMemoryError(CudaError):
    """The memory of a GPU does not suffice, or not as much of it as may be used; the text says what is held."""


class NoDriverError(CudaError):
    """This machine has no driver for NVIDIA GPUs."""


class NoDeviceError(CudaError):
    """There is no GPU of that number, or none that this process may use."""


class OldDriverError(CudaError):
    """The driver is older than the code that it was given, or than the toolkit that made that."""


class DeviceLostError(CudaError):
    """A kernel has failed in a way after which the GPU does nothing more for this process."""


class LateCheckError(CudaError, IndexError):
    """An index was out of range in a call that nobody waited for: see `gl.config.cuda_checks`."""


class ForkedProcessError(CudaError):
    """A GPU was used before a fork, and in the child it cannot be used."""


class NoArrayError(GuardliftError, RuntimeError):
    """A tensor was asked for the array of its elements that has none: a sparse one, or one inside of `vmap`."""


class BatchedValueError(NoArrayError):
    """Something was asked, inside of a function that `vmap` maps, that needs the elements of one call alone."""


class SparseError(NoArrayError, NotImplementedError):
    """Something was asked of a sparse tensor that needs all of its elements, or that it has no rule for."""


class NotWritable(GuardliftError, TypeError):
    """Raised inside guardlift alone: something that is to be kept on disk means nothing to another process."""


class Differs(GuardliftError, RuntimeError):
    """Raised inside guardlift alone: a fact that another process wrote down does not hold here."""
