"""Random programs run backwards in every way: unseen, seen by hooks, recorded, and by an engine of a few lines."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift.autograd import Node
from guardlift.autograd.accumulate import AccumulateGrad
from guardlift.autograd.edges import edge_of
from guardlift.autograd.node import reached
from guardlift.autograd.op_node import OpNode

SHAPES = [(), (1,), (3,), (1, 3), (4, 3), (4, 1), (2, 4, 3)]


class Halves(gl.autograd.Function):
    """A node that takes tensors and has two outputs."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x * 0.5, x * 0.25

    @staticmethod
    def backward(ctx: Any, g: Any, h: Any) -> Any:
        return g * 0.5 + h * 0.25


STEPS: list[Callable[[Any, Any], Any]] = [
    lambda a, b: a + b,
    lambda a, b: a - b,
    lambda a, b: a * b,
    lambda a, b: a / (b * b + 1),
    lambda a, b: a * a,
    lambda a, b: 2.5 - a,
    lambda a, b: (a * 0.1).exp(),
    lambda a, b: a.sin().unsqueeze(0),
    lambda a, b: gl.maximum(a, b),
    lambda a, b: gl.where(a > b, a, b),
    lambda a, b: a.t() if a.ndim == 2 else a.sum(),
    lambda a, b: a.sum(-1, keepdim=True) if a.ndim else a,
    lambda a, b: a.reshape(-1)[1:] if a.numel() > 1 else a.clone(),
    lambda a, b: (a.reshape(-1, 1) * 1).mul_(0.5),
    lambda a, b: (a.to(gl.float64) * 1.1).to(a.dtype),
    lambda a, b: Halves.apply(a)[random.Random(a.numel()).randint(0, 1)],
    lambda a, b: gl.cat([each.reshape(-1) for each in (a, b, a)]),
]


def program(seed: int) -> tuple[list[gl.Tensor], list[gl.Tensor], list[gl.Tensor]]:
    """Leaves, outputs and their gradients."""
    rng, numbers = random.Random(seed), np.random.default_rng(seed)

    def some(shape: tuple[int, ...]) -> gl.Tensor:
        return gl.from_numpy(np.asarray(numbers.uniform(0.5, 1.5, shape), np.float32))

    leaves = [some(rng.choice(SHAPES)) for _ in range(3)]
    leaves.append(some((3, 4)).t())
    values = [each.requires_grad_() for each in leaves]
    for _ in range(rng.randint(1, 14)):
        try:
            values.append(rng.choice(STEPS)(rng.choice(values), rng.choice(values)))
        except RuntimeError as error:
            assert "broadcast" in str(error) or "must match" in str(error), error
    outputs = rng.sample(values[4:] or values, min(2, len(values[4:]) or 1))
    return leaves, outputs, [some(tuple(each.shape)) for each in outputs]


def by_hand(roots: list[gl.Tensor], gradients: list[gl.Tensor]) -> tuple[list[Node], dict[Node, np.ndarray]]:
    """The nodes in the order in which they are to run, and the gradient of each leaf by its accumulator."""
    edges = [edge_of(each) for each in roots]
    missing: dict[Any, int] = {}
    inside = [edge for node in reached(node for node, _ in edges) for edge in node.edges]
    for end, _ in [*edges, *inside]:
        missing[end] = missing.get(end, 0) + 1
    waiting: dict[Any, list[Any]] = {node: [None] * node.outputs for node in missing if node is not None}
    ready: list[Node] = []
    order, found = [], {}

    def send(edges: Any, gradients: Any) -> None:
        for (node, number), gradient in zip(edges, gradients, strict=True):
            if node is None:
                continue
            if gradient is not None:
                before = waiting[node][number]
                waiting[node][number] = gradient if before is None else before + gradient
            missing[node] -= 1
            if not missing[node]:
                ready.append(node)

    with gl.no_grad():
        send(edges, gradients)
        while ready:
            node = max(ready, key=lambda each: each.sequence)
            ready.remove(node)
            order.append(node)
            if isinstance(node, AccumulateGrad):
                if waiting[node][0] is not None:
                    found[node] = waiting[node][0].numpy()
            else:
                send(node.edges, node.apply(tuple(waiting[node])))
    return order, found


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Node]]:
    """The nodes that have run, in order."""
    order: list[Node] = []
    for kind, name in ((OpNode, "step"), (Node, "step"), (AccumulateGrad, "accumulate")):
        original = getattr(kind, name)

        def spy(self: Any, cell: Any, original: Any = original) -> Any:
            order.append(self)
            return original(self, cell)

        monkeypatch.setattr(kind, name, spy)
    yield order


