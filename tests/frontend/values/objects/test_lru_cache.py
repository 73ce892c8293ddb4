"""`functools.lru_cache`, `cache`, `cached_property` and `singledispatch` in jitted functions."""

from __future__ import annotations

import functools
from collections import abc
from typing import Any

import pytest
from frontend.language import X, compiled, plain
from oracle import check

import guardlift as gl

pytestmark = pytest.mark.spec("S8.01")

CALLS: list[Any] = []


@functools.lru_cache(maxsize=2)
def shared(n: int) -> int:
    CALLS.append(n)
    return n * n


def test_a_cache_made_in_the_call() -> None:
    def function(x: Any, n: int) -> Any:
        asked = []

        @functools.cache
        def numbers(n: int) -> int:
            asked.append(n)
            return n if n < 2 else numbers(n - 1) + numbers(n - 2)

        found = numbers(n)
        first = tuple(numbers.cache_info()), list(asked)
        numbers.cache_clear()
        again = numbers(3), numbers.cache_info(), numbers.cache_parameters()
        return x + found, first, again, numbers.__name__, numbers.__wrapped__(1), type(numbers).__name__

    compiled(function, X, 6)


def test_which_entry_goes_first() -> None:
    def function(x: Any, order: str, size: int) -> Any:
        asked = []

        @functools.lru_cache(size)
        def upper(letter: str) -> str:
            asked.append(letter)
            return letter.upper()

        text = [upper(letter) for letter in order]
        return x + 1, text, asked, upper.cache_info()

    for size in (-1, 0, 1, 2, 3):
        compiled(function, X, "abcabacbbcaacb", size)


def test_what_makes_two_calls_one() -> None:
    def function(x: Any, typed: bool) -> Any:
        asked = []

        @functools.lru_cache(typed=typed)
        def tell(*args: Any, **kwargs: Any) -> Any:
            asked.append((args, kwargs))
            return len(asked)

        told = [
            tell(3), tell(3.0), tell(True), tell(1), tell(3, 4), tell(3.0, 4), tell(a=1, b=2), tell(b=2, a=1),
            tell(a=1.0, b=2), tell(0.0), tell(-0.0), tell("a"), tell(("a", 1)), tell(("a", True)), tell(None),
            tell(int), tell(), tell(3), tell(len), tell(len),
        ]  # fmt: skip
        return x + 1, told, asked, tell.cache_info()

    compiled(function, X, False)
    compiled(function, X, True)


class Key:
    def __init__(self, name: str) -> None:
        self.name = name


def test_objects_as_arguments_are_known_by_identity() -> None:
    def function(x: Any) -> Any:
        one, other = Key("a"), Key("a")

        @functools.cache
        def tell(key: Key) -> list[str]:
            return [key.name]

        return x + 1, tell(one) is tell(one), tell(one) is tell(other), tell(one), tell.cache_info().hits

    compiled(function, X)


def test_errors_are_not_cached() -> None:
    def function(x: Any) -> Any:
        asked = []

        @functools.cache
        def half(n: Any) -> int:
            asked.append(n)
            if n % 2:
                raise ValueError(n)
            return n // 2

        for n in (1, 1, 2):
            try:
                half(n)
            except ValueError as error:
                asked.append(error.args)
        try:
            half([1])
        except TypeError as error:
            asked.append(error.args)
        return x + 1, asked, half.cache_info()

    compiled(function, X)


def test_a_cache_that_leaves_the_call_is_made_by_python() -> None:
    def function(x: Any) -> Any:
        @functools.cache
        def double(n: int) -> int:
            return n * 2

        y = x + double(3)
        return y, double

    report = check(lambda x: function(x)[0], X, backend="reference")
    assert report.breaks == []
    jitted = gl.jit(function)
    for _ in range(3):
        made = jitted(X)[1]
        assert made.cache_info() == function(X)[1].cache_info() and made(5) == 10
    assert jitted(X)[1] is not jitted(X)[1]


def test_a_shared_cache_is_left_to_python() -> None:
    def function(x: Any, n: int) -> Any:
        y = x * 2
        return y + shared(n)

    shared.cache_clear()
    CALLS.clear()
    plain(function, X, 3, code="B401")
    assert shared.cache_info()[:2] == (3, 1) and CALLS == [3]


class Table:
    def __init__(self, width: int) -> None:
        self.width = width

    @functools.cached_property
    def twice(self) -> int:
        CALLS.append("twice")
        return self.width * 2


