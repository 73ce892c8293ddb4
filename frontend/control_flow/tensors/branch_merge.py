"""The join point of two branches on data: what both have left, and what stands for that behind them."""

# Note [Computed again in a branch]
# `if norm > 1: x = x / norm` gives gradients to x in both branches, and to norm in one. To norm, in the other branch,
# no gradient may go, not even zeros. Since norm is computed of x, it is computed once more in the branch, which then
# reads x alone, as the other does. Where a branch reads a leaf that the other does not, that does not help.

# Note [One of two]
# Where both branches make a tensor, there is a new one behind the branch, as there is in eager mode. Where a branch
# leaves a tensor that was there before (`if norm > 1: x = x / norm`), the name stands for that very object, or for a
# new one. What only reads it does not care. So it may be read as long as nobody has written what it may be; it is not
# written itself, its identity is not asked, and it leaves the call only if what it may be does not. Where one of these
# would happen the trace is made anew, and the branch breaks the graph.

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, NoReturn

from ....backend.cpu.plan.extents import is_dense
from ....core import dtypes
from ....core.records import dataclass
from ....graph.aot.conds import keeping, uneven
from ....graph.aot.reach import has_rule, reached
from ....graph.bodies import BRANCHES, encode, lies_elsewhere
from ....graph.node import Graph, Node
from ....graph.passes.dce import may_raise
from ....ops.conds import COND, COND_RESULT
from ....ops.loops import LOOP_RESULT
from ....ops.registry import PLACEHOLDER, Structural
from ....tensor import Tensor
from ...breaks import ARM_FORM, ARM_GRADIENTS, ARM_VALUE, PART_ALIAS, PART_BINDING, PART_MODE, PART_WRITE
from ...tracing.nodes import constant_node
from ...tracing.speculation import LoopKey, unsupported_in_region
from ...values.arrays.array import ArrayValue, Storage, result
from ...values.arrays.view_steps import FakeArray, fake_of
from ...values.base import Value
from ...values.constant import Constant
from ...values.containers.sequences import TupleValue
from ...values.numbers.computed import ComputedNumber
from ...values.tensors.autograd_identity import AutogradIdentity
from ...values.tensors.inference_mode import is_inference, origin, rely_on_plain
from ...values.tensors.tensor import TensorValue
from ..snapshot import Key, described, merged
from .branch_evaluation import BranchEnd, BranchEvaluation
from .loop_carried import is_float, made_anew, number_node
from .subgraph import is_tracked

if TYPE_CHECKING:
    from ...tracing.trace import Trace

MOST_RECOMPUTED = 64
"""Operations from before a branch that its branches compute once more, at most."""
Made = Callable[[Sequence[Node]], Value]
"""A function that makes the value that stands for two, given the nodes of the cond's results."""


@dataclass
class _Pair:
    """Two tensors that one stands for behind the branch, one from each branch."""

    tensors: tuple[TensorValue, TensorValue]
    made: list[TensorValue] = field(default_factory=list)


