"""Iterators made inside the function, and the built-in functions that take or give them."""

from __future__ import annotations

import functools
import math
import operator
from typing import Any

import numpy as np
import pytest
from frontend.language import X, Y, compiled, plain

import guardlift as gl


@pytest.mark.spec("S8.02")
def test_iterators_of_every_container() -> None:
    def function(x: Any, pair: Any, table: Any, n: int) -> Any:
        containers = [pair, [x, n], table, table.items(), table.values(), "ab", b"ab", range(2, 9, 3), np.ones((2, 2))]
        firsts = [next(iter(each)) for each in containers]
        it = iter(pair)
        same = it is iter(it), it is iter(pair), it is not pair, it == it, it != iter(pair)
        return firsts, same, next(it) + x, list(it), list(it), next(it, "end")

    compiled(function, X, (X, Y), {"a": X, "b": 2}, 3)


@pytest.mark.spec("S8.02")
def test_one_iterator_with_two_consumers() -> None:
    def function(x: Any) -> Any:
        it = iter([x, 1, x + 1, 2, x + 2, 3, x + 3])
        rows = list(zip(it, it, strict=False))
        left = next(it, None)
        numbers = iter(range(10))
        evens = [(k, next(numbers)) for k in numbers if k < 6]
        return rows, left, evens, 7 in iter(range(10)), 3 in numbers

    compiled(function, X)


@pytest.mark.spec("S8.02")
class Squares:
    def __init__(self, size: int) -> None:
        self.size = size
        self.asked: list[Any] = []

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, index: int) -> int:
        self.asked.append(index)
        if index == 3:
            raise IndexError
        return index * index


class Turning(Squares):
    def __reversed__(self) -> Any:
        yield from ("own", self.size)


class Unturned(Squares):
    __reversed__ = None  # type: ignore[assignment]


class Unsized:
    def __getitem__(self, index: int) -> int:
        return index


class Negative(Squares):
    def __len__(self) -> int:
        return -1


def test_objects_of_the_users_are_reversed() -> None:
    def function(x: Any, outside: Any, what: int) -> Any:
        try:
            if what == 4:
                turned = reversed(Unturned(2))
            elif what == 5:
                turned = reversed(Unsized())  # type: ignore[call-overload]
            elif what == 6:
                turned = reversed(Negative(1))
            else:
                own = Squares(what)
                turned = reversed(own)
                return x + 1, list(turned), list(turned), own.asked, list(reversed(outside)), list(reversed(Turning(2)))
        except (TypeError, ValueError) as error:
            return x + 1, type(error).__name__, error.args

    for what in range(7):
        compiled(function, X, Squares(2), what)


def test_enumerate_zip_map_filter_reversed() -> None:
    def function(x: Any, n: int) -> Any:
        pairs = [(k, row * n) for k, row in enumerate((x, x + 1), start=5)]
        uneven = list(zip((x, n), range(5), "abc", strict=False))
        mapped = list(map(lambda a, b: a * b, [x, x + 1], (2, 3, 4)))
        kept = list(filter(None, [0, 1, "", "a", n])), list(filter(lambda k: k % 2, range(5)))
        turned = list(reversed([x, 1])), list(reversed((1, x))), list(reversed(range(1, 8, 3)))
        tables = list(reversed({"a": 1, "b": x})), list(reversed({"a": 1, "b": x}.items()))
        rows = [row.sum() for row in reversed(np.ones((2, 2)) * x[:2])]
        return pairs, uneven, mapped, kept, turned, tables, rows, list(reversed("abc"))

    compiled(function, X, 3)


@pytest.mark.spec("S8.02")
def test_iter_of_a_function_and_a_sentinel() -> None:
    def function(x: Any, n: int) -> Any:
        stack = [n, 3, 9, x + 1]

        def take() -> Any:
            return stack.pop(0)

        ends = iter(lambda: next(source), None)
        source = iter([1, 2])
        until = iter(take, 9)
        head = next(until) + x
        return head, list(until), list(until), stack, list(ends)

    compiled(function, X, 2)


@pytest.mark.spec("S8.02")
def test_a_list_that_grows_in_its_loop() -> None:
    def function(x: Any) -> Any:
        rows = [x]
        for k, row in enumerate(rows):
            if k < 3:
                rows.append(row + k)
        it = iter(rows)
        for _ in it:
            pass
        rows.append(x)
        shrinking = [1, 2, 3, 4]
        for each in shrinking:
            shrinking.remove(each)
        return rows, list(it), shrinking

    compiled(function, X)


def test_a_dict_that_changes_its_size_in_its_loop_raises() -> None:
    def function(x: Any) -> Any:
        table = {"a": x + 1}
        for key in table:
            table[key + "b"] = x
        return table

    def values(x: Any) -> Any:
        table = {"a": 1, "b": x * 2}
        it = iter(table.values())
        next(it)
        del table["a"]
        return next(it)

    plain(function, X, code="B304")
    plain(values, X, code="B304")


