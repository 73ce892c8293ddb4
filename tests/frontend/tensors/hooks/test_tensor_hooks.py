"""Hooks on tensors, and `retain_grad`, in jitted code do what they do in eager mode."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from frontend.tensors.scenario import broken, check, leaf, normal

import guardlift as gl
from guardlift import nn, optim
from guardlift.autograd import Function

pytestmark = [pytest.mark.spec("S10.14"), pytest.mark.spec("S8.08")]


def arguments() -> Sequence[Any]:
    """An input and a weight."""
    return [normal(4, 3), leaf(3, 5, seed=1)]


def halve(grad: Any) -> Any:
    """A hook."""
    return grad * 0.5


def triple(leaf: Any) -> None:
    """A hook for after."""
    leaf.grad.mul_(3.0)


# -- backward() inside -------------------------------------------------------------------------------------------------
def on_an_intermediate(x: Any, w: Any) -> Any:
    h = x @ w
    h.register_hook(halve)
    loss = (h.sin() * h).sum()
    loss.backward()
    return loss


def several(x: Any, w: Any) -> Any:
    h = (x @ w).sin()
    h.register_hook(halve)
    h.register_hook(lambda g: g + 1)
    h.register_hook(lambda g: None)
    (h * h).sum().backward()


def used_before(x: Any, w: Any) -> Any:
    h = x @ w
    other = h.exp()
    h.register_hook(halve)
    (other + h).sum().backward()


def used_twice_by_one(x: Any, w: Any) -> Any:
    h = x @ w
    h.register_hook(lambda g: g * g)
    (h * h).sum().backward()


def on_the_loss(x: Any, w: Any) -> Any:
    loss = (x @ w).sum()
    loss.register_hook(lambda g: g * 3)
    loss.backward()


def given_a_gradient(x: Any, w: Any) -> Any:
    h = (x @ w).sin()
    h.register_hook(halve)
    h.backward(x @ w.detach())


def kept_in_a_list(x: Any, w: Any) -> Any:
    seen: list[Any] = []
    h = x @ w
    h.register_hook(seen.append)
    s = h.sin()
    s.register_hook(lambda g: seen.append(g.sum()))
    (s * s).sum().backward()
    return seen


def shown_what_was_expanded(x: Any, w: Any) -> Any:
    seen: list[Any] = []
    h = x @ w
    h.register_hook(seen.append)
    h.sum().backward()
    return seen


def shown_one_gradient_twice(x: Any, w: Any) -> Any:
    seen: list[Any] = []
    a, b = x @ w, x.sin() @ w
    a.register_hook(lambda g: seen.append(g.sum()))
    b.register_hook(lambda g: seen.append(2.0))
    (a + b).exp().sum().backward()
    return seen


def taken_out(x: Any, w: Any) -> Any:
    h = (x @ w).sin()
    handle = h.register_hook(halve)
    h.register_hook(lambda g: g * 3)
    handle.remove()
    handle.remove()
    h.sum().backward()


def for_a_while(x: Any, w: Any) -> Any:
    h = (x @ w).sin()
    with h.register_hook(halve):
        h.sum().backward(retain_graph=True)
    h.sum().backward()


def once_only(x: Any, w: Any) -> Any:
    h = (x @ w).sin()
    handles: list[Any] = []

    def hook(grad: Any) -> Any:
        handles[0].remove()
        return grad * 2

    handles.append(h.register_hook(hook))
    loss = h.sum()
    loss.backward(retain_graph=True)
    loss.backward()


def written_afterwards(x: Any, w: Any) -> Any:
    h = (x @ w).sin()
    h.register_hook(lambda g: g * 3)
    h.mul_(2.0)
    h.register_hook(lambda g: g + 1)
    h.sum().backward()


def on_a_view(x: Any, w: Any) -> Any:
    h = (x @ w).sin()
    v = h.view(2, 10)
    v.register_hook(lambda g: g * 3)
    row = v[1]
    (v.exp().sum() + row.sum() + h.sum()).backward()


def on_a_transposed_parameter(x: Any, w: Any) -> Any:
    t = w.t()
    t.register_hook(lambda g: g.clamp(-0.1, 0.1))
    (t @ x.t()).sin().sum().backward()


def on_equal_values(x: Any, w: Any) -> Any:
    h = (x @ w).sin()
    a, b = h.clone(), h.clone()
    a.register_hook(lambda g: g * 3)
    (a.exp() + b).sum().backward()


def retained(x: Any, w: Any) -> Any:
    h = x @ w
    s = h.sin()
    before = s.retains_grad, s.grad
    s.retain_grad()
    s.retain_grad()
    s.register_hook(halve)
    loss = (s * s).sum()
    loss.backward(retain_graph=True)
    once = s.grad.clone()
    loss.backward()
    return before, s.retains_grad, h.retains_grad, once, s.grad


def retained_and_written(x: Any, w: Any) -> Any:
    h = (x @ w).sin()
    h.retain_grad()
    h.mul_(3.0)
    h.exp().sum().backward()
    return h.grad


def retained_and_emptied(x: Any, w: Any) -> Any:
    h = (x @ w).sin()
    h.retain_grad()
    loss = h.exp().sum()
    loss.backward(retain_graph=True)
    h.grad = None
    loss.backward()
    return h.grad


def retained_and_returned(x: Any, w: Any) -> Any:
    h = (x @ w).sin()
    h.retain_grad()
    h.exp().sum().backward(retain_graph=True)
    return h


def on_a_leaf(x: Any, w: Any) -> Any:
    with w.register_hook(halve), w.register_post_accumulate_grad_hook(triple):
        (x @ w).sum().backward()


def left_on_a_leaf(x: Any, w: Any) -> Any:
    w.register_hook(halve)
    w.register_post_accumulate_grad_hook(triple)
    (x @ w).sum().backward()


def on_a_leaf_made_inside(x: Any, w: Any) -> Any:
    y = x.detach().clone().requires_grad_()
    y.register_hook(halve)
    (y @ w).exp().sum().backward()
    return y.grad


def that_looks_at_other_gradients(x: Any, w: Any) -> Any:
    seen: list[Any] = []
    b = gl.zeros(5).requires_grad_()
    w.register_post_accumulate_grad_hook(lambda p: seen.append(b.grad is None))
    ((x @ w).exp() + b).sum().backward()
    return len(seen)


def of_a_closure(x: Any, w: Any) -> Any:
    factor = x.sum()
    h = x @ w
    h.register_hook(lambda g: g * factor)
    h.exp().sum().backward()


def through_a_custom_function(x: Any, w: Any) -> Any:
    h = Doubled.apply(x @ w)
    h.register_hook(lambda g: g + 1)
    h.exp().sum().backward()


def by_autograd_grad(x: Any, w: Any) -> Any:
    h = x @ w
    h.register_hook(lambda g: g * 3)
    w_hook = w.register_hook(lambda g: g + 1)
    s = h.sin()
    found = gl.autograd.grad(s.sum(), [h, w])
    w_hook.remove()
    return found


class Doubled(Function):
    """Twice its argument."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x * 2

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g * 2


