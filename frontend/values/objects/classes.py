"""Entries of classes: found along the MRO, guarded, and told apart by whether an instance's own attribute wins."""

from __future__ import annotations

import abc
import enum
import functools
import sys
import types
from collections import OrderedDict, defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ....core.package import PACKAGE
from ....guards.containers import LacksKey
from ....guards.guard import Is, TypeIs
from ....guards.pool import Pool
from ....guards.sources import Attribute, ConstantSource, Item, Named, Source, source_kind
from ..builtin_callable import BuiltinCallable
from .type_flags import HEAP_TYPE

if TYPE_CHECKING:
    from ...tracing.trace import Trace

ABSENT = object()
ORDINARY_METACLASSES = (type, abc.ABCMeta)
"""Metaclasses that have no say in how instances are made and how their attributes are read."""
SLOT_WRAPPERS = (types.WrapperDescriptorType, types.MethodDescriptorType)
"""Functions that built-in classes define; they bind like Python's."""

_DESCRIPTOR = ("__get__", "__set__", "__delete__")
_NEVER_DATA = (types.FunctionType, staticmethod, classmethod, functools.cached_property, *SLOT_WRAPPERS)
_ALWAYS_DATA = (property, types.MemberDescriptorType, types.GetSetDescriptorType)


_OF_MAKING = frozenset(
    "__module__ __doc__ __new__ __init__ __call__ __prepare__ __instancecheck__ __subclasscheck__ __firstlineno__ "
    "__static_attributes__ __annotations__ __classcell__".split()
)
"""Special names of a metaclass that are of use where classes or instances are made, and where somebody asks of what."""


def has_plain_instances(cls: type) -> bool:
    """Whether the metaclass has no say in how attributes of instances are read: it is an ordinary one, or a program's
    own that registers classes or makes them in some way, and has no other special methods.
    """
    metaclass: type = type(cls)
    return metaclass in ORDINARY_METACLASSES or all(
        base is object or base in ORDINARY_METACLASSES or _is_a_programs_own(base) for base in metaclass.__mro__
    )


def _is_a_programs_own(metaclass: type) -> bool:
    table = vars(metaclass)
    module = table.get("__module__")
    package = module.partition(".")[0] if type(module) is str else "builtins"
    in_c = any(isinstance(each, (*SLOT_WRAPPERS, types.BuiltinFunctionType)) for each in table.values())
    own = package not in sys.stdlib_module_names and package not in (PACKAGE, "numpy")
    special = {name for name in table if name[:2] == name[-2:] == "__"}
    return own and not in_c and special <= _OF_MAKING


def class_attribute(trace: Trace, cls: type, name: str) -> tuple[Any, Source]:
    """The entry `name` of the class or a base, and its source; `ABSENT` when none has one. Guarded either way."""
    return attribute_among(trace, cls, cls.__mro__, name)


def attribute_among(trace: Trace, cls: type, bases: Iterable[type], name: str) -> tuple[Any, Source]:
    """The entry `name` of `bases`, from the MRO of `cls`, and its source; `ABSENT` without one. Guarded either way."""
    trace.effects.external.refuse_changed_class(cls, name)
    if any(base.__flags__ & HEAP_TYPE for base in cls.__mro__):
        trace.guard(Is, Attribute(ConstantSource(cls, cls.__qualname__), "__mro__"), expected=cls.__mro__)
    for base in bases:
        table = Attribute(ConstantSource(base, base.__qualname__), "__dict__")
        if name in vars(base):
            return vars(base)[name], Named(Item(table, name), f"{cls.__qualname__}.{name}")
        if base.__flags__ & HEAP_TYPE:
            trace.guard(LacksKey, Named(table, base.__qualname__), key=name)
    return ABSENT, ConstantSource(cls, cls.__qualname__)


def class_itself(cls: type) -> BuiltinCallable:
    """A class as a value; whoever asks has guarded that it is this one."""
    if type(cls) is enum.EnumMeta:
        from .enums import EnumClass

        return EnumClass(cls, ConstantSource(cls, cls.__qualname__))
    return BuiltinCallable(cls, ConstantSource(cls, cls.__qualname__))


def is_data(trace: Trace, found: Any, source: Source) -> bool:
    """Whether an entry of a class wins over an instance's own attribute. Guarded where its class may be changed."""
    kind = type(found)
    if kind in _NEVER_DATA:
        return False
    if kind in _ALWAYS_DATA:
        return True
    if kind.__flags__ & HEAP_TYPE:
        trace.guard(TypeIs, source, expected=kind)
    return any(class_attribute(trace, kind, name)[0] is not ABSENT for name in _DESCRIPTOR[1:])


def is_read_plainly(trace: Trace, found: Any) -> bool:
    """Whether an entry of a class is read as it is, or by a rule of ours. Guarded where its class may be changed."""
    if type(found) in _NEVER_DATA[:4]:
        return True
    return all(class_attribute(trace, type(found), name)[0] is ABSENT for name in _DESCRIPTOR)


def reads_ordinarily(cls: type) -> bool:
    """Whether no class of the MRO has a say in how attributes are found, and all keep them where Python's do."""
    written = [base for base in cls.__mro__ if base.__flags__ & HEAP_TYPE and base is not defaultdict]
    own = {name for base in written for name in vars(base)}
    if own & {"__getattribute__", "__class__"}:
        return False
    slots = [vars(base)["__dict__"] for base in cls.__mro__ if "__dict__" in vars(base)]
    return all(type(each) is types.GetSetDescriptorType for each in slots)


def has_dict(cls: type) -> bool:
    """Whether instances have a dict of their own."""
    return any("__dict__" in vars(base) for base in cls.__mro__)


def shown_name(cls: type) -> str:
    """The name of a class in errors: one in C says its module as well."""
    return f"collections.{cls.__name__}" if cls in (OrderedDict, defaultdict) else cls.__name__


@source_kind
class SlotMember(Source):
    """The content of a slot of an object, read through the class's descriptor: no code of the class runs."""

    base: Source
    descriptor: Any
    name: str

    def text(self, pool: Pool) -> str:
        return f"{pool.add(self.descriptor)}.__get__({self.base.text(pool)})"

    def __str__(self) -> str:
        return f"{self.base}.{self.name}"

    def parts(self) -> tuple[Source, ...]:
        return (self.base,)
