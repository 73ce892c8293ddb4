"""Exceptions that existed before the call: what a jitted function reads of them, and that Python raises them."""

from __future__ import annotations

from traceback import walk_tb
from typing import Any

import pytest
from frontend.language import X, compiled, plain

import guardlift as gl

pytestmark = pytest.mark.spec("S8.03")


class Wrong(Exception):
    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.count = len(args)

    def twice(self) -> int:
        return 2 * self.count


class Spoken(ValueError):
    def __str__(self) -> str:
        return f"spoken of {self.args[0]}"


ERROR = Wrong("kept", 2)


def chained() -> BaseException:
    try:
        try:
            raise KeyError("first")
        except KeyError as error:
            raise ValueError("second") from error
    except ValueError as error:
        return error


def test_what_is_read_of_one() -> None:
    def function(x: Any, error: Any) -> Any:
        kind = type(error).__name__, isinstance(error, LookupError), isinstance(error, Wrong), bool(error)
        return x + 1, kind, error.args, str(error), repr(error), error.__cause__, error.__suppress_context__

    for error in (KeyError("k"), Wrong(1, "two"), ValueError(), ArithmeticError(2.5), Spoken("it")):
        compiled(function, X, error)


def test_attributes_and_methods_of_the_users() -> None:
    def function(x: Any, error: Any) -> Any:
        error.extra = error.count + 1
        return x + error.twice(), error.extra

    compiled(function, X, Wrong(1, 2, 3))


def test_fields_of_built_in_classes() -> None:
    def function(x: Any, error: Any, name: str) -> Any:
        return x + 1, getattr(error, name)

    for error, name in (
        (StopIteration(3), "value"),
        (SystemExit("s"), "code"),
        (OSError(2, "none", "file"), "filename"),
        (ExceptionGroup("g", [ValueError(1)]), "message"),
        (NameError("n", name="nn"), "name"),
        (SyntaxError("s", ("file", 1, 2, "text")), "lineno"),
    ):
        compiled(function, X, error, name)


CHAINED: Any = chained()
GROUP: Any = ExceptionGroup("g", [ValueError(1), KeyError("k")])


def test_chains_and_groups() -> None:
    def function(x: Any) -> Any:
        parts = [repr(each) for each in GROUP.exceptions]
        same = CHAINED.__cause__ is CHAINED.__context__, GROUP.exceptions[0] is GROUP.args[1][0]
        return x + 1, CHAINED.__cause__.args, same, parts, CHAINED.__traceback__ is None

    compiled(function, X)


def test_what_is_said_is_said_anew_for_another() -> None:
    def function(x: Any, error: Any) -> Any:
        return x.sum(), error.args, type(error)

    jitted = gl.jit(function)
    for error in (ValueError(1), ValueError(2), KeyError(1), ValueError(1, 2)):
        assert jitted(X, error) == function(X, error)
    error = ValueError(1)
    for args in ((1,), (2,), ()):
        error.args = args
        assert jitted(X, error) == function(X, error)


@pytest.mark.parametrize("what", range(3))
def test_python_raises_it(what: int) -> None:
    def function(x: Any, error: BaseException, what: int) -> Any:
        y = x * 2
        try:
            if what == 0:
                raise error
            if what == 1:
                raise ERROR
            raise ValueError("new") from error
        except Exception as caught:
            y = y + len(caught.args)
        return y * 3, error.__traceback__ is None, error.__context__, error.__cause__

    plain(function, X, Wrong("w"), what, code="B307")


def test_what_one_raised_bears_is_pythons() -> None:
    def function(x: Any, error: Any) -> Any:
        try:
            1 // 0
        except ZeroDivisionError:
            try:
                raise error
            except ValueError:
                pass
        return x.sum(), repr(error.__context__), error.__traceback__.tb_lineno

    def lines(error: BaseException) -> list[int]:
        return [line - function.__code__.co_firstlineno for _, line in walk_tb(error.__traceback__)]

    error, other = ValueError("v"), ValueError("v")
    jitted = gl.jit(function)
    for _ in range(3):
        assert jitted(X, error) == function(X, other)
        assert lines(error) == lines(other)
