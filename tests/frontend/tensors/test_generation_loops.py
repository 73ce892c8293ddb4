"""Decoders that generate token by token: a step is compiled for the prompt, for one token, and for all positions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from frontend.tensors.scenario import interpreted

import guardlift as gl
from guardlift import nn
from guardlift.frontend import state_of

F = nn.functional
WIDTH, TOKENS, LAYERS = 4, 12, 9


def decoded(decoder: Callable[[], Any], *, jit: bool) -> tuple[list[Any], Any]:
    """The logits of each step of greedy decoding, and the step."""
    gl.manual_seed(3)
    made = decoder()
    step = gl.jit(made) if jit else made
    ids, state, found = gl.tensor([[1, 2, 3]]), None, []
    with gl.no_grad():
        for _ in range(TOKENS):
            logits, state = step(ids, state)
            ids = logits[:, -1].argmax(-1, keepdim=True)
            found.append(logits)
    return found, step


def positions_as_ints() -> Any:
    """A cache of a fixed size, written and read up to the position that the caller counts."""
    embedding, places = nn.Embedding(7, WIDTH), nn.Embedding(20, WIDTH)
    cache, mask = gl.zeros(1, 20, WIDTH), gl.tril(gl.ones(20, 20))

    def step(ids: Any, pos: int | None) -> Any:
        pos, n = pos or 0, ids.size(1)
        x = embedding(ids) + places(gl.arange(pos, pos + n))
        cache[:, pos : pos + n] = x
        seen = cache[:, : pos + n]
        scores = (x @ seen.transpose(1, 2)).masked_fill(mask[pos : pos + n, : pos + n] == 0, float("-inf"))
        return (scores.softmax(-1) @ seen) @ embedding.weight.t(), pos + n

    return step


class Counting(nn.Module):
    """A decoder that counts positions itself, with a cache that its window bounds."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(7, WIDTH)
        self.register_buffer("cache", gl.zeros(1, 20, WIDTH))
        self.pos = 0

    def forward(self, ids: Any, state: Any) -> Any:
        x = self.embedding(ids)
        self.cache[:, self.pos : self.pos + x.shape[1]] = x
        self.pos += x.shape[1]
        seen = self.cache[:, max(0, self.pos - 8) : self.pos]
        return (F.softmax(x @ seen.transpose(1, 2), -1) @ seen) @ self.embedding.weight.t(), state


def growing_lists() -> Any:
    """Keys and values of many layers, each of which grows by one row a step."""
    embedding = nn.Embedding(7, WIDTH)

    def step(ids: Any, past: Any) -> Any:
        x, present = embedding(ids), []
        for layer in range(LAYERS):
            key, value = (x, x * 2) if past is None else (gl.cat([each, x * 1], 1) for each in past[layer])
            present.append((key, value))
            x = x + F.softmax(x @ key.transpose(1, 2), -1) @ value / 8
        return x @ embedding.weight.t(), present

    return step


@pytest.mark.parametrize(("decoder", "most"), [(positions_as_ints, 3), (Counting, 4), (growing_lists, 3)])
def test_a_step_is_compiled_a_few_times_and_whole(decoder: Callable[[], Any], most: int) -> None:
    with interpreted(), gl.config.patch(raise_internal_errors=True):
        (plain, _), (jitted, step) = (decoded(decoder, jit=each) for each in (False, True))
    for one, other in zip(plain, jitted, strict=True):
        assert (one - other).abs().max() < 1e-5
    report = gl.explain(step)
    assert report.compiles <= most and not report.breaks


def test_caches_that_grow_alike_have_one_plan_for_all_lengths() -> None:
    plain, _ = decoded(growing_lists, jit=False)
    with gl.config.patch(raise_internal_errors=True):
        jitted, step = decoded(growing_lists, jit=True)
    for one, other in zip(plain, jitted, strict=True):
        assert (one - other).abs().max() < 1e-5
    binding = state_of(step).entries[0].details["binding"]  # type: ignore[union-attr]
    assert 1 <= binding.free_plans <= 3 and len(binding.bindings) <= 3
