"""Entries of another process: found on disk when a function is jitted, checked and linked at its first call.

Nothing of the tracer is imported here. Who writes them is `record_entries`.
"""

# Note [Recorded entries]
# What the function's own code is, its module, the settings, and every version that had a part in an entry stand in the
# key of its file. The code object that is read has all entries in it, and is the function's from the beginning. Its
# pool holds none of their objects then, so no entry fits, and the first call comes here. Each entry is taken by itself:
# guards are made of their data, which looks for the objects that they compare with and checks what a guard does not
# ask at each call (guards/codec/guard_codec.py, Note [Facts that are checked once]); the plan is built; the objects get
# the numbers in the pool by which the code names them. One that fails in any of this has no objects there, and so never
# fits. The reason is told, and the call is traced as if nothing had been on disk.

from __future__ import annotations

import marshal
import sys
import time
import types
from base64 import b64decode
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...backend.artifacts.counters import count
from ...backend.artifacts.identity import ENTRY
from ...backend.artifacts.keys import Request, every_setting
from ...backend.artifacts.seal import Seal, remembered_seal
from ...backend.artifacts.store import missed, recall
from ...core.asynchronous import is_asynchronous
from ...core.config import config
from ...core.errors import Differs
from ...core.events import LOAD, Event, emit, listened_to
from ...core.rare_collections import RareCollections
from ...core.records import dataclass
from ...guards.codec.code_digest import code_digest
from ...guards.codec.guard_codec import Known
from ...guards.codec.named_objects import read_object
from ...guards.entry import Entry
from ...guards.entry_code import local_names
from ...guards.sources import STATE
from ..codegen.frame_state import FrameState
from ..tracing.control import why_disabled
from .answers import LEFT, RUN_ORIGINAL, RaisedInContinuation
from .call_counts import counted_from_now
from .install import called_plainly, probe

if TYPE_CHECKING:
    from .state import FunctionState

FORMAT = 2
"""Goes up when entries are written in another form."""
_POOL_LIMIT = 1 << 20
FIRST_OBJECTS = 8
"""The objects that every pool begins with."""


@dataclass(eq=False)
class RecordedEntries:
    """The entries of a function as they were read. code: the function's, with all of them."""

    request: Request
    data: dict[str, Any]
    code: types.CodeType


class Answer:
    """The answer to a call that an entry from disk has served, as entry code asks for it."""

    ends_in_break = False
    seen = True

    def __init__(self, result: Any) -> None:
        self.result = result

    def __call__(self) -> Any:
        return self.result


def may_record(state: FunctionState) -> bool:
    """Whether entries of this function are kept on disk at all."""
    return config.entry_cache and config.artifact_cache and state.backend.is_native and not config.disable


def entry_request(state: FunctionState, known: Seal) -> Request:
    """The request for the entries of a function."""
    original = state.original
    code = original.__code__
    parts = {
        "versions": {
            "format": FORMAT,
            "python": f"{sys.version} {sys.implementation.cache_tag}",
            "numpy": np.__version__,
            "code": known.functions.hex(),
        },
        "function": code_digest(code),
        "module": str(original.__globals__.get("__name__")),
        "options": {"fullgraph": state.fullgraph, "dynamic": state.dynamic, "on_limit": state.on_limit},
        "settings": every_setting(),
    }
    return Request(ENTRY, f"{original.__qualname__} ({code.co_filename}:{code.co_firstlineno})", parts)


def recorded(state: FunctionState) -> RecordedEntries | None:
    """The entries of another process for a function that was just jitted; None where there are none to be trusted."""
    known = remembered_seal() if may_record(state) else None
    if known is None:
        return None
    request = entry_request(state, known)
    data = recall(request)
    try:
        return None if data is None else RecordedEntries(request, data, _checked_code(data, state.original.__code__))
    except (Differs, KeyError, TypeError, ValueError, IndexError, EOFError):
        return None


def _checked_code(data: Any, original: types.CodeType) -> types.CodeType:
    """The function's code in what was read. Errors: KeyError, TypeError, ValueError, EOFError for other data."""
    if set(data) != {"code", "pool", "entries"} or type(data["entries"]) is not list:
        raise ValueError("the parts")
    if type(data["pool"]) is not int or not FIRST_OBJECTS < data["pool"] <= _POOL_LIMIT:
        raise ValueError("the size of the pool")
    return read_code(data["code"], original)


def read_code(data: Any, original: types.CodeType) -> types.CodeType:
    """A code object that entry code was put into; the constants of the function are its own, one by one.

    Errors: Differs; KeyError, TypeError, ValueError, EOFError for other data.
    """
    text, objects = data
    code = marshal.loads(b64decode(text))
    own = len(original.co_consts)
    if not isinstance(code, types.CodeType) or code.co_freevars != (*original.co_freevars, STATE):
        raise ValueError("this is no code of the function's")
    if code.co_consts[:own] != (None,) * own:
        raise ValueError("constants of the function's")
    rest = [*code.co_consts[own:]]
    for k, each in objects:
        rest[k] = read_object(each)
    return code.replace(co_consts=(*original.co_consts, *rest), co_filename=original.co_filename)


