"""`dataclass` for the package's own records: that of the standard library, made at a fraction of its cost."""

# Note [Records]
# A process that calls one function imports some hundred records. The standard library writes each of a record's methods
# as text and compiles that when the class is made, which took almost half of the time of a first call. Here `__init__`
# alone is text, and is compiled when the first object is made; the other methods are closures. What they do is the
# same. Records inherit from records that are made here: the standard library's flag `frozen` is not set on them.

from __future__ import annotations

import dataclasses
import reprlib
import types
from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(
        cls=None,
        /,
        *,
        frozen: bool = False,
        slots: bool = False,
        eq: bool = True,
        kw_only: bool = False,
        weakref_slot: bool = False,
    ):
        """The class as a record, as `dataclasses.dataclass` makes it of the same arguments."""
        if cls is None:
            return lambda cls: _made(cls, frozen, slots, eq, kw_only, weakref_slot)
        return _made(cls, frozen, slots, eq, kw_only, weakref_slot)


def _made(cls: type, frozen: bool, slots: bool, eq: bool, kw_only: bool, weakref_slot: bool) -> type:
    own = {name: cls.__dict__.get(name, _MISSING) for name in ("__init__", "__repr__", "__eq__", "__hash__")}
    made: type = dataclasses.dataclass(  # type: ignore[call-overload]
        cls, init=False, repr=False, eq=False, slots=slots, kw_only=kw_only, weakref_slot=weakref_slot
    )
    fields = dataclasses.fields(made)  # type: ignore[arg-type]
    if own["__init__"] is _MISSING:
        made.__init__ = _first_init(made, fields, frozen)  # type: ignore[misc]
    if own["__repr__"] is _MISSING:
        made.__repr__ = _repr_of(tuple(each.name for each in fields if each.repr))  # type: ignore[method-assign, assignment]
    if eq:
        compared = [each for each in fields if each.compare]
        if own["__eq__"] is _MISSING:
            made.__eq__ = _eq_of(_values_of(compared))  # type: ignore[method-assign, assignment]
        if own["__hash__"] is _MISSING or own["__hash__"] is None and own["__eq__"] is not _MISSING:
            made.__hash__ = _hash_of(_values_of(_hashed(fields))) if frozen else None  # type: ignore[method-assign, assignment]
    if frozen:
        _freeze(made, frozenset(each.name for each in fields), slots)
    return made


_MISSING: Any = dataclasses.MISSING


def _hashed(fields: tuple[Any, ...]) -> list[Any]:
    return [each for each in fields if (each.compare if each.hash is None else each.hash)]


def _values_of(fields: list[Any]) -> Callable[[Any], tuple[Any, ...]]:
    """A function that gives the values of these fields as a tuple."""
    if len(fields) > 1:
        return attrgetter(*(each.name for each in fields))
    if not fields:
        return lambda record: ()
    value = attrgetter(fields[0].name)
    return lambda record: (value(record),)


def _first_init(cls: type, fields: tuple[Any, ...], frozen: bool) -> Callable[..., None]:
    """An `__init__` that makes the real one, puts it into its place, and calls it."""

    def __init__(self: Any, /, *args: Any, **kwargs: Any) -> None:
        made = _init_of(cls, fields, frozen)
        cls.__init__ = made  # type: ignore[misc]
        made(self, *args, **kwargs)

    return __init__


def _init_of(cls: type, fields: tuple[Any, ...], frozen: bool) -> Callable[..., None]:
    scope: dict[str, Any] = {"_missing": _MISSING}
    plain: list[str] = []
    named: list[str] = []
    body: list[str] = []
    for each in fields:
        name = each.name
        value = name
        if each.default_factory is not _MISSING:
            scope[f"_make_{name}"] = each.default_factory
            value = f"_make_{name}() if {name} is _missing else {name}" if each.init else f"_make_{name}()"
            parameter = f"{name}=_missing"
        elif each.default is not _MISSING:
            scope[f"_default_{name}"] = each.default
            parameter = f"{name}=_default_{name}"
            if not each.init:
                if name not in getattr(cls, "__slots__", ()):
                    continue  # the class has it
                value = f"_default_{name}"
        elif not each.init:
            continue  # somebody else sets it
        else:
            parameter = name
        if each.init:
            (named if each.kw_only else plain).append(parameter)
        if not frozen:
            body.append(f" _self.{name} = {value}")
        elif isinstance(slot := getattr(cls, name, None), types.MemberDescriptorType):
            scope[f"_set_{name}"] = slot.__set__
            body.append(f" _set_{name}(_self, {value})")
        else:
            scope["_set"] = object.__setattr__
            body.append(f" _set(_self, {name!r}, {value})")
    if hasattr(cls, "__post_init__"):
        body.append(" _self.__post_init__()")
    parameters = ["_self", *plain, *(["*", *named] if named else [])]
    text = "\n".join([f"def __init__({', '.join(parameters)}):", *(body or [" pass"])])
    exec(text, scope)
    made: Callable[..., None] = scope["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    return made


def _repr_of(names: tuple[str, ...]) -> Callable[[Any], str]:
    @reprlib.recursive_repr()
    def __repr__(self: Any) -> str:
        return f"{self.__class__.__qualname__}({', '.join([f'{name}={getattr(self, name)!r}' for name in names])})"

    return __repr__


def _eq_of(values: Callable[[Any], Any]) -> Callable[[Any, Any], bool]:
    def __eq__(self: Any, other: Any) -> bool:
        if other.__class__ is self.__class__:
            return values(self) == values(other)  # type: ignore[no-any-return]
        return NotImplemented

    return __eq__


def _hash_of(values: Callable[[Any], Any]) -> Callable[[Any], int]:
    def __hash__(self: Any) -> int:
        return hash(values(self))

    return __hash__


def _freeze(cls: type, names: frozenset[str], slots: bool) -> None:
    def __setattr__(self: Any, name: str, value: Any) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)  # type: ignore[arg-type]

    def __delattr__(self: Any, name: str) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)  # type: ignore[arg-type]

    for method in (__setattr__, __delattr__):
        if method.__name__ in vars(cls):
            raise TypeError(f"{cls.__name__} is frozen and defines {method.__name__}")
        setattr(cls, method.__name__, method)
    if slots and "__getstate__" not in vars(cls) and "__setstate__" not in vars(cls):
        cls.__getstate__, cls.__setstate__ = _state, _set_state  # type: ignore[attr-defined, method-assign, assignment]


def _state(self: Any) -> list[Any]:
    return [getattr(self, each.name) for each in dataclasses.fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for each, value in zip(dataclasses.fields(self), state):
        object.__setattr__(self, each.name, value)
