"""Hooks on tensors and nodes: which run, in what order, and what they may change."""

from __future__ import annotations

import gc
import threading
import weakref
from typing import Any

import pytest

import guardlift as gl
from guardlift.autograd import Node, graph

spec = pytest.mark.spec
grad = gl.autograd.grad


class Doubling(Node):
    """A node of the test's own with two outputs, the first of which alone has a gradient for the input."""

    __slots__ = ()
    outputs = 2

    def apply(self, gradients: Any) -> Any:
        first, _ = gradients
        return (None if first is None else first * 2,)


@spec("S4.01")
def test_next_functions_name_the_node_of_each_input() -> None:
    x, y = gl.ones(2, requires_grad=True), gl.ones(2, requires_grad=True)
    (first, number), (second, other) = (x + y).grad_fn.next_functions
    assert (first.variable, number, second.variable, other) == (x, 0, y, 0)
    a = x * 2
    assert (a + 5).grad_fn.next_functions == ((a.grad_fn, 0), (None, 0))
    assert isinstance(a.grad_fn, graph.Node)
    a.grad_fn.metadata["mine"] = 1
    assert a.grad_fn.metadata == {"mine": 1}
    with pytest.raises(TypeError, match="abstract"):
        Node(())


@spec("S4.02")
def test_nodes_bear_pytorchs_names() -> None:
    x = gl.ones(2, 2, requires_grad=True)
    found = [each.grad_fn.name() for each in (x.exp(), x + x, x * x, x @ x, x.sum(), x.mean(), x.log_softmax(0), x**2)]
    found.append(x.clone().grad_fn.name())
    assert found == [
        "ExpBackward0",
        "AddBackward0",
        "MulBackward0",
        "MmBackward0",
        "SumBackward0",
        "MeanBackward0",
        "LogSoftmaxBackward0",
        "PowBackward0",
        "CloneBackward0",
    ]
    accumulator = x.exp().grad_fn.next_functions[0][0]
    assert "AccumulateGrad" in accumulator.name()
    assert accumulator.variable is x and accumulator.next_functions == ()


@spec("S4.03")
def test_prehooks_change_what_a_node_gets_and_posthooks_see_both() -> None:
    a = gl.ones(1, requires_grad=True)
    b = a * 2
    seen = []
    for _ in range(3):
        b.grad_fn.register_prehook(lambda grads: (grads[0] * 2,))
    b.grad_fn.register_hook(lambda inputs, outputs: seen.append((inputs[0].item(), outputs[0].item())))
    b.sum().backward()
    assert seen == [(16.0, 8.0)]
    assert a.grad.tolist() == [16.0]


@spec("S4.03")
def test_a_posthook_replaces_what_its_node_gives() -> None:
    a = gl.ones(1, requires_grad=True)
    b = a * 2
    b.grad_fn.register_hook(lambda inputs, outputs: (inputs[0] * 10, None))
    b.sum().backward()
    assert a.grad.tolist() == [20.0]


@spec("S4.03")
@pytest.mark.parametrize("kind", ["register_prehook", "register_hook"])
def test_a_node_hook_that_gives_another_number_of_gradients_is_told(kind: str) -> None:
    b = gl.ones(1, requires_grad=True) * 2
    getattr(b.grad_fn, kind)(lambda *_: (None, None, None))
    with pytest.raises(RuntimeError, match=r"got 3, expected [12]"):
        b.sum().backward()


@spec("S4.03")
def test_the_accumulators_posthook_sees_no_grad_inputs() -> None:
    a = gl.ones(1, requires_grad=True)
    b = a + 1
    seen = []
    b.grad_fn.next_functions[0][0].register_hook(lambda inputs, outputs: seen.append((inputs, outputs[0].item())))
    b.sum().backward()
    assert seen == [((), 1.0)]


@spec("S4.04")
def test_a_handle_removes_once_and_a_running_list_is_not_shortened() -> None:
    a = gl.ones(1, requires_grad=True)
    b = a * 2
    log = []
    handles: list[Any] = []

    def first(grads: Any) -> None:
        log.append("first")
        handles[1].remove()

    handles += [b.grad_fn.register_prehook(first), b.grad_fn.register_prehook(lambda grads: log.append("second"))]
    b.sum().backward(retain_graph=True)
    b.sum().backward()
    assert log == ["first", "second", "first"]
    handles[0].remove()
    handles[0].remove()
    with a.register_hook(lambda g: pytest.fail()):
        pass
    (a * 2).sum().backward()


