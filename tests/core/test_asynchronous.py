"""Exceptions of signal handlers and trace functions, told from those that a program raises itself."""

from __future__ import annotations

import functools
import signal
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from guardlift.core.asynchronous import is_asynchronous, let_through, lookup_failed


@pytest.fixture(autouse=True)
def _handler_put_back() -> Iterator[None]:
    before = signal.getsignal(signal.SIGALRM)
    yield
    signal.signal(signal.SIGALRM, before)


def by_position(number: int, frame: Any) -> None:
    raise ValueError("by position")


def by_star(*_: Any) -> None:
    raise LookupError("by star")


def first(error: type, number: int, frame: Any) -> None:
    raise error("first")


def for_once(number: int, frame: Any) -> None:
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    raise TimeoutError("for once")


class Handler:
    def method(self, number: int, frame: Any) -> None:
        self.seen = number
        raise OSError("a method")

    def __call__(self, number: int, frame: Any) -> None:
        del frame
        raise ArithmeticError("an object")


def raised(run: Callable[[], Any]) -> BaseException:
    with pytest.raises(BaseException) as caught:  # noqa: PT011, PT012
        run()
    return caught.value


HANDLERS = {
    "by position": by_position,
    "by star": by_star,
    "partial": functools.partial(first, TypeError),
    "for once": for_once,
    "method": Handler().method,
    "object": Handler(),
}


@pytest.mark.parametrize("handler", HANDLERS.values(), ids=HANDLERS)
def test_what_a_signal_handler_raises_is_asynchronous(handler: Any) -> None:
    signal.signal(signal.SIGALRM, handler)

    def program() -> None:
        signal.raise_signal(signal.SIGALRM)

    assert is_asynchronous(raised(program))


def test_what_a_program_raises_is_not() -> None:
    signal.signal(signal.SIGALRM, by_position)
    own: list[Callable[[], Any]] = [lambda: 1 // 0, [].pop, lambda: int("x"), lambda: first(ValueError, 1, 2)]
    for run in own:
        assert not is_asynchronous(raised(run))


def test_what_ends_a_program_is_never_an_answer() -> None:
    for error in (KeyboardInterrupt(), SystemExit(1), GeneratorExit()):
        assert is_asynchronous(error)


def test_what_a_trace_function_raises_is_asynchronous() -> None:
    def tracer(frame: Any, event: str, argument: Any) -> None:
        if frame.f_code.co_name == "program":
            raise ValueError("from the tracer")

    def program() -> None:
        pass

    def traced() -> None:
        before = sys.gettrace()
        sys.settrace(tracer)
        try:
            program()
        finally:
            sys.settrace(before)

    assert is_asynchronous(raised(traced))


def test_an_error_made_of_an_asynchronous_one_lets_that_one_through() -> None:
    signal.signal(signal.SIGALRM, by_position)

    def program() -> None:
        try:
            signal.raise_signal(signal.SIGALRM)
        except ValueError as error:
            raise RuntimeError("no answer") from error

    error = raised(program)
    assert not is_asynchronous(error)
    with pytest.raises(ValueError, match="by position"):
        let_through(error)


def test_what_was_handled_before_is_no_cause() -> None:
    signal.signal(signal.SIGALRM, by_position)
    try:
        signal.raise_signal(signal.SIGALRM)
    except ValueError as handled:
        error = raised(lambda: 1 // 0)
        assert error.__context__ is handled
        let_through(error, handled)


def test_a_failed_lookup_is_an_answer_unless_a_handler_raised_it() -> None:
    signal.signal(signal.SIGALRM, by_star)
    try:
        {}["missing"]
    except LookupError:
        assert lookup_failed() is NotImplemented
    with pytest.raises(LookupError, match="by star"):
        try:
            signal.raise_signal(signal.SIGALRM)
        except LookupError:
            lookup_failed()
