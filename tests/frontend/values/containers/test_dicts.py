"""Dicts, and how lists and tuples compare, in a traced function."""

# ruff: noqa: C402, C404, C406, C408, PIE804, F601, F632, RUF005 (what is written is what is tested)

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from frontend.language import X, Y, compiled, plain
from oracle import under

import guardlift as gl
from guardlift.frontend import state_of


def printed(function: Callable[..., Any], *args: Any) -> None:
    """`function` compiles, and what it returns prints as in Python."""
    compiled(lambda x, *rest: (x + 1, function(*rest)), X, *args)
    with under("reference"):
        jitted = gl.jit(fullgraph=True)(lambda x, *rest: (x + 1, function(*rest)))
        for _ in range(2):
            assert repr(jitted(X, *args)[1]) == repr(function(*args))


def test_keys_of_all_constant_kinds() -> None:
    def function(n: int) -> Any:
        table = {(1, 2): "pair", 2.5: "half", None: 0, b"k": 1, int: "int", frozenset({1}): 3, ...: 4, (1, (n, "a")): 5}
        table[True] = "first"
        table[1] = "second"
        table[1.0] = "third"
        table[0.0], table[-0.0] = "plus", "minus"
        return (
            table,
            table[1, 2],
            table[int],
            table.get((1, (3, "a"))),
            table[frozenset([1])],
            1.0 in table,
            list(table),
        )

    printed(function, 3)


def test_keys_of_dicts_from_outside() -> None:
    def function(table: Any) -> Any:
        return [table.get(key) for key in (1, "a", (1, 2), None, 2.5, int, -0.0)], list(table), table

    tables: list[dict[Any, Any]] = [
        {1: 2, "a": 3}, {True: 2, "a": 3}, {1.0: 2, "a": 3}, {(1, 2): 5.5, None: 1}, {(True, 2): 5.5, None: 1},
        {0.0: 1, int: 2}, {-0.0: 1, int: 2}, {0: 1, int: 2},
    ]  # fmt: skip
    with under("reference"):
        jitted = gl.jit(fullgraph=True)(lambda x, table: (x + 1, function(table)))
        for table in (*tables, *tables):
            with gl.config.patch(recompile_limit=20):
                assert repr(jitted(X, table)[1]) == repr(function(table))
    for table in tables:
        printed(function, table)


def test_a_value_under_any_key_is_an_input() -> None:
    def function(x: Any, table: Any) -> Any:
        return x * table[1, "w"] + table[None] * table[2.5]

    with under("reference"):
        jitted: Any = gl.jit(fullgraph=True)(function)
        for scale in (1.0, 2.0, 3.0):
            table = {(1, "w"): Y, None: scale, 2.5: scale + 1}
            assert jitted(X, table).tolist() == function(X, table).tolist()
        assert len(state_of(jitted).entries) == 1


def test_keys_of_other_classes_break_and_are_not_asked() -> None:
    class Loud:
        def __hash__(self) -> int:
            return hash("a")

        def __eq__(self, other: object) -> bool:
            raise AssertionError("asked")

    with under("reference"), pytest.raises(gl.Unsupported, match="B401"):
        gl.jit(fullgraph=True)(lambda x, table: x + len(table))(X, {Loud(): 1})
    plain(lambda x, table: x + len(table), X, {math.nan: 1}, code="B401")
    jitted: Any = gl.jit(lambda x, table: x + table["a"])
    with under("reference"):
        assert jitted(X, {"a": 1.0}).tolist() == (X + 1.0).tolist()
        with pytest.raises((AssertionError, KeyError)):
            jitted(X, {Loud(): 1})


def test_methods() -> None:
    def function(pairs: Any) -> Any:
        table = dict.fromkeys("ab", 0)
        table.update(pairs)
        table.update({"z": 1}, y=2)
        table.update([("q", 3), ["r", 4]])
        last = table.popitem()
        table |= {"s": 5}
        table |= [("t", 6)]
        other = dict.fromkeys([1, 2])
        other.clear()
        views = table.keys(), table.values(), table.items()
        return (
            table, last, other, table.pop("a"), table.pop("none", 7), table.setdefault("b", 8), table.get("none"),
            [len(view) for view in views], list(reversed(table)), dict(table) == table, dict(pairs),
            dict([("k", 1)], j=2),
            ("b", 0) in table.items(), 3 in table.values(), table.keys().isdisjoint({"b": 1}), table | {"u": 1},
            dict.__contains__(table, "b"),
        )  # fmt: skip

    printed(function, {"m": 1, "a": 9})
    printed(function, {})


def test_set_operations_of_views() -> None:
    def function(table: Any) -> Any:
        keys = table.keys()
        return (
            keys & {"a", "zz"}, keys | {"zz"}, keys - {"a"}, keys ^ {"a", "zz"}, {"a"} - keys, {"a", "q"} & keys,
            table.items() & {("a", 1)}, keys == {"a", "b"}, keys <= {"a", "b", "c"}, {"a"} < keys, keys == table.keys(),
        )  # fmt: skip

    printed(function, {"a": 1, "b": 2})


