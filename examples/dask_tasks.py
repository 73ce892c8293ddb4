"""Jitted functions as tasks of Dask: sums over parts of a signal, by worker processes of this machine.

    python examples/dask_tasks.py [--parts 16] [--workers 2]

The function is of this program, so Dask sends it by value: guardlift has it written as its original, and the workers
jit it. What the first process has compiled lies in the cache on disk, from which the workers take it. Needs
`pip install 'dask[distributed]'`.

Exits with 1 when a result differs from the plain function's, or a worker ran plain Python.
"""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any

import numpy as np

import guardlift as gl


@gl.jit
def energy(signal, frequency):
    """The energy of a signal around a frequency."""
    times = np.arange(signal.shape[0]) / signal.shape[0]
    turned = signal * np.cos(2.0 * np.pi * frequency * times)
    return (turned * turned).sum()


def report(signal: Any, frequency: float) -> tuple[float, int, int, int]:
    """The energy, the process that computed it, and how often the function was compiled and broke there."""
    # Arrays that come in a message of Dask's may lie at odd addresses, which kernels do not take.
    aligned = np.require(signal, requirements="A")
    value = energy(aligned, frequency)
    found = gl.explain(energy)
    return float(value), os.getpid(), found.compiles, len(found.breaks)


def main(argv: list[str] | None = None) -> int:
    """Runs the tasks, prints what they have cost; 0 when all is well."""
    parser = argparse.ArgumentParser(description="jitted functions as tasks of Dask")
    parser.add_argument("--parts", type=int, default=16)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args(argv)
    from dask.distributed import Client, LocalCluster

    draws = np.random.default_rng(0)
    parts = [draws.normal(size=20_000) for _ in range(options.parts)]
    here = [float(energy(each, 5.0)) for each in parts]
    plain = [float(energy.__wrapped__(each, 5.0)) for each in parts]
    with (
        LocalCluster(
            n_workers=options.workers, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        Client(cluster) as client,
    ):
        answers = client.gather(client.map(report, parts, [5.0] * len(parts), pure=False))
    values = [value for value, *_ in answers]
    compiles = {process: count for _, process, count, _ in answers}
    print(f"tasks                {len(values)} by {len(compiles)} processes")
    print(f"compiled             {gl.explain(energy).compiles} times here, {sum(compiles.values())} by the workers")
    differ = max(abs(a - b) / b for a, b in zip([*values, *here], [*plain, *plain], strict=True))
    print(f"results differ by    {differ:.1e} (relative)")
    breaks = sum(count for _, _, _, count in answers)
    print(f"graph breaks         {breaks}")
    return int(differ > 1e-12 or breaks > 0)


if __name__ == "__main__":
    sys.exit(main())
