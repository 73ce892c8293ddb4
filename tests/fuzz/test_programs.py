"""Differential fuzzing: random programs, run plainly and jitted, must not differ in anything the oracle sees.

The quick run is part of the tests. `make fuzz` runs many more examples; GUARDLIFT_FUZZ says how many.
"""

import os

from fuzz.programs import programs
from hypothesis import HealthCheck, given, note, settings
from oracle import check

MANY = int(os.environ.get("GUARDLIFT_FUZZ", "20000" if os.environ.get("HYPOTHESIS_PROFILE") == "deep" else "0"))
CHECKS = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]


@settings(max_examples=MANY or 150, deadline=None, suppress_health_check=CHECKS)
@given(programs())
def test_a_random_program_does_what_python_does(program):
    note(program.text)
    check(program.function(), *program.arguments.values(), backend="reference", calls=2)


@settings(max_examples=(MANY // 10) or 15, deadline=None, suppress_health_check=CHECKS)
@given(programs(max_lines=6))
def test_a_random_program_does_what_python_does_through_kernels(program):
    note(program.text)
    check(program.function(), *program.arguments.values(), calls=2)
