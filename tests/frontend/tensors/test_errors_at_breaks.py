"""An exception at a graph break leaves tensors, gradients, modes, draws and optimizer state as eager mode does."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from frontend.tensors.training import World, same_world

import guardlift as gl
from guardlift import nn, optim
from guardlift.autograd import graph
from guardlift.nn import functional as F


class Failure(Exception):
    """The exception that is injected."""


class Place(threading.local):
    """The number of the break at which the next call fails; 0 for none."""

    fails_at = 0
    count = 0


PLACE = Place()


@gl.disable
def tick() -> None:
    """A graph break, which may raise."""
    PLACE.count += 1
    if PLACE.count == PLACE.fails_at:
        raise Failure


class Net(nn.Module):
    """Layers with a break between, dropout and a buffer."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(4, 6), nn.Linear(6, 3)
        self.register_buffer("calls", gl.zeros(1))

    def forward(self, x: Any) -> Any:
        h = F.dropout(self.first(x).tanh(), 0.3)
        tick()
        self.calls.add_(1.0)
        return self.second(h)


class Squared(gl.autograd.Function):
    """A function with a backward of its own."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        tick()
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        (x,) = ctx.saved_tensors
        tick()
        return gradient * 2.0 * x


def usual(world: World, x: Any) -> Any:
    world.optimizer.zero_grad()
    tick()
    loss = world.model(x).square().mean()
    tick()
    loss.backward()
    tick()
    world.optimizer.step()
    tick()
    world.extras["total"].add_(loss.detach())
    return loss.detach()


def accumulated(world: World, x: Any) -> Any:
    total = gl.zeros(())
    for k in range(2):
        loss = world.model(x * (k + 1)).square().mean() / 2
        loss.backward()
        tick()
        total = total + loss.detach()
    nn.utils.clip_grad_norm_(world.model.parameters(), 0.5)
    tick()
    world.optimizer.step()
    world.optimizer.zero_grad()
    return total


def modes(world: World, x: Any) -> Any:
    with gl.no_grad():
        target = world.model(x)
        tick()
        with gl.enable_grad():
            loss = (world.model(x) - target).square().mean()
            tick()
        world.extras["total"].mul_(0.5).add_(target.mean())
    with gl.inference_mode():
        scores = world.model(x)
        tick()
    loss.backward()
    world.optimizer.step()
    world.optimizer.zero_grad(set_to_none=False)
    return loss.detach() + float(scores.mean())


def packed(world: World, x: Any) -> Any:
    with graph.saved_tensors_hooks(lambda t: t * 2.0, lambda t: t / 2.0):
        h = world.model.first(x).tanh()
        tick()
        loss = world.model.second(h).square().mean()
    tick()
    loss.backward()
    world.optimizer.step()
    world.optimizer.zero_grad()
    return loss.detach()


def custom(world: World, x: Any) -> Any:
    loss = Squared.apply(world.model(x)).mean()
    tick()
    loss.backward()
    tick()
    world.optimizer.step()
    world.optimizer.zero_grad()
    return loss.detach()


def written(world: World, x: Any) -> Any:
    total = world.extras["total"]
    total.add_(1.0)
    tick()
    noise = gl.randn(3)
    total.mul_(noise.mean())
    tick()
    out = world.model(x) + noise
    out.mul_(2.0)
    tick()
    out.mean().backward()
    world.optimizer.step()
    return out.detach()


def handled(world: World, x: Any) -> Any:
    try:
        loss = world.model(x).square().mean()
        tick()
        loss.backward()
    except Failure:
        world.optimizer.zero_grad()
        tick()
        return None
    finally:
        world.extras["total"].add_(1.0)
    tick()
    world.optimizer.step()
    return loss.detach()


def hooked(world: World, x: Any) -> Any:
    h = world.model.first(x)
    h.register_hook(lambda gradient: gradient * 0.5)
    tick()
    loss = world.model.second(h.relu()).square().mean()
    loss.backward()
    tick()
    world.optimizer.step()
    world.optimizer.zero_grad()
    return loss.detach()


PROGRAMS = {each.__name__: each for each in (usual, accumulated, modes, packed, custom, written, handled, hooked)}

BARE = {"packed"}
"""Programs of which Python runs all but the optimizer's step: hooks on saved tensors are in force from the start."""


def make_world() -> World:
    """A net, Adam with a state, and a running total."""
    gl.manual_seed(3)
    model = Net()
    return World(model, optim.Adam(model.parameters(), lr=0.05), {"total": gl.zeros(()), "calls": model.calls})


def modes_now() -> tuple[bool, bool]:
    """The modes of autograd."""
    return gl.is_grad_enabled(), gl.is_inference_mode_enabled()


def run(step: Callable[..., Any], world: World, fails_at: int, x: Any) -> Any:
    """The result of a step that fails at a break: a list, or the name of the exception, and the breaks it came to."""
    PLACE.fails_at, PLACE.count = fails_at, 0
    try:
        out = step(world, x)
        return (None if out is None else out.tolist()), PLACE.count
    except Failure:
        return "failed", PLACE.count
    finally:
        PLACE.fails_at = 0


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.slow
def test_a_step_that_fails_at_a_break_leaves_what_eager_mode_leaves(name: str) -> None:
    program = PROGRAMS[name]
    x = gl.linspace(-1.0, 1.0, 20).reshape(5, 4)
    _, breaks = run(program, make_world(), 0, x)
    assert breaks >= 2
    for fails_at in range(1, breaks + 1):
        worlds, outs, drawn = [], [], []
        for jitted in (False, True):
            step = gl.jit(program) if jitted else program
            world = make_world()
            found = []
            for fails in (0, 0, fails_at, 0, fails_at, 0):
                found.append(run(step, world, fails, x))
                assert modes_now() == (True, False)
            worlds.append(world)
            outs.append(found)
            drawn.append(gl.rand(2).tolist())
            if jitted:
                compiled = [each for each in gl.explain(step).entries if not each.plain]
                assert len(compiled) > (name not in BARE), "both sides of a break are compiled"
        assert [each[1] for each in outs[0]] == [each[1] for each in outs[1]]
        for one, other in zip(*outs, strict=True):
            if one[0] is None or one[0] == "failed":
                assert one == other
            else:
                np.testing.assert_allclose(other[0], one[0], rtol=1e-4)
        same_world(*worlds, relative=1e-4)
        assert drawn[0] == drawn[1]
