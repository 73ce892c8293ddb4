"""Words of each kind of guard: the fact as a statement, and for a failure the old value, the new one and the edit."""

from __future__ import annotations

import importlib
import pkgutil
import weakref
from collections.abc import Iterator
from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import pytest
from words import internal_words

import guardlift as gl
from guardlift import guards
from guardlift.core.dtypes import float32, float64
from guardlift.core.records import dataclass
from guardlift.core.sizes import Facts, symbol
from guardlift.core.types import TensorType
from guardlift.guards.arrays import ArrayLayout, BoolBytes, NoOverlap
from guardlift.guards.class_statements import OfStatement
from guardlift.guards.computed_sources import Computed
from guardlift.guards.containers import DictKeys, HasKey, LacksKey, Length, LiveKeys, SetElements
from guardlift.guards.guard import (
    Different,
    Equals,
    Evaluates,
    Guard,
    Is,
    IsThere,
    NumberInput,
    Outcome,
    Same,
    TypeIs,
    WeakIs,
    Where,
)
from guardlift.guards.pool import RebindableRef
from guardlift.guards.reasons import reason
from guardlift.guards.sizes import SizedLayout, SizesFit
from guardlift.guards.sources import Attribute, Global, Local
from guardlift.guards.tensors import TensorIs

X, N = Local("x"), Local("n")
HERE = Where("train.py", 7, "y = x * n")
LOOP = Where("train.py", 9, "for k in range(n):")
LAYOUT = ArrayLayout(X, HERE, TensorType((2, 3), float64), (3, 1))
WRITTEN = ArrayLayout(X, HERE, TensorType((2,), float64), (1,), True)
SIZES = Facts()
SIZED = SizedLayout(X, HERE, TensorType((symbol(SIZES, "x.shape[0]", 5), 3), float64), (3, 1))  # type: ignore[arg-type]
assert SIZED.type.shape[0] >= 4
SIZES.sealed = True
FIT = SizesFit(X, HERE, (SIZED,), (), SIZES)
READ_ONLY = np.zeros(2)
READ_ONLY.flags.writeable = False
UNALIGNED = np.frombuffer(bytearray(17), dtype=np.uint8)[1:].view(np.float64)


class Model: ...


