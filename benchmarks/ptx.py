"""Compiles the CUDA kernels of typical graphs to PTX, assembles them for sm_90, and prints what they use of the GPU.

Needs NVIDIA's libNVVM and `ptxas`, but no GPU. The exit status is 1 when a kernel does not compile for
sm_80, sm_90 or sm_100, spills registers, computes in float64 without being asked to, contracts exact arithmetic, takes
more registers or fewer accesses of 16 bytes than `ptx_figures.txt` says, is launched with another number of blocks, or
executes more instructions or accesses for an element (see `ptx_counts.py`); without the toolchain it is 0. `--write`
writes that file anew, for the graphs of which a kernel has another text than its figures are of (`--write all`: for
all). It holds for the ptxas that its first line names, and others are not compared.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

import guardlift
from guardlift import nn
from guardlift.backend.compile import CallLayout, CompiledGraph, InputLayout, OutputLayout, compile_graph
from guardlift.backend.cuda.compiler import nvvm
from guardlift.backend.cuda.compiler.compiler import DeviceCode, compile_text
from guardlift.backend.cuda.launch_grid import DeviceLimits
from guardlift.backend.cuda.plan import plan_of
from guardlift.backend.cuda.products.launches import TILINGS
from guardlift.backend.cuda.products.tensor_tiles import TensorTiling
from guardlift.core import dtypes
from guardlift.core.errors import KernelError
from guardlift.core.types import TensorType, contiguous_strides
from guardlift.frontend import state_of
from guardlift.graph.aot.emitter import GraphEmitter
from guardlift.graph.aot.vjp import gradients
from guardlift.graph.builder import GraphBuilder
from guardlift.graph.node import Graph, Node, Write
from guardlift.graph.passes import run_passes
from guardlift.ops.attention import ATTENTION

sys.path.insert(0, str(Path(__file__).parent))  # -P leaves this folder out
from ptx_kept import FIGURES, Figures, assembler, digest_of, kept_figures, stale_figures, write_figures  # noqa: E402

CAPABILITY = (9, 0)
OTHERS = ((8, 0), (10, 0))
"""Capabilities for which kernels have to assemble without spills, too."""
STAND_IN = Path(__file__).parents[1] / "tests/backend/cuda/stand_in/build.py"
ROWS = 4096
"""Rows of the graphs that have rows."""
F32 = dtypes.float32


class Program:
    """A graph in the making; its emitter broadcasts and makes constants.

    One input lies on a device and is not used: so the graph is scheduled for one, and no constant needs to be there.
    """

    def __init__(self) -> None:
        self.builder = GraphBuilder()
        self.builder.input(TensorType((), F32, "cuda:0"), "there")
        self.f = GraphEmitter(self.builder, None)

    def input(self, *shape: int, dtype: dtypes.DType = F32) -> Node:
        return self.builder.input(TensorType(shape, dtype), f"x{len(self.builder.inputs)}")


def chain(rows: int) -> Graph:
    """Ten operations on each element."""
    p = Program()
    f, x, y = p.f, p.input(256 * rows), p.input(256 * rows)
    t = f.multiply(f.add(x, y), 0.5)
    u = f.maximum(f.subtract(t, f.multiply(x, y)), -1.0)
    v = f.divide(f.sqrt(f.add(f.multiply(u, u), 1.0)), f.add(f.absolute(t), 2.0))
    return p.builder.finish([v])


def gelu_chain(rows: int) -> Graph:
    """gelu of a product's result with bias, in both forms."""
    p = Program()
    f, x, b = p.f, p.input(rows, 1024), p.input(1024)
    return p.builder.finish([f.gelu(f.add(x, b), approximate=form) for form in ("none", "tanh")])