def test_displays_and_calls_with_mappings() -> None:
    def callee(x: Any = 1, *rest: Any, key: Any = 2, **named: Any) -> Any:
        return x, rest, key, named

    def function(table: Any, parts: Any) -> Any:
        return (
            {**table, "n": 1, "a": 5},
            {"first": 1, **table},
            callee(**table),
            callee(*parts, **table, other=3),
            callee(*parts, *"ab", key=0),
            callee(*{"k": 1}, **{}),
            callee(*(k for k in parts)),
            dict(**table, c=1),
            (lambda a, b=parts, *, c=table: (a, b, c))(1),
        )

    printed(function, {"a": 1, "key": 4}, (7, 8))


def test_wrong_calls_and_displays_raise_as_in_python() -> None:
    def callee(**named: Any) -> Any:
        return named

    plain(lambda x, table: (x + 1, callee(a=1, **table)), X, {"a": 1}, code="B304")
    plain(lambda x, table: (x + 1, callee(**table)), X, {1: 1}, code="B304")
    plain(lambda x, parts: (x + 1, {**parts}), X, [1], code="B304")
    plain(lambda x, parts: (x + 1, callee(**parts)), X, [1], code="B304")
    plain(lambda x, table: (x + 1, table | [1]), X, {"a": 1}, code="B304")
    plain(lambda x: (x + 1, {}.popitem()), X, code="B304")
    plain(lambda x: (x + 1, {"a": 1}.update([(1, 2, 3)])), X, code="B304")
    plain(lambda x: (x + 1, {"a": 1} < {"b": 1}), X, code="B304")


def test_dicts_compare_by_their_items() -> None:
    def function(x: Any, n: int, table: Any) -> Any:
        return (
            x + 1, {"a": n} == {"a": 3}, {"a": n} != {"a": 3}, {1: n} == {True: n},
            {"a": 1, "b": 2} == {"b": 2, "a": 1},
            {} == [], {"a": x} == {"a": x}, {"a": [n, (n,)]} == {"a": [3, (3,)]}, table == {"a": 1.0}, table == table,
        )  # fmt: skip

    for n in (3, 4):
        compiled(function, X, n, {"a": 1})


def test_sequences_compare_element_by_element() -> None:
    def function(x: Any, n: Any, parts: Any) -> Any:
        return (
            x + 1, [1, 2] < [1, 3], [1] < [1, 0], (n, 1) <= (3, 0), (n, x) == (n, x), [x, x] == [x, x], (1, x) < (2, x),
            [n] == (n,), [n] != [n, n], (n,) > (), [[n], 2] >= [[2], 1], parts == [1, 2.0], parts < [1, 3],
            parts in ([1, 2], 3),
            (1, 2) == (1.0, True + 1), ("a", n) < ("b", None), (None, n) == (None, 3), slice(1, n) == slice(1, 3),
            range(3) == range(3),
        )  # fmt: skip

    for n in (3, 2, 3.5):
        compiled(function, X, n, [1, 2])


def test_a_comparison_of_numbers_in_sequences_guards_its_outcome() -> None:
    def function(x: Any, n: Any, m: Any) -> Any:
        return x + 1 if (n, 0) < (m, 1) else x - 1

    with under("reference"):
        jitted: Any = gl.jit(fullgraph=True)(function)
        for n, m in ((1, 2), (3, 9), (5, 6), (2, 1), (7, 3), (4, 4), (8, 8)):
            assert jitted(X, n, m).tolist() == function(X, n, m).tolist()
        assert len(state_of(jitted).entries) <= 3


def test_nan_is_found_by_identity_alone() -> None:
    def function(x: Any, r: float) -> Any:
        parts = [r, 1.0]
        return x + 1, r in parts, parts == [r, 1.0], (r,) == (r,), parts.count(r), parts.index(r), [r] != [r], r == r

    compiled(function, X, math.nan)
    compiled(function, X, 2.0)
    plain(lambda x, r, s: (x + 1, [r] == [s]), X, math.nan, math.nan, code="B401")


def test_comparing_arrays_in_sequences_breaks_or_raises_as_in_python() -> None:
    plain(lambda x, y: (x + 1, [x] == [y]), X, Y, code="B101")
    plain(lambda x, y: (x + 1, x in [y, x]), X, Y, code="B101")
    compiled(lambda x, y: (x + 1, x in [x, y], [x, y].index(x), [x] == [x, y], [] == [x]), X, Y)
    plain(lambda x: (x + 1, [1] < 3), X, code="B304")
    plain(lambda x: (x + 1, [1] < (3,)), X, code="B304")
    plain(lambda x: (x + 1, [1] + (3,)), X, code="B304")
    plain(lambda x: (x + 1, (1,) + [3]), X, code="B304")
    plain(lambda x, n: (x + 1, [1] * n), X, 1.5, code="B304")


