"""Two records side by side: what is new, gone, more or fewer, whatever lines moved."""

from __future__ import annotations

import functools
import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import guardlift as gl
from guardlift.tools.command.comparison import compared
from guardlift.tools.explain import main
from guardlift.tools.record.reader import joined, read
from guardlift.tools.record.writer import start, stop

X = np.arange(3.0)


def record(folder: Path, run: Callable[[], Any]) -> Path:
    """The file of the record of what `run` does."""
    part = start(folder)
    assert part is not None
    try:
        run()
    finally:
        stop(part)
    joined(folder, folder.with_suffix(".gl"))
    return folder.with_suffix(".gl")


def program(counts: int, kinds: str, *, breaks: bool) -> None:
    @gl.jit
    def scale(x, n):
        for k in range(n):
            x = x + k
        return x

    @gl.jit
    def pick(x):
        return x if breaks and x.sum() > 0 else -x

    for n in range(1, counts + 1):
        scale(X, n)
    for kind in kinds:
        scale(X.astype(kind), 1)
    pick(X)


def test_causes_are_new_gone_more_or_fewer(tmp_path, capsys) -> None:
    before = record(tmp_path / "a", lambda: program(3, "f", breaks=False))
    after = record(tmp_path / "b", lambda: program(2, "fi", breaks=True))
    found = compared(read(before), read(after))
    told = [(change.kind, str(change.cause), change.before, change.after) for change in found.changes]
    assert ("fewer", "program.<locals>.scale: n", 2, 1) in told
    assert ("more", "program.<locals>.scale: x.dtype", 1, 2) in told
    assert [cause.startswith("program.<locals>.pick: ") for kind, cause, *_ in told if kind == "new"] == [True]
    assert len(told) == 3
    assert found.worse and not compared(read(before), read(before)).changes
    assert main(["diff", str(before), str(after)]) == 1
    out = capsys.readouterr().out.splitlines()
    assert out[0].startswith("new    program.<locals>.pick: ") and out[0].endswith(": 1 graph break")
    assert out[1] == "more   program.<locals>.scale: x.dtype: 1 → 2 recompiles"
    assert out[2] == "fewer  program.<locals>.scale: n: 2 → 1 recompile"
    assert out[-1].endswith(" s of compiling in all")


def test_fewer_and_gone_causes_are_no_worse(tmp_path, capsys) -> None:
    before = record(tmp_path / "a", lambda: program(3, "f", breaks=True))
    after = record(tmp_path / "b", lambda: program(2, "", breaks=False))
    assert main(["diff", str(before), str(after)]) == 0
    out = capsys.readouterr().out
    assert "gone   program.<locals>.scale: x.dtype: 1 recompile\n" in out and "new" not in out and "more" not in out


def test_moved_lines_are_no_difference(tmp_path) -> None:
    text = "import guardlift as gl\n@gl.jit\ndef f(x, n):\n    for k in range(n): x = x + k\n    return x\n"

    def run(shift: int) -> None:
        names: dict[str, Any] = {}
        exec(compile("\n" * shift + text, str(tmp_path / "program.py"), "exec"), names)
        for n in (1, 2, 3):
            names["f"](X, n)

    records = [record(tmp_path / f"{shift}", functools.partial(run, shift)) for shift in (0, 5)]
    found = compared(*map(read, records))
    assert found.changes == () and not found.worse


def test_calls_beyond_a_limit_are_compared_by_their_number(tmp_path) -> None:
    def run(calls: int) -> None:
        # By default an entry that no call uses makes room after a while, which is a matter of time.
        f = gl.jit(lambda x, name: x * len(name) if name.endswith("0") else x, on_limit="eager")
        with gl.config.patch(entry_limit=2), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for number in range(2 + calls):
                f(X, f"name {number}")

    records = [record(tmp_path / f"{calls}", functools.partial(run, calls)) for calls in (50, 900)]
    found = compared(*map(read, records))
    (change,) = found.changes
    assert str(change).endswith("run.<locals>.<lambda>: 50 → 900 calls in plain Python") and found.worse


def test_a_damaged_record_gives_2(tmp_path) -> None:
    whole = record(tmp_path / "a", lambda: program(2, "", breaks=False))
    lines = whole.read_bytes().splitlines(keepends=True)
    lines[2] = json.dumps({"is": "of the future"}).encode() + b"\n"
    (tmp_path / "damaged.gl").write_bytes(b"".join(lines))
    assert main(["diff", str(whole), str(tmp_path / "damaged.gl")]) == 2
