"""The `with` statement inside a jitted function: which managers, how blocks are left; plain Python is the oracle."""

# ruff: noqa: B022 (what is written is what is tested)

from __future__ import annotations

import abc
import contextlib
import sys
from typing import Any

import numpy as np
import pytest
from frontend.language import X, compiled, plain
from oracle import check

import guardlift as gl

pytestmark = pytest.mark.spec("S8.04")


class Doubling:
    """A manager without a state of its own."""

    swallows = True

    def __enter__(self) -> int:
        return 2

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> bool:
        return kind is ValueError and self.swallows


DOUBLING = Doubling()


@contextlib.contextmanager
def noting(seen: list[str], name: str, kinds: Any = ()) -> Any:
    seen.append(f"+{name}")
    try:
        yield len(seen)
    except kinds as error:
        seen.append(f"!{name} {error!r}")
    finally:
        seen.append(f"-{name}")


def test_a_manager_of_the_users() -> None:
    def function(x: Any, what: int) -> Any:
        with DOUBLING as two:
            x = x * two
            if what == 1:
                return x
            if what == 2:
                raise ValueError
            if what == 3:
                raise KeyError("out")
            x = x + 1
        return x - 1

    for what in range(3):
        compiled(function, X, what)
    plain(function, X, 3, code="B304")


def test_one_that_is_none() -> None:
    class Half:
        def __enter__(self) -> None: ...

    half = Half()

    def function(x: Any, what: int) -> Any:
        try:
            with (3, half, DOUBLING)[what]:  # type: ignore[attr-defined]
                x = x + 1
        except TypeError as error:
            return x * 2, str(error)
        return x

    for what in range(3):
        compiled(function, X, what)


def test_nullcontext_suppress_and_closing() -> None:
    class Closed:
        def close(self) -> None: ...

    closed = Closed()

    def function(x: Any, what: int) -> Any:
        with contextlib.nullcontext(3) as three, contextlib.nullcontext() as nothing:
            x = x + three
        with contextlib.suppress(KeyError, ValueError) as nothing_either:
            if what == 1:
                raise KeyError
            if what == 2:
                raise ZeroDivisionError
            x = x * 2
        with contextlib.suppress():
            x = x * 2
        with contextlib.closing(closed) as same:
            x = x + (same is closed)
        try:
            with contextlib.nullcontext():
                raise IndexError("through")
        except IndexError as error:
            return x, nothing is None, nothing_either is None, str(error)

    for what in range(2):
        compiled(function, X, what)
    plain(function, X, 2, code="B304")


def test_suppress_asks_issubclass_and_not_as_except_does() -> None:
    class Numbers(abc.ABC):  # noqa: B024
        pass

    Numbers.register(ZeroDivisionError)

    def function(x: Any, what: int) -> Any:
        try:
            with contextlib.suppress((Numbers, int, 3, ())[what]):  # type: ignore[arg-type]
                raise ZeroDivisionError("z")
        except (ZeroDivisionError, TypeError) as error:
            return x + 1, repr(error)
        return x

    for what in range(4):
        check(function, X, what, backend="reference")
    compiled(function, X, 1)


def test_functions_under_contextmanager() -> None:
    def function(x: Any, what: int) -> Any:
        seen: list[str] = []
        try:
            with noting(seen, "a", KeyError) as first, noting(seen, "b", ValueError) as second:
                x = x + first + second
                if what == 1:
                    raise KeyError("k")
                if what == 2:
                    raise ValueError("v")
                if what == 3:
                    raise TypeError("t")
                if what == 4:
                    return x, seen
        except TypeError as error:
            seen.append(repr(error))
        return x + 1, seen

    for what in range(5):
        compiled(function, X, what)


def test_generators_that_do_not_keep_to_the_rules() -> None:
    @contextlib.contextmanager
    def never() -> Any:
        if False:
            yield

    @contextlib.contextmanager
    def twice() -> Any:
        try:
            yield 1
        except KeyError:
            pass
        yield 2

    @contextlib.contextmanager
    def ending() -> Any:
        try:
            yield 1
        except KeyError:
            raise ValueError("other") from None

    def function(x: Any, what: int) -> Any:
        try:
            with (never, twice, twice, ending, ending)[what]():
                if what in (2, 3):
                    raise KeyError
                if what == 4:
                    raise StopIteration("through")
        except Exception as error:
            return x + 1, repr(error), repr(error.__cause__), error.__suppress_context__
        return x

    for what in range(5):
        compiled(function, X, what)


def test_managers_as_decorators() -> None:
    seen: list[str] = []

    @contextlib.contextmanager
    def suppressing(kind: Any = KeyError, *, factor: int = 1) -> Any:
        with contextlib.suppress(kind):
            yield factor

    @suppressing(ValueError, factor=2)
    def decorated(x: Any, what: int) -> Any:
        if what:
            raise ValueError
        return x + 1

    class Decorating(contextlib.ContextDecorator, Doubling):
        pass

    @Decorating()
    def other(x: Any, what: int) -> Any:
        if what:
            raise ValueError
        return x + 2

    def function(x: Any, what: int) -> Any:
        return x * 2, decorated(x, what), other(x, what), not seen

    for what in range(2):
        compiled(function, X, what)


