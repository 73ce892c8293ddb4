"""What happens when no entry fits a call: an entry is compiled for it, or the function's own instructions run."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..core.config import config
from ..core.errors import RecompileError, Unsupported
from ..core.events import COMPILE, RECOMPILE
from ..guards.entry import Entry
from ..guards.entry_code import local_names
from .breaks import FLOAT_STATE, NOTHING, RAISES, REFUSED
from .compile import Broken, compile_entry, plain_entry
from .history import event, note, note_break, note_limit, note_plain, why_no_entry_fits
from .installation import drop_stale, install, probe
from .locate import at_first_use
from .logs import recompile_text

if TYPE_CHECKING:
    from .state import State

UNDER_TRACING = (
    "a debugger or coverage is active (sys.settrace), so calls run as plain Python and nothing is compiled; "
    'set gl.config.under_tracing = "jit" to compile all the same'
)


class _Plain:
    """The miss handler's answer: run the function's own instructions."""

    def __repr__(self) -> str:
        return "<run the body>"


PLAIN = _Plain()


def answer(state: State, values: tuple[Any, ...]) -> Any:
    """The result of a call that no entry fits, or `PLAIN` when the body should run."""
    if config.disable:
        return PLAIN
    if config.under_tracing == "plain" and sys.gettrace() is not None:
        note_plain(state, UNDER_TRACING)
        return PLAIN
    with state.lock:
        if state.busy:
            return PLAIN  # a call made while this very function is being compiled
        state.busy = True
        try:
            run = _find_or_compile(state, dict(zip(local_names(state.original.__code__), values, strict=True)))
        finally:
            state.busy = False
    return PLAIN if run is None else run(*values)


def _find_or_compile(state: State, arguments: Mapping[str, Any]) -> Callable[..., Any] | None:
    """A function of the arguments that runs compiled code or answers PLAIN; None to run the body."""
    if not _accepts_float_state(state):
        return None
    entry = _fitting(state, arguments)
    if entry is None:
        return _compile(state, arguments)
    return None if entry.plain else _served_by(state, entry)


def _accepts_float_state(state: State) -> bool:
    """Whether compiled code may run under NumPy's present error state; if so, plans accept it from now on."""
    import numpy as np

    from ..backend.cpu import errstate

    if errstate.accept_current():
        return True
    if not any(event.break_code == FLOAT_STATE.code for event in state.history):
        mode = ", ".join(f"{key}={mode!r}" for key, mode in np.geterr().items())
        note_break(state, FLOAT_STATE.stop(mode=mode))
    return False


def _fitting(state: State, arguments: Mapping[str, Any]) -> Entry | None:
    """An entry that fits after all.

    Another thread made it, or only the error state had changed, or what it assumes was false for a while.
    """
    namespace = state.namespace(arguments)
    tried = [entry for entry in state.entries if not entry.plain or entry.validity is not None]
    return next((entry for entry in tried if entry.fits(namespace, state.pool)), None)


def _served_by(state: State, entry: Entry) -> Callable[..., Any]:
    """A function of the arguments that this entry answers.

    Should its plan refuse them all the same, that is noted.
    """
    run = probe(state, entry)

    def serve(*values: Any) -> Any:
        result = run(*values)
        if result is PLAIN:
            note_break(state, REFUSED.stop(entry=entry.number))
        return result

    return serve


def _compile(state: State, arguments: Mapping[str, Any]) -> Callable[..., Any] | None:
    limit = state.limit_reached()
    if limit:
        note_limit(state, arguments, limit)
        return None
    again = any(not entry.plain for entry in state.entries)
    found = event(state, RECOMPILE if again else COMPILE, **why_no_entry_fits(state, arguments))
    if again and config.error_on_recompile:
        raise RecompileError(recompile_text(found))
    drop_stale(state)
    number = state.numbers
    state.numbers += 1
    try:
        entry = compile_entry(state.original, arguments, state.pool, number)
    except Broken as broken:
        _broke(state, broken, number)
        return None
    install(state, [entry, *state.entries])
    note(state, replace(found, entry=entry.number, seconds=entry.seconds["total"]), entry)
    return probe(state, entry)


def _broke(state: State, broken: Broken, number: int) -> None:
    """Note the break and install an entry that sends such calls to plain Python at once."""
    stop = broken.stop
    if stop.kind is RAISES:
        note_break(state, stop, warn=False)  # Python raises it itself in a moment; the next call may be a good one
        return
    if state.fullgraph and stop.kind is not NOTHING:
        raise Unsupported(stop.with_line()) from None
    broken.guards = at_first_use(broken.guards, state.original.__code__)
    install(state, [*state.entries, plain_entry(broken, state.pool, number)])
    if stop.kind is NOTHING:
        note_plain(state, f"{stop.what}: {NOTHING.why[0].lower()}{NOTHING.why[1:]}")
    else:
        note_break(state, stop)
