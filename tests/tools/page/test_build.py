"""The content of a page: what a record holds, put together by functions, causes, entries, lines and moments."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import guardlift as gl
from guardlift.tools.page.build import page_content
from guardlift.tools.page.content import PageContent
from guardlift.tools.record.reader import read
from guardlift.tools.record.writer import start, stop

PROGRAM = """\
import guardlift as gl

def scale(x, n):
    y = x * 2.0
    return y + len(n)

def told(x):
    y = x + 1.0
    print(end="")
    return y * 2.0
"""


def content(folder: Path, *programs: Callable[[], object]) -> PageContent:
    """The content of the page about these programs, each of which has a part of the record of its own."""
    for program in programs:
        part = start(folder / "record")
        assert part is not None
        try:
            program()
        finally:
            stop(part)
    return page_content(read(folder / "record"))


@pytest.fixture
def functions(tmp_path: Path) -> dict[str, object]:
    """The functions of `PROGRAM`, from a file."""
    file = tmp_path / "program.py"
    file.write_text(PROGRAM)
    namespace: dict[str, object] = {}
    exec(compile(PROGRAM, str(file), "exec"), namespace)
    return namespace


def calls(scale: Callable[..., object]) -> None:
    for words in ("a", "a", "b", "c"):
        scale(np.ones(3), words)


def test_functions_come_with_causes_calls_and_a_guard_with_its_hits_and_misses(functions, tmp_path) -> None:
    found = content(tmp_path, lambda: calls(gl.jit(functions["scale"])))
    (function,) = found.functions
    (cause,) = found.causes
    assert (function.name, function.compiles, function.recompiles, function.causes) == ("scale", 3, 2, (0,))
    assert (function.hits, function.misses, function.plain_calls) == (1, 3, 0)
    assert (cause.expression, cause.chain, cause.page, cause.counts) == ("n", "'a' → 'b' → 'c'", 0, "2 recompiles")
    first, second, _ = function.entries
    assert (first.served, second.served) == (2, 1)
    misses = {guard.fact: guard.misses for guard in first.guards}
    assert misses["n == 'a'"] == 2 and sum(misses.values()) == 2
    assert {guard.fact: guard.misses for guard in second.guards}["n == 'b'"] == 1


def test_guards_are_ranked_by_cost_and_cost_together_what_the_entry_says(functions, tmp_path) -> None:
    found = content(tmp_path, lambda: calls(gl.jit(functions["scale"])))
    for entry in found.functions[0].entries:
        costs = [guard.nanoseconds for guard in entry.guards]
        assert costs == sorted(costs, reverse=True) and costs[0] > 0
        assert entry.guard_microseconds == round(sum(costs) / 1e3, 2)


def test_entries_side_by_side_show_what_differs(functions, tmp_path) -> None:
    function = content(tmp_path, lambda: calls(gl.jit(functions["scale"]))).functions[0]
    (compared,) = function.comparisons
    assert [row.cells for row in compared.rows] == [("n == 'a'", "n == 'b'", "n == 'c'")]
    assert compared.common >= 2 and compared.entries == (0, 1, 2)


def test_entries_are_compared_with_those_that_begin_at_the_same_place(functions, tmp_path) -> None:
    def program() -> None:
        told = gl.jit(functions["told"])
        for dtype in (np.float64, np.float32):
            told(np.ones(2, dtype))

    (function,) = content(tmp_path, program).functions
    assert [entry.resumed for entry in function.entries] == [False, True, False, True]
    assert [compared.entries for compared in function.comparisons] == [(0, 2), (1, 3)]
    for compared in function.comparisons:
        assert any("float64[2]" in row.cells[0] and "float32[2]" in row.cells[1] for row in compared.rows)


def test_lines_have_marks_where_operations_were_traced_graphs_broke_and_facts_matter(functions, tmp_path) -> None:
    def program() -> None:
        calls(gl.jit(functions["scale"]))
        told = gl.jit(functions["told"])
        for _ in range(3):
            told(np.ones(2))

    found = {function.name: function for function in content(tmp_path, program).functions}
    (block,) = found["scale"].source
    assert block.whole and [line.text for line in block.lines] == PROGRAM.splitlines()[2:5]
    assert [line.number for line in block.lines] == [3, 4, 5]
    assert [line.traced for line in block.lines] == [0, 2, 2]  # a number is an operation, too
    assert block.lines[2].specialised >= 3 and not any(line.broke for line in block.lines)
    (block,) = found["told"].source
    assert [line.broke for line in block.lines] == [0, 0, 3, 0]
    (row,) = found["told"].breaks
    assert row.passed == 3 and row.line == 'print(end="")'


def test_a_file_that_has_changed_is_not_shown_as_the_source(functions, tmp_path) -> None:
    calls_of = gl.jit(functions["scale"])
    part = start(tmp_path / "record")
    assert part is not None
    calls(calls_of)
    stop(part)
    (tmp_path / "program.py").write_text(PROGRAM.replace("y + len(n)", "y - len(n)").replace("2.0", "3.14"))
    linecache.checkcache()
    (block,) = page_content(read(tmp_path / "record")).functions[0].source
    assert not block.whole
    assert "    return y - len(n)" not in [line.text for line in block.lines]
    assert "return y + len(n)" in [line.text for line in block.lines]


def test_a_file_without_the_name_of_the_function_is_not_shown(functions, tmp_path) -> None:
    functions["scale"].__qualname__ = functions["scale"].__name__ = "somebody_elses"
    assert not any(
        block.whole for block in content(tmp_path, lambda: calls(gl.jit(functions["scale"]))).functions[0].source
    )


def test_alike_entries_of_several_processes_are_told_once(functions, tmp_path) -> None:
    program = lambda: calls(gl.jit(functions["scale"]))
    found = content(tmp_path, program, program)
    (function,) = found.functions
    assert [entry.alike for entry in function.entries] == [2, 2, 2]
    assert [entry.served for entry in function.entries] == [4, 2, 2]
    assert (function.alike, function.compiles, len(found.processes)) == (2, 6, 2)


def test_entries_of_one_number_that_differ_are_told_apart_with_their_own_misses(functions, tmp_path) -> None:
    def program(*words: str) -> Callable[[], object]:
        scale = gl.jit(functions["scale"])
        return lambda: [scale(np.ones(3), each) for each in words]

    function = content(tmp_path, program("a", "b", "c"), program("d", "e")).functions[0]
    assert [entry.label for entry in function.entries] == [
        *(f"entry {k}" for k in range(3)),
        *(f"entry {k}, variant 2" for k in range(2)),
    ]
    misses = [{guard.fact: guard.misses for guard in entry.guards} for entry in function.entries]
    words = ("a", "b", "c", "d", "e")
    assert [each[f"n == '{word}'"] for each, word in zip(misses, words, strict=True)] == [2, 1, 0, 1, 0]


def test_a_layout_that_another_dtype_did_not_fit_has_a_miss(tmp_path) -> None:
    def program() -> None:
        double = gl.jit(lambda x: x * 2.0)
        for dtype in (np.float64, np.float32, np.int64):
            double(np.ones(3, dtype))

    entries = content(tmp_path, program).functions[0].entries
    assert [[guard.misses for guard in entry.guards if guard.fact.startswith("x: ")] for entry in entries] == [
        [2],
        [1],
        [0],
    ]


def test_more_entries_than_fit_side_by_side_are_not_compared(functions, tmp_path) -> None:
    def program(letter: str) -> Callable[[], object]:
        scale = gl.jit(functions["scale"])
        return lambda: [scale(np.ones(3), letter * k) for k in range(1, 9)]

    (function,) = content(tmp_path, *map(program, "abc")).functions
    assert len(function.entries) == 24
    (compared,) = function.comparisons
    assert compared.entries == tuple(range(16)) and compared.rows
    assert all(len(row.cells) == 16 for row in compared.rows)


def test_entries_of_which_the_record_holds_a_count_alone_are_counted(functions, tmp_path) -> None:
    with gl.config.patch(recompile_limit=40):
        scale = gl.jit(functions["scale"])
        found = content(tmp_path, lambda: [scale(np.ones(3), "n" * k) for k in range(1, 20)])
    (function,) = found.functions
    assert (function.compiles, len(function.entries), function.unrecorded) == (19, 9, 10)


def test_moments_tell_when_each_entry_was_made(functions, tmp_path) -> None:
    found = content(tmp_path, lambda: calls(gl.jit(functions["scale"])))
    assert [moment.kind for moment in found.moments] == ["compile", "recompile", "recompile"]
    assert [moment.entry for moment in found.moments] == [0, 1, 2]
    ends = [moment.start + moment.seconds for moment in found.moments]
    assert ends == sorted(ends) and found.until == ends[-1] and found.unlisted == 0
    assert sum(moment.seconds for moment in found.moments) == pytest.approx(found.functions[0].seconds)


def test_a_stopped_process_has_no_counts_of_calls(functions, tmp_path) -> None:
    content(tmp_path, lambda: calls(gl.jit(functions["scale"])))
    (file,) = (tmp_path / "record").iterdir()
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(line for line in lines if b'"is":"calls"' not in line and b'"is":"end"' not in line))
    found = page_content(read(tmp_path / "record"))
    assert found.calls == {} and found.functions[0].hits is None and not found.processes[0].ended
    assert found.functions[0].entries[0].served is None
    assert found.uncounted == found.functions[0].uncounted == 1


def test_a_record_in_which_nothing_was_called_says_so(tmp_path) -> None:
    assert content(tmp_path, lambda: None).remarks == ("nothing could be looked at: no jitted function was called",)
