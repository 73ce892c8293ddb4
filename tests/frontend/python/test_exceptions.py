"""Exceptions inside a jitted function: raised, caught, chained, looked at; plain Python is the oracle."""

# ruff: noqa: B012, B016, B904, F821, F841 (what is written is what is tested)

from __future__ import annotations

import sys
import traceback
import unittest
from typing import Any

import numpy as np
import pytest
from frontend.language import X, asserting, compiled, plain
from oracle import check

import guardlift as gl

pytestmark = pytest.mark.spec("S8.03")


class Wrong(Exception):
    """A class of the user's."""


class VeryWrong(Wrong, ValueError):
    limit = 3

    def twice(self) -> int:
        return 2 * len(self.args)

    @property
    def first(self) -> Any:
        return self.args[0]


class Spoken(Wrong):
    def __str__(self) -> str:
        return f"spoken of {self.args[0]}"

    def __repr__(self) -> str:
        return f"<{self.args[0]}>"


def thrower(x: Any, what: int) -> Any:
    if what == 0:
        raise Wrong("zero", 3)
    if what == 1:
        raise VeryWrong
    if what == 2:
        raise KeyError("k")
    if what == 3:
        raise ValueError
    if what == 4:
        raise ZeroDivisionError("by hand")
    return x + what


def test_except_by_class_and_by_tuple() -> None:
    def function(x: Any, what: int) -> Any:
        try:
            x = thrower(x, what)
        except VeryWrong:
            x = x * 2
        except (KeyError, Wrong) as error:
            x = x + len(error.args)
        except ValueError:
            x = x - 7
        except:  # noqa: E722
            x = x * 11
        else:
            x = x * 3
        finally:
            x = x + 1
        return x

    for what in range(6):
        compiled(function, X, what)


def test_the_raise_statement() -> None:
    def function(x: Any, what: int) -> Any:
        try:
            if what == 0:
                raise ValueError
            if what == 1:
                raise ValueError(1, "two")
            if what == 2:
                raise 3  # type: ignore[misc]
            if what == 3:
                raise ValueError("a") from "b"  # type: ignore[misc]
            if what == 4:
                raise ValueError from KeyError
            if what == 5:
                raise ValueError from None
            if what == 6:
                raise int  # type: ignore[misc]
        except (ValueError, TypeError) as error:
            return x + 1, type(error) is ValueError, error.args, str(error), repr(error), error.__suppress_context__
        return x * 2

    for what in range(8):
        compiled(function, X, what)


def test_cause_and_context() -> None:
    def function(x: Any, chained: bool) -> Any:
        seen = []
        try:
            try:
                try:
                    raise KeyError("first")
                except KeyError as error:
                    seen.append(error.__cause__ is None)
                    if chained:
                        raise ValueError("second") from error
                    raise ValueError("second")
            except ValueError as error:
                seen.append(isinstance(error.__cause__, KeyError))
                seen.append(error.__context__.args)
                seen.append(error.__suppress_context__)
                seen.append(error.__cause__ is error.__context__)
                raise TypeError("third") from None
        except TypeError as error:
            seen.append(error.__cause__)
            seen.append(str(error.__context__))
            seen.append(repr(error.__context__.__context__))
            seen.append(error.__suppress_context__)
        return x + 1, seen

    compiled(function, X, True)
    compiled(function, X, False)


def in_and_out_of_a_handler(function: Any) -> None:
    """Calls where the caller handles an exception and where it handles none give what Python gives, in any order."""
    for jitted, first in ((gl.jit(function), False), (gl.jit(function), True)):
        for handles in (first, not first, first):
            told = []
            for each in (function, jitted):
                try:
                    if handles:
                        raise KeyError("of the caller")
                    told.append(each(X)[1])
                except KeyError:
                    told.append(each(X)[1])
            assert told[0] == told[1], told


def test_the_context_that_the_caller_gives() -> None:
    def function(x: Any) -> Any:
        try:
            raise KeyError("first")
        except KeyError as error:
            return x + 1, str(error.__context__)

    compiled(function, X)
    in_and_out_of_a_handler(function)


def test_what_is_being_handled() -> None:
    def function(x: Any) -> Any:
        told = [str(each) for each in sys.exc_info()[:2]]
        try:
            raise
        except RuntimeError as error:
            told.append(str(error))
        except KeyError as error:
            told.append(str(error))
        told.append(sys.exc_info()[2] is None)
        return x + 1, told

    compiled(function, X)
    in_and_out_of_a_handler(function)


