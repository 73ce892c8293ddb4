"""One branch on the data of tensors: what is evaluated there becomes a graph of its own."""

# Note [Nodes of a branch]
# All that a branch computes belongs to it, also of values from before: it is done only if the branch is taken. Views of
# memory from before, and the aliases of leaves, are made before the branch: they cost nothing, and readers remember
# them. What readers remember of a branch's own nodes is forgotten at its end.

from __future__ import annotations

from typing import TYPE_CHECKING

from ....core.records import dataclass
from ....graph.builder import GraphBuilder
from ....graph.node import Graph, Location, Node
from ....graph.passes.dce import drop_dead_nodes, may_raise
from ....ops.activations import ALIAS
from ....ops.call_outs import CALL_OUT
from ....ops.regions import REGION
from ....ops.registry import Movement, OpDef
from ...breaks import PART_CHANGE, PART_RAISES
from ...tracing.speculation import unsupported_in_region
from ...values.arrays.array import Storage
from ...values.base import MutableValue
from ...values.containers.iterators import made_in
from ..purity import TraceSnapshot
from ..snapshot import BranchTarget, FrameSnapshot
from .subgraph import Subgraph, SubgraphBuilder

if TYPE_CHECKING:
    from ...interpreter.frame import Frame
    from ...tracing.trace import Trace


class BranchBuilder(SubgraphBuilder):
    """Collects the nodes of a branch. See Note [Nodes of a branch]."""

    def add(self, op: OpDef, *inputs: Node, location: Location | None = None, **attrs: object) -> Node:
        if inputs and self.own.isdisjoint(inputs) and op is not ALIAS and not isinstance(op.lower, Movement):
            node = GraphBuilder.add(self, op, *inputs, location=location, **attrs)
            self.own.add(node)
            return node
        return super().add(op, *inputs, location=location, **attrs)


class BranchEvaluation(Subgraph):
    """The graph of a branch in the making, and what the frame holds at its end.

    known: the memory from before the branch.   handling: the exception that is being handled around it.
    """

    is_loop = False

    def __init__(self, trace: Trace) -> None:
        super().__init__(trace, 1)
        self.builder: BranchBuilder = BranchBuilder(trace.builder)
        self.known: set[Storage] = set()

    def is_new(self, storage: Storage) -> bool:
        """Whether the branch has made this memory."""
        return storage not in self.known and storage.input is None

    def graph(self, results: list[Node]) -> tuple[Graph, dict[Node, Node]]:
        """The graph with these results, and its inputs by the nodes from outside that they stand for."""
        graph, operands = self.finished(results)
        graph = drop_dead_nodes(graph)
        read = {*graph.outputs, *(each for node in graph.nodes for each in node.inputs)}
        inputs = {outer: node for outer, node in zip(operands, graph.inputs, strict=True) if node in read}
        return Graph(tuple(inputs.values()), graph.nodes, graph.outputs), inputs


@dataclass
class BranchEnd:
    """The end of a branch: its graph in the making, and what the frame holds behind it."""

    branch: BranchEvaluation
    frame: FrameSnapshot


def evaluated(frame: Frame, target: BranchTarget, join_point: int | None) -> BranchEnd:
    """One branch, evaluated up to where it meets the other one, or to its return; the frame is as it was before.

    Errors: a break for one that does more than compute with tensors.
    """
    trace, branch = frame.trace, BranchEvaluation(frame.trace)
    before, handling = FrameSnapshot.of(frame), frame.handling
    state = TraceSnapshot.of(trace)
    branch.known = set(state.storages)
    trace.iterations.append(branch)
    try:
        with (
            trace.into(branch.builder),
            made_in(branch),
            MutableValue.changes_only_of_new(PART_CHANGE),
        ):
            frame.position = target.position
            if target.kept is not None:
                frame.push(target.kept)
            _run(frame, join_point)
            if frame.handling is not handling:
                raise unsupported_in_region("an exception that is being handled where the arms meet")
            state.check(trace)
            _check_nodes(branch)
            return BranchEnd(branch, FrameSnapshot.of(frame))
    finally:
        trace.iterations.pop()
        before.restore(frame)
        state.put_modes(trace)
        _forget(branch)


def _run(frame: Frame, join_point: int | None) -> None:
    while frame.position != join_point:
        frame.step()
        if frame.yielded is not None:
            raise unsupported_in_region("a `yield`")
        if frame.returned is not None:
            if join_point is not None:
                raise unsupported_in_region("an arm that returns where the other one goes on")
            return


def _check_nodes(branch: BranchEvaluation) -> None:
    """Errors: a break for nodes that no branch may hold."""
    for node in branch.builder.nodes:
        if node.op in (REGION, CALL_OUT) or may_raise(node):
            raise PART_RAISES.stop()
        if not node.type.size:
            raise unsupported_in_region("a tensor without elements")
    if not branch.builder.own.isdisjoint(branch.trace.tape.leaves):
        raise unsupported_in_region("a new leaf")


def _forget(branch: BranchEvaluation) -> None:
    """Lets readers of memory from before forget the branch's nodes."""
    own = branch.builder.own
    for storage in branch.trace.inputs.storages:
        if branch.is_new(storage):
            continue
        for kept in (storage.reads, *(each for root in storage.roots for each in (root._nodes, root._reads))):
            for key in [key for key, node in kept.items() if node in own]:
                del kept[key]
