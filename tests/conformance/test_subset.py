"""Some modules of CPython's own tests, run both ways; `make conformance` runs all of them."""

import importlib.util
import json
import sys
from pathlib import Path

import pytest
from conformance.cpython import EXCLUSIONS, MODULES, RESULTS, compare
from conformance.page import PAGE

from guardlift.frontend.bytecode.versions import DIALECTS

QUICK = "augassign raise".split()
SLOW = "with dictcomps keywordonlyarg exception_variations".split()

with_cpythons_tests = pytest.mark.skipif(
    importlib.util.find_spec("test.test_unary") is None, reason="this Python came without CPython's own tests"
)


@with_cpythons_tests
@pytest.mark.parametrize("module", [*QUICK, *(pytest.param(each, marks=pytest.mark.slow) for each in SLOW)])
def test_a_module_of_cpythons_tests_comes_out_as_plain(module: str) -> None:
    result = compare(module)
    assert result.tests > 5, "the module has tests, and they ran"
    assert result.clean, "\n".join(": ".join(each) for each in result.differences) or result.breaks


@with_cpythons_tests
@pytest.mark.slow
def test_a_module_has_tests_that_run_whole_and_tests_that_break() -> None:
    result = compare("unary")
    assert result.clean, result.differences
    assert 0 < result.whole < result.tests


@with_cpythons_tests
@pytest.mark.parametrize(
    ("statement", "told"),
    [("raise KeyError('wrong')", "error KeyError 'wrong'"), ("__import__('os')._exit(3)", "ended with status 3")],
)
@pytest.mark.slow
def test_a_wrong_outcome_and_a_crash_are_noticed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, statement: str, told: str
) -> None:
    # What is traced whole goes wrong on purpose.
    (tmp_path / "sitecustomize.py").write_text(
        "from guardlift.frontend.compile import guards_only\n"
        "right = guards_only.guards_only_block\n"
        f"guards_only.guards_only_block = lambda check, statements: right(check, [{statement!r}])\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=":")
    monkeypatch.setattr("conformance.cpython.RESTARTS", 1)
    result = compare("unary")
    assert not result.clean and result.same < result.tests
    assert any(told in jitted for _, _, jitted in result.differences)


def test_every_exclusion_names_a_module_that_runs_and_gives_a_reason() -> None:
    for line in EXCLUSIONS.read_text().splitlines():
        if line.startswith("#") or not line.strip():
            continue
        module, test, versions, reason = (each.strip() for each in line.split("|"))
        assert module in MODULES and "." in test and reason, line
        assert versions == "all" or set(versions.split()) <= {f"3.{minor}" for minor in DIALECTS}, line


def test_the_page_was_written_from_results_of_this_version() -> None:
    version = f"3.{sys.version_info.minor}"
    data = json.loads((RESULTS / f"{version}.json").read_text())
    assert {each["module"] for each in data["modules"]} == set(MODULES)
    assert f"| {data['python']} |" in PAGE.read_text()
