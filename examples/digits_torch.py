"""The training of `digits.py` by PyTorch, which that example imports if it can, to set its times beside ours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import nn

VERSION = torch.__version__
use_threads = torch.set_num_threads


def training(
    start: list[np.ndarray], rate: float, left_after_an_epoch: float, *, compiled: bool
) -> tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any], Callable[..., Any]]:
    """The step, what makes a tensor, what ends an epoch and what predicts, for a model with the weights `start`.

    compiled: the loss, and by `backward` its gradient, are compiled. The optimizer is PyTorch's fused one either way;
    to compile it too was no faster.
    """
    model = perceptron(start)
    optimizer = torch.optim.Adam(model.parameters(), lr=rate, fused=True)
    schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=left_after_an_epoch)

    def loss_of(x, y):
        return nn.functional.cross_entropy(model(x), y)

    chosen = torch.compile(loss_of) if compiled else loss_of

    def step(x, y):
        optimizer.zero_grad()
        loss = chosen(x, y)
        loss.backward()
        optimizer.step()
        return loss

    def scores(x):
        with torch.no_grad():
            return model(x).numpy()

    return step, torch.from_numpy, schedule.step, scores


def perceptron(start: list[np.ndarray]) -> nn.Module:
    """Linear layers with ReLU between them."""
    layers: list[nn.Module] = []
    for weight, bias in zip(start[::2], start[1::2], strict=True):
        linear = nn.Linear(weight.shape[1], weight.shape[0])
        with torch.no_grad():
            linear.weight.copy_(torch.from_numpy(weight))
            linear.bias.copy_(torch.from_numpy(bias))
        layers += [linear, nn.ReLU()]
    return nn.Sequential(*layers[:-1])
