"""`a.flat`, `np.ndenumerate` and `np.ndindex` beside NumPy's own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check

LAYOUTS = {
    "matrix": lambda: np.arange(6.0).reshape(2, 3),
    "columns": lambda: np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    "strided": lambda: np.arange(24.0).reshape(4, 6)[::2, ::-2],
    "row": lambda: np.arange(4, dtype=np.int32),
    "one": lambda: np.array(2.5),
    "none": lambda: np.zeros((0, 3)),
}


def compiled(function: Any, *args: Any) -> None:
    check(function, *args, expect="compiled", backend="reference")


@pytest.mark.parametrize("layout", LAYOUTS)
def test_elements_come_in_the_order_of_rows(layout: str) -> None:
    def of_flat(a: Any) -> Any:
        total, seen = 0.0, []
        for value in a.flat:
            total = total * 2 + value
            seen.append(value)
        return total, seen, a + 1

    def enumerated(a: Any) -> Any:
        return [(place, value) for place, value in np.ndenumerate(a)], [*a.flat], list(np.ndindex(a.shape)), a * 2

    for function in (of_flat, enumerated):
        compiled(function, LAYOUTS[layout]())


def test_subscripts_of_flat() -> None:
    def read(a: Any) -> Any:
        return a.flat[1], a.flat[-1], a.flat[1:4], a.flat[::-2], len(a.flat), type(a.flat), a.flat[2] + a

    def written(a: Any) -> Any:
        made = a * 2
        made.flat[1], made.flat[-1] = 7, a.sum()
        made.flat[2:4] = 3
        a.flat[0] += 1
        return made, a

    for layout in ("matrix", "columns", "strided"):
        compiled(read, LAYOUTS[layout]())
    compiled(written, LAYOUTS["matrix"]())


def test_elements_are_read_when_they_are_asked_for() -> None:
    def through_flat(a: Any) -> Any:
        seen = []
        for value in a.flat:
            a[:] = a + value
            seen.append(value + 0)
        return seen, a

    def through_ndenumerate(a: Any) -> Any:
        for (i,), value in np.ndenumerate(a):
            a[(i + 1) % 3] = value * 2 + i
        return a

    for function in (through_flat, through_ndenumerate):
        compiled(function, np.array([1.0, 2.0, 3.0]))


def test_an_iterator_that_was_begun_goes_on_where_it_was() -> None:
    def function(a: Any) -> Any:
        flat, places = a.flat, np.ndindex(2, 2)
        first = next(places)
        seen = [first, *places, *places]
        return seen, [*flat], a + 1

    def again(a: Any) -> Any:
        flat = a.flat
        return [*flat], [*flat], flat.index, a + 1

    def kept(a: Any) -> Any:
        flat = a.flat
        print(end="")
        return flat[1], [*flat], type(flat), a + 1

    for each in (function, again, kept):
        check(each, np.arange(3.0), backend="reference")


def test_what_is_too_large_or_no_size_is_left_to_python() -> None:
    def many(a: Any) -> Any:
        total = 0.0
        for value in a.flat:
            total += value
        return total, sum(i * j for i, j in np.ndindex(20, 30)), a + 1

    def negative(a: Any, n: int) -> Any:
        return a + 1, [*np.ndindex(n)]

    def beyond(a: Any) -> Any:
        return a + 1, a.flat[7]

    for function, args in ((many, (np.arange(100.0),)), (negative, (np.ones(2), -1)), (beyond, (np.ones(2),))):
        report = check(function, *args, backend="reference")
        assert "B900" not in report.breaks
