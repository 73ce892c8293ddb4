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
from typing import Any

from ..core.config import config
from ..core.errors import RecompileError, Unsupported
from ..core.events import Event, Reason, emit
from ..guards.entry import Entry
from ..guards.entry_code import TO_BODY, TO_PLAIN, build, local_names, prologue_text
from ..guards.sources import LOOKUP, Pool
from .breaks import FLOAT_STATE, RAISES, GraphBreak
from .compile import Broken, compile_entry, plain_entry


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

    # The miss handler, as entry code calls it.
    def __call__(self, *values: Any) -> Any:
        """The result of a call that no entry fits, or `PLAIN` when the body should run."""
        if config.disable or (config.under_tracing == "plain" and sys.gettrace() is not None):
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
        accepted = self._accept_float_state()
        if accepted is None:
            return None
        if accepted and any(not entry.plain for entry in self.entries):
            return self._after_float_state(arguments)
        return self._compile(arguments)

    def _accept_float_state(self) -> bool | None:
        """Whether NumPy's error state is another benign one than before; None when plain NumPy has to honour it."""
        import numpy as np

        from ..backend.cpu import errstate

        before = errstate.accepted()
        if not errstate.accept_current():
            if not any(event.break_code == FLOAT_STATE.code for event in self.history):
                self._note_break(FLOAT_STATE.stop(mode=", ".join(f"{key}={mode!r}" for key, mode in np.geterr().items())))
            return None
        return errstate.accepted() is not before

    def _after_float_state(self, arguments: Mapping[str, Any]) -> Callable[..., Any]:
        """Entries tried again now that the error state is accepted; compiles when none fits all the same."""
        again = self._probe(self.entries)

        def attempt(*values: Any) -> Any:
            result = again(*values)
            if result is not PLAIN:
                return result
            with self.lock:
                probe = self._compile(arguments)
            return PLAIN if probe is None else probe(*values)

        return attempt

    def _compile(self, arguments: Mapping[str, Any]) -> Callable[..., Any] | None:
        compiled = [entry for entry in self.entries if not entry.plain]
        reasons = self.reasons(arguments) if compiled else ()
        if len(self.entries) >= config.recompile_limit:
            self._note_limit(reasons)
            return None
        if compiled and config.error_on_recompile:
            raise RecompileError(self._recompile_text(reasons))
        self.numbers += 1
        try:
            entry = compile_entry(self.original, arguments, self.pool, self.numbers - 1)
        except Broken as broken:
            self._broke(broken)
            return None
        kind = "recompile" if compiled else "compile"
        self.install([entry, *self.entries])
        self._note(Event(kind, entry=entry.number, seconds=entry.seconds["total"], reasons=reasons, **self._name()))
        return self._probe([entry])

    def _broke(self, broken: Broken) -> None:
        stop = broken.stop
        if stop.kind is RAISES:
            self._note_break(stop)  # Python raises it itself in a moment; the next call may be a good one
            return
        if self.fullgraph:
            raise Unsupported(str(stop)) from None
        self._note_break(stop)
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
        code = build(self.original.__code__, prologue_text(self.original.__code__, blocks, with_body=False), with_body=False)
        return function_like(self.original, code, self.cell, plain_call=True)

    # Reports.
    def reasons(self, arguments: Mapping[str, Any]) -> tuple[Reason, ...]:
        """For each compiled entry, the first guard that a call with these arguments fails."""
        namespace = self.namespace(arguments)
        return tuple(entry.first_failure(namespace, self.pool) for entry in self.entries if not entry.plain)

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
        return {"function": self.original.__qualname__, "file": code.co_filename, "line": code.co_firstlineno, "state": id(self)}

    def _note(self, event: Event) -> None:
        self.history.append(event)
        emit(event)
        if event.kind == "recompile" and "recompiles" in config.logs:
            print(self._recompile_text(event.reasons), file=sys.stderr)

    def _note_break(self, stop: GraphBreak) -> None:
        name = self._name()
        if stop.location is not None and stop.location.line:
            name |= {"file": stop.location.file, "line": stop.location.line}
        known = any(event.break_code == stop.kind.code and event.text == str(stop) for event in self.history)
        if known:
            return
        self._note(Event("break", break_code=stop.kind.code, text=str(stop), **name))
        if "breaks" in config.logs:
            print(f"{self.original.__qualname__} runs as plain Python: {stop}", file=sys.stderr)

    def _note_limit(self, reasons: tuple[Reason, ...]) -> None:
        self.misses_over_limit += 1
        if self.misses_over_limit > 1:
            return
        last = reasons[0].text if reasons else "each call broke the graph"
        text = (
            f"{self.original.__qualname__} has {len(self.entries)} entries, the limit (gl.config.recompile_limit); calls that "
            f"fit none of them run as plain Python. The last miss: {last}"
        )
        self._note(Event("limit", reasons=reasons, text=text, **self._name()))
        warnings.warn(text, RuntimeWarning, stacklevel=5)

    def _recompile_text(self, reasons: tuple[Reason, ...]) -> str:
        code = self.original.__code__
        lines = [f"{self.original.__qualname__} ({code.co_filename}:{code.co_firstlineno}) compiles again:"]
        for reason in reasons:
            lines.append(f"  entry {reason.entry}: {reason.text}")
            if reason.where:
                lines.append(f"    relied on at {reason.where}")
        return "\n".join(lines)


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