@pytest.mark.spec("S8.02")
def test_ranges() -> None:
    def function(x: Any, n: int, given: Any) -> Any:
        span = range(n, 20, 4)
        facts = span.start, span.stop, span.step, len(span), span[1], span[-1], span[::2], span[1:], bool(range(0))
        asked = span.index(7), span.count(8), 11 in span, 12 in span, 7.0 in span
        same = range(0, 3, 2) == range(0, 4, 2), range(3) == range(4), span is span, range(0) == range(5, 1)
        rows = x[:3] + range(3), np.array(range(2)) * n, np.asarray(range(0))
        return x + sum(given), rows, facts, asked, same, span, given, [each * x for each in given], {range(2): x}

    compiled(function, X, 3, range(1, 7, 2))


def test_what_range_and_others_refuse() -> None:
    def by_float(x: Any) -> Any:
        return x + 1, range(1.5)  # type: ignore[call-overload]

    def no_step(x: Any) -> Any:
        return x + 1, range(1, 5, 0)

    def not_there(x: Any) -> Any:
        return x + 1, range(3).index(5)

    def nothing(x: Any) -> Any:
        return x + 1, max([])

    def strict(x: Any) -> Any:
        return list(zip([x + 1], [1, 2], strict=True))

    def no_iterator(x: Any) -> Any:
        return x + 1, next([x])  # type: ignore[call-overload]

    def number(x: Any) -> Any:
        return x + 1, list(3)  # type: ignore[call-overload]

    def texts(x: Any) -> Any:
        return x + 1, sum(["a"], "")  # type: ignore[list-item]

    def no_start(x: Any) -> Any:
        return x + 1, functools.reduce(lambda a, b: a, [])

    def odd_pair(x: Any) -> Any:
        return x + 1, dict([(1, 2, 3)])  # type: ignore[list-item]

    def mixed(x: Any) -> Any:
        return x + 1, sorted([1, "a"])  # type: ignore[type-var]

    for function in (
        by_float,
        no_step,
        not_there,
        nothing,
        strict,
        no_iterator,
        number,
        texts,
        no_start,
        odd_pair,
        mixed,
    ):
        plain(function, X, code="B304")


@pytest.mark.spec("S8.02")
def test_sums_and_extremes() -> None:
    def function(x: Any, n: int, f: float) -> Any:
        floats = [0.1] * 10, [f, 1e100, 1.0, -1e100]
        sums = [sum(each) for each in floats] + [sum([1, n, f]), sum([True, n]), sum([x, 1, 0.1, 0.2], x), sum([], x)]
        lists = sum([[x], [1]], [])
        most = max(n, f), min(n, 2, f), max([f, n, 9]), min("b", "a"), max([(1, 2), (1, 3)])
        keyed = max([x, x[:2]], key=len), min(range(5), key=lambda k: (k - n) ** 2), max("ab", "c", key=len)
        empty = max([], default=x), min((k for k in ()), default=None), max([x], default=1)
        products = math.prod([n, f]), math.prod([x, 2, 3]), math.prod([], start=n), math.prod([2, 3])
        exact = math.fsum([f, 1e100, 1.0, -1e100]), math.dist((n, f), (1, 2)), math.gcd(n, 6), math.hypot(f, n)
        return sums, lists, most, keyed, empty, products, exact

    compiled(function, X, 3, 0.5)


@pytest.mark.skipif(not hasattr(math, "sumprod"), reason="math has no sumprod")
def test_sums_of_products() -> None:
    def function(x: Any, n: int, f: float) -> Any:
        return x * math.sumprod([n, f], (2, 3)), math.sumprod([1, 2], [3, 4])  # type: ignore[attr-defined]

    compiled(function, X, 3, 0.5)


@pytest.mark.spec("S8.02")
def test_any_and_all_stop_where_python_stops() -> None:
    def function(x: Any) -> Any:
        seen: list[Any] = []

        def noted(value: Any) -> Any:
            seen.append(value)
            return value

        it = iter([0, 1, 2])
        answers = any(noted(k) for k in (0, 3, 5)), all(noted(k) for k in (1, 0, 2)), any(it), next(it), all([])
        return answers, seen, x + 1

    compiled(function, X)


@pytest.mark.spec("S8.02")
def test_sorting() -> None:
    def function(x: Any, n: int, f: float) -> Any:
        rows = [("b", x), ("a", x + 1), ("b", x + 2)]
        stable = sorted(rows, key=lambda row: row[0]), sorted(rows, key=operator.itemgetter(0), reverse=True)
        plainly = (
            sorted([3, n, f, 2.5]),
            sorted("hello", reverse=True),
            sorted({"b": 1, "a": 2}),
            sorted([(2, 1), (1, 5)]),
        )
        ranked = sorted([x, x[:2], x[:3]], key=len)
        mine = sorted([n, 1, 7], key=functools.cmp_to_key(lambda a, b: b - a))
        return stable, plainly, ranked, mine

    compiled(function, X, 3, 0.5)


