"""The pytest plugin, in runs of its own: the marker, the fixtures, the summary, the ledger."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = """\
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

@pytest.mark.guardlift(max_recompiles=0)
class TestAllowed:
    @pytest.mark.guardlift(max_recompiles=1)
    def test_by_the_closest_marker(self):
        scale(X, 1)
        scale(X, 2)

def test_log(compile_log, fresh_cache):
    scale(X, 5)
    assert compile_log.compiles == 1
    assert list(fresh_cache.iterdir())

def test_fails_by_itself(compile_log):
    scale(X, 6)
    scale(X, 7)
    assert False

@pytest.mark.guardlift(3)
def test_marker_without_names():
    pass
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "test_some.py").write_text(TESTS)
    return tmp_path


def run(project: Path, *options: str, autoload: str = "1") -> str:
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": autoload, "COLUMNS": "200"}
    environment.pop("PYTEST_ADDOPTS", None)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "guardlift.tools.pytest_plugin",
        "-p",
        "no:cacheprovider",
        *options,
    ]
    return subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False).stdout


def section(output: str, title: str) -> str:
    """The text that a run printed about one failing test."""
    return re.split(rf"\n_+ .*{title} _+\n", output)[1].split("\n____")[0]


def test_markers_fixtures_and_summary(project: Path) -> None:
    output = run(project, "--guardlift-summary", "--strict-markers")
    assert "3 failed, 4 passed, 1 error" in output
    recompiles = section(output, "test_recompiles")
    assert recompiles.startswith("1 recompile, where @pytest.mark.guardlift(max_recompiles=0) allows 0\n")
    assert "guardlift recompiles call" in recompiles
    assert (
        "n was 1, now 2" in recompiles
        and "no edit known: " in recompiles
        and "test_some.py:9: for k in range" in recompiles
    )
    breaks = section(output, "test_breaks")
    assert breaks.startswith("1 graph break, where @pytest.mark.guardlift(max_breaks=0) allows 0\n")
    assert "remedy: use np.where" in breaks
    assert "n was 6, now 7" in section(output, "test_fails_by_itself")
    assert (
        "@pytest.mark.guardlift takes max_recompiles=, max_breaks= or both, as ints; found args (3,) and {}" in output
    )
    summary = output.split("guardlift summary")[1]
    assert re.search(r"\n10 compiles, 3 recompiles, \d+\.\d\d s in 7 tests\n", summary), summary
    assert "2 compiles, 1 recompile, 0 graph breaks  test_some.py::test_recompiles" in summary


def test_the_ledger_is_written_and_then_compared(project: Path) -> None:
    assert "guardlift: the counts of 4 tests are in" in run(project, "--guardlift-ledger=update")
    ledger = project / "guardlift-ledger.txt"
    text = ledger.read_text()
    assert "   2   1   0  test_some.py::TestAllowed::test_by_the_closest_marker\n" in text
    assert "test_recompiles" not in text  # a failed test's counts say nothing
    chosen = "test_some.py::TestAllowed"
    assert "1 passed" in run(project, "--guardlift-ledger=check", chosen)
    ledger.write_text(text.replace("   2   1   0  ", "   5   1   0  "))
    output = run(project, "--guardlift-ledger=check", chosen)
    assert "the ledger has 5 compiles, 1 recompile, 0 graph breaks, and now it is 2 compiles, 1 recompile" in output
    assert "1 failed" in output


def test_counts_come_together_from_workers(project: Path) -> None:
    pytest.importorskip("xdist")
    output = run(project, "-p", "xdist", "-n", "2", "--guardlift-summary", "--guardlift-ledger=update")
    assert "2 compiles, 1 recompile, 0 graph breaks  test_some.py::TestAllowed::test_by_the_closest_marker" in output
    assert "TestAllowed::test_by_the_closest_marker\n" in (project / "guardlift-ledger.txt").read_text()


def test_unused_the_plugin_loads_no_tracer_and_no_compiler(tmp_path: Path) -> None:
    names = ["numba", "llvmlite", "rich", "guardlift.frontend.dispatch.state", "guardlift.tools.collect"]
    test = f"import sys\n\ndef test_nothing():\n    assert [name for name in {names} if name in sys.modules] == []\n"
    (tmp_path / "test_nothing.py").write_text(test)
    assert "1 passed" in run(tmp_path)
