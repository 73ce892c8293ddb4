"""Fresh objects made by native code: what Python's own way makes, with no reference too many and none too few."""

from __future__ import annotations

import gc
import sys
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift.backend.cpu.plan.fresh_objects import make_natively
from guardlift.core.fresh_objects import WAITING, FreshForm
from guardlift.tensor.tensor import Tensor


class Thing:
    """A class with all that a form may speak of."""

    __slots__ = ("__weakref__", "empty", "first", "number", "second", "shared")

    empty: object
    first: object
    number: object
    second: object
    shared: object


def sample() -> Thing:
    thing = Thing()
    thing.empty, thing.number, thing.first, thing.second, thing.shared = None, 7, 0, 0, 0
    return thing


class Making:
    """The builtin for `Thing`, and what tells it how to make what is shared."""

    make: Callable[..., Any]
    by: Callable[[Callable[[], Any]], None]

    def __init__(self) -> None:
        WAITING.append(FreshForm(Thing, sample, ("first", "second"), "shared", self.take))
        gl.jit(lambda x: x + 1)(np.ones(3))  # a plan, by which the layouts have been checked
        make_natively()
        assert not WAITING

    def take(self, make: Callable[..., Any], by: Callable[[Callable[[], Any]], None]) -> None:
        self.make, self.by = make, by
        by(list)


@pytest.fixture(scope="module")
def making() -> Making:
    return Making()


def test_slots_are_those_of_the_sample_but_for_what_is_given(making: Making) -> None:
    given = object()
    made = making.make(given)
    assert type(made) is Thing and gc.is_tracked(made) and weakref.ref(made)() is made
    assert made.first is given and made.second is given and made.empty is None and made.number == 7
    assert made.shared == [] and making.make(given).shared is not made.shared
    assert making.make(given, made.shared).shared is made.shared and making.make(given, None).shared == []


def test_what_is_shared_is_made_as_was_said_last(making: Making) -> None:
    making.by(dict)
    assert making.make(1).shared == {}
    making.by(list)
    assert making.make(1).shared == []


@pytest.mark.parametrize("arguments", [(), (1, 2, 3)])
def test_a_call_with_too_few_or_too_many_is_an_error(making: Making, arguments: tuple[int, ...]) -> None:
    with pytest.raises(TypeError):
        making.make(*arguments)


def test_what_making_raises_leaves_the_call(making: Making) -> None:
    def fail() -> Any:
        raise KeyError("no")

    making.by(fail)
    with pytest.raises(KeyError):
        making.make(1)
    making.by(list)


def test_references_are_counted(making: Making) -> None:
    given, shared = object(), object()
    before = [sys.getrefcount(each) for each in (given, shared, Thing)]
    made = [making.make(given, shared) for _ in range(50)]
    now = [sys.getrefcount(each) for each in (given, shared, Thing)]
    assert [b - a for a, b in zip(before, now)] == [100, 50, 50]
    del made
    assert [sys.getrefcount(each) for each in (given, shared, Thing)] == before


def test_tensors_are_made_so_once_there_was_a_plan(making: Making) -> None:
    array = np.ones(3)
    made = Tensor._wrap(array)
    assert type(Tensor._wrap) is type(len) and made._array is array and made._storage is array
    assert made._version == 0 and made.grad is None and not made.requires_grad and made.is_leaf
    with gl.inference_mode():
        assert Tensor._wrap(array).is_inference()
    assert not Tensor._wrap(array).is_inference()
