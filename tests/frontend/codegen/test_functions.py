"""Functions that a call makes and gives away, plain against jitted."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from frontend.language import X, Y, compiled, plain
from oracle import check

import guardlift as gl
from guardlift.frontend import state_of
from guardlift.frontend.codegen.frame_state import FrameState
from guardlift.guards.sources import OwnCell, evaluate

outer = 3.0


def made_by(function: Callable[..., Any], *args: Any) -> tuple[Any, Any]:
    """The plain result of the function, and that of its second jitted call."""
    jitted = gl.jit(fullgraph=True)(function)
    jitted(*args)
    return function(*args), jitted(*args)


def described(made: types.FunctionType) -> tuple[Any, ...]:
    """The visible parts of a function, its closure left out."""
    names = (made.__name__, made.__qualname__, made.__module__, made.__doc__, made.__code__)
    return (
        *names,
        made.__defaults__,
        made.__kwdefaults__,
        made.__annotations__,
        made.__dict__,
        made.__globals__ is globals(),
    )


@pytest.mark.spec("S8.01")
def test_a_function_that_leaves_is_a_real_one() -> None:
    def function(x: Any, k: float) -> Any:
        n = k + 1

        def add(y: Any, z: float = 2.0, *rest: int, w: float = n) -> Any:
            """Adds."""
            return y + x + z + w + n + outer

        add.tag = "t"  # type: ignore[attr-defined]
        return add, x + 1

    (plainly, _), (jitted, _) = made_by(function, X, 2.0)
    assert type(jitted) is types.FunctionType and described(plainly) == described(jitted)
    assert np.array_equal(plainly(Y, 1.0, w=3.0), jitted(Y, 1.0, w=3.0))
    assert np.array_equal(plainly(Y), jitted(Y))


@pytest.mark.spec("S8.01")
def test_cells_are_shared_and_fresh() -> None:
    def function(x: Any) -> Any:
        count = 0

        def step() -> int:
            nonlocal count
            count += 1
            return count

        def get() -> int:
            return count

        step()
        return step, get, {"again": step}, x + 1

    for step, get, table, _ in made_by(function, X):
        assert table["again"] is step and step.__closure__[0] is get.__closure__[0]
        assert (get(), step(), get()) == (1, 2, 2)
    first, second = (gl.jit(fullgraph=True)(function) for _ in range(2))
    assert first(X)[0].__closure__[0] is not second(X)[0].__closure__[0]


@pytest.mark.spec("S8.01")
def test_a_function_may_name_itself_and_outer_variables() -> None:
    weight = 2.0

    def function(x: Any) -> Any:
        def power(n: int) -> Any:
            return weight if n == 0 else weight * power(n - 1)

        def unbound() -> Any:
            return later

        if outer < 0:
            later = 1
        return power, unbound, x + 1

    for power, unbound, _ in made_by(function, X):
        assert power(3) == 16.0
        with pytest.raises(NameError):
            unbound()
    jitted = gl.jit(fullgraph=True)(function)
    made = jitted(X)[0]
    assert made.__closure__[1].cell_contents is weight
    weight = 1.0
    assert made(3) == 1.0


def test_functions_of_other_functions_leave() -> None:
    def maker(scale: Any) -> Any:
        return lambda y: y * scale

    def function(x: Any) -> Any:
        return [maker(x), maker(x + 1), maker], x + 1

    (plainly, _), (jitted, _) = made_by(function, X)
    assert all(np.array_equal(one(Y), two(Y)) for one, two in zip(plainly[:2], jitted[:2], strict=True))
    assert jitted[2] is maker


def test_bound_methods_and_jitted_functions_leave() -> None:
    class Holder:
        def __init__(self, x: Any) -> None:
            self.x = x

        def get(self) -> Any:
            return self.x

    holder = Holder(X)
    inner = gl.jit(lambda x: x * 2)
    kept = holder.get

    def function(x: Any) -> Any:
        made = Holder(x)
        return made.get, holder.get, inner, kept, inner(x)

    _, (new, old, same, as_it_was, _) = made_by(function, X)
    assert new() is X and type(new.__self__) is Holder and old.__self__ is holder
    assert same is inner and as_it_was is kept


@pytest.mark.spec("S8.06")
def test_partials() -> None:
    def scaled(x: Any, by: float, *, plus: float = 0.0) -> Any:
        return x * by + plus

    given = functools.partial(scaled, plus=2.0)

    def function(x: Any, k: float) -> Any:
        made = functools.partial(functools.partial(scaled, x), k, plus=1.0)
        return made(), made(plus=3.0), given(x, k), made.func is scaled, made.args, made.keywords, made, given

    plainly, jitted = made_by(function, X, 2.0)
    for one, two in zip(plainly[:3], jitted[:3], strict=True):
        assert np.array_equal(one, two)
    assert plainly[3:6] == jitted[3:6] and jitted[7] is given
    assert type(jitted[6]) is functools.partial and jitted[6].args[0] is X and np.array_equal(jitted[6](), plainly[6]())


@pytest.mark.spec("S8.01")
def test_wraps() -> None:
    def twice(function: Any) -> Any:
        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            return function(*args, **kwargs) * 2

        return wrapper

    def function(x: Any) -> Any:
        @twice
        def inner(y: Any) -> Any:
            """Says so."""
            return y + x

        return inner, inner(x)

    (plainly, one), (jitted, two) = made_by(function, X)
    assert described(plainly)[:4] == described(jitted)[:4] and np.array_equal(one, two)
    assert jitted.__wrapped__.__closure__[0].cell_contents is X


def test_cached_functions_are_followed_and_the_standard_library_is_not() -> None:
    import textwrap

    @functools.lru_cache
    def cached(k: int) -> int:
        return k + 1

    compiled(lambda x: x + cached(1), X)
    plain(lambda x: (x + 1, textwrap.dedent("  a")), X, code="B206")
    compiled(lambda x: x + functools.partial(lambda k: k)(1), X)


def test_annotations_of_functions_across_a_break() -> None:
    def function(x: Any) -> Any:
        def inner(value: int, *, other: str = "a") -> float:
            return value + 1.5

        def wrapper(*args: Any) -> None:
            pass

        print(end="")
        functools.update_wrapper(wrapper, type)
        return x + inner(1), inner.__annotations__, wrapper.__annotations__, wrapper.__name__

    check(function, X, breaks=None)


def test_a_function_of_the_call_that_stands_on_the_stack_at_a_break_is_compiled_once() -> None:
    @gl.jit
    def function(x: Any, n: int) -> Any:
        total = 0.0

        def power(depth: int) -> Any:
            return x if depth == 0 else power(depth - 1) * 1.5 + total

        total = 1.0
        print(end="")
        return power(n) + 1

    for k in range(12):
        expected = function.__wrapped__(X + k, 2)
        assert np.array_equal(function(X + k, 2), expected)
    report = gl.explain(function)
    assert len(report.entries) <= 3 and not report.limit_reached
    for point in state_of(function).points.values():  # cells of the frame, asked outside of it
        cells = {name: types.CellType(X) for name in ("power", "total", "x")}
        at = FrameState(point, {"n": 2}, {}, cells)
        namespace = state_of(function).namespace(at)
        found = [OwnCell(name).text(state_of(function).pool) for name in cells]
        assert [evaluate(text, namespace, state_of(function).pool) for text in found] == [*cells.values()]
