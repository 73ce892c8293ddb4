"""Arguments of a call live no longer than in Python, also when it was traced, and also without the collector."""

from __future__ import annotations

import gc
import pickle
import warnings
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift import nn


class Box:
    """An object with an array."""

    def __init__(self) -> None:
        self.weight = np.ones(3)


@pytest.fixture(autouse=True)
def without_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def array() -> Any:
    return np.ones(3)


def whole(x: Any) -> Any:
    return (x * 2 + 1).sum()


def attribute(box: Any, x: Any) -> Any:
    return box.weight * x


def written(box: Any, x: Any) -> None:
    box.weight = box.weight * x


def broken(box: Any, x: Any) -> Any:
    y = x * box.weight
    print(end="")
    return y + x * box.weight


def branching(x: Any) -> Any:
    if x.sum() > 0:
        x = x + 1
    return x * 2


def raising(x: Any) -> Any:
    raise ValueError(x.shape)


def caught(x: Any) -> Any:
    try:
        raise ValueError(x.shape)
    except ValueError as error:
        return x + len(error.args)


def refused(x: Any) -> Any:
    return sorted(vars(), key=lambda name: x.sum())


def listed(rows: Any, x: Any) -> Any:
    return sum(row[0] * x for row in rows if row)


def keyed(box: Any, x: Any) -> Any:
    kinds, seen = {box: x, (box, 1): 2}, {box}
    return kinds[box] * kinds[box, 1] + len(seen) + (id(box) == id(x))


def grown(rows: Any, x: Any) -> Any:
    rows.append([x.shape])
    made = Rows([rows, x])
    return made[1] * len(made)


def learnt(layer: Any, x: Any) -> Any:
    return layer(x).tanh().sum()


class Rows(list[Any]):
    """A list that can be referred to weakly."""


PROGRAMS: list[tuple[Callable[..., Any], list[Callable[[], Any]]]] = [
    (whole, [array]),
    (attribute, [Box, array]),
    (written, [Box, array]),
    (broken, [Box, array]),
    (branching, [array]),
    (raising, [array]),
    (caught, [array]),
    (refused, [array]),
    (listed, [lambda: Rows([[np.ones(3)]]), array]),
    (keyed, [Box, array]),
    (grown, [lambda: Rows([[np.ones(3)]]), array]),
    (learnt, [lambda: nn.Linear(2, 2), lambda: gl.ones(3, 2)]),
]


@pytest.mark.parametrize(("function", "makers"), PROGRAMS, ids=[function.__name__ for function, _ in PROGRAMS])
def test_arguments_are_freed_when_the_call_is_over(
    function: Callable[..., Any], makers: list[Callable[[], Any]]
) -> None:
    jitted = gl.jit(function)
    for _ in range(3):
        args = [make() for make in makers]
        refers = [weakref.ref(each) for each in args]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                jitted(*args)
            except ValueError:
                assert function is raising
        del args
        assert [refer() is None for refer in refers] == [True] * len(refers)


PAIR = pickle.dumps((Box(), Box()))


def unpacked(x: Any) -> Any:
    one, two = pickle.loads(PAIR)
    y = x + two.weight
    refer = weakref.ref(one)
    del one
    y = y * 2
    print(end="")
    return y.sum(), refer() is None


def of_a_loop(x: Any) -> Any:
    y = x * 2
    for box in pickle.loads(PAIR):
        y = y + box.weight
        refer = weakref.ref(box)
    del box
    print(end="")
    return y.sum(), refer() is None


@pytest.mark.parametrize("function", [unpacked, of_a_loop])
def test_the_stack_of_a_frame_that_waits_holds_nothing(function: Callable[..., Any]) -> None:
    assert function(array())[1]
    jitted = gl.jit(function)
    for _ in range(3):
        assert jitted(array()) == function(array())
