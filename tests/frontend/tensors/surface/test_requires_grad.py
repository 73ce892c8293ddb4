"""Tensors from outside that a jitted function makes require grad, or not to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from frontend.tensors.scenario import check, leaf, normal

import guardlift as gl
from guardlift import nn, optim
from guardlift.nn import functional as F


def penalty(x: Any, weight: Any) -> Any:
    """The gradient by an input is part of the loss."""
    x.requires_grad_(True)
    (slope,) = gl.autograd.grad((x @ weight).tanh().sum(), [x], create_graph=True)
    loss = ((slope - x.cos()) ** 2).mean()
    loss.backward()
    return loss.detach()


def adversarial(x: Any, weight: Any) -> Any:
    x.requires_grad = True
    (x @ weight).sin().sum().backward()
    return x.detach() + 0.1 * x.grad.sign()


def frozen_for_a_while(x: Any, weight: Any) -> Any:
    weight.requires_grad_(False)
    fixed = (x @ weight).exp()
    weight.requires_grad_()
    (fixed.detach() * weight.sum()).sum().backward()
    return fixed, fixed.requires_grad


def left_frozen(x: Any, weight: Any) -> Any:
    loss = (x @ weight).square().sum()
    loss.backward()
    weight.requires_grad_(False)
    return loss.detach(), (x @ weight).requires_grad


def caught(x: Any, weight: Any) -> Any:
    x.requires_grad_()
    try:
        (x * 2).requires_grad_(False)
    except RuntimeError as error:
        return type(error).__name__
    return None


@pytest.mark.parametrize("program", [penalty, adversarial, frozen_for_a_while, left_frozen])
def test_the_flag_is_set_behind_the_plan(program: Callable[..., Any]) -> None:
    check(program, lambda k: [normal(3, 4, seed=k), leaf(4, 2)], relative=1e-4)


def with_history(x: Any, weight: Any) -> Any:
    x.requires_grad_()
    return (x @ weight).sin()


def view(x: Any, weight: Any) -> Any:
    row = x[0]
    x.requires_grad_()
    return row * 2, row.requires_grad, (x * 2).sum().detach()


def in_a_loop(x: Any, weight: Any) -> Any:
    for k in range(100):
        x.requires_grad_(k % 2 == 0)
        x = (x.detach() + weight.detach().sum()).tanh()
    return x


@pytest.mark.parametrize("program", [with_history, view, in_a_loop, caught])
def test_what_is_seen_of_more_than_the_flag_is_what_eager_mode_does(program: Callable[..., Any]) -> None:
    check(program, lambda k: [normal(3, 4, seed=k), leaf(4, 2)], breaks=None)


def test_a_break_behind_the_flag() -> None:
    def step(x: Any, weight: Any) -> Any:
        x.requires_grad_()
        y = (x.detach() @ weight.detach()).sum()
        gl.graph_break()
        (x.sin() * y).sum().backward()
        return y

    check(step, lambda k: [normal(3, 4, seed=k), leaf(4, 2)], breaks="gl.graph_break()")


def adversaries(jitted: bool) -> tuple[list[Any], Any]:
    """The losses of a generator and a discriminator that is frozen for half of each step, and their parameters."""
    gl.manual_seed(0)
    judge, maker = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1)), nn.Linear(4, 4)
    judging, making = optim.SGD(judge.parameters(), lr=0.1), optim.SGD(maker.parameters(), lr=0.1)

    def step(noise: Any, real: Any) -> Any:
        for each in judge.parameters():
            each.requires_grad_(True)
        judging.zero_grad()
        first = F.softplus(-judge(real)).mean() + F.softplus(judge(maker(noise).detach())).mean()
        first.backward()
        judging.step()
        for each in judge.parameters():
            each.requires_grad_(False)
        making.zero_grad()
        second = F.softplus(-judge(maker(noise))).mean()
        second.backward()
        making.step()
        return first.item(), second.item()

    run = gl.jit(step) if jitted else step
    losses = [run(normal(8, 4, seed=k), normal(8, 4, seed=k + 50)) for k in range(6)]
    flags = [each.requires_grad for each in judge.parameters()]
    return [*losses, flags, *judge.parameters(), *maker.parameters()], run


def test_two_models_of_which_one_is_frozen_for_half_of_a_step() -> None:
    (expected, _), (found, run) = adversaries(False), adversaries(True)
    for one, other in zip(expected, found, strict=True):
        close = (
            gl.allclose(one, other, rtol=1e-4, atol=1e-6)
            if isinstance(one, gl.Tensor)
            else one == pytest.approx(other, rel=1e-4)
        )
        assert close, (one, other)
    report = gl.explain(run)
    assert not report.breaks and report.compiles <= 2, report


def coordinates(x: Any, weight: Any) -> Any:
    """Columns of a batch, by which a network is differentiated twice."""
    t, s = x[:, 0:1].requires_grad_(), x[:, 1:2].detach()
    s.requires_grad = True
    y = (gl.cat([t, s], 1) @ weight[:2]).tanh().sum()
    by_t, by_s = gl.autograd.grad(y, [t, s], create_graph=True)
    (twice,) = gl.autograd.grad(by_t.sum(), t, create_graph=True)
    (by_t + by_s + twice).square().mean().backward()
    return t.grad, s.grad.stride(), t.is_leaf, t[0].is_leaf, x.requires_grad, by_t.detach()


def turned(x: Any, weight: Any) -> Any:
    """A gradient has the strides of its leaf."""
    leaf = x.T.detach().requires_grad_()
    (leaf * leaf.exp()).sum().backward()
    (leaf * 2).sum().backward()
    return leaf.grad, leaf.grad.stride()


def products(x: Any, weight: Any) -> Any:
    """Transforms, by views."""
    y, back = gl.func.vjp(lambda t: t[1:] * t[:-1], x[1:, 0])
    rows = gl.func.jacrev(lambda t: t * t.flip(0))(x[:, 1])
    return y, back(gl.ones_like(y))[0], rows, gl.autograd.functional.jacobian(lambda t: t * t[0], x[1])


def descended(x: Any, weight: Any) -> Any:
    part = x[1:].detach().requires_grad_()
    (part * part.detach().exp()).sum().backward()
    with gl.no_grad():
        part -= part.grad
    return x * 1, part.detach() + 1


@pytest.mark.parametrize("program", [coordinates, turned, products, descended])
def test_a_view_is_made_a_leaf(program: Callable[..., Any]) -> None:
    check(program, lambda k: [normal(3, 4, seed=k), leaf(4, 2)], relative=1e-4)


def written_meanwhile(x: Any, weight: Any) -> Any:
    part = x[1:].requires_grad_()
    x.mul_(2.0)
    return gl.autograd.grad((part * part).sum(), part)[0]


def given_out(x: Any, weight: Any) -> Any:
    part = x[1:].requires_grad_()
    return part, (part * 2).detach()


@pytest.mark.parametrize("program", [written_meanwhile, given_out])
def test_a_view_that_is_a_leaf_is_left_to_python(program: Callable[..., Any]) -> None:
    for k in range(2):
        results = [function(normal(3, 4, seed=k), leaf(4, 2)) for function in (program, gl.jit(program))]
        assert str(results[0]) == str(results[1])
