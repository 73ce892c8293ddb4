"""Runs a program as `python program.py` does, in a process of its own, with a record of what it compiles."""

from __future__ import annotations

import importlib.machinery
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from ..core.records import dataclass
from .record.lines import VARIABLE

KILLED = 128
"""To this the number of a signal is added, as shells do, for a program that died of it."""
_PASSED_ON = ("SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2")


@dataclass(frozen=True, slots=True)
class RunProgram:
    """The program to run: a script's path, or with `module` a module's dotted name, and its arguments."""

    name: str
    arguments: tuple[str, ...] = ()
    module: bool = False

    @property
    def command(self) -> list[str]:
        """The command that runs it by this interpreter."""
        return [sys.executable, *(["-m"] if self.module else []), self.name, *self.arguments]


def run(program: RunProgram, folder: Path, *, stdout: int | None = None) -> int:
    """The exit code of the program, or minus the number of the signal that ended it.

    folder: there each process of the program that imports guardlift records what it compiles.
    stdout: the descriptor that is the program's standard output; by default that of this process.
    """
    environment = {**os.environ, VARIABLE: str(folder)}
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    with _signals() as started:
        child = subprocess.Popen(program.command, env=environment, stdout=stdout)
        started.append(child)
        return child.wait()


@contextmanager
def _signals() -> Iterator[list[subprocess.Popen[bytes]]]:
    """A context in which signals are the business of the program that is put into the list: it answers them, we wait.

    A terminal sends Ctrl-C to the program as well, so that is not passed on.
    """
    started: list[subprocess.Popen[bytes]] = []

    def pass_on(number: int, frame: FrameType | None) -> None:
        for child in started:
            child.send_signal(number)

    before: dict[signal.Signals, Any] = {}
    if threading.current_thread() is threading.main_thread():
        before[signal.SIGINT] = signal.signal(signal.SIGINT, lambda number, frame: None)
        for name in _PASSED_ON:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                before[number] = signal.signal(number, pass_on)
    try:
        yield started
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def missing(program: RunProgram) -> str:
    """Why the program cannot be run at all; empty when it can."""
    if program.module:
        return _missing_module(program.name)
    if not os.path.exists(program.name):
        return f"there is no file {program.name}"
    if os.path.isdir(program.name) and not os.path.exists(os.path.join(program.name, "__main__.py")):
        return f"the folder {program.name} holds no __main__.py that could be run"
    return ""


def _missing_module(name: str) -> str:
    """Why there is no such module to run. Nothing is imported to find out."""
    path: Sequence[str] = [os.getcwd(), *sys.path]
    found = None
    for number, part in enumerate(parts := name.split(".")):
        if not part:
            return f"{name!r} is no name of a module"
        if not number and part in sys.builtin_module_names:
            return ""
        found = importlib.machinery.PathFinder.find_spec(".".join(parts[: number + 1]), path)
        if found is None:
            return f"there is no module named {name}"
        path = list(found.submodule_search_locations or ())
    if found is not None and found.submodule_search_locations is not None:
        places = [os.path.join(each, "__main__.py") for each in found.submodule_search_locations]
        if not any(map(os.path.exists, places)):
            return f"the package {name} holds no __main__.py that could be run"
    return ""


def split_arguments(argv: Sequence[str], takes_value: Sequence[str]) -> tuple[list[str], RunProgram | None]:
    """Our own options, and the program with its arguments: what comes before and from the first plain word or ``-m``.

    takes_value: our options whose value is the next word. `--json` takes it only where it ends in ``.json`` or is
    ``-``: anything else is the program.
    """
    options: list[str] = []
    words = list(argv)
    while words:
        word = words.pop(0)
        if word == "-m":
            return options, RunProgram(words[0], tuple(words[1:]), module=True) if words else None
        if word == "--":
            return options, RunProgram(words[0], tuple(words[1:])) if words else None
        if not word.startswith("-") or word == "-":
            return options, RunProgram(word, tuple(words))
        options.append(word)
        if word in takes_value and words:
            options.append(words.pop(0))
        elif word == "--json":
            takes = bool(words) and (words[0] == "-" or words[0].endswith(".json"))
            options[-1] = f"--json={words.pop(0) if takes else '-'}"
    return options, None
