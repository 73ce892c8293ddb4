"""Objects of classes below a built-in type, made in a traced function or read from outside."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from frontend.language import X, compiled, plain
from frontend.values.effects.effects_oracle import replayed

import guardlift as gl

Body = Callable[..., Any]


class Row(list[Any]):
    """Has attributes, and a method of its own for one of the list's."""

    def __init__(self, items: Any = (), tag: str = "new") -> None:
        super().__init__(items)
        self.tag = tag

    def append(self, item: Any) -> None:
        super().append(item)
        list.append(self, self.tag)

    def total(self) -> Any:
        return sum(each for each in self if not isinstance(each, str))


class Backwards(list[Any]):
    """Iterates and counts in another way than lists do."""

    def __iter__(self) -> Any:
        return iter([*reversed(self)])

    def __len__(self) -> int:
        return 7

    def __getitem__(self, key: Any) -> Any:
        return "item", key

    def __eq__(self, other: object) -> bool:
        return other is None

    def __add__(self, other: Any) -> Any:
        return "sum", super().__add__(other)

    def __repr__(self) -> str:
        return "backwards"


class Config(dict[Any, Any]):
    def __missing__(self, key: Any) -> Any:
        return "missing", key

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key, ("set", value))


class Asked(dict[Any, Any]):
    """A mapping whose `keys` are others than the dict's."""

    def keys(self) -> Any:
        return ["a", "a", "b"]

    def __iter__(self) -> Any:
        return iter(["b"])


class Quiet(dict[Any, Any]):
    """A subclass that differs in iteration alone, which is what decides."""

    def keys(self) -> Any:
        return ["never"]


class Celsius(float):
    unit = "C"

    @property
    def fahrenheit(self) -> float:
        return self * 9 / 5 + 32

    def __float__(self) -> float:
        return 99.0


class Count(int):
    def __index__(self) -> int:
        return 1

    def __radd__(self, other: Any) -> Any:
        return "radd", other

    def __str__(self) -> str:
        return "count"


class Name(str):
    __slots__ = ("first",)

    def shout(self) -> str:
        return self.upper() + "!"


class Version(tuple[Any, ...]):
    def __new__(cls, *parts: Any) -> Any:
        made = super().__new__(cls, parts)
        made.label = "v"  # type: ignore[attr-defined]
        return made


class Mixin:
    def twice(self) -> Any:
        return [*self, *self]  # type: ignore[misc]


class Mixed(Mixin, Row):
    pass


def lists(x: Any) -> Any:
    r: Any = Row([1, 2, 3], "t")
    r.append(4)
    r[0] = 9
    same = r
    r += (7,)
    r.extend([x])
    del r[-1]
    asked = len(r), r.total(), 9 in r, bool(r), r.index(2), r.count(9), [*reversed(r)], isinstance(r, list), type(r)
    made = (
        r[1:],
        r + [1],
        [0] + r,
        r * 2,
        2 * r,
        r.copy(),
        list(r),
        tuple(r),
        sorted(map(str, r)),
        type(r * 2),
        type(r[:]),
    )
    compared = r == [9, 2, 3, 4, "t", 7], r != r[:], [1] < r, Row([1]) == Row([1]), Row() == (), r is same
    first, *rest = r
    return r, r.tag, asked, made, compared, first, rest, repr(Row([1])), x + len(r), Mixed([1]).twice(), Row().__dict__


def overriding(x: Any) -> Any:
    b: Any = Backwards([1, 2])
    seen = list(b), [*b], len(b), b[0], b == [1, 2], b != None, b + [3], repr(b), list.__len__(b)  # noqa: E711, PLC2801
    return seen, tuple(b), sorted(b), [0] + b, max(b), b, x + 1


def dicts(x: Any) -> Any:
    d: Any = Config(a=1)
    d["b"] = 2
    d.update({"c": 3}, e=x.shape)
    d |= {"f": 4}
    asked = d["zz"], d.get("zz"), "a" in d, len(d), list(d), list(d.items()), d.pop("f"), [*reversed(d)]
    made = d | {"q": 1}, {"q": 1} | d, dict(d), {**d}, d.copy(), type(d.copy()), d == dict(d), d != {}
    merged: dict[str, Any] = {}
    merged.update(d)
    taken = dict(Asked(a=1, b=2, c=3)), dict(Quiet(a=1)), {**Asked(a=1, b=2)}, {**Quiet(b=3)}
    return d, asked, made, merged, taken, x + 1


