"""Class statements inside jitted functions, plain against jitted."""

from __future__ import annotations

import abc
import functools
import gc
import sys
import types
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from frontend.language import X, Y, compiled, plain
from oracle import check

import guardlift as gl


class Outside:
    rate = 2.0

    def __init__(self, x: Any) -> None:
        self.x = x

    def scaled(self) -> Any:
        return self.x * self.rate


class Hooked:
    subclasses: list[str] = []  # noqa: RUF012

    def __init_subclass__(cls) -> None:
        Hooked.subclasses.append(cls.__name__)


class Slotted:
    __slots__ = ("x",)


class Positive:
    """A descriptor that keeps what it is given in the object."""

    def __init__(self, key: str) -> None:
        self.key = key

    def __get__(self, owner: Any, cls: type) -> Any:
        return self if owner is None else owner.__dict__[self.key]

    def __set__(self, owner: Any, value: Any) -> None:
        owner.__dict__[self.key] = abs(value)


class Told:
    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name


# Classes that stay inside.
@pytest.mark.spec("S8.06")
def test_a_helper_class() -> None:
    def function(x: Any, k: float) -> Any:
        class Point:
            """A point."""

            unit = k

            def __init__(self, x: Any) -> None:
                self.x = x

            def moved(self, by: float = 1.0) -> Any:
                return Point(self.x + by * self.unit)

            @property
            def length(self) -> Any:
                return (self.x * self.x).sum()

            @length.setter
            def length(self, value: Any) -> None:
                self.x = self.x * value

            @staticmethod
            def twice(x: Any) -> Any:
                return x + x

            @classmethod
            def of(cls, x: Any) -> Any:
                return cls(cls.twice(x))

            def __add__(self, other: Any) -> Any:
                return Point(self.x + other.x)

            def __eq__(self, other: object) -> bool:
                return isinstance(other, Point) and other.unit == self.unit

        p = Point(x).moved() + Point.of(x)
        p.length = 2.0
        words = Point.__name__, Point.__qualname__, Point.__doc__, Point.__module__, type(p).__name__, repr(Point)
        same = type(p) is Point, isinstance(p, Point), issubclass(Point, object), p == Point(x), Point.__hash__ is None
        return p.x + p.length, words, same, hasattr(Point, "unit"), hasattr(Point, "other"), Point.__bases__

    compiled(function, X, 3.0)


def test_inheritance_and_super() -> None:
    def function(x: Any) -> Any:
        class Middle(Outside):
            rate = 3.0

            def scaled(self) -> Any:
                return super().scaled() + self.rate

        class Other:
            def extra(self) -> Any:
                return 10

        class Last(Middle, Other):
            def __init__(self, x: Any) -> None:
                super().__init__(x + 1)
                self.who = __class__  # type: ignore[name-defined]  # noqa: F821

            def scaled(self) -> Any:
                return super().scaled() * self.extra()

        made = Last(x)
        kinds = [issubclass(Last, each) for each in (Outside, Middle, Other, Slotted, Last)]
        named = [each.__name__ for each in Last.__mro__]
        return made.scaled(), Middle(x).scaled(), kinds, named, made.who is Last, isinstance(made, (int, Other))

    compiled(function, X)


def test_class_attributes_change() -> None:
    def function(x: Any) -> Any:
        class Table:
            count = 0
            rows: list[Any] = []  # noqa: RUF012
            gone = 1

        class Below(Table):
            pass

        Table.count += 2
        Table.rows.append(x)
        Table.added = lambda self, y: y * self.count
        Below.count = 5
        del Table.gone
        made = Below()
        seen = hasattr(made, "gone"), Table.count, made.count, Below.rows is Table.rows, Table.__annotations__
        del Below.count
        try:
            del Below.count
        except AttributeError as error:
            seen += (str(error),)
        return made.added(x), made.count, seen, Table.rows[0] + 1

    compiled(function, X)


def test_exceptions() -> None:
    def function(x: Any, k: int) -> Any:
        class Failed(ValueError):
            def __init__(self, why: str, value: Any) -> None:
                super().__init__(why)
                self.value = value

        class Worse(Failed):
            pass

        class Left(Exception):  # noqa: N818
            pass

        found = []
        for kind in (Failed, Worse):
            try:
                if k:
                    raise kind("why", x * k)
            except Worse as error:
                found.append(("worse", error.value, str(error), error.args))
            except ValueError as error:
                found.append(("failed", error.value, repr(error), type(error) is Failed))
        try:
            raise Left
        except (KeyError, Left) as error:
            found.append(isinstance(error, Left))
        return found, x + 1

    compiled(function, X, 2)
    compiled(function, X, 0)


