"""Names of values in explanations."""

from __future__ import annotations

import types

from guardlift.guards.describe import describe, listed


def test_many_values_are_listed_from_those_that_differ_on() -> None:
    few, many = ("a", 1), tuple(f"k{k}" for k in range(100))
    assert listed(few) == "['a', 1]"
    was, now = listed(many, (*many[:50], "new", *many[51:])), listed((*many[:50], "new", *many[51:]), many)
    assert was.startswith("['k50', ") and now.startswith("['new', ") and was.endswith("… (100 in all)]")
    assert len(was) < 150


def test_a_module_that_has_no_name() -> None:
    class Asking(types.ModuleType):
        def __getattr__(self, name: str) -> object:
            raise AssertionError(name)

    for made in (types.ModuleType("named"), Asking("named")):
        assert describe(made) == "the module named"
        del made.__name__
        assert describe(made) == "the module ?"
