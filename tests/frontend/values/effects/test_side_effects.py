"""Lists and dicts from outside: what a call does to them is there after it, as Python would have left them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from frontend.language import X
from frontend.values.effects.effects_oracle import Thing, replayed
from oracle import under

import guardlift as gl
from guardlift.frontend import state_of

Body = Callable[..., Any]


def world(function: Body, *make: Callable[[], Any]) -> Any:
    """A maker of worlds: the function, with X and one new object of each maker as arguments."""
    return lambda: (function, (X.copy(), *(each() for each in make)))


def pop_all(x: Any, items: Any) -> Any:
    total = x
    while items:
        total = total + items.pop()
    return total


def assign_slices(x: Any, items: Any) -> None:
    items[1:3] = [x + 1]
    items[:0] = (x, items)
    del items[-1:]


def swap(x: Any, items: Any) -> Any:
    items[0], items[-1] = items[-1], items[0]
    return x + items[0]


def chain(x: Any, items: Any) -> Any:
    items.append(x + 1)
    items[-1] = items[-1] * 2
    items += [items[-1], x]
    items.insert(0, len(items))
    return items[-2] + items[0]


def clear_and_fill(x: Any, items: Any) -> None:
    items.clear()
    items.extend(x + k for k in range(2))


def backwards(x: Any, items: Any) -> Any:
    items.reverse()
    items.remove(1)
    items *= 2
    return x + len(items)


def itself(x: Any, items: Any) -> Any:
    items.append(items)
    items.append([items, x + 1])
    return items


LISTS: list[Body] = [pop_all, assign_slices, swap, chain, clear_and_fill, backwards, itself]


@pytest.mark.spec("S8.06")
@pytest.mark.parametrize("body", LISTS, ids=lambda body: body.__name__)
def test_a_list_is_left_as_python_leaves_it(body: Body) -> None:
    replayed(world(body, lambda: [1, 2.5, 1, 4]), compiles=2)


def test_a_list_of_any_length_is_appended_to() -> None:
    def log(x: Any, items: Any) -> Any:
        items.append(x * 2)
        items.extend([x.shape[0], None])
        return x + 1

    replayed(world(log, list), calls=6)


def test_each_call_stores_arrays_of_its_own() -> None:
    def log(x: Any, items: Any) -> None:
        y = x + 1
        items.append(y)
        items.append(y)
        items.append(y[1:])

    replayed(world(log, list), calls=3)


def test_a_call_without_result_that_reads_only_the_shape() -> None:
    replayed(world(lambda x, items: items.append(x.shape), list), calls=3)


def put(x: Any, table: Any) -> Any:
    table["new"] = x + 1
    table["a"] = table["new"] * 2
    return table["a"]


def reorder(x: Any, table: Any) -> Any:
    first = table["a"]
    del table["a"]
    table["a"] = first
    table["z"] = x * first
    return list(table)


def pops(x: Any, table: Any) -> Any:
    value = table.pop("b")
    other = table.pop("missing", 7)
    table.setdefault("b", x + value)
    table.setdefault("a", None)
    return other + value


def updates(x: Any, table: Any) -> Any:
    table.update({"b": x, "c": 3}, d=4)
    table |= {"a": table["b"] + 1}
    return len(table)


def count(x: Any, table: Any) -> Any:
    table["a"] += 1
    table["a"] += 1
    return x * table["a"]


def nested(x: Any, table: Any) -> Any:
    inner = {"table": table}
    table["inner"] = inner
    inner["x"] = x + 1
    inner["list"] = [inner]


def equal_keys(x: Any, table: Any) -> Any:
    table[1] = "int"
    table[True] = x + 1
    return list(table)


DICTS: list[Body] = [put, reorder, pops, updates, count, nested, equal_keys]


@pytest.mark.spec("S8.06")
@pytest.mark.parametrize("body", DICTS, ids=lambda body: body.__name__)
def test_a_dict_is_left_as_python_leaves_it(body: Body) -> None:
    replayed(world(body, lambda: {"a": 1, "b": 2.5}), compiles=3)


TAKES: list[Body] = [
    lambda table: table.pop("b"),
    lambda table: table.popitem(),
    lambda table: table.__delitem__("b"),
    lambda table: table.clear(),
]


@pytest.mark.parametrize("take", TAKES)
@pytest.mark.parametrize("steps", [1, 2])
def test_iterators_notice_what_was_taken_out_and_put_again_as_in_python(take: Body, steps: int) -> None:
    def renew(x: Any, table: Any) -> Any:
        take(table)
        table["b"] = 2.5
        return x + 1

    def seen(renewing: Body) -> str:
        table = {"a": 1, "b": 2.5}
        keys = iter(table)
        begun = [next(keys) for _ in range(steps)]
        renewing(X, table)
        try:
            return f"{begun} {next(keys)}"
        except (RuntimeError, StopIteration) as error:
            return f"{begun} {error!r}"

    jitted = gl.jit(renew, fullgraph=True)
    assert seen(renew) == seen(jitted) == seen(jitted)


def test_a_dict_of_any_keys_is_put_into() -> None:
    def store(x: Any, table: Any) -> Any:
        table["y"] = x + 1
        table["z"] = table
        return x * 2

    jitted = replayed(world(store, dict), calls=2)
    with under("reference"):
        table = {(1, 2): 3, "z": None, "y": 0}
        jitted(X, table)
        assert list(table) == [(1, 2), "z", "y"] and table["z"] is table


def test_what_was_read_before_its_place_was_written_is_what_was_there() -> None:
    def rotate(x: Any, items: Any, table: Any) -> Any:
        old, number = items[0], table["n"]
        items[0], table["n"] = items[1], number + 1
        items[1] = old
        table["old"] = old
        return old, number, x + number

    replayed(world(rotate, lambda: ["one", [2]], lambda: {"n": 1}), compiles=2)


def test_arrays_from_outside_move_between_containers() -> None:
    def move(x: Any, items: Any, table: Any) -> Any:
        table["w"] = items.pop()
        table["w"] += x
        x[0] = 5.0
        items.append(x)
        return x.sum() + table["w"]

    replayed(world(move, lambda: [X * 2], dict), compiles=3)


def test_an_exception_after_a_write_leaves_what_python_leaves() -> None:
    def fails(x: Any, items: Any) -> Any:
        items.append(x + 1)
        return items[7]

    def divides(x: Any, items: Any) -> Any:
        items.append(1)
        return x + 1 // items[0]

    replayed(world(fails, list), code="B304")
    replayed(world(divides, lambda: [0]), code="B304")


def test_what_was_written_before_a_caught_exception_stays() -> None:
    def tries(x: Any, items: Any, table: Any) -> Any:
        try:
            items.append(x + 1)
            table["tried"] = len(items)
            return table["missing"]
        except KeyError:
            items.append("caught")
        finally:
            table["done"] = items[-1]
        return x * 2

    replayed(world(tries, list, dict), compiles=2)


def test_a_side_exit_of_the_plan_changes_nothing_twice() -> None:
    def pick(x: Any, index: Any, items: Any) -> Any:
        items.append(len(x))
        return x[index]

    jitted = gl.jit(pick, fullgraph=True)
    items: list[int] = []
    jitted(X, np.array([0, 3]), items)
    with pytest.raises(IndexError):
        jitted(X, np.array([0, 9]), items)
    assert items == [4, 4]


def put_into_both(x: Any, a: Any, b: Any) -> Any:
    a.append(x + 1)
    b.append(len(a))
    a.append(b[-1])
    return len(b)


def test_one_list_under_two_names() -> None:
    jitted = gl.jit(put_into_both, fullgraph=True)
    with under("reference"):
        for _ in range(2):
            for same in (False, True, False):
                plain: list[Any] = [0]
                mine: list[Any] = [0]
                wanted = put_into_both(X, plain, plain if same else [])
                assert jitted(X, mine, mine if same else []) == wanted
                assert str(plain) == str(mine)
    state = state_of(jitted)
    assert state is not None and len(state.entries) == 2


def test_one_list_inside_two_others() -> None:
    def change(x: Any, table: Any, pair: Any) -> Any:
        table["items"].append(x + 1)
        return len(pair[0])

    def same() -> Any:
        items: list[Any] = []
        return change, (X, {"items": items}, (items,))

    def different() -> Any:
        return change, (X, {"items": []}, ([],))

    replayed(same, compiles=2)
    jitted = replayed(different, compiles=2)
    with under("reference"):
        items: list[Any] = []
        assert jitted(X, {"items": items}, (items,)) == 1


def test_a_list_that_holds_itself() -> None:
    def make() -> Any:
        items: list[Any] = [1]
        items.append(items)
        return lambda x, items: (items[1].append(x + 1), items[1][1]), (X, items)

    replayed(make, compiles=2)


def test_a_new_object_stored_outside_and_changed_then() -> None:
    def keep(x: Any, table: Any) -> Any:
        made: list[Any] = [x]
        table["made"] = made
        made.append(x + 1)
        table["made"].append(made)
        return made

    replayed(world(keep, dict), compiles=1)


def test_a_default_argument_is_one_list_for_all_calls() -> None:
    def collect(value: Any, into: list[Any] = []) -> Any:  # noqa: B006
        into.append(value)
        return into

    def make() -> Any:
        own = type(collect)(collect.__code__, collect.__globals__, "collect", ([],))
        return lambda x, function: function(x + 1), (X, own)

    replayed(make, calls=3)


def test_containers_of_other_kinds_break() -> None:
    def add(x: Any, items: Any) -> Any:
        items.append(1)
        return x + 1

    replayed(world(add, lambda: bytearray(b"a")), code="B401")


def test_an_objects_attributes_used_as_a_dict_break() -> None:
    def both(x: Any, thing: Any, table: Any) -> Any:
        thing.n = x + 1
        return table["n"]

    def make() -> Any:
        thing = Thing(n=1)
        return both, (X, thing, vars(thing))

    replayed(make, code="B302")