def in_each_round_of_a_loop(x: Any, w: Any) -> Any:
    h, seen = x @ w, []
    for _ in range(10):
        h = (h * 0.5).tanh()
        h.register_hook(halve)
        h.register_hook(lambda g: seen.append(g.sum()))
    h.exp().sum().backward()
    return seen


def around_a_loop(x: Any, w: Any) -> Any:
    h = x @ w
    h.register_hook(halve)
    h.retain_grad()
    first = h
    with w.register_hook(lambda g: g * 2):
        for _ in range(20):
            h = (h @ w.t() @ w).tanh()
        h.register_hook(lambda g: g + 1)
        h.sum().backward()
    return first.grad


INSIDE = [
    in_each_round_of_a_loop,
    around_a_loop,
    on_an_intermediate,
    several,
    used_before,
    used_twice_by_one,
    on_the_loss,
    given_a_gradient,
    kept_in_a_list,
    shown_one_gradient_twice,
    taken_out,
    for_a_while,
    once_only,
    written_afterwards,
    on_a_view,
    on_a_transposed_parameter,
    on_equal_values,
    retained,
    retained_and_written,
    retained_and_emptied,
    on_a_leaf,
    on_a_leaf_made_inside,
    of_a_closure,
    through_a_custom_function,
    by_autograd_grad,
]


@pytest.mark.parametrize("program", INSIDE, ids=lambda each: each.__name__)
def test_hooks_with_backward_inside(program: Callable[..., Any]) -> None:
    check(program, arguments=arguments, breaks="")


def test_a_gradient_that_was_only_expanded_is_written_out_before_it_leaves_the_call() -> None:
    check(shown_what_was_expanded, arguments=arguments, breaks="")


@pytest.mark.parametrize("program", [left_on_a_leaf, that_looks_at_other_gradients, retained_and_returned])
def test_hooks_that_stay_behind(program: Callable[..., Any]) -> None:
    check(program, arguments=arguments, breaks="", calls=4, after=lambda r, x, w: (x @ w).exp().sum().backward())


