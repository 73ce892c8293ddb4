"""Constants in entry code: what is written stands for the value, wherever it is written and whatever the value is."""

from __future__ import annotations

import enum
import math
import types
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift.guards.constants import constant_text, key_text, object_text
from guardlift.guards.containers import HasKey, LacksKey
from guardlift.guards.guard import Equals, Is
from guardlift.guards.pool import POOL, Pool
from guardlift.guards.sources import Item, Local, evaluate


class Colour(enum.Enum):
    RED = 1


class Number(int):
    """A subclass, which is no constant that code has a form for."""


class Text(str):
    __slots__ = ()


VALUES: list[Any] = [
    *(None, True, False, ..., NotImplemented),
    *(0, 1, -1, 5, -5, 2**63, -(2**64), 2**64, 10**50, 10**5000, -(10**5000)),
    *(0.0, -0.0, 1.5, -1.5, 1e300, 5e-324, math.inf, -math.inf, math.nan),
    *(0j, -0j, 1 + 2j, -1.5j, complex(math.nan, -0.0)),
    *("", "a", "it's", 'say "hi"', "'\"", "\\", "a\nb", "\0", "\ud800", "{}", "{x}", "é", "🙂"),
    *(b"", b"a'\"", b"\0\xff"),
    *((), (1,), (1, (2.0, "x")), frozenset(), frozenset({1, 2}), range(-3), slice(1, None, -1)),
    *(int, np.float32, Colour, Colour.RED, Number(3), Text("t"), np.dtype("f4"), gl.float32, gl.device("cpu")),
    *(len, np.add, np.add.reduce, np.sum, math, lambda x: x, types.SimpleNamespace),
    *(np.float64(2.5), np.arange(3), [1], {"k": 1}),
]


def every(*kinds: type) -> Any:
    """The mark that gives a test each value, or those of exactly these types."""
    chosen = [(k, each) for k, each in enumerate(VALUES) if not kinds or type(each) in kinds]
    return pytest.mark.parametrize("value", [pytest.param(each, id=f"{type(each).__name__}-{k}") for k, each in chosen])


def same(found: Any, value: Any) -> bool:
    """Whether two constants cannot be told apart but by identity."""
    if type(found) is not type(value):
        return False
    return found is value or (found == value if type(value) is int else repr(found) == repr(value))


@every()
def test_the_text_stands_for_the_very_object_wherever_it_stands(value: Any) -> None:
    pool = Pool(())
    text = constant_text(value, pool)
    once = isinstance(value, int) and type(value) is int and value.bit_length() <= 64
    found = evaluate(text, {}, pool)
    assert same(found, value) if once else found is value
    for around in ("{}.__class__", "{}.__class__.__name__", "({},)[0]", "[{}][-1].__class__", "(lambda *a: a)({}, 1)"):
        evaluate(around.format(text), {}, pool)
    assert evaluate(f"{text}.__class__", {}, pool) is type(value)
    assert same(evaluate(f"({text} if 1 else 0)", {}, pool), value)


@every(int, float, complex)
def test_an_operator_may_stand_next_to_a_number(value: Any) -> None:
    pool = Pool(())
    for equal in (False, True):
        text = constant_text(value, pool, equal=equal)
        for form, wanted in (("{}*1", value * 1), ("- {}", -value), ("2-{}", 2 - value)):
            found = evaluate(form.format(text), {}, pool)
            assert found == wanted or found != found
        assert same(evaluate(f"{text} ** 1", {}, pool), value**1) if abs(value) < 10**60 else True


@every()
def test_an_equal_object_is_of_the_same_type_and_value(value: Any) -> None:
    pool = Pool(())
    assert same(evaluate(constant_text(value, pool, equal=True), {}, pool), value)
    assert same(evaluate(f"[{key_text(value, pool)}][0]", {}, pool), value)


@pytest.mark.filterwarnings("error")
@every()
def test_identity_is_asked_of_the_very_object_without_a_warning(value: Any) -> None:
    pool = Pool(())
    assert evaluate(f"x is {object_text(value, pool)}", {"x": value}, pool) is True
    assert Is(Local("x"), None, value).holds({"x": value}, pool)
    assert not Is(Local("x"), None, value).holds({"x": object()}, pool)


@every(bool, int, float, complex, str, bytes)
def test_guards_on_values_hold_for_that_value_alone(value: Any) -> None:
    pool = Pool(())
    guard = Equals(Local("x"), None, value)
    assert guard.holds({"x": value}, pool)
    assert not guard.holds({"x": [value]}, pool) and not guard.holds({"x": None}, pool)
    other = {int: lambda: value + 1, bool: lambda: not value, str: lambda: value + "!", bytes: lambda: value + b"!"}
    if type(value) in other:
        assert not guard.holds({"x": other[type(value)]()}, pool)


@every(bool, int, float, str, bytes, tuple)
def test_keys_find_what_lies_under_them(value: Any) -> None:
    pool, table = Pool(()), {value: "found"}
    assert evaluate(Item(Local("d"), value).text(pool), {"d": table}, pool) == "found"
    if type(value) is str:
        assert HasKey(Local("d"), None, value).holds({"d": table}, pool)
        assert not LacksKey(Local("d"), None, value).holds({"d": table}, pool)


def test_the_pool_has_what_is_not_written_out() -> None:
    pool = Pool(())
    assert constant_text(5, pool) == "(5)" and constant_text(None, pool) == "None" and key_text(-1, pool) == "-1"
    assert constant_text("a", pool) == f"{POOL}[0]" and constant_text("a", pool, equal=True) == "'a'"
    wide = 2**70
    assert constant_text(wide, pool) == f"{POOL}[1]" == key_text(wide, pool)
