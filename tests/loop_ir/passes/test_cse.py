"""Values that a region's program computes once instead of twice, and those it has to compute again."""

from __future__ import annotations

from guardlift.core import dtypes
from guardlift.loop_ir.ir import (
    Access,
    Address,
    Apply,
    Assign,
    Break,
    Count,
    If,
    IndexValue,
    InnerLoop,
    Invoke,
    Kernel,
    Let,
    Literal,
    Load,
    Repeat,
    Statement,
    Store,
    Variable,
)
from guardlift.loop_ir.passes.cse import without_repeated
from guardlift.loop_ir.printer import print_kernel

F64, I64, BOOL = dtypes.float64, dtypes.int64, dtypes.bool_


def load(name: str, pointer: int, *index: str) -> Let:
    return Let(name, F64, Load(Access(pointer, tuple((each, "s0") for each in index))))


def apply(name: str, text: str, *operands: str) -> Let:
    return Let(name, F64, Apply(text, operands))


def use(name: str) -> Store:
    return Store(Access(9), name, F64)


def text(*body: Statement) -> list[str]:
    return print_kernel(Kernel((), 0, without_repeated(body))).splitlines()[1:]


def test_equal_lets_have_one_name_and_so_has_what_is_made_of_them() -> None:
    body = (
        load("a", 0, "i"),
        load("b", 0, "i"),
        apply("c", "({0} + {1})", "a", "a"),
        apply("d", "({0} + {1})", "a", "b"),
    )
    assert text(*body, use("d")) == ["  a: f64 = p0[i * s0]", "  c: f64 = (a + a)", "  p9[0] = c"]


def test_other_operands_dtypes_pointers_and_signs_of_zero_are_other_values() -> None:
    body = (
        load("a", 0, "i"), load("b", 1, "i"), load("c", 0, "j"), apply("d", "({0} + {1})", "a", "b"),
        apply("e", "({0} - {1})", "a", "b"), apply("f", "({0} - {1})", "b", "a"),
        Let("g", F64, Literal(0.0)), Let("h", F64, Literal(-0.0)), Let("k", I64, Literal(0)),
        Let("l", F64, IndexValue((("i", 1),))), Let("m", I64, IndexValue((("i", 1),))),
    )  # fmt: skip
    assert without_repeated(body) == body


def test_a_store_through_a_pointer_ends_what_was_loaded_through_it_alone() -> None:
    found = text(
        load("a", 0, "i"), load("b", 1, "i"), Store(Access(0), "a", F64), load("c", 0, "i"), load("d", 1, "i"), use("d")
    )
    assert "  c: f64 = p0[i * s0]" in found
    assert found[-1] == "  p9[0] = b"


def test_a_function_may_write_anything() -> None:
    call = Invoke("", None, "s1", (Address(Access(3, (("i", "s0"),)), F64),))
    found = text(load("a", 0, "i"), call, load("b", 0, "i"), use("b"))
    assert found[-2:] == ["  b: f64 = p0[i * s0]", "  p9[0] = b"]


def test_a_variable_is_read_again_when_it_was_assigned() -> None:
    read = [apply(name, "{0}", "v") for name in "abc"]
    body = (Variable("v", F64, "x"), read[0], read[1], Assign("v", F64, "b"), read[2], use("c"))
    assert text(*body) == ["  variable v: f64 = x", "  a: f64 = v", "  v = a", "  c: f64 = v", "  p9[0] = c"]


def test_a_copy_of_what_never_changes_is_no_statement() -> None:
    assert text(apply("a", "{0}", "x"), use("a")) == ["  p9[0] = x"]


def test_a_round_does_not_find_what_an_earlier_one_changes() -> None:
    body = (load("b", 0, "i"), load("c", 1, "i"), Store(Access(0, (("i", "s0"),)), "b", F64), use("c"))
    for loop in (Count("j", 0, "s0", 1, body), Repeat((*body, Break())), InnerLoop((("j", "s0"),), body, ())):
        found = text(load("a", 0, "i"), load("z", 1, "i"), loop, load("d", 0, "i"), use("d"))
        assert "    b: f64 = p0[i * s0]" in found
        assert "    c: f64 = p1[i * s0]" not in found
        assert found[-2:] == ["  d: f64 = p0[i * s0]", "  p9[0] = d"]


def test_a_loops_bounds_take_the_names_that_stand_for_others() -> None:
    found = text(apply("a", "{0}", "x"), Count("i", "a", "a", "a", ()), InnerLoop((("j", "a"),), (), ()))
    assert found == ["  for i in x, x, x:", "  sweep j < x:"]


def test_what_an_arm_computes_is_not_known_behind_it() -> None:
    branch = (load("a", 0, "i"), use("a"))
    found = text(If("t", branch, branch), load("b", 0, "i"), use("b"))
    assert found[-2:] == ["  b: f64 = p0[i * s0]", "  p9[0] = b"]


def test_what_an_arm_changes_is_changed_behind_it() -> None:
    stores, assigns = (Store(Access(0), "x", F64),), (Assign("v", F64, "x"),)
    before = (Variable("v", F64, "x"), load("a", 0), apply("b", "{0}", "v"))
    after = (load("c", 0), apply("d", "{0}", "v"), use("c"), use("d"))
    for branches in ((stores, assigns), (assigns, stores), ((If("t", stores), If("t", assigns)), ())):
        found = text(*before, If("t", *branches), *after)
        assert found[-2:] == ["  p9[0] = c", "  p9[0] = d"]
