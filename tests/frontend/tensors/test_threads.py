"""Jitted steps called from several threads at once, on models of their own and on one that they share."""

from __future__ import annotations

import gc
import threading
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from frontend.tensors.scenario import normal

import guardlift as gl
from guardlift import nn, optim
from guardlift.nn import functional as F

BATCHES = [(normal(6, 8, seed=k), gl.tensor(np.random.default_rng(k).integers(0, 4, 6))) for k in range(25)]


def model() -> Any:
    """A model with equal weights every time."""
    made = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))
    rng = np.random.default_rng(3)
    with gl.no_grad():
        for parameter in made.parameters():
            parameter.copy_(gl.tensor(rng.standard_normal(parameter.shape).astype(np.float32) * 0.3))
    return made


def step(net: Any, optimizer: Any, x: Any, y: Any) -> Any:
    optimizer.zero_grad()
    loss = F.cross_entropy(net(x), y)
    loss.backward()
    optimizer.step()
    return loss.detach()


def train(function: Callable[..., Any]) -> list[float]:
    """The losses of a training with a model of its own."""
    net = model()
    optimizer = optim.Adam(net.parameters(), lr=0.01)
    return [function(net, optimizer, x, y).item() for x, y in BATCHES]


def at_once(*jobs: Callable[[], None]) -> None:
    """Runs the jobs in threads. Errors: what the first of them that failed raised."""
    failed: list[BaseException] = []

    def guarded(job: Callable[[], None]) -> None:
        try:
            job()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=guarded, args=(job,)) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]


@pytest.fixture(autouse=True)
def no_warnings() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize("warm", [False, True])
def test_threads_that_train_models_of_their_own(warm: bool) -> None:
    fast, expected = gl.jit(step), train(step)
    if warm:
        train(fast)
    found: list[list[float]] = []
    at_once(*[lambda: found.append(train(fast))] * 4)
    assert len(found) == 4
    for losses in found:
        np.testing.assert_allclose(losses, expected, rtol=1e-4)


def test_threads_that_ask_one_model() -> None:
    net = model()
    fast = gl.jit(lambda x: net(x))
    x = BATCHES[0][0]
    expected = net(x).detach().numpy()
    gradients = []

    def ask() -> None:
        for _ in range(50):
            result = fast(x)
            np.testing.assert_allclose(result.detach().numpy(), expected, rtol=1e-4, atol=1e-6)
            gradients.append(gl.autograd.grad(result.sum(), net[0].weight)[0].numpy())

    at_once(ask, ask, ask)
    assert len(gradients) == 150
    for each in gradients:
        np.testing.assert_allclose(each, gradients[0], rtol=1e-4, atol=1e-6)


@pytest.mark.slow
def test_models_that_die_in_another_thread() -> None:
    fast, expected = gl.jit(step), train(step)
    found: list[list[float]] = []

    def drop() -> None:
        for _ in range(4):
            net = model()
            fast(net, optim.SGD(net.parameters(), lr=0.1), *BATCHES[0])
            del net
            gc.collect()

    at_once(drop, lambda: found.append(train(fast)))
    np.testing.assert_allclose(found[0], expected, rtol=1e-4)


def test_modes_belong_to_their_threads() -> None:
    net = model()
    fast = gl.jit(lambda x: net(x))
    x = BATCHES[0][0]
    seen: list[tuple[bool, bool]] = []

    def without() -> None:
        with gl.no_grad():
            seen.extend((False, fast(x).requires_grad) for _ in range(30))

    at_once(without, lambda: seen.extend((True, fast(x).requires_grad) for _ in range(30)))
    assert len(seen) == 60 and all(wanted is found for wanted, found in seen)
