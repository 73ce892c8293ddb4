"""Training by several ranks, which are threads here: the steps are those of one process with the whole batch."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from distributed.threads import on_ranks, results

import guardlift as gl
import guardlift.distributed as dist
from guardlift import nn
from guardlift.nn import functional as F
from guardlift.nn.parallel import DistributedDataParallel as DDP

SIZE = 2
DRAWS = np.random.default_rng(0)
INPUTS = gl.tensor(DRAWS.normal(size=(6, 8, 5)).astype(np.float32))
TARGETS = gl.tensor(DRAWS.normal(size=(6, 8, 1)).astype(np.float32))


def model_of(seed: int = 0) -> nn.Module:
    gl.manual_seed(seed)
    return nn.Sequential(nn.Linear(5, 12), nn.Tanh(), nn.Linear(12, 12), nn.ReLU(), nn.Linear(12, 1))


def trained(model: nn.Module, batches: list[tuple[gl.Tensor, gl.Tensor]], jit: bool = False) -> list[float]:
    optimizer = gl.optim.AdamW(model.parameters(), lr=0.01)

    def step(x: gl.Tensor, y: gl.Tensor) -> gl.Tensor:
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        return loss.detach()

    compiled = gl.jit(step) if jit else step
    losses = [compiled(x, y).item() for x, y in batches]
    if jit:
        report = gl.explain(compiled)
        assert not report.breaks and report.compiles == 1, str(report)
    return losses


def weights(model: nn.Module) -> np.ndarray[Any, Any]:
    return np.concatenate([each.detach().numpy().ravel() for each in model.parameters()])


WHOLE = model_of()
WHOLE_LOSSES = trained(WHOLE, list(zip(INPUTS, TARGETS, strict=True)))


@pytest.mark.parametrize("jit", [False, True])
def test_losses_and_parameters_are_those_of_one_process_with_the_whole_batch(jit: bool) -> None:
    models = [model_of(seed) for seed in range(SIZE)]  # rank 0 gives its own to all
    wrapped: list[DDP] = [None] * SIZE  # type: ignore[list-item]

    def program(group: Any) -> list[float]:
        wrapped[group.rank] = model = DDP(models[group.rank], process_group=group, bucket_cap_mb=2**-11)
        assert len(model.reducer.buckets) == 3
        batches = [(x[group.rank :: SIZE], y[group.rank :: SIZE]) for x, y in zip(INPUTS, TARGETS, strict=True)]
        return trained(model, batches, jit)

    losses = np.mean(results(on_ranks(SIZE, program)), axis=0)
    np.testing.assert_allclose(losses, WHOLE_LOSSES, atol=1e-6)
    np.testing.assert_allclose(weights(wrapped[0]), weights(WHOLE), atol=1e-6)
    np.testing.assert_array_equal(weights(wrapped[0]), weights(wrapped[1]))
    assert list(wrapped[0].state_dict())[:2] == ["module.0.weight", "module.0.bias"]
    fresh = DDP_of_self(model_of(1))
    fresh.load_state_dict(wrapped[0].state_dict())
    np.testing.assert_array_equal(weights(fresh), weights(wrapped[0]))


def DDP_of_self(module: nn.Module, **settings: Any) -> DDP:  # noqa: N802
    made: list[DDP] = results(on_ranks(1, lambda group: DDP(module, process_group=group, **settings)))
    return made[0]


def test_no_sync_adds_up_gradients_and_the_next_pass_averages_the_sum() -> None:
    models = [model_of() for _ in range(SIZE)]

    def program(group: Any) -> tuple[bool, np.ndarray[Any, Any]]:
        rank, model = group.rank, DDP(models[group.rank], process_group=group)
        before = group.figures.calls
        with model.no_sync():
            F.mse_loss(model(INPUTS[0][rank::SIZE]), TARGETS[0][rank::SIZE]).backward()
        quiet = group.figures.calls == before
        F.mse_loss(model(INPUTS[1][rank::SIZE]), TARGETS[1][rank::SIZE]).backward()
        return quiet, np.concatenate([each.grad.numpy().ravel() for each in model.parameters()])

    answers = results(on_ranks(SIZE, program))
    whole = model_of()
    for k in range(2):
        F.mse_loss(whole(INPUTS[k]), TARGETS[k]).backward()
    expected = np.concatenate([each.grad.numpy().ravel() for each in whole.parameters()])
    for quiet, gradient in answers:
        assert quiet
        np.testing.assert_allclose(gradient, expected, atol=1e-6)


class Branching(nn.Module):
    """Two layers, of which each forward uses one, and one that nobody uses."""

    def __init__(self) -> None:
        super().__init__()
        self.left, self.right, self.idle = nn.Linear(5, 1), nn.Linear(5, 1), nn.Linear(1, 1)
        self.norm = nn.BatchNorm1d(5)

    def forward(self, x: gl.Tensor, left: bool) -> dict[str, gl.Tensor]:
        x = self.norm(x)
        return {"out": (self.left if left else self.right)(x)}


def test_parameters_that_a_forward_leaves_out_are_found_or_told() -> None:
    models = [Branching() for _ in range(SIZE)]

    def program(group: Any) -> Any:
        rank = group.rank
        model = DDP(models[rank], process_group=group, find_unused_parameters=True)
        model(INPUTS[0][rank::SIZE], left=rank == 0)["out"].sum().backward()
        mine = (model.module.left if rank == 0 else model.module.right).weight.grad
        other = (model.module.right if rank == 0 else model.module.left).weight.grad
        idle = model.module.idle.weight.grad
        strict = DDP(copy.deepcopy(models[rank]), process_group=group)
        strict(INPUTS[0], left=True)["out"].sum().backward()
        with pytest.raises(RuntimeError, match="no gradients of right.weight, right.bias, idle.weight, idle.bias"):
            strict(INPUTS[0], left=True)
        return mine.tolist(), other.tolist(), idle

    (mine0, other0, idle0), (mine1, other1, idle1) = results(on_ranks(SIZE, program))
    assert mine0 == other1 and mine1 == other0 and mine0 != mine1
    assert idle0 is idle1 is None


def test_each_forward_begins_with_the_buffers_of_rank_0() -> None:
    models = [Branching() for _ in range(SIZE)]

    def program(group: Any) -> list[Any]:
        rank = group.rank
        model = DDP(models[rank], process_group=group, find_unused_parameters=True)
        seen = []
        for k in range(3):
            seen.append(model.module.norm.running_mean.tolist())
            model(INPUTS[k] * (1 + rank), left=True)["out"].sum().backward()
        with gl.no_grad():  # what follows a training step has the buffers of rank 0 once more
            model.eval()(INPUTS[0], left=True)
        seen.append(model.module.norm.running_mean.tolist())
        return seen

    first, second = results(on_ranks(SIZE, program))
    assert first[0] == second[0] and first[1] != second[1] and first[3] == second[3]


@pytest.mark.parametrize("by_initial", [True, False])
def test_join_lets_ranks_have_different_numbers_of_batches(by_initial: bool) -> None:
    models = [model_of() for _ in range(SIZE)]
    counts = (2, 4)

    def program(group: Any) -> np.ndarray[Any, Any]:
        rank = group.rank
        model = DDP(models[rank], process_group=group, bucket_cap_mb=2**-11)
        optimizer = gl.optim.SGD(model.parameters(), lr=0.1)
        with model.join(divide_by_initial_world_size=by_initial):
            for k in range(counts[rank]):
                optimizer.zero_grad()
                F.mse_loss(model(INPUTS[k][rank::SIZE]), TARGETS[k][rank::SIZE]).backward()
                optimizer.step()
        return weights(model)

    first, second = results(on_ranks(SIZE, program))
    np.testing.assert_array_equal(first, second)
    whole = model_of()
    optimizer = gl.optim.SGD(whole.parameters(), lr=0.1)
    for k in range(4):
        optimizer.zero_grad()
        ranks = [rank for rank in range(SIZE) if k < counts[rank]]
        parts = [F.mse_loss(whole(INPUTS[k][rank::SIZE]), TARGETS[k][rank::SIZE]) for rank in ranks]
        (sum(parts) / (SIZE if by_initial else len(parts))).backward()
        optimizer.step()
    np.testing.assert_allclose(first, weights(whole), atol=1e-6)


def refused(make: Callable[[Any], Any], size: int = SIZE) -> list[str]:
    answers = on_ranks(size, make)
    assert all(isinstance(each, RuntimeError) for each in answers), answers
    return [str(each) for each in answers]


def test_modules_that_differ_or_cannot_be_trained_are_refused_on_every_rank() -> None:
    layers = [nn.Linear(3, 2), nn.Linear(3, 3)]
    texts = refused(lambda group: DDP(layers[group.rank], process_group=group))
    assert texts[0] == texts[1]
    assert "rank 0 has weight float32[2, 3] with grad where rank 1 has weight float32[3, 3] with grad" in texts[0]
    assert "nothing to average" in refused(lambda group: DDP(nn.ReLU(), process_group=group), 1)[0]
    assert "more than 0" in refused(lambda group: DDP(layers[0], process_group=group, bucket_cap_mb=0), 1)[0]

    def ends_early(group: Any) -> None:
        model = DDP(copy.deepcopy(layers[0]), process_group=group)
        with model.join(throw_on_early_termination=True):
            for _ in range(1 + group.rank):
                model(gl.ones(1, 3)).sum().backward()

    texts = refused(ends_early)
    assert texts[0] == texts[1] and "rank 0 has no more batches" in texts[0]


def test_a_jitted_forward_with_its_backward_outside_averages_as_eager_mode_does() -> None:
    models = [model_of() for _ in range(SIZE)]

    def program(group: Any) -> list[Any]:
        rank, model = group.rank, DDP(models[group.rank], process_group=group, bucket_cap_mb=2**-11)

        @gl.jit
        def loss_of(x: gl.Tensor, y: gl.Tensor) -> gl.Tensor:
            loss = F.mse_loss(model(x), y)
            scale = loss.detach().clone()
            dist.all_reduce(scale, dist.ReduceOp.AVG, group=group)
            return loss * scale

        found = []
        for k in range(3):
            model.zero_grad()
            loss_of(INPUTS[k][rank::SIZE], TARGETS[k][rank::SIZE]).backward()
            found.append(np.concatenate([each.grad.numpy().ravel() for each in model.parameters()]))
        assert not gl.explain(loss_of).breaks, str(gl.explain(loss_of))
        return found

    answers = results(on_ranks(SIZE, program))
    whole = model_of()
    for k in range(3):
        whole.zero_grad()
        loss = F.mse_loss(whole(INPUTS[k]), TARGETS[k])
        (loss * loss.detach()).backward()
        expected = np.concatenate([each.grad.numpy().ravel() for each in whole.parameters()])
        for found in answers:
            np.testing.assert_allclose(found[k], expected, atol=1e-6)


PATTERNS: dict[str, Callable[[int, int], bool]] = {
    "all alike": lambda k, rank: True,
    "each its own": lambda k, rank: rank == 0,
    "in turn": lambda k, rank: (k + rank) % 2 == 0,
    "others from a step on": lambda k, rank: k < 2 or rank == 0,
}
"""Whether a rank uses the left layer in a step."""


@pytest.mark.slow
@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_jitted_step_that_leaves_parameters_out_is_one_graph_and_communicates_as_eager_mode_does(
    pattern: str,
) -> None:
    starts = [Branching() for _ in range(SIZE)]

    def program(group: Any, jit: bool) -> Any:
        rank = group.rank
        model = DDP(copy.deepcopy(starts[rank]), process_group=group, find_unused_parameters=True, bucket_cap_mb=2**-17)
        optimizer = gl.optim.AdamW(model.parameters(), lr=0.1)

        def step(x: gl.Tensor, left: bool) -> gl.Tensor:
            optimizer.zero_grad()
            loss = model(x, left)["out"].square().sum()
            loss.backward()
            optimizer.step()
            return loss.detach()

        run = gl.jit(step) if jit else step
        losses = [run(INPUTS[k][rank::SIZE], left=PATTERNS[pattern](k, rank)).item() for k in range(6)]
        if jit:
            report = gl.explain(run)
            most = {"all alike": 1, "each its own": 2}.get(pattern, 4)
            assert not report.breaks and report.compiles <= most, str(report)
        grads = [each.grad is None for each in model.parameters()]
        return losses, weights(model), grads, group.figures.calls, group.figures.bytes

    plain = results(on_ranks(SIZE, lambda group: program(group, False)))
    jitted = results(on_ranks(SIZE, lambda group: program(group, True)))
    for one, other in zip(plain, jitted, strict=True):
        np.testing.assert_allclose(other[0], one[0], atol=1e-6)
        np.testing.assert_allclose(other[1], one[1], atol=1e-6)
        assert other[2:] == one[2:] and True in one[2]
    np.testing.assert_array_equal(jitted[0][1], jitted[1][1])


@pytest.mark.slow
def test_jitted_steps_join_synchronise_and_leave_parameters_out_as_eager_ones_do() -> None:
    starts = [Branching() for _ in range(SIZE)]

    def program(group: Any, jit: bool) -> list[float]:
        rank = group.rank
        model = DDP(copy.deepcopy(starts[rank]), process_group=group, find_unused_parameters=True)
        optimizer = gl.optim.SGD(model.parameters(), lr=0.1)

        def step(x: gl.Tensor, left: bool) -> gl.Tensor:
            optimizer.zero_grad()
            loss = model(x, left)["out"].square().sum()
            loss.backward()
            optimizer.step()
            return loss.detach()

        run = gl.jit(step) if jit else step
        with model.join():
            losses = [run(INPUTS[k][rank::SIZE], left=(k + rank) % 2 == 0).item() for k in range(2 + rank)]
        with model.no_sync():
            losses.append(run(INPUTS[4][rank::SIZE], left=True).item())
        return [*losses, *weights(model)]

    plain = results(on_ranks(SIZE, lambda group: program(group, False)))
    jitted = results(on_ranks(SIZE, lambda group: program(group, True)))
    for one, other in zip(plain, jitted, strict=True):
        np.testing.assert_allclose(other, one, rtol=1e-4, atol=1e-5)


ROWS = (4, 4, 3, 2, 4, 3)
"""The rows that rank 1 takes of each batch: those that it has no code for are compiled in the midst of a training."""


def unlike(group: Any, start: nn.Module, jitted: tuple[int, ...], find_unused: bool) -> Any:
    """The losses, weights and figures of a training in which the ranks in `jitted` run compiled code."""
    rank, module = group.rank, copy.deepcopy(start)
    model = DDP(module, process_group=group, find_unused_parameters=find_unused, bucket_cap_mb=2**-11)
    optimizer = gl.optim.AdamW(model.parameters(), lr=0.05)

    def step(x: gl.Tensor, left: bool) -> gl.Tensor:
        optimizer.zero_grad()
        out = model(x, left)["out"] if find_unused else model(x)
        if rank == 1 and left:
            print(end="")  # a graph break, on one rank alone
        loss = (out - 0.5).square().mean()
        loss.backward()
        optimizer.step()
        return loss.detach()

    run = gl.jit(step) if rank in jitted else step
    losses = []
    for k in range(6):
        x = INPUTS[k][rank::SIZE][: ROWS[k] if rank else None]
        losses.append(run(x, (k + rank) % 3 == 0).item())
    compiles = gl.explain(run).compiles if rank in jitted else 0
    return losses, weights(model), (group.figures.calls, group.figures.bytes), compiles


MORE = ((0,), (0, 1))
LEFT_TO_SLOW = ((False, MORE), (True, ((1,), *MORE)))


@pytest.mark.parametrize(
    ("find_unused", "ranks"),
    [(False, ((1,),)), *(pytest.param(*each, marks=pytest.mark.slow) for each in LEFT_TO_SLOW)],
)
def test_one_rank_may_be_jitted_and_compile_again_or_break_while_another_runs_plain_python(
    find_unused: bool, ranks: tuple[tuple[int, ...], ...]
) -> None:
    start = Branching() if find_unused else model_of()
    plain, *others = (
        results(on_ranks(SIZE, lambda group, jitted=jitted: unlike(group, start, jitted, find_unused)))
        for jitted in ((), *ranks)
    )
    for found in others:
        for rank in range(SIZE):
            np.testing.assert_allclose(found[rank][0], plain[rank][0], atol=1e-5)
            np.testing.assert_allclose(found[rank][1], plain[rank][1], atol=1e-5)
            assert found[rank][2] == plain[rank][2]  # as many communications, of as many bytes
        np.testing.assert_array_equal(found[0][1], found[1][1])
    assert [each[1][3] > 2 for each in others] == [1 in jitted for jitted in ranks]
