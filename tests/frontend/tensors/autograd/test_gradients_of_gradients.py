"""`autograd.grad(create_graph=True)` inside a jitted function: gradients have the history they have in eager mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from frontend.tensors.scenario import backward, check, leaf, normal, outcome

import guardlift as gl
from guardlift import nn, optim

grad = gl.autograd.grad
Program = Callable[..., Any]


def world(number: int = 0) -> list[Any]:
    return [leaf(3, 4, seed=5), leaf(3, 4, seed=6), normal(3, 4)]


def penalty(w: Any, v: Any, x: Any) -> Any:
    loss = ((x * w).tanh() * v).sum()
    (first,) = grad(loss, w, create_graph=True)
    (first.square().sum() + loss).backward()
    return loss


def several(w: Any, v: Any, x: Any) -> Any:
    loss = ((x * w).exp() * v).mean()
    first, second = grad(loss, (w, v), create_graph=True)
    return first, second, (first * second).sum()


def third(w: Any, v: Any, x: Any) -> Any:
    loss = ((x * w).exp() * v * v).sum()
    (first,) = grad(loss, w, create_graph=True)
    (second,) = grad((first * first).sum(), v, create_graph=True)
    (last,) = grad((second * first).sum(), w, create_graph=True)
    return first, second, last


def of_an_intermediate(w: Any, v: Any, x: Any) -> Any:
    h = w.tanh() * v
    (first,) = grad((h * h * h).sum(), h, create_graph=True)
    return first, grad((first * x).sum(), (w, v, h), create_graph=True)


def weighted(w: Any, v: Any, x: Any) -> Any:
    (first,) = grad((w * w).exp(), w, grad_outputs=v * x, create_graph=True)
    return grad(first.sum(), (w, v))


def by_the_weights_alone(w: Any, v: Any, x: Any) -> Any:
    """The product with a Jacobian by way of two backward passes."""
    y = (x * w).sin()
    u = gl.zeros(3, 4).requires_grad_()
    (back,) = grad(y, w, grad_outputs=u, create_graph=True)
    return grad(back, u, grad_outputs=x)


def without_a_history(w: Any, v: Any, x: Any) -> Any:
    (first,) = grad((w * x).sum(), w, create_graph=True)
    (second,) = grad(gl.relu(w).sum(), w, create_graph=True)
    return first, first.requires_grad, second.requires_grad


def detached(w: Any, v: Any, x: Any) -> Any:
    (first,) = grad((w * w.detach() * v).sum(), w, create_graph=True)
    return grad((first * first).sum(), (w, v), allow_unused=True)


def where_nothing_is_recorded(w: Any, v: Any, x: Any) -> Any:
    loss = (w * w * v).sum()
    with gl.no_grad():
        (first,) = grad(loss, w, create_graph=True)
        plain = first * 2.0
    return first, plain, first.requires_grad


def unused(w: Any, v: Any, x: Any) -> Any:
    first, none = grad((w * w).sum(), (w, v), create_graph=True, allow_unused=True)
    return first, none, grad(first.sum(), (w, v), create_graph=True, materialize_grads=True)


def then_in_place(w: Any, v: Any, x: Any) -> Any:
    (first,) = grad((w * w * v).sum(), w, create_graph=True)
    first.mul_(2.0)
    return first


def the_one_passes_through(w: Any, v: Any, x: Any) -> Any:
    given = v * 2.0
    first, second = grad(w + w * 1.0, (w, given), grad_outputs=given, create_graph=True, allow_unused=True)
    return first, second


TRACED = [
    penalty,
    several,
    third,
    of_an_intermediate,
    weighted,
    by_the_weights_alone,
    without_a_history,
    detached,
    where_nothing_is_recorded,
    unused,
    then_in_place,
    the_one_passes_through,
]


@pytest.mark.spec("S10.09")
@pytest.mark.parametrize("program", TRACED)
def test_the_gradients_have_a_history_in_the_graph(program: Program) -> None:
    check(program, world, after=backward)


def test_three_orders_in_one_compiled_graph() -> None:
    check(third, world, after=backward, kernels=True, relative=1e-4)


# -- what eager mode refuses -------------------------------------------------------------------------------------------
def not_retained(w: Any, v: Any, x: Any) -> Any:
    loss = (w * w * v).sum()
    (first,) = grad(loss, w, create_graph=True, retain_graph=False)
    return outcome(lambda: (first * first).sum().backward())


def freed_by_the_loss(w: Any, v: Any, x: Any) -> Any:
    loss = ((w * w).exp() * v).sum()
    (first,) = grad(loss, w, create_graph=True)
    loss.backward()
    (first * first).sum().backward()


def twice(w: Any, v: Any, x: Any) -> Any:
    (first,) = grad((w * w * v).sum(), w, create_graph=True)
    total = (first * first).sum()
    total.backward()
    total.backward()


def written_since(w: Any, v: Any, x: Any) -> Any:
    h = x * 2.0
    (first,) = grad((w * h * w).sum(), w, create_graph=True)
    h.add_(1.0)
    (first * first).sum().backward()


def weights_written_since(w: Any, v: Any, x: Any) -> Any:
    u = x * 2.0
    (first,) = grad(w * w, w, grad_outputs=u, create_graph=True)
    u.add_(1.0)
    (first * first).sum().backward()


def result_written_since(w: Any, v: Any, x: Any) -> Any:
    (first,) = grad((w * w * v).sum(), w, create_graph=True)
    total = (first * first).sum()
    first.add_(1.0)
    total.backward()


def gradient_on_the_way_written_since(w: Any, v: Any, x: Any) -> Any:
    h = w * w
    through, first = grad((h * h * v).sum(), (h, w), create_graph=True)
    through.add_(1.0)
    first.sum().backward()


def gradient_that_keeps_itself_written_since(w: Any, v: Any, x: Any) -> Any:
    (first,) = grad((x.exp() + w.exp()).sqrt().sum(), w, create_graph=True)
    total = first.sum()
    first.add_(1.0)
    total.backward()


REFUSED = [
    gradient_on_the_way_written_since,
    gradient_that_keeps_itself_written_since,
    not_retained,
    freed_by_the_loss,
    twice,
    written_since,
    weights_written_since,
    result_written_since,
]


@pytest.mark.parametrize("program", REFUSED)
def test_what_eager_mode_refuses_is_refused_in_its_words(program: Program) -> None:
    check(program, world, breaks=None)


# -- programs ----------------------------------------------------------------------------------------------------------
class Critic(nn.Module):
    """Two layers."""

    def __init__(self) -> None:
        super().__init__()
        gl.manual_seed(0)
        self.inner, self.outer = nn.Linear(4, 6), nn.Linear(6, 1)

    def forward(self, x: Any) -> Any:
        """One number for each row."""
        return self.outer(self.inner(x).tanh())


def test_a_step_with_a_gradient_penalty_is_one_graph() -> None:
    def step(critic: Any, opt: Any, x: Any) -> Any:
        opt.zero_grad()
        x = x.detach().requires_grad_()
        score = critic(x).sum()
        (slope,) = grad(score, x, create_graph=True)
        loss = ((slope.norm(dim=1) - 1.0) ** 2).mean() + score
        loss.backward()
        opt.step()
        return loss

    def arguments() -> list[Any]:
        critic = Critic()
        return [critic, optim.Adam(critic.parameters(), lr=0.01), normal(5, 4, seed=3)]

    check(step, arguments=arguments, calls=4, compiles=1)


def test_an_equation_s_residual_is_one_graph() -> None:
    def residual(critic: Any, x: Any) -> Any:
        """u'' + u for a network u, of a column of places."""
        u = critic(x)
        (first,) = grad(u.sum(), x, create_graph=True)
        (second,) = grad(first.sum(), x, create_graph=True)
        return (second + u).square().mean()

    check(residual, lambda number: [Critic(), leaf(5, 4, seed=number)], after=backward, compiles=None)


def test_learning_through_steps_of_learning_is_one_graph() -> None:
    def meta_step(w: Any, b: Any, opt: Any, x: Any, y: Any) -> Any:
        """Two steps down the slope on the first rows, judged on all of them."""
        opt.zero_grad()
        slow = w, b
        for _ in range(2):
            loss = nn.functional.mse_loss((x[:2] @ slow[0] + slow[1]).tanh(), y[:2])
            slopes = grad(loss, slow, create_graph=True)
            slow = tuple(each - 0.1 * slope for each, slope in zip(slow, slopes, strict=True))
        loss = nn.functional.mse_loss((x @ slow[0] + slow[1]).tanh(), y)
        loss.backward()
        opt.step()
        return loss

    def arguments() -> list[Any]:
        w, b = leaf(4, 2, seed=5), leaf(2, seed=6)
        return [w, b, optim.SGD([w, b], lr=0.1), normal(5, 4, seed=3), normal(5, 2, seed=4)]

    check(meta_step, arguments=arguments, calls=3, compiles=1)


def test_products_with_the_hessian_of_a_jitted_model() -> None:
    def run(jitted: bool) -> list[Any]:
        critic, x = Critic(), normal(5, 4, seed=3)
        model = gl.jit(critic.forward) if jitted else critic.forward
        parameters = list(critic.parameters())
        found = []
        for number in range(3):
            loss = model(x).square().mean()
            slopes = grad(loss, parameters, create_graph=True)
            along = [normal(*each.shape, seed=number) for each in parameters]
            found += grad(slopes, parameters, along)
            with gl.no_grad():
                for parameter, slope in zip(parameters, slopes, strict=True):
                    parameter.sub_(0.1 * slope)
        return found

    for plain, jitted in zip(run(False), run(True), strict=True):
        np.testing.assert_allclose(jitted.numpy(), plain.numpy(), rtol=1e-4, atol=1e-6)


# -- backward(create_graph=True) ---------------------------------------------------------------------------------------
def a_penalty(w: Any, v: Any) -> Any:
    loss = (w * v).tanh().sum()
    loss.backward(create_graph=True)
    penalty = (w.grad * w.grad).sum()
    w.grad = v.grad = None
    (loss + penalty).backward()
    return penalty.detach()


def added_up(w: Any, v: Any) -> Any:
    for _ in range(2):
        (w * w * v).exp().sum().backward(create_graph=True)
    return w.grad.requires_grad, v.grad.sum().detach()


def of_what_is_linear(w: Any, v: Any) -> Any:
    (w * 2.0 + v.detach() * 3.0).sum().backward(create_graph=True)
    return w.grad.requires_grad, v.grad


def from_two(w: Any, v: Any) -> None:
    loss = (w * v).exp().sum()
    gl.autograd.backward([loss, loss * 2], create_graph=True, inputs=[w])


@pytest.mark.parametrize("function", [a_penalty, added_up, of_what_is_linear, from_two])
def test_backward_that_is_recorded(function: Any) -> None:
    def after(result: Any, w: Any, v: Any) -> Any:
        if w.grad.requires_grad:
            slopes = gl.autograd.grad((w.grad * w.grad).sum(), [w, v], allow_unused=True)
            w.grad = v.grad = None
            return slopes
        return None

    check(function, arguments=lambda: [leaf(3, 4), leaf(3, 4, seed=1)], breaks="", after=after)


def test_a_plain_backward_into_a_gradient_with_a_history_breaks_the_graph() -> None:
    def program(w: Any, v: Any) -> None:
        loss = (w * v).exp().sum()
        loss.backward(create_graph=True)
        loss.backward()

    check(program, arguments=lambda: [leaf(3, 4), leaf(3, 4, seed=1)], breaks="in-place write", calls=1)
