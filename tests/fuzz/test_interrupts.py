"""Differential fuzzing of interrupts: Ctrl-C in the first call of a random program, and the next calls are right.

GUARDLIFT_FUZZ says how many programs the others take; a twentieth of them is interrupted.
"""

from __future__ import annotations

import os
from typing import Any

from fuzz.programs import Program, programs
from fuzz.test_programs import CHECKS
from hypothesis import given, note, settings
from hypothesis import strategies as st
from interrupting import in_another_thread, interrupted
from oracle import Comparison, Tolerance, arrays_in, copied, run, under

import guardlift as gl

MANY = int(os.environ.get("GUARDLIFT_FUZZ", "400" if os.environ.get("HYPOTHESIS_PROFILE") == "deep" else "0")) // 20


def first_call(function: Any, arguments: tuple[Any, ...], stop: int) -> tuple[int, str]:
    """The number of places that its first call comes to, and the one at which it is interrupted; see `interrupted`."""

    def call() -> None:
        try:
            function(*copied(arguments))
        except Exception:
            pass  # as the program does in Python

    return interrupted(call, stop)


def compare(program: Program, jitted: Any) -> None:
    """Two calls, plain and jitted."""
    plain = program.function()
    for number in range(2):
        arguments = [copied(tuple(program.arguments.values())) for _ in range(2)]
        inputs = [arrays_in(each) for each in arguments]
        outcomes = run(plain, arguments[0], {}), run(jitted, arguments[1], {})
        same = Comparison(Tolerance(4, sums=True, zeros=True), f"call {number + 1} after it", *inputs)
        same.outcomes(*outcomes)
        same.written(*arguments)


@settings(max_examples=MANY or 10, deadline=None, suppress_health_check=CHECKS)
@given(programs(max_lines=4), st.integers(0, 9999))
def test_a_call_after_an_interrupt_does_what_python_does(program: Program, place: int) -> None:
    note(program.text)
    arguments = tuple(program.arguments.values())
    with under("reference"), gl.config.patch(under_tracing="jit"):
        total, _ = first_call(gl.jit(program.function()), arguments, 0)
        jitted = gl.jit(program.function())
        _, where = first_call(jitted, arguments, 1 + place * (total - 1) // 9999)
        note(f"interrupted at {where}")
        in_another_thread(lambda: compare(program, jitted))