def softmax(columns: int, few: int = 1) -> Callable[[int], Graph]:
    """Softmax over rows. few: how many times fewer rows there are."""

    def graph(rows: int) -> Graph:
        p = Program()
        return p.builder.finish([p.f.softmax(p.input(rows // few, columns), axis=1)])

    return graph


def cross_entropy(columns: int, most: int = 512) -> Callable[[int], Graph]:
    """The loss of logits and its gradient. most: rows."""

    def graph(rows: int) -> Graph:
        p = Program()
        f, x, y = p.f, p.input(min(rows, most), columns), p.input(min(rows, most), dtype=dtypes.int64)
        loss = f.nll_loss(f.log_softmax(x, axis=1), y, reduction="mean", ignore_index=-100)
        recorded = frozenset(p.builder.nodes)
        one = f.full(value=1.0, shape=(), dtype=F32)
        return p.builder.finish([loss, gradients(f, [(loss, one)], {x}, recorded)[x]])

    return graph


def wide_layer_norm(rows: int) -> Graph:
    """Layer normalisation of rows that registers do not hold."""
    p = Program()
    x, w, b = p.input(rows // 64, 32_768), p.input(32_768), p.input(32_768)
    return p.builder.finish([p.f.layer_norm(x, w, b, rank=1, eps=1e-5)])


def layer_norm(rows: int) -> Graph:
    """Layer normalisation and its three gradients."""
    p = Program()
    f, x, w, b, g = p.f, p.input(rows, 768), p.input(768), p.input(768), p.input(rows, 768)
    y = f.layer_norm(x, w, b, rank=1, eps=1e-5)
    recorded = frozenset(p.builder.nodes)
    found = gradients(f, [(y, g)], {x, w, b}, recorded)
    return p.builder.finish([y, found[x], found[w], found[b]])


def column_sum(rows: int) -> Graph:
    """Sums down the columns of a matrix."""
    p = Program()
    return p.builder.finish([p.f.sum(p.input(rows, 1024), axes=(0,))])


def whole_sum(rows: int) -> Graph:
    """The mean of the squares of a matrix."""
    p = Program()
    x = p.input(rows, 1024)
    return p.builder.finish([p.f.divide(p.f.sum(p.f.multiply(x, x), axes=(0, 1)), rows * 1024.0)])


def product(rows: int) -> Graph:
    """A matrix product."""
    p = Program()
    return p.builder.finish([p.f.matmul(p.input(512, 512), p.input(512, 512))])


def large_product(rows: int) -> Graph:
    """A matrix product of many tiles."""
    p = Program()
    return p.builder.finish([p.f.matmul(p.input(2048, 512), p.input(512, 2048))])


def narrow_product(rows: int) -> Graph:
    """A product of bfloat16 matrices, the second one turned, that is rounded."""
    p = Program()
    a, b = (p.f.cast(p.input(2048, 512, dtype=dtypes.bfloat16), dtype=F32) for _ in range(2))
    return p.builder.finish([p.f.cast(p.f.matmul(a, p.f.permute(b, axes=(1, 0))), dtype=dtypes.bfloat16)])


def mapped_product(rows: int) -> Graph:
    """A product whose result is biased and activated as it is stored."""
    p = Program()
    f, x, w, b = p.f, p.input(2048, 512), p.input(512, 2048), p.input(2048)
    return p.builder.finish([f.gelu(f.add(f.matmul(x, w), b), approximate="none")])


def thin_product(rows: int) -> Graph:
    """Two rows multiplied with a large matrix, as it is and turned."""
    p = Program()
    f, a, w, v = p.f, p.input(2, 4096), p.input(4096, 4096), p.input(4096, 4096)
    return p.builder.finish([f.matmul(a, w), f.matmul(a, f.permute(v, axes=(1, 0)))])


def scatter(rows: int) -> Graph:
    """The gradient of an embedding."""
    p = Program()
    table, index, rows = p.input(1000, 64), p.input(256, dtype=dtypes.int64), p.input(256, 64)
    return p.builder.finish([p.f.scatter_add(table, index, rows, axis=0)])


def running_sums(axis: int, columns: int, few: int = 1) -> Callable[[int], Graph]:
    """Each element with all before it added. few: how many times fewer rows there are."""

    def graph(rows: int) -> Graph:
        p = Program()
        x = p.builder.input(TensorType((rows // few, columns), F32, "cuda:0"), "x")
        return p.builder.finish([p.f.cumsum(x, axis=axis)])

    return graph


def transposition(rows: int) -> Graph:
    """A matrix that is turned, and computed with."""
    p = Program()
    f, x = p.f, p.input(rows, 512)
    return p.builder.finish([f.add(f.permute(f.multiply(x, 2.0), axes=(1, 0)), 1.0)])


def search(rows: int) -> Graph:
    """The places of values in a sorted row."""
    p = Program()
    return p.builder.finish([p.f.searchsorted(p.input(100_000), p.input(64 * rows), right=False, dtype=dtypes.int64)])


def argsort(count: int, columns: int) -> Callable[[int], Graph]:
    """The order of the elements of each row."""

    def graph(rows: int) -> Graph:
        p = Program()
        return p.builder.finish([p.f.argsort(p.input(count, columns), axis=1, descending=False)])

    return graph


def adam(rows: int) -> Graph:
    """One step of Adam over four parameters."""
    p = Program()
    f, shapes = p.f, [(64, 64), (64,), (64, 10), (128, 64)]
    params, grads, means, squares = ([p.input(*shape) for shape in shapes] for _ in range(4))
    rate, root = p.input(), p.input()
    total = sum(each.type.size for each in params)
    g = f.join(*grads)
    m = f.add(f.multiply(f.join(*means), 0.9), f.multiply(g, 0.1))
    v = f.add(f.multiply(f.join(*squares), 0.999), f.multiply(f.multiply(g, g), 0.001))
    wide = [f.expand(scalar, shape=(total,)) for scalar in (rate, root)]
    step = f.divide(f.multiply(m, wide[0]), f.add(f.divide(f.sqrt(v), wide[1]), 1e-8))
    new = f.subtract(f.join(*params), step)
    writes, start = [], 0
    for k, shape in enumerate(shapes):
        for target, flat in ((params[k], new), (means[k], m), (squares[k], v)):
            writes.append(Write(target, f.segment(flat, start=start, shape=shape)))
        start += params[k].type.size
    return p.builder.finish([], writes)


def attention(features: int, dtype: dtypes.DType = F32) -> Callable[[int], Graph]:
    """Causal attention and its gradients."""

    def graph(rows: int) -> Graph:
        p = Program()
        shape = TensorType((rows // 64, 1024, features), dtype, "cuda:0")
        given = [p.builder.input(shape, name) for name in ("query", "key", "value", "slope")]
        q, k, v, g = given if dtype is F32 else [p.f.cast(each, dtype=F32) for each in given]
        y = p.f.apply(ATTENTION[False, False], q, k, v, scale=features**-0.5, causal=True, rows=1)
        recorded = frozenset(p.builder.nodes)
        found = gradients(p.f, [(y, g)], {q, k, v}, recorded)
        results = [y, found[q], found[k], found[v]]
        return p.builder.finish(results if dtype is F32 else [p.f.cast(each, dtype=dtype) for each in results])

    return graph


def dropout(rows: int) -> Graph:
    """Elements that a draw keeps, each as much larger."""
    p = Program()
    f, x = p.f, p.input(256 * rows)
    seed, offset = p.input(dtype=dtypes.int64), p.input(dtype=dtypes.int64)
    drawn = f.random_uniform(seed, offset, shape=x.shape, dtype=F32)
    kept = f.multiply(x, f.divide(f.cast(f.less(drawn, 0.75), dtype=F32), 0.75))
    return p.builder.finish([kept])


GRAPHS: dict[str, Callable[[int], Graph]] = {
    "ten operations": chain,
    "gelu chain": gelu_chain,
    "softmax, short rows": softmax(20),
    "softmax, rows": softmax(512),
    "softmax, long rows": softmax(8192),
    "softmax of a vocabulary": softmax(50_257, few=64),
    "cross-entropy": cross_entropy(1000),
    "cross-entropy of a vocabulary": cross_entropy(50_257, 32),
    "layer norm": layer_norm,
    "layer norm, wide rows": wide_layer_norm,
    "column sum": column_sum,
    "whole sum": whole_sum,
    "product": product,
    "large product": large_product,
    "bfloat16 product": narrow_product,
    "mapped product": mapped_product,
    "thin product": thin_product,
    "scatter": scatter,
    "running sums of rows": running_sums(1, 1024, few=4),
    "running sums of columns": running_sums(0, 1024, few=4),
    "running sums by parts": running_sums(1, 200_000, few=512),
    "transposition": transposition,
    "search": search,
    "order of rows": argsort(4096, 1000),
    "order of a row": argsort(1, 1 << 20),
    "Adam over a table": adam,
    "attention": attention(64),
    "attention, wide rows": attention(128),
    "bfloat16 attention": attention(64, dtypes.bfloat16),
    "bfloat16 attention, wide rows": attention(128, dtypes.bfloat16),
    "dropout": dropout,
}


def training_step() -> CompiledGraph:
    """A step of a perceptron with Adam, as the tracer gives it."""
    model = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.LayerNorm(128), nn.Linear(128, 10))
    optimizer = guardlift.optim.Adam(model.parameters())

    @guardlift.jit(fullgraph=True)
    def step(x, y):  # type: ignore[no-untyped-def]
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        return loss

    x, y = guardlift.tensor(np.ones((32, 64), np.float32)), guardlift.tensor(np.arange(32) % 10)
    step(x, y)
    step(x, y)
    compiled: CompiledGraph = state_of(step).entries[0].details["compiled"]
    return compiled


TRAINING = "training step"
EXACT = ("ten operations", "Adam over a table")
"""Graphs of arithmetic alone, where no multiplication may melt into an addition."""


@dataclass(frozen=True)
class Assembled:
    """What ptxas says of one kernel. Units: bytes, but for registers of a thread.

    wide: accesses of 16 bytes in its PTX."""

    wide: int
    registers: int
    stack: int
    spilled: int
    shared: int


class Compiler:
    """A device that only compiles."""

    limits = DeviceLimits()
    tilings = TILINGS
    tensor_tiling = TensorTiling()
    has_libraries = False

    def load(self, text: str) -> DeviceCode:
        return compile_text(text, CAPABILITY)

    def load_all(self, texts: Collection[str]) -> dict[str, DeviceCode]:
        return {text: self.load(text) for text in texts}


def compiled_for_cuda(graph: Graph) -> CompiledGraph:
    """The graph compiled for row-major arguments that share no memory."""
    graph = run_passes(graph)
    inputs = tuple(
        InputLayout("array", node.type, contiguous_strides(node.shape), writeable=True) for node in graph.inputs
    )
    outputs = tuple(OutputLayout("fresh", k, contiguous_strides(node.shape)) for k, node in enumerate(graph.outputs))
    apart = frozenset((i, j) for i in range(len(inputs)) for j in range(i))
    return compile_graph(graph, CallLayout(inputs, outputs, apart))


def steps_of(compiled: CompiledGraph, device: object) -> dict[str, tuple[Any, Any]]:
    """The first step with each distinct kernel and what the device loaded of it, by the kernel's kind, form and number.

    The number tells those of one kind and form apart."""
    plan = plan_of(compiled, device)  # type: ignore[arg-type]
    found, texts = dict[str, tuple[Any, Any]](), set[str]()
    for step, code in zip(plan.steps, plan.kernels, strict=True):
        if code is not None and step.text not in texts:
            texts.add(step.text)
            label = f"{step.name.split('_')[0]} {step.form} "  # type: ignore[attr-defined]
            found[label + str(1 + sum(each.startswith(label) for each in found))] = step, code
    return found


def assemble(code: DeviceCode, capability: tuple[int, int] = CAPABILITY) -> Assembled:
    """What ptxas makes of PTX. Errors: KernelError when it refuses."""
    command = ["ptxas", f"-arch=sm_{capability[0]}{capability[1]}", "-v", "-o", "/dev/null", "-"]
    done = subprocess.run(command, input=code.ptx.encode(), capture_output=True)
    said = done.stderr.decode()
    if done.returncode:
        raise KernelError(f"ptxas refused it: {said.strip()}")

    def number(pattern: str) -> int:
        return sum(int(each) for each in re.findall(pattern, said))

    spilled = number(r"(\d+) bytes spill stores") + number(r"(\d+) bytes spill loads")
    registers, stack = number(r"Used (\d+) registers"), number(r"(\d+) bytes stack frame")
    wide = len(re.findall(r"\b(?:ld|st)\.global\.(?:\w+[.:]+)*(?:v4\.[bufs]+32|v2\.[bufs]+64)\b", code.ptx))
    return Assembled(wide, registers, stack, spilled, number(r"(\d+) bytes smem"))


class Texts(Compiler):
    """A device that compiles nothing: its kernels are their texts."""

    def load(self, text: str) -> Any:
        return text


def compiled_graphs(names: Collection[str] = ()) -> dict[str, CompiledGraph]:
    """The graphs, compiled, by name: those that are named, or all."""
    made = {name: make for name, make in GRAPHS.items() if not names or name in names}
    found = {name: compiled_for_cuda(make(ROWS)) for name, make in made.items()}
    return found | ({TRAINING: training_step()} if not names or TRAINING in names else {})


def texts_now(graphs: Mapping[str, CompiledGraph]) -> dict[str, str]:
    """The text of each kernel of the graphs, by its label."""
    steps = {name: steps_of(compiled, Texts()) for name, compiled in graphs.items()}
    return {f"{name}: {kernel}": step.text for name, found in steps.items() for kernel, (step, _) in found.items()}


def executed(names: Collection[str]) -> dict[str, tuple[float, float]]:
    """Instructions and global accesses of each kernel for an element; none where there is nothing to count with.

    names: of the graphs."""
    if shutil.which("c++") is None or shutil.which("cc") is None:
        return {}
    command = [sys.executable, str(STAND_IN), sys.executable, "-P", str(Path(__file__).with_name("ptx_counts.py"))]
    command += names
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"STAND_IN_RACE": "0"})
    if done.returncode:
        raise RuntimeError(f"kernels were not counted:\n{done.stderr[-3000:]}")
    return {label: (found[0], found[1]) for label, found in json.loads(done.stdout.splitlines()[-1]).items()}


def missing_toolchain() -> str:
    """What is missing, or nothing."""
    if nvvm.library() is None:
        return "there is no libNVVM here: pip install 'guardlift[cuda13]'"
    return "" if shutil.which("ptxas") else "there is no ptxas on the PATH"


def main() -> int:
    """Prints the table; the exit status."""
    missing = missing_toolchain()
    if missing:
        print(f"ptx: not checked: {missing}")
        return 0
    release, graphs, faults = assembler(), compiled_graphs(), list[str]()
    kept, texts, found_now = kept_figures(release), texts_now(graphs), dict[str, Figures]()
    stale = stale_figures(texts, kept)
    if sys.argv[1:] == ["--write"]:
        changed = {label.rpartition(": ")[0] for label in stale}
        graphs = {name: compiled for name, compiled in graphs.items() if name in changed}
        found_now |= {label: kept[label] for label in kept if label.rpartition(": ")[0] not in changed}
    counted = executed(graphs) if graphs else {}
    columns = ("registers", "stack", "spilled", "shared", "16 bytes", "blocks", "executed", "accesses")
    print(f"{'kernel':36}" + "".join(f"{each:>10}" for each in columns))
    for name, compiled in graphs.items():
        try:
            for kernel, (step, code) in steps_of(compiled, Compiler()).items():
                label, found = f"{name}: {kernel}", assemble(code)
                instructions, accesses = counted.get(label, (None, None))
                now = Figures(
                    found.registers, found.wide, prod(step.sizes.grid), instructions, accesses, digest_of(step.text)
                )
                values = (found.registers, found.stack, found.spilled, found.shared, found.wide, now.blocks)
                counts = "".join(f"{'-' if each is None else f'{each:.3g}':>10}" for each in (instructions, accesses))
                print(f"{label:36}" + "".join(f"{value:10}" for value in values) + counts)
                found_now[label] = now
                if "--write" not in sys.argv:
                    faults += [f"{label} {each}" for each in now.worse(kept.get(label, now))]
                for other in OTHERS:
                    if assemble(compile_text(step.text, other), other).spilled:
                        faults.append(f"{label} spills for sm_{other[0]}{other[1]}")
                if found.spilled:
                    faults.append(f"{label} spills {found.spilled} bytes")
                if ".f64" in code.ptx and "f64" not in step.text:
                    faults.append(f"{label} computes in float64")
                if "fma." in code.ptx and name in EXACT:
                    faults.append(f"{label} contracts a product and a sum")
        except KernelError as error:
            faults.append(f"{name}: {error}")
    if "--write" in sys.argv:
        write_figures(release, {label: found_now[label] for label in texts if label in found_now})
    elif not kept:
        print(f"not compared with {FIGURES.name}, whose figures are of another ptxas")
    else:
        faults += [f"{label}: the figures of {FIGURES.name} are stale; write them anew by --write" for label in stale]
    print("\n".join(faults) if faults else "no spills, no float64, all assembled")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
