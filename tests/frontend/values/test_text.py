"""Texts, bytes, formats and numbers as known values in a traced function."""

# ruff: noqa: F524, UP018, UP030, UP031, UP032, C408, RUF010, FURB166 (what is written is what is tested)

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

import pytest
from frontend.language import X, Y, compiled, plain
from oracle import under

import guardlift as gl


def printed(function: Callable[..., Any], *args: Any) -> None:
    """`function` compiles, and what it returns prints as in Python."""
    compiled(lambda x, *rest: (x + 1, function(*rest)), X, *args)
    with under("reference"):
        jitted = gl.jit(fullgraph=True)(lambda x, *rest: (x + 1, function(*rest)))
        for _ in range(2):
            assert repr(jitted(X, *args)[1]) == repr(function(*args))


@pytest.mark.spec("S8.05")
def test_f_strings() -> None:
    def function(n: int, r: float, text: str, width: int) -> Any:
        return (
            f"{n}|{r}|{text}",
            f"{n!r:>8}|{text!s:^{width}}|{text!a}",
            f"{r:.3f}|{r:+e}|{r:010.2f}|{n:#x}|{n:_}|{n:,}|{n:b}|{n:c}",
            f"{n = }|{text=!r:>10}|{r=:.1f}",
            f"{{}}{n:{width}.{width}}" if isinstance(n, float) else f"{r:{width}.{2}f}",
            f"{(n, [r, text], {'k': n}, {n})}|{None}|{True!s}|{...}",
            f"{n + 1:>{width + 1}}{'nested'[1:3]!r}",
            f"{'' or text:.1}",
        )

    printed(function, 66, 2.5, "abcé", 9)


def test_format_and_percent() -> None:
    def function(n: int, r: float, text: str) -> Any:
        return (
            "{} {} {0}".replace("{0}", "").format(n, r),
            "{1}-{0}-{a!r}-{a:>{w}}".format(n, r, a=text, w=8),
            "{0.real} {1[0]} {2[k]}".format(n, [r], {"k": 1}),
            "{a}".format_map({"a": n}),
            format(r, ".2f") + format(n) + format(text, ">6"),
            "%d %s %r %5.1f %%" % (n, text, text, r),
            "%s" % n + "%s" % (r,) + "%(a)s" % {"a": text},
            "%s" % [n, r],
            b"%d" % n,
            "%c%x" % (n, n),
        )

    printed(function, 66, 2.5, "abc")


def test_methods_of_texts() -> None:
    def function(text: str) -> Any:
        table = str.maketrans({"a": "b", "c": None})
        return (
            text.upper(), text.title(), text.swapcase(), text.casefold(), text.capitalize(),
            text.center(12, "*"), text.ljust(9) + "|", text.zfill(9), text.expandtabs(4),
            text.split(), text.split("a", 1), text.rsplit(maxsplit=1), text.splitlines(True), text.partition("b"),
            text.rpartition("b"), "-".join(["x", text]), ", ".join(str(k) for k in (1, 2)), "".join({"k": 1}),
            text.find("c"), text.rfind("a"), text.index("c"), text.count("a"), text.replace("a", "z", 1),
            text.removeprefix("ab"), text.removesuffix("c"), text.strip("a"), text.translate(table),
            text.startswith(("x", "ab")), text.endswith("zz"), text.isidentifier(), text.isdecimal(),
            text.isprintable(),
            text.encode(), text.encode("latin-1", errors="replace"), text.encode("ascii", "ignore"),
        )  # fmt: skip

    printed(function, "abc ab\tc\nd")


def test_methods_of_bytes() -> None:
    def function(raw: bytes) -> Any:
        return (
            raw.decode(), raw.hex(), raw.hex(":"), raw.upper(), raw.split(b","), raw.find(b"b"), raw[0], raw[1:],
            raw * 2,
            raw + b"x", b"b" in raw, 97 in raw, list(raw), bytes([1, 2]), bytes(3), bytes.fromhex("ff00"),
            raw == b"a,b",
            raw.replace(b"a", b"cc"), b"-".join([raw, b"z"]), raw.startswith(b"a"), raw < b"b", len(raw),
        )  # fmt: skip

    printed(function, b"a,b")


def test_methods_of_numbers() -> None:
    def function(n: int, r: float, z: complex) -> Any:
        return (
            n.bit_length(), n.bit_count(), n.to_bytes(2, "big"), n.as_integer_ratio(), n.real, n.imag, n.numerator,
            n.denominator, n.conjugate(), int.from_bytes(b"ab", "little"), r.is_integer(), r.hex(),
            r.as_integer_ratio(),
            r.real, float.fromhex("0x1p-2"), z.real, z.imag, z.conjugate(), True.bit_length(), (2).bit_length(),
        )  # fmt: skip

    printed(function, 66, 2.5, 1 - 2j)


def test_conversions() -> None:
    def function(n: int, r: float, text: str) -> Any:
        return (
            int("12"), int("ff", 16), int("0x1f", base=0), int(2.9), int(text), float("1.5"), float("-inf"), float(n),
            str(n), str(r), str(None), str([n, text]), str(b"ab", "utf-8"), str(), repr(text), repr((n, r)), ascii("é"),
            bin(n), oct(n), hex(n), chr(n), ord("a"), bool(""), bool(text), complex("1+2j"), complex(n, r),
            hash(text) * 0,
            round(r), round(r, 1), divmod(n, 7), pow(n, 3, 10), abs(-n), list(map(str, (1, 2))), list(map(int, "123")),
        )  # fmt: skip

    printed(function, 66, 2.55, "41")


