"""Calls that go on in newer code than the frame has which was called."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..guards.entry import Entry
    from .state import State


class Raised:
    """The miss handler's answer: raise this error, as the code that was run in the frame's place did."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


@dataclass(eq=False)
class Going:
    """How compiled code answers a call, or the rest of one: calling this gives the result, or what it `Raised`.

    state:    of the jitted function.
    key:      the thread, and the position of the point at which the call goes on.
    function: the code that answers; it gets the `values` as arguments, or `at_once` as one iterator.
    fitted:   the entry that was found to fit, if none was made for the call.
    leads_on: whether the whole rest of the call takes place there, so that the frame which waits may forget its
              variables; otherwise the answer may be to run the body after all.

    Nothing but the newer code's frame holds the values once it runs, so they live as long as they do in Python.
    """

    state: State
    key: tuple[int, int]
    function: types.FunctionType
    values: list[Any]
    at_once: bool = False
    fitted: Entry | None = None
    leads_on: bool = True

    def __post_init__(self) -> None:
        self.values.reverse()  # to be taken from the end

    def __call__(self) -> Any:
        state = self.state
        state.entering.add(self.key)
        try:
            if self.at_once:
                return self.function(_taken(self.values))
            return _call_with(len(self.values))(self.function, self.values.pop)
        except BaseException as error:
            # This frame, and that of the call with arguments, are none of the user's business.
            trace = error.__traceback__
            for _ in range(1 if self.at_once else 2):
                trace = trace.tb_next if trace is not None else None
            return Raised(error.with_traceback(trace))
        finally:
            state.entering.discard(self.key)
            state.settle()


def _taken(values: list[Any]) -> Iterator[Any]:
    """The values from the last to the first, kept no longer."""
    while values:
        yield values.pop()


@functools.cache
def _call_with(count: int) -> Callable[[Callable[..., Any], Callable[[], Any]], Any]:
    """Calls a function with so many arguments, each taken where it is needed, so that no tuple of them is kept."""
    arguments = ", ".join(["pop()"] * count)
    return eval(f"lambda function, pop: function({arguments})")  # type: ignore[no-any-return]
