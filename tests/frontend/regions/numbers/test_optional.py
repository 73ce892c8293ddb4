"""Native loops with variables that may be None, or that not every round binds."""

# ruff: noqa: F821, F841, SIM102 (what is written is what is tested)

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from frontend.regions.numbers.optional_loops import CLOSE, GRID, GRIDS, WHOLE, WHOLES, native
from oracle import check_in_turn

import guardlift as gl
from frontend.regions.numbers import optional_loops as loops


@pytest.mark.parametrize("grids", [GRIDS, WHOLES], ids=["floats", "ints"])
@pytest.mark.parametrize("function", loops.SHAPES, ids=lambda function: function.__name__)
def test_loops_with_such_variables_are_native(function: Callable[..., Any], grids: list[Any]) -> None:
    native(function, *grids)


def test_a_python_number_a_numpy_one_and_none_stay_what_they_are() -> None:
    native(loops.of_both_kinds, *GRIDS)


@pytest.mark.parametrize(
    "function", [loops.largest, loops.best_and_place, loops.place_as_a_tuple, loops.bound_in_one_branch]
)
def test_so_they_are_through_kernels(function: Callable[..., Any]) -> None:
    report = check_in_turn(function, [(GRID,), (GRID[:3],), (WHOLE,)], CLOSE)
    assert not report.breaks


def test_none_stays_where_no_round_binds_a_number() -> None:
    report = native(loops.last_below, abs(GRID) + 1, GRID, abs(GRID) + 1)
    assert report.compiles == 1


def failing(function: Callable[..., Any], argument: Any) -> tuple[type, str, int]:
    """The error that a call raises: the class, the words, and the line."""
    with pytest.raises(Exception) as found:  # noqa: PT011 (any, to be compared)
        function(argument)
    return found.type, str(found.value), traceback.extract_tb(found.tb)[-1].lineno or 0


def compares(a: Any) -> Any:
    best = None
    for k in range(len(a)):
        if a[k, 0] > 0:
            best = a[k, 0]
        if best > 100:
            break
    return best


def adds(a: Any) -> Any:
    total = None
    for k in range(len(a)):
        if a[k, 0] > 0:
            total = k
        if a[k, 0] < 0:
            total = total + 1
    return total


def indexes(a: Any) -> Any:
    where, found = None, 0.0
    for k in range(len(a)):
        if a[k, 0] > 0:
            where = k
        found += a[where, 1]
    return found


def negates(a: Any) -> Any:
    last, found = None, 0
    for k in range(len(a)):
        if a[k, 0] > 0:
            last = k
        found += -last
    return found


def hit(a: Any) -> Any:
    for k in range(a.shape[0]):
        if a[k, 0] > 0:
            last = k
    return last


def hit_within(a: Any) -> Any:
    found = 0
    for k in range(a.shape[0]):
        if a[k, 0] > 0:
            last = k
        found += last
    return found


@pytest.mark.parametrize("function", [compares, adds, negates, hit, hit_within])
def test_what_is_not_there_raises_what_python_raises_at_the_same_line(function: Callable[..., Any]) -> None:
    good, bad = abs(GRID) + 1, -abs(GRID) - 1
    native(function, good, bad, good)
    jitted = gl.jit(function)
    jitted(good)
    assert failing(jitted, bad) == failing(function, bad)


def test_none_is_told_from_a_number_behind_the_loop() -> None:
    def asked(a: Any) -> Any:
        best = None
        for k in range(len(a)):
            if a[k, 0] < 0 and (best is None or a[k, 0] < best):
                best = a[k, 0]
        if best is None:
            return "none loops.below"
        return best * 2

    def kept(a: Any) -> Any:
        best = None
        for k in range(len(a)):
            if a[k, 0] < 0:
                best = k
        return {"best": best, "pair": (best, [best])}, best == None, bool(best)  # noqa: E711

    for function in (asked, kept):
        native(function, *GRIDS, broken=True)
        jitted = gl.jit(function)
        jitted(GRID)
        assert "a number of a native loop, which may be None" in str(gl.explain(jitted))


def test_none_as_an_index_is_an_axis_more() -> None:
    def indexes(a: Any) -> Any:
        where, found = None, 0.0
        for k in range(len(a)):
            if a[k, 0] > 0:
                where = k
            found += a[where, 1]
        return found

    native(indexes, abs(GRID) + 1, -abs(GRID), abs(GRID) + 1)


