"""Accumulating gradients: the layout they get, when they are taken over, and that nothing of the caller's changes."""

from __future__ import annotations

import gc
import threading
import warnings
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift.autograd import Node, accumulate, differentiate
from guardlift.autograd.accumulate import accumulate_grad, obeys_layout

spec = pytest.mark.spec


class Gives(Node):
    """A node whose gradient is what `make` gives."""

    __slots__ = ("make",)

    def __init__(self, leaf: gl.Tensor, make: Any) -> None:
        super().__init__(gl.autograd.edges_of([leaf]))
        self.make = make

    def apply(self, gradients: Any) -> Any:
        return (self.make(),)


def run(leaf: gl.Tensor, make: Any, **how: Any) -> None:
    """A backward pass in which `leaf` gets the gradient that `make` gives."""
    gl.autograd.attach(gl.ones(1), Gives(leaf, make)).backward(gl.ones(1), **how)


def strides(tensor: gl.Tensor) -> Any:
    return tensor.stride()


def of_layout(shape: tuple[int, ...], steps: tuple[int, ...]) -> gl.Tensor:
    """A tensor of ones whose neighbours lie `steps` elements apart."""
    order = sorted(range(len(shape)), key=lambda axis: -steps[axis])
    memory = np.ones([shape[axis] for axis in order], np.float32)
    return gl.from_numpy(memory).permute(*np.argsort(order).tolist()).detach()


def leaf_of(tensor: gl.Tensor) -> gl.Tensor:
    return tensor.detach().requires_grad_()


@spec("S6.11")
def test_a_first_gradient_that_nobody_else_holds_is_taken_over() -> None:
    leaf, addresses = gl.zeros(2, 3, requires_grad=True), []

    def make() -> gl.Tensor:
        g = gl.ones(2, 3)
        addresses.append(g.data_ptr())
        return g

    run(leaf, make)
    assert leaf.grad.data_ptr() == addresses[0]
    assert strides(leaf.grad) == (3, 1)
    assert not leaf.grad.requires_grad


@spec("S6.11")
def test_hooks_that_return_nothing_do_not_keep_it_from_being_taken_over() -> None:
    leaf, addresses = gl.zeros(2, 3, requires_grad=True), []
    leaf.register_hook(lambda g: None)
    leaf.register_post_accumulate_grad_hook(lambda each: None)
    accumulator = (leaf * 1).grad_fn.next_functions[0][0]
    accumulator.register_hook(lambda inputs, outputs: None)
    accumulator.register_prehook(lambda outputs: None)

    def make() -> gl.Tensor:
        g = gl.ones(2, 3)
        addresses.append(g.data_ptr())
        return g

    run(leaf, make)
    assert leaf.grad.data_ptr() == addresses[0]


@spec("S6.15", "S6.40")
@pytest.mark.parametrize("holds", ["tensor", "array", "view", "hook"])
def test_a_gradient_that_somebody_holds_is_copied(holds: str) -> None:
    leaf, kept = gl.zeros(2, 3, requires_grad=True), []

    def make() -> gl.Tensor:
        g = gl.ones(2, 3)
        if holds != "hook":
            kept.append({"tensor": g, "array": g.numpy(), "view": g[0]}[holds])
        return g

    if holds == "hook":
        leaf.register_hook(lambda g: kept.append(g))
    run(leaf, make)
    kept[0].fill_(7) if isinstance(kept[0], gl.Tensor) else kept[0].fill(7)
    assert leaf.grad.tolist() == [[1.0] * 3] * 2


@spec("S6.40")
def test_a_local_that_has_gone_out_of_scope_holds_nothing() -> None:
    leaf = gl.zeros(2, requires_grad=True)
    addresses = []

    def make() -> gl.Tensor:
        local = gl.ones(2)
        also = local
        addresses.append(also.data_ptr())
        return also

    run(leaf, make)
    assert leaf.grad.data_ptr() == addresses[0]


@spec("S6.01", "S6.15")
@pytest.mark.parametrize(
    ("leaf", "gradient", "stolen", "expected"),
    [
        (lambda: gl.zeros(2, 3).t(), (2, 1), False, (1, 3)),
        (lambda: gl.zeros(2, 3).t(), (1, 3), True, (1, 3)),
        (lambda: gl.zeros(4, 6)[:, ::2], (1, 4), False, (3, 1)),
        (lambda: gl.zeros(4, 6)[:, ::2], (3, 1), True, (3, 1)),
        (lambda: gl.zeros(1, 1).expand(2, 3), (3, 1), True, (3, 1)),
        (lambda: gl.zeros(1, 1).expand(2, 3), (1, 2), False, (3, 1)),
    ],
)
def test_the_gradient_lies_as_its_leaf_does(leaf: Any, gradient: Any, stolen: bool, expected: Any) -> None:
    x = leaf_of(leaf())
    addresses = []

    def make() -> gl.Tensor:
        g = of_layout(x.shape, gradient)
        addresses.append(g.data_ptr())
        return g

    run(x, make)
    assert strides(x.grad) == expected
    assert (x.grad.data_ptr() == addresses[0]) is stolen
    assert x.grad.tolist() == np.ones(x.shape).tolist()


@spec("S6.01")
def test_axes_of_size_one_take_any_stride_but_zero() -> None:
    leaf = np.zeros((2, 1), np.float32)
    memory = np.zeros(16, np.float32)
    for steps, obeys in (((4, 28), True), ((4, 0), False)):
        assert obeys_layout(leaf, np.lib.stride_tricks.as_strided(memory, (2, 1), steps)) is obeys


