"""Batch normalization over several ranks is that of one process with the whole batch."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from distributed.threads import on_ranks, results

import guardlift as gl
import guardlift.distributed as dist
from guardlift import nn

PARTS = (5, 2, 4)
"""The batches of the ranks differ in size."""


def model_of() -> nn.Module:
    gl.manual_seed(0)
    last = nn.Sequential(nn.BatchNorm2d(4, momentum=None))
    return nn.Sequential(nn.Conv2d(3, 4, 2), nn.BatchNorm2d(4), nn.ReLU(), last).to(gl.float64)


def inputs(seed: int) -> Any:
    return gl.tensor(np.random.default_rng(seed).normal(1.0, 2.0, size=(sum(PARTS), 3, 5, 4)))


@pytest.mark.parametrize("jit", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_several_ranks_normalize_as_one_does(jit: bool) -> None:
    whole, made = model_of(), model_of()
    batches, outputs = [inputs(seed) for seed in range(2)], []
    for x in batches:
        outputs.append(whole(x))
        (outputs[-1] * outputs[-1].sin()).sum().backward()

    def program(group: Any) -> Any:
        model = nn.SyncBatchNorm.convert_sync_batchnorm(copy.deepcopy(made), group)
        assert isinstance(model[1], nn.SyncBatchNorm) and isinstance(model[3][0], nn.SyncBatchNorm)
        start = sum(PARTS[: group.rank])
        found = []

        def step(x: gl.Tensor) -> gl.Tensor:
            y = model(x)
            (y * y.sin()).sum().backward()
            return y

        run = gl.jit(step) if jit else step
        for x in batches:
            found.append(run(x[start : start + PARTS[group.rank]]).detach())
        for each in model.parameters():
            dist.all_reduce(each.grad, group=group)
        model.eval()
        return found, model, model(batches[0])

    for rank, (found, model, evaluated) in enumerate(results(on_ranks(3, program))):
        start = sum(PARTS[:rank])
        for part, output in zip(found, outputs):
            assert gl.allclose(part, output[start : start + PARTS[rank]], atol=1e-9)
        for (name, one), (_, other) in zip(model.named_parameters(), whole.named_parameters()):
            assert gl.allclose(one.grad, other.grad, atol=1e-8), name
        for (name, one), (_, other) in zip(model.named_buffers(), whole.named_buffers()):
            assert gl.allclose(one.to(gl.float64), other.to(gl.float64), atol=1e-9), name
        twin = copy.deepcopy(whole).eval()
        assert gl.allclose(evaluated, twin(batches[0]), atol=1e-9)


def test_what_is_converted_and_what_cannot_be_normalized() -> None:
    layer = nn.BatchNorm1d(3, eps=0.1, momentum=0.5)
    layer.eval()
    made = nn.SyncBatchNorm.convert_sync_batchnorm(layer)
    assert isinstance(made, nn.SyncBatchNorm) and made.weight is layer.weight and made.running_var is layer.running_var
    assert (made.eps, made.momentum, made.training) == (0.1, 0.5, False)
    assert list(made.state_dict()) == list(layer.state_dict())
    assert nn.SyncBatchNorm.convert_sync_batchnorm(made) is made
    plain = nn.SyncBatchNorm.convert_sync_batchnorm(nn.BatchNorm1d(3, affine=False, track_running_stats=False))
    x = gl.randn(4, 3, 2)  # no group: that of one process
    assert gl.allclose(plain(x), nn.functional.batch_norm(x, None, None, training=True))
    with pytest.raises(ValueError, match="at least 2D input"):
        plain(gl.ones(3))

    def program(group: Any) -> Any:
        layer = nn.SyncBatchNorm(2, process_group=group)
        with pytest.raises(ValueError, match="more than 1 value per channel"):
            layer(gl.ones(1 - group.rank, 2))
        with pytest.raises(dist.CollectiveMismatchError, match=r"rank 1: all_reduce\(SUM, float32\[4\]\)"):
            nn.SyncBatchNorm(2 + group.rank, process_group=group)(gl.ones(3, 2 + group.rank))

    results(on_ranks(2, program))
