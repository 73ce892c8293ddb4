"""Closures of many kinds, made anew with other values and called in any order, behave as plain Python's do."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift.frontend.dispatch.jitted_callees import CallSite

Made = tuple[Callable[[Any], Any], Callable[[], Any]]
"""A closure, and a function that looks at what it holds."""
FACTORIES: list[Callable[[Any, list[Any]], Made]] = []


def factory(make: Callable[[Any, list[Any]], Made]) -> Callable[[Any, list[Any]], Made]:
    FACTORIES.append(make)
    return make


@factory
def appends(value: Any, said: list[Any]) -> Made:
    items = [value, value * 2]

    def closure(x: Any, *, by: Any = 1) -> Any:
        items.append(float(x[0]) + by)
        return x * items[0] + items[-1]

    return closure, lambda: items


@factory
def counts_in_a_dict(value: Any, said: list[Any]) -> Made:
    table = {"value": value}

    def closure(x: Any) -> Any:
        table["calls"] = table.get("calls", 0) + 1
        return x * table["value"] - table["calls"]

    return closure, lambda: table


@factory
def rebinds(value: Any, said: list[Any]) -> Made:
    def closure(x: Any) -> Any:
        nonlocal value
        y = x * value
        value = value + 1
        return y

    return closure, lambda: value


@factory
def rebinds_through_another(value: Any, said: list[Any]) -> Made:
    def bump() -> None:
        nonlocal value
        value += 1

    def closure(x: Any) -> Any:
        bump()
        return x * value

    return closure, lambda: value


@factory
def calls_itself(value: Any, said: list[Any]) -> Made:
    def closure(x: Any, depth: int = 3) -> Any:
        return x if depth == 0 else closure(x + value, depth - 1)

    return closure, lambda: None


@factory
def makes_others(value: Any, said: list[Any]) -> Made:
    def inner(y: Any) -> Any:
        return y * value

    def closure(x: Any) -> Any:
        def innermost(y: Any) -> Any:
            return y + x * value

        return [inner(x + k) for k in range(3)], innermost(x)

    return closure, lambda: None


@factory
def raises(value: Any, said: list[Any]) -> Made:
    def closure(x: Any) -> Any:
        said.append(value)
        if value > 2:
            raise ValueError(value)
        return x / value

    return closure, lambda: None


@factory
def handles(value: Any, said: list[Any]) -> Made:
    handled = 0

    def closure(x: Any) -> Any:
        nonlocal handled
        try:
            if value > 1:
                raise KeyError("a")
            return x + value
        except KeyError:
            handled += 1
            return x - handled
        finally:
            said.append("left")

    return closure, lambda: handled


@factory
def breaks_twice(value: Any, said: list[Any]) -> Made:
    sums: list[float] = []

    def closure(x: Any) -> Any:
        y = x * value
        sums.append(float(y.sum()))
        print(end="")
        z = y + sums[-1]
        print(end="")
        return z * value

    return closure, lambda: sums


@factory
def takes_gradients(value: Any, said: list[Any]) -> Made:
    weight = gl.tensor([float(value)] * 3, requires_grad=True)

    def closure(x: Any) -> Any:
        (weight * gl.tensor(x)).sum().backward()
        return weight.grad.clone()

    return closure, lambda: weight.grad


def plain(found: Any) -> Any:
    """The value that was found, in lists that compare."""
    if isinstance(found, (list, tuple)):
        return [plain(each) for each in found]
    return found.tolist() if isinstance(found, (np.ndarray, gl.Tensor)) else found


def outcome(function: Callable[[Any], Any], x: Any) -> Any:
    try:
        return plain(function(x))
    except (KeyError, ValueError) as error:
        return type(error).__name__, str(error)


@pytest.mark.parametrize("make", FACTORIES, ids=lambda make: make.__name__)
@pytest.mark.filterwarnings("ignore::guardlift.GraphBreakWarning")
def test_closures_made_anew(make: Callable[[Any, list[Any]], Made]) -> None:
    draw, site, live = random.Random(0), CallSite(), []
    for _ in range(8):
        value = draw.choice([1, 2, 3, 1.5, 2.5, 4])
        x = np.arange(3.0) + draw.choice([0, 1])
        said: tuple[list[Any], list[Any]] = ([], [])
        (expected, looked), (closure, seen) = make(value, said[0]), make(value, said[1])
        live.append((expected, looked, site(closure), seen, said))
        for _ in range(3):
            expected, looked, compiled, seen, said = draw.choice(live)
            assert outcome(compiled, x) == outcome(expected, x)
            assert plain(seen()) == plain(looked()) and said[1] == said[0]
        if draw.random() < 0.3:
            live.pop(0)
