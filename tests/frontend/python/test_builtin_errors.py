"""Calls of built-in callables that Python refuses; plain Python is the oracle."""

from __future__ import annotations

import math
import operator
from typing import Any

import pytest
from frontend.language import X, compiled, plain
from oracle import check

import guardlift as gl

pytestmark = pytest.mark.spec("S8.03")


def told(function: Any, *args: Any, **kwargs: Any) -> str:
    """The error that calling a function raises, in words."""
    try:
        return repr(function(*args, **kwargs))
    except (TypeError, ValueError, LookupError, ArithmeticError, AttributeError) as error:
        return f"{type(error).__name__}: {error}"


def test_wrong_numbers_of_arguments() -> None:
    def function(x: Any) -> Any:
        found = [told(each, 1, 2, 3, 4) for each in (int, float, bool, len, abs, isinstance, chr, ord, divmod, hash)]
        found += [told(each) for each in (len, abs, isinstance, chr, round, pow, sum, max, iter, sorted, map)]
        found += [told(each, 1, spam=2) for each in (int, float, bool, len, tuple, list, sorted, math.sqrt)]
        found += [told(math.sqrt), told(math.hypot, "a"), told(operator.add, 1), told(operator.index, 1.0)]
        return x + 1, found

    compiled(function, X)


def test_arguments_of_wrong_types() -> None:
    def function(x: Any) -> Any:
        found = [told(each, []) for each in (int, float, complex, abs, chr, round, hash, bin)]
        found += [told(each, None) for each in (int, float, len, iter, list, tuple, set, dict, sum, max, sorted, ord)]
        found += [told(int, "a"), told(int, "z", 77), told(int, 1.5, 10), told(float, "x"), told(isinstance, 1, 2)]
        found += [told(sum, ["a", 1]), told(max, []), told(max, [1, "a"]), told(range, 1.0), told(range, 1, 2, 0)]
        return x + 1, found

    compiled(function, X)


def test_methods() -> None:
    def function(x: Any) -> Any:
        items, table, chosen = [1, 2], {"a": 1}, {1, 2}
        found = [told(items.append), told(items.append, 1, 2), told(items.pop, "a"), told(items.insert, 1)]
        found += [
            told(items.index),
            told(items.extend, 5),
            told(items.sort, 1),
            told(items.count),
            told(items.pop, 1, 2),
        ]
        found += [
            told(table.get),
            told(table.pop),
            told(table.update, 1),
            told(table.get, 1, 2, 3),
            told(table.keys, 1),
        ]
        found += [told(chosen.add), told(chosen.union, 1), told(chosen.add, 1, 2), told(chosen.remove)]
        found += [told("a".upper, 1), told("a".split, 1), told(str.upper), told(str.upper, 1), told(list.append, 1, 2)]
        return x + 1, found, items, table, chosen

    compiled(function, X)


def test_what_is_changed_before_the_error_is_changed() -> None:
    def function(x: Any, what: int) -> Any:
        items, table = [2, 1, "a", 0], {}
        if what == 0:
            found = told(items.sort)
        else:
            found = told(table.update, [(1, 2), 3])
        return x + 1, found, items, table

    for what in range(2):
        check(function, X, what)


def test_nothing_is_called_that_has_an_effect() -> None:
    def function(x: Any) -> Any:
        print(end="")
        return x + 1

    plain(function, X, code="B201")


def test_numbers_and_arrays_are_not_taken_for_known() -> None:
    def function(x: Any, n: int) -> Any:
        return x + 1, told(int, n, 1, 2), told(len, x, x), told(int, x, x)

    for n in (3, 4):
        check(function, X, n)


def test_attributes_that_values_of_built_in_types_do_not_have() -> None:
    def function(x: Any) -> Any:
        values = [1, 1.5, "a", b"", None, True, ..., [], {}, (), {1}, frozenset(), 1j]
        found = [hasattr(each, "wobble") for each in values]
        found += [told(getattr, each, "wobble") for each in values]
        return x + 1, found

    compiled(function, X)


def test_names_of_built_in_functions_and_methods() -> None:
    def function(x: Any) -> Any:
        found = [each.__name__ for each in (len, math.sqrt, [].append, {}.keys, {1}.add, "a".upper)]
        return x + 1, found, [].append.__qualname__, len.__doc__

    compiled(function, X)


SENTINEL, OTHER = object(), object()


def test_an_object_that_stands_for_itself() -> None:
    def function(x: Any, given: Any = SENTINEL) -> Any:
        told = [given is SENTINEL, given is OTHER, given is None, bool(given)]
        return x + 1, told, isinstance(given, int), type(given) is object

    compiled(function, X)
    jitted = gl.jit(function)
    for given in (SENTINEL, OTHER, None, 3, "a", object(), SENTINEL):
        assert jitted(X, given)[1:] == function(X, given)[1:]


class Documented:
    """Words of a class."""


def test_the_words_of_a_class() -> None:
    class Bare(Documented):
        pass

    def function(x: Any) -> Any:
        return x + 1, Documented.__doc__, Bare.__doc__, Documented().__doc__

    compiled(function, X)
    Documented.__doc__ = "Other words."
    try:
        compiled(function, X)
    finally:
        Documented.__doc__ = "Words of a class."