def test_an_exception_that_leaves_is_of_the_class_of_its_call() -> None:
    def function(x: Any) -> Any:
        class Failed(Exception):  # noqa: N818
            pass

        y = x + 1
        raise Failed(y.sum())

    jitted = gl.jit(function)
    kinds = []
    for _ in range(3):
        with pytest.raises(Exception, match="7.75") as caught:
            jitted(X)
        kinds.append(caught.type)
    assert len(set(kinds)) == 3 and kinds[0].__qualname__.endswith("<locals>.Failed")


def test_special_methods_and_contexts() -> None:
    def function(x: Any) -> Any:
        log = []

        class Manager:
            def __enter__(self) -> Any:
                log.append("enter")
                return self

            def __exit__(self, *error: Any) -> bool:
                log.append(error[0] is None)
                return True

        class Counter:
            def __init__(self, n: int) -> None:
                self.n = n

            def __iter__(self) -> Any:
                return self

            def __next__(self) -> int:
                self.n -= 1
                if self.n < 0:
                    raise StopIteration
                return self.n

            def __len__(self) -> int:
                return self.n

            def __getitem__(self, key: Any) -> Any:
                return key

            def __contains__(self, key: Any) -> bool:
                return key == self.n

            def __call__(self, y: Any) -> Any:
                return y * self.n

            def __getattr__(self, name: str) -> Any:
                return name

            def __bool__(self) -> bool:
                return True

            __hash__ = None  # type: ignore[assignment]

        with Manager() as m, Counter2(Manager)() as other:
            log.append(type(m) is type(other))
            raise KeyError(1)
        c = Counter(3)
        seen = len(c), c[1:2], 3 in c, c(x), c.name, bool(c), list(c)
        try:
            hash(c)
        except TypeError as error:
            log.append(str(error))
        return x + sum(Counter(4)), seen, log

    def Counter2(kind: Any) -> Any:  # noqa: N802
        class Inner(kind):
            pass

        return Inner

    compiled(function, X)


def test_slots_and_patterns() -> None:
    def function(x: Any) -> Any:
        class Pair:
            __slots__ = ("left", "__right")
            __match_args__ = ("left",)
            limit = 3

            def __init__(self, left: Any, right: Any) -> None:
                self.left, self.__right = left, right

            def both(self) -> Any:
                return self.left + self.__right

        made, seen = Pair(x, 2), []
        for act in (lambda: setattr(made, "other", 1), lambda: delattr(made, "limit"), lambda: delattr(made, "no")):
            try:
                act()
            except AttributeError as error:
                seen.append(str(error))
        match made:
            case Pair(left):
                return left + 1, made.both(), seen
        return None

    compiled(function, X)


def test_descriptors_in_the_body() -> None:
    held = Positive("held")

    def function(x: Any) -> Any:
        class Record:
            a = Positive("a")
            b = held
            total = functools.cached_property(lambda self: self.a + self.b)
            size = property(lambda self: 3, doc="the size")
            absolute = abs
            high = np.maximum
            kind = Outside

        made = Record()
        made.a, made.b = x, -x
        first = made.total
        made.a = x * 5
        try:
            made.size = 1
        except AttributeError as error:
            text = str(error)
        seen = Record.b is held, made.absolute(-3), made.size, text, list(made.__dict__)
        return made.total + first, made.high(x, 1.0), made.kind(x).scaled(), seen

    compiled(function, X)


def test_comparing_and_binding() -> None:
    def function(x: Any) -> Any:
        class Kind:
            def one(self) -> int:
                return 1

            def __new__(cls, *args: Any) -> Any:
                made = super().__new__(cls)
                made.args = args
                return made

            __radd__ = Outside.scaled

        class Other(Kind):
            bound = Kind(3).one
            again = Kind.one
            __radd__ = Kind.__radd__

            def __add__(self, other: Any) -> Any:
                return "other"

        made = Other(1, 2)
        same = Kind == Kind, Kind != Other, type(made) == Other, Kind in [int, Other], Kind == int  # noqa: E721
        return x + made.bound() + made.again(), same, made.args, Other() + Other(), [Kind, Other].index(Other)

    compiled(function, X)


