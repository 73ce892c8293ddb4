"""The match statement over traced values."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from frontend.language import X, Y, compiled, plain
from oracle import under

import guardlift as gl

pytestmark = pytest.mark.spec("S8.05")


class Point:
    __match_args__ = ("x", "y")

    def __init__(self, x: Any, y: Any) -> None:
        self.x, self.y = x, y


class Named(Point):
    pass


@dataclasses.dataclass(eq=False)
class Box:
    corner: Any
    size: Any = 1.0


class Plain:
    pass


def shown(function: Any, *subjects: Any) -> None:
    """`function` compiles with each subject, and gives what Python gives."""
    for subject in subjects:
        compiled(lambda x, subject: (x * 2, function(x, subject)), X, subject)


def test_literals_alternatives_captures_and_guards() -> None:
    def function(x: Any, mode: Any) -> Any:
        match mode:
            case 0:
                return x, "zero"
            case 1 | 2 | "two":
                return x + 1, "few"
            case None | True:
                return x + 2, "single"
            case -3 | 2.5 | 1j:
                return x * 3, mode
            case b"raw":
                return x, mode
            case str(text) if text.startswith("a"):
                return x - 1, text.upper()
            case int() as n if n > 100:
                return x * n, n
            case other:
                return x + 5, other

    shown(function, 0, 1, 2, "two", None, True, False, -3, 2.5, 1j, b"raw", "abc", "xyz", 101, 99, 0.0, 1.5)


def test_sequences() -> None:
    def function(x: Any, parts: Any) -> Any:
        match parts:
            case []:
                return x, "nothing"
            case [1, _]:
                return x + 1, "one"
            case [a]:
                return x + a, "single"
            case (first, [inner, *_], *rest, last) if rest:
                return x * last + first, inner, rest
            case [first, *_, last]:
                return x * first + last, "ends"
            case _:
                return x, "no sequence"

    shown(
        function, [], (), [1, 5], (1, 6), [4], (4.0,), [2, [3, 4], 5, 6], (2, (3,), 5.5, 6, 7), [2, 3], (2, 9, 4), "ab",
        b"ab", 3, {"a": 1}, None, {1, 2},
    )  # fmt: skip


def test_arrays_in_sequences_are_captured_and_arrays_are_no_sequences() -> None:
    def function(x: Any, parts: Any) -> Any:
        match parts:
            case [scale, shift]:
                return x * scale + shift
            case np.ndarray():
                return x + parts
            case _:
                return x

    shown(function, (Y, 2.0), [2, Y], Y, (Y,))


def test_mappings() -> None:
    def function(x: Any, table: Any) -> Any:
        match table:
            case {"w": w, "b": b}:
                return x * w + b, "both"
            case {"w": w, **rest} if rest:
                return x * w, rest
            case {"kind": "flat" | "low" as kind, "inner": {"k": [k, *_]}}:
                return x + k, kind
            case {1: one, None: nothing}:
                return x + one, nothing
            case {**everything}:
                return x, everything
            case _:
                return x, "no mapping"

    shown(
        function, {"w": 2.0, "b": Y}, {"b": 1, "w": 3, "z": 0}, {"w": 2.0},
        {"w": 2.0, "more": [1, 2]}, {"kind": "low", "inner": {"k": (4, 5)}}, {"kind": "high", "inner": {"k": (4, 5)}},
        {1: 2, None: 3}, {}, [1], "w",
    )  # fmt: skip


def test_the_rest_of_a_mapping_is_a_new_dict() -> None:
    def function(x: Any, table: Any) -> Any:
        match table:
            case {"w": w, **rest}:
                rest["new"] = x * w
                return rest, table
        return None

    compiled(function, X, {"w": 2.0, "z": 1})


def test_classes_of_pythons_own() -> None:
    def function(x: Any, value: Any) -> Any:
        match value:
            case bool(flag):
                return x + flag, "bool"
            case int(n):
                return x + n, "int"
            case float(real=r):
                return x * r, "float"
            case str() | bytes():
                return x + len(value), "text"
            case tuple((a, b)):
                return x * a + b, "pair"
            case list() | dict() | set():
                return x + len(value), "container"
            case type():
                return x, "class"
        return x, "other"

    shown(function, True, 3, 2.5, "ab", b"abc", (1, 2), (1, 2, 3), [1], {"a": 1}, {1, 2}, None)


def test_classes_of_the_users() -> None:
    def function(x: Any, value: Any) -> Any:
        match value:
            case Point(Point(a, _), b):
                return x + a + b, "nested"
            case Named(0, y):
                return x + y, "named on the axis"
            case Point(x=0) | Point(y=0):
                return x, "on an axis"
            case Point(a, y=b) if a > 3:
                return x * a + b, "far"
            case Box(corner=Point(a, b), size=size):
                return x * size + a * b, "box"
            case Box(_, 1.0):
                return x, "unit box"
            case Point(z=_):
                return x, "solid"
            case Plain():
                return x + 1, "plain"
        return x - 1, "none"

    shown(
        function, Named(0, 2), Point(0, 2), Point(2, 0), Point(4, 5.5), Named(7, 8), Point(Point(1, 2), 3),
        Box(Point(1, 2)), Box(Point(1, 2), 4.0), Box("c"), Box("c", 2.0), Plain(), 5,
    )  # fmt: skip


def test_an_attribute_that_is_not_there_is_no_match_and_is_guarded() -> None:
    def function(x: Any, value: Any) -> Any:
        match value:
            case Plain(size=size):
                return x * size
            case _:
                return x

    with under("reference"):
        jitted = gl.jit(fullgraph=True)(function)
        value = Plain()
        assert jitted(X, value).tolist() == X.tolist()
        value.size = 3.0  # type: ignore[attr-defined]
        assert jitted(X, value).tolist() == (X * 3.0).tolist()
        del value.size  # type: ignore[attr-defined]
        assert jitted(X, value).tolist() == X.tolist()


def test_a_class_that_is_given_other_parts_is_seen() -> None:
    class Pair:
        __match_args__: tuple[str, ...] = ("a", "b")

        def __init__(self) -> None:
            self.a, self.b = 1.0, 2.0

    def function(x: Any, value: Any) -> Any:
        match value:
            case Pair(first):
                return x + first
        return x

    with under("reference"):
        jitted = gl.jit(fullgraph=True)(function)
        value = Pair()
        assert jitted(X, value).tolist() == (X + 1.0).tolist()
        Pair.__match_args__ = ("b",)
        assert jitted(X, value).tolist() == (X + 2.0).tolist()


def test_a_class_that_becomes_a_sequence_is_seen() -> None:
    class Pair:
        def __len__(self) -> int:
            return 0

    def function(x: Any, value: Any) -> Any:
        match value:
            case [*_]:
                return x + 1
        return x

    with under("reference"):
        jitted: Any = gl.jit(function)
        value = Pair()
        assert jitted(X, value).tolist() == X.tolist()
        Sequence.register(Pair)
        Pair.__getitem__ = None  # type: ignore[attr-defined]
        Pair.__iter__ = lambda self: iter(())  # type: ignore[attr-defined]
        assert jitted(X, value).tolist() == function(X, value).tolist()


def test_wrong_patterns_raise_as_in_python() -> None:
    def too_many(x: Any, value: Any) -> Any:
        match value:
            case Point(1, 2, 3):
                return x
        return x + 1

    def twice(x: Any, value: Any) -> Any:
        match value:
            case Point(1, x=_):
                return x
        return x + 1

    def no_parts(x: Any, value: Any) -> Any:
        match value:
            case Plain(1):
                return x
        return x + 1

    plain(too_many, X, Point(1, 2), code="B304")
    plain(twice, X, Point(1, 2), code="B304")
    plain(no_parts, X, Plain(), code="B304")


def test_a_property_in_a_pattern_is_read() -> None:
    class Disc:
        def __init__(self, radius: float) -> None:
            self.radius = radius

        @property
        def area(self) -> float:
            return self.radius * self.radius

    def function(x: Any, value: Any) -> Any:
        match value:
            case Disc(area=area) if area > 3:
                return x * area
        return x

    shown(function, Disc(1.0), Disc(2.0))


def test_a_match_in_a_loop() -> None:
    def function(x: Any, steps: Any) -> Any:
        for step in steps:
            match step:
                case ["add", n]:
                    x = x + n
                case ["scale", n] if n:
                    x = x * n
                case {"clip": [low, high]}:
                    x = np.clip(x, low, high)
        return x

    compiled(function, X, [("add", 1), ["scale", 2.0], ("scale", 0), {"clip": (0.0, 3.0)}, "other"])