@spec("S4.05")
def test_a_tensor_hook_changes_the_gradient_or_leaves_it() -> None:
    a = gl.ones(2, requires_grad=True)
    a.register_hook(lambda g: g * 3)
    a.register_hook(lambda g: None)
    (a * 2).sum().backward()
    assert a.grad.tolist() == [6.0, 6.0]
    with pytest.raises(RuntimeError, match="doesn't require grad"):
        gl.ones(1).register_hook(lambda g: None)


@spec("S4.05")
def test_a_tensor_hook_that_gives_something_else_is_told() -> None:
    for answer, error in ((1, TypeError), (gl.ones(3), RuntimeError)):
        a = gl.ones(2, requires_grad=True)
        a.register_hook(lambda g, answer=answer: answer)
        with pytest.raises(error):
            (a * 2).sum().backward()


@spec("S4.05")
def test_hooks_registered_before_an_in_place_operation_stay_with_the_old_value() -> None:
    log = []
    a = gl.ones(1, requires_grad=True)
    b = a * 1
    b.register_hook(lambda g: log.append(("old", g.item())))
    b.mul_(2)
    b.register_hook(lambda g: log.append(("new", g.item())))
    b.sum().backward()
    assert log == [("new", 1.0), ("old", 2.0)]


@spec("S0.01")
def test_hooks_of_a_leaf_outlive_its_accumulator() -> None:
    log = []
    a = gl.ones(1, requires_grad=True)
    b = a * 2
    accumulator = weakref.ref(b.grad_fn.next_functions[0][0])
    a.register_hook(lambda g: log.append("gradient"))
    a.register_post_accumulate_grad_hook(lambda leaf: log.append("accumulated"))
    del b
    gc.collect()
    assert accumulator() is None
    (a * 3).sum().backward()
    assert log == ["gradient", "accumulated"]


@spec("S4.06")
def test_post_accumulate_hooks_run_after_the_update_and_return_nothing() -> None:
    a = gl.ones(1, requires_grad=True)
    seen = []
    a.register_post_accumulate_grad_hook(lambda leaf: seen.append((leaf is a, leaf.grad.item())))
    (a * 2).sum().backward()
    (a * 3).sum().backward()
    assert seen == [(True, 2.0), (True, 5.0)]
    with pytest.raises(RuntimeError, match="non-leaf"):
        (a * 2).register_post_accumulate_grad_hook(print)
    with pytest.raises(RuntimeError, match="doesn't require grad"):
        gl.ones(1).register_post_accumulate_grad_hook(print)
    a.register_post_accumulate_grad_hook(lambda leaf: leaf)
    with pytest.raises(RuntimeError, match="should return None"):
        (a * 2).sum().backward()


@spec("S4.06")
def test_a_post_accumulate_hook_lives_as_long_as_its_leaf() -> None:
    class Hook:
        def __call__(self, leaf: gl.Tensor) -> None:
            pass

    hook = Hook()
    reference = weakref.ref(hook)
    a = gl.ones(1, requires_grad=True)
    a.register_post_accumulate_grad_hook(hook)
    del hook
    assert reference() is not None
    del a
    gc.collect()
    assert reference() is None


@spec("S4.07")
def test_the_hooks_of_a_leaf_run_in_their_order() -> None:
    a = gl.zeros(1, requires_grad=True)
    b = a + 1
    accumulator = b.grad_fn.next_functions[0][0]
    accumulator.register_hook(lambda inputs, outputs: outputs[0].mul_(10) and None)
    a.register_post_accumulate_grad_hook(lambda leaf: leaf.grad.add_(0.5) and None)
    accumulator.register_prehook(lambda grads: (grads[0] / 5,))
    a.register_hook(lambda g: g - 2)
    b.sum().backward()
    assert a.grad.tolist() == pytest.approx([3.0])


@spec("S4.08")
def test_retain_grad_gives_the_gradient_after_all_tensor_hooks() -> None:
    a = gl.ones(1, requires_grad=True)
    b = a * 1
    b.register_hook(lambda g: g * 2)
    b.retain_grad()
    b.retain_grad()
    b.register_hook(lambda g: g * 2)
    b.grad_fn.register_prehook(lambda grads: (grads[0] * 100,))
    b.sum().backward(retain_graph=True)
    assert b.retains_grad and not a.retains_grad
    assert b.grad.tolist() == [4.0]
    b.sum().backward()
    assert b.grad.tolist() == [8.0]
    a.retain_grad()
    with pytest.raises(RuntimeError, match="requires_grad=False"):
        gl.ones(1).retain_grad()


