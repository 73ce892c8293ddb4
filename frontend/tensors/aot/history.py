"""The history of a compiled forward's results, by which a backward() outside of the call can reach through it."""

# Note [Results that depend on results]
# A result that another one is computed from ends the other's history, as in eager mode: the other's node has an edge to
# it. So its hooks run, `retain_grad()` and `autograd.grad` find it, and each of the two can be run backward by itself.
# Results whose histories save the same value share one node: what the first backward pass frees, the second one
# misses. If one of these depends on another, nobody sees the gradient that passes between them; where a hook should,
# it breaks.

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from ....backend.artifacts.identity import BACKWARD
from ....backend.artifacts.min_cuts import CUTS
from ....backend.call_layout import InputLayout
from ....core.config import config
from ....core.records import dataclass, replace
from ....core.types import contiguous_strides
from ....graph.aot.custom_nodes import operands
from ....graph.aot.decisions import remember_by
from ....graph.aot.double_backward import DoubleBackwardStep, Taped, backward_step
from ....graph.aot.pair import Pair
from ....graph.aot.record import AotRecord
from ....graph.node import Node
from ....runtime.backward_passes import BackwardPass, SavedOutput, whole_backward_pass
from ....runtime.node import NodeHistory, Reference, counted_with
from ....runtime.sized_history import SizedHistory
from ...breaks import TENSOR_FEATURE, WRITE_NEEDED
from ...tracing.inputs import LIFTED
from ...tracing.random_draws import KINDS
from ...values.tensors.tensor import TensorValue
from ..autograd.backward import check_saved, history
from ..autograd.leaf_gradients import leaf_strides
from ..autograd.sparse_lookup import edge_text
from ..hooks.records import identity
from ..hooks.saved_tensor_hooks import marked, marks, packer, rely_on_pair, static_inputs
from ..hooks.tensor_hooks import is_observed
from ..surface.data_setter import DataPut
from .custom_steps import BackwardPath, tensor_over
from .recorded_history import recorded_passes
from .sizes import known_values, size_texts, sized_history

if TYPE_CHECKING:
    from ....guards.sources import Source
    from ....runtime.deferred_writes import Later
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.inputs import Input
    from ...tracing.trace import Trace
    from ..autograd.sparse_lookup import SparseLookup


_ONCE_ONLY = "a custom autograd.Function or a hook that has no second derivative in compiled code, before a graph break"
"""Behind the break, the program may ask for one."""


@dataclass(frozen=True)
class OutsideBackward:
    """A history, with what the entry code hands to it at each call: texts of saved values and of where gradients go.

    roots: which of the results it is the history of.   name: the variable that will hold them.
    sizes: of the values of symbols, where sizes are symbolic.
    """

    history: NodeHistory | SizedHistory
    roots: tuple[int, ...]
    name: str
    values: tuple[str, ...]
    leaves: tuple[str, ...]
    sizes: tuple[str, ...] = ()


@dataclass(eq=False)
class _Group:
    """Results with one history: their numbers, the nodes that save something for them, the results they depend on."""

    members: list[int]
    saving: set[Node]
    needs: set[int]

    def join(self, other: _Group) -> None:
        self.members = sorted([*self.members, *other.members])
        self.saving |= other.saving
        self.needs = (self.needs | other.needs).difference(self.members)


@dataclass(frozen=True)
class _Results:
    """All results that have a history: their nodes, and the expressions for those that are made already, by number."""

    tensors: Sequence[TensorValue]
    nodes: Sequence[Node]
    texts: dict[int, str]

    def made(self, node: Node) -> int | None:
        """The number of the result that is made already and has this node."""
        return next((place for place in self.texts if self.nodes[place] is node), None)


def reach_outside(
    trace: Trace, writer: EntryWriter, tensors: Sequence[TensorValue], name: str
) -> Iterator[OutsideBackward]:
    """The histories of the results, each after those it depends on; what has to be saved becomes outputs of the plan.

    name: what the names of their variables begin with. See Note [Results that depend on results].
    Errors: a break where a saved value is written by the call, or a leaf was made in it.
    """
    rely_on_pair(trace)
    with trace.recording():
        results = _Results(tensors, [each.read() for each in tensors], {})
    for node in results.nodes:
        visited = history(trace, node)
        check_saved(trace, visited)
        _refuse_written(trace, visited)
    groups = list(_in_order(_groups(trace, results.nodes)))
    for group in groups:
        _refuse_observed(trace, [results.nodes[place] for place in group.members], writer.goes_on)
    for number, group in enumerate(groups):
        variable = f"{name}_{number}__"
        yield _outside(trace, writer, results, group.members, variable, alone=len(groups) == 1)
        results.texts.update((place, f"{variable}[{k}]") for k, place in enumerate(group.members))


