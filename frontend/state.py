"""What a jitted function knows and does beside its fast path: entries, the miss handler, history, the code it installs.

Loaded when a function is first jitted, not with the package: the tracer behind it takes as long to import as NumPy.
"""

from __future__ import annotations

import sys
import threading
import types
import warnings
from collections import ChainMap
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from ..core.config import config
from ..core.errors import RecompileError, Unsupported
from ..core.events import BREAK, COMPILE, LIMIT, RECOMPILE, Event, Reason, emit, listened_to
from ..core.events import PLAIN as PLAIN_CALLS
from ..guards.entry import Entry
from ..guards.entry_code import TO_BODY, TO_PLAIN, build, local_names, prologue_text
from ..guards.sources import LOOKUP, Pool
from .breaks import FLOAT_STATE, RAISES, REFUSED, GraphBreak
from .compile import Broken, compile_entry, plain_entry
from .locate import at_first_use, characters
from .logs import log, recompile_text
from .registry import register

EXPLAINED_MISSES = 32
"""Calls beyond the limit for which listeners are told the reasons."""

UNDER_TRACING = (
    "a debugger or coverage is active (sys.settrace), so calls run as plain Python and nothing is compiled; "
    'set gl.config.under_tracing = "jit" to compile all the same'
)


class _Plain:
    """The miss handler's answer: run the function's own instructions."""

    def __repr__(self) -> str:
        return "<run the body>"


PLAIN = _Plain()


