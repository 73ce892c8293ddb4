"""The answer in one screen: its rows and columns, what it says first, and what it leaves out."""

from __future__ import annotations

import re

import numpy as np
import pytest
from recording import recorded
from rich.cells import cell_len

import guardlift as gl
from guardlift.core.events import BREAK, LIMIT, Event
from guardlift.tools.causes import Cause
from guardlift.tools.render import DETAILS, show_lines
from guardlift.tools.report import BreakReport, Report
from guardlift.tools.show import screen
from guardlift.tools.show.screen import screen_lines, seconds_text

pytestmark = pytest.mark.filterwarnings("ignore:.*the limit:RuntimeWarning", "ignore::guardlift.GraphBreakWarning")
X = np.ones(3)
DEFINED = ("/nowhere/model.py", 3)


def total_of(history, rate):
    total = history[0] * 0.0
    for each in history:
        total = total + each * rate
    return total


def picked(x):
    if x.sum() > 0:
        return x * 2
    return -x


def texts(reports, **options) -> list[str]:
    return [text for _, text in screen_lines(reports, **options)]


EDIT = "keep this number as it is, since each value that it has is compiled for itself"


def cause(expression: str, seconds: float = 1.0, function: str = "step", **others) -> Cause:
    """A cause as a program of many functions may have it."""
    fields = {"values": ("1", "2"), "recompiles": 1, "compiles": 2, "edit": EDIT, "saved": 1, "saved_seconds": seconds}
    at, site = ("/nowhere/model.py", 7, f"loss = {expression} * 2"), ("/nowhere/train.py", 31, f"out = {function}(x)")
    fields |= {"at": at, "sites": ((site, 3),), "seconds": seconds}
    return Cause(
        **{"kind": "recompile", "function": function, "defined": DEFINED, "expression": expression, **fields, **others}
    )


@pytest.fixture
def shown(monkeypatch):
    """The texts of the answer about causes."""

    def answer(*found: Cause, reports=None, **options) -> list[str]:
        monkeypatch.setattr(screen, "causes", lambda events, **_: found)
        return texts(reports or [Report("step", *DEFINED)], **options)

    return answer


def test_a_program_without_recompiles_takes_four_lines_at_most() -> None:
    with recorded() as reports:
        doubled = gl.jit(lambda x: x * 2.0)
        doubled(X)
        doubled(X)
    lines = texts(reports(), program="digits.py")
    assert len(lines) <= 4
    assert re.fullmatch(r"guard-explain  digits.py  exit 0   1 function, 1 compile; .* compiling", lines[0])
    assert lines[1:] == [
        "2 calls: 1 hit, 1 miss, 0 in plain Python",
        "nothing compiled again, and no graph broke",
    ]


def test_a_cause_has_values_counts_both_lines_the_edit_and_what_it_saves() -> None:
    step, history = gl.jit(total_of), []
    for _ in range(12):
        history.append(X)
        step(history, 0.5)
    lines = texts([gl.explain(step)], width=120)
    head = lines.index("") + 1
    assert re.fullmatch(
        r"1  \S+ m?s +total_of  len\(history\) 1 → 2 → … → 9 +7 recompiles, then 4 calls .*", lines[head]
    )
    assert re.search(r"called at \S*test_screen\.py:\d+ +step\(history, 0\.5\)$", lines[head + 1])
    assert re.search(r"matters at \S*test_screen\.py:\d+ +(total = history|for each in history)", lines[head + 2])
    assert re.match(r" {10}(fix: |no edit known)", lines[head + 3])


def test_the_edit_and_what_it_would_have_saved_stand_in_one_row_where_there_is_room(shown) -> None:
    wide, narrow = shown(cause("n", edit="pad x"), width=80)[-1], shown(cause("n", edit="pad x"), width=50)[-2:]
    assert wide == "          fix: pad x" + " " * 21 + "would have saved 1 of 2 compiles, 1.0 s"
    assert narrow == ["          fix: pad x", "          would have saved 1 of 2 compiles, 1.0 s"]


def test_why_no_edit_is_known_is_said(shown) -> None:
    lines = shown(cause("n", edit="", no_edit="each number is another program", saved=0))
    assert lines[-1] == "          no edit known: each number is another program"


def test_the_dearest_cause_comes_first_and_those_without_room_are_counted(shown) -> None:
    found = [cause(f"option_{number}", number / 10) for number in range(12, 0, -1)]
    lines = shown(*found, program="train.py")
    assert len(lines) <= 23 and all(cell_len(line) <= 80 for line in lines)
    assert [line.split("  ")[1] for line in lines if re.match(r"\d  ", line)] == ["1.2 s", "1.1 s", "1.0 s", "0.9 s"]
    assert lines[-1] == "and 8 more causes, 3.6 s: guard-explain show"
    assert len(shown(*found, rows=9)) == len(shown(*found, rows=1)) == 8  # the first one is shown whole


