"""A convolutional network with batch norm reads handwritten digits.

    python examples/digits_convolution.py [--steps 400] [--plot accuracy.png]

The whole training step is one compiled function: convolutions, batch norm with its running statistics, pooling,
backward and the optimizer. Digits that were held out are read in evaluation mode, with the statistics of training.
Source: LeCun et al. 1998; Ioffe & Szegedy 2015 (batch norm).

Exits with 1 when the losses of the plain and the jitted run differ, the step was compiled more than twice, a graph
broke, or (from 300 steps on) fewer than 95 of 100 held-out digits are read right.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from handwritten import load
from side_by_side import Training, compare, figure, finish, options

BATCH, RATE, STEPS_TO_JUDGE, ACCURACY_WANTED = 64, 0.05, 300, 0.95


def training(lib: Any, jit: Callable[..., Any]) -> Training:
    """The network, its batches and its step."""
    nn = lib.nn
    digits = load(np.float32)
    lib.manual_seed(0)
    model = nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1, bias=False),
        nn.BatchNorm2d(16),
        nn.ReLU(),
        nn.Conv2d(16, 32, 3, padding=1, bias=False),
        nn.BatchNorm2d(32),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(32, 64, 3, padding=1, bias=False),
        nn.BatchNorm2d(64),
        nn.ReLU(),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(64, 10),
    )
    optimizer = lib.optim.SGD(model.parameters(), lr=RATE, momentum=0.9, weight_decay=1e-4)
    batches: list[Any] = []

    @jit
    def train_step(images, labels):
        """Improves the model on one batch; gives the loss before the step."""
        loss = nn.functional.cross_entropy(model(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.detach()

    def step(number: int) -> Any:
        while number >= len(batches):
            epoch = len(batches)  # an order that no epoch before had
            drawn = digits.batches(BATCH, epoch)
            batches.extend((lib.from_numpy(x.reshape(-1, 1, 8, 8)), lib.from_numpy(y)) for x, y in drawn)
        return train_step(*batches[number])

    def result() -> dict[str, Any]:
        model.eval()
        with lib.no_grad():
            logits = model(lib.from_numpy(digits.test_x.reshape(-1, 1, 8, 8))).numpy()
        model.train()
        read = logits.argmax(axis=1)
        right = float((read == digits.test_digit).mean())
        confused = np.zeros((10, 10), dtype=int)
        np.add.at(confused, (digits.test_digit, read), 1)
        return {"test accuracy": f"{right:.4f}", "right": right, "confused": confused}

    return Training(step, train_step, result, (model,))


def main() -> int:
    """Trains twice; 0 when all is well."""
    chosen = options(__doc__, steps=400)
    _, found, wrong = compare(training, chosen.steps)
    if chosen.steps >= STEPS_TO_JUDGE and not found["right"] >= ACCURACY_WANTED:
        wrong.append(f"test accuracy {found['right']:.4f} is below {ACCURACY_WANTED}")
    if chosen.plot:
        drawn, axes = figure()
        axes.imshow(found["confused"], cmap="Blues")
        axes.set(xlabel="read as", ylabel="digit", xticks=range(10), yticks=range(10))
        drawn.savefig(chosen.plot)
    return finish(wrong)


if __name__ == "__main__":
    sys.exit(main())
