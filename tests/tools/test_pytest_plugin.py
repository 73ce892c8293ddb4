"""The pytest plugin, in runs of its own: the marker, the fixtures, the summary, the ledger."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from tools.pytest_run import run_apart, run_here

from guardlift.tools.record.reader import read

PROGRAM = """\
import numpy as np
import pytest
import guardlift as gl

X = np.arange(3.0)

@gl.jit
def scale(x, n):
    for k in range(n):
        x = x + k
    return x

@gl.jit
def pick(x):
    return x if x.sum() > 0 else -x
"""
TESTS = (
    PROGRAM
    + """
def test_without_a_marker():
    scale(X, 1)

@pytest.mark.guardlift(max_recompiles=0)
def test_starts_without_entries():
    scale(X, 2)

@pytest.mark.guardlift(max_recompiles=0)
def test_recompiles():
    scale(X, 1)
    scale(X, 2)

@pytest.mark.guardlift(max_breaks=0)
def test_breaks():
    pick(X)

@pytest.mark.guardlift(max_guard_us=0.001)
def test_guards():
    scale(X, 1)

@pytest.mark.guardlift(max_recompiles=0)
class TestAllowed:
    @pytest.mark.guardlift(max_recompiles=1)
    def test_by_the_closest_marker(self):
        scale(X, 1)
        scale(X, 2)

    def test_that_calls_nothing(self):
        pass

@pytest.mark.guardlift(max_recompiles=0)
def test_calls_nothing():
    pass

def test_log(compile_log, fresh_cache):
    scale(X, 5)
    assert compile_log.compiles == 1
    assert list(fresh_cache.iterdir())

def test_fails_by_itself(compile_log):
    scale(X, 6)
    scale(X, 7)
    assert False
