"""Colour and width: what a terminal gets, and what a pipe gets; also through a real terminal, of tmux."""

from __future__ import annotations

import io
import os
import pty
import shutil
import struct
import subprocess
import sys
import time
from pathlib import Path

import pytest
from rich.cells import cell_len

from guardlift.tools.show.terminal import Line, wants_color, width_of, write_lines


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("terminal", "environment", "expected"),
    [
        (True, {}, True),
        (True, {"TERM": "xterm"}, True),
        (True, {"TERM": "dumb"}, False),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"NO_COLOR": ""}, True),
        (True, {"FORCE_COLOR": "0"}, False),
        (False, {}, False),
        (False, {"FORCE_COLOR": "1"}, True),
        (False, {"FORCE_COLOR": "1", "TERM": "dumb"}, True),
        (False, {"FORCE_COLOR": "0"}, False),
        (False, {"FORCE_COLOR": ""}, False),
        (True, {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
)
def test_colour_is_for_terminals_unless_the_environment_says_otherwise(terminal, environment, expected) -> None:
    assert wants_color(Terminal() if terminal else io.StringIO(), environment) is expected


@pytest.mark.parametrize(
    ("environment", "expected"),
    [({}, 80), ({"COLUMNS": "120"}, 120), ({"COLUMNS": "wide"}, 80), ({"COLUMNS": "0"}, 80), ({"COLUMNS": "3"}, 40)],
)
def test_what_is_no_terminal_has_80_columns_or_as_many_as_COLUMNS_says(environment, expected) -> None:
    assert width_of(io.StringIO(), environment) == expected


def test_a_terminal_has_the_columns_that_it_has() -> None:
    fcntl, termios = pytest.importorskip("fcntl"), pytest.importorskip("termios")
    ours, theirs = pty.openpty()
    try:
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 97, 0, 0))
        with os.fdopen(theirs, "w") as stream:
            assert width_of(stream, {}) == 97
            assert width_of(stream, {"COLUMNS": "50"}) == 50
    finally:
        os.close(ours)


def test_a_closed_stream_is_no_terminal() -> None:
    closed = io.StringIO()
    closed.close()
    assert (wants_color(closed, {}), width_of(closed, {})) == (False, 80)


LINES: list[Line] = [("bad", "1 recompile"), ("", "plain"), ("edit", "x → y")]


def test_colours_are_added_and_change_no_text() -> None:
    plain, colored = io.StringIO(), io.StringIO()
    write_lines(LINES, plain, color=False)
    write_lines(LINES, colored, color=True)
    assert plain.getvalue() == "1 recompile\nplain\nx → y\n"
    assert "\x1b[1;31m1 recompile\x1b[0m\nplain\n" in colored.getvalue()


def test_what_a_stream_cannot_encode_is_escaped() -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii")
    write_lines(LINES, stream, color=False)
    stream.flush()
    assert raw.getvalue() == b"1 recompile\nplain\nx \\u2192 y\n"


