"""Calls that go on in newer code than the frame has which was called."""

from __future__ import annotations

import dis
import functools
import sys
import types
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar

from ...core.records import dataclass
from ...guards.assembler import cache_units
from ..breaks import REFUSED
from .answers import LEFT, RUN_ORIGINAL, RaisedInContinuation
from .event_history import note_break

if TYPE_CHECKING:
    from ...guards.entry import Entry
    from .state import FunctionState


@dataclass(eq=False)
class Continuation:
    """The answer of compiled code to a call, or the rest of one: calling it gives the result or `RaisedInContinuation`.

    state:    of the jitted function.
    key:      the thread, and the position of the point at which the call goes on.
    function: the code that answers; it gets the `values` as arguments, or `at_once` as one iterator.
    fitted:   the entry that was found to fit, if none was made for the call.
    ends_in_break: whether the whole rest of the call takes place there, so that the frame which waits may forget its
                   variables; otherwise the answer may be to run the body after all.
    seen:     whether a tracer or a profiler is told of the frames in between.

    Nothing but the newer code's frame holds the values once it runs, so they live as long as they do in Python.
    """

    state: FunctionState
    key: tuple[int, int]
    function: types.FunctionType
    values: list[Any]
    at_once: bool = False
    fitted: Entry | None = None
    ends_in_break: bool = True

    def __post_init__(self) -> None:
        self.values.reverse()  # to be taken from the end
        self.seen = sys.getprofile() is not None or sys.gettrace() is not None

    def __call__(self) -> Any:
        state = self.state
        state.entering.add(self.key)
        try:
            if self.at_once:
                return self.function(_taken(self.values))
            call = _call_with(len(self.values), self.seen)
            result = call(self.function, self.values.pop)
        except BaseException as error:
            # This frame, and that of the call with arguments, are none of the user's business.
            trace = error.__traceback__
            while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
                trace = trace.tb_next
            return RaisedInContinuation(error.with_traceback(trace))
        finally:
            state.entering.discard(self.key)
            state.refresh_code()
        if result is LEFT:
            state.calls.answered -= 1
            return RUN_ORIGINAL
        if result is RUN_ORIGINAL:
            state.calls.answered -= 1
            state.calls.sent_back += 1
        if result is RUN_ORIGINAL and self.fitted is not None:
            note_break(state, REFUSED.stop(entry=self.fitted.number))
        return result

    unseen: ClassVar[Callable[[Continuation], Any]]
    """`__call__` in a frame that nobody sees."""


def _taken(values: list[Any]) -> Iterator[Any]:
    """The values from the last to the first, kept no longer."""
    while values:
        yield values.pop()


@functools.cache
def _call_with(count: int, seen: bool) -> Callable[[Callable[..., Any], Callable[[], Any]], Any]:
    """Calls a function with so many arguments, each taken where it is needed, so that no tuple of them is kept."""
    arguments = ", ".join(["pop()"] * count)
    call: types.FunctionType = eval(compile(f"lambda function, pop: function({arguments})", __file__, "eval"))
    return call if seen else out_of_sight(call)


_RESUME, _NOP = dis.opmap["RESUME"], dis.opmap["NOP"]
_NO_LOCATION = bytes((0x80 | 15 << 3,))
"""One unit from nowhere, in a table of locations (CPython's Objects/locations.md)."""


def out_of_sight(function: types.FunctionType) -> types.FunctionType:
    """A function that does the same in a frame that nobody sees: Note [One frame a call] in guards/entry_code.py."""
    code = bytearray(function.__code__.co_code)
    at = next(place for place in range(0, len(code), 2) if code[place] == _RESUME)
    size = 2 * (1 + cache_units("RESUME"))
    resume, code[at : at + size] = code[at : at + size], bytes((_NOP, 0)) * (size // 2)
    moved = function.__code__.replace(
        co_code=bytes(code + resume), co_linetable=function.__code__.co_linetable + _NO_LOCATION * (size // 2)
    )
    return types.FunctionType(moved, function.__globals__, function.__name__, None, function.__closure__)


Continuation.unseen = out_of_sight(vars(Continuation)["__call__"])
