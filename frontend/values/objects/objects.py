"""Modules, classes and instances of users' classes."""

# Note [Reading attributes]
# A guard must not run user code, so nothing here is read through the dots of the language. An attribute of an instance
# is an item of its own dict; one of a class is an item of the dict of the class in the MRO that defines it, with guards
# that the classes before it do not, that the MRO is the same, and that nobody has put a `__getattribute__` in the way.

from __future__ import annotations

import sys
import types
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.lazy_names import import_name, is_lazy
from ....core.package import PACKAGE
from ....guards.containers import LacksKey
from ....guards.guard import Evaluates, Is, TypeIs
from ....guards.sources import Attribute, ConstantSource, Item, Named, Source
from ...breaks import SIDE_EFFECT, ProgramRaised
from ..arrays.array import ArrayValue
from ..base import MutableValue, Value, wrap, wraps, wraps_when
from ..builtin_callable import BuiltinCallable
from ..constant import LITERALS, Constant
from ..containers.dicts import DictValue
from ..containers.sequences import Sequence
from ..functions.functions import BoundMethod, FunctionValue
from ..numbers.input_scalar import InputNumber
from .builtin_methods import name_of_bound, read_bound
from .classes import (
    ABSENT,
    ORDINARY_METACLASSES,
    SlotMember,
    class_attribute,
    has_dict,
    has_plain_instances,
    is_read_plainly,
    reads_ordinarily,
)
from .descriptors import get, missing, no_room, read_class
from .type_flags import HEAP_TYPE
from .user_object import UserObject

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace
    from ..effects.side_effects import EffectTable


class ModuleValue(Value):
    """A module; attributes are read from its dict and guarded by what they are."""

    __slots__ = ("module", "source")

    def __init__(self, module: types.ModuleType, source: Source) -> None:
        self.module = module
        self.source: Source = source

    @property
    def python_type(self) -> type:
        return types.ModuleType

    def attribute(self, trace: Trace, name: str) -> Value:
        table = vars(self.module)
        changed, now = trace.effects.external.changed_name(table, name)
        if now is not None:
            return now
        if changed:
            raise self.unsupported(f"the attribute {name!r}, which was deleted")
        import_name(table, name)
        if name not in table:
            return self._missing(trace, table, name)
        return wrap(
            trace, table[name], Named(Item(ConstantSource(table, "the module's dict"), name), f"{self.source}.{name}")
        )

    def _missing(self, trace: Trace, table: dict[str, Any], name: str) -> Value:
        """The result of reading a name that is not in the module's dict. Errors: AttributeError, as Python words it."""
        if hasattr(types.ModuleType, name):
            raise self.unsupported(f"the attribute {name!r}")
        place = Named(ConstantSource(table, "the module's dict"), f"vars({self.source})")
        trace.guard(LacksKey, place, key=name)
        asked = None if is_lazy(table) else table.get("__getattr__")  # of such a package it has given what it could
        if asked is not None:
            return wrap(trace, asked, Item(place, "__getattr__")).call(trace, [Constant(name)], {})
        trace.guard(LacksKey, place, key="__getattr__")
        for word in ("__name__", "__spec__", "__file__"):  # which the error speaks of
            if word in table:
                trace.guard(Is, Item(place, word), expected=table[word])
            else:
                trace.guard(LacksKey, place, key=word)
        try:
            types.ModuleType.__getattribute__(self.module, name)
        except AttributeError as error:
            raise ProgramRaised(error.with_traceback(None)) from None
        raise self.unsupported(f"the attribute {name!r}")

    def compare(self, trace: Trace, name: str, left: Value, right: Value) -> Value | None:
        if name not in ("==", "!="):
            return None
        if isinstance(left, ModuleValue) and isinstance(right, ModuleValue):
            return Constant((left.module is right.module) is (name == "=="))
        other = right if left is self else left
        return Constant(name == "!=") if isinstance(other, Constant) and type(other.value) in LITERALS else None

    def set_attribute(self, trace: Trace, name: str, value: Value) -> None:
        if str(vars(self.module).get("__name__")).partition(".")[0] == PACKAGE:
            super().set_attribute(trace, name, value)
        trace.effects.external.names(vars(self.module)).put(trace, name, value)

    def delete_attribute(self, trace: Trace, name: str) -> None:
        if str(vars(self.module).get("__name__")).partition(".")[0] == PACKAGE:
            super().delete_attribute(trace, name)
        if not trace.effects.external.names(vars(self.module)).remove(trace, name):
            raise ProgramRaised(AttributeError(name))

    def rebuild(self, writer: EntryWriter) -> str:
        return self.source.text(writer.pool)


