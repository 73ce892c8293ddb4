"""Autograd inside a jitted function: backward passes, leaves, grad modes, gradients that are there before the call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from frontend.tensors.scenario import check, leaf, normal

import guardlift as gl
from guardlift import nn

Program = Callable[..., Any]
CASES: list[Any] = []


def case(
    breaks: str | None = "", make: Callable[[], Sequence[Any]] = lambda: [leaf(3, 4)]
) -> Callable[[Program], Program]:
    """Registers a program; `breaks` are words of the graph break that is expected."""

    def register(program: Program) -> Program:
        CASES.append(pytest.param(program, make, breaks, id=program.__name__))
        return program

    return register


def two() -> Sequence[Any]:
    return [leaf(3, 4), leaf(3, 4, seed=1)]


def with_row() -> Sequence[Any]:
    return [leaf(3, 4), leaf(4, seed=3)]


def with_plain() -> Sequence[Any]:
    return [leaf(3, 4), normal(3, 4, seed=1)]


AGAIN = "a second time"
CHANGED = "modified in place since"
HIDDEN = "whose memory has a history under another name"


# -- how often, and from where -----------------------------------------------------------------------------------------
def with_rows() -> Sequence[Any]:
    return [leaf(3, 4), gl.tensor([[2, 0, 1], [1, 2, 2]])]


@case(make=with_rows)
def extremes_of_picked_rows(p: Any, rows: Any) -> Any:
    """The gradient goes to where the extremes were, in rows that are in memory nowhere."""
    loss = p[rows].max(1)[0].square().sum() + p.index_select(0, rows[1]).min(0)[0].sum()
    loss = loss + nn.functional.embedding(rows, p).amax(1).sum() + p[rows[0]].max().square()
    loss.backward()
    return loss.detach(), p[rows].max(1)[1], p[:, rows[1]].argmin(1), p.gather(0, rows).max(1)


@case(AGAIN)
def backward_twice(p: Any) -> None:
    loss = (p * p).sum()
    loss.backward()
    loss.backward()


@case()
def retained(p: Any) -> Any:
    loss = (p * p).sum()
    loss.backward(retain_graph=True)
    loss.backward()
    return loss


@case()
def nothing_saved_so_twice_is_right(p: Any) -> None:
    loss = (p * 2).sum()
    loss.backward()
    loss.backward()


@case(make=with_plain)
def with_a_gradient(p: Any, g: Any) -> None:
    (p * p).backward(g)
    (p * p).backward(gradient=g)


@case("Mismatch", make=lambda: [leaf(3, 4), normal(3)])
def with_a_gradient_of_another_shape(p: Any, g: Any) -> None:
    (p * p).backward(g)


@case("scalar outputs")
def of_a_tensor_that_is_no_scalar(p: Any) -> None:
    (p * 2).backward()


@case("does not require grad", make=lambda: [normal(3, 4)])
def of_what_has_no_history(x: Any) -> None:
    x.sum().backward()


@case(make=lambda: [leaf()])
def of_a_leaf(p: Any) -> None:
    p.backward()


@case(make=with_row)
def in_parts(p: Any, q: Any) -> Any:
    h = p * 2
    a, b = (h * q).sum(), h.sin().sum()
    a.backward(retain_graph=True)
    b.backward()
    return a.detach(), b.detach()


@case(AGAIN, make=with_row)
def in_parts_that_were_freed(p: Any, q: Any) -> None:
    h = p * p
    a, b = (h * q).sum(), h.sin().sum()
    a.backward()
    b.backward()


@case(None)
def by_grad(p: Any) -> Any:
    return gl.autograd.grad((p * p).sum(), p)


@case(make=lambda: [[leaf(3, 4), leaf(4, seed=2)]])
def over_a_list(leaves: list[Any]) -> Any:
    total = 0.0
    for each in leaves:
        total = total + (each * each).sum()
    total.backward()
    with gl.no_grad():
        for each in leaves:
            each -= 0.1 * each.grad
            each.grad = None
    return total.detach()


# -- written in between ------------------------------------------------------------------------------------------------
@case(CHANGED)
def saved_then_written(p: Any) -> None:
    y = p * 1
    z = y * y
    y.add_(1)
    z.sum().backward()


@case()
def written_but_not_saved(p: Any) -> None:
    y = p * 1
    z = y + y
    y.add_(1)
    (z * y).sum().backward()


@case(CHANGED)
def an_in_place_result_that_was_saved_then_written(p: Any) -> None:
    y = p * 1
    y.exp_()
    y.add_(1)
    y.sum().backward()


@case()
def in_place_on_what_it_saves(p: Any) -> None:
    y = p * 1
    y.mul_(y)
    y.acos_()
    y.clamp(-1, 1).sum().backward()


@case(CHANGED)
def an_operand_of_an_in_place_operation_written(p: Any) -> None:
    y, z = p * 1, gl.ones(3, 4)
    y.mul_(z)
    z.add_(1)
    y.sum().backward()


@case(CHANGED)
def a_result_that_was_saved_then_written(p: Any) -> None:
    y = p.relu()
    y.add_(1)
    y.sum().backward()


@case(CHANGED)
def a_leaf_written_between(p: Any) -> None:
    z = (p * p).sum()
    with gl.no_grad():
        p.mul_(2)
    z.backward()


@case(CHANGED, make=with_plain)
def an_argument_written_between(p: Any, x: Any) -> None:
    y = (p * x).sum()
    x.add_(1)
    y.backward()


@case()
def a_leaf_written_before(p: Any) -> None:
    with gl.no_grad():
        p.mul_(2)
    (p * p).sum().backward()
    with gl.no_grad():
        p.sub_(p.grad)
    (p * p * p).sum().backward()


@case("leaf Variable")
def a_leaf_written(p: Any) -> None:
    p.add_(1)


@case("leaf Variable")
def a_view_of_a_leaf_written(p: Any) -> None:
    p[0] = 1.0


@case(HIDDEN, make=with_row)
def an_argument_that_gets_a_history(p: Any, q: Any) -> Any:
    x = p.detach()
    x[0] = q * 2
    return x.sum()


@case(make=with_row)
def a_new_tensor_that_gets_a_history(p: Any, q: Any) -> Any:
    y = gl.ones(3, 4)
    v = y[1]
    y[0] = q * 2
    v.add_(q)
    y.sum().backward()
    return y


@case(make=with_plain)
def views_written(p: Any, x: Any) -> None:
    y = x * p
    y[0].mul_(2)
    y.t()[1] = 0.0
    y.sum().backward()


@case()
def overwritten_whole(p: Any) -> None:
    y = p * 1
    y.zero_()
    y.sum().backward()


@case(HIDDEN)
def detached_and_written(p: Any) -> None:
    y = p * 2
    z = y * y
    y.detach().add_(1)
    z.sum().backward()


@case("no_grad mode")
def a_view_made_without_grad_and_written_with(p: Any) -> Any:
    y = p * 2
    with gl.no_grad():
        v = y[0]
    v.clamp_(0)
    return v


@case("no_grad mode")
def a_view_of_a_leaf_made_without_grad_and_written_with(p: Any) -> None:
    with gl.no_grad():
        v = p[0]
    v.clamp_(0)


# -- leaves ------------------------------------------------------------------------------------------------------------
@case(make=lambda: [normal(3, 4)])
def a_leaf_made_inside(x: Any) -> Any:
    w = gl.ones(3, 4, requires_grad=True)
    (w * x).sum().backward()
    y = x.clone()
    y.requires_grad_()
    (y * y).sum().backward()
    return w.grad, w, y, y.grad


@case("floating point", make=lambda: [normal(3, 4)])
def a_leaf_of_integers(x: Any) -> Any:
    return gl.full((2,), 2, requires_grad=True)


@case()
def a_detached_leaf(p: Any) -> Any:
    h = p * 2
    y = h.detach().requires_grad_()
    (y * y * h).sum().backward()
    return y.grad


@case()
def a_detached_view_as_leaf(p: Any) -> Any:
    y = (p * 2)[0].detach().requires_grad_()
    (y * y).sum().backward()
    return y.grad


@case(make=lambda: [normal(3, 4)])
def an_argument_made_a_leaf(x: Any) -> Any:
    x.requires_grad_()
    (x * x).sum().backward()
    return x.grad


@case("history of a tensor that existed before", make=lambda: [leaf(3, 4) * 2])
def through_an_argument_with_a_history(h: Any) -> None:
    (h * 3).sum().backward()


@case()
def views_of_a_leaf(p: Any) -> None:
    ((p[0] * p[0]).sum() + (p.t() * 2).sum()).backward()


# -- gradients ---------------------------------------------------------------------------------------------------------
@case()
def returned_gradients(p: Any) -> Any:
    (p * p).sum().backward()
    first = p.grad
    p.grad = None
    (p * 3).sum().backward()
    return first, p.grad, first * 1, p


@case()
def accumulated_gradients(p: Any) -> Any:
    (p * p).sum().backward()
    first = p.grad
    (p * p).sum().backward()
    return first, p.grad


@case()
def gradients_written(p: Any) -> None:
    (p * p).sum().backward()
    p.grad.mul_(2)
    p.grad[0] = 1.0


@case(make=with_plain)
def gradients_set(p: Any, g: Any) -> Any:
    p.grad = g
    (p * p).sum().backward()
    p.grad = g * 1
    held = p.grad
    (p * p).sum().backward()
    return held


@case(make=two)
def gradients_swapped(p: Any, q: Any) -> None:
    (p * 2).sum().backward()
    (q * q).sum().backward()
    p.grad, q.grad = q.grad, p.grad


@case(make=two)
def gradients_shared(p: Any, q: Any) -> None:
    (p * 2).sum().backward()
    q.grad = p.grad
    (p * 3).sum().backward()


@case()
def gradients_asked_for(p: Any) -> Any:
    if p.grad is None:
        (p * p).sum().backward()
    else:
        p.grad = None
    return p.grad is None, p.is_leaf, p.requires_grad


# -- modes -------------------------------------------------------------------------------------------------------------
@case()
def modes(p: Any) -> Any:
    with gl.no_grad():
        y = p * 2
        with gl.enable_grad():
            v = y * p
    z = p * 3
    return y, z, v, gl.is_grad_enabled()


@case()
def integers_beside(p: Any) -> Any:
    return p.argmax(), p.sum(), p > 0, p.detach().long()


@pytest.mark.parametrize(("program", "make", "breaks"), CASES)
def test_a_program_does_inside_what_it_does_in_eager_mode(program: Program, make: Any, breaks: str) -> None:
    check(program, arguments=make, breaks=breaks)
    check(program, lambda number: make(), breaks=None)


def test_gradients_that_come_and_go_between_calls() -> None:
    def change(number: int, p: Any) -> None:
        p.grad = normal(3, 4, seed=number) if number % 2 else None

    def program(p: Any) -> Any:
        (p * p).sum().backward()
        return p.grad

    check(program, arguments=lambda: [leaf(3, 4)], change=change, calls=6, compiles=2, kernels=True)


def test_requires_grad_that_changes_between_calls() -> None:
    check(lambda x: x * 2, arguments=lambda: [normal(3, 4)], calls=4, change=lambda k, x: x.requires_grad_(k % 2 == 1))


@pytest.mark.parametrize("kind", ["register_hook", "register_post_accumulate_grad_hook"])
@pytest.mark.parametrize("when", [0, 1, 2])
def test_hooks_on_a_leaf_run_whenever_they_were_registered(kind: str, when: int) -> None:
    def register(p: Any) -> None:
        getattr(p, kind)((lambda g: g * 3) if kind == "register_hook" else triple)

    def triple(p: Any) -> None:
        p.grad.mul_(3)

    def make() -> Sequence[Any]:
        p = leaf(3, 4)
        if when == 0:
            register(p)
        return [p]

    def change(number: int, p: Any) -> None:
        if number == when:
            register(p)

    check(lambda p: (p * p).sum().backward(), arguments=make, change=change, calls=4)


def test_grad_mode_decides_about_leaves_made_inside() -> None:
    fast = gl.jit(lambda x: x.clone().requires_grad_() * 2)
    for number in range(4):
        if number % 2:
            with gl.no_grad():
                assert not fast(normal(3)).requires_grad
        else:
            assert fast(normal(3)).requires_grad


def test_jitted_functions_inside_of_jitted_functions() -> None:
    inner = gl.jit(lambda p: p * p)
    check(lambda p: (inner(p) + 1).sum().backward(), arguments=lambda: [leaf(3, 4)])
    check(lambda p: inner(p) + 1, arguments=lambda: [nn.Parameter(normal(3, 4))])


def with_recorded_gradient() -> Sequence[Any]:
    p = leaf(3, 4)
    p.grad = p * 2
    return [p, normal(3, 4)]


def with_gradient_passed() -> Sequence[Any]:
    p = leaf(3, 4)
    p.grad = normal(3, 4)
    return [p, p.grad]


def with_gradient_over_data() -> Sequence[Any]:
    p = leaf(3, 4)
    p.grad = p.data
    return [p, normal(3, 4)]


@pytest.mark.parametrize("make", [with_recorded_gradient, with_gradient_passed, with_gradient_over_data])
def test_gradients_before_the_call_that_are_something_else_as_well(make: Any) -> None:
    def program(p: Any, x: Any) -> Any:
        (p * p * x).sum().backward()
        return x * 1, p * 1

    check(program, lambda number: make(), breaks=None, kernels=True)


def test_one_gradient_tensor_for_two_leaves_at_some_calls() -> None:
    def make(number: int) -> Sequence[Any]:
        p, q = two()
        p.grad, q.grad = normal(3, 4), normal(3, 4)
        if number % 2:
            q.grad = p.grad
        return [p, q]

    check(lambda p, q: (p * q).sum().backward(), make, calls=4, breaks=None, kernels=True)
