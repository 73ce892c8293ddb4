"""Frames that a program sees: those that plain Python has, at the first call as at every other."""

from __future__ import annotations

import cProfile
import inspect
import pstats
import subprocess
import sys
import traceback
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracle import under

import guardlift as gl

SEEN: list[Any] = []


def look(*_: Any) -> None:
    """Notes what can be seen of the stack, up to the test."""
    names = [each.function for each in inspect.stack()][1:]
    SEEN.append(names[: names.index("worlds")])
    SEEN.append(sys._getframe(2).f_code.co_name)
    shown = [(each.name, each.lineno) for each in traceback.extract_stack()][:-1]
    SEEN.append(shown[[name for name, _ in shown].index("worlds") + 1 :])


def worlds(make: Callable[[Callable[..., Any]], Callable[..., Any]], program: Callable[..., Any]) -> list[Any]:
    """The frames that `program`, given `make`, lets be seen."""
    SEEN.clear()
    with under("reference"):
        program(make)
    return list(SEEN)


def twice(jit: Any) -> None:
    @jit
    def f(x: Any) -> Any:
        y = x * 2
        look()
        z = y + 1
        look()
        return z * y

    def caller() -> Any:
        return f(np.ones(3))

    for _ in range(3):
        caller()


def in_a_loop(jit: Any) -> None:
    @jit
    def f(x: Any, n: int) -> Any:
        for i in range(n):
            x = x + i
            look(i)
        return x

    for n in (1, 2, 3):
        f(np.ones(3), n)


def with_cells_and_values_on_the_stack(jit: Any) -> None:
    @jit
    def f(x: Any, k: int) -> Any:
        def inner() -> Any:
            return x * k

        made = [x + 1, look(), inner(), x - 1]
        k += 1
        look()
        return made, inner

    for _ in range(2):
        f(np.ones(3), 2)[1]()


def from_a_generator(jit: Any) -> None:
    @jit
    def f(x: Any) -> Any:
        y = x + 1
        look()
        return y * 2

    def steps() -> Any:
        yield f(np.ones(2))
        yield f(np.ones(3))

    list(steps())


def recursive(jit: Any) -> None:
    @jit
    def f(x: Any, n: int) -> Any:
        y = x * 2
        look()
        return f(y, n - 1) + 1 if n else y

    f(np.ones(2), 2)


def jitted_in_jitted(jit: Any) -> None:
    @jit
    def inner(x: Any) -> Any:
        y = x + 1
        look()
        return y

    @jit
    def outer(x: Any) -> Any:
        y = x * 2
        look()
        return inner(y) + y

    outer(np.ones(2))
    outer(np.ones(2))


def errors(jit: Any) -> None:
    @jit
    def f(x: Any, n: int) -> Any:
        y = x * 2
        look()
        try:
            if n == 1:
                raise KeyError(1)
        except KeyError as error:
            SEEN.append([(each.name, each.lineno) for each in traceback.extract_tb(error.__traceback__)])
        if n == 2:
            raise ValueError(y)
        return y + 1

    for n in (2, 1, 0, 2):
        try:
            f(np.ones(2), n)
        except ValueError as error:
            SEEN.append([(each.name, each.lineno) for each in traceback.extract_tb(error.__traceback__)])


def warned(jit: Any) -> None:
    def deprecated() -> None:
        warnings.warn("old", DeprecationWarning, stacklevel=3)

    @jit
    def f(x: Any) -> Any:
        y = x * 2
        warnings.warn("older", DeprecationWarning, stacklevel=2)
        y = y + 1
        deprecated()
        return y

    def caller() -> None:
        f(np.ones(3))

    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        caller()
        caller()
    ours = [each for each in found if each.category is DeprecationWarning]
    SEEN.extend((str(each.message), each.filename, each.lineno) for each in ours)


PROGRAMS = [
    twice, in_a_loop, with_cells_and_values_on_the_stack, from_a_generator, recursive, jitted_in_jitted, errors, warned,
]  # fmt: skip


@pytest.mark.filterwarnings("ignore::guardlift.GraphBreakWarning")
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_the_stack_is_that_of_plain_python(program: Callable[..., Any]) -> None:
    plain = worlds(lambda function: function, program)
    assert plain and worlds(gl.jit, program) == plain


@pytest.mark.filterwarnings("ignore::guardlift.GraphBreakWarning")
def test_a_profiler_is_told_of_as_many_returns_as_calls() -> None:
    @gl.jit
    def f(x: Any) -> Any:
        y = x * 2
        print(end="")
        return y + 1

    def marked() -> None:
        f(np.ones(3))

    events: list[tuple[str, str]] = []

    def note(frame: Any, event: str, _: Any) -> None:
        if event in ("call", "return"):
            events.append((event, frame.f_code.co_name))

    with under("reference"):
        sys.setprofile(note)
        try:
            marked()
            marked()
        finally:
            sys.setprofile(None)
        profile = cProfile.Profile()
        profile.runcall(marked)
    depth: list[str] = []
    for event, name in events:
        if event == "call":
            depth.append(name)
        elif depth:
            assert depth.pop() == name
    assert [key[2] for key in pstats.Stats(profile).stats].count("marked") == 1  # type: ignore[attr-defined]


@pytest.mark.filterwarnings("ignore::guardlift.GraphBreakWarning")
def test_a_function_that_reads_frames_in_a_comprehension_is_left_alone() -> None:
    def lines(x: Any) -> Any:
        frames = [sys._getframe(depth) for depth in (1,)]
        y = x + 1
        print(end="")
        return [each.f_code.co_name for each in frames], y

    def caller(function: Any) -> Any:
        return function(np.ones(2))

    with under("reference"):
        jitted = gl.jit(lines)
        for _ in range(2):
            assert caller(jitted)[0] == caller(lines)[0]
    assert "_getframe" in str(gl.explain(jitted))


def test_a_decorator_knows_readers_of_frames_before_the_tracer_is_loaded() -> None:
    program = "import guardlift as gl\nf = gl.jit(lambda x: sorted([*locals(), x]))\nprint(f('y'))"
    done = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "['x', 'y']\n"