def test_sorting_follows_numbers_that_change_their_order() -> None:
    @gl.jit(fullgraph=True)
    def function(x: Any, n: int, f: float) -> Any:
        return x + sorted([n, f, 2])[0], sorted([n, f, 2], key=lambda k: -k), max([n, f], key=lambda k: k)

    for n, f in ((3, 0.5), (1, 9.0), (2, 2.0), (5, 0.25)):
        value, order, most = function(X, n, f)
        assert (value == X + min(n, f, 2)).all()
        assert repr(order) == repr(sorted([n, f, 2], key=lambda k: -k))
        assert repr(most) == repr(max([n, f], key=lambda k: k))


def test_arrays_have_no_order_that_could_be_known() -> None:
    plain(lambda x: max([x[0], x[1]], key=lambda each: -each), X, code="B101")
    plain(lambda x: sorted([x, x + 1]), X[:1], code="B101")


@pytest.mark.spec("S8.02")
def test_reduce_and_functions_that_stand_for_operators() -> None:
    def function(x: Any, n: int) -> Any:
        total = (
            functools.reduce(operator.add, [x, x + 1, n]),
            functools.reduce(lambda a, b: a * b, (k for k in (2, 3)), x),
        )
        signs = [
            f(x, n)
            for f in (
                operator.add,
                operator.sub,
                operator.mul,
                operator.truediv,
                operator.pow,
                operator.lt,
                operator.ne,
            )
        ]
        whole = [f(7, n) for f in (operator.floordiv, operator.mod, operator.lshift, operator.and_, operator.or_)]
        single = (
            operator.neg(x),
            operator.abs(x),
            operator.not_(n),
            operator.truth([]),
            operator.index(n),
            operator.inv(5),
        )
        items = [x, 1, 2, 1]
        operator.setitem(items, 1, x + 5)
        operator.delitem(items, 2)
        inside = operator.contains([1, 2], 1), operator.countOf([1, 2, 1], 1), operator.indexOf((3, n + 4), n + 4)
        grown = operator.iadd(items, (9,))
        same = (
            operator.is_(grown, items),
            operator.is_not([], items),
            operator.getitem(items, -1),
            operator.concat([1], [2]),
        )
        return total, signs, whole, single, items, inside, same, operator.call(operator.matmul, x, x)

    compiled(function, X, 3)


SECOND = operator.itemgetter(1)


@pytest.mark.spec("S8.02")
def test_getters() -> None:
    def function(x: Any, n: int) -> Any:
        shape = operator.attrgetter("shape", "ndim")(x)
        total = operator.methodcaller("sum", axis=0)(x)
        picked = operator.itemgetter(0, 2)([x, 1, n]), SECOND((n, x)), operator.itemgetter(slice(1, 3))(x)
        return shape, total, picked, [SECOND]

    compiled(function, X, 3)


def test_getters_that_leave_the_call() -> None:
    @gl.jit(fullgraph=True)
    def function(x: Any, n: int) -> Any:
        getter = operator.itemgetter(n, 1)
        return x + 1, getter, [getter], operator.methodcaller("sum", axis=n), SECOND

    for n in (0, 1, 1):
        _, getter, (again,), caller, second = function(X, n)
        assert again is getter and second is SECOND
        assert repr((getter, caller)) == repr((operator.itemgetter(n, 1), operator.methodcaller("sum", axis=n)))


@pytest.mark.spec("S8.02")
def test_containers_made_of_iterators() -> None:
    def function(x: Any, n: int) -> Any:
        made = list(iter((x, n))), tuple(k for k in range(3)), dict(zip("ab", (x, n), strict=True)), dict([["k", x]])
        keys = dict({"a": 1}, b=x), dict(iter({"ab": 1})), dict(["ab", "cd"])
        pair = (x, n)
        return x + 1, made, keys, tuple(pair) is pair, tuple([x]), list("ab"), {**dict(enumerate([x]))}

    compiled(function, X, 3)


@pytest.mark.spec("S8.05")
def test_unpacking_takes_no_more_than_it_needs() -> None:
    def function(x: Any, rows: Any) -> Any:
        a, b = map(lambda row: row + 1, (x, x * 2))
        first, *middle, last = (x * k for k in range(5))
        (c, d), *rest = zip([x, 1], [2, 3], strict=True)
        it = iter([1, 2, x])
        [e] = [next(it)]
        f, g = it
        *none, h = [x]
        one, two = rows
        return a, b, first, middle, last, c, d, rest, e, f, g, none, h, one, two, [*iter("ab"), *range(2)]

    compiled(function, X, np.ones((2, 3)))


