"""Chains of tens of thousands of operations: forward, backward and freeing do not recurse, and need no collector."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref
from collections.abc import Callable, Iterator

import pytest

import guardlift as gl

LENGTH = 40_000
Chain = Callable[[gl.Tensor], gl.Tensor]


def operations(x: gl.Tensor) -> gl.Tensor:
    y = x
    for _ in range(LENGTH):
        y = y * 1.0
    return y


def products(x: gl.Tensor) -> gl.Tensor:
    """Each node saves both operands, of which one is the result before it."""
    y, one = x, gl.ones(1, requires_grad=True)
    for _ in range(LENGTH):
        y = y * one
    return y


def views(x: gl.Tensor) -> gl.Tensor:
    y = x * 1.0
    for _ in range(LENGTH):
        y = y.view(1)
    return y


def views_of_which_the_last_is_written(x: gl.Tensor) -> gl.Tensor:
    base = x * 1.0
    y = base
    for _ in range(LENGTH):
        y = y[:]
    y.mul_(1.0)
    return base


def writes(x: gl.Tensor) -> gl.Tensor:
    y = x * 1.0
    for _ in range(LENGTH):
        y.mul_(1.0)
    return y


def writes_through_a_view(x: gl.Tensor) -> gl.Tensor:
    base = x * 1.0
    part = base[:]
    for _ in range(LENGTH // 4):
        part.mul_(1.0)
    return base


CHAINS = [operations, products, views, views_of_which_the_last_is_written, writes, writes_through_a_view]


@pytest.fixture
def no_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize("chain", CHAINS)
@pytest.mark.slow
def test_backward_goes_through_and_the_graph_is_freed_at_once(chain: Chain, no_collector: None) -> None:
    x = gl.ones(1, requires_grad=True)
    y = chain(x)
    first = weakref.ref(y.grad_fn)
    y.sum().backward()
    assert x.grad.tolist() == [1.0]
    del y
    assert first() is None


@pytest.mark.parametrize("chain", CHAINS)
def test_a_graph_nobody_ran_backward_is_freed_at_once_too(chain: Chain, no_collector: None) -> None:
    x = gl.ones(1, requires_grad=True)
    y = chain(x)
    nodes, node = [], y.grad_fn
    while node is not None and len(nodes) < 1000:
        nodes.append(weakref.ref(node))
        node = node.next_functions[0][0] if node.next_functions else None
    del y, node
    assert {each() for each in nodes} == {None}


def test_double_backward_through_a_long_chain(no_collector: None) -> None:
    x = gl.ones(1, requires_grad=True)
    y = x * x
    for _ in range(LENGTH // 10):
        y = y * 1.0
    (first,) = gl.autograd.grad(y, x, create_graph=True)
    (second,) = gl.autograd.grad(first, x)
    assert second.tolist() == [2.0]


def test_copying_the_end_of_a_long_chain_says_what_copying_of_any_result_says() -> None:
    x = gl.ones(1, requires_grad=True)
    y = operations(x)
    with pytest.raises(RuntimeError, match=r"graph leaves\) support the deepcopy protocol"):
        copy.deepcopy(y)
    with pytest.raises(RuntimeError, match=r"graph leaves\) support the deepcopy protocol"):
        copy.deepcopy({"loss": [y]})


def test_pickle_takes_the_values_and_leaves_the_history() -> None:
    x = gl.ones(1, requires_grad=True)
    y = operations(x)
    again = pickle.loads(pickle.dumps(y))
    assert again.tolist() == [1.0] and again.is_leaf and again.requires_grad
