"""Custom autograd functions in jitted code do what they do in eager mode, backward inside the call or outside of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from frontend.tensors.scenario import check, leaf, normal

import guardlift as gl
from guardlift import nn
from guardlift.autograd import Function
from guardlift.autograd.function import once_differentiable


class Square(Function):
    """One tensor, saved."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        (x,) = ctx.saved_tensors
        return g * 2.0 * x


class Exp(Function):
    """A result, saved; by `setup_context`."""

    @staticmethod
    def forward(x: Any) -> Any:
        return x.exp()

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g * ctx.saved_tensors[0]


class Scale(Function):
    """Numbers and flags among the arguments; attributes of the context."""

    @staticmethod
    def forward(ctx: Any, x: Any, scale: float, twice: bool = False) -> Any:
        ctx.scale, ctx.twice = scale, twice
        return x * scale * (2 if twice else 1)

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return (g * ctx.scale * 2 if ctx.twice else g * ctx.scale), None, None


class Linear(Function):
    """Several arguments, of which some may need no gradient; a gradient that is summed to its argument's shape."""

    @staticmethod
    def forward(ctx: Any, x: Any, w: Any, b: Any) -> Any:
        ctx.save_for_backward(x, w, b)
        return x @ w + b

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        x, w, b = ctx.saved_tensors
        gx = g @ w.t() if ctx.needs_input_grad[0] else None
        gw = x.t() @ g if ctx.needs_input_grad[1] else None
        return gx, gw, g


class Two(Function):
    """Several results, of which some may get no gradient."""

    @staticmethod
    def forward(ctx: Any, x: Any, y: Any) -> Any:
        ctx.save_for_backward(x, y)
        return x * y, x + y

    @staticmethod
    def backward(ctx: Any, g: Any, h: Any) -> Any:
        x, y = ctx.saved_tensors
        return g * y + h, g * x + h


class Nothing(Function):
    """No gradient at all for one of two."""

    @staticmethod
    def forward(ctx: Any, x: Any, y: Any) -> Any:
        return x * 3.0 + y

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g * 3.0, None


class Reverse(Function):
    """A view of its argument, and the gradient turned round."""

    @staticmethod
    def forward(ctx: Any, x: Any, by: float) -> Any:
        ctx.by = by
        return x.view_as(x)

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g.neg() * ctx.by, None


class Straight(Function):
    """A mask that has no gradient, and a result whose gradient is passed on."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        mask = x > 0
        ctx.mark_non_differentiable(mask)
        ctx.save_for_backward(mask)
        return gl.where(mask, x, x * 0.1), mask

    @staticmethod
    def backward(ctx: Any, g: Any, _: Any) -> Any:
        (mask,) = ctx.saved_tensors
        return gl.where(mask, g, g * 0.1)


class Doubled(Function):
    """Writes its argument in place."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        x.mul_(2.0)
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g * 2.0


class Nested(Function):
    """Another one is applied in forward, where nothing is recorded."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        y = Square.apply(x)
        ctx.flag = y.requires_grad
        ctx.save_for_backward(x, None, y)
        return y.sin()

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        x, nothing, y = ctx.saved_tensors
        assert nothing is None
        return g * y.cos() * 2.0 * x * (0.0 if ctx.flag else 1.0)


class Unmaterialized(Function):
    """Sees None where no gradient came."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.set_materialize_grads(False)
        return x * 2.0, x * 3.0

    @staticmethod
    def backward(ctx: Any, g: Any, h: Any) -> Any:
        total = None
        if g is not None:
            total = g * 2.0
        if h is not None:
            total = h * 3.0 if total is None else total + h * 3.0
        return total


class Half(Function):
    """A gradient of another dtype and shape than its argument's, with one None too many."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x.sum(0)

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g.double() * gl.ones(2, 3, 4, dtype=gl.float64), None


class Once(Function):
    """Its backward is not differentiated again; it is called `vjp`."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        ctx.sizes = [*x.shape]
        return x.sin()

    @staticmethod
    @once_differentiable
    def vjp(ctx: Any, g: Any) -> Any:
        return g * ctx.saved_tensors[0].cos() * len(ctx.sizes)


