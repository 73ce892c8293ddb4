"""Optimizers inside jitted steps: groups, flags, parameters without gradients, tensors as hyper-parameters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from frontend.tensors.scenario import check, leaf, normal

import guardlift as gl
from guardlift import nn, optim

Make = Callable[[list[Any]], Any]
MAKERS: dict[str, Make] = {
    "sgd": lambda params: optim.SGD(params, lr=0.1),
    "momentum": lambda params: optim.SGD(params, lr=0.1, momentum=0.9, dampening=0.1),
    "nesterov": lambda params: optim.SGD(params, lr=0.1, momentum=0.9, nesterov=True, weight_decay=0.01),
    "adam": lambda params: optim.Adam(params, lr=0.01, weight_decay=0.1),
    "adamw": lambda params: optim.AdamW(params, lr=0.01, amsgrad=True),
    "maximize": lambda params: optim.Adam(params, lr=0.01, maximize=True),
    "low beta": lambda params: optim.Adam(params, lr=0.01, betas=(0.5, 0.5), weight_decay=0.1),
    "adagrad": lambda params: optim.Adagrad(params, lr=0.1, lr_decay=0.1, weight_decay=0.01),
    "rmsprop": lambda params: optim.RMSprop(params, lr=0.01, maximize=True),
    "rmsprop centered": lambda params: optim.RMSprop(params, lr=0.01, centered=True, momentum=0.5, eps=1e-2),
    "nadam": lambda params: optim.NAdam(params, lr=0.01, weight_decay=0.1),
    "nadam decoupled": lambda params: optim.NAdam(params, 0.01, weight_decay=0.1, decoupled_weight_decay=True),
    "lion": lambda params: optim.Lion(params, lr=0.01, weight_decay=0.1),
    "groups": lambda params: optim.Adam([{"params": params[:1], "lr": 0.1}, {"params": params[1:]}], lr=0.01),
}


def world(make: Make) -> Callable[[], Sequence[Any]]:
    """A maker of three parameters, one of them a scalar, and an optimizer over them."""

    def made() -> Sequence[Any]:
        params = [leaf(3, 4), leaf(4, seed=1), nn.Parameter(gl.tensor(0.5))]
        return [params, make(params), normal(3, 4, seed=2)]

    return made


def step(params: list[Any], optimizer: Any, x: Any) -> Any:
    optimizer.zero_grad()
    loss = ((x * params[0] + params[1]) ** 2).sum() * params[2]
    loss.backward()
    optimizer.step()
    return loss


def partly(params: list[Any], optimizer: Any, x: Any) -> Any:
    loss = ((x + params[1]) ** 2).sum()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return loss.detach()


def accumulating(params: list[Any], optimizer: Any, x: Any) -> None:
    (x * params[0]).sum().backward()
    (x * params[0] * params[1]).sum().backward()
    optimizer.step()
    optimizer.zero_grad(set_to_none=False)


def twice(params: list[Any], optimizer: Any, x: Any) -> None:
    for _ in range(2):
        ((x * params[0]) ** 2).sum().backward()
        optimizer.step()


def clipped(params: list[Any], optimizer: Any, x: Any) -> Any:
    optimizer.zero_grad()
    ((x * params[0] + params[1]) ** 2).sum().backward()
    total = (params[0].grad.pow(2).sum() + params[1].grad.pow(2).sum()).sqrt()
    factor = (1.0 / (total + 1e-6)).clamp(max=1.0)
    for each in params[:2]:
        each.grad.mul_(factor)
    optimizer.step()
    return total


@pytest.mark.parametrize("program", [step, partly, accumulating, twice, clipped])
@pytest.mark.parametrize("name", MAKERS)
def test_a_step_does_inside_what_it_does_outside(name: str, program: Any) -> None:
    check(program, arguments=world(MAKERS[name]), calls=4, breaks=None, relative=2e-5)


@pytest.mark.parametrize("name", ["adam", "momentum", "adagrad", "nadam", "rmsprop centered"])
def test_gradients_that_come_and_go(name: str) -> None:
    def change(number: int, params: list[Any], optimizer: Any, x: Any) -> None:
        for place, each in enumerate(params):
            each.grad = normal(*each.shape, seed=number) if (number >> place) % 2 else None

    check(lambda params, optimizer, x: optimizer.step(), arguments=world(MAKERS[name]), change=change, calls=8,
          breaks=None, relative=2e-5)  # fmt: skip


def test_hyper_parameters_of_every_kind_change_between_calls() -> None:
    values = [0.1, 1, 0.2, gl.tensor(0.3), np.float64(0.4), gl.tensor(0.5, dtype=gl.float64), 0.6]

    def change(number: int, params: list[Any], optimizer: Any, x: Any) -> None:
        optimizer.param_groups[0]["lr"] = values[number]
        optimizer.param_groups[0]["eps"] = 1e-8 * number
        optimizer.param_groups[0]["betas"] = (0.9 - 0.1 * number, 0.9)

    check(step, arguments=world(MAKERS["adam"]), change=change, calls=7, breaks=None, relative=5e-5)


def test_two_optimizers_over_one_model() -> None:
    def made() -> Sequence[Any]:
        params = [leaf(3, 4), leaf(4, seed=1)]
        return [params, optim.Adam(params[:1], lr=0.1), optim.SGD(params, lr=0.1), normal(3, 4, seed=2)]

    def program(params: list[Any], first: Any, second: Any, x: Any) -> None:
        ((x * params[0] + params[1]) ** 2).mean().backward()
        first.step()
        second.step()
        first.zero_grad()

    check(program, arguments=made, calls=4, relative=2e-5)


def a_gradient_is_the_weight(m: Any, x: Any) -> None:
    m.weight.grad = m.weight.data


def a_gradient_lies_in_a_weight(m: Any, x: Any) -> None:
    m.bias.grad = m.weight.data[0]


def a_gradient_is_an_argument(m: Any, x: Any) -> None:
    m.weight.grad = x.detach()


@pytest.mark.parametrize("share", [a_gradient_is_the_weight, a_gradient_lies_in_a_weight, a_gradient_is_an_argument])
def test_gradients_that_share_memory_with_what_the_step_reads_or_writes(share: Any) -> None:
    def made() -> Sequence[Any]:
        m = nn.Linear(4, 4)
        with gl.no_grad():
            m.weight.copy_(normal(4, 4))
            m.bias.copy_(normal(4))
        return [m, optim.SGD(m.parameters(), lr=0.1), normal(4, 4, seed=2)]

    def change(number: int, m: Any, optimizer: Any, x: Any) -> None:
        if number >= 2:
            share(m, x)

    def program(m: Any, optimizer: Any, x: Any) -> None:
        (m(x) ** 2).sum().backward()
        optimizer.step()

    check(program, arguments=made, change=change, calls=5, breaks=None, kernels=True, relative=1e-3)


@pytest.mark.spec("S5.04")
def test_a_closure_with_forward_and_backward_is_part_of_the_one_graph() -> None:
    def program(params: list[Any], optimizer: Any, x: Any) -> Any:
        def closure() -> Any:
            optimizer.zero_grad()
            loss = ((x * params[0] + params[1]) ** 2).sum() * params[2]
            loss.backward()
            return loss

        return optimizer.step(closure)

    check(program, arguments=world(MAKERS["adam"]), calls=4, compiles=1, relative=2e-5)


@pytest.mark.spec("S5.12")
def test_a_parameter_without_gradient_is_a_variant_and_going_back_finds_the_first() -> None:
    def change(number: int, params: list[Any], optimizer: Any, x: Any) -> None:
        for each in params:
            each.grad = normal(*each.shape, seed=number)
        if number % 2:
            params[1].grad = None

    check(lambda params, optimizer, x: optimizer.step(), arguments=world(MAKERS["adam"]), change=change, calls=6,
          compiles=2, relative=2e-5)  # fmt: skip


@pytest.mark.spec("S5.17")
def test_groups_that_differ_in_numbers_only_are_one_graph() -> None:
    check(step, arguments=world(MAKERS["groups"]), calls=4, compiles=1, relative=2e-5)


@pytest.mark.spec("S5.20")
def test_parameters_and_state_are_no_arguments_of_the_compiled_step() -> None:
    params, optimizer, x = world(MAKERS["adam"])()
    params[2].grad = None
    fast = gl.jit(lambda x: (optimizer.zero_grad(), (x * params[0] + params[1]).sum().backward(), optimizer.step()))
    for _ in range(2):
        fast(x)
    passed = str(gl.explain(fast)).split("inputs: ")[1].splitlines()[0].split(", optimizer.")
    assert passed[0] == "x: float32[3, 4]"
    assert all(each.startswith("param_groups[0]") and each.endswith("any float") for each in passed[1:]), passed


def test_hooks_that_come_and_go_run_around_a_step_in_a_compiled_function() -> None:
    log: list[int] = []

    def change(number: int, params: list[Any], optimizer: Any, x: Any) -> None:
        if number == 2:
            optimizer.handle = optimizer.register_step_pre_hook(lambda *_: log.append(number))
        if number == 4:
            optimizer.handle.remove()

    check(step, arguments=world(MAKERS["adam"]), change=change, calls=6, breaks=None, relative=2e-5)
    assert log == [2] * 4, "two calls of two functions"


def clip_values(optimizer: Any, args: Any, kwargs: Any) -> None:
    """A hook."""
    for group in optimizer.param_groups:
        for param in group["params"]:
            param.grad.clamp_(-0.1, 0.1)


@pytest.mark.parametrize("name", ["momentum", "adam"])
def test_hooks_around_a_step_are_part_of_the_graph(name: str) -> None:
    count = [0]

    def clipped_and_counted() -> Sequence[Any]:
        params, optimizer, x = world(MAKERS[name])()
        optimizer.register_step_pre_hook(clip_values)
        optimizer.register_step_pre_hook(lambda own, args, kwargs: (args, {"closure": None}))
        optimizer.register_step_post_hook(lambda *_: count.append(len(count)))
        return [params, optimizer, x]

    check(step, arguments=clipped_and_counted, calls=4, breaks="")
    assert len(count) == 9


def test_hooks_around_a_step_may_be_registered_anew() -> None:
    def change(number: int, params: list[Any], optimizer: Any, x: Any) -> None:
        optimizer.register_step_pre_hook(clip_values)

    check(step, arguments=world(MAKERS["adam"]), change=change, calls=4, breaks="", compiles=4)
