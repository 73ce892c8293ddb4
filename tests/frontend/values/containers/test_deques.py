"""`collections.deque`, made in a traced function or read from outside."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import pytest
from frontend.language import X, compiled
from frontend.values.effects.effects_oracle import replayed

import guardlift as gl

Body = Callable[..., Any]


def methods(x: Any) -> Any:
    d = deque([1, 2, 3, x.shape[0]], maxlen=6)
    d.append(x)
    d.appendleft(0)
    left, right = d.popleft(), d.pop()
    d.extend((7, 8))
    d.extendleft([9, 10])
    d.rotate()
    d.rotate(-2)
    d.remove(7) if 7 in d else d.remove(9)
    d.reverse()
    e = d.copy()
    e.clear()
    e.insert(1, 5)
    e += d
    d[0], d[-1] = d[-1], d[0]
    del d[1]
    return d, e, left, right, d.index(3), d.count(3), len(d), d.maxlen, 3 in d, [*reversed(d)], bool(e), x + 1


def operators(x: Any) -> Any:
    a, b = deque([1, 2], 3), deque([1, 2])
    c = deque(a)
    c *= 2
    same = a is a, a is b, a == b, a != c, a < c, a >= c, a == [1, 2], deque([x.shape]) > deque([(1,)])
    return a + b, b * 2, 3 * a, c, same, sorted(b, reverse=True), repr(a), list(map(str, b)), x * 2


def errors(x: Any) -> Any:
    d: Any = deque([1, 2, 3], 3)
    found = []
    calls: list[Callable[[], Any]] = [
        deque().pop, deque().popleft, lambda: d[5], lambda: d[:1], lambda: d.insert(1, 2), lambda: d.index(9),
        lambda: d.remove(9), lambda: deque([], -1), lambda: d + [1], lambda: d < [1], lambda: d.__delitem__(7),
    ]  # fmt: skip
    for call in calls:
        try:
            call()
        except (IndexError, TypeError, ValueError) as error:
            found.append((type(error).__name__, str(error)))
    return found, x + 1


@pytest.mark.parametrize("body", [methods, operators, errors], ids=lambda body: body.__name__)
def test_one_that_the_function_makes(body: Body) -> None:
    compiled(body, X)


def test_one_that_holds_itself() -> None:
    def shared(x: Any) -> Any:
        d = deque([x + 1], 5)
        d.append(d)
        return d, (d, [d])

    jitted = gl.jit(shared, fullgraph=True)
    for _ in range(2):
        first, (second, [third]) = jitted(X)
        assert first is second is third is first[1]
        assert (first[0] == X + 1).all()
        assert (len(first), first.maxlen) == (2, 5)


def test_iterators_notice_changes() -> None:
    def function(x: Any) -> Any:
        d, seen = deque([1, 2, 3]), []
        for change in (lambda: d.append(4), lambda: d.rotate(3), lambda: d.__setitem__(0, 7)):
            try:
                for each in d:
                    seen.append(each)
                    change()
            except RuntimeError as error:
                seen.append(str(error))
        return seen, x + 1

    compiled(function, X)


class Changes:
    """Changes a deque when it is compared."""

    def __init__(self, owner: Any, answer: bool) -> None:
        self.owner, self.answer = owner, answer

    def __eq__(self, other: object) -> bool:
        self.owner.append(0)
        return self.answer


@pytest.mark.parametrize("answer", [True, False])
@pytest.mark.parametrize(
    "ask",
    [
        lambda d, each: d.count(each),
        lambda d, each: d.index(each),
        lambda d, each: d.remove(each),
        lambda d, each: each in d,
    ],
    ids=["count", "index", "remove", "in"],
)
def test_a_comparison_that_changes_it(ask: Body, answer: bool) -> None:
    def function(x: Any) -> Any:
        d: Any = deque([1, 2])
        d.appendleft(Changes(d, answer))
        try:
            found = ask(d, 5)
        except (RuntimeError, IndexError) as error:
            found = repr(error)
        return found, len(d), x + 1

    compiled(function, X)


def queue(x: Any, d: Any) -> Any:
    d.append(x + 1)
    d.append(d.popleft())
    return d[0], len(d)


def shuffled(x: Any, d: Any) -> Any:
    d.rotate(1)
    d.reverse()
    d.insert(4, x * 2)
    d[3] = d
    d.remove(2)
    d *= 2
    del d[0]


def emptied(x: Any, d: Any) -> None:
    d.clear()
    d.extendleft([x + k for k in range(2)])


@pytest.mark.parametrize("maxlen", [None, 20])
@pytest.mark.parametrize("body", [queue, shuffled, emptied], ids=lambda body: body.__name__)
def test_one_from_outside_is_left_as_python_leaves_it(body: Body, maxlen: int | None) -> None:
    replayed(lambda: (body, (X.copy(), deque([2, 2, 2.5, 1], maxlen))), compiles=2)


def test_one_of_any_length_is_appended_to() -> None:
    def log(x: Any, d: Any) -> None:
        d.append(x + 1)
        d.appendleft(x.shape)

    replayed(lambda: (log, (X.copy(), deque())), calls=4)


def test_iterators_outside_notice_changes_and_no_writes_of_items() -> None:
    def append(x: Any, d: Any) -> Any:
        d.append(1)
        d.pop()
        return x + 1

    def write(x: Any, d: Any) -> Any:
        d[1] = 7
        return x + 1

    def seen(body: Body) -> str:
        d = deque([1, 2])
        steps = iter(d)
        body(X, d)
        try:
            return f"{list(steps)}"
        except RuntimeError as error:
            return str(error)

    for body in (append, write):
        jitted = gl.jit(body, fullgraph=True)
        assert seen(body) == seen(jitted) == seen(jitted)


def test_another_limit_is_another_entry() -> None:
    def function(x: Any, d: Any) -> Any:
        d.append(x.shape[0])
        return d.maxlen, len(d), x + 1

    jitted = gl.jit(function, fullgraph=True)
    for maxlen in (2, 2, None, 3, 2):
        mine, his = deque([1, 2], maxlen), deque([1, 2], maxlen)
        assert jitted(X, mine)[:2] == function(X, his)[:2]
        assert mine == his


def test_two_names_for_one() -> None:
    def function(x: Any, a: Any, b: Any) -> Any:
        a.append(1)
        return a is b, len(b), x + 1

    jitted = gl.jit(function, fullgraph=True)
    one = deque([0])
    for a, b in ((one, one), (one, deque()), (one, one)):
        assert jitted(X, a, b)[:2] == (a is b, len(b))
    assert list(one) == [0, 1, 1, 1]


def test_an_iterator_over_it_is_returned_by_python() -> None:
    jitted = gl.jit(lambda x: (x + 1, iter(deque([1]))))
    for _ in range(2):
        assert list(jitted(X)[1]) == [1]