EPSILON = 0.5


class Global(Function):
    """Reads a global number, when it is called and when its backward is."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x * 1.0

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g * EPSILON


class Layer(nn.Module):
    """Applies a custom function in a module."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = leaf(4, 4, seed=3)
        self.bias = leaf(4, seed=4)

    def forward(self, x: Any) -> Any:
        """The affine map."""
        return Linear.apply(x, self.weight, self.bias)


CASES: dict[str, Callable[[Any, Any], Any]] = {
    "one tensor": lambda w, x: Square.apply(w * x),
    "a leaf": lambda w, x: Square.apply(w) * x,
    "a result, saved": lambda w, x: Exp.apply(w * x) + w,
    "numbers": lambda w, x: Scale.apply(w, 1.5) + Scale.apply(w * x, 0.5, True),
    "keywords": lambda w, x: Scale.apply(w * x, twice=True, scale=2.5),
    "several arguments": lambda w, x: Linear.apply(x, w.t(), w[0, :3]),
    "an argument that needs no gradient": lambda w, x: Linear.apply(x, x.t(), w.sum(1)),
    "several results": lambda w, x: (lambda a, b: a * b)(*Two.apply(w, x * w)),
    "a result that is not used": lambda w, x: Two.apply(w, x)[1],
    "no gradient for one": lambda w, x: Nothing.apply(w * 2, w * x),
    "a view": lambda w, x: Reverse.apply(w * x, 0.5) * 2,
    "a view of a leaf": lambda w, x: Reverse.apply(w, 0.5).exp()[0] * x,
    "a mask": lambda w, x: (lambda y, mask: y * mask)(*Straight.apply(w * x)),
    "in place": lambda w, x: Doubled.apply(w * x) * w,
    "nested": lambda w, x: Nested.apply(w * x),
    "unmaterialized": lambda w, x: Unmaterialized.apply(w * x)[1],
    "another dtype and shape": lambda w, x: Half.apply(w) * x[0],
    "twice": lambda w, x: Square.apply(Square.apply(w) + w) * Square.apply(x),
    "the same argument twice": lambda w, x: Two.apply(w, w)[0] * x,
    "once": lambda w, x: Once.apply(w * x) * w,
    "a global": lambda w, x: Global.apply(w * x),
}
LEFT_OUTSIDE = {"unmaterialized": "materialize"}
"""What is a graph break where backward is called from outside: words of it."""


def world(number: int = 0) -> Sequence[Any]:
    return [leaf(3, 4, seed=1), normal(3, 4, seed=2 + number)]


def loss_of(y: Any) -> Any:
    return (y * y).sum()


@pytest.mark.parametrize("case", CASES)
def test_a_backward_outside_gives_what_eager_mode_gives(case: str) -> None:
    def after(y: Any, w: Any, x: Any) -> Any:
        loss_of(y).backward()
        return w.grad

    check(CASES[case], world, after=after, breaks=LEFT_OUTSIDE.get(case, ""))


@pytest.mark.parametrize("case", CASES)
def test_a_whole_step_gives_what_eager_mode_gives(case: str) -> None:
    def step(w: Any, x: Any) -> Any:
        loss = loss_of(CASES[case](w, x))
        loss.backward()
        with gl.no_grad():
            w.sub_(w.grad * 0.1)
        return loss.detach()

    check(step, arguments=world)


@pytest.mark.parametrize("case", CASES)
def test_autograd_grad_inside_gives_what_eager_mode_gives(case: str) -> None:
    def gradient(w: Any, x: Any) -> Any:
        y = CASES[case](w, x)
        return gl.autograd.grad(loss_of(y), w)[0] + 0.0, y.detach() + 0.0

    check(gradient, world)


def test_a_module_that_applies_one_is_trained() -> None:
    def step(m: Any, x: Any) -> Any:
        loss = loss_of(m(x).tanh())
        loss.backward()
        return loss.detach()

    check(step, arguments=lambda: [Layer(), normal(5, 4)], kernels=True)
    check(lambda m, x: m(m(x)), arguments=lambda: [Layer(), normal(5, 4)], after=lambda r, m, x: loss_of(r).backward())
