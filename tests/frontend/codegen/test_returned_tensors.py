"""Views and detached tensors that leave a jitted call: over the memory, and with the history, that eager mode gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from frontend.tensors.eagerly import agree, breaks_of, tensors_in

import guardlift as gl

PROGRAMS: dict[str, Callable[..., Any]] = {
    "a loss and its value": lambda x, w: (lambda loss: (loss, loss.detach()))((x * w).sum()),
    "the value first": lambda x, w: (lambda loss: (loss.detach(), loss))((x * w).sum()),
    "a row of an argument": lambda x, w: x[0],
    "views of an argument": lambda x, w: (x[0], x[1:], x.view(-1), x.reshape(4), x.t()[1], x.unsqueeze(0)),
    "an argument and its transpose": lambda x, w: (x.T, x),
    "a detached argument": lambda x, w: x.detach(),
    "the data of an argument": lambda x, w: (x.data, x.data[0]),
    "views of a leaf": lambda x, w: (w[0], w.t(), w),
    "a detached leaf": lambda x, w: (w.detach(), x + 1),
    "rows of a result": lambda x, w: (lambda y: (y[0], y[1]))(x * 2),
    "a result between its views": lambda x, w: (lambda y: (y[0], y, y.T))(x * 2),
    "rows with a history": lambda x, w: (lambda y: (y[0], y[1]))(x * w),
    "a row and all of it": lambda x, w: (lambda y: (y[0], y))(x * w),
    "chunks": lambda x, w: (x * w).chunk(2),
    "unbind": lambda x, w: (x * w).unbind(0),
    "a dict": lambda x, w: (lambda y: {"loss": y.sum(), "out": y, "value": y.detach()})(x * w),
    "a detached row": lambda x, w: (lambda y: (y.detach()[0], y))(x * w),
    "a row detached": lambda x, w: (lambda y: (y[0].detach(), y))(x * w),
    "detached twice": lambda x, w: (lambda y: (y.detach(), y.detach()))(x * w),
    "one object twice": lambda x, w: (lambda y: (y, y))(x * w),
    "an expanded argument": lambda x, w: (x[:, :1].expand(2, 3), x),
    "a diagonal": lambda x, w: (gl.diagonal(x), x * 1),
    "what copies nothing": lambda x, w: (x.contiguous(), x.float(), x.to(gl.float32)),
    "a list": lambda x, w: (lambda y: ([y[k] for k in range(2)], y))(x * w),
}


def written_behind(x: Any, w: Any) -> Any:
    y = x * 2
    view = y[0]
    y.add_(1)
    return view, y


def written_through(x: Any, w: Any) -> Any:
    y = x * 2
    view = y[0]
    view.add_(1)
    return view, y


def a_leaf_over_an_argument(x: Any, w: Any) -> Any:
    leaf = x.detach().requires_grad_()
    with gl.no_grad():
        w.mul_(0.5)
    return leaf


def a_leaf_over_a_result(x: Any, w: Any) -> Any:
    y = x * w
    return y, y.detach().requires_grad_()


def argument_written(x: Any, w: Any) -> Any:
    view = x[0]
    x.add_(1)
    return view, x


def history_written(x: Any, w: Any) -> Any:
    y = x * w
    y.mul_(2)
    return y[0], y


def without_history(x: Any, w: Any) -> Any:
    y = x * w
    with gl.no_grad():
        view = y[0]
    return view, y


def after_backward(x: Any, w: Any) -> Any:
    loss = (x * w).sum()
    loss.backward()
    return loss.detach(), loss


def a_leaf_made_inside(x: Any, w: Any) -> Any:
    z = gl.ones(2, requires_grad=True)
    return z, z[0], z.detach()


NAMED = (
    written_behind,
    written_through,
    argument_written,
    history_written,
    without_history,
    after_backward,
    a_leaf_made_inside,
    a_leaf_over_an_argument,
    a_leaf_over_a_result,
)


def made() -> Sequence[Any]:
    return gl.tensor([[5.0, 6.0], [7.0, 8.0]]), gl.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)


def used(program: Callable[..., Any]) -> Callable[..., Any]:
    """Check a program with each result written in turn, and then walked back from."""

    def call(x: Any, w: Any) -> Any:
        results = tensors_in(program(x, w))
        seen = []
        for each in results:
            try:
                each.mul_(2.0)
            except RuntimeError as error:
                seen.append(str(error)[:60])
            seen.append([(one.tolist(), one._version) for one in results])
        for each in results:
            if each.requires_grad:
                try:
                    each.sum().backward(retain_graph=True)
                except RuntimeError as error:
                    seen.append(str(error)[:60])
        return seen

    return call


@pytest.mark.parametrize("program", [*PROGRAMS.values(), *NAMED], ids=[*PROGRAMS, *(each.__name__ for each in NAMED)])
def test_tensors_over_one_memory_leave_a_call_as_in_eager_mode(program: Callable[..., Any]) -> None:
    jitted = agree(program, made, calls=2)
    assert not breaks_of(jitted)
    for _ in range(2):
        plain, compiled = made(), made()
        assert used(jitted)(*compiled) == used(program)(*plain)
        assert [each.tolist() for each in compiled] == [each.tolist() for each in plain]
        grads = [None if each[1].grad is None else each[1].grad.tolist() for each in (plain, compiled)]
        assert grads[0] == grads[1]


def test_a_stored_detached_result_shares_the_memory_of_the_one_that_is_returned() -> None:
    kept: dict[str, Any] = {}

    @gl.jit
    def stored(x: Any, w: Any) -> Any:
        y = x * w
        kept["y"] = y.detach()
        return y

    for _ in range(2):
        result = stored(*made())
        with gl.no_grad():
            result.zero_()
        assert kept["y"].sum().item() == 0 and kept["y"]._version == result._version == 1
