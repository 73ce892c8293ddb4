"""The miss handler: no entry fits a call, so one is compiled for it, or the function's own instructions run."""

from __future__ import annotations

import sys
import threading
import time
import types
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ...core.config import config
from ...core.events import RELINK, listened_to
from ...core.locks import Attempt
from ...core.rare_collections import RareCollections
from ...guards.entry import Entry
from ...guards.entry_code import local_names, slots_with_objects
from ..breaks import FLOAT_STATE
from ..codegen.frame_state import FrameState, ResumePoint
from ..compile.relink import relinked
from .answers import RUN_ORIGINAL
from .call_counts import counted_from_now
from .continuation import Continuation
from .event_history import event, is_explained, note, note_break, note_plain, tell_again
from .install import assemble, called_plainly, function_like, probe, resume_function
from .log_text import logs_recompiles
from .new_entry import giving_up, make_entry, rests, rests_after_errors
from .recorded_entries import may_record

if TYPE_CHECKING:
    from .state import FunctionState

UNDER_TRACING = (
    "a debugger or coverage is active (sys.settrace), so calls run as plain Python and nothing is compiled; "
    'set gl.config.under_tracing = "jit" to compile all the same'
)


_NESTED = 12
"""The most points that a first call goes on in newer code, each in a frame upon the last; then it goes on plainly."""


def answer(state: FunctionState, values: tuple[Any, ...], code: types.CodeType) -> Any:
    """The `Continuation` of a call of which `code` found that no entry fits; `RUN_ORIGINAL` to run the body."""
    going = RUN_ORIGINAL
    start = state.points[0]
    if not (_runs_plainly(state) or rests_after_errors(start) or _misses_again(state, start, code)):
        arguments = dict(zip(local_names(state.original.__code__), values, strict=True))
        try:
            going = _answer(state, FrameState(start, arguments), values)
        except BaseException:
            state.calls.failed += 1
            raise
    if going is RUN_ORIGINAL:
        state.calls.sent_back += 1
    else:
        state.calls.answered += 1
    return going


def answer_at(
    state: FunctionState,
    position: int,
    stack: tuple[Any, ...],
    own_cells: Callable[[], Any] | None,
    frame: types.FrameType,
) -> Any:
    """The `Continuation` of a call from the resume point at `position` on; `RUN_ORIGINAL` when the body should run."""
    point = state.points.get(position)
    if point is None or point.left or _runs_plainly(state) or rests_after_errors(point):
        return RUN_ORIGINAL
    if _misses_again(state, point, frame.f_code):
        _leave_after_many(state, point, frame)
        return RUN_ORIGINAL
    names = () if own_cells is None else own_cells.__code__.co_freevars
    cells = dict(zip(names, (own_cells.__closure__ or ()) if own_cells is not None else (), strict=True))
    slots = slots_with_objects(point.kinds)
    variables = _variables(state.original.__code__, frame, cells)
    return _answer(state, FrameState(point, variables, dict(zip(slots, stack, strict=True)), cells), ())


def _variables(code: types.CodeType, frame: types.FrameType, cells: Mapping[str, Any]) -> dict[str, Any]:
    """The bound local variables of a running frame of the function, cells left out."""
    found = frame.f_locals
    variables = {name: found[name] for name in code.co_varnames if name not in cells and name in found}
    if type(found) is dict:
        found.clear()  # before 3.13 a copy, which would keep the objects alive as long as the frame
    return variables


def _runs_plainly(state: FunctionState) -> bool:
    """Whether nothing is compiled now, whatever the call is."""
    if config.disable or state.given_up:
        return True
    if config.under_tracing == "plain" and sys.gettrace() is not None:
        note_plain(state, UNDER_TRACING)
        return True
    return False


def _misses_again(state: FunctionState, point: ResumePoint, code: types.CodeType) -> bool:
    """Whether code that tried every entry there is misses after the limit was reached: it is counted, and that is all.

    A loop may come here in each of its turns. Who listens is told why of the first such calls, and of each further one
    that it came.
    """
    if not point.misses_over_limit or state.outdated or not state.limit_reached(point):
        return False
    if (listened_to() or logs_recompiles()) and not is_explained(state):
        return False
    if state.on_limit == "generalise" and not rests(point):
        return False
    newest = any(code is each for each in state.newest)
    if not newest or any(entry.validity is not None for entry in point.entries) or not _accepts_present_float_state():
        return False
    point.misses_over_limit += 1
    tell_again(state)
    return True


_MANY = 64
"""So many rounds of one loop that fit no entry, and may have none: the tests of all entries are for nothing."""


