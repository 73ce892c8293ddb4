"""From a trace to what runs it: the passes, the plan or the plans for other sizes, and what is known of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field
from typing import TYPE_CHECKING, Any

from ...backend.artifacts.identity import GRAPH
from ...backend.call_layout import unbound
from ...backend.plugins.registry import Backend
from ...backend.status_line import doing
from ...core.config import config
from ...core.devices import CPU
from ...core.errors import KernelError
from ...core.records import dataclass
from ...core.watched_slots import SlotSubscription
from ...graph.passes.dce import may_raise
from ...graph.passes.expand import expand_for_all_sizes
from ...guards.entry import needed, passed_to_plan
from ...guards.guard import Equals, Guard, Is
from ...guards.sizes import SizesFit
from ...guards.sources import Attribute, ConstantSource, Named, Source
from ..breaks import DEVICE
from ..codegen.reconstruct import EntryWriter
from ..tracing.inputs import LIFTED, Input
from ..tracing.random_draws import argument_kinds, may_leave
from ..tracing.restarts import StaticSizes
from ..tracing.trace import Trace
from .artifacts import Artifact, Artifacts, Found
from .call_layout import call_layout, traced_graph, used_inputs
from .plan_template import PlanTemplate
from .relink import Links, SizedLinks, links_of, memory_of
from .size_binding import Binding, SizedPlan, free_layouts

if TYPE_CHECKING:
    from ...backend.artifacts.identity import BackendIdentity
    from ...backend.call_layout import CallLayout
    from ...backend.compile import CompiledGraph
    from ...backend.plugins.python_plan import PluginGraph
    from ...graph.node import Graph
    from .relink import SizedLinks
    from .size_binding import Binding, SizedPlan


@dataclass(frozen=True)
class Built:
    """A trace as native code: the plan or binding, what a call passes to it, the guards, of which it checks some."""

    run: Callable[..., Any] | Binding
    guards: tuple[Guard, ...]
    passed: tuple[Source, ...]
    may_raise: bool
    details: dict[str, Any]
    binding: Binding | None = None
    """The plans for other sizes; None where sizes are static."""
    subscription: SlotSubscription = field(default_factory=SlotSubscription)
    """The watched slots that tell the plan of changes, so that it need not look for them."""
    links: Links | SizedLinks | None = None
    """The code and the objects that the plan was built from."""
    key: bytes = b""
    found: Found = field(default_factory=Found)


@dataclass(frozen=True)
class TracedCall:
    """A trace, with all that its plan is built from.

    graph:  what the plan computes, before the passes.   inputs: those of the trace that it reads.
    layout: of the arguments and the results.            guards: those that the plan checks or the entry has to.
    passed: what a call passes to the plan, the inputs first.
    """

    trace: Trace
    writer: EntryWriter
    graph: Graph
    inputs: Sequence[Input]
    layout: CallLayout
    guards: tuple[Guard, ...]
    passed: tuple[Source, ...]


def build(trace: Trace, writer: EntryWriter, laps: PhaseTimer, artifacts: Artifacts, number: int) -> Built:
    """The plan of a trace, its kernels compiled or loaded.

    number: of the entry that it is for.   artifacts: learns of it, and gives a plan that fits, if it knows one.
    Errors: a break where a device has no kernels for it; `StaticSizes` where sizes may not be symbolic.
    """
    backend = trace.backend.with_identity(_identity(trace, writer)) if trace.inputs.tensors else trace.backend
    call = _traced_call(trace, writer, laps)
    if trace.facts.sizes.symbols:
        return _build_sized(call, laps, backend)
    return _build_fixed(call, laps, backend, artifacts, number)


def _traced_call(trace: Trace, writer: EntryWriter, laps: PhaseTimer) -> TracedCall:
    inputs = used_inputs(trace, writer)
    graph = traced_graph(trace, inputs, writer)
    laps.done("trace")
    sources = [each.argument for each in inputs if each.argument is not None]
    guards = passed_to_plan(needed([*trace.facts.guards, *trace.inputs.layout_guards()]), sources)
    identities = [guard for guard in guards if isinstance(guard, Is) and guard.checked_by == "plan"]
    layout = call_layout(trace, inputs, writer, tuple(each.expected for each in identities))
    passed = (*sources, *(guard.source for guard in identities))
    return TracedCall(trace, writer, graph, inputs, layout, guards, passed)


def _build_fixed(call: TracedCall, laps: PhaseTimer, backend: Backend, artifacts: Artifacts, number: int) -> Built:
    """The plan of a trace whose sizes are all known."""
    trace, inputs, layout, before = call.trace, call.inputs, call.layout, _kernels()
    key, found = artifacts.find(call.graph, layout, backend.key, [str(each.source) for each in inputs])
    graph = found.artifact.graph if found.artifact is not None else backend.prepare(call.graph)
    laps.done("passes")
    with _for_its_device(trace, graph):
        if found.artifact is not None:
            artifact, compiled = found.artifact, found.artifact.compiled.over(layout)
        else:
            compiled = backend.compile(graph, layout)
            artifact = Artifact(call.graph, graph, compiled.over(unbound(layout)), number)
        laps.done("lower")
        links = links_of(trace, inputs, artifact, compiled)
        lifted = [each.example for each in inputs if each.kind == LIFTED]
        linked = links.build(lifted, [each.example for each in inputs if each.kind == "array" and each.static_address])
    laps.done("kernels")
    details = _details(call, graph, compiled, before) | {"artifact": artifact}
    if "hints" in config.logs:
        details["moving gradients"] = [
            f"  {each.source}" for each in inputs if each.subscribed and not each.static_address
        ]
    raises = any(map(may_raise, graph.nodes)) or may_leave(inputs)
    guards = (*call.guards, *_on_settings(compiled, trace))
    subscription = linked.subscription
    return Built(
        linked.run, guards, call.passed, raises, details, subscription=subscription, links=links, key=key, found=found
    )


def _kernels() -> tuple[int, int]:
    """The numbers of kernels that the process has compiled and loaded so far."""
    from ...backend.cpu.compiler.kernels import statistics

    return statistics.compiled, statistics.loaded


def _details(
    call: TracedCall, graph: Graph, compiled: CompiledGraph | PluginGraph, before: tuple[int, int]
) -> dict[str, Any]:
    """The facts about a plan that reports are made of. before: `_kernels` when its build began."""
    compiled_kernels, loaded_kernels = (now - then for now, then in zip(_kernels(), before, strict=True))
    details: dict[str, Any] = {
        "traced": call.graph,
        "graph": graph,
        "compiled": compiled,
        "kernels": {"compiled": compiled_kernels, "loaded": loaded_kernels},
        "instructions": call.trace.progress.instructions,
    }
    if call.writer.aot:
        details["aot"] = tuple(call.writer.aot)
    return details


def _on_settings(compiled: CompiledGraph | PluginGraph, trace: Trace) -> tuple[Guard, ...]:
    """The guards on the settings that say how a device computes what was compiled."""
    owner, where = ConstantSource(config, "gl.config"), trace.progress.where
    return tuple(
        Equals(Named(Attribute(owner, name), f"gl.config.{name}"), where, expected=value)
        for name, value in getattr(compiled, "settings", ())
    )


@contextmanager
def _for_its_device(trace: Trace, graph: Graph) -> Iterator[None]:
    """A context in which what no kernel of the graph's device can do is a graph break, on that device alone."""
    try:
        yield
    except KernelError as error:
        if graph.device == CPU:
            raise
        trace.facts.guards.update(dict.fromkeys(trace.inputs.layout_guards()))
        raise DEVICE.stop(why=str(error)) from error