# -- backward() outside ------------------------------------------------------------------------------------------------
def inside_of_a_history(x: Any, w: Any) -> Any:
    h = x @ w
    h.register_hook(lambda g: g * 2 + 1)
    return h.sin().sum()


def on_what_is_returned(x: Any, w: Any) -> Any:
    h = x @ w
    h.register_hook(halve)
    h.retain_grad()
    return h.sin().sum(), h


def with_the_handle(x: Any, w: Any) -> Any:
    h = x @ w
    kept, gone = h.register_hook(halve), h.register_hook(lambda g: g * 9)
    gone.remove()
    return h.sin().sum(), Handles(kept, gone)


def on_the_leaf_alone(x: Any, w: Any) -> Any:
    w.register_hook(halve)
    return (x @ w).sum()


def with_effects(x: Any, w: Any) -> Any:
    h = x @ w
    h.register_hook(lambda g: SEEN.append(g.sum()))
    return h.sin().sum()


def on_a_view_inside(x: Any, w: Any) -> Any:
    h = (x @ w).view(5, 4)
    h.register_hook(lambda g: g * 2 + 1)
    return h.sin().sum()


class Handles:
    """Two of them, all of which are equal."""

    def __init__(self, *handles: Any) -> None:
        self.handles = handles

    def __eq__(self, other: object) -> bool:
        return [type(each) for each in self.handles] == [type(each) for each in other.handles]  # type: ignore[attr-defined]

    __hash__ = None  # type: ignore[assignment]


SEEN: list[Any] = []


def around_a_loop_inside(x: Any, w: Any) -> Any:
    h = x @ w
    h.register_hook(lambda g: g * 2 + 1)
    for _ in range(20):
        h = (h @ w.t() @ w).tanh()
    return h.sum()


OUTSIDE = [
    around_a_loop_inside,
    inside_of_a_history,
    on_what_is_returned,
    with_the_handle,
    on_the_leaf_alone,
    with_effects,
    on_a_view_inside,
]


def backward(result: Any, *_: Any) -> Any:
    """A backward pass from the loss, and what hooks have seen in it."""
    loss, *others = result if isinstance(result, tuple) else (result,)
    if others and isinstance(others[0], Handles):
        loss.backward(retain_graph=True)
        for each in others[0].handles:
            each.remove()
    loss.backward()
    seen = [*SEEN, *(each.grad for each in others if isinstance(each, gl.Tensor))]
    SEEN.clear()
    return seen


@pytest.mark.parametrize("program", OUTSIDE, ids=lambda each: each.__name__)
def test_hooks_with_backward_outside(program: Callable[..., Any]) -> None:
    check(program, arguments=arguments, breaks="", after=backward)


def one_result_made_of_another(x: Any, w: Any) -> Any:
    z = (x @ w).sin()
    h = z * 2
    h.register_hook(halve)
    return (z * 3 + h).sum(), h


def behind_one_of_two_results(x: Any, w: Any) -> Any:
    z = (x @ w).sin()
    h = z * 2
    h.register_hook(lambda g: g + 1)
    return (z * 3).sum(), h.sum()


def test_a_result_with_a_hook_of_which_another_one_is_made() -> None:
    check(one_result_made_of_another, arguments=arguments, breaks="hook", after=lambda r, *_: r[0].backward())


def test_a_hook_behind_one_of_two_results_is_called_for_that_one_alone() -> None:
    check(behind_one_of_two_results, arguments=arguments, breaks="", after=lambda r, *_: r[0].backward())


def test_a_hook_that_reads_what_changes_is_no_part_of_the_graph() -> None:
    factors = [2.0]

    def program(x: Any, w: Any) -> Any:
        h = x @ w
        h.register_hook(lambda g: g * factors[0])
        return h.sin().sum()

    def after(loss: Any, *_: Any) -> None:
        loss.backward(retain_graph=True)
        factors[0] += 1.0
        loss.backward()
        factors[0] = 2.0

    check(program, arguments=arguments, breaks=None, after=after)


# -- registered before the call ----------------------------------------------------------------------------------------
def step(x: Any, w: Any) -> Any:
    """A backward pass."""
    loss = (x @ w).sin().sum()
    loss.backward()
    return loss


@pytest.mark.parametrize("lifted", [True, False])
def test_hooks_on_parameters_of_before(lifted: bool) -> None:
    def world() -> Sequence[Any]:
        model = nn.Linear(3, 5)
        with gl.no_grad():
            for seed, each in enumerate(model.parameters()):
                each.copy_(normal(*each.shape, seed=seed))
        model.weight.register_hook(lambda g: g.clamp(-0.1, 0.1))
        model.bias.register_hook(halve)
        model.bias.register_hook(halve)
        return [normal(4, 3), model]

    def program(x: Any, model: Any) -> Any:
        loss = model(x).sin().sum()
        loss.backward()
        return loss

    with gl.config.patch(lift_constants=lifted):
        check(program, arguments=world, breaks="", calls=4, compiles=2)