def test_exit_stack() -> None:
    def function(x: Any, what: int) -> Any:
        seen: list[str] = []

        def note(*args: Any, **kwargs: Any) -> None:
            seen.append(repr(args) + repr(list(kwargs.items())))
            if what == 4:
                raise ValueError(len(seen))

        def leaving(kind: Any, error: Any, traceback: Any) -> bool:
            seen.append(repr(error))
            return what == 3

        try:
            with contextlib.ExitStack() as stack:
                stack.callback(note, 1, b=2)
                value = stack.enter_context(noting(seen, "a"))
                stack.enter_context(DOUBLING)
                stack.push(DOUBLING)
                stack.push(leaving)
                stack.push(contextlib.suppress(IndexError))
                if what == 1:
                    raise IndexError("swallowed")
                if what == 2:
                    raise ValueError("swallowed by the user's")
                if what >= 3:
                    raise KeyError("late")
                x = x + value
        except (KeyError, ValueError) as error:
            seen.append(repr(error))
            if what == 4:
                seen.append(repr(error.__context__))
        return x * 2, seen

    for what in range(6):
        compiled(function, X, what)


def test_exit_stack_handed_on() -> None:
    def function(x: Any) -> Any:
        seen: list[str] = []
        with contextlib.ExitStack() as stack:
            stack.callback(seen.append, "first")
            stack.callback(seen.append, "second")
            later = stack.pop_all()
            seen.append("inside")
        seen.append("outside")
        later.close()
        with later:
            seen.append("again")
        return x + 1, seen

    compiled(function, X)


def test_a_manager_of_a_function_serves_once() -> None:
    def function(x: Any) -> Any:
        seen: list[str] = []
        manager = noting(seen, "a")
        with manager:
            x = x + 1
        try:
            with manager:
                x = x + 2
        except AttributeError as error:
            seen.append(str(error))
        return x, seen

    plain(function, X, code="B401")


def test_what_an_exit_stack_refuses() -> None:
    def function(x: Any) -> Any:
        try:
            with contextlib.ExitStack() as stack:
                stack.enter_context(3)  # type: ignore[arg-type]
        except TypeError as error:
            return x + 1, str(error)

    plain(function, X, code="B307")


def test_an_object_made_inside_as_manager() -> None:
    class Counting:
        def __init__(self, seen: list[str]) -> None:
            self.seen = seen

        def __enter__(self) -> Any:
            self.seen.append("enter")
            return self

        def __exit__(self, kind: Any, error: Any, traceback: Any) -> bool:
            self.seen.append(f"exit {error!r}")
            return isinstance(error, KeyError)

    def function(x: Any) -> Any:
        seen: list[str] = []
        with Counting(seen) as counting:
            x = x + len(counting.seen)
        with Counting(seen), Counting(seen):
            raise KeyError("inside")
        return x, seen

    compiled(function, X)


def test_leaving_by_break_and_continue() -> None:
    def function(x: Any, n: int) -> Any:
        seen: list[str] = []
        for k in range(n):
            with noting(seen, str(k)):
                if k == 1:
                    continue
                if k == 3:
                    break
                x = x + k
        return x * 2, seen

    for n in range(6):
        compiled(function, X, n)


def test_the_grad_mode_after_an_exception() -> None:
    def function(x: Any, what: int) -> Any:
        try:
            with gl.no_grad():
                y = x * 2
                if what == 1:
                    raise KeyError
                with contextlib.ExitStack() as stack:
                    stack.enter_context(gl.enable_grad())
                    z = x * 3
                    if what == 2:
                        raise KeyError
        except KeyError:
            z = x * 5
        return y, z, gl.is_grad_enabled()

    jitted = gl.jit(fullgraph=True)(function)
    for what in range(3):
        for _ in range(2):
            x = gl.tensor([1.0, 2.0], requires_grad=True)
            (y, z, on), (y2, z2, on2) = jitted(x, what), function(x, what)
            assert on == on2 and y.requires_grad == y2.requires_grad and z.requires_grad == z2.requires_grad
            np.testing.assert_array_equal(z.detach().numpy(), z2.detach().numpy())


def test_what_is_being_handled() -> None:
    def function(x: Any) -> Any:
        seen = []
        try:
            raise KeyError("a")
        except KeyError as error:
            kind, found, traceback = sys.exc_info()
            seen.append((kind is KeyError, found is error, traceback is None, sys.exception() is error))
            try:
                raise ValueError
            except ValueError as inner:
                seen.append(sys.exception() is inner)
            seen.append(sys.exception() is error)
        return x + 1, seen

    compiled(function, X)
