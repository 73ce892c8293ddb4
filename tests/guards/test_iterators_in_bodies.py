"""Bodies that compiled code leaves and takes over again in the midst of loops, whatever these go over."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import guardlift as gl

X = np.arange(4.0)


def over(make: Callable[[], Any]) -> Callable[[Any], Any]:
    def function(x: Any) -> Any:
        seen = []
        for each in make():
            seen.append(print("", end=""))
            x = x * 2 + each
            for other in (each, 3):
                print("", end="")
                x = x - other
        else:
            seen.append(x)
        return x + 1, seen

    return function


def growing(x: Any) -> Any:
    numbers = [1, 2]
    for each in numbers:
        print("", end="")
        x = x + each
        if each < 3:
            numbers.append(each + 2)
    return x, numbers


def shrinking(x: Any) -> Any:
    numbers = [1, 2, 3, 4]
    for each in numbers:
        print("", end="")
        x = x * each
        numbers.pop()
    return x, numbers


def left_early(x: Any) -> Any:
    for each in [1, 2, 3]:
        for other in (4, 5, 6):
            print("", end="")
            if other == 5:
                break
            if each == 3:
                return x * other, each
            x = x + other
    return x


def raising(x: Any) -> Any:
    for each in [1, 2, 3]:
        try:
            for other in [each, 0]:
                print("", end="")
                x = x + 1 / other
        except ZeroDivisionError:
            x = x * each
    return x


class OwnIterator:
    def __init__(self) -> None:
        self.left = 3

    def __iter__(self) -> Iterator[int]:
        return self

    def __next__(self) -> int:
        self.left -= 1
        if self.left < 0:
            raise StopIteration
        return self.left


LOOPS = {
    "list": over(lambda: [1, 2, 3]),
    "tuple": over(lambda: (1, 2, 3)),
    "empty list": over(list),
    "range": over(lambda: range(3)),
    "dict": over(lambda: {1: 2, 3: 4}),
    "set": over(lambda: {7}),
    "generator": over(lambda: (each for each in [1, 2])),
    "iterator": over(lambda: iter([1, 2])),
    "object": over(OwnIterator),
    "list that grows": growing,
    "list that shrinks": shrinking,
    "left early": left_early,
    "raising": raising,
}


@pytest.mark.parametrize("name", LOOPS)
def test_a_loop_goes_on_behind_a_break_as_in_python(name: str) -> None:
    jitted = gl.jit(LOOPS[name])
    for _ in range(3):
        assert repr(jitted(X)) == repr(LOOPS[name](X))
    if name != "empty list":
        assert gl.explain(jitted).breaks


def test_what_cannot_be_iterated_raises_as_in_python() -> None:
    def function(x: Any, numbers: Any) -> Any:
        print("", end="")
        for each in numbers:
            x = x + each
        return x

    jitted = gl.jit(function)
    assert repr(jitted(X, [1, 2])) == repr(function(X, [1, 2]))
    for wrong in (3, None, OwnIterator):
        with pytest.raises(TypeError) as plain:
            function(X, wrong)
        with pytest.raises(TypeError) as found:
            jitted(X, wrong)
        assert str(found.value) == str(plain.value)