@pytest.mark.parametrize("width", [40, 80, 120, 200])
def test_no_row_is_wider_than_the_screen_nor_broken_inside_a_word(shown, width: int) -> None:
    lines = shown(cause("self.options['rate']"), program="train.py", width=width)
    assert all(cell_len(line) <= width for line in lines)
    fix = next(number for number, line in enumerate(lines) if "fix: " in line)
    assert " ".join(lines[fix:]).replace("fix: ", "").split("would have saved")[0].split() == EDIT.split()


def test_a_long_source_line_is_cut(shown) -> None:
    lines = shown(cause("x" * 90))
    assert sum(line.endswith("…") for line in lines) == 1 and all(cell_len(line) <= 80 for line in lines)


def test_a_long_expression_is_cut_so_that_its_values_are_seen(shown) -> None:
    (head,) = [line for line in shown(cause("x" * 90, values=("True", "False"))) if line.startswith("1  ")]
    assert "x… True → False " in head and head.endswith("  1 recompile") and cell_len(head) == 80
    (head,) = [line for line in shown(cause("x" * 90, values=("a" * 70, "b"))) if line.startswith("1  ")]
    assert head.endswith("xxx…") and cell_len(head) == 80  # they have no room at all


def test_wide_characters_count_as_two_columns(shown) -> None:
    lines = shown(cause("学習率", function="学習"), width=60)
    assert any("学習率" in line for line in lines) and all(cell_len(line) <= 60 for line in lines)


def test_other_lines_that_called_are_counted(shown) -> None:
    sites = tuple((("/nowhere/train.py", line, "step(" + "x" * 90 + ")"), 1) for line in (3, 5, 9))
    (called,) = [line for line in shown(cause("n", sites=sites)) if "called at" in line]
    assert called.endswith("…  and 2 more places") and cell_len(called) <= 80


def test_lines_that_called_with_other_values_are_shown_with_these(shown) -> None:
    sites = tuple((("/nowhere/train.py", line, f"step({line})"), 1) for line in (3, 5, 9, 11))
    found = cause("type(n)", sites=sites, site_chains=("int → float", "float → bool", "a" * 99, "int → bool"))
    assert "          and 1 more place" in shown(found)
    lines = [line for line in shown(found) if re.search("(called|and) at", line)]
    assert [line.split()[2] for line in lines] == [f"/nowhere/train.py:{line}" for line in (3, 5, 9)]
    assert lines[0].endswith("step(3)" + " " * 19 + "int → float") and lines[1].endswith("  float → bool")
    assert lines[2].endswith("  " + "a" * 25 + "…") and all(cell_len(line) <= 80 for line in lines)


def test_the_line_that_changed_what_was_relied_on_is_shown(shown) -> None:
    lines = shown(cause("`w.requires_grad is True`", done_at=("/nowhere/train.py", 30, "w.requires_grad_(False)")))
    assert [line.split()[:3] for line in lines if " at /" in line] == [
        ["called", "at", "/nowhere/train.py:31"],
        ["changed", "at", "/nowhere/train.py:30"],
        ["matters", "at", "/nowhere/model.py:7"],
    ]


def test_equal_functions_of_a_factory_are_one_row() -> None:
    def made():
        @gl.jit
        def small(x, mode):
            return x * 2 if mode == "a" else x * 3

        return small

    with recorded() as reports:
        for _ in range(60):
            small = made()
            small(X, "a")
            small(X, "b")
        del small
    found = reports()
    lines = texts(found)
    assert lines[0].startswith("1 function, 120 compiles (60 again)")
    assert sum(bool(re.match(r"\d ", line)) for line in lines) == 2  # the calls, and the one cause
    assert "120 calls: 0 hits, 120 misses, 0 in plain Python" in lines
    for what in DETAILS:
        shown = [text for _, text in show_lines(found, what)]
        assert len(shown) < 160
        assert (what == "causes") == (not any("one of several functions" in text for text in shown))


def test_a_break_is_told_with_its_line() -> None:
    pick = gl.jit(picked)
    pick(X)
    lines = texts([gl.explain(pick)], width=100)
    head = lines.index("") + 1
    assert lines[head].startswith("1  B101   picked  a branch on the value of an array")
    assert re.search(r"broke at \S*test_screen\.py:\d+ +if x\.sum\(\) > 0:$", lines[head + 1])
    assert any("fix: use np.where" in line for line in lines)


