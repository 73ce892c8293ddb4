"""Watched dicts and lists: they do what plain ones do, and tell of every change."""

from __future__ import annotations

import copy
import itertools
import pickle
import weakref
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardlift.core import watch as core_watch
from guardlift.core import watched_containers
from guardlift.core.watch import Validity, Watchers, watch
from guardlift.core.watched_containers import STRUCTURE, WatchedDict, WatchedList

KEYS = "abcd"
VALUES = [object() for _ in range(4)]

keys = st.sampled_from(KEYS)
values = st.sampled_from(VALUES)
dicts = st.dictionaries(keys, values, max_size=3)
indices = st.integers(-5, 5)
slices = st.builds(slice, st.none() | indices, st.none() | indices, st.none() | st.sampled_from([1, 2, -1]))


class Raising:
    """Gives some elements, then an error."""

    def __init__(self, *elements: Any) -> None:
        self.elements = elements

    def __iter__(self) -> Any:
        yield from self.elements
        raise ArithmeticError("no more")


def subscriptions(owner: Any, keys: Any) -> dict[Any, Validity]:
    made = {}
    for key in keys:
        made[key] = Validity("payload")
        watch(owner, key, made[key], f"{key} is as it was")
    return made


def told(made: dict[Any, Validity]) -> set[Any]:
    return {key for key, validity in made.items() if validity.broken}


def outcome(act: Callable[[Any], Any], container: Any) -> Any:
    try:
        result = act(container)
    except Exception as error:
        # CPython words the wrong number of arguments otherwise for functions written in C.
        return type(error), "" if type(error) is TypeError else str(error)
    return "the container itself" if result is container else result


def set_item(key: Any, value: Any) -> Any:
    return lambda container: container.__setitem__(key, value)


def del_item(key: Any) -> Any:
    return lambda container: container.__delitem__(key)


def in_place_or(other: Any) -> Any:
    def act(container: Any) -> Any:
        container |= other
        return container

    return act


def in_place_add(other: Any) -> Any:
    def act(container: Any) -> Any:
        container += other
        return container

    return act


def in_place_multiply(count: Any) -> Any:
    def act(container: Any) -> Any:
        container *= count
        return container

    return act


def method(name: str, *args: Any, **kwargs: Any) -> Any:
    return lambda container: getattr(container, name)(*args, **kwargs)


pairs = st.lists(st.tuples(keys, values), max_size=3)
dict_changes = st.one_of(
    st.builds(set_item, keys, values),
    st.builds(del_item, keys),
    st.builds(in_place_or, dicts | pairs | st.just(3)),
    st.builds(method, st.just("pop"), keys),
    st.builds(method, st.just("pop"), keys, values),
    st.builds(method, st.just("setdefault"), keys, values),
    st.builds(method, st.just("update"), dicts | pairs | st.builds(Raising, st.tuples(keys, values))),
    st.builds(lambda found: method("update", **found), dicts),
    st.builds(lambda found: method("__init__", **found), dicts),
    st.sampled_from([method("popitem"), method("clear"), method("update"), method("update", 1, 2), method("get", "a")]),
)


@given(dicts, st.lists(dict_changes, max_size=6), st.booleans())
def test_a_watched_dict_does_what_a_plain_one_does_and_tells_exactly_what_changed(start, changes, watched) -> None:
    plain, ours = dict(start), WatchedDict(start)
    for act in changes:
        before = dict(ours)
        made = subscriptions(ours, [*KEYS, STRUCTURE]) if watched else {}
        assert outcome(act, ours) == outcome(act, plain)
        assert list(ours.items()) == list(plain.items())
        expected = {key for key in KEYS if ours.get(key) is not before.get(key)}
        if list(before) != list(ours):
            expected.add(STRUCTURE)
        if watched:
            assert told(made) == expected


def test_a_key_that_goes_and_comes_back_in_one_update_changes_the_order_and_tells() -> None:
    ours = WatchedDict(a=1, b=2)
    made = subscriptions(ours, [STRUCTURE])
    del ours["a"]
    ours["a"] = 1
    assert told(made) == {STRUCTURE}
    assert list(ours) == ["b", "a"]


lists = st.lists(values, max_size=3)
list_changes = st.one_of(
    st.builds(set_item, indices, values),
    st.builds(set_item, slices, lists | st.builds(Raising, values) | st.just(3)),
    st.builds(del_item, indices | slices),
    st.builds(in_place_add, lists | st.builds(Raising, values) | st.just(3)),
    st.builds(in_place_multiply, st.integers(-1, 2) | st.just("x")),
    st.builds(method, st.just("append"), values),
    st.builds(method, st.just("extend"), lists | st.builds(Raising, values)),
    st.builds(method, st.just("insert"), indices, values),
    st.builds(method, st.just("pop"), indices),
    st.builds(method, st.just("remove"), values),
    st.builds(method, st.just("__init__"), lists),
    st.sampled_from([method("pop"), method("clear"), method("reverse"), method("sort", key=id), method("copy")]),
    st.sampled_from([method("sort", key=id, reverse=True), method("sort"), method("sort", 1), method("__init__")]),
)


