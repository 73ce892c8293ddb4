"""Functions of a notebook's cells, of `exec` and of an interactive session: traced, explained, kept on disk."""

from __future__ import annotations

import linecache
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import guardlift as gl
from guardlift.core.user_line import cells_named, line_text

CELL = "/tmp/ipykernel_71/2871203.py"
SOURCE = """\
@gl.jit
def f(x, n):
    print(end="")
    return x * n

@gl.jit(fullgraph=True)
def whole(x):
    if float(x.sum()) > 0:
        return x
    return -x
"""


@pytest.fixture
def cell(monkeypatch) -> dict[str, object]:
    """The names of a cell, the third of a notebook, once it has run."""
    shell = SimpleNamespace(compile=SimpleNamespace(_filename_map={CELL: 3}))
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setitem(linecache.cache, CELL, (len(SOURCE), None, SOURCE.splitlines(keepends=True), CELL))
    names: dict[str, object] = {"gl": gl}
    exec(compile(SOURCE, CELL, "exec"), names)
    return names


def test_a_line_of_a_cell_is_named_by_the_number_of_the_cell(cell, monkeypatch) -> None:
    assert line_text(CELL, 4) == "In [3], line 4" and line_text("/a/b.py", 7) == "/a/b.py:7"
    assert cells_named(f"n == 1  # {CELL}:12: return n, /a/b.py:7") == "n == 1  # In [3], line 12: return n, /a/b.py:7"
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: None))
    assert line_text(CELL, 4) == f"{CELL}:4"


def test_all_that_is_said_of_a_function_names_its_cell(cell, caplog) -> None:
    with gl.config.patch(logs=("recompiles",)):
        for n, dtype in ((1, np.float64), (2, np.float64), (2, np.float32)):
            assert np.array_equal(cell["f"](np.ones(3, dtype), n), np.full(3, n, dtype))
    with pytest.raises(gl.Unsupported, match=r"B102 at In \[3\], line 8: (.|\n)*if float\(x.sum\(\)\) > 0"):
        cell["whole"](np.ones(3))
    report = gl.explain(cell["f"])
    said = [str(report), str(report.breaks[0]), report._repr_html_(), caplog.text]
    assert all("In [3], line " in text for text in said)
    assert all(CELL not in text for text in said)


WITHOUT_A_FILE = """\
import numpy as np, guardlift as gl
exec("@gl.jit\\ndef g(a):\\n    return np.cos(a) * 3", globals())
assert g(np.zeros(3)).tolist() == [3.0, 3.0, 3.0]
assert g(np.zeros(3, np.float32)).tolist() == [3.0, 3.0, 3.0]
assert "# <string>:3" in str(gl.explain(g))

@gl.jit
def h(a):
    return np.cos(a) * 5

assert h(np.zeros(3)).tolist() == [5.0, 5.0, 5.0]
assert "h  <stdin>:" in str(gl.explain(h))
print(gl.artifact_counters()["entry"].hit)
"""


@pytest.mark.slow
def test_functions_without_a_file_run_and_the_next_session_finds_their_entries(tmp_path: Path) -> None:
    environment = {**os.environ, "GUARDLIFT_CACHE_DIR": str(tmp_path), "GUARDLIFT_ENTRY_CACHE": "1"}
    command = [sys.executable, "-q", "-i"]
    for found in ("0", "2"):
        done = subprocess.run(
            command, input=WITHOUT_A_FILE, capture_output=True, text=True, env=environment, check=False
        )
        assert "Traceback" not in done.stderr, done.stderr
        assert done.stdout.split() == [found]
