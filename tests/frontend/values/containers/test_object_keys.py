"""Objects as keys of dicts and elements of sets."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest
from frontend.language import X, compiled, plain
from frontend.values.effects.effects_oracle import replayed

import guardlift as gl


class Node:
    def __init__(self, name: str, *below: Any) -> None:
        self.name = name
        self.below = below


class Polite:
    """Says what it is hashed by and what it equals."""

    def __init__(self, number: Any, said: list[Any]) -> None:
        self.number = number
        self.said = said

    def __hash__(self) -> int:
        self.said.append(("hash", self.number))
        return hash(self.number) % 2

    def __eq__(self, other: object) -> bool:
        self.said.append(("eq", self.number, getattr(other, "number", other)))
        return isinstance(other, Polite) and self.number == other.number


@dataclass(frozen=True)
class Place:
    row: int
    name: str


class Pair(NamedTuple):
    first: Any
    second: Any


class Name(str):
    __slots__ = ()


class Unhashable:
    __hash__ = None  # type: ignore[assignment]


def helper() -> int:
    return 1


def by_identity(x: Any) -> Any:
    a, b = Node("a"), Node("b")
    d: dict[Any, Any] = (
        {a: 1, b: 2, len: 3, helper: 4, Node: 5, math: 6} if x.ndim > 3 else {a: 1, b: 2, len: 3, helper: 4, Node: 5}
    )
    d[a] += 10
    d[a, b] = "pair"
    seen = {a}
    seen.add(b)
    seen.add(a)
    found = (
        a in d,
        Node("a") in d,
        d.get(Node("b"), "no"),
        d[a, b],
        d.get((b, a)),
        a in seen,
        Node("a") in seen,
        len(seen),
    )
    inner = lambda: 3  # noqa: E731
    d[inner] = 6
    popped = d.pop(len), d[inner], len(d), [each.name for each in d if isinstance(each, Node)], [*d][0] is a
    del d[Node]
    return d, a, found, popped, {a: 1} == {a: 1}, {a} == {a}, {a: 1} == {b: 1}, seen - {b} == {a}, x + 1


def by_methods(x: Any) -> Any:
    said: list[Any] = []
    d = {Polite(1, said): "one", Polite(2, said): "two"}
    d[Polite(3, said)] = "three"
    found = d[Polite(1, said)], Polite(5, said) in d, d.get(3, "no"), len(d), {Polite(4, said)} == {Polite(4, said)}
    return found, said, x + 1


def by_value(x: Any) -> Any:
    d: dict[Any, Any] = {Place(1, "a"): 1, Pair(1, 2): 2, Name("n"): 3}
    d[Place(1, "a")] += 1
    d["n"] = 4
    found = d[1, 2], d[Name("n")], Place(1, "b") in d, [type(each) for each in d], hash(Place(1, "a")) == hash((1, "a"))
    return d, found, len({Place(1, "a"), Place(1, "a"), Pair(1, 2), (1, 2)}), x + 1


def walked(x: Any) -> Any:
    leaf = Node("leaf")
    root = Node("root", Node("left", leaf), Node("right", leaf))
    seen: set[Any] = set()
    order: list[Any] = []
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node in seen:
            continue
        seen.add(node)
        order.append(node.name)
        waiting.extend(node.below)
    return order, len(seen), x + 1


def missed(x: Any) -> Any:
    said = []
    for call in (
        lambda: {}[Node("a")],
        lambda: {Unhashable(): 1},
        lambda: {Node("a"): 1}.pop(Node("b")),
        lambda: {(Node("a"), []): 1},
    ):
        try:
            call()
        except (KeyError, TypeError) as error:
            said.append(
                (type(error).__name__, type(error.args[0]).__name__, str(error) if isinstance(error, TypeError) else "")
            )
    return said, x + 1


@pytest.mark.spec("S8.10")
@pytest.mark.parametrize("body", [by_identity, by_methods, by_value, walked, missed], ids=lambda body: body.__name__)
def test_in_containers_that_the_function_makes(body: Callable[..., Any]) -> None:
    jitted: Any = gl.jit(body, fullgraph=True)
    for _ in range(2):
        wanted, got = body(X), jitted(X)
        assert told(wanted) == told(got)


def told(value: Any) -> Any:
    if isinstance(value, dict):
        return [(told(key), told(each)) for key, each in value.items()]
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [told(each) for each in value]
    if isinstance(value, Node):
        return "node", value.name
    return value.__name__ if callable(value) else repr(value)


def test_a_dict_that_leaves_finds_its_own_objects() -> None:
    def function(x: Any) -> Any:
        a = Node("a")
        return a, {a: x + 1, (a, 1): 2}, Place(1, "a"), {Place(1, "a"): 5}

    jitted = gl.jit(function, fullgraph=True)
    for _ in range(2):
        a, d, place, places = jitted(X)
        assert d[a][0] == X[0] + 1 and d[a, 1] == 2 and places[place] == 5


def test_a_set_that_leaves_finds_its_own_objects() -> None:
    def function(x: Any, node: Any) -> Any:
        a, b = Node("a"), Node("b")
        seen = {a, Place(1, "a"), node}
        seen.add((b, 1))
        seen |= {b}
        seen.discard(a)
        whole = seen | {a}
        return a, b, seen, whole, {a, b}, set({a: 1}), frozenset((a,)), x + 1

    jitted = gl.jit(function, fullgraph=True)
    for node in (Node("n"), Node("m")):
        a, b, seen, whole, listed, keys, frozen, _ = jitted(X, node)
        assert seen == {Place(1, "a"), node, (b, 1), b} and whole == seen | {a} and listed == {a, b}
        assert keys == {a} == frozen and type(frozen) is frozenset


def test_a_set_from_outside_gets_objects() -> None:
    def function(x: Any, seen: Any, node: Any) -> Any:
        found = node.name in seen
        seen.add(node)
        seen.update([(node, 1), "name"])
        return found, node in seen, x + 1

    jitted = gl.jit(function, fullgraph=True)
    node, other = Node("a"), Node("b")
    for each in (node, other):
        mine: set[Any] = {"b"}
        assert jitted(X, mine, each)[:2] == (each.name == "b", True)
        assert mine == {"b", each, (each, 1), "name"}


def test_objects_from_outside_are_told_apart() -> None:
    def function(x: Any, a: Any, b: Any, c: Any) -> Any:
        d = {a: 1, b: 2}
        return len(d), d.get(c, "no"), c in {a}, x + 1

    jitted = gl.jit(function, fullgraph=True)
    a, b, c = Node("a"), Node("b"), Node("c")
    for given in ((a, b, c), (a, a, c), (a, b, a), (a, b, b), (a, a, a), (b, c, a), (a, b, c)):
        assert jitted(X, *given)[:3] == function(X, *given)[:3]


def test_a_dict_from_outside_with_objects_as_keys() -> None:
    def function(x: Any, d: Any, key: Any) -> Any:
        d["n"] = d.get(key, 0)
        return key in d, len(d), [each for each in d if isinstance(each, str)], x + 1

    jitted = gl.jit(function, fullgraph=True)
    a, b, c = Node("a"), Node("b"), Node("c")
    mine: dict[Any, Any] = {a: 1, b: 2, "s": 3, helper: 4}
    his = dict(mine)
    for key in (a, b, a, c, helper, a):
        assert jitted(X, mine, key)[:3] == function(X, his, key)[:3]
        assert list(mine.items()) == list(his.items())
    for change in (lambda d: d.pop(a), lambda d: d.setdefault(a, 7), lambda d: d.__setitem__(b, "new")):
        change(mine), change(his)
        for key in (a, b):
            assert jitted(X, mine, key)[:3] == function(X, his, key)[:3]


def test_an_entry_keeps_no_key_alive() -> None:
    import gc
    import weakref

    jitted = gl.jit(lambda x, d: (len(d), x + 1), fullgraph=True)
    node = Node("a")
    assert jitted(X, {node: 1})[0] == 1
    known = weakref.ref(node)
    del node
    gc.collect()
    assert known() is None
    assert jitted(X, {Node("b"): 1})[0] == 1


def test_an_object_is_put_into_a_dict_from_outside() -> None:
    def function(x: Any, d: Any, node: Any) -> Any:
        d[node] = x + 1
        d[node.name] = node
        d.pop("old", None)

    replayed(lambda: (function, (X.copy(), {"old": 1}, Node("a"))), calls=1)


def test_what_is_known_at_run_time_only_is_left_to_python() -> None:
    plain(lambda x: (x + 1, len([*{Node("a"), Node("b")}])), X, code="B401")
    plain(lambda x: (x + 1, hash(Node("a")) != 0), X, code="B401")
    plain(lambda x: (x + 1, hash((Node("a"), 1)) != 0), X, code="B401")
    compiled(lambda x: (x + 1, len([*{Node("a")}])), X)
