"""A variable that only some calls bind, read behind a graph break."""

from typing import Any

import numpy as np
from oracle import Tolerance, check_in_turn


def test_a_variable_that_a_later_call_leaves_unbound() -> None:
    def ended(a: Any, stop: Any) -> Any:
        for i in range(len(a)):  # noqa: B007
            if stop[0]:
                break
        last = 0 + i
        return last, a.sum()

    rows = [(np.ones(size), np.array([3, 4])) for size in (6, 0, 6, 2, 0)]
    check_in_turn(ended, rows, Tolerance(), backend="reference")


def test_an_unbound_variable_that_is_shared_is_still_the_functions_own() -> None:
    """The first call goes on in newer code at the break: there, too, its error is that of a local variable."""

    def read(a: Any, bound: Any) -> Any:
        if bound:
            value = 1
        if a.sum() > 3:
            a = a * 2
        try:
            return [value, (lambda: value)()]
        except NameError as error:
            return type(error).__name__, str(error), a

    def deleted(a: Any, bound: Any) -> Any:
        if bound:
            value = 1
        if a.sum() > 3:
            a = a * 2
        try:
            del value
            return (lambda: value)()  # noqa: F821
        except NameError as error:
            return type(error).__name__, str(error), a

    rows = [(np.ones(size), bound) for size, bound in ((2, False), (6, False), (6, True), (2, False))]
    for function in (read, deleted):
        for first in range(3):
            check_in_turn(function, rows[first:], Tolerance(), backend="reference")


def test_a_shared_variable_written_on_both_sides_of_a_break() -> None:
    def counted(value: Any, times: Any) -> Any:
        def add() -> None:
            nonlocal value
            value = value + times

        if value.sum() > 3:
            add()
        seen = [value.sum() for value in [value, value + 1]]
        add()
        names = sorted(locals())
        if value.sum() > 9:
            add()
        return value, seen, names, sorted(str(type(each)) for each in locals().values())

    rows = [(np.ones(size), times) for size, times in ((2, 1.0), (6, 2.0), (6, 3.0), (2, 1.0))]
    for first in range(3):
        check_in_turn(counted, rows[first:], Tolerance(), backend="reference")


def test_comprehensions_that_borrow_the_place_of_a_shared_variable() -> None:
    """Since 3.12 a comprehension runs in its function's frame, its variables in the place of those of the same name."""

    def borrowed(a: Any, n: Any) -> Any:
        x = 1

        def shared() -> int:
            return x

        def count() -> None:
            nonlocal x
            x += 1

        if a.sum() > 3:
            n += 1
        rows = [(print(end=""), x, shared())[1:] for x in a]
        if a.sum() > 4:
            n += 1
        given = [lambda: k for k in range(n)]  # noqa: B023
        if a.sum() > 5:
            n += 1
        again = [(print(end=""), lambda: k, x) for k in range(n) if print(end="") is None]  # noqa: B023
        count()
        try:
            [(print(end=""), lambda: x, x) for x in range(n) if 3 // (x - 2)]  # noqa: B023
        except ZeroDivisionError:
            n += 3
        return shared(), rows, [each() for each in given], [(each[1](), each[2]) for each in again], n, x

    rows = [(np.full((2, 2), value), times) for value, times in ((0.5, 1), (1.1, 2), (1.5, 3), (0.5, 1))]
    check_in_turn(borrowed, rows, Tolerance(), backend="reference")
