"""The status line: on terminals alone, after a while, and gone in the end."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import guardlift as gl
from guardlift.backend import status_line
from guardlift.backend.status_line import compiling, doing


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal of 60 columns in place of standard error, and lines at once."""
    found = Terminal()
    monkeypatch.setattr(status_line, "sys", SimpleNamespace(stderr=found))  # pytest puts its own into sys for the test
    monkeypatch.setattr(status_line, "AFTER", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "60")
    return found


def test_a_compile_says_what_it_does_and_takes_the_line_away(terminal: Terminal) -> None:
    def rows(x: np.ndarray) -> np.ndarray:
        return np.tanh(x - x.mean(axis=1, keepdims=True))

    line = rows.__code__.co_firstlineno
    gl.jit(rows)(np.ones((3, 5)))
    said = terminal.getvalue()
    lines = said.split(status_line._ERASE)
    assert lines[0] == lines[-1] == ""
    assert all(each.startswith(f"guardlift: compiling {rows.__qualname__}"[:59]) for each in lines[1:-1])
    assert len(lines) > 2
    terminal.truncate(0)
    with compiling("step", "/somewhere/train.py", line):
        doing("3 of 20 kernels")
    assert f"guardlift: compiling step (train.py:{line}), 3 of 20 kernels …" in terminal.getvalue()


def test_every_kernel_is_counted(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    with gl.config.patch(compile_threads=1):
        gl.jit(lambda x: np.cumsum(np.tanh(x)) + 1)(np.ones(4))
    said = terminal.getvalue()
    assert "tracing" in said and "0 of " in said and "1 of " in said


def test_calls_that_are_compiled_say_nothing(terminal: Terminal) -> None:
    jitted, x = gl.jit(lambda x: np.tanh(x) * 3), np.ones(4)
    jitted(x)
    terminal.truncate(0)
    terminal.seek(0)
    jitted(x)
    doing("nothing, since there is no compile")
    assert terminal.getvalue() == ""


@pytest.mark.parametrize("how", ["no terminal", "switched off", "dumb", "no stream", "closed", "soon"])
def test_nothing_is_said_elsewhere(terminal: Terminal, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    if how == "no terminal":
        monkeypatch.setattr(Terminal, "isatty", lambda self: False)
    elif how == "dumb":
        monkeypatch.setenv("TERM", "dumb")
    elif how == "no stream":
        monkeypatch.setattr(status_line, "sys", SimpleNamespace(stderr=None))
    elif how == "soon":
        monkeypatch.setattr(status_line, "AFTER", 1e9)
    elif how == "closed":
        closed = Terminal()
        closed.close()
        monkeypatch.setattr(status_line, "sys", SimpleNamespace(stderr=closed))
    with gl.config.patch(status_line=how != "switched off"), compiling("step", "train.py", 3):
        doing("tracing")
    assert terminal.getvalue() == ""


def test_the_line_appears_while_one_phase_takes_long(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(status_line, "AFTER", 0.05)
    with compiling("step", "train.py", 3):
        doing("the only kernel")  # too soon for a line
        assert terminal.getvalue() == ""
        deadline = time.monotonic() + 30
        while not terminal.getvalue() and time.monotonic() < deadline:
            time.sleep(0.01)
    line = "guardlift: compiling step (train.py:3), the only kernel …"
    assert terminal.getvalue() == f"{status_line._ERASE}{line}{status_line._ERASE}"


def test_without_a_terminal_no_thread_is_made(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Terminal, "isatty", lambda self: False)
    before = threading.active_count()
    with compiling("step", "train.py", 3):
        assert threading.active_count() == before


def test_an_error_takes_the_line_away(terminal: Terminal) -> None:
    with pytest.raises(ZeroDivisionError), compiling("step", "train.py", 3):
        with compiling("another", "train.py", 9):  # inside it: the line stays that of the first
            doing("tracing")
        raise ZeroDivisionError
    assert terminal.getvalue().endswith("step (train.py:3), tracing …" + status_line._ERASE)


PROGRAM = """
import numpy as np, guardlift as gl
from guardlift.backend import status_line
status_line.AFTER = 0.0
gl.jit(lambda x: np.tanh(x) + 2)(np.ones(4))
"""


@pytest.mark.slow
def test_a_real_terminal_shows_it_and_a_pipe_does_not(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PROGRAM]
    environment = {**os.environ, "TERM": "xterm"}
    ours, theirs = pty.openpty()
    try:
        subprocess.run(command, stderr=theirs, env=environment, check=True, timeout=300)
        assert b"guardlift: compiling <lambda> (<string>:5), " in os.read(ours, 4096)
    finally:
        os.close(ours)
        os.close(theirs)
    assert subprocess.run(command, capture_output=True, env=environment, check=True, timeout=300).stderr == b""
