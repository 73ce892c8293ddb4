"""Memory that several tensors share, read and written by a jitted function: as in eager mode, versions included."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from frontend.tensors.scenario import check, leaf, normal

import guardlift as gl
from guardlift import nn

MAKERS: dict[str, Callable[[], Sequence[Any]]] = {}
PROGRAMS: dict[str, Callable[..., Any]] = {}


class Holder(nn.Module):
    """A parameter, and a buffer that may share its memory."""

    def __init__(self, buffer: Callable[[Any], Any] = lambda weight: normal(3, 4, seed=6)) -> None:
        super().__init__()
        self.weight = leaf(3, 4, seed=5)
        self.register_buffer("buffer", buffer(self.weight))


def shared(
    relation: Callable[[Any], Any], base: Callable[[], Any] = lambda: normal(3, 4)
) -> Callable[[], Sequence[Any]]:
    """A maker of a tensor and another one over the same memory."""

    def make() -> Sequence[Any]:
        first = base()
        return [first, relation(first)]

    return make


PAIRS = {
    "same": shared(lambda x: x),
    "detached": shared(lambda x: x.detach()),
    "data": shared(lambda x: x.data),
    "row": shared(lambda x: x[1:2].reshape(1, 4)),
    "transposed back": shared(lambda x: x.t().t()),
    "array": shared(lambda x: x.numpy()),
    "of an array": shared(lambda a: gl.from_numpy(a), lambda: np.arange(12, dtype=np.float32).reshape(3, 4)),
}


def write_second(x: Any, y: Any) -> Any:
    y += 1
    return x * 2


def write_first(x: Any, y: Any) -> Any:
    x[0] = 7
    return y * 2


def write_both(x: Any, y: Any) -> Any:
    x += 1
    y *= 2
    return x + y


def read_both(x: Any, y: Any) -> Any:
    return x * 2, y * 3


@pytest.mark.parametrize("program", [write_second, write_first, write_both, read_both])
@pytest.mark.parametrize("pair", PAIRS)
def test_arguments_over_one_memory(pair: str, program: Callable[..., Any]) -> None:
    check(program, arguments=PAIRS[pair], breaks=None, kernels=True)


@pytest.mark.parametrize("first", [0, 1])
def test_two_arguments_that_are_one_tensor_at_some_calls(first: int) -> None:
    def make(number: int) -> Sequence[Any]:
        a, b = leaf(3, 4), leaf(3, 4, seed=1)
        return [a, a if number % 2 == first else b]

    def accumulate(a: Any, b: Any) -> None:
        (a * b).sum().backward()

    check(accumulate, make, calls=4)
    check(lambda a, b: write_both(a.detach(), b.detach()), make, calls=4, breaks=None)


def test_an_argument_that_is_a_parameter_of_the_model_at_some_calls() -> None:
    holders: list[Holder] = []

    def make(number: int) -> Sequence[Any]:
        if len(holders) < 2:
            holders.append(Holder())
        holder = holders[make.turn % 2]  # type: ignore[attr-defined]
        make.turn += 1  # type: ignore[attr-defined]
        holder.weight.grad = None
        return [holder, holder.weight if number % 2 == 0 else leaf(3, 4, seed=9)]

    make.turn = 0  # type: ignore[attr-defined]
    check(lambda holder, x: x + holder.weight * 2, make, calls=4, breaks=None)
    make.turn = 0  # type: ignore[attr-defined]
    check(lambda holder, x: (x * holder.weight).sum().backward(), make, calls=4, breaks=None)


ALIASES = {
    "another parameter": lambda weight: nn.Parameter(weight.detach()),
    "detached": lambda weight: weight.detach(),
    "data": lambda weight: weight.data,
    "a row": lambda weight: weight.detach()[1],
    "nothing": lambda weight: normal(3, 4),
}


def weight_written(holder: Holder) -> Any:
    with gl.no_grad():
        holder.weight.mul_(2)
    return holder.buffer * 1


def buffer_written(holder: Holder) -> Any:
    with gl.no_grad():
        holder.buffer.mul_(2)
    return holder.weight * 1


@pytest.mark.parametrize("program", [weight_written, buffer_written])
@pytest.mark.parametrize("alias", ALIASES)
def test_state_that_shares_memory(alias: str, program: Callable[..., Any]) -> None:
    words = "" if alias == "nothing" else "shares memory"
    check(program, arguments=lambda: [Holder(ALIASES[alias])], breaks=words, kernels=True)


@pytest.mark.parametrize(
    "view", [lambda w: w.detach(), lambda w: w.data, lambda w: w.detach()[1:2], lambda w: w.detach().numpy()]
)
def test_an_argument_over_the_memory_of_a_parameter(view: Callable[[Any], Any]) -> None:
    def make() -> Sequence[Any]:
        holder = Holder()
        return [holder, view(holder.weight)]

    def program(holder: Holder, x: Any) -> Any:
        x += 1
        return holder.weight * 2

    check(program, arguments=make, breaks="shares memory", kernels=True)
    check(lambda holder, x: weight_written(holder) + x, arguments=make, breaks=None, kernels=True)
    check(lambda holder, x: holder.weight * x, arguments=make, breaks=None, kernels=True)


def test_memory_that_may_not_be_written() -> None:
    def read_only() -> Any:
        array = np.ones((3, 4), np.float32)
        array.flags.writeable = False
        return gl.from_numpy(array)

    check(lambda x: x.add_(1), arguments=lambda: [read_only()], breaks="read-only")
    check(
        lambda holder: holder.buffer.add_(1), arguments=lambda: [Holder(lambda weight: read_only())], breaks="read-only"
    )
    check(lambda x: x * 2, arguments=lambda: [gl.from_numpy(np.broadcast_to(np.ones(4, np.float32), (3, 4)))])


# -- inside the call ---------------------------------------------------------------------------------------------------
def views(x: Any) -> Any:
    y = x * 2
    v, w = y[1], y.t()
    v.mul_(3)
    w[0] = 5.0
    y.view(-1)[2] = 1.0
    y.reshape_as(w).view_as(y)[0, 1] += 1
    return y


def detached_written(x: Any) -> Any:
    y = x * 2
    y.detach().add_(1)
    return y


def data_written(x: Any) -> Any:
    y = x * 2
    y.data.add_(1)
    y.data = y.data
    return y


def argument_data_written(x: Any) -> Any:
    x.data.mul_(2)
    return x.sum()


def swapped(x: Any) -> Any:
    y = x.clone()
    y[0], y[1] = y[1] * 1, y[0] * 1
    return y


def row_by_row(x: Any) -> Any:
    y = x * 1
    for row in y:
        row += 1
    return y, gl.empty_like(x).long().shape


def expanded(x: Any) -> Any:
    y = x[0].expand(3, 4)
    y.add_(1)
    return x * 1


def several_over_one(x: Any) -> Any:
    y = x * 2
    return y, y, y.detach(), y.view(-1), y[0]


def views_of_an_argument(x: Any) -> Any:
    return x[0], x.t(), x.detach(), x


def one_of_them(x: Any) -> Any:
    y = x * 2
    return y.t(), y.sum()


def bits(x: Any) -> Any:
    return (x > 0).bitwise_not(), x.long()


@pytest.mark.parametrize(
    ("program", "breaks"),
    [
        (views, ""),
        (detached_written, ""),
        (data_written, ""),
        (argument_data_written, ""),
        (swapped, ""),
        (row_by_row, ""),
        (expanded, "view by broadcasting"),
        (several_over_one, ""),
        (views_of_an_argument, ""),
        (one_of_them, ""),
        (bits, ""),
    ],
    ids=lambda each: each.__name__ if callable(each) else None,
)
@pytest.mark.parametrize("requires_grad", [False, True])
def test_views_and_writes_inside(program: Callable[..., Any], breaks: str, requires_grad: bool) -> None:
    check(program, lambda k: [normal(3, 4).requires_grad_(requires_grad)], breaks=None if requires_grad else breaks)


LAYOUTS = {
    "column-major": lambda: gl.from_numpy(np.asfortranarray(np.arange(12, dtype=np.float32).reshape(3, 4))),
    "strided": lambda: gl.from_numpy(np.arange(24, dtype=np.float32).reshape(3, 8)[:, ::2]),
    "scalar": lambda: gl.tensor(2.5),
    "empty": lambda: gl.zeros(0, 4),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_parameters_in_any_layout(layout: str) -> None:
    def step(p: Any) -> Any:
        (p * p).sum().backward()
        with gl.no_grad():
            p.sub_(0.1 * p.grad)
        return p.exp()

    check(step, arguments=lambda: [nn.Parameter(LAYOUTS[layout]())], kernels=True)


def test_a_tensor_whose_memory_is_replaced_between_calls() -> None:
    def resized(number: int, x: Any) -> None:
        x.data = normal(2 + number)

    def retyped(number: int, x: Any) -> None:
        x.data = normal(3).double() if number % 2 else normal(3)

    for change in (resized, retyped):
        check(lambda x: x * 2, arguments=lambda: [normal(3, 4)], calls=4, change=change)
