"""Uses of a variable, by the text of a function."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from guardlift.guards.advice.uses import uses_in_file, uses_of

LIMIT = 3


def arithmetic(x, rate):  # type: ignore[no-untyped-def]
    return x * -rate + np.exp(rate) if rate > LIMIT else x


def elements(history):  # type: ignore[no-untyped-def]
    total = history[0]
    for each in history:
        total = total + each
    return total / len(history), [each + 1 for each in history], sum(history)


def others(a, b, c, d, e):  # type: ignore[no-untyped-def]
    a += 1
    b[0] = 1
    return c.shape, helper(d), e[:2]


def helper(value: Any) -> Any:
    return value


@pytest.mark.parametrize(("function", "name", "uses"), [
    (arithmetic, "rate", {"arithmetic", "numpy"}),
    (elements, "history", {"item", "iteration", "length"}),
    *[(others, name, {"other"}) for name in "abcde"],
    (helper, "nothing", set()),
])  # fmt: skip
def test_each_use_is_of_one_kind(function: Any, name: str, uses: set[str]) -> None:
    assert uses_of(function.__code__, name) == uses


def test_what_has_no_source_has_no_known_uses() -> None:
    assert uses_of(compile("x + 1", "<no such file>", "eval"), "x") is None


class Settings:
    rate: float = 1
    steps = 2


def stepped(x, settings):  # type: ignore[no-untyped-def]
    settings.rate *= 0.5
    return x - settings.rate * x


def counted(settings: Any) -> range:
    settings.steps = 3
    return range(settings.steps * 2)


def test_the_uses_of_a_module_leave_out_what_assigns() -> None:
    assert uses_in_file(arithmetic.__code__, "LIMIT") == {"arithmetic"}


def test_a_path_stands_for_the_attributes_of_its_last_name() -> None:
    assert uses_in_file(stepped.__code__, "settings.rate") == {"arithmetic"}


def test_what_others_compute_with_a_variable_may_go_anywhere() -> None:
    assert uses_in_file(helper.__code__, "LIMIT") == {"elsewhere"}
    assert uses_in_file(stepped.__code__, "settings.steps") == {"elsewhere"}
    assert uses_in_file(stepped.__code__, "settings.nothing") == frozenset()
