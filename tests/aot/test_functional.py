"""`autograd.functional` and `gradcheck` over jitted functions, and products with Jacobians inside of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from frontend.tensors.scenario import broken, check

import guardlift as gl
from guardlift.autograd import functional, gradcheck, gradgradcheck
from guardlift.frontend import state_of

Function = Callable[..., Any]


def numbers(*shape: int, seed: int) -> Any:
    return gl.tensor(np.random.default_rng(seed).uniform(-0.9, 0.9, shape))


def inputs(number: int = 0) -> list[Any]:
    return [numbers(3, 4, seed=number), numbers(4, 2, seed=number + 1)]


def layer(x: Any, w: Any) -> Any:
    return ((x * 2.0).exp() @ w).tanh()


def pair(x: Any, w: Any) -> Any:
    return layer(x, w), x.sin() * 2.0


def number(x: Any, w: Any) -> Any:
    return layer(x, w).exp().sum()


def flat(value: Any) -> list[Any]:
    return [one for each in value for one in flat(each)] if isinstance(value, (tuple, list)) else [value]


def agree(one: Any, other: Any) -> None:
    for plain, jitted in zip(flat(one), flat(other), strict=True):
        assert plain.requires_grad == jitted.requires_grad
        np.testing.assert_allclose(jitted.detach().numpy(), plain.detach().numpy(), rtol=1e-10, atol=1e-12)


OUT, DIRECTION = numbers(3, 2, seed=9), (numbers(3, 4, seed=7), numbers(4, 2, seed=8))
PRODUCTS: dict[str, tuple[Function, Callable[..., Any]]] = {
    "vjp": (layer, lambda f, at, **how: functional.vjp(f, at, OUT, **how)),
    "vjp of two": (pair, lambda f, at, **how: functional.vjp(f, at, (OUT, DIRECTION[0]), **how)),
    "jvp": (layer, lambda f, at, **how: functional.jvp(f, at, DIRECTION, **how)),
    "jvp of two": (pair, lambda f, at, **how: functional.jvp(f, at, DIRECTION, **how)),
    "vhp": (number, lambda f, at, **how: functional.vhp(f, at, DIRECTION, **how)),
    "hvp": (number, lambda f, at, **how: functional.hvp(f, at, DIRECTION, **how)),
}
MATRICES: dict[str, tuple[Function, Callable[..., Any]]] = {
    "jacobian": (layer, lambda f, at, **how: functional.jacobian(f, at, **how)),
    "jacobian of two": (pair, lambda f, at, **how: functional.jacobian(f, at, **how)),
    "hessian": (number, lambda f, at, **how: functional.hessian(f, at, **how)),
}
DERIVATIVES = PRODUCTS | MATRICES


@pytest.mark.spec("S10.09")
@pytest.mark.parametrize("name", DERIVATIVES)
def test_the_derivatives_of_a_jitted_function(name: str) -> None:
    function, derive = DERIVATIVES[name]
    fast = gl.jit(function)
    for strict in (False, name != "jacobian of two"):  # of these one depends on one input alone
        agree(derive(function, tuple(inputs()), strict=strict), derive(fast, tuple(inputs()), strict=strict))
    assert not broken(fast) and len(state_of(fast).history) == 1


@pytest.mark.parametrize("name", DERIVATIVES)
def test_derivatives_with_a_history(name: str) -> None:
    function, derive = DERIVATIVES[name]

    def slopes(function: Function) -> Any:
        at = [each.requires_grad_() for each in inputs()]
        found = derive(function, tuple(at), create_graph=True)
        sum((each * each).sum() for each in flat(found)).backward()
        return found, [each.grad for each in at]

    agree(slopes(function), slopes(gl.jit(function)))


@pytest.mark.parametrize("with_history", [False, True])
@pytest.mark.parametrize("name", DERIVATIVES)
def test_derivatives_inside_a_jitted_function_are_part_of_the_graph(name: str, with_history: bool) -> None:
    function, derive = DERIVATIVES[name]

    def program(x: Any, w: Any) -> Any:
        return derive(function, (x * 1.5, w), create_graph=with_history)

    def make(number: int) -> list[Any]:
        return [each.requires_grad_(with_history) for each in inputs(number)]

    def after(r: Any, x: Any, w: Any) -> Any:
        if with_history:
            sum((each * each).sum() for each in flat(r)).backward()

    check(program, make, after=after, relative=1e-10)


def test_the_jacobian_of_a_large_result_breaks_the_graph() -> None:
    def program(x: Any, w: Any) -> Any:
        return functional.jacobian(lambda y: y.repeat(20, 1).sin(), x)

    check(program, inputs, breaks="each of which takes a walk back", relative=1e-10)


def test_a_jacobian_of_nothing_and_one_of_what_does_not_depend() -> None:
    def program(x: Any, w: Any) -> Any:
        return functional.jacobian(lambda y, z: (y[:0], z.sin()[0]), (x, w))

    check(program, inputs, relative=1e-10)


def test_errors_inside_are_those_outside() -> None:
    check(lambda x, w: functional.vjp(layer, (x, w)), inputs, breaks=None)
    check(lambda x, w: functional.vjp(layer, (x, w), w), inputs, breaks=None)
    check(lambda x, w: functional.hvp(layer, (x, w), (x, w)), inputs, breaks=None)
    check(lambda x, w: functional.vjp(lambda x, w: x.sum(), (x, w), strict=True), inputs, breaks=None)


@pytest.mark.spec("S10.09")
@pytest.mark.parametrize("function", [layer, pair, number])
def test_gradcheck_and_gradgradcheck_of_a_jitted_function(function: Function) -> None:
    fast = gl.jit(function)
    at = [each.requires_grad_() for each in inputs()]
    assert gradcheck(fast, at) and gradgradcheck(fast, at)
    assert gradgradcheck(fast, at, gen_non_contig_grad_outputs=True)