class BranchMerge:
    """Two branches that have been evaluated, and what becomes of them.

    nodes: of each branch, what it gives.   pairs: the tensors among that, by their places.
    """

    def __init__(self, trace: Trace, key: LoopKey, ends: tuple[BranchEnd, BranchEnd], before: set[int]) -> None:
        self.trace, self.key, self.ends = trace, key, ends
        self.branches = ends[0].branch, ends[1].branch
        self.before = before
        """The identities of what the frame held before the branch."""
        self.nodes: tuple[list[Node], list[Node]] = ([], [])
        self.pairs: dict[int, _Pair] = {}
        self.again: list[Node] = []
        """The nodes from before the branch that the branches compute once more."""
        self._storages: tuple[dict[Storage, int], dict[Storage, int]] = ({}, {})

    # What the branches have left.
    def merged(self, key: Key, one: Value | None, other: Value | None) -> Made:
        """The function that makes one value of what both branches have left at a place. Errors: a break if none can."""
        return merged(key, one, other, self._leaf, self._check_tuples)

    def _check_tuples(self, key: Key, one: TupleValue, other: TupleValue) -> None:
        if any(each.source is not None or id(each) in self.before for each in (one, other)):
            raise unsupported_in_region(f"{described(key)}, which is another tuple in one arm")

    def _leaf(self, key: Key, one: Value | None, other: Value | None) -> Made:
        name = described(key)
        if one is None or other is None:
            raise PART_BINDING.stop(name=name, binds="only one arm binds")
        if isinstance(one, TensorValue) and isinstance(other, TensorValue):
            return self._tensor(name, one, other)
        for kind, holds in ((dtypes.float64, is_float), (dtypes.bool_, _is_bool)):
            if holds(one) and holds(other):
                return self._number(one, other, kind is dtypes.bool_)
        if isinstance(one, TensorValue) or isinstance(other, TensorValue):
            raise ARM_VALUE.stop(name=name, what="is a tensor in one arm only")
        raise ARM_VALUE.stop(name=name, what=f"is {one.describe()} or {other.describe()}")

    def _number(self, one: Value, other: Value, is_bool: bool) -> Made:
        place = len(self.nodes[0])
        for branch, nodes, value in zip(self.branches, self.nodes, (one, other), strict=True):
            with self.trace.into(branch.builder):
                if is_bool and isinstance(value, Constant):
                    nodes.append(constant_node(self.trace, value.value, (), dtypes.bool_))
                else:
                    nodes.append(number_node(self.trace, value))
        return lambda nodes: ComputedNumber(result(self.trace, nodes[place], is_numpy_scalar=True))

    def _tensor(self, name: str, one: TensorValue, other: TensorValue) -> Made:
        known = [place for place, pair in self.pairs.items() if pair.tensors == (one, other)]
        if known:
            return lambda nodes: self._made(known[0], nodes)
        if one.kind is not Tensor:
            raise unsupported_in_region(f"{name}, which is a {one.kind.__name__}")
        for value in (one, other):
            if not is_inference(value.root):
                rely_on_plain(self.trace, value.root)
            elif origin(value.root).real is not None:
                raise unsupported_in_region(f"{name}, an inference tensor from before the call")
        differ = [what for what, a, b in zip(_FORM, _form(one), _form(other), strict=True) if a != b]
        if differ:
            raise ARM_FORM.stop(name=name, form=differ[0])
        place = len(self.nodes[0])
        for branch, nodes, storages, value in zip(self.branches, self.nodes, self._storages, (one, other), strict=True):
            storage, new = value.array.storage, branch.is_new(value.array.storage)
            if value.root.detached or value.root.view is not None or new and not _is_dense(value):
                raise PART_ALIAS.stop(what=f"{name}, which is a view")
            if value.requires_grad and (value.is_leaf or not self.trace.tape.enabled):
                raise unsupported_in_region(
                    f"{name}, which requires grad, and whose history begins with it or is not kept"
                )
            if storage in storages:
                raise PART_ALIAS.stop(what=f"{name}, which shares memory with another variable in one arm")
            storages[storage] = place
            with self.trace.into(branch.builder):
                nodes.append(value.read())
        self.pairs[place] = _Pair((one, other))
        return lambda nodes: self._made(place, nodes)

    def _made(self, place: int, nodes: Sequence[Node]) -> TensorValue:
        """The tensor at a place, once for all names that it has."""
        pair = self.pairs[place]
        if not pair.made:
            like, old = pair.tensors[0], self._old(pair)
            pair.made.append(merged_tensor(self.trace, nodes[place], like, old, self.key))
        return pair.made[0]

    def _old(self, pair: _Pair) -> Versions:
        """The memory, with its version, of each tensor from before that this one may be, by merges within as well."""
        found: dict[tuple[Storage, int], None] = {}
        for branch, value in zip(self.branches, pair.tensors, strict=True):
            storage = value.array.storage
            found.update(dict.fromkeys(storage.may_be if branch.is_new(storage) else may_be(storage, storage.version)))
        return tuple(found)

    # The node.
    def finish(self, test: Node) -> list[Node]:
        """The nodes of the results. Errors: a break where no gradient could go back through them as in eager mode."""
        self._check_distinct()
        graphs, operands, tracked = self._even_graphs()
        if any(lies_elsewhere([test, *operands], graph) for graph in graphs):
            raise unsupported_in_region("results on several devices")
        if self.trace.tape.enabled:
            self._check_history(graphs, tracked)
        seen, kept = len(self.nodes[0]), 0
        if tracked:
            graphs, kept = keeping(graphs, tracked)
        branches = {name: encode(graph) for name, graph in zip(BRANCHES, graphs, strict=True)}
        cond = self.trace.add(COND, test, *operands, kept=kept, **branches)
        types = [node.type for node in graphs[0].outputs]
        made = [
            self.trace.add(COND_RESULT, cond, index=index, shape=type.shape, dtype=type.dtype)
            for index, type in enumerate(types)
        ]
        return made[:seen] if not tracked else made

    def _check_distinct(self) -> None:
        """Errors: a break where two of the tensors that a branch leaves may be one."""
        for storages in self._storages:
            if any(other in storages for storage in storages for other, _ in storage.may_be):
                raise PART_ALIAS.stop(what="two tensors that may be one")

    def note_saved(self, nodes: Sequence[Node]) -> None:
        """Notes what backward relies on: memory that either branch saves, from before or of what the branch gives."""
        found: dict[tuple[Storage, int], None] = {}
        for number, branch in enumerate(self.branches):
            given = {pair.tensors[number].array.storage: pair.made[0] for pair in self.pairs.values() if pair.made}
            for node in (*branch.builder.nodes, *self.again):
                for storage, version in self.trace.tape.saved.get(node, ()):
                    if not branch.is_new(storage):
                        found[storage, version] = None
                    elif storage.version != version:
                        raise PART_WRITE.stop(memory="what is saved for backward")
                    elif storage in given:
                        made = given[storage].array.storage
                        found[made, made.version] = None
        if found:
            self.trace.tape.saved.update((node, tuple(found)) for node in nodes)

    def _graphs(self) -> tuple[tuple[Graph, Graph], list[Node]]:
        """The branches, over the same operands."""
        made = [branch.graph(nodes) for branch, nodes in zip(self.branches, self.nodes, strict=True)]
        operands = list(dict.fromkeys(node for _, inputs in made for node in inputs))
        graphs = []
        for graph, inputs in made:
            taken = tuple(inputs.get(node) or Node(PLACEHOLDER, (), node.type, (), node.name) for node in operands)
            graphs.append(Graph(taken, graph.nodes, graph.outputs))
        return (graphs[0], graphs[1]), operands

    def _even_graphs(self) -> tuple[tuple[Graph, Graph], list[Node], set[int]]:
        """The branches, their operands, and the numbers of those through which gradients go: in both branches, or in
        none.

        See Note [Computed again in a branch]. Errors: a break where they cannot be made so.
        """
        trace, order = self.trace, _program_order(self.trace)
        while True:
            graphs, operands = self._graphs()
            tracked = self._tracked(operands)
            odd = uneven(graphs, tracked)
            if not odd:
                return graphs, operands, tracked
            node = max((operands[k] for k in odd), key=lambda node: order.get(node, -1))
            if len(self.again) >= MOST_RECOMPUTED or not _is_plain(trace, node):
                raise ARM_GRADIENTS.stop()
            self.again.append(node)
            for branch in self.branches:
                branch.builder.cheap.add(node)

    def _tracked(self, operands: Sequence[Node]) -> set[int]:
        """The numbers of the operands through which gradients go."""
        if not self.trace.tape.enabled:
            return set()
        ends = {node for each in self.trace.iterations for node in each.tracked}
        return {
            k
            for k, node in enumerate(operands)
            if node.type.dtype.is_differentiable and is_tracked(self.trace, node, ends)
        }

    def _check_history(self, graphs: tuple[Graph, Graph], tracked: set[int]) -> None:
        """Errors: a break where gradients would go another way than in eager mode."""
        wanted = {place for place, pair in self.pairs.items() if pair.tensors[0].requires_grad}
        if wanted != {place for place, each in enumerate(reached(graphs[0])) if each & tracked}:
            raise PART_MODE.stop(mode="a part of which no history is kept")
        for branch, nodes in zip(self.branches, self.nodes, strict=True):
            _check_recorded(branch, [nodes[place] for place in wanted])


