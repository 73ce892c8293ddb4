"""`id`, and methods of containers as values of their own."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import pytest
from frontend.language import X, compiled, plain

import guardlift as gl
from guardlift.frontend import state_of


class Thing:
    pass


def compared(x: Any) -> Any:
    a, b, c = [1], [1], Thing()
    d, e = a, c

    def inside() -> bool:
        return id(a) == id(d)

    return id(a) == id(b), id(a) != id(d), id(c) == id(e), inside(), type(id(a)), bool(id(a)), x + 1


def test_ids_are_compared() -> None:
    compiled(compared, X)


def test_ids_of_arguments() -> None:
    def function(x: Any, a: Any, b: Any) -> Any:
        return id(a) == id(b), id(a) != id(b), x + 1

    jitted = gl.jit(function, fullgraph=True)
    one, thing = [1], Thing()
    for a, b in ((one, one), (one, [1]), (thing, thing), (thing, Thing()), (one, thing), (one, one)):
        assert jitted(X, a, b)[:2] == (a is b, a is not b)


def test_an_id_that_leaves_is_that_of_the_object() -> None:
    def function(x: Any, a: Any) -> Any:
        made = [x + 1]
        return made, id(made), id(a)

    jitted = gl.jit(function, fullgraph=True)
    given = Thing()
    for _ in range(2):
        made, number, other = jitted(X, given)
        assert number == id(made) and other == id(given)


def test_the_id_of_what_may_be_gone_is_left_to_python() -> None:
    plain(lambda x: (x + 1, id(Thing()) > 0), X, code="B401")
    plain(lambda x, a: (x + 1, id(a) > 0), X, [], code="B401")

    def function(x: Any) -> Any:
        a = Thing()
        number = id(a)
        del a
        b = Thing()
        return number == id(b) or x.ndim == 1

    plain(function, X, code="B401")


def around(make: Callable[[], Any], name: str, *args: Any) -> Callable[..., Any]:
    """A function that takes a method of a container, and calls it behind a break."""

    def function(x: Any, said: list[Any], given: Any) -> Any:
        out = make() if given is None else given
        method = getattr(out, name)
        said.append(str(x.tolist))
        first = method(*args)
        again = method(*args)
        return out, first, again, method.__self__ is out, method.__name__

    return function


@pytest.mark.parametrize("outside", [False, True])
@pytest.mark.parametrize(
    ("make", "name", "args"),
    [
        (lambda: [1], "append", (2,)), (lambda: [1, 2], "pop", ()), (lambda: {"a": 1}, "get", ("a",)),
        (lambda: {1}, "add", (2,)), (lambda: deque([1, 2]), "popleft", ()), (dict, "update", ({"a": 1},)),
    ],
)  # fmt: skip
def test_a_method_is_kept_across_a_break(make: Any, name: str, args: Any, outside: bool) -> None:
    function = around(make, name, *args)
    jitted: Any = gl.jit(function)
    counts = []
    for _ in range(6):
        wanted = function(X, [], make() if outside else None)
        assert jitted(X, [], make() if outside else None) == wanted
        state = state_of(jitted)
        assert state is not None
        counts.append(len(state.history))
    assert counts[-1] == counts[3], "what was compiled serves"


def test_a_method_from_outside_is_looked_up_at_every_call() -> None:
    def function(x: Any, add: Any) -> Any:
        add(x.ndim)
        return x + 1

    jitted: Any = gl.jit(function, fullgraph=True)
    lists: list[list[int]] = [[], [5], []]
    for each in lists:
        jitted(X, each.append)
    assert lists == [[1], [5, 1], [1]]
    seen: set[int] = set()
    jitted(X, seen.add)
    jitted(X, lists[0].remove)
    assert seen == {1} and lists[0] == []
