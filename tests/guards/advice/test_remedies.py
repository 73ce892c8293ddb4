"""Remedies: which edits may be printed, and which may not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift.core.events import Reason, Remedy
from guardlift.guards.advice.remedies import both, cast, contiguous, joined, no_edit, number, settled
from guardlift.guards.sources import Attribute, Global, Item, Local

X, RATE = Local("x"), Local("rate")


@pytest.mark.parametrize(("kinds", "form"), [
    ((int, float), "float({})"), ((bool, float), "float({})"), ((float, np.float32), "float({})"),
    ((np.int64, np.float64), "float({})"), ((int, np.int64), "int({})"), ((bool, int), "int({})"),
    ((bool, np.bool_), "bool({})"), ((float, complex), ""), ((float, np.longdouble), ""), ((int, np.complex64), ""),
])  # fmt: skip
def test_numbers_of_several_types_have_one_form(kinds: tuple[type, ...], form: str) -> None:
    assert number(RATE, kinds).form == form
    assert number(RATE, reversed(kinds)).form == form


def test_an_int_that_no_float_holds_is_not_made_one() -> None:
    assert number(RATE, (float, int), (2**53 + 1,)).why == "rate is too large to be a float"


@pytest.mark.parametrize(("old", "new", "form"), [
    ("f4", "f8", "{}.astype(np.float64)"), ("f8", "f4", "{}.astype(np.float64)"), ("i4", "f4", "{}.astype(np.float64)"),
    ("i4", "i8", "{}.astype(np.int64)"), ("i8", "u8", ""), ("f8", "c16", ""), ("?", "f8", ""), ("i1", "f8", ""),
    ("f8", "U3", ""), ("f8", "O", ""), ("f8", "M8[s]", ""),
])  # fmt: skip
def test_a_cast_loses_nothing(old: str, new: str, form: str) -> None:
    remedy = cast(X, np.dtype(old), np.dtype(new), written=False, tensor=False)
    assert remedy.form == form and bool(remedy.why) == (not form)
    if form:
        assert np.can_cast(old, remedy.form.split("np.")[1][:-1], "safe")


def test_what_the_function_writes_is_not_cast() -> None:
    assert "a copy would not show it" in cast(X, np.dtype("f4"), np.dtype("f8"), written=True, tensor=False).why


def test_a_value_that_is_neither_passed_nor_assigned_to_a_name_has_no_edit() -> None:
    assert number(Global("SCALE"), (int, float)).text == "assign float(SCALE)"
    assert number(Attribute(X, "rate"), (int, float)).text == "assign float(x.rate)"
    assert number(Item(X, "rate"), (int, float)).text == "assign float(x['rate'])"
    assert "is set outside of the call" in number(Item(Item(X, 0), "rate"), (int, float)).why
    assert "is set outside of the call" in contiguous(Attribute(X, "weights"), written=False, tensor=False).why


def test_remedies_of_one_cause_are_joined_by_what_serves_all() -> None:
    remedies = [number(RATE, kinds) for kinds in ((int, bool), (int, float), (float, np.float32))]
    assert joined(remedies).text == "pass float(rate)"
    assert joined([*remedies, no_edit("why")]).why == "why"
    assert joined([*remedies, no_edit("beside", aside=True)]).form == "float({})"
    casts = [cast(X, np.dtype("f4"), np.dtype(each), written=False, tensor=False) for each in ("f8", "i4")]
    assert joined(casts).text == "pass x.astype(np.float64)"
    assert both(casts[0], no_edit("why")).why == "why"


def arithmetic(x: Any, rate: Any) -> Any:
    return x * rate


def called(x: Any, rate: Any) -> Any:
    return arithmetic(x, rate)


@pytest.mark.parametrize(("function", "kinds", "dtypes", "why"), [
    (arithmetic, (int, float), ["f8"], ""),
    (called, (int, float), ["f8"], "might not do in all the places that use rate"),
    (arithmetic, (int, float), ["i8"], "arrays of ints stay such"),
    (arithmetic, (float, np.float32), ["f4"], ""),
    (arithmetic, (float, np.float64), ["f4"], "beside arrays of float32, rate as np.float64 gives another dtype"),
    (arithmetic, (float, np.float32), ["f2"], "beside arrays of float16"),
])  # fmt: skip
def test_an_edit_is_taken_away_where_the_function_would_compute_otherwise(
    function: Any, kinds: tuple[type, ...], dtypes: list[str], why: str
) -> None:
    remedy = number(RATE, kinds)
    reason = Reason(0, "type", "type(rate)", "", "", "int", "float", remedy.text, remedy=remedy)
    told = settled(reason, function.__code__, list(map(np.dtype, dtypes)))
    assert (told == reason) == (not why)
    assert why in told.no_edit and (
        not why or told.text == f"type(rate) was int, now float; no edit known: {told.no_edit}"
    )


def test_a_copy_of_a_sequence_whose_arrays_are_written_is_no_edit() -> None:
    remedy = Remedy("pass np.stack(x)", name="x", form="np.stack({})")
    reason = Reason(0, "length", "len(x)", "", "", "2", "3", remedy.text, remedy=remedy)
    assert settled(reason, arithmetic.__code__, [], {"x"}).no_edit and settled(reason, arithmetic.__code__, []).edit


def test_a_dtype_that_has_no_number_is_explained_and_python_runs_the_call() -> None:
    def double(x: Any) -> Any:
        return x * 2

    jitted = gl.jit(double)
    jitted(np.ones(3))
    for found in (np.zeros(3, "U3"), np.zeros(3, "M8[s]")):
        with pytest.raises(TypeError) as plain:
            double(found)
        with pytest.raises(TypeError) as told:
            jitted(found)
        assert str(told.value) == str(plain.value)