def test_methods_of_lists_and_tuples() -> None:
    def function(n: int, parts: Any) -> Any:
        made = [3, n, 1, 2]
        made.sort()
        words = ["bb", "a", "ccc"]
        words.sort(key=len, reverse=True)
        rows = [(2, "x"), (1, "z"), (1, "y")]
        rows.sort(key=lambda row: row[0])
        made[1:3] = [8, 9, 10]
        made[::2] = "abc"[: len(made[::2])]
        del made[0:2]
        return (
            made, words, rows, [1, 2, 1].index(1, 1), (1, 2, 1).index(1, -1), (1, 2).count(2.0), parts[::-2],
            parts[slice(1, None)],
            parts[-1:], slice(1, 9, 2).indices(6), slice(n).stop, [1, 2] * 2, 2 * (1,), [*parts, *"ab"],
            list.__contains__([1], 1),
        )  # fmt: skip

    printed(function, 4, [1, 2, 3])
    printed(function, 4, (1, 2, 3))


def test_a_sort_of_unknown_numbers_guards_its_comparisons() -> None:
    def function(x: Any, a: float, b: float) -> Any:
        parts = [b, a, 1.0]
        parts.sort()
        return x * parts[0] + parts[2], parts

    with under("reference"):
        jitted: Any = gl.jit(fullgraph=True)(function)
        for a, b in ((2.0, 3.0), (2.5, 3.5), (3.0, 2.0), (0.5, 7.0), (2.25, 9.0)):
            assert repr(jitted(X, a, b)) == repr(function(X, a, b))
        assert len(state_of(jitted).entries) == 3


def test_slices_from_outside() -> None:
    def function(x: Any, part: Any) -> Any:
        return x[part] * 2, part, part.start, [1, 2, 3][part]

    with under("reference"):
        jitted = gl.jit(fullgraph=True)(function)
        for part in (slice(1, 3), slice(None), slice(0, 4, 2), slice(1, 3), slice(True, 3)):
            assert repr(jitted(X, part)) == repr(function(X, part))


def test_assignment_to_all_kinds_of_targets() -> None:
    def function(x: Any, n: int) -> Any:
        table: dict[Any, Any] = {"a": [1, 2], (1, 2): 3}
        table["a"][0] += n
        table[1, 2] *= 2
        table["b"] = spare = [n] * 3
        spare[n - 3 :] += [7]
        (first, table["c"]), *table["rest"] = (x, n), 4, 5
        for table["k"] in range(2):
            pass
        with gl.no_grad():
            if (grown := x + n) is not None:
                del table["a"][-1], spare[:1]
        del (first, spare)
        return grown, table

    compiled(function, X, 3)


def test_chains_conditions_and_identity() -> None:
    def function(x: Any, n: int, text: str, parts: Any) -> Any:
        return (
            x + (1 < n < 5 <= 9 != n), n if 1 < n > 7 else -n, n is not None is not True, text is None,
            parts is parts, parts is [],
            [] is [], {} is not {}, text not in ("a", None), n and text or parts, not n, (n or 1) and 0,
            x is x, n is not x,
        )  # fmt: skip

    for n in (3, 0, 8):
        compiled(function, X, n, "a", [1])


@pytest.mark.parametrize("element", [np.float64(1.5), np.int64(3)])
def test_numpys_numbers_are_not_keys(element: Any) -> None:
    plain(lambda x, element: (x + 1, {element: 1}), X, element, code="B102")


def test_a_slice_that_is_returned_twice_is_one_object() -> None:
    def function(x: Any) -> Any:
        part = slice(1, 3)
        return x[part] * 2, part, [part]

    with under("reference"):
        _, part, (same,) = gl.jit(fullgraph=True)(function)(X)
        assert part is same and part == slice(1, 3)


def test_a_number_is_looked_up_in_long_and_short_sequences() -> None:
    def function(x: Any, n: Any) -> Any:
        return x + (n in (1, 2, 3)), n in [*range(50)], n not in (), (n, 2) in [(1, 2), (n, 2)]

    with under("reference"):
        jitted = gl.jit(fullgraph=True)(function)
        for n in (1, 7, 70, 7.5, True):
            assert repr(jitted(X, n)) == repr(function(X, n))


def test_keys_that_come_and_go_under_an_iterator() -> None:
    """Whether CPython raises then, and what it visits, depends on the room that is left in the table."""

    def moved(d: Any, forwards: Any) -> Any:
        seen = []
        try:
            for key in d if forwards else reversed(d):
                seen.append(key)
                del d["a"]
                d["a"] = len(seen)
        except RuntimeError as error:
            seen.append(str(error))
        return seen, d

    def of_views(d: Any, other: Any) -> Any:
        d.setdefault("s", other)
        seen = []
        try:
            for each in d.items():
                seen.append(each)
                del d["a"]
                d.update(a=sum(d.values()))
        except RuntimeError as error:
            seen.append(str(error))
        return seen, d

    small, spread = {"a": 1, "b": 2}, dict.fromkeys("abcdefgh", 1)
    for key in "cdefgh":
        del spread[key]
    for function in (moved, of_views):
        jitted = gl.jit(function)
        for given in (small, spread, small, spread):
            for argument in (1, 0):
                # `copy` keeps the table as it is where that is not too empty, so that the two calls see the same
                assert jitted(given.copy(), argument) == function(given.copy(), argument)
