"""Draws that are made of uniform and normal ones: their moments, their ranges, and what they refuse."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

import guardlift as gl

COUNT = 40_000
MOMENTS: dict[str, tuple[Callable[[gl.Generator], gl.Tensor], float, float]] = {
    "bernoulli": (lambda g: gl.bernoulli(gl.full((COUNT,), 0.3), generator=g), 0.3, math.sqrt(0.21)),
    "bernoulli_": (lambda g: gl.zeros(COUNT).bernoulli_(0.7, generator=g), 0.7, math.sqrt(0.21)),
    "normal": (lambda g: gl.normal(2.0, 3.0, (COUNT,), generator=g), 2.0, 3.0),
    "normal of tensors": (lambda g: gl.normal(gl.full((COUNT,), -1.0), gl.full((1,), 0.5), generator=g), -1.0, 0.5),
    "exponential_": (lambda g: gl.zeros(COUNT).exponential_(2.0, generator=g), 0.5, 0.5),
    "geometric_": (lambda g: gl.zeros(COUNT).geometric_(0.25, generator=g), 4.0, math.sqrt(12.0)),
    "random_": (lambda g: gl.zeros(COUNT).random_(2, 5, generator=g), 3.0, math.sqrt(2 / 3)),
    "randint_like": (lambda g: gl.randint_like(gl.zeros(COUNT), 3, generator=g), 1.0, math.sqrt(2 / 3)),
    "log_normal_": (lambda g: gl.zeros(COUNT).log_normal_(1.0, 0.5, generator=g).log(), 1.0, 0.5),
    "multinomial": (
        lambda g: gl.multinomial(gl.tensor([1.0, 0.0, 3.0]), COUNT, True, generator=g).float(),
        1.5,
        math.sqrt(0.75),
    ),
}


@pytest.mark.parametrize("name", MOMENTS)
def test_mean_and_deviation_are_those_of_the_distribution(name: str) -> None:
    draw, mean, deviation = MOMENTS[name]
    generator = gl.Generator()
    generator.manual_seed(5)
    x = draw(generator).double()
    assert x.shape == (COUNT,)
    assert abs(x.mean().item() - mean) < 5 * deviation / math.sqrt(COUNT)
    assert abs(x.std().item() - deviation) < 0.05 * deviation


def test_without_replacement_every_place_comes_once_and_likely_ones_first() -> None:
    generator = gl.Generator()
    generator.manual_seed(1)
    rows = gl.multinomial(gl.tensor([[1.0, 2.0, 7.0]]).repeat(4000, 1), 3, generator=generator)
    assert rows.sort(1).values.unique(dim=0).tolist() == [[0, 1, 2]]
    share = (rows[:, 0] == 2).float().mean().item()
    assert abs(share - 0.7) < 0.04


def test_integers_fill_what_their_dtype_holds() -> None:
    for dtype, largest in ((gl.int8, 127), (gl.uint8, 255), (gl.bool, 1)):
        x = gl.zeros(5000, dtype=dtype).random_()
        assert 0 <= int(x.long().amin()) and int(x.long().amax()) == largest


REFUSED: list[tuple[Callable[[], Any], str]] = [
    (lambda: gl.bernoulli(gl.tensor([1.5])), "Expected p_in >= 0"),
    (lambda: gl.zeros(2).bernoulli_(-1), "expects p to be in"),
    (lambda: gl.normal(0.0, -1.0, (2,)), "normal expects std >= 0.0"),
    (lambda: gl.zeros(2).exponential_(0.0), "expects lambda > 0.0"),
    (lambda: gl.zeros(2).geometric_(1.5), "expects p to be in"),
    (lambda: gl.zeros(2).log_normal_(0.0, 0.0), "expects std > 0.0"),
    (lambda: gl.multinomial(gl.tensor([1.0, -1.0]), 1), "invalid multinomial distribution"),
    (lambda: gl.multinomial(gl.tensor([1.0, 1.0]), 3), "without replacement"),
    (lambda: gl.multinomial(gl.ones(1, 1, 1), 1), "1 or 2 dim"),
    (lambda: gl.multinomial(gl.ones(2), 0), "n_sample <= 0"),
]


@pytest.mark.parametrize(("draw", "words"), REFUSED)
def test_what_is_no_distribution_is_refused(draw: Callable[[], Any], words: str) -> None:
    with pytest.raises(RuntimeError, match=words):
        draw()
