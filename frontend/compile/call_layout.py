"""The call layout of a trace: the graph's inputs, their layout in memory, and what a call passes for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...backend.call_layout import AccessPath, CallLayout, InputLayout, OutputLayout
from ...core import dtypes
from ...core.records import replace
from ...graph.aot.placement import raised
from ...graph.bodies import WITH_BODIES, check_whole
from ...graph.node import Graph, Write
from ...guards.arrays import NoOverlap
from ...guards.guard import Guard
from ..tracing.inputs import LIFTED, Input
from ..tracing.random_draws import KINDS

if TYPE_CHECKING:
    from ..codegen.reconstruct import EntryWriter
    from ..tracing.trace import Trace


def used_inputs(trace: Trace, writer: EntryWriter) -> list[Input]:
    """The plan's inputs: every argument, and of the lifted memory what the graph reads or writes."""
    writes = dict(trace.inputs.writes())
    used = {operand for node in trace.builder.nodes for operand in node.inputs}
    used.update(writer.nodes, writes.values())
    return [each for each in trace.inputs.entries if each.kind != LIFTED or each in writes or each.node in used]


def traced_graph(trace: Trace, inputs: Sequence[Input], writer: EntryWriter) -> Graph:
    """Everything the trace recorded, over these inputs."""
    writes = tuple(Write(entry.node, value) for entry, value in trace.inputs.writes())
    nodes = raised(trace.builder.nodes, trace.tape.packs)
    graph = Graph(tuple(each.node for each in inputs), tuple(nodes), tuple(writer.nodes), writes)
    if any(node.op in WITH_BODIES for node in nodes):
        check_whole(graph)  # nothing of a body has got out
    return graph


def _written(trace: Trace) -> set[Input]:
    return {entry for entry, _ in trace.inputs.writes()}


def _pairs(trace: Trace, inputs: Sequence[Input]) -> list[tuple[int, int]]:
    """Pairs of array inputs, one of them written, that share no memory. Of known ones the plan sees to it by itself."""
    written = _written(trace)
    arrays = [place for place, each in enumerate(inputs) if each.kind == "array" and not each.static_address]
    if not any(inputs[place] in written for place in arrays):
        return []
    return [(a, b) for a in arrays for b in arrays if a < b and (inputs[a] in written or inputs[b] in written)]


def overlap_guards(trace: Trace) -> list[Guard]:
    """The guards that written arrays share no memory with others; the plan checks them."""
    inputs = trace.inputs.entries
    return [NoOverlap(inputs[a].source, inputs[a].where, inputs[b].source) for a, b in _pairs(trace, inputs)]


def _passed_as(entry: Input) -> str:
    if entry.kind not in KINDS:
        return entry.kind
    if entry.node.type.shape:
        return "array"
    return "float" if entry.node.type.dtype is dtypes.float64 else "int"


def call_layout(trace: Trace, inputs: Sequence[Input], writer: EntryWriter, objects: tuple[Any, ...]) -> CallLayout:
    """The layout of inputs and outputs of a call in memory; `objects` are passed after the inputs."""
    written = _written(trace)
    sized = bool(trace.facts.sizes.symbols)  # many plans would have to be told of each gradient
    outputs = tuple(_renumbered(each, trace, inputs) for each in writer.outputs)
    viewed = {each.base[1] for each in outputs if each.base is not None and each.base[0] == "input"}
    layouts = tuple(
        InputLayout(
            _passed_as(each),
            each.node.type,
            each.strides,
            each in written,
            each.access_path,
            static_address=each.static_address and each.kind != LIFTED,
            subscribed=each.subscribed and k not in viewed and not _is_set(trace, each.owner) and not sized,
        )
        for k, each in enumerate(inputs)
    )
    checks = ordered_checks(trace)
    subscribed = 0 if sized else sum(not _is_set(trace, owner) for owner, _ in checks)
    access_paths = tuple(access_path for _, access_path in checks)
    return CallLayout(
        layouts, outputs, frozenset(_pairs(trace, inputs)), writer.unwrap, objects, access_paths, subscribed
    )


def ordered_checks(trace: Trace) -> list[tuple[Any, AccessPath]]:
    """Access paths that the plan checks, each with the object it starts at: objects that tell of every change first."""
    return sorted(trace.inputs.checks, key=lambda check: _is_set(trace, check[0]))


def _is_set(trace: Trace, owner: Any) -> bool:
    """Whether the call itself sets the `.grad` of a tensor, so that to look costs less than to be told at each call."""
    return (id(owner), "grad") in trace.effects.pending


def _renumbered(output: OutputLayout, trace: Trace, inputs: Sequence[Input]) -> OutputLayout:
    """An output over an input, with the input's number among those that are kept."""
    if output.base is None or output.base[0] != "input" or len(inputs) == len(trace.inputs.entries):
        return output
    return replace(output, base=("input", inputs.index(trace.inputs.entries[output.base[1]])))
