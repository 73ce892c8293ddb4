"""create_graph=True from outside through jitted forwards with custom functions, and with hooks on intermediates."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift import nn
from guardlift.autograd import functional, grad
from guardlift.autograd.function import once_differentiable

SCALE = 3.0
FACTOR = gl.tensor([2.0, 5.0, 7.0])


class Square(gl.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g * 2 * ctx.saved_tensors[0]


class Exp(gl.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        y = x.exp()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g * ctx.saved_tensors[0]


class Product(gl.autograd.Function):
    @staticmethod
    def forward(ctx: Any, a: Any, b: Any) -> Any:
        ctx.save_for_backward(a, b)
        return a * b

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        a, b = ctx.saved_tensors
        return g * b, g * a


class Scaled(gl.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any, scale: float) -> Any:
        ctx.scale = scale
        ctx.save_for_backward(x)
        return x * scale

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g * ctx.saved_tensors[0].sin() * ctx.scale, None


class Kept(gl.autograd.Function):
    """Keeps what has no history: the second derivative takes it for a constant."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.y = x.sin()
        ctx.save_for_backward(x)
        return ctx.y * x

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g * ctx.y * ctx.saved_tensors[0]


class Detaching(gl.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        (x,) = ctx.saved_tensors
        with gl.no_grad():
            constant = x * x
        return g * x * x.detach() + g * constant


class Outside(gl.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g * ctx.saved_tensors[0] * SCALE


class Two(gl.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x.sin(), x.cos()

    @staticmethod
    def backward(ctx: Any, g: Any, h: Any) -> Any:
        (x,) = ctx.saved_tensors
        return g * x.cos() - h * x.sin()


class Reversed(gl.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x.view_as(x)

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return -g


class Separate(gl.autograd.Function):
    @staticmethod
    def forward(x: Any) -> Any:
        return x * x * x

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        (x,) = ctx.saved_tensors
        return 3 * x * x * g


class Once(gl.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, g: Any) -> Any:
        return g * 2 * ctx.saved_tensors[0]


def two_results(x: Any) -> Any:
    a, b = Two.apply(x)
    return (a * b * x).sum()


def hooked(x: Any) -> Any:
    y = x * x
    y.register_hook(lambda g: g * 3)
    return (y * y).sum()


def hooked_by_a_value(x: Any) -> Any:
    y = x.sin()
    y.register_hook(lambda g: g * g)
    return (y * x).sum()


def hooked_twice(x: Any) -> Any:
    y = x * x
    y.register_hook(lambda g: g * 2)
    z = y.exp()
    z.register_hook(lambda g: g + g * g)
    return (z * y).sum()


def hooked_detached(x: Any) -> Any:
    y = x * x
    y.register_hook(lambda g: g.detach() * 2)
    return (y * y).sum()


def hooked_function(x: Any) -> Any:
    y = Square.apply(x)
    y.register_hook(lambda g: g * 3)
    return (Exp.apply(y * 0.5) * y).sum()


PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "a function": lambda x: Square.apply(x).sum(),
    "one that saves its result": lambda x: Exp.apply(x).sum(),
    "before and behind ops": lambda x: (Square.apply(x.sin()) * x).sum(),
    "one behind another": lambda x: Square.apply(Square.apply(x)).sum(),
    "two kinds": lambda x: Exp.apply(Square.apply(x) * 0.1).sum(),
    "twice the same value": lambda x: (lambda y: (Square.apply(y) * Exp.apply(y)).sum())(x * 0.5),
    "two arguments": lambda x: Product.apply(x, x.sin()).sum(),
    "one argument twice": lambda x: Product.apply(x, x).sum(),
    "a number": lambda x: Scaled.apply(x, 2.5).sum(),
    "an attribute": lambda x: Kept.apply(x).sum(),
    "parts without history": lambda x: Detaching.apply(x).sum(),
    "a number from outside": lambda x: Outside.apply(x).sum(),
    "two results": two_results,
    "a reversed gradient": lambda x: (Reversed.apply(x * x) * x).sum(),
    "setup_context": lambda x: Separate.apply(x).sum(),
    "a constant beside": lambda x: (Square.apply(x) * FACTOR).sum(),
    "a chain of three": lambda x: Square.apply(Exp.apply(Separate.apply(x) * 0.1)).sum(),
    "a hook": hooked,
    "a hook by a value": hooked_by_a_value,
    "two hooks": hooked_twice,
    "a hook that detaches": hooked_detached,
    "a hook on a function": hooked_function,
}


def begin() -> Any:
    return gl.tensor([0.3, -0.7, 1.1], requires_grad=True)


def close(one: Any, other: Any) -> None:
    np.testing.assert_allclose(one.detach().numpy(), other.detach().numpy(), rtol=2e-5, atol=1e-6)


def derivatives(f: Callable[[Any], Any], orders: int) -> list[Any]:
    """The first derivatives of a sum, each of the sum of the one before."""
    x, found = begin(), []
    value = f(x)
    for _ in range(orders):
        if not value.requires_grad:
            break
        (value,) = grad(value.sum(), [x], create_graph=True)
        found.append(value)
    return found


@pytest.mark.spec("S10.09")
@pytest.mark.parametrize("name", PROGRAMS)
def test_second_and_third_derivatives_are_those_of_eager_mode(name: str) -> None:
    plain, jitted = PROGRAMS[name], gl.jit(PROGRAMS[name])
    for _ in range(2):
        expected, found = derivatives(plain, 3), derivatives(jitted, 3)
        assert len(expected) == len(found)
        for one, other in zip(expected, found, strict=True):
            close(one, other)
    assert not gl.explain(jitted).breaks
    close(functional.hessian(plain, begin().detach()), functional.hessian(jitted, begin().detach()))


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_penalty_on_the_gradient_and_the_value_are_walked_back_together(name: str) -> None:
    def trained(f: Callable[[Any], Any]) -> Any:
        x = begin()
        y = f(x)
        (first,) = grad(y, [x], create_graph=True)
        (y + (first * first).sum()).backward()
        return x.grad

    jitted = gl.jit(PROGRAMS[name])
    for _ in range(2):
        close(trained(PROGRAMS[name]), trained(jitted))


def test_a_critic_with_a_gradient_penalty_trains_as_in_eager_mode() -> None:
    class Critic(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.a, self.b = nn.Linear(3, 4), nn.Linear(4, 1)

        def forward(self, x: Any) -> Any:
            h = Exp.apply(self.a(x) * 0.1)
            h.register_hook(lambda g: g * 1.5)
            return self.b(Square.apply(h))

    def losses(compiled: bool) -> tuple[list[float], list[Any]]:
        gl.manual_seed(0)
        critic = Critic()
        forward = gl.jit(critic.forward) if compiled else critic.forward
        found = []
        for turn in range(4):
            x = (gl.arange(6).float().reshape(2, 3) * 0.1 + turn * 0.1).requires_grad_()
            scores = forward(x)
            (slope,) = grad(scores.sum(), [x], create_graph=True)
            loss = scores.mean() + (slope.norm() - 1) ** 2
            loss.backward()
            with gl.no_grad():
                for p in critic.parameters():
                    p.sub_(0.1 * p.grad)
                    p.grad = None
            found.append(loss.item())
        return found, [p.detach() for p in critic.parameters()]

    expected, found = losses(False), losses(True)
    assert found[0] == pytest.approx(expected[0], rel=1e-4)
    for one, other in zip(expected[1], found[1], strict=True):
        close(one, other)


def test_a_function_that_is_differentiable_once_is_refused_twice() -> None:
    for f in (lambda x: Once.apply(x).sum(), gl.jit(lambda x: Once.apply(x).sum())):
        x = begin()
        (first,) = grad(f(x), [x], create_graph=True)
        close(first, 2 * x)
        with pytest.raises(RuntimeError):
            first.sum().backward()


def test_what_is_freed_is_freed_and_what_was_written_is_found() -> None:
    def after(f: Callable[[Any], Any], change: Callable[[Any, Any], None]) -> str:
        x = begin()
        h = x * 1
        y = f(h)
        try:
            (first,) = grad(y, [x], create_graph=True)
            change(h, first)
            first.sum().backward()
            first.sum().backward()
        except RuntimeError as error:
            return str(error)[:50]
        return "none"

    def written(h: Any, first: Any) -> None:
        with gl.no_grad():
            h.add_(1)

    for change in (lambda h, first: None, written):
        for name in ("a function", "one behind another", "a hook"):
            assert after(gl.jit(PROGRAMS[name]), change) == after(PROGRAMS[name], change)


def test_a_backward_that_writes_or_asks_for_the_mode_has_no_second_order() -> None:
    buffer = gl.zeros(3)

    class Writes(gl.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            buffer.add_(1)
            return g * 2 * ctx.saved_tensors[0]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", gl.GraphBreakWarning)
        f = gl.jit(lambda x: Writes.apply(x).sum())
        x = begin()
        (first,) = grad(f(x), [x], create_graph=True)
        close(first, 2 * x)
        assert buffer.tolist() == [1.0, 1.0, 1.0]
        try:
            first.sum().backward()
        except RuntimeError as error:
            assert "create_graph" in str(error)
        else:
            close(x.grad, gl.full((3,), 2.0))
