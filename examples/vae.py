"""A variational autoencoder of handwritten digits: two numbers say all that it keeps of an image.

    python examples/vae.py [--steps 1500] [--plot digits.png]

The encoder gives a normal distribution of two numbers, one draw of which the decoder turns into an image. The step is
one compiled function, with the draw inside. Without --plot nothing is drawn; with it, the images that the decoder makes
of a grid of numbers.
Source: Kingma & Welling 2014, "Auto-Encoding Variational Bayes".

Exits with 1 when the losses of the plain and the jitted run differ, the step was compiled more than twice, a graph
broke, or (from 1,000 steps on) the images that come back are no better than the mean image.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from handwritten import load
from side_by_side import Training, compare, figure, finish, options

BATCH, WIDTH, KEPT, PIXELS = 128, 256, 2, 64
STEPS_TO_JUDGE = 1000
GRID = 12


def training(lib: Any, jit: Callable[..., Any]) -> Training:
    """Encoder and decoder, and their step."""
    nn = lib.nn

    class Autoencoder(nn.Module):
        """Images to the mean and the logarithm of the variance of what is kept; and back to logits of pixels."""

        def __init__(self) -> None:
            super().__init__()
            self.encoder = nn.Sequential(nn.Linear(PIXELS, WIDTH), nn.ReLU(), nn.Linear(WIDTH, 2 * KEPT))
            self.decoder = nn.Sequential(
                nn.Linear(KEPT, WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, PIXELS)
            )

        def forward(self, images):
            mean, log_variance = self.encoder(images).chunk(2, dim=-1)
            drawn = mean + (log_variance / 2).exp() * lib.randn_like(mean)
            return self.decoder(drawn), mean, log_variance

    digits = load(np.float32)
    lib.manual_seed(0)
    model = Autoencoder()
    optimizer = lib.optim.Adam(model.parameters(), lr=1e-3)

    @jit
    def train_step(images):
        """Improves the model on one batch; gives minus the evidence lower bound of an image, before the step."""
        logits, mean, log_variance = model(images)
        pixels = nn.functional.binary_cross_entropy_with_logits(logits, images, reduction="sum")
        apart = -0.5 * (1 + log_variance - mean**2 - log_variance.exp()).sum()
        loss = (pixels + apart) / images.shape[0]
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.detach()

    batches: list[Any] = []

    def step(number: int) -> Any:
        while number >= len(batches):
            epoch = len(batches)  # an order that no epoch before had
            batches.extend(lib.from_numpy(x) for x, _ in digits.batches(BATCH, epoch))
        return train_step(batches[number])

    def result() -> dict[str, Any]:
        values = np.linspace(-2, 2, GRID, dtype=np.float32)
        grid = np.stack(np.meshgrid(values, values), axis=-1).reshape(-1, KEPT)
        with lib.no_grad():
            held_out = lib.from_numpy(digits.test_x)
            mean = model.encoder(held_out).chunk(2, dim=-1)[0]
            error = float(((lib.sigmoid(model.decoder(mean)) - held_out) ** 2).mean())
            made = lib.sigmoid(model.decoder(lib.from_numpy(grid))).numpy()
        base = float(((digits.test_x - digits.train_x.mean(axis=0)) ** 2).mean())
        text = f"{error:.4f} of held-out pixels (the mean image: {base:.4f})"
        return {"squared error": text, "better": error < 0.8 * base, "made": made}

    return Training(step, train_step, result, (model,))


def main() -> int:
    """Trains twice; 0 when all is well."""
    chosen = options(__doc__, steps=1500)
    _, found, wrong = compare(training, chosen.steps)
    if chosen.steps >= STEPS_TO_JUDGE and not found["better"]:
        wrong.append(f"the images that come back are hardly better than the mean image: {found['squared error']}")
    if chosen.plot:
        drawn, axes = figure()
        tiles = found["made"].reshape(GRID, GRID, 8, 8).transpose(0, 2, 1, 3).reshape(8 * GRID, 8 * GRID)
        axes.imshow(tiles, cmap="gray_r")
        axes.set_axis_off()
        drawn.savefig(chosen.plot)
    return finish(wrong)


if __name__ == "__main__":
    sys.exit(main())
