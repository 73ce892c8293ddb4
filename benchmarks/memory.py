"""Memory of a training step: the allocators' peak from before forward until backward is done, and the time it takes.

An eight-layer perceptron of width 1,024 over 4,096 rows, plain and jitted, with and without saved-tensor hooks that
keep activations as float8. Peaks count what NumPy and plans allocate (tracemalloc sees both), above what is there
before the step: parameters and input. Each peak is taken in a process of its own; times in one process, in turn.

    python -P benchmarks/memory.py [--width 1024] [--rows 4096] [--layers 8] [--rounds 5]
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import subprocess
import sys
import tracemalloc
from contextlib import AbstractContextManager, ExitStack, nullcontext

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # -P leaves this folder out

from timing import Row, alternate, print_table, share  # noqa: E402

PEAK_OF_NONE, PEAK_OF_EAGER, TIME_OF_NONE = 0.45, 0.8, 1.15
"""What the jitted step with hooks may take at most: of the peak without hooks, of that of eager hooks, of the time."""
WAYS = ("eager", "eager, hooks", "jitted", "jitted, hooks", "jitted, budget 0.5", "jitted, budget 0")


def step_of(way: str, width: int, rows: int, layers: int):
    """A step that leaves gradients behind, in this way; what clears them; how many graph breaks it has had."""
    import guardlift as gl
    from guardlift import nn

    graph = gl.autograd.graph

    @graph.inlineable
    def pack(tensor):
        return tensor.to(gl.float8_e4m3fn)

    @graph.inlineable
    def unpack(packed):
        return packed.to(gl.float32)

    gl.manual_seed(0)
    model = nn.Sequential(*[layer for _ in range(layers) for layer in (nn.Linear(width, width), nn.ReLU())])
    x = gl.randn(rows, width)

    def forward(x):
        return (model(x) ** 2).mean()

    run = gl.jit(forward, fullgraph=True) if way.startswith("jitted") else forward
    budget = float(way.rpartition(" ")[2]) if "budget" in way else 1.0

    def context() -> AbstractContextManager[object]:
        stack = ExitStack()
        stack.enter_context(gl.config.patch(activation_memory_budget=budget))
        stack.enter_context(graph.saved_tensors_hooks(pack, unpack) if "hooks" in way else nullcontext())
        return stack

    def clear() -> None:
        for parameter in model.parameters():
            parameter.grad = None

    def step() -> None:
        clear()
        with context():
            loss = run(x)
        loss.backward()

    return step, clear


def peak_of(way: str, sizes: list[int]) -> int:
    """Bytes at the peak of one step, above what is there before it."""
    step, clear = step_of(way, *sizes)
    step()  # compiles, and loads what is loaded once
    clear()
    gc.collect()
    tracemalloc.start(1)
    step()
    return tracemalloc.get_traced_memory()[1]


def peaks(sizes: list[int]) -> dict[str, int]:
    """The same for every way, each in a process of its own."""
    found = {}
    for way in WAYS:
        command = [sys.executable, "-P", __file__, "--peak", way, "--sizes", *map(str, sizes)]
        found[way] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return found


def rows(peak: dict[str, int], seconds: dict[str, float]) -> list[Row]:
    """The table: peaks, and times of the jitted step with hooks beside the others."""

    def of(name: str, ours: str, other: str, aim: float | None = None) -> Row:
        ratio = peak[ours] / peak[other]
        figure = f"{peak[ours] / 1e6:.1f} MB / {peak[other] / 1e6:.1f} MB"
        met = None if aim is None else ratio <= aim
        return Row(name, f"{ratio:.2f}x", figure, f"<= {aim:g}x" if aim else "", met)

    found = [
        of("peak: float8 hooks inlined / no hooks", "jitted, hooks", "jitted", PEAK_OF_NONE),
        of("peak: float8 hooks inlined / the same hooks, eager", "jitted, hooks", "eager, hooks", PEAK_OF_EAGER),
        of("peak: jitted / eager", "jitted", "eager"),
        of("peak: budget 0.5 / no budget", "jitted, budget 0.5", "jitted"),
        of("peak: budget 0 / no budget", "jitted, budget 0", "jitted"),
    ]
    times = [("jitted, hooks", TIME_OF_NONE), ("eager", None), ("eager, hooks", None), ("jitted, budget 0", None)]
    found += [share(f"time: {name} / jitted", seconds[name], seconds["jitted"], aim) for name, aim in times]
    return found


def main() -> None:
    """Prints the table; with ``--peak WAY`` the bytes of one way."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--width", type=int, default=1024)
    parser.add_argument("--rows", type=int, default=4096)
    parser.add_argument("--layers", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--peak")
    parser.add_argument("--sizes", type=int, nargs=3)
    options = parser.parse_args()
    if options.peak:
        print(peak_of(options.peak, options.sizes))
        return
    sizes = [options.width, options.rows, options.layers]
    measured = peaks(sizes)
    tasks = {way: step_of(way, *sizes)[0] for way in WAYS if way != "jitted, budget 0.5"}
    for task in tasks.values():
        task()
    seconds = alternate(tasks, rounds=options.rounds)
    print_table(f"A step of {sizes[2]} layers of {sizes[0]} over {sizes[1]} rows", rows(measured, seconds))


if __name__ == "__main__":
    main()
