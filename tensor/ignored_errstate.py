"""Running NumPy without its floating-point warnings: `1 / 0` is `inf` for a Tensor, and nothing is said about it."""

# Note [The context without errstate]
# NumPy keeps its error state in a context variable, and `np.errstate` takes a microsecond to change it and put it back:
# several times the cost of a small addition. Entering a `contextvars.Context` in which it was changed once costs 20 ns.
# The context starts empty, so that it keeps none of the caller's variables alive; each thread has its own, because a
# context can be entered by one thread at a time.

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable
from typing import Any

import numpy as np


class _IgnoringThread(threading.local):
    def __init__(self) -> None:
        context = contextvars.Context()
        context.run(np.seterr, all="ignore")
        self.run = context.run


IGNORING = _IgnoringThread()
"""``QUIET.run(function, ...)`` is `ignoring_errstate`, but for an error where the thread is inside already
(`is_inside`)."""


def ignoring_errstate(function: Callable[..., Any], *arguments: Any, **keywords: Any) -> Any:
    """The result of the call, with NumPy's warnings off and whatever error state the caller has chosen out of force."""
    try:
        return IGNORING.run(function, *arguments, **keywords)
    except RuntimeError as error:
        # A finalizer or a signal handler that runs an operation in the midst of another one is inside already.
        if not is_inside(error):
            raise
    return function(*arguments, **keywords)


def is_inside(error: RuntimeError) -> bool:
    """Whether `error` says that this thread is inside already."""
    return str(error).startswith("cannot enter context")
