"""The harness that keeps recompiles from coming back.

`max_recompiles`, `no_recompiles`, `exact_compiles`, `no_graph_breaks`, `max_guard_us`, `assert_no_leak` and
`fresh_cache` are context managers and decorators::

    with gl.testing.no_recompiles(of=f) as log:
        f(x)
        f(y)
    assert log.compiles == 1

A failing expectation raises `AssertionError` with the reasons: what changed, where it matters, which edit avoids it.
"""

from __future__ import annotations

import functools
import gc
import inspect
import threading
import types
import weakref
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import field
from itertools import zip_longest
from pathlib import Path
from typing import Any, TypeVar

from ..core.config import config
from ..core.errors import BackendError, GuardliftError, NotAFunctionError
from ..core.events import COMPILE, LIMIT, MADE, RECOMPILE, RELINK, Event, Reason, listening, plural
from ..core.records import dataclass
from ..guards.describe import describe_type

C = TypeVar("C", bound=Callable[..., Any])


class LogError(GuardliftError, ValueError):
    """An expectation was stated that no run could fail, such as one about a function that is never compiled."""


@dataclass(eq=False)
class CompileLog:
    """Events of the functions looked at, whichever thread called them, while the log was listening.

    compiles counts entries that were compiled, recompiles those of them that were not the function's first; relinks
    counts entries beside them, for which nothing was compiled: they share the code of another one.
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
    def relinks(self) -> int:
        return len(self._of(RELINK))

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
        """Why calls fitted no entry: for each new entry, the failed guards of the one that came closest."""
        return [reason for event in self._of(RECOMPILE, RELINK, LIMIT) for reason in event.nearest()]

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


def exact_compiles(count: int, *, of: Any = None, reasons: Sequence[str] | None = None) -> Expectation:
    """An expectation of exactly `count` compiles, first ones included.

    reasons: for each recompile, in their order, a text that its reasons contain, such as ``"n was 3"``.
    """
    _check_count(count)
    if isinstance(reasons, str) or not all(isinstance(each, str) for each in reasons or ()):
        raise LogError(f"reasons= takes a list with a text for each recompile, not {reasons!r}")

    def check(log: CompileLog) -> str:
        if log.compiles != count:
            return f"{plural(log.compiles, 'compile')}, where exactly {count} should happen"
        return "" if reasons is None else _other_reasons(log, reasons)

    return Expectation(of, check)


def _other_reasons(log: CompileLog, expected: Sequence[str]) -> str:
    """The difference between the reasons of the recompiles and those that were expected; empty when there is none."""
    found = ["; ".join(reason.change() for reason in event.nearest()) for event in log._of(RECOMPILE)]
    lines = []
    for number, (wanted, given) in enumerate(zip_longest(expected, found), 1):
        if wanted is None or given is None or wanted not in given:
            lines.append(f"recompile {number}: expected {'none' if wanted is None else repr(wanted)}")
            lines.append(f"  found {'none' if given is None else repr(given)}")
    return "\n".join(["the reasons are others than expected", *lines]) if lines else ""


def max_guard_us(most: float, *, of: Any = None) -> Expectation:
    """An expectation that no entry's guards take longer than `most` microseconds a call.

    What they take is estimated from their kinds (`EntryReport.guard_microseconds`), so a test cannot fail because its
    machine is busy. Looks at all entries of the functions named with `of`, else of those that compiled meanwhile.
    """
    if not isinstance(most, (int, float)) or isinstance(most, bool) or not most >= 0:
        raise LogError(f"a time is a number of microseconds from 0 on, not {most!r}; the functions go under of=")
    functions = _functions(of)

    def check(log: CompileLog) -> str:
        from ..frontend.dispatch.registry import state_numbered
        from .collect import guard_microseconds

        if functions is None:
            states = [state_numbered(number) for number in dict.fromkeys(event.state for event in log._of(*MADE))]
        else:
            states = [_state(function) for function in functions]
        for state in states:
            for entry in state.entries if state is not None else ():
                found = 0.0 if entry.stale else guard_microseconds(entry)
                if state is not None and found > most:
                    name = state.original.__qualname__
                    return f"the guards of entry {entry.number} of {name} take about {found} us, where {most} us may be"
        return ""

    return Expectation(of, check)


@contextmanager
def assert_no_leak() -> Iterator[None]:
    """Fails when tensors' memory, modules or optimizers that are made inside are still alive at the end.

    What is to outlive the block has to be made before it. Garbage is collected first, at both ends.
    Errors: `AssertionError` with the number of each kind, and what refers to one of them.
    """
    before = {id(each): weakref.ref(each) for each in _owned()}
    yield
    left = [each for each in _owned() if before.get(id(each), _nothing)() is not each]
    if not left:
        return
    kinds = Counter(type(each).__qualname__ for each in left)
    counted = ", ".join(plural(count, kind) for kind, count in kinds.most_common())
    holders = Counter(describe_type(each) for each in gc.get_referrers(left[0]) if each is not left)
    held = ", ".join(f"{count} {kind}" for kind, count in holders.most_common(4))
    raise AssertionError(f"{counted} made here did not die; the first {type(left[0]).__qualname__} is held by {held}")


def _nothing() -> None:
    return None


def _owned() -> list[Any]:
    """The objects alive that own memory of tensors, or lead to it."""
    from ..nn.module import Module
    from ..optim.optimizer import Optimizer
    from ..tensor.storage import UntypedStorage

    gc.collect()
    return [each for each in gc.get_objects() if issubclass(type(each), (UntypedStorage, Module, Optimizer))]


@contextmanager
def fresh_cache(folder: Path | str | None = None) -> Iterator[Path]:
    """A context with an empty kernel cache, in memory too, and with jitted functions that have no entries.

    folder: where kernels are kept meanwhile; a temporary one by default.
    """
    from tempfile import TemporaryDirectory

    from ..backend.cpu.compiler import kernels

    with ExitStack() as stack:
        folder = Path(folder or stack.enter_context(TemporaryDirectory(prefix="guardlift-")))
        forget()
        kernels.forget()
        stack.callback(kernels.forget)
        stack.callback(forget)
        stack.enter_context(config.patch(cache_dir=str(folder)))
        yield folder


def no_graph_breaks(*, of: Any = None) -> Expectation:
    """An expectation of no graph break. Of functions named with `of`, breaks that were found earlier count as well."""

    def check(log: CompileLog) -> str:
        return f"{plural(len(log.breaks), 'graph break')}, where none should happen" if log.breaks else ""

    return Expectation(of, check, known_breaks=True)


def check_backend(backend: Any, rtol: float = 0.0) -> None:
    """Fails when a backend, given by name or as a function, does not keep to what backends have to do.

    Every op is tried over its samples, then programs. For a test of each, see `tools.backend_cases`.
    rtol: how far its floats may be from NumPy's, relative to them.
    Errors: `AssertionError` that lists what it gets wrong.
    """
    from .backend_cases import backend_cases

    wrong = []
    for case in backend_cases():
        try:
            case.check(backend, rtol)
        except (AssertionError, BackendError) as error:
            wrong.append(f"  {case}: {error}")
    if wrong:
        raise AssertionError("\n".join([f"the backend gets {plural(len(wrong), 'case')} wrong", *wrong]))


def forget(of: Any = None) -> None:
    """Drop the entries and the history of jitted functions, all by default, so that counts start anew.

    Compiled kernels stay in memory, so compiling again takes milliseconds.
    """
    from ..frontend.dispatch.registry import live_states

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
    "assert_no_leak",
    "check_backend",
    "exact_compiles",
    "forget",
    "fresh_cache",
    "max_guard_us",
    "max_recompiles",
    "no_graph_breaks",
    "no_recompiles",
]
