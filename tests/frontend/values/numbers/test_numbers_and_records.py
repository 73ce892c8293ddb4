"""Functions of `math`, `cmath` and `struct`, records such as `sys.float_info`, and numbers of the user's classes."""

from __future__ import annotations

import abc
import cmath
import collections.abc
import math
import struct
import sys
from typing import Any

import pytest
from frontend.language import X, compiled, plain
from oracle import check, under

import guardlift as gl
from guardlift.frontend import state_of


class Length:
    """A number of its own kind."""

    def __init__(self, value: float) -> None:
        self.value = value

    def __float__(self) -> float:
        return self.value

    def __divmod__(self, other: Any) -> Any:
        return "divmod", other

    def __rdivmod__(self, other: Any) -> Any:
        return "rdivmod", other

    def __rpow__(self, other: Any) -> Any:
        return "rpow", other

    def __hash__(self) -> int:
        return int(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Length) and self.value == other.value


class Unhashable:
    """Defines what is equal, and so no hash."""

    __slots__ = ("a",)
    b = 1

    def __eq__(self, other: object) -> bool:
        return True


class Half:
    """Has properties that lack a function."""

    unreadable = property()
    fixed = property(lambda self: 1)


def test_keywords_and_tuples() -> None:
    def function(x: Any, r: float, n: int) -> Any:
        known = math.isclose(1, 2, abs_tol=1), math.frexp(8.0), math.modf(-2.5)
        return x + r, known, math.isclose(r, 1.0, rel_tol=0.1), math.frexp(r), math.modf(-r), math.frexp(n)[1] + n

    compiled(function, X, 1.05, 3)
    for r in (1.5, math.inf, -0.0):
        compiled(function, X, r, 7)


def test_one_entry_serves_other_numbers() -> None:
    @gl.jit(fullgraph=True)
    def function(x: Any, r: float) -> Any:
        return x + 1, math.frexp(r), math.isclose(r, r + 1, rel_tol=1e-9)

    with under("reference"):
        for r in (1.5, 2.5, -8.0):
            assert function(X, r)[1:] == (math.frexp(r), False)
    assert len(state_of(function).entries) == 1


def test_complex_functions_and_bytes() -> None:
    def function(x: Any, z: complex, r: float) -> Any:
        found = cmath.sqrt(-1), cmath.polar(z), cmath.phase(r), cmath.isclose(z, 1j, rel_tol=0.5), cmath.isnan(z)
        return x + 1, found, struct.pack("<dh", 1.5, 2), struct.unpack("<h", b"\1\2"), struct.calcsize("<dd")

    compiled(function, X, 1 + 2j, -1.5)


@pytest.mark.parametrize("function", [
    lambda x: (x, math.isclose(1.0, 2.0, rel_tol=-1.0)), lambda x: (x, cmath.log(0)),
    lambda x: (x, struct.pack("q", "")),
])  # fmt: skip
def test_errors_of_such_functions(function: Any) -> None:
    check(function, X, backend="reference")


def test_records() -> None:
    def function(x: Any) -> Any:
        info = sys.version_info
        return (
            x + 1, sys.float_info.max, sys.float_info[1], sys.hash_info.modulus, info >= (3, 11), info[:2] < (3, 0),
            info.major, len(info), list(info), info, (3, 99) > info, info == sys.version_info, [*info][0], bool(info),
        )  # fmt: skip

    compiled(function, X)


def test_numbers_of_user_classes() -> None:
    def function(x: Any, n: int) -> Any:
        one = Length(4.0)
        found = divmod(one, 2), divmod(n, one), pow(n, one), math.sqrt(one), math.isfinite(one)
        return x + 1, found, hash(one), hash(Length(-1)), hash(Length(2.0**80))

    compiled(function, X, 3)


def test_unhashable_objects() -> None:
    def function(x: Any) -> Any:
        try:
            return x + 1, hash(Unhashable())
        except TypeError as error:
            return x + 1, str(error)

    compiled(function, X)


def test_refused_attributes() -> None:
    def refused(action: Any, *args: Any) -> str:
        try:
            action(*args)
        except AttributeError as error:
            return str(error)
        return "done"

    def function(x: Any) -> Any:
        half, bare = Half(), Unhashable()
        found = (
            refused(getattr, half, "unreadable"),
            refused(setattr, half, "fixed", 1),
            refused(delattr, half, "fixed"),
        )
        return (
            x + 1,
            found,
            refused(setattr, bare, "c", 1),
            refused(setattr, bare, "b", 1),
            refused(setattr, bare, "a", 1),
        )

    compiled(function, X)


class Shape(abc.ABC):  # noqa: B024
    """An abstract class of the user's."""


class Square(Shape):
    """Below it."""


class Round:
    """Not below it until it is registered."""


class Hooked(abc.ABC):  # noqa: B024
    """Answers by code of its own."""

    @classmethod
    def __subclasshook__(cls, other: type) -> bool:
        return hasattr(other, "value")


def test_abstract_classes() -> None:
    def function(x: Any, *things: Any) -> Any:
        kinds = Shape, collections.abc.Hashable, collections.abc.Awaitable
        return x + 1, [[isinstance(each, kind) for kind in kinds] for each in things], issubclass(bool, Shape)

    compiled(function, X, Square(), Round(), Unhashable(), 1)
    plain(lambda x, thing: (x + 1, isinstance(thing, Hooked)), X, Round(), code="B201")


def test_a_class_that_is_registered_later() -> None:
    class Later:
        """Not a shape yet."""

    @gl.jit(fullgraph=True)
    def function(x: Any, thing: Later) -> Any:
        return x + 1, isinstance(thing, Shape), isinstance(1, Shape)

    with under("reference"):
        assert function(X, Later())[1:] == (False, False)
        Shape.register(Later)
        assert function(X, Later())[1:] == (True, False)
