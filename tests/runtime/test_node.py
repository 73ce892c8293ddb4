"""The node of a compiled forward under create_graph: edges, hooks, versions and freeing are those of eager mode."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from frontend.tensors.scenario import check, normal, outcome

import guardlift as gl
from guardlift.autograd.graph import saved_tensors_hooks

grad = gl.autograd.grad
After = Callable[..., Any]


def weight(seed: int = 5) -> Any:
    return normal(3, 4, seed=seed).requires_grad_()


def world(number: int = 0) -> list[Any]:
    return [weight(), normal(3, 4)]


PROGRAMS: dict[str, Callable[..., Any]] = {
    "its result is saved": lambda w, x: (w * x).exp(),
    "a value in between is saved": lambda w, x: (w.exp() * x).tanh().sum(),
    "nothing is saved in the first part": lambda w, x: (w + 1.0) * w,
    "operands alone are saved": lambda w, x: w * w * x,
    "what is saved has no history": lambda w, x: w * x + w,
}


def first_of(r: Any, w: Any, **how: Any) -> Any:
    return grad(r.sum(), w, create_graph=True, **how)[0]


def both(r: Any, w: Any, x: Any) -> Any:
    first = first_of(r, w)
    ((first * first).sum() + r.sum()).backward()
    return first


def gradient_first(r: Any, w: Any, x: Any) -> Any:
    loss = r.sum()
    (first,) = grad(loss, w, create_graph=True)
    return outcome(lambda: (first * first).sum().backward()), outcome(lambda: loss.backward())


def loss_first(r: Any, w: Any, x: Any) -> Any:
    loss = r.sum()
    (first,) = grad(loss, w, create_graph=True)
    return outcome(lambda: loss.backward()), outcome(lambda: (first * first).sum().backward())


def twice_the_gradient(r: Any, w: Any, x: Any) -> Any:
    first = first_of(r, w)
    return [outcome(lambda: (first * first).sum().backward()) for _ in range(2)]


def retained(r: Any, w: Any, x: Any) -> Any:
    first = first_of(r, w)
    (first * first).sum().backward(retain_graph=True)
    (first * first).sum().backward()


def not_retained(r: Any, w: Any, x: Any) -> Any:
    first = first_of(r, w, retain_graph=False)
    return outcome(lambda: (first * first).sum().backward())


def plainly_then_again(r: Any, w: Any, x: Any) -> Any:
    loss = r.sum()
    loss.backward()
    return outcome(lambda: grad(loss, w, create_graph=True))


def with_a_history_of_the_tangent(r: Any, w: Any, x: Any) -> Any:
    v = normal(*r.shape, seed=9).requires_grad_()
    (first,) = grad(r, w, v * v, create_graph=True)
    return grad((first * x).sum(), (v, w), allow_unused=True)


def with_backward(r: Any, w: Any, x: Any) -> Any:
    r.sum().backward(create_graph=True)
    first, w.grad = w.grad, None
    (first * first).sum().backward()
    return first


AFTER = (
    both,
    gradient_first,
    loss_first,
    twice_the_gradient,
    retained,
    not_retained,
    plainly_then_again,
    with_a_history_of_the_tangent,
)


@pytest.mark.parametrize("after", AFTER)
@pytest.mark.parametrize("name", PROGRAMS)
def test_what_can_be_walked_again_and_what_is_freed(name: str, after: After) -> None:
    check(PROGRAMS[name], world, after=after)


def test_the_gradient_of_a_gradient_in_grad() -> None:
    check(PROGRAMS["its result is saved"], world, after=with_backward)


# -- hooks -------------------------------------------------------------------------------------------------------------
def hook_on_leaf(r: Any, w: Any, x: Any) -> Any:
    seen: list[Any] = []
    w.register_hook(lambda g: seen.append(g) or g * 2.0)
    return seen, both(r, w, x)


def hook_on_result(r: Any, w: Any, x: Any) -> Any:
    seen: list[Any] = []
    r.register_hook(lambda g: seen.append(g) or g * 3.0)
    return seen, both(r, w, x)


def retain_result(r: Any, w: Any, x: Any) -> Any:
    r.retain_grad()
    return both(r, w, x), r.grad


def hook_on_gradient(r: Any, w: Any, x: Any) -> Any:
    first = first_of(r, w)
    first.register_hook(lambda g: g * 5.0)
    first.retain_grad()
    (first * first * first).sum().backward()
    return first.grad


@pytest.mark.parametrize("after", [hook_on_leaf, hook_on_result, retain_result, hook_on_gradient])
@pytest.mark.parametrize("name", PROGRAMS)
def test_tensor_hooks_run_as_often_and_with_the_same(name: str, after: After) -> None:
    check(PROGRAMS[name], world, after=after)


def test_hooks_on_the_node_see_what_comes_to_its_results_alone() -> None:
    w, x = world()
    result = gl.jit(PROGRAMS["a value in between is saved"])(w, x)
    shown: list[int] = []
    result.grad_fn.register_prehook(lambda outputs: shown.append(len(outputs)))
    result.grad_fn.register_hook(lambda inputs, outputs: shown.append(len(outputs)))
    first = first_of(result, w)
    (first * first).sum().backward(retain_graph=True)
    (result + (first * first).sum()).backward()
    assert set(shown) == {1} and len(shown) == 5  # nothing came to the result in the second pass


def test_an_argument_with_a_history_and_hooks() -> None:
    def make(number: int) -> list[Any]:
        w = weight()
        h = w * 2.0
        h.register_hook(lambda g: g * 3.0)
        return [h, w]

    def after(r: Any, h: Any, w: Any) -> Any:
        (first,) = grad(r.sum(), h, create_graph=True)
        return first, grad((first * first).sum(), (h, w))

    check(lambda h, w: (h * w).exp(), make, after=after)


def test_arguments_of_every_kind() -> None:
    places = gl.tensor([2, 0, 1, 1])

    def program(w: Any, x: Any, scale: float, power: int, where: Any) -> Any:
        return ((w * scale)[:, where] * x).exp() ** power + scale

    def make(number: int) -> list[Any]:
        return [*world(), 0.5 + number, 2, places]

    check(program, make, after=lambda r, w, x, *_: both(r, w, x))


def test_a_result_that_is_a_view_and_one_that_was_written() -> None:
    def program(w: Any, x: Any) -> Any:
        y = (w * x).exp()
        z = w.sin() * x
        z.mul_(w)
        return y.T[1:], z

    def after(r: Any, w: Any, x: Any) -> Any:
        (first,) = grad((r[0] * r[0]).sum() + r[1].sum(), w, create_graph=True)
        return first, grad((first * first).sum(), w)

    check(program, world, after=after, breaks=None)


def test_leaves_that_are_frozen_and_thawed() -> None:
    def change(number: int, w: Any, v: Any) -> None:
        v.requires_grad_(number != 1)

    def after(r: Any, w: Any, v: Any) -> Any:
        (first,) = grad(r.sum(), w, create_graph=True)
        (first * first).sum().backward()
        grads, w.grad, v.grad = (w.grad, v.grad), None, None
        return first, grads

    check(lambda w, v: (w * v).exp() * v, arguments=lambda: [weight(), weight(6)], change=change, after=after, calls=4)


# -- written since -----------------------------------------------------------------------------------------------------
def written(when: str) -> After:
    """A write into a tensor, then as much as that leaves of the second derivative."""

    def after(r: Any, w: Any, x: Any) -> Any:
        target = {"an input": x, "a leaf": w, "a result": r}[when.split(", ")[0]]
        first = first_of(r, w) if when.endswith("after") else None
        with gl.no_grad():
            target.add_(1.0)
        if first is None:
            return outcome(lambda: first_of(r, w))
        return outcome(lambda: (first * first).sum().backward())

    return after


@pytest.mark.parametrize("order", ["before", "after"])
@pytest.mark.parametrize("what", ["an input", "a leaf", "a result"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_write_into_what_was_saved_is_told_as_in_eager_mode(name: str, what: str, order: str) -> None:
    check(PROGRAMS[name], world, after=written(f"{what}, {order}"))


def test_a_write_into_a_gradient_that_a_later_walk_needs_is_told() -> None:
    def after(r: Any, w: Any, x: Any) -> Any:
        first = first_of(r, w)
        (second,) = grad(first.sum(), w, create_graph=True)
        with gl.no_grad():
            first.add_(1.0)
        return second, outcome(lambda: second.sum().backward())

    check(PROGRAMS["its result is saved"], world, after=after)


# -- saved-tensor hooks ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("around", ["forward", "backward", "both"])
def test_saved_tensor_hooks_give_what_both_walks_read(around: str, order: Any) -> None:
    factor = np.float32(1.0 if around == "backward" else 1.5)  # other values are saved then than in eager mode
    other = saved_tensors_hooks(
        lambda t: t.detach().numpy().copy(), lambda a: gl.from_numpy(np.array(a * factor, order=order))
    )
    plain = saved_tensors_hooks(lambda t: t, lambda t: t)

    def run(function: Callable[..., Any]) -> Any:
        w, x = world()
        with other if around != "backward" else plain:
            result = function(w, x)
        with other if around != "forward" else plain:
            first = first_of(result, w)
        (first * first * first).sum().backward()
        return first, w.grad

    for program in (PROGRAMS["its result is saved"], PROGRAMS["a value in between is saved"]):
        for one, another in zip(run(program), run(gl.jit(program)), strict=True):
            np.testing.assert_allclose(another.detach().numpy(), one.detach().numpy(), rtol=1e-4, atol=1e-5)


def test_nothing_is_compiled_or_kept_for_second_derivatives_before_they_are_asked_for() -> None:
    w, x = world()
    fast = gl.jit(PROGRAMS["a value in between is saved"])
    result = fast(w, x)
    result.backward(retain_graph=True)
    history = result.grad_fn.history
    assert not history.backward_pass.reruns and not history.partial and "outputs" not in vars(history)
    first = first_of(result, w)
    assert list(history.backward_pass.reruns) == [(False,)] and not history.partial
    (first * first).sum().backward()
    assert len(history.partial) == 1
    again = fast(w, x)
    assert again.grad_fn.history is history and again.grad_fn.outputs == 1
    both(again, w, x)
    assert (
        len(history.backward_pass.reruns) == 1 and len(history.partial) == 2
    )  # the loss took part in the second backward pass


@pytest.mark.slow
def test_no_collector_is_needed_to_free_what_second_derivatives_keep() -> None:
    w, _ = world()
    fast = gl.jit(PROGRAMS["a value in between is saved"])
    both(fast(w, normal(3, 4)), w, None)
    gc.collect()
    gc.disable()
    try:
        result = fast(w, normal(3, 4))
        first = first_of(result, w)
        (second,) = grad((first * first).sum(), w, create_graph=True)
        nodes = [weakref.ref(each.grad_fn) for each in (result, first, second)]
        assert all(reference() is not None for reference in nodes)
        del result, first, second
        assert [reference() for reference in nodes] == [None] * 3
    finally:
        gc.enable()


# -- what a node keeps -------------------------------------------------------------------------------------------------
def _kept() -> tuple[Any, Any]:
    """A leaf, and a result that keeps the leaf, a value in between and itself."""
    x = weight()
    return x, gl.jit(lambda x: (x.sin() * x).exp())(x)


def test_arrays_that_a_node_keeps_are_listed_as_tensors_are() -> None:
    x, result = _kept()
    rows = gl.autograd.graph.list_saved_tensors(result)
    assert all(row.argument.startswith("saved[") and row.shape == (3, 4) for row in rows)
    assert len({row.argument for row in rows}) == len(rows) == len(result.grad_fn.saved)
    result.sum().backward()
    assert len(gl.autograd.graph.list_saved_tensors(result)) == 0


def test_hooks_can_be_registered_on_what_a_node_keeps() -> None:
    x, result = _kept()
    packed: list[Any] = []
    for record in result.grad_fn.saved:
        record.register_hooks(lambda t: packed.append(t) or t.clone(), lambda t: t)
    result.sum().backward()
    y, other = _kept()
    other.sum().backward()
    assert len(packed) == len(result.grad_fn.saved)
    assert np.array_equal(x.grad.numpy(), y.grad.numpy())


def test_arrays_are_released_and_missed_like_tensors() -> None:
    _, result = _kept()
    loss = result.sum()
    loss.backward(retain_graph=True)
    loss.backward()
    with pytest.raises(RuntimeError, match="second time"):
        result.backward(gl.ones(3, 4))


def test_a_gradient_that_is_broadcast_or_of_another_layout_comes_to_a_node() -> None:
    for given in (gl.ones(1, 1).expand(3, 4), gl.ones(4, 3).T, None):
        x, result = _kept()
        y = x.detach().requires_grad_()
        if given is None:
            (result.sum() * 2).backward()
            (((y.sin() * y).exp()).sum() * 2).backward()
        else:
            result.backward(given)
            ((y.sin() * y).exp()).backward(given)
        assert gl.allclose(x.grad, y.grad)
        assert x.grad.is_contiguous()
