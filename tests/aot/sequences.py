"""Recurrent cells, attention, embeddings, and sums over all paths."""

from __future__ import annotations

import math
from typing import Any

from aot.declaring import Tap, takes

import guardlift as gl
from guardlift import nn
from guardlift.nn import functional as F

Tensor = Any


@takes("x: t n k; w: h k grad; u: h h grad; b: h grad; start: n h grad")
def recurrent_cell(tap: Tap, x: Tensor, w: Tensor, u: Tensor, b: Tensor, start: Tensor) -> Tensor:
    state = start
    states = []
    for step in x:
        state = tap("state", (F.linear(step, w, b) + state @ u.t()).tanh())
        states.append(state)
    return gl.stack(states).square().mean()


@takes("x: t n k; w: 12 k grad; u: 12 3 grad; b: 12 grad; y: n 3")
def long_short_term_memory(tap: Tap, x: Tensor, w: Tensor, u: Tensor, b: Tensor, y: Tensor) -> Tensor:
    state, cell = gl.zeros_like(y), gl.zeros_like(y)
    for step in x:
        enter, forget, new, out = tap("gates", F.linear(step, w, b) + F.linear(state, u)).chunk(4, 1)
        cell = tap("cell", forget.sigmoid() * cell + enter.sigmoid() * new.tanh())
        state = out.sigmoid() * cell.tanh()
    return F.mse_loss(state, y)


@takes("x: t n k; y: n")
class GatedRecurrentUnit(nn.Module):
    """A cell with a reset and an update gate."""

    def __init__(self, k: int, h: int) -> None:
        super().__init__()
        self.gates, self.new, self.head = nn.Linear(k + h, 2 * h), nn.Linear(k + h, h), nn.Linear(h, 1)
        self.hidden = h

    def forward(self, tap: Tap, x: Tensor, y: Tensor) -> Tensor:
        state = gl.zeros(x.shape[1], self.hidden, dtype=x.dtype)
        for step in x:
            reset, update = self.gates(gl.cat([step, state], 1)).sigmoid().split(self.hidden, 1)
            new = tap("new", self.new(gl.cat([step, tap("reset", reset * state)], 1)).tanh())
            state = gl.lerp(new, state, update)
        return F.mse_loss(self.head(state).squeeze(1), y)


