"""Training steps of several processes: the time of a step, what is reduced, and how much of it goes by while computing.

    mpirun -n 2 python benchmarks/distributed.py [--width 512] [--depth 6] [--batch 256] [--steps 30] [--bucket 1]

Rank 0 prints a line for one process with the whole batch, and for each way with all processes: eager and jitted, with
buckets, and with a small one and a large one, which is full when the backward pass is over. Times are means over the
quickest quarter of the steps, in which least else ran on the machine: of a step, of what its communications took, and
of the share of that in which the program computed.
"""

from __future__ import annotations

import argparse
import statistics
import time
from typing import Any

import numpy as np

import guardlift as gl
import guardlift.distributed as dist
from guardlift import nn

WARM_UP = 5


def model_of(width: int, depth: int) -> nn.Module:
    """A perceptron; the same weights each time."""
    gl.manual_seed(0)
    return nn.Sequential(*(each for _ in range(depth) for each in (nn.Linear(width, width), nn.Tanh())))


def timed(model: nn.Module, x: Any, y: Any, steps: int, jitted: bool) -> tuple[list[float], list[float]]:
    """The seconds of a step, those of its communications and those of waiting for them; and the losses."""
    optimizer = gl.optim.SGD(model.parameters(), lr=0.01)

    def step(x: Any, y: Any) -> Any:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        return loss.detach()

    run = gl.jit(step) if jitted else step
    rows, losses = [], []
    for _ in range(WARM_UP + steps):
        before, begun = dist.statistics(), time.perf_counter()
        losses.append(run(x, y).item())
        taken, after = time.perf_counter() - begun, dist.statistics()
        rows.append((taken, after.seconds - before.seconds, after.waited - before.waited))
    quickest = sorted(rows[WARM_UP:])[: max(1, steps // 4)]
    return [statistics.mean(column) for column in zip(*quickest, strict=True)], losses


def main() -> None:
    """Runs all ways and prints a table."""
    parser = argparse.ArgumentParser(description="training steps of several processes")
    parser.add_argument("--width", type=int, default=512)
    parser.add_argument("--depth", type=int, default=6)
    parser.add_argument("--batch", type=int, default=256, help="rows of a step, over all processes")
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--bucket", type=float, default=1.0, help="MiB of a bucket")
    options = parser.parse_args()
    dist.init_process_group()
    rank, count = dist.get_rank(), dist.get_world_size()
    gl.set_num_threads(1)
    draws = np.random.default_rng(0)
    x, y = (gl.tensor(draws.normal(size=(options.batch, options.width)).astype(np.float32)) for _ in range(2))

    def report(name: str, seconds: list[float], losses: list[float], before: Any = None) -> None:
        mean = gl.tensor(losses, dtype=gl.float64)
        now = dist.statistics()
        if before is not None:
            dist.all_reduce(mean, dist.ReduceOp.AVG)
        if rank:
            return
        taken, took, waited = seconds
        line = f"{name:<34}{taken * 1e3:9.2f} ms"
        if before is not None:
            steps = WARM_UP + options.steps
            line += f"{(now.bytes - before.bytes) / steps / 2**20:9.2f} MiB{(now.calls - before.calls) / steps:7.1f}"
            line += f"{took * 1e3:9.2f} ms{max(0.0, 1 - waited / took) if took else 0.0:9.0%}"
            line += f"   {max(abs(a - b) for a, b in zip(mean.tolist(), whole, strict=True)):.1e}"
        print(line, flush=True)

    if rank == 0:
        print(f"{count} processes, {options.depth} layers of {options.width}, batches of {options.batch}")
        print(f"{'':<34}{'step':>12}{'reduced':>13}{'calls':>7}{'takes':>12}{'overlap':>9}   losses differ by")
    whole: list[float] = []
    for jitted in (False, True):
        if rank == 0:
            seconds, whole = timed(model_of(options.width, options.depth), x, y, options.steps, jitted)
            report(f"one process, {'jitted' if jitted else 'eager'}", seconds, whole)
        dist.barrier()
    for jitted in (False, True):
        for cap in (options.bucket, 1e6):
            model = nn.parallel.DistributedDataParallel(
                model_of(options.width, options.depth), bucket_cap_mb=cap, broadcast_buffers=False
            )
            before = dist.statistics()
            seconds, losses = timed(model, x[rank::count], y[rank::count], options.steps, jitted)
            buckets = len(model.reducer.buckets)
            report(f"{'jitted' if jitted else 'eager'}, {buckets} buckets", seconds, losses, before)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