def test_raising_the_same_again() -> None:
    def function(x: Any) -> Any:
        try:
            try:
                raise KeyError("first")
            except KeyError as error:
                kept = error
                try:
                    raise
                except KeyError as again:
                    x = x + (again is error)
                try:
                    raise ValueError
                except ValueError:
                    pass
                raise
        except KeyError as error:
            x = x * 2 + (error is kept)
        return x

    compiled(function, X)


def test_a_cycle_of_contexts_is_cut() -> None:
    def function(x: Any) -> Any:
        first, second = KeyError("a"), ValueError("b")
        try:
            try:
                try:
                    raise first
                except KeyError:
                    raise second
            except ValueError:
                raise first
        except KeyError as error:
            return x + 1, error is first, error.__context__ is second, second.__context__ is None

    compiled(function, X)


def test_a_bare_raise_without_an_exception_here() -> None:
    def again() -> None:
        raise

    def function(x: Any) -> Any:
        try:
            again()
        except RuntimeError:
            x = x + 1
        return x

    def inside(x: Any) -> Any:
        try:
            raise KeyError
        except KeyError:
            try:
                again()
            except KeyError:
                x = x + 1
        return x

    compiled(function, X)


def test_what_the_caller_handles_is_left_as_it_was() -> None:
    @gl.jit
    def breaks(x: Any) -> Any:
        y = x + 1
        print(end="")
        return y

    @gl.jit
    def breaks_in_a_handler(x: Any) -> Any:
        try:
            raise KeyError
        except KeyError:
            print(end="")
        return x + 1

    @gl.jit
    def raises_and_catches(x: Any) -> Any:
        try:
            raise KeyError
        except KeyError:
            return x + 1

    for function in (breaks, breaks_in_a_handler, raises_and_catches):
        try:
            try:
                raise KeyError("first")
            except KeyError:
                raise ValueError("second")
        except ValueError as error:
            before = error.__traceback__, error.__context__
            function(X)
            assert (error.__traceback__, error.__context__) == before


def test_the_variable_is_gone_after_its_handler() -> None:
    def function(x: Any) -> Any:
        error = "before"
        try:
            raise KeyError
        except KeyError as error:
            x = x + 1
        try:
            return x, error
        except UnboundLocalError as other:
            return x, str(other)

    compiled(function, X)


def test_finally_with_return_break_and_continue() -> None:
    def function(x: Any, n: int) -> Any:
        for k in range(n):
            try:
                if k == 1:
                    raise KeyError
                if k == 3:
                    raise ValueError
                x = x + 1
            except KeyError:
                x = x * 2
                continue
            finally:
                x = x + k + 1
                if k == 3:
                    break
        return x

    def swallowed(x: Any) -> Any:
        try:
            raise KeyError
        finally:
            return x + 1

    for n in range(1, 6):
        compiled(function, X, n)
    compiled(swallowed, X)


def test_writes_before_the_exception_stay() -> None:
    def function(x: Any, table: dict[str, float]) -> Any:
        try:
            x[0] = 5.0
            x[1] = table["missing"]
            x[2] = 7.0
        except KeyError as error:
            x += len(error.args)
        return x.sum()

    compiled(function, X, {"a": 1.0})
    compiled(function, X, {"missing": 1.0})


def test_what_made_it_happen_is_guarded() -> None:
    def function(x: Any, table: dict[str, float], items: list[float], box: Any) -> Any:
        try:
            x = x + table["b"]
        except KeyError as error:
            x = x * 2 + len(error.args[0])
        try:
            x = x + items[1]
        except IndexError:
            x = x * 3
        try:
            x = x + box.extra
        except AttributeError:
            x = x * 5
        return x

    class Box:
        extra: float

    full = Box()
    full.extra = 4.0
    jitted = gl.jit(fullgraph=True)(function)
    for _ in range(2):
        for table in ({"a": 1.0}, {"b": 2.0}):
            for items in ([1.0], [1.0, 2.0]):
                for box in (Box(), full):
                    given = X.copy(), table, items, box
                    np.testing.assert_array_equal(jitted(*given), function(*given))
    Box.extra = 9.0
    np.testing.assert_array_equal(jitted(X, {}, [], Box()), function(X, {}, [], Box()))
    del Box.extra
    Box.__getattr__ = lambda self, name: 11.0  # type: ignore[attr-defined]
    np.testing.assert_array_equal(jitted(X, {}, [], Box()), function(X, {}, [], Box()))