def is_marked(function: types.FunctionType) -> str:
    """Why a function that code calls is more than its code says, in words; empty where it is not."""
    if why_disabled(function) is not None:
        return "which gl.disable leaves to plain Python"
    opaque = sys.modules.get(f"{__package__.partition('.')[0]}.autograd.opaque")
    if opaque is not None and function in opaque._HASHES:
        return "which gl.wrap has made opaque"
    return ""


def answer_from_disk(state: FunctionState, values: tuple[Any, ...]) -> Any:
    """The answer of an entry from disk to the first call of a function; None where the call has to be traced.

    It is traced, too, where somebody listens to what happens to functions, or reads it in logs: a test that counts
    compiles finds as many whatever is on disk.
    """
    if listened_to() or config.logs or config.disable or config.under_tracing == "plain" and sys.gettrace() is not None:
        return None
    from ...backend.cpu.plan import errstate

    with RareCollections(), state.lock:
        found = state.recorded
        if found is None or state.busy or not errstate.accept_current():
            return None
        state.recorded, state.told_of_miss = None, True
        entries = _linked(state, found)
    if not entries:
        return None
    for entry in entries:
        try:
            result = probe(state, entry)(*values)
        except BaseException as error:
            return Answer(RaisedInContinuation(error))
        if result is not RUN_ORIGINAL:
            count(ENTRY, "hit")
            return RUN_ORIGINAL if result is LEFT else Answer(result)
    missed(found.request, _why_none_fits(state, entries, values))
    return None


def _why_none_fits(state: FunctionState, entries: list[Entry], values: tuple[Any, ...]) -> str:
    arguments = dict(zip(local_names(state.original.__code__), values, strict=True))
    namespace = state.namespace(FrameState(state.points[0], arguments))
    return "; ".join(entry.first_failure(namespace, state.pool).text for entry in entries)


def _linked(state: FunctionState, found: RecordedEntries) -> list[Entry]:
    """The entries whose facts hold, ready to be called."""
    data, request = found.data, found.request
    if every_setting() != request.parts["settings"]:
        missed(request, "settings were changed after the function was jitted")
        return []
    if state.is_callee or state.numbers or len(state.pool) != data["pool"]:
        missed(request, "it was traced before, for somebody who listened or for another function")
        return []
    entries: list[Entry] = []
    for each in data["entries"]:
        began = time.perf_counter()
        try:
            entry = _read(state, each)
        except Differs as error:
            missed(request, str(error))
        except Exception as error:
            if is_asynchronous(error):
                raise
            missed(request, f"an entry cannot be read: {type(error).__name__}: {error}")
        else:
            entry.seconds = {"total": time.perf_counter() - began}
            entries.append(entry)
    assert state.function is not None
    state.points[0].entries = [*entries]
    state.numbers = max((entry.number + 1 for entry in entries), default=0)
    state.show_pool()
    state.newest.append(state.function.__code__)
    if len(entries) < len(data["entries"]):
        state.outdated = True
    for entry in entries:
        counted_from_now(state, entry, 0)
        _tell(state, entry)
    return entries


def _read(state: FunctionState, data: dict[str, Any]) -> Entry:
    """The entry in what `record_entries` wrote. Errors: Differs; any other for other data."""
    from ...backend.artifacts.plan_codec import read_plan
    from ...backend.cpu.plan.plan import build

    number, slot, block = data["number"], data["slot"], data["block"]
    if type(number) is not int or number < 0 or type(block) is not str or len(data["report"]) != 2:
        raise ValueError("the parts of an entry")
    if type(slot) is not int or not FIRST_OBJECTS <= slot < len(state.pool):
        raise ValueError("the number of the plan")
    known = Known(state.original, is_marked, state.pool)
    guards = tuple(map(known.read_guard, data["guards"]))
    named = {int(number): known.read_object(each) for number, each in data["named"].items()}
    run: Callable[..., Any] = build(read_plan(data["plan"], known.expected, known.read_object))
    code = state.original.__code__
    entry = Entry(number, guards, block, slot, written=data, shares=data["shares"] is True)
    entry.probe = called_plainly(state.original, read_code(data["probe"], code))
    for place, each in named.items():
        if not FIRST_OBJECTS <= place < len(state.pool) or not (state.pool[place] is None or state.pool[place] is each):
            raise ValueError("the number of an object")
    with state.pool.lease(entry.pooled):
        for number, each in named.items():
            state.pool.put(number, each)
        state.pool.put(entry.slot, run)
    return entry


def _tell(state: FunctionState, entry: Entry) -> None:
    """Keep and tell the event that an entry was loaded."""
    place = state.place
    seconds = entry.seconds["total"]
    found = Event(LOAD, state.original.__qualname__, *place, entry.number, seconds, state=state.serial, defined=place)
    state.history.append(found)
    emit(found)
