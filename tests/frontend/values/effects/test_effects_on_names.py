"""Attributes, globals and variables of enclosing functions: what a call sets and deletes is so after it."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from frontend.language import X
from frontend.values.effects.effects_oracle import Thing, picture, replayed
from oracle import under

import guardlift as gl

Body = Callable[..., Any]
TOTAL: Any = 0
LAST: Any = None


def set_and_read(x: Any, thing: Any) -> Any:
    thing.y = x + 1
    thing.n += 1
    thing.n += thing.n
    return thing.y * thing.n


def delete_and_set(x: Any, thing: Any) -> Any:
    first = thing.n
    del thing.n
    thing.late = x * first
    thing.n = first + 1
    thing.gone = 1
    del thing.gone
    return vars_of(thing)


def vars_of(thing: Any) -> Any:
    return thing.n, thing.late


def shadow_the_class(x: Any, thing: Any) -> Any:
    before = thing.limit
    thing.limit = before + 1
    inside = thing.limit
    del thing.limit
    return x + before, inside, thing.limit


def cycle(x: Any, thing: Any) -> Any:
    thing.me = thing
    thing.me.me.y = x + 1
    thing.all = [thing, thing.y]


def in_a_loop(x: Any, thing: Any) -> Any:
    for k in range(3):
        thing.n = thing.n * 2 + k
        thing.y = x + thing.n
    return thing.y


def in_a_callee(x: Any, thing: Any) -> Any:
    return set_and_read(x, thing) + set_and_read(x, thing)


BODIES: list[Body] = [set_and_read, delete_and_set, shadow_the_class, cycle, in_a_loop, in_a_callee]


@pytest.mark.spec("S8.06")
@pytest.mark.parametrize("body", BODIES, ids=lambda body: body.__name__)
def test_an_object_is_left_as_python_leaves_it(body: Body) -> None:
    replayed(lambda: (body, (X, Thing(n=1, m=2))), calls=3, compiles=2)


def test_two_objects_and_one_object_twice() -> None:
    def exchange(x: Any, a: Any, b: Any) -> Any:
        a.n, b.n = b.n, x + 1
        a.other = b
        return a.n

    def one() -> Any:
        thing = Thing(n=1)
        return exchange, (X, thing, thing)

    replayed(one, compiles=2)
    jitted = replayed(lambda: (exchange, (X, Thing(n=1), Thing(n=2))), compiles=2)
    with under("reference"):
        plain, mine = Thing(n=5), Thing(n=5)
        assert picture((exchange(X, plain, plain), plain)) == picture((jitted(X, mine, mine), mine))


def test_objects_that_share_their_dict() -> None:
    def change(x: Any, a: Any, b: Any) -> Any:
        a.n += 1
        return b.n + x

    def make() -> Any:
        a, b = Thing(n=1), Thing()
        b.__dict__ = a.__dict__
        return change, (X, a, b)

    replayed(make)


class Guarded:
    """Attributes through a property and through a `__setattr__`."""

    def __init__(self) -> None:
        self._n = 0
        self._log = []  # type: ignore[var-annotated]

    @property
    def n(self) -> Any:
        return self._n

    @n.setter
    def n(self, value: Any) -> None:
        self._log.append(value)
        self._n = value


def test_a_setter_runs_once() -> None:
    def change(x: Any, thing: Any) -> Any:
        thing.n = x + 1
        thing.n = thing.n * 2
        return thing.n

    replayed(lambda: (change, (X, Guarded())), calls=3, compiles=2)


class Slotted:
    """Keeps its attributes in slots."""

    __slots__ = ("late", "n", "y")

    def __init__(self) -> None:
        self.n = 1


def test_slots() -> None:
    def change(x: Any, thing: Any) -> Any:
        thing.n += 1
        thing.y = x * thing.n
        first = thing.y
        del thing.y
        thing.late = thing.n
        return first + thing.late

    replayed(lambda: (change, (X, Slotted())), calls=3)


def test_slots_of_one_object_under_two_names() -> None:
    def change(x: Any, a: Any, b: Any) -> Any:
        a.n += 1
        return x * b.n

    jitted = replayed(lambda: (change, (X, Slotted(), Slotted())))
    with under("reference"):
        one = Slotted()
        assert (jitted(X, one, one) == X * 2).all()


class Counting:
    """Counts its assignments, by a `__setattr__` of its own."""

    assigned = 0

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__("assigned", self.assigned + 1)
        object.__setattr__(self, name, value)


def test_a_setattr_of_the_users_runs_once() -> None:
    def change(x: Any, thing: Any) -> Any:
        thing.y = x + 1
        thing.z = thing.y * 2
        return thing.assigned

    replayed(lambda: (change, (X, Counting())), calls=3, compiles=2)


def test_a_new_object_stored_in_one_from_outside() -> None:
    def change(x: Any, thing: Any) -> Any:
        made = Thing(x=x + 1, owner=thing)
        thing.made = made
        made.late = thing.made.x * 2
        thing.items.append(made)
        return made

    replayed(lambda: (change, (X, Thing(items=[]))), calls=3, compiles=2)


def test_a_cached_property_is_filled() -> None:
    class Lazy:
        def __init__(self, x: Any) -> None:
            self.x = x

        @functools.cached_property
        def double(self) -> Any:
            return self.x * 2

    replayed(lambda: (lambda x, thing: x + thing.double, (X, Lazy(X))), calls=3, compiles=2)


def test_a_missing_attribute_is_not_deleted() -> None:
    def change(x: Any, thing: Any) -> Any:
        thing.y = x + 1
        del thing.missing

    replayed(lambda: (change, (X, Thing())), code="B304")


def test_an_attribute_that_may_be_missing_later() -> None:
    def change(x: Any, thing: Any) -> Any:
        thing.y = x + 1
        del thing.n

    jitted = replayed(lambda: (change, (X, Thing(n=1))), calls=1)
    with under("reference"):
        thing = Thing()
        with pytest.raises(AttributeError):
            jitted(X, thing)
        assert list(vars(thing)) == ["y"]


class Counter:
    """Has a counter in the class."""

    made = 0


def test_a_class_attribute() -> None:
    def change(x: Any) -> Any:
        Counter.made += 1
        Counter.made += 1
        return x * Counter.made

    jitted = gl.jit(change, fullgraph=True)
    with under("reference"):
        for made in (2, 4, 6):
            assert (jitted(X) == X * made).all() and Counter.made == made
    Counter.made = 0


@pytest.mark.spec("S8.01")
def test_variables_of_an_enclosing_function() -> None:
    def make() -> Any:
        count, last = 0, None

        def function(x: Any) -> Any:
            nonlocal count, last
            before = last
            count += 1
            last = x * count
            return before, count, see()

        def see() -> Any:
            return count, last

        return function, (X,)

    replayed(make, calls=4, compiles=2)


@pytest.mark.spec("S8.01")
def test_same_names_in_several_scopes() -> None:
    def make() -> Any:
        n = 1

        def outer() -> Any:
            n = 10

            def inner(x: Any) -> Any:
                nonlocal n
                n += 1
                return x + n

            return inner

        inner = outer()

        def function(x: Any) -> Any:
            nonlocal n
            n = n + 2
            return inner(x) + n

        return function, (X,)

    replayed(make, calls=3)


def test_a_variable_that_is_emptied() -> None:
    def make() -> Any:
        kept: Any = 1

        def function(x: Any, again: Any) -> Any:
            nonlocal kept
            y = x + kept
            del kept
            if again:
                kept = y  # noqa: F841
            return y

        return function, (X, True)

    replayed(make, calls=2, compiles=2)

    def leave() -> Any:
        function, _ = make()
        return function, (X, False)

    replayed(leave, calls=1)


def test_two_functions_with_one_variable_or_two() -> None:
    def pair(shared: bool) -> Any:
        n = 0

        def add(x: Any) -> Any:
            nonlocal n
            n += 1
            return x + n

        return add, ((lambda: n) if shared else pair(True)[1])

    def both(x: Any, add: Any, see: Any) -> Any:
        return add(x), see()

    for first in (True, False):
        jitted = replayed(lambda first=first: (both, (X, *pair(first))), compiles=1)
        with under("reference"):
            plain, mine = pair(not first), pair(not first)
            assert picture(both(X, *plain)) == picture(jitted(X, *mine))


def in_a_module(body: Body, **names: Any) -> Callable[[], Any]:
    """A maker of worlds with global names of their own; the names are returned with the result."""

    def make() -> Any:
        scope = {"__builtins__": __builtins__, "__name__": "apart", **names}
        function = types.FunctionType(body.__code__, scope, body.__name__)
        see = types.FunctionType(_names.__code__, scope, "see")
        return function, (X, Thing(see=see))

    return make


def _names() -> Any:
    return [(name, value) for name, value in globals().items() if not name.startswith("__")]


@pytest.mark.spec("S8.06")
def test_globals() -> None:
    def function(x: Any, thing: Any) -> Any:
        global TOTAL, LAST
        TOTAL += 1
        LAST = x * TOTAL
        return LAST + TOTAL

    for names in ({"TOTAL": 0}, {"LAST": None, "TOTAL": 1.5}):
        made: list[Any] = []

        def make(names: Any = names, made: list[Any] = made) -> Any:
            function_, args = in_a_module(function, **names)()
            made.append(args[1].see)
            return function_, args

        replayed(make, calls=3)
        plain, mine = (picture(see()) for see in made)
        assert plain == mine


def test_a_global_is_deleted() -> None:
    def function(x: Any, thing: Any) -> Any:
        global TOTAL, LAST
        LAST = TOTAL
        del TOTAL
        TOTAL = LAST + 1
        del LAST
        return x + TOTAL

    made: list[Any] = []

    def make() -> Any:
        world = in_a_module(function, TOTAL=1, OTHER=2)()
        made.append(world[1][1].see)
        return world

    replayed(make, calls=3)
    assert picture(made[0]()) == picture(made[1]()) == picture([("OTHER", 2), ("TOTAL", 4)])


def test_a_global_of_another_module() -> None:
    module = types.ModuleType("another")
    exec("N = 0\ndef step(x):\n    global N\n    N += 1\n    return x + N\n", vars(module))

    def function(x: Any) -> Any:
        first = module.step(x)
        module.N += 10
        return first + module.step(x)

    jitted = gl.jit(function, fullgraph=True)
    with under("reference"):
        for before in (0, 12, 24):
            assert (jitted(X) == X + X + 2 * before + 13).all()
            assert module.N == before + 12


def test_effects_together_with_tensors_and_optimizers() -> None:
    def make() -> Any:
        weight = gl.tensor([1.0, 2.0], requires_grad=True)
        optimizer = gl.optim.SGD([weight], lr=0.5, momentum=0.9)
        thing = Thing(steps=0, losses=[])

        def step(x: Any) -> Any:
            loss = (weight * x).sum()
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            thing.steps += 1
            value = loss.detach()
            thing.losses.append(value)
            thing.last = weight
            return value

        return step, thing, weight

    (plain, seen, weight), (function, mine, other) = make(), make()
    jitted = gl.jit(function, fullgraph=True)
    for k in range(3):
        x = gl.tensor([1.0 + k, 2.0])
        plain(x), jitted(x)
    assert seen.steps == mine.steps == 3 and mine.last is other
    assert [float(each) for each in seen.losses] == [float(each) for each in mine.losses]
    assert len({id(each) for each in mine.losses}) == 3
    assert np.array_equal(weight.detach().numpy(), other.detach().numpy())
