"""Random programs over views, writes and arithmetic: their gradients are the slopes of their values."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest

import guardlift as gl

Step = Callable[[random.Random, list[gl.Tensor]], gl.Tensor | None]


def pick(dice: random.Random, pool: list[gl.Tensor], like: gl.Tensor | None = None) -> gl.Tensor:
    return dice.choice([each for each in pool if like is None or each.shape == like.shape])


def combine(dice: random.Random, pool: list[gl.Tensor]) -> gl.Tensor:
    x = pick(dice, pool)
    return getattr(x, dice.choice(["add", "mul", "sub"]))(pick(dice, pool, x))


def change(dice: random.Random, pool: list[gl.Tensor]) -> gl.Tensor:
    return getattr(pick(dice, pool) * 0.3, dice.choice(["exp", "tanh", "sin", "sigmoid"]))()


def take_view(dice: random.Random, pool: list[gl.Tensor]) -> gl.Tensor:
    x = pick(dice, pool)
    ways = [lambda: x.t() if x.ndim == 2 else x.view(-1), lambda: x[1:], lambda: x[..., :2], lambda: x[0]]
    return dice.choice(ways)() if x.ndim and x.shape[0] > 1 else x.unsqueeze(0)


def write(dice: random.Random, pool: list[gl.Tensor]) -> None:
    x = pick(dice, pool)
    getattr(x, dice.choice(["add_", "mul_", "sub_", "copy_"]))(pick(dice, pool, x).clone())


def write_part(dice: random.Random, pool: list[gl.Tensor]) -> None:
    x = pick(dice, pool)
    if x.ndim and x.shape[0]:
        x[dice.randrange(x.shape[0])] = pick(dice, pool, x)[0].clone() * 0.5 if dice.random() < 0.7 else 1.25


def write_function(dice: random.Random, pool: list[gl.Tensor]) -> None:
    getattr(pick(dice, pool).mul_(0.3), dice.choice(["tanh_", "sigmoid_", "exp_"]))()


STEPS: list[Step] = [combine, change, take_view, take_view, write, write_part, write_function]


def run(seed: int, leaves: list[gl.Tensor]) -> gl.Tensor:
    """A number computed by the program of that seed."""
    dice = random.Random(seed)
    pool = [leaf * factor for leaf in leaves for factor in (1, 2)]
    for _ in range(dice.randint(4, 9)):
        made = dice.choice(STEPS)(dice, pool)
        if made is not None:
            pool.append(made)
    return sum(((each * each).sum() for each in pool), start=(leaves[0] * 2).sum())


def slope(seed: int, leaves: list[gl.Tensor], leaf: gl.Tensor, place: tuple[int, int]) -> float:
    """The slope of the program's number along one element of `leaf`."""
    step, memory, ends = 1e-6, leaf.detach().numpy(), []
    for sign in (step, -step):
        memory[place] += sign
        with gl.no_grad():
            ends.append(run(seed, leaves).item())
        memory[place] -= sign
    return (ends[0] - ends[1]) / (2 * step)


@pytest.mark.parametrize("block", range(8))
def test_the_gradient_of_a_program_is_the_slope_of_its_value_or_the_program_is_refused(block: int) -> None:
    refused = 0
    for seed in range(10 * block, 10 * block + 10):
        generator = np.random.default_rng(seed)
        leaves = [gl.tensor(generator.uniform(0.5, 1.5, (3, 3)), requires_grad=True) for _ in range(2)]
        try:
            run(seed, leaves).backward()
        except RuntimeError as error:
            assert "modified by an inplace operation" in str(error)
            refused += 1
            continue
        for leaf in leaves:
            for place in ((0, 0), (1, 2), (2, 1)):
                expected = slope(seed, leaves, leaf, place)
                np.testing.assert_allclose(leaf.grad.numpy()[place], expected, rtol=1e-5, atol=1e-5)
    assert refused <= 6