def test_complex_and_big_numbers() -> None:
    def function(z: complex, n: int, huge: int) -> Any:
        return (
            z * 2 + n, z == 1j, z != z, -z, +z, abs(z), z**2, z / 2, n * 1j, 2.5 - z, (z, [z]), not z,
            huge + n, huge // 7, huge % 1000, huge.bit_length(), str(huge)[:9], -huge, huge > n, huge == huge + 0,
            n << 70,
        )  # fmt: skip

    printed(function, 1 - 2j, 3, 10**40)


@pytest.mark.parametrize("first, second", [(0j, complex(0.0, -0.0)), (1j, 2j), (complex(math.nan, 0), 0j), (0j, 0.0)])
def test_complex_numbers_from_outside_are_guarded_exactly(first: Any, second: Any) -> None:
    def function(x: Any, z: Any) -> Any:
        return x + 1, f"{z}", -z

    with under("reference"):
        jitted = gl.jit(fullgraph=True)(function)
        for z in (first, second, first):
            assert repr(jitted(X, z)) == repr(function(X, z))


def test_texts_are_repeated_joined_and_compared() -> None:
    def function(n: int, text: str) -> Any:
        return (
            text * n, n * text, text + "b", "b" + text, "b" in text, "z" not in text, text < "b" <= "c", text == "abc",
            text[::-1], text[-2:], text[n], [*text], max(text), "a" "b" if text else "c", text is None, text != n,
        )  # fmt: skip

    printed(function, 2, "abc")


def test_methods_without_a_receiver() -> None:
    def function(text: str) -> Any:
        parts = [3, 1]
        list.append(parts, 2)
        list.sort(parts)
        return str.upper(text), list(map(str.strip, [" a", "b "])), dict.get({"a": 1}, "a"), parts, str.join(",", "ab")

    printed(function, "abc")


def test_formats_that_depend_on_the_locale_break() -> None:
    plain(lambda x, n: (x + 1, f"{n:n}".upper()), X, 3, code="B201")
    plain(lambda x, n: (x + 1, format(n, "n").upper()), X, 3, code="B201")
    plain(lambda x, n: (x + 1, "{:n}".format(n)), X, 3, code="B201")
    plain(lambda x, n: (x + 1, "{:{}}".format(n, "n")), X, 3, code="B201")
    plain(lambda x, text: (x + 1, text.encode("rot13" if text else "cp1250")), X, "", code="B201")


def test_the_names_of_classes_are_not_fixed() -> None:
    class Mine:
        pass

    plain(lambda x: (x + 1, f"{Mine}"), X, code="B201")
    plain(lambda x: (x + 1, str([Mine])), X, code="B201")
    plain(lambda x: (x + 1, "%s" % Mine), X, code="B201")
    plain(lambda x: (x + 1, "{0.__name__}".format(Mine)), X, code="B201")
    printed(lambda n: (f"{type(n)}", str(int), "%s" % [float], {int: n}), 3)


def test_errors_are_pythons_own() -> None:
    plain(lambda x, n: (x + 1, f"{n:zz}"), X, 3, code="B304")
    plain(lambda x, text: (x + 1, int(text)), X, "a", code="B304")
    plain(lambda x, text: (x + 1, text.index("z")), X, "a", code="B304")
    plain(lambda x, text: (x + 1, "%d" % text), X, "a", code="B304")
    plain(lambda x, text: (x + 1, text + 1), X, "a", code="B304")
    plain(lambda x, text: (x + 1, text[9]), X, "a", code="B304")
    plain(lambda x, text: (x + 1, "{}{}".format(text)), X, "a", code="B304")
    plain(lambda x, text: (x + 1, text < 3), X, "a", code="B304")


def test_arrays_in_texts_break() -> None:
    plain(lambda x: (x + 1, f"{x}"), X, code="B102")
    plain(lambda x: (x + 1, "%s" % x.sum()), X, code="B401")
    plain(lambda x: (x + 1, str([x])), X, code="B102")
    plain(lambda x: (x + 1, "{}".format(x)), X, code="B102")


def test_a_number_in_a_text_is_guarded() -> None:
    def function(x: Any, n: Any) -> Any:
        return {f"w{n}": x * n}

    with under("reference"):
        jitted = gl.jit(fullgraph=True)(function)
        for n in (1, 2, True, 1.0, -0.0, 0.0, 1):
            assert repr(jitted(Y, n)) == repr(function(Y, n))


def test_equal_texts_stay_two_objects_behind_a_break() -> None:
    @gl.jit
    def function(x: Any) -> Any:
        literal = same = "xyzpdq"
        made = literal[:3] + same[3:]
        print(end="")
        return x + 1, literal is same, made is literal

    with under("reference"):
        for _ in range(2):
            assert function(X)[1:] == (True, False)


@pytest.mark.parametrize(
    "convert",
    [
        lambda n: str(n),
        lambda n: f"{n}",
        lambda n: repr([n]),
        lambda n: "%d" % n,
        lambda n: n.__str__(),
        lambda n: "{}".format({n: 1}),
        lambda n: str(ValueError(n)),
        lambda n: int("1" * 1000),
        lambda n: int(b"1" * 1000, 10),
    ],
)
def test_the_limit_of_digits_may_change(convert: Any) -> None:
    number = 10**999

    def function(x: Any) -> Any:
        return x + 1, convert(number)

    def outcome(call: Any) -> Any:
        try:
            return call(X)[1]
        except ValueError as error:
            return str(error)

    jitted, limit = gl.jit(function), sys.get_int_max_str_digits()
    try:
        for digits in (4300, 4300, 640, 640, 0):
            sys.set_int_max_str_digits(digits)
            assert outcome(jitted) == outcome(function)
    finally:
        sys.set_int_max_str_digits(limit)
