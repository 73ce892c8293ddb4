"""Writes the entries of a function to disk, for other processes. See Note [Recorded entries] in recorded_entries.py."""

from __future__ import annotations

import marshal
import re
import types
from base64 import b64encode
from typing import TYPE_CHECKING, Any

from ...backend.artifacts.identity import ENTRY
from ...backend.artifacts.plan_codec import written_plan
from ...backend.artifacts.program_codec import why_not
from ...backend.artifacts.seal import seal
from ...backend.artifacts.store import bypassed, keep, missed
from ...backend.cpu.plan.builtin import PlanTable
from ...backend.disk_cache.installation import ROOT
from ...core.asynchronous import is_asynchronous
from ...core.config import config
from ...core.errors import Differs, NotWritable
from ...graph.printer import print_graph
from ...guards.code_object import CodeObjectBuilder
from ...guards.codec.code_digest import code_digest, with_inner
from ...guards.codec.guard_codec import Known
from ...guards.codec.named_objects import written_object
from ...guards.entry import Entry
from ...guards.entry_code import prologue
from ...guards.pool import POOL
from .install import probe
from .recorded_entries import FIRST_OBJECTS, entry_request, is_marked

if TYPE_CHECKING:
    from ...backend.artifacts.keys import Request
    from ...backend.cpu.plan.plan import LaunchPlan
    from .state import FunctionState

MOST = 16
"""Entries of one function that are kept; what comes and goes that often is no use to another process."""
_NUMBER = re.compile(rf"{POOL}\[(\d+)\]")


def record_entries(state: FunctionState) -> None:
    """Write all entries of a function's start that can be written; counts why the latest one cannot."""
    request = entry_request(state, seal())
    try:
        _record(state, request)
    except Exception as error:
        if is_asynchronous(error) or config.raise_internal_errors:
            raise
        _bypass(state, request, f"an error inside guardlift, {type(error).__name__}: {error}")


def _record(state: FunctionState, request: Request) -> None:
    latest = max(state.entries, key=lambda entry: entry.number, default=None)
    written = []
    for entry in state.points[0].entries:
        try:
            if entry.written is None:
                entry.written = written_entry(state, entry)
            written.append(entry)
        except (NotWritable, Differs) as error:
            if entry is latest:
                _bypass(state, request, str(error))
    if latest is None or latest not in written or len(written) > MOST:
        if latest is not None and latest not in state.points[0].entries:
            _bypass(state, request, "it begins in the middle of the function, behind a graph break")
        return
    if not state.told_of_miss:
        state.told_of_miss = True
        missed(request)
    data = {
        "code": _written_code(_code_with(state, written), state.original.__code__),
        "pool": 1 + max(_highest(entry) for entry in written),
        "entries": [entry.written for entry in written],
    }
    keep(request, data)


def _bypass(state: FunctionState, request: Request, why: str) -> None:
    """Counts that an entry is not written, once for each reason: a function may have many behind its breaks."""
    if why not in state.told_of_bypasses:
        state.told_of_bypasses.add(why)
        bypassed(ENTRY, request.about, why)


def written_entry(state: FunctionState, entry: Entry) -> dict[str, Any]:
    """An entry as data. Errors: NotWritable, Differs: it depends on what only this process has."""
    if entry.plain or entry.ends_in_break:
        raise NotWritable("it breaks the graph")
    if entry.assumptions or entry.validity is not None:
        raise NotWritable("it assumes facts of modules, optimizers or tensors, which tell of their changes")
    graph, evaluated = entry.details.get("graph"), entry.details.get("evaluated")
    if graph is None or evaluated is None:
        raise NotWritable("it has no plan")
    if "binding" in entry.details:
        raise NotWritable("it has symbolic sizes")
    why = why_not(graph)
    if why:
        raise NotWritable(why)
    launch = _plan(state, entry)
    known = Known(state.original, is_marked)
    guards = [known.write_guard(each) for each in entry.guards]
    _check_covered(state.original.__code__, evaluated, known.expected)
    numbers = {int(number) for number in _NUMBER.findall(entry.block)} - {entry.slot, *range(FIRST_OBJECTS)}
    return {
        "number": entry.number,
        "guards": guards,
        "named": {str(number): _named(state, known, number) for number in sorted(numbers)},
        "plan": written_plan(launch, known.number_of, known.write_object),
        "block": entry.block,
        "shares": entry.shares,
        "slot": entry.slot,
        "report": [print_graph(graph, locations=True), entry.details["instructions"]],
        "probe": _written_code(probe(state, entry).__code__, state.original.__code__),
    }


def _named(state: FunctionState, known: Known, number: int) -> list[Any]:
    """The way by which a reader finds an object of the pool. Errors: NotWritable."""
    classes = state.pool.class_checks.get(number)
    return known.write_object(state.pool[number]) if classes is None else known.write_class_check(classes)


def _plan(state: FunctionState, entry: Entry) -> LaunchPlan:
    table = getattr(state.pool[entry.slot], "__self__", None) if entry.slot >= 0 else None
    if not isinstance(table, PlanTable):
        raise NotWritable("its plan does more than run kernels: it draws random numbers, or calls what only it knows")
    launch: LaunchPlan = table.pins[0]
    return launch


def _check_covered(own: types.CodeType, evaluated: frozenset[types.CodeType], expected: list[Any]) -> None:
    """Errors: NotWritable where the trace has read code that no guard speaks of."""
    named = {own}
    for each in expected:
        if isinstance(each, types.FunctionType):
            named.add(each.__code__)
        elif isinstance(each, types.CodeType):
            named.add(each)
    known = {code_digest(code) for code in with_inner(named)}
    for code in evaluated:
        if code_digest(code) not in known and not _is_ours(code):
            raise NotWritable(f"it runs {code.co_qualname}, which no guard names")


def _is_ours(code: types.CodeType) -> bool:
    """Whether code is guardlift's own, whose text stands in the key."""
    return code.co_filename.startswith(f"{ROOT}/")


def _code_with(state: FunctionState, entries: list[Entry]) -> types.CodeType:
    """The function's code with these entries alone."""
    if entries == state.entries and not state.outdated and state.function is not None:
        return state.function.__code__
    builder = CodeObjectBuilder(state.original.__code__)
    return builder.function(prologue(state.original.__code__, [entry.block for entry in entries]), {})


def _written_code(code: types.CodeType, original: types.CodeType) -> list[Any]:
    """A code object as text, without the function's own constants; and the constants of ours that are objects.

    Errors: NotWritable.
    """
    own = len(original.co_consts)
    assert all(mine is its for mine, its in zip(original.co_consts, code.co_consts, strict=False))
    rest = [*code.co_consts[own:]]
    objects: list[Any] = [
        [k, written_object(each)] for k, each in enumerate(rest) if isinstance(each, types.BuiltinFunctionType)
    ]
    for k, _ in objects:
        rest[k] = None
    bare = code.replace(co_consts=(*(None,) * own, *rest))
    return [b64encode(marshal.dumps(bare)).decode(), objects]


def _highest(entry: Entry) -> int:
    return max((entry.slot, *map(int, _NUMBER.findall(entry.block))))
