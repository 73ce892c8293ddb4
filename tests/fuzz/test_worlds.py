"""The comparison of two worlds sees what it must: each planted mistake of a compiler is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import worlds
from fuzz.language_programs import program
from fuzz.trimming import that_runs
from worlds import World, compare, reduced

MODULE = """
import numpy as np
LOG = []
K = [1]


class Box:
    count = 0


def f(a, n):
    LOG.append(n)
    K[0] += 1
    Box.count += 1
    if n > 5:
        raise ValueError(n)
    a += 1
    return a, [n, n * 0.5], a[1:]


CALLS = [
    lambda: dict(a=np.zeros(3), n=2),
    lambda: dict(a=np.zeros(3), n=7),
]
"""
Wrong = Callable[[Callable[..., Any]], Callable[..., Any]]


def changed(result: Callable[[Any], Any]) -> Wrong:
    """A compiler whose functions give something else."""
    return lambda f: lambda a, n: result(f(a, n))


def undone(statement: str) -> Wrong:
    """A compiler that forgets or adds an effect."""

    def make(f: Callable[..., Any]) -> Callable[..., Any]:
        def wrong(a: Any, n: Any) -> Any:
            found = f(a, n)
            exec(statement, f.__globals__, {"a": a})
            return found

        return wrong

    return make


def raises_another(f: Callable[..., Any]) -> Callable[..., Any]:
    """A compiler whose functions raise the right exception at the wrong line."""

    def wrong(a: Any, n: Any) -> Any:
        return f(a, n) if n < 5 else exec(compile("\n\nraise ValueError(7)", worlds.FILE, "exec"))

    return wrong


MISTAKES: dict[str, Wrong] = {
    "a copy for the argument": changed(lambda r: (r[0].copy(), *r[1:])),
    "a copy for the view": changed(lambda r: (*r[:2], r[2].copy())),
    "a type": changed(lambda r: (r[0], [np.int64(r[1][0]), r[1][1]], r[2])),
    "a bool for an int": changed(lambda r: (r[0], [True, r[1][1]], r[2])),
    "a tuple for a list": changed(lambda r: (r[0], tuple(r[1]), r[2])),
    "a dtype": changed(lambda r: (r[0].astype(np.float32), *r[1:])),
    "a stride": changed(lambda r: (*r[:2], r[2][::-1])),
    "an effect twice": undone("LOG.append(1)"),
    "an element": undone("K[0] = 1"),
    "a class attribute": undone("Box.count = 0"),
    "a write": undone("a[0] = 0"),
    "a flag": undone("a.flags.writeable = False"),
    "a line": raises_another,
}


def test_worlds_of_one_function_are_the_same() -> None:
    assert compare(MODULE).difference == ""


@pytest.mark.parametrize("name", MISTAKES)
def test_a_planted_mistake_is_seen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worlds.gl, "jit", MISTAKES[name])
    assert compare(MODULE).difference


def test_a_list_shared_between_calls_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    shared: list[Any] = []
    monkeypatch.setattr(worlds.gl, "jit", changed(lambda r: (r[0], shared, r[2])))
    text = MODULE.replace("[n, n * 0.5]", "[]")
    assert compare(text).difference


def test_a_failing_program_is_reduced_to_what_fails() -> None:
    text = that_runs(program(5))
    start = worlds.body_of(text.split("\n"))[0]
    lines = text.split("\n")
    planted = "\n".join([*lines[:start], "        marked = 1", *lines[start:]])
    left = reduced(planted, lambda each: "marked = 1" in each and "def f(" in each)
    kept = [line.strip() for line in left.split("\n") if line.strip()]
    assert kept[0].startswith("def f(") and kept[1] == "marked = 1" and len(kept) < 5


def test_a_program_is_its_number() -> None:
    assert program(11) == program(11) != program(12)


def test_a_world_runs_its_calls() -> None:
    assert len(World(MODULE, jitted=False).run().steps) == 5
