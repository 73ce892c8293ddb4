"""Tensors that the tape follows or not: one that is written or made while nothing is recorded has no history."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from frontend.tensors.scenario import check, leaf, normal

import guardlift as gl


def leaves() -> Sequence[Any]:
    return [leaf(3), leaf(3, seed=1), normal(3, seed=2)]


@pytest.mark.spec("S8.04")
def test_what_is_written_under_no_grad_is_a_constant_to_backward() -> None:
    def program(p: Any, q: Any, x: Any) -> None:
        y = q * 3.0
        with gl.no_grad():
            x.copy_(y)
        (x * p).sum().backward()

    check(program, arguments=leaves)


def test_what_is_written_in_part_under_no_grad_is_a_constant_to_backward() -> None:
    def program(p: Any, q: Any, x: Any) -> None:
        y = q * 3.0
        with gl.no_grad():
            x[1:] = y[:2]
        (x * p).sum().backward()

    check(program, arguments=leaves)


def test_a_gradient_that_was_given_with_a_history_has_none_as_a_gradient() -> None:
    def program(p: Any, q: Any, x: Any) -> None:
        (p + x).backward(q * x)
        (p.grad * p).sum().backward()

    check(program, arguments=leaves)


def test_a_constant_that_holds_a_parameter_needs_no_operation() -> None:
    def program(p: Any, q: Any, x: Any) -> None:
        with gl.no_grad():
            x[...] = p

    check(program, arguments=leaves)


def test_memory_that_overlaps_itself_is_written_as_in_eager_mode() -> None:
    def make() -> Sequence[Any]:
        p = leaf(2)
        windows = np.lib.stride_tricks.as_strided(np.arange(4, dtype=np.float32), (3, 2), (4, 4))
        p.data = gl.from_numpy(windows)
        return [{"p": p}["p"], normal(2)]

    parameter = make()[0]
    model = gl.nn.Module()
    model.p = parameter

    def program(x: Any) -> Any:
        with gl.no_grad():
            model.p.mul_(2.0)
        return x * 1.0, model.p.detach().clone()

    plain = [program(normal(2))[1] for _ in range(3)]
    parameter.data = make()[0].data
    fast = gl.jit(program)
    for expected in plain:
        np.testing.assert_array_equal(fast(normal(2))[1].numpy(), expected.numpy())