@wraps_when(lambda value: value is sys.modules.get(PACKAGE))
@wraps(types.ModuleType)
def wrap_module(trace: Trace, value: Any, source: Source) -> Value:
    trace.guard(Is, source, expected=value)
    return ModuleValue(value, source)


class Instance(UserObject, MutableValue):
    """An object from outside, of a class written in Python that reads attributes in the ordinary way."""

    __slots__ = ("source", "value")

    def __init__(self, value: Any, source: Source) -> None:
        self.value = value
        self.source: Source = source

    @property
    def python_type(self) -> type:
        return type(self.value)

    def own(self, trace: Trace, name: str) -> Value | None:
        if not has_dict(self.python_type):
            return None
        table = self._own_table(trace)
        if name in table.changes:
            return table.changes[name]
        if name in table.real:
            return self._own(trace, name)
        trace.guard(LacksKey, dict_of(self.source), key=name)
        return None

    def put(self, trace: Trace, name: str, value: Value) -> None:
        if not has_dict(self.python_type):
            raise no_room(trace, self, name)
        self._own_table(trace).put(trace, name, value)

    def remove(self, trace: Trace, name: str) -> None:
        if not has_dict(self.python_type):
            raise no_room(trace, self, name, deletes=True)
        if not self._own_table(trace).remove(trace, name):
            raise missing(self, name)

    def takes_new_attributes(self, trace: Trace) -> bool:
        return has_dict(self.python_type)

    def namespace(self, trace: Trace) -> Value:
        if not has_dict(self.python_type):
            raise missing(self, "__dict__")
        return wrap(trace, vars(self.value), dict_of(self.source))

    def _own_table(self, trace: Trace) -> EffectTable:
        return trace.effects.external.table(vars(self.value), dict_of(self.source), f"vars({self.source})")

    def slot(self, trace: Trace, descriptor: Any, name: str) -> Value:
        put = trace.effects.external.slot(self.value, descriptor)
        if put is not None:
            if put.value is None:
                raise ProgramRaised(AttributeError(name))
            return put.value
        try:
            held = descriptor.__get__(self.value)
        except AttributeError:
            raise self.unsupported(f"the empty slot {name!r}") from None
        return wrap(trace, held, SlotMember(self.source, descriptor, name))

    def put_slot(self, trace: Trace, descriptor: Any, name: str, value: Value | None) -> None:
        if value is None:
            self.slot(trace, descriptor, name)  # it must be full
            if trace.effects.external.slot(self.value, descriptor) is None:
                trace.guard(Evaluates, SlotMember(self.source, descriptor, name))
        trace.effects.external.put_slot(self.value, self.source, descriptor, value)

    def _own(self, trace: Trace, name: str) -> Value:
        return wrap(trace, vars(self.value)[name], Named(Item(dict_of(self.source), name), f"{self.source}.{name}"))

    def holds(self, trace: Trace, name: str, value: Value) -> bool:
        """Whether assigning `value` to an attribute changes nothing, since the instance holds that very object."""
        cls = type(self.value)
        if not isinstance(value, ArrayValue) or value.is_numpy_scalar:
            return False
        setter, source = class_attribute(trace, cls, "__setattr__")
        trace.guard(Is, source, expected=setter)
        if setter is not object.__setattr__:
            return False
        found, source = class_attribute(trace, cls, name)
        if type(found) is types.MemberDescriptorType:
            trace.guard(Is, source, expected=found)
            held = self._held(trace, found)
            return trace.inputs.arrays.get(id(held)) is value and self.slot(trace, found, name) is value
        if found is not ABSENT or not has_dict(cls):
            return False
        return trace.inputs.arrays.get(id(vars(self.value).get(name))) is value and self.own(trace, name) is value

    def _held(self, trace: Trace, descriptor: Any) -> Any:
        """The content of a slot that the call has not written; None for an empty slot or one that it has written."""
        try:
            return (
                descriptor.__get__(self.value) if trace.effects.external.slot(self.value, descriptor) is None else None
            )
        except AttributeError:
            return None

    def rebuild(self, writer: EntryWriter) -> str:
        return self.source.text(writer.pool)


