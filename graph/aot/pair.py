"""Splits a forward trace into two graphs, for a backward that is asked for from outside.

::

    graph(%x: f64[3]) {                      forward: the same, and returns %0, %1 (%1 is the output)
      %0 = exp(%x) : f64[3]          =>      backward:
      %1 = sin(%0) : f64[3]                  graph(%0: f64[3], %tangent_0: f64[3]) {
      return %1                                %1 = cos(%0) : f64[3]
    }                                          %2 = multiply(%tangent_0, %1) : f64[3]
                                               %3 = multiply(%2, %0) : f64[3]
                                               return %3
                                             }
"""

# Note [Hooks in a pair]
# What a derivative rule reads of an operation under inlined saved-tensor hooks is marked with the number of the pair
# (see `ops.saved`). The partition does not see the marks: it decides what is kept. Then each kept value that is read
# through a mark, directly or by what is computed again from it, has a version for the pair: what unpack makes of what
# pack made of it. The forward graph gives what pack made, and the backward graph begins with what unpack does, just
# before the first node that reads it. A value that is read without a mark as well has two versions.

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import field
from itertools import chain
from typing import Literal

from ...core.records import dataclass
from ...ops.activations import ALIAS
from ...ops.registry import PLACEHOLDER
from ...ops.saved import SAVED
from ..builder import GraphBuilder
from ..node import Graph, Node, Write
from ..passes.rewrite import with_operands
from .custom_nodes import Steps
from .emitter import GraphEmitter
from .packing import Pack, Packed, packed_as_before
from .partition import Partition, partition
from .placement import raised
from .vjp import Hook, Read, gradients


@dataclass(frozen=True, slots=True)
class Origin:
    """The place of the value of a saved node: it is the array of graph input `place`, or forward output `place`."""

    kind: Literal["input", "output"]
    place: int


@dataclass(frozen=True, slots=True)
class Pair:
    """A forward graph and the backward graph that belongs to it.

    forward:  outputs are those asked for, then the saved values that are neither an input nor asked for anyway.
    backward: inputs are the saved values, those that only it has, then one tangent for each root; outputs are the
        gradients of the leaves that were reached. It writes what the steps on the way have written.
    saved:    what the backward graph reads of the forward one, each once: inputs first, then nodes in program order.
    origins:  where each of `saved` is found after a run of the forward graph.
    reached:  the places of those leaves.
    copies:   what stands in the backward graph for a node of the trace: for what is saved, and for what is made again.
    partition: what was decided to keep, before any hooks.
    packings: what hooks have packed of it.
    outcome:  what the backward graph is made of.
    later:    the inputs that only the backward graph has.
    stepped:  whether there are steps on the way that are no op.
    taped:    whether what these did is on the tape, so that the backward graph can be differentiated.
    unseen:   what they, and saved-tensor hooks, have made in the backward graph that autograd did not see.
    marked:   what stands in the backward graph for a value that is read under the pair of hooks of this number.
    """

    forward: Graph
    backward: Graph
    saved: tuple[Node, ...]
    origins: tuple[Origin, ...]
    reached: tuple[int, ...]
    copies: Mapping[Node, Node]
    partition: Partition
    packings: tuple[Packed, ...]
    outcome: _BackwardOutcome
    later: tuple[Node, ...] = ()
    stepped: bool = False
    taped: bool = False
    unseen: frozenset[Node] = frozenset()
    marked: Mapping[tuple[Node, int], Node] = field(default_factory=dict)

    @property
    def packed(self) -> bool:
        """Whether hooks have packed some of what is kept."""
        return bool(self.packings)

    def packed_as_before(self) -> Pack:
        """A function that packs for another backward pass over the same forward graph as this one has packed."""
        return packed_as_before(self.packings)

    def plain(self) -> tuple[Graph, tuple[Node, ...]]:
        """The backward graph as it were without hooks, and what that reads of the forward one."""
        backward, graph, _ = self.outcome.split(None)
        return graph, backward.saved(self.outcome.order)


