"""`gl.config.logs`: each kind of log, through `logging`; on standard error where the program handles none."""

from __future__ import annotations

import logging
import os
import re
import subprocess
import sys

import numpy as np
import pytest

import guardlift as gl
from guardlift.core.config import LOG_KINDS
from guardlift.frontend.dispatch import log_stream
from guardlift.frontend.dispatch.log_text import WRITERS

X = np.arange(3.0)
pytestmark = pytest.mark.usefixtures("log_on_stderr")


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
    assert re.fullmatch(r"guardlift recompiles:   called at \S*test_log_text.py:\d+: scale\(X, 2\)", lines[1])
    assert lines[2].startswith("guardlift recompiles:   entry 0: n was 1, now 2; ")
    assert lines[3].startswith("guardlift recompiles:     relied on at ") and lines[3].endswith(": for k in range(n):")
    assert len(lines) == 4


def test_breaks_give_code_reason_and_remedy(capsys) -> None:
    line, call = logged(capsys, "breaks").splitlines()
    assert line.startswith("guardlift breaks: ") and "pick is split: B101 at " in line
    assert "Remedy: use np.where" in line
    assert call.startswith("guardlift breaks:   called at ") and call.endswith(": pick(X)")


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
def test_beyond_the_limit_each_cause_is_told_once_and_calls_are_counted(capsys) -> None:
    @gl.jit
    def scale(x, n):
        for k in range(n):
            x = x + k
        return x

    with gl.config.patch(logs=("recompiles",), recompile_limit=1):
        scale(X, 1)
        for n in range(2, 150):
            scale(X, n)
        scale(X.astype(np.float32), 1)
    lines = [line.removeprefix("guardlift recompiles: ") for line in capsys.readouterr().err.splitlines()]
    assert "n was 1, now 2; " in lines[0] and "has 1 entry, the limit (gl.config.recompile_limit)" in lines[0]
    assert lines[1].startswith("  called at ") and lines[1].endswith(": scale(X, n)")
    counts = [line for line in lines[2:] if "calls have run" in line]
    assert [int(re.search(r"(\d+) calls", line)[1]) for line in counts] == [10, 100]
    assert len(lines) <= 6


def test_a_program_that_sets_up_logging_gets_one_record_an_event(caplog, monkeypatch, capsys) -> None:
    monkeypatch.setattr(log_stream, "handled_elsewhere", lambda name: True)
    assert logged(capsys, "recompiles", "breaks") == ""
    assert [(record.name, record.levelname) for record in caplog.records] == [
        ("guardlift.recompiles", "INFO"),
        ("guardlift.breaks", "INFO"),
    ]
    assert caplog.messages[0].splitlines()[0].endswith("compiles again:")
    caplog.clear()
    monkeypatch.setattr(logging.getLogger("guardlift.recompiles"), "disabled", True)
    assert logged(capsys, "recompiles") == "" and caplog.records == []


def test_a_long_chain_of_entries_is_told_by_the_nearest(capsys) -> None:
    @gl.jit
    def scale(x, n):
        for k in range(n):
            x = x + k
        return x

    for n in range(1, 6):
        scale(X, n)
    with gl.config.patch(logs=("recompiles",)):
        scale(X, 6)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 5 and lines[-1].endswith("  4 other entries differed in as much or more")


@pytest.mark.parametrize("handled", [False, True])
def test_standard_error_has_the_messages_that_the_program_does_not_handle(tmp_path, handled: bool) -> None:
    setup = (
        "import logging\nlogging.basicConfig(format='mine %(name)s %(levelname)s', level='INFO')\n" if handled else ""
    )
    program = (
        f"{setup}import numpy as np, guardlift as gl\nf = gl.jit(lambda x: x * 2)\nf(np.ones(3)); f(np.ones(3, 'f4'))"
    )
    environment = {**os.environ, "GUARDLIFT_LOGS": "recompiles"}
    ran = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, env=environment, capture_output=True, text=True)
    first, *more = ran.stderr.splitlines()
    if handled:
        assert (first, more) == ("mine guardlift.recompiles INFO", [])
    else:
        assert first == "guardlift recompiles: <lambda> (<string>:2) compiles again:" and len(more) == 3


def test_logging_is_imported_for_logs_alone(tmp_path) -> None:
    program = "import sys, numpy as np\nbefore = 'logging' in sys.modules\nimport guardlift as gl\n"
    program += "f = gl.jit(lambda x: x * 2)\nf(np.ones(3)); f(np.ones((3, 3)))\nprint(before, 'logging' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    before, after = ran.stdout.split()
    assert after == before


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
