"""Calls of Python functions, closures, lambdas and methods of classes, plain against jitted."""

# ruff: noqa: PIE804 (what is written is what is tested)

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np
import pytest
from frontend.language import X, Y, compiled, plain
from oracle import check, under

import guardlift as gl
from guardlift.frontend import state_of

OFFSET = 3.0
TABLE = {"a": 1.0, "b": 2.0}
WEIGHTS = np.array([1.0, 2.0, 3.0, 4.0])


def affine(x: Any, scale: float = 2.0, *, shift: float = 1.0) -> Any:
    return x * scale + shift


def gathered(first: Any, *rest: Any, key: Any = None, **named: Any) -> Any:
    total = first
    for each in rest:
        total = total + each
    for name, value in named.items():
        total = total * value + len(name)
    return total if key is None else total + key


def power(x: Any, n: int) -> Any:
    return x if n <= 1 else x * power(x, n - 1)


def only_positional(x: Any, scale: float, /, shift: float = 0.0) -> Any:
    return x * scale + shift


def test_defaults_and_keywords() -> None:
    compiled(lambda x: affine(x) + affine(x, 3.0) + affine(x, shift=5) + affine(scale=2, x=x, shift=0), X)
    compiled(lambda x: only_positional(x, 2.0) + only_positional(x, 3.0, shift=1), X)


@pytest.mark.spec("S8.01")
def test_star_arguments_both_ways() -> None:
    def function(x: Any, numbers: Any, options: Any) -> Any:
        a = gathered(x, *numbers)
        b = gathered(x, 1, 2, key=3, up=4.0, down=5)
        c = gathered(*[x, *numbers, 7], **options, key=1)
        return a, b, c, gathered(x, **{"p": 2, **options})

    compiled(function, X, (1.0, 2.0), {"q": 3.0})
    compiled(gathered, X, 1.0, Y)
    compiled(gathered, X, 1.0, key=2.0, alpha=3.0)


def test_star_arguments_of_the_jitted_function_are_returned_as_python_does() -> None:
    def function(x: Any, *rest: Any, **named: Any) -> Any:
        named["new"] = x + 1
        return rest, named

    compiled(function, X, 1, 2.5, "text", alpha=3.0, beta=Y)


WRONG: list[Any] = [
    lambda x: affine(),
    lambda x: affine(x, 1, 2),
    lambda x: affine(x, x=x),
    lambda x: affine(x, nope=1),
    lambda x: only_positional(x=x, scale=1),
    lambda x: gathered(x, **{"first": 1}),
]


@pytest.mark.parametrize("call", WRONG)
def test_wrong_arguments_raise_as_in_python(call: Any) -> None:
    plain(call, X, code="B304")


def test_recursion_of_known_depth() -> None:
    compiled(lambda x, n: power(x, n), X, 5)


def test_recursion_without_end_breaks() -> None:
    def forever(x: Any) -> Any:
        return forever(x + 1)

    jitted = gl.jit(forever)
    with pytest.raises(RecursionError):
        jitted(X)
    state = state_of(jitted)
    assert state is not None and state.history[0].break_code == "B203"


def test_a_jitted_function_calls_itself_and_others() -> None:
    @gl.jit
    def doubled(x: Any, by: float = 2.0) -> Any:
        return x * by

    compiled(lambda x: doubled(x) + doubled(x, 3.0), X)


def test_defaults_of_a_jitted_callee_are_its_own() -> None:
    @gl.jit
    def doubled(x: Any, by: float = 2.0, *, plus: float = 0.0) -> Any:
        return x * by + plus

    jitted = gl.jit(lambda x: doubled(x) + 1)
    assert jitted(X).tolist() == (X * 2 + 1).tolist()
    doubled.__defaults__ = (5.0,)
    assert jitted(X).tolist() == (X * 5 + 1).tolist()
    doubled.__kwdefaults__ = {"plus": 1.0}
    assert jitted(X).tolist() == (X * 5 + 2).tolist()


def test_a_mutable_default_changed_inside_runs_plainly() -> None:
    def function(x: Any, seen: list[int] = []) -> Any:  # noqa: B006
        seen.append(len(seen))
        return x + len(seen)

    jitted = gl.jit(function)
    assert [jitted(X)[0] - X[0] for _ in range(3)] == [1, 2, 3]

    def outer(x: Any) -> Any:
        return function(x)

    other = gl.jit(outer)
    assert [other(X)[0] - X[0] for _ in range(3)] == [4, 5, 6]


