"""Runs one of CPython's own test modules, every test twice, and writes one line of JSON for each.

    python worker.py MODULE plain|traced OUTPUT [EXCLUSIONS]

In the mode "traced" each test's function is replaced, while it runs, by `gl.jit` of it: an attribute of the class alone
is set, nothing that is installed is touched. A line says `begin` before a test and what came of both calls after it, so
that whoever started this process knows where it died, should it die. Tests that the output names already are left out.
"""

from __future__ import annotations

import fnmatch
import importlib
import inspect
import json
import os
import random
import re
import sys
import types
import unittest
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

Outcome = list[str]
LONGEST = 400
"""Characters of a message that are compared."""
LIBRARY = frozenset({"fractions.py", "textwrap.py", "reprlib.py", "heapq.py", "string.py", "graphlib.py", "random.py"})
"""Python files under test that the tracer itself makes no use of."""


class Recorder(unittest.TestResult):
    """The outcome of one run of one test: every failure with its exception, or that it passed."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Outcome] = []

    def _note(self, kind: str, error: Any) -> None:
        self.found.append([kind, error[0].__name__, normal(str(error[1]))])

    def addError(self, test: Any, err: Any) -> None:
        self._note("error", err)

    def addFailure(self, test: Any, err: Any) -> None:
        self._note("fail", err)

    def addExpectedFailure(self, test: Any, err: Any) -> None:
        self._note("expected failure", err)

    def addUnexpectedSuccess(self, test: Any) -> None:
        self.found.append(["unexpected success", "", ""])

    def addSkip(self, test: Any, reason: str) -> None:
        self.found.append(["skip", "", normal(reason)])

    def addSubTest(self, test: Any, subtest: Any, err: Any) -> None:
        if err is not None:
            self._note(f"in {normal(subtest._subDescription())}", err)


def normal(message: str) -> str:
    """A message without what differs from process to process: addresses, folders made for the run, times."""
    message = re.sub(r"0x[0-9a-fA-F]{6,}", "0x…", message)
    message = re.sub(r"/tmp/[\w./-]+", "/tmp/…", message)
    return message[:LONGEST]


def run_once(kind: type[unittest.TestCase], name: str) -> list[Outcome]:
    """The outcome of one run of a test, on a fresh instance."""
    random.seed(0)
    recorder = Recorder()
    kind(name).run(recorder)
    return recorder.found or [["pass", "", ""]]


def tests_of(module: types.ModuleType) -> Iterator[tuple[type[unittest.TestCase], list[str]]]:
    """The test classes of a module with the names of their tests; doctests are left out."""
    found: dict[type[unittest.TestCase], list[str]] = {}

    def collect(suite: Any) -> None:
        if isinstance(suite, unittest.TestSuite):
            for each in suite:
                collect(each)
        elif type(suite).__module__ not in ("doctest", "unittest.loader"):
            found.setdefault(type(suite), []).append(suite._testMethodName)

    collect(unittest.TestLoader().loadTestsFromModule(module))
    for kind, names in found.items():
        yield kind, list(dict.fromkeys(names))


class Traced:
    """A test whose function is jitted while this is entered, and what is known of how that went."""

    def __init__(self, kind: type, name: str) -> None:
        import guardlift as gl

        self.kind, self.name = kind, name
        self.own = vars(kind).get(name)
        function = inspect.getattr_static(kind, name)
        self.jitted = gl.jit(function) if isinstance(function, types.FunctionType) else None
        self.ran_body = False

    def __enter__(self) -> Traced:
        if self.jitted is not None:
            setattr(self.kind, self.name, self.jitted)
        return self

    def __exit__(self, *error: object) -> None:
        if self.jitted is None:
            return
        if self.own is None:
            delattr(self.kind, self.name)
        else:
            setattr(self.kind, self.name, self.own)

    def watched(self, run: Callable[[], list[Outcome]]) -> list[Outcome]:
        """The outcome that `run` gives, while it is noted whether the body's own instructions run."""
        if self.jitted is None or not hasattr(sys, "monitoring"):
            return run()
        code, start, tool, events = self.jitted.__code__, _start_of_body(self.jitted.__code__), 4, sys.monitoring.events

        def note(code: types.CodeType, offset: int) -> Any:
            self.ran_body |= offset >= start
            return sys.monitoring.DISABLE

        sys.monitoring.use_tool_id(tool, "conformance")
        sys.monitoring.register_callback(tool, events.INSTRUCTION, note)
        sys.monitoring.set_local_events(tool, code, events.INSTRUCTION)
        try:
            return run()
        finally:
            sys.monitoring.set_local_events(tool, code, 0)
            sys.monitoring.register_callback(tool, events.INSTRUCTION, None)
            sys.monitoring.free_tool_id(tool)

    def report(self) -> dict[str, Any]:
        """The text about both calls."""
        from guardlift.frontend import state_of

        state = state_of(self.jitted)
        if state is None:
            return {"whole": False, "breaks": ["left alone"]}
        breaks = [f"{event.break_code}: {event.what}" for event in state.history if event.break_code]
        served = bool(state.entries) and not any(entry.plain for entry in state.entries)
        whole = served and not breaks and not self.ran_body and not state.misses_over_limit and not EXECUTED
        return {"whole": whole, "breaks": [normal(each) for each in breaks], "executed": sorted(EXECUTED)}


