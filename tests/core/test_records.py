"""Records are what the standard library's dataclasses are, but for the cost of making the class."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import weakref
from dataclasses import FrozenInstanceError, field
from typing import Any, ClassVar

import pytest

from guardlift.core import records

WAYS = [
    {},
    {"frozen": True},
    {"slots": True},
    {"eq": False},
    {"frozen": True, "slots": True},
    {"frozen": True, "slots": True, "eq": False, "weakref_slot": True},
    {"slots": True, "kw_only": True},
    {"frozen": True, "eq": False},
]


def pair_of(dataclass: Any, **how: Any) -> tuple[type, type]:
    """A class, and one that inherits from it, made by this decorator."""

    @dataclass(**how)
    class Base:
        """A base."""

        a: int
        b: list[int] = field(default_factory=list, compare=False)
        count: ClassVar[int] = 3

        def doubled(self) -> int:
            return 2 * self.a

    @dataclass(**how)
    class Derived(Base):
        """A class derived from it."""

        c: str = "c"
        hidden: int = field(default=5, repr=False, hash=False)
        made: int = field(default=0, init=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "made", self.a + 1)

    return Base, Derived


def behaviour(cls: Any) -> list[Any]:
    """All that can be seen of a class and of objects of it; in place of an error its type and text."""
    asked = [
        lambda: repr(cls(a=1)),
        lambda: repr(cls(1, [2])),
        lambda: cls(a=1) == cls(a=1, b=[3]),
        lambda: (cls(a=1) == cls(a=2), cls(a=1) == 3, cls(a=float("nan")) == cls(a=float("nan"))),
        lambda: (cls(a=1).b is not cls(a=1).b, cls(a=4).doubled(), cls.count, cls.__match_args__),
        lambda: (len({hash(each) for each in (cls(a=1), cls(a=1))}), cls.__hash__ is None),
        lambda: setattr(cls(a=1), "a", 2),
        lambda: delattr(cls(a=1), "a"),
        lambda: repr(dataclasses.replace(cls(a=1), a=7)),
        lambda: repr(records.replace(cls(a=1, b=[2]), a=7)),
        lambda: records.replace(cls(a=1), made=7),
        lambda: records.replace(cls(a=1), other=7),
        lambda: dataclasses.asdict(cls(a=1)),
        lambda: [(each.name, each.init, each.repr) for each in dataclasses.fields(cls)],
        lambda: repr(copy.copy(cls(a=1))),
        lambda: (hasattr(cls(a=1), "__dict__"), cls.__doc__, weakref.ref(cls(a=1)) and None),
        lambda: cls(a=1, c="d").c,
        lambda: cls(a=1).made,
        lambda: len({hash(each) for each in (cls(a=1, hidden=1), cls(a=1, hidden=2))}),
    ]
    found: list[Any] = []
    for ask in asked:
        try:
            found.append(ask())
        except Exception as error:
            found.append((type(error), str(error)))
    return found


@pytest.mark.parametrize("how", WAYS, ids=str)
def test_records_behave_as_dataclasses_do(how: dict[str, Any]) -> None:
    ours, theirs = pair_of(records.dataclass, **how), pair_of(dataclasses.dataclass, **how)
    assert list(map(behaviour, ours)) == list(map(behaviour, theirs))


@records.dataclass(frozen=True, slots=True)
class Point:
    x: int
    y: int = 0


def test_frozen_records_with_slots_are_pickled() -> None:
    assert pickle.loads(pickle.dumps(Point(1, 2))) == Point(1, 2)
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'x'"):
        Point(1, 2).x = 3  # type: ignore[misc]


def test_methods_of_the_class_itself_are_left_alone() -> None:
    @records.dataclass(frozen=True)
    class Own:
        a: int

        def __eq__(self, other: object) -> bool:
            return True

        def __repr__(self) -> str:
            return "own"

        def __hash__(self) -> int:
            return 7

    assert (Own(1) == Own(2), repr(Own(1)), hash(Own(1))) == (True, "own", 7)

    @records.dataclass(eq=False)
    class Made:
        a: int

        def __init__(self) -> None:
            self.a = 5

    assert Made().a == 5


def test_a_method_that_wraps_one_of_the_records_keeps_its_place() -> None:
    @records.dataclass(frozen=True)
    class Wrapped:
        a: int

    inner, asked = Wrapped.__hash__, []

    def counted(self: Wrapped) -> int:
        asked.append(self.a)
        return inner(self)

    Wrapped.__hash__ = counted  # type: ignore[method-assign, assignment]
    assert hash(Wrapped(1)) == hash(Wrapped(1)) != hash(Wrapped(2))
    assert asked == [1, 1, 2] and vars(Wrapped)["__hash__"] is counted


def test_arguments_that_do_not_fit_are_refused_at_the_first_and_the_second_object() -> None:
    fresh = records.dataclass(type("Fresh", (), {"__annotations__": {"a": "int"}}))
    for _ in range(2):
        with pytest.raises(TypeError, match=r"Fresh.__init__\(\) (missing 1 required|got an unexpected)"):
            fresh()
        with pytest.raises(TypeError, match=r"Fresh.__init__\(\) got an unexpected keyword argument 'b'"):
            fresh(a=1, b=2)
    assert fresh(3).a == 3
