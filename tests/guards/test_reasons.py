"""What each kind of guard says: the fact as a statement, and for a failure the old value, the new one and the edit."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import numpy as np
import pytest

from guardlift.core.dtypes import float64
from guardlift.core.types import TensorType
from guardlift.guards import guard as kinds
from guardlift.guards.guard import (
    ArrayLayout,
    DictKeys,
    Different,
    Equals,
    Evaluates,
    Guard,
    Is,
    IsArgument,
    IsNot,
    LacksAttribute,
    LacksKey,
    Length,
    NoOverlap,
    NumberInput,
    Outcome,
    Same,
    TypeIs,
    Where,
)
from guardlift.guards.reasons import change, fact, reason
from guardlift.guards.sources import Attribute, Computed, Global, Local

X, N = Local("x"), Local("n")
HERE = Where("train.py", 7, "y = x * n")
LOOP = Where("train.py", 9, "for k in range(n):")
LAYOUT = ArrayLayout(X, HERE, TensorType((2, 3), float64), (3, 1))
WRITTEN = ArrayLayout(X, HERE, TensorType((2,), float64), (1,), True)
READ_ONLY = np.zeros(2)
READ_ONLY.flags.writeable = False
UNALIGNED = np.frombuffer(bytearray(17), dtype=np.uint8)[1:].view(np.float64)

CASES = [
    (TypeIs(X, HERE, int), 2.5, "type(x) is int", ("x", "of type int", "float", "pass int(x) every time")),
    (TypeIs(X, HERE, SimpleNamespace), 1, "type(x) is SimpleNamespace",
     ("x", "of type SimpleNamespace", "int", "keep objects of one class there")),
    (TypeIs(X, HERE, float), np.zeros(2), "type(x) is float",
     ("x", "of type float", "ndarray", "pass float(x) every time")),
    (TypeIs(X, HERE, np.float32), 1.0, "type(x) is float32",
     ("x", "of type float32", "float", "pass np.float32(x) every time")),
    (NumberInput(N, HERE, float), 3, "n: any float", ("n", "of type float", "int", "pass float(n) every time")),
    (NumberInput(N, HERE, int), 2**70, "n: any int",
     ("n", "a number of 64 bits", str(2**70), "pass float(n), or keep it within 64 bits")),
    (Is(X, HERE, True), False, "x is True",
     ("x", "True", "False",
      "nothing, if x has few values: each is compiled once; otherwise jit one function for each")),
    (Is(X, HERE, LAYOUT), 3, "x is the same ArrayLayout object",
     ("x", "a ArrayLayout", "3", "keep one object in x: make it once, outside the loop that calls the function")),
    (Is(Attribute(Global("np"), "sin"), HERE, np.sin), np.cos, "np.sin is np.sin",
     ("np.sin", "np.sin", "np.cos", "assign np.sin once, before the first call")),
    (IsArgument(Global("helper"), HERE, len), abs, "helper is the function len",
     ("helper", "the function len", "the function abs",
      "keep one object in helper: make it once, outside the loop that calls the function")),
    (IsNot(X, HERE, None), None, "x is not None",
     ("x", "not None", "None", "nothing, if x is None at times: both cases are compiled once")),
    (Equals(N, LOOP, 3), 4, "n == 3",
     ("n", "3", "4",
      "put the body of the loop in a jitted function and loop outside it, or compute with whole arrays")),
    (Equals(N, HERE, 3), 4, "n == 3",
     ("n", "3", "4",
      "if only arithmetic needs n, pass float(n); if it counts turns, put the body of the loop in a jitted "
      "function and loop outside it, or compute with whole arrays")),
    (Equals(N, HERE, "relu"), "tanh", "n == 'relu'",
     ("n", "'relu'", "'tanh'", "keep n to few values: each is compiled once")),
    (Outcome(Computed("{} > {}", (N, 0)), HERE, True), False, "n > 0",
     ("the condition `n > 0`", "True", "False",
      "nothing, if both outcomes are usual: each is compiled once; np.where(condition, a, b) compiles them as one")),
    (Outcome(Computed("{} > {}", (N, 0)), HERE, False), True, "not (n > 0)",
     ("the condition `n > 0`", "False", "True",
      "nothing, if both outcomes are usual: each is compiled once; np.where(condition, a, b) compiles them as one")),
    (Evaluates(Computed("1 / {}", (N,)), HERE), 3, "1 / n raises no error",
     ("`1 / n`", "a number", "an error", "nothing: Python itself then runs the call and raises")),
    (Length(X, HERE, 2), [1, 2, 3], "len(x) == 2",
     ("len(x)", "2", "3", "keep one length of x, or stack its elements into one array")),
    (DictKeys(X, HERE, ("a", "b")), {"b": 1, "a": 2}, "list(x) == ['a', 'b']",
     ("list(x)", "['a', 'b']", "['b', 'a']", "build x with the same keys, in one order, for every call")),
    (LacksKey(X, HERE, "scale"), {"scale": 1}, "'scale' not in x",
     ("'scale' in x", "False", "True", "put 'scale' there before the first call, or not at all")),
    (LacksAttribute(X, HERE, "scale"), SimpleNamespace(scale=1), "not hasattr(x, 'scale')",
     ("hasattr(x, 'scale')", "False", "True",
      "set the attribute 'scale' of the class before the first call, or only on instances")),
    (LAYOUT, np.zeros((2, 3), np.float32), "x: float64[2, 3]",
     ("x", "an array of float64", "of float32", "pass one dtype: x.astype(np.float64)")),
    (LAYOUT, np.zeros((4, 3)), "x: float64[2, 3]",
     ("x.shape", "(2, 3)", "(4, 3)",
      "pad x to one shape; or accept one entry for each shape (gl.config.recompile_limit of them)")),
    (LAYOUT, np.zeros((3, 2)).T, "x: float64[2, 3]",
     ("x", "of strides (3, 1)", "of strides (1, 2) (in elements)", "pass one memory layout: np.ascontiguousarray(x)")),
    (LAYOUT, [1.0], "x: float64[2, 3]", ("x", "an array float64[2, 3]", "list", "pass np.asarray(x)")),
    (LAYOUT, 1.0, "x: float64[2, 3]", ("x", "an array float64[2, 3]", "float", "pass an array every time")),
    (WRITTEN, READ_ONLY, "x: float64[2], writeable", ("x", "writeable", "read-only", "pass x.copy()")),
    (WRITTEN, UNALIGNED, "x: float64[2], writeable", ("x", "aligned in memory", "not aligned", "pass x.copy()")),
    (NoOverlap(X, HERE, Local("y")), X, "x and y share no memory",
     ("the memory of x and y", "separate", "shared", "pass y.copy(), unless the shared memory is meant")),
    (Same(X, HERE, Local("y")), X, "x is y",
     ("`x is y`", "True", "False", "nothing, if both cases are usual: each is compiled once")),
    (Different(X, HERE, Local("y")), X, "x is not y",
     ("`x is y`", "False", "True",
      "pass y.copy(), unless one object under two names is meant: each case is compiled once")),
]  # fmt: skip


@pytest.mark.parametrize(("guard", "found", "statement", "words"), CASES, ids=lambda value: getattr(value, "kind", ""))
def test_a_guard_states_its_fact_and_explains_its_failure(guard, found, statement, words) -> None:
    told = change(guard, found)
    assert fact(guard) == statement
    assert (told.expression, told.was, told.now, told.edit) == words


def every_kind(base: type[Guard] = Guard) -> Iterator[type[Guard]]:
    for kind in base.__subclasses__():
        if kind.__module__ == kinds.__name__:
            yield kind
            yield from every_kind(kind)


def test_every_kind_of_guard_has_its_own_words_and_a_case_above() -> None:
    for kind in every_kind():
        assert fact.dispatch(kind) is not fact.dispatch(object), kind
        assert change.dispatch(kind) is not change.dispatch(object), kind
    assert set(every_kind()) <= {type(guard) for guard, *_ in CASES}


def test_no_words_show_an_address() -> None:
    for guard, found, *_ in CASES:
        told = reason(0, guard, found)
        assert " at 0x" not in f"{fact(guard)} {told}", guard


def test_a_reason_carries_the_line_that_made_the_fact_matter() -> None:
    told = reason(3, Equals(N, LOOP, 3), 4)
    assert (told.entry, told.guard, told.at) == (3, "equality", ("train.py", 9, "for k in range(n):"))
    assert told.where == "train.py:9: for k in range(n):"
    assert told.change() == "n was 3, now 4"


def test_another_object_of_the_same_kind_is_called_another() -> None:
    told = change(Is(X, HERE, SimpleNamespace()), SimpleNamespace())
    assert (told.was, told.now) == ("a SimpleNamespace", "another SimpleNamespace")


def test_a_layout_that_is_not_row_major_shows_its_strides() -> None:
    assert fact(ArrayLayout(X, None, TensorType((2, 3), float64), (1, 2))) == "x: float64[2, 3] with strides (1, 2)"
    assert fact(ArrayLayout(X, None, TensorType((1, 3), float64), (99, 1))) == "x: float64[1, 3]"
