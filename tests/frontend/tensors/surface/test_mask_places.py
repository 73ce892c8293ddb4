"""Reads and writes through masks whose count of True only the call knows: one graph where the mask is no result."""

from __future__ import annotations

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
    exec(f"def program(x, y, rows, k):\n" + "".join(f"    {line}\n" for line in body.split("\n")), scope)
    return scope["program"]


@pytest.mark.parametrize("text", READS)
def test_reads_through_masks_of_arguments_are_one_graph(text: str) -> None:
    check(function(f"return {text}"), arguments, calls=6, after=backward, breaks="", relative=1e-6)


@pytest.mark.parametrize("text", WRITES)
def test_writes_through_masks_of_arguments_are_one_graph(text: str) -> None:
    body = f"z = x * 1\nrows_of_columns = (y != -1).any(0)\n{text}\nreturn z * z"
    breaks = None if "masked_scatter" in text else ""
    check(function(body), arguments, calls=6, after=backward, breaks=breaks, relative=1e-6)
