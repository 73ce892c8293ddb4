"""The tasks of `eager.py`, for any library whose tensors have PyTorch's interface."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

REPEATS = 100
"""How often a task does its work in one call."""
CHAIN = 100
"""Products in the chain."""


def eager_tasks(ones: Callable[[int], Any], grad: Callable[..., Any]) -> Mapping[str, Callable[[], object]]:
    """ones: a tensor of that many float32 ones. grad: the library's `autograd.grad`."""
    a, b, g = ones(8).requires_grad_(), ones(8).requires_grad_(), ones(8)
    kept = a * b

    def forward() -> None:
        for _ in range(REPEATS):
            a * b  # noqa: B018

    def backward() -> None:
        for _ in range(REPEATS):
            kept.backward(g, retain_graph=True)

    def both() -> None:
        for _ in range(REPEATS):
            (a * b).backward(g)

    def chain() -> None:
        x = a
        for _ in range(CHAIN):
            x = x * b
        grad(x, [a, b], g)

    return {"forward": forward, "backward": backward, "both": both, "chain": chain}