MODEL = Model()
FACTS = (("_requires_grad", False, "requires_grad"), ("_base", None, "base"))
CASES = [
    (TypeIs(X, HERE, int), 2.5, "type(x) is int", ("type(x)", "int", "float", "pass float(x)")),
    (TypeIs(X, HERE, SimpleNamespace), 1, "type(x) is SimpleNamespace",
     ("type(x)", "SimpleNamespace", "int",
      "no edit known: an object of another class in x may do other things: each class is compiled once")),
    (TypeIs(X, HERE, float), np.zeros(2), "type(x) is float",
     ("type(x)", "float", "np.ndarray",
      "no edit known: an object of another class in x may do other things: each class is compiled once")),
    (TypeIs(X, HERE, np.float32), 1.0, "type(x) is float32",
     ("type(x)", "np.float32", "float", "pass float(x)")),
    (SIZED, np.zeros((1, 3)), "x: float64[x.shape[0], 3], x.shape[0] >= 2",
     ("x.shape", "(2 or more, 3)", "(1, 3)",
      "no edit known: sizes 0 and 1 are compiled apart, since NumPy broadcasts them or has nothing to do")),
    (SIZED, np.zeros((4, 3), np.float32), "x: float64[x.shape[0], 3], x.shape[0] >= 2",
     ("x.dtype", "float64", "float32", "pass x.astype(np.float64)")),
    (FIT, (np.zeros((3, 3)),), "x.shape[0] >= 4",
     ("`x.shape[0] >= 4`", "true", "false: x.shape is (3, 3)",
      "no edit known: both cases are usual: each is compiled once")),
    (FIT, (np.zeros((6, 6))[:, ::2],), "x.shape[0] >= 4",
     ("the strides of x", "(3, 1) elements", "(6, 2) elements", "pass np.ascontiguousarray(x)")),
    (NumberInput(N, HERE, float), 3, "n: any float", ("type(n)", "float", "int", "pass float(n)")),
    (NumberInput(N, HERE, int), 2**70, "n: any int",
     ("n", "a number of 64 bits", str(2**70),
      "no edit known: compiled code computes with numbers of 64 bits")),
    (Is(X, HERE, True), False, "x is True",
     ("x", "True", "False", "no edit known: what runs depends on x: each value is compiled once")),
    (Is(X, HERE, float32), float64, "x is gl.float32",
     ("x", "gl.float32", "gl.float64",
      "no edit known: what runs depends on x: each value is compiled once")),
    (Is(X, HERE, LAYOUT), 3, "x is the same ArrayLayout object",
     ("x", "an ArrayLayout", "3",
      "no edit known: each object in x is compiled once; one that is kept serves all calls")),
    (Is(Attribute(Global("np"), "sin"), HERE, np.sin), np.cos, "np.sin is np.sin",
     ("np.sin", "np.sin", "np.cos",
      "no edit known: the program assigns np.sin between calls; before the first call that costs nothing")),
    (Is(Global("helper"), HERE, len, checked_by="plan"), abs, "helper is the function len",
     ("helper", "the function len", "the function abs",
      "no edit known: each object in helper is compiled once; one that is kept serves all calls")),
    (WeakIs(X, HERE, weakref.ref(MODEL)), Model(), "x is the same Model object",
     ("x", "a Model", "another Model", "no edit known: each object in x is compiled once")),
    (WeakIs(X, HERE, weakref.ref(MODEL)), 3, "x is the same Model object",
     ("x", "a Model", "3", "no edit known: each object in x is compiled once")),
    (TensorIs(X, HERE, gl.Tensor, FACTS), 3.0, "x is a Tensor, requires_grad False, base None",
     ("type(x)", "Tensor", "float",
      "no edit known: a Tensor computes otherwise than what came now: each is compiled once")),
    (TensorIs(X, HERE, gl.Tensor, FACTS), gl.ones(2, requires_grad=True),
     "x is a Tensor, requires_grad False, base None",
     ("x.requires_grad", "False", "True", "no edit known: both cases are usual: each is compiled once")),
    (TensorIs(X, HERE, gl.Tensor, FACTS, checked_by="entry"), gl.ones(3)[:2],
     "x is a Tensor, requires_grad False, base None",
     ("x.base", "None", "a Tensor", "no edit known: both cases are usual: each is compiled once")),
    (TensorIs(X, HERE, gl.Tensor, FACTS, checked_by="owner"), gl.ones(3)[:2],
     "x is a Tensor, requires_grad False, base None",
     ("x.base", "None", "a Tensor", "no edit known: both cases are usual: each is compiled once")),
    (Is(X, HERE, None, checked_by="owner"), gl.ones(2), "x is None",
     ("x", "None", "a Tensor", "no edit known: both cases are usual: each is compiled once")),
    (Equals(N, LOOP, 3), 4, "n == 3",
     ("n", "3", "4",
      "no edit known: n says how many turns there are, and each number of them is compiled once; "
      "the body of the loop, jitted by itself, would be")),
    (Equals(N, HERE, 3), 4, "n == 3",
     ("n", "3", "4", "no edit known: what runs depends on n: each value is compiled once")),
    (Equals(N, Where("train.py", 9, "x = np.arange(n)"), 3), 4, "n == 3",
     ("n", "3", "4", "no edit known: what runs depends on n: each value is compiled once")),
    (Equals(N, HERE, "relu"), "tanh", "n == 'relu'",
     ("n", "'relu'", "'tanh'", "no edit known: what runs depends on n: each value is compiled once")),
    (Outcome(Computed("{} > {}", (N, 0)), HERE, True), False, "n > 0",
     ("the condition `n > 0`", "True", "False",
      "no edit known: the condition decides what runs: each outcome is compiled once")),
    (Outcome(Computed("{} > {}", (N, 0)), HERE, False), True, "not (n > 0)",
     ("the condition `n > 0`", "False", "True",
      "no edit known: the condition decides what runs: each outcome is compiled once")),
    (Evaluates(Computed("1 / {}", (N,)), HERE), 3, "1 / n raises no error",
     ("`1 / n`", "a number", "an error", "no edit known: Python itself runs the call and raises")),
    (IsThere(Global("k"), HERE), 3, "k is there",
     ("`k`", "there", "missing", "no edit known: Python itself runs the call and raises")),
    (Length(X, HERE, 2), [1, 2, 3], "len(x) == 2",
     ("len(x)", "2", "3", "no edit known: the length of x decides what runs: each is compiled once")),
    (DictKeys(X, HERE, ("a", "b")), {"b": 1, "a": 2}, "list(x) == ['a', 'b']",
     ("list(x)", "['a', 'b']", "['b', 'a']",
      "no edit known: the keys and their order decide what runs: each order is compiled once")),
    (LiveKeys(X, HERE, ("a", RebindableRef(MODEL))), {"a": 1}, "list(x) == ['a', a Model]",
     ("list(x)", "['a', a Model]", "['a']",
      "no edit known: the keys and their order decide what runs: each order is compiled once")),
    (SetElements(X, HERE, ("a", 1)), {"a", True}, "set(x) == ['a', 1]",
     ("list(x)", "['a', 1]", str(list({"a", True})),
      "no edit known: the elements decide what runs: each set of them is compiled once")),
    (SetElements(X, HERE, (8,), ordered=True), {8.0}, "list(x) == [8]",
     ("list(x)", "[8]", "[8.0]",
      "no edit known: the elements decide what runs: each set of them is compiled once")),
    (HasKey(X, HERE, "a"), {}, "'a' in x",
     ("'a' in x", "True", "False", "no edit known: both cases are usual: each is compiled once")),
    (LacksKey(X, HERE, "scale"), {"scale": 1}, "'scale' not in x",
     ("'scale' in x", "False", "True", "no edit known: both cases are usual: each is compiled once")),
    (LAYOUT, np.zeros((2, 3), np.float32), "x: float64[2, 3]",
     ("x.dtype", "float64", "float32", "pass x.astype(np.float64)")),
    (LAYOUT, np.zeros((4, 3)), "x: float64[2, 3]",
     ("x.shape", "(2, 3)", "(4, 3)", "gl.jit(dynamic=True), which serves all sizes")),
    (LAYOUT, np.zeros(3), "x: float64[2, 3]",
     ("x.ndim", "2", "1",
      "no edit known: the number of dimensions of x decides what is computed: each is compiled once")),
    (LAYOUT, np.zeros((3, 2)).T, "x: float64[2, 3]",
     ("the strides of x", "(3, 1) elements", "(1, 2) elements", "pass np.ascontiguousarray(x)")),
    (LAYOUT, [1.0], "x: float64[2, 3]", ("type(x)", "np.ndarray", "list", "pass np.asarray(x)")),
    (LAYOUT, 1.0, "x: float64[2, 3]", ("type(x)", "np.ndarray", "float",
      "no edit known: an array and a float compute otherwise: each is compiled once")),
    (WRITTEN, READ_ONLY, "x: float64[2], writeable", ("x", "writeable", "read-only",
      "no edit known: the function writes into x, and a copy would not show it")),
    (WRITTEN, UNALIGNED, "x: float64[2], writeable", ("x", "aligned in memory", "not aligned",
      "no edit known: the function writes into x, and a copy would not show it")),
    (NoOverlap(X, HERE, Local("y")), X, "x and y share no memory",
     ("the memory of x and y", "separate", "shared",
      "no edit known: the function writes into one of them, and a copy would not show it in the other")),
    (BoolBytes(X, HERE), np.array([0, 2], np.uint8).view(bool), "each byte of x is 0 or 1",
     ("each byte of x", "0 or 1", "another number", "pass x.view('u1') != 0")),
    (OfStatement(X, HERE, statement="f.<locals>.Model"), Model(), "x is, or belongs to, a class f.<locals>.Model",
     ("x", "of a class f.<locals>.Model", "a Model",
      "no edit known: each call makes another class; one that is defined outside the function is compiled once")),
    (Same(X, HERE, Local("y")), X, "x is y",
     ("`x is y`", "True", "False", "no edit known: both cases are usual: each is compiled once")),
    (Different(X, HERE, Local("y")), X, "x is not y",
     ("`x is y`", "False", "True", "no edit known: both cases are usual: each is compiled once")),
]  # fmt: skip


