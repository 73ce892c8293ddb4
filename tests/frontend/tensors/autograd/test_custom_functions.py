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
"""Words of the breaks where backward is called from outside."""


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


# -- what has no form in a graph, and errors ---------------------------------------------------------------------------
LOG: list[int] = []


class Recompute(Function):
    """Computes in backward, recorded, what it did in forward."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x.sin()

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        with gl.enable_grad():
            again = ctx.saved_tensors[0].detach().requires_grad_()
            y = again.sin()
        return gl.autograd.grad(y, again, g)


class InnerGradient(Function):
    """Takes a gradient in forward, and returns what has a history of its own there."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        with gl.enable_grad():
            inner = x.detach().requires_grad_()
            y = (inner * inner).sin()
            (gradient,) = gl.autograd.grad(y.sum(), inner)
        ctx.save_for_backward(gradient)
        return y.detach()

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g * ctx.saved_tensors[0]


class Kept(Function):
    """Has its own result as an attribute."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.y = x.exp()
        return ctx.y

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g * ctx.y


class Counted(Function):
    """Counts its passes on the context."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.passes, ctx.list = 0, []
        return x * 2.0

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        ctx.passes += 1
        ctx.list.append(ctx.passes)
        return g * 2.0 * ctx.passes * len(ctx.list)


class Logged(Counted):
    """Tells a list outside."""

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        LOG.append(len(LOG))
        return g * 2.0


class ReadsGradient(Counted):
    """Looks at a gradient of its argument that is there already."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.x = x
        return x * 2.0

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g * 2.0 if ctx.x.grad is None else g * 2.0 + ctx.x.grad


class HandsOut(Counted):
    """Gives as the gradient a tensor that it was given."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * 2.0

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return ctx.saved_tensors[0]


