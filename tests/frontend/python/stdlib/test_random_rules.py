"""Draws of Python's module `random` in a graph: the numbers and the states of plain Python."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import guardlift as gl


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """The module's generator as it was, after each test."""
    state = random.getstate()
    yield
    random.setstate(state)


def outcomes(function: Callable[..., Any], rounds: int = 8) -> list[Any]:
    """The result of each call or its error, and the state of the generator behind it."""
    random.seed(4)
    found = []
    for k in range(rounds):
        try:
            result = repr(function(gl.arange(1.0, 5.0) + k))
        except (ValueError, IndexError) as error:
            result = repr(error)
        found.append((result, random.getstate()))
    return found


def scaled(x: Any) -> Any:
    return x * random.random()


def several(x: Any) -> Any:
    a = random.random()
    b = random.uniform(-1, 3)
    return x * a + b, a, b, random.uniform(a, b)


def discarded(x: Any) -> Any:
    random.random()
    return x


def branch(x: Any) -> Any:
    return x.flip(0) if random.random() < 0.5 else x * 2.0


def branches(x: Any) -> Any:
    x = x * 2.0
    for _ in range(3):
        if random.random() < 0.7:
            x = x.sin()
        if random.random() > 0.5:
            x = x + 1.0
    return x


def in_a_list(x: Any) -> Any:
    numbers = [random.random() for _ in range(4)]
    return x * sum(numbers), numbers


def raises(x: Any) -> Any:
    if random.random() < 2:
        raise ValueError("as always")
    return x


def whole_numbers(x: Any) -> Any:
    a, b, c = random.randint(1, 6), random.randrange(3, 30, 3), random.getrandbits(40)
    return x * a + b, a, b, c, random.choice([2, 3, 5]), random.randrange(9)


def distributions(x: Any) -> Any:
    pair = random.gauss(0.0, 1.0), random.gauss(1, 2), random.normalvariate(), random.expovariate(2.0)
    return x * sum(pair), pair, random.betavariate(1, 2), random.triangular(0, 1), random.random()


def orders(x: Any) -> Any:
    order = [3, 1, 2, 0]
    random.shuffle(order)
    return x[order], order, random.sample(range(9), 3), random.choices([1.5, 2.5], k=3)


def seeded(x: Any) -> Any:
    a = random.random()
    random.seed(7)
    return x * a + random.random(), random.gauss(0, 1)


def conversions(x: Any) -> Any:
    return x * abs(random.random() - 1), bool(random.random()), random.random() in (0.5, 1.0)


WHOLE = [scaled, several, discarded, branch, branches, in_a_list, raises, conversions]
WHOLE += [whole_numbers, distributions, orders, seeded]


@pytest.mark.parametrize("function", WHOLE)
def test_draws_are_part_of_the_graph(function: Callable[..., Any]) -> None:
    jitted = gl.jit(function)
    assert outcomes(jitted) == outcomes(function)
    report = gl.explain(jitted)
    assert report.compiles <= 1 and not report.breaks, report


def early_return(x: Any) -> Any:
    if random.random() < 0.5:
        return x.sin()
    return x + random.random()


def drawn_in_one_arm(x: Any) -> Any:
    y = x
    if x.sum() > 20:
        y = x * random.random()
    return y, random.random()


def other_functions(x: Any) -> Any:
    a = random.random()
    random.seed(int(10 * a))
    b = random.random()
    return x * a + random.choice([1, 2, 3]), b, random.gauss(0, 1), random.random()


def chosen_by_computed_numbers(x: Any) -> Any:
    a = random.randint(2, 5)
    return x * random.randint(a, 9), random.sample(range(a), 2), random.random()


def chosen_objects(x: Any) -> Any:
    name = random.choice(["abs", "neg", "relu"])
    names = ["a", "b", "c"]
    random.shuffle(names)
    return getattr(x, name)() * random.random(), name, names


def empty_range(x: Any) -> Any:
    return x * random.random(), random.randint(3, 2)


def a_loop_by_data(x: Any) -> Any:
    count = 0
    while x.sum() < 100:
        x = x * 2 + random.random()
        count += 1
    return x, count


def printed_between(x: Any) -> Any:
    a = random.random()
    print(end="")
    return x * a + random.random()


def index_out_of_range(x: Any) -> Any:
    return x[int(8 * random.random())]


@pytest.mark.parametrize(
    "function",
    [
        *(early_return, drawn_in_one_arm, other_functions, a_loop_by_data, printed_between, index_out_of_range),
        *(chosen_by_computed_numbers, chosen_objects, empty_range),
    ],
)
@pytest.mark.filterwarnings("ignore::guardlift.GraphBreakWarning")
def test_draws_beside_graph_breaks_come_in_order(function: Callable[..., Any]) -> None:
    jitted = gl.jit(function)
    assert outcomes(jitted) == outcomes(function)
    assert gl.explain(jitted).breaks


