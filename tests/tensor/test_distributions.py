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
    "poisson": (lambda g: gl.poisson(gl.full((COUNT,), 6.25), g), 6.25, 2.5),
    "poisson of float64": (lambda g: gl.poisson(gl.full((COUNT,), 400.0, dtype=gl.float64), generator=g), 400.0, 20.0),
    "binomial": (lambda g: gl.binomial(gl.full((COUNT,), 20.0), gl.tensor(0.25), g), 5.0, math.sqrt(3.75)),
    "cauchy_": (lambda g: gl.zeros(COUNT).cauchy_(2.0, 3.0, generator=g).clamp(-1, 5), 2.0, 2.3447),
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
    (lambda: gl.zeros(2).cauchy_(0.0, 0.0), "expects sigma > 0.0"),
    (lambda: gl.zeros(2, dtype=gl.int64).cauchy_(), "must be a floating point"),
    (lambda: gl.poisson(gl.tensor([1.0, -1.0])), "invalid Poisson rate"),
    (lambda: gl.poisson(gl.tensor([1.0, math.nan])), "invalid Poisson rate"),
    (lambda: gl.poisson(gl.tensor([1])), "poisson takes floats"),
    (lambda: gl.binomial(gl.tensor([1]), gl.tensor([0.5])), "binomial takes floats"),
    (lambda: gl.binomial(gl.ones(1), gl.ones(1, dtype=gl.float64)), "one dtype"),
    (lambda: gl.multinomial(gl.tensor([1.0, -1.0]), 1), "invalid multinomial distribution"),
    (lambda: gl.multinomial(gl.tensor([1.0, 1.0]), 3), "without replacement"),
    (lambda: gl.multinomial(gl.ones(1, 1, 1), 1), "1 or 2 dim"),
    (lambda: gl.multinomial(gl.ones(2), 0), "n_sample <= 0"),
]


@pytest.mark.parametrize(("draw", "words"), REFUSED)
def test_what_is_no_distribution_is_refused(draw: Callable[[], Any], words: str) -> None:
    with pytest.raises(RuntimeError, match=words):
        draw()


def test_half_of_a_cauchy_distribution_lies_within_sigma() -> None:
    x = gl.zeros(COUNT, dtype=gl.float64).cauchy_(2.0, 3.0, generator=gl.Generator(5))
    assert abs(((x - 2).abs() < 3).double().mean().item() - 0.5) < 0.02


def test_counts_are_of_the_shape_and_dtype_of_their_parameters() -> None:
    for dtype in (gl.float16, gl.bfloat16, gl.float32, gl.float64):
        rate = gl.full((2, 1), 3.0, dtype=dtype, requires_grad=True)
        counts = gl.poisson(rate)
        assert counts.dtype is dtype and counts.shape == (2, 1) and not counts.requires_grad
        wins = gl.binomial(gl.full((3,), 9.0, dtype=dtype), gl.full((2, 1), 0.5, dtype=dtype))
        assert wins.dtype is dtype and wins.shape == (2, 3)
        assert bool((wins == wins.floor()).all()) and 0 <= wins.amin().item() <= wins.amax().item() <= 9
    assert gl.poisson(gl.zeros(0, 3)).shape == (0, 3) and gl.poisson(gl.zeros(2)).tolist() == [0.0, 0.0]


def test_binomial_takes_the_nearest_legal_parameters() -> None:
    count, prob = gl.tensor([5.0, 5.9, -3.0, 5.0]), gl.tensor([2.0, 1.0, 0.5, -1.0])
    assert gl.binomial(count, prob).tolist() == [5.0, 5.0, 0.0, 0.0]


def test_counts_follow_the_seed() -> None:
    rate = gl.full((50,), 7.0)
    one, other, same = (gl.poisson(rate, gl.Generator(seed)).tolist() for seed in (1, 2, 1))
    assert one == same != other
    generator = gl.Generator(1)
    assert gl.poisson(rate, generator).tolist() != gl.poisson(rate, generator).tolist()
