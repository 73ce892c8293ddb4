"""What surface functions read besides their operands holds at every call, or the call is traced anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from frontend.tensors.scenario import check, normal

import guardlift as gl

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
