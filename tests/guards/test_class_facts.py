"""Facts about classes: one number tells that nothing about a class and its bases changed; else they are looked at."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import pytest

from guardlift.guards import class_facts as module
from guardlift.guards.class_facts import class_facts, class_of
from guardlift.guards.computed_sources import CallSource, Computed
from guardlift.guards.containers import LacksKey, Length
from guardlift.guards.entry import condition, needed, passed_to_plan
from guardlift.guards.guard import Equals, Guard, Is, Outcome, TypeIs
from guardlift.guards.pool import POOL, Pool
from guardlift.guards.sources import LOOKUP, Attribute, ConstantSource, Item, Local


class Base:
    size = 3

    def method(self) -> None: ...


class Made(Base): ...


def entry_of(cls: type, name: str) -> Item:
    return Item(Attribute(ConstantSource(cls, cls.__name__), "__dict__"), name)


def lacks(cls: type, name: str) -> LacksKey:
    return LacksKey(Attribute(ConstantSource(cls, cls.__name__), "__dict__"), None, name)


def same_bases(cls: type) -> Is:
    return Is(Attribute(ConstantSource(cls, cls.__name__), "__mro__"), None, cls.__mro__)


@pytest.fixture
def classes() -> tuple[Any, Any]:
    base = type("Base", (), {"size": 3, "method": lambda self: 1})
    return base, type("Made", (base,), {})


def facts_of(base: Any, made: Any) -> list[Guard]:
    return [
        lacks(made, "size"),
        same_bases(made),
        Equals(entry_of(base, "size"), None, 3),
        Is(entry_of(base, "method"), None, vars(base)["method"]),
    ]


def compiled(text: str, pool: Pool) -> Callable[[], bool]:
    """The condition as the entry code asks it."""

    def holds() -> bool:
        try:
            return bool(eval(text, {POOL: pool.objects}))
        except LOOKUP:
            return False

    return holds


@pytest.mark.parametrize(
    ("guard", "cls"),
    [
        (lacks(Made, "size"), Made),
        (same_bases(Made), Made),
        (Is(entry_of(Base, "method"), None, Base.method), Base),
        (Equals(entry_of(Base, "size"), None, 3), Base),
        (TypeIs(entry_of(Base, "size"), None, int), Base),
        (TypeIs(entry_of(Base, "size"), None, Made), None),  # its class may be replaced
        (Is(Attribute(entry_of(Base, "method"), "__code__"), None, Base.method.__code__), None),  # a function changes
        (Length(entry_of(Base, "size"), None, 3), None),
        (Is(Local("x"), None, Base), None),
        (Is(Item(Attribute(ConstantSource(types, "types"), "__dict__"), "Made"), None, Made), None),  # of a module
        (LacksKey(Attribute(Local("x"), "__dict__"), None, "size"), None),
        (Outcome(Computed("{} > 2", (entry_of(Base, "size"),)), None, True), None),
    ],
)
def test_what_a_class_defines_is_told_from_other_facts(guard: Guard, cls: type | None) -> None:
    assert class_of(guard) is cls


def test_the_facts_of_a_class_and_its_bases_become_one_comparison(classes: Any) -> None:
    pool = Pool(())
    made, others = class_facts([*facts_of(*classes), TypeIs(Local("x"), None, int)], pool)
    assert [each.cls for each in made] == [classes[1]]
    assert others == [TypeIs(Local("x"), None, int)]
    assert made[0].text() == f"({POOL}[1].value == {POOL}[0].seen or {POOL}[0]())"


CHANGES = {
    "an attribute of the class": lambda base, made: setattr(made, "size", 3),
    "an attribute of the base": lambda base, made: setattr(base, "size", 4),
    "a method of the base": lambda base, made: setattr(base, "method", lambda self: 2),
    "an attribute goes": lambda base, made: delattr(base, "size"),
    "the bases": lambda base, made: setattr(made, "__bases__", (type("Another", (base,), {}),)),
    "past the class's own protocol": lambda base, made: type.__setattr__(made, "size", 3),
}


@pytest.mark.parametrize("with_versions", [True, False])
@pytest.mark.parametrize("name", CHANGES)
def test_a_change_of_a_fact_is_seen(classes: Any, name: str, with_versions: bool, monkeypatch: Any) -> None:
    monkeypatch.setattr(module, "HAVE_VERSIONS", with_versions)
    pool = Pool(())
    holds = compiled(condition(facts_of(*classes), pool), pool)
    assert holds() and holds()
    CHANGES[name](*classes)
    assert not holds() and not holds()


def test_a_change_of_something_else_looks_once_and_goes_on(classes: Any, monkeypatch: Any) -> None:
    base, made = classes
    pool = Pool(())
    (facts,), _ = class_facts(facts_of(base, made), pool)
    looks = []
    monkeypatch.setattr(module, "_numbered", lambda *args, real=module._numbered: looks.append(1) or real(*args))
    holds = compiled(facts.text(), pool)
    for expected in (1, 1, 1):
        assert holds() and len(looks) == expected
    base.counter = 1
    for expected in (2, 2):
        assert holds() and len(looks) == expected
    made.counter = 1
    assert holds() and len(looks) == 3


def test_a_fact_that_is_true_again_holds_again(classes: Any) -> None:
    base, made = classes
    pool = Pool(())
    holds = compiled(condition(facts_of(base, made), pool), pool)
    assert holds()
    base.size = 4
    assert not holds()
    base.size = 3
    assert holds() and holds()


def test_a_class_that_is_changed_thousands_of_times_is_still_looked_at(classes: Any) -> None:
    base, made = classes
    pool = Pool(())
    holds = compiled(condition(facts_of(base, made), pool), pool)
    for k in range(3_000):
        base.counter = k
        assert holds()
    base.size = 4
    assert not holds()
    base.size = 3
    for _ in range(3):
        assert holds()
    made.size = 3
    assert not holds()


def test_classes_come_before_what_is_cheaper(classes: Any) -> None:
    pool = Pool(())
    guards = [Is(Local("x"), None, None), lacks(classes[0], "__getattribute__")]
    assert condition(guards, pool) == f"({POOL}[1].value == {POOL}[0].seen or {POOL}[0]()) and x is None"


def test_what_classes_define_is_no_argument_of_the_plan(classes: Any) -> None:
    base, _ = classes
    method, other = Is(entry_of(base, "method"), None, vars(base)["method"]), Is(Local("x"), None, base)
    assert [each.checked_by for each in passed_to_plan([method, other], [])] == ["entry", "plan"]


def test_what_is_read_through_a_known_entry_of_a_class_is_read_from_its_value(classes: Any) -> None:
    base, _ = classes
    method = vars(base)["method"]
    place = entry_of(base, "method")
    known = Is(place, None, method)
    code, local = (
        Is(Attribute(place, "__code__"), None, method.__code__),
        Is(Attribute(Local("f"), "__code__"), None, 1),
    )
    pool = Pool((method,))
    pool._numbers[id(method)] = 0
    kept = needed([known, code, local, Is(Local("f"), None, method)])
    assert kept[0] is known and kept[2] is local
    assert kept[1].source.text(pool) == f"{POOL}[0].__code__"
    assert str(kept[1].source) == str(code.source) and kept[1].fact() == code.fact()


def test_what_a_call_reads_of_a_known_entry_of_a_class_is_read_from_its_value(classes: Any) -> None:
    base, _ = classes
    method = vars(base)["method"]
    place = entry_of(base, "method")
    names = CallSource(
        tuple.__len__, "len(names)", (Attribute(Attribute(place, "__code__"), "co_names"),), is_read=True
    )
    pool = Pool((method, tuple.__len__))
    pool._numbers.update({id(method): 0, id(tuple.__len__): 1})
    _, length = needed([Is(place, None, method), Equals(names, None, 0)])
    assert length.source.text(pool) == f"{POOL}[1]({POOL}[0].__code__.co_names)"
    assert str(length.source) == "len(names)"


def test_no_code_of_a_metaclass_runs() -> None:
    seen: list[str] = []

    class Meta(type):
        def __getattribute__(cls, name: str) -> Any:
            seen.append(name)
            return super().__getattribute__(name)

    class Cunning(metaclass=Meta): ...

    pool = Pool(())
    (facts,), _ = class_facts([lacks(Cunning, "size")], pool)
    holds = compiled(facts.text(), pool)
    assert holds()
    seen.clear()
    assert holds() and seen == []
