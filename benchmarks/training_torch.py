"""The tasks of `training.py` under PyTorch; run by a Python that has it. Needs nothing of guardlift."""

from __future__ import annotations

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # -P leaves this folder out

import torch  # noqa: E402
from torch import nn  # noqa: E402
from turns import serve  # noqa: E402

TENSORS, SIDE = 1000, 32


def digits_step(batch: int, widths: list[int], how: str):
    """A task: one training step of a perceptron on one batch that stays the same.

    how: "eager"; "whole": the step is compiled as one function; "parts": the loss and, by `backward`, its gradient are
    compiled, and the optimizer is PyTorch's fused one.
    """
    torch.manual_seed(0)
    layers: list[nn.Module] = []
    for fan_in, fan_out in zip(widths, widths[1:]):
        layers += [nn.Linear(fan_in, fan_out), nn.ReLU()]
    model = nn.Sequential(*layers[:-1])
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, fused=True)
    x, y = torch.randn(batch, widths[0]), torch.randint(0, widths[-1], (batch,))

    def loss_of(x, y):
        return nn.functional.cross_entropy(model(x), y)

    loss_of = torch.compile(loss_of) if how == "parts" else loss_of

    def step(x, y):
        optimizer.zero_grad()
        loss = loss_of(x, y)
        loss.backward()
        optimizer.step()
        return loss

    step = torch.compile(step) if how == "whole" else step
    return lambda: step(x, y)


def adam_step(**how: bool):
    """A task: one step of Adam over many small tensors."""
    parameters = [nn.Parameter(torch.randn(SIDE, SIDE)) for _ in range(TENSORS)]
    for parameter in parameters:
        parameter.grad = torch.randn(SIDE, SIDE)
    return torch.optim.Adam(parameters, lr=1e-3, **how).step


def main() -> None:
    """Serves the tasks. Those under one name but for what follows the colon are the same work, and the best counts."""
    torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
    torch.empty(6_000_000)  # freed at once, so that glibc keeps the pages of smaller blocks
    digits = (128, [64, 256, 256, 10])
    tasks = {
        "step, eager": digits_step(*digits, how="eager"),
        "step, compiled: whole": digits_step(*digits, how="whole"),
        "step, compiled: parts": digits_step(*digits, how="parts"),
        "tiny step, eager": digits_step(2, [2, 2, 2, 2], how="eager"),
        "tiny step, compiled: whole": digits_step(2, [2, 2, 2, 2], how="whole"),
        "adam: fused": adam_step(fused=True),
        "adam: foreach": adam_step(foreach=True),
    }
    serve(tasks, f"PyTorch {torch.__version__}")


if __name__ == "__main__":
    main()
