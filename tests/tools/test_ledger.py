"""The ledger: its lines, and runs that write it and compare with it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tools.pytest_run import run_apart, run_here

from guardlift.tools import ledger
from guardlift.tools.ledger import PRESENT, Counts, Ledger, LedgerError, cause_text, difference, gone, read

OTHER = "py3.99"
ONE, TWO = Counts(1), Counts(3, 2, 1, ("len(xs)", "B101 if x.sum():"))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "guardlift-ledger.txt"


def test_what_was_written_is_read_again(file: Path) -> None:
    ledger = Ledger()
    ledger.update({"test_a.py::test_two[x  y]": TWO, "test_a.py::test_one": ONE})
    file.write_text(ledger.text())
    assert read(file) == ledger
    assert file.read_text().splitlines()[-2:] == [
        "   1   0   0  test_a.py::test_one",
        "   3   2   1  test_a.py::test_two[x  y]\tlen(xs); B101 if x.sum():",
    ]


def test_a_test_that_compiles_nothing_and_one_that_is_gone_have_no_line() -> None:
    ledger = Ledger(common={"a": ONE, "b": ONE, "c": ONE})
    ledger.update({"a": Counts()}, gone=["b"])
    assert ledger.tests() == {"c"} and ledger.of("a") == Counts()


def test_a_version_that_counts_otherwise_has_a_line_of_its_own(file: Path) -> None:
    ledger = Ledger(common={"a": ONE, "b": ONE})
    ledger.update({"a": TWO, "b": ONE, "c": Counts(5)}, version=OTHER)
    assert [ledger.of("a"), ledger.of("a", OTHER), ledger.of("b", OTHER)] == [ONE, TWO, ONE]
    assert [ledger.of("c"), ledger.of("c", OTHER)] == [Counts(), Counts(5)]
    file.write_text(ledger.text())
    assert read(file) == ledger
    assert f"# Counted on {PRESENT};" in file.read_text()
    ledger.update({"a": ONE}, version=OTHER)
    ledger.update({"c": Counts(5)})
    assert ledger == Ledger(common={"a": ONE, "b": ONE, "c": Counts(5)})


def test_a_version_can_compile_nothing_where_others_do(file: Path) -> None:
    ledger = Ledger(common={"a": ONE})
    ledger.update({"a": Counts()}, version=OTHER)
    file.write_text(ledger.text())
    assert read(file).of("a", OTHER) == Counts() and read(file).of("a") == ONE


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("one 2 3  test_a.py::test_one", r"ledger.txt:3 is no line of a ledger, `compiles .*: 'one 2 3  test_a"),
        ("<<<<<<< HEAD", r"ledger.txt:3 is no line of a ledger"),
        ("1 2 3", r"ledger.txt:3 is no line of a ledger"),
        ("   1   0   0  a\n   1   0   0  a", r"ledger.txt:4: there is another line of a"),
    ],
)
def test_a_line_that_is_none_is_named(file: Path, line: str, wrong: str) -> None:
    file.write_text(f"# words\n\n{line}\n")
    with pytest.raises(LedgerError, match=wrong):
        read(file)


def test_bytes_that_are_no_text_are_no_ledger(file: Path) -> None:
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(LedgerError, match=r"ledger.txt is no ledger: 'utf-8' codec"):
        read(file)


def test_a_difference_is_put_in_words() -> None:
    assert difference(ONE, Counts(1)) == difference(Counts(), Counts()) == ""
    assert difference(Counts(), ONE) == (
        "1 compile, 0 recompiles, 0 graph breaks, the ledger does not have this test\n"
        "if that is meant: pytest --guardlift-ledger=update"
    )
    assert difference(Counts(2, 1, 0, ("n",)), Counts(2, 1, 0, ("m",))).startswith(
        "2 compiles, 1 recompile, 0 graph breaks (m), "
        "where the ledger has 2 compiles, 1 recompile, 0 graph breaks (n)\n"
    )


def test_causes_hold_nothing_that_separates_them_or_differs_from_run_to_run() -> None:
    assert cause_text("f(x;\ty,\n<A object at 0x7f00>)") == "f(x, y, <A object at 0x…>)"
    assert len(cause_text("x" * 500)) == 80


def test_tests_are_gone_when_their_file_is_or_was_collected_whole_without_them(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"test_{name}.py").touch()
    tests = ["test_a.py::one", "test_a.py::two", "test_b.py::one", "test_c.py::one"]
    assert gone(tests, {"test_a.py::one"}, {"test_a.py"}, tmp_path) == ["test_a.py::two", "test_c.py::one"]


TESTS = """\
import numpy as np
import guardlift as gl

X = np.arange(3.0)

@gl.jit
def scale(x, n, m=1):
    for k in range(n):
        x = x + k
    for k in range(m):
        x = x * 2
    return x

def test_one():
    scale(X, 1)

def test_two():
    scale(X, 1)
    scale(X, 2)

def test_nothing():
    pass

def test_fails():
    scale(X, 1)
    assert False
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "test_some.py").write_text(TESTS)
    return tmp_path


