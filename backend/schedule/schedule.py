"""The choice of values that are stored, of their places, and of the kernels that compute them: the walk over a graph.

Nodes are walked in program order. Pointwise, movement and creation nodes stay *virtual*: expressions that whoever needs
them evaluates. Reductions, products, joins, outputs and values that are dear and needed in several kernels are
*realised*: they get a place in memory and become a root of a group (see `groups`).
"""

from __future__ import annotations

from ...core.errors import GraphError
from ...core.types import TensorType
from ...graph.node import Graph, Node
from ...loop_ir.ir import SEARCHED
from ...ops.registry import Indexed, Movement, Pointwise, Reduction
from ..call_layout import CallLayout
from ..evaluate.buffers import Buffer, BufferView, dense_view
from ..evaluate.expressions import Evaluator, is_whole_store
from ..evaluate.index_algebra import Domain
from . import attention, conds, loops, regions, scans  # noqa: F401 (which register what schedules their steps)
from .calls import REALISED, RESULTS
from .checks import VIRTUAL, to_be_checked
from .final_writes import finish_writes
from .foreach import find_flat, realise_flat, stored_by_foreach, visit_flat
from .groups import CompileBody, GroupRoot, Schedule, add_root, alone, temporary
from .hazards import share_homes
from .joins import realise_cat, realise_pad, realise_scatter, realise_store
from .matmul import realise_product
from .scattered_writes import scatters_in_place
from .stored_values import DEAR, computed_again, cost_of
from .window_products import realise_window_product

DEEPEST = 48
"""Virtual nodes on one path: bounds recursion and the size of one kernel."""
DEEPEST_NUMBER = 4
"""Virtual nodes on one path of values of one element.

A value that follows from those before it, step by step in a loop that was unrolled, is so stored every few steps, and
the kernels of the steps are alike."""
ROUNDS = 3
SMALL_SHARE = 8
"""A value is small when the largest one of the graph has this many times its elements."""


def schedule_graph(graph: Graph, layout: CallLayout, compile_body: CompileBody) -> Schedule:
    """The groups of `graph` in order of execution. A first pass finds the values that several kernels would compute;
    those that are dear are stored in the next. compile_body: compiles the bodies of its loops and branches."""
    forced: frozenset[Node] = frozenset()
    for _ in range(ROUNDS - 1):
        schedule = _pass(graph, layout, compile_body, forced)
        found = computed_again(schedule) - forced
        if not found:
            return schedule
        forced |= found
    return _pass(graph, layout, compile_body, forced)


def _pass(graph: Graph, layout: CallLayout, compile_body: CompileBody, forced: frozenset[Node]) -> Schedule:
    schedule = _start(graph, layout, compile_body, forced)
    find_flat(schedule)
    share_homes(schedule)
    for node in graph.inputs:
        _copy_to_outputs(schedule, node)
    for node in schedule.order:
        schedule.now = schedule.order[node]
        if not node.is_input:
            visit(schedule, node)
    schedule.now = len(schedule.order)
    finish_writes(schedule)
    return schedule


def _start(graph: Graph, layout: CallLayout, compile_body: CompileBody, forced: frozenset[Node]) -> Schedule:
    inputs = tuple(Buffer("input", i, node.type.dtype) for i, node in enumerate(graph.inputs))
    results: dict[Node, list[BufferView]] = {}
    outputs: list[Buffer | None] = []
    for j, output in enumerate(layout.outputs):
        outputs.append(None)
        if output.kind in ("fresh", "scalar"):
            assert output.node is not None
            node = graph.outputs[output.node]
            outputs[j] = Buffer("output", j, node.type.dtype, node.type.size)
            strides = output.strides if output.kind == "fresh" else ()
            results.setdefault(node, []).append(BufferView(outputs[j], node.shape, strides))  # type: ignore[arg-type]
    checked = to_be_checked(graph)
    live = _live(graph, {*results, *checked})
    nodes = scalars_first([node for node in graph.nodes if node in live])
    order = {node: k for k, node in enumerate((*graph.inputs, *nodes))}
    users: dict[Node, list[int]] = {node: [] for node in order}
    for node, position in order.items():
        for operand in node.inputs:
            users[operand].append(position)
    for k, write in enumerate(graph.writes):
        users[write.value].append(len(order) + k)
    aliases = _aliases(graph, inputs, layout)
    schedule = Schedule(
        graph,
        layout,
        list(order),
        order,
        users,
        results,
        aliases,
        inputs,
        tuple(outputs),
        forced | checked,
        compile_body,
    )
    for node, buffer, entry in zip(graph.inputs, inputs, layout.inputs, strict=True):
        schedule.places[node] = BufferView(
            buffer, node.shape, entry.strides if entry.kind in ("array", "lifted") else ()
        )
        schedule.depth[node] = 0
    return schedule


