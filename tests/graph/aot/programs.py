"""Random smooth programs of float64 values, for tests of gradients."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

from guardlift.core import dtypes
from guardlift.core.types import TensorType
from guardlift.graph.aot.emitter import GraphEmitter
from guardlift.graph.builder import GraphBuilder
from guardlift.graph.interpreter import run_reference
from guardlift.graph.node import Graph, Location, Node
from guardlift.graph.passes.rewrite import with_operands
from guardlift.ops import OPS
from guardlift.ops.registry import PLACEHOLDER

Array = np.ndarray[Any, Any]
SHAPES = [(), (3,), (2, 3), (1, 3), (3, 2), (0, 3), (2, 1, 2)]
LARGEST = 40


@dataclass(frozen=True)
class Program:
    """A forward trace: some of its inputs and nodes are leaves, some nodes are constants to autograd."""

    inputs: tuple[Node, ...]
    nodes: tuple[Node, ...]
    leaves: tuple[Node, ...]
    roots: tuple[Node, ...]
    recorded: frozenset[Node]

    def graph(self) -> Graph:
        return Graph(self.inputs, self.nodes, self.roots)


@dataclass
class Trace:
    """A program in the making."""

    draw: Callable[..., Any]
    f: GraphEmitter

    def pick(self, accept: Callable[[Node], bool] = lambda node: True) -> Node | None:
        builder = self.f.builder
        values = [node for node in (*builder.inputs, *builder.nodes) if node.type.dtype is dtypes.float64]
        found = [node for node in values if accept(node)]
        return self.draw(st.sampled_from(found)) if found else None

    def of_shape(self, shape: tuple[int, ...]) -> Node:
        """A value of that shape."""
        found = self.pick(lambda node: node.shape == shape)
        return found or self.f.apply(OPS["full"], value=0.5, shape=shape, dtype=dtypes.float64)


def _region(trace: Trace, shape: tuple[int, ...]) -> dict[str, tuple[int, ...]]:
    parts = []
    for extent in shape:
        size = trace.draw(st.integers(0, extent))
        step = trace.draw(st.sampled_from([1, -1, *([2] if 2 * size - 1 <= extent else [])]))
        span = max(size - 1, 0) * abs(step)
        low = trace.draw(st.integers(0, max(extent - 1 - span, 0)))
        parts.append((low if step > 0 else low + span, size, step))
    starts, sizes, steps = zip(*parts, strict=True) if parts else ((), (), ())
    return {"starts": starts, "sizes": sizes, "steps": steps}


def _unary(t: Trace, x: Node) -> None:
    t.f.apply(OPS[t.draw(st.sampled_from(["sin", "cos", "tanh", "negative"]))], x)


def _binary(t: Trace, x: Node) -> None:
    def fits(node: Node) -> bool:
        try:
            return int(np.prod(np.broadcast_shapes(node.shape, x.shape))) <= LARGEST
        except ValueError:
            return False

    other = t.pick(fits)
    op = OPS[t.draw(st.sampled_from(["add", "subtract", "multiply"]))]
    t.f.apply(op, *t.draw(st.permutations([x, other, 0.75]))[:2])


def _reduce(t: Trace, x: Node) -> None:
    axes = t.draw(st.sets(st.integers(0, x.type.rank - 1))) if x.type.rank else set()
    t.f.sum(x, axes=tuple(sorted(axes)))


def _reshape(t: Trace, x: Node) -> None:
    t.f.reshape(x, shape=t.draw(st.sampled_from([(x.type.size,), (1, x.type.size), x.shape])))


def _permute(t: Trace, x: Node) -> None:
    t.f.permute(x, axes=tuple(t.draw(st.permutations(range(x.type.rank)))))


def _expand(t: Trace, x: Node) -> None:
    if x.type.rank < 3 and x.type.size * 2 <= LARGEST:
        t.f.expand(x, shape=(2, *x.shape))


def _slice(t: Trace, x: Node) -> None:
    t.f.slice(x, **_region(t, x.shape))


def _slice_store(t: Trace, x: Node) -> None:
    region = _region(t, x.shape)
    t.f.slice_store(x, t.of_shape(region["sizes"]), **region)


def _cat(t: Trace, x: Node) -> None:
    if x.type.rank and x.type.size * 3 <= LARGEST:
        others = [t.of_shape(x.shape) for _ in range(t.draw(st.integers(0, 2)))]
        t.f.cat(x, *others, axis=t.draw(st.integers(0, x.type.rank - 1)))


def _pad(t: Trace, x: Node) -> None:
    if x.type.rank == 1 and x.type.size < LARGEST:
        t.f.pad(x, before=(1,), after=(2,), value=0.5)


def _where(t: Trace, x: Node) -> None:
    t.f.where(t.f.less(t.of_shape(x.shape), 0.1), x, t.draw(st.sampled_from([t.of_shape(x.shape), 0.25])))


def _take(t: Trace, x: Node) -> None:
    if x.type.rank and x.shape[0]:
        places = t.f.remainder(t.f.arange(start=0, step=2, size=3, dtype=dtypes.int64), x.shape[0])
        if x.type.size * 3 <= LARGEST:
            t.f.take(x, places, axis=0)


def _gather(t: Trace, x: Node) -> None:
    if x.type.rank and x.shape[-1]:
        t.f.gather(x, t.f.full(value=-1, shape=x.shape, dtype=dtypes.int64), axis=x.type.rank - 1)


def _matmul(t: Trace, x: Node) -> None:
    if x.type.rank == 2:
        t.f.matmul(x, t.of_shape((x.shape[1], 2)))


def _composite(t: Trace, x: Node) -> None:
    name = t.draw(
        st.sampled_from(["alias", "sigmoid", "silu", "gelu", "softmax", "log_softmax", "mean", "var", "linear"])
    )
    last = (x.type.rank - 1,)
    if name in ("alias", "sigmoid", "silu"):
        t.f.apply(OPS[name], x)
    elif name == "gelu":
        t.f.gelu(x, approximate=t.draw(st.sampled_from(["none", "tanh"])))
    elif x.type.rank and 0 not in x.shape:
        if name in ("softmax", "log_softmax"):
            t.f.apply(OPS[name], x, axis=last[0])
        elif name == "mean":
            t.f.mean(x, axes=last)
        elif name == "var":
            t.f.var(x, axes=last, correction=0)
        elif x.type.rank == 2:
            bias = [t.of_shape((3,))] if t.draw(st.booleans()) else []
            t.f.linear(x, t.of_shape((3, x.shape[1])), *bias)


EXACT = [_unary, _binary, _binary, _binary, _where]
"""Steps that, over operands of one shape, sum nothing: their gradients have one value, and one order of adding up."""
STEPS = [
    _composite,
    _composite,
    _unary,
    _binary,
    _binary,
    _reduce,
    _reshape,
    _permute,
    _expand,
    _slice,
    _slice_store,
    _cat,
    _pad,
    _where,
    _take,
    _gather,
    _matmul,
]


@st.composite
def programs(
    draw: Callable[..., Any],
    max_steps: int = 10,
    steps: Sequence[Callable[[Trace, Node], None]] = STEPS,
    shapes: Sequence[tuple[int, ...]] = SHAPES,
) -> Program:
    """A program; leaves are inputs and perhaps a node, a few nodes are not recorded."""
    builder = GraphBuilder()
    for number, shape in enumerate(draw(st.lists(st.sampled_from(shapes), min_size=1, max_size=3))):
        builder.input(TensorType(shape, dtypes.float64), f"x{number}")
    trace = Trace(draw, GraphEmitter(builder))
    for number, step in enumerate(draw(st.lists(st.sampled_from(steps), max_size=max_steps))):
        trace.f.location = Location("program.py", number, "f")
        chosen = trace.pick()
        assert chosen is not None
        step(trace, chosen)
    values = [node for node in (*builder.inputs, *builder.nodes) if node.type.dtype is dtypes.float64]
    leaves = draw(st.lists(st.sampled_from(values), min_size=1, max_size=2, unique_by=id))
    roots = [draw(st.sampled_from(values[len(values) // 2 :])) for _ in range(draw(st.integers(1, 3)))]
    dropped = set(draw(st.lists(st.sampled_from(values), max_size=1)))
    return Program(
        tuple(builder.inputs),
        tuple(builder.nodes),
        tuple(dict.fromkeys([*builder.inputs[:1], *leaves])),
        tuple(roots),
        frozenset(set(builder.nodes) - dropped),
    )


def arrays(shapes: list[tuple[int, ...]], seed: int) -> list[Array]:
    """Values of ordinary size."""
    rng = np.random.default_rng(seed)
    return [np.asarray(rng.uniform(-1.2, 1.2, shape)) for shape in shapes]


def run(inputs: list[Node], nodes: list[Node], outputs: list[Node], given: list[Array]) -> list[Array]:
    return run_reference(Graph(tuple(inputs), tuple(nodes), tuple(outputs)), given)


def perturbed(program: Program) -> tuple[Graph, list[Node]]:
    """The program with an offset added to each leaf where autograd sees the leaf, and the inputs for the offsets.

    A node that is not recorded, and what only it reads, sees the leaf without its offset: to autograd it is constant.
    """
    offsets = {leaf: Node(PLACEHOLDER, (), leaf.type, (), "offset") for leaf in program.leaves}
    plain: dict[Node, Node] = {}
    moved: dict[Node, Node] = {}
    nodes: list[Node] = []

    def place(node: Node) -> Node:
        nodes.append(node)
        return node

    for node in (*program.inputs, *program.nodes):
        plain[node] = node if node.is_input else place(with_operands(node, tuple(plain[n] for n in node.inputs)))
        moved[node] = plain[node]
        if node in offsets:
            moved[node] = place(Node(OPS["add"], (plain[node], offsets[node]), node.type))
        elif node in program.recorded:
            changed = with_operands(node, tuple(moved[n] for n in node.inputs))
            moved[node] = plain[node] if changed is node or changed.inputs == plain[node].inputs else place(changed)
    inputs = (*program.inputs, *offsets.values())
    return Graph(inputs, tuple(nodes), tuple(moved[root] for root in program.roots)), list(offsets.values())