def test_names_in_the_body() -> None:
    def function(x: Any, k: int) -> Any:
        outer = k

        class Body:
            base = outer + 1
            squares = [each * each for each in range(3)]  # noqa: RUF012
            both: int = outer + k
            other: float
            if k > 2:
                many = "yes"
            for each in range(3):
                last = each
            del each
            try:
                nobody  # type: ignore[name-defined]  # noqa: B018, F821
            except NameError as error:
                said = str(error)

            class Inner:
                value = len("four")

            first = Inner.value

        names = [hasattr(Body, each) for each in ("many", "each", "error", "other")]
        return x + Body.base, Body.squares, Body.both, Body.__annotations__, names, Body.last, Body.said, Body.first

    compiled(function, X, 2)
    compiled(function, X, 3)


def test_a_body_that_raises() -> None:
    def function(x: Any, k: int) -> Any:
        y = x + 1
        try:

            class Broken:
                a = 1
                b = a // k
        except ZeroDivisionError as error:
            return y, str(error)
        return y, Broken.b

    compiled(function, X, 1)
    compiled(function, X, 0)


def test_decorated_and_made_in_a_loop() -> None:
    def function(x: Any) -> Any:
        kinds = []

        def noted(cls: Any) -> Any:
            kinds.append(cls)
            cls.place = len(kinds)
            return cls

        for k in range(3):

            @noted
            class Kind:
                value = k

                def of(self, x: Any) -> Any:
                    return x * (self.value + self.place)

        total = sum(each().of(x) for each in kinds)
        return total, kinds[0] is kinds[1], Kind is kinds[2], isinstance(kinds[0](), Kind)

    compiled(function, X)


# Classes that leave the call.
def described(cls: type) -> Any:
    """What there is to say of a class but its identity and the code of its functions."""
    entries = {
        key: value if isinstance(value, (int, str, float, tuple, list, type(None))) else type(value)
        for key, value in vars(cls).items()
    }
    bases = [base.__qualname__ for base in cls.__mro__[1:]]
    return cls.__name__, cls.__qualname__, cls.__module__, cls.__doc__, list(entries), entries, bases, repr(cls)


def leaves(function: Callable[..., Any], *args: Any, ask: Callable[[Any], Any]) -> None:
    """What leaves each call of the whole-traced function answers as it does plainly, and is new at each call."""
    jitted = gl.jit(fullgraph=True)(function)
    results = [jitted(*args) for _ in range(3)]
    expected = ask(function(*args))
    for each in results:
        np.testing.assert_equal(ask(each), expected)
    kinds = [each[0] for each in results]
    assert all(type(each) is type for each in kinds) and len(set(kinds)) == 3


def test_a_class_leaves() -> None:
    def function(x: Any, k: Any) -> Any:
        class Point(Outside):
            """A point."""

            rate: float = 4.0
            names = ["a"]  # noqa: RUF012
            __hash__ = None  # type: ignore[assignment]

            def scaled(self) -> Any:
                return super().scaled() + k, Point, __class__  # type: ignore[name-defined]  # noqa: F821

            @property
            def double(self) -> Any:
                "Twice."
                return self.x * 2

            @double.setter
            def double(self, value: Any) -> None:
                self.x = value / 2

            @classmethod
            def of(cls, x: Any = k) -> Any:
                return cls(x)

            @staticmethod
            def one(*, a: int = 1) -> int:
                return a

        Point.later = 5
        Point.rate = 6.0
        Point.names.append("b")
        return Point, Point(x), x + 1

    def ask(result: Any) -> Any:
        cls, made, other = result
        made.double = X * 8
        value, one, two = made.scaled()
        assert type(made) is cls is one is two is type(cls.of())
        assert cls.double.__doc__ == "Twice." and cls.one.__kwdefaults__ == {"a": 1}
        functions = [cls.scaled.__qualname__, cls.of.__func__.__defaults__, cls.of().x, cls.one()]
        return described(cls), vars(made), value, functions, other

    leaves(function, X, 3.0, ask=ask)


def test_what_is_deleted_and_set_again_comes_last() -> None:
    def function(x: Any) -> Any:
        class Order:
            a = 1
            b = 2
            c = 3

        Order.d = 4
        del Order.a, Order.d
        Order.e = 5
        Order.a = 6
        Order.b = 7
        Order.d = 8
        del Order.c
        return Order, x + 1

    leaves(function, X, ask=lambda result: described(result[0]))