@dataclass(eq=False)
class OnTheWay:
    """The parts of a backward pass that are no ops, and their effects.

    steps:   the steps of the tape, by their outputs.   before: a function that hears of each node before its rule runs.
    hooks:   the functions that replace what arrives at a node.
    exact:   values that are saved as they are, and of which only views are made again: a reader may write their memory.
    written: a function that gives, at the end, each write to memory: the forward value for it, and its last value.
    taped:   whether autograd records what steps and hooks do.   unseen: a set that takes the nodes it does not see.
    effects: a list that takes backward nodes which are kept whether or not the results depend on them.
    """

    steps: Steps = field(default_factory=dict)
    before: Callable[[Node], None] | None = None
    hooks: Mapping[Node, Hook] = field(default_factory=dict)
    exact: Collection[Node] = ()
    written: Callable[[], Sequence[Write]] = tuple
    taped: bool = False
    unseen: set[Node] = field(default_factory=set)
    effects: list[Node] = field(default_factory=list)


def make_pair(
    inputs: Sequence[Node],
    nodes: Sequence[Node],
    outputs: Sequence[Node],
    roots: Sequence[Node],
    leaves: Sequence[Node],
    recorded: Container[Node],
    writes: Sequence[Write] = (),
    *,
    static: Collection[Node] = (),
    read: Read | None = None,
    pack: Pack | None = None,
    kept: Partition | None = None,
    as_saved: bool = False,
    way: AbstractContextManager[OnTheWay | None] | None = None,
) -> Pair:
    """The two graphs of a forward trace.

    inputs, nodes, outputs, writes: the trace. roots: the nodes that will be given tangents. leaves, recorded, read: see
    `gradients`. static: the inputs whose memory is there in any case. pack: what saved-tensor hooks make of a kept
    value; the nodes it makes go into the forward graph by way of `Pair.saved`. kept: what another pair of the same
    trace keeps, if this one is to keep no more. as_saved: what is read under hooks is kept as it is, and not made
    again, so that hooks pack what operations have saved. way: a context of the backward pass, which says what it meets
    besides ops. A saved input is not copied; if the program writes into it later, that is the concern of whoever keeps
    it, as in eager mode.
    """
    builder = GraphBuilder()
    builder.inputs, builder.nodes = list(inputs), list(nodes)
    tangents = [_input(root, f"tangent_{number}") for number, root in enumerate(roots)]
    starts = zip(roots, tangents, strict=True)
    f = GraphEmitter(builder)
    with way or nullcontext() as entered:
        met = entered or OnTheWay()
        found = gradients(f, starts, leaves, recorded, read=read, steps=met.steps, before=met.before, hooks=met.hooks)
        late = tuple(met.written())
    reached = tuple(place for place, leaf in enumerate(leaves) if leaf in found)
    results = [found[leaves[place]] for place in reached]
    forward, order = {*inputs, *nodes}, (*inputs, *nodes)
    ends = [*results, *(each.value for each in late), *(each.target for each in late), *met.effects]
    after = _needed([node for node in builder.nodes if node not in forward], ends)
    wanted = forward.intersection(chain(ends, *(node.inputs for node in after)))
    read_under_hooks = {node.inputs[0] for node in after if node.op is SAVED} if as_saved else set()
    exact = read_under_hooks.union(met.exact)
    decided = kept or partition(inputs, nodes, wanted, materialised=set(outputs), static=static, exact=exact)
    outcome = _BackwardOutcome(order, set(decided.kept), after, results, late, builder.inputs[len(inputs) :], tangents)
    backward, graph, later = outcome.split(pack)
    saved = backward.saved(order)
    unseen = frozenset(copy for (node, _), copy in backward.versions.items() if node in met.unseen)
    whole, origins = _forward_graph(inputs, nodes, outputs, writes, saved, backward.packings)
    return Pair(
        whole,
        graph,
        saved,
        origins,
        reached,
        copies={node: copy for (node, pair), copy in backward.versions.items() if pair is None and node in forward},
        partition=decided,
        packings=tuple(backward.packings),
        outcome=outcome,
        later=later,
        stepped=entered is not None,
        taped=met.taped,
        unseen=unseen.union(backward.unseen),
        marked=backward.marked,
    )


