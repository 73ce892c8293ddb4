"""Sources as values: which calls of a built-in function are one source, how they read, and what they run."""

from __future__ import annotations

import math

import pytest

from guardlift.guards.computed_sources import CallSource
from guardlift.guards.pool import Pool
from guardlift.guards.sources import Attribute, Item, Local, Source, evaluate

X, N = Local("x"), Local("n")
LENGTH = CallSource(tuple.__len__, "len(x)", (X,), is_read=True)


def test_a_call_that_computes_shows_its_operands_and_one_that_reads_shows_what_the_user_wrote() -> None:
    assert str(CallSource(math.hypot, "math.hypot", (N, 2.0))) == "math.hypot(n, 2.0)"
    assert str(LENGTH) == "len(x)" and LENGTH.parts() == (X,)


def test_only_a_call_that_computes_is_a_number_made_of_others() -> None:
    assert CallSource(abs, "abs", (N,)).is_computed and not LENGTH.is_computed and not N.is_computed


def test_a_read_goes_around_the_methods_of_the_objects_class() -> None:
    class Pair(tuple[int, int]):
        def __len__(self) -> int:
            raise AssertionError("code of the user's")

    pool = Pool(())
    assert evaluate(LENGTH.text(pool), {"x": Pair((1, 2))}, pool) == 2


def test_calls_are_one_source_only_if_they_are_equal_down_to_the_types_of_constants() -> None:
    def item(key: object, label: str = "x[...]") -> CallSource:
        return CallSource(dict.__getitem__, label, (X, key), is_read=True)

    assert item("a") == item("a") and hash(item("a")) == hash(item("a"))
    assert len({item(1), item(1.0), item(True), item("1"), item((1,)), item((1.0,))}) == 6
    assert item("a") != item("a", "y") and item("a") != CallSource(dict.__getitem__, "x[...]", (X, "a"))
    assert CallSource(abs, "abs", (N,)) == CallSource(abs, "builtins.abs", (N,))


def test_what_a_long_path_is_read_through_is_found_once_and_so_is_its_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Source] = []
    parts = Attribute.parts
    monkeypatch.setattr(Attribute, "parts", lambda self: asked.append(self) or parts(self))
    path: Source = X
    paths = [path := Attribute(path, "next") for _ in range(5000)]
    assert len({*paths, *paths}) == 5000 and hash(paths[-1]) == vars(paths[-1])["_hash"]
    assert paths[0].below() == (X,) and paths[-1].below() == (*reversed(paths[:-1]), X)
    assert paths[-1].below() is paths[-1].below() and len(asked) == 5000


def test_what_a_source_of_several_is_read_through_is_listed_with_each() -> None:
    item = Item(Attribute(X, "rows"), "a")
    item.below()
    assert CallSource(math.hypot, "math.hypot", (item, N)).below() == (item, Attribute(X, "rows"), X, N)
