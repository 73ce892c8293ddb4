"""`np.errstate` around a part of a function: kernels are silent anyway, and NumPy's functions are told of it."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from oracle import check, under

import guardlift as gl

X, LARGE = np.array([0.0, 1.0, -2.0, np.inf]), np.array([0.0, 0.5, np.inf])


def test_a_part_of_a_function_in_which_nothing_is_told() -> None:
    def function(x: Any) -> Any:
        with np.errstate(divide="ignore", invalid="ignore"):
            y = x / (x - 1)
        return np.where(np.isfinite(y), y, 0)

    def nested(x: Any, modes: Any) -> Any:
        with np.errstate(**modes), np.errstate(over="ignore") as entered:
            y = 1 / x
            with np.errstate(all="ignore"):
                y = y + np.log(x)
        return y, entered

    def returned_from(x: Any) -> Any:
        for k in range(3):
            with np.errstate(all="ignore"):
                if k == 1:
                    return x / 0 + k
                continue
        return x

    def raised_from(x: Any) -> Any:
        try:
            with np.errstate(invalid="ignore"):
                y = np.sqrt(x)
                raise KeyError(1)
        except KeyError as error:
            return y, error.args

    check(function, X, expect="compiled", backend="reference")
    check(nested, X, {"divide": "ignore"}, expect="compiled", backend="reference")
    check(returned_from, X, expect="compiled", backend="reference")
    check(raised_from, X, expect="compiled", backend="reference")


def told(function: Any, *args: Any) -> list[str]:
    """The warnings of two calls."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        for _ in range(2):
            function(*args)
    return [str(each.message) for each in found]


def test_what_is_called_out_is_called_in_the_state_of_the_program() -> None:
    def silent(x: Any) -> Any:
        with np.errstate(invalid="ignore"):
            return np.cov(x, x), np.arctanh(x)

    def loud(x: Any) -> Any:
        with np.errstate(all="ignore"):
            y = np.arctanh(x)
            with np.errstate(invalid="warn"):
                return y, np.arctanh(x)

    def behind(x: Any) -> Any:
        with np.errstate(all="ignore"):
            y = np.arctanh(x)
        return y, np.arctanh(x)

    for function in (silent, loud, behind):
        jitted = gl.jit(function)
        assert told(jitted, LARGE) == told(function, LARGE)
        assert not gl.explain(jitted).breaks
    assert told(silent, LARGE) == [] and len(told(loud, LARGE)) == 2


def test_a_warning_of_numpys_own_names_the_line_of_the_program() -> None:
    def function(x: Any) -> Any:
        with np.errstate(all="ignore"):
            return np.nanmean(x)

    places = []
    for each in (function, gl.jit(function)):
        with warnings.catch_warnings(record=True) as found, under("reference"):
            warnings.simplefilter("always")
            each(np.full(3, np.nan))
            each(np.full(3, np.nan))
        places.append([(warning.filename, warning.lineno, str(warning.message)) for warning in found])
    assert places[0] == places[1] and places[0]


@pytest.mark.parametrize("mode", ["raise", "call", "print", "log"])
def test_states_in_which_numpy_does_more_are_left_to_python(mode: str) -> None:
    def function(x: Any) -> Any:
        y = x * 2
        with np.errstate(divide=mode):  # type: ignore[arg-type]
            return y + 1

    assert check(function, X, backend="reference").breaks[:1] == ["B202"]


def test_a_break_inside_is_met_in_the_state() -> None:
    def function(x: Any) -> Any:
        y = x * 2
        with np.errstate(divide="ignore"):
            print(end="")
            z = y / 0, np.geterr()["divide"]
        return z, np.geterr()["divide"]

    def wrong(x: Any) -> Any:
        with np.errstate(nonsense="ignore"):  # type: ignore[call-arg]
            return x + 1

    def kept(x: Any) -> Any:
        state = np.errstate(divide="ignore")
        with state:
            y = x / 0
        return y, type(state)

    for each in (function, wrong, kept):
        report = check(each, X, backend="reference")
        assert "B900" not in report.breaks
