"""`dataclass` for the package's own records: that of the standard library, made at a fraction of its cost."""

# Note [Records]
# A first call imports some four hundred records. The standard library looks at each field of a record when the class is
# made, and writes its methods as text and compiles that, which took almost half of the time of a first call. Here a
# class gets its slots and its defaults when it is made, and all else when it is asked for: `__init__` is made for the
# first object, of code in which numbers stand for fields, so that records of one form share what is compiled; and what
# the standard library knows of fields it finds out on a class beside it with the same ones.
# What they do is the same. Records inherit from records that are made here: the standard library's flag `frozen` is not
# set on them. Fields are ordinary ones: there are no `InitVar` and no `KW_ONLY` among them.

from __future__ import annotations

import abc
import dataclasses
import reprlib
import types
from collections.abc import Callable
from functools import cache, cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
    from dataclasses import replace as replace
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

    def replace(record, /, **changes):
        """A record with the same fields but for these, as `dataclasses.replace` gives of any dataclass."""
        facts = getattr(type(record), "__guardlift_fields__", None)
        if facts is None or any(not each.init and each.name in changes for each in facts.all):
            return dataclasses.replace(record, **changes)  # which has its own words for what may not be replaced
        for each in facts.all:
            if each.init and each.name not in changes:
                changes[each.name] = getattr(record, each.name)
        return type(record)(**changes)


def _made(cls: type, frozen: bool, slots: bool, eq: bool, kw_only: bool, weakref_slot: bool) -> type:
    own = {name: vars(cls).get(name, _MISSING) for name in ("__init__", "__repr__", "__eq__", "__hash__")}
    annotations = cls.__annotations__
    mine = [name for name, kind in annotations.items() if not _is_of_class(kind)]
    given = {name: vars(cls)[name] for name in mine if name in vars(cls)}
    names = list(dict.fromkeys([name for base in reversed(cls.__mro__[1:]) for name in _names_of(base)] + mine))
    made = _with_slots(cls, names, weakref_slot) if slots else _with_defaults(cls, given)
    facts = _RecordFields(made, tuple(names), annotations, given, kw_only)
    made.__guardlift_fields__ = facts  # type: ignore[attr-defined]
    for name in ("__dataclass_fields__", "__dataclass_params__", "__match_args__"):
        setattr(made, name, _WhenAsked(facts, name))
    made.__replace__ = _replaced  # type: ignore[attr-defined]
    if own["__init__"] is _MISSING:
        made.__init__ = _made_by(facts, "__init__", lambda fields: _init_of(made, fields, frozen))  # type: ignore[misc]
    if own["__repr__"] is _MISSING:
        made.__repr__ = _made_by(facts, "__repr__", lambda fields: _repr_of([each for each in fields if each.repr]))  # type: ignore[method-assign, assignment]
    if eq:
        if own["__eq__"] is _MISSING:
            made.__eq__ = _made_by(facts, "__eq__", lambda fields: _eq_of([each for each in fields if each.compare]))  # type: ignore[method-assign, assignment]
        if own["__hash__"] is _MISSING or own["__hash__"] is None and own["__eq__"] is not _MISSING:
            made.__hash__ = _made_by(facts, "__hash__", lambda fields: _hash_of(_hashed(fields))) if frozen else None  # type: ignore[method-assign, assignment]
    if frozen:
        _freeze(made, frozenset(names), slots)
    if hasattr(made, "__abstractmethods__"):
        abc.update_abstractmethods(made)
    return made


def field_names(record: Any) -> tuple[str, ...]:
    """The names of the fields of a record made here, or of its class, in their order."""
    return record.__guardlift_fields__.names  # type: ignore[no-any-return]


def is_record(thing: Any) -> bool:
    """Whether this is a record made here, or the class of some."""
    return hasattr(thing, "__guardlift_fields__")


# -- fields ------------------------------------------------------------------------------------------------------------
def _is_of_class(kind: Any) -> bool:
    """Whether an annotation is that of a variable of the class. Errors: TypeError for what records do not have."""
    text = kind if isinstance(kind, str) else repr(kind)
    if "InitVar" in text or "KW_ONLY" in text:
        raise TypeError(f"a record has no field of kind {text}")
    return text.removeprefix("typing.").startswith("ClassVar")


def _names_of(base: type) -> tuple[str, ...]:
    """The names of the fields of a class, those that it inherits among them, if it is a record or a dataclass."""
    known = vars(base).get("__guardlift_fields__")
    if known is not None:
        return known.names  # type: ignore[no-any-return]
    return tuple(each.name for each in dataclasses.fields(base)) if "__dataclass_fields__" in vars(base) else ()  # type: ignore[arg-type]


