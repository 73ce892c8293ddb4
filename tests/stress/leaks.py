"""A thousand optimizers are made, stepped under jit and dropped; memory must stay where it is.

After some optimizers to warm up, the growth is measured by tracemalloc (what Python allocates) and as the resident set
of the process, over the second half: what fills once, such as a cache of bounded size, is full by then.

    python tests/stress/leaks.py --optimizers 1000
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import tracemalloc
import weakref
from pathlib import Path
from typing import Any

import guardlift as gl
from guardlift import nn, optim

MOST_TRACED = 1024.0
"""Units: bytes of Python's that one optimizer may leave behind: its slots in the function's pool of objects."""
MOST_RESIDENT = 8192.0
"""Units: bytes of the resident set for each, where pages and arenas of the allocator count as a whole."""


@gl.jit
def step(optimizer: Any) -> None:
    optimizer.step()


def one() -> list[weakref.ref[Any]]:
    """Makes an optimizer, steps it twice, and drops it."""
    weights = [nn.Parameter(gl.ones(4, 4)) for _ in range(3)]
    for each in weights:
        each.grad = gl.ones(4, 4)
    optimizer = optim.Adam(weights)
    step(optimizer)
    step(optimizer)
    return [weakref.ref(each) for each in (optimizer, weights[0], optimizer.state[weights[0]]["exp_avg"]._storage)]


def resident() -> int:
    """Bytes of memory that the process has. Linux only; elsewhere 0."""
    file = Path("/proc/self/statm")
    return int(file.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") if file.exists() else 0


def main(count: int) -> int:
    """Runs it and prints what was measured. Returns the exit status."""
    tracemalloc.start()
    alive: list[weakref.ref[Any]] = []
    for _ in range(count // 2):
        alive += one()
    gc.collect()
    traced, held = tracemalloc.get_traced_memory()[0], resident()
    half = count - count // 2
    for _ in range(half):
        alive += one()
    gc.collect()
    left = sum(each() is not None for each in alive)
    del alive
    traced, held = tracemalloc.get_traced_memory()[0] - traced, resident() - held
    print(f"{count} optimizers of 3 parameters, each stepped twice; over the last {half}:")
    print(f"  tracemalloc: {traced / half:+.0f} bytes an optimizer, {traced:+} in all (at most {MOST_TRACED:.0f} each)")
    print(f"  resident set: {held / half:+.0f} bytes an optimizer, {held:+} in all (at most {MOST_RESIDENT:.0f} each)")
    print(f"  weak references alive: {left}; entries: {len(gl.explain(step).entries)}")
    return int(left > 0 or traced > MOST_TRACED * half or held > MOST_RESIDENT * half)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--optimizers", type=int, default=1000)
    sys.exit(main(parser.parse_args().optimizers))
