"""Running backward passes: order, sums, what is freed, double backward, and what `grad` and `backward` refuse."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift.autograd import engine, graph

spec = pytest.mark.spec
grad = gl.autograd.grad


def test_gradients_of_several_paths_are_added() -> None:
    x = gl.tensor([2.0, 3.0], requires_grad=True)
    y = x * x
    (y * x + y + x).sum().backward()
    assert x.grad.tolist() == [17.0, 34.0]


def test_the_node_made_last_runs_first() -> None:
    order = []
    x = gl.ones(1, requires_grad=True)
    nodes = [x * 1.0 for _ in range(4)]
    total = nodes[2] + nodes[0] + nodes[3] + nodes[1]
    for number, node in enumerate(nodes):
        node.grad_fn.register_prehook(lambda grads, number=number: order.append(number))
    total.sum().backward()
    assert order == [3, 2, 1, 0]


def test_the_order_of_summation_is_that_of_the_nodes() -> None:
    parts = np.float32([1e8, 1.0, -1e8, 1.0])
    x = gl.zeros(1, requires_grad=True)
    total: Any = 0
    for part in parts.tolist():
        total = total + x * part
    total.sum().backward()
    expected = np.float32(0)
    for part in parts[::-1]:
        expected = np.float32(expected + part)
    assert x.grad.tolist() == [float(expected)]


@pytest.mark.slow
def test_a_chain_of_a_hundred_thousand_nodes_neither_recurses_nor_leaks() -> None:
    x = gl.ones(1, requires_grad=True)
    y = x
    for _ in range(100_000):
        y = y + 0.0
    first = weakref.ref(y.grad_fn)
    y.sum().backward()
    assert x.grad.tolist() == [1.0]
    del y
    assert first() is None


def test_saved_values_are_freed_as_the_pass_goes_on() -> None:
    x = gl.ones(4, requires_grad=True)
    hidden = x.exp()
    memory = weakref.ref(hidden._storage)
    alive = []
    x.register_hook(lambda g: alive.append(memory() is not None))
    total = hidden.sum()
    del hidden
    total.backward()
    assert alive == [False]


@spec("S0.06")
def test_every_call_has_a_number_of_its_own_while_it_runs() -> None:
    numbers = []
    x = gl.ones(1, requires_grad=True)
    assert engine.current_task() is None

    def hook(g: gl.Tensor) -> None:
        outer = engine.current_task()
        with gl.enable_grad():
            inner_input = gl.ones(1, requires_grad=True)
            inner = inner_input * 2
        inner.register_hook(lambda g: numbers.append(engine.current_task().number))
        grad(inner, inner_input, gl.ones(1))
        assert engine.current_task() is outer
        numbers.append(outer.number)

    y = x * 2
    y.register_hook(hook)
    y.sum().backward()
    assert len(set(numbers)) == 2 and min(numbers) >= 0
    assert engine.current_task() is None


@spec("S0.06")
def test_a_call_knows_which_nodes_it_runs() -> None:
    a, b = gl.ones(1, requires_grad=True), gl.ones(1, requires_grad=True)
    x, y = a * 2, b * 2
    total = x + y
    answers = []
    total.register_hook(lambda g: answers.append([engine.current_task().will_run(t.grad_fn) for t in (x, y)]))
    grad(total, a, gl.ones(1), retain_graph=True)
    total.backward(gl.ones(1))
    assert answers == [[True, False], [True, True]]


@spec("S4.61")
def test_the_node_about_to_run_is_known_to_hooks() -> None:
    x = gl.ones(1, requires_grad=True)
    y = x * 2
    seen = []
    y.register_hook(lambda g: seen.append(engine.current_task().current))
    node = y.grad_fn
    y.sum().backward()
    assert seen == [node]


def test_a_pass_that_fails_leaves_the_modes_as_they_were() -> None:
    x = gl.ones(1, requires_grad=True)
    y = x * 2

    def fail(g: gl.Tensor) -> None:
        raise KeyError("mine")

    y.register_hook(fail)
    with pytest.raises(KeyError, match="mine"):
        y.sum().backward()
    assert gl.autograd.is_grad_enabled()
    assert engine.current_task() is None


def test_double_backward_gives_second_derivatives() -> None:
    x = gl.tensor([0.5, 1.5], dtype=gl.float64, requires_grad=True)
    y = (x.exp() * x.sin() + (x**3).tanh()).sum()
    (first,) = grad(y, x, create_graph=True)
    (second,) = grad(first.sum(), x)
    step = 1e-6

    def slope(value: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        t = value**3
        return np.exp(value) * (np.sin(value) + np.cos(value)) + (1 - np.tanh(t) ** 2) * 3 * value**2

    at = np.array([0.5, 1.5])
    np.testing.assert_allclose(first.detach().numpy(), slope(at), rtol=1e-12)
    np.testing.assert_allclose(second.numpy(), (slope(at + step) - slope(at - step)) / (2 * step), rtol=1e-7)


def test_grad_gives_gradients_and_leaves_leaves_alone() -> None:
    a, b = gl.tensor([2.0], requires_grad=True), gl.tensor([3.0], requires_grad=True)
    c = a * b
    found = grad(c * 2, (a, c, b), gl.ones(1))
    assert [each.tolist() for each in found] == [[6.0], [2.0], [4.0]]
    assert a.grad is None and b.grad is None


def test_what_grad_was_not_asked_for_is_not_computed() -> None:
    a, b = gl.ones(1, requires_grad=True), gl.ones(1, requires_grad=True)
    x, y = a * 2, b * 3
    y.grad_fn.register_prehook(lambda grads: pytest.fail())
    (found,) = grad((x + y).sum(), a)
    assert found.tolist() == [2.0]


def test_an_unused_input_is_an_error_none_or_zeros() -> None:
    a, b = gl.ones(2, requires_grad=True), gl.ones(2, requires_grad=True)
    y = (a * 2).sum()
    with pytest.raises(
        RuntimeError, match="Tensor at index 1 appears to not have been used in the graph.*allow_unused"
    ):
        grad(y, (a, b), retain_graph=True)
    assert grad(y, (b,), allow_unused=True, retain_graph=True) == (None,)
    assert grad(y, b, materialize_grads=True)[0].tolist() == [0.0, 0.0]
    with pytest.raises(ValueError, match="allow_unused"):
        grad(y, b, allow_unused=False, materialize_grads=True)


def test_backward_for_some_inputs_fills_only_those() -> None:
    a, b = gl.ones(2, requires_grad=True), gl.ones(2, requires_grad=True)
    c = a * b
    c.sum().backward(inputs=[a, c])
    assert (a.grad.tolist(), c.grad.tolist(), b.grad) == ([1.0, 1.0], [1.0, 1.0], None)
    with pytest.raises(RuntimeError, match="cannot be empty"):
        (a * 2).sum().backward(inputs=[])


def test_calls_that_cannot_be_served_say_why() -> None:
    a = gl.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError, match="grad can be implicitly created only for scalar outputs"):
        (a * 2).backward()
    with pytest.raises(RuntimeError, match="element 0 of tensors does not require grad and does not have a grad_fn"):
        gl.ones(1).backward()
    with pytest.raises(RuntimeError, match=r"Mismatch in shape: grad_output\[0\] has a shape of \[3\].*\[2\]"):
        (a * 2).backward(gl.ones(3))
    with pytest.raises(RuntimeError, match="does not require grad"):
        grad((a * 2).sum(), gl.ones(2))
    with pytest.raises(TypeError, match="got int"):
        (a * 2).backward(1)
    with pytest.raises(RuntimeError, match="2 gradients"):
        gl.autograd.backward([a * 2], [gl.ones(2), gl.ones(2)])


@spec("S4.20")
def test_an_edge_stands_for_its_tensor() -> None:
    a = gl.tensor([2.0], requires_grad=True)
    b = a * a
    edge = graph.get_gradient_edge(b)
    loss = b * 3
    (by_edge,) = grad(loss, edge, gl.ones(1), retain_graph=True)
    (by_tensor,) = grad(loss, b, gl.ones(1), retain_graph=True)
    assert by_edge.tolist() == by_tensor.tolist() == [3.0]
    assert grad(edge, a, gl.ones(1), retain_graph=True)[0].tolist() == [4.0]
    gl.autograd.backward(edge, gl.ones(1))
    assert a.grad.tolist() == [4.0]
    leaf_edge = graph.get_gradient_edge(a)
    assert leaf_edge.node.variable is a and leaf_edge.output_nr == 0
    with pytest.raises(RuntimeError, match="not require grad"):
        graph.get_gradient_edge(gl.ones(1))


def test_a_graph_is_freed_with_its_output() -> None:
    gc.collect()
    gc.disable()
    try:
        x = gl.ones(3, requires_grad=True)
        y = (x.exp() * x.sigmoid()).log_softmax(0).sum()
        node = weakref.ref(y.grad_fn)
        del y
        assert node() is None
    finally:
        gc.enable()


def test_training_steps_leave_nothing_for_the_garbage_collector() -> None:
    functional = gl.nn.functional
    weight, bias = gl.ones(4, 3, requires_grad=True), gl.zeros(4, requires_grad=True)
    inputs, targets = gl.arange(15.0).reshape(5, 3) / 7, gl.tensor([0, 1, 2, 3, 0])

    def step() -> None:
        hidden = functional.linear(inputs, weight, bias).tanh() * 2
        hidden[0].mul_(0.5)
        functional.cross_entropy(hidden.softmax(1), targets).backward()
        with gl.no_grad():
            for parameter in (weight, bias):
                parameter.sub_(parameter.grad * 0.1)
                parameter.grad = None

    step()
    gc.collect()
    gc.disable()
    try:
        before = len(gc.get_objects())
        for _ in range(50):
            step()
        assert len(gc.get_objects()) - before < 25
    finally:
        gc.enable()


def test_the_gradient_of_a_result_by_itself_is_nobody_elses() -> None:
    """The gradient that a hook, a leaf or `retain_grad` gets may be written, and the next pass begins with 1 again."""
    for _ in range(2):
        x = gl.tensor(3.0, requires_grad=True)
        x.backward()
        assert x.grad is not None and x.grad.item() == 1.0
        x.grad.add_(5)
        y = x * 2
        y.retain_grad()
        y.register_hook(lambda g: g.mul_(4))
        y.backward()
        assert y.grad is not None and y.grad.item() == 4.0
        y.grad.zero_()
        assert x.grad.item() == 6.0 + 8.0
    one = gl.ones(1, 1, requires_grad=True)
    (same,) = gl.autograd.grad(one, one)
    assert same.shape == (1, 1) and same.add_(1).item() == 2.0
    (doubled,) = gl.autograd.grad(one * 2, one, create_graph=True)
    assert doubled.item() == 2.0


def test_a_saved_result_that_gets_hooks_later_keeps_its_number() -> None:
    x = gl.ones(3, requires_grad=True)
    plain, hooked = x.exp(), x.exp()
    hooked.grad_fn._raw_saved_result.register_hooks(lambda t: t.clone(), lambda t: t)  # type: ignore[union-attr]
    for y in (plain, hooked):
        saved = y.grad_fn._saved_result  # type: ignore[union-attr]
        assert saved.grad_fn is y.grad_fn and saved.requires_grad and saved.output_nr == 0
        assert y.grad_fn._raw_saved_result.requires_grad  # type: ignore[union-attr]
        (first,) = gl.autograd.grad(y.sum(), x, create_graph=True)
        (second,) = gl.autograd.grad(first.sum(), x)
        assert gl.allclose(second, y)