"""
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "test_some.py").write_text(TESTS)
    return tmp_path


@pytest.mark.slow
def test_markers_fixtures_and_summary(project: Path) -> None:
    run = run_here(project, "--guardlift-summary", "--strict-markers")
    failed = {test.rpartition("::")[2] for test, outcome in run.by_test.items() if outcome == "failed"}
    assert failed == {"test_recompiles", "test_breaks", "test_guards", "test_calls_nothing", "test_fails_by_itself"}
    assert run.failure("test_recompiles")[:2] == [
        "1 recompile, where max_recompiles=0 is allowed",
        "expected at test_some.py:24: test_recompiles",
    ]
    assert run.failure("test_recompiles")[-1] == "again with: guard-explain -m pytest 'test_some.py::test_recompiles'"
    breaks = "\n".join(run.failure("test_breaks"))
    assert breaks.startswith("1 graph break, where max_breaks=0 is allowed\n")
    assert "called at test_some.py:31 " in breaks and " pick(X)\n" in breaks
    assert run.failure("test_guards")[0].startswith("the guards of entry 0 of scale take about 0.")
    assert run.failure("test_calls_nothing")[0] == "no jitted function was called, so the expectation could not fail"
    own = "\n".join(run.failure("test_fails_by_itself"))
    assert "guardlift recompiles call" in own and "n was 6, now 7" in own
    summary = run.out.split("guardlift summary")[1]
    assert re.search(r"\n11 compiles, 3 recompiles, \d+\.\d\d s in 10 tests\n", summary), summary
    assert "2 compiles, 1 recompile, 0 graph breaks (n)  test_some.py::test_recompiles" in summary, summary


@pytest.mark.parametrize(
    ("marker", "wrong"),
    [
        ("(3)", "it takes max_recompiles=, max_breaks=, max_guard_us=, backend=, fresh= by name, one at least"),
        ("()", "it takes max_recompiles=, max_breaks=, max_guard_us=, backend=, fresh= by name, one at least"),
        ("(max_recompiles=-1)", "max_recompiles= takes an int from 0 on, not -1"),
        ("(max_breaks=True)", "max_breaks= takes an int from 0 on, not True"),
        ("(max_guard_us='1')", "max_guard_us= takes a number of microseconds from 0 on, not '1'"),
        ("(backend='numbat')", "backend= takes the name of a backend (gl.list_backends()), not 'numbat'"),
        ("(fresh=0)", "fresh= takes True or False, not 0"),
        ("(max_compiles=0)", "there is no max_compiles=; it takes max_recompiles="),
    ],
)
@pytest.mark.slow
def test_a_wrong_marker_is_told_once_at_collection_without_a_traceback(tmp_path: Path, marker: str, wrong: str) -> None:
    lines = f"import pytest\npytestmark = pytest.mark.guardlift{marker}\ndef test_a(): pass\ndef test_b(): pass\n"
    (tmp_path / "test_wrong.py").write_text(lines)
    run = run_here(tmp_path)
    assert run.by_test == {} and run.code == 2
    told = run.out.partition("short test summary")[0]
    assert told.count(wrong) == 1 and f"test_wrong.py:3: test_a: @pytest.mark.guardlift{marker[:4]}" in told
    assert "Traceback" not in run.out and "pytest_plugin.py" not in run.out


@pytest.mark.slow
def test_the_ini_file_has_defaults_which_markers_override(project: Path) -> None:
    (project / "pytest.ini").write_text("[pytest]\nguardlift_max_recompiles = 1\nguardlift_backend = eager\n")
    (project / "test_some.py").write_text(
        PROGRAM
        + "def test_three(): [scale(X, n) for n in range(1, 4)]\n"
        + "@pytest.mark.guardlift(max_recompiles=2)\n"
        + "def test_more(): [scale(X, n) for n in range(1, 4)]\n"
        + "def test_calls_nothing(): assert gl.config.backend == 'eager'\n"
    )
    run = run_here(project)
    assert list(run.by_test.values()) == ["failed", "passed", "passed"]
    assert run.failure("test_three")[0] == "2 recompiles, where max_recompiles=1 is allowed"
    (project / "pytest.ini").write_text("[pytest]\nguardlift_max_recompiles = few\n")
    run = run_here(project)
    assert run.code == pytest.ExitCode.USAGE_ERROR and run.by_test == {}


@pytest.mark.slow
def test_a_backend_is_that_of_functions_jitted_before_and_inside(tmp_path: Path) -> None:
    (tmp_path / "test_backend.py").write_text(
        PROGRAM
        + "asked = []\n"
        + "@gl.register_backend\n"
        + "def counting_backend(graph, inputs):\n    asked.append(graph)\n    return graph\n"
        + "@pytest.mark.guardlift(backend='numba')\ndef test_usual(): scale(X, 1); assert not asked\n"
    )
    (tmp_path / "test_second.py").write_text(
        "import pytest, guardlift as gl\nimport sys\n"
        "@pytest.mark.guardlift(backend='counting_backend')\n"
        "def test_moved():\n"
        "    first = next(each for each in sys.modules.values() if hasattr(each, 'counting_backend'))\n"
        "    first.scale(first.X, 1); assert len(first.asked) == 1\n"
        "    gl.jit(lambda x: x + 1)(first.X); assert len(first.asked) == 2\n"
    )
    run = run_here(tmp_path)
    assert list(run.by_test.values()) == ["passed", "passed"], run.out


def test_while_guardlift_is_off_expectations_and_markers_are_skipped_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "test_off.py").write_text(
        PROGRAM
        + "def test_expectation():\n    with gl.testing.no_recompiles(of=scale):\n        scale(X, 1); scale(X, 2)\n"
        + "@pytest.mark.guardlift(max_recompiles=0)\ndef test_marker(): scale(X, 1); scale(X, 2)\n"
        + "def test_other(): scale(X, 1)\n"
    )
    from guardlift.core.config import config

    with config.patch(disable=True):
        run = run_here(tmp_path, "-rs")
    assert list(run.by_test.values()) == ["skipped", "skipped", "passed"]
    assert "guardlift is switched off (gl.config.disable, or GUARDLIFT_DISABLE=1), so nothing is compiled" in run.out


@pytest.mark.slow
def test_under_a_tracer_the_same_is_compiled(project: Path) -> None:
    assert run_here(project, tracer=True).by_test == run_here(project).by_test


@pytest.mark.slow
def test_a_run_is_recorded(project: Path) -> None:
    run_here(project, "--guardlift-record=record")
    record = read(project / "record")
    assert [event.function for event in record.events if event.kind == "break"] == ["pick"]
    (lines,) = {event.called_from[0][:2] for event in record.events if event.kind == "break"}
    assert lines == (str(project / "test_some.py"), 31)
    assert "GUARDLIFT_RECORD" not in os.environ
    again = run_here(project, "--guardlift-record=record")
    assert again.code == pytest.ExitCode.USAGE_ERROR and again.by_test == {}


@pytest.mark.slow
def test_the_record_of_a_run_has_its_workers_and_what_tests_start(project: Path) -> None:
    pytest.importorskip("xdist")
    start = "import subprocess, sys\ndef test_start(): subprocess.run([sys.executable, 'program.py'], check=True)\n"
    (project / "test_start.py").write_text(start)
    (project / "program.py").write_text(PROGRAM + "@gl.jit\ndef other(x): return x + 1\nother(X)\n")
    run_apart(project, "-n", "2", "--guardlift-record=record", plugins=("xdist",))
    record = read(project / "record")
    assert {"scale", "pick", "other"} == {event.function for event in record.events}
    labels = [process.label for process in record.processes]
    assert {label.partition(", ")[2] for label in labels} >= {"gw0", "gw1"} and len(labels) >= 3


def test_unused_the_plugin_loads_no_tracer_and_no_compiler(tmp_path: Path) -> None:
    names = ["numba", "llvmlite", "rich", "guardlift.frontend.dispatch.state", "guardlift.tools.collect"]
    test = f"import sys\n\ndef test_nothing():\n    assert [name for name in {names} if name in sys.modules] == []\n"
    (tmp_path / "test_nothing.py").write_text(test)
    assert "1 passed" in run_apart(tmp_path)
