"""Memory that a graph keeps dies with the graph, by reference counting alone."""

from __future__ import annotations

import gc
import tracemalloc
import warnings
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift import nn
from guardlift.autograd import graph
from guardlift.autograd.node import Node
from guardlift.autograd.saved import SavedTensor

spec = pytest.mark.spec
hooks = graph.saved_tensors_hooks
ROWS, COLUMNS = 8, 8192
NBYTES = ROWS * COLUMNS * 4
"""The bytes of one saved tensor: far more than what Python's free lists may grow by."""


@pytest.fixture(autouse=True)
def _no_collector() -> Iterator[None]:
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def leaf() -> gl.Tensor:
    return gl.ones(ROWS, COLUMNS, requires_grad=True)


# -- shapes of graphs: each gives whatever holds the graph -------------------------------------------------------------
def chain(x: gl.Tensor) -> Any:
    for _ in range(10):
        x = (x * 1.01 + 0.1).sin()
    return x.sum()


def diamond(x: gl.Tensor) -> Any:
    left, right = x.sin(), x.cos()
    return (left * right + left / (right + 3.0)).sum()


def views(x: gl.Tensor) -> Any:
    y = x * 2.0
    part = y[1:].t()[2:].t()
    flat = y.reshape(-1)[ROWS:].reshape(ROWS, COLUMNS - 1)
    return (part * part.sum()).sum() + (flat * flat).sum()


def written(x: gl.Tensor) -> Any:
    y = x * 2.0
    y.mul_(y.detach().clone()).add_(1.0).exp_()
    return (y * y).sum()


def written_through_views(x: gl.Tensor) -> Any:
    y = x * 2.0
    row, corner = y[0], y[1:, 1:]
    row.mul_(row.detach().clone())
    corner[2:].mul_(corner[2:].detach().clone())
    y[3] = y[4].detach() * 2.0
    row.tanh_()
    return (y * corner.sum()).sum(), row, corner


def written_and_kept_by_the_view(x: gl.Tensor) -> Any:
    row = (x * 2.0)[0]
    row.exp_()
    return row


def own_outputs(x: gl.Tensor) -> Any:
    return x.exp(), x.tanh(), x.sigmoid(), x.softmax(1), x.log_softmax(1), (x + 2.0).sqrt(), x.relu()


def several_outputs(x: gl.Tensor) -> Any:
    parts = (x * 1.0).unbind(0)
    return sum((part * part).sum() for part in parts), (x * x).max(), x.amax(1)


def layers(x: gl.Tensor) -> Any:
    model = nn.Sequential(nn.LayerNorm(COLUMNS), nn.ReLU(), nn.Linear(COLUMNS, 8), nn.Tanh(), nn.Linear(8, 3))
    return nn.functional.cross_entropy(model(x), gl.zeros(ROWS, dtype=gl.int64))


def retaining(x: gl.Tensor) -> Any:
    y = x.exp()
    y.retain_grad()
    row = y[0]
    row.retain_grad()
    loss = (y * row).sum()
    loss.backward(retain_graph=True)
    return loss, y, row


def with_tensor_hooks(x: gl.Tensor) -> Any:
    y = x.exp()
    y.register_hook(lambda g: g * 2.0)
    y.grad_fn.register_hook(lambda grad_inputs, grad_outputs: None)
    y.grad_fn.register_prehook(lambda grad_outputs: None)
    x.register_hook(lambda g: g)
    loss = (y * y).sum()
    loss.backward(retain_graph=True)
    return loss


def after_backward(x: gl.Tensor) -> Any:
    loss = x.exp().sum()
    loss.backward()
    return loss


def of_a_gradient(x: gl.Tensor) -> Any:
    y = (x.exp() * x.tanh()).sum()
    (first,) = gl.autograd.grad(y, x, create_graph=True)
    (second,) = gl.autograd.grad(first.sum(), x, create_graph=True)
    return y, first, second


def looked_at(x: gl.Tensor) -> Any:
    y = x.exp()
    first = y.grad_fn._saved_result
    assert y.grad_fn._raw_saved_result is not None and str(graph.list_saved_tensors(y)) and y.grad_fn.metadata == {}
    return y, first


FAST = gl.jit(lambda x: (x.exp() * x).sum(), fullgraph=True)


def jitted(x: gl.Tensor) -> Any:
    return FAST(x)


def failed(x: gl.Tensor) -> Any:
    y = x * 1.0
    z = y * y
    y.add_(1.0)
    try:
        z.sum().backward()
    except RuntimeError as error:
        assert "modified" in str(error)
    return z