def test_a_plan_without_a_result_puts_the_state_back() -> None:
    def picked(x: Any, i: Any) -> Any:
        a = random.random()
        return x[i] * a

    jitted = gl.jit(picked)
    for index in ([0, 3], [1, 2], [0, 7], [2, 2]):
        found = []
        for function in (picked, jitted):
            random.seed(9)
            try:
                result = repr(function(gl.arange(4.0), gl.tensor(index)))
            except IndexError:
                result = "IndexError"
            found.append((result, random.getstate()))
        assert found[0] == found[1], index


def test_a_draw_of_another_type_than_foreseen_is_left_to_python() -> None:
    def chosen(x: Any) -> Any:
        a = random.random()
        return x * a, random.choice([1, 1, 2, 3, 5, 8, 13, 2.5])

    jitted = gl.jit(chosen)
    found = outcomes(jitted, 40)
    assert found == outcomes(chosen, 40) and any("2.5" in result for result, _ in found)


def test_arrays_of_numpy_too() -> None:
    def noisy(x: Any) -> Any:
        return x + random.random() * np.ones(3)

    jitted = gl.jit(noisy)
    for seed in range(4):
        random.seed(seed)
        expected = noisy(np.zeros(3))
        random.seed(seed)
        np.testing.assert_array_equal(jitted(np.zeros(3)), expected)


def test_generators_of_ones_own_keep_their_order_under_two_names() -> None:
    def drawn(x: Any, a: random.Random, b: random.Random) -> Any:
        first = a.random(), b.randint(1, 9), a.gauss(0, 1)
        return x * a.uniform(1, 2), first, b.random(), random.random()

    jitted = gl.jit(drawn)
    for shared in (False, True, False):
        found = []
        for function in (drawn, jitted):
            random.seed(1)
            one = random.Random(3)
            other = one if shared else random.Random(4)
            found.append((repr([function(gl.ones(2), one, other) for _ in range(2)]), one.getstate(), other.getstate()))
        assert found[0] == found[1]
    assert not gl.explain(jitted).breaks


def test_a_method_that_an_object_has_in_its_place_is_called() -> None:
    own = random.Random(3)

    def scaled_by_own(x: Any) -> Any:
        return x * own.random()

    jitted = gl.jit(scaled_by_own)
    expected = random.Random(3).random()
    assert jitted(gl.ones(1, dtype=gl.float64)).tolist() == [expected]
    own.random = lambda: 0.25  # type: ignore[method-assign]
    for dtype in (gl.float64, gl.float32):
        assert jitted(gl.ones(1, dtype=dtype)).tolist() == [0.25]


class Loaded(random.Random):
    """A generator that always gives the same."""

    def random(self) -> float:
        return 0.75


@pytest.mark.filterwarnings("ignore::guardlift.GraphBreakWarning")
def test_a_subclass_is_asked_itself() -> None:
    jitted = gl.jit(lambda rng, x: x * rng.random())
    assert jitted(Loaded(1), gl.ones(1)).tolist() == [0.75]


def test_numbers_from_outside_and_sizes_that_change_do_not_compile_anew() -> None:
    def drawn(x: Any, sigma: float) -> Any:
        return x * random.gauss(0.0, sigma), random.randrange(len(x)), random.random()

    jitted = gl.jit(drawn)
    found = []
    for function in (drawn, jitted):
        random.seed(6)
        found.append((repr([function(gl.ones(k), 0.5 * k) for k in range(2, 9)]), random.getstate()))
    assert found[0] == found[1]
    assert gl.explain(jitted).compiles <= 2 and not gl.explain(jitted).breaks


def test_another_function_in_its_place_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    jitted = gl.jit(scaled)
    jitted(gl.ones(2))
    monkeypatch.setattr(random, "random", lambda: 0.25)
    assert jitted(gl.ones(2)).tolist() == [0.25, 0.25]


@pytest.mark.filterwarnings("ignore::guardlift.GraphBreakWarning")
def test_a_draw_that_backward_needs_is_the_one_of_forward() -> None:
    def loss(w: Any) -> Any:
        return (w * random.random()).sin().sum()

    found = []
    for function in (loss, gl.jit(loss)):
        random.seed(2)
        w = gl.ones(3, requires_grad=True)
        for _ in range(3):
            one = function(w)
            random.random()
            one.backward()
        found.append((w.grad.tolist(), random.getstate()))
    np.testing.assert_allclose(found[0][0], found[1][0], rtol=1e-6)
    assert found[0][1] == found[1][1]
