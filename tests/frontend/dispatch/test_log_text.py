"""`gl.config.logs`: each kind of log, on standard error."""

from __future__ import annotations

import numpy as np
import pytest

import guardlift as gl
from guardlift.core.config import LOG_KINDS
from guardlift.frontend.dispatch.log_text import WRITERS

X = np.arange(3.0)


def logged(capsys, *kinds: str) -> str:
    """The log that is written while one function compiles twice and another breaks."""

    @gl.jit
    def scale(x, n):
        for k in range(n):
            x = x + k
        return x

    @gl.jit
    def pick(x):
        return x if x.sum() > 0 else -x

    with gl.config.patch(logs=kinds):
        scale(X, 1)
        scale(X, 2)
        pick(X)
    streams = capsys.readouterr()
    assert streams.out == ""
    return streams.err


def test_every_kind_of_log_has_a_writer() -> None:
    assert set(WRITERS) == LOG_KINDS


def test_without_kinds_nothing_is_written(capsys) -> None:
    assert logged(capsys) == ""


def test_recompiles_give_the_failed_guard_and_the_line(capsys) -> None:
    lines = logged(capsys, "recompiles").splitlines()
    assert lines[0].startswith("guardlift recompiles: test_log_text") or "scale" in lines[0]
    assert lines[0].endswith("compiles again:")
    assert lines[1].startswith("guardlift recompiles:   entry 0: n was 1, now 2; ")
    assert lines[2].startswith("guardlift recompiles:     relied on at ") and lines[2].endswith(": for k in range(n):")
    assert len(lines) == 3


def test_breaks_give_code_reason_and_remedy(capsys) -> None:
    (line,) = logged(capsys, "breaks").splitlines()
    assert line.startswith("guardlift breaks: ") and "pick is split: B101 at " in line
    assert "Remedy: use np.where" in line


def test_guards_give_each_fact_with_its_line(capsys) -> None:
    text = logged(capsys, "guards")
    assert text.count("holds while\n") == 3
    assert "guardlift guards:   n == 1    # " in text and "guardlift guards:   n == 2    # " in text
    assert "guardlift guards:   x: float64[3]    # " in text


def test_graphs_are_printed(capsys) -> None:
    text = logged(capsys, "graphs")
    assert text.count("guardlift graphs: graph(%x: f64[3]) {\n") == 3
    assert "add(" in text and "# test_log_text.py:" in text


def test_kernels_are_printed_with_where_they_came_from(capsys) -> None:
    text = logged(capsys, "kernels")
    assert text.count(" kernels in ") == 3 and "compiled, " in text and "loaded from disk, " in text
    assert "guardlift kernels:   def kernel(" in text


@pytest.mark.filterwarnings("ignore:.*the limit:RuntimeWarning")
def test_the_limit_is_among_the_recompiles(capsys) -> None:
    @gl.jit
    def scale(x, n):
        return x * float(n) if n > 1 else x + 1.0

    with gl.config.patch(logs=("recompiles",), recompile_limit=1):
        scale(X, 1)
        scale(X, 2)
        scale(X, 2)
    (line,) = capsys.readouterr().err.splitlines()
    assert "has 1 entry, the limit (gl.config.recompile_limit)" in line


@pytest.mark.spec("S5.23")
@pytest.mark.parametrize("kinds", [("hints",), ("recompiles",)])
def test_hints_name_the_gradients_that_move_once(capsys, kinds) -> None:
    weights = [gl.nn.Parameter(gl.ones(2)) for _ in range(2)]
    for each in weights:
        each.grad = gl.ones(2)
    optimizer = gl.optim.SGD(weights, lr=0.1)

    @gl.jit
    def step():
        optimizer.step()

    with gl.config.patch(logs=kinds):
        for _ in range(3):
            step()
            for each in weights:
                each.grad = gl.ones(2)
    lines = capsys.readouterr().err.splitlines()
    if kinds == ("recompiles",):
        assert lines == []
        return
    assert lines[0].startswith("guardlift hints: entry 0 of ") and "a device graph would copy them" in lines[0]
    assert lines[1:] == [f"guardlift hints:   optimizer.param_groups[0]['params'][{k}].grad" for k in range(2)]
