"""Each fact about a version of NumPy, against the NumPy that is installed."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np
import pytest

from guardlift.frontend.tracing.numpy_versions import NUMPY, NumpyFacts, facts_of


def works(call: Callable[[], Any]) -> bool:
    try:
        call()
    except (TypeError, ValueError, OverflowError):
        return False
    return True


def warns(call: Callable[[], Any]) -> bool:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    return bool(caught)


ARRAY = np.array([1, 2], np.uint8)
EXPERIMENTS: dict[str, Callable[[], bool]] = {
    "reshape_takes_copy": lambda: works(lambda: np.reshape(ARRAY, (2, 1), copy=False)),
    "asanyarray_takes_copy": lambda: works(lambda: np.asanyarray(np.zeros(2), copy=True)),
    "full_checks_range": lambda: not works(lambda: np.full(3, 300, np.uint8)),
    "clip_bounds_are_free": lambda: works(lambda: (np.clip(ARRAY, min=1), np.clip(ARRAY, -1, 300), ARRAY.clip())),
    "clip_keeps_equal_numbers": lambda: bool(np.signbit(np.clip(np.array([-0.0]), 0.0, 1.0))[0]),
    "take_casts_uint64": lambda: works(lambda: np.take(ARRAY, np.array([0], np.uint64))),
    "power_loop_knows_roots": lambda: bool(np.signbit(np.power(np.array([-0.0, -0.0]), 0.5))[0]),
    "round_copies_integers": lambda: np.round(ARRAY) is not ARRAY,
    "setting_shape_is_deprecated": lambda: warns(lambda: setattr(np.zeros(4), "shape", (2, 2))),
    "fix_is_deprecated": lambda: warns(lambda: np.fix(np.array([1.5]))),
}


@pytest.mark.parametrize("fact", [each.name for each in fields(NumpyFacts)])
def test_a_fact_is_what_numpy_does(fact: str) -> None:
    assert EXPERIMENTS[fact]() == getattr(NUMPY, fact)


def test_up_to_numpy_2_2_the_value_of_an_exponent_decides_on_the_dtype() -> None:
    powers = [np.ones(2, np.float32) ** np.float64(each) for each in (2, 3)]
    assert (powers[0].dtype == powers[1].dtype) == NUMPY.power_loop_knows_roots


def test_no_fact_holds_of_the_oldest_version_and_all_hold_of_a_late_one() -> None:
    values = [[getattr(facts_of(version), each.name) for each in fields(NumpyFacts)] for version in ("2.0.0", "2.5.0")]
    assert not any(values[0]) and all(values[1])
    assert facts_of("2.1.3").reshape_takes_copy and not facts_of("2.1.3").power_loop_knows_roots