def _forward_graph(
    inputs: Sequence[Node],
    nodes: Sequence[Node],
    outputs: Sequence[Node],
    writes: Sequence[Write],
    saved: tuple[Node, ...],
    packings: Sequence[Packed],
) -> tuple[Graph, tuple[Origin, ...]]:
    """The forward graph of a trace, which also gives what is saved; and the places of the saved values."""
    packed = _with_packs(nodes, packings)
    read_by_hooks = (each for node in packed for each in node.inputs)
    given = tuple(dict.fromkeys((*inputs, *(each for each in (*read_by_hooks, *saved) if each.is_input))))
    origins, extra = _origins(saved, given, outputs)
    return Graph(given, tuple(packed), (*outputs, *extra), tuple(writes)), origins


def _input(like: Node, name: str) -> Node:
    return Node(PLACEHOLDER, (), like.type, (), name, like.location)


def _needed(nodes: Sequence[Node], results: Iterable[Node]) -> list[Node]:
    """The nodes among `nodes`, given in program order, that the results depend on."""
    among = set(nodes)
    needed: set[Node] = set()
    waiting = list(results)
    while waiting:
        node = waiting.pop()
        if node in among and node not in needed:
            needed.add(node)
            waiting.extend(node.inputs)
    return [node for node in nodes if node in needed]


def _with_packs(nodes: Sequence[Node], packings: Iterable[Packed]) -> list[Node]:
    """The forward nodes with what packs values, right behind these."""
    packs = dict.fromkeys(node for each in packings for node in each.pack)
    known = set(nodes)
    return raised([*nodes, *(node for node in packs if node not in known)], packs)


@dataclass(frozen=True, slots=True, eq=False)
class _BackwardOutcome:
    """The outcome of a backward pass.

    order: the forward values in program order.   kept: those that are kept.   after: the nodes of the pass.
    results, writes: what the backward graph gives and writes.   later: inputs that only the pass has.
    """

    order: tuple[Node, ...]
    kept: set[Node]
    after: list[Node]
    results: list[Node]
    writes: tuple[Write, ...]
    later: list[Node]
    tangents: list[Node]

    def split(self, pack: Pack | None) -> tuple[_PairBackward, Graph, tuple[Node, ...]]:
        """The backward graph with these hooks, what was made for it, and the inputs that only it has."""
        backward = _PairBackward(set(self.order), self.kept, pack)
        gradients_, writes = backward.made_of(self.after, self.results, self.writes)
        loads = tuple(backward.loaded[node] for node in backward.saved(self.order))
        later = tuple(node for node in self.later if (node, None) in backward.versions)
        return backward, Graph((*loads, *later, *self.tangents), tuple(backward.nodes), gradients_, writes), later


