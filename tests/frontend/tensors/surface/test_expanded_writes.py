"""Writes into expanded tensors: what eager mode allows is compiled where one element is one place, else left to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from frontend.tensors.eagerly import agree, breaks_of, outcome

import guardlift as gl


def a_row(x: Any, w: Any) -> Any:
    y = x.expand(3, 4)
    y[0] = 1.5
    return y.sum(), x * 1


def a_row_in_place(x: Any, w: Any) -> Any:
    y = x.expand(3, 4)
    y[1].mul_(2)
    return y, y[2], x


def an_element(x: Any, w: Any) -> Any:
    y = x.expand(2, 4)
    y[1, 2] = 7
    y[0, 1:3] += 1
    return y + 0, x


def a_column(x: Any, w: Any) -> Any:
    y = x.unsqueeze(1).expand(4, 3)
    y[:, 0].add_(1)
    y.t()[2].mul_(3)
    return y, x


def every_row(x: Any, w: Any) -> Any:
    y = x.expand(3, 4)
    for row in y:
        row.add_(1)
    return y.sum(0), x


def of_a_result(x: Any, w: Any) -> Any:
    z = x * 2
    part = z.expand(3, 4)[1:2]
    part[0, ::2] = 0
    part.sub_(1)
    return z, part


def a_number(x: Any, w: Any) -> Any:
    s = x.sum()
    s.expand(5)[2].add_(1)
    s[None].expand(1).mul_(2)
    return s


def nothing_repeated(x: Any, w: Any) -> Any:
    y = x.expand(1, 1, 4)
    y.add_(1)
    return y, x


def of_parts(x: Any, w: Any) -> Any:
    y = x.view(2, 2)[:, :1].expand(2, 3)
    y[1, 1] = 9
    y[:, 2] *= 2
    return x, y + 0


def read_only(x: Any, w: Any) -> Any:
    y = (x * w).expand(3, 4)
    (y[0] * y[2, 1:2] + y[:, 1].sum()).sum().backward()
    return y[1].sum()


COMPILED: list[Callable[..., Any]] = [
    a_row,
    a_row_in_place,
    an_element,
    a_column,
    every_row,
    of_a_result,
    a_number,
    nothing_repeated,
    of_parts,
    read_only,
]


def made() -> tuple[Any, Any]:
    return gl.tensor([1.0, 2.0, 3.0, 4.0]), gl.tensor([0.5, -1.0, 2.0, 1.0], requires_grad=True)


@pytest.mark.parametrize("program", COMPILED, ids=lambda each: each.__name__)
def test_a_write_to_each_place_once_is_compiled(program):
    assert not breaks_of(agree(program, made))


def with_a_history(x: Any, w: Any) -> Any:
    z = x * w
    y = z.expand(2, 4)
    y[0].mul_(2)
    y[1, 2] = 5
    (z * x).sum().backward()
    return z, y


def a_history_comes(x: Any, w: Any) -> Any:
    z = x * 1
    y = z.expand(2, 4)
    y[1].mul_(w)
    y.sum().backward()
    return y


def asked_for(x: Any, w: Any) -> Any:
    y = (x * w).expand(2, 4)
    return gl.autograd.grad(y[0].sum(), y, allow_unused=True)


LEFT: list[Callable[..., Any]] = [
    lambda x, w: (x.expand(3, 4).fill_(1), x),
    lambda x, w: (x.expand(3, 4).zero_(), x),
    lambda x, w: x[:2].expand(0, 2).add_(1),
]
RAISING: list[Callable[..., Any]] = [
    lambda x, w: x.expand(3, 4).add_(1),
    lambda x, w: x.expand(3, 4)[1:].mul_(2),
    lambda x, w: x.expand(3, 4).copy_(x),
    lambda x, w: (x * 2).expand(3, 4).masked_fill_(x > 0, 1.0),
    lambda x, w: gl.broadcast_to(x, (2, 4)).sub_(1),
]


@pytest.mark.parametrize("program", [*LEFT, with_a_history, a_history_comes, asked_for])
def test_other_writes_are_those_of_eager_mode(program):
    agree(program, made)


@pytest.mark.parametrize("program", RAISING)
def test_what_would_write_a_place_twice_raises(program):
    found = outcome(program, made())
    assert found[0][0] == "RuntimeError" and "single memory location" in found[0][1]
    assert "B404" in breaks_of(agree(program, made))
