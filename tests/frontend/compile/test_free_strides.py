"""Arrays of many strides: after a few entries for given ones, one serves all, and does what Python does for each."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracle import Array, Tolerance, check_in_turn

import guardlift as gl
from guardlift.frontend import state_of
from guardlift.frontend.tracing.dynamic_sizes import MOST_STRIDES

GROUND = np.arange(1.0, 40001.0)


def lines(count: int = 24) -> list[Array]:
    """Vectors of 50 elements, whose neighbours are 1 to `count` elements apart."""
    return [GROUND[::step][:50] for step in range(1, count + 1)]


def tables(count: int = 24) -> list[Array]:
    """Tables of 6 rows and 5 columns, out of wider and wider ones."""
    return [GROUND[: 6 * (5 + more)].reshape(6, 5 + more)[:, :5] for more in range(count)]


def compiles(function: Callable[..., Any], rows: list[tuple[Any, ...]]) -> Any:
    """`check_in_turn`, and what is compiled for calls with these arguments, all of which run as compiled code."""
    check_in_turn(function, rows, Tolerance(4, sums=True))
    jitted = gl.jit(function)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for row in rows:
            jitted(*row)
    report = gl.explain(jitted)
    assert not report.misses_over_limit and not report.limit_reached
    return report


@pytest.mark.parametrize("given", [lines(), tables()], ids=["lines", "tables"])
@pytest.mark.parametrize(
    "function",
    [
        lambda x: (x * 2 + 1).sum(),
        lambda x: np.sqrt(x) - x[::-1],
        lambda x: (x.T + 1, x.reshape(-1)[:7], x.max(0), x.argmax(), x.strides, x.flags.c_contiguous),
        lambda x: x.ravel() @ x.ravel(),
        lambda x: np.concatenate([x, x[1:]]).cumsum(0),
        lambda x: x[x > 20.0].mean(),
    ],
    ids=["sum", "sqrt", "views", "product", "concatenate", "mask"],
)
def test_one_entry_serves_all_strides(function: Any, given: list[Array]) -> None:
    assert compiles(function, [(each,) for each in given]).compiles <= MOST_STRIDES + 2


def test_strides_that_run_backwards_are_others() -> None:
    rows = [(each[::-1],) for each in lines(10)] + [(each,) for each in lines(10)]
    report = compiles(lambda x: x * 2 - x.mean(), rows)
    assert report.compiles <= 2 * (MOST_STRIDES + 2)


def test_sizes_and_strides_change_together() -> None:
    rows = [(GROUND[:: 2 + k % 9][: 10 + k],) for k in range(40)]
    assert compiles(lambda x: (x - x.mean()).std() + len(x), rows).compiles <= MOST_STRIDES + 2


def test_a_view_is_written_at_its_places_alone() -> None:
    def scaled(x: Any, y: Any) -> Any:
        x *= 2
        x[1:] += y[:-1]
        return x

    jitted = gl.jit(scaled)
    for step in range(1, 20):
        grounds = GROUND.copy(), GROUND.copy()
        for function, ground in zip((scaled, jitted), grounds, strict=True):
            function(ground[::step][:50], np.ones(50))
        assert (grounds[0] == grounds[1]).all(), step
    assert gl.explain(jitted).compiles <= MOST_STRIDES + 2


def test_native_loops_read_and_write_arrays_of_any_strides() -> None:
    def smoothed(x: Any) -> Any:
        out = np.zeros(len(x))
        for i in range(1, len(x) - 1):
            out[i] = (x[i - 1] + x[i] * 2 + x[i + 1]) / 4
        return out

    assert compiles(smoothed, [(each,) for each in lines()]).compiles <= MOST_STRIDES + 2


def test_two_arrays_with_strides_of_their_own() -> None:
    rows = [(one, other) for one, other in zip(lines(20), reversed(lines(20)), strict=True)]
    assert compiles(lambda x, y: x * y + 1, rows).compiles <= MOST_STRIDES + 2


def test_arrays_that_lie_in_memory_in_another_order_are_not_taken_for_these() -> None:
    turned = [GROUND[: 5 * (6 + more)].reshape(5, 6 + more)[:, :6].T for more in range(1, 12)]
    rows = [(each,) for pair in zip(tables(11), turned, strict=True) for each in pair]
    check_in_turn(lambda x: (x + 1, x * x), rows, Tolerance())


def test_a_stride_that_is_no_whole_number_of_elements_is_left_to_python() -> None:
    jitted = gl.jit(lambda x: x * 2)
    for each in lines(8):
        jitted(each)
    pairs = np.zeros(50, np.dtype([("a", "f8"), ("b", "i4")], align=False))
    pairs["a"] = np.arange(50)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert (jitted(pairs["a"]) == np.arange(50) * 2).all()


def test_the_first_arrays_are_answered_by_entries_of_their_own() -> None:
    jitted = gl.jit(lambda x: x + 1)
    for each in lines(12):
        jitted(each)
    state = state_of(jitted)
    assert state is not None
    point = state.points[0]
    assert ["binding" in entry.details for entry in point.entries] == [False] * MOST_STRIDES + [True]


def test_tensors_of_many_strides_are_trained_on_by_one_entry() -> None:
    ground = gl.arange(400.0).reshape(20, 20) / 400

    def trained(jit: bool) -> Any:
        gl.manual_seed(0)
        model = gl.nn.Linear(5, 3)
        optimizer = gl.optim.SGD(model.parameters(), lr=0.1)

        def step(x: Any) -> Any:
            optimizer.zero_grad()
            loss = model(x).square().mean()
            loss.backward()
            optimizer.step()
            return loss.detach()

        taken = gl.jit(step) if jit else step
        losses = [taken(ground[::k, : 5 * j : j][:2]).item() for k in range(1, 10) for j in (1, 2, 3)]
        assert not jit or gl.explain(taken).compiles <= 2 * (MOST_STRIDES + 2)
        return losses

    assert trained(True) == pytest.approx(trained(False), rel=1e-6)


def test_the_explanation_names_the_strides() -> None:
    jitted = gl.jit(lambda x: x + 1)
    for each in lines(12):
        jitted(each)
    jitted(lines(1)[0][::-3])
    text = str(gl.explain(jitted))
    assert "x.strides[0] // 8 >= 2" in text
    assert "the strides of x was (2 or more,) elements, now (-3,) elements" in text