class _PairBackward:
    """The backward graph in the making. See Note [Hooks in a pair].

    loaded:   the saved nodes, and the input that stands for each.
    versions: what stands for a node that is read under hooks of this number, or under none.
    packings: what hooks have packed.
    marked:   of `versions`, those that are read under a pair.
    unseen:   the nodes that were made for a version under a pair.
    """

    def __init__(self, forward: Collection[Node], kept: Collection[Node], pack: Pack | None) -> None:
        self.forward = forward
        self.kept = kept
        self.pack = pack
        self.nodes: list[Node] = []
        self.loaded: dict[Node, Node] = {}
        self.versions: dict[tuple[Node, int | None], Node] = {}
        self.packings: list[Packed] = []
        self.marked: dict[tuple[Node, int], Node] = {}
        self.unseen: set[Node] = set()

    def made_of(
        self, nodes: Iterable[Node], results: Iterable[Node], writes: Iterable[Write]
    ) -> tuple[tuple[Node, ...], tuple[Write, ...]]:
        """The results and the writes, in this graph. nodes: all that they depend on."""
        for node in nodes:
            if node.op is not SAVED:  # what stands for a mark is made where it is read
                self.version(node, None)
        made = tuple(self.version(node, None) for node in results)
        late = tuple(Write(self.version(each.target, None), self.version(each.value, None)) for each in writes)
        return made, late

    def saved(self, trace: Iterable[Node]) -> tuple[Node, ...]:
        """The saved nodes in the order of the trace.

        What hooks packed comes after all that the trace made, in the order in which backward needs it.
        """
        order = {node: k for k, node in enumerate(trace)}
        return tuple(sorted(self.loaded, key=lambda node: order.get(node, len(order))))

    def version(self, node: Node, pair: int | None) -> Node:
        """The node that stands for `node` in the backward graph, under the pair of hooks of this number or under none.

        Values are made just before they are read first. What is computed again may be long: there is no recursion.
        """
        waiting = [(node, pair)]
        while waiting:
            asked = waiting[-1]
            if asked in self.versions:
                waiting.pop()
                continue
            missing = [each for each in self._operands(*asked) if each not in self.versions]
            if missing:
                waiting.extend(reversed(missing))
                continue
            waiting.pop()
            self.versions[asked] = self._made(*asked)
        return self.versions[node, pair]

    def _operands(self, node: Node, pair: int | None) -> list[tuple[Node, int | None]]:
        """The versions that this one is made of."""
        if node.op is SAVED:
            mark = node.attr("pair")
            assert isinstance(mark, int)
            return [(node.inputs[0], mark)]
        if node in self.kept:
            return []
        return [(operand, pair if node in self.forward else None) for operand in node.inputs]

    def _made(self, node: Node, pair: int | None) -> Node:
        operands = tuple(self.versions[each] for each in self._operands(node, pair))
        if node.op is SAVED:
            ((value, mark),) = self._operands(node, pair)
            assert mark is not None
            self.marked[value, mark] = operands[0]
            return operands[0]
        if node in self.kept or (node.is_input and node in self.forward):
            return self._kept(node, pair)
        if node.is_input:
            return node  # a tangent, or what only backward has
        made = with_operands(node, operands)
        self.nodes.append(made)
        if pair is not None:
            self.unseen.add(made)
        return made

    def _kept(self, node: Node, pair: int | None) -> Node:
        packing = self.pack(node, pair) if pair is not None and self.pack is not None else None
        if packing is None or pair is None:
            return self._load(node)
        new: dict[Node, Node] = {}
        needed = _needed(packing.nodes, [packing.value])
        inner = set(needed)
        read = dict.fromkeys(self._behind(each) for one in needed for each in one.inputs if each not in inner)
        if packing.value not in inner:
            read[self._behind(packing.value)] = None
        unpack = tuple(needed)
        self.packings.append(Packed(node, pair, packing.pack, tuple(read), unpack, packing.value, packing.parts))
        for each in needed:
            made = with_operands(each, tuple(new.get(operand) or self._load(operand) for operand in each.inputs))
            self.nodes.append(made)
            self.unseen.add(made)
            new[each] = made
        if packing.value in new:
            return new[packing.value]
        loaded = self._load(packing.value)
        if self._behind(packing.value) is node:
            return loaded
        # It stands for `node`, whose history is another one than that of the value that unpack gave.
        made = Node(ALIAS, (loaded,), loaded.type, (), "", loaded.location)
        self.nodes.append(made)
        self.unseen.add(made)
        return made

    def _behind(self, node: Node) -> Node:
        """The node whose very value a node of a hook gives: the hook may have given back what it was given."""
        while node.op is ALIAS and node not in self.forward:
            node = node.inputs[0]
        return node

    def _load(self, node: Node) -> Node:
        node = self._behind(node)
        if node not in self.loaded:
            self.loaded[node] = _input(node, node.name)
        return self.loaded[node]


def _origins(
    saved: Iterable[Node], inputs: Sequence[Node], outputs: Sequence[Node]
) -> tuple[tuple[Origin, ...], list[Node]]:
    """The place of each saved value, and the outputs that the forward graph has to give for that."""
    known = {node: Origin("output", place) for place, node in reversed(list(enumerate(outputs)))}
    known.update((node, Origin("input", place)) for place, node in enumerate(inputs))
    extra: list[Node] = []
    origins = []
    for node in saved:
        if node not in known:
            known[node] = Origin("output", len(outputs) + len(extra))
            extra.append(node)
        origins.append(known[node])
    return tuple(origins), extra
