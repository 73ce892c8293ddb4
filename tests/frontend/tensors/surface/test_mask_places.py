"""Reads and writes through masks whose count of True only the call knows: one graph where the mask is no result."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from frontend.tensors.scenario import backward, check, leaf, normal

import guardlift as gl
import guardlift.nn.functional as F
from guardlift import nn, optim

Arguments = tuple[Any, Any, Any, int]


@pytest.fixture(autouse=True)
def loud() -> Iterator[None]:
    """A graph that is not valid is an error, and not a reason to run as plain Python."""
    with gl.config.patch(raise_internal_errors=True, verify_graphs=True):
        yield


def arguments(number: int) -> Arguments:
    """A leaf of shape (4, 6), labels of which more are -1 with each call, a mask of rows, and a threshold."""
    rng = np.random.default_rng(number)
    labels = rng.integers(-1, 5, (4, 6))
    rows = np.array([True, False, number % 2 == 0, True])
    return leaf(4, 6, seed=number), gl.tensor(labels), gl.tensor(rows), number - 1


READS = [
    "x[y != -1]",
    "x[y > k].exp()",
    "x[rows]",
    "x[rows] * x[rows].sum(0)",
    "x[:, (y != -1).any(0)]",
    "x[(y != -1) & rows[:, None]]",
    "x[~rows].reshape(-1) + 1",
    "x.masked_select(y != -1)",
    "x.masked_select(rows[:, None]) * 2",
    "x.view(-1)[y.view(-1) != -1]",
    "x.reshape(2, 2, 6)[(y != -1).reshape(2, 2, 6)]",
    "x[None][:, y != -1]",
    "x[rows, 2]",
    "x[rows, 1:3]",
    "x[y.bool()]",
    "(x[y != -1] - x[y != -1].mean()).pow(2)",
    "F.cross_entropy(x[rows], y[rows][:, 0].clamp(min=0))",
    "gl.nonzero(y != -1) * 2",
    "gl.nonzero(y + 1)[:, 1]",
    "gl.where(y > 0)[0] + gl.where(y > 0)[1]",
    "gl.argwhere(y == 0).sum()",
    "x[gl.where(y > 0)]",
    "x[gl.arange(6)[None].expand(4, 6) < y + 2]",
    "x.flatten().gather(0, (y != -1).flatten().nonzero().flatten())",
    "gl.cat([x[rows], x[~rows]])",
    "x[(y != -1).logical_not()].sum() + x[y != -1].sum()",
    "x[rows][:, :2] @ x[:2, :3]",
    "x[rows].softmax(-1)",
    "x[(y.float() * 2.0 > 1.5)]",
    "x[gl.isfinite(y.double() / 0)]",
]
WRITES = [
    "z[y != -1] = x[y != -1] * 2",
    "z[rows] = x[rows] * 2",
    "z[rows] = x[0]",
    "z[:, rows_of_columns] = x[:, rows_of_columns] + 1",
    "z[y > k] += x[y > k]",
    "z[rows] *= 2",
    "z[y != -1] = 0",
    "z[:, rows_of_columns] = 1.5",
    "z = z.masked_scatter(y != -1, x)",
    "z = z.index_put((y != -1,), x[y != -1] + 1)",
    "z.view(2, 2, 6)[:, rows[:2]] = x[:2].view(2, 1, 6)",
]


def function(body: str) -> Any:
    """A function of the arguments with this body."""
    scope: dict[str, Any] = {"gl": gl, "F": F}
    exec("def program(x, y, rows, k):\n" + "".join(f"    {line}\n" for line in body.split("\n")), scope)
    return scope["program"]


@pytest.mark.parametrize("text", READS)
def test_reads_through_masks_of_arguments_are_one_graph(text: str) -> None:
    check(function(f"return {text}"), arguments, calls=6, after=backward, breaks="", relative=1e-6)


@pytest.mark.parametrize("text", WRITES)
def test_writes_through_masks_of_arguments_are_one_graph(text: str) -> None:
    body = f"z = x * 1\nrows_of_columns = (y != -1).any(0)\n{text}\nreturn z * z"
    breaks = None if "masked_scatter" in text else ""
    check(function(body), arguments, calls=6, after=backward, breaks=breaks, relative=1e-6)


def step_of(loss_of: Any) -> Any:
    """A training step with the loss of a model's results."""

    def step(model: Any, optimizer: Any, x: Any, y: Any) -> Any:
        loss = loss_of(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.detach()

    return step


def trained(loss_of: Any, compiles: int | None = None, breaks: str = "") -> Any:
    """The jitted step, after it did what the step does in eager mode."""

    def world() -> Any:
        gl.manual_seed(0)
        model = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 5))
        return model, optim.Adam(model.parameters(), lr=0.05)

    worlds = world(), world()

    turns = itertools.cycle(worlds)

    def make(number: int) -> Any:
        rng = np.random.default_rng(number)
        labels = rng.integers(0, 5, (4, 7))
        labels[rng.random((4, 7)) < 0.5] = -100
        return [*next(turns), normal(4, 7, 3, seed=number), gl.tensor(labels)]

    return check(step_of(loss_of), make, calls=8, compiles=compiles, breaks=breaks, kernels=True)


