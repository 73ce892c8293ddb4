"""Gradients for views: only what was computed from the view counts, and not what was computed from the same memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from frontend.tensors.scenario import check, leaf, normal

import guardlift as gl

grad = gl.autograd.grad


def world() -> list[Any]:
    return [leaf(3, 4, seed=1), leaf(3, 4, seed=2), normal(3, 4, seed=3)]


# -- where the view alone is read --------------------------------------------------------------------------------------
def transposed(w: Any, v: Any, x: Any) -> Any:
    t = (w * 2).t()
    return grad((t * t @ v).sum(), [t, v])


def a_part_of_a_leaf(w: Any, v: Any, x: Any) -> Any:
    row = w[1:]
    return grad((row.sin() * v[1:]).sum() + w.sum(), [row, w])


def with_its_base(w: Any, v: Any, x: Any) -> Any:
    h = w * 2
    t = h.t()
    return grad((t @ h).exp().sum(), [t, h])


@pytest.mark.parametrize("program", [transposed, a_part_of_a_leaf, with_its_base])
def test_a_view_that_alone_sees_its_part_is_differentiated_for(program: Callable[..., Any]) -> None:
    check(program, arguments=world, breaks="")


# -- where others see the same -----------------------------------------------------------------------------------------
def another_view_like_it(w: Any, v: Any, x: Any) -> Any:
    one, other = w.t(), w.t()
    return grad((other * other).sum(), [one], allow_unused=True)


def both_of_two_alike(w: Any, v: Any, x: Any) -> Any:
    h = w * 2
    one, other = h.t(), h.t()
    return grad((one * other).sum(), [one])


def a_view_of_the_view(w: Any, v: Any, x: Any) -> Any:
    h = w * 2
    t = h.t()
    back = t.t()
    return grad((back * h).sum(), [t, h])


def a_view_of_all(w: Any, v: Any, x: Any) -> Any:
    h = w * 2
    same = h.view(3, 4)
    return grad((h * same).sum(), [same])


def a_view_of_all_of_a_leaf(w: Any, v: Any, x: Any) -> Any:
    same = w.t().t()
    return grad((w * same).sum(), [same])


def a_slice_of_all(w: Any, v: Any, x: Any) -> Any:
    h = w * 2
    same = h[:]
    return grad((h * same).sum(), [same, h])


def a_gradient_that_is_a_view(w: Any, v: Any, x: Any) -> Any:
    shown: list[Any] = []
    h = w.exp()
    h.register_hook(shown.append)
    (first,) = grad((h.t() * v.t() * h.t()).sum(), w, create_graph=True)
    return grad((first * first).sum(), [shown[0]], allow_unused=True)


SHARED = [
    another_view_like_it,
    both_of_two_alike,
    a_view_of_the_view,
    a_view_of_all,
    a_view_of_all_of_a_leaf,
    a_slice_of_all,
    a_gradient_that_is_a_view,
]


@pytest.mark.parametrize("program", SHARED)
def test_what_others_have_computed_from_the_same_memory_does_not_count(program: Callable[..., Any]) -> None:
    check(program, arguments=world, breaks=None)


def test_a_gradient_for_a_view_that_others_may_stand_for_is_left_to_python() -> None:
    check(
        both_of_two_alike, arguments=world, breaks="a gradient for a view that has views, or of which there is another"
    )
