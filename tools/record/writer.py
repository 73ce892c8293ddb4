"""Writes the record of this process: lines for each thing that happens to a jitted function, at once.

`start()` is called on import when the variable `GUARDLIFT_RECORD` names a folder, and by the pytest plugin.
"""

# Note [A record survives its process]
# The lines of an event are one `write` to a file that is opened for it and closed again. So nothing waits in memory
# when the process is killed, aborts or calls `os._exit`; no open file is there for a program that closes all
# descriptors, or goes on in another image by `execv`, to get wrong; and a child made by `fork`, which has no file yet,
# begins one of its own at the first thing that happens in it. What comes up ever again does not fill the disk: `KEPT`
# events of a cause are written, then its number, in place of the number before it.

from __future__ import annotations

import atexit
import os
import sys
import threading
import time
import types
from collections.abc import Container
from contextlib import suppress
from pathlib import Path
from typing import Any

from ...core.config import config
from ...core.events import BREAK, LIMIT, MADE, PLAIN, Event, start_listening, stop_listening
from ...core.records import dataclass
from ...frontend.dispatch.registry import functions_left_alone, live_states, state_numbered
from ..escaping import shortened
from ..report import EntryReport
from .codec import LONGEST, data_of
from .followed_calls import FollowedCalls
from .lines import (
    CALLS,
    END,
    ENDING,
    ENTRY,
    EVENT,
    FUNCTION,
    KEPT,
    SCHEMA,
    TEXT,
    VARIABLE,
    count_line,
    digest,
    line_of,
)

LONGEST_NAME = 200
"""Characters of a function's name."""
MOST_CAUSES = 4096
"""Causes that are told apart, in a program that goes on for long."""
LIMIT_STEP = 64
"""From this number on, calls beyond a limit are written in steps of as many: a call takes some 20 microseconds."""


@dataclass(slots=True)
class CauseCount:
    """The count of one cause, its seconds, and the place of the count in the file; -1 while it has none."""

    number: int
    count: int = 0
    seconds: float = 0.0
    offset: int = -1


