"""Class statements in jitted functions: breaks, behind which nothing compiles anew for the class of the next call."""

from __future__ import annotations

import abc
import dataclasses
import enum
import functools
import gc
import types
import weakref
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from frontend.language import X, Y, plain
from oracle import Report, check

import guardlift as gl
from guardlift.frontend import state_of


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


class Told:
    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name


def broken(function: Callable[..., Any], *args: Any) -> Report:
    """The report of a function that breaks at its class statement, and never compiles anew for another class."""
    report = plain(function, *args, code="B320", calls=3)
    assert set(report.breaks) <= {"B307", "B310", "B320", "B323"}, report.events
    assert not any(each.kind == "recompile" for each in report.events), report.events
    return report


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

    broken(function, X, 3.0)


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

    broken(function, X)


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

    broken(function, X)


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

    broken(function, X, 2)
    broken(function, X, 0)


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

    broken(function, X)


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

    broken(function, X)


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

    broken(function, X, 1)
    broken(function, X, 0)


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

    broken(function, X)


# Classes that leave the call.
def described(cls: type) -> Any:
    """Everything there is to say of a class but its identity and the code of its functions."""
    entries = {
        key: value if isinstance(value, (int, str, float, tuple, list, type(None))) else type(value)
        for key, value in vars(cls).items()
    }
    bases = [base.__qualname__ for base in cls.__mro__[1:]]
    return cls.__name__, cls.__qualname__, cls.__module__, cls.__doc__, list(entries), entries, bases, repr(cls)


def leaves(function: Callable[..., Any], *args: Any, ask: Callable[[Any], Any]) -> None:
    """Check that what leaves each call answers as it does plainly, and is new at each call."""
    jitted = gl.jit(function)
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


# Classes that more than `type` has a say in.
@pytest.mark.slow
def test_a_metaclass_and_hooks_have_a_say() -> None:
    def with_keyword(x: Any) -> Any:
        class Kind(metaclass=abc.ABCMeta):  # noqa: B024
            pass

        return Kind.__name__, x + 1

    def built_in(x: Any) -> Any:
        class Kind(dict):  # type: ignore[type-arg]
            pass

        made = Kind(a=x)
        made["b"] = 2
        return made["a"] + 1, list(made), x * 2

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

    def fields(x: Any) -> Any:
        @dataclasses.dataclass
        class Pair:
            left: Any
            right: Any = 2

        made = Pair(x + 1)
        return made.left * 2 + made.right, dataclasses.asdict(made), x + 1

    def named(x: Any) -> Any:
        class Pair(NamedTuple):
            left: Any
            right: Any = 2

        made = Pair(x + 1)
        left, right = made
        return made.left * 2 + right, left + 1, made._fields, len(made)

    def members(x: Any) -> Any:
        class Kind(enum.Enum):
            ONE = 1
            TWO = 2

        y = x * 2 if Kind.ONE is not Kind.TWO else x
        return y + Kind.TWO.value, [each.name for each in Kind], isinstance(Kind.ONE, Kind)

    def tensors(x: Any) -> Any:
        class Scale(gl.nn.Module):
            def __init__(self) -> None:
                super().__init__()
                self.weight = gl.nn.Parameter(gl.ones(4))

            def forward(self, x: Any) -> Any:
                return (self.weight * x).sum()

        made = Scale()
        loss = made(gl.tensor(x)) * 2
        loss.backward()
        return loss.item(), made.weight.grad.numpy() + x

    def array(x: Any) -> Any:
        class Kind(np.ndarray):  # type: ignore[type-arg]
            pass

        made = (x + 1).view(Kind)
        return type(made).__name__, np.asarray(made) + 1

    for function in (with_keyword, built_in, slotted, told, fields, named, members, array):
        broken(function, X)
    plain(tensors, X, code="B320")


def test_a_base_hears_of_each_class_once() -> None:
    def hooked(x: Any) -> Any:
        class Kind(Hooked):
            pass

        return list(Hooked.subclasses), Kind.__name__, x + 1

    jitted = gl.jit(hooked)
    for count in range(1, 4):
        assert jitted(X)[0] == ["Kind"] * count


# Where the statement stands.
def test_arrays_before_and_behind_the_statement_are_compiled() -> None:
    def function(x: Any) -> Any:
        y = np.tanh(x) + 1

        class Pair:
            def __init__(self, left: Any) -> None:
                self.left = left

        z = (y * y).sum() + x
        made = Pair(z)
        return made.left * 2 + y

    jitted = gl.jit(function)
    for _ in range(3):
        np.testing.assert_allclose(jitted(X), function(X))
    entries = [each for point in state_of(jitted).points.values() for each in point.entries if not each.plain]
    ran = [[node.op.name for node in each.details["graph"].nodes] for each in entries]
    assert [any(name in row for row in ran) for name in ("tanh", "sum")] == [True, True]
    assert ran[-1].count("multiply") == 1 and len(ran) == 3
    assert [each.kind for each in state_of(jitted).history].count("compile") == 3


def test_in_a_call_that_would_be_inlined() -> None:
    def made(value: Any) -> Any:
        class Kind:
            def __init__(self, x: Any) -> None:
                self.x = x * value

        return Kind

    def function(x: Any) -> Any:
        y = x + 1
        kind = made(2)
        return kind(y).x + 1, [each(y).x for each in (kind, made(3))], kind is None

    broken(function, X)


def test_in_loops_comprehensions_and_generators() -> None:
    def looped(x: Any) -> Any:
        total, made = x * 0.0, []
        for k in range(3):
            y = x + k

            class Kind:
                value = k

                def __init__(self, x: Any) -> None:
                    self.x = x

            total = total + (y * Kind.value).sum()
            made.append(Kind(y))
        return total, sum(each.x for each in made)

    def kind(k: int) -> Any:
        class Kind:
            value = k

        return Kind

    def listed(x: Any) -> Any:
        return [each.value * x for each in [kind(k) for k in range(3)]], x + 1

    def given(x: Any) -> Any:
        class Kind:
            pass

        for k in range(3):
            yield x * k
            yield Kind.__name__

    def taken(x: Any) -> Any:
        return list(given(x)), x + 1

    for function in (looped, listed, taken):
        broken(function, X)


def test_an_object_is_told_from_none_and_from_what_is_no_such_object() -> None:
    def function(x: Any, some: bool) -> Any:
        class Kind:
            pass

        made = Kind() if some else None
        print(end="")
        if made is None:
            return x + 1
        return x * 2

    jitted = gl.jit(function)
    for some in (True, True, False, False, True):
        np.testing.assert_array_equal(jitted(X, some), function(X, some))


def test_methods_by_themselves() -> None:
    def function(x: Any) -> Any:
        class Kind:
            def twice(self, x: Any) -> Any:
                return x * 2

            @classmethod
            def of(cls, x: Any) -> Any:
                return cls, x

        method, made, plainly = Kind().twice, Kind.of, Kind.twice
        print(end="")
        return method(x) + 1, made(x)[1] + 2, plainly(Kind(), x), isinstance(Kind(), Kind | int)

    report = plain(function, X, code="B320", calls=12)
    assert not any(each.kind == "recompile" for each in report.events), report.events


def test_a_class_among_keys() -> None:
    def function(x: Any) -> Any:
        class Kind:
            pass

        table = {Kind: 1, "other": x}
        return table[Kind] + table["other"], {Kind} == {Kind}

    plain(function, X, code="B320")


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


@pytest.mark.slow
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