def test_a_loss_over_the_labels_that_count_is_one_graph_and_one_compile() -> None:
    trained(lambda logits, y: F.cross_entropy(logits[y != -100], y[y != -100]), compiles=1)


def test_masks_of_which_the_model_decides_break_the_graph() -> None:
    trained(lambda logits, y: logits[logits.softmax(-1) > 0.3].sum(), breaks="a boolean index, whose result's shape")


def test_a_mask_of_changed_labels_is_that_of_the_change() -> None:
    def program(x: Any, y: Any, rows: Any, k: int) -> Any:
        y[0] = -1
        z = x[y != -1]
        y.clamp_(min=0)
        return z, x[y != 0] * 2

    check(program, arguments, calls=5, after=backward, breaks="")


def test_a_mask_in_a_loop_over_batches_is_looked_up_in_each_round() -> None:
    def program(x: Any, y: Any, rows: Any, k: int) -> Any:
        total = 0.0
        for row, labels in zip(x, y):
            total = total + row[labels != -1].exp().sum()
        return total

    check(program, arguments, calls=5, after=backward, breaks=None)


def test_a_mask_that_a_module_holds_may_change() -> None:
    class Masked(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("keep", gl.tensor([True, False, True, True, False, True]))

        def forward(self, x: Any) -> Any:
            return x[:, self.keep] * 2

    def change(number: int, model: Any, x: Any) -> None:
        model.keep.copy_(gl.arange(6) % (number + 1) == 0)

    def program(model: Any, x: Any) -> Any:
        return model(x)

    check(program, arguments=lambda: [Masked(), leaf(4, 6)], calls=4, change=change, after=backward, breaks="")


def test_counts_that_the_program_asks_for_are_relied_on() -> None:
    def program(x: Any, y: Any, rows: Any, k: int) -> Any:
        kept = x[y > 1]
        if len(kept) > 8:
            return kept[:8] * 2
        return kept + kept.shape[0]

    check(program, arguments, calls=6, after=backward, breaks="")


def test_static_sizes_leave_masks_to_python() -> None:
    def program(x: Any, y: Any, rows: Any, k: int) -> Any:
        return x[y != -1].exp()

    with gl.config.patch(dynamic_sizes=False):
        check(program, arguments, calls=3, after=backward, breaks="a boolean index")


def test_a_checkpoint_finds_the_same_places_in_both_runs() -> None:
    def block(x: Any, y: Any) -> Any:
        return x[y != -1].tanh() * 2

    def program(x: Any, y: Any, rows: Any, k: int) -> Any:
        gl.utils.checkpoint.checkpoint(block, x.exp(), y, use_reentrant=False).sum().backward()
        return x.grad

    check(program, arguments, calls=4, breaks=None)
