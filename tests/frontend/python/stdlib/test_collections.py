"""The mappings of `collections`, made in a traced function or read from outside."""

from __future__ import annotations

from collections import ChainMap, Counter, OrderedDict, UserDict, UserList, UserString, defaultdict
from collections.abc import Callable
from typing import Any

import pytest
from frontend.language import X, compiled
from frontend.values.effects.effects_oracle import replayed

import guardlift as gl

Body = Callable[..., Any]


@pytest.fixture(autouse=True)
def _every_function_is_followed() -> Any:
    with gl.config.patch(trace_without_arrays=True):
        yield


class Recent(OrderedDict[Any, Any]):
    """Keeps the last two keys that were asked for."""

    def get_or_make(self, key: Any, make: Any) -> Any:
        if key in self:
            self.move_to_end(key)
            return self[key]
        self[key] = make()
        if len(self) > 2:
            self.popitem(last=False)
        return self[key]


class Tree(defaultdict[Any, Any]):
    def __init__(self) -> None:
        super().__init__(Tree)

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(f"<{key}>", value)


class Tally(Counter[Any]):
    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key, value * 10)


def ordered(x: Any) -> Any:
    o = OrderedDict(a=1, b=2)
    o["c"] = x
    o.move_to_end("a")
    o.move_to_end("c", last=False)
    steps = list(o), [*reversed(o)], list(o.items())[1:], type(o.keys()), type(iter(o)), len(o), "b" in o, o.get("q", 3)
    o["c"] = 3
    same = (
        o == OrderedDict(c=3, b=2, a=1),
        o == OrderedDict(a=1, b=2, c=3),
        o == {"a": 1, "b": 2, "c": 3},
        {"a": 1} != o,
    )
    joined = (
        o | {"z": 1},
        {"z": 1} | o,
        type({"z": 1} | o),
        o.copy(),
        OrderedDict.fromkeys("ab"),
        repr(o),
        OrderedDict([("k", 1)]),
    )
    o |= {"y": 5}
    last, first, popped, kept = o.popitem(), o.popitem(last=False), o.pop("b"), o.setdefault("n", [])
    kept.append(4)
    o.update({"m": 1}, n2=2)
    r = Recent()
    made = [r.get_or_make(key, lambda: len(r)) for key in "abacab"]
    return o, steps, same, joined, last, first, popped, r, made, o.pop("nothing", None), x + 1


def changing_orders(x: Any) -> Any:
    o, seen = OrderedDict.fromkeys("abc"), []
    for change in (lambda: o.move_to_end("a"), lambda: o.update(d=1), lambda: o.update(a=1), lambda: o.pop("b")):
        try:
            for each in o:
                seen.append(each)
                change()
                if len(seen) > 30:
                    break
        except RuntimeError as error:
            seen.append(str(error))
    return seen, x + 1


def defaults(x: Any) -> Any:
    d: Any = defaultdict(list)
    for k, word in enumerate(["aa", "b", "cc"]):
        d[len(word)].append((k, word, x))
    n: Any = defaultdict(int, {"a": 1}, b=2)
    for each in "abca":
        n[each] += 1
    made = (
        n | {"q": 1},
        {"q": 1} | n,
        n.copy(),
        n.copy().default_factory,
        repr(n),
        dict(n),
        n == dict(n),
        type(n.copy()),
    )
    n.default_factory = None
    try:
        n["zz"]
    except KeyError as error:
        refused = error.args
    t: Any = Tree()
    t["a"]["b"]["c"] = 1
    return d, len(d), n, made, refused, n.get("zz"), "zz" in n, t, list(t), defaultdict(None, a=1), d.pop(1), x + 1


def counters(x: Any) -> Any:
    c = Counter("abracadabra")
    c["z"] += 3
    c.update("zz")
    c.update({"a": 1}, b=5)
    c.subtract("a")
    asked = c["none"], c.most_common(), sum(c.values()), c.total(), list(c.elements()), c["a"], "q" in c
    algebra = (
        c + Counter(a=1),
        c - Counter(a=2, z=9),
        c & Counter("az"),
        c | Counter("q"),
        +c,
        -c,
        c == Counter(c),
        c > Counter("a"),
    )
    del c["nothing"]
    return c, asked, algebra, repr(c), Tally("aab"), type(c.copy()), x + 1


def chains(x: Any) -> Any:
    inner = {"b": 2, "a": 5}
    c: Any = ChainMap({"a": 1}, inner)
    c["n"] = x
    child = c.new_child({"b": 9})
    return (
        c["a"],
        c["b"],
        len(c),
        "b" in c,
        c.maps,
        child["b"],
        child.parents["b"],
        c.get("q", 1),
        list(c),
        bool(c),
        x + 1,
    )