def test_cached_properties() -> None:
    def function(x: Any, table: Table) -> Any:
        own = Table(3)
        return x + table.twice + table.twice + own.twice, own.twice, sorted(own.__dict__)

    compiled(function, X, Table(2), recompiles=1)
    kept = Table(5)
    jitted = gl.jit(lambda x: (x.sum(), kept.twice))
    CALLS.clear()
    for _ in range(3):
        jitted(X)
    assert vars(kept) == {"width": 5, "twice": 10} and CALLS == ["twice"]


@functools.singledispatch
def name_of(value: Any, *more: Any) -> str:
    return "anything"


@name_of.register
def _(value: int, *more: Any) -> str:
    return f"int {value} {more}"


@name_of.register(list)
@name_of.register(tuple)
def _(value: Any, *more: Any) -> str:
    return f"row of {len(value)}"


@name_of.register(Key)
def _(value: Key, *more: Any) -> str:
    return value.name


class SubKey(Key):
    pass


class Other:
    pass


def test_a_function_chosen_by_a_class() -> None:
    def function(x: Any, value: Any) -> Any:
        return x + 1, name_of(value), name_of(2, *"ab"), name_of([x]), name_of(True), name_of(SubKey("sub"))

    for value in (3, True, 2.5, "text", (1, 2), [1], None, Key("key"), SubKey("sub"), Other()):
        compiled(function, X, value)


def test_a_class_registered_later() -> None:
    @functools.singledispatch
    def tell(value: Any) -> str:
        return "anything"

    tell.register(int, lambda value: "int")

    def function(x: Any, value: Any) -> Any:
        return x.sum(), tell(value)

    jitted, value = gl.jit(function), SubKey("a")
    for kind in (Other, Key, SubKey, object):
        for _ in range(2):
            assert jitted(X, value) == function(X, value)
        tell.register(kind, lambda value, kind=kind: kind.__name__)
    assert jitted(X, value) == function(X, value) == (X.sum(), "SubKey")


def test_a_call_without_arguments() -> None:
    def function(x: Any) -> Any:
        try:
            name_of()  # type: ignore[call-arg]
        except TypeError as error:
            return x + 1, error.args

    compiled(function, X)


def test_abstract_classes_are_left_to_python() -> None:
    @functools.singledispatch
    def tell(value: Any) -> str:
        return "anything"

    tell.register(abc.Sized, lambda value: "sized")

    def function(x: Any, value: Any) -> Any:
        y = x * 2
        return y + 1, tell(value)

    for value in ("a", [1], 3):
        plain(function, X, value, code="B401")


SCALE = [2.0]


@functools.lru_cache(maxsize=8)
def of_a_class(cls: type, word: str | None = None) -> tuple[str, type | None] | None:
    return None if word == "none" else (cls.__name__, cls if SCALE[0] == 2.0 else None)


@functools.cache
def kept() -> dict[str, list[float]]:
    CALLS.append("kept")
    return {"factors": [SCALE[0]]}


def test_a_cache_from_outside_around_what_has_no_effects() -> None:
    def function(x: Any) -> Any:
        name, cls = of_a_class(type(x))
        return x * SCALE[0], name, cls is type(x), of_a_class(int, word="none"), of_a_class.__name__

    of_a_class.cache_clear()
    compiled(function, X)
    jitted = gl.jit(function)
    assert jitted(X)[1:] == ("ndarray", True, None, "of_a_class")
    SCALE[0] = 3.0  # the cache still has what it gave before: that is left to Python
    try:
        assert jitted(X)[1:] == function(X)[1:] == ("ndarray", True, None, "of_a_class")
        of_a_class.cache_clear()
        assert jitted(X)[1:] == function(X)[1:] == ("ndarray", False, None, "of_a_class")
    finally:
        SCALE[0] = 2.0
        of_a_class.cache_clear()
    plain(lambda x: x + len(of_a_class(x[:1].tobytes() and int)), X, code="B201")
    plain(lambda x: x + shared(3), X, code="B401")


def test_what_a_cache_without_bounds_keeps_is_read_from_it() -> None:
    def function(x: Any) -> Any:
        return x * kept()["factors"][0], kept() is kept()

    kept.cache_clear()
    CALLS.clear()
    jitted = gl.jit(function)
    for scale, again in ((2.0, False), (5.0, True), (5.0, False)):
        SCALE[0] = scale
        if again:
            kept.cache_clear()
        for _ in range(3):
            result, same = jitted(X)
            assert (result == X * scale).all() and same
        assert CALLS == ["kept"] * (1 if scale == 2.0 else 2)
    kept()["factors"].append(1.0)
    kept()["factors"][0] = 4.0
    assert (jitted(X)[0] == X * 4.0).all()
    SCALE[0] = 2.0