@given(lists, st.lists(list_changes, max_size=6), st.booleans())
def test_a_watched_list_does_what_a_plain_one_does_and_tells_of_every_change(start, changes, watched) -> None:
    plain, ours = list(start), WatchedList(start)
    for act in changes:
        before = list(ours)
        made = subscriptions(ours, [STRUCTURE]) if watched else {}
        assert outcome(act, ours) == outcome(act, plain)
        assert list(ours) == plain
        changed = [id(each) for each in before] != [id(each) for each in ours]
        if watched and changed:
            assert told(made) == {STRUCTURE}


def test_setting_the_very_same_object_tells_nothing_and_another_one_that_is_equal_does() -> None:
    first, second = [1.5], [1.5]
    for container, place, key in ((WatchedDict(a=first), "a", "a"), (WatchedList([first]), 0, STRUCTURE)):
        made = subscriptions(container, [key, STRUCTURE])
        container[place] = first
        assert told(made) == set()
        container[place] = second
        assert told(made) == {key}


ARGUMENTS = [(), ("a",), ("a", 5), (0,), (0, 5), ([5],), ({"a": 5},), ([("z", 5)],), (2,), (slice(0, 1), [7]), (1,)]


@pytest.mark.parametrize("kind", [WatchedDict, WatchedList])
def test_whatever_method_of_the_plain_type_changes_the_container_tells_it(kind: Any) -> None:
    plain = kind.__mro__[1]
    changing = set()
    for name, arguments in itertools.product(dir(plain), ARGUMENTS):
        container = WatchedDict(b=2, a=1) if kind is WatchedDict else WatchedList([2, 1, 3])
        before = repr(container)
        made = subscriptions(container, [STRUCTURE, "a", "b"])
        if not callable(getattr(container, name)) or name in ("__class__", "__setattr__", "__delattr__"):
            continue
        try:
            getattr(container, name)(*arguments)
        except Exception:
            pass
        if repr(container) != before:
            changing.add(name)
            assert told(made), (name, arguments)
    shared = {"__init__", "__setitem__", "__delitem__", "pop", "clear"}
    own = {"update", "setdefault", "popitem", "__ior__"}
    if kind is WatchedList:
        own = {"append", "extend", "insert", "remove", "sort", "reverse", "__iadd__", "__imul__"}
    assert changing == shared | own
    assert changing <= set(vars(kind))


def test_copies_slices_sums_and_pickles_are_plain() -> None:
    inner = WatchedDict(a=1)
    ours = WatchedList([inner, 2])
    assert type(inner.copy()) is type(copy.copy(inner)) is type(inner | {}) is dict
    assert type(ours.copy()) is type(copy.copy(ours)) is type(ours[:]) is type(ours + []) is type(ours * 1) is list
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(ours, protocol))
        assert (type(again), type(again[0]), again) == (list, dict, [{"a": 1}, 2])
    deep = copy.deepcopy(ours)
    assert (type(deep), type(deep[0]), deep) == (list, dict, [{"a": 1}, 2])
    assert deep[0] is not inner


def test_a_container_that_holds_itself_is_pickled_and_deep_copied() -> None:
    ours = WatchedList()
    ours.append(WatchedDict(back=ours))
    for again in (pickle.loads(pickle.dumps(ours)), copy.deepcopy(ours)):
        assert type(again) is list and again[0]["back"] is again


def test_they_print_and_compare_as_plain_ones_and_can_be_weakly_referenced() -> None:
    ours = WatchedDict(a=WatchedList([1]))
    assert repr(ours) == "{'a': [1]}" and ours == {"a": [1]}
    assert weakref.ref(ours)() is ours and weakref.ref(ours["a"])() == [1]
    assert type(WatchedDict.fromkeys("ab")) is WatchedDict


@pytest.mark.parametrize(
    ("statement", "container"),
    [("c['a'] = 1", WatchedDict(a=2)), ("c[0] = [1]", WatchedList([2])), ("c.append(1); c.pop()", WatchedList([2]))],
)
def test_a_write_that_nobody_watches_tells_nobody_and_waits_for_nobody(
    statement: str, container: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (core_watch, watched_containers):  # whoever takes or calls one of them fails
        monkeypatch.setattr(module, "LOCK", None)
        monkeypatch.setattr(module, "tell", None)
    exec(statement, {"c": container})
    container._watchers = Watchers()
    with pytest.raises(TypeError):
        exec(statement, {"c": container})
