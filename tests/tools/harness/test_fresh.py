"""A test that counts compiles has the same outcome alone, in any order, and in any process."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from tools.pytest_run import run_apart, run_here

import guardlift as gl
from guardlift.tools import testing
from guardlift.tools.harness.fresh import ExpectationSearch

FUNCTIONS = """\
import numpy as np
import guardlift as gl

X = np.arange(3.0)

@gl.jit
def scale(x, n):
    for k in range(n):
        x = x + k
    return x

@gl.jit
def twice(x):
    return x * 2.0

@gl.jit
def pick(x):
    return x if x.sum() > 0 else -x

def compiles_once(n):
    with gl.testing.exact_compiles(1, of=scale):
        scale(X, n)
"""
CONFTEST = """\
import pytest
import functions_of_examples as f

@pytest.fixture(scope="module")
def warm():
    f.scale(f.X, 1)

@pytest.fixture
def never_again():
    with f.gl.testing.no_recompiles(of=f.scale):
        yield
"""
EXAMPLES = """\
import numpy as np
import pytest
import functions_of_examples as f
from functions_of_examples import X, gl, pick, scale, twice

SINGLE = np.ones(3, np.float32)
NOT_AGAIN = gl.testing.no_recompiles(of=twice)

def test_another_one_compiles():
    twice(SINGLE)
    scale(X, 1)

def test_the_first_compile_is_free():
    with gl.testing.no_recompiles(of=twice):
        twice(X)

def test_a_recompile_fails():  # FAILS
    with gl.testing.no_recompiles(of=twice):
        twice(X)
        twice(SINGLE)

def test_a_recompile_after_a_first_call_fails():  # FAILS
    twice(X)
    with NOT_AGAIN:
        twice(SINGLE)

def test_exactly_one():
    with gl.testing.exact_compiles(1, of=twice):
        twice(SINGLE)

@gl.testing.no_recompiles(of=scale)
def test_decorated():  # FAILS
    for n in (1, 2):
        scale(X, n)

@pytest.mark.guardlift(max_recompiles=0)
def test_marked():
    scale(X, 3)

@pytest.mark.guardlift(max_recompiles=1)
def test_marked_with_too_many():  # FAILS
    for n in (1, 2, 3):
        scale(X, n)

def test_log(compile_log):
    scale(X, 1)
    scale(X, 2)
    assert compile_log.compiles == 2

def test_through_a_helper():
    f.compiles_once(4)

def test_through_a_fixture(never_again):
    scale(X, 1)

def test_a_fixture_of_the_module_is_of_no_test(warm):
    with gl.testing.exact_compiles(1, of=scale):
        scale(X, 1)

def test_a_break_fails():  # FAILS
    with gl.testing.no_graph_breaks(of=pick):
        pick(X)

def test_guards_are_cheap():
    with gl.testing.max_guard_us(50):
        twice(X)

def test_nothing_is_called():  # FAILS
    with gl.testing.no_recompiles(of=twice):
        scale(X, 1)

class TestInAClass:
    def check(self, n):
        with gl.testing.exact_compiles(1):
            scale(X, n)

    @pytest.mark.parametrize("n", [1, 2])
    def test_method(self, n):
        self.check(n)
"""
UNSAID = """\
import functions_of_examples

def test_this_one_says_nothing_and_compiles():
    functions_of_examples.pick(functions_of_examples.X)
