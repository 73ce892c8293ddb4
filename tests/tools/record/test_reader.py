"""Records in one file: what several processes wrote, each text once, read as from the folder."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import guardlift as gl
from guardlift.tools.record.reader import RecordFileError, joined, read
from guardlift.tools.record.writer import start, stop


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A record with two parts, which compile the same."""
    for _ in range(2):
        part = start(tmp_path / "record")
        assert part is not None
        f = gl.jit(lambda x, n: x * n + 1)
        f(np.ones(3), 1)
        f(np.ones(3, np.float32), 1)
        stop(part)
    return tmp_path / "record"


def test_a_file_holds_each_text_once_and_gives_the_reports_of_the_folder(folder, tmp_path) -> None:
    joined(folder, tmp_path / "run.gl")
    one, other = read(folder), read(tmp_path / "run.gl")
    assert len(one.processes) == len(other.processes) == 2
    assert [report for _, report in one.reports] == [report for _, report in other.reports]
    assert sum(len(report.entries) for _, report in other.reports) == 4
    lines = [json.loads(line) for line in (tmp_path / "run.gl").read_bytes().splitlines()]
    names = [line["text"] for line in lines if line.get("is") == "text"]
    assert names and len(names) == len(set(names))


def test_a_part_that_ends_within_a_line_is_told_of_in_a_joined_file_too(folder, tmp_path) -> None:
    first, _ = sorted(folder.iterdir())
    lines = first.read_bytes().splitlines(keepends=True)
    events = [number for number, line in enumerate(lines) if line.startswith(b'{"is":"event"')]
    first.write_bytes(b"".join(lines[: events[1]]) + lines[events[1]][:50])
    joined(folder, tmp_path / "run.gl")
    for path in (folder, tmp_path / "run.gl"):
        record = read(path)
        (ending,) = record.endings
        assert ending.endswith(" ends after event 1") and record.problems == []
        assert [report.recompiles for _, report in record.reports] == [0, 1]


def test_a_line_of_an_unknown_kind_and_one_of_another_form_are_told_with_their_places(folder) -> None:
    first, second = sorted(folder.iterdir())
    first.write_bytes(first.read_bytes() + b'{"is":"of the future"}\n')
    second.write_bytes(
        second.read_bytes() + b'{"is":"count","cause":1}\n[]\n' + b'{"is":"count","cause":0,"count":9,"seconds":1}\n'
    )
    problems = read(folder).problems
    assert [problem.split(" is damaged: ")[0].rpartition(":")[0] for problem in problems] == [
        str(first),
        str(second),
        str(second),
    ]
    assert "of the future" in problems[0] and "count" in problems[1] and "list" in problems[2]
    assert sum(report.compiles for _, report in read(folder).reports) == 4 + 8


def test_a_file_that_a_process_had_no_time_to_write_to_is_passed_over(folder) -> None:
    (folder / "0.gl").touch()
    assert len(read(folder).processes) == 2
    with pytest.raises(RecordFileError, match="is no guardlift record"):
        read(folder / "0.gl")
