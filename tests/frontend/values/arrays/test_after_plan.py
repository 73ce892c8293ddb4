"""Arrays whose size is known at run time only, made by NumPy behind the plan."""

from __future__ import annotations

from typing import Any

import numpy as np
from oracle import check

RANDOM = np.random.default_rng(41)
LINE = RANDOM.standard_normal(20)


def whole(function: Any, *args: Any) -> None:
    check(function, *args, backend="reference", expect="compiled")


def test_what_a_mask_picks_is_returned() -> None:
    def picked(a: Any, rows: Any) -> Any:
        large = a[a > 0.5]
        a += 1.0
        return large, a[a > 0.5], rows[rows[:, 0] > 0], [large]

    whole(picked, LINE, RANDOM.standard_normal((5, 3)))


def test_its_sum_is_computed() -> None:
    def summed(a: Any, k: Any) -> Any:
        picked = a[k > 2]
        a[0] = 100.0
        return picked.sum(), k[k > 2].sum(), a[a > 1000.0].sum(), (a > 0)[a > 0].sum()

    check(summed, LINE, np.arange(20) % 5, backend="reference", expect="compiled", rtol=1e-14)
    check(lambda a: a[a == 0].sum(), np.array([-0.0, 1.0]), backend="reference", expect="compiled")


def test_places_are_returned() -> None:
    def found(a: Any) -> Any:
        a *= 2.0
        places = np.flatnonzero(a > 0)
        a[0] = 0.0
        return places, np.argwhere(a), np.flatnonzero(a)

    whole(found, LINE)


def test_a_slice_up_to_a_number_that_is_computed() -> None:
    def positive(a: Any) -> Any:
        kept, rest = np.zeros_like(a), np.ones_like(a)
        count = 0
        for i in range(len(a)):
            if a[i] > 0:
                kept[count] = a[i]
                count += 1
        copied = kept[:count].copy()
        kept[0] = 7.0
        return copied, kept[:count], kept, rest[count:].copy(), count

    check(positive, LINE, expect="compiled")


def test_what_asks_for_more_is_in_the_plan_where_the_call_knows_the_mask() -> None:
    def used(a: Any, rows: Any) -> Any:
        picked = a[a > 0] * 2
        first = rows[rows[:, 0] > 0]
        return picked, len(a[a > 0]), a[a > 0].mean(), first - first.mean(axis=0), rows[~np.isnan(rows)] + 1

    whole(used, LINE, RANDOM.standard_normal((5, 3)))


def test_places_that_are_asked_for_more_are_in_the_plan() -> None:
    def placed(a: Any) -> Any:
        places = np.flatnonzero(a > 0)
        return a[places] ** 2, places * 2, np.flatnonzero(a)[1:].sum()

    whole(placed, LINE)


def test_what_asks_for_more_breaks_the_graph_there_where_the_plan_computes_the_mask() -> None:
    def used(a: Any) -> Any:
        picked = a[np.exp(a) > 1] * 2
        return picked, len(a[a.cumsum() > 0]), a[np.exp(a) > 1].mean()

    report = check(used, LINE, backend="reference")
    assert "B103" in report.breaks


def test_a_mask_that_does_not_fit_raises() -> None:
    check(lambda a, m: a[m], LINE, np.ones(7, bool), calls=1, backend="reference")
