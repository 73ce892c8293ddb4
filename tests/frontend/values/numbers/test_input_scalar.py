"""Numbers whose values are free to change."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracle import check, run, under

import guardlift as gl

SCOPE = """
class Holder:
    shared = 3
def enclosing():
    cell = 4
    def f(x):
        cell
        return x * 2
    def forget():
        nonlocal cell
        del cell
    return f, forget
def nested():
    g, forget = enclosing()
    return (lambda x: g(x)), forget
holder = Holder()
holder.own = 2
number = 1
"""
READS: dict[str, tuple[str, str]] = {
    "a global": ("number", "del number"),
    "an attribute": ("holder.own", "del holder.own"),
    "a class attribute": ("holder.shared", "del Holder.shared"),
    "an attribute of a module": ("module.rate", "del module.rate"),
    "a value in a dict": ("table['a']", "del table['a']"),
    "an element": ("numbers[1]", "del numbers[1]"),
}


def same_twice(f: Callable[..., Any], jitted: Callable[..., Any]) -> None:
    for _ in range(2):
        plain, found = (run(each, (np.ones(3),), {}) for each in (f, jitted))
        assert repr(found.error) == repr(plain.error)
        np.testing.assert_equal(found.value, plain.value)


def scope() -> dict[str, Any]:
    made: dict[str, Any] = {
        "module": types.SimpleNamespace(), "table": {"a": 1}, "numbers": [1, 2], "__name__": "scope"
    }  # fmt: skip
    made["module"] = types.ModuleType("rates")
    made["module"].rate = 2.5
    exec(SCOPE, made)
    return made


@pytest.mark.parametrize("name", READS)
@pytest.mark.parametrize(
    "text", ["def f(x):\n    {0}\n    return x * 2", "def f(x):\n    unused = {0}\n    return x * 2"]
)
def test_a_number_that_is_read_and_not_used_must_still_be_there(name: str, text: str) -> None:
    read, delete = READS[name]
    names = scope()
    exec(text.format(read), names)
    jitted = gl.jit(names["f"])
    with under("reference"):
        same_twice(names["f"], jitted)
        exec(delete, names)
        same_twice(names["f"], jitted)


@pytest.mark.parametrize("make", ["enclosing", "nested"])
def test_a_cell_that_is_read_and_not_used_must_still_be_full(make: str) -> None:
    f, forget = scope()[make]()
    jitted = gl.jit(f)
    with under("reference"):
        same_twice(f, jitted)
        forget()
        same_twice(f, jitted)


def squared_again_and_again(x, rate):
    for _ in range(40):
        rate = rate * rate * 0.5 + 0.5
    return x * rate


def scaled_step_by_step(x, rate):
    for _ in range(10):
        for _ in range(30):
            rate = rate * 1.001
    return x * rate


@pytest.mark.parametrize("function", [squared_again_and_again, scaled_step_by_step])
def test_a_number_behind_too_many_operations_splits_the_function(function: Callable[..., Any]) -> None:
    report = check(function, np.arange(3.0), 0.3, calls=3)
    assert "B312" in report.breaks and report.compiles
