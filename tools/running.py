"""Runs a program the way `python program.py` does, inside this process, and gives its exit code."""

from __future__ import annotations

import os
import runpy
import sys
import threading
import types
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ..core.records import dataclass

INTERRUPTED = 130


@dataclass(frozen=True, slots=True)
class RunProgram:
    """The program to run: a script's path, or with `module` a module's dotted name, and its arguments."""

    name: str
    arguments: tuple[str, ...] = ()
    module: bool = False


def run(program: RunProgram) -> int:
    """The exit code that the program would have had by itself; its traceback goes to standard error.

    Threads that it started and that are not daemons are waited for.
    """
    before = set(threading.enumerate())
    with _as_main(program):
        code = _exit_code(program)
    for thread in set(threading.enumerate()) - before:
        if not thread.daemon:
            thread.join()
    return code


def _exit_code(program: RunProgram) -> int:
    try:
        if program.module:
            runpy.run_module(program.name, run_name="__main__", alter_sys=True)
        else:
            runpy.run_path(program.name, run_name="__main__")
    except SystemExit as stop:
        if stop.code is None or isinstance(stop.code, int):
            return stop.code or 0
        print(stop.code, file=sys.stderr)
        return 1
    except BaseException as error:
        error.__traceback__ = _without_our_frames(error.__traceback__)
        sys.excepthook(type(error), error, error.__traceback__)
        return INTERRUPTED if isinstance(error, KeyboardInterrupt) else 1
    return 0


@contextmanager
def _as_main(program: RunProgram) -> Iterator[None]:
    """A context with `sys.argv` and `sys.path` as the program expects them."""
    argv, path = sys.argv, list(sys.path)
    sys.argv = [program.name, *program.arguments]
    sys.path.insert(0, os.getcwd() if program.module else os.path.dirname(os.path.abspath(program.name)))
    try:
        yield
    finally:
        sys.argv, sys.path[:] = argv, path


def _without_our_frames(traceback: types.TracebackType | None) -> types.TracebackType | None:
    ours = (__file__, runpy.__file__, "<frozen runpy>")
    while traceback is not None and traceback.tb_frame.f_code.co_filename in ours:
        traceback = traceback.tb_next
    return traceback


def missing(program: RunProgram) -> str:
    """Why the program cannot be run at all; empty when it can."""
    if program.module:
        import importlib.util

        with _as_main(program):
            try:
                found = importlib.util.find_spec(program.name)
            except (ImportError, ValueError):
                found = None
        return "" if found else f"there is no module named {program.name}"
    return "" if os.path.exists(program.name) else f"there is no file {program.name}"


def split_arguments(argv: Sequence[str], takes_value: Sequence[str]) -> tuple[list[str], RunProgram | None]:
    """Our own options, and the program with its arguments: what comes before and from the first plain word or ``-m``.

    takes_value: our options whose value is the next word.
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
    return options, None