def scalars_first(nodes: list[Node]) -> list[Node]:
    """The nodes with those in front that make a scalar of small values only, else in the same order.

    What the rows of a large kernel need (how many targets count) is known before that kernel then, which can do all
    that would come in two."""
    if any(isinstance(node.op.lower, Indexed) and node.op.lower.name in ("slice_store", "scatter") for node in nodes):
        return nodes  # their order says what memory may be overwritten
    bulk: dict[Node, int] = {}
    for node in nodes:
        bulk[node] = max(node.type.size, *(bulk.get(each, each.type.size) for each in node.inputs), 0)
    limit = max(bulk.values(), default=0) // SMALL_SHARE
    front: set[Node] = set()
    for node in reversed(nodes):
        if node in front or (node.type.size == 1 and bulk[node] <= limit):
            front.update((node, *node.inputs))
    return sorted(nodes, key=lambda node: node not in front)


def _live(graph: Graph, results: set[Node]) -> set[Node]:
    live: set[Node] = set()
    pending = [*results, *(write.value for write in graph.writes)]
    while pending:
        node = pending.pop()
        if node not in live:
            live.add(node)
            pending.extend(node.inputs)
    return live


def _aliases(graph: Graph, inputs: tuple[Buffer, ...], layout: CallLayout) -> dict[Buffer, frozenset[Buffer]]:
    """For each argument, those of which one is written and that may share memory with it."""
    given = zip(inputs, layout.inputs, strict=True)
    arrays = [buffer for buffer, entry in given if entry.kind == "array" and not entry.static_address]
    targets = {write.target for write in graph.writes}
    written = [buffer for buffer in arrays if graph.inputs[buffer.number] in targets]
    disjoint = layout.disjoint | {(j, i) for i, j in layout.disjoint}
    found: dict[Buffer, set[Buffer]] = {}
    for one in written:
        for other in arrays:
            if other is not one and (one.number, other.number) not in disjoint:
                found.setdefault(one, set()).add(other)
                found.setdefault(other, set()).add(one)
    return {one: frozenset(others) for one, others in found.items()}


def visit(schedule: Schedule, node: Node) -> None:
    """Realise `node` if it has to be; else note how deep its expression is."""
    lower = node.op.lower
    schedule.depth[node] = 1 + max((schedule.depth[each] for each in node.inputs), default=0)
    realise_step = REALISED.get(node.op.name)
    if realise_step is not None:
        realise_step(schedule, node)
        if node in schedule.places:
            schedule.depth[node] = 0
            _copy_to_outputs(schedule, node)
        return
    if node in schedule.places:  # the rounding of a product, which is stored with it
        schedule.depth[node] = 0
        _copy_to_outputs(schedule, node)
        return
    if node.type.size == 0 or visit_flat(schedule, node, DEEPEST):
        return
    if isinstance(lower, Reduction) and _needs_loop(node):
        realise_reduction(schedule, node)
    elif node.op.name == "matmul":
        if node.inputs[0].shape[-1] and not realise_window_product(schedule, node):
            realise_product(schedule, node)
    elif node.op.name in RESULTS:
        pass  # which got its place with what gives it
    elif isinstance(lower, Indexed) and lower.name not in VIRTUAL:
        _realise_indexed(schedule, node, lower.name)
    elif node in schedule.forced or schedule.depth[node] > _deepest(node) or _read_at_several_places(schedule, node):
        if not isinstance(lower, Movement) or node in schedule.targets:
            realise(schedule, node)
    if node in schedule.places:
        schedule.depth[node] = 0
    _copy_to_outputs(schedule, node)


def _deepest(node: Node) -> int:
    return DEEPEST if node.type.size > 1 else DEEPEST_NUMBER


def _needs_loop(node: Node) -> bool:
    source = node.inputs[0]
    axes = node.attr("axes")
    assert isinstance(axes, tuple)
    return source.type.size != 0 and any(source.shape[axis] != 1 for axis in axes)


_REALISE_INDEXED = {
    "cat": realise_cat,
    "pad": realise_pad,
    "slice_store": realise_store,
    "scatter": realise_scatter,
}


def _realise_indexed(schedule: Schedule, node: Node, name: str) -> None:
    if name == "slice_store" and is_whole_store(node) or scatters_in_place(schedule, node):
        return
    if name not in _REALISE_INDEXED:
        raise GraphError(f"the back end has no lowering called {name!r}")
    _REALISE_INDEXED[name](schedule, node)


