"""The attribute protocol: properties, descriptors, fallbacks and overridden assignment, plain against jitted."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest
from frontend.language import X, Y, compiled, plain

import guardlift as gl


class Boxed:
    """A data descriptor."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = "_" + name

    def __get__(self, owner: Any, cls: type) -> Any:
        return self if owner is None else getattr(owner, self.name) * 2

    def __set__(self, owner: Any, value: Any) -> None:
        setattr(owner, self.name, value + 1)

    def __delete__(self, owner: Any) -> None:
        delattr(owner, self.name)


class Lazy:
    """A descriptor that an attribute of the instance hides."""

    def __get__(self, owner: Any, cls: type) -> Any:
        return cls.base if owner is None else owner.x + cls.base


class Thing:
    base = 10.0
    boxed = Boxed()
    lazy = Lazy()

    def __init__(self, x: Any) -> None:
        self.x = x
        self.boxed = x

    @property
    def value(self) -> Any:
        return self.x * 3

    @value.setter
    def value(self, new: Any) -> None:
        self.x = new

    @value.deleter
    def value(self) -> None:
        self.x = self.x * 0

    @property
    def fixed(self) -> Any:
        return self.x

    @functools.cached_property
    def heavy(self) -> Any:
        return self.x + 100


class Fallback(Thing):
    def __getattr__(self, name: str) -> Any:
        if name == "other":
            return self.x * 7
        return len(name) if not name.startswith("__") else object.__getattribute__(self, name)

    @property
    def missing(self) -> Any:
        return self.x + self.nothing_here


class Checked:
    def __init__(self, x: Any) -> None:
        self.x = x

    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value * 2)
        super().__setattr__(name + "_seen", value)

    def __delattr__(self, name: str) -> None:
        super().__delattr__(name + "_seen")


class Strange:
    def __init__(self, x: Any) -> None:
        self.x = x

    def __getattribute__(self, name: str) -> Any:
        return 3.0 if name == "x" else object.__getattribute__(self, name)


@pytest.mark.spec("S8.06")
def test_properties_of_new_objects() -> None:
    def function(x: Any) -> Any:
        made = Thing(x)
        before = made.value
        made.value = made.value + 1
        middle = made.fixed
        del made.value
        return before, middle, made.x, made

    compiled(function, X)


def test_properties_of_objects_from_outside() -> None:
    compiled(lambda thing, y: thing.value + thing.fixed + y, Thing(X), Y)
    compiled(lambda thing, y: thing.boxed + thing.lazy + y, Thing(X), Y)


@pytest.mark.spec("S8.06")
def test_descriptors_written_in_python() -> None:
    def function(x: Any) -> Any:
        made = Thing(x)
        made.boxed = made.boxed + made.lazy
        made.lazy = x
        seen = made.boxed, made.lazy, Thing.lazy
        del made.boxed
        return seen, made

    compiled(function, X)


def test_a_cached_property_fills_a_new_object() -> None:
    def function(x: Any) -> Any:
        made = Thing(x)
        first = made.heavy
        made.x = made.x * 0
        return first, made.heavy, made

    compiled(function, X)


@pytest.mark.spec("S8.06")
def test_getattr_has_the_last_word() -> None:
    def function(given: Any, x: Any) -> Any:
        made = Fallback(x)
        return made.other + made.base, given.other, given.name, made.missing, getattr(made, "zz", 5), hasattr(made, "q")

    compiled(function, Fallback(X), Y)


@pytest.mark.spec("S8.06")
def test_assignment_may_be_overridden() -> None:
    def function(x: Any) -> Any:
        made = Checked(x)
        made.y = made.x + 1
        del made.x
        return made

    compiled(function, X)


def test_a_getattribute_of_its_own_runs_plainly() -> None:
    plain(lambda given, y: y + given.x, Strange(X), Y, code="B401")
    plain(lambda y: y + Strange(y).x, Y, code="B401")


def test_errors_of_properties() -> None:
    def function(x: Any) -> Any:
        made = Thing(x)
        made.fixed = 1  # type: ignore[misc]
        return x + 1

    plain(function, X, code="B304")


def test_a_descriptor_that_becomes_one_later_is_noticed() -> None:
    class Plain: ...

    class Holder:
        part = Plain()

        def __init__(self, x: Any) -> None:
            self.part = x

    holder = Holder(X)
    jitted = gl.jit(lambda y: y + holder.part)
    assert np.array_equal(jitted(Y), X + Y)
    Plain.__get__ = lambda self, owner, cls: 1.0  # type: ignore
    Plain.__set__ = lambda self, owner, value: None  # type: ignore
    assert np.array_equal(jitted(Y), Y + 1)