@pytest.mark.parametrize(("guard", "found", "statement", "words"), CASES, ids=lambda value: getattr(value, "kind", ""))
def test_a_guard_states_its_fact_and_explains_its_failure(guard, found, statement, words) -> None:
    told = guard.change(found)
    assert guard.fact() == statement
    assert (told.expression, told.was, told.now, told.remedy.advice) == words
    assert guard.explain(found) == "{} was {}, now {}; {}".format(*words)


def every_kind(base: type[Guard] = Guard) -> Iterator[type[Guard]]:
    """Every class of guard that the package defines, in whichever file of `guards/`."""
    for module in pkgutil.iter_modules(guards.__path__):
        importlib.import_module(f"{guards.__name__}.{module.name}")
    for kind in base.__subclasses__():
        if kind.__module__.startswith(f"{guards.__name__}."):
            yield kind
        yield from every_kind(kind)


def missing_parts(kind: type[Guard]) -> list[str]:
    """The parts that a class of guard neither states nor inherits from one that does."""
    parts = [name for name in ("text", "fact", "change") if getattr(kind, name) is getattr(Guard, name)]
    if not kind.kind:
        parts.append("kind")
    docstring = kind.__doc__ if "__doc__" in kind.__dict__ else None  # not from the base class
    if not (docstring or "").strip() or str(docstring).startswith(f"{kind.__name__}("):
        parts.append("docstring")
    return parts