def test_errors_of_operations_on_known_values() -> None:
    def function(x: Any, what: int, n: int, f: float, table: dict[str, float]) -> Any:
        try:
            if what == 0:
                return x + 1 / n
            if what == 1:
                return x + n // 0
            if what == 2:
                return x + [1, 2][n + 2]
            if what == 3:
                return x + (1, 2)[n + 2]
            if what == 4:
                return x, table["no"]
            if what == 5:
                return x, "text"[9]
            if what == 6:
                return x, int("text")
            if what == 7:
                a, b = [1, 2, 3]
                return x + a
            if what == 8:
                a, b, c = (1, 2)
                return x + a
            if what == 9:
                a, *rest, b = [1]
                return x + a
            if what == 10:
                return x, next(iter([]))
            if what == 11:
                return x, undefined  # type: ignore[name-defined]
            if what == 12:
                return x, [].pop()
            if what == 13:
                return x, {}.pop("a")
            if what == 14:
                return x, len(x[0, ...])
            if what == 15:
                return x, 2.0**10000
            if what == 16:
                return x, [1][n:n:n]
            if what == 17:
                return x, (lambda: later)()
            later = 1
        except Exception as error:
            return x * 2, error.args, str(error), repr(error)
        return x * 3

    for what in range(19):
        compiled(function, X, what, 0, 1.0, {"a": 1.0})


def test_an_error_that_depends_on_a_number_is_one_more_variant() -> None:
    def function(x: Any, n: int) -> Any:
        try:
            return x + 10 // n
        except ZeroDivisionError as error:
            return x - len(str(error))

    jitted = gl.jit(fullgraph=True)(function)
    for n in (2, 0, 5, 0, 3):
        np.testing.assert_array_equal(jitted(X, n), function(X, n))


def test_wrong_arguments() -> None:
    def one(a: Any, b: Any = 1, /, c: Any = 2, *, d: Any, e: Any = 3) -> Any:
        return a

    def many(*args: Any, k: Any, **rest: Any) -> Any:
        return k

    def function(x: Any, what: int) -> Any:
        try:
            if what == 0:
                one()
            if what == 1:
                one(1, 2, 3, 4, d=5)
            if what == 2:
                one(1, 2, 3, c=4, d=5)
            if what == 3:
                one(1, z=3, d=1)
            if what == 4:
                one(1, b=3, d=1)
            if what == 5:
                one(1)
            if what == 6:
                many(1, 2)
            if what == 7:
                many(1, 2, k=3, z=4)
        except TypeError as error:
            return x - 1, str(error)
        return x + 1

    for what in range(9):
        compiled(function, X, what)


def test_user_classes() -> None:
    def function(x: Any, what: int) -> Any:
        try:
            if what == 0:
                raise VeryWrong(x, 2)
            if what == 1:
                raise Spoken("öf")
            raise Wrong
        except VeryWrong as error:
            return error.first + error.twice() + error.limit, isinstance(error, ValueError)
        except Spoken as error:
            return x + 1, str(error), repr(error), f"{error} {error!r} {error!a}"
        except Wrong as error:
            return -x, f"{error}|{error!r}|{error!a}|{error!s:>20}", error.args

    for what in range(3):
        compiled(function, X, what)


class Coded(Wrong):
    """With an `__init__` of its own."""

    def __init__(self, text: str, *, code: int = 7, data: Any = None) -> None:
        super().__init__(text, code)
        self.code = code
        self.data = data


class Rude(Exception):
    def __init__(self, *args: Any) -> None:
        self.count = len(args)

    def __str__(self) -> str:
        return f"{self.count} {super().__str__()}"


class Strict(LookupError):
    def __init__(self, key: str) -> None:
        LookupError.__init__(self, f"no {key}")
        self.args += (key,)


class Hidden(AttributeError):
    def __getattr__(self, name: str) -> str:
        return name * 2


def test_classes_with_an_init_of_their_own() -> None:
    def function(x: Any, what: int) -> Any:
        try:
            if what == 0:
                raise Coded("text", data=x + 1)
            if what == 1:
                raise Coded("other", code=3)
            if what == 2:
                raise Rude(1, 2)
            if what == 3:
                raise Strict("key")
            if what == 4:
                raise Coded
            raise Hidden
        except Coded as error:
            return x * 2, error.code, error.args, str(error), error.data
        except Rude as error:
            error.count += 1
            return x * 3, error.count, str(error), repr(error), f"{error}"
        except Strict as error:
            return x * 4, error.args, error.__dict__, getattr(error, "more", None), hasattr(error, "args")
        except TypeError as error:
            return x * 5, str(error)
        except Hidden as error:
            return x * 6, error.some  # type: ignore[attr-defined]

    for what in range(6):
        compiled(function, X, what)


