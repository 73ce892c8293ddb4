"""Finds the stiffness and the friction of a swing from where it was seen, through an ODE solver.

One function solves the equation by Runge-Kutta steps, in a Python loop, compares the path with the measured one, takes
the gradient through all the steps and lets Adam take a step. Jitted, the loop over time steps is one loop of the
compiled code, and so is the way back: compiling takes no longer for a thousand steps than for ten.

    python examples/ode.py [--steps 100] [--epochs 60]
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import guardlift as gl
from guardlift import optim

TRUE = (4.0, 0.3)
"""Stiffness and friction of the swing that was measured."""


def slope(state: Any, swing: Any) -> Any:
    """The derivative of (position, speed) by time. Shapes: state [swings, 2], swing [2] -> [swings, 2]."""
    position, speed = state[:, :1], state[:, 1:]
    force = -swing[0] * gl.sin(position) - swing[1] * speed
    return gl.cat([speed, force], 1)


def solve(start: Any, swing: Any, steps: int, dt: float) -> Any:
    """The states after each step. Shapes: start [swings, 2] -> [steps, swings, 2]."""
    state, path = start, []
    for _ in range(steps):
        k1 = slope(state, swing)
        k2 = slope(state + dt / 2 * k1, swing)
        k3 = slope(state + dt / 2 * k2, swing)
        k4 = slope(state + dt * k3, swing)
        state = state + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        path.append(state)
    return gl.stack(path)


def fit(jit: Callable[[Any], Any], steps: int, epochs: int) -> tuple[list[float], list[float], Any]:
    """The losses, the seconds of each epoch, and what was found."""
    dt = 4.0 / steps
    start = gl.tensor([[1.0, 0.0], [0.5, 1.0], [-0.8, 0.3]], dtype=gl.float64)
    with gl.no_grad():
        measured = solve(start, gl.tensor(TRUE, dtype=gl.float64), steps, dt)
    swing = gl.tensor([2.5, 0.0], dtype=gl.float64, requires_grad=True)
    optimizer = optim.Adam([swing], lr=0.05)

    def epoch() -> Any:
        optimizer.zero_grad()
        loss = ((solve(start, swing, steps, dt) - measured) ** 2).mean()
        loss.backward()
        optimizer.step()
        return loss

    run = jit(epoch)
    losses, seconds = [], []
    for _ in range(epochs):
        began = time.perf_counter()
        losses.append(run().item())
        seconds.append(time.perf_counter() - began)
    return losses, seconds, swing.detach()


def main() -> None:
    """Prints what is found, and how long it takes."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--steps", type=int, default=100, help="steps of the solver")
    parser.add_argument("--epochs", type=int, default=60, help="steps of the optimizer")
    given = parser.parse_args()
    plain = max(3, given.epochs // 20)
    expected, slow, _ = fit(lambda function: function, given.steps, plain)
    losses, quick, found = fit(gl.jit, given.steps, given.epochs)
    apart = max(abs(a - b) / abs(b) for a, b in zip(losses, expected))
    print(f"{'loss':20}{losses[0]:.2e}, then {losses[-1]:.2e}")
    print(f"{'found':20}stiffness {found[0].item():.3f}, friction {found[1].item():.3f}")
    print(f"{'losses differ by':20}{apart:.1e} from those of the plain run, in {plain} epochs")
    print(f"{'first epoch':20}{quick[0]:.2f} s, compiling included")
    print(f"{'later ones':20}{statistics.median(quick[1:]) * 1e3:.3f} ms, plain {statistics.median(slow) * 1e3:.0f} ms")


if __name__ == "__main__":
    main()