def numbers(x: Any) -> Any:
    c, n = Celsius(2.5), Count(3)
    arithmetic = (
        c + 1,
        c * c,
        2 - c,
        -c,
        abs(c),
        c // 2,
        divmod(c, 2)[0],
        c == 2.5,
        c < 3,
        type(c + 0),
        c.fahrenheit,
        c.unit,
    )
    whole = (
        n + 1,
        1 + n,
        n * 2,
        [10, 20, 30, 40][n],
        "abcd"[n],
        str(n),
        f"{n}",
        f"{n:03}",
        repr(n),
        int(n),
        hash(n),
        n & 2,
    )
    others = float(c), math.sqrt(c), round(c), f"{c:.2f}", c.real, c.is_integer(), bool(c), int(c), hash(c) == hash(2.5)
    return c, n, arithmetic, whole, others, range(4)[n], x + 1


def texts(x: Any) -> Any:
    n = Name("ab")
    n.first = x.ndim  # type: ignore[attr-defined]
    asked = n + "c", "c" + n, n.shout(), n[0], n == "ab", "ab" == n, str(n), len(n), f"{n}", [*n], "a" in n, n in "xabx"
    return n, n.first, asked, type(n), type(str(n)), n.split("a"), n * 2, n < "b", hash(n) == hash("ab"), x + 1


def tuples(x: Any) -> Any:
    v: Any = Version(1, 2, x.ndim)
    return v, v.label, v[0], v[1:], v + (3,), v == (1, 2, 1), v > (1,), hash(v) == hash((1, 2, 1)), [*v], max(v), x + 1


class Plain(list[Any]):
    pass


class Mapping(dict[Any, Any]):
    pass


def given_to_functions(x: Any) -> Any:
    r, d, n, s, c = Plain([3, 1, 2]), Mapping(a=1), Name("b"), Count(2), Celsius(2.567)

    def told(*args: Any, **named: Any) -> Any:
        return args, named

    texts = ",".join([n, "c"]), "abc".replace("b", n), f"{n!r:>5}", n in ["b"], {"b": 1}.get(n)
    counts = range(s), [1, 2, 3][s:], "abc"[:s], divmod(s, 2), max(s, 1), pow(2, s), 10 // s, "x".center(s), s and 1
    whole = (
        sum(r),
        min(r),
        all(r),
        any(r),
        sorted(r, key=lambda v: -v),
        [*map(str, r)],
        [*zip(r, d)],
        list(enumerate(r)),
    )
    others = (
        told(*r, **d),
        {**d, "b": 2},
        dict(d, z=1),
        set(r),
        frozenset(r),
        d.keys() & {"a"},
        [*d.values()],
        not r,
        math.ceil(c),
    )
    r.sort()
    r.reverse()
    return texts, counts, whole, others, r, x + 1


def matched(x: Any) -> Any:
    found = []
    for subject in (Plain([1, 2]), Mapping(a=1, b=2), Config(), Count(3), Name("n"), Celsius(1), Version(1, 2)):
        match subject:
            case [first, *rest]:
                found.append(("sequence", first, rest))
            case {"a": value, **more}:
                found.append(("mapping", value, more))
            case {}:
                found.append("empty")
            case int(whole):
                found.append(("int", whole))
            case str() | float():
                found.append("other")
    return found, x + 1


BODIES = [lists, overriding, dicts, numbers, texts, tuples, given_to_functions, matched]


@pytest.mark.spec("S8.09")
@pytest.mark.parametrize("body", BODIES, ids=lambda body: body.__name__)
def test_one_that_the_function_makes(body: Body) -> None:
    compiled(body, X)


