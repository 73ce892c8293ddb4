"""A whole training step of a two-layer transformer is one graph, with the numbers of eager mode."""

from __future__ import annotations

import math

import numpy as np
import pytest

import guardlift as gl
from guardlift import nn


class Block(nn.Module):
    """Attention with a causal mask and a perceptron, each behind a layer norm and beside a way around."""

    def __init__(self, width: int, heads: int, dtype: gl.DType) -> None:
        super().__init__()
        self.heads = heads
        self.before_attention, self.before_mlp = nn.LayerNorm(width, dtype=dtype), nn.LayerNorm(width, dtype=dtype)
        self.qkv, self.out = nn.Linear(width, 3 * width, dtype=dtype), nn.Linear(width, width, dtype=dtype)
        self.up, self.down = nn.Linear(width, 4 * width, dtype=dtype), nn.Linear(4 * width, width, dtype=dtype)

    def forward(self, x: gl.Tensor, mask: gl.Tensor) -> gl.Tensor:
        """Shapes: x [batch, time, width]; mask [time, time], True where nobody may look."""
        batch, time, width = x.shape
        size = width // self.heads
        parts = self.qkv(self.before_attention(x)).reshape(batch, time, 3, self.heads, size)
        q, k, v = parts.permute(2, 0, 3, 1, 4).unbind(0)
        scores = (q @ k.transpose(-2, -1) / math.sqrt(size)).masked_fill(mask, -math.inf)
        looked = (gl.softmax(scores, -1) @ v).transpose(1, 2).reshape(batch, time, width)
        x = x + self.out(looked)
        return x + self.down(nn.functional.gelu(self.up(self.before_mlp(x))))


class Transformer(nn.Module):
    """Two such layers between an embedding and a projection to the vocabulary."""

    def __init__(self, vocabulary: int, width: int, heads: int, time: int, dtype: gl.DType) -> None:
        super().__init__()
        self.words = nn.Embedding(vocabulary, width, dtype=dtype)
        self.places = nn.Parameter(gl.randn(time, width, dtype=dtype) * 0.02)
        self.blocks = nn.ModuleList([Block(width, heads, dtype) for _ in range(2)])
        self.norm, self.head = nn.LayerNorm(width, dtype=dtype), nn.Linear(width, vocabulary, dtype=dtype)
        self.register_buffer("mask", gl.ones(time, time).triu(1).to(gl.bool))

    def forward(self, words: gl.Tensor) -> gl.Tensor:
        """Shapes: words i64[batch, time]; the result [batch, time, vocabulary]."""
        x = self.words(words) + self.places
        for block in self.blocks:
            x = block(x, self.mask)
        return self.head(self.norm(x))


def trained(
    width: int, heads: int, time: int, batch: int, dtype: gl.DType, *, steps: int, jit: bool
) -> tuple[list[float], list[np.ndarray], list[np.ndarray]]:
    """Losses of steps of Adam, the gradients of the first, and the parameters behind the last."""
    vocabulary = 32
    gl.manual_seed(0)
    model = Transformer(vocabulary, width, heads, time, dtype)
    opt = gl.optim.Adam(model.parameters(), lr=1e-3)

    def step(words: gl.Tensor, following: gl.Tensor) -> gl.Tensor:
        opt.zero_grad()
        loss = nn.functional.cross_entropy(model(words).reshape(-1, vocabulary), following.reshape(-1))
        loss.backward()
        opt.step()
        return loss

    run = gl.jit(step, fullgraph=True) if jit else step
    rng = np.random.default_rng(0)
    losses, first = [], []
    for _ in range(steps):
        words, following = (gl.tensor(rng.integers(0, vocabulary, (batch, time))) for _ in range(2))
        losses.append(run(words, following).item())
        first = first or [each.grad.numpy().copy() for each in model.parameters()]
    if jit:
        assert [event.kind for event in gl.explain(run).events] == ["compile"]
    return losses, first, [each.detach().numpy() for each in model.parameters()]


def compare(sizes: tuple[int, int, int, int], dtype: gl.DType, rtol: float, steps: int) -> None:
    found, wanted = (trained(*sizes, dtype, steps=steps, jit=jit) for jit in (True, False))
    np.testing.assert_allclose(found[0], wanted[0], rtol=rtol)
    for one, other in zip(found[1], wanted[1], strict=True):
        np.testing.assert_allclose(one, other, rtol=rtol, atol=rtol * np.abs(other).max())
    if dtype is gl.float64:  # in float32, Adam makes steps of full size of gradients that are rounding alone
        for one, other in zip(found[2], wanted[2], strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-7, atol=1e-7)


@pytest.mark.slow
def test_ten_steps_of_a_small_transformer_are_those_of_eager_mode_in_one_graph() -> None:
    compare((8, 2, 6, 2), gl.float64, 1e-10, 10)


@pytest.mark.slow
@pytest.mark.parametrize(("dtype", "rtol"), [(gl.float64, 1e-10), (gl.float32, 1e-4)], ids=str)
def test_so_are_three_of_one_of_width_256_with_4_heads_over_8_rows_of_128_words(dtype: gl.DType, rtol: float) -> None:
    compare((256, 4, 128, 8), dtype, rtol, 3)
