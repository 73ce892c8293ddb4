"""`register_multi_grad_hook`: when it calls its function, with what, and what it leaves behind."""

from __future__ import annotations

import copy
import gc
import pickle
import subprocess
import sys
import threading
import weakref
from typing import Any

import pytest
from frontend.tensors.scenario import check, leaf

import guardlift as gl
from guardlift.autograd import graph

spec = pytest.mark.spec
grad = gl.autograd.grad
register = graph.register_multi_grad_hook


class Calls(list[Any]):
    """Notes which gradients were there at each call."""

    def __call__(self, gradients: Any) -> None:
        self.append([each is not None for each in gradients])


def diamond() -> tuple[gl.Tensor, gl.Tensor, gl.Tensor, gl.Tensor]:
    a, b = gl.ones(2, requires_grad=True), gl.ones(2, requires_grad=True)
    return a, b, a * b, a * b


def chain() -> tuple[gl.Tensor, gl.Tensor, gl.Tensor]:
    a = gl.ones(2, requires_grad=True)
    b = a * 2
    return a, b, (b * 3).sum()


# -- registering and removing ------------------------------------------------------------------------------------------
@spec("S4.40")
def test_an_unknown_mode_is_named() -> None:
    a = gl.ones(1, requires_grad=True)
    with pytest.raises(ValueError, match="got mode 'foo'; expected 'all' or 'any'"):
        register((a,), print, mode="foo")  # type: ignore[arg-type]
    assert a._hooks is None


@spec("S4.40")
@pytest.mark.parametrize("mode", ["all", "any"])
def test_one_handle_removes_every_hook(mode: Any) -> None:
    a, b, c, d = diamond()
    calls: list[Any] = []
    handle = register((a, b, c, d), calls.append, mode=mode)
    handle.remove()
    handle.remove()
    (c + d).sum().backward()
    assert calls == []
    with register((a,), calls.append, mode=mode):
        (a * 2).sum().backward()
    (a * 2).sum().backward()
    assert len(calls) == 1


@spec("S4.40")
def test_all_refuses_a_tensor_without_grad_and_registers_nothing() -> None:
    a, b = gl.ones(1, requires_grad=True), gl.ones(1)
    calls = Calls()
    with pytest.raises(RuntimeError, match="doesn't require gradient.*at index 1"):
        register((a, b), calls)
    (a * 2).sum().backward()
    assert calls == []


@spec("S4.40")
def test_any_skips_tensors_without_grad() -> None:
    a, b = gl.ones(1, requires_grad=True), gl.ones(1)
    calls: list[Any] = []
    register((b, a), calls.append, mode="any")
    (a * b).sum().backward()
    assert [each.tolist() for each in calls] == [[1.0]]


@spec("S4.40")
@pytest.mark.parametrize("mode", ["all", "any"])
def test_what_is_no_tensor_is_refused_before_anything_is_registered(mode: Any) -> None:
    a = gl.ones(1, requires_grad=True)
    with pytest.raises(AttributeError, match="requires_grad"):
        register((a, 3), print, mode=mode)  # type: ignore[arg-type]
    assert a._hooks is None


@spec("S4.40")
@spec("S11.06")
def test_registering_works_while_nothing_is_recorded() -> None:
    a, b, c, d = diamond()
    calls = Calls()
    with gl.no_grad():
        register((a, b, c, d), calls)
    c.sum().backward()
    assert calls == [[True, True, True, False]]


# -- mode "all" --------------------------------------------------------------------------------------------------------
@spec("S4.41")
def test_all_is_called_once_with_what_this_pass_computes() -> None:
    a, b, c, d = diamond()
    calls = Calls()
    register((a, b, c, d), calls)
    c.sum().backward(retain_graph=True)
    c.sum().backward(inputs=(a,), retain_graph=True)
    (c + d).sum().backward()
    assert calls == [[True, True, True, False], [True, False, True, False], [True, True, True, True]]


@spec("S4.41")
def test_all_gets_the_gradients_in_the_order_of_the_tensors() -> None:
    a, b = gl.tensor([2.0], requires_grad=True), gl.tensor([3.0], requires_grad=True)
    c = a * b
    found: list[Any] = []
    register((c, a, b, a), found.extend)
    (c * 10).sum().backward()
    assert [each.item() for each in found] == [10.0, 30.0, 20.0, 30.0]


@spec("S4.41")
def test_a_backward_inside_another_counts_for_itself() -> None:
    a, b, c, d = diamond()
    calls = Calls()

    def nested(_gradient: gl.Tensor) -> None:
        d.backward(gl.ones(2))

    register((a, b, c, d), calls)
    c.register_hook(nested)
    c.sum().backward()
    assert calls == [[True, True, False, True], [True, True, True, False]]