@spec("S4.09")
@pytest.mark.parametrize(
    ("run", "counts"),
    [
        (lambda c, a, b: grad(c, (b,)), {"b": 1}),
        (lambda c, a, b: grad(c, (a, b)), {"b": 1, "b pre": 1, "b post": 1, "a": 1}),
        (lambda c, a, b: c.backward(inputs=(a, b)), {"b": 1, "b pre": 1, "b post": 1, "a": 1, "a pre": 1, "a post": 1}),
        (lambda c, a, b: c.backward(), {"b": 1, "b pre": 1, "b post": 1, "a": 1, "a pre": 1, "a post": 1}),
    ],
)
def test_only_hooks_on_the_way_to_what_is_asked_run(run: Any, counts: dict[str, int]) -> None:
    a = gl.ones(1, requires_grad=True)
    b = a * 2
    c = b.sum()
    found: dict[str, int] = {}

    def count(name: str) -> Any:
        def hook(*_: object) -> None:
            found[name] = found.get(name, 0) + 1

        return hook

    accumulator = b.grad_fn.next_functions[0][0]
    for tensor, node, name in ((a, accumulator, "a"), (b, b.grad_fn, "b")):
        tensor.register_hook(count(name))
        node.register_prehook(count(name + " pre"))
        node.register_hook(count(name + " post"))
    run(c, a, b)
    assert found == counts


@spec("S4.10", "S6.44")
def test_a_gradient_that_is_not_there_calls_no_tensor_hooks() -> None:
    a = gl.ones(1, requires_grad=True)
    seen = []
    node = Doubling(gl.autograd.edges_of([a]))
    unused = gl.autograd.attach(gl.ones(1), node, 1)
    a.register_hook(pytest.fail)
    a.register_post_accumulate_grad_hook(pytest.fail)
    node.register_hook(lambda inputs, outputs: seen.append((inputs, outputs[0])))
    unused.sum().backward()
    assert a.grad is None
    assert seen == [((None,), None)]


@spec("S4.12")
def test_a_hook_that_holds_its_own_node_is_collected_with_it() -> None:
    a = gl.ones(1, requires_grad=True)
    b = a * 2
    node = b.grad_fn
    node.register_hook(lambda inputs, outputs, node=node: None)
    reference = weakref.ref(node)
    del node
    gc.collect()
    assert reference() is not None
    del b
    gc.collect()
    assert reference() is None


@spec("S1.06", "S4.20")
def test_the_output_number_of_a_second_output_is_kept() -> None:
    a = gl.ones(1, requires_grad=True)
    node = Doubling(gl.autograd.edges_of([a]))
    first, second = (gl.autograd.attach(gl.ones(1), node, number) for number in (0, 1))
    with graph.saved_tensors_hooks(lambda t: t, lambda t: t):
        saved = (second * second).grad_fn._saved_self
    assert (saved.grad_fn, saved.output_nr) == (node, 1)
    assert tuple(graph.get_gradient_edge(second))[:2] == (node, 1)
    (first + second).sum().backward()
    assert a.grad.tolist() == [2.0]


def test_a_leaf_whose_last_hook_was_taken_out_has_none_and_takes_new_ones() -> None:
    leaf = gl.ones(2, requires_grad=True)
    first = leaf.register_hook(lambda g: g * 2)
    second = leaf.register_post_accumulate_grad_hook(lambda p: None)
    first.remove()
    assert leaf._hooks is not None
    second.remove()
    assert leaf._hooks is None
    leaf.register_hook(lambda g: g * 3)
    first.remove()
    leaf.sum().backward()
    assert leaf.grad.tolist() == [3.0, 3.0]


def test_hooks_that_threads_register_and_take_out_are_all_there_or_gone() -> None:
    leaf = gl.ones(2, requires_grad=True)

    def come_and_go() -> None:
        for _ in range(300):
            leaf.register_hook(lambda g: None).remove()

    def come() -> None:
        for _ in range(100):
            leaf.register_hook(lambda g: None)

    threads = [threading.Thread(target=target) for target in (come_and_go, come, come_and_go, come)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(leaf._hooks.gradient) == 200
