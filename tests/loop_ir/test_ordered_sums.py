from dataclasses import replace

import pytest

from guardlift.core.dtypes import float32, float64, int64
from guardlift.loop_ir.ir import Access, Accumulate, Apply, CheckedIndex, Kernel, Let, Literal, Load, Ordered, Store
from guardlift.loop_ir.ordered_sums import in_any_order, ordered_sum
from guardlift.loop_ir.printer import print_kernel

PLACE, OTHER = Access(2, (("i1", 1), ("t1", "s3"))), Access(2, (("i1", 1), ("t1", "s4")))
BODY = (
    Let("t0", int64, Load(Access(0, (("i0", "s0"),)))),
    CheckedIndex("t1", "t0", "s1"),
    Let("t2", float32, Load(Access(1, (("i0", "s2"), ("i1", 1))))),
    Let("t3", float32, Load(PLACE)),
    Let("t4", float32, Apply("({0} + {1})", ("t3", "t2"))),
    Store(OTHER, "t4", float32),
)


def kernel(*body):
    return Kernel((int64, float32, float32), 5, (Ordered("i0", "s5", (Ordered("i1", "s6", body),)),), noalias=True)


def test_a_sum_that_loops_in_order_add_up_is_one_statement():
    found = ordered_sum(kernel(*BODY))
    assert found.sum == Accumulate(OTHER, "sum", "t2", float32) and found.dtype is float32
    assert found.loaded == PLACE and [loop.var for loop in found.loops] == ["i0", "i1"]
    assert "t3" not in (text := print_kernel(in_any_order(kernel(*BODY)))) and "p2[i1 + t1 * s4] sum= t2" in text


@pytest.mark.parametrize(
    "body",
    [
        BODY[:-1],
        (*BODY[:-1], Store(replace(OTHER, pointer=1), "t4", float32)),
        (*BODY[:-1], Store(Access(2, (("i1", 1),)), "t4", float32)),
        (*BODY[:-1], Store(OTHER, "t3", float32)),
        (*BODY[:-1], Let("t5", float32, Apply("({0} * {1})", ("t4", "t4"))), Store(OTHER, "t5", float32)),
        (*BODY[:4], Let("t4", float32, Apply("({0} * {1})", ("t3", "t2"))), BODY[5]),
        (*BODY[:4], Let("t4", float32, Apply("({0} + {1})", ("t3", "t3"))), BODY[5]),
        (*BODY[:4], Let("t5", float32, Apply("({0} * {1})", ("t3", "t2"))), *BODY[4:]),
        (*BODY[:2], Let("t2", float32, Load(Access(2, (("i0", 1),)))), *BODY[3:]),
        (*BODY[:3], Let("t3", float32, Literal(1.0)), *BODY[4:]),
        (*BODY[:3], Let("t3", float64, Load(PLACE)), *BODY[4:]),
    ],
)
def test_what_else_needs_the_values_in_their_order_is_none(body):
    assert ordered_sum(kernel(*body)) is None
    assert ordered_sum(Kernel((int64, float32, float32), 5, body)) is None
