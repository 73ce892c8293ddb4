"""Sets made or read by a traced function: contents, order of iteration, guards."""

# ruff: noqa: B033, C401, C405, C414, C416, SIM117 (what is written is what is tested)

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from frontend.language import X, compiled, plain
from frontend.values.effects.effects_oracle import replayed
from oracle import under

import guardlift as gl
from guardlift.frontend import state_of


def ordered(function: Callable[..., Any], *args: Any) -> None:
    """`function` compiles, and what it returns prints as in Python, the order within sets included."""
    compiled(function, *args)
    with under("reference"):
        jitted = gl.jit(fullgraph=True)(function)
        for _ in range(2):
            assert repr(jitted(*args)) == repr(function(*args))


@pytest.mark.spec("S8.05")
def test_literals_and_comprehensions() -> None:
    def function(x: Any, n: int, words: Any) -> Any:
        squares = {k * k for k in range(20) if k % 3}
        pairs = {(a, b) for a in words for b in (1, n)}
        some = {n, *words, 1.5, None}, {1, 2, 3}, {True, 1, 1.0}, {k for k in "hello"}
        return x + len(squares), squares, pairs, some

    ordered(function, X, 7, ("some", "more", "words"))


def test_making_sets_of_anything() -> None:
    def function(x: Any, table: Any) -> Any:
        numbers = (k * 8 for k in range(9))
        return (
            x + 1,
            set(),
            set("abracadabra"),
            set([3, 1, 2]),
            set(numbers),
            set({"a": 1, "b": 2}),
            set(table),
            set(table.keys()),
            set(table.values()),
            set(table.items()),
            frozenset(range(10, 0, -1)),
            frozenset(),
            frozenset({3, 4}),
            set(set("xyz")),
            set(frozenset((5, 6))),
        )

    ordered(function, X, {"k": 1, "l": 2})


def test_methods_that_change_a_set() -> None:
    def function(x: Any) -> Any:
        a = {1, 2, 3}
        gone = a.add(8), a.discard(2), a.discard(77), a.remove(1)
        a.update([5, 6], "ab", {7: 0}, {9})
        b = a.copy()
        b.intersection_update(range(6), [5, 3])
        c = a.copy()
        c.difference_update({5}, [6])
        d = a.copy()
        d.symmetric_difference_update({5, 100})
        e = {1}
        e.clear()
        return x + 1, gone, a, b, c, d, e

    ordered(function, X)


def test_methods_that_make_a_set() -> None:
    def function(x: Any) -> Any:
        a, b = {1, 2, 3, 4}, frozenset({3, 4, 5})
        return (
            x + 1,
            a.union(b, [9]),
            a.intersection(b),
            b.difference(a),
            a.symmetric_difference([1, 50]),
            b.union(),
            a.union(),
            b.copy() is b,
            a.copy() is a,
            frozenset(b) is b,
            (a.issubset(b), a.issuperset([1, 2]), a.isdisjoint({7: 1}), b.isdisjoint(a)),
        )

    ordered(function, X)


def test_operators() -> None:
    def function(x: Any) -> Any:
        a, b = {1, 2, 3, 4}, frozenset({3, 4, 5})
        made = a | b, a & b, a - b, a ^ b, b | a, b & a
        same = a
        a |= {40}
        a -= {1}
        a ^= {2, 60}
        a &= {3, 4, 40, 60}
        c = b
        c |= {8}
        keys = {"u": 1, "v": 2}
        return (
            x + 1,
            made,
            a,
            same is a,
            b,
            c,
            keys.keys() & {"u"},
            keys.keys() | "w".join(["a"]) if 0 else 1,
            {"u"} - keys.keys(),
        )

    ordered(function, X)


def test_comparisons_and_membership() -> None:
    def function(x: Any, n: int) -> Any:
        a, b = {1, 2}, {1, 2, n}
        return (
            x + (n in b),
            (a == b, a != b, a < b, a <= b, a > b, a >= b),
            (a == frozenset(a), a == [1, 2], a != (1,), {1} == {True}),
            (1.0 in a, "1" in a, {1} in {frozenset({1})}, (1, 2) in {(1, 2)}),
            (bool(a), not set(), len(b), a is a, a is b, a is not None),
            {"a": 1}.keys() == {"a"},
        )

    ordered(function, X, 5)


def test_iteration_follows_the_history_of_the_set() -> None:
    def function(x: Any) -> Any:
        grown = {1}
        for k in range(40):
            grown.add(k * 37 % 101)
        for k in range(0, 101, 2):
            grown.discard(k)
        grown.add(4)
        total = x
        for place, each in enumerate(grown):
            total = total * 0.5 + place * each
        first, *rest = grown
        return total, first, rest, [*grown], sorted(grown), max(grown), sum(grown), list(zip(grown, grown, strict=True))

    ordered(function, X)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.slow