class RecordWriter:
    """Writes what happens to jitted functions into a file of a folder, until `finish`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.broken = ""
        """Why nothing is written any more."""
        self._began_anew()

    def _began_anew(self, *, forked: bool = False) -> None:
        self._lock = threading.RLock()
        self._file: Path | None = None
        self._forked = forked
        self._began = time.time()
        self._kernels = kernel_statistics()
        self._known = {id(function) for function, _ in _idle_functions()}
        self._causes: dict[object, CauseCount] = {}
        self._functions: set[int] = set()
        self._calls = FollowedCalls()
        self._texts: set[str] = set()
        self._repeated: tuple[Event | None, CauseCount] = (None, CauseCount(-1))
        self._lines: list[bytes] = []
        """Lines of the event at hand, which are written together."""

    def in_child(self) -> None:
        """Begins anew in a process that was forked from that of this writer."""
        self._began_anew(forked=True)

    def begin(self) -> None:
        """Makes the file, and writes its head. Errors: OSError."""
        self.folder.mkdir(parents=True, exist_ok=True)
        stem = f"{time.time_ns():x}-{os.getpid()}"
        for number in range(1000):
            file = self.folder / f"{stem}{f'-{number}' if number else ''}{ENDING}"
            try:
                opened = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            except FileExistsError:
                continue
            self._file = file
            _write(opened, line_of(self._head()))
            return

    def _head(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "guardlift": str(getattr(sys.modules[__name__.partition(".")[0]], "__version__", "")),
            "python": sys.version.split()[0],
            "process": os.getpid(),
            "parent": os.getppid(),
            "name": _process_name(),
            "command": list(sys.orig_argv),
            "began": self._began,
            "forked": self._forked,
            "disabled": bool(config.disable),
        }

    def heard(self, event: Event) -> None:
        """Writes an event, and the entry that it tells of."""
        with self._lock:
            known, cause = self._repeated
            if known is not event:
                cause = self._cause(_cause_key(event), event)
                self._repeated = event, cause
                self._calls.follow(event)
            cause.count += 1
            cause.seconds += event.seconds
            if cause.count > KEPT:
                if event.kind != LIMIT or cause.count <= LIMIT_STEP or not cause.count % LIMIT_STEP:
                    self._write_count(cause)
                return
        entry = _entry(event) if event.kind in MADE else None
        with self._lock:
            self._add_function(event)
            told = {**data_of(event), "function": shortened(event.function, LONGEST_NAME)}
            data = {"is": EVENT, "at": self._now(), "thread": threading.current_thread().name, "cause": cause.number}
            self._add({**data, "event": told, **_break_data(event)})
            if entry is not None:
                self._add_entry(event.state, entry)
            self._write_lines()

    def _cause(self, key: object, event: Event) -> CauseCount:
        """The cause of a key; once there are very many, a cause for all that are of one kind and function."""
        if key not in self._causes and len(self._causes) >= MOST_CAUSES:
            key = event.kind, event.function, event.defined
        return self._causes.setdefault(key, CauseCount(len(self._causes)))

    def finish(self) -> None:
        """Writes what is known at the end of the process: numbers, native code, functions to which nothing happened."""
        with self._lock:
            for cause in self._causes.values():
                if cause.count > KEPT:
                    self._write_count(cause)
            for counts in self._calls.totals(self._functions) if not self._forked else ():
                self._add({"is": CALLS, **counts})  # a forked process does not know which calls were its own
            after = kernel_statistics()
            kernels = {name: after[name] - self._kernels.get(name, 0) for name in after}
            if self._file is not None:
                functions = _idle_rows(self._known)
                self._add({"is": END, "at": self._now(), "kernels": kernels, "functions": functions})
            self._write_lines()

    def _now(self) -> float:
        return round(time.time() - self._began, 6)

    def _add_function(self, event: Event) -> None:
        if event.state not in self._functions:
            self._functions.add(event.state)
            name, (file, line) = shortened(event.function, LONGEST_NAME), event.defined
            place = {"name": name, "file": file, "line": line}
            self._add({"is": FUNCTION, "function": event.state, **place})

    def _add_entry(self, function: int, entry: EntryReport) -> None:
        data = data_of(entry)
        data |= {name: self._text(getattr(entry, name)) for name in ("graph", "code") if name in data}
        for each, kernel in zip(data.get("kernels", ()), entry.kernels, strict=True):
            each["text"] = self._text(kernel.text)
        self._add({"is": ENTRY, "function": function, "entry": data})

    def _text(self, text: str) -> str:
        """The name of a text, which is added if it was not yet."""
        if len(text) > LONGEST:
            text = "\n".join(shortened(line, LONGEST) for line in text.split("\n"))
        name = digest(text)
        if name not in self._texts:
            self._texts.add(name)
            self._add({"is": TEXT, "text": name, "content": text})
        return name

    def _add(self, data: dict[str, Any]) -> None:
        self._lines.append(line_of(data))

    def _write_lines(self) -> None:
        """Writes the lines that were added, in one piece."""
        lines, self._lines = self._lines, []
        if self.broken or not lines:
            return
        try:
            if self._file is None:
                self.begin()
            assert self._file is not None
            _write(os.open(self._file, os.O_WRONLY | os.O_APPEND), b"".join(lines))
        except OSError as error:
            self._break(error)

    def _write_count(self, cause: CauseCount) -> None:
        if self.broken or self._file is None:
            return
        line = count_line(cause.number, cause.count, cause.seconds)
        try:
            if cause.offset < 0:
                cause.offset = _write(os.open(self._file, os.O_WRONLY | os.O_APPEND), line)
            else:
                _write(os.open(self._file, os.O_WRONLY), line, cause.offset)
        except OSError as error:
            self._break(error)

    def _break(self, error: OSError) -> None:
        self.broken = error.strerror or str(error)
        with suppress(OSError, ValueError, AttributeError):
            print(f"guardlift: the record in {self.folder} ends here: {self.broken}", file=sys.stderr)


def _write(opened: int, lines: bytes, offset: int = -1) -> int:
    """The place at which the lines stand, which are written in one piece; by default at the end. Closes the file."""
    try:
        if offset >= 0:
            os.lseek(opened, offset, os.SEEK_SET)
        if os.write(opened, lines) < len(lines):
            raise OSError(28, "No space left on device")
        return os.lseek(opened, 0, os.SEEK_CUR) - len(lines)
    finally:
        os.close(opened)


def _cause_key(event: Event) -> object:
    """A key that events share which have one cause; those beyond a limit share it only if they are of one function."""
    about = tuple((reason.guard, reason.expression, reason.at[:2]) for reason in event.nearest())
    own = event.state if event.kind == LIMIT else 0
    told = event.text if event.kind in (BREAK, PLAIN) else ""
    return event.kind, event.function, event.defined, event.break_code, told, about, event.called_from[:1], own


def _entry(event: Event) -> EntryReport | None:
    """The report on the entry that an event tells of, if its function still has it."""
    from ..collect import entry_report

    state = state_numbered(event.state)
    entries = list(state.entries) if state is not None else []
    return next((entry_report(entry, state) for entry in entries if state and entry.number == event.entry), None)


def _break_data(event: Event) -> dict[str, Any]:
    """The data of the graph break that an event tells of: the text of its line is that of now."""
    from ..collect import break_reports

    found = break_reports([event])
    return {"break": data_of(found[0])} if found else {}


def _idle_functions() -> list[tuple[types.FunctionType, str]]:
    """The functions alive that nothing happened to, and those that `jit` left alone, with the reason."""
    return [*((state.original, "") for state in live_states() if not state.history), *functions_left_alone()]


def _idle_rows(known: Container[int]) -> list[dict[str, Any]]:
    """The functions whose ids are not known, for the record."""
    return [_idle_data(*each) for each in _idle_functions() if id(each[0]) not in known]


def _idle_data(function: types.FunctionType, why: str) -> dict[str, Any]:
    code = function.__code__
    name = shortened(function.__qualname__, LONGEST_NAME)
    return {"name": name, "file": code.co_filename, "line": code.co_firstlineno, "left_alone": why}


def kernel_statistics() -> dict[str, float]:
    """The number of kernels compiled and loaded by this process, and the seconds of both."""
    module = sys.modules.get(f"{__name__.partition('.')[0]}.backend.cpu.compiler.kernels")
    names = ("compiled", "loaded", "compile_seconds", "load_seconds")
    return {name: getattr(module.statistics, name) if module is not None else 0 for name in names}


def _process_name() -> str:
    """The name of a worker, where a library gave one; empty for a program by itself."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    processes = sys.modules.get("multiprocessing.process")
    name = str(processes.current_process().name) if processes is not None else ""
    return worker or ("" if name == "MainProcess" else name)


_writers: list[RecordWriter] = []


def start(folder: str | os.PathLike[str]) -> RecordWriter | None:
    """The writer of this process's part of a record; None, with a line on standard error, where it cannot write there.

    Children made by `fork` write to files of their own. A relative path is made absolute in the variable, too, so that
    processes that are started elsewhere find the same folder.
    """
    path = Path(os.path.abspath(folder))
    if os.environ.get(VARIABLE):
        os.environ[VARIABLE] = os.path.abspath(os.environ[VARIABLE])
    writer = RecordWriter(path)
    try:
        writer.begin()
    except OSError as error:
        writer._break(error)
        return None
    if not _writers and hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_in_child)
    _writers.append(writer)
    start_listening(writer.heard)
    atexit.register(writer.finish)
    return writer


def stop(writer: RecordWriter) -> None:
    """Ends a record before the process does."""
    stop_listening(writer.heard)
    atexit.unregister(writer.finish)
    _writers.remove(writer)
    writer.finish()


def _in_child() -> None:
    for writer in _writers:
        writer.in_child()
