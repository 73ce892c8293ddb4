"""Checkpoints: what a function saves is computed again in backward, with the gradients of the plain call."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from frontend.tensors.scenario import check, leaf

import guardlift as gl
from guardlift import nn
from guardlift.autograd import CheckpointError, Function, checkpoint, checkpoint_sequential, graph


def parameter(*values: float) -> gl.Tensor:
    return gl.tensor(list(values), requires_grad=True)


class Noise(nn.Module):
    """Drops about half of what it is given."""

    def forward(self, x: Any) -> Any:
        return x * (gl.rand(*x.shape) > 0.5)


def network() -> nn.Sequential:
    gl.manual_seed(0)
    return nn.Sequential(nn.Linear(4, 8), nn.GELU(), Noise(), nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 1))


def gradients(model: nn.Module, run: Callable[[Any], Any]) -> list[Any]:
    gl.manual_seed(1)
    x = leaf(5, 4)
    (run(x) ** 2).mean().backward()
    return [each.grad.tolist() for each in (x, *model.parameters())]


class Counted:
    """A function that counts how often it ran, and how far."""

    def __init__(self) -> None:
        self.log: list[str] = []

    def __call__(self, x: Any) -> Any:
        self.log.append("start")
        y = (x * 2).sin().exp()
        self.log.append("middle")
        y = y + 1
        self.log.append("end")
        return y


@contextmanager
def counting_saved() -> Iterator[list[Any]]:
    """A context that lists the tensors that are kept for backward."""
    kept: list[Any] = []
    with graph.saved_tensors_hooks(lambda t: kept.append(t) or t, lambda t: t):
        yield kept


# -- the same gradients ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("early_stop", [True, False])
def test_gradients_of_a_model_are_those_of_the_plain_call_random_numbers_included(early_stop: bool) -> None:
    model = network()
    expected = gradients(model, model)
    for each in model.parameters():
        each.grad = None
    assert gradients(model, lambda x: checkpoint(model, x, early_stop=early_stop)) == expected


def test_the_generator_goes_on_after_backward_as_if_nothing_had_run_again() -> None:
    x = parameter(1.0, 2.0)
    y = checkpoint(lambda x: (x * gl.rand(2)).exp(), x)
    state = gl.get_rng_state().tolist()
    y.sum().backward()
    assert gl.get_rng_state().tolist() == state
    assert x.grad.tolist() == pytest.approx((y.log() / x * y).tolist(), rel=1e-5)


def test_random_numbers_differ_in_the_second_run_if_their_state_is_not_preserved() -> None:
    drawn: list[Any] = []

    def function(x: Any) -> Any:
        drawn.append(gl.rand(2).tolist())
        return x.exp()

    checkpoint(function, parameter(1.0), preserve_rng_state=False).backward()
    assert drawn[0] != drawn[1]


def test_tensors_are_taken_as_keywords_and_in_lists_and_other_values_as_they_are() -> None:
    a, b, c = parameter(2.0), parameter(3.0), parameter(5.0)

    def function(a: Any, parts: Any, *, scale: Any) -> Any:
        return a * parts["b"][0] * parts["b"][1] * scale[0]

    y = checkpoint(function, a, {"b": [b, 7.0]}, scale=(c,))
    y.backward()
    assert [each.grad.item() for each in (a, b, c)] == [105.0, 70.0, 42.0]


def test_parameters_get_their_gradients_where_no_argument_requires_grad() -> None:
    model = nn.Linear(4, 2)
    x = leaf(3, 4).detach()
    checkpoint(model, x).sum().backward()
    expected = nn.Linear(4, 2)
    expected.load_state_dict(model.state_dict())
    expected(x).sum().backward()
    for one, other in zip(model.parameters(), expected.parameters(), strict=True):
        assert one.grad.tolist() == other.grad.tolist()


def test_several_results_one_of_them_unused() -> None:
    x = parameter(1.0)
    first, _, text = checkpoint(lambda x: (x.exp(), x.sin(), "text"), x)
    assert text == "text"
    first.backward()
    assert x.grad.item() == pytest.approx(2.7182818)


def test_results_of_which_no_gradient_is_asked_run_nothing_again() -> None:
    function = Counted()
    checkpoint(function, parameter(1.0))
    assert function.log == ["start", "middle", "end"]


def test_second_derivatives_are_those_of_the_plain_call() -> None:
    def function(x: Any) -> Any:
        return (x.exp() * x).sin()

    found = []
    for run in (function, lambda x: checkpoint(function, x)):
        x = parameter(0.3, 0.7)
        (g,) = gl.autograd.grad(run(x * 2).sum(), x, create_graph=True)
        (again,) = gl.autograd.grad(g.sum(), x)
        found.append([*g.tolist(), *again.tolist()])
    assert found[1] == pytest.approx(found[0], rel=1e-5)


# -- what runs when ----------------------------------------------------------------------------------------------------
def test_the_function_runs_again_once_for_each_backward_and_stops_when_all_is_there() -> None:
    function = Counted()
    x = parameter(1.0)
    y = checkpoint(function, x)
    function.log.clear()
    y.backward(retain_graph=True)
    assert function.log == ["start"]
    y.backward(retain_graph=True)
    assert function.log == ["start"] * 2
    y.backward()
    assert function.log == ["start"] * 3
    with pytest.raises(RuntimeError, match="after they have already been freed"):
        y.backward()
    assert x.grad.item() == pytest.approx(3 * 2 * (gl.tensor(2.0).cos() * gl.tensor(2.0).sin().exp()).item(), rel=1e-5)


def test_without_early_stop_it_runs_to_its_end() -> None:
    function = Counted()
    y = checkpoint(function, parameter(1.0), early_stop=False)
    function.log.clear()
    y.backward()
    assert function.log == ["start", "middle", "end"]


def test_a_function_that_catches_exceptions_is_stopped_all_the_same() -> None:
    def function(x: Any) -> Any:
        try:
            return x.exp()
        except Exception:  # noqa: BLE001
            raise AssertionError("the end of the second run is no error of the function") from None

    x = parameter(1.0)
    checkpoint(function, x).backward()
    assert x.grad.item() == pytest.approx(2.7182818)


def test_without_grad_mode_it_is_a_plain_call() -> None:
    x = parameter(1.0)
    with gl.no_grad():
        assert not checkpoint(lambda x: x.exp(), x).requires_grad
    y = checkpoint(gl.no_grad(lambda x: x.exp()), x)
    assert not y.requires_grad


def test_grad_mode_inside_is_that_of_the_first_run() -> None:
    modes: list[bool] = []

    def function(x: Any) -> Any:
        modes.append(gl.is_grad_enabled())
        with gl.no_grad():
            factor = x.exp()
        return (x * factor).sin()

    x = parameter(1.0)
    checkpoint(function, x, early_stop=False).backward()
    y = parameter(1.0)
    function(y).backward()
    assert modes == [True] * 3
    assert x.grad.item() == y.grad.item()
    assert gl.is_grad_enabled()


def test_a_saved_value_that_is_read_outside_of_backward_is_computed_for_the_reader_alone() -> None:
    function = Counted()
    x = parameter(1.0)
    y = checkpoint(function, x)
    node = y.grad_fn.next_functions[0][0]
    assert node._saved_result.tolist() == (x * 2).sin().exp().tolist()
    assert node._saved_result.grad_fn is node
    assert function.log.count("start") == 3
    y.backward()
    assert function.log.count("start") == 4


def test_a_backward_inside_of_the_function() -> None:
    def function(x: Any) -> Any:
        y = x.exp()
        (g,) = gl.autograd.grad(y, x, create_graph=True)
        return y.detach() * g.sin() * x

    for early_stop in (True, False):
        x, other = parameter(0.5), parameter(0.5)
        checkpoint(function, x, early_stop=early_stop).backward()
        function(other).backward()
        assert x.grad.item() == pytest.approx(other.grad.item(), rel=1e-6)


def test_contexts_around_the_two_runs() -> None:
    log: list[str] = []

    @contextmanager
    def named(name: str) -> Iterator[None]:
        log.append(name)
        yield

    x = parameter(1.0)
    y = checkpoint(lambda x: x.exp(), x, context_fn=lambda: (named("first"), named("second")))
    assert log == ["first"]
    y.backward()
    assert log == ["first", "second"]


# -- memory ------------------------------------------------------------------------------------------------------------
def test_what_the_function_saves_is_not_kept() -> None:
    def function(x: Any) -> Any:
        for _ in range(10):
            x = x.sin()
            made.append(weakref.ref(x))
        return x

    made: list[Any] = []
    counts = {}
    for name, run in (("plain", function), ("checkpoint", lambda x: checkpoint(function, x))):
        x = gl.rand(100, requires_grad=True)
        with counting_saved() as kept:
            run(x)
        saved = len(kept)
        kept.clear()
        made.clear()
        y = run(x)
        counts[name] = saved, sum(each() is not None for each in made)
        y.sum().backward()
    assert counts == {"plain": (10, 10), "checkpoint": (1, 1)}  # the argument is saved, and the result is y


def test_of_a_model_the_arguments_are_all_that_is_kept() -> None:
    model = network()
    x = leaf(5, 4)
    with counting_saved() as plain:
        model(x)
    with counting_saved() as kept:
        checkpoint(model, x)
    assert len(plain) > 8
    assert [each is x for each in kept] == [True]


def test_a_nested_checkpoint_keeps_nothing_of_its_own() -> None:
    def inner(x: Any) -> Any:
        return x.exp().sin()

    def outer(x: Any) -> Any:
        x = x.exp()
        seen.append(weakref.ref(x))
        return checkpoint(inner, x).cos()

    seen: list[Any] = []
    x = parameter(0.5)
    y = checkpoint(outer, x)
    assert seen[0]() is None
    y.backward()
    plain = parameter(0.5)
    plain.exp().exp().sin().cos().backward()
    assert x.grad.item() == pytest.approx(plain.grad.item(), rel=1e-6)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_all_is_freed_without_the_garbage_collector(depth: int) -> None:
    def function(x: Any, depth: int = depth) -> Any:
        x = x.exp().sin()
        return checkpoint(function, x, depth - 1) if depth else x

    x = parameter(0.5)
    function(x).backward(retain_graph=True)
    gc.collect()
    gc.disable()
    try:
        for steps in range(3):
            y = function(x)
            for _ in range(steps):
                y.backward(retain_graph=True)
            watched = weakref.ref(y.grad_fn)
            del y
            assert watched() is None
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_what_a_backward_computed_and_did_not_need_dies_with_it() -> None:
    made: list[Any] = []

    def function(x: Any, y: Any) -> Any:
        made.append(weakref.ref(a := x.exp()))
        return a, y.sin().exp()

    x, y = parameter(1.0), parameter(1.0)
    results = checkpoint(function, x, y)
    gl.autograd.grad(results[1], y, retain_graph=True)
    assert made[1]() is None
    (g,) = gl.autograd.grad(results[0], x)
    assert g.item() == pytest.approx(2.7182818)


def test_the_hooks_around_it_get_its_arguments_and_those_inside_come_first() -> None:
    outer: list[Any] = []
    inner: list[Any] = []

    def function(x: Any) -> Any:
        x = x.exp()
        with graph.saved_tensors_hooks(lambda t: inner.append("pack") or t * 1, lambda t: inner.append("unpack") or t):
            return x.sin()

    x = parameter(1.0)
    with graph.saved_tensors_hooks(lambda t: outer.append(t) or t, lambda t: outer.append("unpack") or t):
        y = checkpoint(function, x)
    y.backward()
    assert outer == [x, "unpack"]
    assert inner == ["pack", "unpack"]
    expected = parameter(1.0)
    expected.exp().sin().backward()
    assert x.grad.item() == expected.grad.item()


# -- what does not agree -----------------------------------------------------------------------------------------------
def alternating(*functions: Callable[[Any], Any]) -> Callable[[Any], Any]:
    following = iter(functions)
    return lambda x: next(following)(x)


def test_a_second_run_that_saves_another_shape_is_an_error_that_names_both() -> None:
    x = parameter(1.0, 2.0)
    function = alternating(lambda x: x.exp().sum(), lambda x: x[:1].exp().sum())
    with pytest.raises(CheckpointError, match=r"different metadata.*position 0: saved float32\[2\].*float32\[1\]"):
        checkpoint(function, x).backward()
    assert x.grad is None


def test_a_second_run_that_saves_another_dtype_is_an_error() -> None:
    function = alternating(lambda x: x.exp().sum(), lambda x: x.double().exp().sum())
    with pytest.raises(CheckpointError, match=r"saved float32\[1\].*recomputed float64\[1\]"):
        checkpoint(function, parameter(1.0)).backward()


@pytest.mark.parametrize("determinism_check", ["default", "none"])
def test_a_second_run_that_saves_less_or_more_is_an_error_with_both_numbers(determinism_check: str) -> None:
    once, twice = (lambda x: x.exp()), (lambda x: x.exp().exp())
    options: dict[str, Any] = {"determinism_check": determinism_check}
    with pytest.raises(CheckpointError, match=r"different number of tensors.*2 then, 1 now"):
        checkpoint(alternating(twice, once), parameter(1.0), **options).backward()
    with pytest.raises(CheckpointError, match=r"different number of tensors.*1 then, 2 now"):
        checkpoint(alternating(once, twice), parameter(1.0), early_stop=False, **options).backward()


def test_the_check_can_be_switched_off() -> None:
    x = parameter(1.0)
    function = alternating(lambda x: x.exp().sum(), lambda x: x.double().exp().sum())
    checkpoint(function, x, determinism_check="none").backward()
    assert x.grad.item() == pytest.approx(2.7182818)
    with pytest.raises(ValueError, match=r"determinism_check should be one of \['default', 'none'\], got 'often'"):
        checkpoint(function, x, determinism_check="often")


def test_an_argument_or_a_parameter_that_was_written_since_is_an_error() -> None:
    x, w = parameter(1.0), parameter(2.0)
    y = x * 1
    result = checkpoint(lambda y: (y * w).exp(), y)
    y.add_(1)
    with pytest.raises(RuntimeError, match="is at version 1; expected version 0"):
        result.backward()
    result = checkpoint(lambda x: (x * w).exp(), x)
    with gl.no_grad():
        w.add_(1)
    with pytest.raises(CheckpointError, match=r"at version 0, recomputed .* at version 1"):
        result.backward()


def test_a_tensor_that_the_function_saves_and_writes_afterwards_is_an_error() -> None:
    def function(x: Any) -> Any:
        y = x.exp()
        z = y.sin()
        y.mul_(2)
        return z.exp() + y

    with pytest.raises(RuntimeError, match="saved in a checkpointed function, is at version 1; expected version 0"):
        checkpoint(function, parameter(1.0)).backward()


def test_an_exception_of_the_second_run_comes_out_of_backward_and_leaves_all_modes_as_they_were() -> None:
    def fail(x: Any) -> Any:
        raise KeyError("second run")

    x = parameter(1.0)
    y = checkpoint(alternating(lambda x: x.exp(), fail), x)
    state = gl.get_rng_state().tolist()
    with pytest.raises(KeyError, match="second run"):
        y.backward()
    assert gl.get_rng_state().tolist() == state
    assert gl.is_grad_enabled()
    with counting_saved() as kept:
        x.exp()
    assert len(kept) == 1


def test_there_is_no_reentrant_form() -> None:
    with pytest.raises(ValueError, match="use_reentrant=True.*leave use_reentrant out"):
        checkpoint(lambda x: x, parameter(1.0), use_reentrant=True)


# -- in parts ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("segments", [1, 2, 3, 6])
def test_a_sequence_in_segments_gives_the_same_gradients_and_keeps_less(segments: int) -> None:
    model = network()
    expected = gradients(model, model)
    for each in model.parameters():
        each.grad = None
    with counting_saved() as kept:
        model(leaf(5, 4))
    plain = len(kept)
    assert gradients(model, lambda x: checkpoint_sequential(model, segments, x)) == expected
    with counting_saved() as kept:
        checkpoint_sequential(list(model), segments, leaf(5, 4))
    assert len(kept) == plain if segments == 1 else len(kept) < plain


def test_no_segments_are_an_error() -> None:
    with pytest.raises(ValueError, match="at least one segment, got 0"):
        checkpoint_sequential([], 0, parameter(1.0))


# -- with other things -------------------------------------------------------------------------------------------------
def test_a_custom_function_inside_of_a_checkpoint() -> None:
    class Exp(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            runs.append("forward")
            y = x.exp()
            ctx.save_for_backward(y)
            return y

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * ctx.saved_tensors[0] * ctx.saved_tensors[0]  # each read computes it again

    runs: list[str] = []
    x = parameter(1.0)
    checkpoint(lambda x: Exp.apply(x * 1), x).backward()
    assert x.grad.item() == pytest.approx(2.7182818**2, rel=1e-5)
    assert runs == ["forward"] * 3


@pytest.mark.parametrize("early_stop", [True, False])
def test_a_jitted_function_inside_of_a_checkpoint(early_stop: bool) -> None:
    function = gl.jit(lambda x: (x.exp() * 2).sin())
    x, plain = leaf(3), leaf(3)
    for _ in range(2):
        x.grad = plain.grad = None
        checkpoint(function, x * 1, early_stop=early_stop).sum().backward()
        (plain.exp() * 2).sin().sum().backward()
        assert x.grad.tolist() == pytest.approx(plain.grad.tolist(), rel=1e-4)


def test_a_jitted_function_that_has_a_checkpoint_runs_plainly_and_rightly() -> None:
    def program(x: Any, w: Any) -> Any:
        loss = checkpoint(lambda a: (a * w).exp().sin(), x * 2).sum()
        loss.backward()
        return loss, x.grad, w.grad

    check(program, lambda _: (leaf(3), leaf(3, seed=1)), breaks=None)


def test_a_jitted_function_may_return_what_a_checkpoint_gave() -> None:
    @gl.jit
    def function(x: Any) -> Any:
        return checkpoint(lambda a: a.exp().sin(), x) * 2

    x, plain = leaf(3), leaf(3)
    function(x).sum().backward()
    (plain.exp().sin() * 2).sum().backward()
    assert x.grad.tolist() == pytest.approx(plain.grad.tolist(), rel=1e-6)  # the function is compiled for itself
