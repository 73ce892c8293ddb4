"""A physics-informed network: it learns the swing of a damped pendulum from its equation, without any data.

    python examples/pendulum.py [--steps 40] [--plot swing.png]

The network gives the angle at a moment. Its loss is how far ``angle'' + damping * angle' + sin(angle)`` is from zero,
with the derivatives by the moment taken inside of the compiled function, and how far the start is from the given one.
LBFGS minimises it: `--steps` is the number of its steps, each of up to 20 evaluations of the compiled closure.
Source: Raissi, Perdikaris & Karniadakis 2019, "Physics-informed neural networks"; Nocedal & Wright 2006, chapter 7.

Exits with 1 when the losses of the plain and the jitted run differ, the closure was compiled more than twice, a graph
broke, or (from 40 steps on) the swing is far from that of a solver of differential equations.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from side_by_side import Training, compare, figure, finish, options

DAMPING, START, END, MOMENTS, WIDTH = 0.3, 1.5, 6.0, 128, 32
STEPS_TO_JUDGE, FAR = 40, 0.05


def solved(moments: np.ndarray) -> np.ndarray:
    """The angle at these moments, by the classical method of Runge and Kutta with small steps."""

    def slope(state: np.ndarray) -> np.ndarray:
        return np.array([state[1], -DAMPING * state[1] - math.sin(state[0])])

    fine = np.linspace(0.0, END, 6001)
    state, angles = np.array([START, 0.0]), [START]
    for h in np.diff(fine):
        a = slope(state)
        b = slope(state + h / 2 * a)
        c = slope(state + h / 2 * b)
        d = slope(state + h * c)
        state = state + h / 6 * (a + 2 * b + 2 * c + d)
        angles.append(state[0])
    return np.interp(moments, fine, angles)


def training(lib: Any, jit: Callable[..., Any]) -> Training:
    """The network, and a step of LBFGS with a compiled closure."""
    nn = lib.nn
    lib.manual_seed(0)
    model = nn.Sequential(nn.Linear(1, WIDTH), nn.Tanh(), nn.Linear(WIDTH, WIDTH), nn.Tanh(), nn.Linear(WIDTH, 1))
    model.double()  # what LBFGS makes of the losses amplifies their last bits
    optimizer = lib.optim.LBFGS(model.parameters(), max_iter=20, history_size=50, line_search_fn="strong_wolfe")
    at = lib.linspace(0.0, END, MOMENTS, dtype=lib.float64)[:, None]

    def by_time(values, moments):
        """The derivative of each value by its moment."""
        return lib.autograd.grad(values.sum(), moments, create_graph=True)[0]

    @jit
    def closure():
        """The loss, with its gradients in the parameters."""
        optimizer.zero_grad()
        moments = at.detach().requires_grad_()
        angle = model(moments)
        speed = by_time(angle, moments)
        equation = by_time(speed, moments) + DAMPING * speed + lib.sin(angle)
        loss = (equation**2).mean() + (angle[0, 0] - START) ** 2 + speed[0, 0] ** 2
        loss.backward()
        return loss.detach()

    def result() -> dict[str, Any]:
        with lib.no_grad():
            angles = model(at)[:, 0].numpy()
        moments = at[:, 0].numpy()
        expected = solved(moments)
        far = float(np.abs(angles - expected).max())
        text = f"{far:.4f} at most, of the swing by a solver"
        return {"angle differs by": text, "far": far, "moments": moments, "angles": angles, "expected": expected}

    return Training(lambda number: optimizer.step(closure), closure, result, (model,))


def main() -> int:
    """Trains twice; 0 when all is well."""
    chosen = options(__doc__, steps=40)
    _, found, wrong = compare(training, chosen.steps)
    if chosen.steps >= STEPS_TO_JUDGE and not found["far"] < FAR:
        wrong.append(f"the swing differs by {found['far']:.3f} from that of a solver, more than {FAR}")
    if chosen.plot:
        drawn, axes = figure()
        axes.plot(found["moments"], found["expected"], color="silver", linewidth=4, label="solver")
        axes.plot(found["moments"], found["angles"], label="network")
        axes.set(xlabel="time", ylabel="angle")
        axes.legend()
        drawn.savefig(chosen.plot)
    return finish(wrong)


if __name__ == "__main__":
    sys.exit(main())
