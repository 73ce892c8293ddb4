"""Events that happen to a jitted function: kept in its history, told to listeners, written to the log."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...core.asynchronous import let_through
from ...core.config import config
from ...core.errors import GraphBreakWarning
from ...core.events import BREAK, LIMIT, PLAIN, RELINK, Event, Reason, Remedy, emit, listened_to, plural
from ...core.records import replace
from ...core.user_line import calling_lines, stacklevel
from ...guards.advice.remedies import settled
from ...guards.entry import Entry
from ..breaks import CONSEQUENCES, GraphBreak
from ..compile.first_use import characters
from .log_text import log, log_miss, logs_recompiles

if TYPE_CHECKING:
    from ..codegen.frame_state import FrameState
    from .state import FunctionState

EXPLAINED_MISSES = 32
"""The calls beyond the limit, from the first on, of which listeners are told the reasons; later ones have one event."""

DETAILED, KEPT = 64, 256
"""Events that a function's history keeps with every reason, and those that it keeps at all."""


def event(state: FunctionState, kind: str, **fields: Any) -> Event:
    """An event of this kind about the function, at the call that is being answered."""
    code = state.original.__code__
    place = state.place
    called_from = calling_lines(sys._getframe(1), code)
    about = {"file": place[0], "line": place[1], "called_from": called_from, **fields}
    return Event(kind, function=state.original.__qualname__, defined=place, state=state.serial, **about)


def note(state: FunctionState, event: Event, entry: Entry | None = None) -> None:
    """Keep the event and tell of it; `entry` is what it compiled, if it compiled something."""
    state.history.append(event)
    _shorten(state.history)
    emit(event)
    log(event, entry)


def _shorten(history: list[Event]) -> None:
    """Keep of events long past the reason that was nearest alone; leave relinks out of a very long history first."""
    if len(history) > DETAILED:
        old = history[-DETAILED - 1]
        history[-DETAILED - 1] = replace(old, reasons=old.nearest()[:1], failures=())
    if len(history) > KEPT:
        middle = KEPT // 2
        del history[next((k for k in range(middle, KEPT) if history[k].kind == RELINK), middle)]


def note_break(
    state: FunctionState, stop: GraphBreak, *, warn: bool = True, bare: bool = False, resumed: bool = False
) -> None:
    """Note a graph break, unless the same one is known; with `warn` the whole call runs plainly, which is told.

    bare: Python runs the part before it too, which is told as well, of the first such part.
    resumed: it is met behind another one, which is the cause where what was computed before counts as from outside.
    """
    text, code = str(stop), stop.kind.code
    known = [event for event in state.history if event.break_code == code and event.text == text]
    if known:
        if bare:
            _warn(state, stop, known[0], bare=True)
        return
    place: dict[str, Any] = {}
    if stop.location is not None and stop.location.line:
        columns = characters(stop.location, stop.columns)
        place = {"file": stop.location.file, "line": stop.location.line, "columns": columns}
    causes = [each.text for each in state.history if each.kind == BREAK and not each.follows]
    follows = causes[-1] if resumed and causes and stop.kind in CONSEQUENCES else ""
    advice = stop.advice.code if stop.advice is not stop.kind else ""
    said = {"break_code": code, "text": text, "what": stop.what, "advice": advice}
    found = event(state, BREAK, **said, whole=warn, follows=follows, **place)
    note(state, found)
    if warn or bare:
        _warn(state, stop, found, bare=bare)


def _warn(state: FunctionState, stop: GraphBreak, found: Event, *, bare: bool) -> None:
    """Warn of a break on account of which Python runs the call, or for the first time the part before the break."""
    if bare and state.told_of_part:
        return
    state.told_of_part |= bare
    to_here = " up to this line" if bare else ""
    cause = found.follows or found.text
    message = f"{state.original.__qualname__} runs as plain Python{to_here}. {cause} {_cost(stop, bare=bare)}"
    warnings.warn_explicit(message, GraphBreakWarning, found.file, found.line)


def _cost(stop: GraphBreak, *, bare: bool) -> str:
    """The cost of a whole call that is left to Python, or of the part before a break, in words."""
    count = plural(stop.operations, "operation")
    if bare:
        ran = f"{count} before this line" if stop.operations else "the operations before this line"
        return f"Cost: {ran} run one by one, none of them fused into kernels."
    traced = f" ({count} before this line)" if stop.operations else ""
    return f"Cost: the operations of the call{traced} run one by one, none of them fused into kernels."


