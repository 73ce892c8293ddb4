"""Classes, their objects and their methods, by the class statement that makes them at each call."""

from __future__ import annotations

from typing import Any

import pytest

from guardlift.guards.class_statements import OfStatement, note_statement, statement_of
from guardlift.guards.pool import Pool
from guardlift.guards.sources import Local

HERE = "test_what_a_noted_statement_made_is_known.<locals>.made.<locals>."


class Ordinary:
    def method(self) -> None: ...


class Asking(type):
    def __getattribute__(cls, name: str) -> Any:
        raise AssertionError(f"{name} was asked for")


def test_what_a_noted_statement_made_is_known() -> None:
    def made() -> tuple[Any, type]:
        class Noted:
            value = staticmethod(lambda: 1)

            def method(self) -> Any:
                return lambda: self

            @classmethod
            def of(cls) -> Any:
                return cls()

        class Below(Noted):
            pass

        return Noted, Below

    before, below = made()
    assert statement_of(before) is None
    note_statement(__name__, f"{HERE}Noted")
    note_statement(None, "Ordinary")
    again, _ = made()
    name = f"{HERE}Noted"
    for each in (before, again, before(), below, below(), before.method, before().method, before.of, before.value):
        assert statement_of(each) == name
    for each in (None, 1, int, type, Ordinary, Ordinary(), Ordinary.method, Ordinary().method, before().method()):
        assert statement_of(each) is None
    guard, pool = OfStatement(Local("x"), statement=name), Pool(())
    assert all(guard.holds({"x": each}, pool) for each in (before, again(), below()))
    assert not any(guard.holds({"x": each}, pool) for each in (None, True, Ordinary, Ordinary()))


@pytest.mark.parametrize("module", [None, 3, ["a"]])
def test_no_code_of_the_class_runs(module: Any) -> None:
    note_statement(__name__, "Silent")

    class Silent(metaclass=Asking):
        __module__ = module
        __eq__ = __hash__ = None  # type: ignore[assignment]

    assert statement_of(Silent) is None
    assert statement_of(Silent()) is None
