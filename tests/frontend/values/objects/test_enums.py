"""Enumerations, plain against jitted."""

from __future__ import annotations

import enum
from typing import Any

import numpy as np
import pytest
from frontend.language import X, compiled, plain

import guardlift as gl


class Mode(enum.Enum):
    FAST = 1
    SLOW = 2.5
    ALIAS = 1  # noqa: PIE796

    def factor(self) -> Any:
        return self.value * 2

    @property
    def label(self) -> str:
        return self.name.lower()

    @classmethod
    def best(cls) -> Mode:
        return cls.FAST


class Count(enum.IntEnum):
    ONE = 1


class Weird(enum.Enum):
    A = 1

    @classmethod
    def _missing_(cls, value: object) -> Weird:
        return cls.A


@pytest.mark.spec("S8.06")
def test_members() -> None:
    def function(mode: Any, x: Any) -> Any:
        if mode is Mode.FAST:
            return x + 1, mode, Mode.ALIAS
        if mode == Mode.SLOW:
            return x * mode.value, mode.factor(), mode.label, Mode.best(), Mode.SLOW.value
        return x

    compiled(function, Mode.FAST, X)
    compiled(function, Mode.SLOW, X)
    jitted = gl.jit(function)
    assert jitted(Mode.FAST, X)[1] is Mode.FAST and np.array_equal(jitted(Mode.SLOW, X)[0], X * 2.5)


def test_the_class_is_asked() -> None:
    def function(x: Any) -> Any:
        table = {Mode.FAST: x, Mode.SLOW: x + 1}
        names = [each.name for each in Mode]
        return (
            table,
            names,
            Mode(2.5),
            Mode["SLOW"],
            Mode(Mode.FAST),
            len(Mode),
            table[Mode.SLOW],
            isinstance(Mode.FAST, Mode),
        )

    compiled(function, X)


def test_what_has_no_rule_runs_plainly() -> None:
    plain(lambda x: x + Count.ONE, X, code="B401")
    plain(lambda x: (x + 1, Weird(7)), X, code="B201")


class Text(str, enum.Enum):  # noqa: UP042
    A = "a"
    B = "b"


@pytest.mark.spec("S8.06")
def test_members_that_are_numbers_or_text() -> None:
    def function(mode: Any, x: Any, k: int) -> Any:
        answers = [
            mode == "a",
            mode == Text.A,
            mode != Text.B,
            "b" == mode,
            Count.ONE < k,
            Count.ONE + k,
            k - Count.ONE,
        ]
        return x + 1, answers, [10, 20][Count.ONE], bool(Count.ONE), mode.value, isinstance(mode, str), -Count.ONE

    compiled(function, Text.A, X, 3)
    compiled(function, Text.B, X, 3)