def test_classes_that_leave_share_cells_and_each_other() -> None:
    def function(x: Any) -> Any:
        total = x.sum()
        made = None

        class Base:
            def add(self, y: Any) -> Any:
                nonlocal total
                total = total + y
                return total

            def friend(self) -> Any:
                return Below(), made

        class Below(Base):
            __slots__ = ("left",)

            def add(self, y: Any) -> Any:
                return super().add(y) + 1

        def read() -> Any:
            return total

        made = Below()
        made.left = x + 1
        return Base, Below, read, made, [Below, made.add]

    def ask(result: Any) -> Any:
        base, below, read, made, (again, bound) = result
        friend, same = base().friend()
        assert again is below is type(friend) and same is made is bound.__self__ and below.__mro__[1] is base
        return made.add(1.0), read(), bound(2.0), read(), made.left, described(base), described(below)

    leaves(function, X, ask=ask)


def test_only_a_method_or_an_object_leaves() -> None:
    def function(x: Any) -> Any:
        class Kind:
            def same(self) -> Any:
                return Kind, super().__init__, __class__  # type: ignore[name-defined]  # noqa: F821

        return Kind.same, Kind(), {"later": Kind().same}, x + 1

    jitted = gl.jit(fullgraph=True)(function)
    for _ in range(2):
        method, made, table, _ = jitted(X)
        kind = type(made)
        assert kind.same is method and type(table["later"].__self__) is kind
        assert made.same()[0] is made.same()[2] is kind is table["later"]()[0]


def test_a_class_is_put_into_what_was_there() -> None:
    def function(x: Any, known: list[Any], box: Any) -> Any:
        class Kind:
            pass

        known.append(Kind)
        box.kind = Kind
        box.made = Kind()
        return x + len(known)

    known, box = [], types.SimpleNamespace()
    jitted = gl.jit(function)
    box = Outside(0)
    for _ in range(3):
        jitted(X, known, box)
        assert known[-1] is box.kind is type(box.made)
    assert len(set(known)) == 3


def test_an_exception_object_leaves() -> None:
    def function(x: Any) -> Any:
        class Failed(LookupError):
            code = 3

        return Failed, Failed("why", 2), x + 1

    leaves(function, X, ask=lambda result: (result[1].args, type(result[1]) is result[0], described(result[0])))


def test_nobody_hears_of_a_class_that_stays_inside() -> None:
    def function(x: Any) -> Any:
        class Kind(Outside):
            pass

        class Failed(KeyError):
            pass

        return Kind(x).scaled(), issubclass(Failed, KeyError)

    gc.collect()
    before = Outside.__subclasses__(), KeyError.__subclasses__()
    jitted = gl.jit(fullgraph=True)(function)
    for _ in range(2):
        jitted(X)
        assert (Outside.__subclasses__(), KeyError.__subclasses__()) == before


# What is left to Python.
def test_what_breaks() -> None:
    def with_keyword(x: Any) -> Any:
        class Kind(metaclass=abc.ABCMeta):  # noqa: B024
            pass

        return Kind.__name__, x + 1

    def hooked(x: Any) -> Any:
        class Kind(Hooked):
            pass

        return list(Hooked.subclasses), Kind.__name__, x + 1

    def built_in(x: Any) -> Any:
        class Kind(dict):  # type: ignore[type-arg]
            pass

        return Kind(a=1)["a"], x + 1

    def slotted(x: Any) -> Any:
        class Kind(Slotted):
            pass

        made = Kind()
        made.x = x
        return made.x + 1

    def told(x: Any) -> Any:
        class Kind:
            a = Told()

        return Kind.a.name, x + 1

    for function in (with_keyword, built_in, slotted, told):
        plain(function, X, code="B320")
    jitted = gl.jit(hooked)
    for count in range(1, 4):
        assert jitted(X)[0] == ["Kind"] * count


