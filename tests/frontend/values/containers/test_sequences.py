"""Tuples, lists, dicts and ranges made or read by a traced function."""

# ruff: noqa: F601, C408 (what is written is what is tested)

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np
import pytest
from frontend.language import X, Y, compiled, plain

import guardlift as gl


@pytest.mark.spec("S8.05")
def test_building_and_unpacking() -> None:
    def function(x: Any, pair: Any) -> Any:
        a, b = pair
        (c, (d, e)), *rest = (1, (2, 3)), 4, 5, x
        first, *middle, last = [x, 1, 2, 3]
        *start, end = (b, a)
        f, g, h = "abc"
        p, q = np.float64(2), x * 2
        return [a, *rest, *pair], (*middle, *start), {"a": c, "b": d, "a": e}, first, last, end, f + g + h, p, q

    compiled(function, X, (1.0, Y))
    compiled(function, X, [1.0, Y])


def test_unpacking_an_array_gives_its_rows() -> None:
    def function(x: Any) -> Any:
        a, b = x
        c, *d = x
        return a + b, c, d

    compiled(function, np.arange(6.0).reshape(2, 3))


@pytest.mark.parametrize("count", [1, 3])
def test_unpacking_the_wrong_number_raises_as_in_python(count: int) -> None:
    def function(x: Any, parts: Any) -> Any:
        a, b = parts
        return x + a

    def starred(x: Any, parts: Any) -> Any:
        a, b, *c, d, e = parts
        return x + a

    plain(function, X, [1.0] * count, code="B304")
    plain(starred, X, (1.0,) * count, code="B304")


def test_a_tuple_that_leaves_the_call_twice_is_one_object() -> None:
    def function(x: Any, keep: Any) -> Any:
        pair = (x + 1, [x])
        keep.append(pair)
        return pair, {"pair": pair}, (pair, 1)

    jitted = gl.jit(function, fullgraph=True)
    for _ in range(2):
        keep: list[Any] = []
        first, table, (last, _) = jitted(X, keep)
        assert first is table["pair"] is last is keep[0]


def test_special_methods_by_name_and_what_methods_are() -> None:
    def function(x: Any) -> Any:
        items, table = [1, x], {"a": 1}
        items.__setitem__(0, 2)
        table.__setitem__("b", items.__getitem__(0))
        table.__delitem__("a")
        kinds = [
            type(each).__name__ for each in (items.pop, items.__len__, items.__getitem__, table.__contains__, next)
        ]
        return items, table, items.__len__(), (1, 2).__getitem__(1), kinds, items.pop.__name__, next.__name__, x + 1

    compiled(function, X)


def test_methods_of_lists() -> None:
    def function(x: Any) -> Any:
        parts = [1, x]
        parts.append(2)
        parts.extend((3, 4))
        parts.insert(0, x * 2)
        parts.reverse()
        last, second = parts.pop(), parts.pop(1)
        copied = parts.copy()
        parts[0], parts[1:2] = 9, [8, 7]
        del copied[0]
        numbers = [3, 1, 2, 1]
        numbers.remove(1)
        numbers += (5,)
        numbers *= 2
        return (
            parts,
            last,
            second,
            copied,
            numbers,
            numbers.index(2),
            numbers.count(1),
            sorted(numbers),
            numbers[::-1],
            parts is copied,
        )

    compiled(function, X)


def test_lists_that_are_one_object_stay_one() -> None:
    def function(x: Any) -> Any:
        parts = [x + 1]
        same = parts
        same.append(2)
        table = {"a": parts, "b": same}
        return parts, same, table, [parts, parts]

    report = compiled(function, X)
    parts, same, table, both = report.results[0]
    assert parts is same is table["a"] is table["b"] is both[0] is both[1]


def test_methods_of_dicts() -> None:
    def function(x: Any) -> Any:
        table = dict(a=1, b=x + 1)
        table["c"] = table.get("a", 5) + table.get("zz", 7)
        table.update({"d": 4}, e=5)
        table.update(f=6)
        first = table.setdefault("a", 99), table.setdefault("g", 77)
        popped = table.pop("d"), table.pop("none", None)
        del table["e"]
        merged = table | {"a": 0, "h": 8}
        merged |= {"i": 9}
        return (
            table,
            merged,
            first,
            popped,
            len(table),
            list(table),
            list(merged.values())[0],
            "a" in table,
            "d" in table.keys(),
        )

    compiled(function, X)