def _program_order(trace: Trace) -> dict[Node, int]:
    """The number of each node so far."""
    nodes: list[Node] = []
    for each in trace.iterations:
        nodes += each.builder.outer.nodes
    return {node: k for k, node in enumerate((*nodes, *trace.builder.nodes))}


def _is_plain(trace: Trace, node: Node) -> bool:
    """Whether a branch may compute a node once more, and a gradient pass it there as it does outside."""
    tape = trace.tape
    known = node in tape.leaves or node in tape.hooks or node in tape.steps or node in tape.freed
    made = bool(node.inputs) and not isinstance(node.op.lower, Structural) and not may_raise(node)
    return made and node in tape.recorded and not known


def _check_recorded(branch: BranchEvaluation, results: Sequence[Node]) -> None:
    """Errors: a break where a gradient of a result would pass through a node that the tape has not seen."""
    recorded, own = branch.trace.tape.recorded, branch.builder.own
    met: set[Node] = set()
    waiting = list(results)
    while waiting:
        node = waiting.pop()
        if node in met or node not in own or not node.inputs:
            continue
        met.add(node)
        if node not in recorded:
            raise PART_MODE.stop(mode="a part of which no history is kept")
        if node.op in (LOOP_RESULT, COND_RESULT):
            waiting.extend(each for holder in node.inputs for each in holder.inputs)
        waiting.extend(each for place, each in enumerate(node.inputs) if has_rule(node, place))