def _identity(trace: Trace, writer: EntryWriter) -> BackendIdentity:
    from ..tensors.hooks.records import identity

    return identity(trace, GRAPH, split=bool(writer.aot))


def _build_sized(call: TracedCall, laps: PhaseTimer, backend: Backend) -> Built:
    """A binding and its first plan, of a trace with symbolic sizes. Errors: `StaticSizes` where they may not be so."""
    trace, inputs, sizes, before = call.trace, call.inputs, call.trace.facts.sizes, _kernels()
    if sizes.are_all_known and not trace.inputs.masks.places:  # only here can the call count them
        raise StaticSizes(sizes.why_known())  # which says the same in guards that are quicker to check
    fit = _fit(call)
    by_source = {each.source: each for each in inputs}
    sources = tuple(each.source for each in fit.layouts)
    places = [_sized_argument(by_source[source], call.passed) for source in sources]
    template = PlanTemplate(expand_for_all_sizes(call.graph, sizes), call.layout, sizes, call.writer.histories, backend)
    kinds = argument_kinds(inputs, trace.around_plan)
    binding = Binding(template, fit, places, kinds, len(call.passed), memory_of(trace, inputs))
    examples = {each.source: each.example for each in trace.inputs.entries if each.kind == "array"}
    sizes.sealed, sizes.here = True, None
    hints = [sizes.atoms[symbol].hint for symbol in sizes.symbols]
    given = [size.hint for size in trace.facts.size_sources.values()]
    with _for_its_device(trace, call.graph):
        bound = binding.first(hints, [examples[source] for source in sources], given)
    laps.done("kernels")
    details = _details(call, bound.graph, bound.compiled, before) | {"binding": binding}
    raises = any(map(may_raise, call.graph.nodes)) or may_leave(inputs)
    links = SizedLinks(binding.anew(), tuple(trace.facts.anchors.values()))
    guards = (*call.guards, *_on_settings(bound.compiled, trace), fit)
    return Built(binding, guards, call.passed, raises, details, binding, links=links)


def _fit(call: TracedCall) -> SizesFit:
    """The guard by which a call finds the values of its symbols, and whether they are what the trace relied on."""
    facts, layouts = call.trace.facts, free_layouts(call.guards)
    numbers = tuple((source, size.terms[0][0][0]) for source, size in facts.size_sources.items())
    first = layouts[0] if layouts else None
    where = None if first is None else first.where
    return SizesFit(first.source if first else numbers[0][0], where, layouts, numbers, facts.sizes)


def _sized_argument(entry: Input, passed: Sequence[Source]) -> SizedPlan:
    """The way by which a binding gets to an array with symbolic sizes."""
    assert entry.argument is not None
    tensor = entry.access_path.links[0].kind if entry.access_path is not None else None
    return SizedPlan(passed.index(entry.argument), tensor)


_NEXT = {"import": "tracing", "trace": "the graph", "passes": "fusing", "lower": "kernels"}
"""The words for what follows a phase, on the status line."""


class PhaseTimer:
    """Wall time by phase. Units: seconds."""

    def __init__(self) -> None:
        self._start = self._last = time.perf_counter()
        self._seconds: dict[str, float] = {}

    def done(self, phase: str) -> None:
        """Ends a phase; the next begins."""
        now = time.perf_counter()
        self._seconds[phase] = now - self._last
        self._last = now
        if phase in _NEXT:
            doing(_NEXT[phase])

    def total(self) -> dict[str, float]:
        """Every phase, and ``total`` up to now."""
        return {**self._seconds, "total": time.perf_counter() - self._start}