def _leave_after_many(state: FunctionState, point: ResumePoint, frame: types.FrameType) -> None:
    """Takes out the section of a point in a loop whose rounds are all different."""
    missing, count = point.missed_in
    point.missed_in = id(frame), count + 1 if missing == id(frame) else 1
    if point.missed_in[1] >= _MANY:
        point.left = state.outdated = True
        state.refresh_code()


def _accepts_present_float_state() -> bool:
    from ...backend.cpu.plan import errstate

    return errstate.accepts_current()


def _answer(state: FunctionState, at: FrameState, values: tuple[Any, ...]) -> Any:
    key = threading.get_ident(), at.point.position
    if key in state.entering or len(state.entering) >= _NESTED or _runs_plainly(state):
        return RUN_ORIGINAL
    going, taken = None, True
    try:
        with Attempt(state.lock, config.while_compiling == "wait") as taken:
            if not taken or state.busy:
                return RUN_ORIGINAL  # a call made while this very function is being compiled
            state.busy = True
            begun = state.numbers
            try:
                going = _find_or_compile(state, at, key, values)
            finally:
                state.busy = False
                state.refresh_code()
            _keep_new(state, begun)
    except RuntimeError:
        if taken:
            raise
        return RUN_ORIGINAL
    return RUN_ORIGINAL if going is None else going


def entry_ahead(state: FunctionState, at: FrameState) -> Entry | None:
    """The entry for a call that does not take place, made if there is none and it may be; None where Python runs it."""
    with RareCollections(), state.lock:
        if state.busy or _runs_plainly(state) or not _accepts_float_state(state):
            return None
        state.busy = True
        begun = state.numbers
        try:
            found = _fitting(state, at) or _relinked(state, at)
            if found is None and (state.on_limit == "error" or not state.limit_reached(at.point)):
                found = make_entry(state, at)
        finally:
            state.busy = False
            state.refresh_code()
        _keep_new(state, begun)
        return found


def _keep_new(state: FunctionState, begun: int) -> None:
    """Write a function's entries to disk, if it has made one since it had so many."""
    if state.numbers > begun and may_record(state):
        from .record_entries import record_entries

        record_entries(state)


def assemble_safely(state: FunctionState) -> None:
    """Give the function the code for its entries."""
    with giving_up(state):
        assemble(state)


def _find_or_compile(
    state: FunctionState, at: FrameState, key: tuple[int, int], values: tuple[Any, ...]
) -> Continuation | None:
    """The answer of compiled code to the call, or to the rest of it; None to run the body.

    key: the thread, and the position of the point. `values` are the arguments, at the start of the function.
    """
    if not _accepts_float_state(state):
        return None
    began = time.monotonic()
    fitted = _fitting(state, at)
    if fitted is not None and fitted.plain:
        return None
    entry = fitted or _relinked(state, at) or make_entry(state, at)
    if entry is None:
        return None
    if not at.point.position and not entry.ends_in_break:
        return Continuation(state, key, probe(state, entry), [*values], fitted=fitted, ends_in_break=False)
    with giving_up(state):
        if at.point.position:
            resumed = resume_function(state, at)
            if fitted is None:
                entry.ready(began)
            return Continuation(state, key, *resumed, at_once=True)
        assemble(state)
        assert state.function is not None
        newest = function_like(state.original, called_plainly(state.original, state.function.__code__), state.cell)
        state.newest.append(newest.__code__)
        return Continuation(state, key, newest, [*values])
    return None


def _accepts_float_state(state: FunctionState) -> bool:
    """Whether compiled code may run under NumPy's present error state; if so, plans accept it from now on."""
    import numpy as np

    from ...backend.cpu.plan import errstate

    if errstate.accept_current():
        return True
    if not any(event.break_code == FLOAT_STATE.code for event in state.history):
        mode = ", ".join(f"{key}={mode!r}" for key, mode in np.geterr().items())
        note_break(state, FLOAT_STATE.stop(mode=mode))
    return False


def _relinked(state: FunctionState, at: FrameState) -> Entry | None:
    """A stale entry that stands again; the event says why it was stale."""
    found = relinked(state, at)
    if found is None:
        return None
    entry, reasons = found
    counted_from_now(state, entry, at.point.position)
    relink = event(state, RELINK, entry=entry.number, seconds=entry.took, reasons=reasons, failures=reasons)
    note(state, relink, entry)
    return entry


def _fitting(state: FunctionState, at: FrameState) -> Entry | None:
    """An entry that fits after all.

    Another thread made it, or the frame's code is older, or only the error state had changed, or what the entry assumes
    was false for a while.
    """
    namespace = state.namespace(at)
    anew = at.point.position > 0
    tried = [entry for entry in at.point.entries if anew or not entry.plain or entry.validity is not None]
    return next((entry for entry in tried if entry.fits(namespace, state.pool)), None)
