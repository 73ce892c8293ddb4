"""Tensors that a jitted function writes down are those of eager mode, made anew at each call."""

from __future__ import annotations

from typing import Any

import pytest
from frontend.tensors.scenario import check, normal
from frontend.tensors.surface.test_surface_functions import arguments, program

import guardlift as gl

TRACED = """gl.tensor([1.0, 2.0]); gl.tensor([[1, 2], [3, 4]]); gl.tensor([True, False]); gl.tensor((1, 2.5));
    gl.tensor([1, True]); gl.tensor([-0.0, 0.0, math.nan, math.inf]); gl.tensor([k, 1.0, k]); gl.tensor([[n], [2]]);
    gl.tensor([n, k]); gl.tensor([1.0, 2.0], dtype=gl.float64); gl.tensor([1, 2], dtype=gl.int32);
    gl.tensor([1.7, 2]).long(); gl.tensor([1.7, -2.5], dtype=gl.int64); gl.tensor([0, 2], dtype=gl.bool);
    gl.as_tensor([1.0, k]);
    gl.tensor([0.1, 0.2], requires_grad=True); gl.eye(3); gl.eye(3, 4); gl.eye(n); gl.linspace(0, 1, 5);
    gl.linspace(k, n, 4); gl.tensor([0.1]) * x; x @ gl.eye(4); x.new_tensor([1.0, 2.0]); gl.tensor([[0.0] * 3] * 4);
    gl.tensor([x[0, 0], 1.0]); gl.tensor([x[0, 0], x[0, 1], x[0, 0]]); gl.tensor([x[0].sum().double(), 2.0]);
    gl.tensor([[x[0, :1], n], [x.mean().half(), True]]); gl.tensor((x.argmax(), n)); gl.tensor([x.argmax(), 2.5]);
    gl.tensor([x[0, 0]], requires_grad=True); gl.tensor([x[0, 0], 1.0], dtype=gl.float64)"""
PLAIN = """gl.tensor([[1.0], [2.0, 3.0]]); gl.tensor([x[0, 0]], dtype=gl.int64); gl.tensor(['a']); gl.tensor([1j]);
    gl.tensor([2.0 ** 900], dtype=gl.float32).sum(); gl.tensor([1 << 70]); gl.tensor([300], dtype=gl.uint8);
    gl.tensor([math.nan], dtype=gl.int64); gl.tensor(math.nan, dtype=gl.int64); gl.tensor([]);
    gl.tensor(list(range(100)))"""


@pytest.fixture(autouse=True)
def loud() -> Any:
    """A graph that is not valid is an error, and not a reason to run as plain Python."""
    with gl.config.patch(raise_internal_errors=True, verify_graphs=True):
        yield


@pytest.mark.parametrize("text", [each.strip() for each in TRACED.split(";")])
def test_numbers_in_sequences_make_a_tensor_without_a_break(text: str) -> None:
    check(program(text), arguments)


@pytest.mark.parametrize("text", [each.strip() for each in PLAIN.split(";")])
def test_what_is_not_so_plain_does_what_eager_mode_does(text: str) -> None:
    check(program(text), arguments, breaks=None)


def test_the_default_dtype_is_that_of_the_call() -> None:
    before = gl.get_default_dtype()

    def change(number: int, x: Any) -> None:
        gl.set_default_dtype(gl.float64 if number == 1 else gl.float32)

    try:
        check(lambda x: gl.tensor([1.0, 2.0, 0.5]) * x, arguments=lambda: [normal(3)], change=change, compiles=2)
    finally:
        gl.set_default_dtype(before)


def test_what_is_written_into_one_is_gone_at_the_next_call() -> None:
    def counted(x: Any) -> Any:
        count = gl.tensor([0.0, 0.0])
        count += x[:2]
        return count

    check(counted, arguments=lambda: [normal(3)])