def test_an_init_that_cannot_be_followed_is_no_hindrance_to_raising() -> None:
    class Printing(Exception):
        def __init__(self, text: str) -> None:
            print(text, end="")

    def function(x: Any, n: int) -> Any:
        if n < 0:
            raise Printing("negative") from ValueError(n)
        return x + n

    jitted = gl.jit(fullgraph=True)(function)
    np.testing.assert_array_equal(jitted(X, 1), X + 1)
    with pytest.raises(Printing):
        jitted(X, -1)


def test_a_class_changed_between_calls() -> None:
    class Local(Exception):
        weight = 2.0

    def function(x: Any) -> Any:
        try:
            raise Local
        except ValueError:
            return x * 100
        except Local as error:
            return x * error.weight

    jitted = gl.jit(fullgraph=True)(function)
    np.testing.assert_array_equal(jitted(X), X * 2)
    Local.weight = 3.0
    np.testing.assert_array_equal(jitted(X), X * 3)


def test_attributes_that_the_program_sets() -> None:
    def function(x: Any) -> Any:
        error = Wrong("a")
        error.code = x + 1  # type: ignore[attr-defined]
        error.args = (1, 2)
        try:
            raise error
        except Wrong as caught:
            try:
                caught.missing  # type: ignore[attr-defined]  # noqa: B018
            except AttributeError as other:
                return caught.code, caught.args, str(other)  # type: ignore[attr-defined]

    compiled(function, X)


def test_an_uncaught_one_has_its_own_type() -> None:
    def function(x: Any, what: int) -> Any:
        try:
            return thrower(x, what)
        except KeyError:
            raise Spoken("late") from None
        finally:
            x += 1

    for what in range(5):
        plain(function, X, what, code="B304")
    jitted = gl.jit(fullgraph=True)(function)
    for what, kind in ((0, Wrong), (1, VeryWrong), (2, Spoken), (3, ValueError)):
        x = X.copy()
        with pytest.raises(kind) as caught:
            jitted(x, what)
        assert type(caught.value) is kind
        np.testing.assert_array_equal(x, X + 1)


def test_generators() -> None:
    def steps(x: Any, seen: list[Any]) -> Any:
        for k in range(3):
            try:
                yield x + k
            except ValueError:
                seen.append(k)
                yield x * 100
        raise KeyError("end")

    def stops() -> Any:
        yield 1
        raise StopIteration("no")

    def function(x: Any) -> Any:
        total, seen = x, []
        try:
            for each in steps(x, seen):
                total = total + each
        except KeyError as error:
            total = total * len(error.args)
        try:
            for each in stops():
                total = total + each
        except RuntimeError as error:
            seen.append(str(error))
            seen.append(repr(error.__cause__))
            seen.append(error.__context__ is error.__cause__)
        return total, seen

    compiled(function, X)


def test_stop_iteration_has_a_value() -> None:
    def steps() -> Any:
        yield 1
        return 5

    def function(x: Any) -> Any:
        stepping = steps()
        next(stepping)
        try:
            next(stepping)
        except StopIteration as end:
            return x + end.value

    compiled(function, X)


def test_thrown_into_a_generator_that_hands_on() -> None:
    def steps(seen: list[str]) -> Any:
        try:
            yield from [1, 2]
        except ValueError as error:
            seen.append(repr(error.__context__))
            yield len(error.args)

    def function(x: Any) -> Any:
        seen: list[str] = []
        stepping = steps(seen)
        total = next(stepping)
        try:
            raise KeyError("context")
        except KeyError:
            total += stepping.throw(ValueError("thrown"))
        stepping.close()
        try:
            steps(seen).throw(Wrong("at once"))
        except Wrong as error:
            seen.append(repr(error))
        return x + total, seen

    compiled(function, X)


def test_what_array_operations_raise_is_left_to_python() -> None:
    def function(x: Any, n: int) -> Any:
        try:
            return x.reshape(n, 3)
        except ValueError:
            return x - 1

    assert not check(function, X, 2, expect="plain", backend="reference").results[0][0] == X[0]