class State:
    """What one jitted function knows: its entries, its history, and the pool its code refers to."""

    def __init__(self, original: types.FunctionType, fullgraph: bool) -> None:
        self.original = original
        self.fullgraph = fullgraph
        self.function: types.FunctionType | None = None
        self.cell = types.CellType()
        self.pool = Pool((LOOKUP, self, PLAIN, NotImplemented))
        self.entries: list[Entry] = []
        self.history: list[Event] = []
        self.misses_over_limit = 0
        self.numbers = 0
        self.lock = threading.RLock()
        self.busy = False
        self.serial = register(self)

    # The miss handler, as entry code calls it.
    def __call__(self, *values: Any) -> Any:
        """The result of a call that no entry fits, or `PLAIN` when the body should run."""
        if config.disable:
            return PLAIN
        if config.under_tracing == "plain" and sys.gettrace() is not None:
            self._note_plain(UNDER_TRACING)
            return PLAIN
        with self.lock:
            if self.busy:
                return PLAIN  # a call made while this very function is being compiled
            self.busy = True
            try:
                probe = self._find_or_compile(dict(zip(local_names(self.original.__code__), values, strict=True)))
            finally:
                self.busy = False
        return PLAIN if probe is None else probe(*values)

    def _find_or_compile(self, arguments: Mapping[str, Any]) -> Callable[..., Any] | None:
        """A function of the arguments that runs compiled code or answers PLAIN; None to run the body."""
        if not self._accepts_float_state():
            return None
        entry = self._fitting(arguments)
        return self._compile(arguments) if entry is None else self._served_by(entry)

    def _accepts_float_state(self) -> bool:
        """Whether compiled code may run under NumPy's present error state; if so, plans accept it from now on."""
        import numpy as np

        from ..backend.cpu import errstate

        if errstate.accept_current():
            return True
        if not any(event.break_code == FLOAT_STATE.code for event in self.history):
            self._note_break(FLOAT_STATE.stop(mode=", ".join(f"{key}={mode!r}" for key, mode in np.geterr().items())))
        return False

    def _fitting(self, arguments: Mapping[str, Any]) -> Entry | None:
        """A compiled entry that fits after all: another thread made it meanwhile, or only the error state had changed."""
        namespace = self.namespace(arguments)
        for entry in self.entries:
            if not entry.plain and next(iter(entry.failures(namespace, self.pool)), None) is None:
                return entry
        return None

    def _served_by(self, entry: Entry) -> Callable[..., Any]:
        """A function of the arguments that this entry answers; should its plan refuse them all the same, that is noted."""
        probe = self._probe([entry])

        def serve(*values: Any) -> Any:
            result = probe(*values)
            if result is PLAIN:
                self._note_break(REFUSED.stop(entry=entry.number))
            return result

        return serve

    def _compile(self, arguments: Mapping[str, Any]) -> Callable[..., Any] | None:
        compiled = [entry for entry in self.entries if not entry.plain]
        if len(self.entries) >= config.recompile_limit:
            self._note_limit(arguments)
            return None
        event = Event(RECOMPILE if compiled else COMPILE, **self._why(arguments), **self._name())
        if compiled and config.error_on_recompile:
            raise RecompileError(recompile_text(event))
        self.numbers += 1
        try:
            entry = compile_entry(self.original, arguments, self.pool, self.numbers - 1)
        except Broken as broken:
            self._broke(broken)
            return None
        self.install([entry, *self.entries])
        self._note(replace(event, entry=entry.number, seconds=entry.seconds["total"]), entry)
        return self._probe([entry])

    def _broke(self, broken: Broken) -> None:
        stop = broken.stop
        if stop.kind is RAISES:
            self._note_break(stop)  # Python raises it itself in a moment; the next call may be a good one
            return
        if self.fullgraph:
            raise Unsupported(stop.with_line()) from None
        self._note_break(stop)
        broken.guards = at_first_use(broken.guards, self.original.__code__)
        self.install([*self.entries, plain_entry(broken, self.pool, self.numbers - 1)])

    # Code.
    def install(self, entries: list[Entry]) -> None:
        """Make these the function's entries, tried in this order."""
        self.entries = entries
        code = self.original.__code__
        text = prologue_text(code, [entry.block for entry in entries])
        replacement = build(code, text)
        # New pool slots first: running code finds its own numbers in either tuple.
        self.cell.cell_contents = self.pool.objects
        if self.function is not None:
            self.function.__code__ = replacement

    def entry_text(self) -> str:
        """The generated prologue, for reports."""
        return prologue_text(self.original.__code__, [entry.block for entry in self.entries])

    def _probe(self, entries: list[Entry]) -> types.FunctionType:
        blocks = [entry.block.replace(TO_BODY, TO_PLAIN) for entry in entries]
        code = build(
            self.original.__code__, prologue_text(self.original.__code__, blocks, with_body=False), with_body=False
        )
        return function_like(self.original, code, self.cell, plain_call=True)

    def forget(self) -> None:
        """Drop all entries and the history, as if the function had not been called yet."""
        with self.lock:
            dropped = [entry.slot for entry in self.entries if entry.slot >= 0]
            self.install([])
            for slot in dropped:
                self.pool.drop(slot)
            self.history.clear()
            self.misses_over_limit = self.numbers = 0

    # Reports.
    def reasons(self, arguments: Mapping[str, Any]) -> tuple[Reason, ...]:
        """For each compiled entry, the first guard that a call with these arguments fails."""
        namespace = self.namespace(arguments)
        return tuple(entry.first_failure(namespace, self.pool) for entry in self.entries if not entry.plain)

    def _why(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The fields of an event that say why no entry fits a call with these arguments."""
        namespace = self.namespace(arguments)
        compiled = [entry for entry in self.entries if not entry.plain]
        failures = tuple(reason for entry in compiled for reason in entry.failures(namespace, self.pool))
        return {"reasons": self.reasons(arguments), "failures": failures}

    def namespace(self, arguments: Mapping[str, Any]) -> Mapping[str, object]:
        """What guard texts see: arguments, free variables, globals, built-ins, the pool."""
        original = self.original
        free: dict[str, object] = {}
        for name, cell in zip(original.__code__.co_freevars, original.__closure__ or (), strict=True):
            try:
                free[name] = cell.cell_contents
            except ValueError:
                continue
        return ChainMap(dict(arguments), free, original.__globals__, original.__builtins__)  # type: ignore[attr-defined]

    def _name(self) -> dict[str, Any]:
        code = self.original.__code__
        file, line = code.co_filename, code.co_firstlineno
        return {
            "function": self.original.__qualname__,
            "file": file,
            "line": line,
            "defined": (file, line),
            "state": self.serial,
        }

    def _note(self, event: Event, entry: Entry | None = None) -> None:
        self.history.append(event)
        emit(event)
        log(event, entry)

    def _note_break(self, stop: GraphBreak) -> None:
        name = self._name()
        columns = (-1, -1)
        if stop.location is not None and stop.location.line:
            name |= {"file": stop.location.file, "line": stop.location.line}
            columns = characters(stop.location, stop.columns)
        known = any(event.break_code == stop.kind.code and event.text == str(stop) for event in self.history)
        if not known:
            self._note(Event(BREAK, break_code=stop.kind.code, text=str(stop), what=stop.what, columns=columns, **name))

    def _note_plain(self, text: str) -> None:
        if not any(event.kind == PLAIN_CALLS for event in self.history):
            self._note(Event(PLAIN_CALLS, text=text, **self._name()))

    def _note_limit(self, arguments: Mapping[str, Any]) -> None:
        """Tells of a call that fits no entry: the first time everybody, then only those who listen."""
        self.misses_over_limit += 1
        first = self.misses_over_limit == 1
        if not (first or listened_to()):
            return
        # To explain costs more than most calls take, so it ends while a long run goes on.
        why = self._why(arguments) if self.misses_over_limit <= EXPLAINED_MISSES else {"reasons": (), "failures": ()}
        last = why["reasons"][0].text if why["reasons"] else "each call broke the graph"
        text = (
            f"{self.original.__qualname__} has {len(self.entries)} entries, the limit (gl.config.recompile_limit); calls that "
            f"fit none of them run as plain Python. The last miss: {last}"
        )
        event = Event(LIMIT, text=text, **why, **self._name())
        if not first:
            emit(event)
            return
        self._note(event)
        warnings.warn(text, RuntimeWarning, stacklevel=5)


def function_like(
    original: types.FunctionType, code: types.CodeType, cell: types.CellType, *, plain_call: bool = False
) -> types.FunctionType:
    """A function with this code and the original's scope. With `plain_call` every argument is positional, in frame order."""
    closure = (*(original.__closure__ or ()), cell)
    if plain_call:
        count = len(local_names(original.__code__))
        code = code.replace(
            co_argcount=count, co_posonlyargcount=0, co_kwonlyargcount=0, co_flags=code.co_flags & ~0x0C
        )
    return types.FunctionType(code, original.__globals__, original.__name__, original.__defaults__, closure)


def jitted(original: types.FunctionType, fullgraph: bool) -> types.FunctionType:
    """A copy of `original` whose code asks a new `State` for everything."""
    state = State(original, fullgraph)
    state.install([])
    code = build(original.__code__, prologue_text(original.__code__, []))
    state.function = function_like(original, code, state.cell)
    return state.function
