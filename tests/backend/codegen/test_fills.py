"""Inner loops that are fills of slices with a step, and how they are written."""

from __future__ import annotations

import pytest

from guardlift.backend.codegen.fills import is_strided_fill
from guardlift.backend.codegen.kernel_text import kernel_text
from guardlift.core import dtypes
from guardlift.loop_ir.ir import Access, Apply, InnerLoop, Kernel, Let, Load, LoopReduction, Statement, Store

F64, I64 = dtypes.float64, dtypes.int64
SCALED = Let("a", I64, Apply("({0} * {1})", ("j", "k")))
MOVED = Let("b", I64, Apply("({0} + {1})", ("a", "first")))


def fill(*lets: Statement, at: str = "b", value: str = "x", stride: int | str = "s1") -> InnerLoop:
    return InnerLoop((("j", "s0"),), (*lets, Store(Access(0, ((at, stride),)), value, F64)), ())


def test_a_fill_adds_up_its_place_unless_its_step_is_1() -> None:
    assert kernel_text(Kernel((F64,), 2, (fill(SCALED, MOVED),))).partition("sizes[1]\n")[2] == (
        "    j = 0\n"
        "    a = (j * k)\n"
        "    b = (a + first)\n"
        "    j_place = b * s1\n"
        "    j = 1\n"
        "    a = (j * k)\n"
        "    b = (a + first)\n"
        "    j_step = b * s1\n"
        "    j_step -= j_place\n"
        "    if j_step != 1:\n"
        "        for j in range(s0):\n"
        "            p0[j_place] = x\n"
        "            j_place += j_step\n"
        "    else:\n"
        "        for j in range(s0):\n"
        "            a = (j * k)\n"
        "            b = (a + first)\n"
        "            p0[b * s1] = x\n"
        "    return 0\n"
    )


MOVING_VALUE = Let("x", F64, Load(Access(1, (("j", 1),))))
LOADED_PLACE = Let("b", I64, Load(Access(1, (("a", 1),))))
SQUARE = Let("b", I64, Apply("({0} * {1})", ("a", "j")))
REMAINDER = Let("b", I64, Apply("remainder_i64({0}, {1})", ("a", "k")))
REDUCTION = LoopReduction("r", "sum", F64, "x", F64)


@pytest.mark.parametrize(
    "inner_loop",
    [
        fill(MOVED, at="j"),
        fill(SCALED, MOVED, MOVING_VALUE),
        fill(SCALED, LOADED_PLACE),
        fill(SCALED, SQUARE),
        fill(SCALED, REMAINDER),
        fill(SCALED, MOVED, value="a"),
        fill(SCALED, MOVED, stride="a"),
        InnerLoop((("j", "s0"),), (), ()),
        InnerLoop((("i", "s0"), ("j", "s1")), (SCALED, MOVED, Store(Access(0, (("b", 1),)), "x", F64)), ()),
        InnerLoop((("j", "s0"),), (SCALED, MOVED, Store(Access(0, (("b", 1),)), "x", F64)), (REDUCTION,)),
        InnerLoop(
            (("j", "s0"),), (Store(Access(0), "x", F64), SCALED, MOVED, Store(Access(0, (("b", 1),)), "x", F64)), ()
        ),
    ],
)  # fmt: skip
def test_others_are_no_fills(inner_loop: InnerLoop) -> None:
    assert is_strided_fill(fill(SCALED, MOVED))
    assert not is_strided_fill(inner_loop)
