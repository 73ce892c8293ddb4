"""The harness that keeps recompiles from coming back.

`max_recompiles`, `no_recompiles`, `exact_compiles` and `no_graph_breaks` are context managers and decorators::

    with gl.testing.no_recompiles(of=f) as log:
        f(x)
        f(y)
    assert log.compiles == 1

A failing expectation raises `AssertionError` with the reasons: what changed, where it matters, which edit avoids it.
"""

from __future__ import annotations

import functools
import inspect
import threading
import types
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ..core.config import config
from ..core.errors import GuardliftError, NotAFunctionError
from ..core.events import COMPILE, LIMIT, RECOMPILE, Event, Reason, listening, plural

C = TypeVar("C", bound=Callable[..., Any])


class LogError(GuardliftError, ValueError):
    """An expectation was stated that no run could fail, such as one about a function that is never compiled."""


@dataclass(eq=False)
class CompileLog:
    """What happened to the functions looked at, whichever thread called them, while the log was listening.

    compiles counts entries that were compiled, recompiles those of them that were not the function's first.
    """

    events: list[Event] = field(default_factory=list)
    _numbers: frozenset[int] | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def record(self, event: Event) -> None:
        """Take in one event, if it is about one of the functions."""
        if self._numbers is None or event.state in self._numbers:
            with self._lock:
                self.events.append(event)

    def _of(self, *kinds: str) -> list[Event]:
        with self._lock:
            return [event for event in self.events if event.kind in kinds]

    @property
    def compiles(self) -> int:
        return len(self._of(COMPILE, RECOMPILE))

    @property
    def recompiles(self) -> int:
        return len(self._of(RECOMPILE))

    @property
    def over_limit(self) -> int:
        """Calls that ran as plain Python because the function had reached its limit of entries."""
        return len(self._of(LIMIT))

    @property
    def breaks(self) -> list[Event]:
        """The graph breaks; an error that the program raises by itself is none."""
        from .collect import is_break

        with self._lock:
            events = list(self.events)
        return [event for event in events if is_break(event)]

    @property
    def reasons(self) -> list[Reason]:
        """Why calls fitted no entry: for each recompile, the failed guards of the entry that came closest."""
        return [reason for event in self._of(RECOMPILE, LIMIT) for reason in event.nearest()]

    def explain(self) -> str:
        """All of it as text: compiles, recompiles with their reasons, breaks with their remedies."""
        from .render import event_lines

        with self._lock:
            events = list(self.events)
        lines = [text for event in events for _, text in event_lines(event)]
        return "\n".join(lines) if lines else "nothing was compiled, and no graph broke"


class Expectation:
    """A context manager and decorator that fails when what happened inside is not what was stated.

    check: gives what is wrong with a log, or an empty text. Each `with` and each decorated call has a log of its own,
    so one expectation may be entered again, or by several threads at a time. Exceptions raised inside pass through.
    """

    def __init__(self, of: Any, check: Callable[[CompileLog], str], known_breaks: bool = False) -> None:
        self._functions = _functions(of)
        self._check = check
        self._known_breaks = known_breaks
        self._open = threading.local()

    def __enter__(self) -> CompileLog:
        log = self._log()
        context = listening(log.record)
        context.__enter__()
        self._stack().append((log, context))
        return log

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: types.TracebackType | None
    ) -> None:
        log, context = self._stack().pop()
        context.__exit__(None, None, None)
        if error is not None:
            return
        wrong = self._check(log)
        if wrong:
            raise AssertionError(f"{wrong}\n{log.explain()}")

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
            with self:
                return function(*args, **kwargs)

        return checked  # type: ignore[return-value]

    def _stack(self) -> list[tuple[CompileLog, AbstractContextManager[None]]]:
        if not hasattr(self._open, "stack"):
            self._open.stack = []
        stack: list[tuple[CompileLog, AbstractContextManager[None]]] = self._open.stack
        return stack

    def _log(self) -> CompileLog:
        if self._functions is None:
            return CompileLog()
        states = [state for state in map(_state, self._functions) if state is not None]
        log = CompileLog(_numbers=frozenset(state.serial for state in states))
        if self._known_breaks:
            # A call that is known to break goes straight to plain Python and is no event any more.
            log.events += [event for state in states for event in state.history if event.kind == "break"]
        return log


def max_recompiles(count: int, *, of: Any = None) -> Expectation:
    """An expectation of at most `count` recompiles; the first compile of a function is free.

    of: a jitted function or several; all by default. A call that runs as plain Python because its function has reached
    the limit of entries counts as a recompile.
    """
    _check_count(count)

    def check(log: CompileLog) -> str:
        found = log.recompiles + log.over_limit
        beyond = f", {log.over_limit} of them beyond the limit of entries" if log.over_limit else ""
        return f"{plural(found, 'recompile')}{beyond}, where at most {count} may happen" if found > count else ""

    return Expectation(of, check)


def no_recompiles(*, of: Any = None) -> Expectation:
    """An expectation of no recompile; the first compile of a function is free."""
    return max_recompiles(0, of=of)


def exact_compiles(count: int, *, of: Any = None) -> Expectation:
    """An expectation of exactly `count` compiles, first ones included."""
    _check_count(count)

    def check(log: CompileLog) -> str:
        return (
            "" if log.compiles == count else f"{plural(log.compiles, 'compile')}, where exactly {count} should happen"
        )

    return Expectation(of, check)


def no_graph_breaks(*, of: Any = None) -> Expectation:
    """An expectation of no graph break. Of functions named with `of`, breaks that were found earlier count as well."""

    def check(log: CompileLog) -> str:
        return f"{plural(len(log.breaks), 'graph break')}, where none should happen" if log.breaks else ""

    return Expectation(of, check, known_breaks=True)


def forget(of: Any = None) -> None:
    """Drop the entries and the history of jitted functions, all by default, so that counts start anew.

    Compiled kernels stay in memory, so compiling again takes milliseconds.
    """
    from ..frontend.registry import live_states

    functions = _functions(of)
    states = live_states() if functions is None else [state for state in map(_state, functions) if state is not None]
    for state in states:
        state.forget()


def _functions(of: Any) -> list[Any] | None:
    """The functions meant by `of`; None for all. Errors: when one is not jitted, or is never compiled."""
    if of is None:
        return None
    functions = list(of) if isinstance(of, Iterable) else [of]
    if not functions:
        raise LogError("`of` names no function; leave it out to look at all")
    for function in functions:
        _state(function)
    return functions


def _state(function: Any) -> Any:
    """The state of a jitted function; None when guardlift is switched off and there is nothing to count."""
    from ..frontend import state_of
    from .report import explain, unwrapped

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


def _check_count(count: int) -> None:
    if type(count) is not int or count < 0:
        raise LogError(f"a count of compiles is an int from 0 on, not {count!r}; the functions go under of=")


__all__ = [
    "CompileLog",
    "Expectation",
    "LogError",
    "exact_compiles",
    "forget",
    "max_recompiles",
    "no_graph_breaks",
    "no_recompiles",
]