def _refuse_written(trace: Trace, visited: set[Node]) -> None:
    """Errors: a break where memory from outside is saved that the call has written: a later write would not be seen.

    So it is for memory that the call has given to a tensor from outside.
    """
    taken = {put.memory.array.storage: put.owner for put in trace.effects.pending.values() if isinstance(put, DataPut)}
    for node in visited.difference(trace.tape.steps):
        for storage, _ in trace.tape.saved.get(node, ()):
            if storage.input is not None and storage.version:
                raise WRITE_NEEDED.stop(name=storage.input.source, as_it_was="")
            if storage in taken:
                raise WRITE_NEEDED.stop(name=f"{taken[storage]}, by setting its .data", as_it_was="")


def _refuse_observed(trace: Trace, nodes: Sequence[Node], all_of_them: bool) -> None:
    """Errors: a break where a hook is on a result of which another one is made that has the same history.

    all_of_them: whether each is taken for one with a hook, since the program goes on with it.
    """
    for node in nodes if len(nodes) > 1 else ():
        asked = all_of_them or is_observed(trace, node)
        if asked and any(node in history(trace, each) for each in nodes if each is not node):
            raise TENSOR_FEATURE.stop(feature="a hook on a result from which another result is computed")


def _groups(trace: Trace, nodes: Sequence[Node]) -> list[_Group]:
    """The results, those together whose histories save the same value."""
    groups: list[_Group] = []
    for place, node in enumerate(nodes):
        others = {each for each in nodes if each is not node}
        own = history(trace, node, others)
        steps = trace.tape.steps
        read = {operand for each in own for operand in operands(each, steps)} & others
        saving = {each for each in own if trace.tape.saved.get(each)}
        saving |= {steps[each].outputs[0] for each in own if each in steps}
        group = _Group([place], saving, {k for k, each in enumerate(nodes) if each in read})
        for each in groups:
            if each.saving & saving:
                group.join(each)
        groups = [each for each in groups if not each.saving & saving]
        groups.append(group)
    return groups


def _in_order(groups: list[_Group]) -> Iterator[_Group]:
    """Each group after those it needs; groups that need each other as one."""
    made: set[int] = set()
    while groups:
        ready = next((each for each in groups if each.needs <= made), None)
        if ready is None:
            first = groups.pop()
            next(each for each in groups if not first.needs.isdisjoint(each.members)).join(first)
            continue
        groups.remove(ready)
        made.update(ready.members)
        yield ready