def test_every_kind_of_guard_has_all_its_parts_and_a_case_above() -> None:
    found = {kind for kind in every_kind() if kind.kind or not kind.__subclasses__()}  # the rest are bases of kinds
    assert {kind.__name__: missing_parts(kind) for kind in found if missing_parts(kind)} == {}
    assert found == {type(guard) for guard, *_ in CASES}
    for kind in found:
        assert kind.explain is Guard.explain, f"{kind.__name__}: one sentence, made from `change`"


def test_a_kind_of_guard_without_its_parts_is_found_out() -> None:
    @dataclass(frozen=True)
    class Silent(Guard):
        kind: ClassVar[str] = "silence"

        def text(self, pool):
            return "True"

    assert missing_parts(Silent) == ["fact", "change", "docstring"]
    assert Silent not in set(every_kind())


def test_no_words_show_an_address() -> None:
    for guard, found, *_ in CASES:
        assert " at 0x" not in f"{guard.fact()} {reason(0, guard, found)}", guard


def test_no_words_are_those_of_the_compiler() -> None:
    for guard, found, *_ in CASES:
        for text in (guard.fact(), str(guard.change(found))):
            assert not internal_words(text), text


def test_a_reason_carries_the_line_that_made_the_fact_matter() -> None:
    told = reason(3, Equals(N, LOOP, 3), 4)
    assert (told.entry, told.guard, told.at) == (3, "equality", ("train.py", 9, "for k in range(n):"))
    assert told.where == "train.py:9: for k in range(n):"
    assert told.change() == "n was 3, now 4"
    assert told.text == f"{told.change()}; no edit known: {told.no_edit}"


def test_another_object_of_the_same_kind_is_called_another() -> None:
    told = Is(X, HERE, SimpleNamespace()).change(SimpleNamespace())
    assert (told.was, told.now) == ("a SimpleNamespace", "another SimpleNamespace")


def test_a_layout_that_is_not_row_major_shows_its_strides() -> None:
    assert ArrayLayout(X, None, TensorType((2, 3), float64), (1, 2)).fact() == "x: float64[2, 3] with strides (1, 2)"
    assert ArrayLayout(X, None, TensorType((1, 3), float64), (99, 1)).fact() == "x: float64[1, 3]"
