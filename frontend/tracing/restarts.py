"""Why a trace is made anew, or has come to where it ends: exceptions that no program sees, and errors of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.errors import KernelError
from ..breaks import BACKEND, INTERNAL, TOO_DEEP, GraphBreak

if TYPE_CHECKING:
    from ..interpreter.frame import Frame


class Restart(Exception):
    """The trace is to be made anew: something is known now that it should have known from the start."""


class RegionRestart(Restart):
    """A region is to be evaluated anew, which can be done for it alone. See Note [Evaluating a region once more]."""


class RestartFromStart(Restart):
    """The trace is to be made anew, and a split that was being made has to be looked for once more as well."""


class StaticSizes(Exception):
    """The trace met what symbolic sizes may not be given to; it is made again with static ones. It says why."""


class SplitReached(Exception):
    """The trace came to the instruction at which it is to be split."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame


class SplitEarlier(Exception):
    """The state cannot be written out at this split; it can be `at` an earlier count of instructions."""

    def __init__(self, at: int) -> None:
        self.at = at


def forget_frames(error: BaseException | None, handled: BaseException | None) -> None:
    """Lets go of the frames that an error of ours went through: they hold the user's objects, and it.

    handled: the exception that the user's program is handling, which Python made the context of ours; it is left alone.
    """
    while error is not None and error is not handled:
        error.__traceback__ = None
        following, error.__cause__, error.__context__ = error.__cause__ or error.__context__, None, None
        error = following


def broken_by(error: Exception) -> GraphBreak:
    """The break for an error that is none of the program's: nesting too deep, no back end, or a mistake of ours."""
    if isinstance(error, RecursionError):
        return TOO_DEEP.stop(error=type(error).__name__)
    kind = BACKEND if isinstance(error, KernelError) else INTERNAL
    return kind.stop(error=f"{type(error).__name__}: {error}")
