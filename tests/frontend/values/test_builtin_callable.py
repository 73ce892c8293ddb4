"""Built-in callables of every kind are what they are in Python, wherever a program takes them."""

from __future__ import annotations

import itertools
import types
from typing import Any

import numpy as np
import pytest
from frontend.values.builtin_callables import CALLABLES, PROGRAMS, outcome, source
from oracle import check, under

import guardlift as gl
from guardlift.frontend.numpy.random import METHODS as DRAWS
from guardlift.frontend.python.sequence_methods import METHODS
from guardlift.frontend.values.objects.builtin_methods import bound_type, defined
from guardlift.frontend.values.text import METHODS as OF_TEXTS

pytestmark = [
    pytest.mark.filterwarnings("ignore::guardlift.GraphBreakWarning"),
    pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::DeprecationWarning"),
]

ALL = list(itertools.product(CALLABLES, PROGRAMS))
STEP = 37
"""Prime to the number of programs: so the quick part meets each callable, and each program with many of them."""


def check_program(expression: str, program: str) -> None:
    text = source(expression, program)
    wanted = outcome(text, lambda function: function)
    made: list[Any] = []
    with under("reference"):
        found = outcome(text, lambda function: made.append(gl.jit(function)) or made[-1])
    assert found == wanted
    codes = [each.code for each in gl.explain(made[0]).breaks]
    assert not {"B900", "B902"} & {*codes}, gl.explain(made[0])


@pytest.mark.parametrize(("expression", "program"), ALL[::STEP])
def test_a_program_with_a_built_in_callable(expression: str, program: str) -> None:
    check_program(expression, program)


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("expression", CALLABLES)
def test_every_program_with_every_built_in_callable(expression: str, program: str) -> None:
    check_program(expression, program)


UFUNC_METHODS = ["np.add.reduce", "np.add.at", "np.maximum.accumulate", "np.multiply.outer", "np.add.reduceat"]


@pytest.mark.parametrize("expression", UFUNC_METHODS)
def test_methods_of_ufuncs_in_programs_of_all_shapes(expression: str) -> None:
    for program in ("returned", "on the stack at a break", "as a key", "its type", "in error", "pickled", "mapped"):
        check_program(expression, program)


@pytest.mark.parametrize("expression", ["(5).bit_length", "(-5).bit_length", "(-1.5).is_integer", "'it\\'s'.upper"])
def test_methods_of_constants_in_programs_of_all_shapes(expression: str) -> None:
    for program in ("returned", "kept across a break", "stored", "in a table", "its qualified name", "in error"):
        check_program(expression, program)


EXAMPLES: dict[type, Any] = {
    kind: kind() for kind in (list, dict, set, tuple, frozenset, str, bytes, int, bool, float, complex)
}


def test_the_type_of_every_bound_method_that_has_a_rule() -> None:
    rules = [*METHODS, *((kind, name) for kind, names in OF_TEXTS.items() for name in names)]
    asked = 0
    for kind, name in rules:
        if kind in EXAMPLES and hasattr(kind, name):
            assert bound_type(defined(kind, name)) is type(getattr(EXAMPLES[kind], name)), (kind, name)
            asked += 1
    assert asked > 150
    array, ufunc, generator = np.zeros(2), np.add, np.random.default_rng(0)
    for owner, names in ((array, dir(np.ndarray)), (ufunc, ("reduce", "at", "__call__")), (generator, DRAWS)):
        for name in names:
            found = defined(type(owner), name)
            if isinstance(found, (types.MethodDescriptorType, types.WrapperDescriptorType)) or name in DRAWS:
                assert bound_type(found) is type(getattr(owner, name)), name


def test_what_is_bound_is_found_again_behind_a_break_without_compiling_anew() -> None:
    def function(a: Any, rng: Any, row: Any, pause: Any) -> Any:
        kept = np.add.reduce, a.sum, rng.random, row.append, "a-b".split, (7).bit_length, dict.fromkeys, row.__len__
        u = a * 2
        pause()
        fold, total, draw, append, split, bits, keys, size = kept
        append(1)
        return u + 1, fold(a), total(), draw(2), split("-"), bits(), keys("ab"), size()

    report = check(function, np.ones(3), np.random.default_rng(0), [], lambda: None, calls=4, backend="reference")
    assert report.compiles <= 4 and "B900" not in report.breaks


def test_one_object_stays_one_object() -> None:
    def function(a: Any, given: Any, append: Any) -> Any:
        kept = a.sum
        pair = (1, (2.0, "x"))
        return a * 2, [kept, kept], given, append, pair, pair[:], (3, 4)

    given, append = np.arange(3.0).max, [].append
    with under("reference"):
        jitted = gl.jit(function)
        first, second = (jitted(np.ones(2), given, append) for _ in range(2))
    for found in (first, second):
        assert found[1][0] is found[1][1] and found[2] is given and found[3] is append and found[4] is found[5]
    assert first[4] is second[4] and first[6] is second[6]  # they are the code's own, as in Python
    assert not gl.explain(jitted).breaks


# Arguments that a callable does not take.
FUNCTIONS: list[Any] = [
    *(np.sum, np.put, np.dtype, np.finfo, np.iinfo, np.promote_types, np.result_type, np.can_cast, np.zeros, np.where),
    *(np.float16, np.floating, np.number, np.int64, np.datetime64, np.arcsinh, np.add, np.copyto, np.linalg.norm),
    *(np.add.at, np.add.reduce, np.maximum.accumulate, np.random.default_rng, np.nonzero, np.einsum, np.concatenate),
    *(slice, range, int, float, dict.fromkeys, str.join, len, isinstance, zip, map, sorted, gl.nn.Module.modules),
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda each: str(getattr(each, "__qualname__", each)))
def test_arguments_that_do_not_fit_are_the_programs_error(function: Any) -> None:
    def none_named(a: Any) -> Any:
        return a * 2, function(a, zz=3)

    def nothing(a: Any) -> Any:
        return a * 2, function()

    def many(a: Any) -> Any:
        return a * 2, function(a, a, a, a, a, a, a, a)

    def none(a: Any) -> Any:
        return a * 2, function(None)

    def text(a: Any) -> Any:
        return a * 2, function("x")

    for program in (none_named, nothing, many, none, text):
        results = []
        for each in (program, jitted := gl.jit(program)):
            with under("reference"):
                try:
                    each(np.ones(3))
                    results.append("gave something")
                except Exception as error:
                    results.append(f"{type(error).__name__}: {error}")
        assert results[0] == results[1]
        assert "B900" not in [each.code for each in gl.explain(jitted).breaks], gl.explain(jitted)