def test_a_closure_over_the_variable_of_a_handler() -> None:
    def function(x: Any) -> Any:
        try:
            raise KeyError("kept")
        except KeyError as error:
            read = lambda: error.args  # noqa: E731
            first = read()
        try:
            read()
        except NameError as other:
            return x + 1, first, str(other)

    compiled(function, X)


def test_handlers_in_a_loop() -> None:
    def function(x: Any, table: dict[str, float]) -> Any:
        missing = []
        for name in ("a", "b", "c", "d"):
            try:
                x = x + table[name]
            except KeyError as error:
                missing.append(error.args[0])
                if name == "c":
                    break
        else:
            x = x * 2
        return x, missing

    compiled(function, X, {"a": 1.0, "b": 2.0})
    compiled(function, X, {"a": 1.0, "c": 2.0})


def test_notes() -> None:
    def function(x: Any) -> Any:
        try:
            raise Wrong("noted")
        except Wrong as error:
            error.add_note("first")
            error.add_note("second")
            try:
                error.add_note(3)  # type: ignore[arg-type]
            except TypeError as other:
                return x + 1, error.__notes__, str(other)

    compiled(function, X)


def test_one_that_is_returned() -> None:
    def made(x: Any) -> Any:
        error = Wrong("a", x + 1)
        error.code = 3  # type: ignore[attr-defined]
        return error.args[1] * 2, [error, error]

    jitted = gl.jit(fullgraph=True)(made)
    first, second = jitted(X)[1], jitted(X)[1]
    assert first[0] is first[1] and first[0] is not second[0]
    assert type(first[0]) is Wrong and first[0].args[0] == "a" and first[0].code == 3
    np.testing.assert_array_equal(first[0].args[1], X + 1)

    def caught(x: Any) -> Any:
        try:
            raise Wrong("a")
        except Wrong as error:
            return x + 1, error

    assert gl.jit(caught)(X)[1].__traceback__ is not None


def test_assertions() -> None:
    def function(x: Any, n: int) -> Any:
        try:
            return asserting(x, n)
        except AssertionError as error:
            return x - 1, str(error)

    compiled(function, X, 1)
    compiled(function, X, 0)


def test_classes_that_cannot_be_caught() -> None:
    def function(x: Any, kinds: Any) -> Any:
        try:
            try:
                raise KeyError
            except kinds:
                return x
        except TypeError as error:
            return x + 1, str(error), repr(error.__context__)

    def tried(x: Any) -> Any:
        return function(x, int), function(x, (KeyError, 3)), function(x, (LookupError,))

    compiled(tried, X)


def test_operating_system_errors_know_their_class_by_their_number() -> None:
    def function(x: Any, full: bool) -> Any:
        try:
            if full:
                raise OSError(2, "no such file")
            raise OSError("text")
        except FileNotFoundError:
            return x + 1
        except OSError as error:
            return x + 2, str(error)

    plain(function, X, True, code="B307")
    compiled(function, X, False)


def test_tracebacks_are_passed_on_set_and_cleared() -> None:
    def function(x: Any) -> Any:
        told = []
        try:
            raise ValueError("v")
        except ValueError as error:
            told.append(error.__traceback__ is None)
            traceback.clear_frames(error.__traceback__)
            told.append(error.with_traceback(None) is error)
            told.append(error.__traceback__ is None)
            error.__traceback__ = sys.exc_info()[2]
            kept = error
        for wrong in (1, "tb"):
            try:
                kept.with_traceback(wrong)  # type: ignore[arg-type]
            except TypeError as error:
                told.append(str(error))
        told.append(KeyError().__traceback__ is None)
        traceback.clear_frames(None)
        return x + 1, told

    compiled(function, X)


def test_a_traceback_that_was_taken_off_comes_back_when_it_is_raised() -> None:
    def function(x: Any, again: bool) -> Any:
        try:
            try:
                x[...] += 1
                raise ValueError("v")
            except ValueError as error:
                error.with_traceback(None)
                if again:
                    raise
                raise error
        except ValueError as error:
            return error.__traceback__ is None, x + 1

    compiled(function, X, False)
    compiled(function, X, True)


def raise_again_without_traceback(error: BaseException) -> None:
    try:
        raise error
    except ValueError:
        error.__traceback__ = None
        raise


def test_each_frame_adds_to_a_traceback() -> None:
    def function(x: Any) -> Any:
        error, seen = ValueError("v"), []
        try:
            raise error
        except ValueError:
            seen.append(error.__traceback__)
        try:
            raise_again_without_traceback(error)
        except ValueError:
            seen.append(error.__traceback__)
        return x + 1, [each is None for each in seen], seen[0] is seen[1]

    compiled(function, X)