"""


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("examples")
    (folder / "functions_of_examples.py").write_text(FUNCTIONS)
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "test_examples.py").write_text(EXAMPLES)
    (folder / "test_unsaid.py").write_text(UNSAID)
    (folder / "pytest.ini").write_text("[pytest]\npythonpath = .\nfilterwarnings = ignore\n")
    return folder


@pytest.fixture(scope="module")
def in_order(examples: Path) -> dict[str, str]:
    found = run_here(examples).by_test
    marked = {line.split("(")[0].removeprefix("def ") for line in EXAMPLES.splitlines() if line.endswith("# FAILS")}
    failed = {test.partition("::")[2] for test, outcome in found.items() if outcome != "passed"}
    assert failed == marked and len(found) == 18
    return found


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.slow
def test_outcomes_are_the_same_in_any_order(examples: Path, in_order: dict[str, str], seed: int) -> None:
    shuffled = run_here(examples, seed=seed).by_test
    assert list(shuffled) != list(in_order)
    assert shuffled == in_order


@pytest.mark.slow
def test_outcomes_are_the_same_alone(examples: Path, in_order: dict[str, str]) -> None:
    alone = {test: run_here(examples, test).by_test for test in in_order}
    assert alone == {test: {test: outcome} for test, outcome in in_order.items()}


@pytest.mark.slow
def test_outcomes_are_the_same_in_two_processes(examples: Path, in_order: dict[str, str]) -> None:
    pytest.importorskip("xdist")
    out = run_apart(examples, "-n", "2", "-rA", plugins=("xdist",))
    found = {}
    for line in out.splitlines():
        outcome, _, rest = line.partition(" ")
        if outcome in ("PASSED", "FAILED"):
            found[rest.split(" - ")[0]] = outcome.lower()
    assert found == in_order


@pytest.mark.slow
def test_outcomes_are_the_same_in_two_threads(examples: Path) -> None:
    """Threads of one test share its functions, so these count recompiles, or functions of their own."""
    pytest.importorskip("pytest_run_parallel")
    (examples / "test_threads.py").write_text(
        "from functions_of_examples import X, gl, scale, twice\n"
        "import numpy as np\n"
        "def test_no_recompiles():\n"
        "    with gl.testing.no_recompiles(of=twice):\n        twice(X)\n"
        "def test_own_function_compiles_once():\n"
        "    own = gl.jit(lambda x: x + 3)\n"
        "    with gl.testing.exact_compiles(1):\n        own(X)\n"
        "def test_own_function_compiles_again():\n"
        "    own = gl.jit(lambda x: x + 3)\n"
        "    with gl.testing.no_recompiles():\n        own(X); own(np.ones(3, np.int8))\n"
    )
    options = ("--parallel-threads=2", "--iterations=3", "test_threads.py")
    out = run_apart(examples, *options, plugins=("pytest_run_parallel.plugin",))
    (examples / "test_threads.py").unlink()
    assert "2 passed, 1 error" in out and "own_function_compiles_again" in out, out


KEEPS = """\
import pytest
from functions_of_examples import X, gl, scale

pytestmark = pytest.mark.guardlift(fresh=False)

def test_1_compiles():
    scale(X, 1)

def test_2_keeps_what_was_compiled():
    with gl.testing.exact_compiles(0, of=scale):
        scale(X, 1)
"""
UNSEEN = """\
import importlib

def test_1_compiles():
    functions = importlib.import_module("functions_of_examples")
    functions.scale(functions.X, 1)

def test_2_has_an_expectation_that_nobody_can_foresee():
    importlib.import_module("functions_of_examples").compiles_once(1)
"""


def test_a_test_can_keep_the_entries_of_earlier_ones(examples: Path) -> None:
    (examples / "test_keeps.py").write_text(KEEPS)
    run = run_here(examples, "test_keeps.py")
    (examples / "test_keeps.py").unlink()
    assert list(run.by_test.values()) == ["passed", "passed"], run.out


def test_an_expectation_that_was_not_foreseen_does_not_count_on_earlier_tests(examples: Path) -> None:
    (examples / "test_unseen.py").write_text(UNSEEN)
    run = run_here(examples, "test_unseen.py")
    (examples / "test_unseen.py").unlink()
    assert list(run.by_test.values()) == ["passed", "failed"], run.out
    assert "scale has entries from before this test" in run.out
    assert "say so by @pytest.mark.guardlift(fresh=True)" in run.out


def test_installed_packages_and_guardlift_itself_are_not_searched() -> None:
    search = ExpectationSearch()
    assert search.uses([globals()])
    assert not search.uses([vars(json), vars(np), vars(testing), {}])


def test_settings_of_a_fixture_of_the_whole_run_outlive_the_first_test_that_counts(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(
        """\
import pytest
import guardlift as gl

@pytest.fixture(scope="session", autouse=True)
def settings():
    with gl.config.patch(entry_cache=False):
        yield
"""
    )
    counting, behind = tmp_path / "test_counting.py", tmp_path / "test_other.py"
    counting.write_text(
        """\
import numpy as np
import guardlift as gl

def test_that_counts():
    with gl.testing.max_recompiles(0):
        gl.jit(lambda x: x + 1)(np.ones(3))
    assert gl.config.under_tracing == "jit"
"""
    )
    behind.write_text("import guardlift as gl\n\ndef test_behind_it():\n    assert not gl.config.entry_cache\n")
    for order in ((counting, behind), (behind, counting)):
        with gl.config.patch(entry_cache=True):
            run = run_here(tmp_path, *map(str, order))
            assert sorted(run.by_test.values()) == ["passed", "passed"], run.out
            assert gl.config.entry_cache
