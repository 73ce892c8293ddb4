"""Batch norm in jitted steps: one graph, running statistics as in eager mode, whatever the size of the batch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from frontend.tensors.scenario import check

import guardlift as gl
from guardlift import nn


def model(dtype: Any = gl.float32, **settings: Any) -> Any:
    gl.manual_seed(0)
    layers = nn.Linear(3, 4), nn.BatchNorm1d(4, **settings), nn.LeakyReLU(0.2, inplace=True), nn.Linear(4, 2)
    return nn.Sequential(*layers).to(dtype)


def batch(number: int, size: int = 6, dtype: Any = gl.float32) -> Any:
    return gl.tensor(np.random.default_rng(number).standard_normal((size, 3))).to(dtype)


def step(network: Any, optimizer: Any, x: Any) -> Any:
    optimizer.zero_grad()
    loss = (network(x) ** 2).mean()
    loss.backward()
    optimizer.step()
    return loss


@pytest.mark.parametrize(
    "settings", [{}, {"momentum": None}, {"affine": False}, {"track_running_stats": False}], ids=str
)
def test_a_step_is_one_graph_and_leaves_what_a_plain_step_leaves(settings: dict[str, Any]) -> None:
    def make() -> Any:
        network = model(**settings)
        return [network, gl.optim.SGD(network.parameters(), lr=0.1), batch(0)]

    check(step, arguments=make, calls=4, compiles=1)


@pytest.mark.slow
def test_batches_of_other_sizes_move_the_statistics_as_in_eager_mode() -> None:
    network = model()
    optimizer = gl.optim.SGD(network.parameters(), lr=0.1)
    other = model()
    plain = gl.optim.SGD(other.parameters(), lr=0.1)
    fast = gl.jit(step)
    for number, size in enumerate((6, 9, 4, 2)):
        fast(network, optimizer, batch(number, size))
        step(other, plain, batch(number, size))
    for (name, ours), (_, theirs) in zip(network.named_buffers(), other.named_buffers(), strict=True):
        np.testing.assert_allclose(ours.tolist(), theirs.tolist(), rtol=1e-5, err_msg=name)
    assert network[1].num_batches_tracked.item() == 4


def test_evaluation_reads_the_statistics_that_a_jitted_step_has_written() -> None:
    network = model()
    optimizer = gl.optim.SGD(network.parameters(), lr=0.1)
    fast, forward = gl.jit(step), gl.jit(lambda x: network(x))
    for number in range(3):
        fast(network, optimizer, batch(number))
    network.eval()
    x = batch(9)
    np.testing.assert_allclose(forward(x).tolist(), network(x).tolist(), rtol=1e-5)
    with pytest.raises(ValueError, match="more than 1 value per channel"):
        network.train()(batch(0, 1))
    assert network[1].num_batches_tracked.item() == 4  # as in PyTorch: counted before the batch is looked at


def test_statistics_in_float32_go_with_narrow_inputs() -> None:
    norm = nn.BatchNorm1d(3)
    x = batch(1, dtype=gl.bfloat16)
    result = norm(x)
    assert result.dtype is gl.bfloat16 and norm.running_mean.dtype is gl.float32
    np.testing.assert_allclose(norm.running_mean.tolist(), (x.float().mean(0) * 0.1).tolist(), rtol=1e-6)
    with pytest.raises(RuntimeError, match="input is float64 and statistics and weights are float32"):
        norm(x.double())


def test_a_gradient_does_not_come_from_the_running_statistics() -> None:
    mean, var = gl.zeros(3), gl.ones(3)
    x = batch(2).requires_grad_()
    nn.functional.batch_norm(x, mean, var, training=True)
    assert not mean.requires_grad and mean.grad_fn is None and not var.requires_grad