def note_plain(state: FunctionState, text: str) -> None:
    """Note, once, why calls run as plain Python."""
    if not any(event.kind == PLAIN for event in state.history):
        note(state, event(state, PLAIN, text=text))


def note_rest(state: FunctionState, text: str) -> None:
    """Tell, once, that calls of sizes unlike those before run as plain Python."""
    if any(event.kind == PLAIN for event in state.history):
        return
    note_plain(state, text)
    message = f"{state.original.__qualname__}: {text}. Remedy: bring sizes to a few, for instance by padding."
    warnings.warn_explicit(message, GraphBreakWarning, *state.place)


def _room(state: FunctionState) -> str:
    """The words of the warning that say when the limit ends; empty where it never does."""
    return ", until one that is not used makes room" if state.on_limit == "generalise" else ""


def note_limit(state: FunctionState, at: FrameState, limit: str) -> None:
    """Tell of a call that fits no entry: the first time everybody, then only those who listen. `limit` says why."""
    at.point.misses_over_limit += 1
    misses = state.misses_over_limit
    first, logged = misses == 1, logs_recompiles()
    if not (first or logged or listened_to()):
        return
    if is_explained(state):
        tell_again(state)
        return
    why = why_no_entry_fits(state, at)
    last = why["reasons"][0].text if why["reasons"] else "each call broke the graph"
    text = (
        f"{state.original.__qualname__} {limit}; "
        f"calls that fit none of its entries run as plain Python{_room(state)}. The last miss: {last}"
    )
    found = event(state, LIMIT, text=text, **why)
    if misses >= EXPLAINED_MISSES:
        state.repeated = found
    if logged:
        log_miss(state.original.__qualname__, misses, found, state.logged_causes)
    if not first:
        emit(found)
        return
    note(state, found)
    if not at.point.passing:  # then it is no limit for good
        warnings.warn(text, RuntimeWarning, stacklevel=stacklevel())


def is_explained(state: FunctionState) -> bool:
    """Whether listeners know why calls are beyond the limit: to say it costs more than most calls take."""
    return state.repeated is not None


def tell_again(state: FunctionState) -> None:
    """Tell of one more call beyond the limit, by the event of the last one that was looked at."""
    if state.repeated is not None:
        emit(state.repeated)
        if logs_recompiles():
            log_miss(state.original.__qualname__, state.misses_over_limit, None, state.logged_causes)


def why_no_entry_fits(state: FunctionState, at: FrameState) -> dict[str, Any]:
    """The fields of an event that say why no compiled entry of the point fits this situation."""
    namespace = state.namespace(at)
    compiled = [entry for entry in at.point.entries if not entry.plain]
    dropped = [_dropped(number) for number in at.point.dropped[-1:]]
    failures = tuple(reason for entry in compiled for reason in _failures(state, entry, namespace))
    first = {reason.entry: reason for reason in reversed(failures)}
    reasons = [first.get(entry.number) or entry.unexplained() for entry in compiled]
    return {"reasons": (*reasons, *dropped), "failures": (*failures, *dropped)}


def _failures(state: FunctionState, entry: Entry, namespace: Mapping[str, object]) -> list[Reason]:
    """The reasons why an entry does not fit, with edits that are right for what the function does."""
    code, handled = state.original.__code__, sys.exception()
    try:
        found = list(entry.failures(namespace, state.pool))
        dtypes, written = entry.dtypes(), entry.written_arguments()
        return [settled(each, code, dtypes, written) for each in found]
    except Exception as error:
        let_through(error, handled)
        if config.raise_internal_errors:
            raise
        # The call goes on: it is not to fail because it could not be explained.
        return [
            Reason(entry.number, "none", "", f"why entry {entry.number} did not fit could not be told: {error}", "")
        ]


def _dropped(entry: int) -> Reason:
    text = "it was dropped to free memory; raise gl.config.memory_limit"
    edit = "raise gl.config.memory_limit"
    remedy = Remedy(edit, setting="memory_limit")
    return Reason(entry, "memory", "gl.config.memory_limit", text, "", edit=edit, remedy=remedy)
