"""An entry for a call that none fits: compiled within the limits, with the events and graph breaks noted."""

from __future__ import annotations

import functools
import sys
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ...backend.status_line import compiling
from ...core.asynchronous import let_through
from ...core.config import config
from ...core.errors import BackwardMetadataError, RecompileError, Unsupported
from ...core.events import COMPILE, DROP, RECOMPILE, RELINK, listened_to
from ...core.records import replace
from ...guards.entry import Entry
from ...guards.entry_code import with_clock
from ...guards.reasons import ASSUMPTION, IDENTITY
from ..breaks import NOTHING, TENSOR_FEATURE
from ..bytecode.decode import decode
from ..codegen.frame_state import FrameState, ResumePoint
from ..compile.artifacts import Found
from ..compile.entry import Broken, Compiled, ReliedOn, compile_entry, plain_entry
from ..compile.first_use import at_first_use
from ..control_flow.elements.fallback import leaves_to_python
from ..tracing.dynamic_sizes import free_sizes
from ..tracing.restarts import broken_by, forget_frames
from .call_counts import counted_from_now, plan_tables, served_by_number
from .event_history import event, note, note_break, note_limit, note_plain, note_rest, why_no_entry_fits
from .install import drop_stale, install, without
from .log_text import recompile_text

if TYPE_CHECKING:
    from ...core.events import Event
    from ..codegen.graph_break_split import Split
    from .state import FunctionState


OF_IDENTITY = frozenset({IDENTITY, ASSUMPTION})
"""The kinds of reasons that tell of other objects, which may well do the same. Other values are for a recompile."""


@contextmanager
def giving_up(state: FunctionState) -> Iterator[None]:
    """A context in which code is put together; should that fail, the function is compiled no more."""
    handled = sys.exception()
    try:
        yield
    except Exception as error:
        let_through(error, handled)
        if config.raise_internal_errors and not isinstance(error, RecursionError):
            raise
        state.outdated, state.given_up = False, True
        note_break(state, broken_by(error))


def make_entry(state: FunctionState, at: FrameState) -> Entry | None:
    """A new entry for the situation; None where the body has to run."""
    point, handled = at.point, sys.exc_info()[1]
    if not _has_room(state, at):
        return None
    again = bool(point.dropped) or any(not entry.plain for entry in point.entries)
    found = event(state, RECOMPILE if again else COMPILE, **why_no_entry_fits(state, at))
    point.has_free_sizes = free_sizes(state, at)
    before = point.entries
    compiled = _timed_compile(state, at, handled)
    if compiled is None:
        return None
    point.raised, point.passing = 0, False
    entry, split = compiled.entry, compiled.split
    by_identity = all(reason.guard in OF_IDENTITY for reason in found.nearest()[:1])
    entry.shares = compiled.found.ours
    if entry.shares:
        _note_passing(state, point)
    if entry.shares and by_identity:
        found = replace(found, kind=RELINK)
    elif again and config.error_on_recompile:
        state.pool.release(entry.pooled)
        point.entries = before  # so that the next call meets the same
        raise RecompileError(recompile_text(found))
    _connect(state, entry)
    if split is not None:
        _note_split(state, point, split, entry, handled)
        if not entry.plain and _is_left(state, point, compiled):
            return None
    _install(state, point, compiled)
    if not compiled.is_bare:
        _note_entry(state, found, compiled, unlike=compiled.found.unlike if again and by_identity else "")
    return None if point.left else entry


def _has_room(state: FunctionState, at: FrameState) -> bool:
    """Whether one more entry may be made at a point; that its limit is reached is noted.

    Errors: RecompileError where the limit is to be an error.
    """
    limit = state.limit_reached(at.point)
    if not limit or _made_room(state, at.point):
        return True
    if state.on_limit == "error":
        found = event(state, RECOMPILE, **why_no_entry_fits(state, at))
        raise RecompileError(f"{state.original.__qualname__} {limit}\n{recompile_text(found)}")
    note_limit(state, at, limit)
    return False


def _timed_compile(state: FunctionState, at: FrameState, handled: BaseException | None) -> Compiled | None:
    """As `_compiled`; the point remembers when that was, and how long it took."""
    began = time.monotonic()
    compiled = _compiled(state, at, handled)
    at.point.made_at = time.monotonic()
    at.point.took = at.point.made_at - began
    return compiled


def _connect(state: FunctionState, entry: Entry) -> None:
    """Lets the function keep what the entry was made of, and hear from the plans that it makes later."""
    if "artifact" in entry.details:
        state.artifacts.keep(entry.artifact, entry.details["artifact"])
    if "binding" in entry.details:
        template = entry.details["binding"].template
        template.on_error = functools.partial(_note_error, weakref.ref(state))
        template.on_rest = functools.partial(_note_rest, weakref.ref(state))


