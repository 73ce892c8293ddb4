"""Exception groups inside a jitted function: Python makes and divides them, and the rest is compiled around it."""

# ruff: noqa: B904, F821, F841 (what is written is what is tested)

from __future__ import annotations

import sys
from typing import Any

import pytest
from frontend.language import X, compiled, plain
from oracle import check

import guardlift as gl
from guardlift.core.errors import Unsupported

pytestmark = pytest.mark.spec("S8.03")


class Coded(ExceptionGroup[Exception]):
    def __new__(cls, message: str, errors: Any, code: int) -> Coded:
        made = super().__new__(cls, message, errors)
        made.code = code
        return made

    code: int

    def derive(self, errors: Any) -> Coded:
        return Coded(self.message, errors, self.code + 1)


def told(error: BaseException | None) -> Any:
    """An exception as something to compare: what it is, what it holds, what led to it."""
    if error is None:
        return None
    inside = [told(each) for each in error.exceptions] if isinstance(error, BaseExceptionGroup) else []
    chain = repr(error.__context__), repr(error.__cause__), error.__suppress_context__
    return type(error).__name__, str(error), repr(error), chain, getattr(error, "__notes__", None), inside


def nested(n: int) -> Any:
    inner = ExceptionGroup("inner", [KeyError("k"), ValueError(n), TypeError("t")])
    return ExceptionGroup("outer", [ValueError("v"), inner, OSError("o")])


def test_groups_are_made_and_divided() -> None:
    def function(x: Any, n: int) -> Any:
        group = nested(n)
        group.add_note("noted")
        parts = [*group.split(ValueError), *group.split(lambda each: each.args == (n,)), group.subgroup(TypeError)]
        coded = Coded("coded", [ValueError(1), KeyError(2)], 40).split(KeyError)
        return x + n, [told(each) for each in [*parts, *coded]], [each.code for each in coded if each]

    plain(function, X, 1, code="B201")


@pytest.mark.parametrize("what", range(3))
def test_what_a_constructor_refuses(what: int) -> None:
    def function(x: Any, what: int) -> Any:
        try:
            if what == 0:
                ExceptionGroup("none", [])
            if what == 1:
                ExceptionGroup("base", [KeyboardInterrupt()])
            if what == 2:
                nested(1).split(3)
        except (TypeError, ValueError) as error:
            return x + 1, type(error).__name__, error.args
        return x

    plain(function, X, what, code="B201")


def clauses(x: Any, what: int) -> Any:
    seen = []
    try:
        try:
            if what == 9:
                raise ValueError("naked")
            if what == 10:
                raise OSError("nobody's")
            if what == 11:
                raise KeyboardInterrupt("base")
            if what:
                raise nested(what)
        except* ValueError as error:
            seen.append((told(error), sys.exception() is error))
            if what == 2:
                raise
            if what == 3:
                raise error
            if what == 4:
                raise IndexError("new")
            if what == 5:
                raise IndexError("new") from error
            if what == 9:
                raise KeyError("instead")
        except* (TypeError, KeyError):
            seen.append(told(sys.exception()))
            if what == 6:
                raise IndexError("other") from None
            if what == 7:
                raise
        except* KeyboardInterrupt as error:
            seen.append(told(error))
            raise
        else:
            seen.append("else")
        finally:
            seen.append("finally")
    except BaseException as error:
        seen.append(told(error))
        if what != 11:  # whether a wrapped error's group has one is the version's to say
            seen.append(error.__traceback__ is None)
    return x + what, seen, sys.exception()


@pytest.mark.parametrize("what", range(12))
def test_clauses_of_except_star(what: int) -> None:
    report = check(clauses, X, what, backend="reference")
    assert report.breaks[:1] == ([] if what == 0 else ["B322"] if what >= 9 else ["B201"])


def test_a_statement_whose_clauses_nothing_comes_to_is_compiled() -> None:
    compiled(clauses, X, 0)


def test_several_clauses_raise() -> None:
    def function(x: Any, again: bool) -> Any:
        try:
            try:
                raise nested(1)
            except* ValueError as error:
                raise LookupError("first") from error
            except* TypeError:
                if again:
                    raise
                raise LookupError("second")
        except ExceptionGroup as error:
            inside = [(told(each), told(each.__context__)) for each in error.exceptions]
            return x + 1, told(error), inside, type(error.args[1]).__name__
        return x

    for again in (False, True):
        check(function, X, again, backend="reference")


def test_try_statements_in_each_other() -> None:
    def function(x: Any) -> Any:
        seen = []
        group = nested(3)
        try:
            try:
                raise group
            except* KeyError as error:
                seen.append(told(error))
                try:
                    raise OSError("inside")
                except* OSError as inner:
                    seen.append(told(inner))
                    seen.append(sys.exception() is inner)
                seen.append(sys.exception() is error)
        except* (ValueError, TypeError) as error:
            seen.append(told(error))
        except* OSError as error:
            seen.append(told(error))
        return x + 1, seen, group.__traceback__ is not None

    check(function, X, backend="reference")


def test_what_operations_raise_is_caught() -> None:
    def function(x: Any, table: dict[str, int], name: str) -> Any:
        y = x * 2
        try:
            y = y + table[name]
        except* KeyError as error:
            y = y * 2
            names = [each.args for each in error.exceptions]
        else:
            names = []
        return y * 3, names

    compiled(function, X, {"a": 1}, "a")
    plain(function, X, {"a": 1}, "b", code="B322")
    with pytest.raises(Unsupported, match=r"B322 .*an `except\*` clause .*catch single exceptions with `except`"):
        gl.jit(fullgraph=True)(function)(X, {"a": 1}, "b")


def test_a_group_leaves_the_call() -> None:
    def function(x: Any, what: int) -> Any:
        if what:
            raise nested(what)
        raise ExceptionGroup("alone", [ValueError(3)])

    assert check(function, X, 0, expect="plain", backend="reference").breaks[:1] == ["B304"]
    check(function, X, 1, backend="reference")


def test_a_function_goes_on_behind_a_group_that_is_caught() -> None:
    def function(x: Any, errors: list[Any]) -> Any:
        y = x * 2
        try:
            raise ExceptionGroup("from outside", errors)
        except* ValueError as error:
            y = y + len(error.exceptions)
        return y * 3

    plain(function, X, [ValueError(1)], code="B307")