def _outside(
    trace: Trace, writer: EntryWriter, results: _Results, members: list[int], variable: str, *, alone: bool
) -> OutsideBackward:
    """The history of the results `members`, which will be found in `variable`. alone: the call has no other one."""
    roots = [results.nodes[place] for place in members]
    ends = [*trace.tape.leaves, *(results.nodes[place] for place in results.texts)]
    program = tuple(trace.builder.inputs), tuple(trace.builder.nodes)
    taped = Taped(*program, tuple(ends), trace.tape.recorded, trace.tape.steps, marks(trace))
    results_given = tuple(writer.nodes)
    as_saved, static = bool(taped.marks) and writer.goes_on, static_inputs(trace)
    hooks = packer(trace, {*results_given, *results.nodes}, as_saved=as_saved)
    way = BackwardPath(trace, writer, roots, ends, alone)
    read = marked(trace, taped)
    step = backward_step(
        taped, roots, writer.nodes, static=static, read=read, pack=hooks, as_saved=as_saved, way=way.passing()
    )
    reached = [ends[place] for place in step.pair.reached]
    edges = [*reached, *way.silent(reached)]
    handed = _saved(trace, writer, step.pair, results, members, way)
    given, fetched = way.split_inputs(step.pair.later)
    for each in given:
        handed.add(each.source.behind_plan.text(writer.pool), _as_argument(each), by_reference=True)
    handed.layouts += map(_as_argument, fetched)
    step = _in_order_of(step, [each.node for each in (*given, *fetched)])
    later = _later(trace, writer, way, taped, step, given, fetched, edges)
    for write in later.writes if later is not None else ():
        handed.layouts[write.place] = replace(handed.layouts[write.place], writeable=True)
    leaves = tuple(_leaf(trace, writer, results, node) for node in edges)
    tensors = [results.tensors[place] for place in members]
    versions = tuple((each.root.counter or each.root).bumps for each in tensors)
    strides = [_strides(trace, node) for node in reached]
    backend = trace.backend.with_identity(identity(trace, BACKWARD, split=True))
    inlined, places = rely_on_pair(trace), tuple(handed.places)

    def history_of(backward_pass: BackwardPass) -> NodeHistory:
        return NodeHistory(backward_pass, places, versions, inlined=inlined, later=later)

    made: NodeHistory | SizedHistory
    if trace.facts.sizes.symbols:
        made = sized_history(trace, step, handed.layouts, strides, history_of, backend)
        writer.histories.append(made)
        compiled = made.at(known_values(trace)).backward_pass.backward.graph
    else:
        made = history_of(whole_backward_pass(step, handed.layouts, strides, backend))
        compiled = made.backward_pass.backward.graph
    mode = "all" if as_saved else config.saved_tensors_hooks_filtering_mode
    writer.aot.append(AotRecord(step.pair, results_given, mode, frozenset(static), compiled))
    return OutsideBackward(made, tuple(members), variable, tuple(handed.values), leaves, size_texts(trace, writer))


def _later(
    trace: Trace,
    writer: EntryWriter,
    way: BackwardPath,
    taped: Taped,
    step: DoubleBackwardStep,
    given: Sequence[Input],
    fetched: Sequence[Input],
    edges: Sequence[Node],
) -> Later | None:
    """The effects of the backward pass besides gradients; None where it has none.

    Errors: a break where the program goes on, and such a pass cannot be made twice.
    """
    numbers = {node: k for k, node in enumerate((*step.pair.saved, *step.pair.later))}
    later = way.later(numbers, fetched, edges)
    if later is None:
        return None
    recorded = None if trace.facts.sizes.symbols else recorded_passes(way, taped, step, (*given, *fetched))
    if recorded is None and writer.goes_on:
        way.leave_to_python(TENSOR_FEATURE.stop(feature=_ONCE_ONLY))
    return replace(later, recorded=recorded)


def _in_order_of(step: DoubleBackwardStep, later: Sequence[Node]) -> DoubleBackwardStep:
    """A backward pass whose own inputs come in this order."""
    pair = step.pair
    saved, others = len(pair.saved), len(pair.saved) + len(pair.later)
    inputs = pair.backward.inputs
    backward = replace(pair.backward, inputs=(*inputs[:saved], *later, *inputs[others:]))
    return replace(step, pair=replace(pair, backward=backward, later=tuple(later)))


def _leaf(trace: Trace, writer: EntryWriter, results: _Results, node: Node) -> str:
    """The expression for the tensor that a gradient goes to."""
    place = results.made(node)
    if place is not None:
        return results.texts[place]
    root = trace.tape.leaves[node]
    if root.lookup is not None:
        known = writer.name_of(root.lookup)
        return known or edge_text(writer, root.lookup, _looked_up(trace, writer, root.lookup))
    if root.real is None or root.source is None:
        raise TENSOR_FEATURE.stop(feature="a gradient for a tensor that is made inside")
    return root.source.text(writer.pool)


def _looked_up(trace: Trace, writer: EntryWriter, lookup: SparseLookup) -> str:
    """The expression for the indices of a sparse lookup, as a node saves them."""
    node = lookup.node
    entry = next((each for each in trace.inputs.entries if each.node is node), None)
    if entry is not None and not lookup.indices.array.path:
        return _handed_over(trace, writer, entry)
    return writer.plain[node][0] if node in writer.plain else _counted(trace, writer, node)


def _strides(trace: Trace, node: Node) -> tuple[int, ...]:
    """The layout in memory of the gradient of a leaf."""
    leaf = trace.tape.leaves.get(node)
    wanted = leaf_strides(leaf) if leaf is not None else None
    return wanted if wanted is not None and len(wanted) == len(node.shape) else contiguous_strides(node.shape)


