"""Random programs over tensors, with backward passes, views and writes: jitted, they do what eager mode does."""

from __future__ import annotations

import os

import numpy as np
from frontend.tensors.scenario import backward, check
from frontend.tensors.tensor_programs import Program, programs
from hypothesis import HealthCheck, given, note, settings

MANY = int(os.environ.get("GUARDLIFT_FUZZ", "5000" if os.environ.get("HYPOTHESIS_PROFILE") == "deep" else "0"))
QUIET = list(HealthCheck)


@settings(max_examples=MANY or 80, deadline=None, suppress_health_check=QUIET)
@given(programs())
def test_a_random_program_does_what_eager_mode_does_with_new_arguments_at_each_call(program: Program) -> None:
    note(program.text)
    with np.errstate(all="ignore"):
        check(program.function(), program.arguments, after=backward, breaks=None, relative=1e-4)


@settings(max_examples=MANY or 60, deadline=None, suppress_health_check=QUIET)
@given(programs())
def test_a_random_program_does_what_eager_mode_does_again_and_again_on_the_same_arguments(program: Program) -> None:
    note(program.text)
    with np.errstate(all="ignore"):
        check(program.function(), arguments=program.arguments, breaks=None, relative=1e-4)


@settings(max_examples=MANY // 10 or 6, deadline=None, suppress_health_check=QUIET)
@given(programs(max_lines=5))
def test_a_random_program_does_what_eager_mode_does_through_kernels(program: Program) -> None:
    note(program.text)
    with np.errstate(all="ignore"):
        check(program.function(), program.arguments, calls=2, after=backward, breaks=None, relative=1e-4, kernels=True)
