"""Objects of users' classes that a call makes, plain against jitted."""

from __future__ import annotations

import abc
import types
from typing import Any

import numpy as np
import pytest
from frontend.language import X, Y, compiled, plain

import guardlift as gl


class Vector:
    unit = 1.0

    def __init__(self, x: Any, *, scale: float = 2.0, **named: Any) -> None:
        self.x = x
        self.scale = scale
        self.named = named

    def scaled(self) -> Any:
        return self.x * self.scale

    @classmethod
    def of(cls, x: Any) -> Any:
        return cls(x, scale=3.0)

    @staticmethod
    def double(x: Any) -> Any:
        return x * 2


class Longer(Vector):
    def __init__(self, x: Any) -> None:
        super().__init__(x, scale=5.0, extra=1)
        self.length = 4

    def scaled(self) -> Any:
        return super().scaled() + super().double(self.x)

    @classmethod
    def of(cls, x: Any) -> Any:
        made = cls(x)
        made.scale = Vector.of(x).scale + super().unit
        return made


class Slotted:
    __slots__ = ("w", "x")

    def __init__(self, x: Any) -> None:
        self.x = x


class Counted:
    made = 0

    def __new__(cls, *args: Any) -> Any:
        self = super().__new__(cls)
        self.stamp = len(args)
        return self

    def __init__(self, x: Any, y: Any) -> None:
        self.both = x + y


class Other:
    def __new__(cls, x: Any) -> Any:
        return Vector(x)


class Empty:
    pass


class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self) -> Any: ...


class Square(Shape):
    def __init__(self, side: Any) -> None:
        self.side = side

    def area(self) -> Any:
        return self.side * self.side


class Finalized:
    def __del__(self) -> None: ...


@pytest.mark.spec("S8.06")
def test_an_object_is_made_and_returned() -> None:
    compiled(lambda x, k: Vector(x, scale=k, tag=x + 1), X, 3.0)
    compiled(lambda x: (Longer(x), Longer(x).scaled(), Vector.of(x), Longer.of(x), Counted(x, 1)), X)
    compiled(lambda x: (Other(x), x + 1), X)
    compiled(lambda x: (Empty(), x + 1), X)


def test_an_object_is_fresh_at_each_call_and_one_within_a_call() -> None:
    def function(x: Any) -> Any:
        made = Vector(x)
        made.me = made
        return [made, {"again": made}, (made.named, made)], x + 1

    jitted = gl.jit(fullgraph=True)(function)
    for _ in range(2):
        (first, table, pair), _unused = jitted(X)
        assert type(first) is Vector and first is table["again"] is pair[1] is first.me
        assert pair[0] is first.named
    assert jitted(X)[0][0] is not jitted(X)[0][0]
    assert list(vars(jitted(X)[0][0])) == ["x", "scale", "named", "me"]


def test_attributes_are_set_and_deleted() -> None:
    def function(x: Any) -> Any:
        made = Vector(x)
        made.first = x + 1
        del made.scale
        made.scale = made.first * 2
        made.last = made.unit
        delattr(made, "first")
        seen = [hasattr(made, "first"), hasattr(made, "last"), getattr(made, "first", None), made.unit]
        return made, seen, list(made.__dict__)

    compiled(function, X)


def test_the_dict_of_an_object_is_its_attributes() -> None:
    def function(x: Any) -> Any:
        made = Empty()
        made.__dict__.update(a=x, b=2)
        made.__dict__["c"] = made.a + made.b
        return made, made.__dict__

    compiled(function, X)
    made, table = gl.jit(fullgraph=True)(function)(X)
    assert made.__dict__ is table
    table, made = gl.jit(fullgraph=True)(lambda x: function(x)[::-1])(X)
    assert made.__dict__ is table


