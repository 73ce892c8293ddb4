"""The whole texts of failing expectations, as a run of pytest prints them."""

from __future__ import annotations

import pytest
from tools.pytest_run import Run, run_here

from guardlift.tools.harness.failure_text import LONGEST

try:
    from inline_snapshot import snapshot
except ImportError:  # the texts are compared all the same, but `--inline-snapshot=fix` cannot write them

    def snapshot(text: str) -> str:
        return text


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

@gl.jit(on_limit="eager")
def handle(x, name):
    return x + len(name) if name.startswith("a") else x * len(name)

@gl.jit
def twice(x):
    return x * 2.0

def test_with():
    with gl.testing.no_recompiles(of=twice):
        twice(X)
        twice(X.astype(np.float32))

@gl.testing.no_graph_breaks(of=pick)
def test_decorated():
    pick(X)

def helper(kind):
    return twice(X.astype(kind))

@pytest.mark.guardlift(max_recompiles=0, max_breaks=0)
def test_marked():
    for kind in ("f4", "f8", "i4"):
        helper(kind)

def test_storm():
    with gl.testing.max_recompiles(3, of=handle):
        for k in range(40):
            handle(X, f"user{k}")

def test_many_causes():
    made = [gl.jit(eval(f"lambda x, n: x + n if n > {k} else x * 2")) for k in range(30)]
    with gl.testing.no_recompiles():
        for k, f in enumerate(made):
            f(X, k), f(X, k + 1)

def test_guards():
    with gl.testing.max_guard_us(0.001, of=scale):
        scale(X, 1)

def test_leak():
    kept = {}
    with gl.testing.assert_no_leak():
        kept["net"] = [gl.nn.Linear(2, 2)]

def test_exact():
    with gl.testing.exact_compiles(2):
        scale(X, 1)
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("texts")
    (folder / "test_texts.py").write_text(PROGRAM)
    found = run_here(folder, "-W", "ignore")
    assert set(found.by_test.values()) == {"failed"}
    return found


def text(run: Run, test: str) -> str:
    """The text that was raised, without the test's source."""
    lines = run.failure(test)
    raised = [line.removeprefix("E").removeprefix("       ") for line in lines if line.startswith("E ")]
    return "\n".join(raised or lines).strip()


@pytest.mark.slow
def test_a_recompile(run: Run) -> None:
    assert text(run, "test_with") == snapshot("""\
AssertionError: 1 recompile, where at most 0 may happen
1         twice  x.dtype float64 → float32                                                                   1 recompile
          called at test_texts.py:28    twice(X.astype(np.float32))
          matters at test_texts.py:23   return x * 2.0
          fix: pass x.astype(np.float64)
again with: guard-explain -m pytest 'test_texts.py::test_with'\
""")


def test_a_decorated_test_is_placed_since_no_line_of_it_is_in_the_traceback(run: Run) -> None:
    assert text(run, "test_decorated") == snapshot("""\
1 graph break, where none should happen
expected at test_texts.py:30: test_decorated
1  B101   pick  a branch on the value of an array (an intermediate b1[])
          broke at test_texts.py:15    return x if x.sum() > 0 else -x
          called at test_texts.py:32   pick(X)
          fix: use np.where(condition, a, b), or move the branch outside the jitted function
again with: guard-explain -m pytest 'test_texts.py::test_decorated'\
""")


def test_a_marker_places_the_test_and_the_call_in_a_helper(run: Run) -> None:
    assert text(run, "test_marked") == snapshot("""\
2 recompiles, where max_recompiles=0 is allowed
expected at test_texts.py:37: test_marked
1         twice  x.dtype float32 → float64 → int32                                                          2 recompiles
          called at test_texts.py:35    return twice(X.astype(kind))
          from test_texts.py:40   helper(kind)
          matters at test_texts.py:23   return x * 2.0
          fix: pass x.astype(np.float64)
again with: guard-explain -m pytest 'test_texts.py::test_marked'\
""")


def test_the_dearest_guards(run: Run) -> None:
    assert text(run, "test_guards") == snapshot("""\
AssertionError: the guards of entry 0 of scale take about 0.07 us, where 0.001 us may be
   0.042 us  n == 1  # test_texts.py:9: for k in range(n):
   0.020 us  x: float64[3]  # test_texts.py:10: x = x + k
   0.010 us  range is the class range  # test_texts.py:9: for k in range(n):
again with: guard-explain -m pytest 'test_texts.py::test_guards'\
""")


def test_who_holds_what_was_leaked(run: Run) -> None:
    assert text(run, "test_leak").split("; ") == [
        "AssertionError: 1 Linear made here did not die",
        "the first Linear is held by test_leak.<locals>.kept['net'][0]",
    ]


def test_too_few_compiles(run: Run) -> None:
    assert text(run, "test_exact") == snapshot("""\
AssertionError: 1 compile, where exactly 2 should happen
  scale  compiled, called at test_texts.py:64: scale(X, 1)
again with: guard-explain -m pytest 'test_texts.py::test_exact'\
""")


@pytest.mark.parametrize("test", ["test_storm", "test_many_causes"])
def test_a_text_is_short_whatever_happened(run: Run, test: str) -> None:
    lines = text(run, test).splitlines()
    assert len(lines) <= LONGEST
    assert lines[-1] == f"again with: guard-explain -m pytest 'test_texts.py::{test}'"


def test_no_frame_of_guardlift_is_shown(run: Run) -> None:
    assert "tools/harness" not in run.out and "tools/testing.py" not in run.out and "pytest_plugin" not in run.out


def test_what_does_not_fit_is_counted(run: Run) -> None:
    assert any(
        line.startswith("and ") and line.endswith(" more causes") for line in text(run, "test_many_causes").splitlines()
    )