@spec("S4.41")
@spec("S11.06")
def test_passes_of_two_threads_do_not_mix() -> None:
    leaves = [gl.ones(1, requires_grad=True) for _ in range(3)]
    found: list[Any] = []
    first: list[Any] = []
    register(leaves, lambda gradients: found.append([each.item() for each in gradients]))
    register(leaves, first.append, mode="any")
    barrier = threading.Barrier(2, timeout=30)

    def meet(_gradient: gl.Tensor) -> None:
        barrier.wait()

    for each in leaves:
        each.register_hook(meet)

    def run(weight: float) -> None:
        sum((each * weight).sum() for each in leaves).backward()  # type: ignore[union-attr]

    threads = [threading.Thread(target=run, args=(weight,)) for weight in (2.0, 5.0)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == [[2.0] * 3, [5.0] * 3]
    assert sorted(each.item() for each in first) == [2.0, 5.0]


@spec("S4.42")
def test_a_pass_that_fails_leaves_nothing_to_a_later_one() -> None:
    a, b, c, d = diamond()

    def fail(_gradient: gl.Tensor) -> None:
        raise KeyError("on purpose")

    found: list[Any] = []
    handle = b.register_hook(fail)
    register(
        (a, b, c, d), lambda gradients: found.append([None if each is None else each.tolist() for each in gradients])
    )
    with pytest.raises(KeyError) as failure:
        (c * 7).sum().backward(retain_graph=True)
    assert found == []
    handle.remove()
    (c * 2).sum().backward()
    assert failure is not None  # and with it the frames of the pass that failed
    assert found == [[[2.0, 2.0], [2.0, 2.0], [2.0, 2.0], None]]


@spec("S4.42")
def test_a_function_that_fails_is_called_again_in_the_next_pass() -> None:
    a, b, c, _ = diamond()
    calls = []

    def fail_once(gradients: Any) -> None:
        calls.append(len(gradients))
        if len(calls) == 1:
            raise KeyError("on purpose")

    register((a, b), fail_once)
    with pytest.raises(KeyError):
        c.sum().backward(retain_graph=True)
    c.sum().backward()
    assert calls == [2, 2]


@spec("S4.42")
def test_what_the_gradients_were_is_not_kept() -> None:
    a, b, c, _ = diamond()
    kept: list[Any] = []
    register((a, b), lambda gradients: kept.extend(weakref.ref(each) for each in gradients))
    gc.collect()
    gc.disable()
    try:
        (c * 2).sum().backward()
        a.grad = b.grad = None
        assert [each() for each in kept] == [None, None]
    finally:
        gc.enable()


@spec("S4.42")
def test_nothing_is_called_for_a_pass_that_reaches_none_of_the_tensors() -> None:
    a, b, c, d = diamond()
    calls = Calls()
    register((a, b, c, d), calls)
    register((), calls)
    register((), calls, mode="any").remove()
    (gl.ones(2, requires_grad=True) * 2).sum().backward()
    assert calls == []


@spec("S4.43")
def test_a_leaf_among_those_asked_for_counts() -> None:
    a, b, c = chain()
    calls = Calls()
    register((a, b), calls)
    grad(c, (b,), retain_graph=True)
    grad(c, (a,), retain_graph=True)
    grad(c, (a, b), retain_graph=True)
    assert calls == [[False, True], [True, True], [True, True]]


@spec("S4.43")
def test_an_input_that_is_not_reached_does_not_count() -> None:
    a, b, c = chain()
    other = gl.ones(1, requires_grad=True)
    _held = other * 2
    calls = Calls()
    register((a, b, other), calls)
    grad(c, (a, other), allow_unused=True)
    assert calls == [[True, True, False]]


@spec("S4.41")
def test_a_leaf_whose_accumulator_is_made_anew_counts_each_time() -> None:
    a = gl.ones(2, requires_grad=True)
    calls = Calls()
    register((a,), calls)
    for _ in range(3):
        (a * 2).sum().backward()
    assert calls == [[True]] * 3


@spec("S4.41")
@pytest.mark.parametrize("mode", ["all", "any"])
def test_a_graph_with_such_hooks_dies_without_the_garbage_collector(mode: Any) -> None:
    gc.collect()
    gc.disable()
    try:
        a, b, c, d = diamond()
        handle = register((a, b, c, d), lambda _gradients: None, mode=mode)
        dead = [weakref.ref(each) for each in (a, c, c.grad_fn)]
        c.sum().backward(retain_graph=True)
        del a, b, c, d
        assert [each() for each in dead] == [None, None, None]
        handle.remove()
    finally:
        gc.enable()


# -- mode "any" --------------------------------------------------------------------------------------------------------
@spec("S4.44")
def test_any_is_called_with_the_first_gradient_of_each_pass() -> None:
    a, b, c = chain()
    found: list[Any] = []
    register((a, b), lambda gradient: found.append(gradient.tolist()), mode="any")
    c.backward(retain_graph=True)
    c.backward()
    assert found == [[3.0, 3.0], [3.0, 3.0]]


@spec("S4.44")
def test_any_comes_before_a_hook_on_what_its_tensors_were_made_of() -> None:
    order: list[str] = []
    x: Any = gl.ones(2, requires_grad=True)
    for number in range(2):
        z = x * 2
        outputs = (z.sin(), z.cos())
        register(outputs, lambda _gradient, number=number: order.append(f"any{number}"), mode="any")
        z.register_hook(lambda _gradient, number=number: order.append(f"z{number}"))
        x = outputs[0] + outputs[1]
    x.sum().backward()
    assert order == ["any1", "z1", "any0", "z0"]


@spec("S4.44")
@pytest.mark.parametrize("mode", ["all", "any"])
def test_the_hooks_bear_name_and_text_of_the_function(mode: Any) -> None:
    def announced(_gradients: Any) -> None:
        """Announce the gradients."""

    a = gl.ones(1, requires_grad=True)
    register((a,), announced, mode=mode)
    (hook,) = a._hooks.gradient.values()
    assert (hook.__name__, hook.__doc__) == ("announced", "Announce the gradients.")


def test_a_hook_called_by_hand_says_that_no_backward_is_running() -> None:
    a = gl.ones(1, requires_grad=True)
    register((a,), print)
    (hook,) = a._hooks.gradient.values()
    with pytest.raises(AssertionError, match="no backward pass is running"):
        hook(a)


# -- results and handles -----------------------------------------------------------------------------------------------
@spec("S4.45")
@pytest.mark.parametrize("mode", ["all", "any"])
def test_what_the_function_returns_changes_nothing(mode: Any) -> None:
    a = gl.ones(1, requires_grad=True)
    register((a,), lambda _gradients: gl.full((1,), 100.0), mode=mode)
    (a * 2).sum().backward()
    assert a.grad.tolist() == [2.0]


@spec("S4.45")
@pytest.mark.parametrize("again", [copy.copy, lambda handle: pickle.loads(pickle.dumps(handle))])
@pytest.mark.parametrize("mode", ["all", "any"])
def test_a_handle_that_was_pickled_still_removes(mode: Any, again: Any) -> None:
    a, b, c, _ = diamond()
    calls: list[Any] = []
    handle = register((a, b, c), calls.append, mode=mode)
    restored = again(handle)
    c.sum().backward(retain_graph=True)
    assert len(calls) == 1
    restored.remove()
    c.sum().backward()
    assert len(calls) == 1
    handle.remove()


@spec("S4.45")
def test_the_handle_of_one_hook_can_be_pickled_too() -> None:
    a = gl.ones(1, requires_grad=True)
    kept, dropped = a.register_hook(lambda g: g * 2), a.register_hook(lambda g: g * 5)
    pickle.loads(pickle.dumps(dropped)).remove()
    (a * 1).sum().backward()
    assert a.grad.tolist() == [2.0]
    text = pickle.dumps(kept)
    del a
    gc.collect()
    pickle.loads(text).remove()


@spec("S4.45")
def test_a_handle_from_another_process_removes_nothing_here() -> None:
    a = gl.ones(1, requires_grad=True)
    handle = a.register_hook(lambda g: g * 2)
    program = (
        "import sys, pickle, guardlift as gl\n"
        "a = gl.ones(1, requires_grad=True)\n"
        "hooks = [a.register_hook(lambda g: g * 3) for _ in range(50)]\n"
        "pickle.loads(sys.stdin.buffer.read()).remove()\n"
        "print(len(a._hooks.gradient))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], input=pickle.dumps(handle), capture_output=True, check=False, timeout=120
    )
    assert done.stdout.split() == [b"50"], done.stderr


# -- jitted functions --------------------------------------------------------------------------------------------------
@spec("S4.41")
@pytest.mark.parametrize("mode", ["all", "any"])
def test_a_jitted_function_that_registers_one_does_as_the_plain_one(mode: Any) -> None:
    def program(x: Any, w: Any) -> Any:
        seen: list[float] = []
        y = x * w
        handle = graph.register_multi_grad_hook(
            (w, y),
            (lambda found: seen.extend(each.sum().item() for each in found))
            if mode == "all"
            else (lambda found: seen.append(found.sum().item())),
            mode=mode,
        )
        (y * y).sum().backward()
        handle.remove()
        return seen

    check(program, lambda k: (leaf(3, seed=k), leaf(3, seed=k + 9)), breaks=None)


@spec("S4.41")
def test_results_of_a_jitted_function_take_such_hooks() -> None:
    @gl.jit
    def program(x: Any) -> Any:
        return x * 2, x * 3

    x = gl.ones(2, requires_grad=True)
    calls = Calls()
    y, z = program(x)
    register((x, y, z), calls)
    y.sum().backward(retain_graph=True)
    (y + z).sum().backward()
    assert calls[1] == [True, True, True]
    assert x.grad.tolist() == [7.0, 7.0]