def test_hooks_that_come_and_go_between_calls() -> None:
    handles: dict[int, Any] = {}

    def change(number: int, x: Any, w: Any) -> None:
        if number == 3:
            handles.pop(id(w)).remove()
        else:
            handles[id(w)] = w.register_hook(halve if number < 3 else lambda g: g * 4)

    fast = check(step, arguments=arguments, breaks="", calls=6, change=change)
    assert not broken(fast)


def test_equal_hooks_registered_anew_need_no_new_entry() -> None:
    def change(number: int, x: Any, w: Any) -> None:
        handles.pop(id(w)).remove() if id(w) in handles else None
        handles[id(w)] = w.register_hook(halve)

    handles: dict[int, Any] = {}

    def program(x: Any, w: Any) -> Any:
        w.grad = None
        return step(x, w)

    check(program, arguments=arguments, breaks="", calls=6, change=change, compiles=2)


def test_a_hook_that_cannot_be_followed_leaves_the_call_to_python() -> None:
    seen: list[int] = []

    def world() -> Sequence[Any]:
        x, w = arguments()
        w.register_hook(lambda g: seen.append(hash(str(g.shape))))
        w.register_hook(lambda g: gl.from_numpy(np.array(g.numpy(), order="F")))
        return [x, w]

    check(step, arguments=world, breaks=None)
    assert len(seen) == 6


def that_writes_its_gradient(x: Any, w: Any) -> None:
    h = (x @ w).sin()
    h.register_hook(lambda g: g.mul_(2.0))
    h.exp().sum().backward()


def that_registers_another(x: Any, w: Any) -> None:
    def hook(grad: Any) -> None:
        w.register_hook(halve)

    h = (x @ w).sin()
    h.register_hook(hook)
    h.exp().sum().backward()


@pytest.mark.parametrize("program", [that_writes_its_gradient, that_registers_another])
def test_what_a_hook_may_not_do_in_a_graph_is_left_to_python(program: Callable[..., Any]) -> None:
    check(program, arguments=arguments, breaks="a write into" if "writes" in program.__name__ else "during a backward")


# -- steps -------------------------------------------------------------------------------------------------------------
def test_an_optimizer_step_in_backward() -> None:
    def world() -> Sequence[Any]:
        model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
        with gl.no_grad():
            for seed, each in enumerate(model.parameters()):
                each.copy_(normal(*each.shape, seed=seed))
        optimizers = {id(each): optim.SGD([each], lr=0.1, momentum=0.9) for each in model.parameters()}

        def update(parameter: Any) -> None:
            optimizers[id(parameter)].step()
            optimizers[id(parameter)].zero_grad()

        for each in model.parameters():
            each.register_post_accumulate_grad_hook(update)
        return [normal(8, 3), model]

    def program(x: Any, model: Any) -> Any:
        loss = (model(x) ** 2).mean()
        loss.backward()
        return loss

    check(program, arguments=world, breaks=None, calls=5)


def test_gradients_are_clipped_value_by_value_through_a_step() -> None:
    def world() -> Sequence[Any]:
        w = leaf(3, 5, seed=1)
        w.register_hook(lambda g: g.clamp(-0.05, 0.05))
        return [normal(4, 3), w, optim.Adam([w], lr=0.1)]

    def program(x: Any, w: Any, opt: Any) -> Any:
        loss = (x @ w).sin().sum()
        loss.backward()
        opt.step()
        opt.zero_grad()
        return loss

    check(program, arguments=world, breaks="", calls=5)


# -- errors ------------------------------------------------------------------------------------------------------------
def _registers(call: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def program(x: Any, w: Any) -> Any:
        h = x @ w
        call(h, w)
        h.sum().backward()

    return program


@pytest.mark.parametrize(
    "call",
    [
        lambda h, w: h.detach().register_hook(halve),
        lambda h, w: h.detach().retain_grad(),
        lambda h, w: h.register_post_accumulate_grad_hook(lambda p: None),
        lambda h, w: h.register_hook(lambda g: g.sum()),
        lambda h, w: h.register_hook(lambda g: 1.0),
        lambda h, w: w.register_hook(lambda g: g[0]),
        lambda h, w: h.register_hook(lambda g: g.nothing),
    ],
)
def test_errors_are_those_of_eager_mode(call: Callable[[Any, Any], Any]) -> None:
    check(_registers(call), make=lambda number: arguments(), breaks=None)
