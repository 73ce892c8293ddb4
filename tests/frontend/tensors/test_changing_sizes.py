"""Tensors whose sizes change from call to call: each call is that of eager mode, and no graph is ever illegal."""

from __future__ import annotations

from typing import Any

import pytest
from frontend.tensors.scenario import backward, check, leaf, normal

import guardlift as gl
from guardlift.autograd import grad

SIZES = (4, 5, 6, 1, 4, 7)


def forward(x: Any, w: Any) -> Any:
    return (x @ w).tanh().sum()


def inside(x: Any, w: Any) -> Any:
    return grad((x @ w).tanh().sum(), w)[0]


def step(x: Any, w: Any) -> Any:
    loss = (x @ w).tanh().sum()
    loss.backward()
    return loss.detach()


@pytest.mark.parametrize("program", [forward, inside, step])
def test_a_gradient_is_right_whatever_the_sizes_were_before(program: Any) -> None:
    with gl.config.patch(raise_internal_errors=True, verify_graphs=True):
        check(program, lambda number: [normal(SIZES[number], 3), leaf(3, 2)], calls=len(SIZES), after=backward)
