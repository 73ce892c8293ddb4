"""A program for mpirun: losses of several processes beside those of one with the whole batch.

Its argument says which processes are jitted: none ("eager"), all ("jit") or every other one ("mixed").
"""

from __future__ import annotations

import sys
from datetime import timedelta
from typing import Any

import numpy as np

import guardlift as gl
import guardlift.distributed as dist
from guardlift import nn
from guardlift.utils.data import DataLoader, TensorDataset
from guardlift.utils.data.distributed import DistributedSampler

SIZE, STEPS, BATCH = 48, 6, 8


def model_of() -> nn.Module:
    gl.manual_seed(0)
    return nn.Sequential(nn.Linear(5, 12), nn.Tanh(), nn.Linear(12, 12), nn.ReLU(), nn.Linear(12, 1))


def trained(model: nn.Module, batches: Any, jit: bool) -> list[float]:
    optimizer = gl.optim.AdamW(model.parameters(), lr=0.01)

    def step(x: gl.Tensor, y: gl.Tensor) -> gl.Tensor:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        return loss.detach()

    compiled = gl.jit(step) if jit else step
    losses = [compiled(x, y).item() for x, y in batches]
    if jit:
        assert not gl.explain(compiled).breaks, str(gl.explain(compiled))
    return losses


def main(way: str) -> None:
    dist.init_process_group(timeout=timedelta(seconds=60))
    rank, count = dist.get_rank(), dist.get_world_size()
    jit = way == "jit" or way == "mixed" and rank % 2 == 1
    draws = np.random.default_rng(0)
    data = TensorDataset(
        gl.tensor(draws.normal(size=(SIZE, 5)).astype(np.float32)),
        gl.tensor(draws.normal(size=(SIZE, 1)).astype(np.float32)),
    )
    sampler = DistributedSampler(data, shuffle=False)
    assert (sampler.rank, sampler.num_replicas) == (rank, count)
    # The k-th place of every rank is in the k-th part of the data: so the batches of all ranks make one of the whole.
    mine = DataLoader(data, batch_size=BATCH // count, sampler=sampler)
    model = nn.parallel.DistributedDataParallel(model_of(), bucket_cap_mb=2**-11)
    losses = gl.tensor(trained(model, mine, jit), dtype=gl.float64)
    dist.all_reduce(losses, dist.ReduceOp.AVG)
    if rank == 0:
        whole = trained(model_of(), DataLoader(data, batch_size=BATCH), False)
        np.testing.assert_allclose(losses.tolist(), whole, atol=1e-6)
        print("equal", len(whole), dist.statistics().calls)
    dist.destroy_process_group()


main(sys.argv[1] if len(sys.argv) > 1 else "eager")
