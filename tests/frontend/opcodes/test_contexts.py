"""`with` statements around graph breaks: their ends lie on the stack while CPython and compiled code take turns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import Tolerance, check_in_turn

import guardlift as gl


class Method:
    def __enter__(self) -> Any:
        return 2.0

    def __exit__(self, *information: Any) -> bool:
        LEFT.append(information[0])
        return True


class Static:
    """An end that is given no manager: CPython puts NULL in its place."""

    def __enter__(self) -> Any:
        return 3.0

    @staticmethod
    def __exit__(*information: Any) -> bool:
        LEFT.append(information[0])
        return True


LEFT: list[Any] = []


def around_breaks(manager: Any, x: Any) -> Any:
    y = x + 1
    with manager as factor:
        print("", end="")
        y = y * factor
        print("", end="")
        if y.shape[0] == 3:
            raise ValueError
        y = y - 1
    return y * 2, y


@pytest.mark.parametrize("manager", [Method(), Static()], ids=["method", "static method"])
def test_a_context_around_breaks_is_left_as_python_leaves_it(manager: Any) -> None:
    jitted = gl.jit(around_breaks)
    for length in (4, 3, 4, 3, 5):
        seen = []
        for function in (around_breaks, jitted):
            LEFT.clear()
            seen.append((repr(function(manager, np.arange(float(length)))), list(LEFT)))
        assert seen[0] == seen[1]


def entered(manager: Any) -> Any:
    try:
        with manager:
            return "entered"
    except TypeError as error:
        return str(error)


class Half:
    def __enter__(self) -> None: ...


class OtherHalf:
    def __exit__(self, *information: Any) -> None: ...


class Asynchronous:
    async def __aenter__(self) -> None: ...

    async def __aexit__(self, *information: Any) -> None: ...


def test_what_is_no_context_manager_is_told_in_the_words_of_the_version() -> None:
    check_in_turn(entered, [(kind(),) for kind in (Half, OtherHalf, Asynchronous, Method)], Tolerance())
