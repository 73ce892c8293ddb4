from __future__ import annotations

from pathlib import Path

import pytest

from guardlift.tools.ledger import Counts, difference, read, write


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    (tmp_path / "test_a.py").touch()
    return tmp_path / "guardlift-ledger.txt"


def test_what_was_written_is_read_again(ledger: Path) -> None:
    rows = {"test_a.py::test_two[x  y]": Counts(3, 2, 1), "test_a.py::test_one": Counts(1)}
    write(ledger, rows)
    assert read(ledger) == rows
    assert ledger.read_text().splitlines()[-2:] == [
        "   1   0   0  test_a.py::test_one",
        "   3   2   1  test_a.py::test_two[x  y]",
    ]


def test_a_test_that_compiles_nothing_is_left_out(ledger: Path) -> None:
    write(ledger, {"test_a.py::test_one": Counts(1)})
    write(ledger, {"test_a.py::test_one": Counts()})
    assert read(ledger) == {}


def test_tests_that_did_not_run_keep_their_lines_while_their_file_is_there(ledger: Path) -> None:
    write(ledger, {"test_a.py::test_one": Counts(1), "test_b.py::test_one": Counts(2)})
    write(ledger, {"test_a.py::test_two": Counts(4)})
    assert read(ledger) == {"test_a.py::test_one": Counts(1), "test_a.py::test_two": Counts(4)}


def test_a_line_that_is_none_is_named(ledger: Path) -> None:
    ledger.write_text("# words\n\none 2 3 test_a.py::test_one\n")
    with pytest.raises(ValueError, match=r"ledger.txt:3 is not `compiles recompiles breaks test`: 'one 2 3"):
        read(ledger)


def test_a_difference_is_put_in_words() -> None:
    assert difference(Counts(1, 0, 0), Counts(1)) == difference(None, Counts()) == ""
    assert difference(None, Counts(1)).startswith(
        "the ledger does not have this test, and now it is 1 compile, 0 recompiles"
    )
    assert difference(Counts(1), Counts(2, 1, 1)) == (
        "the ledger has 1 compile, 0 recompiles, 0 graph breaks, and now it is 2 compiles, 1 recompile, 1 graph break; "
        "if that is meant: pytest --guardlift-ledger=update"
    )