def test_random_histories_give_pythons_order(seed: int) -> None:
    made = random.Random(seed)
    steps = [
        (made.choice(["add", "discard", "or", "and", "sub", "xor", "copy"]), made.randrange(90)) for _ in range(40)
    ]

    def function(x: Any) -> Any:
        found = {3, 70}
        for step, k in steps:
            if step == "add":
                found.add(k * 16)
            elif step == "discard":
                found.discard(k * 16)
            elif step == "or":
                found = found | {k, k * 64}
            elif step == "and":
                found &= set(range(k, 2000))
            elif step == "sub":
                found = found - {k}
            elif step == "xor":
                found ^= {k, k + 1, k + 64}
            else:
                found = found.copy()
        return x + len(found), found, list(found)

    ordered(function, X)


def test_a_set_that_changes_under_its_loop_raises_as_in_python() -> None:
    def function(x: Any) -> Any:
        found = {1, 2}
        for each in found:
            found.add(each + 2)
        return x

    plain(function, X, code="B304")


def test_missing_and_unhashable_elements_raise_as_in_python() -> None:
    plain(lambda x: (x, {1}.remove(2)), X, code="B304")
    plain(lambda x: (x, {[]}), X, code="B304")
    plain(lambda x: (x, {1, 2} | [3]), X, code="B304")
    plain(lambda x: (x, {1, 2} < [3]), X, code="B304")
    plain(lambda x: (x, {1: 2} | {1}), X, code="B304")


def test_what_is_not_known_breaks() -> None:
    plain(lambda x: (x + 1, {3, 4}.pop()), X, code="B201")
    plain(lambda x: x + len({float("nan")}), X, code="B401")
    plain(lambda x: (x + 1, {x.sum()}), X, code="B102")


def test_each_call_gets_sets_of_its_own_and_one_set_stays_one() -> None:
    def function(x: Any) -> Any:
        a = {1, 2}
        return x + 1, a, [a], {"k": a}

    with under("reference"):
        jitted = gl.jit(fullgraph=True)(function)
        _, a, (b,), table = jitted(X)
        assert a is b is table["k"]
        a.add(99)
        assert jitted(X)[1] == {1, 2}


def test_sets_from_outside_are_guarded_by_their_elements() -> None:
    def function(x: Any, tags: Any) -> Any:
        return x * 2 if "loud" in tags else x + len(tags)

    with under("reference"):
        jitted: Any = gl.jit(fullgraph=True)(function)
        for tags in (
            {"loud", "new"},
            {"new", "loud"},
            {"soft"},
            set(),
            frozenset({"loud"}),
            {"loud", "new"},
            {1},
            {True},
        ):
            assert jitted(X, tags).tolist() == function(X, tags).tolist()
        assert len(state_of(jitted).entries) == 6


def test_a_set_from_outside_that_changes_is_seen() -> None:
    tags = {"a"}

    def function(x: Any) -> Any:
        return x + len(tags), "b" in tags

    with under("reference"):
        jitted = gl.jit(fullgraph=True)(function)
        for change in (lambda: None, lambda: tags.add("b"), lambda: tags.discard("a"), lambda: tags.clear()):
            change()
            assert repr(jitted(X)) == repr(function(X))


def test_the_order_of_a_set_from_outside_is_guarded_where_it_matters() -> None:
    def function(x: Any, numbers: Any) -> Any:
        for each in numbers:
            x = x * 0.5 + each
        return x, list(numbers)

    one = {0, 8}
    other = {8, 0}
    assert list(one) != list(other)
    with under("reference"):
        jitted: Any = gl.jit(fullgraph=True)(function)
        for numbers in (one, other, one, other):
            assert repr(jitted(X, numbers)) == repr(function(X, numbers))
        assert len(state_of(jitted).entries) == 2


def test_a_set_from_outside_is_returned_as_itself_and_copies_of_it_are_made_by_python() -> None:
    def function(x: Any, numbers: Any) -> Any:
        return x + len(numbers | {3}), numbers, numbers | {3}, numbers.copy(), set(numbers), sorted(numbers - {8})

    def grown(size: int) -> set[int]:
        numbers = set(range(size))
        numbers.intersection_update({0, 8, 16})
        return numbers

    with under("reference"):
        jitted: Any = gl.jit(function)
        for size in (17, 1000, 17):
            numbers = grown(size)
            result = jitted(X, numbers)
            assert repr(result) == repr(function(X, numbers)) and result[1] is numbers
            assert result[3] is not numbers


def test_what_depends_on_the_order_of_such_a_copy_breaks() -> None:
    plain(lambda x, numbers: [x + each for each in numbers | {3}], X, {1, 2}, code="B401")


def several(x: Any, numbers: Any) -> Any:
    numbers.add(3)
    numbers.discard(7)
    numbers.update([4, x.shape[0]], {5: 6})
    numbers |= {8, 9}
    numbers.add(1)
    numbers.remove(1)
    return 3 in numbers, 1 in numbers, len(numbers), x + 1