def test_clearing_the_frames_of_a_generator_ends_it() -> None:
    def function(x: Any) -> Any:
        def numbers() -> Any:
            try:
                raise KeyError
            except KeyError as error:
                yield error
            yield 2

        running = numbers()
        try:
            raise next(running)
        except KeyError as error:
            traceback.clear_frames(error.__traceback__)
        return x + 1, list(running)

    plain(function, X, code="B201")


def documented(x: Any) -> Any:
    """Words."""
    return x


def test_functions_tell_their_names_and_words() -> None:
    def function(x: Any) -> Any:
        def inner(a: Any) -> Any:
            "Inner words."
            return a + len(told)

        def free() -> Any:
            return x

        told = []
        for each in (documented, inner, free, lambda: 1):
            told += [each.__name__, each.__qualname__, each.__doc__]
        return x + 1, told

    compiled(function, X)
    compiled(function, X)
    documented.__doc__, documented.__name__ = "Other words.", "other"
    try:
        compiled(function, X)
    finally:
        documented.__doc__, documented.__name__ = "Words.", "documented"


def test_thrown_into_a_generator_in_three_parts() -> None:
    def function(x: Any) -> Any:
        def waiting() -> Any:
            try:
                yield 1
            except KeyError as error:
                yield error

        running, told = waiting(), []
        next(running)
        try:
            raise KeyError("k")
        except KeyError as error:
            told.append(running.throw(KeyError, error, error.__traceback__) is error)
        return x + 1, told

    if sys.version_info < (3, 12):
        compiled(function, X)
    else:
        with pytest.warns(DeprecationWarning):
            gl.jit(function)(X)


def test_words_of_bound_methods() -> None:
    class Owner:
        def method(self) -> None:
            """Words of a method."""

    def function(x: Any, owner: Any) -> Any:
        return x + 1, owner.method.__doc__, owner.method.__name__, owner.method.__qualname__

    compiled(function, X, Owner())


def test_assertions_of_unittest() -> None:
    case = unittest.TestCase()

    def function(x: Any) -> Any:
        with case.assertRaises(ZeroDivisionError) as caught:
            raise ZeroDivisionError("by hand")
        case.assertRaises(TypeError, int, 1, 2, 3)
        case.assertRaisesRegex(ValueError, "inval.d literal", int, "x")
        for k in range(2):
            with case.subTest(k=k):
                case.assertAlmostEqual(k, k + 1e-9)
        case.assertIsInstance(x.shape, tuple)
        case.assertDictEqual({1: 2}, {1: 2})
        told = [str(caught.exception), caught.exception.__traceback__ is None, caught.exception.__context__ is None]
        try:
            case.assertRaises(KeyError, int, 3)
        except AssertionError as error:
            told.append(str(error))
        try:
            case.assertEqual(1, 2)
        except AssertionError as error:
            told.append(str(error).splitlines()[0])
        return x + 1, told

    with gl.config.patch(trace_without_arrays=True):
        compiled(function, X)


class Marked(Exception):
    """An error with an own `__new__`."""

    def __new__(cls, *args: Any, mark: int = 7) -> Marked:
        made = super().__new__(cls, *args)
        made.mark = mark
        return made

    mark: int


def test_a_class_whose_new_is_pythons() -> None:
    def function(x: Any) -> Any:
        try:
            raise Marked("a", 2)
        except Marked as error:
            return x + error.mark, error.args, Marked.__new__(Marked, 5).args, Marked.__new__(Marked, mark=1).mark

    compiled(function, X)


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


class Noting(Exception):
    """An error of which the tracer follows nothing, since something happens when it is dropped."""

    def __init__(self, seen: list[int]) -> None:
        seen.append(len(seen))

    def __del__(self) -> None: ...


class Elsewhere(OSError):
    def __init__(self, seen: list[int], text: str) -> None:
        seen.append(len(text))


def test_an_exception_that_is_made_and_dropped_has_done_what_its_class_does() -> None:
    def function(x: Any, what: int) -> Any:
        seen: list[int] = []
        try:
            if what == 0:
                Noting(seen)
            if what == 1:
                kept = Elsewhere(seen, "text")  # noqa: F841
            if what == 2:
                UnicodeDecodeError(1)  # type: ignore[call-arg, arg-type]
        except TypeError as error:
            seen.append(len(error.args))
        return x + 1, seen

    for what in range(3):
        plain(function, X, what, code="B201")
