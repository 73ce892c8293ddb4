"""Statements of kernel text: what Python would do."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from backend.cpu.compiler.test_compiler import run

from guardlift.backend.cpu.compiler.compiler import compile_source
from guardlift.backend.cpu.compiler.text_functions import native_function
from guardlift.backend.llvm.object_code import optimised
from guardlift.backend.llvm.target_machine import new_machine
from guardlift.backend.llvm.text_emitter import emit_function
from guardlift.backend.llvm.values import PointerKind
from guardlift.core.errors import KernelError


def kernel(*lines: str) -> str:
    return "\n".join(["def kernel(addresses, sizes, start, stop):", *(f"    {line}" for line in lines)]) + "\n"


def of_python(text: str, *, sizes: tuple[int, ...] = (), start: int = 0, stop: int = 0) -> int:
    """The status when CPython runs the text."""
    scope: dict[str, object] = {"int64": int}
    exec(text, scope)
    return scope["kernel"]([], list(sizes), start, stop)  # type: ignore[operator, no-any-return]


LAST = 2**63 - 1
BOUNDS = [-3, -1, 0, 1, 4, 9]
LOOP = (
    "total = 0",
    "i = -5",
    "for i in range({}):",
    "    total = total * 3 + i",
    "    i = 7",
    "return total * 100 + i",
)


@pytest.mark.parametrize("bounds", ["sizes[0]", "sizes[0], sizes[1]", "sizes[0], sizes[1], sizes[2]"])
def test_ranges_are_pythons(bounds: str) -> None:
    text = kernel(*(line.format(bounds) for line in LOOP))
    for first, stop, step in itertools.product(BOUNDS, BOUNDS, [-4, -1, 1, 2, 5]):
        sizes = (first, stop, step)
        assert run(text, sizes=sizes) == of_python(text, sizes=sizes)


@pytest.mark.parametrize("step", [-4, -1, 1, 2, 7])
def test_steps_that_are_known_are_pythons(step: int) -> None:
    text = kernel(*(line.format(f"sizes[0], sizes[1], {step}") for line in LOOP))
    for sizes in itertools.product(BOUNDS, BOUNDS):
        assert run(text, sizes=sizes) == of_python(text, sizes=sizes)


@pytest.mark.parametrize(("first", "stop", "step"), [(LAST - 9, LAST, 4), (-LAST, -LAST - 1, -3), (LAST - 2, LAST, 1)])
def test_a_range_ends_where_another_step_would_overflow(first: int, stop: int, step: int) -> None:
    text = kernel("n = 0", "for i in range(sizes[0], sizes[1], sizes[2]):", "    n += 1", "return n")
    assert run(text, sizes=(first, stop, step)) == len(range(first, stop, step))


def test_breaks_and_continues_belong_to_the_innermost_loop() -> None:
    text = kernel(
        "total = 0",
        "for i in range(10):",
        "    if i == 3:",
        "        continue",
        "    j = 0",
        "    while True:",
        "        j += 1",
        "        if j % 2 == 0:",
        "            continue",
        "        if j > i:",
        "            break",
        "        total += i * j",
        "    if i > sizes[0]:",
        "        break",
        "    total += 1000",
        "return total",
    )
    for limit in range(12):
        assert run(text, sizes=(limit,)) == of_python(text, sizes=(limit,))


def test_a_while_asks_its_condition_each_time_and_bools_decide_early() -> None:
    text = kernel(
        "n, steps = sizes[0], 0",
        "while n != 1 and (steps < 50 or n % 2 == 1) and not (n < 0):",
        "    n = n // 2 if n % 2 == 0 else 3 * n + 1",
        "    steps += 1",
        "return steps * 1000 + n",
    )
    for first in (1, 2, 7, 27, 97, -4, 2**40):
        assert run(text, sizes=(first,)) == of_python(text, sizes=(first,))


def test_what_stands_behind_a_bool_that_decides_is_not_run() -> None:
    text = kernel(
        "p = pointer_i64(sizes[0])",
        "if sizes[0] != 0 and p[0] == 5:",
        "    return 1",
        "return p[0] if sizes[0] != 0 else 2",
    )
    five = np.array([5])
    assert run(text, sizes=(0,)) == 2
    assert run(text, sizes=(five.ctypes.data,)) == 1


def test_arms_that_both_leave_have_nothing_after_them() -> None:
    text = kernel(
        "for i in range(9):",
        "    if i > sizes[0]:",
        "        return i",
        "    else:",
        "        continue",
        "    return 99",
        "raise ValueError('none')",
        "return 5",
    )
    assert run(text, sizes=(4,)) == 5
    assert run(text, sizes=(40,)) == 1


def test_elements_are_updated_in_place() -> None:
    x = np.arange(4.0)
    text = kernel(
        "x = pointer_f64(addresses[0])",
        "for i in range(start, stop):",
        "    x[i] += 0.5",
        "    x[i] *= 2.0",
        "return 0",
    )
    assert run(text, x, start=1, stop=3) == 0
    assert x.tolist() == [0.0, 3.0, 5.0, 3.0]


def test_scratch_memory_is_that_of_the_call() -> None:
    text = kernel(
        "room = scratch_i64_9()",
        "for i in range(9):",
        "    room[i] = i * sizes[0]",
        "total = 0",
        "for i in range(9):",
        "    total = total * 2 + room[8 - i]",
        "return total",
    )
    expected = 0
    for k in range(9):
        expected = expected * 2 + (8 - k) * 5
    assert run(text, sizes=(5,)) == expected


REFUSED = {
    "x = 0\nfor i in range(3): x = 1.5": "x is i64 and is given f64: one kind for each name",
    "x = start\nif x: x = 1.5\ny = x": "x has no value",
    "x = 1.5\nfor x in range(3): y = x\ny = x": "x has no value",
    "x = nowhere": "nowhere has no value",
    "x = start[0]": "start is i64, which has no elements",
    "x = start if stop else 1.5": "the arms are i64 and f64",
    "x = exp_f32(start)": "an operand is i64 where f32 is due",
    "x = exp_f32(float32(1), float32(2))": "takes 1 operands, got 2",
    "x = unheard_of(start)": "kernel text knows no function unheard_of",
    "x = start.bit_count()": "kernel text knows no function start.bit_count",
    "x = 1.5 & start": "no BitAnd of f64 and i64",
    "x = addresses + 1": "no Add of pointer to i64 and i64",
    "x = start < stop < 3": "no Compare of this form",
    "with start: pass": "no With of this form",
    "x, *y = start, stop": "unpacks into names",
    "x = start and stop": "start is i64 where a bool is due",
    "return 1.5": "1.5 is f64 where an integer is due",
    "for i in sizes: pass": "no For of this form",
    "for i in range(3): pass\nelse: x = 1": "no For of this form",
    "while start < 3: start += 1\nelse: start = 1": "no While of this form",
    "x = float32(1).imag": "f32 is no complex number",
}


def test_a_name_begins_anew_with_another_kind() -> None:
    text = kernel(
        "x = 3",
        "y = x + 1",
        "x = 1.5",
        "for i in range(start, stop):",
        "    z = i",
        "    y = y * 2 + z",
        "    z = 0.5",
        "    if z < x:",
        "        z = int64(y)",
        "        y += z",
        "    z = True",
        "    while z:",
        "        z = y % 7 == 9",
        "return y",
    )
    assert run(text, start=2, stop=6) == of_python(text, start=2, stop=6)


@pytest.mark.parametrize("lines", REFUSED)
def test_text_of_another_language_is_refused_with_its_line(lines: str) -> None:
    with pytest.raises(KernelError, match="line [234] ") as caught:
        compile_source(kernel(*lines.split("\n"), "return 0"))
    assert REFUSED[lines] in str(caught.value)


@pytest.mark.parametrize(("combine", "left_out"), [("maximum", "-1e999"), ("minimum", "1e999")])
def test_an_extreme_that_leaves_elements_out_is_a_loop_over_vectors(combine: str, left_out: str) -> None:
    """LLVM would drop the infinity that stands for them, and with it the loop over vectors."""
    text = kernel(
        "p, q = pointer_f32(addresses[0]), pointer_f32(addresses[1])",
        f"none = float32({left_out})",
        f"held = float32({left_out})",
        "for i in range(start, stop):",
        "    value = p[i] * float32(0.5)",
        "    value = value if i <= sizes[0] else none",
        f"    held = {combine}_f32(held, value)",
        "q[0] = held",
        "return 0",
    )
    words = PointerKind("i64")
    module = emit_function(text, (words, words, "i64", "i64"), "kernel", "<kernel>", native_function)
    assert f"llvm.vector.reduce.f{combine}" in str(optimised(module, new_machine()))
    x = np.random.default_rng(0).standard_normal(64).astype(np.float32)
    found = np.zeros(1, np.float32)
    assert run(text, x, found, sizes=(40,), stop=64) == 0
    assert found[0] == getattr(np, combine).reduce(x[:41]) * np.float32(0.5)
