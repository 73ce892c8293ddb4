"""Sizes, axes and counts that are read at run time: the trace relies on them, and is made anew when they change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from frontend.tensors.scenario import backward, check, normal
from frontend.tensors.surface.test_surface_functions import arguments, program

import guardlift as gl

SHAPES = """gl.zeros(4, n); gl.ones((n, 4)); gl.full((2, n), 1.5); gl.full((2, n), k); x.new_zeros(n, 4);
    x.expand(n, 3, 4); x[:, :1].expand(-1, n) * y[:, :1]; x.repeat(n, 1); x.tile(n); x.repeat_interleave(n, 1);
    gl.eye(n); gl.arange(n); gl.linspace(0, 1, n); gl.broadcast_to(v, (n, 4)) * 1; x.new_full((n, 4), k);
    x.split(n, 1)[0] * 1; x.narrow(1, 0, n) * 1; x[:, :n] * 1; x.T[:n] * 1"""
ARITHMETIC = """x[:, :2].reshape(-1, n) * 1; x[:, :2].reshape(n, -1); x.chunk(n, 1)[0] * 1; x.roll(n, 1);
    x[:, :2].reshape(6).unflatten(0, (n, -1)); x.unfold(1, n, 1) * 1; x.select(1, n - 1) * 1; x.rot90(n);
    x.tensor_split(n, 1)[1] * 1; x[:, :2].reshape(6).view(n, -1) * 1; gl.matrix_power(x[:, :3], n)"""


def each_of(*texts: str) -> pytest.MarkDecorator:
    """Runs a test for each expression in `texts`."""
    return pytest.mark.parametrize("text", [each.strip() for text in texts for each in text.split(";")])


@pytest.fixture(autouse=True)
def loud() -> Iterator[None]:
    """A graph that is not valid is an error, and not a reason to run as plain Python."""
    with gl.config.patch(raise_internal_errors=True, verify_graphs=True):
        yield


@each_of(SHAPES, ARITHMETIC)
def test_a_size_that_is_an_argument_gives_what_eager_mode_gives(text: str) -> None:
    def make(number: int) -> Any:
        return [*arguments(0)[:-1], (2, 2, 3, 3, 2)[number]]

    check(program(text), make, calls=5, after=backward, breaks=None)


@each_of(ARITHMETIC)
def test_arithmetic_on_a_size_does_not_break_the_graph(text: str) -> None:
    check(program(text), lambda number: [*arguments(0)[:-1], 2], after=backward, breaks="")


def test_a_size_that_is_an_attribute_is_relied_upon() -> None:
    class Cell:
        hidden = 2

    cell = Cell()

    def start(x: Any) -> Any:
        return gl.zeros(x.shape[0], cell.hidden) + x[:, :1]

    def change(number: int, x: Any) -> None:
        cell.hidden = 2 + number

    check(start, arguments=lambda: [normal(3, 4)], change=change, compiles=3)