PROGRAM = """\
import sys
import numpy as np
import guardlift as gl
from guardlift.tools.record.reader import read
from guardlift.tools.record.writer import start, stop
from guardlift.tools.show.screen import screen_lines, write_screen
from guardlift.tools.show.terminal import width_of, write_lines

gl.config.recompile_limit = 3

@gl.jit
def weighted_total_of_history(history, rate):
    total = history[0] * 0.0 + np.zeros(3) + np.zeros(3) + np.zeros(3) + np.zeros(3) + np.zeros(3)
    for each in history:
        total = total + each * rate
    return total

@gl.jit
def turned(x, number_of_turns):
    for k in range(number_of_turns):
        x = x + k
    return x

@gl.jit
def chosen(x, mode):
    return x * 2 if mode == "double" else x * 3

@gl.jit
def picked(x):
    return x if x.sum() > 0 else -x

part = start(sys.argv[0] + ".record")
if part:
    history = []
    for _ in range(6):
        history.append(np.ones(3))
        weighted_total_of_history(history, 0.9)
    for turns in (1, 2):
        turned(np.ones(5), turns)
        turned(np.ones(5, np.float32), turns)
    for mode in ("double", "triple"):
        chosen(np.ones(4), mode)
    picked(np.ones(3))
stop(part)
reports = [report for _, report in read(part.folder).reports]
write_screen(reports, sys.stdout, program="train.py")
with open(sys.argv[0] + ".txt", "w", encoding="utf-8") as copy:
    write_lines(screen_lines(reports, program="train.py", width=width_of(sys.stdout)), copy, color=False)
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "train.py"
    path.write_text(PROGRAM)
    return path


def shown_in_tmux(program: Path, columns: int, rows: int) -> list[str]:
    """The rows of a terminal of this size after a shell in it has run the program, with its prompt."""
    socket = program.parent / "tmux"
    tmux = ["tmux", "-S", str(socket), "-f", "/dev/null"]
    variables = {name: text for name, text in os.environ.items() if name not in ("COLUMNS", "LINES", "TMUX")}
    environment = {**variables, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "PYTHONWARNINGS": "ignore"}
    shell = ["-x", str(columns), "-y", str(rows), "sh"]
    subprocess.run([*tmux, "new-session", "-d", *shell], env=environment, cwd=program.parent, check=True)
    try:
        command = f"clear; {sys.executable} {program.name}; touch done"
        subprocess.run([*tmux, "send-keys", command, "Enter"], env=environment, check=True)
        deadline = time.monotonic() + 120
        while not (program.parent / "done").exists() and time.monotonic() < deadline:
            time.sleep(0.1)
        time.sleep(0.3)  # the shell writes its prompt
        taken = subprocess.run([*tmux, "capture-pane", "-p"], env=environment, check=True, capture_output=True)
        return taken.stdout.decode().rstrip("\n").split("\n")
    finally:
        subprocess.run([*tmux, "kill-server"], env=environment, check=False)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")
@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (120, 40)])
def test_the_answer_is_on_the_screen_with_the_fix_of_the_first_cause(program: Path, columns: int, rows: int) -> None:
    screen = shown_in_tmux(program, columns, rows)
    written = Path(f"{program}.txt").read_text(encoding="utf-8").splitlines()
    # Every row is there as it was written: none has scrolled away, none was wrapped by the terminal.
    assert [line.rstrip() for line in screen[: len(written)]] == [line.rstrip() for line in written]
    assert screen[len(written)].strip() in ("$", "#") and len(screen) == len(written) + 1 <= 24
    assert screen[0].startswith("guard-explain  train.py  exit 0")
    assert "4 functions, 9 compiles (5 again), 1 graph" in " ".join(screen[:2])
    first, second = (next(row for row, line in enumerate(screen) if line.startswith(f"{k}  ")) for k in (1, 2))
    assert any(line.strip().startswith(("fix: ", "no edit known: ")) for line in screen[first:second])
    assert max(map(cell_len, written)) > 0.9 * columns


@pytest.mark.slow
def test_a_pipe_gets_80_columns_without_colour_and_a_terminal_colour(program: Path) -> None:
    environment = {**os.environ, "TERM": "xterm", "PYTHONWARNINGS": "ignore"}
    for name in ("COLUMNS", "NO_COLOR", "FORCE_COLOR"):
        environment.pop(name, None)
    command = [sys.executable, str(program)]
    piped = subprocess.run(command, env=environment, capture_output=True, check=True).stdout.decode()
    assert "\x1b" not in piped and max(map(cell_len, piped.splitlines())) <= 80
    ours, theirs = pty.openpty()
    with os.fdopen(ours, "rb", buffering=0) as screen:
        started = subprocess.Popen(command, env=environment, stdout=theirs, stderr=subprocess.DEVNULL)
        os.close(theirs)
        said = b""
        while True:
            try:
                part = screen.read(4096)
            except OSError:  # the program has ended
                break
            if not part:
                break
            said += part
        assert started.wait(60) == 0
    assert b"\x1b[1;31m1 " in said
