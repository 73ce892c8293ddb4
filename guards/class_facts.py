"""Facts about the definitions of classes. Comparing one number for each class checks all of them.

'__getattr__' not in Net.__dict__  and  Net.__dict__['forward'] is ...  and  Net.__mro__ is ...     30 ns each
POOL[7].value == POOL[8].seen or POOL[8]()                                                          35 ns for all
"""

# Note [Versions of classes]
# CPython gives a class a number when something is looked up on it, takes the number away when the class or one of its
# bases is changed, and never gives the same number again. Its own caches of attributes rest on that. While the number
# is the one that was there when the facts held, they hold. When it is another one the facts are looked at one by one:
# the change may have been about something else. A class that was changed too often gets no number any more (0); its
# facts are then looked at at every call. Source: Objects/typeobject.c, PyType_Modified, assign_version_tag, 3.11-3.15.

from __future__ import annotations

import ctypes
import types
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..core.asynchronous import lookup_failed
from ..core.floors import WORD_CHECKS, asked
from ..core.records import field_names, replace
from .containers import LacksKey
from .guard import Equals, Guard, Is, TypeIs
from .pool import POOL, Pool
from .sources import LOOKUP, Attribute, ConstantSource, Item, Source

_VERSION_OFFSET = 48 * ctypes.sizeof(ctypes.c_void_p)
"""The offset of tp_version_tag in a type object. Units: bytes. Source: Include/cpython/object.h, 3.11 to 3.15."""

_NO_VERSION = -1
_LITERALS = (int, float, bool, str, bytes, type(None))
_UNCHANGING = (*_LITERALS, tuple, types.FunctionType, types.BuiltinFunctionType, staticmethod, classmethod, property)


def class_of(guard: Guard) -> type | None:
    """The class whose definition alone decides the guard; None for a guard on anything else."""
    if len(guard.sources) != 1 or type(guard) not in (LacksKey, Is, Equals, TypeIs):
        return None
    place = unnamed(guard.source)
    if isinstance(guard, TypeIs) and guard.expected not in _UNCHANGING:
        return None  # an object of the user's may be given another class
    if isinstance(guard, Equals) and type(guard.expected) not in _LITERALS:
        return None
    if isinstance(guard, LacksKey):
        return _dict_of(place)
    if isinstance(place, Item):
        return _dict_of(unnamed(place.base))
    return _pinned_class(place.base) if isinstance(place, Attribute) and place.name == "__mro__" else None


def unnamed(source: Source) -> Source:
    """The source without the names that only readers see."""
    while hasattr(source, "base") and hasattr(source, "label"):
        source = source.base
    return source


def _dict_of(place: Source) -> type | None:
    return _pinned_class(place.base) if isinstance(place, Attribute) and place.name == "__dict__" else None


def _pinned_class(place: Source) -> type | None:
    place = unnamed(place)
    return place.value if isinstance(place, ConstantSource) and isinstance(place.value, type) else None


def through_known(guards: Sequence[Guard]) -> tuple[Guard, ...]:
    """The guards, each reading from an object itself where another guard identifies that as an entry of a class."""
    known = {each.source: each.expected for each in guards if type(each) is Is and class_of(each) is not None}
    return tuple(_rebased(guard, known) for guard in guards) if known else tuple(guards)


def _rebased(guard: Guard, known: Mapping[Source, Any]) -> Guard:
    below = {each for source in guard.sources for each in source.below()}
    if below.isdisjoint(known):
        return guard
    changed = {name: _read_from(getattr(guard, name), known) for name in field_names(guard)}
    return replace(guard, **changed)


def _read_from(value: Any, known: Mapping[Source, Any], *, whole: bool = True) -> Any:
    """The source with each known place below it replaced by its object; any other value as it is."""
    if not isinstance(value, Source):
        return value
    if not whole and value in known:
        return ConstantSource(known[value], str(value))
    if set(value.below()).isdisjoint(known):
        return value
    return replace(value, **{name: _part_read_from(getattr(value, name), known) for name in field_names(value)})


def _part_read_from(part: Any, known: Mapping[Source, Any]) -> Any:
    """A part of a source with its known places replaced: another source, or a tuple of operands."""
    if type(part) is tuple:
        return tuple(_read_from(each, known, whole=False) for each in part)
    return _read_from(part, known, whole=False)


