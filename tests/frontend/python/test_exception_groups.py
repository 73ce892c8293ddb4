"""Exception groups inside a jitted function: made, divided, raised, caught by `except` and `except*`."""

# ruff: noqa: B904, F821, F841 (what is written is what is tested)

from __future__ import annotations

import sys
from typing import Any

import pytest
from frontend.language import X, compiled, plain
from oracle import check

pytestmark = pytest.mark.spec("S8.03")


class Errors(ExceptionGroup[Exception]):
    """A class of the user's whose parts are of the built-in class."""


class Coded(ExceptionGroup[Exception]):
    def __new__(cls, message: str, errors: Any, code: int) -> Coded:
        made = super().__new__(cls, message, errors)
        made.code = code
        return made

    code: int

    def derive(self, errors: Any) -> Coded:
        return Coded(self.message, errors, self.code + 1)


class Misleading(ExceptionGroup[Exception]):
    def derive(self, errors: Any) -> Any:
        return errors


class Marked(Exception):
    """An error with an own `__new__`."""

    def __new__(cls, *args: Any, mark: int = 7) -> Marked:
        made = super().__new__(cls, *args)
        made.mark = mark
        return made

    mark: int


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


def test_what_a_group_holds() -> None:
    def function(x: Any) -> Any:
        errors = [ValueError(1), KeyError("k")]
        group = ExceptionGroup("two", errors)
        one = BaseExceptionGroup("one", (KeyboardInterrupt(),))
        errors.append(TypeError())
        kinds = type(BaseExceptionGroup("plain", [ValueError()])), type(one), type(group)
        held = group.message, len(group.exceptions), group.exceptions[0] is errors[0], group.args[1] is errors
        return x + 1, told(group), told(one), [kind.__name__ for kind in kinds], held, one.exceptions is one.args[1]

    compiled(function, X)


@pytest.mark.parametrize("what", range(10))
def test_what_a_constructor_refuses(what: int) -> None:
    def function(x: Any, what: int) -> Any:
        try:
            if what == 0:
                ExceptionGroup("none", [])
            if what == 1:
                ExceptionGroup("no error", [ValueError(), 3])
            if what == 2:
                ExceptionGroup("base", [KeyboardInterrupt()])
            if what == 3:
                Errors("base", [KeyboardInterrupt()])
            if what == 4:
                ExceptionGroup("no sequence", 3)
            if what == 5:
                ExceptionGroup(3, [ValueError()])
            if what == 6:
                ExceptionGroup("alone")
            if what == 7:
                ExceptionGroup("a class", [ValueError])
            if what == 8:
                ExceptionGroup("a set", {1})
            if what == 9:
                ExceptionGroup("text", "ab")
        except (TypeError, ValueError) as error:
            return x + 1, type(error).__name__, error.args
        return x

    if what == 8:
        check(function, X, what, backend="reference")
    else:
        compiled(function, X, what)


def test_groups_are_divided() -> None:
    def function(x: Any, n: int) -> Any:
        group = nested(n)
        group.add_note("noted")
        parts = [
            *group.split(ValueError),
            *group.split((KeyError, OSError)),
            *group.split(ArithmeticError),
            *group.split(ExceptionGroup),
            *group.split(lambda each: isinstance(each, KeyError) or each.args == (n,)),
            group.subgroup(TypeError),
            group.subgroup(lambda each: False),
            group.derive([ValueError("alone")]),
        ]
        same = group.split(Exception)[0] is group, group.subgroup(OSError).exceptions[0] is group.exceptions[2]
        notes = parts[0].__notes__ is group.__notes__, parts[0].__notes__ == group.__notes__
        return x + n, [told(each) for each in parts], same, notes

    compiled(function, X, 1)
    compiled(function, X, 2)


@pytest.mark.parametrize("what", range(3))
def test_what_cannot_divide_a_group(what: int) -> None:
    def function(x: Any, what: int) -> Any:
        try:
            if what == 0:
                nested(1).split(3)
            if what == 1:
                nested(1).split((ValueError, 3))
            if what == 2:
                Misleading("m", [ValueError(), KeyError()]).split(KeyError)
        except TypeError as error:
            return x + 1, error.args
        return x

    compiled(function, X, what)