def test_what_every_round_but_the_first_finds_bound_is_native() -> None:
    def steps(a: Any) -> Any:
        total = 0.0
        for k in range(len(a)):
            if k > 0:
                total += abs(a[k, 0] - before)
            before = a[k, 0]
        return total

    def inner(a: Any) -> Any:
        total = 0.0
        for k in range(len(a)):
            for j in range(a.shape[1]):
                if k + j > 0:
                    total += before * j
                before = a[k, j]
        return total, before

    for function in (steps, inner):
        report = native(function, GRID, WHOLE, GRID[:3])
        assert report.compiles == 3


def test_what_needs_the_number_behind_the_loop_is_compiled() -> None:
    def scaled(a: Any) -> Any:
        best, place = None, None
        for k in range(len(a)):
            if a[k, 0] > 0 and (best is None or a[k, 0] > best):
                best, place = a[k, 0], (k, best)
        k, before = place
        return -best, a[:, 1] * best, k + 1, before

    good, bad = abs(GRID) + 1, -abs(GRID)
    report = native(scaled, good, bad, GRID, bad)
    assert not report.breaks
    jitted = gl.jit(scaled)
    jitted(good)
    assert failing(jitted, bad) == failing(scaled, bad)


def row_below(a: Any) -> Any:
    where = None
    for k in range(len(a)):
        if a[k] < 0:
            where = k
    return where


class Place:
    """Something with an attribute."""


def in_an_object(a: Any, b: Any) -> Any:
    place = Place()
    place.x, place.y = row_below(a), (row_below(b), 1)
    return place.x, place.y


def in_a_closure(a: Any, b: Any) -> Any:
    where = row_below(a)

    def asked() -> Any:
        return where is None

    return asked(), row_below(b)


@pytest.mark.parametrize(
    "function",
    [
        lambda a, b: list(map(row_below, [a, b])).count(None),
        lambda a, b: list(map(row_below, [a, b])) == [None, None],
        lambda a, b: (None in (row_below(a), 3), (row_below(a), row_below(b))),
        lambda a, b: [x is None for x in map(row_below, (a, b))],
        lambda a, b: {"x": row_below(a), "y": [row_below(b)]},
        lambda a, b: (row_below(a) or row_below(b), any(map(row_below, (a, b)))),
        lambda a, b: (f"{row_below(a)} {row_below(b)!r}", {"w": row_below(a)}),
        lambda a, b: sorted([a, b], key=lambda x: -1 if row_below(x) is None else 1),
        lambda a, b: (row_below(a), a * 2, row_below(b)),
        in_an_object,
        in_a_closure,
    ],
)
def test_whatever_takes_it_behind_the_loop_takes_none_or_the_number(function: Callable[..., Any]) -> None:
    a, b = np.arange(8.0) - 3, np.arange(8.0)
    rows = [(a, b), (b, a), (a, a), (b, b)]
    check_in_turn(function, rows, CLOSE, backend="reference")


def test_a_second_loop_takes_over_what_the_first_has_left() -> None:
    def twice(a: Any) -> Any:
        best = None
        for k in range(len(a)):
            if a[k, 0] < -1 and (best is None or a[k, 0] < best):
                best = a[k, 0]
        for k in range(len(a)):
            if a[k, 1] < -1 and (best is None or a[k, 1] < best):
                best = a[k, 1]
        return best

    native(twice, *GRIDS)


def test_a_bool_may_be_pythons_in_one_branch_and_numpys_in_the_other() -> None:
    def asked(a: Any) -> Any:
        best, found, last, count = None, False, True, 0
        for k in range(len(a)):
            new = best is None or a[k, 0] > best
            if new:
                best = a[k, 0]
            count += not new
            if a[k, 1] > 0:
                last = a[k, 2] > 0
                count += int(last) + (2 if last and found else 0)
            found = a[k, 3] > 0 and k > 2
        return best, found, last, count

    def told(a: Any) -> Any:
        flag, count = False, 0
        for k in range(len(a)):
            if flag is True:
                count += 1
            flag = a[k, 0] > 0 if a[k, 1] > 0 else a[k, 0] > 0 and True
        return count, flag

    native(asked, *GRIDS)
    check_in_turn(told, [(each,) for each in GRIDS], CLOSE, backend="reference")


def test_numbers_of_kinds_that_do_not_join_are_told() -> None:
    def mixed(a: Any) -> Any:
        best = None
        for k in range(len(a)):
            if a[k, 0] > 0:
                best = True
            elif a[k, 0] < 0:
                best = a[k, 0]
        return best

    report = check_in_turn(mixed, [(GRID,), (abs(GRID),)], CLOSE, backend="reference")
    assert "B313" in report.breaks