class Unmarked(Counted):
    """Writes its argument and does not say so."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        x.mul_(2.0)
        return x + 1.0

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g


class GradMode(Counted):
    """Asks for the grad mode."""

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g * (3.0 if gl.is_grad_enabled() else 2.0)


LEFT: dict[str, tuple[Any, str, str]] = {
    "recorded again": (Recompute, "gl.is_grad_enabled()", ""),
    "a gradient in forward": (InnerGradient, "or that a custom autograd.Function made", ""),
    "its result as an attribute": (Kept, "a result of the call", ""),
    "a context that changes": (Counted, "changes its ctx", ""),
    "a list outside": (Logged, "changes Python objects", ""),
    "a gradient of its own": (ReadsGradient, "sets .grad", "sets .grad"),
    "a gradient that is an argument": (HandsOut, "returns a tensor it got", ""),
    "the grad mode": (GradMode, "gl.is_grad_enabled()", ""),
}
"""By what has no form in a graph of its own: the function, words of the break outside, and inside."""


@pytest.mark.parametrize("case", LEFT)
def test_what_a_graph_cannot_do_later_is_left_to_python(case: str) -> None:
    function, outside, inside = LEFT[case]

    def twice(y: Any, w: Any, x: Any) -> Any:
        LOG.clear()
        loss_of(y).backward(retain_graph=True)
        loss_of(y).backward()
        return len(LOG)

    check(lambda w, x: function.apply(w), world, after=twice, breaks=outside)

    def step(w: Any, x: Any) -> Any:
        y = function.apply(w)
        loss_of(y * x).backward()
        return (y * 1.0).detach()

    check(step, world, breaks=inside)


def test_a_write_into_an_argument_that_is_not_marked_is_eager_modes() -> None:
    check(lambda w, x: Unmarked.apply(w * x), world, after=lambda y, *a: loss_of(y).backward(), breaks="B405")
    check(lambda w, x: Unmarked.apply(x) * w, world, after=lambda y, *a: loss_of(y).backward())


class Short(Counted):
    """Too few gradients."""

    @staticmethod
    def forward(ctx: Any, x: Any, y: Any) -> Any:
        return x * y

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g


class Misshapen(Short):
    """A gradient that does not fit."""

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g[:, :2], None


class NoTensor(Short):
    """A number as a gradient."""

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return 1.0, None


class Raising(Short):
    """An error of its own."""

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        raise ValueError("not today")


class BothNames(Short):
    """Two backwards."""

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g, None

    vjp = backward


class NotReturned(Short):
    """Something marked as written that is not returned."""

    @staticmethod
    def forward(ctx: Any, x: Any, y: Any) -> Any:
        ctx.mark_dirty(y.mul_(2.0))
        return x * 2.0


class LeafWritten(Short):
    """A leaf that requires grad, written."""

    @staticmethod
    def forward(ctx: Any, x: Any, y: Any) -> Any:
        ctx.mark_dirty(x.mul_(2.0))
        return x


@pytest.mark.parametrize("function", [Short, Misshapen, NoTensor, Raising, BothNames, NotReturned, LeafWritten])
def test_errors_are_those_of_eager_mode(function: Any) -> None:
    def step(w: Any, x: Any) -> Any:
        try:
            function.apply(w, x).sum().backward()
        except ArithmeticError:
            return "no"

    check(step, world, breaks=None)
    check(
        lambda w, x: function.apply(w, x),
        world,
        after=lambda y, *a: y.sum().backward() if isinstance(y, gl.Tensor) else None,
        breaks=None,
    )


def test_an_error_in_the_middle_of_a_walk_is_caught_by_python_itself() -> None:
    def step(w: Any, x: Any) -> Any:
        try:
            (Raising.apply(w * 2.0, x) + w).sum().backward()
        except ValueError as error:
            return str(error)

    check(step, world, breaks=None)


# -- order, hooks, and what changes between calls ----------------------------------------------------------------------
ORDER: list[str] = []


def named(name: str) -> Any:
    """A function that tells when its backward runs."""

    class Telling(Function):
        """A function whose backward tells."""

        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 1.5

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            ORDER.append(name)
            return g * 1.5

    return Telling


def test_custom_backwards_run_in_the_order_of_the_engine() -> None:
    a, b, c, d = map(named, "abcd")

    def step(w: Any, x: Any) -> Any:
        h = a.apply(w)
        left, right = b.apply(h), c.apply(h * x)
        loss = (d.apply(right) * left).sum()
        loss.backward()
        return loss.detach()

    orders = []
    for function in (step, gl.jit(step, fullgraph=True)):
        ORDER.clear()
        function(*world())
        orders.append([*ORDER])
    assert orders[0] == orders[1] == ["d", "c", "b", "a"]


def test_a_backward_runs_although_no_gradient_comes_to_it() -> None:
    a = named("a")

    def step(w: Any, x: Any) -> Any:
        loss = (Nothing.apply(w, a.apply(w * x))).sum()
        loss.backward()
        return loss.detach()

    for function in (step, gl.jit(step, fullgraph=True)):
        ORDER.clear()
        function(*world())
        assert ORDER == ["a"]


def test_another_backward_of_the_class_is_seen_by_the_next_call() -> None:
    class Changing(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 1.0

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * 2.0

    class Other(Changing):
        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * 5.0

    w, x = world()
    fast = gl.jit(lambda w: Changing.apply(w), fullgraph=True)
    fast(w).sum().backward()
    y = fast(w)
    Changing.backward = Other.backward
    with pytest.raises(RuntimeError, match="something that is read there outside"):
        y.sum().backward()
    w.grad = None
    fast(w).sum().backward()
    assert (w.grad.numpy() == 5.0).all()


def test_numbers_of_the_call_are_those_of_the_call() -> None:
    def program(w: Any, scale: float, twice: bool) -> Any:
        return Scale.apply(w, scale * 2, twice)

    check(
        program,
        lambda number: [leaf(3, 4), 0.5 + number, bool(number % 2)],
        after=lambda y, *a: y.sum().backward(),
        calls=4,
        compiles=2,
    )


def test_a_number_that_only_backward_computes_with_is_that_of_the_call() -> None:
    def program(w: Any, by: float, times: int) -> Any:
        return Reverse.apply(w * 1.0, by * 2) * 3.0 + Scale.apply(Reverse.apply(w * times, times), 1.0)

    def make(number: int) -> Sequence[Any]:
        return [leaf(3, 4), 0.5 + number, 2 + number]

    check(program, make, after=lambda y, *a: y.sum().backward(), calls=4)

    def step(w: Any, by: float, times: int) -> Any:
        y = program(w, by, times)
        y.sum().backward()
        return y.detach()

    check(step, make, calls=4)


def test_hooks_around_the_call_see_what_save_for_backward_was_given() -> None:
    counts = []
    for function in (Two.apply, gl.jit(lambda w, x: Two.apply(w, x), fullgraph=True)):
        packed: list[Any] = []
        w, x = world()
        x.requires_grad_()
        with gl.autograd.graph.saved_tensors_hooks(lambda t: packed.append(t) or t * 2.0, lambda t: t):  # noqa: B023
            a, b = function(w, x)
        (a + b).sum().backward()
        counts.append((len(packed), w.grad.numpy().tolist()))
    assert counts[0] == counts[1]


def test_several_results_with_one_history_run_the_backward_once() -> None:
    for after in (
        lambda r, w, x: (r[0] + r[1]).sum().backward(),
        lambda r, w, x: r[0].sum().backward(),
        lambda r, w, x: (r[1].sum().backward(retain_graph=True), r[0].sum().backward()),
    ):
        check(lambda w, x: Two.apply(w, x * w), world, after=after)


def test_second_derivatives_through_a_custom_function_inside_are_eager_modes() -> None:
    def program(w: Any, x: Any) -> Any:
        (first,) = gl.autograd.grad(Square.apply(w * x).sum(), w, create_graph=True)
        first.sum().backward()
        return first.detach()

    check(program, world, breaks="create_graph")


square = Square.apply


class KeepsApply(nn.Module):
    """Has the apply of a function as an attribute."""

    def __init__(self) -> None:
        super().__init__()
        self.function, self.weight = Square.apply, leaf(3, 4)

    def forward(self, x: Any) -> Any:
        """The square of the product."""
        return self.function(x * self.weight)


def test_apply_may_be_kept_anywhere_and_used_in_loops() -> None:
    def loop(w: Any, x: Any) -> Any:
        for _ in range(3):
            x = square(w) * x
        return x

    check(loop, world, after=lambda y, *a: loss_of(y).backward())
    check(
        lambda m, x: m(x),
        arguments=lambda: [KeepsApply(), normal(3, 4)],
        after=lambda y, *a: loss_of(y).backward(),
    )


def retained(r: Any, *arguments: Any) -> Any:
    r[0].retain_grad()
    loss_of(r[1]).backward()
    return r[0].grad


def hooked(r: Any, *arguments: Any) -> None:
    r[0].register_hook(lambda g: g * 3.0)
    loss_of(r[1]).backward()


def written_between(r: Any, *arguments: Any) -> Any:
    with gl.no_grad():
        r[0].add_(1.0)
    try:
        loss_of(r[1]).backward()
    except RuntimeError as error:
        return str(error)[:80]


@pytest.mark.parametrize("after", [retained, hooked, written_between])
def test_a_result_that_a_custom_function_is_applied_to_is_on_the_way_back(after: Any) -> None:
    check(lambda w, x: (lambda y: (y, square(y)))(Exp.apply(w * x)), world, after=after)


def test_a_context_that_leaves_the_call_is_eager_modes() -> None:
    kept: list[Any] = []

    class Escaping(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            kept.append(ctx)
            return x * 2.0

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * 2.0

    check(lambda w, x: Escaping.apply(w * x), world, after=lambda y, *a: loss_of(y).backward(), breaks="FunctionCtx")
    assert all(each.needs_input_grad == (True,) for each in kept)