class ClassFacts:
    """The facts that must hold of one class and its bases. A call checks them one by one.

    version: the class's number now, as a window on the class itself.   seen: the number at which the facts held.
    """

    __slots__ = ("_holds", "_pool", "cls", "guards", "seen", "version")

    def __init__(self, cls: type, guards: Sequence[Guard], pool: Pool) -> None:
        self.cls = cls
        self.version = version_of(cls)
        self.seen = _NO_VERSION
        self.guards, self._pool = guards, pool
        self._holds: Any = None

    def __call__(self) -> bool:
        """Whether the facts hold; if so, they are known to hold as long as the class has the number it has now."""
        if self._holds is None:
            text = f"lambda {POOL}: {self._one_by_one()}"
            self._holds = eval(compile(text, "<guard>", "eval"), {"__builtins__": {}})
        # The number first: whatever changes the class from here on takes it away.
        number = _numbered(self.cls, self.version)
        try:
            held = bool(self._holds(self._pool))
        except LOOKUP:
            lookup_failed()
            held = False
        self.seen = number if held and number else _NO_VERSION
        return held

    def text(self) -> str:
        """The condition, as an expression of the entry code."""
        if not HAVE_VERSIONS:
            return self._one_by_one()
        facts = self._pool.add(self)
        return f"({self._pool.add(self.version)}.value == {facts}.seen or {facts}())"

    def _one_by_one(self) -> str:
        return " and ".join(guard.text(self._pool) for guard in self.guards)


def text_of_classes(classes: Sequence[ClassFacts], pool: Pool) -> list[str]:
    """The conditions of several classes: a single one where CPython's versions can be relied on."""
    if len(classes) < 2 or not HAVE_VERSIONS:
        return [each.text() for each in classes]
    text, number = pool.new(class_check(classes))
    pool.class_checks[number] = classes
    return [f"{text}()"]


def class_check(classes: Sequence[ClassFacts]) -> Any:
    """The builtin that says whether the facts about all of these classes hold."""
    checks = asked(WORD_CHECKS)
    places = [id(each.cls) + _VERSION_OFFSET for each in classes]
    return checks.word_check(places, lambda number: classes[number](), numbered=True)


def class_facts(guards: Iterable[Guard], pool: Pool) -> tuple[list[ClassFacts], list[Guard]]:
    """The facts about classes, by class, and the other guards in their order. Bases go with a class below them."""
    by_class: dict[type, list[Guard]] = {}
    others: list[Guard] = []
    for guard in guards:
        cls = class_of(guard)
        if cls is None:
            others.append(guard)
        else:
            by_class.setdefault(cls, []).append(guard)
    for base in list(by_class):
        below = next((cls for cls in by_class if cls is not base and base in cls.__mro__), None)
        if below is not None:
            by_class[below] += by_class.pop(base)
    return [ClassFacts(cls, listed, pool) for cls, listed in by_class.items()], others


def version_of(cls: type) -> ctypes.c_uint32:
    """A window on the class's version: its value changes with the class. Somebody must keep the class."""
    return ctypes.c_uint32.from_address(id(cls) + _VERSION_OFFSET)


def _numbered(cls: type, version: ctypes.c_uint32) -> int:
    """The version of a class after something was looked up on it, which gives it one if it can have one."""
    if not version.value:
        try:
            type.__getattribute__(cls, "__guardlift_no_such_name__")
        except AttributeError:
            pass
    return version.value


def _versions_work() -> bool:
    """Whether this Python numbers its classes as the note says, found out on classes made for it."""
    if ctypes.sizeof(ctypes.c_void_p) != 8:
        return False
    base = type("Base", (), {"size": 1})
    made = type("Made", (base,), {})
    version = version_of(made)
    numbers: list[int] = []
    for owner, name in ((made, "first"), (made, "first"), (made, "second"), (base, "size"), (base, "new")):
        number = _numbered(made, version)
        if not number or number in numbers or _numbered(made, version) != number:
            return False
        numbers.append(number)
        setattr(owner, name, 2)
        if version.value in numbers:
            return False
    numbers.append(_numbered(made, version))
    made.__bases__ = (type("Another", (), {}),)
    return version.value not in numbers


HAVE_VERSIONS = _versions_work()
"""Whether the numbers of classes can be relied on; otherwise the facts stand in the condition one by one."""