@spec("S6.15")
def test_an_expanded_gradient_is_laid_out() -> None:
    p = gl.ones(2, 3, requires_grad=True)
    p.sum().backward()
    assert strides(p.grad) == (3, 1)
    p.grad[0, 0] = 5.0
    assert p.grad.tolist() == [[5.0, 1.0, 1.0], [1.0, 1.0, 1.0]]


@spec("S6.15", "S6.32")
@pytest.mark.filterwarnings("ignore:Using backward")
def test_under_create_graph_the_gradient_has_history_and_is_replaced() -> None:
    x = leaf_of(gl.ones(2, 3).t())
    (x * x).sum().backward(create_graph=True)
    first = x.grad
    assert first.requires_grad and strides(first) == (1, 3)
    (second,) = gl.autograd.grad(first.sum(), x, retain_graph=True)
    assert second.tolist() == [[2.0, 2.0]] * 3
    x.sum().backward(create_graph=True)
    assert x.grad is not first
    assert (first.tolist()[0][0], x.grad.tolist()[0][0]) == (2.0, 3.0)
    assert strides(x.grad) == strides(first)


@spec("S6.23")
def test_a_second_gradient_is_added_in_place() -> None:
    p = gl.ones(2, 3, requires_grad=True)
    p.sum().backward()
    first, address = p.grad, p.grad.data_ptr()
    p.sum().backward()
    assert p.grad is first
    assert (p.grad.data_ptr(), p.grad.tolist()) == (address, [[2.0] * 3] * 2)
    assert p.grad._version == 1


@spec("S6.02")
def test_an_existing_gradient_keeps_its_layout_and_a_strange_one_is_told_of_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(accumulate, "_warned", False)
    p = gl.ones(2, 3, requires_grad=True)
    p.grad = gl.zeros(3, 2).t()
    mine = p.grad
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(2):
            p.sum().backward()
    assert p.grad is mine and strides(p.grad) == (1, 2)
    (text,) = (str(each.message) for each in caught)
    assert "layout contract" in text
    assert "[2, 3]" in text and "[3, 1]" in text and "[1, 2]" in text


@spec("S6.41")
def test_a_gradient_that_was_passed_in_is_never_changed() -> None:
    a = gl.ones(2, requires_grad=True)
    g1, g2 = gl.tensor([1.0, 2.0]), gl.tensor([10.0, 20.0])
    x, y, z = a + 0, a + 0, a + 0
    gl.autograd.backward([x, y, z], [g1, g2, g1])
    assert a.grad.tolist() == [12.0, 24.0]
    a.grad.add_(100)
    assert (g1.tolist(), g2.tolist()) == ([1.0, 2.0], [10.0, 20.0])
    b = gl.ones(2, requires_grad=True)
    b.backward(g1)
    b.grad.add_(1)
    assert g1.tolist() == [1.0, 2.0]


@spec("S6.42")
def test_a_gradient_gets_the_dtype_of_its_leaf() -> None:
    a = gl.ones(2, requires_grad=True)
    (a.double() * 2).sum().backward()
    assert a.grad.dtype is gl.float32
    (a * gl.ones(2, dtype=gl.float64)).sum().backward()
    assert a.grad.tolist() == [3.0, 3.0]


@spec("S6.42")
def test_a_gradient_set_by_hand_is_checked() -> None:
    a = gl.ones(2, requires_grad=True)
    texts = []
    for wrong, error in (
        (1, TypeError),
        (a, RuntimeError),
        (gl.ones(3), RuntimeError),
        (gl.ones(2, dtype=gl.float64), RuntimeError),
    ):
        with pytest.raises(error) as caught:
            a.grad = wrong
        texts.append(str(caught.value))
    assert len(set(texts)) == 4
    a.grad = g = gl.ones(2)
    assert a.grad is g
    a.grad = None
    assert a.grad is None
    a.grad = g
    del a.grad
    assert a.grad is None


@spec("S6.43")
def test_backward_with_create_graph_warns_once_of_the_cycle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(differentiate, "_warned", False)
    a = gl.ones(2, requires_grad=True)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        gl.autograd.grad((a * a).sum(), a, create_graph=True)
        assert not caught
        for _ in range(2):
            (a * a).sum().backward(create_graph=True)
    assert ["create_graph=True" in str(each.message) for each in caught] == [True]
    assert caught[0].filename == __file__
    a.grad = None
    gc.collect()


@spec("S6.44")
def test_a_gradient_that_is_not_there_leaves_the_leaf_alone() -> None:
    a = gl.ones(2, requires_grad=True)
    a.register_hook(pytest.fail)
    a.register_post_accumulate_grad_hook(pytest.fail)
    run(a, lambda: None)
    assert a.grad is None
    a.grad = g = gl.ones(2)
    run(a, lambda: None)
    assert a.grad is g and g.tolist() == [1.0, 1.0]


def test_an_array_is_accumulated_without_the_engine() -> None:
    leaf, gradient = gl.zeros(2, requires_grad=True), np.ones(2, np.float32)
    accumulate_grad(leaf, gradient)
    accumulate_grad(leaf, gradient)
    assert leaf.grad.tolist() == [2.0, 2.0]
    assert gradient.tolist() == [1.0, 1.0]


def test_threads_that_accumulate_in_one_leaf_lose_nothing() -> None:
    leaf = gl.zeros(200_000, requires_grad=True)
    gradient = np.ones(200_000, np.float32)

    def work() -> None:
        for _ in range(25):
            accumulate_grad(leaf, gradient)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (leaf.grad == 100.0).all()


def test_a_gradient_of_another_shape_is_refused() -> None:
    leaf = gl.zeros(2, 3, requires_grad=True)
    with pytest.raises(RuntimeError, match=r"shape \[2, 3\] was given a gradient of shape \[3\]"):
        run(leaf, lambda: gl.ones(3))
    assert leaf.grad is None
