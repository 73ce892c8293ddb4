"""The functions that are timed, for any library with PyTorch's names, with the bytes that a card has to move for them.

A task makes a function and the arguments of several calls, over memory of their own each: calls that follow one another
then find nothing in the card's cache.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Made = tuple[Callable[..., Any], list[tuple[Any, ...]]]
CACHE = 200 << 20
"""Bytes beyond which the arguments of all calls are in no card's cache."""
MOST_CALLS = 8


@dataclass(frozen=True)
class Library:
    """A library with PyTorch's names. random: a tensor of floats on the card. adam: what its Adam is told besides."""

    torch: Any
    device: str
    random: Callable[..., Any]
    adam: Mapping[str, bool] = field(default_factory=dict)


@dataclass(frozen=True)
class Task:
    """A task with its sizes, in full and for a rehearsal.

    floor, held: by sizes, the bytes that are moved at least, and those that one call needs, its results included.
    operations: by sizes, of floats, where these and not bytes are the limit. copies: whether each call has memory of
    its own. shrinks: which of the sizes is halved until there is room.
    """

    name: str
    full: tuple[int, ...]
    tiny: tuple[int, ...]
    floor: Callable[..., int]
    held: Callable[..., int]
    make: Callable[[Library, tuple[int, ...], int], Made]
    operations: Callable[..., int] | None = None
    copies: bool = True
    shrinks: int = 0

    def fitting(self, room: int, tiny: bool) -> tuple[int, ...]:
        """The sizes for which two calls have room."""
        sizes = list(self.tiny if tiny else self.full)
        while self.held(*sizes) * (2 if self.copies else 1) > room and sizes[self.shrinks] > 1:
            sizes[self.shrinks] = max(1, sizes[self.shrinks] // 2)
        return tuple(sizes)

    def calls(self, room: int, sizes: tuple[int, ...]) -> int:
        """The number of calls with memory of their own."""
        held = max(1, self.held(*sizes))
        return max(1, min(MOST_CALLS, -(-CACHE // held) + 1, room // held)) if self.copies else 1


def over_one(function: Callable[..., Any]) -> Callable[[Library, tuple[int, ...], int], Made]:
    """A task of a function of one tensor."""

    def make(lib: Library, sizes: tuple[int, ...], calls: int) -> Made:
        return (lambda x: function(lib.torch, x)), [(lib.random(*sizes),) for _ in range(calls)]

    return make


def chain(torch: Any, x: Any) -> Any:
    """Ten operations."""
    y = x * 1.5 + 0.5
    y = y * y - x
    y = torch.tanh(y) * 0.5
    y = torch.clamp(y, min=-0.25) + x
    return torch.abs(y) * 2.0


def layer_norm(torch: Any, x: Any) -> Any:
    """Without weights."""
    return torch.nn.functional.layer_norm(x, (x.shape[-1],))


def product(lib: Library, sizes: tuple[int, ...], calls: int) -> Made:
    """Of two matrices."""
    m, k, n = sizes
    return (lambda x, y: x @ y), [(lib.random(m, k), lib.random(k, n)) for _ in range(calls)]


def products(lib: Library, sizes: tuple[int, ...], calls: int) -> Made:
    """Of many pairs of matrices."""
    batch, m, k, n = sizes
    return (lambda x, y: x @ y), [(lib.random(batch, m, k), lib.random(batch, k, n)) for _ in range(calls)]


def adam(lib: Library, sizes: tuple[int, ...], calls: int) -> Made:
    """A step over many parameters."""
    count, size = sizes
    parameters = [lib.torch.nn.Parameter(lib.random(size)) for _ in range(count)]
    for each in parameters:
        each.grad = lib.random(size)
    optimizer = lib.torch.optim.Adam(parameters, lr=1e-3, **lib.adam)
    return (lambda: optimizer.step()), [()]


def perceptron(lib: Library, sizes: tuple[int, ...], calls: int) -> Made:
    """A training step of four layers with Adam."""
    batch, width = sizes
    nn = lib.torch.nn
    layers = [layer for _ in range(3) for layer in (nn.Linear(width, width), nn.GELU())]
    model = nn.Sequential(*layers, nn.Linear(width, 16)).to(lib.device)
    return trained(lib, model, lib.random(batch, width), lib.random(batch, 16))


def attention(lib: Library, sizes: tuple[int, ...], calls: int) -> Made:
    """Causal attention of queries over as many keys."""
    attend = lib.torch.nn.functional.scaled_dot_product_attention
    made = [tuple(lib.random(*sizes) for _ in range(3)) for _ in range(calls)]
    return (lambda q, k, v: attend(q, k, v, is_causal=True)), made


def attention_with_gradients(lib: Library, sizes: tuple[int, ...], calls: int) -> Made:
    """The same with its gradients."""
    attend, grad = lib.torch.nn.functional.scaled_dot_product_attention, lib.torch.autograd.grad

    def run(q: Any, k: Any, v: Any, g: Any) -> Any:
        given = [each.detach().requires_grad_() for each in (q, k, v)]
        result = attend(*given, is_causal=True)
        return (result, *grad(result, given, g))

    return run, [tuple(lib.random(*sizes) for _ in range(4)) for _ in range(calls)]


def transformer(lib: Library, sizes: tuple[int, ...], calls: int) -> Made:
    """A training step of blocks with causal attention, layer norm and Adam."""
    batch, length, width, depth = sizes
    nn, functional = lib.torch.nn, lib.torch.nn.functional
    heads = max(1, width // 64)

    class Block(nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.before, self.between = nn.LayerNorm(width), nn.LayerNorm(width)
            self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
            self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

        def forward(self, x: Any) -> Any:
            parts = self.qkv(self.before(x)).split(width, 2)
            q, k, v = (each.view(batch, length, heads, width // heads).transpose(1, 2) for each in parts)
            mixed = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
            x = x + self.out(mixed.transpose(1, 2).contiguous().view(batch, length, width))
            return x + self.down(functional.gelu(self.up(self.between(x))))

    model = nn.Sequential(*(Block() for _ in range(depth)), nn.LayerNorm(width)).to(lib.device)
    return trained(lib, model, lib.random(batch, length, width), lib.random(batch, length, width))


def trained(lib: Library, model: Any, x: Any, y: Any) -> Made:
    """A step of a model towards a target."""
    optimizer = lib.torch.optim.Adam(model.parameters(), lr=1e-3, **lib.adam)

    def step(x: Any, y: Any) -> Any:
        optimizer.zero_grad()
        loss = lib.torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        return loss.detach()

    return step, [(x, y)]


def perceptron_weights(width: int) -> int:
    """Of the perceptron."""
    return 3 * width * (width + 1) + 16 * (width + 1)


TASKS = (
    Task("chain of ten operations", (10**8,), (1000,), lambda n: 8 * n, lambda n: 20 * n, over_one(chain)),
    Task(
        *("softmax", (32768, 1024), (40, 64), lambda n, m: 8 * n * m, lambda n, m: 12 * n * m),
        over_one(lambda torch, x: torch.softmax(x, 1)),
    ),
    Task("layer norm", (32768, 1024), (40, 64), lambda n, m: 8 * n * m, lambda n, m: 12 * n * m, over_one(layer_norm)),
    Task(
        *("Adam", (200, 10**6), (5, 50), lambda n, m: 28 * n * m, lambda n, m: 20 * n * m, adam),
        copies=False,
    ),
    Task("sum of all", (10**9,), (70_000,), lambda n: 4 * n, lambda n: 4 * n, over_one(lambda torch, x: x.sum())),
    Task(
        *("column sum", (32768, 4096), (64, 48), lambda n, m: 4 * n * m, lambda n, m: 4 * n * m),
        over_one(lambda torch, x: x.sum(0)),
    ),
    Task(
        *("transposition", (16384, 16384), (48, 40), lambda n, m: 8 * n * m, lambda n, m: 8 * n * m),
        over_one(lambda torch, x: x.t().contiguous()),
    ),
    Task(
        *("cumsum along rows", (8192, 8192), (20, 48), lambda n, m: 8 * n * m, lambda n, m: 12 * n * m),
        over_one(lambda torch, x: x.cumsum(1)),
    ),
    Task(
        *("cumsum down columns", (8192, 8192), (20, 48), lambda n, m: 8 * n * m, lambda n, m: 12 * n * m),
        over_one(lambda torch, x: x.cumsum(0)),
    ),
    Task(
        *("product", (4096, 4096, 4096), (40, 30, 50)),
        lambda m, k, n: 4 * (m * k + k * n + m * n),
        lambda m, k, n: 4 * (m * k + k * n + m * n),
        product,
        lambda m, k, n: 2 * m * k * n,
    ),
    Task(
        *("batch of products", (256, 512, 64, 512), (3, 20, 10, 20)),
        lambda b, m, k, n: 4 * b * (m * k + k * n + m * n),
        lambda b, m, k, n: 4 * b * (m * k + k * n + m * n),
        products,
        lambda b, m, k, n: 2 * b * m * k * n,
    ),
    Task(
        *("attention, causal", (16, 16, 2048, 64), (1, 2, 40, 8)),
        lambda b, h, t, e: 16 * b * h * t * e,
        lambda b, h, t, e: 16 * b * h * t * e,
        attention,
        lambda b, h, t, e: 2 * b * h * t * t * e,
    ),
    Task(
        *("attention, causal, with gradients", (16, 16, 2048, 64), (1, 2, 40, 8)),
        lambda b, h, t, e: 32 * b * h * t * e,
        lambda b, h, t, e: 32 * b * h * t * e,
        attention_with_gradients,
        lambda b, h, t, e: 7 * b * h * t * t * e,
    ),
    Task(
        *("perceptron step", (4096, 1024), (8, 16)),
        lambda n, w: 28 * perceptron_weights(w),
        lambda n, w: 24 * perceptron_weights(w) + 60 * n * w,
        perceptron,
        lambda n, w: 6 * n * perceptron_weights(w),
        copies=False,
    ),
    Task(
        *("transformer step", (16, 256, 512, 4), (2, 8, 64, 1)),
        lambda b, t, w, d: 28 * 12 * d * w * w,
        lambda b, t, w, d: 24 * 12 * d * w * w + d * (200 * b * t * w + 12 * b * max(1, w // 64) * t * t),
        transformer,
        lambda b, t, w, d: 6 * b * t * d * (12 * w * w + 2 * t * w),
        copies=False,
    ),
)


def figures(task: Task, sizes: Sequence[int], milliseconds: float) -> dict[str, str]:
    """What a time comes to, for the table."""
    if not milliseconds or not math.isfinite(milliseconds):
        return {}
    if task.operations is not None:
        return {"rate": f"{task.operations(*sizes) / milliseconds / 1e6:.4g} GFLOP/s"}
    return {"rate": f"{task.floor(*sizes) / milliseconds / 1e6:.4g} GB/s"}