def test_slots() -> None:
    def function(x: Any) -> Any:
        made = Slotted(x)
        missing = hasattr(made, "w"), hasattr(made, "__dict__")
        made.w = x + 1
        made.x = made.w * made.x
        return made, missing

    def broken(x: Any) -> Any:
        made = Slotted(x)
        made.other = 1
        return x + 1

    for _ in range(2):
        made, missing = gl.jit(fullgraph=True)(function)(X)
        assert type(made) is Slotted and missing == (False, False)
        assert np.array_equal(made.x, (X + 1) * X) and np.array_equal(made.w, X + 1)
    plain(broken, X, code="B304")
    outside = Slotted(X)
    outside.w = 2.0
    compiled(lambda y: (outside.x + y) * outside.w, Y)


def test_an_empty_slot_runs_plainly() -> None:
    empty = Slotted(X)
    plain(lambda y: y + 1 if hasattr(empty, "w") else y, Y, code="B401")


def test_objects_of_abstract_classes() -> None:
    compiled(lambda x: (Square(x).area(), isinstance(Square(x), Shape), Square(x)), X)
    plain(lambda x: (x + 1, Shape()), X, code="B304")  # type: ignore[abstract]


def test_wrong_arguments_raise_as_in_python() -> None:
    plain(lambda x: (x + 1, Empty(1)), X, code="B304")  # type: ignore[call-arg]
    plain(lambda x: (x + 1, Vector()), X, code="B304")  # type: ignore[call-arg]
    plain(lambda x: x + Empty().nothing, X, code="B304")  # type: ignore[attr-defined]


def test_what_has_no_rule_runs_plainly() -> None:
    class Buffer(bytearray): ...

    def inner(x: Any) -> Any:
        class Here(int): ...

        return Here, x + 1

    plain(lambda x: (x + 1, Finalized()), X, code="B401")
    plain(lambda x: (x + len(Buffer(b"a")), 0), X, code="B201")
    plain(lambda x: inner(x)[1], X, code="B320")
    plain(lambda x: (x + 1, id(Vector(x)) > 0), X, code="B401")


@pytest.mark.spec("S8.06")
def test_types_and_instances() -> None:
    def function(v: Any, x: Any) -> Any:
        made = Longer(x)
        return (
            x + 1,
            [isinstance(made, kind) for kind in (Vector, Longer, Slotted, object)],
            [isinstance(each, (int, Vector)) for each in (made, 1, x)],
            isinstance(x, int | np.ndarray),
            issubclass(Longer, Vector),
            type(made) is Longer,
            made.__class__ is type(v),
            type(made)(x),
            callable(made),
            callable(Longer),
            made is made,
            made is v,
            v is v,
            Longer.__name__,
        )

    compiled(function, Longer(X), Y)


def test_a_class_that_changes_is_noticed() -> None:
    class Changing:
        def __init__(self, x: Any) -> None:
            self.x = x

    jitted = gl.jit(lambda x: Changing(x).x + 1)
    assert np.array_equal(jitted(X), X + 1)
    Changing.__init__ = lambda self, x: setattr(self, "x", x * 2)  # type: ignore[method-assign,assignment]
    assert np.array_equal(jitted(X), X * 2 + 1)
    Changing.__setattr__ = lambda self, name, value: object.__setattr__(self, name, value + 1)  # type: ignore
    assert np.array_equal(jitted(X), X * 2 + 2)
    Changing.__new__ = lambda cls, x: Vector(x)  # type: ignore
    assert np.array_equal(jitted(X), X + 1)


def test_simple_namespaces() -> None:
    def function(given: Any, x: Any) -> Any:
        made = types.SimpleNamespace(a=x, b=2)
        made.c = made.a + made.b + given.k
        del made.b
        return made.__dict__, given.k

    compiled(function, types.SimpleNamespace(k=3.0), X)

    made = gl.jit(fullgraph=True)(lambda x: types.SimpleNamespace(a=x + 1))(X)
    assert type(made) is types.SimpleNamespace and np.array_equal(made.a, X + 1)
