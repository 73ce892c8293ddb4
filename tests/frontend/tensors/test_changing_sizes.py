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


def by_numbers(x: Any, w: Any) -> Any:
    h = gl.zeros(x.shape[0], w.shape[1])
    for t in range(x.shape[1]):
        h = (x[:, t] @ w + h).tanh()
    return h


def from_the_second(x: Any, w: Any) -> Any:
    h = x[:, 0] @ w
    for t in range(1, x.shape[1]):
        h = (x[:, t] @ w + h).tanh()
    return h


def but_the_last(x: Any, w: Any) -> Any:
    h = gl.zeros(x.shape[0], w.shape[1])
    for t in range(x.shape[1] - 1):
        h = (x[:, t : t + 1].squeeze(1) @ w + h).tanh() + t
    return h


def written_by_rounds(x: Any, w: Any) -> Any:
    h, states = gl.zeros(x.shape[0], w.shape[1]), gl.zeros_like(x)
    for t in range(x.shape[1]):
        h = (x[:, t] @ w + h).tanh()
        states[:, t] = h
    return states


def stacked(x: Any, w: Any) -> Any:
    h, outputs = gl.zeros(x.shape[0], w.shape[1]), []
    for part in x.transpose(0, 1):
        h = (part @ w + h).tanh()
        outputs.append(h)
    return gl.stack(outputs, 1) if outputs else x


def stacked_behind_another(x: Any, w: Any) -> Any:
    h = gl.ones(x.shape[0], w.shape[1])
    outputs = [h]
    for t in range(x.shape[1]):
        h = (x[:, t] @ w * h).tanh()
        outputs += [h.exp()]
    outputs.append(h)
    return gl.stack(outputs, -1) * 2.0


def joined(x: Any, w: Any) -> Any:
    outputs = []
    for t in range(x.shape[1]):
        outputs.append((x[:, t : t + 1] @ w).tanh())
    return gl.cat(outputs, dim=1) if outputs else x


def joined_along_rows(x: Any, w: Any) -> Any:
    h, outputs = gl.zeros(x.shape[0], w.shape[1]), []
    for t in range(x.shape[1]):
        h = (x[:, t] @ w + h).tanh()
        outputs.append(h)
    return gl.cat(outputs) if outputs else x


LENGTHS = (5, 8, 11, 7, 2, 1, 0, 13)


@pytest.mark.parametrize(
    "program",
    [
        by_numbers,
        from_the_second,
        but_the_last,
        written_by_rounds,
        stacked,
        stacked_behind_another,
        joined,
        joined_along_rows,
    ],
)
@pytest.mark.slow
def test_a_loop_over_the_numbers_of_an_axis_is_compiled_once_for_all_lengths(program: Any) -> None:
    jitted = gl.jit(program)
    for number, length in enumerate(LENGTHS):
        if length == 0 and program is from_the_second:
            continue
        found = []
        for function in (program, jitted):
            x, w = normal(3, length, 4), leaf(4, 4)
            out = function(x, w)
            if out.requires_grad:
                out.sum().backward()
            found.append((out.detach(), w.grad))
        for one, other in zip(*found, strict=True):
            assert (one is None) is (other is None)
            if one is not None and one.numel():
                assert one.shape == other.shape
                assert (one - other).abs().max().item() < 1e-4 * max(1.0, one.abs().max().item())
        if number == 3:
            assert gl.explain(jitted).compiles == 2, "one for the first length, one for any"


def read_one_by_one(x: Any, w: Any) -> Any:
    h, outputs = gl.zeros(x.shape[0], w.shape[1]), []
    for t in range(x.shape[1]):
        h = (x[:, t] @ w + h).tanh()
        outputs.append(h)
    return outputs[-1] * 2.0 + sum(outputs) + len(outputs)


def written_behind(x: Any, w: Any) -> Any:
    h, outputs = gl.zeros(x.shape[0], w.shape[1]), []
    for t in range(x.shape[1]):
        h = (x[:, t] @ w.detach() + h).tanh()
        outputs.append(h)
    h.add_(1.0)
    return gl.stack(outputs) @ w


def returned(x: Any, w: Any) -> Any:
    outputs = []
    for t in range(x.shape[1]):
        outputs.append((x[:, t] @ w).tanh())
    both = gl.stack(outputs)
    outputs.reverse()
    return gl.stack(outputs) + both


@pytest.mark.parametrize("program", [read_one_by_one, written_behind, returned])
def test_a_list_of_rounds_is_a_list_whatever_is_done_with_it(program: Any) -> None:
    jitted = gl.jit(program)
    for length in (9, 12, 15, 12):
        found = []
        for function in (program, jitted):
            x, w = normal(3, length, 4), leaf(4, 4)
            out = function(x, w)
            out.sum().backward()
            found.append((out.detach(), w.grad))
        for one, other in zip(*found, strict=True):
            assert (one - other).abs().max().item() < 1e-3 * max(1.0, one.abs().max().item())