def _with_defaults(cls: type, given: dict[str, Any]) -> type:
    for name, value in given.items():
        if isinstance(value, dataclasses.Field):
            if value.default is _MISSING:
                delattr(cls, name)
            else:
                setattr(cls, name, value.default)
    return cls


def _with_slots(cls: type, names: list[str], weakref_slot: bool) -> type:
    """The class anew, with slots for the fields that no class above it has a slot for."""
    above = {name for base in cls.__mro__[1:-1] for name in _slots_of(base)}
    namespace = {name: value for name, value in vars(cls).items() if name not in ("__dict__", "__weakref__", *names)}
    wanted = [*names, *(["__weakref__"] if weakref_slot else [])]
    namespace["__slots__"] = tuple(name for name in wanted if name not in above)
    made = type(cls)(cls.__name__, cls.__bases__, namespace)
    made.__qualname__ = cls.__qualname__
    return made


def _slots_of(base: type) -> tuple[str, ...]:
    found = vars(base).get("__slots__", ())
    return (found,) if isinstance(found, str) else tuple(found)


class _RecordField:
    """The facts about a field that the methods of its record ask for."""

    __slots__ = ("compare", "default", "default_factory", "hash", "init", "kw_only", "name", "repr")

    def __init__(self, name: str, given: Any, kw_only: bool) -> None:
        self.name = name
        if isinstance(given, dataclasses.Field):
            self.default, self.default_factory = given.default, given.default_factory
            self.init, self.repr, self.compare, self.hash = given.init, given.repr, given.compare, given.hash
            self.kw_only = kw_only if given.kw_only is _MISSING else given.kw_only
        else:
            self.default, self.default_factory = given, _MISSING
            self.init = self.repr = self.compare = True
            self.hash, self.kw_only = None, kw_only


class _RecordFields:
    """The fields of a record, those that it inherits among them, each thing found out when it is first asked for."""

    def __init__(
        self, cls: type, names: tuple[str, ...], annotations: dict[str, Any], given: dict[str, Any], kw_only: bool
    ) -> None:
        self.cls, self.names = cls, names
        self._annotations, self._given, self._kw_only = annotations, given, kw_only

    @cached_property
    def all(self) -> tuple[_RecordField, ...]:
        """Each with the facts that the methods of the record ask for."""
        found: dict[str, _RecordField] = {}
        for base in reversed(self.cls.__mro__[1:]):
            known = vars(base).get("__guardlift_fields__")
            if known is not None:
                found |= {each.name: each for each in known.all}
            elif "__dataclass_fields__" in vars(base):
                found |= {each.name: _RecordField(each.name, each, each.kw_only) for each in dataclasses.fields(base)}  # type: ignore[arg-type]
        for name in self._annotations:
            if not _is_of_class(self._annotations[name]):
                found[name] = _RecordField(name, self._given.get(name, _MISSING), self._kw_only)
        return tuple(found.values())

    def tell_library(self) -> None:
        """Puts into its place in the class what the standard library looks for there."""
        cls = self.cls
        namespace = {"__annotations__": self._annotations, "__module__": cls.__module__, **self._given}
        namespace["__doc__"] = "As above."  # else the library writes one, of a signature that it reads from text
        alike: Any = type(cls.__name__, (), namespace)
        alike = dataclasses.dataclass(init=False, repr=False, eq=False, kw_only=self._kw_only)(alike)
        found: dict[str, Any] = {}
        for base in reversed(cls.__mro__[1:]):
            if "__dataclass_fields__" in vars(base):
                found |= base.__dataclass_fields__  # type: ignore[attr-defined]
        found |= alike.__dataclass_fields__
        cls.__dataclass_fields__, cls.__dataclass_params__ = found, alike.__dataclass_params__  # type: ignore[attr-defined]
        fields = dataclasses.fields(cls)  # type: ignore[arg-type]
        cls.__match_args__ = tuple(each.name for each in fields if each.init and not each.kw_only)  # type: ignore[attr-defined, misc]


class _WhenAsked:
    """An attribute of a record's class that is not there yet."""

    def __init__(self, fields: _RecordFields, name: str) -> None:
        self.fields, self._name = fields, name

    def __get__(self, record: Any, cls: type) -> Any:
        self.fields.tell_library()
        return getattr(self.fields.cls, self._name)


def _made_by(
    facts: _RecordFields, name: str, make: Callable[[tuple[_RecordField, ...]], Callable[..., Any]]
) -> Callable[..., Any]:
    """A method that makes the real one of the fields once, puts it into its place, and calls it.

    Where another method has taken its place, which wraps it, that stays.
    """
    real: Callable[..., Any] | None = None

    def method(self: Any, /, *args: Any, **kwargs: Any) -> Any:
        nonlocal real
        if real is None:
            real = make(facts.all)
        if vars(facts.cls).get(name) is method:
            setattr(facts.cls, name, real)
        return real(self, *args, **kwargs)

    method.__name__ = name
    return method


