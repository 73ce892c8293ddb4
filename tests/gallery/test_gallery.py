"""Every program of the gallery, plain and jitted: one jitted function for all its calls, at several sizes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from oracle import Comparison, Tolerance, check_in_turn

from gallery import PROGRAMS, Program

NO_PROGRAMS = {"__init__", "record", "test_compilers", "test_gallery"}


SLOW = {"kalman", "life", "pagerank", "ray_spheres"}
"""Programs whose plain runs or kernels take seconds."""


def tolerance(program: Program) -> Tolerance:
    """Equal bits, unless the program says how far its floats may differ; then the sign of a zero is free as well."""
    return Tolerance(program.ulp, program.rtol, zeros=bool(program.ulp or program.rtol))


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if name in SLOW else []) for name in PROGRAMS]
)
def test_a_program_does_what_it_does_plainly(name: str) -> None:
    program = PROGRAMS[name]
    first = program.inputs(program.test, 0)
    others = [program.inputs(size, seed) for seed, size in enumerate((program.test, *program.others), 1)]
    report = check_in_turn(program.function, [first, first, *others, first], tolerance(program))
    assert all(result is not None for result in report.results), "a call raised"


def test_the_inputs_follow_from_size_and_seed() -> None:
    for program in PROGRAMS.values():
        one, two = (program.inputs(program.test, 5) for _ in range(2))
        Comparison(Tolerance(), program.name, [], []).values(one, two, "inputs")


def test_every_module_of_the_folder_has_programs() -> None:
    modules = {file.stem for file in Path(__file__).parent.glob("*.py")} - NO_PROGRAMS
    assert {program.function.__module__.rpartition(".")[2] for program in PROGRAMS.values()} == modules


def test_a_draw_too_many_from_a_generator_is_noticed() -> None:
    one, two = (np.random.default_rng(3) for _ in range(2))
    same = Comparison(Tolerance(), "generators", [], [])
    same.values(one, two, "inputs")
    two.random()
    with pytest.raises(AssertionError, match="inputs: its state"):
        same.values(one, two, "inputs")
