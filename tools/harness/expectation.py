"""Expectations: context managers and decorators about what jitted functions do inside. `gl.testing` makes them."""

from __future__ import annotations

import functools
import inspect
import threading
import types
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from ...core.config import config
from ...core.errors import GuardliftError, NotAFunctionError
from ...core.events import BREAK
from .compile_log import CompileLog
from .current_test import running_test
from .failure_text import failure_text
from .observation import ALL, OWN, Observation, why_blind

if TYPE_CHECKING:
    from ...frontend.dispatch.state import FunctionState

C = TypeVar("C", bound=Callable[..., Any])


class LogError(GuardliftError, ValueError):
    """An expectation was stated that no run could fail, such as one about a function that is never compiled."""


DECORATED = "guardlift_decorated"
"""The attribute of an `AssertionError` that names the decorated function: no frame of it is in the traceback."""


class Expectation:
    """A context manager and decorator that fails when what happened inside is not what was stated.

    check: gives what is wrong with an observation, or an empty text. Each `with` and each decorated call has one of its
    own, so one expectation may be entered again, or by several threads at a time. Exceptions raised inside pass
    through. An expectation that could not fail does not pass: when none of its functions was called inside, it fails;
    when nothing can be compiled, it raises `unittest.SkipTest`.
    """

    def __init__(
        self, of: Any, check: Callable[[Observation], str], known_breaks: bool = False, threads: str = OWN
    ) -> None:
        if threads not in (ALL, OWN):
            raise LogError(f"threads= takes 'own' or 'all', not {threads!r}")
        self._functions = functions_meant(of)
        self._check = check
        self._known_breaks = known_breaks
        self._threads = threads
        self._open = threading.local()

    def __enter__(self) -> CompileLog:
        __tracebackhide__ = True
        states = self._states()
        _refuse_entries_from_before(states)
        seen = Observation(states, self._threads)
        if self._known_breaks:
            # A call that is known to break goes straight to plain Python and is no event any more.
            for event in (event for state in states or () for event in state.history if event.kind == BREAK):
                seen.log.record(event)
        seen.open()
        self._stack().append(seen)
        return seen.log

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: types.TracebackType | None
    ) -> None:
        __tracebackhide__ = True
        self._leave(error)

    def _leave(self, error: BaseException | None, function: Callable[..., Any] | None = None) -> None:
        __tracebackhide__ = True
        seen = self._stack().pop()
        seen.close()
        if error is not None:
            return
        skip_if_blind()
        wrong = self._check(seen) or why_vacuous(seen, self._names())
        if wrong:
            unmet = AssertionError(failure_text(wrong, seen.log, "" if function is None else _place(function)))
            setattr(unmet, DECORATED, function)
            raise unmet

    def __call__(self, function: C) -> C:
        if (
            inspect.iscoroutinefunction(function)
            or inspect.isgeneratorfunction(function)
            or inspect.isasyncgenfunction(function)
        ):
            raise LogError(
                f"{function.__qualname__} is a coroutine or generator function: its body runs after the call; "
                "use the expectation as a context manager inside it"
            )

        @functools.wraps(function)
        def checked(*args: Any, **kwargs: Any) -> Any:
            __tracebackhide__ = True
            self.__enter__()
            try:
                result = function(*args, **kwargs)
            except BaseException as error:
                self._leave(error)
                raise
            self._leave(None, function)
            return result

        return checked  # type: ignore[return-value]

    def _stack(self) -> list[Observation]:
        if not hasattr(self._open, "stack"):
            self._open.stack = []
        stack: list[Observation] = self._open.stack
        return stack

    def _states(self) -> list[FunctionState] | None:
        if self._functions is None:
            return None
        return [state for state in map(state_meant, self._functions) if state is not None]

    def _names(self) -> list[str]:
        functions = self._functions or ()
        return [str(getattr(each, "__qualname__", None) or type(each).__qualname__) for each in functions]


def _place(function: Callable[..., Any]) -> str:
    code = getattr(inspect.unwrap(function), "__code__", None)
    return "" if code is None else f"{code.co_filename}:{code.co_firstlineno}: {code.co_qualname}"


def skip_if_blind() -> None:
    """Errors: `unittest.SkipTest` when nothing can be compiled at all, so that nothing can be expected either."""
    __tracebackhide__ = True
    blind = why_blind()
    if blind:
        from unittest import SkipTest

        raise SkipTest(blind)


def why_vacuous(seen: Observation, names: Sequence[str] = ()) -> str:
    """Why an expectation could not have failed, whatever its number: nobody called what it looks at; else empty."""
    if seen.saw_a_call:
        return ""
    if not names:
        return "no jitted function was called, so the expectation could not fail"
    told = f"{names[0]} was not called" if len(names) == 1 else f"none of {', '.join(names)} was called"
    return f"{told}, but perhaps as a part of other jitted functions, so the expectation could not fail"


def _refuse_entries_from_before(states: Sequence[FunctionState] | None) -> None:
    """Errors: `LogError` when a test began with entries that earlier tests have made, though nobody asked for that."""
    from ...frontend.dispatch.registry import live_states

    __tracebackhide__ = True
    test = running_test()
    if test is None or test.fresh is not False:
        return
    for state in live_states() if states is None else states:
        if any(entry.born < test.began for entry in state.entries):
            raise LogError(
                f"{state.original.__qualname__} has entries from before this test, so what is counted would depend on "
                "the tests that ran earlier; the plugin did not see that this test has an expectation: say so by "
                "@pytest.mark.guardlift(fresh=True), or keep those entries with fresh=False"
            )


def forget(of: Any = None) -> None:
    """Drop the entries and the history of jitted functions, all by default, so that counts start anew.

    Compiled kernels stay in memory, so compiling again takes milliseconds.
    """
    from ...frontend.dispatch.registry import live_states

    functions = functions_meant(of)
    for state in live_states() if functions is None else map(state_meant, functions):
        if state is not None and (state.numbers or state.history or state.recorded is not None):
            state.forget()


def functions_meant(of: Any) -> list[Any] | None:
    """The functions meant by `of`; None for all. Errors: when one is not jitted, or is never compiled."""
    if of is None:
        return None
    functions = list(of) if isinstance(of, Iterable) and not callable(of) else [of]
    if not functions:
        raise LogError("`of` names no function; leave it out to look at all")
    for function in functions:
        state_meant(function)
    return functions


def state_meant(function: Any) -> Any:
    """The state of a jitted function; None when guardlift is switched off and there is nothing to count."""
    from ...frontend import state_of
    from ..report import explain, unwrapped

    for each in unwrapped(function):
        state = state_of(each)
        if state is not None:
            return state
    try:
        report = explain(function)
    except NotAFunctionError as error:
        raise NotAFunctionError(f"`of`: {error}") from None
    if not config.disable:
        raise LogError(f"{report.name} is never compiled, so there is nothing to expect of it: {report.left_alone}")
    return None
