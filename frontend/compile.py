"""From a call to an entry: trace the function, run the passes, build the plan, write the entry's block of code."""

from __future__ import annotations

import time
import types
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ..core.config import config
from ..core.errors import KernelError
from ..graph.node import Write
from ..graph.passes import run_passes
from ..graph.passes.dce import may_raise
from ..guards.arrays import NoOverlap
from ..guards.entry import Entry, compiled_block, condition, needed, passed_to_plan, plain_block
from ..guards.entry_code import TO_BODY
from ..guards.guard import Guard, IsArgument, Where
from ..guards.sources import Local, Pool
from .breaks import BACKEND, INTERNAL, NOTHING, GraphBreak
from .callables import load_rules
from .code import source_line
from .frame import Frame
from .locate import at_first_use
from .reconstruct import Writer
from .trace import Trace
from .values.base import Value, wrap
from .values.containers import DictValue, TupleValue
from .values.functions import OuterScope


@dataclass(eq=False)
class Broken(Exception):
    """A trace that ended in a graph break; `guards` are the facts it had relied on up to there."""

    stop: GraphBreak
    guards: tuple[Guard, ...]


@contextmanager
def breaking(trace: Trace) -> Iterator[None]:
    """A context that turns what ends a trace or a build into `Broken`: graph breaks, and errors inside guardlift."""
    try:
        yield
    except GraphBreak as stop:
        raise Broken(stop, tuple(trace.guards)) from stop
    except Exception as error:
        if config.raise_internal_errors:
            raise
        kind = BACKEND if isinstance(error, KernelError) else INTERNAL
        raise Broken(kind.stop(error=f"{type(error).__name__}: {error}"), tuple(trace.guards)) from error


def trace_call(
    function: types.FunctionType, arguments: Mapping[str, Any], pool: Pool, trace: Trace
) -> tuple[Writer, tuple[str, ...]]:
    """What makes the result of one call, after tracing it: the plan's outputs, and the statements that rebuild it."""
    variables = {name: _argument(trace, function.__code__, name, value) for name, value in arguments.items()}
    frame = Frame(trace, function.__code__, variables, OuterScope(function, None))
    returned = frame.run()
    writer = Writer(trace, pool)
    statements = writer.finish(returned)
    if not writer.outputs and not any(storage.input and storage.version for storage in trace.storages):
        raise NOTHING.stop()
    return writer, statements


def _argument(trace: Trace, code: types.CodeType, name: str, value: Any) -> Value:
    """The traced value of an argument; `*args` and `**kwargs` are containers of the call itself."""
    wrapped = wrap(trace, value, Local(name))
    extra = code.co_varnames[code.co_argcount + code.co_kwonlyargcount :][:2]
    own = code.co_flags & 0x0C and name in extra and isinstance(wrapped, (TupleValue, DictValue))
    if own and isinstance(wrapped, DictValue):
        wrapped.source = None
    return wrapped


def compile_entry(function: types.FunctionType, arguments: Mapping[str, Any], pool: Pool, number: int) -> Entry:
    """A new entry for a call like this one. Errors: `Broken` when the function cannot be traced."""
    from ..backend.compile import compile_graph
    from ..backend.cpu.kernels import statistics

    laps = Laps()
    load_rules()
    laps.done("import")
    trace = Trace(function.__code__)
    with breaking(trace):
        writer, statements = trace_call(function, arguments, pool, trace)
        traced = trace.builder.finish(writer.nodes, _writes(trace))
        laps.done("trace")
        graph = run_passes(traced)
        laps.done("passes")
        sources = [each.source for each in trace.inputs]
        guards = passed_to_plan(needed([*trace.guards, *trace.layout_guards()]), sources)
        identities = [guard for guard in guards if isinstance(guard, IsArgument)]
        compiled = compile_graph(graph, _call_layout(trace, writer, tuple(guard.expected for guard in identities)))
        laps.done("lower")
        before = statistics.compiled, statistics.loaded
        plan, slot = pool.new(compiled.build())
        laps.done("kernels")
    made = {"compiled": statistics.compiled - before[0], "loaded": statistics.loaded - before[1]}
    guards = at_first_use((*guards, *_overlap_guards(trace)), function.__code__, trace, traced)
    passed = [source.text(pool) for source in (*sources, *(guard.source for guard in identities))]
    leaves = TO_BODY if any(map(may_raise, graph.nodes)) else ""
    block = compiled_block(condition(guards, pool), plan, passed, statements, side_exit=leaves)
    details = {
        "traced": traced,
        "graph": graph,
        "compiled": compiled,
        "kernels": made,
        "instructions": trace.instructions,
    }
    return Entry(number, guards, block, slot, seconds=laps.total(), details=details)


class Laps:
    """Wall time by phase. Units: seconds."""

    def __init__(self) -> None:
        self._start = self._last = time.perf_counter()
        self._seconds: dict[str, float] = {}

    def done(self, phase: str) -> None:
        """Ends a phase; the next begins."""
        now = time.perf_counter()
        self._seconds[phase] = now - self._last
        self._last = now

    def total(self) -> dict[str, float]:
        """Every phase, and ``total`` up to now."""
        return {**self._seconds, "total": time.perf_counter() - self._start}


def plain_entry(broken: Broken, pool: Pool, number: int) -> Entry:
    """The entry that sends calls like the broken one straight to plain Python."""
    guards = needed(broken.guards)
    return Entry(number, guards, plain_block(condition(guards, pool), side_exit=TO_BODY), plain=True)


def _writes(trace: Trace) -> list[Write]:
    return [Write(storage.input.node, storage.node) for storage in trace.storages if storage.input and storage.version]


def _written(trace: Trace) -> set[int]:
    return {trace.inputs.index(storage.input) for storage in trace.storages if storage.input and storage.version}


def _pairs(trace: Trace) -> list[tuple[int, int]]:
    """Pairs of array inputs, one of them written, that share no memory."""
    written = _written(trace)
    arrays = [place for place, each in enumerate(trace.inputs) if each.kind == "array"]
    return [(a, b) for a in arrays for b in arrays if a < b and (a in written or b in written)]


def _overlap_guards(trace: Trace) -> list[Guard]:
    inputs = trace.inputs
    return [NoOverlap(inputs[a].source, _where(trace, a), inputs[b].source) for a, b in _pairs(trace)]


def _where(trace: Trace, place: int) -> Where | None:
    location = trace.inputs[place].node.location
    return Where(location.file, location.line, source_line(location.file, location.line)) if location else None


def _call_layout(trace: Trace, writer: Writer, objects: tuple[Any, ...]) -> Any:
    from ..backend.layout import CallLayout, InputLayout

    written = _written(trace)
    inputs = tuple(
        InputLayout(each.kind, each.node.type, each.strides, place in written)
        for place, each in enumerate(trace.inputs)
    )
    return CallLayout(inputs, tuple(writer.outputs), frozenset(_pairs(trace)), writer.unwrap, objects)
