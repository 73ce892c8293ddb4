"""Operators and built-in functions on objects of users' classes, plain against jitted."""

from __future__ import annotations

from typing import Any

import pytest
from frontend.language import X, Y, compiled, plain


class Number:
    """Says who was asked, and with what."""

    name = "N"

    def __init__(self, x: Any, log: Any = None) -> None:
        self.x = x
        self.log = [] if log is None else log

    def made(self, method: str, other: Any) -> Any:
        self.log.append((self.name, method))
        return type(self)(self.x + (other.x if isinstance(other, Number) else other), self.log)

    def __add__(self, other: Any) -> Any:
        return NotImplemented if isinstance(other, str) else self.made("add", other)

    def __radd__(self, other: Any) -> Any:
        return self.made("radd", other)

    def __mul__(self, other: Any) -> Any:
        return self.made("mul", other)

    def __imul__(self, other: Any) -> Any:
        self.x = self.x * (other.x if isinstance(other, Number) else other)
        return self

    def __isub__(self, other: Any) -> Any:
        return NotImplemented

    def __sub__(self, other: Any) -> Any:
        return NotImplemented

    def __rsub__(self, other: Any) -> Any:
        return self.made("rsub", other)

    def __neg__(self) -> Any:
        return Number(-self.x)

    def __matmul__(self, other: Any) -> Any:
        return self.x @ other

    def __lt__(self, other: Any) -> Any:
        return self.name < other.name

    def __eq__(self, other: Any) -> Any:
        if not isinstance(other, Number):
            return NotImplemented
        self.log.append((self.name, "eq"))
        return self.name == other.name

    __hash__ = None  # type: ignore[assignment]


class Special(Number):
    name = "S"

    def __radd__(self, other: Any) -> Any:
        return self.made("radd of S", other)

    def __eq__(self, other: Any) -> Any:
        self.log.append(("S", "eq"))
        return True

    __hash__ = None  # type: ignore[assignment]


class Same(Number):
    """A subclass that takes its methods from its base."""


class Unrelated:
    def __init__(self, x: Any) -> None:
        self.x = x

    def __rsub__(self, other: Any) -> Any:
        return "unrelated", self.x

    def __rmul__(self, other: Any) -> Any:
        return "rmul", other

    def __gt__(self, other: Any) -> Any:
        return "gt"


class Bag:
    def __init__(self, items: Any) -> None:
        self.items = items

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, index: Any) -> Any:
        return self.items[index]

    def __setitem__(self, index: Any, value: Any) -> None:
        self.items[index] = value

    def __delitem__(self, index: Any) -> None:
        del self.items[index]

    def __call__(self, x: Any, *more: Any, scale: float = 1.0) -> Any:
        return x * scale + len(more)


class Iterated(Bag):
    def __iter__(self) -> Any:
        return iter(self.items)

    def __contains__(self, item: Any) -> Any:
        return 1 if item == "yes" else 0

    def __bool__(self) -> bool:
        return len(self.items) > 2


class Place:
    def __init__(self, at: int) -> None:
        self.at = at

    def __index__(self) -> int:
        return self.at

    def __int__(self) -> int:
        return self.at + 1

    def __float__(self) -> float:
        return self.at + 0.5

    def __abs__(self) -> Any:
        return self.at * 10

    def __round__(self, digits: int = 0) -> Any:
        return self.at, digits

    def __str__(self) -> str:
        return f"place {self.at}"

    def __repr__(self) -> str:
        return f"Place({self.at})"

    def __format__(self, spec: str) -> str:
        return spec + str(self.at)


class Bare:
    pass


@pytest.mark.spec("S8.06")
def test_arithmetic_asks_in_pythons_order() -> None:
    def function(x: Any) -> Any:
        n, s, m = Number(x), Special(x), Same(x)
        results = [n + 1, 1 + n, n + s, s + n, n + m, m + n, n * 2, -n, 2 - n]
        n *= 3
        n -= Unrelated(x)
        seen = [(each.name, each.x) for each in results]
        return seen, n, tuple(s.log), tuple(m.log)

    compiled(function, X)


def test_arithmetic_with_arrays() -> None:
    compiled(lambda x, y: (Number(x) + y, Number(x) @ y), X, Y)
    plain(lambda x, y: x + Bare(), X, Y, code="B401")
    plain(lambda x, y: (x + 1, [1] * Place(3)), X, Y, code="B401")


def test_operands_that_do_not_fit_raise_as_in_python() -> None:
    plain(lambda x: (x + 1, Number(x) - Number(x)), X, code="B304")
    plain(lambda x: (x + 1, Bare() + 1), X, code="B304")  # type: ignore[operator]
    plain(lambda x: (x + 1, Bare() < Bare()), X, code="B304")  # type: ignore[operator]
    plain(lambda x: (x + 1, -Bare()), X, code="B304")  # type: ignore[operator]
    plain(lambda x: (x + 1, len(Bare())), X, code="B304")  # type: ignore[arg-type]
    plain(lambda x: (x + 1, Bare()()), X, code="B304")  # type: ignore[operator]
    plain(lambda x: (x + 1, Bare()[0]), X, code="B304")  # type: ignore[index]
    plain(lambda x: (x + 1, [*Bare()]), X, code="B304")  # type: ignore[misc]


@pytest.mark.spec("S8.06")
def test_comparisons() -> None:
    def broken(x: Any) -> Any:
        return x + 1, Number(x) <= 3  # type: ignore[operator]

    class Named(Unrelated):
        name = "Z"

    compiled(lambda x: (x + 1, Number(x) < Named(x), Named(x) > Number(x)), X)
    plain(broken, X, code="B304")


def test_comparisons_leave_the_last_word_to_identity() -> None:
    def function(given: Any, x: Any) -> Any:
        n, s, b = Number(x), Special(x), Bare()
        return x + 1, [n == n, n == s, s == n, n != s, n < s, n == 1, 1 == n, n != "a", b == b, b != Bare(), b == given]

    compiled(function, Bare(), X)


def test_objects_in_containers() -> None:
    def function(x: Any) -> Any:
        n, b = Number(x), Bare()
        return x + 1, [n in [1, n], b in (1, b), b in [Bare()], [n, b].index(b), [b, b].count(b)]

    compiled(function, X)


@pytest.mark.spec("S8.06")
def test_containers_of_the_user() -> None:
    def function(given: Any, x: Any) -> Any:
        bag = Bag([x, x + 1, 3])
        bag[1] = bag[0] * 2
        del bag[2]
        loop = Iterated([1, 2])
        return (
            [each + 1 for each in bag],
            list(loop),
            "yes" in loop,
            "no" in loop,
            3 in Bag([1, 3]),
            [bool(loop), bool(bag), bool(Bag([])), bool(Bare()), not Bag([])],
            len(bag),
            given(x, 1, 2, scale=3.0),
            Bag([])(x),
            [*zip(bag, loop, strict=True)],
        )

    compiled(function, Bag([]), X)


def test_conversions() -> None:
    def function(x: Any) -> Any:
        place = Place(2)
        words = str(place), repr(place), f"{place} {place!r} {place:>}", f"{place!s:>9}"
        return (
            x + 1,
            [10, 20, 30][place],
            (1, 2, 3)[place],
            int(place),
            float(place),
            words,
            abs(place),
            round(place, 2),
        )

    compiled(function, X)
