"""`itertools` inside the function: each as lazy as Python's, over arrays, numbers and functions of the user's."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from frontend.language import X, compiled, plain
from oracle import check

import guardlift as gl


@pytest.mark.spec("S8.02")
def test_endless_ones() -> None:
    def function(x: Any, n: int, f: float) -> Any:
        counted = [k * x for k in itertools.islice(itertools.count(n, 2), 3)], list(zip(itertools.count(), [x, n]))
        floats = (
            list(itertools.islice(itertools.count(f, 0.1), 4)),
            list(itertools.islice(itertools.count(0.5, 0.1), 4)),
        )
        down = [next(itertools.count(step=-1)) for _ in range(2)]
        arrays = list(itertools.islice(itertools.count(x, n), 2))
        turning = itertools.cycle([x, "b"])
        again = [next(turning) for _ in range(5)]
        told = list(itertools.repeat(x, 2)), list(map(pow, [2, 3], itertools.repeat(n))), list(itertools.cycle([]))
        return counted, floats, down, arrays, again, told

    compiled(function, X, 3, 0.25)


@pytest.mark.spec("S8.02")
def test_those_over_one_iterable() -> None:
    def function(x: Any, n: int) -> Any:
        sums = list(itertools.accumulate([x, 1, x])), list(itertools.accumulate([1, n], lambda a, b: a * b, initial=x))
        chained = list(itertools.chain([x], "ab", range(2))), list(itertools.chain.from_iterable([(x, 1), iter([2])]))
        chosen = list(itertools.compress([x, 1, x + 1, 2], [1, 0, True])), list(itertools.filterfalse(None, [0, n, ""]))
        ends = (
            list(itertools.dropwhile(lambda k: k < n, [1, 5, 2])),
            list(itertools.takewhile(lambda k: k < n, [1, 2, 5, 2])),
        )
        parts = (
            list(itertools.islice([x, 1, 2, 3], 1, None, 2)),
            list(itertools.islice(range(9), n)),
            list(itertools.pairwise("abc")),
        )
        starred = list(itertools.starmap(lambda a, b: a * b, [(x, 2), [x, n]]))
        left = itertools.takewhile(bool, it := iter([1, 0, 5]))
        return sums, chained, chosen, ends, parts, starred, list(left), list(left), list(it)

    compiled(function, X, 3)


@pytest.mark.spec("S8.02")
def test_groups_and_copies() -> None:
    def function(x: Any) -> Any:
        rows = [("a", x), ("a", x + 1), ("b", x), ("a", 1)]
        groups = [(key, [row[1] for row in group]) for key, group in itertools.groupby(rows, key=lambda row: row[0])]
        late = [group for _, group in itertools.groupby([1, 1, 2])]
        plainly = [(key, len(list(group))) for key, group in itertools.groupby("aab")]
        same = [len(list(group)) for _, group in itertools.groupby([x, x])]
        one, other = itertools.tee(k * x for k in range(3))
        ahead = next(one), next(one)
        return groups, [list(each) for each in late], plainly, same, ahead, list(other), list(one)

    def counted(x: Any) -> Any:
        return [(k, list(g)) for k, g in itertools.groupby([x.shape, x.shape, 1])], x + 1

    compiled(counted, X)
    compiled(function, X)


@pytest.mark.spec("S8.02")
def test_those_over_several() -> None:
    def function(x: Any, n: int) -> Any:
        longest = list(itertools.zip_longest([x, 1], "abc", fillvalue=n))
        products = [a * b for a, b in itertools.product([x, n], (1, 2))], list(itertools.product("ab", repeat=2))
        orders = list(itertools.permutations([x, 1, n], 2)), list(itertools.permutations("ab"))
        choices = list(itertools.combinations([x, 1, n], 2)), list(itertools.combinations_with_replacement((1, x), 2))
        return longest, products, orders, choices, list(itertools.product())

    compiled(function, X, 3)


@pytest.mark.spec("S8.02")
@pytest.mark.skipif(not hasattr(itertools, "batched"), reason="itertools has no batched")
def test_batches() -> None:
    def function(x: Any) -> Any:
        return [sum(batch) for batch in itertools.batched([x, 1, x, 2, 3], 2)], list(itertools.batched("abc", 3))

    compiled(function, X)


def test_laziness() -> None:
    def function(x: Any) -> Any:
        log: list[Any] = []

        def noted(k: Any) -> Any:
            log.append(k)
            return x * k

        chain = itertools.chain(map(noted, [1, 2]), map(noted, [3]))
        accumulated = itertools.accumulate(map(noted, itertools.count(10)))
        islice = itertools.islice(map(noted, itertools.count(20)), 1, 3)
        before = list(log)
        seen = next(chain), next(accumulated), next(accumulated), list(islice), next(chain), next(chain)
        return before, seen, log

    compiled(function, X)


def test_what_they_refuse() -> None:
    def negative(x: Any) -> Any:
        return x + 1, list(itertools.islice([1], -1))

    def no_number(x: Any) -> Any:
        return x + 1, itertools.count("a")  # type: ignore[type-var]

    def copies(x: Any) -> Any:
        return x + 1, itertools.tee([1], -1)

    for function in (negative, no_number, copies):
        plain(function, X, code="B304")

    def copied_again(x: Any) -> Any:
        one, _ = itertools.tee([1, x + 1])
        return list(itertools.tee(one)[0])

    plain(copied_again, X, code="B401")


@pytest.mark.slow
def test_an_endless_one_ends_the_trace_and_not_the_process() -> None:
    def function(x: Any) -> Any:
        return next(k for k in map(lambda k: k, itertools.count()) if k == 5000) + x

    jitted = gl.jit(function)
    assert np.array_equal(jitted(X), X + 5000)
    plain(lambda x: x + next(itertools.filterfalse(lambda k: k < 150_000, itertools.count())), X, code="B305")


def test_twins_that_are_asked_from_within_asking() -> None:
    def function(x: Any) -> Any:
        class Own:
            asked = False

            def __iter__(self) -> Any:
                return self

            def __next__(self) -> Any:
                if self.asked:
                    return 3
                self.asked = True
                return next(other)

        one, other = itertools.tee(Own())
        try:
            return x + next(one)
        except RuntimeError as error:
            return str(error)

    check(function, np.ones(3), backend="reference")