def test_the_break_that_most_calls_pass_comes_first_and_says_how_often(shown) -> None:
    def broke(what: str) -> Cause:
        return cause(what, 0.0, kind="break", code="B101", values=(), saved=0, recompiles=0)

    found = [
        BreakReport("B101", what, "", "", "a.py", 1, "", (-1, -1), passed=passed)
        for what, passed in (("a", 3), ("b", 1200))
    ]
    lines = shown(broke("a"), broke("b"), reports=[Report("step", *DEFINED, breaks=tuple(found))])
    heads = [line for line in lines if re.match(r"\d  ", line)]
    assert [re.sub(" +", " ", head) for head in heads] == [
        "1 B101 step b passed 1,200 times",
        "2 B101 step a passed 3 times",
    ]


def test_breaks_that_follow_are_counted_below_the_one_that_led_to_them() -> None:
    place = {"break_code": "B101", "defined": DEFINED}
    first = Event(BREAK, "step", "/nowhere/model.py", 9, text="first", what="a branch", **place)
    rest = [
        Event(BREAK, "step", "/nowhere/model.py", k, text=f"{k}", what="x", follows="first", **place) for k in (1, 2)
    ]
    lines = texts([Report("step", *DEFINED, events=(first, *rest))])
    assert "          and 2 more breaks that follow from it" in lines
    assert lines[0].startswith("1 function, 0 compiles, 1 graph break; ")


def test_calls_beyond_the_limit_that_left_no_event_are_counted(shown) -> None:
    limit = Event(LIMIT, "step", *DEFINED, defined=DEFINED)
    report = Report("step", *DEFINED, events=(limit,), misses_over_limit=212)
    lines = shown(cause("n", plain_calls=1), cause("k"), reports=[report])
    assert any(line.endswith("   1 recompile, then 212 calls in plain Python") for line in lines)


def test_functions_that_run_plainly_are_named() -> None:
    reports = [
        Report("waits", *DEFINED, left_alone="it is a generator"),
        Report("waits_too", "b.py", 1, left_alone="so is it"),
    ]
    assert "waits runs as plain Python: it is a generator (and 1 more)" in texts(reports)


@pytest.mark.parametrize(
    ("reports", "exit_code", "expected"),
    [
        ([], 0, "no function was jitted: put @gl.jit above one"),
        ([], 1, "guard-explain  a.py  exit 1   0 functions, 0 compiles; 0 ms compiling"),
        ([], -9, "guard-explain  a.py  ended by SIGKILL   0 functions, 0 compiles; 0 ms compiling"),
        ([], -99, "guard-explain  a.py  ended by signal 99   0 functions, 0 compiles; 0 ms compiling"),
    ],
)
def test_the_end_of_the_program_is_told(reports, exit_code: int, expected: str) -> None:
    assert texts(reports, program="a.py", exit_code=exit_code, width=100)[-1] == expected


def test_processes_are_counted_where_there_are_several() -> None:
    assert "  exit 0  3 processes   0 functions" in texts([], program="a.py", processes=3, width=100)[0]


def test_totals_have_a_row_of_their_own_where_the_name_of_the_program_leaves_no_room() -> None:
    rows = texts([], program="folder/of_a_program_with_a_name.py", width=80)
    assert rows[0] == "guard-explain  folder/of_a_program_with_a_name.py  exit 0"
    assert rows[1] == "0 functions, 0 compiles; 0 ms compiling"


def test_names_and_values_cannot_write_to_the_terminal(shown) -> None:
    evil = "a\x1b[31m\nb\ud800" + "x" * 300
    found = cause(evil, function=evil, values=(evil,), edit=evil[:99], also=(evil,))
    lines = shown(found, reports=[Report(evil, *DEFINED, left_alone=evil)], program=evil, width=400)
    joined = "".join(lines)
    assert joined.isprintable() and "a\\x1b[31m\\nb\\ud800" in joined and "x" * 200 not in joined


def test_times_are_short() -> None:
    assert [seconds_text(each) for each in (0.0, 0.0123, 0.1, 12.345)] == ["0 ms", "12 ms", "0.1 s", "12.3 s"]


def test_details_are_shown_on_demand_alone() -> None:
    doubled = gl.jit(lambda x: x * 2.0)
    doubled(X)
    reports = [gl.explain(doubled)]
    shown = {what: "\n".join(text for _, text in show_lines(reports, what)) for what in DETAILS}
    marks = {"guards": "holds while", "graphs": "graph(%x", "kernels": "def kernel("}
    for what, text in shown.items():
        assert {name for name, mark in marks.items() if mark in text} == (
            set(marks) if what == "all" else {what} & set(marks)
        )
    assert not any(mark in "\n".join(texts(reports)) for mark in marks.values())
