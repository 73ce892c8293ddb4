"""Expressions in reports: parentheses stand where they are needed, and nowhere else."""

from __future__ import annotations

import ast
import itertools
from typing import Any

import numpy as np
import pytest
from oracle import under

import guardlift as gl
from guardlift.guards.computed_sources import CallSource, Computed
from guardlift.guards.guard import Equals
from guardlift.guards.pool import Pool
from guardlift.guards.precedence import ATOM, filled, strength_of
from guardlift.guards.sources import Local, evaluate

A, B, C = Local("a"), Local("b"), Local("c")


def made(form: str, *operands: Any) -> Computed:
    return Computed(form, operands)


CASES = [
    (made("{} * {}", made("{} + {}", A, 1), B), "(a + 1) * b"),
    (made("{} + {}", made("{} * {}", A, 2), B), "a * 2 + b"),
    (made("{} - {}", A, made("{} - {}", B, C)), "a - (b - c)"),
    (made("{} - {}", made("{} - {}", A, B), C), "a - b - c"),
    (made("{} // {}", A, made("{} * {}", B, C)), "a // (b * c)"),
    (made("{} ** {}", made("-{}", A), B), "(-a) ** b"),
    (made("-{}", made("{} ** {}", A, B)), "-a ** b"),
    (made("-{}", made("{} + {}", A, B)), "-(a + b)"),
    (made("{} ** {}", made("{} ** {}", A, B), C), "(a ** b) ** c"),
    (made("{} ** {}", A, made("{} ** {}", B, C)), "a ** b ** c"),
    (made("{} ** {}", -2, A), "(-2) ** a"),
    (made("{} ** {}", -0.0, A), "(-0.0) ** a"),
    (made("{} - {}", A, -2), "a - -2"),
    (made("not {}", made("{} < {}", A, B)), "not a < b"),
    (made("{} < {}", made("{} == {}", A, B), C), "(a == b) < c"),
    (made("{} & {}", made("{} | {}", A, B), made("{} << {}", B, C)), "(a | b) & b << c"),
    (made("{} % {}", CallSource(abs, "abs", (made("{} + {}", A, B),)), C), "abs(a + b) % c"),
    (made("~{}", made("{} ^ {}", A, B)), "~(a ^ b)"),
    (made("{} <= {} <= {}", 0, made("{} + {}", A, 1), 9), "0 <= a + 1 <= 9"),
]


@pytest.mark.parametrize(("source", "shown"), CASES, ids=[shown for _, shown in CASES])
def test_what_is_shown_means_what_is_checked(source: Computed, shown: str) -> None:
    assert str(source) == shown
    values, pool = {"a": 7, "b": 2, "c": 3}, Pool(())
    assert eval(shown, dict(values)) == evaluate(source.text(pool), values, pool)


OPERATORS = ["+", "-", "*", "/", "//", "%", "**", "<<", "&", "^", "|", "<", "=="]


@pytest.mark.parametrize(("outer", "inner"), list(itertools.product(OPERATORS, OPERATORS)))
def test_every_pair_of_operators_reads_as_it_is_computed(outer: str, inner: str) -> None:
    below = made(f"{{}} {inner} {{}}", A, B)
    for source in (made(f"{{}} {outer} {{}}", below, C), made(f"{{}} {outer} {{}}", C, below)):
        wanted = ast.parse(source.text(Pool(())), mode="eval")
        assert ast.dump(ast.parse(str(source), mode="eval")) == ast.dump(wanted)


def test_strengths_are_in_the_order_of_the_grammar() -> None:
    forms = ["{} or {}", "{} and {}", "not {}", "{} < {}", "{} | {}", "{} ^ {}", "{} & {}", "{} << {}", "{} + {}"]
    found = [strength_of(form) for form in [*forms, "{} * {}", "-{}", "{} ** {}", "f({})"]]
    assert found == sorted(set(found)) and found[-1] == ATOM
    assert filled("{}.real + f({}, {})", [("a + b", 9), ("c or d", 1), ("e", ATOM)]) == "(a + b).real + f(c or d, e)"


def test_facts_and_reasons_show_them() -> None:
    computed = made("{} < {}", A, B)
    assert Equals(computed, None, True).fact() == "(a < b) == True"
    assert Equals(made("{} + {}", A, B), None, 3).fact() == "a + b == 3"

    @gl.jit
    def page(x: Any, i: int, size: int) -> Any:
        return x[i * size : (i + 1) * size] + 1

    with under("reference"):
        for i in range(3):
            page(np.arange(100.0), i, 10)
    told = str(gl.explain(page))
    assert "i + 1 * size" not in told and "(i + 1) * size" in told
