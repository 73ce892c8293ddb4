"""The training steps of `breaks.py`, for any library with PyTorch's names: a perceptron and a transformer block.

A step breaks the graph where people's steps do: a print in `forward`, an early return on a loss that is not a number, a
call of logging, a print of the norm, a branch on whether the norm is finite, a print at the end.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from typing import Any

BREAKS = {
    "none": "",
    "1 print": "p",
    "2 prints": "pq",
    "5 prints": "pqrst",
    "1 early return": "n",
    "1 call of logging": "l",
    "1 finite norm": "f",
    "2: print, early return": "pn",
    "5: prints, early return, finite norm": "pnqft",
}
"""The breaks of each variant.

p: in `forward`; q, r, s, t: behind the loss, backward, clipping and the optimizer's step; l: a call of logging behind
backward; n: an early return on NaN; f: a step only where the norm is finite.
"""
LOGGER = logging.getLogger(__name__)
NULL = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  (as long as the process)


def perceptron(lib: Any, breaks: str) -> tuple[Any, Any, Any, Any]:
    """A model, its optimizer and a batch: 64-256-256-10, Adam, 128 rows."""

    class Perceptron(lib.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first = lib.nn.Linear(64, 256)
            self.second = lib.nn.Linear(256, 256)
            self.third = lib.nn.Linear(256, 10)

        def forward(self, x):
            h = lib.relu(self.first(x))
            if "p" in breaks:
                print(h.shape, file=NULL)
            return self.third(lib.relu(self.second(h)))

    model = Perceptron()
    optimizer = lib.optim.Adam(model.parameters(), lr=1e-3, **fastest(lib))
    return model, optimizer, lib.randn(128, 64), lib.randint(0, 10, (128,))


def transformer(lib: Any, breaks: str) -> tuple[Any, Any, Any, Any]:
    """A model, its optimizer and a batch: one block of width 64 with 4 heads, AdamW, 8 texts of 32 of 100 tokens."""
    functional = lib.nn.functional

    class Block(lib.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.embed = lib.nn.Embedding(100, 64)
            self.before, self.between = lib.nn.LayerNorm(64), lib.nn.LayerNorm(64)
            self.qkv, self.out = lib.nn.Linear(64, 192), lib.nn.Linear(64, 64)
            self.up, self.down = lib.nn.Linear(64, 256), lib.nn.Linear(256, 64)
            self.head = lib.nn.Linear(64, 100)

        def forward(self, tokens):
            x = self.embed(tokens)
            batch, length, width = x.shape
            q, k, v = (
                each.reshape(batch, length, 4, width // 4).transpose(1, 2)
                for each in self.qkv(self.before(x)).chunk(3, -1)
            )
            mixed = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
            x = x + self.out(mixed.transpose(1, 2).reshape(batch, length, width))
            if "p" in breaks:
                print(x.shape, file=NULL)
            x = x + self.down(functional.gelu(self.up(self.between(x))))
            return self.head(x).reshape(batch * length, 100)

    model = Block()
    optimizer = lib.optim.AdamW(model.parameters(), lr=1e-3, **fastest(lib))
    return model, optimizer, lib.randint(0, 100, (8, 32)), lib.randint(0, 100, (256,))


MODELS = {"perceptron": perceptron, "transformer block": transformer}


def fastest(lib: Any) -> dict[str, bool]:
    """Settings under which a library's optimizer is fastest on the CPU."""
    return {"fused": True} if lib.__name__ == "torch" else {}


def training_step(
    lib: Any, make: Callable[..., Any], breaks: str, of_step: Callable[..., Any], of_model: Callable[..., Any]
) -> Callable[[], object]:
    """A task: one step on a batch that stays the same.   of_step, of_model: what compiles the step, and the model."""
    lib.manual_seed(0)
    model, optimizer, x, y = make(lib, breaks)
    called = of_model(model)

    def step(x, y):
        optimizer.zero_grad()
        loss = lib.nn.functional.cross_entropy(called(x), y)
        if "q" in breaks:
            print(loss.shape, file=NULL)
        if "n" in breaks and lib.isnan(loss):
            return loss
        loss.backward()
        if "r" in breaks:
            print("backward is done", file=NULL)
        if "l" in breaks:
            LOGGER.debug("backward is done")
        norm = lib.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        if "s" in breaks:
            print(norm.dtype, file=NULL)
        if "f" not in breaks or lib.isfinite(norm):
            optimizer.step()
        if "t" in breaks:
            print("the step is done", file=NULL)
        return loss.detach()

    # torch.compile keeps what it has compiled by the code object: each variant has one of its own.
    step.__code__ = step.__code__.replace(co_name=f"step_{breaks}")
    compiled = of_step(step)
    return lambda: compiled(x, y)


def same(function):
    """The function as it is."""
    return function


def tasks(lib: Any, ways: dict[str, tuple[Callable[..., Any], Callable[..., Any]]]) -> dict[str, Callable[[], object]]:
    """Every variant of every model in every way of compiling it, under "model, breaks, way"."""
    return {
        f"{model}; {variant}; {way}": training_step(lib, make, breaks, *both)
        for model, make in MODELS.items()
        for variant, breaks in BREAKS.items()
        for way, both in ways.items()
    }
