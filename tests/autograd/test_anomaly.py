"""Anomaly mode: the forward call behind a failing backward is shown, and the first NaN stops it."""

from __future__ import annotations

import gc
import inspect
import warnings
import weakref
from collections.abc import Iterator
from typing import Any

import pytest

import guardlift as gl
from guardlift.autograd import graph
from guardlift.tensor import tape

spec = pytest.mark.spec
autograd = gl.autograd
pytestmark = pytest.mark.filterwarnings("ignore:Anomaly Detection", "ignore:Error detected")


@pytest.fixture(autouse=True)
def off_afterwards() -> Iterator[None]:
    before = tape.tape
    yield
    assert not gl.is_anomaly_enabled() and tape.tape is before


def leaf(*values: float) -> gl.Tensor:
    return gl.tensor(list(values), requires_grad=True)


def here() -> int:
    return inspect.currentframe().f_back.f_lineno  # type: ignore[union-attr]


def told(call: Any) -> tuple[Exception, list[str]]:
    """The error that `call` raises, and the texts of its warnings."""
    with warnings.catch_warnings(record=True) as caught, pytest.raises(Exception) as error:
        warnings.simplefilter("always")
        call()
    assert all(each.filename == __file__ for each in caught)
    return error.value, [str(each.message) for each in caught]


# The switches.


def test_the_state_is_set_by_the_contexts_and_put_back() -> None:
    assert (gl.is_anomaly_enabled(), gl.is_anomaly_check_nan_enabled()) == (False, True)
    with pytest.warns(UserWarning, match="Anomaly Detection has been enabled"):
        context = autograd.detect_anomaly(check_nan=False)
    assert not gl.is_anomaly_enabled()
    with context:
        assert (gl.is_anomaly_enabled(), gl.is_anomaly_check_nan_enabled()) == (True, False)
        with autograd.set_detect_anomaly(False):
            assert (gl.is_anomaly_enabled(), gl.is_anomaly_check_nan_enabled()) == (False, True)
        with autograd.set_detect_anomaly(True, check_nan=True):
            assert gl.is_anomaly_check_nan_enabled()
        assert (autograd.is_anomaly_enabled(), autograd.is_anomaly_check_nan_enabled()) == (True, False)
    assert (gl.is_anomaly_enabled(), gl.is_anomaly_check_nan_enabled()) == (False, True)


def test_as_a_function_it_holds_until_it_is_switched_off() -> None:
    autograd.set_detect_anomaly(True)
    try:
        assert gl.is_anomaly_enabled()
        assert (leaf(1.0) * 2).grad_fn.metadata["traceback_"]
    finally:
        autograd.set_detect_anomaly(False)
    assert "traceback_" not in (leaf(1.0) * 2).grad_fn.metadata


def test_the_state_comes_back_after_an_exception() -> None:
    with pytest.raises(ZeroDivisionError), autograd.detect_anomaly():
        raise ZeroDivisionError


# Where an operation was called.


def test_nodes_of_every_kind_keep_the_traceback_of_their_call_and_no_line_of_ours() -> None:
    x = leaf(1.0, 2.0)
    with autograd.detect_anomaly():
        line = here() + 1
        product, view, written, through, assigned = x * 2, x[:1], x.clone(), x * 1, x * 1
        written.mul_(3)
        through[:1].mul_(3)
        assigned.fill_(1)
    for result, offset in [(product, 0), (view, 0), (written, 1), (through, 2), (assigned, 3)]:
        last = result.grad_fn.metadata["traceback_"][-1]
        assert f'"{__file__}", line {line + offset}' in last
    assert "parent_" not in product.grad_fn.metadata


def test_a_failing_backward_warns_with_the_forward_call_and_the_error_names_its_line() -> None:
    x = leaf(1.0)
    with autograd.detect_anomaly():
        line = here() + 1
        y = x * 2
        z = y.exp()

        def fail(g: gl.Tensor) -> None:
            raise KeyError("mine")

        for register in (
            y.register_hook,
            y.grad_fn.register_prehook,
            lambda f: y.grad_fn.register_hook(lambda a, b: f(a)),
        ):
            with register(fail):
                error, texts = told(lambda: z.sum().backward(retain_graph=True))
            assert type(error) is KeyError and len(texts) == 1
            assert texts[0].startswith(
                "Error detected in MulBackward0. Traceback of forward call that caused the error"
            )
            assert f'"{__file__}", line {line}' in texts[0] and "y = x * 2" in texts[0]
            assert f"line {line}" in error.__notes__[0] and "MulBackward0" in error.__notes__[0]


def test_a_forward_outside_of_the_mode_left_no_traceback() -> None:
    y = leaf(1.0) * 2
    y.register_hook(lambda g: 1 / 0)
    with autograd.detect_anomaly():
        error, texts = told(lambda: y.sum().backward())
    assert type(error) is ZeroDivisionError and "No forward pass information available" in texts[0]
    assert not hasattr(error, "__notes__")


def test_with_the_mode_off_a_failing_backward_warns_of_nothing() -> None:
    with autograd.detect_anomaly():
        y = leaf(1.0) * 2
    y.register_hook(lambda g: 1 / 0)
    error, texts = told(lambda: y.sum().backward())
    assert type(error) is ZeroDivisionError and texts == []


# NaNs.


