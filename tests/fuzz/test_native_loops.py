"""Random loops over elements and slices, run plainly and jitted, must not differ in anything the oracle sees.

All of them are marked slow: 25 programs and 125 more, the same each time. GUARDLIFT_FUZZ says how many the first
test takes, GUARDLIFT_FUZZ_SEED the number of the first: a program is its number, so a failure is run again with
`GUARDLIFT_FUZZ=1 GUARDLIFT_FUZZ_SEED=<number> pytest -m ""`.
"""

from __future__ import annotations

import copy
import os
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from unittest.mock import patch

import pytest
from fuzz.arranged_loops import ArrangedWriting
from fuzz.ending import Endless, ending
from fuzz.native_loops import Program, Writing, program
from fuzz.optional_loops import OptionalWriting
from oracle import Tolerance, check_in_turn

import guardlift as gl
from guardlift.backend.launch import chunking

MANY = int(os.environ.get("GUARDLIFT_FUZZ", "25"))
MORE = 125
FIRST = int(os.environ.get("GUARDLIFT_FUZZ_SEED", "0"))
CHUNK = 25
THROUGH_KERNELS = 25
"""The number of programs of which one is also run through kernels."""
CLOSE = Tolerance(ulp=4, rtol=1e-9, zeros=True)
"""Sums are added in another order than NumPy's, and what is computed from them differs as much."""


def chunks(first: int, end: int) -> list[range]:
    """The numbers from `first` on, some at a time."""
    return [range(start, min(start + CHUNK, end)) for start in range(first, end, CHUNK)]


def compared(number: int, backend: str, counts: Counter[str], grammar: type[Writing] = Writing) -> str:
    """The difference of the program of this number from what it does plainly; nothing if there is none."""
    made = program(number, grammar)
    function = made.function()
    rows = [*made.rows[:2], made.rows[0], *made.rows[2:]]
    if not ends(made):
        counts["endless"] += 1
        return ""
    try:
        report = check_in_turn(function, rows, CLOSE, backend=backend)
    except AssertionError as error:
        if "the plain run raises nothing, yet" in str(error) and returns_an_error(made):
            counts["left early"] += 1  # what is told to raise lies behind that
            return ""
        return f"program {number}, {backend}: {error}\n{made.text}"
    counts["programs"] += 1
    counts["with a region"] += "region" in report.op_names
    counts["broken"] += bool(report.breaks)
    return ""


@contextmanager
def on_three_threads() -> Iterator[None]:
    """A context in which everything is shared out that can be, however small it is."""
    chunks = patch.multiple(chunking, CHUNK_WORK=1, ROUND=1)
    with chunks, gl.config.patch(num_threads=3, artifact_cache=False, entry_cache=False):
        yield


def ends(made: Program) -> bool:
    """Whether every call comes to its end, some with an error. Of numbers squared in each round none does."""
    try:
        for row in copy.deepcopy(made.rows):
            with warnings.catch_warnings(), suppress(Exception), ending():
                warnings.simplefilter("ignore")
                made.function()(*row)
    except Endless:
        return False
    return True


def returns_an_error(made: Program) -> bool:
    """Whether some call catches an error and gives its text."""
    with warnings.catch_warnings(), suppress(Exception):
        warnings.simplefilter("ignore")
        return any(isinstance(made.function()(*row), str) for row in copy.deepcopy(made.rows))
    return False


@pytest.mark.parametrize("numbers", chunks(FIRST, FIRST + MANY), ids=str)
@pytest.mark.slow
def test_a_random_loop_does_what_python_does(numbers: range, record_property: Callable[[str, object], None]) -> None:
    record_property("counts", dict(all_alike(numbers)))


def all_alike(numbers: range, grammar: type[Writing] = Writing) -> Counter[str]:
    """The kinds of programs among these, none of which differs from what it does plainly."""
    counts: Counter[str] = Counter()
    failures = []
    for number in numbers:
        found = compared(number, "reference", counts, grammar)
        if not found and number % THROUGH_KERNELS == 1:
            with on_three_threads():
                found = compared(number, "numba", counts, grammar)
        failures += [found] if found else []
    assert not failures, "\n\n".join(failures)
    return counts


@pytest.mark.parametrize("numbers", chunks(FIRST, FIRST + MANY), ids=str)
@pytest.mark.slow
def test_so_does_one_with_numbers_that_may_be_none(
    numbers: range, record_property: Callable[[str, object], None]
) -> None:
    record_property("counts", dict(all_alike(numbers, OptionalWriting)))


@pytest.mark.parametrize("numbers", chunks(FIRST, FIRST + MANY), ids=str)
@pytest.mark.slow
def test_so_does_one_with_arrays_turned_round_and_tables(
    numbers: range, record_property: Callable[[str, object], None]
) -> None:
    record_property("counts", dict(all_alike(numbers, ArrangedWriting)))


@pytest.mark.slow
@pytest.mark.parametrize("numbers", chunks(FIRST + MANY, FIRST + MANY + MORE), ids=str)
def test_so_do_more_with_arrays_turned_round(numbers: range, record_property: Callable[[str, object], None]) -> None:
    record_property("counts", dict(all_alike(numbers, ArrangedWriting)))


@pytest.mark.slow
@pytest.mark.parametrize("numbers", chunks(FIRST + MANY, FIRST + MANY + MORE), ids=str)
def test_so_do_more_of_these(numbers: range, record_property: Callable[[str, object], None]) -> None:
    record_property("counts", dict(all_alike(numbers, OptionalWriting)))


@pytest.mark.slow
@pytest.mark.parametrize("numbers", chunks(FIRST + MANY, FIRST + MANY + MORE), ids=str)
def test_so_do_more_of_them(numbers: range, record_property: Callable[[str, object], None]) -> None:
    test_a_random_loop_does_what_python_does(numbers, record_property)


@pytest.mark.slow
def test_a_program_whose_numbers_grow_beyond_measure_is_left_out() -> None:
    text = """def function(n):
    for i in range(64):
        n = n * n
    return n
"""
    assert not ends(Program(0, text, [(3,)]))
    assert ends(Program(0, text, [(1,)]))


@pytest.mark.parametrize("number", [90567, 1074, 3635, 4126, 5672, 7117, 8610, 9471, 9686])
@pytest.mark.slow
def test_loops_that_once_differed(number: int) -> None:
    assert not compared(number, "reference", Counter())
