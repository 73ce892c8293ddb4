"""Functions whose loops have variables that may be None, or that not every round binds; and how they are checked."""

# ruff: noqa: F821, F841, SIM102 (what is written is what is tested)

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from oracle import Report, Tolerance, check_in_turn

RANDOM = np.random.default_rng(31)
CLOSE = Tolerance(ulp=4)
GRID = RANDOM.normal(size=(20, 4)) * 3
WHOLE = RANDOM.integers(-9, 9, (20, 4))
GRIDS = [GRID, abs(GRID) + 4, -abs(GRID[:3])]
WHOLES = [WHOLE, abs(WHOLE) + 4, -abs(WHOLE[:3]) - 1, WHOLE.astype("uint8")]


def native(function: Callable[..., Any], *arguments: Any, broken: bool = False) -> Report:
    """`check_in_turn`, that some call ran a region, and that none broke at its loop, or anywhere."""
    report = check_in_turn(function, [(each,) for each in arguments], CLOSE, backend="reference")
    assert "region" in report.op_names, "the loop is no region"
    assert "B313" not in report.breaks
    assert broken or not report.breaks, report.breaks
    return report


def largest_sum(a: Any) -> Any:
    best = None
    for k in range(a.shape[0]):
        s = a[k].sum()
        if best is None or s > best:
            best = s
    return best


def largest(a: Any) -> Any:
    best = None
    for k in range(a.shape[0]):
        for j in range(a.shape[1]):
            if best is None or a[k, j] > best:
                best = a[k, j]
    return best


def first_below(a: Any) -> Any:
    where = None
    for k in range(len(a)):
        if a[k, 0] < 0:
            where = k
            break
    return where


def last_below(a: Any) -> Any:
    where = None
    for k in range(len(a)):
        if a[k, 0] < 0:
            where = k
    return where


def best_and_place(a: Any) -> Any:
    best, place = None, None
    for k in range(len(a)):
        if best is None or a[k, 1] < best:
            best, place = a[k, 1], k
    return place, best


def place_as_a_tuple(a: Any) -> Any:
    place = None
    for k in range(a.shape[0]):
        for j in range(a.shape[1]):
            if place is None or a[k, j] > a[place[0], place[1]]:
                place = (k, j)
    return place


def in_a_tuple(a: Any) -> Any:
    state = (None, 0)
    for k in range(len(a)):
        if a[k, 2] > 1:
            state = (k, state[1] + 1)
    return state


def of_both_kinds(a: Any) -> Any:
    last = None
    for k in range(len(a)):
        if a[k, 0] > 2:
            last = 0.5
        elif a[k, 0] < -2:
            last = a[k, 1]
    return last


def becomes_none_again(a: Any) -> Any:
    run, longest = None, 0
    for k in range(len(a)):
        if a[k, 0] < 0:
            run = None
        elif run is None:
            run = 1
        else:
            run = run + 1
        if run is not None and run > longest:
            longest = run
    return longest, run


def of_a_while_loop(a: Any) -> Any:
    k, previous = 0, None
    rises = 0
    while k < len(a):
        if previous is not None and a[k, 0] > previous:
            rises += 1
        previous = a[k, 0]
        k += 1
    return rises, previous


def of_differences(a: Any) -> Any:
    total, previous, highest = 0.0, None, None
    for k in range(len(a)):
        if k > 0:
            total += abs(a[k, 0] - previous)
        if total > 5:
            total += a[highest, 1]
        if highest is None or a[k, 0] > a[highest, 0]:
            highest = k
        previous = a[k, 0]
    return total, highest


def two_at_once(a: Any) -> Any:
    low = high = None
    for k in range(len(a)):
        x = a[k, 3]
        if low is None or x < low:
            low = x
        if not (high is not None and x <= high):
            high = x
    return low, high


def as_a_bool(a: Any) -> Any:
    last, count = None, 0
    for k in range(len(a)):
        known = last is not None
        if known and not last:
            count += 1
        if last:
            count += 2
        last = a[k, 0] > 0
    return count, last


def by_or(a: Any) -> Any:
    last, total = None, 0
    for k in range(len(a)):
        total += last or 7
        last = k % 3 if a[k, 0] > 0 else None
    return total, last


def by_a_choice(a: Any) -> Any:
    best = None
    for k in range(len(a)):
        best = a[k, 0] if best is None else max(best, a[k, 0])
    return best


def better(new: Any, old: Any) -> Any:
    return old is None or new > old


def below(row: Any) -> Any:
    for j in range(len(row)):
        if row[j] < 0:
            return j
    return None


def by_functions(a: Any) -> Any:
    best, count = None, 0
    for k in range(len(a)):
        where = below(a[k])
        if where is not None:
            count += where + 1
        if better(a[k, 0], old=best):
            best = a[k, 0]
    return best, count


def of_rows(a: Any) -> Any:
    out = np.zeros(len(a))
    for k in range(len(a)):
        low = None
        for j in range(a.shape[1]):
            if low is None or a[k, j] < low:
                low = a[k, j]
        out[k] = low
    return out


def bound_in_one_branch(a: Any) -> Any:
    for k in range(a.shape[0]):
        if a[k, 0] > -100:
            hit = k
    return hit


def bound_and_read_later(a: Any) -> Any:
    seen, total = False, 0.0
    for k in range(a.shape[0]):
        if seen:
            total += previous
        if a[k, 0] > 0:
            previous = a[k, 1]
            seen = True
    return total


def bound_in_either_of_two(a: Any) -> Any:
    for k in range(a.shape[0]):
        if a[k, 0] > 0:
            up = k
        else:
            down = a[k, 0] * 2
    if len(a) > 100:
        return up, down
    return k


def bound_in_an_inner_loop(a: Any) -> Any:
    total = 0
    for k in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[k, j] > -50:
                hit = k + j
        total += hit
    return total, hit


SHAPES = [
    *(largest_sum, largest, first_below, last_below, best_and_place, place_as_a_tuple, in_a_tuple),
    *(becomes_none_again, of_a_while_loop, of_differences, two_at_once, as_a_bool, by_or),
    *(by_a_choice, by_functions, of_rows),
    *(bound_in_one_branch, bound_and_read_later, bound_in_either_of_two, bound_in_an_inner_loop),
]
