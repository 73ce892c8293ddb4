"""The comparer behind `make spec`, and that the page and the marks of this repository agree."""

from __future__ import annotations

import pytest
import spec

PAGE = "| id | what holds | status |\n|---|---|---|\n| S7.01 | order of entries | now |\n| S7.02 | kinds | later |\n"


@pytest.mark.slow
def test_the_page_and_the_marks_of_this_repository_agree() -> None:
    specified = spec.behaviours(spec.PAGE.read_text(encoding="utf-8"))
    assert "S7.03" in specified
    text, faults = spec.report(specified, spec.tests_by_id(spec.TESTS))
    assert faults == [], text


def test_rows_are_read_with_their_status() -> None:
    assert [(b.id, b.status) for b in spec.behaviours(PAGE).values()] == [("S7.01", "now"), ("S7.02", "later")]


@pytest.mark.parametrize(
    ("row", "says"), [("| S7.01 | again | now |", "twice"), ("| S7.05 | x | soon |", "line 5 is not")]
)
def test_a_bad_row_is_an_error_with_its_line(row: str, says: str) -> None:
    with pytest.raises(spec.PageError, match=says):
        spec.behaviours(PAGE + row)


def test_marks_on_functions_classes_and_modules_count() -> None:
    source = (
        "import pytest\npytestmark = pytest.mark.spec('S1.01')\n"
        "@pytest.mark.spec('S7.01', 'S7.02')\ndef test_a(): pass\n"
        "class TestB:\n    @pytest.mark.spec('S7.03')\n    def test_c(self): pass\n"
        "spec = pytest.mark.spec\n@spec('S7.04')\ndef test_d(): pass\n"
    )
    assert list(spec.marked(source, "t.py")) == [
        ("S1.01", "t.py"),
        ("S7.01", "t.py::test_a"),
        ("S7.02", "t.py::test_a"),
        ("S7.03", "t.py::TestB"),
        ("S7.04", "t.py::test_d"),
    ]


def test_a_mark_without_a_row_is_reported_as_unspecified() -> None:
    text, faults = spec.report(spec.behaviours(PAGE), {"S7.01": ["t.py::a"], "S9.99": ["t.py::b"]})
    assert faults == ["S9.99"]
    assert "covered: 1\n  S7.01  order of entries\n         t.py::a" in text
    assert "tested but unspecified: 1\n  S9.99  not in docs/behaviours.md\n         t.py::b" in text


def test_a_row_without_a_test_is_a_fault_unless_it_is_for_later() -> None:
    text, faults = spec.report(spec.behaviours(PAGE), {})
    assert faults == ["S7.01"]
    assert "specified but untested: 1\n  S7.01" in text
    assert "for later: 1\n  S7.02" in text
