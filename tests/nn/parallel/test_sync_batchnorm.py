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
from guardlift.runtime import graph_call

ROWS = 12


def model_of() -> nn.Module:
    gl.manual_seed(0)
    last = nn.Sequential(nn.Unflatten(1, (2, 2)), nn.BatchNorm1d(2, momentum=None))
    return nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Tanh(), last).to(gl.float64)


BATCHES = gl.tensor(np.random.default_rng(0).normal(1.0, 2.0, size=(4, ROWS, 3)))


def parts(size: int, rank: int) -> slice:
    """The rows of one rank: those of rank 0 are one fewer, and those of the last one more."""
    bounds = [k * ROWS // size - (0 < k < size) for k in range(size + 1)]
    return slice(bounds[rank], bounds[rank + 1])


def loss_of(model: nn.Module, x: gl.Tensor) -> gl.Tensor:
    y = model(x)
    return (y * y.sin()).sum() / ROWS


def noting(group: Any) -> list[str]:
    """The communications of a group from now on, in their order."""
    noted: list[str] = []
    submit = group.submit

    def noted_submit(description: str, *args: Any, **settings: Any) -> Any:
        noted.append(description)
        return submit(description, *args, **settings)

    group.submit = noted_submit
    return noted


def trained(model: nn.Module, where: slice, compiled: str, group: Any = None) -> Any:
    """The losses of three steps, with what is jitted: nothing, the "step", or the "loss" with backward outside."""
    optimizer = gl.optim.SGD(model.parameters(), lr=0.05)
    loss = gl.jit(loss_of) if compiled == "loss" else loss_of
    scale = 1 if group is None else group.size  # the model averages gradients, and the loss is a share of the whole

    def step(x: gl.Tensor) -> gl.Tensor:
        optimizer.zero_grad()
        found = loss(model, x)
        (found * scale).backward()
        optimizer.step()
        return found.detach()

    run = gl.jit(step) if compiled == "step" else step
    losses = [run(x[where]) for x in BATCHES[:3]]
    if compiled != "nothing":
        report = gl.explain(run if compiled == "step" else loss)
        assert not report.breaks and report.compiles == 1, str(report)
    evaluate = gl.jit(model.eval()) if compiled != "nothing" else model.eval()
    return [each.item() for each in losses], evaluate(BATCHES[3])


COMPILED = ("nothing", "step", "loss")


@pytest.mark.parametrize(
    ("size", "ways"), [(2, COMPILED[:1]), *(pytest.param(size, COMPILED, marks=pytest.mark.slow) for size in (2, 4))]
)
def test_several_ranks_train_as_one_does_in_one_graph_with_the_communications_of_eager_mode(
    size: int, ways: tuple[str, ...]
) -> None:
    whole, made = model_of(), model_of()
    expected, evaluated = trained(whole, slice(None), "nothing")
    orders: dict[str, list[str]] = {}
    for compiled in ways:

        def program(group: Any, compiled: str = compiled) -> Any:
            model = nn.SyncBatchNorm.convert_sync_batchnorm(copy.deepcopy(made), group)
            assert isinstance(model[1], nn.SyncBatchNorm) and isinstance(model[3][1], nn.SyncBatchNorm)
            noted = noting(group)
            wrapped = nn.parallel.DistributedDataParallel(model, process_group=group, bucket_cap_mb=2**-14)
            assert len(wrapped.reducer.buckets) > 1
            return *trained(wrapped, parts(size, group.rank), compiled, group), model, noted

        answers = results(on_ranks(size, program))
        orders[compiled] = answers[0][3]
        np.testing.assert_allclose(np.sum([losses for losses, *_ in answers], axis=0), expected, atol=1e-9)
        for _, output, model, noted in answers:
            assert noted == orders[compiled]
            assert gl.allclose(output, evaluated, atol=1e-9)
            for (name, one), (_, other) in zip(model.named_parameters(), whole.named_parameters()):
                assert gl.allclose(one, other, atol=1e-9), name
            for (name, one), (_, other) in zip(model.named_buffers(), whole.named_buffers()):
                assert gl.allclose(one.to(gl.float64), other.to(gl.float64), atol=1e-9), name
    if len(ways) > 1:  # a compiled backward pass gives all gradients at once, which are communicated behind it
        assert orders["step"] == orders["nothing"] and sorted(orders["loss"]) == sorted(orders["nothing"])


def test_a_backward_plan_that_gives_up_does_not_communicate_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    planned = graph_call._plan

    def giving_up(*args: Any) -> Any:
        plan = planned(*args)

        def run(*given: Any) -> Any:
            plan(*given)
            return ...

        return run

    monkeypatch.setattr(graph_call, "_plan", giving_up)

    def program(group: Any) -> Any:
        layer, noted = nn.SyncBatchNorm(2, process_group=group), noting(group)
        loss = gl.jit(lambda x: layer(x).square().sum())
        x = gl.tensor([[1.0, 2.0], [3.0, 5.0 + group.rank]], requires_grad=True)
        counts = []
        for _ in range(2):
            x.grad = None
            loss(x).backward()
            counts.append(len(noted))
        assert not gl.explain(loss).breaks
        return x.grad, counts

    one, other = results(on_ranks(2, program))
    both = gl.tensor([[1.0, 2.0], [3.0, 5.0], [1.0, 2.0], [3.0, 6.0]], requires_grad=True)
    nn.BatchNorm1d(2)(both).square().sum().backward()
    assert gl.allclose(gl.cat([one[0], other[0]]), both.grad, atol=1e-5)
    assert one[1] == other[1] == [4, 8]


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