def _note_split(
    state: FunctionState, point: ResumePoint, split: Split, entry: Entry, handled: BaseException | None
) -> None:
    """Notes the graph break at which an entry ends. Errors: Unsupported where the function is to be one graph."""
    forget_frames(split.stop, handled)
    if state.fullgraph:
        state.pool.release(entry.pooled)
        raise Unsupported(split.stop.with_line()) from None
    note_break(state, split.stop, warn=False, bare=split.bare, resumed=point.position > 0)


def _install(state: FunctionState, point: ResumePoint, compiled: Compiled) -> None:
    """Puts a new entry into the function's code, with the resume points that it leads to."""
    entry, split = compiled.entry, compiled.split
    point.dropped.clear()
    order = _order(point, entry, bare=compiled.is_bare)
    if split is not None and listened_to():
        state.calls.clock.on = True
        entry.block = with_clock(entry.block, entry.number)
    install(state, point, order, split.resumptions if split is not None else None)
    counted_from_now(state, entry, point.position, str(split.stop) if split is not None else "")
    if split is not None:
        for position, reached in state.points.items():
            reached.left = reached.left or position in split.left


def _note_entry(state: FunctionState, found: Event, compiled: Compiled, *, unlike: str) -> None:
    """Notes that an entry was made. unlike: how it differs from an entry whose code it could have run."""
    entry = compiled.entry
    shared, seconds = _whose(compiled.found), entry.seconds["total"]
    note(state, replace(found, entry=entry.number, seconds=seconds, shared=shared, unlike=unlike), entry)
    if config.memory_limit:
        from .memory_budget import keep_within

        keep_within(entry)


def _order(point: ResumePoint, entry: Entry, *, bare: bool) -> list[Entry]:
    """The entries of a point, with a new one: mostly in front. One for any strides lies behind those for given ones.

    It would be asked in Python before these, and they are for the arrays that came first."""
    if bare:
        return [*point.entries, entry]
    binding = entry.details.get("binding")
    if binding is None or not binding.has_free_strides:
        return [entry, *point.entries]
    rest = [each for each in point.entries if each.plain]
    return [*(each for each in point.entries if not each.plain), entry, *rest]


def _compiled(state: FunctionState, at: FrameState, handled: BaseException | None) -> Compiled | None:
    """The entry compiled for the frame state; None where the body has to run, which is noted. Stale ones are gone then.

    handled: the exception that the program is handling.
    """
    # Released once the new entry is there, so that what both name keeps its number.
    dropped, pooled = drop_stale(at.point), set[int]()
    number = state.numbers
    state.numbers += 1
    try:
        about = compiling(state.original.__qualname__, *state.place)
        with state.pool.lease(pooled), about:
            known = ReliedOn(state.refused, state.artifacts, state.backend, state.is_callee)
            compiled = compile_entry(state.original, at, state.pool, number, known)
        compiled.entry.pooled = pooled
        return compiled
    except BaseException as error:
        state.pool.release(pooled)
        if not _is_noted(state, at.point, error, number, handled):
            raise
        return None
    finally:
        for each in dropped:
            state.pool.release(each)


def _is_noted(
    state: FunctionState, point: ResumePoint, error: BaseException, number: int, handled: BaseException | None
) -> bool:
    """Whether what ended a compile leaves the call to Python, which is noted then."""
    if _is_handled(state, point):
        error = _left_to_python(error)
    if not isinstance(error, Broken):
        return False
    forget_frames(error.stop, handled)
    _broke(state, point, error, number)
    return True


def _is_handled(state: FunctionState, point: ResumePoint) -> bool:
    """Whether the program may handle what is raised at a point: what entry code raises there passes its handlers by."""
    return decode(state.original.__code__).instructions[point.position].handler is not None


def _left_to_python(error: BaseException) -> BaseException:
    """The graph break for the refusal of a backward; any other error as it is."""
    if not isinstance(error, BackwardMetadataError):
        return error
    return Broken(TENSOR_FEATURE.stop(feature=f"a backward that is refused ({error})"), ())


def _note_error(reference: weakref.ref[FunctionState], error: Exception) -> None:
    """Note an error inside guardlift that came up after an entry was made."""
    state = reference()
    if state is not None:
        note_break(state, broken_by(error))


def _note_rest(reference: weakref.ref[FunctionState], what: str) -> None:
    """Note that an entry makes no more plans for a while."""
    state = reference()
    if state is not None:
        note_rest(state, what)


