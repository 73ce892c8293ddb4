"""`threading.local()` in jitted functions: each thread has its own attributes."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from frontend.language import X, plain
from oracle import under

import guardlift as gl

LOCAL = threading.local()
DEFAULTS = {"scale": 2.0}


def options() -> dict[str, float]:
    if not hasattr(LOCAL, "options"):
        LOCAL.options = DEFAULTS.copy()
    return LOCAL.options


def scaled(x: Any) -> Any:
    return x * options()["scale"]


def test_an_entry_reads_the_attributes_of_the_thread_that_calls() -> None:
    jitted = gl.jit(scaled)

    def in_a_thread(scale: float) -> list[float]:
        first = jitted(X)  # which fills the thread's attributes
        options()["scale"] = scale
        results = [jitted(X) for _ in range(3)]
        assert LOCAL.options == {"scale": scale} and np.array_equal(first, X * 2.0)
        assert all(np.array_equal(each, X * scale) for each in results)
        return results[0].tolist()

    with under("reference"):
        vars(LOCAL).clear()
        assert in_a_thread(3.0) == (X * 3.0).tolist()
        with ThreadPoolExecutor(1) as pool:
            for scale in (5.0, 7.0):
                assert pool.submit(in_a_thread, scale).result() == (X * scale).tolist()
                pool.submit(lambda: vars(LOCAL).clear()).result()
        assert options() == {"scale": 3.0} and np.array_equal(jitted(X), X * 3.0)
        del LOCAL.options
        assert np.array_equal(jitted(X), X * 2.0) and LOCAL.options is not DEFAULTS
    assert not gl.explain(jitted).breaks


def test_attributes_are_set_and_deleted_and_others_are_missed() -> None:
    def function(x: Any) -> Any:
        LOCAL.count = getattr(LOCAL, "count", 0) + 1
        LOCAL.gone = 1
        del LOCAL.gone
        try:
            LOCAL.gone  # noqa: B018
        except AttributeError as error:
            return x + LOCAL.count, str(error), hasattr(LOCAL, "gone"), sorted(vars(LOCAL))

    with under("reference"):
        vars(LOCAL).clear()
        wanted = function(X)
        vars(LOCAL).clear()
        jitted = gl.jit(function)
        got = jitted(X)
        assert np.array_equal(got[0], wanted[0]) and got[1:] == wanted[1:]
        assert np.array_equal(jitted(X)[0], X + 2) and LOCAL.count == 2
    assert not gl.explain(jitted).breaks


class Counted(threading.local):
    def __init__(self) -> None:
        self.count = 1


def test_a_subclass_is_left_to_python_since_its_init_runs_in_each_thread() -> None:
    counted = Counted()
    plain(lambda x: x + counted.count, X, code="B401")


def test_a_name_of_the_class_is_not_set() -> None:
    def function(x: Any) -> Any:
        LOCAL.__class__ = Counted
        return x

    with pytest.raises(TypeError):
        gl.jit(function)(X)
