"""Training a perceptron on scikit-learn's handwritten digits by several processes: each computes a part of every batch.

    mpirun -n 2 python examples/digits_parallel.py [--epochs 6] [--batch 128]

Gradients are averaged between the processes while the backward pass goes on, and the whole step, communication
included, is one compiled function. Rank 0 then trains the same model alone, plainly, with the whole batches. Without
mpirun there is one process. Needs `pip install 'guardlift[mpi,demo]'`.

Exits with 1 when too few digits are read right, the losses differ from those of one process, or a graph broke.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from handwritten import Digits, load

import guardlift as gl
import guardlift.distributed as dist
from guardlift import nn
from guardlift.utils.data import DataLoader, TensorDataset
from guardlift.utils.data.distributed import DistributedSampler

RATE, ACCURACY_WANTED, LOSSES_MAY_DIFFER, STEPS_COMPARED = 2e-3, 0.9, 1e-5, 20


def perceptron() -> nn.Module:
    """Linear layers with ReLU between them; the same weights each time."""
    gl.manual_seed(0)
    return nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 10))


def step_of(model: nn.Module) -> Callable[[Any, Any], Any]:
    """A training step of the model, with an optimizer of its own."""
    optimizer = gl.optim.Adam(model.parameters(), lr=RATE)

    def train_step(x, y):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        return loss.detach()

    return train_step


def data_of(digits: Digits, batch: int) -> TensorDataset:
    """The images and digits to train on, as many as make whole batches."""
    count = len(digits.train_x) // batch * batch
    return TensorDataset(gl.tensor(digits.train_x[:count]), gl.tensor(digits.train_digit[:count]))


def trained(step: Callable[[Any, Any], Any], epochs: Iterable[Any]) -> tuple[list[float], float]:
    """The losses, and the median of a step's seconds without the first epoch's."""
    losses, seconds, before = [], [], 0
    for batches in epochs:
        before = before or len(losses)
        for x, y in batches:
            begun = time.perf_counter()
            losses.append(step(x, y).item())
            seconds.append(time.perf_counter() - begun)
    return losses, statistics.median(seconds[before:])


def main(argv: list[str] | None = None) -> int:
    """Trains with all processes, then with one; 0 when all is well."""
    parser = argparse.ArgumentParser(description="a perceptron on handwritten digits, trained by several processes")
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--batch", type=int, default=128, help="images of a step, over all processes")
    options = parser.parse_args(argv)
    dist.init_process_group()
    rank, count = dist.get_rank(), dist.get_world_size()
    if options.batch % count or options.epochs < 2:
        parser.error(f"at least 2 epochs, and a batch that {count} processes can share evenly")
    digits = load(np.float32)
    data = data_of(digits, options.batch)

    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=options.batch // count, sampler=sampler)
    model = nn.parallel.DistributedDataParallel(perceptron(), bucket_cap_mb=0.05)
    step = gl.jit(step_of(model), fullgraph=True)

    def epochs() -> Iterable[Any]:
        for epoch in range(options.epochs):
            sampler.set_epoch(epoch)  # another order, the same one on all ranks
            yield loader

    losses, seconds = trained(step, epochs())
    figures = dist.statistics()
    mean = gl.tensor(losses, dtype=gl.float64)
    dist.all_reduce(mean, dist.ReduceOp.AVG)
    wrong = summary(model, step, digits, data, mean.tolist(), seconds, figures, options) if rank == 0 else []
    for line in wrong:
        print(f"WRONG: {line}", file=sys.stderr)
    answer = [bool(wrong)]
    dist.broadcast_object_list(answer, 0)
    dist.destroy_process_group()
    return int(answer[0])


def summary(
    model: nn.Module,
    step: Callable[[Any, Any], Any],
    digits: Digits,
    data: TensorDataset,
    losses: list[float],
    seconds: float,
    figures: dist.CommunicationStatistics,
    options: argparse.Namespace,
) -> list[str]:
    """The printed figures of rank 0; returns what is wrong, an empty list when nothing is."""
    count = dist.get_world_size()
    alone = [DistributedSampler(data, count, rank) for rank in range(count)]

    def whole_batches() -> Iterable[Any]:
        share = options.batch // count
        for epoch in range(options.epochs):
            for each in alone:
                each.set_epoch(epoch)
            orders = [list(each) for each in alone]
            places = [sum((order[k : k + share] for order in orders), []) for k in range(0, len(orders[0]), share)]
            yield DataLoader(data, batch_sampler=places)

    expected, seconds_alone = trained(step_of(perceptron()), whole_batches())
    differ = max(abs(a - b) for a, b in list(zip(losses, expected, strict=True))[:STEPS_COMPARED])
    with gl.no_grad():
        guessed = model.module(gl.tensor(digits.test_x)).numpy().argmax(axis=1)
    read = float((guessed == digits.test_digit).mean())
    report = gl.explain(step)
    print(f"processes            {count}")
    print(f"test accuracy        {read:.4f} (loss {losses[-1]:.4f})")
    alone_us = seconds_alone * 1e6
    print(f"step                 {seconds * 1e6:.0f} us jitted by {count}, {alone_us:.0f} us plain by one (medians)")
    each = figures.bytes / len(losses) / 1024
    print(f"reduced              {each:.1f} KiB a step, {figures.overlapped:.0%} of the time overlapped")
    print(f"compiled             {report.compiles} times in {len(losses)} steps, {len(report.breaks)} graph breaks")
    print(f"losses differ by     {differ:.1e} (at most, in {STEPS_COMPARED} steps)")
    wrong = {
        f"test accuracy {read:.4f} is below {ACCURACY_WANTED}": read < ACCURACY_WANTED,
        f"the losses differ by {differ:.1e}, more than {LOSSES_MAY_DIFFER:.0e}": not differ <= LOSSES_MAY_DIFFER,
        f"the graph broke: {report}": bool(report.breaks),
    }
    return [text for text, holds in wrong.items() if holds]


if __name__ == "__main__":
    sys.exit(main())
