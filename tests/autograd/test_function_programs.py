"""Random programs of custom functions, checkpoints, views and writes: their gradients are those of operations."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift.autograd import Function, checkpoint


class Mul(Function):
    @staticmethod
    def forward(ctx: Any, x: Any, y: Any) -> Any:
        ctx.save_for_backward(x, y)
        return x * y

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        x, y = ctx.saved_tensors
        return g * y, g * x


class ExpAndSum(Function):
    @staticmethod
    def forward(x: Any, y: Any) -> Any:
        return (x * 0.1).exp(), "between", x + y

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(output[0])

    @staticmethod
    def backward(ctx: Any, g: Any, _: Any, h: Any) -> Any:
        (result,) = ctx.saved_tensors
        return g * result * 0.1 + h, h


class Rest(Function):
    """A view of all but the first row."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x[1:]

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return gl.cat([gl.zeros(1, *g.shape[1:], dtype=g.dtype), g])


class Same(Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g


class AddInPlace(Function):
    """Writes twice one of its arguments, plus three times the other, to the one."""

    @staticmethod
    def forward(ctx: Any, place: int, *args: Any) -> Any:
        x, y = args[place], args[1 - place]
        ctx.place = place
        ctx.mark_dirty(x)
        return x.mul_(2).add_(y * 3)

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return (None, g * 2, g * 3) if ctx.place == 0 else (None, g * 3, g * 2)


class Program:
    """The program of one seed, on operations or on custom functions that do the same."""

    def __init__(self, seed: int, custom: bool) -> None:
        self.dice = random.Random(seed)
        self.custom = custom

    def pick(self, pool: list[Any], like: Any = None) -> Any:
        return self.dice.choice([each for each in pool if like is None or each.shape == like.shape])

    def multiply(self, pool: list[Any]) -> list[Any]:
        x = self.pick(pool)
        y = self.pick(pool, x)
        return [Mul.apply(x, y) if self.custom else x * y]

    def several(self, pool: list[Any]) -> list[Any]:
        x = self.pick(pool)
        y = self.pick(pool, x)
        if not self.custom:
            return [(x * 0.1).exp(), x + y]
        first, _, last = ExpAndSum.apply(x, y)
        return [first, last]

    def view(self, pool: list[Any]) -> list[Any]:
        x = self.pick(pool)
        return [x[1:] if x.shape[0] > 1 else x.reshape(x.shape)]

    def custom_view(self, pool: list[Any]) -> list[Any]:
        x = self.pick(pool)
        if x.shape[0] > 1:
            return [Rest.apply(x) if self.custom else x[1:]]
        return [Same.apply(x) if self.custom else x.reshape(x.shape)]

    def write(self, pool: list[Any]) -> list[Any]:
        x = self.pick(pool)
        y = self.pick(pool, x).clone()
        place = self.dice.randrange(2)
        if self.custom:
            assert AddInPlace.apply(place, *((x, y) if place == 0 else (y, x))) is x
        else:
            x.mul_(2).add_(y * 3)
        return []

    def part(self, pool: list[Any]) -> list[Any]:
        x = self.pick(pool)
        y = self.pick(pool, x).clone()

        def function(x: Any, y: Any) -> Any:
            z = (x * 0.1).exp() * y
            z[0] = z[1 % len(z)] * 2
            return z.sin() * x

        return [checkpoint(function, x, y) if self.custom else function(x, y)]

    def run(self, leaves: list[Any]) -> Any:
        """A number."""
        pool = [leaf * factor for leaf in leaves for factor in (1, 2)]
        steps: list[Callable[[list[Any]], list[Any]]] = [
            self.multiply,
            self.several,
            self.view,
            self.custom_view,
            self.write,
            self.part,
        ]
        for _ in range(self.dice.randint(3, 7)):
            pool += self.dice.choice(steps)(pool)
        return sum(((each * each).sum() for each in pool), start=(leaves[0] * 2).sum())


def gradients(seed: int, custom: bool) -> tuple[list[Any], list[Any]] | str:
    """First and second derivatives of the program with respect to its leaves, or the error."""
    generator = np.random.default_rng(seed)
    leaves = [gl.tensor(generator.uniform(0.5, 1.5, (3, 2)), requires_grad=True) for _ in range(2)]
    try:
        first = gl.autograd.grad(Program(seed, custom).run(leaves), leaves, create_graph=True)
        weighted = sum((each * each).sum() for each in first)
        second = gl.autograd.grad(weighted, leaves, allow_unused=True, materialize_grads=True)
    except RuntimeError as error:
        return str(error)
    return [each.detach().numpy() for each in first], [each.numpy() for each in second]


@pytest.mark.parametrize("block", range(6))
def test_gradients_are_those_of_operations_unless_those_or_the_views_are_refused(block: int) -> None:
    compared = 0
    for seed in range(25 * block, 25 * block + 25):
        expected, found = gradients(seed, custom=False), gradients(seed, custom=True)
        if isinstance(found, str):
            assert isinstance(expected, str) or "custom Function" in found, (seed, found)
            continue
        assert not isinstance(expected, str), (seed, expected)
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9, err_msg=str(seed))
        compared += 1
    assert compared >= 12
