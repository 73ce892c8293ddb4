"""Calls without array work: plain by default, entries without a plan under `config.trace_without_arrays`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from oracle import check

import guardlift as gl
from guardlift.frontend import state_of


@pytest.fixture(autouse=True)
def traced() -> Iterator[None]:
    with gl.config.patch(trace_without_arrays=True):
        yield


def entries(function: Any) -> list[Any]:
    state = state_of(function)
    assert state is not None
    return [entry for entry in state.entries if not entry.plain]


def whole(function: Callable[..., Any], *args: Any, **options: Any) -> None:
    """`function` gives what Python gives, from entries without a plan."""
    report = check(function, *args, expect="compiled", backend="reference", **options)
    assert all("compiled" not in entry.details for entry in report.entries)


def test_it_is_off_by_default_and_such_calls_run_plainly() -> None:
    with gl.config.patch(trace_without_arrays=False):
        jitted = gl.jit(lambda n: [n, n + 1])
        assert jitted(1) == [1, 2] and not entries(jitted)


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (lambda n: n + 1, (3,)),
        (lambda n: [n, {"a": (n, 2.5)}, "s", None, ...], (3,)),
        (lambda n: -0.0 if n else 0.0, (1,)),
        (lambda n: float("nan"), (1,)),
        (lambda text: text.upper() + "!", ("é",)),
        (lambda n, *rest, key=2, **more: (n, rest, key, more), (1, 2)),
        (lambda: None, ()),
        (lambda x: x.shape, (np.ones((2, 3)),)),
        (lambda n: 10**5000 if n else 0, (1,)),
    ],
)
def test_results_are_rebuilt(function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    whole(function, *args)


def test_a_container_is_made_anew_by_every_call_and_shared_within_one() -> None:
    def pair() -> Any:
        inner = [1]
        return inner, [inner], {"k": inner}

    jitted = gl.jit(pair)
    one, two = jitted(), jitted()
    assert entries(jitted) and one is not two
    for inner, listed, table in (one, two):
        assert listed[0] is inner and table["k"] is inner
    one[0].append(2)
    assert two[0] == [1] and jitted()[0] == [1]


def test_what_comes_from_outside_is_the_same_object() -> None:
    kept, number = [1, 2], 123456789.5
    jitted = gl.jit(lambda x, n: (x, [x], n, x[0]))
    for _ in range(2):
        given, (inside,), same, _ = jitted(kept, number)
        assert given is kept and inside is kept and same is number
    assert entries(jitted)


def test_guards_are_checked_also_those_that_a_plan_would_check() -> None:
    jitted = gl.jit(lambda x, n: (x.shape, n is None))
    assert jitted(np.ones(3), 1) == ((3,), False)
    assert jitted(np.ones(4), 1) == ((4,), False)
    assert jitted(np.ones(3), None) == ((3,), True)
    assert jitted(np.ones(3), 1) == ((3,), False)
    assert jitted([1], None) is None if False else len(entries(jitted)) == 3


SETTING = 1


def test_a_global_that_changes_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    jitted = gl.jit(lambda: "one" if SETTING == 1 else "other")
    assert jitted() == jitted() == "one"
    monkeypatch.setitem(globals(), "SETTING", 2)
    assert jitted() == "other"


def test_a_number_that_python_would_raise_on_raises() -> None:
    jitted = gl.jit(lambda a, b: [a / b])
    assert jitted(1, 2) == jitted(1, 2) == [0.5]
    with pytest.raises(ZeroDivisionError):
        jitted(1, 0)
    assert jitted(3, 2) == [1.5]


def test_assumptions_end_an_entry_without_a_plan() -> None:
    layer = gl.nn.Linear(2, 3)
    layer.train()
    jitted = gl.jit(lambda: "training" if layer.training else "not")
    assert jitted() == jitted() == "training" and entries(jitted)
    layer.eval()
    assert jitted() == jitted() == "not"
    layer.train()
    assert jitted() == "training"


def test_explain_tells_of_such_an_entry() -> None:
    jitted = gl.jit(lambda n: [n])
    jitted(1), jitted(1.5)
    assert "type(n) was int, now" in str(gl.explain(jitted))


@pytest.mark.slow
def test_a_repetition_that_fills_the_memory_is_left_to_python() -> None:
    check(lambda: [1] * 2**62, expect="broken", backend="reference")
    check(lambda: len([1, 2] * 100_000), expect="broken", backend="reference")
    whole(lambda: [1, 2] * 3)