def _is_left(state: FunctionState, point: ResumePoint, compiled: Compiled) -> bool:
    """Whether the point is left to Python, which is quicker than the new entry would be; that is noted."""
    graph = compiled.entry.details.get("graph")
    if not point.position or graph is None or compiled.tensors:
        return False
    left = leaves_to_python(graph, state.original.__code__, point.position)
    if left is None:
        return False
    if compiled.split is not None:
        left.at(compiled.split.stop)
    point.left = state.outdated = True
    note_break(state, left, warn=False)
    state.pool.release(compiled.entry.pooled)
    return True


RESTS = 20.0
"""Times as long as a compile took that a point at its limit waits until an entry makes room for another one.

One whose calls raise errors waits as long until it traces again."""

RAISING = 3
"""Traces in a row that ended with an error of the program, after which further ones are made now and then only.

A program may well catch an error in every call (`except KeyError`), and no entry is made of a trace that raises."""


def rests(point: ResumePoint) -> bool:
    """Whether it is too early for another trace: compiling would take most of the time."""
    return time.monotonic() < point.made_at + RESTS * point.took


PASSING = 16
"""The latest entries that run older code, of which none has served a second call, after which such are made rarely.

Each would be for an object that comes in one call only, as one that is made for it."""

KEPT_PASSING = 64
"""The entries that run older code of which one for a single call goes, when another such is made.

As many objects may take turns, each of which comes again."""


def rests_after_errors(point: ResumePoint) -> bool:
    """Whether one more trace would most likely be for nothing, since the latest raised."""
    return point.raised >= RAISING and rests(point)


def _note_passing(state: FunctionState, point: ResumePoint) -> None:
    """See whether the latest entries are for one call each, which is a limit then. If they are many, one goes."""
    shared = [entry for entry in point.entries if entry.shares]
    latest = shared[:PASSING]
    served = served_by_number(state.calls, state)
    point.passing = len(latest) == PASSING and all(served[entry.number] <= 1 for entry in latest)
    if point.passing and len(shared) >= KEPT_PASSING:
        without(state, point, latest[-1])


def _made_room(state: FunctionState, point: ResumePoint) -> bool:
    """Whether an entry was dropped that no call has used since the last compile, so that one more may be made.

    What comes and goes slowly is compiled anew so; what is another thing in each call is left to plain Python."""
    if state.on_limit != "generalise" or rests(point):
        return False
    point.made_at = time.monotonic()  # if all are used they are asked again after as long
    unused: list[Entry] = []
    for entry in point.entries:
        tables = list(plan_tables(state, entry)) if not entry.plain and not entry.stale else []
        used = [table.was_used() for table in tables]  # every one of them, since to ask begins anew
        if any(used):
            entry.used = point.made_at
        elif tables and not entry.shares:
            unused.append(entry)
    if not unused:
        return False
    dearest = min(unused, key=lambda entry: entry.used)
    without(state, point, dearest)
    text = f"entry {dearest.number}, which no call has used of late, made room for another (gl.config.recompile_limit)"
    note(state, event(state, DROP, entry=dearest.number, text=text))
    return not state.limit_reached(point)


def _whose(found: Found) -> str:
    """The words of reports that say whose code a new entry runs; empty where it has its own."""
    if found.artifact is None:
        return ""
    return f"entry {found.artifact.maker}" if found.ours else "another function's entry"


def _broke(state: FunctionState, point: ResumePoint, broken: Broken, number: int) -> None:
    """Note the break and install an entry that sends such calls to plain Python at once."""
    stop = broken.stop
    if stop.program_raises:
        point.raised += 1
        note_break(state, stop, warn=False)  # Python raises it itself in a moment; the next call may be a good one
        return
    if state.fullgraph and stop.kind is not NOTHING:
        raise Unsupported(stop.with_line()) from None
    broken.guards = at_first_use(broken.guards, state.original.__code__)
    pooled: set[int] = set()
    with giving_up(state), state.pool.lease(pooled):  # what was too deep to be compiled may be too deep to be guarded
        entry = plain_entry(broken, state.pool, number)
        entry.pooled = pooled
        install(state, point, [*point.entries, entry])
        counted_from_now(state, entry, point.position, str(stop))
        state.calls.met.append(str(stop))
    if state.given_up:
        return
    if stop.kind is not NOTHING:
        note_break(state, stop, resumed=point.position > 0)
    elif not point.position:
        note_plain(state, f"{stop.what}: {NOTHING.why[0].lower()}{NOTHING.why[1:]}")
