"""What a compiled forward needs so that a backward() outside of the call can reach through it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..backend.layout import CallLayout, InputLayout, OutputLayout
from ..core.types import contiguous_strides
from ..graph.aot.pair import Pair, make_pair
from ..graph.node import Node
from ..graph.passes import run_passes
from ..runtime.node import History, SavedOutput
from .breaks import TENSOR_FEATURE
from .tensors.gradients import check_history
from .values.tensor import Root, TensorValue

if TYPE_CHECKING:
    from .reconstruct import Writer
    from .trace import Input, Trace


@dataclass(frozen=True)
class Outside:
    """What the entry code hands to the history at each call: texts of the saved values, and the leaves.

    roots: which of the results it is the history of.
    """

    history: History
    roots: tuple[int, ...]
    values: tuple[str, ...]
    leaves: tuple[Root, ...]


def reach_outside(trace: Trace, writer: Writer, roots: list[TensorValue]) -> list[Outside]:
    """The histories of the results `roots`; what has to be saved becomes outputs of the plan.

    Results that have no saved value in common get histories of their own: a backward() from the one frees nothing that
    one from the other needs.
    Errors: a break where a saved value is written by the call, or a leaf was made in it.
    """
    with trace.recording():
        nodes = [root.read() for root in roots]
    visited = [check_history(trace, node) for node in nodes]
    groups: list[tuple[list[int], set[Node]]] = []
    for place, reached in enumerate(visited):
        # A root that another one is computed from may be saved for it, whatever its own operation saves.
        own = {node for node in reached if trace.tape.saved.get(node) or node in nodes}
        joined = [group for group in groups if group[1] & own]
        members = sorted([place, *(each for group in joined for each in group[0])])
        groups = [group for group in groups if group not in joined]
        groups.append((members, own.union(*(group[1] for group in joined))))
    return [_history(trace, writer, roots, nodes, tuple(members)) for members, _ in groups]


def _history(
    trace: Trace, writer: Writer, all_roots: list[TensorValue], all_nodes: list[Node], members: tuple[int, ...]
) -> Outside:
    roots, nodes = [all_roots[place] for place in members], [all_nodes[place] for place in members]
    aliases = list(trace.tape.leaves)
    pair = make_pair(trace.builder.inputs, trace.builder.nodes, writer.nodes, nodes, aliases, trace.tape.recorded)
    leaves = tuple(trace.tape.leaves[aliases[place]] for place in pair.reached)
    if any(leaf.real is None for leaf in leaves):
        raise TENSOR_FEATURE.stop(feature="a gradient for a tensor that is made inside")
    values, places, layouts = _saved(trace, writer, pair, roots, nodes)
    graph = run_passes(pair.backward)
    for node in nodes:
        layouts.append(InputLayout("array", node.type, contiguous_strides(node.shape)))
    outputs = tuple(
        OutputLayout("fresh", k, _strides(leaf, node))
        for k, (leaf, node) in enumerate(zip(leaves, graph.outputs, strict=True))
    )
    single = len(outputs) == 1
    from ..backend.compile import compile_graph

    run = compile_graph(graph, CallLayout(tuple(layouts), outputs, unwrap=single)).build()
    tangents = tuple((node.shape, node.type.dtype) for node in nodes)
    versions = tuple((root.root.counter or root.root).bumps for root in roots)
    history = History(run, graph, tuple(places), tangents, versions, single)
    return Outside(history, members, tuple(values), leaves)


def _strides(leaf: Root, node: Node) -> tuple[int, ...]:
    from .tensors.gradients import leaf_strides

    wanted = leaf_strides(leaf)
    return wanted if wanted is not None and len(wanted) == len(node.shape) else contiguous_strides(node.shape)


def _saved(
    trace: Trace, writer: Writer, pair: Pair, tensors: list[TensorValue], roots: list[Node]
) -> tuple[list[str], list[int | SavedOutput], list[InputLayout]]:
    """For each saved value: the text that hands it over, its place in the call, and how it lies in memory."""
    values: list[str] = []
    places: list[int | SavedOutput] = []
    layouts: list[InputLayout] = []
    for node, origin in zip(pair.saved, pair.origins, strict=True):
        if origin.kind == "input":
            entry = trace.inputs[origin.place]
            layouts.append(_as_argument(entry))
            values.append(_handed_over(trace, writer, entry))
        elif node in roots:
            layouts.append(InputLayout("array", node.type, tensors[roots.index(node)].strides))
            places.append(SavedOutput(roots.index(node)))
            continue
        elif node in writer.plain:
            name, tensor = writer.plain[node]
            layouts.append(InputLayout("array", node.type, tensor.strides))
            values.append(name)
        else:
            layouts.append(InputLayout("array", node.type, contiguous_strides(node.shape)))
            values.append(writer.extra_array(node))
        places.append(len(values) - 1)
    return values, places, layouts


def _as_argument(entry: Input) -> InputLayout:
    return InputLayout("array" if entry.kind == "lifted" else entry.kind, entry.node.type, entry.strides)


def _handed_over(trace: Trace, writer: Writer, entry: Input) -> str:
    for storage in trace.storages:
        if storage.input is not entry:
            continue
        if storage.version:
            raise TENSOR_FEATURE.stop(feature=f"a write into {entry.source}, which backward() needs as it was")
        for root in storage.roots:
            if root.real is not None and root.source is not None:
                return root.source.text(writer.pool)  # type: ignore[no-any-return]
    return entry.source.text(writer.pool)


__all__ = ["Outside", "reach_outside"]