def test_groups_of_a_class_of_the_users() -> None:
    def function(x: Any) -> Any:
        group = Coded("coded", [ValueError(1), KeyError(2)], 40)
        match, rest = group.split(KeyError)
        plainer = Errors("plainer", [ValueError(), TypeError()]).subgroup(ValueError)
        codes = group.code, match.code, rest.code
        return x + 1, told(group), told(match), told(rest), codes, len(group.args), type(plainer).__name__

    compiled(function, X)


def test_a_class_whose_new_is_pythons() -> None:
    def function(x: Any) -> Any:
        try:
            raise Marked("a", 2)
        except Marked as error:
            return x + error.mark, error.args, Marked.__new__(Marked, 5).args, Marked.__new__(Marked, mark=1).mark

    compiled(function, X)


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
    compiled(clauses, X, what)


def test_what_a_clause_leaves_that_takes_nothing() -> None:
    def function(x: Any) -> Any:
        group = Coded("coded", [ValueError(1), KeyError(2)], 40)
        try:
            raise group
        except* OSError:
            pass
        except* Exception as error:
            x = x + error.code
            seen = error is group, error.__suppress_context__
        return x, seen

    compiled(function, X)


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

    compiled(function, X, False)
    compiled(function, X, True)


def handler_of_its_own(error: Any) -> Any:
    try:
        raise error
    except* OSError as taken:
        found = told(taken)
    return found


def raise_again() -> None:
    raise


def test_frames_between_a_clause_and_what_it_raises() -> None:
    def function(x: Any, far: bool) -> Any:
        try:
            try:
                raise nested(1)
            except* ValueError:
                if far:
                    raise_again()  # the traceback has a line more: no part of the group any more
                raise
        except ExceptionGroup as error:
            return x + 1, told(error)

    compiled(function, X, False)
    compiled(function, X, True)


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

    compiled(function, X)


def test_a_clause_in_an_inlined_call() -> None:
    def function(x: Any) -> Any:
        return x + 1, handler_of_its_own(nested(1).subgroup(OSError))

    compiled(function, X)


@pytest.mark.parametrize("what", range(3))
def test_clauses_that_python_refuses(what: int) -> None:
    def function(x: Any, what: int) -> Any:
        kinds = (ExceptionGroup, (ValueError, BaseExceptionGroup), 3)[what]
        try:
            try:
                raise ValueError("v")
            except* kinds:
                x = x * 2
        except TypeError as error:
            return x + 1, error.args, told(error.__context__)
        return x

    compiled(function, X, what)


def test_what_operations_raise_is_caught() -> None:
    def function(x: Any, table: dict[str, int], name: str) -> Any:
        try:
            x = x + table[name]
        except* KeyError as error:
            x = x * 2
            names = [each.args for each in error.exceptions]
        else:
            names = []
        return x, names

    compiled(function, X, {"a": 1}, "a")
    compiled(function, X, {"a": 1}, "b")


def test_groups_leave_the_call() -> None:
    def function(x: Any, what: int) -> Any:
        group = nested(what)
        if what == 0:
            return x + 1, group
        if what == 1:
            return x + 1, group.split(ValueError)[1]
        if what == 2:
            coded = Coded("coded", [ValueError(), KeyError()], 3)
            coded.add_note("noted")
            return x + 1, coded, coded.exceptions[1]
        try:
            raise group
        except* ValueError:
            x = x * 2
        return x

    for what in range(3):
        value = compiled(function, X, what).results[0]
        assert isinstance(value[1], BaseExceptionGroup) and told(value[1]) == told(function(X, what)[1])
    report = check(function, X, 3, expect="plain", backend="reference")
    assert report.breaks[:1] == ["B304"]


def test_a_function_goes_on_behind_a_group_that_python_has_to_catch() -> None:
    def function(x: Any, errors: list[Any]) -> Any:
        y = x * 2
        try:
            raise ExceptionGroup("from outside", errors)
        except* ValueError as error:
            y = y + len(error.exceptions)
        return y * 3

    plain(function, X, [ValueError(1)], code="B401")


def test_tracebacks_are_compared() -> None:
    def function(x: Any) -> Any:
        error = ValueError("v")
        before = error.__traceback__
        try:
            raise error
        except ValueError:
            first = error.__traceback__
        try:
            raise error
        except ValueError:
            second = error.__traceback__
        return x + 1, before is None, first == second, first is error.__traceback__, second == second, first != None  # noqa: E711

    compiled(function, X)
