"""From a call to an entry: trace the function, run the passes, build the plan, write the entry's block of code."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import field
from importlib import import_module
from typing import Any, TypeVar

from ...backend.plugins.registry import NUMBA, Backend
from ...core.asynchronous import let_through
from ...core.config import config
from ...core.errors import BackwardMetadataError, SizeError
from ...core.records import dataclass
from ...core.watch import Validity
from ...guards.assumptions import Assumption, PausedPlan, checked_first
from ...guards.entry import Entry, compiled_block, condition, needed, plain_block
from ...guards.entry_code import counted_exit
from ...guards.guard import Guard
from ...guards.pool import Pool
from ...guards.sources import Local
from ..breaks import NOTHING, TENSOR_FEATURE, GraphBreak, Unwinding
from ..bytecode.dataflow import flow_of
from ..codegen.frame_state import FrameState
from ..codegen.graph_break_split import Split, StackProvenance, split_point, write_state
from ..codegen.reconstruct import EntryWriter
from ..codegen.resume_points import resumed_frame
from ..codegen.returned_tensors import SharedMemory
from ..control_flow.elements.fallback import left_loop
from ..interpreter.frame import Frame
from ..tracing.dynamic_sizes import FreeSizes, with_reason
from ..tracing.restarts import Restart, RestartFromStart, SplitEarlier, SplitReached, StaticSizes, broken_by
from ..tracing.rules import load_rules, restarting_with_tensors
from ..tracing.speculation import NotRegions, SpeculationLog
from ..tracing.trace import Trace
from ..values.base import Value, wrap
from ..values.containers.dicts import DictValue
from ..values.containers.sequences import TupleValue
from ..values.effects.external_objects import ExternalObjects
from ..values.functions.scopes import OuterScope
from .artifacts import Artifacts, Found
from .call_layout import overlap_guards
from .first_use import at_first_use
from .guards_only import guards_only_entry, needs_no_plan, while_assumed
from .plan import Built, PhaseTimer, build
from .relink import Recipe

T = TypeVar("T")


@dataclass(eq=False)
class Broken(Exception):
    """A trace that ended in a graph break; `guards` and `assumptions` are what it had relied on up to there."""

    stop: GraphBreak
    guards: tuple[Guard, ...]
    assumptions: tuple[Assumption, ...] = ()
    has_sizes: bool = False
    """Whether the trace had symbolic sizes, without which it may come further."""


@contextmanager
def breaking(trace: Trace) -> Iterator[None]:
    """A context that turns what ends a trace or a build into `Broken`: graph breaks, and errors inside guardlift."""
    handled = sys.exception()
    try:
        yield
    except (SplitEarlier, Restart, SharedMemory, StaticSizes, BackwardMetadataError):
        raise
    except Unwinding as stop:
        let_through(stop, handled)
        raise Broken(stop.as_break(), *trace.facts.relied_on(), bool(trace.facts.sizes.symbols)) from stop
    except Exception as error:
        let_through(error, handled)
        if config.raise_internal_errors and not isinstance(error, RecursionError):
            raise
        raise Broken(broken_by(error), *trace.facts.relied_on(), bool(trace.facts.sizes.symbols)) from error


@dataclass(frozen=True)
class Traced:
    """A trace that came to its end: at a return, or at a break where the function is split."""

    writer: EntryWriter
    split: Split | None = None


_ATTEMPTS = 12
"""The number of times that a split may move to an earlier instruction."""


def trace_function(
    function: types.FunctionType,
    at: FrameState,
    pool: Pool,
    refused: NotRegions,
    has_free_sizes: FreeSizes | None = None,
    backend: Backend = NUMBA,
    is_callee: bool = False,
) -> Traced:
    """The trace of a frame from a resume point on: up to its return, or to the first graph break.

    is_callee: see `ReliedOn`.
    Errors: `Broken` where the whole call has to run as plain Python.
    """
    split_at: int | None = None
    broke: GraphBreak | None = None
    attempts = 0
    speculation = SpeculationLog(not_region_ever=refused)
    while True:
        trace = Trace(function.__code__, ExternalObjects, speculation, has_free_sizes, backend)
        try:
            with restarting_with_tensors(), breaking(trace):
                if broke is None or split_at is None:
                    return Traced(trace_call(function, at, pool, trace, is_callee=is_callee))
                return _trace_to_split(function, at, pool, trace, split_at, broke)
        except (StaticSizes, BackwardMetadataError):
            trace.forget()
            raise
        except Restart as again:
            trace.forget()
            if isinstance(again, RestartFromStart):
                split_at = broke = None
        except Broken as broken:
            stop, split_at = broken.stop, None
            if broke is None:
                stop, split_at = left_loop(trace, stop) or (stop, split_point(trace, stop))
            stop.operations = len(trace.builder.nodes)
            trace.forget()
            if split_at is None:
                raise
            broke = stop
        except SplitEarlier as earlier:
            known = trace.facts.relied_on()
            trace.forget()
            assert split_at is not None and broke is not None
            attempts += 1
            if earlier.at >= split_at or attempts > _ATTEMPTS:
                raise Broken(broke, *known) from None
            split_at = earlier.at


def _trace_to_split(
    function: types.FunctionType, at: FrameState, pool: Pool, trace: Trace, split_at: int, stop: GraphBreak
) -> Traced:
    trace.progress.split_at = trace.progress.limit = split_at
    trace.progress.provenance = StackProvenance(flow_of(function.__code__))
    try:
        _evaluated(function, at, trace)
    except SplitReached as reached:
        if reached.frame is not trace.progress.root:
            raise stop from None
        frame = reached.frame
        writer, split = written(trace, pool, lambda writer: write_state(writer, frame, at, stop))
        _check_outside(trace)
        return Traced(writer, split)
    raise stop


def written(trace: Trace, pool: Pool, write: Callable[[EntryWriter], T]) -> tuple[EntryWriter, T]:
    """A writer that has written what leaves the call, and what `write` gave.

    It begins anew where it finds out that several tensors leave over one memory.
    """
    shared: set[int] = set()
    while True:
        writer = EntryWriter(trace, pool, shared=frozenset(shared))
        try:
            return writer, write(writer)
        except SharedMemory as found:
            shared.add(id(found.storage))


def trace_call(
    function: types.FunctionType, at: FrameState, pool: Pool, trace: Trace, *, is_callee: bool = False
) -> EntryWriter:
    """The writer of one call's result, after tracing the call: the plan's outputs, and statements that rebuild it."""
    returned = _evaluated(function, at, trace)
    _check_outside(trace)
    writer = written(trace, pool, lambda writer: writer.finish(returned, is_callee=is_callee))[0]
    if _does_nothing(writer):
        raise NOTHING.stop()
    return writer


def _evaluated(function: types.FunctionType, at: FrameState, trace: Trace) -> Value:
    if at.point.position:
        frame = resumed_frame(trace, function, at)
    else:
        variables = {name: _argument(trace, function.__code__, name, value) for name, value in at.variables.items()}
        frame = Frame(trace, function.__code__, variables, OuterScope(function, None))
        frame.keep_originals()
    trace.progress.root = frame
    return frame.run()


def _check_outside(trace: Trace) -> None:
    if trace.inputs.tensors:
        from ..tensors.autograd.shared_memory import guard_different_leaves, refuse_shared_writes

        refuse_shared_writes(trace)
        guard_different_leaves(trace)
        if trace.draws.token is not None:
            raise TENSOR_FEATURE.stop(feature="a draw from a NumPy generator beside tensors")
    trace.effects.external.guard_different()


def _does_nothing(writer: EntryWriter) -> bool:
    """Whether there is no array work, which is all that counts unless `config.trace_without_arrays` is on."""
    trace = writer.trace
    works = writer.outputs or trace.inputs.writes() or trace.effects.pending and trace.inputs.entries
    return not works and not config.trace_without_arrays


def _argument(trace: Trace, code: types.CodeType, name: str, value: Any) -> Value:
    """The traced value of an argument; `*args` and `**kwargs` are containers of the call itself."""
    wrapped = wrap(trace, value, Local(name))
    extra = code.co_varnames[code.co_argcount + code.co_kwonlyargcount :][:2]
    own = code.co_flags & 0x0C and name in extra and isinstance(wrapped, (TupleValue, DictValue))
    if own and isinstance(wrapped, DictValue):
        wrapped.source = None
    return wrapped


@dataclass(frozen=True)
class Compiled:
    """A new entry, and where its trace was split, if it was."""

    entry: Entry
    split: Split | None
    found: Found = field(default_factory=Found)
    """Whether its code was there already."""
    tensors: bool = False
    """Whether it computes with tensors."""

    @property
    def is_bare(self) -> bool:
        """Whether the entry leaves for the body at once: Python runs what comes before the split, too."""
        return self.split is not None and self.entry.plain


@dataclass(frozen=True)
class ReliedOn:
    """Facts about the function: its loops that are not native, its graphs that have code, and who runs graphs.

    is_callee: whether a program goes on with its results that is compiled itself.
    """

    refused: NotRegions
    artifacts: Artifacts
    backend: Backend = NUMBA
    is_callee: bool = False


def compile_entry(function: types.FunctionType, at: FrameState, pool: Pool, number: int, known: ReliedOn) -> Compiled:
    """A new entry for a call like this one; `known` learns of it.

    Errors: `Broken` when the function cannot be traced.
    """
    laps = PhaseTimer()
    load_rules()
    import_module("...backend.compile", __package__)  # takes as long as a trace: told apart from it in reports
    laps.done("import")
    if at.point.has_free_sizes is not None and known.backend.is_native:
        try:
            return _compiled_from(function, at, pool, number, laps, known, at.point.has_free_sizes)
        except (StaticSizes, SizeError, Broken) as error:
            if isinstance(error, Broken) and not error.has_sizes:
                raise
            why = f"with symbolic ones, {error.stop.what}" if isinstance(error, Broken) else str(error)
        compiled = _compiled_from(function, at, pool, number, laps, known)
        compiled.entry.guards = with_reason(compiled.entry.guards, at.point.has_free_sizes, why)
        return compiled
    return _compiled_from(function, at, pool, number, laps, known)


def _compiled_from(
    function: types.FunctionType,
    at: FrameState,
    pool: Pool,
    number: int,
    laps: PhaseTimer,
    known: ReliedOn,
    has_free_sizes: FreeSizes | None = None,
) -> Compiled:
    traced = trace_function(function, at, pool, known.refused, has_free_sizes, known.backend, known.is_callee)
    try:
        return _compiled(function, number, traced, laps, known.artifacts)
    finally:
        traced.writer.trace.forget()


def _compiled(
    function: types.FunctionType, number: int, traced: Traced, laps: PhaseTimer, artifacts: Artifacts
) -> Compiled:
    writer, split = traced.writer, traced.split
    found = Found()
    trace = writer.trace
    if split is not None and (split.bare or not split.callee and _does_nothing(writer)):
        broken = Broken(split.stop, *trace.facts.relied_on())
        entry = plain_entry(broken, writer.pool, number)
    else:
        with breaking(trace):
            if needs_no_plan(writer):
                if trace.facts.sizes.symbols:
                    raise StaticSizes("nothing is computed with arrays")
                laps.done("trace")
                entry = guards_only_entry(function, number, writer, laps.total())
            else:
                built = build(trace, writer, laps, artifacts, number)
                entry = _entry(function, number, writer, built, laps)
                found = built.found
    entry.ends_in_break = split is not None
    return Compiled(entry, split, found, bool(trace.inputs.tensors))


def _entry(function: types.FunctionType, number: int, writer: EntryWriter, built: Built, laps: PhaseTimer) -> Entry:
    """The entry of a plan: its block of code, and what it assumes."""
    trace, pool = writer.trace, writer.pool
    guards = at_first_use((*built.guards, *overlap_guards(trace)), function.__code__, trace, built.details["traced"])
    assumptions = tuple(trace.facts.assumptions.values())
    validity = None
    if assumptions:
        assert built.links is not None
        validity = Validity(built.run, built.links.stale)
        validity.on_pause = PausedPlan(assumptions, validity)
    recipe = None
    plan, slot = pool.new(validity or built.run)
    binder = ""
    check = condition(guards, pool)
    if validity is not None:
        title = f"entry {number} of {function.__qualname__}"
        check = checked_first(check, validity, plan, assumptions, title, built.subscription.hold)
        plan = f"{plan}.payload"
        if built.links is not None:
            counters = tuple(writer.counters)
            recipe = Recipe(
                built.links, assumptions, title, built.links.details(built.details), counters, writer.ticker
            )
            recipe.watch(validity, pool)
    if built.binding is not None:
        plan, binder = f"{plan}.plan", f"{plan}.bind"
    passed = [source.text(pool) for source in built.passed]
    if built.binding is not None:
        passed += [source.text(pool) for source, _ in built.binding.fit.numbers]
    built.details["evaluated"] = frozenset(trace.progress.evaluated)
    side_exit = counted_exit(number) if built.may_raise or built.binding is not None else ""
    block = compiled_block(check, plan, passed, writer.code, side_exit=side_exit, binder=binder)
    return Entry(
        number,
        guards,
        block,
        slot,
        seconds=laps.total(),
        details=built.details,
        assumptions=assumptions,
        validity=validity,
        recipe=recipe,
        artifact=built.key,
    )


def plain_entry(broken: Broken, pool: Pool, number: int) -> Entry:
    """The entry that sends calls like the broken one straight to plain Python."""
    guards = needed(broken.guards)
    check = condition(guards, pool, natively=False)
    check, slot, validity = while_assumed(check, broken.assumptions, pool, f"plain entry {number}")
    block = plain_block(check, side_exit=counted_exit(number))
    return Entry(number, guards, block, slot, plain=True, assumptions=broken.assumptions, validity=validity)