@pytest.mark.spec("S8.01")
def test_defaults_of_inner_functions_are_evaluated_once() -> None:
    def function(x: Any) -> Any:
        k = 1

        def inner(y: Any, parts: Any = [], by: int = k) -> Any:  # noqa: B006
            parts.append(y)
            return y * by + len(parts)

        k = 100
        return inner(x), inner(x), inner(x, [0, 0]), inner(x)

    compiled(function, X)


@pytest.mark.spec("S8.01")
def test_closures_read_and_share_cells() -> None:
    def function(x: Any, n: int) -> Any:
        total = 0

        def add(k: int) -> int:
            nonlocal total
            total += k
            return total

        def read() -> int:
            return total

        add(n)
        before = read()
        total = total * 10
        add(1)
        return x + total, before, read()

    compiled(function, X, 4)


def test_a_counter_made_by_a_callee_keeps_its_own_cell() -> None:
    def counter() -> Any:
        count = 0

        def step() -> int:
            nonlocal count
            count += 1
            return count

        return step

    def function(x: Any) -> Any:
        one, two = counter(), counter()
        one()
        one()
        return x + one() * 10 + two()

    compiled(function, X)


def test_cells_of_loops_hold_the_last_value() -> None:
    def function(x: Any) -> Any:
        makers = []
        for k in range(3):
            makers.append(lambda: k)  # noqa: B023
        fixed = [lambda k=k: k for k in range(3)]
        return [x + maker() for maker in makers], [x + maker() for maker in fixed]

    compiled(function, X)


def test_outer_cells_are_read_and_never_written() -> None:
    scale, count = 2.0, 0

    def reads(x: Any) -> Any:
        return x * scale

    def writes(x: Any) -> Any:
        nonlocal count
        count += 1
        return x * scale + count

    compiled(reads, X)
    jitted = gl.jit(writes)
    assert [jitted(X)[0] - X[0] * 2 for _ in range(3)] == [1, 2, 3]
    assert count == 3


def test_an_outer_cell_may_be_assigned_the_array_it_holds() -> None:
    state = np.zeros(3)

    def step(x: Any) -> Any:
        nonlocal state
        state += x
        return state * 2

    jitted = gl.jit(step)
    kept = state
    assert jitted(np.ones(3)).tolist() == [2, 2, 2]
    assert jitted(np.ones(3)).tolist() == [4, 4, 4]
    assert state is kept and state.tolist() == [2, 2, 2]
    assert gl.frontend.state_of(jitted).entries[0].slot >= 0


def test_an_empty_outer_cell_raises_as_in_python() -> None:
    def outer() -> Any:
        def function(x: Any) -> Any:
            return x + later

        yield function
        later = 2.0
        yield function

    steps = outer()
    jitted = gl.jit(next(steps))
    with pytest.raises(NameError):
        jitted(X)
    next(steps)
    assert jitted(X).tolist() == (X + 2).tolist()


def test_lambdas_and_higher_order_functions() -> None:
    def function(x: Any, act: Any) -> Any:
        twice = lambda f, v: f(f(v))  # noqa: E731
        return twice(lambda v: v * 2, act(x)), list(map(lambda a, b: a * b, [x, 2], [3, 4]))

    compiled(function, X, lambda v: v + 1)
    compiled(function, X, np.tanh)


def test_globals_are_read() -> None:
    compiled(lambda x: x * OFFSET + TABLE["b"] + WEIGHTS, X)
    compiled(lambda x: x * math.pi + math.sqrt(OFFSET) + np.pi, X)


def test_a_global_array_may_be_updated_in_place() -> None:
    def function(x: Any) -> Any:
        global WEIGHTS
        WEIGHTS += x
        return WEIGHTS.sum()

    kept, before = WEIGHTS, WEIGHTS.copy()
    jitted = gl.jit(fullgraph=True)(function)
    jitted(X)
    jitted(X)
    assert WEIGHTS is kept and np.allclose(WEIGHTS, before + 2 * X)
    WEIGHTS[:] = before


def test_arrays_in_containers_of_the_caller_may_be_updated_in_place() -> None:
    def function(params: Any, grads: Any, rate: float) -> Any:
        for name in params:
            params[name] -= rate * grads[name]
        return params

    def listed(parts: Any) -> Any:
        parts[-1] += 1
        parts[0] *= parts[1]
        return parts

    compiled(function, {"w": X, "b": Y}, {"w": Y, "b": X}, 0.1)
    compiled(listed, [X, Y])