@takes("q: t k grad; keys: n k grad; values: n h grad")
def attention(tap: Tap, q: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    weights = tap("weights", (q @ keys.t() / math.sqrt(q.shape[1])).softmax(-1))
    return (weights @ values).square().sum()


@takes("x: n t 4 grad; qkv: 12 4 grad; out: 4 4 grad; y: n t 4")
def causal_attention_of_two_heads(tap: Tap, x: Tensor, qkv: Tensor, out: Tensor, y: Tensor) -> Tensor:
    rows, steps, _ = x.shape
    q, k, v = F.linear(x, qkv).reshape(rows, steps, 3, 2, 2).permute(2, 0, 3, 1, 4).unbind(0)
    later = gl.ones(steps, steps, dtype=gl.bool).triu(1)
    scores = tap("scores", (q @ k.mT) / math.sqrt(2)).masked_fill(later, -math.inf)
    mixed = (scores.softmax(-1) @ v).transpose(1, 2).reshape(rows, steps, 4)
    return F.mse_loss(tap("out", mixed @ out), y)


@takes("x: n t 4 grad; y: n t 4")
class TransformerBlock(nn.Module):
    """Attention and a feed-forward layer, each behind a norm and beside a way around it."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.LayerNorm(4), nn.LayerNorm(4)
        self.qkv, self.out = nn.Linear(4, 12, bias=False), nn.Linear(4, 4)
        self.feed = nn.Sequential(nn.Linear(4, 8), nn.GELU("tanh"), nn.Linear(8, 4))

    def forward(self, tap: Tap, x: Tensor, y: Tensor) -> Tensor:
        q, k, v = self.qkv(self.first(x)).chunk(3, -1)
        weights = tap("weights", gl.softmax(gl.bmm(q, k.transpose(1, 2)) / 2, -1))
        x = tap("middle", x + self.out(weights @ v))
        return F.mse_loss(x + self.feed(self.second(x)), y)


@takes("q: t k grad; keys: t k grad; values: t h grad")
def linear_attention(tap: Tap, q: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    keys, q = tap("keys", keys.exp()), q.exp()
    memory = (keys[:, :, None] * values[:, None, :]).cumsum(0)
    norm = (q * keys.cumsum(0)).sum(1, keepdim=True)
    return (tap("read", (q[:, :, None] * memory).sum(1)) / norm).square().sum()


@takes("words: n t index=6; labels: n index=c")
class WordAverage(nn.Module):
    """A table with a padding row, averaged over time."""

    sparse = False

    def __init__(self, h: int, c: int) -> None:
        super().__init__()
        self.table, self.head = nn.Embedding(6, h, padding_idx=0, sparse=self.sparse), nn.Linear(h, c)

    def forward(self, tap: Tap, words: Tensor, labels: Tensor) -> Tensor:
        found = tap("found", self.table(words))
        return F.cross_entropy(self.head(tap("mean", found.mean(1))), labels)


class SparseWordAverage(WordAverage):
    """A model of words with sparse gradients of the table."""

    sparse = True


@takes("words: n index=6; place: n index=3; table: 6 h grad; y: 3 h")
def bags_by_index_add(tap: Tap, words: Tensor, place: Tensor, table: Tensor, y: Tensor) -> Tensor:
    rows = tap("rows", table[words])
    bags = gl.zeros_like(y).index_add(0, place, rows)
    return F.mse_loss(tap("bags", bags).tanh(), y)


@takes("x: t 6 grad; w: 6 6 grad")
def rotary_positions(tap: Tap, x: Tensor, w: Tensor) -> Tensor:
    q = tap("q", x @ w)
    angle = gl.arange(x.shape[0]).to(x.dtype)[:, None] / gl.tensor([1.0, 4.0, 16.0]).to(x.dtype)
    even, odd = q[:, ::2], q[:, 1::2]
    turned = gl.stack([even * angle.cos() - odd * angle.sin(), even * angle.sin() + odd * angle.cos()], -1)
    return (tap("turned", turned.flatten(1)) @ x.t()).log_softmax(-1).diagonal().sum()


@takes("scores: t n c grad; moves: c c grad; labels: t n index=c")
def conditional_random_field(tap: Tap, scores: Tensor, moves: Tensor, labels: Tensor) -> Tensor:
    total = scores[0]
    for step in scores[1:]:
        total = tap("total", (total[:, :, None] + moves).logsumexp(1) + step)
    path = scores.gather(2, labels[..., None]).sum() + moves[labels[:-1], labels[1:]].sum()
    return total.logsumexp(1).sum() - path


@takes("costs: 4 4 grad")
def soft_alignment(tap: Tap, costs: Tensor) -> Tensor:
    best = costs.cumsum(1)[0]
    for row in costs[1:]:
        cells = [best[0] + row[0]]
        for j in range(1, 4):
            ways = gl.stack([best[j], best[j - 1], cells[-1]])
            cells.append(row[j] - (-ways * 3).logsumexp(0) / 3)
        best = tap("best", gl.stack(cells))
    return best[-1]


@takes("x: t n grad; keep: n unit grad; y: t n")
def exponential_smoothing(tap: Tap, x: Tensor, keep: Tensor, y: Tensor) -> Tensor:
    powers = tap("powers", keep.expand_as(x).cumprod(0))
    return F.l1_loss(tap("smooth", powers * (x / powers).cumsum(0)), y)


@takes("state: n k grad; patterns: h k grad; beta: unit grad")
def hopfield(tap: Tap, state: Tensor, patterns: Tensor, beta: Tensor) -> Tensor:
    for _ in range(2):
        state = tap("state", (beta * 4 * state @ patterns.t()).softmax(1) @ patterns)
    return -((beta * state @ patterns.t()).logsumexp(1) / beta).mean() + state.square().mean() / 2
