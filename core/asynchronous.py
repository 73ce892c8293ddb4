"""Asynchronous exceptions: those that no instruction of the program raised, and that come wherever it happens to be."""

# Note [Asynchronous exceptions]
# A signal handler may raise anything, and so may a debugger's trace function: Ctrl-C a KeyboardInterrupt, an alarm a
# TimeoutError, or a ValueError if somebody likes that. Code of ours that asks whether something can be done takes an
# Exception for a no, and Python does the work instead. Python then raises the same again if the program is at fault. An
# asynchronous exception does not come again. So whoever takes exceptions for an answer asks here first, and lets those
# through: to the caller it is as if they had come before the call did anything. So it is with what a GPU fails at: that
# its memory is full says nothing about the function, and plain Python would not find more.

from __future__ import annotations

import signal
import sys
import types
from collections.abc import Iterator
from typing import Any

from .errors import CudaError

_PACKAGE = __name__.partition(".")[0]


def is_asynchronous(error: BaseException) -> bool:
    """Whether a signal handler or a trace function raised it, or it is none that programs take for an answer."""
    if not isinstance(error, Exception) or isinstance(error, CudaError):
        return True
    handlers = set(_handlers())
    return any(frame.f_code in handlers or _got_its_caller(frame) for frame in _frames(error))


def let_through(error: BaseException, handled: BaseException | None = None) -> None:
    """Nothing, for an error that is an answer.

    handled: what the program was handling before, which is none of the error's causes.
    Errors: the asynchronous exception that the error is, or was made of.
    """
    seen: set[int] = set()
    found: BaseException | None = error
    while found is not None and found is not handled and id(found) not in seen:
        if is_asynchronous(found):
            raise found
        seen.add(id(found))
        found = found.__cause__ or found.__context__


def lookup_failed() -> Any:
    """`NotImplemented`, which entry code takes for an entry that does not fit: a place that a guard reads is gone.

    Errors: the exception that is being handled, if it is asynchronous.
    """
    error = sys.exception()
    if error is not None and error.__traceback__ is not None and error.__traceback__.tb_next is not None:
        if is_asynchronous(error):
            raise error
    return NotImplemented


def _frames(error: BaseException) -> Iterator[types.FrameType]:
    trace = error.__traceback__
    while trace is not None:
        yield trace.tb_frame
        trace = trace.tb_next


def _got_its_caller(frame: types.FrameType) -> bool:
    """Whether the frame was given its caller's, as the interpreter does when no instruction calls."""
    code, caller = frame.f_code, frame.f_back
    # A frame of ours was called by an instruction; and to look at its variables would keep them alive with it.
    if caller is None or str(frame.f_globals.get("__name__")).partition(".")[0] == _PACKAGE:
        return False
    stars = bool(code.co_flags & 0x04) + bool(code.co_flags & 0x08)  # *args, **kwargs
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + stars]
    if not names:
        return False
    local = frame.f_locals
    given = [local.get(name) for name in names]
    return any(each is caller or type(each) is tuple and any(part is caller for part in each) for each in given)


def _handlers() -> Iterator[types.CodeType]:
    """The code of the signal handlers that are installed now."""
    for number in signal.valid_signals():
        handler: Any = signal.getsignal(number)
        handler = getattr(handler, "func", handler)  # of a partial
        handler = getattr(handler, "__func__", handler)
        code = getattr(handler, "__code__", None) or getattr(type(handler).__dict__.get("__call__"), "__code__", None)
        if isinstance(code, types.CodeType):
            yield code