def test_what_is_refused_behind_the_statement() -> None:
    def slot_is_replaced(x: Any) -> Any:
        class Kind:
            __slots__ = ("a",)

        made = Kind()
        made.a = 1
        Kind.a = 2
        return made.a, x + 1

    def renamed(x: Any) -> Any:
        class Kind:
            pass

        Kind.__name__ = "Other"
        return repr(Kind.__name__), x + 1

    def key(x: Any) -> Any:
        class Kind:
            pass

        table = {Kind: 1, (Kind, 2): 3}
        return table[Kind], table[Kind, 2], x + 1

    def union(x: Any) -> Any:
        class Kind:
            pass

        return isinstance(Kind(), Kind | int), x + 1

    def dictionary(x: Any) -> Any:
        class Kind:
            a = 1

        return Kind.__dict__["a"], x + 1

    for function in (slot_is_replaced, renamed, key, union, dictionary):
        check(function, X, backend="reference", expect="broken")


def test_errors_of_the_statement() -> None:
    def twice(x: Any) -> Any:
        class Kind(Outside, Outside):  # type: ignore[misc]
            pass

        return x + 1

    def slot(x: Any) -> Any:
        class Kind:
            __slots__ = ("a",)
            a = 1

        return x + 1

    def order(x: Any) -> Any:
        class Kind(object, Outside):  # type: ignore[misc]  # noqa: UP004
            pass

        return x + 1

    def slots(x: Any) -> Any:
        class Kind(Outside):
            __slots__ = ("__dict__",)

        return x + 1

    def cached(x: Any) -> Any:
        class Kind:
            a = b = functools.cached_property(lambda self: 1)

        return x + 1

    for function in (twice, slot, order, slots, cached):
        check(function, X, backend="reference")


def test_a_split_behind_the_statement_makes_the_class_once() -> None:
    def function(x: Any, note: Callable[[str], None]) -> Any:
        y = x + 1

        class Kind:
            def of(self) -> Any:
                return Kind, y

        made = Kind()
        note(str(y.sum()))
        kind, same = made.of()
        return kind is Kind is type(made), same * 2

    seen: list[str] = []
    jitted = gl.jit(function)
    for _ in range(3):
        result, value = jitted(X, seen.append)
        assert result is True
        np.testing.assert_array_equal(value, (X + 1) * 2)
    assert seen == ["7.75"] * 3


def test_a_class_that_python_made_is_not_kept() -> None:
    def function(x: Any) -> Any:
        class Kind:
            def same(self) -> Any:
                return Kind  # noqa: F821

        made = Kind()
        made.me = made
        seen = weakref.ref(made), weakref.ref(Kind)
        made = None
        del Kind
        gc.collect()
        return [each() is None for each in seen], x + 1

    check(function, X, calls=4, expect="broken", backend="reference")


def test_the_dict_of_an_object_shares_its_keys() -> None:
    def function(x: Any) -> Any:
        class Kind:
            pass

        tables = []
        for k in range(2):
            made = Kind()
            made.a, made.b, made.c = k, x, 2
            tables.append(made.__dict__)
        return tables, x + 1

    jitted = gl.jit(fullgraph=True)(function)
    for _ in range(2):
        assert [sys.getsizeof(each) for each in jitted(X)[0]] == [sys.getsizeof(each) for each in function(X)[0]]


def test_a_changed_base_is_noticed() -> None:
    class Base:
        def of(self) -> Any:
            return 1

    def function(x: Any) -> Any:
        class Kind(Base):
            def all(self) -> Any:
                return self.of()

        return x * Kind().all()

    jitted = gl.jit(function)
    np.testing.assert_array_equal(jitted(X), X)
    Base.of = lambda self: 2  # type: ignore[method-assign]
    np.testing.assert_array_equal(jitted(X), X * 2)
    heard = []
    Base.__init_subclass__ = classmethod(lambda cls: heard.append(cls.__name__))  # type: ignore[assignment]
    np.testing.assert_array_equal(jitted(X), X * 2)
    np.testing.assert_array_equal(jitted(X), X * 2)
    assert heard == ["Kind"] * 2


def test_a_changed_cell_and_global_of_the_body_are_noticed() -> None:
    rate = 2.0

    def function(x: Any) -> Any:
        class Kind:
            held = rate
            other = SHARED

            def of(self) -> Any:
                return x * self.held + self.other * rate

        return Kind().of()

    def change(value: float) -> None:
        nonlocal rate
        rate = value

    global SHARED
    jitted = gl.jit(function)
    for number in (2.0, 3.0, 4.0):
        change(number)
        SHARED = number + 1
        np.testing.assert_array_equal(jitted(X), function(X))
    np.testing.assert_array_equal(jitted(Y), function(Y))
    SHARED = 1.0


SHARED = 1.0