def test_calls_of_what_has_no_rule_break() -> None:
    plain(lambda x: (x + 1, print(end="")), X, code="B201")
    plain(lambda x: (x + 1, len(memoryview(b"a"))), X, code="B201")


def test_keywords_that_bear_the_names_of_our_own_parameters() -> None:
    check(lambda x: list(enumerate(x, name=2, rule=3, trace=4)), X, backend="reference")  # type: ignore[call-overload]


def test_imports_inside_the_function() -> None:
    def function(x: Any) -> Any:
        import math as m

        import numpy
        from numpy import tanh as act

        return act(x) * numpy.float64(2) + m.pi

    compiled(function, X)


def test_isinstance_and_type() -> None:
    def function(x: Any, n: Any) -> Any:
        if isinstance(x, np.ndarray) and not isinstance(n, (str, list)) and isinstance(n, (int, float)):
            x = x + 1
        if type(n) is int:
            x = x * 2
        return x if isinstance(n, bool) else x - 1

    compiled(function, X, 3)
    compiled(function, X, 3.0)
    compiled(function, X, True)


def test_the_type_of_a_computed_number_is_a_fact() -> None:
    def function(x: Any, n: int) -> Any:
        return x + 1 if isinstance(2**n, int) else x - 1

    jitted = gl.jit(function)
    for n in (3, -1, 2, -2):
        assert jitted(X, n).tolist() == function(X, n).tolist()


def test_a_keyword_given_twice_raises_as_in_python() -> None:
    plain(lambda x: (gathered(x, **{"a": 1}, **{"a": 2}), x + 1), X, code="B304")
    plain(lambda x: (gathered(x, a=1, **{"a": 2}), x + 1), X, code="B304")


def test_a_global_that_an_argument_hides() -> None:
    namespace: dict[str, Any] = {"x": 10.0}
    exec("def f(x):\n    def inner():\n        global x\n        return x\n    return x * 2 + inner()", namespace)
    compiled(namespace["f"], X)


def test_names_of_inner_functions() -> None:
    def function(x: Any) -> Any:
        def inner() -> None: ...

        return {inner.__name__: x + 1, inner.__qualname__: x}

    compiled(function, X)


def described(x: Any) -> Any:
    """The argument."""
    return x


described.tag = 3  # type: ignore[attr-defined]


class Owner:
    """Has a method."""

    def method(self) -> int:
        """One."""
        return 1


def names_of(function: Any) -> Any:
    return function.__name__, function.__doc__, function.__qualname__, function.__module__


def test_names_and_texts_of_functions() -> None:
    def function(x: Any, owner: Owner) -> Any:
        def inner() -> None:
            """Says nothing."""

        def bare() -> Any:
            return x

        method = owner.method
        parts = method.__func__ is not None, method.__self__ is owner, "".join.__name__, [].append.__name__
        built_in = (
            math.sqrt.__name__,
            len.__qualname__,
            [].append.__qualname__,
            math.sqrt.__doc__,
            len.__name__,
            str.upper.__name__,
            object.__init__.__name__,
        )
        return x + 1, [names_of(each) for each in (inner, bare, described, method, lambda: 1)], parts, built_in

    compiled(function, X, Owner())


def test_attributes_of_functions_from_outside() -> None:
    def function(x: Any) -> Any:
        @functools.wraps(described)
        def wrapper() -> Any:
            return x

        found = described.tag, hasattr(described, "other"), hasattr(wrapper, "other")  # type: ignore[attr-defined]
        return x + 1, found, wrapper.tag, wrapper.__name__, wrapper.__doc__  # type: ignore[attr-defined]

    compiled(function, X)


def test_a_name_or_an_attribute_of_a_function_that_is_set_anew() -> None:
    def changing() -> None:
        """Before."""

    @gl.jit(fullgraph=True)
    def function(x: Any) -> Any:
        return x + 1, names_of(changing)[:3], getattr(changing, "tag", None)

    with under("reference"):
        for name, value in (("__name__", "x"), ("__doc__", None), ("__qualname__", "y"), ("tag", 1), ("tag", 2)):
            before = function(X)[1:]
            assert before == (names_of(changing)[:3], getattr(changing, "tag", None))
            setattr(changing, name, value)
            assert function(X)[1:] == (names_of(changing)[:3], getattr(changing, "tag", None)) != before