def _copy_to_outputs(schedule: Schedule, node: Node) -> None:
    """Store `node` in the outputs that hold it and do not have it yet."""
    views = schedule.targets.get(node, [])
    if not views or node.type.size == 0 or node in schedule.delivered:
        return
    if node not in schedule.places:
        realise(schedule, node)
        return
    rest = [view for view in views if view.buffer is not schedule.places[node].buffer]
    for view in rest:
        add_root(schedule, GroupRoot(node, (view,)))


def result_views(schedule: Schedule, node: Node) -> tuple[BufferView, ...]:
    """The places to store `node` in: the outputs that hold it, else a new intermediate."""
    views = schedule.targets.get(node)
    return tuple(views) if views else (temporary(schedule, node.type),)


def realise(schedule: Schedule, node: Node) -> BufferView:
    """The place of `node`, which is computed and stored now if it had none."""
    if node in schedule.places:
        return schedule.places[node]
    if stored_by_foreach(schedule, node):
        return realise_flat(schedule, node)
    if node in schedule.sinks:
        realise(schedule, node.inputs[0])
    by_itself = None
    if node in schedule.targets:
        views = tuple(schedule.targets[node])
    elif node.type.size == 0:
        views = (temporary(schedule, node.type),)
    else:
        by_itself = alone(schedule, GroupRoot(node, (), node))
        if node in schedule.places:  # a reshape may have got a place on the way
            return schedule.places[node]
        views = (temporary(schedule, node.type, _natural_order(node, *by_itself)),)
    add_root(schedule, GroupRoot(node, views, node), by_itself=by_itself)
    schedule.delivered.add(node)
    schedule.depth[node] = 0
    return schedule.places.setdefault(node, views[0])


def _natural_order(node: Node, evaluator: Evaluator, domain: Domain) -> tuple[int, ...] | None:
    """The order of axes in which most of what `node`, evaluated alone, reads lies in memory; None for row-major."""
    if node.type.rank < 2 or len(domain.variables) != len(domain.dims):
        return None
    axes = [axis for axis, size in enumerate(node.shape) if size != 1]
    for _, place in sorted(evaluator.read, key=lambda entry: str(entry[1])):
        steps = [abs(place.coefficient(var)) for var in domain.variables]
        if len(steps) > 1 and all(steps) and len(set(steps)) == len(steps):
            fastest_last = sorted(range(len(steps)), key=lambda k: -steps[k])
            ones = [axis for axis, size in enumerate(node.shape) if size == 1]
            return (*ones, *(axes[k] for k in fastest_last))
    return None


def reduction_root(schedule: Schedule, node: Node, targets: tuple[BufferView, ...]) -> GroupRoot:
    """The root of a reduction; its axes are counted among those of size other than 1."""
    source = node.inputs[0]
    searched = node.op.name in SEARCHED
    scratch = temporary(schedule, TensorType(node.shape, source.type.dtype)) if searched else None
    axes = node.attr("axes")
    assert isinstance(axes, tuple)
    places = [axis for axis, size in enumerate(source.shape) if size != 1]
    combine = node.op.lower.combine  # type: ignore[union-attr]
    counted = tuple(k for k, axis in enumerate(places) if axis in axes)
    return GroupRoot(source, targets, node, None, combine, counted, scratch=scratch)


def realise_reduction(schedule: Schedule, node: Node) -> None:
    """Store a reduction."""
    views = result_views(schedule, node)
    add_root(schedule, reduction_root(schedule, node, views))
    schedule.places[node] = views[0]


def realise_reshape(schedule: Schedule, node: Node) -> None:
    """Give a reshape that no index arithmetic expresses a place: the dense memory of its operand, copied if need be."""
    source = node.inputs[0]
    dense = dense_view(Buffer("none", 0, source.type.dtype), source.shape).strides
    place = schedule.places.get(source)
    if place is None or place.strides != dense:
        place = temporary(schedule, source.type)
        add_root(schedule, GroupRoot(source, (place,), source if source not in schedule.places else None))
        schedule.places.setdefault(source, place)
    flat = dense_view(place.buffer, node.shape)
    schedule.places[node] = BufferView(place.buffer, node.shape, flat.strides, place.offset)


def _read_at_several_places(schedule: Schedule, node: Node) -> bool:
    """Whether several movements read a value that is not cheap to compute again at each place."""
    if not isinstance(node.op.lower, Pointwise) or len(schedule.users[node]) < 2:
        return False
    nodes = schedule.nodes
    moves = [k for k in set(schedule.users[node]) if k < len(nodes) and isinstance(nodes[k].op.lower, Movement)]
    if len(moves) < 2:
        return False
    cost, leaves = cost_of(schedule, node)
    return cost >= DEAR / 2 or leaves >= 2
