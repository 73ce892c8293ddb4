"""Operators of kernel text: Python's results, in 64 bits that wrap, for operands of every kind."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from backend.cpu.compiler.test_compiler import run

Array = np.ndarray[Any, Any]
INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "//": lambda a, b: a // b if b else 0,
    "%": lambda a, b: a % b if b else 0,
}
COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


def code(dtype: str) -> str:
    return f"{np.dtype(dtype).kind}{np.dtype(dtype).itemsize * 8}"


def values(dtype: str) -> list[int]:
    info = np.iinfo(dtype)
    return sorted({each for each in (info.min, info.min + 1, -7, -1, 0, 1, 3, 7, info.max) if each >= info.min})


def text_of(left: str, right: str, result: str, expression: str) -> str:
    """A kernel that puts `expression` of a and b, elements of two arrays, into a third."""
    return (
        "def kernel(addresses, sizes, start, stop):\n"
        f"    x, y = pointer_{code(left)}(addresses[0]), pointer_{code(right)}(addresses[1])\n"
        f"    made = pointer_{code(result)}(addresses[2])\n"
        "    for i in range(start, stop):\n"
        "        if i > 1000000:\n"  # a loop that may end early is no vector code, which would take longer to compile
        "            return 1\n"
        "        a, b = x[i], y[i]\n"
        f"        made[i] = {expression}\n"
        "    return 0\n"
    )


def operands(left: str, right: str) -> tuple[list[tuple[int, int]], Array, Array]:
    """Pairs of values of two dtypes, and the arrays of their first and second parts."""
    pairs = list(itertools.product(values(left), values(right)))
    return pairs, np.array([p for p, _ in pairs], left), np.array([q for _, q in pairs], right)


def wrapped(value: int) -> int:
    """The int64 that has the same lowest 64 bits."""
    return (value + 2**63) % 2**64 - 2**63


@pytest.mark.parametrize("left", INTEGERS)
@pytest.mark.parametrize("sign", OPERATORS)
def test_integers_are_computed_with_in_64_bits_and_wrap(left: str, sign: str) -> None:
    for right in ("int8", "int64", "uint32", "uint64"):
        pairs, a, b = operands(left, right)
        made = np.zeros(len(pairs), np.int64)
        assert run(text_of(left, right, "int64", f"int64(a {sign} b)"), a, b, made, stop=len(pairs)) == 0
        unsigned = left[0] == right[0] == "u"
        seen = [(p, q) if unsigned else (wrapped(p), wrapped(q)) for p, q in pairs]
        expected = [wrapped(OPERATORS[sign](p, q)) for p, q in seen]
        if sign in ("//", "%"):  # the one quotient without a place
            expected = [0 if pair == (-(2**63), -1) else each for pair, each in zip(seen, expected, strict=True)]
        assert made.tolist() == expected, (left, sign, right)


@pytest.mark.parametrize("left", INTEGERS)
@pytest.mark.parametrize("sign", COMPARISONS)
def test_integers_of_all_kinds_are_compared_by_value(left: str, sign: str) -> None:
    for right in ("int8", "int64", "uint32", "uint64"):
        pairs, a, b = operands(left, right)
        made = np.zeros(len(pairs), np.uint8)
        assert run(text_of(left, right, "uint8", f"uint8(a {sign} b)"), a, b, made, stop=len(pairs)) == 0
        assert made.tolist() == [COMPARISONS[sign](p, q) for p, q in pairs], (left, sign, right)


@pytest.mark.parametrize("dtype", INTEGERS)
def test_signs_inversions_and_shifts(dtype: str) -> None:
    a, b = np.array(values(dtype), dtype), np.array(values(dtype), dtype) % 9
    for expression, expected in (
        ("-a", lambda p, q: -p),
        ("~a", lambda p, q: ~p),
        ("a << b", lambda p, q: p << q),
        ("a >> b", lambda p, q: p >> q),
        ("int64(not a)", lambda p, q: not p),
        ("min(int64(a), int64(b))", lambda p, q: min(wrapped(p), q)),
        ("max(int64(a), int64(b), int64(3))", lambda p, q: max(wrapped(p), q, 3)),
    ):
        made = np.zeros(len(a), np.int64)
        assert run(text_of(dtype, dtype, "int64", f"int64({expression})"), a, b, made, stop=len(a)) == 0
        assert made.tolist() == [wrapped(expected(int(p), int(q))) for p, q in zip(a, b, strict=True)], expression


@pytest.mark.parametrize("left", ["float32", "float64"])
@pytest.mark.parametrize("sign", ["+", "-", "*", "/", *COMPARISONS])
def test_floats_are_ieees(left: str, sign: str) -> None:
    numbers = np.array([0.0, -0.0, 1.5, -2.25, 1e30, np.inf, -np.inf, np.nan])
    pairs = np.array(list(itertools.product(numbers, numbers)))
    for right in ("float32", "float64", "int8", "int64"):
        a = pairs[:, 0].astype(left)
        with np.errstate(all="ignore"):
            b = pairs[:, 1].astype(right) if right[0] == "f" else np.arange(len(pairs), dtype=right) - 5
            expected = {**OPERATORS, **COMPARISONS, "/": operator.truediv}[sign](a, b).astype(np.float64)
        made = np.zeros(len(a))
        assert run(text_of(left, right, "float64", f"float64(a {sign} b)"), a, b, made, stop=len(a)) == 0
        np.testing.assert_array_equal(made, expected)


@pytest.mark.parametrize("sign", ["&", "|", "^", "==", "!="])
def test_bools_stay_bools(sign: str) -> None:
    a, b = np.array([0, 0, 1, 1], np.uint8), np.array([0, 1, 0, 1], np.uint8)
    made = np.zeros(4, np.uint8)
    text = text_of("uint8", "uint8", "uint8", f"uint8(not (~((a != 0) {sign} (b != 0))))")
    assert run(text, a, b, made, stop=4) == 0
    assert made.tolist() == {**OPERATORS, **COMPARISONS}[sign](a != 0, b != 0).tolist()


@pytest.mark.parametrize("source", [*INTEGERS, "float32", "float64"])
def test_casts_are_those_of_c(source: str) -> None:
    a = np.array([0, 1, 5, 100, 127], source)
    if source[0] == "f":
        a[1] = 1.75
    for target in (*INTEGERS, "float32", "float64"):
        made = np.zeros(len(a), target)
        assert run(text_of(source, source, target, f"{target}(a)"), a, a, made, stop=len(a)) == 0
        assert made.tolist() == a.astype(target).tolist()
    made = np.zeros(len(a), np.uint8)
    assert run(text_of(source, source, "uint8", "uint8(boolean(a))"), a, a, made, stop=len(a)) == 0
    assert made.tolist() == [0, 1, 1, 1, 1]
