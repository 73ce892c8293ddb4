"""Graphs, and backward passes, with symbolic sizes, written once more with numbers in their place.

::

    %1 = expand(%0, shape=(x.shape[0], 2)) : f32[x.shape[0], 2]   =>   %1 = expand(%0, shape=(5, 2)) : f32[5, 2]
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.dtypes import DType
from ...core.records import dataclass, replace
from ...core.sizes import Facts, FloatOf, Size, at_values, float_of, structure
from ...core.types import TensorType
from ...ops.creation import FULL
from ...ops.movement import EXPAND
from ..builder import GraphBuilder
from ..node import Graph, Node, Write
from ..passes.rewrite import with_operands

if TYPE_CHECKING:
    from .double_backward import DoubleBackwardStep
    from .packing import Packed
    from .pair import Pair


class Specializer:
    """Writes nodes with these values in the place of symbols; each node once.

    numbers: the nodes it has written for constants that depend on sizes.
    """

    def __init__(self, facts: Facts, values: Sequence[int]) -> None:
        self._facts = facts
        self._atoms = facts.atom_values(values)
        self._made: dict[Node, Node] = {}
        self.numbers: set[Node] = set()

    def ask(self) -> None:
        """Have facts whose values are sizes of other facts rely on all that the facts of these symbols rely on."""
        for terms, known in self._facts.relied.items():
            value: Any = self._facts.value_of(terms, self._atoms)
            known.ask(value)

    def value(self, value: Any) -> Any:
        """A type, or a value with sizes in it, also in tuples."""
        if isinstance(value, TensorType):
            return value.with_shape(self.value(value.shape))
        if isinstance(value, FloatOf):
            return float_of(self.value(value.size))
        if type(value) is tuple:
            return tuple(map(self.value, value))
        return at_values(value, self._facts, self._atoms)

    def node(self, node: Node) -> Node:
        """The specialized node that stands for a node. Graphs are deep: there is no recursion."""
        waiting = [node]
        while waiting:
            asked = waiting[-1]
            missing = [each for each in asked.inputs if each not in self._made]
            waiting.extend(missing)
            if not missing:
                waiting.pop()
                if asked not in self._made:
                    self._made[asked] = self._written(asked)
        return self._made[node]

    def nodes(self, nodes: Iterable[Node]) -> tuple[Node, ...]:
        """The specialized nodes that stand for several nodes."""
        return tuple(map(self.node, nodes))

    def _written(self, node: Node) -> Node:
        inputs = tuple(self._made[each] for each in node.inputs)
        attrs = tuple((name, self.value(value)) for name, value in node.attrs)
        made = replace(node, inputs=inputs, type=self.value(node.type), attrs=attrs)
        if node.op is FULL and isinstance(node.attr("value"), (FloatOf, Size)):
            self.numbers.add(made)
        return made

    def graph(self, graph: Graph) -> Graph:
        """The graph with numbers in the place of its symbolic sizes."""
        writes = tuple(Write(self.node(each.target), self.node(each.value)) for each in graph.writes)
        return Graph(self.nodes(graph.inputs), self.nodes(graph.nodes), self.nodes(graph.outputs), writes)

    def step(self, step: DoubleBackwardStep) -> DoubleBackwardStep:
        """The backward pass with numbers in the place of its symbolic sizes.

        Its pair is specialized as far as double backward needs it; how it came about is left as it was.
        """
        taped = step.taped
        recorded = {self.node(node) for node in (*taped.inputs, *taped.nodes) if node in taped.recorded}
        specialized = replace(
            taped,
            inputs=self.nodes(taped.inputs),
            nodes=self.nodes(taped.nodes),
            leaves=self.nodes(taped.leaves),
            recorded=recorded,
            steps={},
            marks={
                self.node(node): (number, {name: self.node(value) for name, value in named.items()})
                for node, (number, named) in taped.marks.items()
            },
        )
        return replace(step, taped=specialized, roots=self.nodes(step.roots), pair=self._pair(step.pair))

    def _pair(self, pair: Pair) -> Pair:
        return replace(
            pair,
            forward=self.graph(pair.forward),
            backward=self.graph(pair.backward),
            saved=self.nodes(pair.saved),
            copies={self.node(node): self.node(copy) for node, copy in pair.copies.items()},
            partition=replace(pair.partition, kept=self.nodes(pair.partition.kept), verdicts=()),
            later=self.nodes(pair.later),
            packings=tuple(map(self._packed, pair.packings)),
            unseen=frozenset(map(self.node, pair.unseen)),
            marked={(self.node(node), number): self.node(made) for (node, number), made in pair.marked.items()},
        )

    def _packed(self, packed: Packed) -> Packed:
        return replace(
            packed,
            node=self.node(packed.node),
            pack=self.nodes(packed.pack),
            kept=self.nodes(packed.kept),
            unpack=self.nodes(packed.unpack),
            value=self.node(packed.value),
            parts=(),
        )


@dataclass(frozen=True, slots=True)
class SpecializedNumber:
    """A number that an input is given: an int, a float, or made of sizes."""

    value: Any
    dtype: DType

    @property
    def whole(self) -> Any:
        """The size that it is the float of, if it is one."""
        return self.value.size if isinstance(self.value, FloatOf) else self.value

    def array(self) -> np.ndarray[Any, Any]:
        """The memory for it."""
        return np.array(self.value, self.dtype.numpy)


def with_numbers(graph: Graph, constants: Collection[Node]) -> tuple[Graph, tuple[SpecializedNumber, ...]]:
    """The graph in which these constants, `full` nodes, are further inputs; and the numbers those are given.

    ::

        %1 = full(value=5.0, shape=(2,)) : f32[2]   =>   %1 = expand(%number_0, shape=(2,)) : f32[2]
    """
    builder = GraphBuilder()
    made: dict[Node, Node] = {node: node for node in graph.inputs}
    given: dict[tuple[Any, Any], Node] = {}
    numbers: list[SpecializedNumber] = []
    for node in graph.nodes:
        if node not in constants:
            made[node] = with_operands(node, tuple(made[each] for each in node.inputs))
            builder.nodes.append(made[node])
            continue
        value: Any = node.attr("value")
        whole = value.size if isinstance(value, FloatOf) else value
        key = (type(value), structure(whole)), node.type.dtype
        if key not in given:
            numbers.append(SpecializedNumber(value, node.type.dtype))
            given[key] = builder.input(TensorType((), node.type.dtype), f"number_{len(given)}")
        made[node] = builder.add(EXPAND, given[key], location=node.location, shape=node.shape)
    if not given:
        return graph, ()
    told = Graph(
        (*graph.inputs, *given.values()),
        tuple(builder.nodes),
        tuple(made[each] for each in graph.outputs),
        tuple(Write(made[each.target], made[each.value]) for each in graph.writes),
    )
    return told, tuple(numbers)
