"""Seeds and states of generators that are set in jitted functions: eager's numbers, and its generators afterwards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import guardlift as gl
from guardlift.nn import functional as F


def outcomes(function: Callable[..., Any], arguments: Callable[[int], tuple[Any, ...]], calls: int = 4) -> list[Any]:
    """The result of each call or its error, and how far the default generator is behind it."""
    gl.manual_seed(5)
    found = []
    for number in range(calls):
        given = arguments(number)
        try:
            result = repr(function(*given))
        except (ValueError, IndexError, RuntimeError, TypeError) as error:
            result = repr(error)
        states = [each.get_state().tolist() for each in given if isinstance(each, gl.Generator)]
        found.append((result, gl.get_rng_state().tolist(), states))
    return found


def same(function: Callable[..., Any], arguments: Callable[[int], tuple[Any, ...]], *, whole: bool = True) -> None:
    """Asserts that the jitted function does what the plain one does, whole: in one graph."""
    jitted = gl.jit(function)
    assert outcomes(jitted, arguments) == outcomes(function, arguments)
    report = gl.explain(jitted)
    assert not whole or not report.breaks and report.compiles == 1, report


def of_ones(number: int) -> tuple[Any, ...]:
    return (gl.ones(3) + number,)


def seeded_twice(x: Any) -> Any:
    gl.manual_seed(3)
    a = gl.rand(3)
    gl.manual_seed(-1)
    return x * a + gl.rand(3)


def seeded_at_the_end(x: Any) -> Any:
    a = gl.rand(3)
    gl.random.manual_seed(9)
    return x * a


def the_state_is_given(x: Any) -> Any:
    gl.rand(5)
    state = gl.get_rng_state()
    return x * gl.rand(3), state


def forked(x: Any) -> Any:
    with gl.random.fork_rng():
        gl.manual_seed(1)
        a = gl.rand(3)
        with gl.random.fork_rng(enabled=False):
            b = gl.rand(3)
    return x * a + b * gl.rand(3)


def forked_twice(x: Any) -> Any:
    with gl.random.fork_rng():
        a = gl.rand(3)
        with gl.random.fork_rng():
            a = a + gl.rand(3)
        a = a + gl.rand(3)
    return x * a + gl.rand(3)


def dropped_alike(x: Any) -> Any:
    state = gl.get_rng_state()
    one = F.dropout(x, 0.5)
    gl.set_rng_state(state)
    return one, F.dropout(x * 2, 0.5)


WHOLE = [seeded_twice, seeded_at_the_end, the_state_is_given, forked, forked_twice, dropped_alike]


@pytest.mark.parametrize("function", WHOLE)
def test_what_sets_the_default_generator_is_part_of_the_graph(function: Callable[..., Any]) -> None:
    same(function, of_ones)


def test_a_seed_that_changes_from_call_to_call() -> None:
    def program(x: Any, seed: int) -> Any:
        gl.manual_seed(seed)
        return x * gl.rand(3)

    jitted = gl.jit(program)
    gl.manual_seed(5)
    assert outcomes(jitted, lambda n: (gl.ones(3), 7 * n + 1)) == outcomes(program, lambda n: (gl.ones(3), 7 * n + 1))
    assert gl.explain(jitted).compiles <= 2 and not gl.explain(jitted).breaks


def test_seeds_that_are_none_raise_as_in_eager_mode() -> None:
    def program(x: Any, seed: Any) -> Any:
        y = x * gl.rand(3)
        gl.manual_seed(seed)
        return y + gl.rand(3)

    for seed in (2.5, True, 2**64, "a", gl.tensor(3)):
        same(program, lambda number, seed=seed: (gl.ones(3), seed), whole=False)


def test_generators_from_outside_under_two_names() -> None:
    def program(x: Any, a: gl.Generator, b: gl.Generator) -> Any:
        first = gl.rand(3, generator=a)
        b.manual_seed(4)
        state = a.get_state()
        second = gl.rand(3, generator=b)
        a.set_state(state)
        return x * first + second + gl.rand(3, generator=b), gl.rand(2, generator=a)

    same(program, lambda number: (gl.ones(3), gl.Generator(1), gl.Generator(2)))

    def shared(number: int) -> tuple[Any, ...]:
        one = gl.Generator(number)
        return gl.ones(3), one, one

    same(program, shared)


def test_a_state_from_outside_is_put_back() -> None:
    def program(x: Any, state: Any) -> Any:
        a = gl.rand(3)
        gl.set_rng_state(state)
        return x * a + gl.rand(3)

    state = gl.Generator(77).get_state()
    same(program, lambda number: (gl.ones(3), state), whole=False)
    jitted = gl.jit(program)
    jitted(gl.ones(3), state)
    for wrong in (gl.zeros(15, dtype=gl.uint8), gl.zeros(16), None):
        for function in (program, jitted):
            with pytest.raises((RuntimeError, TypeError), match="the state of a generator"):
                function(gl.ones(3), wrong)


def test_a_state_that_is_written_is_another_one() -> None:
    def program(x: Any) -> Any:
        state = gl.get_rng_state()
        state[8] += 1
        a = gl.rand(3)
        gl.set_rng_state(state)
        return x * a + gl.rand(3), state

    same(program, of_ones, whole=False)


def test_a_call_without_a_result_leaves_the_generator_as_it_was() -> None:
    def program(x: Any, i: Any) -> Any:
        gl.manual_seed(3)
        a = gl.rand(3)
        with gl.random.fork_rng():
            a = a + gl.rand(3)
        return x[i] * a[0] + gl.rand(1)

    same(program, lambda number: (gl.ones(3), gl.tensor([number * 2, 0])))


def printed_within(x: Any) -> Any:
    with gl.random.fork_rng():
        gl.manual_seed(2)
        a = gl.rand(3)
        print(end="")
        a = a + gl.rand(3)
    return x * a + gl.rand(3)


def raised_within(x: Any) -> Any:
    try:
        with gl.random.fork_rng():
            a = gl.rand(3)
            if x.sum() > 4:
                raise ValueError("too large")
    except ValueError:
        a = gl.zeros(3)
    return x * a + gl.rand(3)


def returned_within(x: Any) -> Any:
    with gl.random.fork_rng():
        gl.manual_seed(2)
        return x * gl.rand(3)


def kept_across_a_break(x: Any) -> Any:
    state = gl.get_rng_state()
    a = gl.rand(3)
    print(end="")
    gl.set_rng_state(state)
    return x * a + gl.rand(3)


@pytest.mark.parametrize("function", [printed_within, raised_within, returned_within, kept_across_a_break])
@pytest.mark.filterwarnings("ignore::guardlift.GraphBreakWarning")
def test_breaks_and_errors_within_leave_the_generator_as_eager_mode_does(function: Callable[..., Any]) -> None:
    same(function, of_ones, whole=False)


def test_a_backward_from_outside_has_the_draws_of_its_call() -> None:
    def program(x: Any) -> Any:
        gl.manual_seed(3)
        a = (x.sin() * gl.rand(3)).exp()
        with gl.random.fork_rng():
            gl.manual_seed(4)
            a = a * gl.rand(3)
        return (a * gl.rand(3)).sum()

    grads = []
    for function in (program, gl.jit(program)):
        x = gl.linspace(0.0, 1.0, 3).requires_grad_()
        loss = function(x)
        gl.rand(8)
        loss.backward(retain_graph=True)
        loss.backward()
        grads.append((x.grad, gl.get_rng_state().tolist()))
    assert gl.allclose(grads[0][0], grads[1][0], rtol=1e-6) and grads[0][1] == grads[1][1]


def test_a_checkpoint_whose_function_seeds() -> None:
    def body(x: Any) -> Any:
        gl.manual_seed(3)
        return (x.sin() * gl.rand(3)).exp()

    def step(x: Any) -> Any:
        x = x.detach().requires_grad_(True)
        y = gl.autograd.checkpoint(body, x)
        z = y * gl.rand(3)
        z.sum().backward()
        return x.grad, gl.rand(2)

    jitted = gl.jit(step)
    found = []
    for function in (step, jitted):
        gl.manual_seed(1)
        outs = [function(gl.ones(3)) for _ in range(3)]
        found.append((outs, gl.get_rng_state().tolist()))
    for (one, two), (other, same_two) in zip(found[0][0], found[1][0], strict=True):
        assert gl.allclose(one, other, rtol=1e-6) and two.tolist() == same_two.tolist()
    assert found[0][1] == found[1][1]
