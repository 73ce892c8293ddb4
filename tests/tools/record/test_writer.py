"""The lines of a record: each fits the schema, and what comes up ever again is counted."""

from __future__ import annotations

import json
import os
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift.core.events import BREAK, COMPILE, LIMIT, RECOMPILE, Event, Reason
from guardlift.tools.record import followed_calls, schema, writer
from guardlift.tools.record.lines import KEPT
from guardlift.tools.record.reader import read
from guardlift.tools.record.writer import RecordWriter, start, stop

X = np.arange(3.0)


def recorded(folder: Path, run: Callable[[], Any]) -> list[dict[str, Any]]:
    """The lines of the record of what `run` does."""
    part = start(folder)
    assert part is not None
    try:
        run()
    finally:
        stop(part)
    (file,) = folder.iterdir()
    return [json.loads(line) for line in file.read_bytes().splitlines()]


def kinds_of(lines: list[dict[str, Any]]) -> list[str]:
    return [line.get("is", "head") for line in lines]


def program() -> None:
    @gl.jit
    def scale(x, n):
        for k in range(n):
            x = x + k
        return x

    @gl.jit
    def pick(x):
        return x if x.sum() > 0 else -x

    class Linear(gl.nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = gl.nn.Parameter(gl.randn(3))

        def forward(self, x):
            return (x * self.weight).sum()

    step = gl.jit(Linear())
    for n in range(1, 3):
        scale(X, n)
    pick(X)
    step(gl.ones(3)).backward()
    with gl.config.patch(recompile_limit=2), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for n in range(3, 6):
            scale(X, n)


def test_every_line_fits_the_schema(tmp_path) -> None:
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema has no build for this interpreter")
    check = jsonschema.Draft202012Validator(json.loads(schema.FILE.read_text(encoding="utf-8")))
    lines = recorded(tmp_path, program)
    assert set(kinds_of(lines)) == {"head", "function", "event", "text", "entry", "calls", "end"}
    assert [(line, error.message) for line in lines for error in check.iter_errors(line)] == []
    assert not check.is_valid({**lines[0], "color": "red"}) and not check.is_valid({"is": "event"})


def test_the_schema_is_that_of_the_records_it_is_made_of() -> None:
    written = json.loads(schema.FILE.read_text(encoding="utf-8"))
    assert written == schema.record_schema(), "run python -m guardlift.tools.record.schema"


def test_a_text_is_written_once(tmp_path) -> None:
    def twice() -> None:
        for _ in range(3):
            gl.jit(lambda x: x * 2 - 1)(X)

    lines = recorded(tmp_path, twice)
    names = [line["text"] for line in lines if line.get("is") == "text"]
    assert kinds_of(lines).count("entry") == 3 and len(names) == len(set(names)) == 3


def event(kind: str = COMPILE, number: int = 0, expression: str = "n", **about: Any) -> Event:
    """An event as a function tells of it."""
    reasons = (Reason(0, "equality", expression, f"{expression} was {number}", ""),)
    return Event(kind, "f", "f.py", 1, number, reasons=reasons, state=7, defined=("f.py", 1), **about)


def part_in(folder: Path) -> RecordWriter:
    part = RecordWriter(folder)
    part.begin()
    return part


def test_of_many_events_of_one_cause_eight_are_written_and_the_number_at_one_place(tmp_path) -> None:
    part = part_in(tmp_path)
    sizes = []
    for number in range(100):
        part.heard(event(RECOMPILE, number, seconds=0.5))
        (file,) = tmp_path.iterdir()
        sizes.append(file.stat().st_size)
        (found,) = read(tmp_path).reports  # at once, without an end
        assert (found[1].recompiles, found[1].compile_seconds) == (number + 1, (number + 1) / 2)
    assert len(set(sizes[KEPT:])) == 1
    part.heard(event(RECOMPILE, 1, "m"))
    assert len(read(tmp_path).events) == KEPT + 1 + 1


def test_calls_beyond_a_limit_are_counted_in_steps_and_exactly_at_the_end(tmp_path) -> None:
    part = part_in(tmp_path)
    repeated = event(LIMIT)
    for _ in range(1000):
        part.heard(repeated)
    (found,) = read(tmp_path).reports
    assert 1000 - writer.LIMIT_STEP < found[1].misses_over_limit <= 1000
    part.finish()
    (found,) = read(tmp_path).reports
    assert found[1].misses_over_limit == 1000


def test_of_very_many_causes_those_of_one_function_are_told_as_one(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(writer, "MOST_CAUSES", 10)
    part = part_in(tmp_path)
    for number in range(1000):
        part.heard(event(RECOMPILE, number, f"x[{number}]"))
    assert sum(found.times for found in read(tmp_path).events) == 1000
    assert len(read(tmp_path).events) == 10 + KEPT + 1
    (file,) = tmp_path.iterdir()
    assert file.stat().st_size < 20_000


def test_calls_are_counted_of_all_functions_of_a_definition_or_not_told(tmp_path, monkeypatch) -> None:
    def many() -> None:
        for _ in range(20):
            f = gl.jit(lambda x: x * 3.0)
            f(X), f(X), f(X)

    recorded(tmp_path / "all", many)
    reports = [report for _, report in read(tmp_path / "all").reports]
    assert sum(report.calls.total for report in reports) == 60 and sum(report.calls.hits for report in reports) == 40
    monkeypatch.setattr(followed_calls, "FOLLOWED", 12)
    recorded(tmp_path / "some", many)
    assert all(report.calls is None for _, report in read(tmp_path / "some").reports)


def test_functions_of_one_factory_share_their_causes(tmp_path) -> None:
    def many() -> None:
        for _ in range(20):
            f = gl.jit(lambda x, n: x * n)
            f(X, 1), f(X.astype(np.float32), 1)

    recorded(tmp_path, many)
    record = read(tmp_path)
    assert sum(report.compiles for _, report in record.reports) == 40
    assert sum(report.recompiles for _, report in record.reports) == 20
    assert len(record.reports) == KEPT


def test_a_disk_that_is_full_ends_the_record_and_not_the_program(tmp_path, monkeypatch, capsys) -> None:
    part = part_in(tmp_path)
    part.heard(event())
    real = os.write
    monkeypatch.setattr(os, "write", lambda opened, line: real(opened, line[:10]))
    part.heard(event(BREAK, break_code="B101", text="one"))
    part.heard(event(BREAK, break_code="B101", text="two"))
    monkeypatch.undo()
    part.finish()
    assert capsys.readouterr().err == f"guardlift: the record in {tmp_path} ends here: No space left on device\n"
    record = read(tmp_path)
    assert [found.kind for found in record.events] == [COMPILE] and len(record.endings) == 1


def cpu_seconds(run: Callable[[], Any]) -> float:
    """The processor's time that `run` takes, the least of several measurements."""
    found = []
    for _ in range(5):
        began = time.process_time()
        run()
        found.append(time.process_time() - began)
    return min(found)


def test_a_hit_costs_the_same_under_a_record(tmp_path) -> None:
    f = gl.jit(lambda x: x * 2.0)
    f(X)

    def hits() -> None:
        for _ in range(20_000):
            f(X)

    alone = cpu_seconds(hits)
    costs: list[float] = []
    lines = recorded(tmp_path, lambda: costs.append(cpu_seconds(hits)))
    assert kinds_of(lines) == ["head", "end"]
    assert costs[0] < 2 * min(alone, cpu_seconds(hits)) + 0.002


def test_a_call_beyond_the_limit_costs_little_more_under_a_record(tmp_path) -> None:
    @gl.jit
    def f(x, name):
        return x + len(name) if name.startswith("a") else x * len(name)

    def calls() -> None:
        for number in range(2_000):
            f(X, f"name {number}")

    with gl.config.patch(entry_limit=4), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        calls()
        alone = cpu_seconds(calls)
        costs: list[float] = []
        before = gl.explain(f).misses_over_limit
        recorded(tmp_path, lambda: costs.append(cpu_seconds(calls)))
        beyond = gl.explain(f).misses_over_limit - before
        with gl.testing.max_recompiles(10**9):
            costs.append(cpu_seconds(calls))
    assert max(costs) < 3 * alone + 0.005  # 1.2 and 2.3 times as much were seen
    assert read(tmp_path).reports[0][1].misses_over_limit == beyond > 9_000


@pytest.mark.slow
def test_a_record_costs_a_small_part_of_compiling(tmp_path) -> None:
    def first_call() -> int:
        """The number of calls of Python's functions in a first call."""
        calls = 0

        def count(_frame: Any, event: str, _argument: Any) -> None:
            nonlocal calls
            calls += event == "call"

        sizes = (3, 5, 7)
        model = gl.nn.Sequential(*(gl.nn.Linear(*each) for each in zip(sizes, sizes[1:], strict=False)))
        step = gl.jit(lambda x: model(x).square().mean())
        with gl.testing.fresh_cache():
            sys.setprofile(count)
            try:
                step(gl.ones(2, 3)).backward()
            finally:
                sys.setprofile(None)
            return calls

    first_call()  # which imports the compiler
    alone = min(first_call(), first_call())
    counts: list[int] = []
    recorded(tmp_path, lambda: counts.extend((first_call(), first_call())))
    assert min(counts) < 1.15 * alone, (counts, alone)
