"""Draws from NumPy's global generator and from `RandomState`: the bits, the state afterwards, and the order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from oracle import check

import guardlift as gl


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """The global generator as it was, after each test."""
    state = np.random.get_state()
    yield
    np.random.set_state(state)


def outcomes(function: Callable[..., Any], make: Callable[[], Any], rounds: int = 6) -> list[Any]:
    """The result of each call or its error, and the state of the global generator behind it."""
    np.random.seed(4)
    found = []
    for _ in range(rounds):
        try:
            result = repr(function(make()))
        except (ValueError, IndexError) as error:
            result = repr(error)
        found.append((result, repr(np.random.get_state(legacy=False))))
    return found


def numbers(x: Any) -> Any:
    a = np.random.rand()
    return x * a + np.random.randn(), a, np.random.randint(5), np.random.normal(1.0, 2.0), np.random.random_sample()


def arrays(x: Any) -> Any:
    noise = np.random.randn(3) * np.random.uniform(-1, 1, size=3)
    return x + noise, noise, np.random.randint(0, 9, (2, 2)), np.random.permutation(5), np.random.random((2, 3))


def chosen(x: Any) -> Any:
    order = np.random.permutation(3)
    return x[order], np.random.choice(9, 4, replace=False), np.random.choice([1.5, 2.5]), np.random.beta(1.0, 2.0)


def seeded(x: Any) -> Any:
    first = np.random.randn()
    np.random.seed(3)
    return x * first + np.random.randn(3), np.random.ranf(), np.random.sample((2,))


def branch(x: Any) -> Any:
    if np.random.rand() < 0.5:
        return x + np.random.randn(3)
    return x * 2.0


def discarded(x: Any) -> Any:
    np.random.randn()
    np.random.rand(4)
    return x + 1.0


def written(x: Any) -> Any:
    a = np.random.rand(3)
    b = a
    a[1] = 7.0
    return x + b, a, b


def at_sizes(x: Any) -> Any:
    return x + np.random.rand(len(x)), np.random.randint(len(x))


PROGRAMS = [numbers, arrays, chosen, seeded, branch, discarded, written, at_sizes]


@pytest.mark.parametrize("backend", ["numba", "reference"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_draws_beside_arrays(program: Callable[..., Any], backend: str) -> None:
    jitted = gl.jit(program, backend=backend)
    assert outcomes(jitted, lambda: np.arange(3.0)) == outcomes(program, lambda: np.arange(3.0))
    assert program is branch or not gl.explain(jitted).breaks


def converted(x: Any) -> Any:
    np.random.seed(3)
    return x + gl.from_numpy(np.random.randn(3)), gl.tensor(np.random.rand(3)), gl.tensor(np.random.randint(0, 9, 3))


def trained(x: Any) -> Any:
    w = x.detach().requires_grad_(True)
    noise = gl.from_numpy(np.random.randn(3))
    lam = np.random.beta(0.4, 0.4)
    (w * noise * lam + (1 - lam) * w[np.random.permutation(3)]).square().sum().backward()
    return w.grad


@pytest.mark.parametrize("program", [numbers, chosen, discarded, converted, trained])
def test_draws_beside_tensors(program: Callable[..., Any]) -> None:
    def make() -> Any:
        return gl.arange(1.0, 4.0, dtype=gl.float64)

    jitted = gl.jit(program)
    assert outcomes(jitted, make) == outcomes(program, make)
    assert not gl.explain(jitted).breaks and gl.explain(jitted).compiles == 1


def test_a_generator_of_numpy_beside_tensors() -> None:
    def drawn(x: Any, rng: Any, state: Any) -> Any:
        a = rng.random(), rng.normal(0.0, 2.0, 3), rng.integers(0, 9, 3), rng.permutation(3), state.randn(3)
        return x[gl.from_numpy(a[3])] * gl.from_numpy(a[1] + a[4]) + a[0], a

    jitted = gl.jit(drawn)
    found = []
    for function in (drawn, jitted):
        x, rng, state = gl.arange(3.0), np.random.default_rng(2), np.random.RandomState(3)
        outs = [function(x, rng, state) for _ in range(3)]
        found.append((repr(outs), rng.bit_generator.state, repr(state.get_state(legacy=False))))
    assert found[0] == found[1]
    assert not gl.explain(jitted).breaks


def test_draws_in_native_loops_and_behind_them() -> None:
    def walked(x: Any, state: Any) -> Any:
        first = state.rand()
        for i in range(len(x)):
            x[i] += state.randn() + state.randint(0, 5)
        state.shuffle(x)
        return x, first, state.rand(3), state.normal(x, 1.0)

    check(walked, np.zeros(40), np.random.RandomState(5), calls=3, expect="compiled")


def test_the_order_of_draws_under_two_names() -> None:
    def drawn(a: Any, b: Any) -> Any:
        return a.rand(2), b.rand(2), a.normal(), b.randn(), b.permutation(a.rand(3)), a.randn()

    check(drawn, np.random.RandomState(1), np.random.RandomState(2), expect="compiled")
    same = np.random.RandomState(5)
    check(drawn, same, same, expect="compiled")


def test_a_generator_that_shares_its_bits_with_a_legacy_one() -> None:
    def drawn(a: Any, b: Any) -> Any:
        return a.rand(2), b.random(2), a.randn(), b.normal(), a.rand()

    bits = np.random.MT19937(4)
    check(drawn, np.random.RandomState(bits), np.random.Generator(bits), backend="reference")


def test_a_call_that_python_has_to_run_draws_once() -> None:
    def picked(x: Any, k: Any, state: Any) -> Any:
        drawn = state.randn(3)
        x[0] = drawn[0] + state.randn()
        return x[k] + drawn

    for place in (1, 9):
        state = np.random.RandomState(5)
        state.randn()  # a normal is left over
        check(picked, np.zeros(4), np.array([place, 0, 1]), state, expect="compiled", calls=3)


@pytest.mark.parametrize("kind", [np.random.PCG64, np.random.Philox, np.random.SFC64, np.random.MT19937])
def test_any_bit_generator(kind: Any) -> None:
    def drawn(x: Any, state: Any) -> Any:
        return x[state.randint(0, 9, 3)] + state.randn(3), state.rand()

    check(drawn, np.arange(4.0), np.random.RandomState(kind(3)), calls=4)


def test_what_is_no_draw_breaks_the_graph_between_draws() -> None:
    def mixed(x: Any) -> Any:
        a = np.random.rand(3)
        state = np.random.get_state()[2]
        return x + a, state, np.random.rand(3)

    jitted = gl.jit(mixed)
    assert outcomes(jitted, lambda: np.zeros(3)) == outcomes(mixed, lambda: np.zeros(3))


def test_numpy_refuses_at_the_users_line() -> None:
    def refused(x: Any) -> Any:
        return x + np.random.rand(3), np.random.randint(5, 2)

    jitted = gl.jit(refused)
    assert outcomes(jitted, lambda: np.zeros(3)) == outcomes(refused, lambda: np.zeros(3))


def test_a_function_put_in_the_place_of_one_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    jitted = gl.jit(lambda x: x * np.random.rand())
    jitted(gl.ones(2))
    monkeypatch.setattr(np.random, "rand", lambda: 0.25)
    assert jitted(gl.ones(2)).tolist() == [0.25, 0.25]
