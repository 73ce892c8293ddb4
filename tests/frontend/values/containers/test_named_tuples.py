"""Named tuples, plain against jitted."""

from __future__ import annotations

import collections
from typing import Any, NamedTuple

import numpy as np
import pytest
from frontend.language import X, Y, compiled

import guardlift as gl

Point = collections.namedtuple("Point", "x y", defaults=[2.0])


class Pair(NamedTuple):
    a: Any
    b: Any = 3.0

    @property
    def product(self) -> Any:
        return self.a * self.b

    @classmethod
    def twice(cls, a: Any) -> Any:
        return cls(a, a)

    def __add__(self, other: Any) -> Any:
        return Pair(self.a + other.a, self.b)


class Odd(collections.namedtuple("Odd", "x")):  # noqa: SLOT002
    def __len__(self) -> int:
        return 7


@pytest.mark.spec("S8.06")
def test_named_tuples_are_made() -> None:
    def function(x: Any) -> Any:
        p, q = Point(x), Point(y=1.0, x=x + 1)
        a, b = p
        return (
            p,
            q,
            a * b,
            p.x + q[0],
            p[-1],
            p[:1],
            [*q],
            len(p),
            Point._fields,
            p._replace(y=5.0),
            Point._make([x, 1]),
        )

    compiled(function, X)
    compiled(lambda x: (Pair(x).product, Pair.twice(x), Pair(x) + Pair(x), Pair(x)._asdict()), X)


def test_they_are_tuples() -> None:
    def function(x: Any, k: int) -> Any:
        p = Point(1, k)
        answers = [p == (1, k), p < Point(2, 0), (1, 5) != p, isinstance(p, tuple), type(p) is Point, bool(p), 1 in p]
        return x + 1, answers, p + (3,), p.count(1), p.index(k), p * 2

    compiled(function, X, 4)


@pytest.mark.spec("S8.06")
def test_named_tuples_from_outside() -> None:
    compiled(lambda p, y: (p.x * p.y + y, p, p._replace(y=y)), Point(X, 2.0), Y)
    compiled(lambda p, y: (p.product + y, p + p), Pair(X, 2.0), Y)


def test_identity_is_kept() -> None:
    def function(x: Any) -> Any:
        p = Point(x + 1)
        return p, [p], p is p, p is Point(x)

    first, listed, *answers = gl.jit(fullgraph=True)(function)(X)
    assert type(first) is Point and listed[0] is first and answers == [True, False]


def test_a_class_that_is_no_mere_tuple_is_asked() -> None:
    compiled(lambda x: (x + 1, len(Odd(1))), X)
    compiled(lambda p, y: y + len(p), Odd(1), Y)


def test_what_the_class_comes_to_say_is_obeyed_and_not_run_by_guards() -> None:
    class Late(NamedTuple):
        a: Any

    asked: list[int] = []
    given = Late(X)
    jitted = gl.jit(lambda p: p[0] + 1)
    assert np.array_equal(jitted(given), X + 1)
    Late.__getitem__ = lambda self, index: asked.append(index) or 1.0  # type: ignore
    assert jitted(given) == 2.0 and asked == [0]
