"""Random programs of the language, run plainly and jitted, must not differ in anything that can be seen afterwards.

All of them are marked slow: 50 programs and 250 more, the same each time. GUARDLIFT_FUZZ says how many the first
test takes, GUARDLIFT_FUZZ_SEED the number of the first: a program is its number, so a failure is run again with
`GUARDLIFT_FUZZ=1 GUARDLIFT_FUZZ_SEED=<number> pytest -m ""`.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable

import pytest
from fuzz.trimming import prepared
from worlds import Verdict, compare, fails_at_all, reduced

MANY = int(os.environ.get("GUARDLIFT_FUZZ", "50"))
MORE = 250
FIRST = int(os.environ.get("GUARDLIFT_FUZZ_SEED", "0"))
CHUNK = 50


def chunks(first: int, end: int) -> list[range]:
    """The numbers from `first` on, some at a time."""
    return [range(start, min(start + CHUNK, end)) for start in range(first, end, CHUNK)]


THROUGH_KERNELS = 200
"""The number of programs of which one is also run through kernels."""


def figures(verdict: Verdict) -> dict[str, int]:
    """The counts of a program in the summary."""
    return {
        "programs": 1,
        "traced whole": int(verdict.whole),
        "compiled, with breaks": int(verdict.compiled and not verdict.whole),
        "plain": int(not verdict.compiled),
        "in which a call raises": int(verdict.raised > 0),
        "in which most calls raise": int(verdict.raised > 0.5),
    }


@pytest.mark.parametrize("numbers", chunks(FIRST, FIRST + MANY), ids=str)
@pytest.mark.slow
def test_a_random_program_does_what_python_does(numbers: range, record_property: Callable[[str, object], None]) -> None:
    counts: Counter[str] = Counter()
    failures = []
    for number in numbers:
        text = prepared(number)
        verdict = compare(text)
        counts.update(figures(verdict))
        if verdict.difference:
            failures.append(f"program {number}: {verdict.difference}\n{reduced(text, fails_at_all)}")
        elif number % THROUGH_KERNELS == 1:
            found = compare(text, backend="numba").difference
            failures += [f"program {number}, through kernels: {found}\n{text}"] if found else []
    record_property("counts", dict(counts))
    assert not failures, "\n\n".join(failures)


@pytest.mark.slow
@pytest.mark.parametrize("numbers", chunks(FIRST + MANY, FIRST + MANY + MORE), ids=str)
def test_so_do_more_of_them(numbers: range, record_property: Callable[[str, object], None]) -> None:
    test_a_random_program_does_what_python_does(numbers, record_property)