def test_unpacking_the_wrong_number_raises() -> None:
    def endless(x: Any) -> Any:
        def ones() -> Any:
            while True:
                yield x + 1

        a, b = ones()
        return a, b

    def short(x: Any) -> Any:
        a, *b, c = (x + k for k in range(1))
        return a, b, c

    def number(x: Any) -> Any:
        a, b = x + 1, 2
        c, d = b  # type: ignore[misc]
        return a, c, d

    for function in (endless, short, number):
        plain(function, X, code="B304")


class Countdown:
    """An iterator of a user's class, which goes on after its end when it is told to."""

    def __init__(self, n: int) -> None:
        self.n = n

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> int:
        if self.n == 0:
            raise StopIteration("empty")
        if self.n == 5:
            self.n -= 1
            raise ValueError("five")
        self.n -= 1
        return self.n


class Rows:
    """An iterable by the old protocol."""

    def __init__(self, rows: Any) -> None:
        self.rows = rows

    def __getitem__(self, place: int) -> Any:
        return self.rows[place]


@pytest.mark.spec("S8.02")
def test_iterators_of_users_classes() -> None:
    def function(x: Any, n: int) -> Any:
        down = Countdown(3)
        same = iter(down) is down, iter(down) == down
        first = next(down), list(down), next(down, None)
        down.n = 7
        seen: list[Any] = [next(down)]
        mapped = map(lambda k: k * x, down)
        for _ in range(3):
            try:
                seen.append(next(mapped))
            except ValueError as error:
                seen.append(error.args)
        down.n = 2

        def handing_on() -> Any:
            value = yield from down
            yield value

        rows = iter(Rows([x, n]))
        return (
            same,
            first,
            seen,
            list(handing_on()),
            next(rows),
            list(rows),
            list(rows),
            list(zip(Countdown(2), "ab", strict=False)),
        )

    compiled(function, X, 3)


def test_what_is_no_iterator_of_a_users_class() -> None:
    def no_next(x: Any) -> Any:
        return x + 1, next(Rows([x]))  # type: ignore[call-overload]

    def dropped(x: Any) -> Any:
        def handing_on() -> Any:
            yield from Countdown(3)

        return x + 1, next(handing_on())

    plain(no_next, X, code="B304")
    plain(dropped, X, code="B205")


@pytest.mark.spec("S8.02")
def test_iterators_that_are_returned_stand_where_they_stood() -> None:
    def function(x: Any, xs: Any, n: int) -> Any:
        rows = [x, 1, x + 2]
        half, back, ended, over = iter(rows), reversed(rows), iter([1]), iter(xs)
        next(half), next(back), next(ended), next(over)
        next(ended, None)
        span, counted, zipped = iter(range(2, 9)), enumerate(half, n), zip(over, (1, 2), strict=False)
        next(span), next(span)
        rows.append(9)
        return rows, half, back, ended, span, counted, zipped, [half], iter(()), map(len, [rows, "abc"])

    jitted = gl.jit(function, fullgraph=True)
    for _ in range(2):
        wanted, got = function(X, [X, Y, 3], 4), jitted(X, [X, Y, 3], 4)
        assert [type(each) for each in got] == [type(each) for each in wanted]
        assert got[7][0] is got[1]
        assert next(got[7][0]) == next(wanted[7][0]) == 1
        parts = [[list(each) for each in (*result[2:7], *result[8:])] for result in (got, wanted)]
        assert repr(parts[0]) == repr(parts[1])
        got[0].append(10)
        assert list(got[1]) == []


def test_iterators_that_cannot_be_made_again_break() -> None:
    with pytest.raises(gl.Unsupported, match="B401"):
        gl.jit(lambda x: (x + 1, iter({"a": 1})), fullgraph=True)(X)


def test_a_map_of_the_users_function_goes_on_after_the_call() -> None:
    @gl.jit(fullgraph=True)
    def function(x: Any, n: int) -> Any:
        mapped = map(lambda row: row * n, [x, x + 1, n])
        return next(mapped), mapped

    for n in (2, 3):
        first, mapped = function(X, n)
        assert type(mapped) is map and (first == X * n).all()
        assert repr(list(mapped)) == repr([(X + 1) * n, n * n])


def test_an_iterator_from_outside_is_not_touched() -> None:
    def function(x: Any, it: Any) -> Any:
        return x + 1, [each for each in it]

    jitted = gl.jit(function)
    it = iter([1, 2])
    assert jitted(X, it)[1] == [1, 2] and jitted(X, it)[1] == []


def test_long_iterators_end_the_trace() -> None:
    plain(lambda x: x + sum(range(200_000)), X, code="B305")