def _start_of_body(code: types.CodeType) -> int:
    """The offset at which the function's own instructions begin behind the prologue. Units: bytes."""
    head = (code.co_firstlineno, code.co_firstlineno, 0, 0)
    positions = list(code.co_positions())
    return next((2 * place for place, each in enumerate(positions) if each != head), 2 * len(positions))


EXECUTED: set[str] = set()
"""Functions of the tests or the library under test that ran while the present test was traced."""


def watch_tracing() -> None:
    """Have every trace of this process note in `EXECUTED` the functions of the user that run meanwhile."""
    from guardlift.frontend.dispatch import new_entry

    compile_entry = new_entry.compile_entry
    folders = tuple(os.path.dirname(str(sys.modules[name].__file__)) + os.sep for name in ("test", "unittest", "re"))

    library = {os.path.join(os.path.dirname(os.__file__), name) for name in LIBRARY}

    def note(frame: types.FrameType, event: str, argument: object) -> None:
        file = frame.f_code.co_filename
        if event == "call" and (file.startswith(folders) or file in library):
            EXECUTED.add(frame.f_code.co_qualname)

    def watched(*args: Any) -> Any:
        before = sys.getprofile()
        sys.setprofile(note)
        try:
            return compile_entry(*args)
        finally:
            sys.setprofile(before)

    new_entry.compile_entry = watched


def run_test(kind: type[unittest.TestCase], name: str, *, traced: bool) -> dict[str, Any]:
    """The outcomes of both calls of one test."""
    if not traced:
        return {"calls": [run_once(kind, name), run_once(kind, name)]}
    EXECUTED.clear()
    with Traced(kind, name) as test:
        calls = [run_once(kind, name), test.watched(lambda: run_once(kind, name))]
        return {"calls": calls, **test.report()}


def run_class(kind: type[unittest.TestCase], names: list[str], run: Callable[[str], None]) -> None:
    """`run` for every test of a class, between its fixtures."""
    try:
        kind.setUpClass()
    except unittest.SkipTest:
        return
    try:
        for name in names:
            run(name)
    finally:
        kind.tearDownClass()
        kind.doClassCleanups()


def excluded(path: str, module: str) -> list[str]:
    """The patterns of the tests of a module that the table of exclusions leaves out on this version."""
    version = f"3.{sys.version_info.minor}"
    patterns = []
    for line in Path(path).read_text().splitlines():
        fields = [each.strip() for each in line.split("|")]
        if len(fields) == 4 and fields[0] == module and (fields[2] == "all" or version in fields[2].split()):
            patterns.append(fields[1])
    return patterns


def main(module_name: str, mode: str, output: str, exclusions: str) -> None:
    """Run the module's tests, appending to the output."""
    from test import support

    support.use_resources = {}  # none of those that take long, or the network
    traced = mode == "traced"
    warnings.simplefilter("default")
    warnings.filterwarnings("ignore", message=".* runs as plain Python")
    warnings.filterwarnings("ignore", message=".*calls that fit none of its entries", category=RuntimeWarning)
    module = importlib.import_module(f"test.test_{module_name}")
    if traced:
        import guardlift as gl

        gl.config.trace_without_arrays = True
        watch_tracing()
    known = Path(output).read_text() if os.path.exists(output) else ""
    done = {json.loads(line)["test"] for line in known.splitlines()}
    patterns = excluded(exclusions, module_name)
    with open(output, "a", encoding="utf-8") as file:

        def tell(**line: Any) -> None:
            file.write(json.dumps(line) + "\n")
            file.flush()

        getattr(module, "setUpModule", lambda: None)()
        for kind, names in tests_of(module):

            def run(name: str, kind: type[unittest.TestCase] = kind) -> None:
                test = f"{kind.__qualname__}.{name}"
                if test in done or any(fnmatch.fnmatchcase(test, pattern) for pattern in patterns):
                    return
                tell(test=test, begin=True)
                tell(test=test, **run_test(kind, name, traced=traced))

            run_class(kind, names, run)
        getattr(module, "tearDownModule", lambda: None)()
        unittest.doModuleCleanups()
        tell(test="", end=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
