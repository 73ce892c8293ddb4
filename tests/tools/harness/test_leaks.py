"""The names by which leaked objects are held."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

from guardlift.tools.harness.leaks import chain_to


class Owner:
    """Holds things."""


class Slotted:
    __slots__ = ("weight",)


def closed_over(value: Any) -> Callable[[], Any]:
    return lambda: value


def with_attribute(value: Any) -> Owner:
    owner = Owner()
    owner.layers = [None, value]  # type: ignore[attr-defined]
    return owner


def with_slot(value: Any) -> Slotted:
    slotted = Slotted()
    slotted.weight = value
    return slotted


@pytest.mark.parametrize(
    ("hold", "words"),
    [
        (lambda value: value, "KEPT['x']"),
        (lambda value: (1, {"a": value}), "KEPT['x'][1]['a']"),
        (with_attribute, "KEPT['x'].layers[1]"),
        (with_slot, "KEPT['x'].weight"),
        (closed_over, "KEPT['x'].<closure>.value"),
        (lambda value: value.method, "KEPT['x'].__self__"),
        (lambda value: {value}, "KEPT['x'] -> Held"),
    ],
)
def test_the_way_from_a_module_is_told_by_attributes(hold: Callable[[Any], Any], words: str) -> None:
    class Held:
        def method(self) -> None: ...

    box = [Held()]
    sys.modules[__name__].KEPT = {"x": hold(box[0])}
    try:
        found = chain_to(box[0], [box])
        assert found == f"{__name__}.{words}"
    finally:
        del sys.modules[__name__].KEPT


def test_a_class_and_a_variable_of_a_running_function_are_names_too() -> None:
    class Held:
        shared: list[Any]

    box = [Held()]
    Held.shared = [box[0]]
    found = chain_to(box[0], [box])
    assert found.endswith("names_too.<locals>.Held.shared[0]")
    del Held.shared
    mine = {"k": box[0]}
    found = chain_to(mine["k"], [box])
    assert found.endswith("running_function_are_names_too.<locals>.mine['k']")


@pytest.mark.slow
def test_an_object_without_a_holder_has_no_chain() -> None:
    found = chain_to(object.__new__(Slotted))
    assert found == ""
