"""Diagonals are views of the tensor they are taken from, in a jitted function as in eager mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from frontend.tensors.scenario import backward, check, leaf, normal

import guardlift as gl


def written_behind_its_back(x: Any) -> Any:
    y = x * 1
    diagonal = y.diagonal()
    y.mul_(2)
    return diagonal * 1, y


TRACED: dict[str, Callable[[Any], Any]] = {
    "axes the other way round": lambda x: x.diagonal(0, 1, 0) + 1,
    "off the middle": lambda x: x.diagonal(1) * x[0, :3],
    "in a product": lambda x: (x * 2).diagonal().sum() * x,
    "the trace": lambda x: x[:, :3].trace(),
    "written behind its back": written_behind_its_back,
    "a gradient": lambda x: gl.autograd.grad((x * 2).diagonal(-1).sum(), x)[0],
}


@pytest.mark.parametrize("program", TRACED)
def test_a_diagonal_is_read_and_differentiated_without_a_break(program: str) -> None:
    check(TRACED[program], lambda number: [leaf(3, 4, seed=number)], after=backward)


def test_what_is_written_into_the_view_is_written_into_the_matrix() -> None:
    def written(x: Any) -> Any:
        y = x * 1
        y.diagonal().mul_(2)
        return y

    check(written, lambda number: [leaf(3, 4)], after=backward)


def test_the_diagonal_of_an_intermediate_leaves_the_call_as_a_view() -> None:
    check(lambda x: (x * 1).diagonal(), lambda number: [leaf(3, 4)], after=backward)
    check(lambda x: (lambda y: (y, y[1:].diagonal(1)))(x * 1), lambda number: [normal(3, 4)])