def cleared(x: Any, numbers: Any) -> Any:
    numbers.clear()
    numbers.add("a")
    return numbers, x + 1


def kept(x: Any, numbers: Any) -> Any:
    try:
        numbers.remove(77)
    except KeyError:
        numbers.intersection_update({1, 2, 3})
    return x + bool(numbers)


def from_one_computed_before(x: Any, numbers: Any, others: Any) -> Any:
    before = numbers | {10}
    numbers.add(11)
    others.update(before)
    others.symmetric_difference_update({10, 12})
    return before, x + 1


@pytest.mark.parametrize("body", [several, cleared, kept], ids=lambda body: body.__name__)
def test_a_set_from_outside_is_left_as_python_leaves_it(body: Any) -> None:
    replayed(lambda: (body, (X.copy(), {1, 2, 7})), compiles=2)


def test_a_set_that_was_computed_before_a_change_goes_into_another() -> None:
    replayed(lambda: (from_one_computed_before, (X.copy(), {1, 2}, {3})), compiles=2)


def test_a_set_from_outside_under_two_names() -> None:
    def function(x: Any, a: Any, b: Any) -> Any:
        a.add(5)
        return a is b, 5 in b, x + 1

    jitted = gl.jit(function, fullgraph=True)
    for same in (True, False, True):
        one = {1}
        other = one if same else {1}
        assert jitted(X, one, other)[:2] == (same, same)
        assert (one, other) == ({1, 5}, {1, 5} if same else {1})


def test_python_has_the_order_of_a_set_from_outside_that_was_changed() -> None:
    def ordered(x: Any, numbers: Any) -> Any:
        numbers.add("c")
        return list(numbers), numbers | {"d"}, x + 1

    def while_iterating(x: Any, numbers: Any) -> Any:
        for each in numbers:
            numbers.add(f"{each}!")
        return x + 1

    jitted, failing = gl.jit(ordered), gl.jit(while_iterating)
    for _ in range(2):
        mine, his = {"a", "b"}, {"a", "b"}
        got, wanted = jitted(X, mine), ordered(X, his)
        assert (got[0], list(got[1]), list(mine)) == (wanted[0], list(wanted[1]), list(his))
        with pytest.raises(RuntimeError, match="changed size"):
            failing(X, {"a", "b"})


def test_elements_from_outside_of_other_classes_break_and_are_not_asked() -> None:
    class Loud:
        def __hash__(self) -> int:
            asked.append("hash")
            return hash("a")

        def __eq__(self, other: object) -> bool:
            asked.append("eq")
            return True

    asked: list[str] = []
    foreign = {Loud()}
    with under("reference"):
        jitted: Any = gl.jit(lambda x, tags: x + len(tags))
        assert jitted(X, {"a"}).tolist() == (X + 1).tolist()
        asked.clear()
        for tags in (foreign, {1.0}, {"a"}):
            assert jitted(X, tags).tolist() == (X + 1).tolist()
        assert not asked


def test_zeros_of_both_signs_and_numbers_that_are_equal_are_told_apart() -> None:
    def function(x: Any, numbers: Any) -> Any:
        return x + 1, [*numbers]

    with under("reference"):
        jitted = gl.jit(fullgraph=True)(function)
        for number in (0.0, -0.0, 0, False, 1, True, 1.0):
            assert repr(jitted(X, {number})) == repr(function(X, {number}))


def test_a_literal_set_is_looked_up_and_iterated() -> None:
    def function(x: Any, mode: str) -> Any:
        if mode in {"a", "b", "c"}:
            x = x + 1
        for each in {"p", "q", "r"}:
            x = x * len(each)
        return x, [each for each in {1, 17, 33}]

    for mode in ("a", "z"):
        ordered(function, X, mode)


def test_sets_of_types_and_dtypes() -> None:
    def function(x: Any, value: Any) -> Any:
        return x + 1 if type(value) in {int, float} else x - 1, x.dtype in {np.dtype("f4"), np.dtype("f8")}

    for value in (1, 2.0, "a", None):
        compiled(function, X, value)


def test_the_same_elements_in_every_order_are_one_entry() -> None:
    jitted: Any = gl.jit(fullgraph=True)(lambda x, tags: x + len(tags))
    with under("reference"):
        for tags in itertools.permutations([0, 8, 16, 24]):
            jitted(X, set(tags))
    assert len(state_of(jitted).entries) == 1


def test_sets_in_texts_have_pythons_order() -> None:
    def function(x: Any) -> Any:
        grown = set(range(1000))
        grown &= {0, 8, 16}
        return x + 1, f"{grown}", str(grown.copy()), repr([frozenset(grown)])

    ordered(function, X)


def test_taking_away_what_cannot_be_in_a_set_breaks() -> None:
    plain(lambda x: (x + 1, {1, 2}.difference_update([1], [[]])), X, code="B201")
