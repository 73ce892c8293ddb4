"""Guards as data: no field of a kind that can be written is forgotten, and constants keep type, value and sign."""

from __future__ import annotations

import dataclasses
import json
import math
import types
from typing import Any

import numpy as np
import pytest

from guardlift.core.errors import Differs, NotWritable
from guardlift.guards.codec.code_digest import code_digest
from guardlift.guards.codec.constant_codec import read_constant, written_constant
from guardlift.guards.codec.guard_codec import GUARDS, SOURCES_WRITTEN, Known, written_fields
from guardlift.guards.codec.named_objects import read_object, written_object
from guardlift.guards.guard import Equals, Is, Where
from guardlift.guards.sources import Attribute, Global, Item, Local


@pytest.mark.parametrize("kind", GUARDS, ids=lambda kind: kind.__name__)
def test_every_field_of_a_guard_is_written(kind: type) -> None:
    assert set(GUARDS[kind]) == written_fields(kind)


@pytest.mark.parametrize("kind", SOURCES_WRITTEN, ids=lambda kind: kind.__name__)
def test_every_field_of_a_place_is_written_in_order(kind: Any) -> None:
    assert list(SOURCES_WRITTEN[kind]) == [each.name for each in dataclasses.fields(kind)]


@pytest.mark.parametrize(
    "value",
    [None, True, 0, -1, 2**70, 0.0, -0.0, 1e-320, math.inf, -math.inf, 1j, complex(-0.0, 0.0), "a\ud800", b"\xff", ...]
    + [(), (1, (1.0, True)), NotImplemented],
    ids=repr,
)
def test_constants_come_back_as_they_were(value: Any) -> None:
    again = read_constant(json.loads(json.dumps(written_constant(value))))
    assert type(again) is type(value) and repr(again) == repr(value)


def test_nan_comes_back() -> None:
    assert math.isnan(read_constant(written_constant(math.nan)))


@pytest.mark.parametrize("value", [[], {}, np.float64(1.0), object(), {1}], ids=lambda each: type(each).__name__)
def test_what_is_no_constant_is_refused(value: Any) -> None:
    with pytest.raises(NotWritable):
        written_constant(value)


@pytest.mark.parametrize(
    "value",
    [len, math.sqrt, np.exp, np.add, np.where, np.concatenate, np.sum, np.ndarray, np.float32, int, range, dict.get]
    + [np.dtype(np.float64), np, math, np.linalg, str.join, types.SimpleNamespace],
    ids=lambda each: getattr(each, "__name__", str(each)),
)
def test_objects_that_every_process_has_are_found_again(value: Any) -> None:
    assert read_object(json.loads(json.dumps(written_object(value)))) is value


@pytest.mark.parametrize("value", [lambda: 0, [].append, np.frompyfunc(abs, 1, 1), {}.get, object(), np.dtype("i4,f8")])
def test_objects_of_this_process_are_refused(value: Any) -> None:
    with pytest.raises(NotWritable):
        written_object(value)


def test_another_object_under_a_name_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    data = written_object(math.sqrt)
    for other in (math.exp, len, lambda a: a, None):
        monkeypatch.setattr(math, "sqrt", other)
        with pytest.raises(Differs, match=r"math\.sqrt"):
            read_object(data)
    monkeypatch.delattr(math, "sqrt")
    with pytest.raises(Differs):
        read_object(data)


def test_a_name_of_ours_leads_nowhere_else() -> None:
    with pytest.raises(ValueError, match="no module of guardlift"):
        read_object(["ours", "os", "system"])


def _function() -> types.FunctionType:
    namespace: dict[str, Any] = {"__name__": "program", "__builtins__": __builtins__}
    exec("def helper(a): return a + 1\ndef f(x): return helper(x)", namespace)
    return namespace["f"]


def test_a_guard_on_a_function_is_about_the_one_at_its_place() -> None:
    writing, reading = _function(), _function()
    helper = writing.__globals__["helper"]
    guards = [
        Is(Global("helper"), Where("f.py", 3, "text"), expected=helper),
        Equals(Item(Local("x"), 0), expected=-0.0),
    ]
    written, read = Known(writing, lambda function: ""), Known(reading, lambda function: "")
    data = json.loads(json.dumps([written.write_guard(each) for each in guards]))
    found = [read.read_guard(each) for each in data]
    assert found[0].expected is reading.__globals__["helper"] is not helper  # type: ignore[attr-defined]
    assert found[0].where == guards[0].where and found[1] == guards[1]
    reading.__globals__["helper"] = lambda a: a + 1
    with pytest.raises(Differs, match="the code of helper differs"):
        Known(reading, lambda function: "").read_guard(data[0])
    with pytest.raises(Differs, match="left alone"):
        Known(_function(), lambda function: "left alone").read_guard(data[0])


def test_no_code_of_the_program_runs_to_look_at_a_place() -> None:
    class Trap:
        def __getattr__(self, name: str) -> Any:
            raise AssertionError("it ran")

    reading = _function()
    written = Known(reading, lambda function: "")
    helper = reading.__globals__["helper"]
    data = written.write_guard(Is(Attribute(Global("helper"), "__code__"), expected=helper.__code__))
    reading.__globals__["helper"] = Trap()
    with pytest.raises(Differs):
        Known(reading, lambda function: "").read_guard(data)


@pytest.mark.parametrize(
    ("one", "other"),
    [("x + 1", "x + 1.0"), ("x + 1", "x + True"), ("x * 0.0", "x * -0.0"), ("x in {1, 2}", "x in {1, 3}")]
    + [("x.a", "x.b"), ("lambda: 1", "lambda: 2"), ("x[1:2]", "x[1:3]"), ("'a'", "b'a'"), ("(1, 2)", "(1, (2,))")],
)
def test_code_that_differs_has_another_digest(one: str, other: str) -> None:
    codes = [compile(text, "f.py", "eval") for text in (one, one, other)]
    digests = [*map(code_digest, codes)]
    assert digests[0] == digests[1] != digests[2]
