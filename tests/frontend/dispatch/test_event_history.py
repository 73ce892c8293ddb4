"""The history of a function: what its events say of a call, whatever happens while they are made."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift.frontend.dispatch import event_history


def test_a_call_that_cannot_be_explained_is_answered_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> Any:
        raise RuntimeError("a mistake")

    monkeypatch.setattr(event_history, "settled", fail)
    doubled = gl.jit(lambda x: x * 2)
    doubled(np.ones(3))
    with gl.config.patch(raise_internal_errors=False):
        assert doubled(np.ones(3, np.float32)).tolist() == [2.0, 2.0, 2.0]
    (reason,) = gl.explain(doubled).events[-1].nearest()
    assert "could not be told: a mistake" in reason.text
    with gl.config.patch(raise_internal_errors=True), pytest.raises(RuntimeError, match="a mistake"):
        doubled(np.ones(3, np.int64))


def test_an_event_names_the_lines_that_made_the_call_and_not_those_of_the_function() -> None:
    @gl.jit
    def stepped(x: Any) -> Any:
        y = x + 1
        gl.graph_break()
        return y * 2

    def train(x: Any) -> None:
        stepped(x)

    train(np.ones(3))
    events = gl.explain(stepped).events
    assert {event.kind for event in events} == {"break", "compile"}
    assert {event.called_from[0][2] for event in events} == {"stepped(x)"}
    assert {event.called_from[1][2] for event in events} == {"train(np.ones(3))"}


def test_an_int_beyond_64_bits_is_the_arguments_doing() -> None:
    @gl.jit
    def shifted(x: Any, k: Any) -> Any:
        return x + k

    x = np.arange(3.0)
    np.testing.assert_array_equal(shifted(x, 3), x + 3)
    np.testing.assert_array_equal(shifted(x, 2**70), x + 2**70)
    np.testing.assert_array_equal(shifted(x, -5), x - 5)
    (found,) = gl.explain(shifted).breaks
    assert found.code == "B401" and "array arithmetic beyond 64 bits on k" in found.what


def test_cells_that_functions_share_are_no_reason_for_a_recompile() -> None:
    def program() -> Any:
        scale = 2.0

        def half(x: Any) -> Any:
            return x / scale

        def both(x: Any) -> Any:
            return half(x) * scale

        return both

    both = gl.jit(program())
    both(np.ones(3))
    both(np.ones(3, np.float32))
    changes = [reason.change() for event in gl.explain(both).events for reason in event.reasons]
    assert changes == ["x.dtype was float64, now float32"]
