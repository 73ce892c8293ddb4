"""Checks that are made ahead of a loop, and those that stay in it."""

from __future__ import annotations

import pytest

from guardlift.core import dtypes
from guardlift.loop_ir.ir import (
    Access,
    Apply,
    Assign,
    Break,
    Continue,
    Count,
    If,
    InnerLoop,
    Kernel,
    Leave,
    Let,
    Load,
    Repeat,
    Statement,
    Store,
    Variable,
)
from guardlift.loop_ir.passes.hoist_checks import with_checks_ahead
from guardlift.loop_ir.printer import print_kernel

I64, BOOL = dtypes.int64, dtypes.bool_
MOVED = Let("x", I64, Apply("({0} + {1})", ("i", "k")))
TEST = Let("bad", BOOL, Apply("({0} <= {1})", ("n", "x")))
CHECK = If("bad", (Leave(),), outside="x")
USE = Store(Access(0, (("x", 1),)), "one", I64)


def loop(*body: Statement, step: int = 1, start: int | str = 0) -> Count:
    return Count("i", start, "n", step, body)


def text(*body: Statement) -> str:
    return print_kernel(Kernel((), 0, with_checks_ahead(body))).partition("\n")[2]


def test_a_check_of_the_first_and_of_the_last_round_stands_for_all() -> None:
    assert text(loop(MOVED, TEST, CHECK, USE)) == (
        "  i_first: i64 = 0\n"
        "  i_last: i64 = index n + -1\n"
        "  i_some: b1 = (i_first <= i_last)\n"
        "  if i_some:\n"
        "    x_i_first: i64 = (i_first + k)\n"
        "    bad_i_first: b1 = (n <= x_i_first)\n"
        "    if bad_i_first:\n"
        "      leave\n"
        "    x_i_last: i64 = (i_last + k)\n"
        "    bad_i_last: b1 = (n <= x_i_last)\n"
        "    if bad_i_last:\n"
        "      leave\n"
        "  for i in 0, n, 1:\n"
        "    x: i64 = (i + k)\n"
        "    bad: b1 = (n <= x)\n"
        "    p0[x] = one\n"
    )


def test_a_loop_that_falls_ends_above_its_stop() -> None:
    found = text(loop(MOVED, TEST, CHECK, USE, step=-1, start="m"))
    assert "  i_first: i64 = index m\n  i_last: i64 = index n + 1\n  i_some: b1 = (i_first >= i_last)\n" in found


def test_inner_loops_keep_theirs_ahead_of_themselves() -> None:
    found = text(Repeat((loop(MOVED, TEST, CHECK, USE), Break())))
    assert "repeat:\n    i_first" in found
    found = text(If("t", (loop(MOVED, TEST, CHECK, USE),)))
    assert "if t:\n    i_first" in found


LOADED = Let("x", I64, Load(Access(1, (("i", 1),))))
READ = Let("x", I64, Apply("{0}", ("v",)))
DOUBLED = Let("x", I64, Apply("({0} + {1})", ("i", "i")))
SQUARED = Let("x", I64, Apply("({0} * {1})", ("i", "i")))


@pytest.mark.parametrize(
    "body",
    [
        (MOVED, TEST, If("bad", (Leave(),)), USE),
        (MOVED, TEST, If("bad", (Leave(),), (USE,), outside="x")),
        (MOVED, TEST, If("t", (CHECK,)), USE),
        (LOADED, TEST, CHECK, USE),
        (READ, TEST, CHECK, USE, Assign("v", I64, "i")),
        (Variable("v", I64, "i"), READ, TEST, CHECK, USE),
        (DOUBLED, TEST, CHECK, USE),
        (SQUARED, TEST, CHECK, USE),
        (If("t", (Break(),)), MOVED, TEST, CHECK, USE),
        (MOVED, TEST, CHECK, USE, If("t", (Continue(),))),
        (MOVED, TEST, CHECK, InnerLoop((("j", "n"),), (), ())),
    ],
)
def test_others_stay(body: tuple[Statement, ...]) -> None:
    assert with_checks_ahead((loop(*body),)) == (loop(*body),)


def test_so_do_those_of_loops_by_other_steps() -> None:
    for step in (2, -3, "s0"):
        given = Count("i", 0, "n", step, (MOVED, TEST, CHECK, USE))
        assert with_checks_ahead((given,)) == (given,)


def test_what_does_not_move_is_asked_too() -> None:
    still = Let("x", I64, Apply("({0} + {1})", ("m", "k")))
    assert "leave" not in text(loop(still, TEST, CHECK, USE)).partition("for i")[2]
