"""Statements that are dropped from a region's program, and those that are not."""

from __future__ import annotations

from guardlift.core import dtypes
from guardlift.loop_ir.ir import Access, Apply, Assign, If, Leave, Let, Literal, Load, Repeat, Store, Variable
from guardlift.loop_ir.passes.dce import without_dead

F64, BOOL = dtypes.float64, dtypes.bool_
ONE = Let("one", F64, Literal(1.0))


def test_chains_of_unused_values_go_with_the_variables_that_they_feed() -> None:
    twice = Let("twice", F64, Apply("({0} + {0})", ("one",)))
    held, again = Variable("held", F64, "twice"), Assign("held", F64, "twice")
    assert without_dead((ONE, twice, held, Repeat((again,)))) == (Repeat(()),)


def test_a_branch_goes_when_both_arms_are_empty_and_stays_when_one_leaves() -> None:
    test, unused = Let("test", BOOL, Literal(True)), Let("unused", F64, Load(Access(0)))
    assert without_dead((test, If("test", (unused,)))) == ()
    leaving = If("test", (unused, Leave()))
    assert without_dead((test, leaving)) == (test, If("test", (Leave(),)))


def test_what_a_store_reads_stays() -> None:
    at = Let("at", dtypes.int64, Literal(3))
    body = (ONE, at, Store(Access(0, (("at", "s0"),)), "one", F64))
    assert without_dead(body) == body