def user_classes(x: Any) -> Any:
    d: Any = UserDict(a=1)
    d["b"] = 2
    d |= {"c": 3}
    n: Any = UserList([3, 1, 2])
    n.append(x.ndim)
    n += [7]
    n.sort()
    s = UserString("ab")
    return (
        d.data,
        dict(d),
        "a" in d,
        len(d),
        n.data,
        n[1:].data,
        (n + [1]).data,
        n == [1, 1, 2, 3, 7],
        s + "c" == "abc",
        s.upper().data,
        x + 1,
    )


@pytest.mark.spec("S8.09")
@pytest.mark.parametrize(
    "body",
    [ordered, changing_orders, defaults, counters, chains, user_classes],
    ids=lambda body: body.__name__,
)
def test_one_that_the_function_makes(body: Body) -> None:
    compiled(body, X)


def error_of(call: Callable[[], Any]) -> str:
    try:
        return repr(call())
    except (TypeError, KeyError, ValueError, AttributeError, NotImplementedError) as error:
        return f"{type(error).__name__}: {error}"


@pytest.mark.parametrize(
    "call",
    [
        lambda: OrderedDict().popitem(), lambda: OrderedDict().move_to_end(3), lambda: OrderedDict()["k"],
        lambda: OrderedDict(a=1).pop("b"), lambda: OrderedDict([1]), lambda: OrderedDict([(1, 2, 3)]),
        lambda: OrderedDict(3),
        lambda: defaultdict(3), lambda: defaultdict()["a"], lambda: defaultdict(int) | 3, lambda: OrderedDict() | 3,
        lambda: OrderedDict() < OrderedDict(), lambda: defaultdict(lambda: {}[1])[2], lambda: Counter(3),
        lambda: hash(Counter()),
        lambda: Counter.fromkeys("a"), lambda: OrderedDict().nothing, lambda: dict.__setitem__(OrderedDict(), 1, 2),
        lambda: dict.pop(OrderedDict(a=1), "a"), lambda: defaultdict(int, [(1, 2)], 3),
    ],
)  # fmt: skip
def test_errors_are_pythons(call: Callable[[], Any]) -> None:
    jitted = gl.jit(lambda x: (error_of(call), x + 1))
    for _ in range(2):
        assert jitted(X)[0] == error_of(call)


# From outside.
def reordered(x: Any, o: Any) -> Any:
    o["z"] = x
    o.move_to_end("a")
    del o["b"]
    o["b"] = 1
    return o["c"], list(o), o


def emptied(x: Any, o: Any) -> Any:
    o.popitem(last=False)
    o.clear()
    o["new"] = x


def filled(x: Any, d: Any) -> Any:
    d["k"].append(x)
    d["new"].append(1)
    return len(d), d.get("other"), d


def counted(x: Any, c: Any) -> Any:
    c.update("abz")
    c["q"] += 1
    del c["a"]
    return c["nothing"], c


@pytest.mark.parametrize(
    ("body", "make"),
    [
        (reordered, lambda: OrderedDict(a=1, b=2, c=3)), (reordered, lambda: Recent(a=1, b=2, c=3)),
        (emptied, lambda: OrderedDict(a=1, b=2, c=3)),
        (filled, lambda: defaultdict(list, k=[])), (filled, lambda: defaultdict(lambda: [7], k=[])),
        (counted, lambda: Counter("aab")), (counted, lambda: Tally("aab")),
    ],
)  # fmt: skip
def test_one_from_outside_is_left_as_python_leaves_it(body: Body, make: Callable[[], Any]) -> None:
    replayed(lambda: (body, (X.copy(), make())), calls=1)


def test_a_moved_key_is_another_order() -> None:
    jitted = gl.jit(lambda x, o: (list(o), o["a"], x + 1), fullgraph=True)
    o = OrderedDict(a=1, b=2)
    for _ in range(2):
        assert jitted(X, o)[0] == list(o)
        o.move_to_end("a")
        assert jitted(X, o)[0] == list(o)


def test_another_factory_is_another_entry() -> None:
    jitted = gl.jit(lambda x, d: (d["k"], x + 1), fullgraph=True)
    for factory, wanted in ((int, 0), (list, []), (int, 0), (dict, {})):
        d: Any = defaultdict(factory)
        assert jitted(X, d)[0] == wanted == d["k"]


def test_the_dict_of_a_user_dict_is_changed() -> None:
    def function(x: Any, d: Any) -> Any:
        d["n"] = 1
        del d["a"]
        return dict(d), x + 1

    jitted = gl.jit(function)
    mine, his = UserDict(a=1), UserDict(a=1)
    assert jitted(X, mine)[0] == function(X, his)[0] and mine.data == his.data
