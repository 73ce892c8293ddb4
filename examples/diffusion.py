"""Diffusion of points in the plane: a network learns to take noise away, and turns noise into two moons.

    python examples/diffusion.py [--steps 2000] [--plot moons.png]

Each step draws clean points, moments and noise inside of the compiled function, predicts the noise, and improves the
network. Then points are made of noise, moment by moment, by a second compiled function.
Source: Ho, Jain & Abbeel 2020, "Denoising Diffusion Probabilistic Models", algorithms 1 and 2.

Exits with 1 when the losses of the plain and the jitted run differ, the step was compiled more than twice, a graph
broke, or (from 1,000 steps on) the points that were made lie far from the moons.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from side_by_side import Training, compare, figure, finish, options

MOMENTS, BATCH, WIDTH, MADE = 50, 256, 128, 500
STEPS_TO_JUDGE, FAR = 1000, 0.35


def moons(count: int, seed: int) -> np.ndarray:
    """Points on two half circles that reach into each other, with a little noise: float32 [count, 2]."""
    rng = np.random.default_rng(seed)
    angle, upper = math.pi * rng.random(count), rng.random(count) < 0.5
    x = np.where(upper, np.cos(angle), 1 - np.cos(angle)) - 0.5
    y = np.where(upper, np.sin(angle), 0.5 - np.sin(angle)) - 0.25
    return (np.stack([x, y], axis=1) + 0.05 * rng.standard_normal((count, 2))).astype(np.float32)


def training(lib: Any, jit: Callable[..., Any]) -> Training:
    """The network, and a step that draws everything it needs."""
    nn = lib.nn

    class Denoiser(nn.Module):
        """Predicts the noise in a point at a moment, which it knows as waves of several lengths."""

        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("frequencies", 2.0 ** lib.arange(8) * math.pi / 64)
            self.layers = nn.Sequential(
                nn.Linear(2 + 16, WIDTH), nn.SiLU(), nn.Linear(WIDTH, WIDTH), nn.SiLU(), nn.Linear(WIDTH, 2)
            )

        def forward(self, points, moments):
            angles = moments[:, None] * self.frequencies
            return self.layers(lib.cat([points, lib.sin(angles), lib.cos(angles)], dim=1))

    lib.manual_seed(0)
    model = Denoiser()
    optimizer = lib.optim.AdamW(model.parameters(), lr=2e-3)
    betas = lib.linspace(1e-4, 0.2, MOMENTS)
    kept = lib.cumprod(1 - betas, dim=0)
    data = lib.from_numpy(moons(4096, seed=0))

    @jit
    def train_step():
        """Improves the network on points drawn anew; gives the loss before the step."""
        clean = data[lib.randint(0, data.shape[0], (BATCH,))]
        moments = lib.randint(0, MOMENTS, (BATCH,))
        noise = lib.randn_like(clean)
        share = kept[moments][:, None]
        noisy = share.sqrt() * clean + (1 - share).sqrt() * noise
        loss = nn.functional.mse_loss(model(noisy, moments.float()), noise)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.detach()

    @jit
    def denoise(points, moment):
        """One moment back: `points` with a part of their noise taken away, and a little new noise but at the last."""
        moments = moment.expand(points.shape[0])
        predicted = model(points, moments.float())
        beta, share = betas[moment], kept[moment]
        mean = (points - beta / (1 - share).sqrt() * predicted) / (1 - beta).sqrt()
        return mean + lib.where(moment > 0, beta.sqrt(), 0.0) * lib.randn_like(points)

    def result() -> dict[str, Any]:
        with lib.no_grad():
            points = lib.randn(MADE, 2)
            for moment in reversed(range(MOMENTS)):
                points = denoise(points, lib.tensor(moment))
        made, real = points.numpy(), moons(2000, seed=1)
        far = float(np.linalg.norm(made[:, None] - real[None], axis=2).min(axis=1).mean())
        return {"mean distance": f"{far:.3f} of {MADE} made points from the moons", "far": far, "made": made}

    return Training(lambda number: train_step(), train_step, result, (model,))


def main() -> int:
    """Trains twice, makes points; 0 when all is well."""
    chosen = options(__doc__, steps=2000)
    jitted, found, wrong = compare(training, chosen.steps)
    if chosen.steps >= STEPS_TO_JUDGE and not found["far"] < FAR:
        wrong.append(f"the points lie {found['far']:.3f} from the moons on average, more than {FAR}")
    if chosen.plot:
        drawn, axes = figure()
        axes.scatter(*moons(2000, seed=1).T, s=2, color="silver", label="data")
        axes.scatter(*found["made"].T, s=4, label="made of noise")
        axes.legend()
        axes.set_aspect("equal")
        drawn.savefig(chosen.plot)
    return finish(wrong)


if __name__ == "__main__":
    sys.exit(main())
