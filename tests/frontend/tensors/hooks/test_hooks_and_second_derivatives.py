"""Gradients of gradients, and graph breaks, where saved-tensor hooks are part of the graph: as in eager mode."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift import nn
from guardlift.autograd import grad
from guardlift.autograd.modes import MODES
from guardlift.frontend import state_of

hooks_of = gl.autograd.graph.saved_tensors_hooks
inlineable = gl.autograd.graph.inlineable
MODE = "saved_tensors_hooks_filtering_mode"
OUT = io.StringIO()
SCALE = [2.0]
Program = Callable[..., Any]


@pytest.fixture(autouse=True)
def fresh_scale() -> Iterator[None]:
    SCALE[0] = 2.0
    yield


@inlineable
def doubled(t: Any) -> Any:
    return t * 2.0


@inlineable
def halved(t: Any) -> Any:
    return t / 2.0


@inlineable
def half(t: Any) -> Any:
    return {"data": t.to(gl.float16).reshape(-1), "shape": tuple(t.shape)}


@inlineable
def whole(kept: Any) -> Any:
    return kept["data"].to(gl.float64).reshape(kept["shape"])


@inlineable
def coarse(t: Any) -> Any:
    return (t * 64.0).round()


@inlineable
def fine(t: Any) -> Any:
    return t / 64.0


@inlineable
def scaled(t: Any) -> Any:
    return t * SCALE[0], SCALE[0]


@inlineable
def unscaled(kept: Any) -> Any:
    return kept[0] / kept[1]


@inlineable
def by_now(t: Any) -> Any:
    return t / SCALE[0]


@inlineable
def told(t: Any, info: Any) -> Any:
    return (t * 64.0).round() / 64.0 if info.is_leaf else t


@inlineable
def leaves_alone(t: Any) -> Any:
    return t if isinstance(t, nn.Parameter) else (t * 16.0).round() / 16.0


@inlineable
def as_it_is(kept: Any) -> Any:
    return kept


OTHER = gl.linspace(1.0, 2.0, 12, dtype=gl.float64).reshape(4, 3)


@inlineable
def another(kept: Any) -> Any:
    return OTHER if tuple(kept.shape) == (4, 3) else kept


LOSSLESS = [(doubled, halved), (scaled, unscaled)]
LOSSY = [(half, whole), (coarse, fine)]
AROUND_BREAKS = [*LOSSLESS, *LOSSY, (coarse, by_now), (told, as_it_is), (leaves_alone, as_it_is)]


def arguments(rows: int = 4) -> tuple[Any, Any]:
    rng = np.random.default_rng(7)
    return tuple(gl.tensor(rng.uniform(size=shape), requires_grad=True) for shape in ((rows, 2), (2, 3)))  # type: ignore[return-value]


# -- the backward pass outside -----------------------------------------------------------------------------------------
def layers(x: Any, w: Any) -> Any:
    h = (x @ w).tanh()
    return (h * h.exp()).sum()


def of_several_results(x: Any, w: Any) -> Any:
    h = (x @ w).tanh()
    y = h * h
    return y.sum() + (h * y.exp()).sum() + (y.sin() * x.sum()).sum()


def of_a_leaf_alone(x: Any, w: Any) -> Any:
    return (w * w * w * x.sum()).sum()


def of_views(x: Any, w: Any) -> Any:
    h = x @ w
    return h[:, :2].exp().sum() + (h.t().sin() * h.t()).sum()


def of_what_has_no_history(x: Any, w: Any) -> Any:
    h = (x @ w).tanh()
    with gl.no_grad():
        c = h.exp()
    return (h * c * c.sin()).square().sum()


def in_a_loop(x: Any, w: Any) -> Any:
    h = x @ w
    for _ in range(5):
        h = (h * 0.5).tanh() * w.sum()
    return h.sum()


def with_a_hook(x: Any, w: Any) -> Any:
    h = (x @ w).tanh()
    h.register_hook(lambda g: g * g)
    return (h * h.sin()).sum()


def inside(pair: Any, program: Program) -> Program:
    """The program below hooks that the jitted function enters."""

    def below(x: Any, w: Any) -> Any:
        with hooks_of(*pair):
            return program(x, w)

    return below


def penalised(program: Program, x: Any, w: Any, order: int, around: Any = None) -> list[Any]:
    """Gradients up to an order, then those of the last penalty and the loss together."""
    with hooks_of(*around) if around else nullcontext():
        out = program(x, w).sin()
    found, last = [], out
    for _ in range(order):
        slopes = grad(last, [x, w], create_graph=True, allow_unused=True)
        found += [None if each is None else each.detach().numpy().copy() for each in slopes]
        last = sum((each * each).sum() for each in slopes if each is not None)
    (last + out).backward()
    return [*found, x.grad.numpy(), w.grad.numpy()]


def assert_close(found: list[Any], wanted: list[Any]) -> None:
    for one, other in zip(found, wanted, strict=True):
        assert (one is None) == (other is None)
        if one is not None:
            np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-11)


PROGRAMS = [
    layers,
    of_several_results,
    of_a_leaf_alone,
    of_views,
    of_what_has_no_history,
    in_a_loop,
    with_a_hook,
]


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("mode", ["donated", "all"])
@pytest.mark.parametrize("pair", LOSSLESS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_penalties_through_inlined_hooks_are_eager_mode_s(program: Program, pair: Any, mode: str, order: int) -> None:
    below = inside(pair, program)
    with gl.config.patch(**{MODE: mode}):
        fast, compiled = gl.jit(program), gl.jit(below)
        if program is not with_a_hook:  # such a history is known under the hooks of its call alone
            assert_close(penalised(fast, *arguments(), order, pair), penalised(program, *arguments(), order, pair))
        assert_close(penalised(compiled, *arguments(), order), penalised(below, *arguments(), order))
    if pair is LOSSLESS[0]:  # what a pack of the other kind made of values that are kept instead is not known
        assert not [event for event in state_of(compiled).history if event.kind == "break"]


def test_a_penalty_has_the_slope_that_finite_differences_have() -> None:
    fast = gl.jit(inside((doubled, halved), layers))

    def penalty(x: Any, w: Any) -> Any:
        (slope,) = grad(fast(x, w), x, create_graph=True)
        return (slope * slope).sum()

    x, w = arguments()
    (found,) = grad(penalty(x, w), w)
    step = 1e-6
    for place in np.ndindex(2, 3):
        ends = []
        for way in (step, -step):
            moved = w.detach().numpy().copy()
            moved[place] += way
            ends.append(penalty(x, gl.tensor(moved, requires_grad=True)).item())
        np.testing.assert_allclose(found.numpy()[place], (ends[0] - ends[1]) / (2 * step), rtol=1e-6)


@pytest.mark.parametrize("pair", [*LOSSY, (as_it_is, another)])
def test_what_hooks_give_back_has_the_history_of_what_was_saved(pair: Any) -> None:
    def square(x: Any, w: Any) -> Any:
        with hooks_of(*pair):
            h = (x @ w).exp()
            return (h * h).sum()

    with gl.config.patch(**{MODE: "all"}):
        assert_close(penalised(gl.jit(square), *arguments(), 2), penalised(square, *arguments(), 2))


def test_sizes_may_change() -> None:
    below = inside((half, whole), of_several_results)
    with gl.config.patch(**{MODE: "all"}):
        fast = gl.jit(below)
        for rows in (4, 5, 6, 4):
            found, wanted = (penalised(each, *arguments(rows), 1) for each in (fast, below))
            for one, other in zip(found, wanted, strict=True):  # what is computed again is not rounded
                np.testing.assert_allclose(one, other, rtol=2e-2)
    assert gl.explain(fast).compiles == 2


def test_what_was_written_since_is_refused_and_a_freed_history_too() -> None:
    fast = gl.jit(inside((doubled, halved), layers))
    x, w = arguments()
    loss = fast(x, w)
    with gl.no_grad():
        w.add_(1.0)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        grad(loss, x, create_graph=True)
    x, w = arguments()
    loss = fast(x, w)
    first, second = (grad(loss, x, create_graph=True)[0] for _ in range(2))
    np.testing.assert_array_equal(first.detach().numpy(), second.detach().numpy())
    loss.backward()
    with pytest.raises(RuntimeError, match="second time"):
        grad(loss, x, create_graph=True)


# -- breaks ------------------------------------------------------------------------------------------------------------
def a_break_in_the_middle(pair: Any, x: Any, w: Any) -> Any:
    with hooks_of(*pair):
        h = (x @ w).tanh()
        print(h.shape, file=OUT)
        return (h * h.exp() * w.sum()).sum()


def in_nested_contexts(pair: Any, x: Any, w: Any) -> Any:
    with hooks_of(*pair):
        h = (x @ w).tanh()
        with hooks_of(doubled, halved):
            y = h * h.sin()
            print(y.shape, file=OUT)
            y = y * h
        y = y.exp() * w.sum()
        with gl.no_grad():
            c = y.exp()
            print(c.shape, file=OUT)
        return (y * c).sum()


def behind_the_context(pair: Any, x: Any, w: Any) -> Any:
    with hooks_of(*pair):
        h = (x @ w).tanh() * w.sum()
    print(h.shape, file=OUT)
    return (h * h).sum()


def what_hooks_read_changes_at_the_break(pair: Any, x: Any, w: Any) -> Any:
    with hooks_of(*pair):
        h = (x @ w).tanh()
        SCALE[0] += 1.0
        print(h.shape, file=OUT)
        return (h * h.exp()).sum()


def an_error_at_the_break(pair: Any, x: Any, w: Any) -> Any:
    h = x @ w
    try:
        with hooks_of(*pair):
            h = h.tanh() * h
            int("no number")
    except ValueError:
        print(len(MODES.stack), file=OUT)
    return (h * h.exp()).sum()


AT_BREAKS = [
    a_break_in_the_middle,
    in_nested_contexts,
    behind_the_context,
    what_hooks_read_changes_at_the_break,
    an_error_at_the_break,
]


def once(loss: Any, x: Any, w: Any) -> None:
    loss.backward()


def twice(loss: Any, x: Any, w: Any) -> None:
    loss.backward(retain_graph=True)
    loss.backward()


def penalty(loss: Any, x: Any, w: Any) -> None:
    (slope,) = grad(loss, x, create_graph=True)
    ((slope * slope).sum() + loss).backward()


@pytest.mark.parametrize("end", [once, twice, penalty])
@pytest.mark.parametrize("pair", AROUND_BREAKS, ids=lambda pair: pair[0].__name__)
@pytest.mark.parametrize("program", AT_BREAKS)
def test_a_step_that_breaks_below_hooks_has_eager_mode_s_numbers(program: Program, pair: Any, end: Any) -> None:
    def step(x: Any, w: Any) -> Any:
        loss = program(pair, x, w)
        end(loss, x, w)
        return loss.detach()

    results: list[Any] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for each in (step, gl.jit(step)):
            SCALE[0] = 2.0
            found = []
            for _ in range(3):
                x, w = arguments()
                found += [each(x, nn.Parameter(w.detach())).numpy(), x.grad.numpy()]
                assert MODES.stack == () and gl.is_grad_enabled()
            results.append(found)
    assert_close(results[1], results[0])


def test_hooks_of_which_it_matters_when_they_run_are_left_to_python_and_told() -> None:
    def step(x: Any, w: Any) -> Any:
        with hooks_of(coarse, by_now):
            h = (x @ w).tanh()
            print(h.shape, file=OUT)
            loss = h.exp().sum()
        loss.backward()
        return loss.detach()

    with pytest.warns(gl.GraphBreakWarning, match="runs as plain Python up to this line"):
        gl.jit(step)(*arguments())


SEEN: list[Any] = []
STORE: dict[int, Any] = {}


@inlineable
def counted(t: Any) -> Any:
    SEEN.append(tuple(t.shape))
    return t


def put(t: Any) -> Any:
    STORE[len(STORE)] = t.detach().clone()
    return len(STORE) - 1


def take(key: Any) -> Any:
    SEEN.append(key)
    return STORE[key]


@pytest.mark.parametrize("end", [once, twice, penalty])
@pytest.mark.parametrize("pair", [(counted, as_it_is), (put, take)], ids=["counted", "store"])
@pytest.mark.parametrize("program", [a_break_in_the_middle, in_nested_contexts, behind_the_context])
def test_hooks_that_do_more_than_compute_run_as_often_as_in_eager_mode(program: Program, pair: Any, end: Any) -> None:
    def step(x: Any, w: Any) -> Any:
        loss = program(pair, x, w)
        end(loss, x, w)
        return loss.detach()

    seen, results = [], []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for each in (step, gl.jit(step)):
            SEEN.clear(), STORE.clear()
            for _ in range(3):
                x, w = arguments()
                results.append([each(x, w).numpy(), x.grad.numpy(), w.grad.numpy()])
            seen.append(([*SEEN], [*STORE]))
    for number in range(3):
        assert_close(results[number + 3], results[number])
    assert seen[0] == seen[1]
