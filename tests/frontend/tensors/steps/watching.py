"""Programs that look at their own training: losses in a log, an early stop, evaluations, statistics from hooks."""

from __future__ import annotations

import math

from frontend.tensors.steps.record import Training, classified, measured, program

import guardlift as gl
from guardlift import nn, optim


@program(breaks=1, compiles=3)
def log_the_loss() -> Training:
    """The loss is printed every ten steps, and its running average is kept."""
    model = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 5))
    optimizer = optim.Adam(model.parameters(), lr=1e-3)
    criterion = nn.CrossEntropyLoss()
    running_loss = 0.0

    def step(i, x, y):
        nonlocal running_loss
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        running_loss += loss.item()
        if i % 10 == 9:
            print(f"step {i + 1}: loss {running_loss / 10:.3f}")
            running_loss = 0.0
        return loss.item()

    return Training(step, lambda k: (k, *classified(k)), (model, optimizer))


@program(breaks=1, compiles=3)
def early_stop_on_nan() -> Training:
    """A batch whose loss is not a number is left out; the twelfth batch has an infinity in it."""
    model = nn.Sequential(nn.Linear(20, 64), nn.Tanh(), nn.Linear(64, 1))
    optimizer = optim.SGD(model.parameters(), lr=0.01, momentum=0.9)

    def step(x, y):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        if gl.isnan(loss):
            return None
        loss.backward()
        optimizer.step()
        return loss

    def batches(k):
        x, y = measured(k)
        if k == 12:
            x[3, 3] = math.inf
            x[3, 4] = -math.inf
        return x, y

    return Training(step, batches, (model, optimizer))


@program(compiles=2)
def evaluation_in_between() -> Training:
    """Every fifth step ends with the accuracy on a held-out batch, in evaluation mode."""
    model = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Dropout(0.2), nn.Linear(64, 5))
    optimizer = optim.AdamW(model.parameters(), lr=1e-2)
    held_x, held_y = classified(1000, rows=64)
    history: list[float] = []

    def evaluate():
        model.eval()
        with gl.no_grad():
            accuracy = (model(held_x).argmax(dim=1) == held_y).float().mean()
        model.train()
        return accuracy.item()

    def step(i, x, y):
        model.train()
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        if i % 5 == 4:
            history.append(evaluate())
        return loss.item()

    return Training(step, lambda k: (k, *classified(k)), (model, optimizer, history))


@program(compiles=2)
def hooks_for_statistics() -> Training:
    """Forward hooks keep the mean, the spread and the share of zeros of every activation."""
    model = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 5))
    optimizer = optim.SGD(model.parameters(), lr=0.05)
    statistics = {}

    def watch(name):
        def hook(module, inputs, output):
            out = output.detach()
            statistics[name] = {"mean": out.mean(), "std": out.std(), "dead": (out == 0).float().mean()}

        return hook

    for name, module in model.named_modules():
        if isinstance(module, nn.ReLU):
            module.register_forward_hook(watch(name))

    def step(x, y):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        return loss, {name: values["dead"] for name, values in statistics.items()}

    return Training(step, classified, (model, optimizer, statistics))