def error_of(call: Callable[[], Any]) -> str:
    try:
        return repr(call())
    except (TypeError, KeyError, IndexError, AttributeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"


@pytest.mark.parametrize(
    "call",
    [
        lambda: Row([1])["a"], lambda: Row([1])[5], lambda: Row([1]) + 1, lambda: Row([1]) < Config(),
        lambda: {Row(): 1},
        lambda: Row().nothing, lambda: Name("a") + 1, lambda: Celsius("x"), lambda: Quiet()["q"],
        lambda: Version(1) < Row(),
        lambda: Row(3), lambda: 1 + Row(), lambda: Celsius(1) + "a", lambda: hash(Row()), lambda: Version(1) + [1],
        lambda: Count(1)[0], lambda: list.append(Config(), 1), lambda: dict.__new__(Row), lambda: object.__new__(Row),
    ],
)  # fmt: skip
def test_errors_are_pythons(call: Callable[[], Any]) -> None:
    jitted = gl.jit(lambda x: (error_of(call), x + 1))
    for _ in range(2):
        assert jitted(X)[0] == error_of(call)


def test_identity_is_kept_and_an_object_may_hold_itself() -> None:
    def function(x: Any) -> Any:
        r: Any = Row([x + 1])
        r.append(r)
        d: Any = Quiet(r=r)
        d["d"] = d
        r.owner = d
        return r, d, [r, d]

    jitted = gl.jit(function, fullgraph=True)
    for _ in range(2):
        r, d, (again, other) = jitted(X)
        assert r is again is r[1] is d["r"] and d is other is d["d"] is r.owner
        assert type(r) is Row and type(d) is Quiet and np.array_equal(r[0], X + 1)


# From outside.
def changed(x: Any, r: Any) -> Any:
    r.append(x + 1)
    r[0] = 8
    r.tag = "seen"
    del r[1]
    return r, len(r), r.tag


def longer(x: Any, r: Any) -> Any:
    list.append(r, 3)
    return r, x + 1


def stored(x: Any, d: Any) -> Any:
    d["n"] = d["a"] + 1
    del d["b"]
    dict.__setitem__(d, "p", 1)
    return d["missing"], list(d), d, x + 1


@pytest.mark.parametrize(
    ("body", "make"),
    [
        (changed, lambda: Row([1, 2, 3])), (changed, lambda: Mixed([1, 2, 3])), (longer, lambda: Row([1])),
        (longer, lambda: Backwards([1, 2])),
        (stored, lambda: Config({"a": 1, "b": 2, "c": 3})),
    ],
)  # fmt: skip
def test_one_from_outside_is_left_as_python_leaves_it(body: Body, make: Callable[[], Any]) -> None:
    replayed(lambda: (body, (X.copy(), make())), calls=1)


def test_one_of_any_length_is_appended_to() -> None:
    replayed(lambda: (longer, (X.copy(), Backwards())), calls=4)


@pytest.mark.parametrize(
    ("body", "value"),
    [
        (lambda x, v: (x * v, v + 1, v.fahrenheit, v, v > 2, math.sin(v)), Celsius(2.5)),
        (lambda x, v: ([10, 20, 30, 40][v], v, v * 2), Count(3)),
        (lambda x, v: (v, v.shout(), v == "ab", {"ab": 1}), Name("ab")),
        (lambda x, v: (v, v[0], v + (1,), len(v)), Version(1, 2)),
        (lambda x, v: (v, list(v), len(v), v[0], v == None), Backwards([1, 2])),  # noqa: E711
        (lambda x, v: (dict(v), len(v), [*v]), Asked(a=1, b=2)),
    ],
)  # fmt: skip
def test_one_from_outside_is_read(body: Body, value: Any) -> None:
    jitted: Any = gl.jit(body)
    for _ in range(3):
        wanted, got = body(X, value), jitted(X, value)
        assert repr(wanted) == repr(got) and [*map(type, wanted)] == [*map(type, got)]


def test_other_contents_and_another_class_are_told_apart() -> None:
    def function(x: Any, v: Any) -> Any:
        return [x + each for each in v], type(v), len(v)

    jitted = gl.jit(function, fullgraph=True)
    for make in (Row, list, Mixed, Row):
        for items in ([1, 2], [1, 3], [1], [1, 2]):
            given = make(items)
            assert repr(jitted(X, given)) == repr(function(X, given))


def test_two_names_for_one() -> None:
    def function(x: Any, a: Any, b: Any) -> Any:
        list.append(a, 1)
        return a is b, len(b), x + 1

    jitted = gl.jit(function, fullgraph=True)
    one = Row([0])
    for a, b in ((one, one), (one, Row()), (one, one)):
        assert jitted(X, a, b)[:2] == (a is b, len(b))
    assert list(one) == [0, 1, 1, 1]


def test_the_class_comes_to_say_something_and_guards_do_not_ask_it() -> None:
    class Late(list[Any]):
        pass

    asked: list[Any] = []
    given = Late([1, 2])
    jitted = gl.jit(lambda x, v: (x + v[0], len(v)))
    assert jitted(X, given)[1] == 2
    Late.__len__ = lambda self: asked.append(0) or 5  # type: ignore
    assert jitted(X, given)[1] == 5 and asked == [0]
    del Late.__len__
    assert jitted(X, given)[1] == 2 and asked == [0]


def test_a_method_of_one_goes_on_behind_a_break() -> None:
    said: list[Any] = []

    def function(x: Any) -> Any:
        r: Any = Row([1])
        put, more = r.append, r.extend
        said.append(str(np.array2string(x)))
        put(2)
        more([3])
        return r, x + 1

    jitted = gl.jit(function)
    for _ in range(3):
        assert jitted(X)[0] == [1, 2, "new", 3]


def test_what_has_no_rule_runs_plainly() -> None:
    class Finalized(list[Any]):
        def __del__(self) -> None:
            pass

    class Buffer(bytearray):
        pass

    plain(lambda x: (x + 1, len(Finalized())), X, code="B401")
    plain(lambda x: (x + 1, len(Buffer())), X, code="B201")
    plain(lambda x, v: (x + 1, len(v)), X, Buffer(), code="B401")