def _replaced(self: Any, /, **changes: Any) -> Any:
    return replace(self, **changes)


# -- methods -----------------------------------------------------------------------------------------------------------
_MISSING: Any = dataclasses.MISSING


def _hashed(fields: tuple[_RecordField, ...]) -> list[_RecordField]:
    return [each for each in fields if (each.compare if each.hash is None else each.hash)]


def _values_of(fields: list[_RecordField]) -> Callable[[Any], tuple[Any, ...]]:
    """A function that gives the values of these fields as a tuple."""
    if len(fields) > 1:
        return attrgetter(*(each.name for each in fields))
    if not fields:
        return lambda record: ()
    value = attrgetter(fields[0].name)
    return lambda record: (value(record),)


def _init_of(cls: type, fields: tuple[_RecordField, ...], frozen: bool) -> Callable[..., None]:
    scope: dict[str, Any] = {"_missing": _MISSING}
    plain: list[str] = []
    named: list[str] = []
    body: list[str] = []
    defaults: list[Any] = []
    by_name: dict[str, Any] = {}
    for k, each in enumerate(fields):
        value = f"_{k}"
        default = each.default
        if each.default_factory is not _MISSING:
            scope[f"_make{k}"], default = each.default_factory, _MISSING
            value = f"_make{k}() if _{k} is _missing else _{k}" if each.init else f"_make{k}()"
        elif not each.init:
            if default is _MISSING or each.name not in getattr(cls, "__slots__", ()):
                continue  # somebody else sets it, or the class has it
            scope[f"_default{k}"], value = default, f"_default{k}"
        if each.init:
            is_given = each.default is _MISSING and each.default_factory is _MISSING
            (named if each.kw_only else plain).append(f"_{k}" if is_given else f"_{k}=None")
            if not is_given and each.kw_only:
                by_name[each.name] = default
            elif not is_given:
                defaults.append(default)
        if not frozen:
            body.append(f" _self._{k} = {value}")
        elif isinstance(slot := getattr(cls, each.name, None), types.MemberDescriptorType):
            scope[f"_set{k}"] = slot.__set__
            body.append(f" _set{k}(_self, {value})")
        else:
            scope["_set"] = object.__setattr__
            body.append(f" _set(_self, '_{k}', {value})")
    if hasattr(cls, "__post_init__"):
        body.append(" _self.__post_init__()")
    parameters = ["_self", *plain, *(["*", *named] if named else [])]
    code = _code_of("\n".join([f"def __init__({', '.join(parameters)}):", *(body or [" pass"])]))
    names = {f"_{k}": each.name for k, each in enumerate(fields)}
    code = code.replace(
        co_varnames=tuple(names.get(each, each) for each in code.co_varnames),
        co_names=tuple(names.get(each, each) for each in code.co_names),
        co_consts=tuple(names.get(each, each) if type(each) is str else each for each in code.co_consts),
    )
    made = types.FunctionType(code, scope, "__init__", tuple(defaults))
    made.__kwdefaults__ = by_name or None  # type: ignore[assignment]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    return made


@cache
def _code_of(text: str) -> types.CodeType:
    """The code of the function that `text` defines. Many records differ in the names of their fields alone."""
    return next(each for each in compile(text, "<record>", "exec").co_consts if isinstance(each, types.CodeType))


def _repr_of(fields: list[_RecordField]) -> Callable[[Any], str]:
    names = [each.name for each in fields]

    @reprlib.recursive_repr()
    def __repr__(self: Any) -> str:
        return f"{self.__class__.__qualname__}({', '.join([f'{name}={getattr(self, name)!r}' for name in names])})"

    return __repr__


def _eq_of(fields: list[_RecordField]) -> Callable[[Any, Any], bool]:
    values = _values_of(fields)

    def __eq__(self: Any, other: Any) -> bool:
        if other.__class__ is self.__class__:
            return values(self) == values(other)  # type: ignore[no-any-return]
        return NotImplemented

    return __eq__


def _hash_of(fields: list[_RecordField]) -> Callable[[Any], int]:
    values = _values_of(fields)

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
    return [getattr(self, name) for name in field_names(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for name, value in zip(field_names(self), state):
        object.__setattr__(self, name, value)


# -- dataclasses of programs, as containers ----------------------------------------------------------------------------
def is_dataclass_object(value: Any) -> bool:
    """Whether a value is an object of a dataclass, and not such a class itself."""
    return dataclasses.is_dataclass(value) and not isinstance(value, type)


def part_names(kind: type) -> tuple[str, ...]:
    """The fields that are parts: those that `__init__` takes, unless their metadata says ``static=True``."""
    return tuple(
        [each.name for each in dataclasses.fields(kind) if each.init and each.metadata.get("static") is not True]
    )