_OF_TAPE = ("requires_grad", "kind of leaf", "grad mode", "version", "inference mode")
_FORM = ("shape", "dtype", "strides", "class", "device", *_OF_TAPE)


def _form(value: TensorValue) -> tuple[Any, ...]:
    bumps = (value.root.counter or value.root).bumps
    flags = value.requires_grad, value.is_leaf, value.blind, bumps, is_inference(value.root)
    return value.shape, value.dtype, value.strides, value.kind, value.device, *flags


def _is_dense(value: TensorValue) -> bool:
    """Whether its elements lie side by side, as those of a tensor do that owns its memory."""
    return not value.array.path or is_dense(value.shape, value.strides, 1)


def _is_bool(value: Value) -> bool:
    if isinstance(value, Constant):
        return type(value.value) is bool
    return type(value) is ComputedNumber and value.python_type is bool


Versions = tuple[tuple[Storage, int], ...]


class MergedStorage(Storage):
    """The memory of a tensor that may be one of others. See Note [One of two].

    may_be: these, with their versions when the branch was evaluated.   key: the branch.
    """

    def __init__(self, trace: Trace, node: Node, fake: FakeArray, may_be: Versions, key: LoopKey) -> None:
        self._trace, self._node, self._key = trace, node, key
        super().__init__(node, fake)
        self.may_be = may_be
        for storage, _ in may_be:
            storage.merged.append(self)

    @property
    def known_node(self) -> Node:
        """Its value, whatever has become of what it may be."""
        return self._node

    @property
    def node(self) -> Node:  # type: ignore[override]
        self.check()
        return self._node

    @node.setter
    def node(self, node: Node) -> None:
        if node is not self._node:
            self.refuse("a write into a tensor that one arm has left as it was")

    def check(self) -> None:
        """Errors: `Restart` where what it may be has been written since."""
        if any(storage.version != version for storage, version in self.may_be):
            self.refuse("a write into a tensor that one arm has left as it was")

    def refuse(self, what: str) -> NoReturn:
        """Errors: `Restart`, always: its branch is not to be one node."""
        self._trace.speculation.not_cond[self._key] = PART_ALIAS.stop(what=what)
        raise made_anew(self._trace)


def merged_tensor(trace: Trace, node: Node, like: TensorValue, may_be: Versions, key: LoopKey) -> TensorValue:
    """The tensor behind a branch that holds `node`; `like` is what one branch left, and may not be what the other
    did.
    """
    from ....tensor import Tensor

    fake = fake_of(node.type, like.strides)
    storage = MergedStorage(trace, node, fake, may_be, key) if may_be else Storage(node, fake)
    trace.inputs.storages.append(storage)
    root = AutogradIdentity(storage, like.requires_grad, not like.requires_grad, inference=is_inference(like.root))
    root.bumps = (like.root.counter or like.root).bumps
    storage.roots.append(root)
    made = TensorValue(trace, ArrayValue(storage, (), fake), root, Tensor)
    made.blind = like.blind
    return made


def may_be(storage: Storage, version: int) -> Versions:
    """A memory with its version, and what it may be itself."""
    return ((storage, version), *storage.may_be)
