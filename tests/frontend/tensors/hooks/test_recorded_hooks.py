"""`create_graph=True` through hooks on tensors: hooks run in grad mode, and what they compute is differentiated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from frontend.tensors.autograd.custom_samples import Cube
from frontend.tensors.scenario import check, leaf, normal

import guardlift as gl
from guardlift import nn, optim

pytestmark = [pytest.mark.spec("S10.09"), pytest.mark.spec("S10.14")]
grad = gl.autograd.grad


def arguments() -> Sequence[Any]:
    """An input and two weights."""
    return [normal(4, 3), leaf(3, 5, seed=1), leaf(4, 5, seed=2)]


def square(g: Any) -> Any:
    """A hook that is not linear."""
    return g * g


# -- inside, in one graph ----------------------------------------------------------------------------------------------
def on_an_intermediate(x: Any, w: Any, v: Any) -> Any:
    h = x @ w
    h.register_hook(square)
    (first,) = grad((h.sin() * v).sum(), w, create_graph=True)
    (first * first).sum().backward()
    return first.detach()


def that_looks_only(x: Any, w: Any, v: Any) -> Any:
    seen: list[Any] = []
    h = (x @ w).tanh()
    h.register_hook(lambda g: seen.append((g.requires_grad, g.is_leaf, gl.is_grad_enabled())))
    h.register_hook(lambda g: seen.append(g))
    (first,) = grad((h * h * v).sum(), w, create_graph=True)
    shown = seen[1]
    (second,) = grad((shown * shown).sum() + first.sum(), w)
    return seen[0], second


def the_one_shown_is_a_place_to_stop(x: Any, w: Any, v: Any) -> Any:
    seen: list[Any] = []
    h = (x @ w).exp()
    h.register_hook(seen.append)
    (first,) = grad((h * h * v).sum(), w, create_graph=True)
    return grad((first * first).sum(), [seen[0], v])


def by_a_closure(x: Any, w: Any, v: Any) -> Any:
    h = (x @ w).sin()
    h.register_hook(lambda g: g * v.exp())
    (first,) = grad(h.exp().sum(), w, create_graph=True)
    (first * first).sum().backward()


def with_nothing_recorded_in_the_hook(x: Any, w: Any, v: Any) -> Any:
    def hook(g: Any) -> Any:
        with gl.no_grad():
            scale = (v * g).sum()
        return g * scale

    h = (x @ w).sin()
    h.register_hook(hook)
    (first,) = grad(h.exp().sum(), w, create_graph=True)
    return grad((first * first).sum(), [w, v], allow_unused=True)


def cut_off_by_the_hook(x: Any, w: Any, v: Any) -> Any:
    h = (x @ w).sin()
    h.register_hook(lambda g: g.detach() * 2)
    (first,) = grad((h * h).sum(), w, create_graph=True)
    return first.requires_grad, grad((first * v[:3]).sum(), [w])


def given_no_history_at_all(x: Any, w: Any, v: Any) -> Any:
    h = x @ w
    h.register_hook(lambda g: gl.ones_like(g))
    (first,) = grad(h.sin().sum(), w, create_graph=True)
    return first.requires_grad, first


def several_on_one(x: Any, w: Any, v: Any) -> Any:
    h = (x @ w).sin()
    h.register_hook(square)
    h.register_hook(lambda g: None)
    h.register_hook(lambda g: g + v)
    first, other = grad((h * v).exp().sum(), [w, v], create_graph=True)
    ((first * first).sum() + other.sum()).backward()


def asked_for_where_it_is_hooked(x: Any, w: Any, v: Any) -> Any:
    h = (x @ w).sin()
    h.register_hook(square)
    w_hook = w.register_hook(lambda g: g * g + v[:3])
    at_h, at_w = grad((h * v).exp().sum(), [h, w], create_graph=True)
    w_hook.remove()
    return at_h, at_w, grad((at_h.sum() + at_w).sum(), [v, w])


def weighted_by_what_has_a_history(x: Any, w: Any, v: Any) -> Any:
    h = (x @ w).sin()
    h.register_hook(lambda g: g * g.sum())
    (first,) = grad(h, w, v * v, create_graph=True)
    return grad(first.sum(), [w, v])


def shown_the_weight_itself(x: Any, w: Any, v: Any) -> Any:
    seen: list[Any] = []
    h = (x @ w).sin()
    h.register_hook(lambda g: seen.append(g is v))
    (first,) = grad(h, w, v, create_graph=True)
    return seen, grad(first.sum(), [w, v])


def met_again_in_the_second_walk(x: Any, w: Any, v: Any) -> Any:
    seen: list[Any] = []
    h = (x @ w).sin()
    h.register_hook(lambda g: seen.append(g.detach().sum()))
    (first,) = grad((h * h * v).sum(), w, create_graph=True)
    (first * first).sum().backward()
    return seen


def of_third_order(x: Any, w: Any, v: Any) -> Any:
    h = (x @ w).sin()
    h.register_hook(square)
    (first,) = grad((h * v).exp().sum(), w, create_graph=True)
    (second,) = grad((first * first).sum(), v, create_graph=True)
    return second, grad(second.sum(), [w, v])


def by_backward(x: Any, w: Any, v: Any) -> Any:
    h = (x @ w).sin()
    h.register_hook(square)
    (h * v).exp().sum().backward(create_graph=True)
    penalty = (w.grad * w.grad).sum() + v.grad.sum()
    w.grad = v.grad = None
    penalty.backward()
    return penalty.detach()


def on_leaves(x: Any, w: Any, v: Any) -> Any:
    seen: list[Any] = []
    with w.register_hook(square), v.register_post_accumulate_grad_hook(lambda p: seen.append(p.grad.requires_grad)):
        ((x @ w).sin() * v).exp().sum().backward(create_graph=True)
    penalty = (w.grad * v[:3]).sum()
    w.grad = v.grad = None
    penalty.backward()
    return seen


def added_to_what_is_there(x: Any, w: Any, v: Any) -> Any:
    with w.register_hook(square):
        for _ in range(2):
            ((x @ w).sin() * v).exp().sum().backward(create_graph=True)
    penalty = (w.grad * w.grad).sum()
    w.grad = v.grad = None
    penalty.backward()


def written_after_it_was_accumulated(x: Any, w: Any, v: Any) -> Any:
    def double(p: Any) -> None:
        p.grad.mul_(2.0)

    with w.register_post_accumulate_grad_hook(double):
        ((x @ w).sin() * v).exp().sum().backward(create_graph=True)
    found = grad(w.grad.sum(), [w, v])
    w.grad = v.grad = None
    return found


def retained(x: Any, w: Any, v: Any) -> Any:
    h = (x @ w).sin()
    h.retain_grad()
    h.register_hook(square)
    (h * v).exp().sum().backward(create_graph=True)
    kept = h.grad
    w.grad = v.grad = None
    return kept.requires_grad, grad((kept * kept).sum(), [w, v])


def retained_alone_and_twice(x: Any, w: Any, v: Any) -> Any:
    h = (x @ w).sin()
    h.retain_grad()
    loss = (h * v).exp().sum()
    loss.backward(create_graph=True)
    loss.backward(create_graph=True)
    kept = h.grad
    w.grad = v.grad = None
    return kept.requires_grad, kept.detach(), grad(kept.sum(), [w, v])


def in_each_round_of_a_loop(x: Any, w: Any, v: Any) -> Any:
    h = x @ w
    for _ in range(4):
        h = (h * 0.5).tanh()
        h.register_hook(lambda g: g * g.exp())
    (first,) = grad((h * v).sum(), w, create_graph=True)
    first.sum().backward()


TRACED = [
    on_an_intermediate,
    that_looks_only,
    the_one_shown_is_a_place_to_stop,
    by_a_closure,
    with_nothing_recorded_in_the_hook,
    cut_off_by_the_hook,
    given_no_history_at_all,
    several_on_one,
    asked_for_where_it_is_hooked,
    weighted_by_what_has_a_history,
    shown_the_weight_itself,
    met_again_in_the_second_walk,
    of_third_order,
    by_backward,
    on_leaves,
    added_to_what_is_there,
    written_after_it_was_accumulated,
    retained,
    retained_alone_and_twice,
    in_each_round_of_a_loop,
]


@pytest.mark.parametrize("program", TRACED)
def test_hooks_in_a_walk_that_is_recorded_are_part_of_the_graph(program: Callable[..., Any]) -> None:
    check(program, arguments=arguments, breaks="", relative=1e-4)


def test_a_penalty_with_a_hook_compiles() -> None:
    check(on_an_intermediate, arguments=arguments, breaks="", relative=1e-4, kernels=True)


# -- the backward pass outside --------------------------------------------------------------------------------------
def returned(x: Any, w: Any, v: Any) -> Any:
    h = (x @ w).sin()
    h.register_hook(square)
    (first,) = grad((h * v).exp().sum(), w, create_graph=True)
    return first


def returned_with_what_was_shown(x: Any, w: Any, v: Any) -> Any:
    seen: list[Any] = []
    h = (x @ w).sin()
    h.register_hook(lambda g: seen.append(g) or g * v)
    (first,) = grad((h * v).exp().sum(), w, create_graph=True)
    return first * seen[0].sum()


@pytest.mark.parametrize("program", [returned, returned_with_what_was_shown])
def test_a_gradient_that_went_through_hooks_leaves_with_its_history(program: Callable[..., Any]) -> None:
    def after(result: Any, x: Any, w: Any, v: Any) -> Any:
        return grad((result * result).sum(), [w, v])

    check(program, arguments=arguments, breaks="", after=after, relative=1e-4)


# -- what is refused ---------------------------------------------------------------------------------------------------
def shown_and_written_since(x: Any, w: Any, v: Any) -> Any:
    seen: list[Any] = []
    h = (x @ w).exp()
    h.register_hook(seen.append)
    (first,) = grad((h * h * v).sum(), w, create_graph=True)
    with gl.no_grad():
        seen[0].mul_(2.0)
    return grad((first * first).sum(), w)


def given_and_written_since(x: Any, w: Any, v: Any) -> Any:
    mine = v.detach().clone()
    h = (x @ w).exp()
    h.register_hook(lambda g: mine)
    (first,) = grad((h * h * v).sum(), w, create_graph=True)
    mine.mul_(2.0)
    return grad((first * first).sum(), w)


def saved_by_a_hook_and_written_since(x: Any, w: Any, v: Any) -> Any:
    mine = v.detach().clone()
    h = (x @ w).exp()
    h.register_hook(lambda g: g * mine)
    (first,) = grad((h * h * v).sum(), w, create_graph=True)
    mine.mul_(2.0)
    return grad((first * first).sum(), w)


def weight_written_on_the_way(x: Any, w: Any, v: Any) -> Any:
    mine = v.detach().clone()

    def hook(g: Any) -> None:
        mine.mul_(2.0)

    h, s = x @ w, v.sin()
    s.register_hook(hook)
    (first,) = grad((h * s), w, mine, create_graph=True)
    return grad((first * first).sum(), w)


REFUSED = [
    shown_and_written_since,
    given_and_written_since,
    saved_by_a_hook_and_written_since,
    weight_written_on_the_way,
]


@pytest.mark.parametrize("program", REFUSED)
def test_what_was_saved_and_written_since_is_refused_in_eager_mode_s_words(program: Callable[..., Any]) -> None:
    check(program, arguments=arguments, breaks=None)


def through_a_custom_function(x: Any, w: Any, v: Any) -> Any:
    h = Cube.apply(x @ w)
    h.register_hook(square)
    (first,) = grad((h * v).sum(), w, create_graph=True)
    return grad((first * first).sum(), [w, v])


def recording_under_hooks_that_pack(x: Any, w: Any, v: Any) -> Any:
    h = (x @ w).sin()
    with gl.autograd.graph.saved_tensors_hooks(PACK, UNPACK):
        (first,) = grad(h.exp().sum(), w, create_graph=True)
    return grad((first * first).sum(), [w])


@gl.autograd.graph.inlineable
def PACK(t: Any) -> Any:  # noqa: N802
    """Keeps what is rounded."""
    return (t * 4).round()


@gl.autograd.graph.inlineable
def UNPACK(t: Any) -> Any:  # noqa: N802
    """A quarter of it."""
    return t * 0.25


def test_what_has_no_form_in_the_graph_is_left_to_python() -> None:
    check(through_a_custom_function, arguments=arguments, breaks="create_graph=True through a custom", relative=1e-4)
    check(recording_under_hooks_that_pack, arguments=arguments, breaks="under saved-tensor hooks", relative=1e-4)


# -- memory of gradients -----------------------------------------------------------------------------------------------
def the_gradient_is_what_the_hook_gave(x: Any, w: Any, v: Any) -> Any:
    kept: list[Any] = []

    def hook(g: Any) -> Any:
        kept.append(g * 3)
        return kept[0]

    h = (x @ w).sin()
    h.register_hook(hook)
    (found,) = grad(h.exp().sum(), h)
    found.add_(1.0)
    return kept[0], found


def the_gradient_is_what_the_hook_was_shown(x: Any, w: Any, v: Any) -> Any:
    kept: list[Any] = []
    h = (x @ w).sin()
    h.register_hook(kept.append)
    (found,) = grad(h.exp().sum(), h)
    return kept[0], found


def the_gradient_is_a_detached_one(x: Any, w: Any, v: Any) -> Any:
    given = v.detach() * 2.0
    h = (x @ w) + v
    h.register_hook(lambda g: g.detach())
    (found,) = grad(h, v, given)
    return found.sum(), found is given


OF_HOOKS = [
    the_gradient_is_what_the_hook_gave,
    the_gradient_is_what_the_hook_was_shown,
    the_gradient_is_a_detached_one,
]


@pytest.mark.parametrize("program", OF_HOOKS)
def test_a_gradient_of_a_hooked_tensor_is_one_tensor_with_the_hook_s(program: Callable[..., Any]) -> None:
    check(program, arguments=arguments, breaks="")


# -- a program ---------------------------------------------------------------------------------------------------------
def test_a_step_with_a_penalty_and_clipped_gradients_is_one_graph() -> None:
    def world() -> Sequence[Any]:
        model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
        with gl.no_grad():
            for seed, each in enumerate(model.parameters()):
                each.copy_(normal(*each.shape, seed=seed))
        for each in model.parameters():
            each.register_hook(lambda g: g.clamp(-0.5, 0.5))
        return [model, optim.SGD(model.parameters(), lr=0.1), normal(8, 3)]

    def step(model: Any, opt: Any, x: Any) -> Any:
        x = x.detach().requires_grad_()
        score = model(x)
        score.register_hook(lambda g: g * 2)
        (slope,) = grad(score.sum(), x, create_graph=True)
        loss = ((slope * slope).sum(1) - 1.0).square().mean()
        loss.backward()
        opt.step()
        opt.zero_grad()
        return loss

    check(step, arguments=world, calls=4, breaks="", compiles=1, relative=1e-4)