@dataclass(eq=False)
class _HandedOver:
    """The values that a call hands over to its backward pass.

    values:  the expressions for them.
    places:  for each input of the pass, its place among the values, or the result that it is.
    layouts: for each input of the pass, how it lies in memory.
    """

    values: list[str] = field(default_factory=list)
    places: list[int | SavedOutput | Reference] = field(default_factory=list)
    layouts: list[InputLayout] = field(default_factory=list)

    def add(self, text: str, layout: InputLayout, *, by_reference: bool) -> None:
        """Adds a value. by_reference: it is kept as it is, and not as a saved tensor."""
        place = len(self.values)
        self.values.append(text)
        self.places.append(Reference(place) if by_reference else place)
        self.layouts.append(layout)


def _saved(
    trace: Trace, writer: EntryWriter, pair: Pair, results: _Results, members: list[int], way: BackwardPath
) -> _HandedOver:
    """The values that the backward pass of the results `members` has saved."""
    roots = [results.nodes[place] for place in members]
    written, entries = _written_memory(trace, way), {each.node: each for each in trace.inputs.entries}
    handed = _HandedOver()
    for node, origin in zip(pair.saved, pair.origins, strict=True):
        entry = entries.get(node)
        draws = entry is not None and entry.kind in KINDS
        if node in roots and not draws and origin.kind != "input" and node not in written:
            root = roots.index(node)
            handed.places.append(SavedOutput(root))
            handed.layouts.append(InputLayout("array", node.type, results.tensors[members[root]].strides))
            continue
        if draws:
            # The call passes a generator; what backward draws again, it draws with what this call has taken of it.
            text, layout = writer.extra_array(node), InputLayout("array", node.type, ())
        elif origin.kind == "input":
            assert entry is not None
            text, layout = _handed_over(trace, writer, entry), _as_argument(entry)
        elif node in written:
            memory, source = written[node]
            text, layout = source.text(writer.pool), _as_argument(memory)
        else:
            text, layout = _made_value(trace, writer, results, node)
        handed.add(text, layout, by_reference=way.is_unversioned(node))
    return handed


def _made_value(trace: Trace, writer: EntryWriter, results: _Results, node: Node) -> tuple[str, InputLayout]:
    """The expression for a value that the call has made, and how it lies in memory."""
    made = results.made(node)
    if made is not None:
        return results.texts[made], InputLayout("array", node.type, results.tensors[made].strides)
    if node in writer.plain:
        name, tensor = writer.plain[node]
        return name, InputLayout("array", node.type, tensor.strides)
    return _counted(trace, writer, node), InputLayout("array", node.type, contiguous_strides(node.shape))


def _counted(trace: Trace, writer: EntryWriter, node: Node) -> str:
    """The text for a value that the plan gives for backward alone; a write to what it stands for is one to it."""
    text, meant = writer.extra_array(node), trace.tape.stands.get(node)
    root = None if meant is None else meant.root.counter or meant.root
    if root is None or root.real is None or root.source is None:
        return text
    return f"{writer.pool.add(counted_with)}({text}, {root.source.text(writer.pool)})"


def _written_memory(trace: Trace, way: BackwardPath) -> dict[Node, tuple[Input, Source]]:
    """By the value that it holds at the end: memory of tensors from outside that the call writes, and the tensors.

    Only that which custom functions keep: of any other, the value is kept, and not the memory.
    """
    found: dict[Node, tuple[Input, Source]] = {}
    for storage in trace.inputs.storages:
        root = tensor_over(storage)
        if storage.input is not None and storage.version and root is not None and root.source is not None:
            if storage.node in way.exact:
                found[storage.node] = storage.input, root.source
    return found


def _as_argument(entry: Input) -> InputLayout:
    return InputLayout("array" if entry.kind == LIFTED else entry.kind, entry.node.type, entry.strides)


def _handed_over(trace: Trace, writer: EntryWriter, entry: Input) -> str:
    for storage in trace.inputs.storages:
        if storage.input is not entry:
            continue
        if storage.version:
            raise WRITE_NEEDED.stop(name=entry.source, as_it_was=" as it was")
        for root in storage.roots:
            if root.real is not None and root.source is not None and root.storage is storage:
                return root.source.text(writer.pool)  # type: ignore[no-any-return]
    return entry.source.behind_plan.text(writer.pool)


remember_by(CUTS)

__all__ = ["OutsideBackward", "reach_outside"]