def dict_of(instance: Source) -> Source:
    return Named(Attribute(instance, "__dict__"), f"vars({instance})")


def set_on_class(trace: Trace, owner: BuiltinCallable, name: str, value: Value) -> None:
    """Set an attribute of a user's class itself. Errors: a break for what the tracer looks up in classes by itself."""
    cls = owner.function
    data = isinstance(value, (Constant, InputNumber, ArrayValue, Sequence, DictValue))
    special = name.startswith("__") or not cls.__flags__ & HEAP_TYPE or _package(cls) == PACKAGE
    known = vars(cls).get(name)
    if special or not data or class_attribute(trace, type(known), "__get__")[0] is not ABSENT:
        raise SIDE_EFFECT.stop(name=f"{cls.__qualname__}.{name}")
    trace.effects.external.put_class(cls, name, value)


def _reads_plainly(value: Any) -> bool:
    """Whether attributes of the object are read by the ordinary rules: found without running any code of its class."""
    cls = type(value)
    if not has_plain_instances(cls) or (_package(cls) in ("numpy", "builtins") and cls not in _INDEX_TRICKS):
        return False
    if not all(base.__flags__ & HEAP_TYPE for base in cls.__mro__[:-1]) or not reads_ordinarily(cls):
        return False
    return not has_dict(cls) or type(vars(value)) is dict


_INDEX_TRICKS = frozenset(map(type, (np.mgrid, np.ogrid, np.r_, np.c_, np.s_)))
"""NumPy's classes of objects that only have a subscript, which is written in Python and followed."""
_MODULE_OF = vars(type)["__module__"]


def _package(cls: type) -> str:
    # Asked of the class as `type` answers, so that no metaclass has a say.
    module = _MODULE_OF.__get__(cls)
    return module.partition(".")[0] if type(module) is str else ""


@wraps(*ORDINARY_METACLASSES)
def wrap_class(trace: Trace, value: Any, source: Source) -> Value:
    trace.guard(Is, source, expected=value)
    return BuiltinCallable(value, source)


@wraps_when(lambda value: issubclass(type(value), type) and has_plain_instances(value))
def wrap_class_with_metaclass(trace: Trace, value: Any, source: Source) -> Value:
    """A class that can be asked for; its attributes, and calls of it, are the metaclass's affair."""
    return wrap_class(trace, value, source)


@wraps_when(lambda value: type(value) is np.ufunc)
def wrap_ufunc(trace: Trace, value: Any, source: Source) -> Value:
    trace.guard(Is, source, expected=value)
    return BuiltinCallable(value, source)


def _is_numpys_function(value: Any) -> bool:
    """Whether a callable of NumPy's is a function that stays; programs make others of `np.vectorize`, `np.poly1d`."""
    cls = type(value)
    if _package(cls) != "numpy" or not callable(value) or issubclass(cls, np.ndarray):
        return False
    return type(cls.__call__) is not types.FunctionType


@wraps_when(_is_numpys_function)
def wrap_numpy_callable(trace: Trace, value: Any, source: Source) -> Value:
    trace.guard(Is, source, expected=value)
    return BuiltinCallable(value, source)


@wraps(types.MethodType)
def wrap_method(trace: Trace, value: Any, source: Source) -> Value:
    if type(value.__func__) is not types.FunctionType and name_of_bound(value) is not None:
        return read_bound(trace, value, source)
    trace.guard(TypeIs, source, expected=types.MethodType)
    function = wrap(trace, value.__func__, Attribute(source, "__func__"))
    return BoundMethod(function, wrap(trace, value.__self__, Attribute(source, "__self__")), source)


@wraps_when(_reads_plainly)
def wrap_instance(trace: Trace, value: Any, source: Source) -> Value:
    trace.guard(TypeIs, source, expected=type(value))
    if has_dict(type(value)):
        trace.guard(TypeIs, dict_of(source), expected=dict)
    class_attribute(trace, type(value), "__getattribute__")  # guards that no class comes to define one
    return Instance(value, source)


def bind(trace: Trace, found: Any, source: Source, owner: Instance) -> Value:
    """The result of reading a class's entry on an instance."""
    return get(trace, found, source, owner, owner.python_type, str(source))


__all__ = [
    "ABSENT",
    "FunctionValue",
    "Instance",
    "ModuleValue",
    "bind",
    "class_attribute",
    "is_read_plainly",
    "read_class",
]
