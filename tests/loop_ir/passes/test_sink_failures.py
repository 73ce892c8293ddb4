"""Exits of programs for what a `Fail` has noted."""

from __future__ import annotations

from guardlift.loop_ir.ir import Break, Count, Fail, If, InnerLoop, Kernel, Leave, Repeat
from guardlift.loop_ir.passes.sink_failures import leaving_behind_loops
from guardlift.loop_ir.printer import print_kernel


def text(*body: object) -> str:
    return print_kernel(Kernel((), 0, leaving_behind_loops(body))).partition("\n")[2]  # type: ignore[arg-type]


def test_outside_of_loops_and_between_rounds_of_unknown_number_at_once() -> None:
    assert text(Fail("t0")) == "  if t0:\n    leave\n"
    assert text(Fail()) == "  leave\n"
    assert text(Repeat((Fail("t0"), Break()))) == "  repeat:\n    if t0:\n      leave\n    break\n"


def test_behind_an_innermost_loop_for_all_its_rounds() -> None:
    inner = Count("i1", 0, 4, 1, (If("t1", (Fail("t0"),)),))
    assert text(inner) == "  for i1 in 0, 4, 1:\n    if t1:\n      fail if t0\n  if status:\n    leave\n"
    assert text(Count("i0", 0, 4, 1, (inner,))).count("leave") == 1


def test_behind_a_loop_with_inner_loops_once() -> None:
    inner_loop = InnerLoop((("j0", 3),), (Fail("t0"),), ())
    assert text(inner_loop).endswith("  if status:\n    leave\n")
    assert text(Count("i0", 0, 4, 1, (inner_loop,))).count("leave") == 1


def test_a_loop_around_others_is_left_at_once() -> None:
    inner = Repeat((Break(),))
    assert text(Count("i0", 0, 4, 1, (Fail("t0"), inner))).startswith("  for i0 in 0, 4, 1:\n    if t0:\n      leave\n")


def test_other_statements_stay_as_they_are() -> None:
    body = (Count("i0", 0, 4, 1, (If("t0", (Leave(),), (Break(),)),)),)
    assert leaving_behind_loops(body) == body
