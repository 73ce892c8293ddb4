"""Objects as keys of dicts and elements of sets: hashed and compared as the program's are."""

# Note [Object keys]
# A traced dict keeps its items in a real one, under real constants. For an object stands an `ObjectKey`. One that is
# hashed by identity gets a number of its own here, so nothing may depend on its hash but finding it again: not the
# order of a set, nor `hash`. Where a class has a `__hash__` and an `__eq__` in Python, they are followed when a dict
# asks them. What is not known again at another call, whether two such objects from outside are one, is guarded when
# the second of them becomes a key. A dict is built anew only if hashing its keys runs no code of the user's.

from __future__ import annotations

import dataclasses
import types
import weakref
from typing import TYPE_CHECKING, Any

from ....guards.computed_sources import CallSource
from ....guards.containers import LiveKeys, is_plain
from ....guards.guard import Is, WeakIs
from ....guards.sources import Source, WeakSource
from ...breaks import ProgramRaised
from .. import protocols
from ..base import Sentinel, Value, wrap
from ..builtin_callable import BuiltinCallable
from ..constant import Constant
from ..functions.functions import FunctionValue
from ..numbers.input_scalar import InputNumber
from ..objects.classes import SLOT_WRAPPERS, class_attribute, shown_name
from ..objects.enums import EnumMember
from ..objects.new_instance import NewInstance
from ..objects.objects import Instance, ModuleValue
from ..objects.user_object import UserObject
from ..tensors.tensor import TensorValue, refuse_merged
from .builtin_subclasses import BuiltinSubclassInstance
from .element_protocol import constant_value, key_of
from .named_tuples import NamedTupleValue

if TYPE_CHECKING:
    from ...tracing.trace import Trace

HASHED_BY_ADDRESS: set[type] = set()
"""Types with an `==` of their own that are found by identity all the same: it is asked only for two of one hash, which
is an address."""


class ObjectKey:
    """The key that stands for an object in a dict or a set. See Note [Object keys].

    token:  what two keys share that are one object.
    hashed: its hash; None for one that is hashed by identity.
    bare:   whether hashing and comparing the real object runs no code of the user's.
    """

    __slots__ = ("bare", "hashed", "token", "trace", "value")

    def __init__(self, trace: Trace, value: Value, token: object, hashed: int | None, *, bare: bool) -> None:
        self.trace = trace
        self.value = value
        self.token = token
        self.hashed = hashed
        self.bare = bare

    def __hash__(self) -> int:
        return hash(id(self.token)) if self.hashed is None else self.hashed

    def __eq__(self, other: object) -> bool:
        if isinstance(other, ObjectKey):
            if self.token is other.token:
                return True
            if self.hashed is None or other.hashed is None or self.hashed != other.hashed:
                return False
            return protocols.truth(self.trace, protocols.compare_by_dunder(self.trace, "==", self.value, other.value))
        if self.hashed is None:
            return False
        return protocols.truth(
            self.trace, protocols.compare_by_dunder(self.trace, "==", self.value, constant_value(other))
        )

    def __repr__(self) -> str:
        return self.value.describe()


def object_key(trace: Trace, value: Value) -> ObjectKey | None:
    """The key for an object; None for what is a key by its value. Errors: TypeError for one that cannot be hashed."""
    if isinstance(value, EnumMember):
        return None
    if isinstance(value, UserObject) and isinstance(value, (Instance, NewInstance, NamedTupleValue)):
        return _of_object(trace, value)
    if isinstance(value, FunctionValue):
        if value.place is not None and not isinstance(value.place, WeakSource):
            trace.guard(WeakIs, value.place, reference=weakref.ref(value.real))
        return ObjectKey(trace, value, value.real or value, None, bare=True)
    if isinstance(value, TensorValue):
        return _of_tensor(trace, value)
    if isinstance(value, Sentinel):
        trace.guard(Is, value.source, expected=value.value)
        return ObjectKey(trace, value, value.value, None, bare=True)
    if isinstance(value, ModuleValue):
        return ObjectKey(trace, value, value.module, None, bare=True)
    if isinstance(value, BuiltinCallable) and type(value.function) is types.BuiltinFunctionType:
        return ObjectKey(trace, value, value.function, None, bare=True)
    return None


