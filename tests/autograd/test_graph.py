"""The module `autograd.graph`, and the grad modes."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest
from frontend.tensors.scenario import check, leaf

import guardlift as gl
from guardlift.autograd import engine, graph, is_grad_enabled, set_grad_enabled

spec = pytest.mark.spec


def same(value: gl.Tensor) -> gl.Tensor:
    return value


@spec("S4.21")
def test_increment_version_makes_saved_tensors_stale() -> None:
    a, b = gl.ones(1, requires_grad=True), gl.ones(1, requires_grad=True)
    y = a * b
    graph.increment_version(a)
    graph.increment_version([b, b])
    assert (a._version, b._version) == (1, 2)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()


@spec("S4.30")
def test_entering_hooks_while_they_are_disabled_gives_the_message() -> None:
    with graph.disable_saved_tensors_hooks("outer message"):
        with pytest.raises(RuntimeError, match="^outer message$"), graph.saved_tensors_hooks(same, same):
            pass
        with graph.disable_saved_tensors_hooks("inner message"):
            with pytest.raises(RuntimeError, match="^inner message$"), graph.saved_tensors_hooks(same, same):
                pass
        with pytest.raises(RuntimeError, match="^outer message$"), graph.saved_tensors_hooks(same, same):
            pass
    with graph.saved_tensors_hooks(same, same):
        pass


@spec("S4.30")
def test_disabling_while_hooks_are_in_force_gives_the_message_at_once() -> None:
    with graph.saved_tensors_hooks(same, same):
        with pytest.raises(RuntimeError, match="^not now$"), graph.disable_saved_tensors_hooks("not now"):
            pass
    with graph.saved_tensors_hooks(same, same):
        pass


@spec("S4.31")
@pytest.mark.parametrize("pinned", [False, True])
def test_saving_on_the_cpu_changes_no_gradient_and_copies_nothing(pinned: bool) -> None:
    values = np.arange(6.0, dtype=np.float64).reshape(2, 3)
    a, b = gl.tensor(values, requires_grad=True), gl.tensor(values + 1, requires_grad=True)
    with graph.save_on_cpu(pin_memory=pinned) as nothing:
        product = a.T * b.T
        out = product.exp().sum()
    assert nothing is None
    saved = product.grad_fn._saved_self
    assert (saved.data_ptr(), saved.stride(), saved.dtype, saved.shape) == (a.data_ptr(), (1, 3), a.dtype, (3, 2))
    device, kept = graph.save_on_cpu().pack_hook(a.T)
    assert (device, kept.data_ptr(), kept.stride()) == ("cpu", a.data_ptr(), (1, 3))
    out.backward()
    expected = np.exp(values * (values + 1)) * (values + 1)
    np.testing.assert_allclose(a.grad.numpy(), expected, rtol=1e-12)
    assert a.grad.dtype is gl.float64


@spec("S4.31")
def test_saving_on_the_cpu_is_a_pair_of_hooks_like_any() -> None:
    context = graph.save_on_cpu(device_type="cuda")
    assert isinstance(context, graph.saved_tensors_hooks)
    with (
        graph.disable_saved_tensors_hooks("no hooks here"),
        pytest.raises(RuntimeError, match="no hooks here"),
        context,
    ):
        pass
    a = gl.ones(2, requires_grad=True)
    gc.collect()
    gc.disable()
    try:
        with context:
            result = a.exp()  # saved by its own node
        node = weakref.ref(result.grad_fn)
        del result
        assert node() is None
    finally:
        gc.enable()


@spec("S4.31")
def test_a_jitted_function_that_saves_on_the_cpu_gives_the_plain_gradients() -> None:
    def inside(x: Any) -> Any:
        with graph.save_on_cpu():
            y = (x.exp() * x).sum()
        y.backward()
        return y, x.grad

    def around(x: Any) -> Any:
        return (x.exp() * x).sum()

    check(inside, lambda k: (leaf(3, seed=k),), breaks=None)
    plain, jitted = leaf(3), leaf(3)
    for function, x in ((around, plain), (gl.jit(around), jitted)):
        with graph.save_on_cpu():
            y = function(x)
        y.backward()
    np.testing.assert_allclose(jitted.grad.numpy(), plain.grad.numpy(), rtol=1e-6)


@spec("S4.11")
def test_a_posthook_registered_while_its_node_runs_takes_effect_and_sees_no_inputs() -> None:
    seen: list[Any] = []

    def halve(inputs: Any, outputs: Any) -> Any:
        seen.append(([each is not None for each in inputs], outputs))
        return tuple(None if each is None else each / 2 for each in inputs)

    def unpack(kept: gl.Tensor) -> gl.Tensor:
        task = engine.current_task()
        assert task is not None and task.current is not None
        task.current.register_hook(halve)
        return kept

    a = gl.ones(2, requires_grad=True)
    with graph.saved_tensors_hooks(lambda x: x.detach(), unpack):
        b = a * gl.full((2,), 3.0)
    b.sum().backward(retain_graph=True)
    assert a.grad.tolist() == [1.5, 1.5]
    assert seen == [([True, False], (None,))]
    b.sum().backward()  # one more hook, and one that was there before the node ran: both see the inputs
    assert a.grad.tolist() == [1.5 + 0.75] * 2
    assert [[each.tolist() for each in outputs] for _, outputs in seen[1:]] == [[[1.0, 1.0]]] * 2


@spec("S4.61")
def test_the_node_that_runs_is_known_to_every_kind_of_hook() -> None:
    seen: dict[str, Any] = {}

    def note(kind: str) -> None:
        task = engine.current_task()
        seen[kind] = task.current if task is not None else None

    def unpack(kept: gl.Tensor) -> gl.Tensor:
        note("unpack")
        return kept

    a = gl.ones(2, requires_grad=True)
    with graph.saved_tensors_hooks(lambda x: x.detach(), unpack):
        b = a.exp()
    node = b.grad_fn
    accumulator = graph.get_gradient_edge(a).node
    b.register_hook(lambda _g: note("tensor"))
    node.register_prehook(lambda _g: note("pre"))
    node.register_hook(lambda _i, _o: note("post"))
    a.register_hook(lambda _g: note("leaf"))
    a.register_post_accumulate_grad_hook(lambda _leaf: note("accumulated"))
    b.sum().backward()
    assert seen == {
        **dict.fromkeys(("unpack", "tensor", "pre", "post"), node),
        **dict.fromkeys(("leaf", "accumulated"), accumulator),
    }
    note("outside")
    assert seen["outside"] is None


@spec("S4.61")
def test_the_node_that_runs_is_the_inner_one_in_a_backward_inside_another() -> None:
    a, b = gl.ones(1, requires_grad=True), gl.ones(1, requires_grad=True)
    inner, outer = b * 2, a * 3
    seen: list[Any] = []

    def nested(_gradient: gl.Tensor) -> None:
        inner.backward(gl.ones(1))
        seen.append(engine.current_task().current)  # type: ignore[union-attr]

    inner.register_hook(lambda _g: seen.append(engine.current_task().current))  # type: ignore[union-attr]
    outer.register_hook(nested)
    outer.backward(gl.ones(1))
    assert seen == [inner.grad_fn, outer.grad_fn]


def test_grad_modes_nest_and_come_back() -> None:
    a = gl.ones(1, requires_grad=True)
    with gl.no_grad():
        assert not (a * 2).requires_grad
        with gl.enable_grad():
            assert (a * 2).requires_grad
        assert not is_grad_enabled()
    with pytest.raises(KeyError), gl.no_grad():
        raise KeyError
    assert is_grad_enabled()


def test_grad_modes_decorate_functions() -> None:
    a = gl.ones(1, requires_grad=True)

    @gl.no_grad()
    def called(depth: int) -> bool:
        """Whether a result requires grad."""
        return called(depth - 1) if depth else (a * 2).requires_grad

    @gl.no_grad
    def bare() -> bool:
        return (a * 2).requires_grad

    assert (called(3), bare(), is_grad_enabled()) == (False, False, True)
    assert (called.__name__, called.__doc__) == ("called", "Whether a result requires grad.")
    with gl.no_grad():
        assert gl.enable_grad()(lambda: is_grad_enabled())()


def test_set_grad_enabled_works_at_once_and_as_a_context() -> None:
    with set_grad_enabled(False):
        assert not is_grad_enabled()
    assert is_grad_enabled()
    set_grad_enabled(False)
    assert not is_grad_enabled()
    set_grad_enabled(True)