def watch_nothing(nodes: list[Node]) -> list[Any]:
    return []


def watch_nodes(nodes: list[Node]) -> list[Any]:
    return [node.register_prehook(lambda gradients: None) for node in nodes]


def watch_results(nodes: list[Node]) -> list[Any]:
    return [node.register_hook(lambda answers, gradients: None) for node in nodes]


def watch_leaves(nodes: list[Node]) -> list[Any]:
    return [node.variable.register_hook(lambda g: None) for node in nodes if isinstance(node, AccumulateGrad)]


WATCHERS = [watch_nothing, watch_nodes, watch_results, watch_leaves]


@pytest.mark.parametrize("block", range(6))
@pytest.mark.parametrize("watch", WATCHERS)
def test_every_way_runs_the_same_nodes_in_the_same_order_to_the_same_bits(
    block: int, watch: Any, ran: list[Node]
) -> None:
    for seed in range(20 * block, 20 * block + 20):
        leaves, outputs, gradients = program(seed)
        nodes = list(reached(edge_of(each)[0] for each in outputs))
        order, expected = by_hand(outputs, gradients)
        handles = watch(nodes)
        for times in (1, 2):
            ran.clear()
            gl.autograd.backward(outputs, gradients, retain_graph=True)
            assert ran == order, seed
            for node, gradient in expected.items():
                leaf = node.variable  # type: ignore[attr-defined]
                np.testing.assert_array_equal(leaf.grad.numpy(), gradient * times, err_msg=str(seed))
                assert leaf.grad.stride() == leaf.stride()
                assert leaf.grad._version == times - 1
        for handle in handles:
            handle.remove()
        inner = [leaf for leaf in leaves if edge_of(leaf)[0] in expected]
        if inner:
            found = gl.autograd.grad(outputs, inner, gradients, retain_graph=True)
            recorded = gl.autograd.grad(outputs, inner, gradients, create_graph=True)
            for leaf, one, other in zip(inner, found, recorded, strict=True):
                gradient = expected[edge_of(leaf)[0]]  # type: ignore[index]
                np.testing.assert_array_equal(one.numpy(), gradient)
                np.testing.assert_array_equal(other.detach().numpy(), gradient)


@pytest.mark.parametrize("watch", WATCHERS)
def test_every_way_frees_the_graph_and_takes_fresh_gradients_over(watch: Any) -> None:
    x, y = gl.ones(3, requires_grad=True), gl.ones(3, requires_grad=True)
    z = (x * y).exp()
    made: list[int] = []
    watch(list(reached([z.grad_fn])))
    (z * 2).sum().backward()
    made += [x.grad.data_ptr(), y.grad.data_ptr()]
    assert x.grad._array.base is None and y.grad._array.base is None and len(set(made)) == 2
    with pytest.raises(RuntimeError, match="second time"):
        z.backward(gl.ones(3))


@pytest.mark.parametrize("watch", WATCHERS)
def test_an_error_leaves_the_same_gradients_behind(watch: Any) -> None:
    class Refuses(gl.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 1

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            raise ValueError("no")

    first, second, third = (gl.ones(2, requires_grad=True) for _ in range(3))
    total = Refuses.apply(first * 2) + second
    total = total * third
    watch(list(reached([total.grad_fn])))
    with pytest.raises(ValueError, match="no"):
        total.sum().backward()
    assert [first.grad, second.grad.tolist(), third.grad.tolist()] == [None, [1.0, 1.0], [3.0, 3.0]]
    assert gl.is_grad_enabled() and gl.autograd.engine.current_task() is None  # type: ignore[attr-defined]


def test_a_gradient_passed_on_to_several_is_one_tensor_and_the_callers_stays_the_callers() -> None:
    x, y = gl.ones(2, requires_grad=True), gl.ones(2, requires_grad=True)
    g = gl.ones(2)
    assert all(each is g for each in gl.autograd.grad(x + y, [x, y], g))
    first, second = gl.autograd.grad((x + y) * 2, [x, y], g)
    assert first is second
    (x + y).backward(g)
    g.fill_(7)
    assert (x.grad.tolist(), y.grad.tolist()) == ([1.0, 1.0], [1.0, 1.0])


def test_leaves_that_are_reached_twice_take_their_first_gradient_over() -> None:
    x = gl.ones(1000, requires_grad=True)
    (x * x).backward(gl.ones(1000))
    assert x.grad._array.base is None and x.grad.tolist() == [2.0] * 1000
