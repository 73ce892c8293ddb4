"""Assignments to places that index tensors name, and the functions made of them, are one graph."""

from __future__ import annotations

from typing import Any

import pytest
from frontend.tensors.scenario import check, normal

import guardlift as gl

ROWS = gl.tensor([2, 0, 2])
PLACES = gl.tensor([[1, -1, 0]])
ENDS = gl.tensor([1, 0])


def written(x: Any, index: Any, value: Any) -> Any:
    """A copy of `x` after the assignment, which is part of its history."""
    y = x * 1
    y[index] = value
    return y


ASSIGNMENTS: dict[str, Any] = {
    "rows": lambda x, v: written(x, ROWS, v),
    "columns": lambda x, v: written(x, (slice(None), ROWS), v[0, :3]),
    "behind an ellipsis": lambda x, v: written(x, (..., ROWS), v[:1, :3]),
    "beside a slice": lambda x, v: written(x, (slice(1, 3), ROWS), v[:2, :3]),
    "two tensors": lambda x, v: written(x, (ROWS, PLACES), v[0, :3]),
    "two tensors around a slice": lambda x, v: written(x.reshape(2, 2, 5), (ENDS, slice(None), ENDS), v[:2, :2]),
    "a number": lambda x, v: (written(x, ROWS, 0.5), v * 2),
    "a new axis": lambda x, v: written(x, (None, ROWS), v[None]),
    "a list": lambda x, v: written(x, [0, 2, 0], v),
    "nothing": lambda x, v: written(x, gl.zeros(0, dtype=gl.int64), v[:0]),
    "elements that were read": lambda x, v: written(x, ROWS, x[ROWS + 1] * v),
    "added to": lambda x, v: written(x, ROWS, written(x, ROWS, v)[ROWS] + v),
}


def gradients(program: Any) -> Any:
    """`program`, and the gradients of a sum of its results weighted unevenly."""

    def with_gradients(x: Any, v: Any) -> Any:
        x, v = x.detach().requires_grad_(), v.detach().requires_grad_()
        found = program(x, v)
        found = found[0] if isinstance(found, tuple) else found
        weights = gl.arange(found.numel(), dtype=found.dtype).reshape(found.shape)
        return found.detach(), gl.autograd.grad((found * weights).sum(), (x, v), allow_unused=True)

    return with_gradients


@pytest.mark.parametrize("program", ASSIGNMENTS)
def test_an_assignment_to_places_that_tensors_name_is_one_graph(program: str) -> None:
    check(gradients(ASSIGNMENTS[program]), make=lambda k: [normal(4, 5, seed=k), normal(3, 5, seed=9 + k)], compiles=1)


FUNCTIONS: dict[str, Any] = {
    "scatter": lambda x, v: x.scatter(1, PLACES, v[:1, :3]),
    "index_copy": lambda x, v: x.index_copy(0, ROWS, v),
    "index_fill": lambda x, v: (x.index_fill(1, ROWS, 2.0), v * 1),
    "index_put": lambda x, v: x.index_put((ROWS, ROWS), v[0, :3]),
    "put": lambda x, v: x.put(ROWS, v[0, :3]),
    "masked_scatter": lambda x, v: x.masked_scatter(x > 0.5, gl.cat([v, v], 0)),
    "amax": lambda x, v: x.scatter_reduce(1, PLACES, v[:1, :3], "amax"),
    "amin alone": lambda x, v: x.scatter_reduce(1, abs(PLACES), v[:1, :3], "amin", include_self=False),
}


@pytest.mark.parametrize("program", FUNCTIONS)
def test_what_is_made_of_them_is_one_graph(program: str) -> None:
    check(gradients(FUNCTIONS[program]), make=lambda k: [normal(4, 5, seed=k), normal(3, 5, seed=9 + k)], compiles=1)


def test_products_are_one_graph_without_gradients() -> None:
    def program(x: Any, v: Any) -> Any:
        index = gl.tensor([[1, 1, 0]])
        return x.scatter_reduce(1, index, v, "prod"), x.scatter_reduce(1, index, v, "prod", include_self=False)

    check(program, make=lambda k: [normal(4, 5, seed=k), normal(1, 3, seed=9 + k)], compiles=1)


def test_a_cache_is_written_in_place() -> None:
    def program(cache: Any, new: Any, places: Any) -> Any:
        cache[:, :, places] = new
        return cache.sum(2)

    def make(number: int) -> list[Any]:
        return [gl.zeros(2, 3, 8), normal(2, 3, 2, seed=number), gl.tensor([number, number + 1])]

    check(program, make=make, compiles=1)


def test_an_index_out_of_range_is_an_error_and_nothing_is_written() -> None:
    fast = gl.jit(lambda x, i: x.__setitem__(i, 1.0))
    x = gl.zeros(3)
    fast(x, gl.tensor([0]))
    with pytest.raises(IndexError, match="index 3 is out of bounds"):
        fast(x, gl.tensor([1, 3]))
    assert x.tolist() == [1.0, 0.0, 0.0]