SHAPES = [
    chain, diamond, views, written, written_through_views, written_and_kept_by_the_view, own_outputs, several_outputs,
    layers, retaining, with_tensor_hooks, after_backward, of_a_gradient, looked_at, jitted, failed,
]  # fmt: skip


# -- ways to keep what is saved ----------------------------------------------------------------------------------------
def same(value: Any) -> Any:
    return value


def copied(tensor: gl.Tensor) -> gl.Tensor:
    return tensor.detach().clone()


def told(tensor: gl.Tensor, info: graph.SaveInfo) -> Any:
    return tensor.detach().numpy().copy(), info, info.user_line


class Nothing:
    def __enter__(self) -> None:
        pass

    def __exit__(self, *_error: object) -> None:
        pass


class Composed:
    """Three pairs, one inside the other."""

    def __enter__(self) -> None:
        self.pairs = [hooks(copied, same), hooks(copied, same, compose=True), hooks(same, same, compose=True)]
        for each in self.pairs:
            each.__enter__()

    def __exit__(self, *_error: object) -> None:
        for each in reversed(self.pairs):
            each.__exit__()


WAYS: dict[str, Callable[[], Any]] = {
    "no hooks": Nothing,
    "copies": lambda: hooks(copied, same),
    "the tensor itself": lambda: hooks(same, same),
    "told": lambda: hooks(told, lambda packed: gl.from_numpy(packed[0])),
    "checked": lambda: hooks(copied, same, check=True),
    "the tensor itself, checked": lambda: hooks(same, same, check=True),
    "composed": Composed,
}


def nodes_of(held: Any) -> list[Node]:
    """The nodes behind the tensors in `held`, accumulators of leaves left out."""
    found: set[Node] = set()
    waiting = [each.grad_fn for each in held if each.grad_fn is not None]
    while waiting:
        node = waiting.pop()
        if node not in found and node.next_functions:
            found.add(node)
            waiting += [each for each, _ in node.next_functions if each is not None]
    return list(found)


def arrays_of(nodes: list[Node], but: gl.Tensor) -> list[np.ndarray[Any, Any]]:
    """The memory of what the nodes saved as it is, but for that of one tensor."""
    kept = [getattr(node, "saved", ()) for node in nodes]
    records = [each for saved in kept for each in (saved.values() if isinstance(saved, dict) else saved)]
    tensors = [each._tensor for each in records if isinstance(each, SavedTensor)]
    return [each._storage for each in tensors if each is not None and each._storage is not but._storage]


@spec("S1.05")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
def test_nodes_and_saved_memory_go_with_the_last_tensor_of_the_graph(shape: Any, way: str) -> None:
    x = leaf()
    shape(x)  # what is made once in a process is made now
    with WAYS[way]():
        held = shape(x)
    held = held if isinstance(held, tuple) else (held,)
    nodes = nodes_of(held)
    watched = [weakref.ref(each) for each in (*nodes, *arrays_of(nodes, x))]
    assert watched
    del nodes, held
    assert [reference() for reference in watched if reference() is not None] == []


@spec("S1.05")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
def test_the_bytes_in_use_are_those_of_before(shape: Any, way: str) -> None:
    x = leaf()
    for _ in range(2):  # what is made once in a process is made now
        with WAYS[way]():
            shape(x)
    x.grad = None
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(3):
            with WAYS[way]():
                held = shape(x)
            del held
        x.grad = None
        left = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert left < NBYTES // 2


@spec("S1.12", "S10.03", "S10.05")
@pytest.mark.parametrize("way", [way for way in WAYS if way != "no hooks"])
@pytest.mark.parametrize("shape", [each for each in SHAPES if each not in (after_backward, failed)])
def test_hooks_that_give_back_what_they_got_change_no_gradient(shape: Any, way: str) -> None:
    gradients = []
    for context in (Nothing, WAYS[way]):
        gl.manual_seed(0)
        x = gl.tensor(np.linspace(0, 1, ROWS * COLUMNS, dtype=np.float32).reshape(ROWS, COLUMNS), requires_grad=True)
        with context():
            held = shape(x)
        held = held if isinstance(held, tuple) else (held,)
        gradients.append(gl.autograd.grad(sum(each.sum() for each in held), x)[0].numpy())
    np.testing.assert_array_equal(gradients[1], gradients[0])


@spec("S1.05")
def test_a_gradient_kept_in_the_leaf_with_its_history_is_the_one_exception() -> None:
    x = leaf()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it is given once in a process
        (x * x).sum().backward(create_graph=True)
    node = weakref.ref(x.grad.grad_fn)
    of_leaf = weakref.ref(x)
    del x
    assert of_leaf() is not None and node() is not None  # leaf -> grad -> node -> leaf
    of_leaf().grad = None
    assert of_leaf() is None and node() is None
