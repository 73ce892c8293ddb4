"""Processes that take turns, each running a round of a task when told to, so that a busy neighbour slows all alike.

A player is a script that ends in `serve(tasks, about)`; `Player` starts one and asks it for rounds. Between the two go
lines of text: a task's name one way, seconds for one call the other way.
"""

from __future__ import annotations

import importlib.util
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType

from timing import Task

ROUND_SECONDS = 0.1


class Silent(Exception):
    """A player that did not start, or stopped: what it said on standard error."""


def serve(tasks: Mapping[str, Task], about: str) -> None:
    """Warms all tasks up, then runs a round of a task for each name on standard input, until that ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever else is printed shall not be taken for an answer
    for task in tasks.values():
        for _ in range(5):  # the first calls compile
            task()
    print(json.dumps({"about": about, "tasks": list(tasks)}), file=answers, flush=True)
    for line in sys.stdin:
        print(repr(round_of(tasks[line.strip()])), file=answers, flush=True)


def round_of(task: Task) -> float:
    """The median time of a call, over calls that fill a round; the first two, in which caches fill, do not count."""
    times: list[float] = []
    end = time.perf_counter() + ROUND_SECONDS
    while len(times) < 7 or time.perf_counter() < end:
        start = time.perf_counter()
        task()
        times.append(time.perf_counter() - start)
    return statistics.median(times[2:])


class Player:
    """A process that serves tasks, with a number of threads of its own. As a context it ends with the block."""

    def __init__(self, python: str, script: Path, threads: int, *arguments: str) -> None:
        limits = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), str(threads))
        self._said = tempfile.TemporaryFile("w+", encoding="utf-8")  # a pipe that nobody reads would fill up
        self._process = subprocess.Popen(
            [python, "-P", str(script), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            text=True,
            env={**os.environ, **limits},
        )
        greeting = json.loads(self._answer())
        self.about: str = greeting["about"]
        self.tasks: list[str] = greeting["tasks"]

    def seconds(self, task: str) -> float:
        """One call of the task, by one round."""
        assert self._process.stdin is not None
        print(task, file=self._process.stdin, flush=True)
        return float(self._answer())

    def _answer(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            self._process.wait()
            self._said.seek(0)
            said = self._said.read().strip()
            self.close()
            raise Silent(said or f"exit code {self._process.returncode}")
        return line

    def close(self) -> None:
        """Ends the process, which stops when it is told no more."""
        for stream in (self._process.stdin, self._process.stdout, self._said):
            if stream is not None:
                stream.close()
        self._process.wait()

    def __enter__(self) -> Player:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def python_of(module: str) -> tuple[str | None, str]:
    """The Python that has a module, by GUARDLIFT_BENCH_<MODULE> or this one; None where there is none, and why."""
    variable = f"GUARDLIFT_BENCH_{module.upper()}"
    python = os.environ.get(variable) or (sys.executable if importlib.util.find_spec(module) is not None else None)
    return python, f"{module} skipped: not installed here, and {variable} names no Python that has it"


def peer(stack: ExitStack, module: str, script: Path, threads: int, *arguments: str) -> tuple[Player | None, str]:
    """A player of another library, closed with `stack`, and who it is; None and why, where the library is not found.

    Its Python is that of `python_of`.
    """
    python, why = python_of(module)
    if python is None:
        return None, why
    try:
        player = stack.enter_context(Player(python, script, threads, *arguments))
    except (Silent, OSError) as error:
        return None, f"{module} skipped: {python} did not serve: {str(error).splitlines()[-1]}"
    return player, player.about


def play(players: Sequence[Player], rounds: int = 11) -> list[dict[str, float]]:
    """For each player the seconds of one call of each of its tasks: the best of the rounds, which are played in turn.

    The best, since threads that wait for each other lose a hundredfold when a neighbour takes one of their cores.
    """
    times: list[dict[str, list[float]]] = [{task: [] for task in player.tasks} for player in players]
    for _ in range(rounds):
        for player, found in zip(players, times, strict=True):
            for task in player.tasks:
                found[task].append(player.seconds(task))
    return [{task: min(values) for task, values in found.items()} for found in times]
