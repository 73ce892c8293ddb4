"""Facts that surface functions read besides their operands hold at every call, or the call is traced anew."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import pytest
from frontend.tensors.scenario import check, normal

import guardlift as gl
from guardlift.nn import functional as F

PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "zeros": lambda x: x + gl.zeros(3),
    "a literal": lambda x: (gl.tensor(1.5) + 1, x * 2),
    "arange": lambda x: (gl.arange(0.0, 3.0), x * 2),
    "an integer divided": lambda x: ((x > 0) / 2, x * 2),
}


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_default_dtype_is_that_of_the_call(program: str) -> None:
    before = gl.get_default_dtype()

    def change(number: int, x: Any) -> None:
        gl.set_default_dtype(gl.float64 if number == 1 else gl.float32)

    try:
        check(PROGRAMS[program], arguments=lambda: [normal(3)], change=change, compiles=2)
    finally:
        gl.set_default_dtype(before)


def test_what_warns_warns_at_every_call() -> None:
    def program(x: Any) -> Any:
        return F.mse_loss(x, x[:1])

    fast = gl.jit(program)
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        for _ in range(3):
            fast(normal(3))
    assert [each.category for each in found if "broadcast" in str(each.message)].count(UserWarning) == 3


def test_a_size_that_is_known_at_run_time_only_is_relied_on() -> None:
    fast = gl.jit(lambda n, x: (gl.zeros(n), gl.ones((2, n)) * x, gl.full((n,), x)))
    for number in (2, 3, 2):
        for found, wanted in zip(
            fast(number, 1.5), (gl.zeros(number), gl.ones(2, number) * 1.5, gl.full((number,), 1.5)), strict=True
        ):
            assert found.dtype is wanted.dtype and found.tolist() == wanted.tolist()
    assert gl.explain(fast).state == "compiled: 2 entries"