def test_the_first_node_that_gives_a_nan_stops_the_backward() -> None:
    x = leaf(0.0, 1.0)
    with autograd.detect_anomaly():
        line = here() + 1
        y = (x * 0).sqrt()
        error, texts = told(lambda: y.sum().backward())
    assert type(error) is RuntimeError
    assert str(error) == "Function 'MulBackward0' returned nan values in its 0th output."
    assert f"line {line}" in texts[0] and f"line {line}" in error.__notes__[0]
    assert x.grad is None


def test_the_output_with_the_nan_is_named() -> None:
    a, b = leaf(1.0), leaf(0.0)
    with autograd.detect_anomaly():
        y = gl.where(gl.tensor([True]), a, (b * 0).sqrt() * 0.0)
        error, _ = told(lambda: (y / b.detach() * 0 * a).sum().backward())
    assert "returned nan values in its " in str(error)
    with autograd.detect_anomaly():
        one = a * 1.0
        one.grad_fn.register_hook(lambda inputs, outputs: (inputs[0] * float("nan"), *inputs[1:]))
        error, _ = told(lambda: one.sum().backward())
    assert "'MulBackward0' returned nan values in its 0th output" in str(error)


def test_nans_pass_where_they_are_not_looked_for() -> None:
    x = leaf(0.0)
    with autograd.detect_anomaly(check_nan=False):
        (x * 0).sqrt().sum().backward()
    (x * 0).sqrt().sum().backward()
    assert gl.isnan(x.grad).tolist() == [True]


# Double backward.


def test_nodes_made_in_a_backward_know_the_node_that_made_them() -> None:
    x = leaf(2.0)
    with autograd.detect_anomaly():
        line = here() + 1
        y = x * x * x
        (first,) = autograd.grad(y, x, create_graph=True)
        parents = set()
        pending = [first.grad_fn]
        while pending:
            node = pending.pop()
            parents.add(node.metadata.get("parent_"))
            pending += [each for each, _ in node.next_functions if each is not None and "parent_" in each.metadata]
        assert parents <= {y.grad_fn, y.grad_fn.next_functions[0][0]} and parents
        first.register_hook(lambda g: 1 / 0)
        _, texts = told(lambda: first.sum().backward())
    assert "Previous calculation was induced by MulBackward0" in texts[0]
    assert f"line {line}" in texts[0].partition("Previous calculation")[2]


# The hint of the version error.


@spec("S1.20")
def test_the_advice_of_the_version_error_depends_on_the_mode() -> None:
    def spoiled() -> gl.Tensor:
        x, y = gl.ones(5, 5, requires_grad=True), gl.ones(5, 5, requires_grad=True)
        z = x * y
        w = z * y
        z.add_(2)
        return w.sum()

    error, texts = told(lambda: spoiled().backward())
    assert "set_detect_anomaly(True)" in str(error) and "traceback shown above" not in str(error) and texts == []
    with autograd.detect_anomaly():
        line = inspect.getsourcelines(spoiled)[1] + 3
        error, texts = told(lambda: spoiled().backward())
    for part in ("[5, 5]", "output 0 of AddBackward", "is at version 1", "expected version 0", "traceback shown above"):
        assert part in str(error)
    assert "set_detect_anomaly" not in str(error)
    assert f"line {line}" in texts[0] and "w = z * y" in texts[0] and f"line {line}" in error.__notes__[0]


# What it costs, and keeps alive.


def test_switched_off_the_tape_is_the_very_one_it_was() -> None:
    before = tape.tape
    with autograd.detect_anomaly():
        assert tape.tape is not before
        with autograd.detect_anomaly():
            pass
        assert tape.tape is not before
    assert tape.tape is before


def test_annotated_graphs_are_freed_without_the_collector() -> None:
    gc.collect()
    gc.disable()
    try:
        x = leaf(2.0)
        with autograd.detect_anomaly():
            y = x * x * x
            (first,) = autograd.grad(y, x, create_graph=True)
        nodes = [weakref.ref(y.grad_fn), weakref.ref(first.grad_fn)]
        del y, first
        assert [each() for each in nodes] == [None, None]
    finally:
        gc.enable()


def test_hooks_on_saved_tensors_work_as_ever() -> None:
    x = leaf(3.0)
    with autograd.detect_anomaly(), graph.saved_tensors_hooks(lambda t: t * 2, lambda t: t / 2):
        (x * x).sum().backward()
    assert x.grad.tolist() == [6.0]


# In traces.


def test_jitted_functions_in_anomaly_mode_find_what_eager_finds() -> None:
    def step(x: gl.Tensor) -> Any:
        (x * 0).sqrt().sum().backward()
        return x.grad

    def own(x: gl.Tensor) -> Any:
        with gl.autograd.detect_anomaly():
            (x * 0).sqrt().sum().backward()

    jitted = gl.jit(step)
    assert gl.isnan(jitted(leaf(0.0))).tolist() == [True]
    for _ in range(2):
        with autograd.detect_anomaly(), pytest.raises(RuntimeError, match="'MulBackward0' returned nan values"):
            jitted(leaf(0.0))
    assert gl.isnan(jitted(leaf(0.0))).tolist() == [True]
    with pytest.raises(RuntimeError, match="'MulBackward0' returned nan values"):
        gl.jit(own)(leaf(0.0))


def test_the_backward_of_compiled_code_is_one_node_that_knows_where_it_was_called() -> None:
    root = gl.jit(lambda x: (x * 0).sqrt())
    with autograd.detect_anomaly():
        line = here() + 1
        y = root(leaf(0.0))
        error, texts = told(lambda: y.sum().backward())
    assert "'CompiledFunctionBackward' returned nan values in its 0th output" in str(error)
    assert f'"{__file__}", line {line}' in texts[0]
