"""Draws from `numpy.random.Generator`: the bits, the state afterwards, the order, and what NumPy refuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracle import Report, check

BIT_GENERATORS = (np.random.PCG64, np.random.MT19937, np.random.Philox, np.random.SFC64, np.random.PCG64DXSM)


def generator(seed: int = 3, kind: Any = np.random.PCG64) -> np.random.Generator:
    """A generator of its own."""
    return np.random.Generator(kind(seed))


def whole(function: Callable[..., Any], *args: Any, **options: Any) -> Report:
    """`check`, and that the function was traced whole."""
    return check(function, *args, expect="compiled", **options)


@pytest.mark.parametrize("kind", BIT_GENERATORS)
def test_arrays_of_every_method(kind: Any) -> None:
    def drawn(rng: Any) -> Any:
        plain = rng.random(70), rng.standard_normal((9, 10)), rng.standard_exponential(size=90)
        scaled = rng.normal(1.0, 2.5, 40), rng.uniform(-1, 3, (4, 5)), rng.exponential(2.0, 30)
        narrow = rng.random(5, dtype=np.float32), rng.standard_normal((2, 3), np.float32)
        return plain, scaled, narrow, rng.integers(10, size=33), rng.integers(-(2**62), 2**62, 9, endpoint=True)

    whole(drawn, generator(kind=kind), calls=3)


@pytest.mark.parametrize("kind", BIT_GENERATORS)
def test_numbers_in_a_native_loop(kind: Any) -> None:
    def walked(x: Any, rng: Any, scale: float) -> Any:
        for i in range(len(x)):
            k = rng.integers(i, len(x))
            x[k] += rng.random() * rng.normal(0.5, scale) + rng.standard_normal()
            if x[k] > 0.5:
                x[i] -= rng.uniform(-scale, 1.0) + rng.exponential(scale) + rng.standard_exponential()
            x[i] += rng.integers(2**40) % 7 + rng.integers(3, 4)
        return x

    report = whole(walked, np.zeros(300), generator(kind=kind), 1.5, calls=3)
    assert "region" in report.op_names


def test_numbers_beside_a_graph() -> None:
    def drawn(x: Any, rng: Any) -> Any:
        one = rng.random() * 2 - 1
        return x * one + rng.normal(), one, rng.integers(5), rng.standard_normal(), x.sum()

    whole(drawn, np.arange(4.0), generator(), backend="reference")
    whole(drawn, np.arange(4, dtype=np.float32), generator())


def test_arrays_in_a_native_loop() -> None:
    def mixed(x: Any, rng: Any) -> Any:
        v = np.zeros(3)
        for i in range(len(x)):
            z = rng.standard_normal(3)
            v = 0.5 * v + z
            x[i] = v[0] * rng.random(4)[2] + rng.uniform(0.0, 2.0, 5)[i % 5] + rng.integers(9, size=2)[1]
        return x, v

    report = whole(mixed, np.zeros(12), generator(), backend="reference")
    assert "region" in report.op_names


def test_the_order_of_draws_under_two_names() -> None:
    def drawn(a: Any, b: Any) -> Any:
        return a.random(2), b.random(2), a.normal(), b.integers(100), a.random(2)

    def both(a: Any) -> Any:
        return drawn(a, a)

    whole(drawn, generator(1), generator(2), backend="reference")
    whole(both, generator(1), backend="reference")
    same = generator(5)
    whole(drawn, same, same, backend="reference")


def test_draws_that_nobody_uses_are_made() -> None:
    def wasted(x: Any, rng: Any) -> Any:
        rng.random(3)
        rng.random(3)
        rng.integers(7)
        return x + 1

    whole(wasted, np.zeros(2), generator())
    whole(wasted, np.zeros(2), generator(), backend="reference")


def test_an_array_drawn_row_by_row_is_the_same_in_any_layout() -> None:
    def laid(rng: Any) -> Any:
        a = rng.random((3, 4))
        return a.copy(order="F"), a.T, a

    whole(laid, generator())


def test_a_generator_made_inside() -> None:
    def made(x: Any, seed: int) -> Any:
        rng, other = np.random.default_rng(seed), np.random.default_rng(7)
        return x + rng.random(3), other.integers(0, 9, 4), rng.normal()

    whole(made, np.zeros(3), 11, backend="reference")
    whole(made, np.zeros(3), -1, backend="reference")


def test_a_seed_of_a_generator_that_nobody_asks_is_looked_at() -> None:
    def made(x: Any, seed: int) -> Any:
        np.random.default_rng(seed)
        return x + 1

    whole(made, np.zeros(3), 3)
    whole(made, np.zeros(3), -1)


def test_a_call_that_python_has_to_run_draws_once() -> None:
    def picked(x: Any, k: Any, rng: Any) -> Any:
        drawn = rng.random(3)
        x[0] = drawn[0]
        return x[k] + drawn

    for place in (1, 9):
        whole(picked, np.zeros(4), np.array([place, 0, 1]), generator())

    def left(x: Any, rng: Any) -> Any:
        for i in range(len(x)):
            x[i] = 1.0 / int(rng.integers(3))
        return x

    whole(left, np.zeros(40), generator(), backend="reference")


@pytest.mark.parametrize(
    ("method", "parameters"),
    [
        ("normal", (0.0, -1.0)),
        ("normal", (0.0, -0.0)),
        ("normal", (0.0, float("nan"))),
        ("uniform", (1.0, 0.5)),
        ("uniform", (0.0, float("inf"))),
        ("uniform", (0.5, 0.5)),
        ("integers", (4, 4)),
        ("integers", (5, 2)),
        ("integers", (-(2**63), 2**63 - 1)),
        ("integers", (0, 2**32)),
        ("integers", (0, 2**32 - 1)),
        ("integers", (0, -(2**63))),
    ],
)
def test_parameters_that_numpy_refuses_or_just_takes(method: str, parameters: tuple[Any, Any]) -> None:
    def drawn(rng: Any, one: Any, other: Any) -> Any:
        first = rng.random(2)
        return first, getattr(rng, method)(one, other), getattr(rng, method)(one, other, 3)

    whole(drawn, generator(), *parameters, backend="reference")


def test_what_has_no_rule_breaks_the_graph_between_draws() -> None:
    def mixed(rng: Any, x: Any) -> Any:
        a = rng.random(3)
        state = rng.bit_generator.state["state"]["state"]
        b = rng.random(3, out=x)
        return a, state, b, rng.standard_normal(3, dtype="f8")

    check(mixed, generator(), np.zeros(3), expect="broken")


def test_methods_that_numpy_runs_itself() -> None:
    def drawn(rng: Any, p: Any, x: Any) -> Any:
        chosen = rng.choice(10, 4), rng.choice(x, 3, p=p), rng.choice(7), rng.choice(x), rng.permutation(6)
        counts = rng.poisson(3.0, 5), rng.poisson(2.0), rng.binomial(10, 0.3, size=4), rng.gamma(2.0), rng.random(2)
        arrays = rng.normal(x, 1.0), rng.integers(0, 5, size=(2, 2), dtype=np.int8), rng.random((2, 0)), rng.beta(p, 2)
        return chosen, counts, arrays, rng.permutation(x), rng.random()

    whole(drawn, generator(), np.ones(5) / 5, np.arange(5.0), calls=3)
    whole(drawn, generator(), np.ones(5) / 5, np.arange(5.0), backend="reference")


def test_shuffles_are_in_place() -> None:
    def shuffled(rng: Any, x: Any, y: Any) -> Any:
        view = x[1:]
        rng.shuffle(view)
        rng.shuffle(y)
        return x.sum(), rng.permutation(y), y[0], rng.shuffle(x)

    whole(shuffled, generator(), np.arange(9.0), np.arange(6).reshape(3, 2))

    def looped(x: Any, rng: Any) -> Any:
        for i in range(len(x)):
            x[i] = rng.poisson(3.0) + rng.choice(5) + rng.gamma(1.5 + i)
        rng.shuffle(x)
        return x

    report = whole(looped, np.zeros(6), generator())
    assert "region" in report.op_names


def test_what_numpy_refuses_while_it_runs_is_drawn_once() -> None:
    def refused(rng: Any, p: Any) -> Any:
        first = rng.random(2)
        return first, rng.choice(3, p=p)

    whole(refused, generator(), np.array([0.5, 0.5, 0.0]), backend="reference")
    whole(refused, generator(), np.array([0.5, 0.9, 0.0]), backend="reference")


class Stuck(np.random.Generator):
    """A generator that always gives the same."""

    def random(self, *_args: Any) -> Any:
        return 7.0


def test_a_subclass_is_asked_itself() -> None:
    import guardlift as gl

    drawn = gl.jit(lambda rng, x: x + rng.random())
    x = np.zeros(2)
    one, other = generator(), generator()
    assert (drawn(one, x) == other.random()).all()
    assert (drawn(Stuck(np.random.PCG64(1)), x) == 7.0).all()
    assert (drawn(one, x) == other.random()).all()