def _of_tensor(trace: Trace, value: TensorValue) -> ObjectKey:
    """The key for a tensor, which is found again by identity."""
    refuse_merged(value, "an identity that only the run knows")
    source = value.source
    if source is not None and not isinstance(source, WeakSource):
        trace.guard(WeakIs, source, reference=weakref.ref(value.root.real))
    return ObjectKey(trace, value, value if source is None else value.root.real, None, bare=True)


def _of_object(trace: Trace, value: UserObject) -> ObjectKey:
    found, source = class_attribute(trace, value.python_type, "__hash__")
    trace.guard(Is, source, expected=found)
    if found is None:
        raise ProgramRaised(TypeError(f"unhashable type: {shown_name(value.python_type)!r}"))
    token = value.value if isinstance(value, Instance) else value
    if found is object.__hash__:
        if isinstance(value, Instance):
            trace.effects.external.tell_apart(value)
        return ObjectKey(trace, value, token, None, bare=True)
    return ObjectKey(trace, value, token, _hash(trace, value), bare=_is_bare(trace, value))


def _hash(trace: Trace, value: UserObject) -> int:
    if isinstance(value, NamedTupleValue) and value.acts_as_tuple(trace, "__hash__"):
        return known_hash(value, key_of(trace, value.plain()))
    found: int = protocols.as_hash(trace, value).constant(trace)
    return found


def known_hash(value: Value, key: Any) -> int:
    """The hash of a key. Errors: a break where it depends on where an object lies."""
    if any(each.hashed is None for each in objects_in(key)):
        raise value.unsupported("hash()")
    return hash(key)


def objects_in(key: Any) -> list[ObjectKey]:
    """The objects among what a key is made of."""
    if isinstance(key, ObjectKey):
        return [key]
    return [found for each in key for found in objects_in(each)] if type(key) in (tuple, frozenset) else []


def _is_bare(trace: Trace, value: UserObject) -> bool:
    """Whether the real object is hashed and compared by code of CPython's alone, or of `dataclasses`' over such."""
    cls = value.python_type
    methods = [class_attribute(trace, cls, name)[0] for name in ("__hash__", "__eq__")]
    if all(type(each) in SLOT_WRAPPERS for each in methods):
        parts = value.items if isinstance(value, NamedTupleValue) else getattr(value.held, "items", ())  # type: ignore
        return isinstance(value, (BuiltinSubclassInstance, NamedTupleValue)) and all(
            _is_bare_part(trace, each) for each in parts
        )
    if not dataclasses.is_dataclass(cls) or not all(_is_generated(each) for each in methods):
        return False
    fields = [value.attribute(trace, each.name) for each in dataclasses.fields(cls)]
    return all(_is_bare_part(trace, each) for each in fields)


def _is_bare_part(trace: Trace, value: Value) -> bool:
    if isinstance(value, (Constant, InputNumber)):
        return True
    return all(each.bare for each in objects_in(key_of(trace, value)))


def _is_generated(method: Any) -> bool:
    code = getattr(method, "__code__", None)
    return isinstance(code, types.CodeType) and code.co_filename == "<string>"


# Of dicts from outside.
def outside_keys(trace: Trace, real: dict[Any, Any], source: Source) -> dict[Any, Source] | None:
    """The keys of a dict from outside and where its values are; None where some cannot be keys of a traced one."""
    if not all(is_plain(each) or _is_hashed_by_identity(each) for each in real):
        return None
    known = tuple(each if is_plain(each) else trace.facts.anchor(each) for each in real)
    trace.guard(LiveKeys, source, expected=known)
    found: dict[Any, Source] = {}
    for each in real:
        place = WeakSource(trace.facts.anchor(each), f"a key of {source}") if not is_plain(each) else None
        key = each if place is None else key_of(trace, wrap(trace, each, place))
        found[key] = CallSource(
            dict.__getitem__, f"{source}[{key!r}]", (source, each if place is None else place), is_read=True
        )
    return found


def _is_hashed_by_identity(value: Any) -> bool:
    """Whether an object is hashed and found again by identity alone, and can be referred to weakly."""
    if type(value) in HASHED_BY_ADDRESS:
        return True
    mro = type(value).__mro__
    hashed = next(vars(base)["__hash__"] for base in mro if "__hash__" in vars(base))
    compared = next(vars(base)["__eq__"] for base in mro if "__eq__" in vars(base))
    if hashed is not object.__hash__ or compared is not object.__eq__:
        return False
    return any("__weakref__" in vars(base) for base in mro) or type(value) is types.FunctionType
