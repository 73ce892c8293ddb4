"""Adam over many parameters as one table of addresses: compile time of each stage, and time for each element.

python -P optimizer.py [tensors] [rows] [columns]
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from time import perf_counter

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # -P leaves this folder out

import numpy as np  # noqa: E402
from timing import Row, alternate, print_table, text  # noqa: E402

from guardlift.backend.compile import CallLayout, InputLayout, compile_graph  # noqa: E402
from guardlift.core import dtypes  # noqa: E402
from guardlift.core.types import TensorType, contiguous_strides  # noqa: E402
from guardlift.graph.builder import GraphBuilder  # noqa: E402
from guardlift.graph.node import Graph, Node, Write  # noqa: E402
from guardlift.graph.passes import run_passes  # noqa: E402
from guardlift.ops import OPS  # noqa: E402

BETA1, BETA2, EPS, RATE = 0.9, 0.999, 1e-8, 1e-3


@dataclass
class Adam:
    """One step over `shapes`: inputs are parameters, gradients, both moments, step counts, and the rate."""

    shapes: list[tuple[int, ...]]

    def __post_init__(self) -> None:
        self.builder = GraphBuilder()
        self.sizes = tuple(int(np.prod(shape)) for shape in self.shapes)
        self.total = sum(self.sizes)

    def add(self, name: str, *operands: Node, **attrs: object) -> Node:
        return self.builder.add(OPS[name], *operands, **attrs)

    def number(self, value: float, like: Node) -> Node:
        return self.add("full", value=value, shape=like.shape, dtype=like.type.dtype)

    def group(self, name: str) -> list[Node]:
        return [
            self.builder.input(TensorType(shape, dtypes.float32), f"{name}{k}") for k, shape in enumerate(self.shapes)
        ]

    def correction(self, step: Node, beta: float) -> Node:
        """1 - beta ** step, a number for each parameter."""
        power = self.add("power", self.number(beta, step), step)
        return self.add("subtract", self.number(1.0, step), power)

    def over(self, vector: Node) -> Node:
        return self.add("spread", self.add("cast", vector, dtype=dtypes.float32), sizes=self.sizes)

    def parts(self, targets: list[Node], flat: Node, sizes: tuple[int, ...]) -> list[Write]:
        starts = [0, *np.cumsum(sizes).tolist()]
        return [
            Write(target, self.add("segment", flat, start=start, shape=target.shape))
            for target, start in zip(targets, starts, strict=False)
        ]

    def moment(self, old: Node, new: Node, beta: float) -> Node:
        kept = self.add("multiply", old, self.number(beta, old))
        return self.add("add", kept, self.add("multiply", new, self.number(1.0 - beta, new)))

    def graph(self) -> Graph:
        """Reads and overwrites everything but gradients and the rate."""
        params, grads, firsts, seconds = (self.group(name) for name in ("p", "g", "m", "v"))
        counts = [self.builder.input(TensorType((), dtypes.float32), f"t{k}") for k in range(len(self.shapes))]
        rate = self.builder.input(TensorType((), dtypes.float64), "rate")
        p, g, m, v = (self.add("join", *group) for group in (params, grads, firsts, seconds))
        old = self.add("join", *counts)
        step = self.add("add", old, self.number(1.0, old))
        wide = self.add("cast", step, dtype=dtypes.float64)
        rates = self.add("expand", rate, shape=wide.shape)
        scale = self.over(self.add("divide", rates, self.correction(wide, BETA1)))
        root = self.over(self.add("sqrt", self.correction(wide, BETA2)))
        first = self.moment(m, g, BETA1)
        second = self.moment(v, self.add("multiply", g, g), BETA2)
        under = self.add("divide", self.add("sqrt", second), root)
        move = self.add("divide", first, self.add("add", under, self.number(EPS, under)))
        new = self.add("subtract", p, self.add("multiply", scale, move))
        writes = self.parts(params, new, self.sizes) + self.parts(firsts, first, self.sizes)
        writes += self.parts(seconds, second, self.sizes) + self.parts(counts, step, (1,) * len(counts))
        return self.builder.finish([], writes)


def arrays(shapes: list[tuple[int, ...]]) -> list[np.ndarray]:
    """Parameters, gradients, moments and step counts, each in memory of its own."""
    draw = np.random.default_rng(0)
    made = [draw.standard_normal(shape, np.float32) for _ in range(2) for shape in shapes]
    made += [np.zeros(shape, np.float32) for _ in range(2) for shape in shapes]
    return [*made, *(np.zeros((), np.float32) for _ in shapes)]


def in_numpy(shapes: list[tuple[int, ...]], given: list[np.ndarray], rate: float) -> None:
    """The same step, a tensor at a time."""
    count = len(shapes)
    groups = [given[k * count : (k + 1) * count] for k in range(5)]
    for p, g, m, v, t in zip(*groups, strict=True):
        t += 1
        step = float(t)
        m *= BETA1
        m += np.float32(1 - BETA1) * g
        v *= BETA2
        v += np.float32(1 - BETA2) * (g * g)
        under = np.sqrt(v) / np.float32(np.sqrt(1 - BETA2**step)) + np.float32(EPS)
        p -= np.float32(rate / (1 - BETA1**step)) * (m / under)


def main() -> None:
    """Prints the table, after the results have been compared with NumPy's."""
    tensors, *shape = [int(each) for each in sys.argv[1:]] or [1000]
    shapes = [tuple(shape) or (32, 32)] * tensors
    times: list[tuple[str, float]] = []

    def timed(name, function):
        start = perf_counter()
        result = function()
        times.append((name, perf_counter() - start))
        return result

    graph = timed("build the graph", Adam(shapes).graph)
    given = arrays(shapes)
    layouts = [InputLayout("lifted", node.type, contiguous_strides(node.shape), True) for node in graph.inputs[:-1]]
    layout = CallLayout((*layouts, InputLayout("float", graph.inputs[-1].type)), ())
    compile_graph(graph, layout)
    graph = timed("passes", lambda: run_passes(graph, verify=False))
    compiled = timed("schedule and lower", lambda: compile_graph(graph, layout))
    plan = timed("kernels and plan, first", lambda: compiled.plan)
    timed("plan again", lambda: compile_graph(graph, layout).plan)
    step = timed("build the call, first", lambda: compiled.build(given))
    timed("build the call", lambda: compiled.build(given))
    expected = [each.copy() for each in given]
    for _ in range(3):
        step(RATE)
        in_numpy(shapes, expected, RATE)
    worst = max(float(np.abs(one - other).max()) for one, other in zip(given, expected, strict=True))
    elements = sum(int(np.prod(each)) for each in shapes)
    spent = alternate({"guardlift": lambda: step(RATE), "numpy": lambda: in_numpy(shapes, expected, RATE)}, rounds=7)
    rows = [Row(name, text(seconds)) for name, seconds in times]
    rows += [
        Row(f"one step by {name}", text(each), f"{each / elements * 1e9:.3f} ns an element")
        for name, each in spent.items()
    ]
    print(f"{len(plan.steps)} steps, {len(compiled.kernels)} kernels; differs from NumPy by {worst:.1e} at most")
    print_table(f"Adam over {tensors} tensors of {shapes[0]}, {elements} elements in all", rows)


if __name__ == "__main__":
    main()
