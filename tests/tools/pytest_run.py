"""Runs of pytest inside a test, in its process: with the plugin, and with no other that is installed."""

from __future__ import annotations

import contextlib
import io
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from guardlift.tools import pytest_plugin

OPTIONS = ("-p", "no:cacheprovider", "--import-mode=importlib")


class Outcomes:
    """The outcome of each test: ``passed``, ``failed``, ``skipped`` or ``error``; and the tests' order."""

    def __init__(self, seed: int | None = None) -> None:
        self.by_test: dict[str, str] = {}
        self._seed = seed

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if self._seed is not None:
            random.Random(self._seed).shuffle(items)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" or report.outcome != "passed":
            self.by_test[report.nodeid] = report.outcome if report.when == "call" or report.skipped else "error"


class Run:
    """A run that has ended. out: all it printed.   code: its exit status."""

    def __init__(self, out: str, code: int, by_test: dict[str, str]) -> None:
        self.out, self.code, self.by_test = out, code, by_test

    def failure(self, test: str) -> list[str]:
        """The lines that were printed about one failing test."""
        return self.out.split(f" {test} __")[1].split("\n", 1)[1].split("\n____")[0].split("\n====")[0].splitlines()


def run_here(project: Path, *options: str, seed: int | None = None, tracer: bool = False) -> Run:
    """A run in this process, in which nothing has to be imported again. tracer: as under coverage."""
    outcomes, printed, before = Outcomes(seed), io.StringIO(), sys.gettrace()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(printed):
        patch.chdir(project)
        patch.delenv("PYTEST_ADDOPTS", raising=False)
        patch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        patch.setenv("COLUMNS", "200")
        if tracer:
            sys.settrace(lambda frame, kind, value: None)
        try:
            code = pytest.main([*OPTIONS, f"--rootdir={project}", *options], plugins=[pytest_plugin, outcomes])
        finally:
            sys.settrace(before)
            _forget_modules(project)
    return Run(printed.getvalue(), int(code), outcomes.by_test)


def _forget_modules(folder: Path) -> None:
    """Let the next run import its own modules, whatever their names."""
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", "")).startswith(str(folder)):
            del sys.modules[name]


def run_apart(project: Path, *options: str, plugins: tuple[str, ...] = (), **variables: str) -> str:
    """All that a run in a process of its own prints, warnings and errors included."""
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "COLUMNS": "200", **variables}
    environment.pop("PYTEST_ADDOPTS", None)
    named = [each for plugin in ("guardlift.tools.pytest_plugin", *plugins) for each in ("-p", plugin)]
    command = [sys.executable, "-m", "pytest", *OPTIONS[:2], *named, *options]
    done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr
