"""Reads and writes at places that tensors, computed ints and masks name, and functions made of them, are one graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
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


# -- as scripts have them: ints that are computed, masks that are written down, diagonals, `detach_` -------------------
def _given(number: int = 0) -> list[Any]:
    return [gl.tensor(np.arange(24, dtype=np.float32).reshape(4, 6)), gl.tensor(2)]


def int_of_a_tensor(x: Any, i: Any) -> Any:
    row = x[int(i)]
    x.mul_(2)  # the row is a view, which sees it
    return row + 1, x[int(i) - 3, ::2].sum(), x[1:, i.item()].sum(), x[None, int(i), int(i) + 1] * 1


def traced_back(x: Any, i: Any) -> Any:
    best = [int(x[0].argmax())]
    for row in reversed(list(x.long() % 4)):
        best.append(row[best[-1]].item())
    return best


def written_at_an_int(x: Any, i: Any) -> Any:
    x[int(i)] = 5.0
    x[1, int(i)] = 7.0
    x[:, int(i)] = x[:, 0] * 2
    return x.sum()


def gradient_at_an_int(x: Any, i: Any) -> Any:
    w = x.clone().requires_grad_(True)
    (w[int(i)] * w[0, int(i)]).sum().backward()
    return w.grad


def queue_of_a_ring(x: Any, i: Any) -> Any:
    at = int(i)
    row = x[:, at : at + 3]
    x[:, at : at + 2] = x[:2, :4].t()
    x.add_(1)
    w = x.clone().requires_grad_(True)
    (w[at : at + 2] ** 2).sum().backward()
    return row * 1, w.grad, (at + 2) % 6


def mask_that_is_written_down(x: Any, i: Any) -> Any:
    values = gl.zeros(4)
    values[gl.tensor((True, False, True, True))] = x[:3, 0]
    return values, x[gl.tensor([False, True, True, False])]


def diagonals_written(x: Any, i: Any) -> Any:
    cube = gl.arange(48.0).view(2, 4, 6)
    gl.diagonal(x).add_(-1)
    x.diagonal(1).mul_(2)
    x.diagonal(-2).zero_()
    cube.diagonal(2, 0, 2).add_(1)
    cube.diagonal(dim1=-1, dim2=0).copy_(gl.ones(4, 2))
    mask = x > 3
    mask.diagonal().fill_(True)
    return x * 1, cube, mask


def decorrelated(x: Any, i: Any) -> Any:
    w = x.clone().requires_grad_(True)
    c = w @ w.T
    c.div_(100.0)
    on = gl.diagonal(c).add_(-1).pow_(2).sum()
    off = c.flatten()[:-1].view(3, 5)[:, 1:].flatten().pow_(2).sum()
    (on + 0.1 * off).backward()
    return w.grad


def detached_in_place(x: Any, i: Any) -> Any:
    w = x.clone().requires_grad_(True)
    y = (w * 2).exp().detach_()
    z = (w * 3).detach_().add_(1)
    (w * y * 1e-9 + w * z).sum().backward()
    return w.grad, y.requires_grad, z.is_leaf


@pytest.mark.parametrize(
    "program",
    [
        int_of_a_tensor,
        traced_back,
        written_at_an_int,
        gradient_at_an_int,
        queue_of_a_ring,
        mask_that_is_written_down,
        diagonals_written,
        decorrelated,
        detached_in_place,
    ],
)
def test_it_is_one_graph_that_gives_what_eager_mode_gives(program: Callable[..., Any]) -> None:
    check(program, _given, breaks="")


def test_a_place_that_is_not_there_is_the_error_of_eager_mode_in_each_call() -> None:
    @gl.jit
    def picked(x: Any, i: Any) -> Any:
        return x[int(i)] * 2

    x = _given()[0]
    assert picked(x, gl.tensor(-1)).tolist() == (x[-1] * 2).tolist()
    sliced = gl.jit(lambda x, i: x[(at := int(i)) : at + 2] * 1)
    for place in (2, 3, -4, -1, 9):  # as Python slices, whatever the graph was made for
        assert sliced(x, gl.tensor(place)).tolist() == (x[place : place + 2] * 1).tolist()
    for place in (4, -5):
        with pytest.raises(IndexError, match="out of bounds for dimension 0 with size 4"):
            picked(x, gl.tensor(place))
    assert picked(x, gl.tensor(3)).tolist() == (x[3] * 2).tolist()


def test_a_view_at_an_int_that_leaves_or_is_written_is_left_to_eager_mode() -> None:
    def written(x: Any, i: Any) -> Any:
        row = x[int(i)]
        row.add_(1)
        return row, x

    check(written, _given, breaks="diagonal")


def test_a_function_that_a_mode_decorates_is_reported_where_the_user_wrote_it() -> None:
    @gl.no_grad()
    def doubled(x: Any) -> Any:
        return x * 2

    jitted = gl.jit(doubled)
    jitted(gl.ones(3))
    report = gl.explain(jitted)
    assert (report.file, report.line) == (__file__, doubled.__wrapped__.__code__.co_firstlineno)
