"""What a call held is let go when it returns: no trace, finished or broken, keeps the frames of its callers."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from oracle import under

import guardlift as gl


@pytest.fixture(autouse=True)
def without_the_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    try:
        with under("reference"):
            yield
    finally:
        gc.enable()


class Thing: ...


def whole(x: Any, thing: Any) -> Any:
    return x * 2 if thing is not None else x


def split(x: Any, thing: Any) -> Any:
    y = x * 2
    print(end="")
    return y + 1


def broken(x: Any, thing: Any) -> Any:
    for _ in (1, 2):
        try:
            id(thing)
        finally:
            x = x + 1
    return x


def raising(x: Any, thing: Any) -> Any:
    y = x * 2
    return y[9]


@pytest.mark.parametrize("function", [whole, split, broken, raising])
def test_the_first_call_keeps_nothing_of_its_caller(function: Callable[..., Any]) -> None:
    jitted = gl.jit(function)

    def caller() -> weakref.ref[Any]:
        held, thing = Thing(), Thing()
        try:
            jitted(np.ones(3), thing)
        except IndexError:
            pass
        return weakref.ref(held)

    assert caller()() is None