def test_keys_that_are_equal_are_one_key() -> None:
    def function(x: Any, n: int) -> Any:
        table: dict[Any, Any] = {
            1: x,
            True: x * 2,
            1.0: x * 3,
            0.0: "zero",
            -0.0: "minus",
            None: 1,
            (1, 2): 3,
            n: x * 4,
        }
        return table, table[True], table[0], table[(1, 2)], table[2]

    compiled(function, X, 2)


def test_a_missing_key_or_index_raises_as_in_python() -> None:
    plain(lambda x, table: x + table["b"], X, {"a": 1}, code="B304")
    plain(lambda x: {"a": x + 1}["b"], X, code="B304")
    plain(lambda x: [x + 1][3], X, code="B304")
    plain(lambda x, key: (x + 1, 2)[key], X, "a", code="B304")
    plain(lambda x: {[]: x + 1}, X, code="B304")
    plain(lambda x: [x + 1].pop(4), X, code="B304")
    plain(lambda x: (x + 1, [].index(3)), X, code="B304")


def test_slices_and_negative_indices() -> None:
    def function(x: Any, n: int) -> Any:
        parts = [x, x + 1, x + 2, 4]
        return (
            parts[-1],
            parts[1:n],
            parts[::-1][0],
            (1, 2, 3)[-2:],
            range(10)[2:8:3],
            range(9)[-1],
            "text"[1:3],
            parts[slice(0, 2)],
        )

    compiled(function, X, 3)


def test_comparison_of_containers_of_known_values() -> None:
    compiled(lambda x, shape: x + 1 if x.shape == shape and shape < (9,) else x - 1, X, (4,))
    compiled(lambda x, shape: x + 1 if x.shape == shape else x - 1, X, (5,))
    compiled(lambda x: (x + 1, [1, 2] == [1, 2], (1,) != [1], [] == ()), X)


def test_length_and_truth_of_containers() -> None:
    def function(x: Any, parts: Any) -> Any:
        if parts and not [] and not {} and (1,):
            x = x + len(parts)
        return x * len("abc") * len(range(4)) * len({"a": 1}) * len(x)

    compiled(function, X, [1, 2])
    compiled(function, X, {})
    compiled(function, X, ())


def test_nested_containers_from_outside() -> None:
    def function(model: Any, x: Any) -> Any:
        for layer in model["layers"]:
            x = x * layer["w"] + layer["b"][0]
        return x, model["name"]

    compiled(function, {"layers": [{"w": X, "b": (1.0, 2)}, {"w": Y, "b": (3.0, 4)}], "name": "m"}, X)


def test_an_argument_is_returned_as_the_object_it_is() -> None:
    def function(x: Any, parts: Any, table: Any, text: str, number: float, pair: Any) -> Any:
        return x + 1, parts, table, text, number, pair, [parts, pair]

    parts, table, text, number, pair = [1, X], {"a": 1}, "".join(["a", "b"]), 1e10, (1, 2)
    jitted = gl.jit(fullgraph=True)(function)
    for _ in range(2):
        result = jitted(X, parts, table, text, number, pair)
        assert (
            result[1] is parts
            and result[2] is table
            and result[3] is text
            and result[4] is number
            and result[5] is pair
        )
        assert result[6][0] is parts and result[6][1] is pair


def test_sums_minima_and_maxima() -> None:
    compiled(
        lambda x, a, b: (
            sum([x, x, 1]),
            sum([1, 2], 3),
            min(a, b),
            max([a, b, 2]),
            min(3, 1),
            any([0, a]),
            all([a, b]),
        ),
        X,
        1.5,
        2,
    )


def test_a_container_may_hold_itself() -> None:
    parts: list[Any] = [1]
    parts.append({"parts": (parts,)})
    compiled(lambda x: x + len(parts) + parts[1]["parts"][0][0], X)


@pytest.mark.parametrize("text", [str, repr, ascii])
def test_the_text_of_a_container_that_holds_itself_is_asked_of_python(text: Any) -> None:
    def function(x: Any) -> Any:
        items: list[Any] = [1]
        items.append(items)
        table: dict[int, Any] = {2: items}
        table[3] = table
        y = x * 2
        return text(items), text(table), text(deque([table], 1)), y + 1

    plain(function, X, code="B401")


def test_integers_of_thousands_of_digits() -> None:
    huge = 10**5000
    compiled(lambda x, n: x + 1 if n in (1, 2) else x - 1, X, huge)
    compiled(lambda x, n: x + 1 if n + huge > 0 else x - 1, X, 3)
    report = plain(lambda x, n: x + (n + 10**5000), X, 3, code="B401")
    assert "bits" in report.events[0].text
