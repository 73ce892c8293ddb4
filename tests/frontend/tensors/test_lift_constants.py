"""`config.lift_constants` off: the same results, with tensors known by identity as arguments that each call fetches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from frontend.tensors.autograd.test_gradients_told import CHANGES, compiles, outcome, seen, stepping, world
from frontend.tensors.scenario import same

import guardlift as gl
from guardlift.frontend import state_of


@pytest.fixture(autouse=True)
def not_lifted() -> Iterator[None]:
    with gl.config.patch(lift_constants=False):
        yield


def plan_of(function: Any) -> str:
    text: str = state_of(function).entries[0].details["compiled"].plan.describe()
    return text


def test_parameters_and_state_are_arguments_and_gradients_too() -> None:
    parameters, optimizer = world()
    fast = gl.jit(stepping)
    for _ in range(3):
        fast(parameters, optimizer)
    text = plan_of(fast)
    assert "lifted" not in text and "owner" not in text
    assert text.count("from argument") == 5 * len(parameters)
    with gl.config.patch(lift_constants=True):
        lifting = gl.jit(stepping)
        lifting(parameters, optimizer)
    assert plan_of(lifting).count("lifted") == 4 * len(parameters)


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_gradient_is_seen(name: str) -> None:
    plain, jitted = world(), world()
    fast = gl.jit(stepping)
    for number in range(5):
        if number == 3:
            for parameters, _ in (plain, jitted):
                outcome(lambda: CHANGES[name][0](parameters))  # noqa: B023
        expected, found = outcome(lambda: stepping(*plain)), outcome(lambda: fast(*jitted))
        same([number, expected, seen(*plain)], [number, found, seen(*jitted)], 5e-5)


def test_replaced_memory_and_state_are_seen_and_compile_once() -> None:
    plain, jitted = world(), world()
    fast = gl.jit(stepping)
    for number in range(8):
        for parameters, optimizer in (plain, jitted):
            if number == 3:
                parameters[0].data = parameters[1].detach() * 2
            if number == 5:
                entry = optimizer.state[parameters[1]]
                entry["exp_avg"] = entry["exp_avg"] * 3
        before = compiles(fast)
        stepping(*plain), fast(*jitted)
        same(seen(*plain), seen(*jitted), 5e-5)
        assert compiles(fast) - before <= 1
    assert compiles(fast) <= 4


def test_an_argument_over_the_memory_of_a_parameter_is_seen() -> None:
    def scaled(parameters: list[Any], optimizer: Any, x: Any) -> Any:
        y = x * 2
        optimizer.step()
        x.mul_(3)
        return y

    plain, jitted = world(), world()
    fast = gl.jit(scaled)
    for number in range(6):
        given = [gl.ones(3, 4) for _ in range(2)]
        if number >= 3:
            given = [parameters[number % 4].detach() for parameters, _ in (plain, jitted)]
        expected, found = scaled(*plain, given[0]), fast(*jitted, given[1])
        same([number, expected, given[0], seen(*plain)], [number, found, given[1], seen(*jitted)], 5e-5)