@pytest.mark.slow
def test_a_run_writes_the_ledger_and_another_one_compares(project: Path, file: Path) -> None:
    assert f"guardlift: the counts of 3 tests are in {file}" in run_here(project, "--guardlift-ledger=update").out
    text = file.read_text()
    assert "   1   0   0  test_some.py::test_one\n   2   1   0  test_some.py::test_two\tn\n" in text
    assert "test_fails" not in text  # a failed test's counts say nothing
    deselected = "--deselect=test_some.py::test_fails"
    assert run_here(project, "--guardlift-ledger=check", deselected).code == 0
    file.write_text(text.replace("   1   0   0  ", "   5   1   0  "))
    run = run_here(project, "--guardlift-ledger=check", deselected)
    assert run.failure("test_one")[:2] == [
        "1 compile, 0 recompiles, 0 graph breaks, where the ledger has 5 compiles, 1 recompile, 0 graph breaks",
        "if that is meant: pytest --guardlift-ledger=update",
    ]


@pytest.mark.slow
def test_the_ledger_is_read_once_for_all_tests(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_here(project, "--guardlift-ledger=update")
    read_files: list[Path] = []
    monkeypatch.setattr(ledger, "read", lambda file: read_files.append(file) or read(file))
    run = run_here(project, "--guardlift-ledger=check")
    assert len(run.by_test) == 4 and len(read_files) == 1


@pytest.mark.slow
def test_one_recompile_replaced_by_another_shows(project: Path) -> None:
    run_here(project, "--guardlift-ledger=update")
    (project / "test_some.py").write_text(TESTS.replace("scale(X, 2)", "scale(X, 1, 2)"))
    run = run_here(project, "--guardlift-ledger=check", "test_some.py::test_two")
    assert run.by_test == {"test_some.py::test_two": "failed"}
    assert "(m), where the ledger has 2 compiles, 1 recompile, 0 graph breaks (n)" in run.out


@pytest.mark.slow
def test_lines_of_tests_that_are_gone_are_listed_and_taken_out(project: Path, file: Path) -> None:
    (project / "test_other.py").write_text(TESTS.replace("assert False", ""))
    run_here(project, "--guardlift-ledger=update")
    (project / "test_some.py").write_text(TESTS.replace("test_two", "test_second"))
    line = "   2   1   0  test_some.py::test_two\t"
    for part in ("test_some.py::test_one", "test_other.py"):  # this file was not run whole
        run_here(project, "--guardlift-ledger=update", part)
        assert line in file.read_text()
    for options in ((), ("-k", "one")):  # deselected tests are there
        out = run_here(project, "--guardlift-ledger=check", *options).out
        assert "guardlift: 1 line of tests that are gone of the ledger; pytest --guardlift-ledger=update takes" in out
        assert "\n  test_some.py::test_two\n" in out
    run = run_here(project, "--guardlift-ledger=update", "-k", "one")
    assert "guardlift: 1 line of tests that are gone were taken out" in run.out
    assert line not in file.read_text() and "   2   1   0  test_other.py::test_two\t" in file.read_text()
    (project / "test_other.py").unlink()
    run_here(project, "--guardlift-ledger=update")
    assert "test_other.py" not in file.read_text()


@pytest.mark.parametrize("text", [None, "one\n"])
def test_a_ledger_that_is_missing_or_damaged_is_one_usage_error(
    project: Path, file: Path, text: str | None, capfd
) -> None:
    if text is not None:
        file.write_text(text)
    run = run_here(project, "--guardlift-ledger=check")
    told = f"ERROR: {file}:1 is no line of a ledger" if text else f"ERROR: there is no ledger {file}; write one: pytest"
    assert run.code == pytest.ExitCode.USAGE_ERROR and run.by_test == {}
    assert capfd.readouterr().err.count(told) == 1


@pytest.mark.slow
def test_workers_check_and_update(project: Path, file: Path) -> None:
    pytest.importorskip("xdist")
    run = ("-n", "2", "--deselect=test_some.py::test_fails")
    (project / "test_other.py").write_text(TESTS.replace("assert False", ""))
    run_apart(project, *run, "--guardlift-ledger=update", plugins=("xdist",))
    text = file.read_text()
    assert text.count("\tn\n") == 2
    assert "7 passed" in run_apart(project, *run, "--guardlift-ledger=check", plugins=("xdist",))
    file.write_text(text + "   1   0   0  test_some.py::test_zero\n")
    assert "\n  test_some.py::test_zero\n" in run_apart(project, *run, "--guardlift-ledger=check", plugins=("xdist",))
    file.write_text(text.replace("\tn\n", "\tm\n"))
    assert "2 failed, 5 passed" in run_apart(project, *run, "--guardlift-ledger=check", plugins=("xdist",))
    file.write_text(text + "one\n")
    out = run_apart(project, *run, "--guardlift-ledger=check", plugins=("xdist",))
    assert out.count("is no line of a ledger") == 1 and "Traceback" not in out and "passed" not in out
